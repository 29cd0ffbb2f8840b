//! pytest: the closing line, pytest-sugar's and pytest-pretty's results, json-report, reportlog; never a line that a test
//! printed.

mod entries;
mod lines;
mod reports;
mod runs;
mod summary;
mod verdict;

use crate::filters::{Filters, Shape};
use crate::marks::{Letters, LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::Reading;
use crate::text::Stream;

pub(super) const READER: Reader = Reader {
    id: "pytest",
    name: "pytest",
    versions: "4.6, 5.4, 6.2, 7.4, 8.3, 9.2; plugins xdist, rerunfailures, subtests, timeout, cov, sugar, pretty, json-report, reportlog",
    formats: "text, JSON (json-report, reportlog)",
    zero: "`no tests ran in 0.01s` or `3 deselected in 0.01s`, status 5",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "test session starts",
        "Test session starts (platform",
        "passed in ",
        "failed in ",
        "skipped in ",
        "deselected in ",
        "error in ",
        "errors in ",
        "warning in ",
        "warnings in ",
        "rerun in ",
        "no tests ran in ",
        "collected in ",
        "Results (",
        "short test summary info",
        "ImportError while loading conftest",
        "[file_or_dir]",
        "\"exitcode\"",
        "\"$report_type\"",
    ],
    commands: &[&["pytest"], &["py.test"], &["python", "-m", "pytest"], &["python", "-mpytest"]],
    list_options: &["--collect-only", "--co", "--collectonly", "--fixtures", "--markers", "--setup-plan"],
    // What a test printed and pytest shows again stands inside the run's own lines.
    covers: &["tap", "junit-xml", "unittest"],
    marks: Marks {
        failed: &[LineMark::Node(" FAILED"), LineMark::Node(" ERROR")],
        passed: &[LineMark::Node(" PASSED")],
        letters: Some(Letters { passed: '.', failed: "FE", others: "sxXRuU,-" }),
        plain: false,
    },
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = reports::read(stream);
    if !readings.is_empty() {
        return readings;
    }
    let invocations = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation));
    let filters = Filters::of_command(hint);
    let asked = runs::Asked {
        named: hint.named,
        runs: invocations.clone().count(),
        prints_no_summary: invocations.clone().any(is_very_quiet),
        cut_at_end: hint.invocations.iter().any(|invocation| invocation.program == "head"),
        cut: hint.invocations.iter().any(super::takes_lines_away),
        keeps_results: [" failed", " error", " skipped", " passed"]
            .iter()
            .all(|word| filters.keep_between(&Shape { start: "  ", inside: std::slice::from_ref(word) })),
    };
    readings.extend(runs::split(stream, &asked).iter().filter_map(|run| verdict::judge(run, &asked)));
    readings
}

/// `-qq`: pytest prints its marks and failures, and no closing line.
fn is_very_quiet(invocation: &crate::command::Invocation) -> bool {
    let quiet: usize = invocation
        .arguments
        .iter()
        .map(|argument| match argument.strip_prefix('-') {
            Some("-quiet") => 1,
            Some(letters) if letters.bytes().all(|letter| letter == b'q') => letters.len(),
            _ => 0,
        })
        .sum();
    quiet >= 2
}
