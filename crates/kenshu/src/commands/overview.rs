//! `kenshu` without a word: what stands here, and the one next command to type. Nothing is run.

use kenshu_gate::detect::{Suite, detect};
use kenshu_gate::suites;
use kenshu_gate::trees::WorkingTree;
use kenshu_host::tree::Fingerprint;
use kenshu_report::notes;
use kenshu_report::words::commands as words;
use serde_json::json;

use crate::exit;
use crate::record::Record;
use crate::wiring::{Answer, Failure, World};

/// Prints it.
pub(crate) fn run(world: &World) -> Answer {
    let project = world.project()?;
    let config = world.config(&project)?;
    let tree = WorkingTree::new(&project.root);
    let chosen = suites::choose(&[], &config, &|| detect(&tree)).map_err(Failure::usage)?;
    if world.global.json {
        let here = Fingerprint::of(&project.root, project.git.as_ref())?;
        let document = [
            ("project", json!(project.root.display().to_string())),
            ("suites", super::init::suite_values(&chosen.suites)),
            ("tree", json!(here.hash)),
            ("evidence", json!(Record::open(world, &project)?.newest_for_tree(&here.hash, world)?)),
        ];
        world.print_json(
            "overview",
            document.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        );
        return Ok(exit::OK);
    }
    if chosen.suites.is_empty() {
        world.print(&format!(
            "{}{}",
            world.row(&words::TESTS, notes::no_test_command(&chosen.looked_for, world.lang)),
            world.row(&words::NEXT, "kenshu count -- COMMAND")
        ));
        return Ok(exit::OK);
    }
    for suite in &chosen.suites {
        world.print(&suite_row(world, suite));
    }
    let record = Record::open(world, &project)?;
    let here = Fingerprint::of(&project.root, project.git.as_ref())?;
    let evidence = record.newest_for_tree(&here.hash, world)?;
    let none = || world.lang.pick(&words::NO_EVIDENCE).to_owned();
    world.print(&world.row(&words::EVIDENCE, evidence.unwrap_or_else(none)));
    world.print(&world.row(&words::NEXT, "kenshu check \"all tests pass\""));
    Ok(exit::OK)
}

/// The line of one test command.
pub(super) fn suite_row(world: &World, suite: &Suite) -> String {
    let values: [&dyn std::fmt::Display; 3] = [&suite.argv.join(" "), &suite.cwd, &suite.source];
    world.row(&words::TESTS, world.words(&words::IN_FROM, values))
}
