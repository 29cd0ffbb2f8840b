//! Meson: the closing table of `meson test`.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "meson";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "meson test",
    versions: "1.0, 1.7",
    formats: "text",
    zero: "`No tests defined.`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "Full log written to ",
        "No tests defined.",
        "No suitable tests defined.",
        "Unexpected Pass: ",
        "No such build data file as ",
    ],
    commands: &[&["meson", "test"]],
    list_options: &["--list"],
    covers: &["tap"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut found = Found::default();
    for line in stream.lines() {
        found.take(line, hint.named);
    }
    found.end_table(hint.named);
    found.readings(hint)
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    table: Vec<(Line<'a>, &'a str, u64)>,
    failing: Vec<Case>,
    first_result: Option<Line<'a>>,
    interrupted: bool,
    /// Tests that a stop of the whole run cancelled; the table counts them as failed.
    cancelled: u64,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>, named: bool) {
        let text = line.text.trim_end();
        if let Some((word, count)) = row(text) {
            // "Ok" is the first row, and a word that is not known spoils the table.
            if word == "Ok" {
                self.end_table(named);
            }
            if word == "Ok" || !self.table.is_empty() || is_known(word) {
                self.table.push((line, word, count));
                return;
            }
        } else if text.starts_with("Full log written to ") && text.contains("meson-logs") {
            self.end_table(true);
        } else if !text.is_empty() {
            self.end_table(named);
        }
        if let Some((name, word)) = result(text) {
            self.first_result.get_or_insert(line);
            self.cancelled += u64::from(word == "INTERRUPT");
            if matches!(word, "FAIL" | "ERROR" | "TIMEOUT")
                && !self.failing.iter().any(|case| case.name == name)
            {
                self.failing.push(Case {
                    name: name.to_owned(),
                    file: None,
                    status: CaseStatus::Failed,
                    message: None,
                    file_level: false,
                });
            }
        } else if text == "WARNING: CTRL-C detected, interrupting"
            || text.starts_with("WARNING: Received signal")
        {
            self.interrupted = true;
        } else if let Some(said) = statement(text, named) {
            self.closed.push(Reading::without_counts(ID, said, line.quote()));
        }
    }

    fn end_table(&mut self, sure: bool) {
        let table = std::mem::take(&mut self.table);
        let Some((first, _, _)) = table.first() else { return };
        // `Fail: 2` in any program's output is no table of Meson's.
        let whole = table.len() >= 2 && self.first_result.is_some();
        if !sure && !whole {
            return;
        }
        let (tally, all_known) = tally(&table);
        let failed = tally.has_failure() || tally.unexpected_passes.is_some_and(|count| count > 0);
        let said = match (failed, all_known) {
            (true, _) => Said::Failed,
            (false, false) => Said::Unfinished(Reason::NoSummary),
            (false, true) => Said::of(&tally),
        };
        let reading = Reading { tally, ..Reading::without_counts(ID, said, first.quote()) };
        let reading = table.iter().fold(reading, |reading, (line, _, _)| reading.quoting(line.quote()));
        let begun = self.first_result.take().map_or(first.number, |line| line.number);
        let last = reading.lines.1;
        self.closed.push(reading.spanning(begun, last).naming(std::mem::take(&mut self.failing)));
    }

    fn readings(mut self, hint: Hint<'_>) -> Vec<Reading> {
        if self.closed.is_empty()
            && let Some(line) = self.first_result
        {
            let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
            let said = if self.failing.is_empty() { Said::Unfinished(reason) } else { Said::Failed };
            // A line like `1/2 x OK 0.1s` is anybody's.
            if hint.named {
                let reading = Reading::without_counts(ID, said, line.quote());
                self.closed.push(reading.naming(self.failing));
            }
        }
        let cancelled = std::mem::take(&mut self.cancelled);
        let stopped = |reading: &Reading| {
            let only_cancelled = reading.tally.failed == Some(cancelled) && reading.tally.errored == Some(0);
            reading.said != Said::Failed || (cancelled > 0 && only_cancelled)
        };
        if self.interrupted || cancelled > 0 {
            for reading in self.closed.iter_mut().filter(|reading| stopped(reading)) {
                reading.said = Said::Unfinished(Reason::Killed);
                reading.tally = Tally::UNKNOWN;
            }
        }
        self.closed
    }
}

/// `Expected Fail:      1`
fn row(text: &str) -> Option<(&str, u64)> {
    let (word, count) = text.split_once(':')?;
    let is_row = count.starts_with(' ') && word.starts_with(|symbol: char| symbol.is_ascii_uppercase());
    Some((word, count.trim().parse().ok()?)).filter(|_| is_row)
}

fn is_known(word: &str) -> bool {
    matches!(
        word,
        "Ok" | "Expected Fail" | "Fail" | "Unexpected Pass" | "Skipped" | "Timeout" | "Ignored" | "Pending"
    )
}

/// The numbers of the rows that are left, and whether that is the whole table.
fn tally(table: &[(Line<'_>, &str, u64)]) -> (Tally, bool) {
    let has_start = table.first().is_some_and(|(_, word, _)| *word == "Ok");
    let all_known = has_start && table.iter().all(|(_, word, _)| is_known(word));
    let mut tally = if all_known { Tally::ZERO } else { Tally::UNKNOWN };
    for (_, word, count) in table {
        let field = match *word {
            "Ok" => &mut tally.passed,
            "Expected Fail" => &mut tally.expected_failures,
            "Fail" => &mut tally.failed,
            "Unexpected Pass" => &mut tally.unexpected_passes,
            "Skipped" | "Ignored" => &mut tally.skipped,
            "Timeout" => &mut tally.errored,
            _ => continue,
        };
        *field = Some(field.unwrap_or(0).saturating_add(*count));
    }
    (tally, all_known)
}

/// `4/7 demo:d FAIL            0.01s   exit status 1`
fn result(text: &str) -> Option<(&str, &str)> {
    static RESULT: LazyLock<Regex> = LazyLock::new(|| {
        let words = "OK|FAIL|ERROR|TIMEOUT|SKIP|EXPECTEDFAIL|UNEXPECTEDPASS|INTERRUPT|IGNORED";
        Regex::new(&format!(r"^ *\d+/\d+ (\S.*?) +({words}) +\d+\.\d+ ?s")).expect("pattern of a line")
    });
    if !text.contains('/') {
        return None;
    }
    let found = RESULT.captures(text)?;
    Some((found.get(1)?.as_str(), found.get(2)?.as_str()))
}

fn statement(text: &str, named: bool) -> Option<Said> {
    match text {
        "No tests defined." => return Some(Said::NothingRan(Reason::ZeroTests)),
        "No suitable tests defined." => return Some(Said::NothingRan(Reason::FilterMatchedNothing)),
        _ => {}
    }
    if text.starts_with("ERROR: No such build data file as ") {
        return Some(Said::CouldNotRun(Reason::Environment));
    }
    (named && text.starts_with("meson: error: ")).then_some(Said::CouldNotRun(Reason::UsageError))
}
