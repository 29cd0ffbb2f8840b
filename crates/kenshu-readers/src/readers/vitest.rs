//! Vitest: the closing block of its text reporters, its JSON report, its TAP.

mod summary;
mod tap;

use kenshu_model::{Quote, Reason};

use self::summary::Region;
use super::jest::report;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "vitest";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Vitest",
    versions: "0.34, 1.6, 2.1, 3.2, 4.1",
    formats: "text (default, verbose, dot, agent), JSON, TAP",
    zero: "\"No test files found, exiting with code 1\" (0 with --passWithNoTests); a name filter that matches nothing: \
           \"Tests  3 skipped (3)\" with 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "RUN  v",
        "DEV  v",
        "Test Files  ",
        report::NEEDLE,
        "MISSING DEPENDENCY  Cannot find dependency",
        "⎯ Startup Error ⎯",
        "/vitest/dist/",
    ],
    commands: &[
        &["vitest"],
        &["node", "node_modules/vitest/vitest.mjs"],
        &["node", "./node_modules/vitest/vitest.mjs"],
    ],
    list_options: &["list", "--help", "-h", "--version", "-v", "--listTags", "--list-tags"],
    covers: &["tap", "junit-xml"],
    // What sums up is not the process that runs the tests: no test can print in its place.
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let mut reports = report::read(stream, ID);
    let runs = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation)).count();
    let mut readings = Vec::new();
    for region in summary::regions(&lines) {
        // Beside a report on the same output, a lone line of this shape is what a test printed.
        let named = hint.named && reports.is_empty() && !region.lines.iter().any(begins_document);
        let Some(mut reading) = region.read(named) else { continue };
        let last = region.lines.last().map_or(0, |line| line.number);
        let inside = |report: &Reading| (region.first()..=last).contains(&report.lines.0);
        if matches!(reading.said, Said::Unfinished(_)) && reports.iter().any(inside) {
            // Only the report reporter closes this run; it says more than a header without an end.
            continue;
        }
        if runs < 2 {
            reports.retain(|report| !(inside(report) && report::join(&mut reading, report)));
        }
        extend_over_documents(&mut reading, &region);
        readings.extend(coverage_failure(&region, &reading));
        readings.push(reading);
    }
    readings.extend(reports);
    if readings.is_empty() && hint.named {
        readings.extend(tap::read(&lines));
    }
    if readings.is_empty() {
        readings.extend(could_not_run(&lines, hint.named));
    }
    readings
}

/// A JUnit or TAP reporter beside a text reporter tells the same run once more: its lines are this block's.
fn extend_over_documents(reading: &mut Reading, region: &Region<'_>) {
    let mut in_document = false;
    let closed = reading.lines.1;
    for line in region.lines.iter().filter(|line| line.number > closed) {
        let text = line.text.trim_end();
        in_document |= begins_document(line);
        if in_document {
            reading.lines.1 = line.number;
        }
        in_document &= text != "</testsuites>" && !(text.is_empty());
    }
}

/// The first line of a JUnit or TAP report.
fn begins_document(line: &Line<'_>) -> bool {
    let text = line.text.trim_end();
    text.starts_with("<testsuites name=\"vitest tests\"")
        || text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>")
        || text == "TAP version 13"
}

/// A coverage limit that was not met fails a run whose tests passed.
fn coverage_failure(region: &Region<'_>, reading: &Reading) -> Option<Reading> {
    let line = region.lines.iter().filter(|line| line.number > reading.lines.0).rfind(|line| {
        line.text.strip_prefix("ERROR: ").is_some_and(|rest| {
            (rest.starts_with("Coverage for ") && rest.contains(" does not meet "))
                || (rest.starts_with("Uncovered ") && rest.contains(" exceed "))
        })
    })?;
    Some(Reading::without_counts(ID, Said::Status(1), line.quote()))
}

/// Vitest ended before it began: a wrong option, a missing package, a configuration that does not load.
fn could_not_run(lines: &[Line<'_>], named: bool) -> Option<Reading> {
    let own = named || lines.iter().any(|line| line.text.contains("/vitest/dist/"));
    lines.iter().find_map(|line| {
        let text = line.text.trim();
        let not_there = text.starts_with("MISSING DEPENDENCY  Cannot find dependency")
            || text.starts_with("MISSING DEP  Can not find dependency")
            || (own && text.starts_with("Error: Failed to load custom Reporter from "));
        let reason = if not_there || text.contains("⎯ Startup Error ⎯") {
            Reason::Environment
        } else if own && text.starts_with("CACError: ") {
            Reason::UsageError
        } else {
            return None;
        };
        Some(Reading::without_counts(ID, Said::CouldNotRun(reason), Quote::new(line.number, line.text)))
    })
}

#[cfg(test)]
mod tests;
