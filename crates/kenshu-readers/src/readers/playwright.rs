//! Playwright Test: the closing block of its text reporters (list, line, dot, github) and its JSON report.

mod report;
mod summary;

use kenshu_model::{Quote, Reason};

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "playwright";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Playwright Test",
    versions: "1.30, 1.45, 1.65",
    formats: "text (list, line, dot, github), JSON",
    zero: "\"Error: No tests found\" with 1; nothing at all with 0 under --pass-with-no-tests",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " using 1 worker",
        " workers",
        "not a part of any test",
        "Listing tests:",
        "Error: No tests found",
        " no tests found.",
        "from config.webServer",
        "\"specs\"",
    ],
    commands: &[
        &["playwright", "test"],
        &["playwright", "merge-reports"],
        &["node", "node_modules/@playwright/test/cli.js", "test"],
        &["node", "./node_modules/@playwright/test/cli.js", "test"],
        &["node", "node_modules/.bin/playwright", "test"],
    ],
    list_options: &["--list", "--help", "-h", "--version", "-V"],
    covers: &["junit-xml"],
    // What sums up is not the process that runs the tests: no test can print in its place.
    marks: Marks::NONE,
    read,
};

/// What an error says that a missing browser causes.
const NO_BROWSER: [&str; 3] = [
    "Executable doesn't exist at ",
    "Looks like Playwright was just installed or updated.",
    "Host system is missing dependencies to run browsers",
];

/// The error by which a run that reached `--max-failures` says so: no failure of its own.
const STOPPED_EARLY: &str = "Testing stopped early after ";

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let mut reports = report::read(stream);
    let runs = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation)).count();
    let mut readings = Vec::new();
    for region in summary::regions(&lines) {
        let Some(mut reading) = region.read(hint) else { continue };
        let inside = |report: &Reading| region.holds(report.lines.0);
        if matches!(reading.said, Said::Unfinished(_)) && reports.iter().any(inside) {
            continue;
        }
        if runs < 2 {
            reports.retain(|report| !(inside(report) && report::join(&mut reading, report)));
        }
        region.extend_over_junit(&mut reading);
        let fails_if_flaky = hint.invocations.iter().any(|run| run.has_option(&["--fail-on-flaky-tests"]));
        if fails_if_flaky && reading.tally.flaky > Some(0) {
            reading = reading.saying(Said::Failed);
        }
        readings.push(reading);
    }
    readings.extend(reports);
    if readings.is_empty() {
        readings.extend(before_the_run(&lines, hint.named));
    }
    readings
}

/// Playwright ended before it ran a test: a listing, nothing found, called wrongly, or an error in what it loads.
fn before_the_run(lines: &[Line<'_>], named: bool) -> Option<Reading> {
    let listing = lines.iter().any(|line| line.text.trim_end() == "Listing tests:");
    if let Some(line) = lines.iter().rfind(|line| listing && line.text.starts_with("Total: ")) {
        return Some(Reading::without_counts(ID, Said::NothingRan(Reason::ListOnly), line.quote()));
    }
    let errors: Vec<&Line<'_>> = lines.iter().filter(|line| line.text.starts_with("Error: ")).collect();
    let server = errors.iter().find(|line| line.text.contains(" from config.webServer"));
    if let Some(line) = server {
        return Some(outside_tests(line));
    }
    let usage = |line: &&Line<'_>| {
        let text = line.text;
        text.starts_with("error: unknown option ")
            || (text.starts_with("Error: Project(s) ") && text.contains(" not found."))
            || (text.starts_with("Error: ") && text.trim_end().ends_with("config.ts does not exist"))
            || (text.starts_with("Error: ") && text.trim_end().ends_with("config.js does not exist"))
    };
    if let Some(line) = lines.iter().filter(|_| named).find(usage) {
        return Some(Reading::without_counts(ID, Said::CouldNotRun(Reason::UsageError), line.quote()));
    }
    let nothing = lines.iter().find(|line| nothing_found(line.text));
    let other = errors.iter().find(|line| !nothing_found(line.text));
    // Playwright shows the place in the source below an error of its own; what a test prints has a bare stack.
    let shown = lines.iter().any(|line| line.text.starts_with("> ") && line.text.contains(" | "));
    match (nothing, other) {
        // A file that did not load leaves nothing to find: the error comes first.
        (_, Some(line)) if named && shown => Some(outside_tests(line)),
        (Some(line), None) => {
            let by_path = lines.iter().any(|line| line.text.starts_with("Make sure that arguments are "));
            let reason = if by_path { Reason::FilterMatchedNothing } else { Reason::ZeroTests };
            Some(Reading::without_counts(ID, Said::NothingRan(reason), line.quote()))
        }
        _ => None,
    }
}

fn nothing_found(text: &str) -> bool {
    matches!(text.trim(), "Error: No tests found" | "Error: No tests found." | "no tests found.")
}

/// An error outside every test: a file that did not load, the global set-up, the server under test.
fn outside_tests(line: &Line<'_>) -> Reading {
    let mut reading = Reading::without_counts(ID, Said::Failed, Quote::new(line.number, line.text));
    reading.tally = kenshu_model::Tally { load_errors: Some(1), ..kenshu_model::Tally::ZERO };
    reading
}

#[cfg(test)]
mod tests;
