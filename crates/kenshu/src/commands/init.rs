//! `kenshu init`: what would be run here, as the `kenshu.toml` that says so.

use std::fmt::Write;

use kenshu_gate::config::{Config, FILE_NAME};
use kenshu_gate::detect::{Detection, Suite, detect};
use kenshu_gate::trees::WorkingTree;
use kenshu_host::files;
use kenshu_model::words::doing;
use kenshu_model::{Lang, Message};
use kenshu_report::notes;
use kenshu_report::words::commands as words;
use serde_json::{Map, Value, json};

use crate::args::InitArgs;
use crate::commands::trust;
use crate::exit;
use crate::wiring::{Answer, Failure, World};

/// Prints the proposal; with `--write` writes and pins it.
pub(crate) fn run(world: &World, args: &InitArgs) -> Answer {
    let project = world.project()?;
    let detection = detect(&WorkingTree::new(&project.root));
    let text = proposal(&detection, world.lang);
    Config::parse(&text).map_err(|error| Failure {
        line: Message::of(&words::BROKEN_PROPOSAL, [error]),
        status: exit::BUG,
    })?;
    if !args.write {
        if let Some(path) = &project.config {
            world.say(&world.words(&words::WOULD_DETECT, [&path.display()]));
        }
        if detection.suites.is_empty() {
            world.say(&notes::no_test_command(&detection.looked_for, world.lang));
        }
        if world.global.json {
            world.print_json("init", document(&detection, &text));
        } else {
            world.print(&text);
        }
        return Ok(if detection.suites.is_empty() { exit::NOT_VERIFIED } else { exit::OK });
    }
    trust::at_a_terminal(world, "init --write")?;
    let path = project.root.join(FILE_NAME);
    if path.exists() {
        return Err(Failure::usage(Message::new(&words::THERE_ALREADY, [&path.display()])));
    }
    if detection.suites.is_empty() {
        let none = notes::no_test_command(&detection.looked_for, world.lang);
        return Err(Failure::usage(Message::new(&words::WRITE_BY_HAND, [&none])));
    }
    files::write(&path, text.as_bytes(), &doing::WRITE_CONFIG)?;
    world.say(world.row(&words::WROTE, path.display()).trim_end());
    trust::pin(world)
}

fn document(detection: &Detection, text: &str) -> Map<String, Value> {
    [
        ("suites", suite_values(&detection.suites)),
        ("verify", suite_values(&detection.verify)),
        ("start", detection.start.as_ref().map_or(Value::Null, suite_value)),
        ("specs", json!(detection.specs)),
        ("looked_for", json!(detection.looked_for)),
        ("kenshu_toml", json!(text)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into_iter()
    .collect()
}

/// Commands as they stand in JSON.
pub(crate) fn suite_values(suites: &[Suite]) -> Value {
    suites.iter().map(suite_value).collect()
}

fn suite_value(suite: &Suite) -> Value {
    json!({ "name": suite.name, "command": suite.argv, "cwd": suite.cwd, "source": suite.source })
}

/// The `kenshu.toml` for what was detected.
fn proposal(detection: &Detection, lang: Lang) -> String {
    let mut text = String::new();
    match detection.suites.as_slice() {
        [] => {
            let _ = writeln!(text, "[test]\n# command = \"…\"   # {}", lang.pick(&words::NO_TEST_FOUND));
        }
        [suite] => {
            let _ = writeln!(text, "[test]\ncommand = {}   # {}", words(suite), suite.source);
            if suite.cwd != "." {
                let _ = writeln!(text, "cwd = {}", quoted(&suite.cwd));
            }
        }
        [first, others @ ..] => {
            let _ = writeln!(text, "# {}", lang.pick(&words::SEVERAL_SUITES));
            for suite in std::iter::once(first).chain(others) {
                let _ = writeln!(text, "# {}: {} in {}", suite.name, suite.argv.join(" "), suite.cwd);
            }
        }
    }
    for verify in &detection.verify {
        let _ = write!(text, "\n[[verify]]\nname = {}\ncommand = {}\n", quoted(&verify.name), words(verify));
        if verify.cwd != "." {
            let _ = writeln!(text, "cwd = {}", quoted(&verify.cwd));
        }
    }
    if let Some(start) = &detection.start {
        let _ = write!(text, "\n[start]\ncommand = {}\n", words(start));
    }
    if !detection.specs.is_empty() {
        let files: Vec<String> = detection.specs.iter().map(|spec| quoted(spec)).collect();
        let _ = write!(text, "\n[spec]\nfiles = [{}]\n", files.join(", "));
    }
    text
}

fn words(suite: &Suite) -> String {
    let words: Vec<String> = suite.argv.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for symbol in text.chars() {
        match symbol {
            '"' | '\\' => quoted.extend(['\\', symbol]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
