//! RackUnit, under `raco test`: its closing line.

use std::sync::LazyLock;

use kenshu_model::{Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::Stream;

const ID: &str = "rackunit";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "RackUnit (raco test)",
    versions: "8.7",
    formats: "text",
    zero: "the file's name alone, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["raco test: ", "--------------------\nFAILURE\n", "--------------------\nERROR\n"],
    commands: &[&["raco", "test"]],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static PASSED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(\d+) tests? passed$").expect("pattern of a line"));
    static FAILED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(\d+)/(\d+) test failures?$").expect("pattern of a line"));
    let mut files = 0;
    let mut begun = None;
    let mut failure = None;
    let mut rule = false;
    let mut silent = true;
    let mut readings = Vec::new();
    for line in stream.lines() {
        let text = line.text.trim_end();
        if text.starts_with("raco test: ") {
            files += 1;
            begun.get_or_insert(line);
        } else if let Some(found) = PASSED.captures(text).filter(|_| begun.is_some() || hint.named) {
            let count = found[1].parse().ok();
            let tally = Tally { passed: count, ..Tally::ZERO };
            readings.push(Reading::from_tally(ID, tally, line.quote()));
        } else if let Some(found) = FAILED.captures(text).filter(|_| begun.is_some() || hint.named) {
            let (failed, total) = (found[1].parse::<u64>().ok(), found[2].parse::<u64>().ok());
            let passed = total.zip(failed).and_then(|(total, failed)| total.checked_sub(failed));
            let tally = Tally { passed, failed, ..Tally::ZERO };
            readings.push(Reading::from_tally(ID, tally, line.quote()).saying(Said::Failed));
        } else if rule && matches!(text, "FAILURE" | "ERROR") {
            failure.get_or_insert(line);
        } else {
            silent &= text.is_empty();
        }
        rule = text == "--------------------";
    }
    // `raco test` closes with one line, and what the tests print comes before it.
    if let Some(last) = readings.pop() {
        return vec![last];
    }
    if let Some(line) = failure {
        return vec![Reading::without_counts(ID, Said::Failed, line.quote())];
    }
    let Some(begun) = begun else { return Vec::new() };
    let said = if runs::is_cut(hint) {
        Said::Unfinished(Reason::OutputCut)
    } else if silent && files > 0 {
        Said::NothingRan(Reason::ZeroTests)
    } else {
        Said::Unfinished(Reason::NoSummary)
    };
    vec![Reading::without_counts(ID, said, begun.quote())]
}
