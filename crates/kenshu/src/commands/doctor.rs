//! `kenshu doctor`: what Kenshu sees on this machine and in this project.

use kenshu_gate::detect::detect;
use kenshu_gate::suites;
use kenshu_gate::trees::WorkingTree;
use kenshu_readers::Samples;
use kenshu_readers::readers::READERS;
use kenshu_report::words::commands as words;
use serde_json::{Value, json};

use crate::exit;
use crate::record::Record;
use crate::wiring::{Answer, World};

/// Prints it.
pub(crate) fn run(world: &World) -> Answer {
    let project = world.project()?;
    let config = world.config(&project)?;
    let tree = WorkingTree::new(&project.root);
    let chosen = suites::choose(&[], &config, &|| detect(&tree)).map_err(crate::wiring::Failure::usage)?;
    let record = Record::open(world, &project)?;
    if world.global.json {
        let document = [
            ("version", json!(env!("CARGO_PKG_VERSION"))),
            ("project", json!(project.root.display().to_string())),
            ("project_id", json!(project.id()?)),
            ("git", json!(project.git.as_ref().map(|git| git.top().display().to_string()))),
            ("suites", super::init::suite_values(&chosen.suites)),
            ("pinned", record.pin()?.map_or(Value::Null, |pin| json!({ "time": pin.time, "who": pin.who }))),
            ("ledger", json!(record.evidence().path().display().to_string())),
            ("readers", json!(READERS.len())),
        ];
        world.print_json(
            "doctor",
            document.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        );
        return Ok(exit::OK);
    }
    let none = world.lang.pick(&words::NONE);
    let git = project.git.as_ref().map_or(none.to_owned(), |git| git.top().display().to_string());
    let mut text = world.row(&["kenshu"; 5], env!("CARGO_PKG_VERSION"));
    text += &world.row(&words::PROJECT, format!("{}   (id {})", project.root.display(), project.id()?));
    text += &world.row(&["git"; 5], git);
    for suite in &chosen.suites {
        text += &super::overview::suite_row(world, suite);
    }
    if chosen.suites.is_empty() {
        text += &world.row(&words::TESTS, world.words(&words::LOOKED_FOR, [&chosen.looked_for.join(", ")]));
    }
    let pin = record.pin()?.map(|pin| world.words(&words::BY, [&pin.time, &pin.who]));
    text += &world.row(&words::PINNED, pin.unwrap_or_else(|| world.lang.pick(&words::NOTHING).to_owned()));
    text += &world.row(&words::LEDGER, record.evidence().path().display());
    let documented: Vec<&str> = READERS
        .iter()
        .filter(|reader| reader.samples == Samples::Documented)
        .map(|reader| reader.id)
        .collect();
    let documented = if documented.is_empty() { none.to_owned() } else { documented.join(", ") };
    text += &world.row(&words::READERS, world.words(&words::NOT_TRIED, [&READERS.len(), &documented]));
    world.print(&text);
    Ok(exit::OK)
}
