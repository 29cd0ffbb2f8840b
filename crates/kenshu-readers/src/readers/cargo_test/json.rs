//! libtest's JSON lines (`--format json`, and cargo-nextest's `libtest-json`): one `suite` event begins, one ends.

use std::collections::{BTreeMap, BTreeSet};

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use serde_json::Value;

use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

/// Whether a JSON line is of libtest itself: cargo-nextest puts `$` between the binary's and the test's name.
fn is_libtest(name: &str) -> bool {
    !name.contains('$')
}

/// Reads libtest's suites by the numbers of the event that ends each.
pub(super) fn read(stream: &Stream, id: &'static str) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut began: Option<Line<'_>> = None;
    let mut cases = Vec::new();
    let mut wanted = true;
    for (line, event) in events(stream) {
        match (word(&event, "type"), word(&event, "event")) {
            ("suite", "started") => {
                readings.extend(unfinished(id, began.take()).filter(|_| wanted));
                began = Some(line);
                wanted = event.get("nextest").is_none();
            }
            ("suite", end @ ("ok" | "failed")) => {
                let first = began.take().map_or(line.number, |line| line.number);
                let cases = std::mem::take(&mut cases);
                if wanted && let Some(reading) = finished(id, &event, end, line) {
                    readings.push(reading.spanning(first, line.number).naming(cases));
                }
            }
            ("test", outcome) => {
                wanted &= is_libtest(word(&event, "name"));
                cases.extend(case(word(&event, "name"), outcome));
            }
            _ => {}
        }
    }
    readings.extend(unfinished(id, began).filter(|_| wanted));
    readings
}

/// Reads cargo-nextest's events test by test: it ends a suite whenever no test of a binary is running, and begins it
/// again, so that the suites' numbers overlap.
pub(in crate::readers) fn read_by_test(stream: &Stream, id: &'static str) -> Option<Reading> {
    let mut tests: BTreeMap<String, (CaseStatus, bool)> = BTreeMap::new();
    let mut lines: Option<(Line<'_>, Line<'_>)> = None;
    let mut open = BTreeSet::new();
    for (line, event) in events(stream) {
        let name = word(&event, "name");
        match (word(&event, "type"), word(&event, "event")) {
            ("suite", _) => {}
            ("test", "started") if !is_libtest(name) => _ = open.insert(name.to_owned()),
            ("test", outcome) if !is_libtest(name) => {
                open.remove(name);
                // `#2` behind the name: the second try.
                let base = name.rsplit_once('#').map_or(name, |(base, _)| base).to_owned();
                let Some(case) = case(name, outcome) else { continue };
                let failed_before = tests.get(&base).is_some_and(|(status, _)| *status == CaseStatus::Failed);
                tests.insert(base, (case.status, failed_before && case.status == CaseStatus::Passed));
            }
            _ => continue,
        }
        lines = Some((lines.map_or(line, |(first, _)| first), line));
    }
    let (first, last) = lines?;
    if tests.is_empty() && open.is_empty() {
        return None;
    }
    let count = |wanted| tests.values().filter(|(status, _)| *status == wanted).count() as u64;
    let tally = Tally {
        flaky: Some(tests.values().filter(|(_, flaky)| *flaky).count() as u64),
        ..Tally::of(count(CaseStatus::Passed), count(CaseStatus::Failed), count(CaseStatus::Skipped))
    };
    let reading = Reading::from_tally(id, tally, last.quote());
    let reading = match (reading.said, open.is_empty()) {
        (Said::Failed, _) | (_, true) => reading,
        _ => Reading::without_counts(id, Said::Unfinished(Reason::ReportUnfinished), last.quote()),
    };
    let cases = tests.into_iter().map(|(name, (status, _))| Case {
        name,
        file: None,
        status,
        message: None,
        file_level: false,
    });
    Some(reading.spanning(first.number, last.number).naming(cases.collect()).summed())
}

fn events<'a>(stream: &'a Stream) -> impl Iterator<Item = (Line<'a>, Value)> {
    let lines = stream.contains("\"test_count\"").then(|| stream.lines()).into_iter().flatten();
    lines
        .filter(|line| line.text.starts_with('{'))
        .filter_map(|line| Some((line, serde_json::from_str(line.text).ok()?)))
}

fn word<'a>(event: &'a Value, name: &str) -> &'a str {
    event.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn case(name: &str, event: &str) -> Option<Case> {
    let status = match event {
        "ok" => CaseStatus::Passed,
        "failed" | "timeout" => CaseStatus::Failed,
        "ignored" => CaseStatus::Skipped,
        _ => return None,
    };
    Some(Case { name: name.to_owned(), file: None, status, message: None, file_level: false })
}

fn unfinished(id: &'static str, began: Option<Line<'_>>) -> Option<Reading> {
    let said = Said::Unfinished(Reason::ReportUnfinished);
    Some(Reading::without_counts(id, said, began?.quote()))
}

fn finished(id: &'static str, event: &Value, end: &str, line: Line<'_>) -> Option<Reading> {
    let number = |name: &str| event.get(name).and_then(Value::as_u64);
    let tally = Tally::of(number("passed")?, number("failed")?, number("ignored")?);
    let reading = Reading::from_tally(id, tally, line.quote());
    let filtered = number("filtered_out").unwrap_or(0) > 0;
    let reading = if end == "failed" { reading.saying(Said::Failed) } else { reading.filtered(filtered) };
    Some(reading.summed())
}
