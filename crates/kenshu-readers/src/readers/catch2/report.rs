//! Catch2's XML and JSON.

use kenshu_model::{Quote, Reason, Tally};

use crate::documents::Document;
use crate::json::Json;
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = super::ID;

pub(super) fn readings(stream: &Stream) -> Vec<Reading> {
    let mut readings: Vec<Reading> =
        stream.xml_documents(&["Catch", "Catch2TestRun"]).into_iter().map(xml).collect();
    for (document, value) in stream.json_documents("\"fail-but-ok\"") {
        readings.extend(json(document, value));
    }
    readings
}

/// The last `<OverallResultsCases …/>` counts the whole run.
fn xml(document: Document<'_>) -> Reading {
    let is_closed = document.text.trim_end().ends_with('>')
        && (document.text.contains("</Catch>") || document.text.contains("</Catch2TestRun>"));
    let totals = document
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim_start().starts_with("<OverallResultsCases "));
    let last = totals.last().filter(|_| is_closed);
    let Some((at, line)) = last else {
        let failed = document.text.contains("<OverallResult success=\"false\"");
        let said = if failed { Said::Failed } else { Said::Unfinished(Reason::ReportUnfinished) };
        let quote = Quote::new(document.first, document.text.lines().next().unwrap_or_default());
        return Reading::without_counts(ID, said, quote).spanning(document.first, document.last);
    };
    let tally = Tally {
        expected_failures: Some(attribute(line, "expectedFailures").unwrap_or(0)),
        passed: attribute(line, "successes"),
        failed: attribute(line, "failures"),
        skipped: Some(attribute(line, "skips").unwrap_or(0)),
        ..Tally::ZERO
    };
    let number = document.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    Reading::from_tally(ID, tally, Quote::new(number, line.trim())).spanning(document.first, document.last)
}

/// The number in `name="3"`.
fn attribute(tag: &str, name: &str) -> Option<u64> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"')?.0.parse().ok()
}

fn json(document: Document<'_>, value: Json<'_>) -> Option<Reading> {
    let cases = value.get("test-run")?.get("totals")?.get("test-cases")?;
    let number = |name: &str| cases.number(name);
    let tally = Tally {
        passed: number("passed"),
        failed: number("failed"),
        expected_failures: number("fail-but-ok"),
        skipped: Some(number("skipped").unwrap_or(0)),
        ..Tally::ZERO
    };
    let quote = document.quote("totals");
    Some(Reading::from_tally(ID, tally, quote).spanning(document.first, document.last))
}
