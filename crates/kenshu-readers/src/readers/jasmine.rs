//! `jasmine`: Jasmine's own console reporter, and jasmine-spec-reporter.
//!
//! A run opens with `Started` and closes with `6 specs, 2 failures, 1 pending spec`. Errors of hooks and of whole suites
//! are among those failures: only the numbered list above tells how many of them are specs.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod spec_reporter;

const ID: &str = "jasmine";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Jasmine",
    versions: "2.99, 3.99, 4.6, 5, 7.0; jasmine-spec-reporter 7.0",
    formats: "text",
    zero: "\"Incomplete: No specs found\", status 2 (version 2: status 0)",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " specs, ",
        "1 spec, ",
        "No specs found",
        " specs SUCCESS",
        " specs INCOMPLETE",
        " spec SUCCESS",
        " specs (",
        " spec (",
    ],
    commands: &[
        &["jasmine"],
        &["jasmine-ts"],
        &["jasmine-browser-runner"],
        &["c8", "jasmine"],
        &["nyc", "jasmine"],
        &["node", "node_modules/.bin/jasmine"],
        &["node", "./node_modules/.bin/jasmine"],
        &["protractor"],
    ],
    list_options: &["enumerate"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?$").expect("valid pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let mut readings = spec_reporter::read(&lines);
    let closings: Vec<usize> = (0..lines.len()).filter(|at| is_closing(&lines, *at, hint, cut)).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].text == "Started").collect();
    for (place, at) in closings.iter().enumerate() {
        let next = closings.get(place + 1).copied().unwrap_or(lines.len());
        // Until another run starts, an earlier closing is what a spec printed.
        let is_last = starts.is_empty()
            || next == lines.len()
            || starts.iter().any(|start| (*at..next).contains(start));
        if is_last {
            let from = starts.iter().copied().rfind(|start| start < at);
            let after = place.checked_sub(1).map_or(0, |before| closings[before] + 1);
            let end = starts.iter().copied().find(|start| start > at).unwrap_or(lines.len());
            readings.push(closed(&lines, from.unwrap_or(after), *at, end, hint));
        }
    }
    if let Some(start) = starts.last().filter(|start| closings.iter().all(|at| at < start))
        && hint.named
    {
        readings.push(unclosed(&lines[*start..], cut));
    }
    if readings.is_empty() && hint.named {
        readings.extend(
            lines
                .iter()
                .find(|line| line.text.starts_with("Unknown option"))
                .map(|line| Reading::without_counts(ID, Said::CouldNotRun(Reason::UsageError), line.quote())),
        );
    }
    readings
}

/// The line of numbers, with the line about the time below it; where the command says that this is Jasmine and lines
/// were taken away, alone.
fn is_closing(lines: &[Line<'_>], at: usize, hint: Hint<'_>, cut: bool) -> bool {
    let text = lines[at].text;
    let is_line = text == "No specs found"
        || (text.as_bytes().first().is_some_and(u8::is_ascii_digit)
            && text.contains(" spec")
            && CLOSING.is_match(text));
    let below = |offset: usize| lines.get(at + offset).map_or("", |line| line.text);
    let timed = |text: &str| text.starts_with("Finished in ") && text.trim_end().ends_with(['s', ')']);
    is_line
        && (timed(below(1))
            || (below(1).starts_with("Ran in parallel with ") && timed(below(2)))
            || (hint.named && cut))
}

/// What the lines of one run say besides its numbers.
#[derive(Default)]
struct Around<'a> {
    failures: Vec<(&'a str, Option<&'a str>)>,
    pending: Vec<&'a str>,
    /// Errors of suites and hooks that the run lists.
    suite_errors: u64,
    incomplete: Option<Line<'a>>,
}

