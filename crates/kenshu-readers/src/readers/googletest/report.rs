//! `--gtest_output=xml` and `--gtest_output=json`.

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};

use crate::json::Json;
use crate::reading::{Reading, Said};
use crate::text::Stream;
use crate::xml_cases::{self, XmlCase};

pub(super) fn readings(stream: &Stream) -> Vec<Reading> {
    let mut readings = xml_readings(stream);
    for (document, value) in stream.json_documents("\"testsuites\"") {
        if !value.at("name").is("AllTests") {
            continue;
        }
        let Some(suites) = value.at("testsuites").as_array() else { continue };
        let tests = suites.flat_map(|suite| suite.list("testsuite"));
        let cases: Vec<(Ended, Case)> = tests.map(json_case).collect();
        let quote = Quote::new(document.first, &numbers(value));
        readings.push(reading(cases, quote).spanning(document.first, document.last));
    }
    readings
}

/// The numbers at the top, as the document has them.
fn numbers(value: Json<'_>) -> String {
    let field = |name: &str| format!("\"{name}\": {}", value.at(name).as_written());
    [field("tests"), field("failures"), field("disabled"), field("errors")].join(", ")
}

fn xml_readings(stream: &Stream) -> Vec<Reading> {
    let mut readings = Vec::new();
    for document in stream.xml_documents(&["testsuites"]) {
        let report = xml_cases::read(document);
        let own_words = |case: &XmlCase| matches!(case.attribute("status"), "run" | "notrun");
        let own_root = report.root.get("name").is_some_and(|name| name == "AllTests")
            && report.root.contains_key("disabled");
        if !own_root || !report.cases.iter().all(own_words) {
            continue;
        }
        let root = document.text.lines().find(|line| line.contains("<testsuites")).unwrap_or_default();
        let cases = report.cases.iter().map(xml_case).collect();
        let mut reading = reading(cases, Quote::new(document.first, root));
        if !report.closed && reading.said != Said::Failed {
            reading = reading.saying(Said::Unfinished(Reason::ReportUnfinished));
        }
        readings.push(reading.spanning(document.first, document.last));
    }
    readings
}

/// How a test of a report ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Passed,
    Failed,
    /// A failure outside every test, which the report gives as a test without a name.
    FailedOutside,
    Skipped,
    /// Not selected by the filter.
    NotSelected,
}

fn reading(cases: Vec<(Ended, Case)>, quote: Quote) -> Reading {
    let of = |wanted: Ended| cases.iter().filter(|(ended, _)| *ended == wanted).count() as u64;
    let tally = Tally {
        load_errors: Some(of(Ended::FailedOutside)),
        ..Tally::of(of(Ended::Passed), of(Ended::Failed), of(Ended::Skipped))
    };
    let named =
        cases.into_iter().filter(|(ended, _)| *ended != Ended::NotSelected).map(|(_, case)| case).collect();
    Reading::from_tally("googletest", tally, quote).naming(named)
}

fn ended(failed: bool, name: &str, class: &str, status: &str, result: &str, skipped: bool) -> Ended {
    let is_disabled = name.starts_with("DISABLED_") || class.starts_with("DISABLED_");
    if failed {
        return if name.is_empty() { Ended::FailedOutside } else { Ended::Failed };
    }
    if status.eq_ignore_ascii_case("notrun") {
        // Before 1.10 tests that the filter left out stood in the report too.
        return if is_disabled || result.eq_ignore_ascii_case("skipped") {
            Ended::Skipped
        } else {
            Ended::NotSelected
        };
    }
    if skipped || result.eq_ignore_ascii_case("skipped") { Ended::Skipped } else { Ended::Passed }
}

fn xml_case(case: &XmlCase) -> (Ended, Case) {
    let [name, class, status, result] =
        ["name", "classname", "status", "result"].map(|attribute| case.attribute(attribute));
    let failed = case.status == CaseStatus::Failed;
    let ended = ended(failed, name, class, status, result, case.status == CaseStatus::Skipped);
    (ended, named(ended, class, name, None, case.message.as_deref()))
}

fn json_case(test: Json<'_>) -> (Ended, Case) {
    let [name, class, status, result] =
        ["name", "classname", "status", "result"].map(|member| test.text(member));
    let failure = test.list("failures").next();
    let ended = ended(failure.is_some(), &name, &class, &status, &result, false);
    let message = failure.and_then(|failure| failure.at("failure").as_str());
    let message = message.as_deref().and_then(|text| text.lines().next());
    (ended, named(ended, &class, &name, test.at("file").as_str().as_deref(), message))
}

fn named(ended: Ended, class: &str, name: &str, file: Option<&str>, message: Option<&str>) -> Case {
    let status = match ended {
        Ended::Passed => CaseStatus::Passed,
        Ended::Failed | Ended::FailedOutside => CaseStatus::Failed,
        Ended::Skipped | Ended::NotSelected => CaseStatus::Skipped,
    };
    Case {
        name: format!("{class}.{name}"),
        file: file.map(str::to_owned),
        status,
        message: message.map(str::to_owned),
        file_level: false,
    }
}
