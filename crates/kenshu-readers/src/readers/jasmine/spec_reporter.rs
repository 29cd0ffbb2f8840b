//! jasmine-spec-reporter, which closes with `Executed 4 of 6 specs (2 FAILED) (2 PENDING) in 0.011 sec.`

use std::sync::LazyLock;

use kenshu_model::{Reason, Tally};
use regex::Regex;

use super::ID;
use crate::reading::{Reading, Said};
use crate::text::Line;

static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^Executed (\d+) of (\d+) specs?(?: SUCCESS| INCOMPLETE)?(?: \((\d+) ERRORS?\))?",
        r"(?: \((\d+) FAILED\))?(?: \((\d+) PENDING\))?(?: \((\d+) SKIPPED\))?(?: in .+)?\.$",
    ))
    .expect("valid pattern")
});

/// The last closing of each run, which opens with `Jasmine started`.
pub(super) fn read(lines: &[Line<'_>]) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    let mut first = 0;
    let mut open = None;
    for (index, line) in lines.iter().enumerate() {
        if line.text == "Jasmine started" {
            readings.extend(open.take());
            first = index;
        } else if line.text.starts_with("Executed ")
            && let Some(reading) = closing(line)
        {
            open = Some(reading.spanning(lines[first].number, line.number));
        }
    }
    readings.extend(open);
    readings
}

fn closing(line: &Line<'_>) -> Option<Reading> {
    let numbers = CLOSING.captures(line.text)?;
    let number =
        |group: usize| numbers.get(group).map_or(Some(0), |digits| digits.as_str().parse::<u64>().ok());
    let (executed, errors, failed) = (number(1)?, number(3)?, number(4)?);
    let skipped = number(5)?.checked_add(number(6)?)?;
    let tally =
        Tally { load_errors: Some(errors), ..Tally::of(executed.checked_sub(failed)?, failed, skipped) };
    let reading = Reading::from_tally(ID, tally, line.quote());
    let left_out = number(6)? > 0 && reading.said == Said::Passed;
    // Specs that a focused one left out: Jasmine itself calls such a run incomplete.
    Some(if left_out { reading.saying(Said::Unfinished(Reason::NoSummary)) } else { reading })
}
