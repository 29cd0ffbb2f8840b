//! `cypress`: `cypress run`, which closes with a table of specs under `(Run Finished)` and a row of its totals.
//!
//! Mocha's own lines stand above it, once for each spec; the totals count them all. Pending is what was skipped on
//! purpose, Skipped what a failed hook kept from running (Cypress documentation, "Mocha and test statuses").

use kenshu_model::count::FileTally;
use kenshu_model::{Reason, Tally};

use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "cypress";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Cypress",
    versions: "as documented for 4 to 15",
    formats: "text",
    zero: "\"Can't run because no spec files were found.\", status 1",
    samples: Samples::Documented,
    specificity: Specificity::Own,
    needles: &[
        "(Run Starting)",
        "(Run Finished)",
        "Can't run because no spec files were found.",
        "Cypress executable not found at: ",
    ],
    commands: &[&["cypress", "run"], &["cypress-parallel"]],
    list_options: &[],
    covers: &["mocha"],
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let mut readings = Vec::new();
    let mut start = None;
    let mut table = false;
    for line in &lines {
        match line.text.trim() {
            "(Run Starting)" => {
                readings.extend(start.take().map(|begin| unfinished(begin, line, cut)));
                start = Some(line);
                table = false;
            }
            "(Run Finished)" => table = true,
            text if table && (text.starts_with("✔  All specs passed!") || is_failed_row(text)) => {
                let first = start.take().unwrap_or(line);
                readings
                    .extend(totals(line, text).map(|reading| reading.spanning(first.number, line.number)));
                table = false;
            }
            text => readings.extend(did_not_run(line, text)),
        }
    }
    if let (Some(begin), Some(last)) = (start, lines.last()) {
        readings.push(unfinished(begin, last, cut));
    }
    readings
}

/// `✖  1 of 2 failed (50%) …`.
fn is_failed_row(text: &str) -> bool {
    text.strip_prefix("✖  ").is_some_and(|rest| rest.contains(" of ") && rest.contains(" failed ("))
}

/// The last five columns: tests, passing, failing, pending, skipped; a dash is a zero.
fn totals(line: &Line<'_>, text: &str) -> Option<Reading> {
    let number = |column: &str| if column == "-" { Some(0) } else { column.parse::<u64>().ok() };
    let mut columns: Vec<u64> = text.split_whitespace().rev().take(5).map_while(number).collect();
    columns.reverse();
    let [tests, passing, failing, pending, skipped] = columns[..] else { return None };
    let left_out = pending.checked_add(skipped)?;
    let adds_up = passing.checked_add(failing)?.checked_add(left_out)? == tests;
    // A test that passed when it was tried again is told apart nowhere in the table.
    let tally = Tally { flaky: None, ..Tally::of(passing, failing, left_out) };
    let mut reading = Reading::from_tally(ID, tally, line.quote());
    if let Some((number, rest)) = text.strip_prefix("✖  ").and_then(|rest| rest.split_once(" of ")) {
        let all = rest.split_whitespace().next().and_then(|all| all.parse::<u64>().ok());
        if let (Ok(failed), Some(total)) = (number.parse::<u64>(), all) {
            reading.files = Some(FileTally { passed: total.saturating_sub(failed), failed, total });
        }
        if failing == 0 {
            // A spec that did not load fails without a test.
            reading.tally.load_errors = number.parse().ok();
        }
        return Some(reading.saying(Said::Failed));
    }
    Some(if adds_up { reading } else { reading.saying(Said::Unfinished(Reason::NoSummary)) })
}

fn unfinished(begin: &Line<'_>, end: &Line<'_>, cut: bool) -> Reading {
    let reason = if cut { Reason::OutputCut } else { Reason::NoSummary };
    Reading::without_counts(ID, Said::Unfinished(reason), begin.quote()).spanning(begin.number, end.number)
}

/// What Cypress says where it starts nothing.
fn did_not_run(line: &Line<'_>, text: &str) -> Option<Reading> {
    let said = if text == "Can't run because no spec files were found." {
        Said::NothingRan(Reason::NoTestFiles)
    } else if text.starts_with("Cypress executable not found at: ") {
        Said::CouldNotRun(Reason::Environment)
    } else {
        return None;
    };
    Some(Reading::without_counts(ID, said, line.quote()))
}
