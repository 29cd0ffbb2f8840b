//! What `ctest --output-junit` writes: a `testsuite` as root, with CTest's own words as `status`.

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};

use super::super::googletest::xml::{self, XmlCase};
use crate::reading::{Reading, Said};
use crate::text::Stream;

pub(super) fn readings(stream: &Stream) -> Vec<Reading> {
    let mut readings = Vec::new();
    for document in stream.xml_documents(&["testsuite"]) {
        let report = xml::report(document.text);
        let own_words = report.counts_disabled
            && !report.cases.is_empty()
            && report.cases.iter().all(|case| {
                matches!(case.status.as_str(), "run" | "fail" | "notrun" | "disabled")
                    && case.result.is_empty()
            });
        if !own_words {
            continue;
        }
        let cases: Vec<Case> = report.cases.iter().map(case).collect();
        let of =
            |wanted: fn(&XmlCase) -> bool| report.cases.iter().filter(|case| wanted(case)).count() as u64;
        let tally = Tally {
            load_errors: Some(of(did_not_start)),
            ..Tally::of(of(|case| case.status == "run"), of(|case| case.status == "fail"), of(is_skipped))
        };
        let quote = Quote::new(document.first, document.text.lines().next().unwrap_or_default());
        let mut reading = Reading::from_tally("ctest", tally, quote);
        if !report.closed && reading.said != Said::Failed {
            reading = reading.saying(Said::Unfinished(Reason::ReportUnfinished));
        }
        readings.push(reading.spanning(document.first, document.last).naming(cases));
    }
    readings
}

fn is_skipped(case: &XmlCase) -> bool {
    let by_property = case.skipped.as_deref().is_some_and(|message| message.starts_with("SKIP_"));
    case.status == "disabled" || (case.status == "notrun" && by_property)
}

/// CTest counts a test whose program is missing as failed, though its report says `skipped`.
fn did_not_start(case: &XmlCase) -> bool {
    case.status == "notrun" && !is_skipped(case)
}

fn case(case: &XmlCase) -> Case {
    let status = if is_skipped(case) {
        CaseStatus::Skipped
    } else if case.status == "run" {
        CaseStatus::Passed
    } else {
        CaseStatus::Failed
    };
    let message = case.failure.as_ref().or(case.skipped.as_ref());
    Case {
        name: case.name.clone(),
        file: None,
        status,
        message: message.filter(|message| !message.is_empty()).cloned(),
        file_level: false,
    }
}
