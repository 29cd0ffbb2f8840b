//! Busted (Lua): the closing line of its terminal outputs and its GoogleTest-like output.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "busted";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Busted",
    versions: "2.1",
    formats: "text (plain, UTF-8, gtest)",
    zero: "`0 successes / 0 failures / 0 errors / 0 pending`, status 0; without a file 2 errors and status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[" successes / ", " success / ", " test file ran.", " test files ran.", "busted: error: "],
    commands: &[&["busted"], &["luarocks", "test"]],
    list_options: &["--list", "-l"],
    covers: &["googletest"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"^(\d+) success(?:es)? / (\d+) failures? / (\d+) errors? / (\d+) pending : [\d.e+-]+ seconds$",
        )
        .expect("pattern of a line")
    });
    let mut found = Found::default();
    for line in stream.lines() {
        let text = line.text.trim_end();
        if text.contains(" / ")
            && let Some(numbers) = CLOSING.captures(text)
        {
            let number = |index: usize| numbers[index].parse::<u64>().ok();
            let tally = Tally {
                passed: number(1),
                failed: number(2),
                errored: number(3),
                skipped: number(4),
                ..Tally::ZERO
            };
            found.closed.push(Reading::from_tally(ID, tally, line.quote()));
            found.outside.push(Outside::default());
        } else if text.starts_with("Error ") || text.starts_with("Failure ") {
            found.take_entry(line, text);
        } else if text.starts_with("[==========] ")
            || text.starts_with("[  ")
            || text.starts_with("[ SKIPPED  ] ")
        {
            found.take_gtest(line, text);
        } else if text.starts_with("busted: error: ") {
            found.closed.push(Reading::without_counts(
                ID,
                Said::CouldNotRun(Reason::UsageError),
                line.quote(),
            ));
            found.outside.push(Outside::default());
        }
    }
    found.readings(hint)
}

/// Errors below a closing line that belong to no test.
#[derive(Clone, Copy, Default)]
struct Outside {
    /// Files that did not load, errors of hooks.
    errors: u64,
    /// `No test files found`, `Cannot find file or directory`.
    nothing_found: u64,
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    outside: Vec<Outside>,
    first_entry: Option<Line<'a>>,
    begun: Option<Line<'a>>,
    gtest: Option<Gtest<'a>>,
}

/// The closing block of the GoogleTest-like output.
struct Gtest<'a> {
    line: Line<'a>,
    total: u64,
    tally: Tally,
    last: u32,
    failing: Vec<Case>,
}

impl<'a> Found<'a> {
    /// `Failure -> spec/a_spec.lua @ 5` and `Error -> spec/a_spec.lua:2: …`, below the closing line they belong to.
    fn take_entry(&mut self, line: Line<'a>, text: &'a str) {
        let Some((kind, place)) = text.split_once(" -> ").or_else(|| text.split_once(" → ")) else {
            return;
        };
        let is_error = kind == "Error";
        if !is_error && kind != "Failure" {
            return;
        }
        self.first_entry.get_or_insert(line);
        let (Some(reading), Some(outside)) = (self.closed.last_mut(), self.outside.last_mut()) else {
            return;
        };
        reading.lines.1 = line.number;
        if let Some((file, number)) = place.rsplit_once(" @ ") {
            reading.cases.push(Case {
                name: format!("{file}:{number}"),
                file: Some(file.to_owned()),
                status: CaseStatus::Failed,
                message: None,
                file_level: false,
            });
        } else if is_error {
            outside.errors += 1;
            let nothing = place.starts_with("No test files found matching ")
                || place.starts_with("Cannot find file or directory: ");
            outside.nothing_found += u64::from(nothing);
        }
    }

