//! Mocha's machine-readable reports: JSON, JSON stream, XUnit, and those of mocha-junit-reporter and mochawesome.

use std::borrow::Cow;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};

use super::{ID, is_hook};
use crate::documents::Document;
use crate::json::Json;
use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::text::Stream;
use crate::xml_cases;

pub(super) fn read(stream: &Stream, _hint: Hint<'_>) -> Vec<Reading> {
    let mut readings: Vec<Reading> = stream
        .json_documents("\"passes\"")
        .into_iter()
        .filter_map(|(document, value)| json(stream, document, value))
        .collect();
    readings.extend(json_stream(stream));
    if stream.contains("Mocha Tests") {
        let documents = stream.xml_documents(&["testsuites", "testsuite"]);
        readings.extend(documents.into_iter().filter_map(xml));
    }
    readings
}

/// The numbers of a `stats` object.
fn stats(value: Json<'_>) -> Option<(u64, u64, u64)> {
    Some((value.number("passes")?, value.number("pending")?, value.number("failures")?))
}

/// `--reporter json`, and mochawesome's JSON: `stats`, and beside them the tests.
fn json(stream: &Stream, document: Document<'_>, value: Json<'_>) -> Option<Reading> {
    let (passed, pending, failing) = stats(value.get("stats")?)?;
    if !value.at("tests").is_array() && !value.at("results").is_array() {
        return None;
    }
    let failures = value.list("failures");
    let title = |test: Json<'_>| test.text("fullTitle").into_owned();
    let hooks = failures.filter(|test| is_hook(&title(*test))).count() as u64;
    let retried = |test: &Json<'_>| test.number("currentRetry").is_some_and(|n| n > 0);
    let flaky = value.at("passes").as_array().map(|passes| passes.filter(retried).count() as u64);
    let tally = Tally {
        load_errors: Some(hooks),
        flaky,
        ..Tally::of(passed, failing.saturating_sub(hooks), pending)
    };
    let cases = failures.map(|test| Case {
        name: title(test),
        file: test.at("file").as_str().map(Cow::into_owned),
        status: CaseStatus::Failed,
        message: test.at("err").at("message").as_str().as_deref().and_then(first_line),
        file_level: false,
    });
    let wanted = ["\"passes\": ", "\"pending\": ", "\"failures\": ", "\"passes\":"];
    let mut quotes = stream
        .lines()
        .filter(|line| (document.first..=document.last).contains(&line.number))
        .filter(|line| {
            wanted.iter().any(|word| line.text.trim_start().starts_with(word))
                || line.number == document.first
        });
    let first = quotes.next()?.quote();
    let mut reading = Reading::from_tally(ID, tally, first);
    for line in quotes.take(3) {
        reading = reading.quoting(line.quote());
    }
    Some(reading.spanning(document.first, document.last).naming_all(cases.collect()))
}

fn first_line(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// `--reporter json-stream`: one array a line; `end` has the numbers.
fn json_stream(stream: &Stream) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut started: Option<Quote> = None;
    let mut cases: Vec<Case> = Vec::new();
    if !stream.contains("[\"start\",{\"total\":") {
        return readings;
    }
    let mut last = 0;
    for line in stream.lines().filter(|line| line.text.starts_with("[\"")) {
        let Some((event, _)) = Json::read(line.text) else { continue };
        let mut event = event.items();
        let (Some(name), Some(data)) = (event.next().and_then(Json::as_str), event.next()) else {
            continue;
        };
        last = line.number;
        match &*name {
            "start" if data.get("total").is_some() => started = Some(line.quote()),
            "fail" => cases.push(Case {
                name: data.text("fullTitle").into_owned(),
                file: data.at("file").as_str().map(Cow::into_owned),
                status: CaseStatus::Failed,
                message: data.at("err").as_str().as_deref().and_then(first_line),
                file_level: false,
            }),
            "end" => {
                let Some((passed, pending, failing)) = stats(data) else { continue };
                let hooks = cases.iter().filter(|case| is_hook(&case.name)).count() as u64;
                let tally = Tally {
                    load_errors: Some(hooks),
                    flaky: None,
                    ..Tally::of(passed, failing.saturating_sub(hooks), pending)
                };
                let first = started.take().map_or(line.number, |quote| quote.line);
                let reading = Reading::from_tally(ID, tally, line.quote()).spanning(first, line.number);
                readings.push(reading.naming(std::mem::take(&mut cases)));
            }
            _ => {}
        }
    }
    if let Some(quote) = started {
        let first = quote.line;
        let said = if cases.is_empty() { Said::Unfinished(Reason::NoSummary) } else { Said::Failed };
        readings.push(Reading::without_counts(ID, said, quote).spanning(first, last).naming(cases));
    }
    readings
}

/// XUnit and mocha-junit-reporter: cases are counted, since XUnit's `failures` is 0 and its `skipped` can be negative.
fn xml(document: Document<'_>) -> Option<Reading> {
    let report = xml_cases::read(document);
    if report.root.get("name").map(String::as_str) != Some("Mocha Tests") {
        return None;
    }
    let mut tally = Tally { flaky: None, ..Tally::ZERO };
    let mut cases = Vec::new();
    for case in &report.cases {
        // XUnit has the suites in `classname`; mocha-junit-reporter has the full title in `name`.
        let (class, name) = (case.attribute("classname"), case.attribute("name"));
        let title = match class {
            "" => name.to_owned(),
            _ if name.ends_with(class) => name.to_owned(),
            _ => format!("{class} {name}"),
        };
        let field = match case.status {
            CaseStatus::Failed if is_hook(&title) => &mut tally.load_errors,
            CaseStatus::Failed => &mut tally.failed,
            CaseStatus::Skipped => &mut tally.skipped,
            CaseStatus::Passed
            | CaseStatus::Todo
            | CaseStatus::ExpectedFailure
            | CaseStatus::UnexpectedPass => &mut tally.passed,
        };
        *field = field.map(|count| count + 1);
        cases.push(case.named(title));
    }
    // mocha-junit-reporter leaves pending tests out of the list.
    tally.skipped = tally.skipped.max(report.root.get("skipped").and_then(|number| number.parse().ok()));
    let root = document.text.lines().find(|line| line.contains("Mocha Tests")).unwrap_or_default();
    let quote = Quote::new(document.first, root);
    let mut reading = Reading::from_tally(ID, tally, quote).spanning(document.first, document.last);
    if !report.closed {
        if !tally.has_failure() {
            reading.said = Said::Unfinished(Reason::ReportUnfinished);
        }
        reading.tally = Tally::UNKNOWN;
    }
    Some(reading.naming(cases).summed())
}
