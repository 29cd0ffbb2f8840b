//! `karma`: Karma's progress and dots reporters, and karma-mocha-reporter; whatever framework runs in the browser.
//!
//! Each browser ends with `Executed 4 of 6 (2 FAILED) (skipped 2) (0.03 secs / 0.01 secs)`; one line of the same shape is
//! redrawn all through the run. What a test logs is shown between them, so only the last lines of a run are read.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod mocha_reporter;

const ID: &str = "karma";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Karma",
    versions: "6.4 with Jasmine and Mocha; karma-mocha-reporter 2.2, karma-spec-reporter 0.0.36",
    formats: "text of the progress, dots, spec and mocha reporters",
    zero: "Executed 0 of 0 SUCCESS; status 1 (0 with failOnEmptyTestSuite: false)",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        ": Executed ",
        ":INFO [karma-server]: ",
        ":ERROR [launcher]: ",
        " tests completed",
        "1 test completed",
    ],
    commands: &[&["karma", "start"], &["karma", "run"], &["karma"], &["ng", "test"]],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

static EXECUTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(.+): Executed (\d+) of (\d+)(?: \((\d+) FAILED\))?(?: \(skipped (\d+)\))?",
        r"( SUCCESS| ERROR| DISCONNECTED)? \([^()]*\)$",
    ))
    .expect("valid pattern")
});
static TOTAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^TOTAL: (?:(\d+) FAILED, )?(\d+) SUCCESS$").expect("valid pattern"));

/// One browser's line.
#[derive(Clone, Copy)]
struct Executed<'a> {
    browser: &'a str,
    executed: u64,
    total: u64,
    failed: u64,
    skipped: u64,
    word: &'a str,
}

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let is_start = |at: &usize| lines[*at].text.contains(":INFO [karma-server]: Karma v");
    let mut starts: Vec<usize> = (0..lines.len()).filter(is_start).collect();
    let known = hint.named || !starts.is_empty();
    if starts.first() != Some(&0) {
        // What stands before the first start belongs to a run whose start was cut away, or to nobody.
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    starts.iter().zip(ends).filter_map(|(from, to)| run(&lines[*from..to], hint, known, cut)).collect()
}

