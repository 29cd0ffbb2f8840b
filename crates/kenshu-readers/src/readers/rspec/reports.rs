//! RSpec's machine reports: `--format json` and `--format html`.

use kenshu_model::{Case, CaseStatus, Quote, Reason};

use crate::json::Json;
use crate::reading::{Reading, Said};
use crate::text::Stream;

/// What the JSON report begins with; what the program under test printed may stand before it on the same line.
const JSON_START: &str = "{\"version\":\"";

/// Every JSON report in the stream.
pub(super) fn json(stream: &Stream) -> Vec<Reading> {
    let body = stream.body();
    if !stream.contains("\"examples\":[") {
        return Vec::new();
    }
    let mut readings = Vec::new();
    let mut from = 0;
    for line in stream.lines() {
        let start = stream.start_of(&line);
        let end = start + line.text.len();
        let Some(at) = body[start.max(from).min(end)..end].find(JSON_START) else { continue };
        let start = start.max(from) + at;
        match Json::read(&body[start..]) {
            Some((value, length)) => {
                from = start + length;
                readings.extend(report(value, line.number));
            }
            // Broken off. A failed example in what is left stands.
            None => readings.extend(broken_off(&body[start..], line.number)),
        }
    }
    readings
}

fn report(value: Json<'_>, line: u32) -> Option<Reading> {
    let summary = value.get("summary")?;
    let words = value.get("summary_line")?.as_str()?;
    let examples = value.get("examples")?.as_array()?;
    let number = |name: &str| summary.get(name).map_or(Some(0), Json::as_u64);
    let tally = super::tally(
        number("example_count")?,
        number("failure_count")?,
        number("pending_count")?,
        number("errors_outside_of_examples_count")?,
    )?;
    let filtered_out = value
        .list("messages")
        .filter_map(Json::as_str)
        .any(|message| message.contains("All examples were filtered out"));
    let reading =
        Reading::from_tally("rspec", tally, Quote::new(line, &format!("\"summary_line\":\"{words}\"")))
            .naming_all(examples.filter_map(case).collect());
    // The list and its own sum must be of one run.
    if examples.count() as u64 != tally.total()? {
        return Some(reading.saying(Said::Unfinished(Reason::PlanMismatch)));
    }
    let nothing = reading.said == Said::NothingRan(Reason::ZeroTests);
    Some(if nothing && filtered_out {
        reading.saying(Said::NothingRan(Reason::FilterMatchedNothing))
    } else {
        reading
    })
}

fn case(example: Json<'_>) -> Option<Case> {
    let text = |name: &str| example.get(name).and_then(Json::as_str);
    let status = match &*text("status")? {
        "passed" => CaseStatus::Passed,
        "failed" => CaseStatus::Failed,
        "pending" => CaseStatus::Skipped,
        _ => return None,
    };
    let message = example
        .get("exception")
        .and_then(|exception| exception.get("message"))
        .or_else(|| example.get("pending_message"))
        .and_then(Json::as_str);
    let message = message.as_deref().and_then(|message| message.lines().find(|line| !line.trim().is_empty()));
    Some(Case {
        name: text("full_description")?.into_owned(),
        file: text("file_path").map(|file| file.trim_start_matches("./").to_owned()),
        status,
        message: message.map(str::to_owned),
        file_level: false,
    })
}

fn broken_off(rest: &str, line: u32) -> Option<Reading> {
    if !rest.contains("\"full_description\":\"") {
        return None;
    }
    // In a report, a quotation mark inside a string has a backslash before it: this is a key.
    let said = if rest.contains(",\"status\":\"failed\",\"file_path\":") {
        Said::Failed
    } else {
        Said::Unfinished(Reason::OutputCut)
    };
    Some(Reading::without_counts("rspec", said, Quote::new(line, rest.lines().next()?)))
}

/// The HTML report writes its totals by script in the end.
pub(super) fn html(stream: &Stream) -> Option<Reading> {
    const TOTALS: &str = "document.getElementById('totals').innerHTML = \"";
    const HEADER: &str = "<div id=\"rspec-header\">";
    if !stream.contains(HEADER) {
        return None;
    }
    let mut header = None;
    let mut found = None;
    for line in stream.lines() {
        if line.text.contains(HEADER) {
            header = Some(line);
        }
        let totals = line
            .text
            .split_once(TOTALS)
            .and_then(|(_, rest)| rest.split_once('"'))
            .and_then(|(totals, _)| super::totals(totals));
        if let Some(tally) = totals {
            found = Some(Reading::from_tally("rspec", tally, line.quote()));
        }
    }
    let header = header?;
    Some(match found {
        Some(reading) => reading.spanning(header.number, header.number),
        None => Reading::without_counts("rspec", Said::Unfinished(Reason::ReportUnfinished), header.quote()),
    })
}
