//! `kenshu ledger`: the evidence kept, and whether it is whole.

use kenshu_ledger::Problem;
use kenshu_model::Message;
use kenshu_model::words::ledger::HEAD_GONE;
use kenshu_report::words::commands as words;
use serde_json::{Value, json};

use crate::args::LedgerAction;
use crate::exit;
use crate::record::{Record, summary};
use crate::wiring::{Answer, Failure, World};

/// Lists, shows or verifies.
pub(crate) fn run(world: &World, action: &LedgerAction) -> Answer {
    let record = Record::open(world, &world.project()?)?;
    match action {
        LedgerAction::List => list(world, &record),
        LedgerAction::Show { id } => show(world, &record, id),
        LedgerAction::Verify => verify_all(world, &record),
    }
}

fn list(world: &World, record: &Record) -> Answer {
    let entries = record.entries()?;
    if world.global.json {
        let rows: Vec<Value> = entries
            .iter()
            .map(|entry| {
                json!({
                    "id": entry.id(),
                    "seq": entry.seq,
                    "time": entry.draft.time.as_str(),
                    "kind": entry.draft.kind.word(),
                    "tree": entry.draft.subject.tree,
                    "commit": entry.draft.subject.commit,
                })
            })
            .collect();
        world.print(&format!("{}\n", json!({ "schema": "kenshu/ledger/1", "entries": rows })));
        return Ok(exit::OK);
    }
    if entries.is_empty() {
        world.say(world.lang.pick(&words::LEDGER_EMPTY));
    }
    for entry in &entries {
        world.print(&format!("{}\n", summary(entry, world)));
    }
    Ok(exit::OK)
}

fn show(world: &World, record: &Record, id: &str) -> Answer {
    let bytes = record.evidence().bytes()?;
    let entries = kenshu_ledger::parse(&bytes).0;
    let found: Vec<_> = entries.iter().filter(|entry| entry.id().starts_with(id)).collect();
    let entry = match found.as_slice() {
        [entry] => entry,
        [] => {
            return Err(Failure::usage(Message::new(&words::NO_SUCH_ENTRY, [&id])));
        }
        _ => {
            return Err(Failure::usage(Message::new(&words::SEVERAL_ENTRIES, [&id, &found.len()])));
        }
    };
    let digest = entry.digest.to_string();
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().find(|line| line.ends_with(&format!("\"{digest}\"}}"))).unwrap_or_default();
    let value: Value = serde_json::from_str(line).unwrap_or(Value::Null);
    let text = if world.global.json {
        value.to_string()
    } else {
        serde_json::to_string_pretty(&value).unwrap_or_default()
    };
    world.print(&format!("{text}\n"));
    Ok(exit::OK)
}

fn verify_all(world: &World, record: &Record) -> Answer {
    let (verification, gone) = record.evidence().verify()?;
    let head = verification.head.anchor().map(|anchor| anchor.to_string());
    let gone = gone.iter().map(|place| Message::new(&HEAD_GONE, [&place.display()]));
    let problems: Vec<Message> = verification.problems.iter().map(Problem::message).chain(gone).collect();
    if world.global.json {
        let value = json!({
            "schema": "kenshu/ledger/1",
            "intact": problems.is_empty(),
            "entries": verification.entries,
            "problems": problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "head": head,
        });
        world.print(&format!("{value}\n"));
    } else {
        problems
            .iter()
            .for_each(|problem| world.print(&world.row(&words::PROBLEM, problem.text(world.lang))));
        if let Some(place) = &verification.torn {
            world.print(&world.row(&words::CUT, world.words(&words::WRITE_WAS_CUT, [&place.line])));
        }
        world.print(&world.row(&words::ENTRIES, verification.entries));
        if let Some(head) = &head {
            world.print(&world.row(&words::HEAD, world.words(&words::KEEP_IT, [head])));
        }
    }
    Ok(if problems.is_empty() { exit::OK } else { exit::REJECTED })
}
