//! What `ctest --output-junit` writes: a `testsuite` as root, with CTest's own words as `status`.

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};

use crate::reading::{Reading, Said};
use crate::text::Stream;
use crate::xml_cases::{self, XmlCase};

pub(super) fn readings(stream: &Stream) -> Vec<Reading> {
    let mut readings = Vec::new();
    if !stream.contains("disabled") {
        return readings;
    }
    // GoogleTest's suites look the same, and stand inside another root.
    let documents = stream.xml_documents(&["testsuites", "testsuite"]);
    for document in documents.into_iter().filter(|document| !document.text.contains("<testsuites")) {
        let report = xml_cases::read(document);
        let own_words = report.root.contains_key("disabled")
            && !report.cases.is_empty()
            && report.cases.iter().all(|case| {
                matches!(case.attribute("status"), "run" | "fail" | "notrun" | "disabled")
                    && !(is(case, "run") && case.status == CaseStatus::Failed)
                    && case.attribute("result").is_empty()
            });
        if !own_words {
            continue;
        }
        let cases: Vec<Case> = report.cases.iter().map(case).collect();
        let of =
            |wanted: fn(&XmlCase) -> bool| report.cases.iter().filter(|case| wanted(case)).count() as u64;
        let tally = Tally {
            load_errors: Some(of(did_not_start)),
            ..Tally::of(of(|case| is(case, "run")), of(|case| is(case, "fail")), of(is_skipped))
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

/// Whether CTest's own word for how the test ended is this one.
fn is(case: &XmlCase, word: &str) -> bool {
    case.attribute("status") == word
}

fn is_skipped(case: &XmlCase) -> bool {
    let by_property = case.status == CaseStatus::Skipped
        && case.message.as_deref().is_some_and(|message| message.starts_with("SKIP_"));
    is(case, "disabled") || (is(case, "notrun") && by_property)
}

/// CTest counts a test whose program is missing as failed, though its report says `skipped`.
fn did_not_start(case: &XmlCase) -> bool {
    is(case, "notrun") && !is_skipped(case)
}

fn case(case: &XmlCase) -> Case {
    let status = if is_skipped(case) {
        CaseStatus::Skipped
    } else if is(case, "run") {
        CaseStatus::Passed
    } else {
        CaseStatus::Failed
    };
    Case {
        name: case.attribute("name").to_owned(),
        file: None,
        status,
        message: case.message.clone(),
        file_level: false,
    }
}
