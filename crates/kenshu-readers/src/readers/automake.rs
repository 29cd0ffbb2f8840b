//! Automake's `make check`: the summary of the parallel harness and that of the serial one.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "automake";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Automake (make check)",
    versions: "1.16",
    formats: "text",
    zero: "`# TOTAL: 0`, `All 0 tests passed`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "# TOTAL: ",
        "# XPASS: ",
        "# ERROR: ",
        " tests passed\n",
        " test passed\n",
        " tests failed\n",
        " test failed\n",
        " behaved as expected",
        " not behave as expected",
    ],
    commands: &[],
    list_options: &[],
    covers: &["tap"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, _hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let mut readings = Vec::new();
    let mut results = Results::default();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let above = index.checked_sub(1).and_then(|above| lines.get(above)).map(|line| line.text.trim_end());
        let block: Vec<(Line<'_>, &str, u64)> = lines[index..]
            .iter()
            .map_while(|line| row(line.text).map(|(word, count)| (*line, word, count)))
            .collect();
        // The log that `VERBOSE` shows holds the same rows below a blank line.
        if !block.is_empty() && (above.is_none_or(is_rule) || block[0].1 != "TOTAL") {
            readings.push(results.close(of_rows(&block)));
            index += block.len();
            continue;
        }
        if above.is_some_and(is_rule)
            && let Some(reading) =
                serial(*line, lines.get(index + 1).map(|line| line.text.trim_end()), &results)
        {
            readings.push(results.close(reading));
        }
        results.take(*line);
        index += block.len().max(1);
    }
    readings
}

fn is_rule(text: &str) -> bool {
    text.len() >= 6 && text.bytes().all(|byte| byte == b'=')
}

/// `# XFAIL: 1`
fn row(text: &str) -> Option<(&str, u64)> {
    let (word, count) = text.strip_prefix("# ")?.split_once(':')?;
    let known = matches!(word, "TOTAL" | "PASS" | "SKIP" | "XFAIL" | "FAIL" | "XPASS" | "ERROR");
    Some((word, count.trim().parse().ok()?)).filter(|_| known)
}

fn of_rows(block: &[(Line<'_>, &str, u64)]) -> Reading {
    let number = |wanted: &str| block.iter().find(|(_, word, _)| *word == wanted).map(|(_, _, count)| *count);
    let mut tally = Tally {
        passed: number("PASS"),
        failed: number("FAIL"),
        errored: number("ERROR"),
        skipped: number("SKIP"),
        expected_failures: number("XFAIL"),
        unexpected_passes: number("XPASS"),
        ..Tally::ZERO
    };
    let whole = number("TOTAL").is_some() && tally.total() == number("TOTAL");
    let said = if tally.has_failure() || tally.unexpected_passes.is_some_and(|count| count > 0) {
        Said::Failed
    } else if whole {
        Said::of(&tally)
    } else {
        tally = Tally::UNKNOWN;
        Said::Unfinished(Reason::OutputCut)
    };
    let first = block[0].0;
    let reading = Reading { tally, ..Reading::without_counts(ID, said, first.quote()) };
    block.iter().fold(reading, |reading, (line, _, _)| reading.quoting(line.quote()))
}

/// `PASS: a.sh` since the last summary.
#[derive(Default)]
struct Results {
    first: Option<u32>,
    passed: u64,
    expected: u64,
    others: u64,
    failing: Vec<String>,
}

impl Results {
    fn take(&mut self, line: Line<'_>) {
        let Some((word, name)) = line.text.split_once(": ") else { return };
        match word {
            "PASS" => self.passed += 1,
            "XFAIL" => self.expected += 1,
            "XPASS" => self.others += 1,
            "FAIL" | "ERROR" => {
                self.others += 1;
                if !self.failing.iter().any(|other| other == name) {
                    self.failing.push(name.to_owned());
                }
            }
            _ => return,
        }
        self.first.get_or_insert(line.number);
    }

    fn close(&mut self, reading: Reading) -> Reading {
        let results = std::mem::take(self);
        let last = reading.lines.1;
        let cases = results.failing.into_iter().map(|name| Case {
            name,
            file: None,
            status: CaseStatus::Failed,
            message: None,
            file_level: false,
        });
        let begun = results.first.unwrap_or(reading.lines.0);
        reading.naming(cases.collect()).spanning(begun, last)
    }
}

/// The serial harness: one or two lines between rules.
fn serial(line: Line<'_>, below: Option<&str>, results: &Results) -> Option<Reading> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = concat!(
            r"^(?:(?:All )?(?P<all>\d+) tests? (?:passed|behaved as expected(?: \((?P<xfail>\d+) expected failures?\))?)",
            r"|(?P<failed>\d+) of (?P<of>\d+) tests? (?:failed|did not behave as expected(?: \((?P<xpass>\d+) unexpected pass(?:es)?\))?))$"
        );
        Regex::new(pattern).expect("pattern of a line")
    });
    let text = line.text.trim_end();
    let found = CLOSING.captures(text)?;
    let number = |name: &str| found.name(name).and_then(|part| part.as_str().parse::<u64>().ok());
    let not_run = below.and_then(|below| below.strip_prefix('(')?.strip_suffix(" not run)"));
    if !below.is_some_and(|below| is_rule(below) || not_run.is_some() || below.starts_with('(')) {
        return None;
    }
    let skipped = match not_run {
        None => Some(0),
        Some(counted) => counted.split(' ').next().and_then(|count| count.parse().ok()),
    };
    let tally = if let Some(all) = number("all") {
        let expected = number("xfail").unwrap_or(0);
        Tally { passed: all.checked_sub(expected), expected_failures: Some(expected), skipped, ..Tally::ZERO }
    } else {
        let unexpected = number("xpass").unwrap_or(0);
        let whole = number("of") == Some(results.passed + results.expected + results.others);
        Tally {
            failed: number("failed").and_then(|failed| failed.checked_sub(unexpected)),
            unexpected_passes: Some(unexpected),
            passed: whole.then_some(results.passed),
            expected_failures: whole.then_some(results.expected),
            skipped,
            ..Tally::ZERO
        }
    };
    let said = if number("of").is_some() { Said::Failed } else { Said::of(&tally) };
    Some(Reading { tally, ..Reading::without_counts(ID, said, line.quote()) })
}
