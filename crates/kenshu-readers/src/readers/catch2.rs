//! Catch2: the closing lines of its console and compact reporters, its XML and its JSON.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

mod report;

const ID: &str = "catch2";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Catch2",
    versions: "2.13, 3.7",
    formats: "text (console, compact), XML, JSON",
    zero: "`No tests ran`, status 0 in version 2, 2 to 4 in version 3",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "All tests passed (",
        "test cases: ",
        "===============================================================================",
        " host application.",
        "Error(s) in input:",
        "All available test cases:",
        "Matching test cases:",
        "All available tags:",
        " test cases with ",
        " test case with ",
        " test cases, failed ",
        " test case, failed ",
        "No test cases matched '",
        "<Catch",
        "\"fail-but-ok\"",
    ],
    commands: &[],
    list_options: &[],
    covers: &["junit-xml"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let reports = report::readings(stream);
    if !reports.is_empty() {
        return reports;
    }
    let mut found = Found::default();
    for line in stream.lines() {
        found.take(line);
    }
    found.readings(hint)
}

/// What stands in one stream.
#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    /// The line that names the program, of a run that is not closed yet.
    begun: Option<Line<'a>>,
    /// `No test cases matched 'x'`.
    unmatched: bool,
    above: &'a str,
    /// Whether the line above is the first rule of a block that names a test.
    names: Names<'a>,
    failing: Vec<(Line<'a>, Option<&'a str>)>,
    usage: bool,
    list: bool,
}

/// Where in a block `----`, name, `----` the text is.
#[derive(Default)]
struct Names<'a> {
    in_block: bool,
    name: Option<&'a str>,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text.trim_end();
        let above = std::mem::replace(&mut self.above, text);
        if is_rule(text, b'-') {
            self.names.in_block = !self.names.in_block;
            if self.names.in_block {
                self.names.name = None;
            }
        } else if self.names.in_block {
            self.names.name.get_or_insert(text);
        } else if is_host(text) {
            self.begun = Some(line);
        } else if text.ends_with(": FAILED:") || text.starts_with("No assertions in test case '") {
            self.failing.push((line, self.names.name));
        } else if text.starts_with("No test cases matched '") {
            self.unmatched = true;
        } else if text == "Error(s) in input:" {
            self.usage = true;
        } else if self.usage && text == "Run with -? for usage" {
            self.close(line, Said::CouldNotRun(Reason::UsageError), Tally::ZERO);
        } else if matches!(
            text,
            "All available test cases:"
                | "Matching test cases:"
                | "All available tags:"
                | "Available reporters:"
        ) {
            self.list = true;
        } else if self.list && is_list_end(text) {
            self.close(line, Said::NothingRan(Reason::ListOnly), Tally::ZERO);
        } else if let Some(tally) = totals(text, above) {
            let said = Said::of(&tally);
            self.close(line, said, tally);
        } else if let Some(tally) = compact(text) {
            let said = if tally.passed.is_none() { Said::Failed } else { Said::of(&tally) };
            self.close(line, said, tally);
        }
    }

    fn close(&mut self, line: Line<'a>, said: Said, tally: Tally) {
        let mut reading = Reading { tally, ..Reading::without_counts(ID, said, line.quote()) };
        if let Some(begun) = self.begun.take() {
            reading = reading.spanning(begun.number, line.number);
        }
        let unmatched = std::mem::take(&mut self.unmatched);
        reading = reading.filtered(unmatched).naming(self.failed_cases(tally.failed));
        (self.usage, self.list) = (false, false);
        self.closed.push(reading);
    }

    /// The tests that failed, where they are as many as the closing line counts: an expected failure is printed alike.
    fn failed_cases(&mut self, count: Option<u64>) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for (line, name) in self.failing.drain(..) {
            let Some(name) = name else { return Vec::new() };
            if cases.iter().any(|case| case.name == name) {
                continue;
            }
            let place = line.text.trim_end().strip_suffix(": FAILED:");
            let file = place.and_then(|place| place.rsplit_once(':')).map(|(file, _)| file.to_owned());
            let name = name.to_owned();
            cases.push(Case { name, file, status: CaseStatus::Failed, message: None, file_level: false });
        }
        if count == Some(cases.len() as u64) { cases } else { Vec::new() }
    }

    fn readings(mut self, hint: Hint<'_>) -> Vec<Reading> {
        let closed = std::mem::take(&mut self.closed);
        if closed.is_empty() {
            return self.unclosed(hint).into_iter().collect();
        }
        let cut = runs::loses_its_end(hint);
        let mut readings = runs::closing(closed, hint);
        if cut {
            readings = readings.into_iter().map(Reading::summed).collect();
        }
        readings
    }

    /// A run that began, or of which failures are left, and that nothing closes.
    fn unclosed(&self, hint: Hint<'_>) -> Option<Reading> {
        if let (Some((line, _)), true) = (self.failing.first(), self.begun.is_some() || runs::is_cut(hint)) {
            // A test that may fail is printed alike.
            let reading = Reading::without_counts(ID, Said::Unfinished(Reason::OutputCut), line.quote());
            let told = self.begun.is_some() && !runs::is_cut(hint);
            return Some(if told { reading.saying(Said::Failed) } else { reading });
        }
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        self.begun.map(|line| Reading::without_counts(ID, Said::Unfinished(reason), line.quote()))
    }
}

