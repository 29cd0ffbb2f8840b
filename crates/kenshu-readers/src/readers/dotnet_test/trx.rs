//! TRX reports: `--logger trx`, `--report-trx`.

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::without;
use crate::documents::Document;
use crate::reading::{Reading, Said};
use crate::text::Stream;

/// Every TRX report in the stream.
pub(super) fn read(stream: &Stream) -> Vec<Reading> {
    stream.xml_documents(&["TestRun"]).iter().map(report).collect()
}

fn report(document: &Document<'_>) -> Reading {
    let mut reader = Reader::from_str(document.text);
    let mut cases = Vec::new();
    let mut outcome = None;
    let mut tally = None;
    let mut whole = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => match element.name().as_ref() {
                "UnitTestResult" => cases.extend(case(&element)),
                "ResultSummary" => outcome = attribute(&element, "outcome"),
                "Counters" => tally = counters(&element),
                _ => {}
            },
            Ok(Event::End(element)) => whole |= element.name().as_ref() == "TestRun",
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    let quote = Quote::new(document.first, document.text.lines().next().unwrap_or_default());
    let failed_case = cases.iter().any(|case| case.status == CaseStatus::Failed);
    let reading = match tally.filter(|_| whole) {
        Some(tally) => Reading::from_tally("dotnet-test", tally, quote),
        None if failed_case => without(Said::Failed, quote),
        None => without(Said::Unfinished(Reason::ReportUnfinished), quote),
    };
    let said = match (reading.said, outcome.as_deref()) {
        (Said::Passed, Some("Completed" | "Passed")) => Said::Passed,
        (Said::Passed, Some("Failed" | "Error")) => Said::Failed,
        (Said::Passed, _) => Said::Unfinished(Reason::ReportUnfinished),
        (said, _) => said,
    };
    reading.saying(said).spanning(document.first, document.last).naming(cases)
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    attribute.normalized_value(XmlVersion::Explicit1_0).ok().map(|value| value.into_owned())
}

fn case(element: &BytesStart<'_>) -> Option<Case> {
    let status = match attribute(element, "outcome")?.as_str() {
        "Passed" => CaseStatus::Passed,
        "Failed" | "Error" | "Timeout" | "Aborted" => CaseStatus::Failed,
        "NotExecuted" | "Inconclusive" | "NotRunnable" => CaseStatus::Skipped,
        _ => return None,
    };
    Some(Case { name: attribute(element, "testName")?, file: None, status, message: None, file_level: false })
}

/// `notExecuted` stays 0 in what VSTest writes, so skipped tests are those that weren't executed.
fn counters(element: &BytesStart<'_>) -> Option<Tally> {
    let number = |name: &str| attribute(element, name).map_or(Some(0), |text| text.parse::<u64>().ok());
    let (total, executed) = (number("total")?, number("executed")?);
    let add = |a: u64, b: u64| a.checked_add(b);
    let errored = add(add(number("error")?, number("timeout")?)?, number("aborted")?)?;
    let (passed, failed) = (number("passed")?, number("failed")?);
    let skipped = add(total.checked_sub(executed)?, number("inconclusive")?)?;
    (add(add(passed, failed)?, add(errored, skipped)?)? == total)
        .then(|| Tally { errored: Some(errored), ..Tally::of(passed, failed, skipped) })
}
