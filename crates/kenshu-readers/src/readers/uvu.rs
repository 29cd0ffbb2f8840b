//! `uvu`: uvu, which closes with `Total`, `Passed`, `Skipped` and `Duration`. `Total` leaves out what is skipped.
//!
//! Each suite ends its row of marks with `(3 / 4)`: passed of all. A suite whose `before` hook throws has no mark at all,
//! and uvu ends with status 0; the two numbers alone show it.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::settle::settle;
use crate::text::{Line, Stream};

const ID: &str = "uvu";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "uvu",
    versions: "0.3, 0.5",
    formats: "text",
    zero: "Total 0, Passed 0; status 0, also where no file matches or test.run() was forgotten",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["  Passed:    ", "Exiting early before testing is finished."],
    commands: &[&["uvu"], &["c8", "uvu"], &["nyc", "uvu"], &["node", "-r", "uvu"]],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

/// One closing block.
struct Closing {
    first: usize,
    end: usize,
    total: u64,
    passed: u64,
    skipped: Option<u64>,
}

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let closings: Vec<Closing> =
        (0..lines.len()).filter_map(|at| closing(&lines, at, hint.named && cut)).collect();
    let suites: Vec<(usize, u64, u64)> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| suite(line.text).map(|(passed, total)| (at, passed, total)))
        .collect();
    let settled = settle(closings.len(), !suites.is_empty(), cut, |at, after| {
        let from = after.map_or(0, |after| closings[after].end);
        let inside = suites.iter().filter(|(place, ..)| (from..closings[at].first).contains(place));
        closings[at].total.cmp(&inside.map(|(.., total)| total).sum())
    });
    let mut from = 0;
    let mut readings = Vec::new();
    for at in settled.accepted {
        let closing = &closings[at];
        let begin =
            suites.iter().map(|(place, ..)| *place).find(|place| (from..closing.first).contains(place));
        readings.push(reading(closing, &lines, begin.unwrap_or(closing.first)));
        from = closing.end;
    }
    readings.extend(settled.doubtful.iter().map(|at| {
        let line = &lines[closings[*at].first];
        Reading::without_counts(ID, Said::Unfinished(Reason::Ambiguous), line.quote())
    }));
    if hint.named {
        readings.extend(unclosed(&lines[from..], cut));
    }
    readings
}

/// `Total`, `Passed`, `Skipped`, `Duration`, each on its line; of a cut text the first two are enough.
fn closing(lines: &[Line<'_>], at: usize, may_be_cut: bool) -> Option<Closing> {
    let value = |offset: usize, label: &str| lines.get(at + offset)?.text.strip_prefix(label);
    let number = |offset: usize, label: &str| value(offset, label)?.parse::<u64>().ok();
    let total = number(0, "  Total:     ")?;
    let passed = number(1, "  Passed:    ")?;
    let skipped = number(2, "  Skipped:   ");
    let whole = skipped.is_some() && value(3, "  Duration:  ").is_some();
    if !(whole || may_be_cut) || passed > total {
        return None;
    }
    let height = if whole { 4 } else { 2 + usize::from(skipped.is_some()) };
    Some(Closing { first: at, end: at + height, total, passed, skipped })
}

/// `• • ✘   (2 / 3)`: passed and all of one suite.
fn suite(text: &str) -> Option<(u64, u64)> {
    let (marks, numbers) = text.strip_suffix(')')?.rsplit_once("  (")?;
    // A suite's name may stand before its marks.
    if !marks.ends_with(['•', '✘', ' ']) && !marks.is_empty() {
        return None;
    }
    let (passed, total) = numbers.split_once(" / ")?;
    Some((passed.parse().ok()?, total.parse().ok()?))
}

fn reading(closing: &Closing, lines: &[Line<'_>], begin: usize) -> Reading {
    let failed = closing.total - closing.passed;
    let tally = Tally { skipped: closing.skipped, ..Tally::of(closing.passed, failed, 0) };
    let mut reading = Reading::from_tally(ID, tally, lines[closing.first].quote());
    for line in &lines[closing.first + 1..closing.end] {
        reading = reading.quoting(line.quote());
    }
    reading
        .spanning(lines[begin].number, lines[closing.end - 1].number)
        .naming(cases(&lines[begin..closing.first]))
}

/// The tests of the `FAIL` headings, with the suite's name where it has one, and the first line below.
fn cases(lines: &[Line<'_>]) -> Vec<Case> {
    let case = |pair: &[Line<'_>]| {
        let [heading, below] = pair else { return None };
        let rest = heading.text.strip_prefix("   FAIL ")?.trim();
        let (suite, name) = rest.strip_suffix('"')?.split_once('"')?;
        let name = format!("{} {name}", suite.trim()).trim_start().to_owned();
        let message = Some(below.text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        Some(Case { name, file: None, status: CaseStatus::Failed, message, file_level: false })
    };
    lines.windows(2).filter_map(case).collect()
}

/// Suites behind the last closing: the run was cut, killed, or ended by a test.
fn unclosed(lines: &[Line<'_>], cut: bool) -> Option<Reading> {
    let early = lines.iter().find(|line| line.text.ends_with("Exiting early before testing is finished."));
    if let Some(line) = early {
        return Some(Reading::without_counts(ID, Said::Failed, line.quote()));
    }
    let mut suites = lines.iter().filter_map(|line| Some((line, suite(line.text)?)));
    let (first, _) = suites.clone().next()?;
    let failed = suites.find(|(_, (passed, total))| passed < total);
    let said = match failed {
        Some(_) => Said::Failed,
        None if cut => Said::Unfinished(Reason::OutputCut),
        None => Said::Unfinished(Reason::NoSummary),
    };
    let line = failed.map_or(first, |(line, _)| line);
    Some(Reading::without_counts(ID, said, line.quote()).spanning(first.number, line.number))
}
