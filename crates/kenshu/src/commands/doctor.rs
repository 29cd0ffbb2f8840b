//! `kenshu doctor`: what Kenshu sees on this machine and in this project.

use std::fmt::Write;

use kenshu_gate::detect::detect;
use kenshu_gate::suites;
use kenshu_gate::trees::WorkingTree;
use kenshu_readers::Samples;
use kenshu_readers::readers::READERS;
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
    let mut text = String::new();
    let _ = writeln!(text, "kenshu    {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "project   {}   (id {})", project.root.display(), project.id()?);
    let git = project.git.as_ref().map_or("none".to_owned(), |git| git.top().display().to_string());
    let _ = writeln!(text, "git       {git}");
    for suite in &chosen.suites {
        let _ =
            writeln!(text, "tests     {}   (in {}, from {})", suite.argv.join(" "), suite.cwd, suite.source);
    }
    if chosen.suites.is_empty() {
        let _ = writeln!(text, "tests     none; looked for {}", chosen.looked_for.join(", "));
    }
    let pin = record.pin()?.map_or("nothing".to_owned(), |pin| format!("{} by {}", pin.time, pin.who));
    let _ = writeln!(text, "pinned    {pin}");
    let _ = writeln!(text, "ledger    {}", record.evidence().path().display());
    let documented: Vec<&str> = READERS
        .iter()
        .filter(|reader| reader.samples == Samples::Documented)
        .map(|reader| reader.id)
        .collect();
    let _ = writeln!(
        text,
        "readers   {}; not tried on real output: {}",
        READERS.len(),
        if documented.is_empty() { "none".to_owned() } else { documented.join(", ") }
    );
    world.print(&text);
    Ok(exit::OK)
}
