//! The closing lines and blocks with numbers.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use super::without;
use crate::reading::{Reading, Said};
use crate::text::Line;

/// VSTest, one line for each assembly; Microsoft.Testing.Platform's build task prints the same with single blanks.
static ASSEMBLY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\s*(Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +(\d+), Duration: .+ - \S.*$",
    )
    .expect("valid pattern")
});

/// The terminal logger's total.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\s*Test summary: total: (\d+), failed: (\d+), succeeded: (\d+), skipped: (\d+), duration: .+$",
    )
    .expect("valid pattern")
});

/// VSTest before 16: all on one line.
static ON_ONE_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*Total tests: (\d+)\. Passed: (\d+)\. Failed: (\d+)\. Skipped: (\d+)\.$")
        .expect("valid pattern")
});

static FAILED_CASE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^  Failed (\S.*?)(?: \[[^\[\]]+\])?$").expect("valid pattern"));

fn numbers(groups: &regex::Captures<'_>, from: usize) -> Option<[u64; 4]> {
    let number = |index: usize| groups[from + index].parse().ok();
    Some([number(0)?, number(1)?, number(2)?, number(3)?])
}

/// A tally whose parts must make up the total.
fn tally(total: u64, failed: u64, passed: u64, skipped: u64) -> Option<Tally> {
    let sum = failed.checked_add(passed)?.checked_add(skipped)?;
    (sum == total).then(|| Tally::of(passed, failed, skipped))
}

fn counted(tally: Option<Tally>, says_failed: bool, line: Line<'_>) -> Reading {
    let Some(tally) = tally else {
        let said = if says_failed { Said::Failed } else { Said::Unfinished(Reason::PlanMismatch) };
        return without(said, line.quote());
    };
    let reading = Reading::from_tally("dotnet-test", tally, line.quote());
    // Microsoft.Testing.Platform calls a run failed in which every test was skipped; that fails no test.
    if says_failed && reading.said == Said::Passed { reading.saying(Said::Failed) } else { reading }
}

/// `Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 12 ms - X.dll (net8.0)`
pub(super) fn assembly(line: Line<'_>) -> Option<Reading> {
    if !line.text.contains("! ") {
        return None;
    }
    let groups = ASSEMBLY.captures(line.text)?;
    let [failed, passed, skipped, total] = numbers(&groups, 2)?;
    Some(counted(tally(total, failed, passed, skipped), &groups[1] == "Failed", line))
}

/// `Test summary: total: 3, failed: 0, succeeded: 3, skipped: 0, duration: 1.2s`
pub(super) fn summary(line: Line<'_>) -> Option<Reading> {
    if !line.text.contains("Test summary: ") {
        return None;
    }
    let groups = SUMMARY.captures(line.text)?;
    let [total, failed, passed, skipped] = numbers(&groups, 1)?;
    Some(counted(tally(total, failed, passed, skipped), false, line))
}

/// `  Failed ATest.b [12 ms]`
pub(super) fn failed_case(text: &str) -> Option<Case> {
    if !text.starts_with("  Failed ") {
        return None;
    }
    let groups = FAILED_CASE.captures(text)?;
    Some(Case {
        name: groups[1].to_owned(),
        file: None,
        status: CaseStatus::Failed,
        message: None,
        file_level: false,
    })
}

/// Which block it is: they differ in their labels and in what ends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `Test Run Failed.`, `Total tests: 6`, `     Passed: 3` …
    VsTest,
    /// `Test run summary: Failed!`, `  total: 6`, `  failed: 2` …
    Platform,
}

/// A closing block of several lines.
pub(super) struct Block {
    kind: Kind,
    quotes: Vec<Quote>,
    says_failed: bool,
    /// The first line has a word that isn't known.
    unknown: bool,
    aborted: bool,
    total: Option<u64>,
    failed: u64,
    passed: u64,
    skipped: u64,
    errors: u64,
    one_line: bool,
}

impl Block {
    /// The first line of a block.
    pub(super) fn begin(line: Line<'_>) -> Option<Block> {
        let text = line.text;
        let trimmed = text.trim_end();
        let of = |kind: Kind| Block {
            kind,
            quotes: vec![line.quote()],
            says_failed: false,
            unknown: false,
            aborted: false,
            total: None,
            failed: 0,
            passed: 0,
            skipped: 0,
            errors: 0,
            one_line: false,
        };
        if let Some(word) = text.strip_prefix("Test run summary: ") {
            let word = word.split(" - ").next().unwrap_or(word).trim();
            let known = word.starts_with("Minimum expected tests policy violation")
                || matches!(word, "Passed!" | "Failed!" | "Zero tests ran" | "Aborted");
            return Some(Block {
                says_failed: word == "Failed!",
                aborted: word == "Aborted",
                unknown: !known,
                ..of(Kind::Platform)
            });
        }
        match trimmed {
            "Test Run Successful." => Some(of(Kind::VsTest)),
            "Test Run Failed." => Some(Block { says_failed: true, ..of(Kind::VsTest) }),
            _ => {
                let groups = text.contains("Total tests: ").then(|| ON_ONE_LINE.captures(text)).flatten()?;
                let [total, passed, failed, skipped] = numbers(&groups, 1)?;
                let block = of(Kind::VsTest);
                Some(Block { total: Some(total), passed, failed, skipped, one_line: true, ..block })
            }
        }
    }

    /// Takes one more line of the block; `false`: the line is no part of it.
    pub(super) fn take(&mut self, line: Line<'_>) -> bool {
        let text = line.text.trim();
        if text.is_empty() {
            return true;
        }
        if self.one_line && matches!(text, "Test Run Successful." | "Test Run Failed.") {
            self.says_failed |= text == "Test Run Failed.";
            return true;
        }
        let Some((label, rest)) = text.split_once(": ") else { return false };
        let end = rest.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse::<u64>().ok();
        let field = match (self.kind, label) {
            (Kind::VsTest, "Total tests") | (Kind::Platform, "total") => {
                self.total = number;
                self.quotes.push(line.quote());
                return true;
            }
            (Kind::VsTest, "Passed") | (Kind::Platform, "succeeded" | "passed") => &mut self.passed,
            (Kind::VsTest, "Failed") | (Kind::Platform, "failed") => &mut self.failed,
            (Kind::VsTest, "Skipped") | (Kind::Platform, "skipped") => &mut self.skipped,
            (Kind::Platform, "error") => &mut self.errors,
            (Kind::VsTest, "Total time") | (Kind::Platform, "duration" | "retried") => return true,
            _ => return false,
        };
        let Some(number) = number else { return false };
        *field = number;
        self.quotes.push(line.quote());
        true
    }

    pub(super) fn finish(self) -> Reading {
        let tally = self
            .total
            .and_then(|total| tally(total, self.failed, self.passed, self.skipped))
            .map(|tally| Tally { load_errors: Some(self.errors), ..tally });
        let mut quotes = self.quotes.into_iter();
        let first = quotes.next().expect("a block has its first line");
        let reading = match tally {
            Some(tally) => Reading::from_tally("dotnet-test", tally, first),
            None => without(Said::Unfinished(Reason::NoSummary), first),
        };
        let passes = reading.said == Said::Passed;
        let said = if self.says_failed && (passes || matches!(reading.said, Said::Unfinished(_))) {
            Said::Failed
        } else if passes && self.aborted {
            Said::Unfinished(Reason::Killed)
        } else if passes && self.unknown {
            Said::Unfinished(Reason::NoSummary)
        } else {
            reading.said
        };
        quotes.fold(reading.saying(said), Reading::quoting)
    }
}