fn is_rule(text: &str, symbol: u8) -> bool {
    text.len() == 79 && text.bytes().all(|byte| byte == symbol)
}

/// `t is a Catch v2.13.10 host application.`
fn is_host(text: &str) -> bool {
    text.ends_with(" host application.")
        && (text.contains(" is a Catch v") || text.contains(" is a Catch2 v"))
}

/// `8 test cases`, `1 matching test case`, `7 tags`
fn is_list_end(text: &str) -> bool {
    number_and_word(text).is_some_and(|(_, word)| {
        matches!(
            word,
            "test cases" | "test case" | "matching test cases" | "matching test case" | "tags" | "tag"
        )
    }) || text.strip_prefix("0 ").is_some()
}

/// The console's closing line.
fn totals(text: &str, above: &str) -> Option<Tally> {
    if let Some(rest) = text.strip_prefix("test cases:") {
        return columns(rest);
    }
    if let Some(rest) = text.strip_prefix("All tests passed (") {
        let (assertions, cases) = rest.strip_suffix(')')?.split_once(" in ")?;
        let (_, word) = number_and_word(assertions)?;
        let (count, cases) = number_and_word(cases)?;
        let known = word.starts_with("assertion") && matches!(cases, "test case" | "test cases");
        return known.then_some(Tally::of(count, 0, 0));
    }
    (text == "No tests ran" && is_rule(above, b'=')).then_some(Tally::ZERO)
}

/// ` 5 | 3 passed | 2 failed`, padded; an unknown word gives nothing.
fn columns(text: &str) -> Option<Tally> {
    let mut parts = text.split('|').map(str::trim);
    let total: u64 = parts.next()?.parse().ok()?;
    let mut tally = Tally::ZERO;
    for part in parts {
        let (count, word) = number_and_word(part)?;
        let field = match word {
            "passed" => &mut tally.passed,
            "failed" => &mut tally.failed,
            "failed as expected" => &mut tally.expected_failures,
            "skipped" => &mut tally.skipped,
            _ => return None,
        };
        *field = Some(count);
    }
    (tally.total() == Some(total)).then_some(tally)
}

/// The closing line of version 2's compact reporter; one with failures doesn't say how many tests passed.
fn compact(text: &str) -> Option<Tally> {
    static PASSED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^Passed (?:both |all )?(\d+) test cases? (?:with \d+ assertions?|\(no assertions\))\.$")
            .expect("pattern of a line")
    });
    static FAILED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^Failed (?:both |all )?(\d+) test cases?, failed (?:both |all )?\d+ assertions?\.$")
            .expect("pattern of a line")
    });
    if text.starts_with("Passed ") {
        return Some(Tally::of(PASSED.captures(text)?[1].parse().ok()?, 0, 0));
    }
    if text.starts_with("Failed ") {
        let failed = FAILED.captures(text)?[1].parse().ok()?;
        return Some(Tally { failed: Some(failed), ..Tally::UNKNOWN });
    }
    None
}
