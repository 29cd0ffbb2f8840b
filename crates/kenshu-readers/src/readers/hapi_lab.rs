//! `hapi-lab`: @hapi/lab's console reporter, which closes with `3 tests complete (1 skipped)` or `2 of 3 tests failed`
//! above the time of the run. The tests of these numbers are those that ran.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "hapi-lab";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "hapi lab",
    versions: "26.0",
    formats: "text of the console reporter",
    zero: "0 tests complete, status 0; no file: \"Could not find test file or directory\", status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " tests complete",
        " tests failed",
        "Could not find test file or directory '",
        "Error requiring file: ",
    ],
    commands: &[&["lab"]],
    list_options: &["-d", "--dry"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(\d+) tests complete|(\d+) of (\d+) tests failed)(?: \((\d+) skipped\))?$")
        .expect("valid pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let mut readings = Vec::new();
    let mut from = 0;
    for (at, line) in lines.iter().enumerate() {
        let text = line.text;
        let timed = lines.get(at + 1).is_some_and(|below| below.text.starts_with("Test duration: "));
        if timed && text.starts_with(|first: char| first.is_ascii_digit()) {
            readings.extend(closing(&lines[from..=at]));
            from = at + 1;
        }
        let said = if !hint.named {
            continue;
        } else if text.starts_with("Could not find test file or directory '") {
            Said::NothingRan(Reason::NoTestFiles)
        } else if text.starts_with("Error requiring file: ")
            || text.starts_with("The following leaks were detected:")
        {
            Said::Failed
        } else if text.starts_with("Unknown option: ") {
            Said::CouldNotRun(Reason::UsageError)
        } else {
            continue;
        };
        let reading = match (readings.pop(), said) {
            // What stands below the numbers of a run is about that run.
            (Some(run), Said::Failed) => run.saying(Said::Failed).quoting(line.quote()),
            (run, said) => {
                readings.extend(run);
                Reading::without_counts(ID, said, line.quote())
            }
        };
        readings.push(reading);
    }
    doubt_all_but_the_last(&mut readings, hint);
    readings
}

/// A test can print what lab closes with. More passed runs than the command asks for are in doubt.
fn doubt_all_but_the_last(readings: &mut [Reading], hint: Hint<'_>) {
    let asked_for = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation)).count().max(1);
    if readings.len() <= asked_for {
        return;
    }
    if let Some((_, earlier)) = readings.split_last_mut() {
        for reading in earlier {
            reading.said = Said::Unfinished(Reason::Ambiguous);
            reading.tally = Tally::UNKNOWN;
        }
    }
}

fn closing(lines: &[Line<'_>]) -> Option<Reading> {
    let line = lines.last()?;
    let numbers = CLOSING.captures(line.text)?;
    let number =
        |group: usize| numbers.get(group).map_or(Some(0), |digits| digits.as_str().parse::<u64>().ok());
    let (complete, failed, all, skipped) = (number(1)?, number(2)?, number(3)?, number(4)?);
    let passed = if all > 0 { all.checked_sub(failed)? } else { complete };
    let errors = lines.iter().rev().find_map(|line| {
        line.text.strip_prefix("There were ")?.strip_suffix(" test script error(s).")?.parse::<u64>().ok()
    });
    let tally = Tally { load_errors: Some(errors.unwrap_or(0)), ..Tally::of(passed, failed, skipped) };
    let first = lines.first()?.number;
    Some(Reading::from_tally(ID, tally, line.quote()).spanning(first, line.number).naming(cases(lines)))
}

/// `  2) d:` below `Failed tests:`.
fn cases(lines: &[Line<'_>]) -> Vec<Case> {
    let Some(start) = lines.iter().rposition(|line| line.text == "Failed tests:") else { return Vec::new() };
    let case = |line: &Line<'_>| {
        let (number, name) = line.text.strip_prefix("  ")?.split_once(") ")?;
        number.parse::<u64>().ok()?;
        let name = name.strip_suffix(':')?.to_owned();
        Some(Case { name, file: None, status: CaseStatus::Failed, message: None, file_level: false })
    };
    lines[start..].iter().filter_map(case).collect()
}
