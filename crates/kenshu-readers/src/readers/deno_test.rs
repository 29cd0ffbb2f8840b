//! `deno-test`: `deno test`.
//!
//! Pretty and dot end with `ok | 3 passed (1 step) | 0 failed | 1 ignored (9ms)`. Steps are no tests of their own.
//! What a test prints stands between two rules of dashes and is no word of the runner's.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use crate::documents::Document;
use crate::marks::{LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::readers::takes_lines_away;
use crate::reading::{Reading, Said};
use crate::settle::settle;
use crate::text::{Line, Stream};
use crate::xml_cases;

const ID: &str = "deno-test";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Deno's test runner",
    versions: "1.46.3, 2.0.0, 2.9.6",
    formats: "pretty, dot, TAP, JUnit XML",
    zero: "\"error: No test modules found\", status 1 (0 with --permit-no-files); empty file or filter: 0 passed, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " passed | ",
        " passed (",
        "running 0 tests from ",
        " tests from ./",
        "running 1 test from ",
        "error: No test modules found",
        "name=\"deno test\"",
        " [ERROR]: ",
        "TAP version 14",
        "Uncaught error from ",
        "tests were pending:",
    ],
    commands: &[&["deno", "test"]],
    list_options: &["--no-run"],
    covers: &["junit-xml", "tap"],
    marks: Marks {
        failed: &[LineMark::End(" ... FAILED")],
        passed: &[LineMark::End(" ... ok")],
        letters: None,
        plain: false,
    },
    read,
};

static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?",
        r"(?: \| (\d+) ignored(?: \(\d+ steps?\))?)?(?: \| \d+ measured)?(?: \| (\d+) filtered out)?",
        r" \([\dhms. µn]+\)$",
    ))
    .expect("valid pattern")
});

/// `name ... FAILED (1ms)`; several files at once put the file before the name.
static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?P<name>\S.*) \.\.\. (?P<word>ok|FAILED|ignored|cancelled)(?: \(.*\))?$")
        .expect("valid pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = Vec::new();
    if stream.contains("name=\"deno test\"") {
        readings.extend(stream.xml_documents(&["testsuites"]).into_iter().filter_map(junit));
    }
    let lines = without_output(stream, &readings);
    readings.extend(tap(&lines));
    let summed = pretty(&lines, hint);
    if summed.is_empty() && readings.is_empty() {
        readings.extend(not_closed(&lines, hint));
    }
    readings.extend(summed);
    if readings.iter().any(|reading| matches!(reading.said, Said::Passed)) {
        readings.extend(failed_as_a_whole(&lines));
    }
    readings
}

/// The lines that are the runner's own: neither in a report already read nor printed by a test.
fn without_output<'a>(stream: &'a Stream, read: &[Reading]) -> Vec<Line<'a>> {
    let mut printed = false;
    stream
        .lines()
        .filter(|line| !read.iter().any(|seen| (seen.lines.0..=seen.lines.1).contains(&line.number)))
        .filter(|line| {
            let begins = matches!(
                line.text,
                "------- output -------"
                    | "------- post-test output -------"
                    | "------- pre-test output -------"
            );
            printed |= begins;
            let ends = line.text.starts_with("----- ") && line.text.ends_with("output end -----");
            let own = !printed && !ends;
            printed &= !ends;
            own
        })
        .collect()
}

