//! `kenshu trust`: pins the command, its scripts and its configuration.

use kenshu_gate::detect::detect;
use kenshu_gate::pin::PinV1;
use kenshu_gate::ruler::{Ruler, compare, ruler};
use kenshu_gate::suites;
use kenshu_gate::trees::WorkingTree;
use kenshu_host::clock;
use kenshu_host::terminal::{Stream, is_terminal};
use kenshu_model::Message;
use kenshu_model::check::RulerChange;
use kenshu_report::notes;
use kenshu_report::words::commands as words;
use serde_json::{Value, json};

use crate::args::TrustArgs;
use crate::exit;
use crate::record::Record;
use crate::wiring::{Answer, Failure, World};

/// Pins, or only compares with `--check`.
pub(crate) fn run(world: &World, args: &TrustArgs) -> Answer {
    if args.check {
        return compare_only(world);
    }
    at_a_terminal(world, "trust")?;
    pin(world)
}

/// Only a human can say what is trusted: a terminal, and no agent's variables.
pub(crate) fn at_a_terminal(world: &World, what: &str) -> Result<(), Failure> {
    if let Some((agent, variable)) = world.environment.agent() {
        return Err(Failure::usage(Message::new(&words::HUMAN_ONLY, [&what, &variable, &agent])));
    }
    if is_terminal(Stream::Stdin) && is_terminal(Stream::Stdout) {
        return Ok(());
    }
    Err(Failure::usage(Message::new(&words::NEEDS_TERMINAL, [&what])))
}

/// Pins what stands now; shows what it pins and what is different from the last time.
pub(crate) fn pin(world: &World) -> Answer {
    let (record, now) = record_and_ruler(world)?;
    if let Some(before) = record.pin()? {
        show_changes(world, &before.changes(&now));
    }
    for command in &now.commands {
        let text = world.words(&words::IN_FOLDER, [&command.argv.join(" "), &command.cwd]);
        world.print(&world.row(&words::COMMAND, text));
    }
    for (script, body) in &now.scripts {
        world.print(&world.row(&words::SCRIPT, format!("{} {}: {body}", script.file, script.name)));
    }
    for fact in &now.facts {
        world.print(&world.row(&words::SETTING, format!("{}: {} = {}", fact.file, fact.key, fact.value)));
    }
    let who = world.environment.text("USER").unwrap_or("someone at a terminal").to_owned();
    let entry = record.trust(&PinV1::new(&now, &clock::now(), &who), world)?;
    world.print(&world.row(&words::PINNED, entry));
    Ok(exit::OK)
}

fn compare_only(world: &World) -> Answer {
    let (record, now) = record_and_ruler(world)?;
    let pin = record.pin()?;
    if world.global.json {
        return Ok(compare_as_json(world, pin.as_ref(), &now));
    }
    let Some(pin) = pin else {
        world.print(&format!("{}\n", world.lang.pick(&words::NOTHING_PINNED)));
        return Ok(exit::NOT_VERIFIED);
    };
    let changes = compare(&pin.ruler(), &now);
    show_changes(world, &changes);
    if changes.is_empty() {
        world.print(&format!("{}\n", world.words(&words::AS_PINNED, [&pin.time, &pin.who])));
        return Ok(exit::OK);
    }
    Ok(exit::REJECTED)
}

fn compare_as_json(world: &World, pin: Option<&PinV1>, now: &Ruler) -> u8 {
    let changes = pin.map(|pin| pin.changes(now)).unwrap_or_default();
    let document = [
        ("pinned", pin.map_or(Value::Null, |pin| json!({ "time": pin.time, "who": pin.who }))),
        ("changes", changes.iter().map(kenshu_report::json::ruler_change).collect()),
    ];
    world.print_json("trust", document.map(|(name, value)| (name.to_owned(), value)).into_iter().collect());
    match (pin, changes.is_empty()) {
        (None, _) => exit::NOT_VERIFIED,
        (Some(_), true) => exit::OK,
        (Some(_), false) => exit::REJECTED,
    }
}

fn record_and_ruler(world: &World) -> Result<(Record, Ruler), Failure> {
    let project = world.project()?;
    let config = world.config(&project)?;
    let tree = WorkingTree::new(&project.root);
    let chosen = suites::choose(&[], &config, &|| detect(&tree)).map_err(Failure::usage)?;
    if chosen.suites.is_empty() {
        let none = notes::no_test_command(&chosen.looked_for, world.lang);
        return Err(Failure::usage(Message::new(&words::WRITE_IT, [&none])));
    }
    let now = ruler(&tree, &chosen.suites);
    Ok((Record::open(world, &project)?, now))
}

fn show_changes(world: &World, changes: &[RulerChange]) {
    for change in changes {
        let place = change.file.as_ref().map(|file| format!("{file} ")).unwrap_or_default();
        world.print(&world.row(&words::CHANGED, format!("{place}{}", change.what)));
        for (sign, side) in [("-", &change.before), ("+", &change.after)] {
            if let Some(text) = side {
                world.print(&format!("        {sign} {text}\n"));
            }
        }
    }
}
