//! `kenshu explain`: reason words and readers.

use std::fmt::Write;

use kenshu_model::{REASONS, ReasonEntry};
use kenshu_readers::Samples;
use kenshu_readers::reader::Reader;
use kenshu_readers::readers::{READERS, by_id};
use serde_json::{Value, json};

use crate::exit;
use crate::wiring::{Answer, Failure, World};

/// Prints one explanation, or a list.
pub(crate) fn run(world: &World, id: Option<&str>) -> Answer {
    if world.global.json {
        return as_json(world, id);
    }
    let text = match id {
        None => format!(
            "{}\n{}",
            list("reasons", REASONS.iter().map(|entry| (entry.word, entry.meaning))),
            list("readers", READERS.iter().map(|reader| (reader.id, reader.name)))
        ),
        Some("reasons") => REASONS.iter().map(|entry| of_reason(world, entry)).collect::<Vec<_>>().join("\n"),
        Some("readers") => READERS.iter().map(of_reader).collect::<Vec<_>>().join("\n"),
        Some(id) => {
            let reason = REASONS.iter().find(|entry| entry.word == id).map(|entry| of_reason(world, entry));
            reason.or_else(|| by_id(id).map(of_reader)).ok_or_else(|| unknown(id))?
        }
    };
    world.print(&text);
    Ok(exit::OK)
}

fn unknown(id: &str) -> Failure {
    Failure::usage(format!("explain {id}: no reason and no reader has this name; list them: kenshu explain"))
}

fn as_json(world: &World, id: Option<&str>) -> Answer {
    let wanted = |list: &str, word: &str| id.is_none_or(|id| id == list || id == word);
    let reasons: Vec<Value> = REASONS
        .iter()
        .filter(|entry| wanted("reasons", entry.word))
        .map(|entry| {
            json!({
                "word": entry.word,
                "meaning": entry.meaning,
                "commands": entry.commands,
                "outcome": entry.outcome,
                "exit": entry.exit,
                "message": world.lang.pick(&entry.messages),
            })
        })
        .collect();
    let readers: Vec<Value> = READERS
        .iter()
        .filter(|reader| wanted("readers", reader.id))
        .map(|reader| {
            json!({
                "id": reader.id,
                "name": reader.name,
                "versions": reader.versions,
                "formats": reader.formats,
                "tried_on_real_output": matches!(reader.samples, Samples::Recorded),
            })
        })
        .collect();
    match id {
        Some(id) if reasons.is_empty() && readers.is_empty() => Err(unknown(id)),
        Some(_) | None => {
            let document = [("reasons", json!(reasons)), ("readers", json!(readers))];
            let document = document.map(|(name, value)| (name.to_owned(), value));
            world.print_json("explain", document.into_iter().collect());
            Ok(exit::OK)
        }
    }
}

fn list<'a>(title: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = format!("{title}\n");
    for (word, meaning) in rows {
        let _ = writeln!(text, "  {word:<24} {meaning}");
    }
    text
}

fn of_reason(world: &World, entry: &ReasonEntry) -> String {
    format!(
        "{}\n  {}\n  given by   {}\n  outcome    {}\n  exit       {}\n  message    {}\n",
        entry.word,
        entry.meaning,
        entry.commands,
        entry.outcome,
        entry.exit,
        world.lang.pick(&entry.messages)
    )
}

fn of_reader(reader: &Reader) -> String {
    let samples = match reader.samples {
        Samples::Recorded => "recorded from the real runner",
        Samples::Documented => "written from documentation; not tried on real output",
    };
    let commands: Vec<String> = reader.commands.iter().map(|words| words.join(" … ")).collect();
    format!(
        "{} ({})\n  versions   {}\n  formats    {}\n  commands   {}\n  no tests   {}\n  samples    {samples}\n",
        reader.id,
        reader.name,
        reader.versions,
        reader.formats,
        commands.join(", "),
        reader.zero
    )
}
