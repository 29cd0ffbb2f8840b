//! `mocha`: Mocha, and the runners built on it that close with its lines (Cypress, Hardhat, electron-mocha …).
//!
//! Every console reporter ends with `  3 passing (5ms)`, `  1 pending`, `  2 failing` and a numbered list of failures.
//! A failed hook is one entry of that list; the tests it kept from running are counted nowhere.

use std::sync::LazyLock;

use kenshu_model::Reason;
use regex::Regex;

use crate::marks::{Letters, LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod console;
mod reports;

pub(super) const ID: &str = "mocha";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Mocha",
    versions: "8.4, 9.2, 10.8, 11.7, 12.0",
    formats: "text of every console reporter, TAP, XUnit, JSON, JSON stream, mocha-junit-reporter, mochawesome",
    zero: "0 passing; status 0 (1 with --fail-zero). No file: \"Error: No test files found\", status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " passing (",
        " failing",
        "No test files found",
        "Exception during run:",
        "✖ ERROR:",
        "# tests ",
        "Mocha Tests",
        "\"passes\":",
    ],
    commands: &[
        &["mocha"],
        &["_mocha"],
        &["electron-mocha"],
        &["ts-mocha"],
        &["mochapack"],
        &["c8", "mocha"],
        &["nyc", "mocha"],
        &["hardhat", "test"],
        &["truffle", "test"],
        &["cypress", "run"],
        &["node", "node_modules/.bin/mocha"],
        &["node", "./node_modules/.bin/mocha"],
        &["vscode-test"],
    ],
    list_options: LIST_OPTIONS,
    covers: &["tap", "junit-xml"],
    marks: Marks {
        failed: &[LineMark::Numbered, LineMark::Start("not ok ")],
        passed: &[
            LineMark::Start("✔ "),
            LineMark::Start("✓ "),
            LineMark::Start("√ "),
            LineMark::Start("ok "),
        ],
        letters: Some(Letters { passed: '.', failed: "!", others: "," }),
        plain: true,
    },
    read,
};

const LIST_OPTIONS: &[&str] = &["--dry-run", "--list-files", "--list-interfaces", "--list-reporters"];

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    if !hint.named && !has_own_words(stream) {
        return Vec::new();
    }
    let mut readings = reports::read(stream, hint);
    let lines: Vec<Line<'_>> = stream
        .lines()
        .filter(|line| !readings.iter().any(|seen| (seen.lines.0..=seen.lines.1).contains(&line.number)))
        .collect();
    readings.extend(console::read(&lines, hint));
    readings.extend(whole_run(&lines, hint));
    if only_lists(hint) {
        readings = readings.into_iter().map(only_listed).collect();
    } else if asks_for_names(hint) {
        readings = readings.into_iter().map(filtered).collect();
    }
    readings
}

/// Whether words stand in the text of which Mocha is known without its name from the command.
fn has_own_words(stream: &Stream) -> bool {
    const WORDS: [&str; 6] = [
        "\"passes\"",
        "[\"start\",{\"total\":",
        "Mocha Tests",
        " passing (",
        "No test files found",
        " Exception during run: ",
    ];
    let ends_tap =
        |line: Line<'_>| stream.body()[stream.start_of(&line) + line.text.len()..].starts_with("\n# pass ");
    stream.contains_any(&WORDS) || stream.lines_with("# tests ").any(ends_tap)
}

/// Whether Mocha, or the script that runs it, is told only to list.
fn only_lists(hint: Hint<'_>) -> bool {
    hint.invocations.iter().any(|invocation| {
        let runs_script = matches!(invocation.program.as_str(), "npm" | "pnpm" | "yarn")
            && invocation.arguments.iter().any(|word| matches!(word.as_str(), "test" | "run" | "t"));
        (READER.is_run_by(invocation) || runs_script) && invocation.has_option(LIST_OPTIONS)
    })
}

/// A dry run prints what a pass prints.
fn only_listed(reading: Reading) -> Reading {
    match (&reading.said, reading.quotes.first()) {
        (Said::Passed, Some(quote)) => {
            Reading::without_counts(ID, Said::NothingRan(Reason::ListOnly), quote.clone())
                .spanning(reading.lines.0, reading.lines.1)
        }
        _ => reading,
    }
}

fn asks_for_names(hint: Hint<'_>) -> bool {
    hint.named
        && hint.invocations.iter().any(|invocation| invocation.has_option(&["-g", "--grep", "-f", "--fgrep"]))
}

fn filtered(reading: Reading) -> Reading {
    if reading.said == Said::NothingRan(Reason::ZeroTests) {
        return reading.saying(Said::NothingRan(Reason::FilterMatchedNothing));
    }
    reading
}

/// What Mocha's command line says when it runs nothing, and what it says when loading the files fails.
fn whole_run(lines: &[Line<'_>], hint: Hint<'_>) -> Vec<Reading> {
    static NO_FILES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"^Error: No test files found(?:: "|$)"#).expect("valid pattern"));
    let mut readings = Vec::new();
    for line in lines {
        let text = line.text;
        if text.starts_with("Error: ") && NO_FILES.is_match(text) {
            let said = Said::NothingRan(Reason::NoTestFiles);
            readings.push(Reading::without_counts(ID, said, line.quote()));
        } else if text.starts_with(" Exception during run: ") {
            readings.push(did_not_load(line));
        } else if hint.named && text.starts_with("✖ ERROR: ") {
            let said = Said::CouldNotRun(Reason::UsageError);
            readings.push(Reading::without_counts(ID, said, line.quote()));
        }
    }
    readings
}

/// A test file threw while it was loaded: Mocha ends there, whatever the other files hold.
fn did_not_load(line: &Line<'_>) -> Reading {
    let mut reading = Reading::without_counts(ID, Said::Failed, line.quote());
    reading.tally = kenshu_model::Tally { load_errors: Some(1), ..kenshu_model::Tally::ZERO };
    reading
}

/// Whether a title is that of a hook as Mocha writes it.
fn is_hook(title: &str) -> bool {
    static HOOK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?:^| )"(?:before|after) (?:all|each)" hook(?:$|: | for "| in ")"#)
            .expect("valid pattern")
    });
    HOOK.is_match(title)
}
