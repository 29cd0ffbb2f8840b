//! `node-test`: the test runner inside Node.js (`node --test`, or a file that imports `node:test`).
//!
//! Every reporter but `dot` and `lcov` closes with the same eight diagnostics (`tests 6` … `duration_ms 78.4`), behind
//! `ℹ ` (spec), `# ` (TAP) or inside an XML comment (JUnit). They are the runner's own count and the only numbers read.

use kenshu_model::{Reason, Tally};

use crate::lines::LineSpan;
use crate::marks::{LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod failures;
mod summary;

pub(super) const ID: &str = "node-test";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "node:test",
    versions: "16.20, 18.12 to 26.10",
    formats: "spec, TAP, dot, JUnit XML",
    zero: "tests 0, pass 0; status 0. A file without a test() counts as one passed test of the file's name",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "ℹ tests ",
        "ℹ pass ",
        "ℹ fail ",
        "ℹ cancelled ",
        "ℹ skipped ",
        "ℹ todo ",
        "ℹ duration_ms ",
        "duration_ms",
        "# cancelled ",
        "<!-- pass ",
        "✖ failing tests:",
        "test at ",
        "failureType: '",
        "Interrupted while running",
    ],
    commands: &[
        &["node", "--test"],
        &["node", "--test-only"],
        &["tsx", "--test"],
        &["c8", "node", "--test"],
        &["nyc", "node", "--test"],
        &["borp"],
    ],
    list_options: &[],
    covers: &["tap", "junit-xml"],
    marks: Marks {
        failed: &[LineMark::Around("✖ ", "ms)"), LineMark::Holds("✖ failing tests:")],
        passed: &[LineMark::Around("✔ ", "ms)")],
        letters: None,
        plain: false,
    },
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.line_span();
    let mut readings = summary::runs(stream, lines, hint);
    let read_to = readings.iter().map(|reading| reading.lines.1).max().unwrap_or(0);
    let rest = lines.behind(read_to);
    let unfinished =
        failures::without_summary(rest, hint).or_else(|| did_not_start(rest, hint, readings.is_empty()));
    let dots = if readings.is_empty() && unfinished.is_none() { dot(rest, hint) } else { None };
    readings.extend(unfinished);
    readings.extend(dots);
    readings
}

/// What node prints instead of a run: no such file, no such option, no such reporter.
fn did_not_start(lines: LineSpan<'_>, hint: Hint<'_>, alone: bool) -> Option<Reading> {
    if !alone || !hint.named {
        return None;
    }
    let mut in_harness = false;
    for line in lines.iter() {
        let text = line.text;
        in_harness |= text.starts_with("node:internal/test_runner/harness:");
        let said = if text.starts_with("Could not find '") && text.ends_with('\'') {
            Said::NothingRan(Reason::NoTestFiles)
        } else if text.contains("node") && text.contains(": bad option: -") {
            Said::CouldNotRun(Reason::UsageError)
        } else if in_harness && text.starts_with("Error [ERR_MODULE_NOT_FOUND]: Cannot find package '") {
            // The reporter that the command names is not installed.
            Said::CouldNotRun(Reason::Environment)
        } else {
            continue;
        };
        return Some(Reading::without_counts(ID, said, line.quote()));
    }
    None
}

/// The dot reporter: a `.` for whatever did not fail, suites and skipped tests included, so what passed can't be counted.
/// `X` is a failure, or a test marked todo that failed; from version 20 on a list says which.
fn dot(lines: LineSpan<'_>, hint: Hint<'_>) -> Option<Reading> {
    let asked_for = hint.invocations.iter().any(|invocation| {
        invocation.arguments.iter().any(|word| word == "--test-reporter=dot" || word == "dot")
    });
    if !hint.named || !asked_for {
        return None;
    }
    let is_dots =
        |line: &Line<'_>| !line.text.is_empty() && line.text.bytes().all(|byte| matches!(byte, b'.' | b'X'));
    let dots: Vec<Line<'_>> = lines.iter().filter(is_dots).collect();
    let (first, last) = (dots.first()?, dots.last()?);
    let said = if dots.iter().any(|line| line.text.contains('X')) {
        if failures::listed_below_heading(lines) { Said::Failed } else { Said::Unfinished(Reason::NoSummary) }
    } else {
        Said::Passed
    };
    let end = lines.last().map_or(last.number, |line| line.number);
    let mut reading = Reading::without_counts(ID, said, first.quote());
    if said == Said::Passed {
        reading.tally = Tally { failed: Some(0), errored: Some(0), load_errors: Some(0), ..Tally::UNKNOWN };
    }
    Some(reading.spanning(first.number, end).summed())
}
