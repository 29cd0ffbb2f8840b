//! `kenshu explain`: reason words and readers.

use std::fmt::Write;

use kenshu_model::{Lang, Message};
use kenshu_model::{REASONS, ReasonEntry};
use kenshu_readers::Samples;
use kenshu_readers::reader::Reader;
use kenshu_readers::readers::{READERS, by_id};
use kenshu_report::words::commands as words;
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
            list(
                world.lang.pick(&words::REASONS),
                REASONS.iter().map(|entry| (entry.word, world.lang.pick(&entry.meaning)))
            ),
            list(world.lang.pick(&words::READERS), READERS.iter().map(|reader| (reader.id, reader.name)))
        ),
        Some("reasons") => REASONS.iter().map(|entry| of_reason(world, entry)).collect::<Vec<_>>().join("\n"),
        Some("readers") => {
            READERS.iter().map(|reader| of_reader(world, reader)).collect::<Vec<_>>().join("\n")
        }
        Some(id) => {
            let reason = REASONS.iter().find(|entry| entry.word == id).map(|entry| of_reason(world, entry));
            reason.or_else(|| by_id(id).map(|reader| of_reader(world, reader))).ok_or_else(|| unknown(id))?
        }
    };
    world.print(&text);
    Ok(exit::OK)
}

fn unknown(id: &str) -> Failure {
    Failure::usage(Message::new(&words::NOT_EXPLAINED, [&id]))
}

fn as_json(world: &World, id: Option<&str>) -> Answer {
    let wanted = |list: &str, word: &str| id.is_none_or(|id| id == list || id == word);
    let reasons: Vec<Value> = REASONS
        .iter()
        .filter(|entry| wanted("reasons", entry.word))
        .map(|entry| {
            json!({
                "word": entry.word,
                "meaning": Lang::En.pick(&entry.meaning),
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
    let rows = [
        world.row(&words::GIVEN_BY, entry.commands),
        world.row(&words::OUTCOME, entry.outcome),
        world.row(&words::EXIT, entry.exit),
        world.row(&words::MESSAGE, world.lang.pick(&entry.messages)),
    ];
    format!("{}\n  {}\n  {}", entry.word, world.lang.pick(&entry.meaning), rows.join("  "))
}

fn of_reader(world: &World, reader: &Reader) -> String {
    let samples = match reader.samples {
        Samples::Recorded => &words::RECORDED,
        Samples::Documented => &words::DOCUMENTED,
    };
    let commands: Vec<String> = reader.commands.iter().map(|words| words.join(" … ")).collect();
    let rows = [
        world.row(&words::VERSIONS, reader.versions),
        world.row(&words::FORMATS, reader.formats),
        world.row(&words::COMMANDS, commands.join(", ")),
        world.row(&words::NO_TESTS, reader.zero),
        world.row(&words::SAMPLES, world.lang.pick(samples)),
    ];
    format!("{} ({})\n  {}", reader.id, reader.name, rows.join("  "))
}
