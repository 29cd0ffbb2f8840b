//! Common Test Report Format: one JSON shape that reporters of many runners write. The tests count, not the summary.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use serde_json::Value;

use crate::documents::Document;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = "ctrf";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "CTRF",
    versions: "specVersion 0.0.0 and 1.0.0",
    formats: "JSON",
    zero: "\"tests\": [] with every number of the summary 0; the status is the runner's",
    samples: Samples::Recorded,
    specificity: Specificity::Report,
    needles: &["\"results\""],
    commands: &[],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, _hint: Hint<'_>) -> Vec<Reading> {
    stream
        .json_documents("\"results\"")
        .into_iter()
        .filter_map(|(document, report)| reading(&document, &report))
        .collect()
}

/// `None`: no CTRF. Early reports have no `reportFormat`.
fn reading(document: &Document<'_>, report: &Value) -> Option<Reading> {
    let results = &report["results"];
    let summary = &results["summary"];
    let is_ctrf = report["reportFormat"] == "CTRF" || results["tool"]["name"].is_string();
    if !is_ctrf || !summary["passed"].is_u64() || !summary["failed"].is_u64() {
        return None;
    }
    let announced = announced(summary);
    let (tally, cases, unclear) = match results["tests"].as_array() {
        Some(tests) => counted(&last_attempts(tests, summary["tests"].as_u64())),
        None => (announced, Vec::new(), false),
    };
    let mut reading = Reading {
        runner: ID,
        said: said(&tally, &announced, unclear),
        tally,
        files: None,
        cases,
        quotes: Vec::new(),
        lines: (document.first, document.last),
        needs_every_line: false,
        remark: None,
    };
    if matches!(reading.said, Said::Unfinished(_)) {
        reading.tally = Tally::UNKNOWN;
    }
    for key in ["tests", "passed", "failed", "pending", "skipped", "other"] {
        reading = reading.quoting(in_summary(document, key));
    }
    Some(reading)
}

/// The member of the summary, which stands before or behind the tests.
fn in_summary(document: &Document<'_>, key: &str) -> kenshu_model::Quote {
    let from = document.text.find("\"summary\"").unwrap_or(0);
    let above = memchr::memchr_iter(b'\n', &document.text.as_bytes()[..from]).count();
    let first = document.first.saturating_add(u32::try_from(above).unwrap_or(u32::MAX));
    Document { text: &document.text[from..], first, ..*document }.quote(key)
}

fn announced(summary: &Value) -> Tally {
    let number = |name: &str| summary[name].as_u64().unwrap_or_default();
    Tally {
        passed: Some(number("passed")),
        failed: Some(number("failed")),
        skipped: Some(number("skipped").saturating_add(number("pending"))),
        flaky: Some(number("flaky")),
        ..Tally::ZERO
    }
}

/// The tests, each with whether it was tried before. Where the summary counts as many tests as there are names, and fewer
/// than are listed, entries of one name are attempts at one test: the last one counts.
fn last_attempts(tests: &[Value], announced: Option<u64>) -> Vec<(&Value, bool)> {
    let mut attempts: BTreeMap<(String, &str), Vec<usize>> = BTreeMap::new();
    for (index, test) in tests.iter().enumerate() {
        let file = test["filePath"].as_str().unwrap_or_default();
        attempts.entry((name(test), file)).or_default().push(index);
    }
    let names = u64::try_from(attempts.len()).ok();
    if announced != names || attempts.len() == tests.len() {
        return tests.iter().map(|test| (test, false)).collect();
    }
    let mut last: Vec<(usize, bool)> =
        attempts.values().filter_map(|indexes| Some((*indexes.last()?, indexes.len() > 1))).collect();
    last.sort_unstable();
    last.into_iter().filter_map(|(index, repeated)| Some((tests.get(index)?, repeated))).collect()
}