fn around<'a>(lines: &[Line<'a>], from: usize, at: usize, end: usize) -> Around<'a> {
    let mut found = Around::default();
    let mut list = None;
    for (index, line) in lines.iter().enumerate().take(at).skip(from) {
        let text = line.text;
        match text {
            "Failures:" | "Pending:" => list = Some(text),
            _ if text.starts_with("Suite error: ") => found.suite_errors += 1,
            _ => {}
        }
        let Some((number, name)) = text.split_once(") ") else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        if list == Some("Failures:") && number == found.failures.len() + 1 {
            let message = lines.get(index + 2).map(|line| line.text.trim());
            found.failures.push((name, message.filter(|text| !text.is_empty())));
        } else if list == Some("Pending:") && number == found.pending.len() + 1 {
            found.pending.push(name);
        }
    }
    for line in &lines[at..end] {
        match line.text {
            "An error was thrown in an afterAll" => found.suite_errors += 1,
            text if text.starts_with("Incomplete: ") => found.incomplete = Some(*line),
            _ => {}
        }
    }
    found
}

fn closed(lines: &[Line<'_>], from: usize, at: usize, end: usize, hint: Hint<'_>) -> Reading {
    let line = &lines[at];
    let around = around(lines, from, at, end);
    let last = around.incomplete.map_or(line.number, |line| line.number);
    let filtered =
        hint.invocations.iter().any(|invocation| invocation.has_option(&["--filter", "--filter-path"]));
    let Some(numbers) = CLOSING.captures(line.text) else {
        let failed = around.suite_errors > 0;
        let said = if failed { Said::Failed } else { Said::NothingRan(Reason::ZeroTests) };
        let mut reading = Reading::without_counts(ID, said, line.quote());
        reading.tally = Tally { load_errors: Some(around.suite_errors), ..Tally::ZERO };
        return reading.filtered(filtered).spanning(lines[from].number, last);
    };
    let number =
        |group: usize| numbers.get(group).map_or(Some(0), |digits| digits.as_str().parse::<u64>().ok());
    let (specs, failures, pending) = (number(1), number(2), number(3));
    let listed = around.failures.len() as u64;
    let all_listed = failures == Some(listed + around.suite_errors);
    let tally = if all_listed {
        let passed =
            specs.zip(pending).and_then(|(specs, pending)| specs.checked_sub(pending)?.checked_sub(listed));
        let tally = Tally { load_errors: Some(around.suite_errors), ..Tally::of(0, listed, 0) };
        Tally { passed, skipped: pending, ..tally }
    } else {
        // Which of the failures are specs cannot be told.
        Tally { passed: None, failed: failures, load_errors: None, skipped: pending, ..Tally::ZERO }
    };
    let mut reading = Reading::from_tally(ID, tally, line.quote()).filtered(filtered);
    if let Some(incomplete) = around.incomplete {
        reading = reading.quoting(incomplete.quote());
        if reading.said == Said::Passed {
            // Jasmine does not call a run passed in which it left specs out.
            reading = reading.saying(Said::Unfinished(Reason::NoSummary));
        }
    }
    reading.spanning(lines[from].number, last).naming(cases(&around))
}

fn cases(around: &Around<'_>) -> Vec<Case> {
    let case = |name: &str, status, message: Option<&str>| Case {
        name: name.to_owned(),
        file: None,
        status,
        message: message.map(str::to_owned),
        file_level: false,
    };
    let failures = around.failures.iter().map(|(name, message)| case(name, CaseStatus::Failed, *message));
    failures.chain(around.pending.iter().map(|name| case(name, CaseStatus::Skipped, None))).collect()
}

/// A run whose closing is not there. Its progress line is only trusted where nothing but progress stands in it.
fn unclosed(lines: &[Line<'_>], cut: bool) -> Reading {
    let is_progress = |line: &&Line<'_>| {
        !line.text.is_empty() && line.text.bytes().all(|byte| matches!(byte, b'.' | b'F' | b'*'))
    };
    let failed = lines.get(1).filter(is_progress).filter(|line| line.text.contains('F'));
    let (said, line) = match failed {
        Some(line) => (Said::Failed, line),
        None if cut => (Said::Unfinished(Reason::OutputCut), &lines[0]),
        None => (Said::Unfinished(Reason::NoSummary), &lines[0]),
    };
    let last = lines.last().map_or(lines[0].number, |line| line.number);
    Reading::without_counts(ID, said, line.quote()).spanning(lines[0].number, last)
}