    fn take_gtest(&mut self, line: Line<'a>, text: &'a str) {
        if text == "[==========] Running tests from scanned files." {
            self.end_gtest();
            self.begun = Some(line);
            return;
        }
        if let Some(rest) = text.strip_prefix("[==========] ") {
            if let Some(total) = footer(rest) {
                self.end_gtest();
                self.gtest =
                    Some(Gtest { line, total, tally: Tally::ZERO, last: line.number, failing: Vec::new() });
            }
            return;
        }
        let Some(closing) = &mut self.gtest else { return };
        let Some((mark, rest)) = text.split_once(" ] ") else { return };
        let counted = rest.split_once(' ').and_then(|(count, what)| {
            let count: u64 = count.parse().ok()?;
            matches!(
                what,
                "test."
                    | "tests."
                    | "test, listed below:"
                    | "tests, listed below:"
                    | "error, listed below:"
                    | "errors, listed below:"
            )
            .then_some(count)
        });
        closing.last = line.number;
        match (mark.trim_matches(['[', ' ']), counted) {
            ("PASSED", Some(count)) => closing.tally.passed = Some(count),
            ("SKIPPED", Some(count)) => closing.tally.skipped = Some(count),
            ("FAILED", Some(count)) => closing.tally.failed = Some(count),
            ("ERROR", Some(count)) => closing.tally.errored = Some(count),
            ("FAILED" | "ERROR", None) => {
                let name = rest.to_owned();
                let file = rest.split_once(" @ ").map(|(file, _)| file.to_owned());
                closing.failing.push(Case {
                    name,
                    file,
                    status: CaseStatus::Failed,
                    message: None,
                    file_level: false,
                });
            }
            _ => {}
        }
    }

    fn end_gtest(&mut self) {
        let Some(closing) = self.gtest.take() else { return };
        let begun = self.begun.take().map_or(closing.line.number, |line| line.number);
        let mut reading = Reading::from_tally(ID, closing.tally, closing.line.quote());
        if closing.tally.total() < Some(closing.total) && reading.said != Said::Failed {
            reading = reading.saying(Said::Unfinished(Reason::OutputCut));
            reading.tally = Tally::UNKNOWN;
        }
        self.closed.push(reading.naming(closing.failing).spanning(begun, closing.last));
        self.outside.push(Outside::default());
    }

    fn readings(mut self, hint: Hint<'_>) -> Vec<Reading> {
        self.end_gtest();
        if self.closed.is_empty() {
            let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
            let failed = self.first_entry.filter(|_| hint.named).map(|line| (line, Said::Failed));
            let open = self.begun.map(|line| (line, Said::Unfinished(reason)));
            let reading = failed.or(open).map(|(line, said)| Reading::without_counts(ID, said, line.quote()));
            return reading.into_iter().collect();
        }
        for (reading, outside) in self.closed.iter_mut().zip(&self.outside) {
            settle_errors(reading, *outside);
        }
        let cut = runs::loses_its_end(hint);
        let readings = runs::closing(self.closed, hint).into_iter();
        readings.map(|reading| if cut { reading.summed() } else { reading }).collect()
    }
}

/// `6 tests from 1 test file ran. (11.47 ms total)`
fn footer(rest: &str) -> Option<u64> {
    let (counts, _) = rest.split_once(" ran.")?;
    let (tests, files) = counts.split_once(" from ")?;
    let total = tests.strip_suffix(" tests").or_else(|| tests.strip_suffix(" test"))?;
    let known = files.ends_with(" test file") || files.ends_with(" test files");
    total.parse().ok().filter(|_| known)
}

/// Busted counts files that do not load, and its own word that there are none, among the errors.
fn settle_errors(reading: &mut Reading, outside: Outside) {
    let Some(errors) = reading.tally.errored.filter(|errors| outside.errors > 0 && outside.errors <= *errors)
    else {
        return;
    };
    let load_errors = outside.errors - outside.nothing_found;
    reading.tally.errored = Some(errors - outside.errors);
    reading.tally.load_errors = Some(load_errors);
    if !reading.tally.has_failure() && reading.tally.ran() == Some(0) {
        reading.said = Said::NothingRan(Reason::NoTestFiles);
    } else {
        reading.said = Said::Failed;
    }
}
