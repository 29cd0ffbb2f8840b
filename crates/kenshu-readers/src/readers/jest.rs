//! Jest: the closing block of its text reporters and its JSON report. `react-scripts test` and CRACO run Jest.

pub(super) mod report;
mod summary;

use kenshu_model::{Quote, Reason};

use crate::lines::LineSpan;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "jest";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Jest",
    versions: "26.6, 27.5, 29.7, 30.5",
    formats: "text (default, verbose, silent, summary, github-actions), JSON",
    zero: "\"No tests found, exiting with code 1\" (0 with --passWithNoTests); a name filter that matches nothing: \
           \"Tests:       4 skipped, 4 total\" with 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "Test Suites: ",
        report::NEEDLE,
        "No tests found, exiting with code ",
        "No tests found related to files changed since",
        "No failed test found.",
        "  ●  process.exit called with ",
        "● Test suite failed to run",
        "● Validation Error:",
        "● Unrecognized CLI Parameter",
    ],
    commands: &[
        &["jest"],
        &["react-scripts", "test"],
        &["craco", "test"],
        &["react-app-rewired", "test"],
        &["node", "node_modules/jest/bin/jest.js"],
        &["node", "node_modules/.bin/jest"],
        &["node", "./node_modules/.bin/jest"],
    ],
    list_options: &["--listTests", "--showConfig", "--help", "-h", "--version", "--init", "--clearCache"],
    covers: &[],
    // A file's tests are listed once all of them have ended.
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.line_span();
    let mut reports = report::read(stream, ID);
    let runs = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation)).count();
    let mut readings = summary::read(lines, hint, runs);
    if runs < 2 {
        // `--json` prints the report behind the text of the same run; before it where the two outputs were captured apart.
        let only_one = readings.len() == 1 && reports.len() == 1;
        for at in 0..readings.len() {
            let end = readings.get(at + 1).map_or(u32::MAX, |next| next.lines.0);
            let reading = &mut readings[at];
            if matches!(reading.said, Said::Status(_)) {
                continue;
            }
            reports.retain(|report| {
                let follows = report.lines.0 > reading.lines.0 && report.lines.0 < end;
                !((follows || only_one) && report::join(reading, report))
            });
        }
    }
    readings.extend(whole_run_failures(stream, &readings));
    readings.extend(reports);
    if readings.is_empty() {
        readings.extend(no_block(lines, hint.named));
    }
    readings
}

/// What fails a run whose tests passed: a coverage limit, obsolete snapshots.
fn whole_run_failures(stream: &Stream, readings: &[Reading]) -> Option<Reading> {
    if readings.is_empty() {
        return None;
    }
    let limits = stream.lines_with("Jest: ").filter(|line| is_coverage_limit(line.text));
    let obsolete = stream.lines_with("Snapshots:   ").filter(|line| is_obsolete(line, readings));
    let line = limits.chain(obsolete).max_by_key(|line| stream.start_of(line))?;
    Some(Reading::without_counts(ID, Said::Status(1), line.quote()))
}

/// `Jest: "global" coverage threshold for lines (90%) not met: 50%`; in 30 `Jest: Coverage for lines (50%) does not meet
/// "global" threshold (90%)`.
fn is_coverage_limit(text: &str) -> bool {
    text.strip_prefix("Jest: ").is_some_and(|rest| {
        rest.contains(" threshold")
            && [") not met: ", " does not meet ", " exceeds ", " exceed "]
                .iter()
                .any(|words| rest.contains(words))
    }) || (text.starts_with("Jest: Coverage data for ") && text.trim_end().ends_with(" was not found."))
}

/// The `Snapshots:` line of a closing block with snapshots that no test asked for: Jest ends with its failure status.
fn is_obsolete(line: &Line<'_>, readings: &[Reading]) -> bool {
    line.text.starts_with("Snapshots:   ")
        && line.text.contains(" obsolete")
        && readings.iter().any(|reading| (reading.lines.0..=reading.lines.1).contains(&line.number))
}

/// The run has no closing block: nothing to run, called wrongly, or broken off.
fn no_block(lines: LineSpan<'_>, named: bool) -> Option<Reading> {
    if let Some(reading) = lines.iter().find_map(|line| nothing_to_run(&line, lines)) {
        return Some(reading);
    }
    let starts = |start: &str| lines.iter().find(|line| line.text.trim_start().starts_with(start));
    let usage =
        starts("● Unrecognized CLI Parameter").or_else(|| starts("● Validation Error:")).or_else(|| {
            starts("Error: Can't find a root directory while resolving a config file path.").filter(|_| named)
        });
    if let Some(line) = usage {
        return Some(Reading::without_counts(ID, Said::CouldNotRun(Reason::UsageError), line.quote()));
    }
    let heads: Vec<Line<'_>> = lines.iter().filter(|line| summary::head(line.text).is_some()).collect();
    let failed = heads.iter().find(|head| {
        summary::head(head.text).is_some_and(|head| head.failed)
            && lines.iter().any(|line| line.number > head.number && line.text.starts_with("  ● "))
    });
    if let Some(line) = failed {
        return Some(Reading::without_counts(ID, Said::Failed, line.quote()));
    }
    let exit = lines.iter().find(|line| line.text.starts_with("  ●  process.exit called with "));
    let began = exit.or_else(|| heads.first().copied().filter(|_| named))?;
    let killed = lines.iter().any(|line| line.text.trim() == "^C");
    let reason = if killed { Reason::Killed } else { Reason::NoSummary };
    let last = heads.last().map_or(began.number, |head| head.number);
    Some(Reading::without_counts(ID, Said::Unfinished(reason), began.quote()).spanning(began.number, last))
}

fn nothing_to_run(line: &Line<'_>, lines: LineSpan<'_>) -> Option<Reading> {
    let text = line.text.trim();
    let exiting = text
        .strip_prefix("No tests found, exiting with code ")
        .is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_digit()));
    let related = text.starts_with("No tests found related to files changed since ");
    if !exiting && !related && text != "No failed test found." {
        return None;
    }
    // `Pattern: nope - 0 matches` names the path that was asked for; without one nothing stands before the dash.
    let pattern = lines.iter().find(|other| {
        other.number > line.number
            && other.text.strip_prefix("Pattern: ").is_some_and(|rest| !rest.trim_start().starts_with('-'))
    });
    let reason = match (pattern, exiting) {
        (Some(_), _) | (None, false) => Reason::FilterMatchedNothing,
        (None, true) => Reason::NoTestFiles,
    };
    let mut reading =
        Reading::without_counts(ID, Said::NothingRan(reason), Quote::new(line.number, line.text));
    if let Some(pattern) = pattern {
        reading = reading.quoting(pattern.quote());
    }
    Some(reading)
}

#[cfg(test)]
mod tests;