/// Sums over the tests, and whether one of them has a status that says neither.
fn counted(tests: &[(&Value, bool)]) -> (Tally, Vec<Case>, bool) {
    let mut tally = Tally::ZERO;
    let mut cases = Vec::with_capacity(tests.len());
    let mut unclear = false;
    let add = |count: &mut Option<u64>| *count = count.map(|count| count + 1);
    for (test, repeated) in tests {
        let raw = test["rawStatus"].as_str().unwrap_or_default();
        let status = match test["status"].as_str() {
            // pytest's own words, which the format has no status for.
            Some(_) if raw == "xfailed" => {
                add(&mut tally.expected_failures);
                CaseStatus::ExpectedFailure
            }
            Some(_) if raw == "xpassed" => {
                add(&mut tally.unexpected_passes);
                CaseStatus::UnexpectedPass
            }
            Some("failed") if matches!(raw, "setup_failed" | "teardown_failed") => {
                add(&mut tally.errored);
                CaseStatus::Failed
            }
            Some("passed") => {
                add(&mut tally.passed);
                if *repeated || is_flaky(test) {
                    add(&mut tally.flaky);
                }
                CaseStatus::Passed
            }
            Some("failed") => {
                add(&mut tally.failed);
                CaseStatus::Failed
            }
            _ if raw == "todo" => {
                add(&mut tally.todo);
                CaseStatus::Todo
            }
            Some("skipped" | "pending") => {
                add(&mut tally.skipped);
                CaseStatus::Skipped
            }
            Some("other") | None | Some(_) => match raw {
                "error" | "errored" | "broken" | "timedOut" | "timedout" | "crashed" | "undefined" => {
                    add(&mut tally.errored);
                    CaseStatus::Failed
                }
                _ => {
                    unclear = true;
                    add(&mut tally.skipped);
                    CaseStatus::Skipped
                }
            },
        };
        cases.push(Case {
            name: name(test),
            file: test["filePath"].as_str().map(str::to_owned),
            status,
            message: test["message"]
                .as_str()
                .and_then(|text| text.lines().find(|line| !line.trim().is_empty()))
                .map(str::to_owned),
            file_level: false,
        });
    }
    (tally, cases, unclear)
}

/// `flaky`, or attempts before the last one.
fn is_flaky(test: &Value) -> bool {
    let retried = test["retries"].as_u64().is_some_and(|retries| retries > 0);
    test["flaky"] == true
        || retried
        || test["retryAttempts"].as_array().is_some_and(|attempts| attempts.len() > 1)
}

/// The suites, a text or a list of them, before the name that does not hold them yet.
fn name(test: &Value) -> String {
    let name = test["name"].as_str().unwrap_or_default();
    let suites: Vec<&str> = match &test["suite"] {
        Value::String(suite) => vec![suite.as_str()],
        Value::Array(suites) => suites.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    let file = test["filePath"].as_str().unwrap_or_default();
    let mut parts: Vec<&str> = suites
        .into_iter()
        // Jest's reporter names the file and the suites in one text: `a.test.js > sum`.
        .flat_map(|suite| suite.split(" > "))
        .filter(|suite| !suite.is_empty() && !file.ends_with(suite) && !name.starts_with(suite))
        .collect();
    parts.push(name);
    parts.join(" > ")
}

fn said(tally: &Tally, announced: &Tally, unclear: bool) -> Said {
    if tally.has_failure() {
        return Said::Failed;
    }
    // The summary counts a failure that no test shows: no pass, and no proof of a failure.
    if announced.has_failure() {
        return Said::Unfinished(Reason::Ambiguous);
    }
    let announced_any = announced.total().is_some_and(|total| total > 0);
    let said = Said::of(tally);
    if !matches!(said, Said::NothingRan(_)) {
        return said;
    }
    if tally.total() == Some(0) && announced_any {
        return Said::Unfinished(Reason::PlanMismatch);
    }
    // Perhaps an error, perhaps no more than a mark: the word of the format for what it can't say.
    if unclear { Said::Unfinished(Reason::NoSummary) } else { said }
}

#[cfg(test)]
mod tests;
