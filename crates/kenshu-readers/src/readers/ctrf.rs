//! Common Test Report Format: one JSON shape that reporters of many runners write. The tests count, not the summary.

use std::borrow::Cow;

use kenshu_model::{Case, CaseStatus, Cases, Reason, Tally};

use crate::attempts::{Attempt, Names};
use crate::documents::Document;
use crate::json::{Items, Json};
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
        .filter_map(|(document, report)| reading(&document, report))
        .collect()
}

/// `None`: no CTRF. Early reports have no `reportFormat`.
fn reading(document: &Document<'_>, report: Json<'_>) -> Option<Reading> {
    let results = report.at("results");
    let summary = results.at("summary");
    let is_ctrf = report.at("reportFormat").is("CTRF") || results.at("tool").at("name").is_string();
    if !is_ctrf || summary.number("passed").is_none() || summary.number("failed").is_none() {
        return None;
    }
    let announced = announced(summary);
    let (tally, cases, unclear) = match results.at("tests").as_array() {
        Some(tests) => counted(tests, &attempts(tests, summary.number("tests"))),
        None => (announced, Cases::default(), false),
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

fn announced(summary: Json<'_>) -> Tally {
    let number = |name: &str| summary.number(name).unwrap_or_default();
    Tally {
        passed: Some(number("passed")),
        failed: Some(number("failed")),
        skipped: Some(number("skipped").saturating_add(number("pending"))),
        flaky: Some(number("flaky")),
        ..Tally::ZERO
    }
}

/// What each test is among those of its name. Where the summary counts as many tests as there are names, and fewer than
/// are listed, entries of one name are attempts at one test.
fn attempts(tests: Items<'_>, announced: Option<u64>) -> Vec<Attempt> {
    if announced.is_none_or(|announced| announced >= tests.count() as u64) {
        return Vec::new();
    }
    let mut names = Names::default();
    tests.for_each(|test| names.push(&(name(test), test.text("filePath"))));
    let (different, attempts) = names.attempts();
    if announced == Some(different) { attempts } else { Vec::new() }
}

/// Sums over the tests, and whether one of them has a status that says neither.
fn counted(tests: Items<'_>, attempts: &[Attempt]) -> (Tally, Cases, bool) {
    let mut tally = Tally::ZERO;
    let mut cases = Cases::default();
    let mut unclear = false;
    let add = |count: &mut Option<u64>| *count = count.map(|count| count + 1);
    for (index, test) in tests.enumerate() {
        let attempt = attempts.get(index).copied().unwrap_or(Attempt::Only);
        if attempt == Attempt::Superseded {
            continue;
        }
        let raw = &*test.text("rawStatus");
        let status = match test.at("status").as_str().as_deref() {
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
                if attempt == Attempt::Last || is_flaky(test) {
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
            file: test.at("filePath").as_str().map(Cow::into_owned),
            status,
            message: test
                .at("message")
                .as_str()
                .as_deref()
                .and_then(|text| text.lines().find(|line| !line.trim().is_empty()))
                .map(str::to_owned),
            file_level: false,
        });
    }
    (tally, cases, unclear)
}

/// `flaky`, or attempts before the last one.
fn is_flaky(test: Json<'_>) -> bool {
    let retried = test.number("retries").is_some_and(|retries| retries > 0);
    test.at("flaky").as_bool() == Some(true) || retried || test.list("retryAttempts").nth(1).is_some()
}

/// The suites, a text or a list of them, before the name that does not hold them yet.
fn name(test: Json<'_>) -> String {
    let name = &*test.text("name");
    let suite = test.at("suite");
    let suites: Vec<Cow<'_, str>> =
        suite.as_str().into_iter().chain(suite.items().filter_map(Json::as_str)).collect();
    let file = &*test.text("filePath");
    let mut parts: Vec<&str> = suites
        .iter()
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
