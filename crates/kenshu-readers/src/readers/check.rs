//! Check (C): its closing line and its own XML; its TAP is that of every producer.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use crate::documents::Document;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::Stream;

const ID: &str = "check";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Check",
    versions: "0.15",
    formats: "text, XML",
    zero: "`100%: Checks: 0, Failures: 0, Errors: 0`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["%: Checks: ", "Running suite(s):", "http://check.sourceforge.net/ns"],
    commands: &[],
    list_options: &[],
    covers: &["junit-xml"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:Running suite\(s\):)?\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)$")
            .expect("pattern of a line")
    });
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^([^:\s][^:]*):\d+:([FE]):([^:]*):([^:]*):\d+: (.*)$").expect("pattern of a line")
    });
    let mut readings: Vec<Reading> =
        stream.xml_documents(&["testsuites"]).into_iter().filter_map(xml).collect();
    if !readings.is_empty() {
        return readings;
    }
    let mut begun = None;
    let mut since_header = 0;
    for line in stream.lines() {
        let text = line.text.trim_end();
        if text.starts_with("Running suite(s):") {
            begun = Some(line);
            since_header = readings.len();
        }
        if text.contains("%: Checks: ")
            && let Some(found) = CLOSING.captures(text)
        {
            let number = |index: usize| found[index].parse::<u64>().ok();
            let passed = number(1)
                .zip(number(2))
                .zip(number(3))
                .and_then(|((checks, failures), errors)| checks.checked_sub(failures)?.checked_sub(errors));
            let tally = Tally { passed, failed: number(2), errored: number(3), ..Tally::ZERO };
            if begun.is_some() {
                // One runner prints one closing line, and what its tests print comes before it.
                readings.truncate(since_header);
            }
            let reading = Reading::from_tally(ID, tally, line.quote());
            readings.push(match begun {
                Some(begun) => reading.spanning(begun.number, line.number),
                None => reading,
            });
        } else if let Some(last) = readings.last_mut()
            && let Some(found) = NAMED.captures(text)
        {
            last.lines.1 = line.number;
            last.cases.push(Case {
                name: format!("{}:{}", &found[3], &found[4]),
                file: Some(found[1].to_owned()),
                status: CaseStatus::Failed,
                message: Some(found[5].to_owned()),
                file_level: false,
            });
        }
    }
    if readings.is_empty()
        && let Some(begun) = begun
    {
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        return vec![Reading::without_counts(ID, Said::Unfinished(reason), begun.quote())];
    }
    let cut = runs::loses_its_end(hint);
    let readings = runs::closing(readings, hint).into_iter();
    readings.map(|reading| if cut { reading.summed() } else { reading }).collect()
}

/// Its own XML: `<test result="success">` in `<suite>`.
fn xml(document: Document<'_>) -> Option<Reading> {
    if !document.text.lines().next()?.contains("check")
        && !document.text.contains("http://check.sourceforge.net/ns")
    {
        return None;
    }
    let count = |result: &str| document.text.matches(&format!("<test result=\"{result}\">")).count() as u64;
    let (passed, failed, errored) = (count("success"), count("failure"), count("error"));
    let tally = Tally { errored: Some(errored), ..Tally::of(passed, failed, 0) };
    let opening = document.text.lines().enumerate().find(|(_, line)| line.contains("<testsuites"));
    let (at, text) = opening.unwrap_or_default();
    let number = document.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    let mut reading = Reading::from_tally(ID, tally, Quote::new(number, text)).summed();
    if !document.text.trim_end().ends_with("</testsuites>") && reading.said != Said::Failed {
        reading.tally = Tally::UNKNOWN;
        reading = reading.saying(Said::Unfinished(Reason::ReportUnfinished));
    }
    Some(reading.spanning(document.first, document.last))
}
