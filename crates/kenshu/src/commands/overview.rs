//! `kenshu` without a word: what stands here, and the one next command to type. Nothing is run.

use kenshu_gate::detect::detect;
use kenshu_gate::suites;
use kenshu_gate::trees::WorkingTree;
use kenshu_host::tree::Fingerprint;
use kenshu_report::notes;
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
            ("evidence", json!(Record::open(world, &project)?.newest_for_tree(&here.hash)?)),
        ];
        world.print_json(
            "overview",
            document.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        );
        return Ok(exit::OK);
    }
    if chosen.suites.is_empty() {
        world.print(&format!(
            "tests     {}\nnext      kenshu count -- COMMAND\n",
            notes::no_test_command(&chosen.looked_for, world.lang)
        ));
        return Ok(exit::OK);
    }
    for suite in &chosen.suites {
        world.print(&format!(
            "tests     {}   (in {}, from {})\n",
            suite.argv.join(" "),
            suite.cwd,
            suite.source
        ));
    }
    let record = Record::open(world, &project)?;
    let here = Fingerprint::of(&project.root, project.git.as_ref())?;
    match record.newest_for_tree(&here.hash)? {
        Some(line) => world.print(&format!("evidence  {line}\n")),
        None => world.print("evidence  none for exactly this tree\n"),
    }
    world.print("next      kenshu check \"all tests pass\"\n");
    Ok(exit::OK)
}
