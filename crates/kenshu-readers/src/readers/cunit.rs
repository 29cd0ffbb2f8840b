//! CUnit: the run summary of its basic and console interfaces, and its XML.

use kenshu_model::{Quote, Reason, Tally};

use crate::documents::Document;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "cunit";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "CUnit",
    versions: "2.1-3",
    formats: "text, XML",
    zero: "a summary of zeros, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["Run Summary:    Type", "CUnit - A unit testing framework", "<CUNIT_TEST_RUN_REPORT"],
    commands: &[],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let reports: Vec<Reading> =
        stream.xml_documents(&["CUNIT_TEST_RUN_REPORT"]).into_iter().map(xml).collect();
    if !reports.is_empty() {
        return reports;
    }
    let lines = stream.all_lines();
    let mut readings = Vec::new();
    let mut begun: Option<Line<'_>> = None;
    for (index, line) in lines.iter().enumerate() {
        if line.text.trim_start().starts_with("CUnit - A unit testing framework") {
            begun = Some(*line);
        } else if line.text.starts_with("Run Summary:    Type")
            && let Some(reading) = summary(&lines[index..])
        {
            let (first, last) = (begun.take().map_or(line.number, |line| line.number), reading.lines.1);
            readings.push(reading.spanning(first, last));
        }
    }
    if let Some(begun) = begun {
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        readings.push(Reading::without_counts(ID, Said::Unfinished(reason), begun.quote()));
    }
    readings
}

/// The rows below `Run Summary:    Type  Total    Ran Passed Failed Inactive`.
fn summary(lines: &[Line<'_>]) -> Option<Reading> {
    let row = |word: &str| {
        let line =
            lines.iter().skip(1).take(3).find(|line| line.text.split_whitespace().next() == Some(word))?;
        Some((*line, line.text.split_whitespace().skip(1).collect::<Vec<_>>()))
    };
    let (suites_line, suites) = row("suites")?;
    let (tests_line, tests) = row("tests")?;
    let number =
        |columns: &[&str], index: usize| columns.get(index).and_then(|text| text.parse::<u64>().ok());
    // A suite fails if its set-up or clean-up does.
    let reading = of_numbers(
        tests_line.quote(),
        [number(&tests, 0)?, number(&tests, 2)?, number(&tests, 3)?],
        number(&suites, 3)?,
    );
    Some(reading.quoting(suites_line.quote()))
}

/// Tests in all, passed and failed; tests that were not run are inactive, or stand in a suite whose set-up failed.
fn of_numbers(quote: Quote, [total, passed, failed]: [u64; 3], suites: u64) -> Reading {
    let skipped = total.checked_sub(passed).and_then(|left| left.checked_sub(failed));
    let tally = Tally { load_errors: Some(suites), skipped, ..Tally::of(passed, failed, 0) };
    Reading::from_tally(ID, tally, quote)
}

/// `<CUNIT_RUN_SUMMARY_RECORD>` of suites and of test cases.
fn xml(document: Document<'_>) -> Reading {
    let quote = Quote::new(document.first, document.text.lines().next().unwrap_or_default());
    let record = |kind: &str| {
        let kind = format!("<TYPE> {kind} </TYPE>");
        let (above, rest) = document.text.split_once(&kind)?;
        let record = rest.split("</CUNIT_RUN_SUMMARY_RECORD>").next()?;
        let number = |name: &str| {
            let (_, rest) = record.split_once(&format!("<{name}> "))?;
            rest.split(' ').next()?.parse::<u64>().ok()
        };
        let line = document.first.saturating_add(u32::try_from(above.matches('\n').count()).ok()?);
        Some((line, kind, [number("TOTAL"), number("SUCCEEDED"), number("FAILED")]))
    };
    let suites = record("Suites").and_then(|(_, _, [_, _, failed])| failed).unwrap_or(0);
    let tests = record("Test Cases");
    let reading = match tests {
        Some((line, kind, [Some(total), Some(passed), Some(failed)])) => {
            of_numbers(Quote::new(line, &kind), [total, passed, failed], suites)
        }
        Some(_) | None if document.text.contains("<CUNIT_RUN_TEST_FAILURE>") => {
            Reading::without_counts(ID, Said::Failed, quote)
        }
        Some(_) | None => Reading::without_counts(ID, Said::Unfinished(Reason::ReportUnfinished), quote),
    };
    reading.spanning(document.first, document.last)
}