fn run(lines: &[Line<'_>], hint: Hint<'_>, known: bool, cut: bool) -> Option<Reading> {
    let executed: Vec<(usize, Executed<'_>)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, parse(line.text)?))).collect();
    let summary = mocha_reporter::read(lines);
    let total = lines.iter().rposition(|line| TOTAL.is_match(line.text));
    let reading = match (executed.last(), summary) {
        (_, Some(summary)) => Some(summary),
        (Some((last, _)), None) => Some(browsers(lines, &executed, total.filter(|at| at > last))),
        (None, None) => total.filter(|_| hint.named).map(|at| only_total(&lines[at])),
    };
    let began = lines.first().filter(|line| line.text.contains(":INFO [karma-server]: Karma v"));
    let reading = reading.or_else(|| without_results(lines, known)).or_else(|| {
        let reason = if cut { Reason::OutputCut } else { Reason::NoSummary };
        Some(Reading::without_counts(ID, Said::Unfinished(reason), began?.quote()))
    })?;
    let first = began.map_or(reading.lines.0, |line| line.number);
    let limit =
        lines.iter().find(|line| line.text.contains("ERROR [") && line.text.contains(" does not meet "));
    let reading = match limit {
        Some(limit) if known => reading.saying(Said::Failed).quoting(limit.quote()),
        Some(_) | None => reading,
    };
    Some(reading.spanning(first, first))
}

fn parse(text: &str) -> Option<Executed<'_>> {
    if !text.ends_with(')') || !text.contains(": Executed ") {
        return None;
    }
    let parts = EXECUTED.captures(text)?;
    let number = |group: usize| parts.get(group).map_or(Some(0), |digits| digits.as_str().parse().ok());
    Some(Executed {
        browser: parts.get(1)?.as_str(),
        executed: number(2)?,
        total: number(3)?,
        failed: number(4)?,
        skipped: number(5)?,
        word: parts.get(6).map_or("", |word| word.as_str().trim_start()),
    })
}

/// The lines of all browsers, which follow each other at the end, and the line of their total.
fn browsers(lines: &[Line<'_>], executed: &[(usize, Executed<'_>)], total: Option<usize>) -> Reading {
    let mut last: Vec<(usize, Executed<'_>)> = Vec::new();
    for (at, browser) in executed.iter().rev() {
        if last.last().is_some_and(|(below, _)| at + 1 != *below) {
            break;
        }
        last.push((*at, *browser));
    }
    last.reverse();
    let sum = |field: fn(&Executed<'_>) -> u64| {
        last.iter().try_fold(0u64, |sum, (_, browser)| sum.checked_add(field(browser)))
    };
    let failed = sum(|browser| browser.failed);
    let executed = sum(|browser| browser.executed);
    let skipped = sum(|browser| browser.skipped);
    let broken = sum(|browser| u64::from(matches!(browser.word, "ERROR" | "DISCONNECTED")));
    let passed = executed.zip(failed).and_then(|(executed, failed)| executed.checked_sub(failed));
    let mut tally = Tally { passed, failed, skipped, load_errors: broken, ..Tally::ZERO };
    let stated = total.and_then(|at| total_of(lines[at].text));
    if let Some((failed, passed)) = stated
        && (tally.failed, tally.passed) != (Some(failed), Some(passed))
    {
        // Lines of other browsers are gone.
        tally = Tally { passed: Some(passed), failed: Some(failed), skipped: None, ..tally };
    }
    let (first, _) = last[0];
    let mut reading = Reading::from_tally(ID, tally, lines[first].quote());
    for (at, _) in &last[1..] {
        reading = reading.quoting(lines[*at].quote());
    }
    if let Some(at) = total {
        reading = reading.quoting(lines[at].quote());
    }
    let unfinished = last.iter().any(|(_, browser)| {
        browser.executed.saturating_add(browser.skipped) < browser.total
            || (browser.word.is_empty() && browser.failed == 0)
    });
    if unfinished && reading.said != Said::Failed {
        reading = reading.saying(Said::Unfinished(Reason::NoSummary));
    }
    reading.naming(cases(lines, last[0].1.browser))
}

fn total_of(text: &str) -> Option<(u64, u64)> {
    let numbers = TOTAL.captures(text)?;
    let failed = numbers.get(1).map_or(Some(0), |digits| digits.as_str().parse().ok())?;
    Some((failed, numbers[2].parse().ok()?))
}

fn only_total(line: &Line<'_>) -> Reading {
    let tally = total_of(line.text).map_or(Tally::UNKNOWN, |(failed, passed)| Tally {
        skipped: None,
        load_errors: None,
        ..Tally::of(passed, failed, 0)
    });
    Reading::from_tally(ID, tally, line.quote())
}

/// `Chrome 100 (Linux) suite test FAILED`, with the message indented by a tab below it.
fn cases(lines: &[Line<'_>], browser: &str) -> Vec<Case> {
    let case = |at: usize| {
        let name = lines[at].text.strip_prefix(browser)?.strip_suffix(" FAILED")?.trim();
        let below = lines.get(at + 1).and_then(|line| line.text.strip_prefix('\t'));
        let message = below.map(|text| text.trim().to_owned());
        Some(Case {
            name: name.to_owned(),
            file: None,
            status: CaseStatus::Failed,
            message,
            file_level: false,
        })
    };
    (0..lines.len()).filter_map(case).collect()
}

/// What Karma says where no browser ran anything.
fn without_results(lines: &[Line<'_>], known: bool) -> Option<Reading> {
    for line in lines.iter().filter(|_| known) {
        let text = line.text;
        let said = if text.contains("ERROR [launcher]: No binary for ")
            || text.contains("ERROR [launcher]: Cannot start ")
            || text.contains("ERROR [launcher]: Cannot load browser ")
            || text.contains("ERROR [karma-server]: Server start failed on port ")
        {
            Said::CouldNotRun(Reason::Environment)
        } else if text.starts_with("Unknown command: ") || text.starts_with("Command is required") {
            Said::CouldNotRun(Reason::UsageError)
        } else if text.contains("ERROR [config]: ") {
            Said::CouldNotRun(Reason::Environment)
        } else {
            continue;
        };
        return Some(Reading::without_counts(ID, said, line.quote()));
    }
    None
}