/// Runs that close with their summary line.
fn pretty(lines: &[Line<'_>], hint: Hint<'_>) -> Vec<Reading> {
    let closing: Vec<usize> = (0..lines.len()).filter(|at| SUMMARY.is_match(lines[*at].text)).collect();
    let results: Vec<usize> = (0..lines.len()).filter(|at| is_result(lines[*at].text)).collect();
    let cut = hint.invocations.iter().any(takes_lines_away);
    let start = |after: Option<usize>| after.map_or(0, |after| closing[after] + 1);
    let settled = settle(closing.len(), !results.is_empty(), cut, |at, after| {
        let seen = results.iter().filter(|index| (start(after)..closing[at]).contains(*index)).count();
        let numbers = SUMMARY.captures(lines[closing[at]].text).map(|found| numbers(&found));
        numbers.map_or(0, |[passed, failed, ignored, _]| passed + failed + ignored).cmp(&(seen as u64))
    });
    let mut from = 0;
    let mut readings = Vec::new();
    for at in settled.accepted {
        readings.extend(closed(&lines[from..=closing[at]]));
        from = closing[at] + 1;
    }
    readings.extend(settled.doubtful.iter().map(|at| {
        Reading::without_counts(ID, Said::Unfinished(Reason::Ambiguous), lines[closing[*at]].quote())
    }));
    readings
}

fn numbers(found: &regex::Captures<'_>) -> [u64; 4] {
    [2, 3, 4, 5].map(|group| found.get(group).and_then(|number| number.as_str().parse().ok()).unwrap_or(0))
}

fn is_result(text: &str) -> bool {
    (text.contains(" ... ") && RESULT.is_match(text)) || is_uncaught(text)
}

/// An error outside tests: the file counts as one failure.
fn is_uncaught(text: &str) -> bool {
    text.starts_with("Uncaught error from ") && text.ends_with(" FAILED")
}

/// A run whose last line is its summary.
fn closed(lines: &[Line<'_>]) -> Option<Reading> {
    let line = lines.last()?;
    let found = SUMMARY.captures(line.text)?;
    let [passed, failed, ignored, filtered_out] = numbers(&found);
    let load_errors = lines.iter().filter(|line| is_uncaught(line.text)).count() as u64;
    let load_errors = load_errors.min(failed);
    let tally = Tally { load_errors: Some(load_errors), ..Tally::of(passed, failed - load_errors, ignored) };
    let first = lines.iter().find(|line| line.text.starts_with("running ") || is_result(line.text));
    let first = first.map_or(line.number, |first| first.number);
    let mut reading = Reading::from_tally(ID, tally, line.quote()).spanning(first, line.number);
    if filtered_out > 0 && reading.said == Said::NothingRan(Reason::ZeroTests) {
        reading.said = Said::NothingRan(Reason::FilterMatchedNothing);
    }
    if &found[1] == "FAILED" {
        reading.said = Said::Failed;
    }
    Some(reading.naming(failures(lines)))
}

/// The tests that `ERRORS` explains: `name => ./file.ts:3:6`, and the first line of the error below.
fn failures(lines: &[Line<'_>]) -> Vec<Case> {
    let mut cases = Vec::new();
    let errors = lines.iter().position(|line| line.text == " ERRORS ").unwrap_or(lines.len());
    for (at, line) in lines.iter().enumerate().skip(errors) {
        if line.text == " FAILURES " {
            break;
        }
        let Some((name, place)) = line.text.split_once(" => ") else { continue };
        let Some(message) = lines.get(at + 1).and_then(|line| line.text.strip_prefix("error: ")) else {
            continue;
        };
        let file = place.rsplitn(3, ':').nth(2).unwrap_or(place);
        cases.push(Case {
            name: name.to_owned(),
            file: Some(file.strip_prefix("./").unwrap_or(file).to_owned()),
            status: CaseStatus::Failed,
            message: Some(message.to_owned()),
            file_level: false,
        });
    }
    cases
}

/// The TAP reporter: no summary, so the test points of the top level are counted; the plan is the last line.
fn tap(lines: &[Line<'_>]) -> Vec<Reading> {
    let mut readings = Vec::new();
    let headers: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].text == "TAP version 14")
        .filter(|at| {
            lines.get(at + 1).is_some_and(|next| next.text.starts_with("# ./") || is_uncaught(next.text))
        })
        .collect();
    for (index, header) in headers.iter().enumerate() {
        let end = headers.get(index + 1).copied().unwrap_or(lines.len());
        let run = &lines[*header..end];
        let plan = run.iter().position(|line| line.text.starts_with("1.."));
        let body = &run[..plan.unwrap_or(run.len())];
        let mut tally = Tally::ZERO;
        let mut cases = Vec::new();
        for line in body {
            let (field, name) = match line.text {
                text if is_uncaught(text) => (&mut tally.load_errors, None),
                text if text.starts_with("ok ") && text.ends_with(" # SKIP") => (&mut tally.skipped, None),
                text if text.starts_with("ok ") => (&mut tally.passed, None),
                text if text.starts_with("not ok ") => (&mut tally.failed, text.split_once(" - ")),
                _ => continue,
            };
            *field = field.map(|count| count + 1);
            cases.extend(name.map(|(_, name)| Case {
                name: name.to_owned(),
                file: None,
                status: CaseStatus::Failed,
                message: None,
                file_level: false,
            }));
        }
        let Some(last) = run.get(plan.unwrap_or(run.len() - 1)) else { continue };
        let mut reading = Reading::from_tally(ID, tally, last.quote());
        let planned = plan.and_then(|plan| run[plan].text.strip_prefix("1..")?.trim().parse::<u64>().ok());
        if planned.is_none_or(|planned| planned > 0 && tally.total() == Some(0)) {
            if !tally.has_failure() {
                reading.said = Said::Unfinished(Reason::PlanMismatch);
            }
            reading.tally = Tally::UNKNOWN;
        }
        readings.push(reading.spanning(run[0].number, last.number).naming(cases).summed());
    }
    readings
}

/// Deno began, or could not: what it says where no summary line is.
fn not_closed(lines: &[Line<'_>], hint: Hint<'_>) -> Option<Reading> {
    static RUNNING: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^running \d+ tests? from \S").expect("valid pattern"));
    static TYPE_ERROR: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(?:error: )?TS\d+ \[ERROR\]: ").expect("valid pattern"));
    let find = |test: &dyn Fn(&str) -> bool| lines.iter().find(|line| test(line.text));
    if let Some(line) = find(&|text| text == "error: No test modules found") {
        return Some(Reading::without_counts(ID, Said::NothingRan(Reason::NoTestFiles), line.quote()));
    }
    let not_loaded = |text: &str| {
        TYPE_ERROR.is_match(text)
            || text == "error: Type checking failed."
            || hint.named
                && (text.starts_with("error: Module not found ") || text.starts_with("error: Import '"))
            || hint.named && text.starts_with("error: The module's source code could not be parsed")
    };
    if let Some(line) = find(&not_loaded) {
        let mut reading = Reading::without_counts(ID, Said::Failed, line.quote());
        reading.tally = Tally { load_errors: Some(1), ..Tally::ZERO };
        return Some(reading);
    }
    if let Some(line) = find(&|text| hint.named && text.starts_with("error: unexpected argument '")) {
        return Some(Reading::without_counts(ID, Said::CouldNotRun(Reason::UsageError), line.quote()));
    }
    let first = find(&|text| RUNNING.is_match(text))?;
    let last = lines.last()?;
    let failed = |text: &str| {
        is_uncaught(text) || RESULT.captures(text).is_some_and(|found| &found["word"] == "FAILED")
    };
    let reading = if let Some(line) = find(&failed) {
        Reading::without_counts(ID, Said::Failed, line.quote()).naming(failures(lines))
    } else if let Some(line) = find(&|text| text.ends_with(" The following tests were pending:")) {
        Reading::without_counts(ID, Said::Unfinished(Reason::Killed), line.quote())
    } else {
        Reading::without_counts(ID, Said::Unfinished(Reason::NoSummary), first.quote())
    };
    Some(reading.spanning(first.number, last.number))
}

/// Deno fails a run in which a test is marked `only`, though that test passed.
fn failed_as_a_whole(lines: &[Line<'_>]) -> Option<Reading> {
    let line = lines.iter().find(|line| line.text.starts_with("error: Test failed because "))?;
    Some(Reading::without_counts(ID, Said::Status(1), line.quote()))
}

/// `--reporter=junit` and `--junit-path`: steps stand beside their test as `test > step`.
fn junit(document: Document<'_>) -> Option<Reading> {
    let report = xml_cases::read(document);
    if report.root.get("name").map(String::as_str) != Some("deno test") {
        return None;
    }
    let mut tally = Tally::ZERO;
    let mut cases: Vec<Case> = Vec::new();
    let mut parent: Option<(String, String)> = None;
    for case in &report.cases {
        let (file, name) = (case.attribute("classname"), case.attribute("name"));
        let is_step = parent.as_ref().is_some_and(|(of, test)| {
            of == file && name.strip_prefix(test.as_str()).is_some_and(|rest| rest.starts_with(" > "))
        });
        if is_step {
            continue;
        }
        parent = Some((file.to_owned(), name.to_owned()));
        let field = match case.status {
            CaseStatus::Failed => &mut tally.failed,
            CaseStatus::Skipped => &mut tally.skipped,
            CaseStatus::Passed
            | CaseStatus::Todo
            | CaseStatus::ExpectedFailure
            | CaseStatus::UnexpectedPass => &mut tally.passed,
        };
        *field = field.map(|count| count + 1);
        let file = file.strip_prefix("./").unwrap_or(file).to_owned();
        cases.push(Case { file: Some(file), ..case.named(name.to_owned()) });
    }
    let root = document.text.lines().find(|line| line.contains("name=\"deno test\"")).unwrap_or_default();
    let mut reading = Reading::from_tally(ID, tally, Quote::new(document.first, root))
        .spanning(document.first, document.last);
    let announced: u64 = report.root.get("tests").and_then(|tests| tests.parse().ok()).unwrap_or(0);
    if !report.closed || (announced > 0 && report.cases.is_empty()) {
        if !tally.has_failure() {
            reading.said = Said::Unfinished(Reason::ReportUnfinished);
        }
        reading.tally = Tally::UNKNOWN;
    }
    Some(reading.naming(cases).summed())
}
