//! cargo-nextest: the `Summary [ 0.015s] 3 tests run: …` line with all its words, and libtest-json.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

use super::cargo_test::{build, json};

pub(super) const READER: Reader = Reader {
    id: "cargo-nextest",
    name: "cargo-nextest",
    versions: "0.9.143",
    formats: "text, JSON (libtest-json, libtest-json-plus)",
    zero: "`0 tests run: 0 passed` and `error: no tests to run`, status 4",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "tests run: ",
        "test run: ",
        "Nextest run ID ",
        "no tests to run",
        "\"test_count\"",
        " tests across ",
        " test across ",
    ],
    commands: &[&["cargo", "nextest"], &["cargo-nextest", "nextest"], &["cargo-nextest", "ntr"]],
    list_options: &["list", "--no-run", "show-config", "archive", "--help"],
    // Each test is a libtest program of its own, whose output is shown for failures.
    covers: &["cargo-test"],
    // What sums up is not the process that runs the tests: no test can print in its place.
    marks: Marks::NONE,
    read,
};

static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|   ) *Summary \[[ >]*[\d.]+s\] +(\d+)(?:/(\d+))? tests? run: (.+?)(?:   .*)?\s*$")
        .expect("a fixed pattern")
});

/// One line per test: `PASS [   0.009s] (1/3) demo tests::a`; its word, and binary and test.
static STATUS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^ *((?:TRY \d+ |FLAKY \d+/\d+|[A-Z]|[ +-])[A-Z0-9 +/-]*?) +\[[ >]*[\d.]+s\] +(?:\([ \d─]+/?[ \d]*\) +)?(\S.*?)\s*$")
        .expect("a fixed pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings: Vec<Reading> = json::read_by_test(stream, READER.id).into_iter().collect();
    let runs = runs(stream);
    let inside: Vec<(u32, u32)> = runs.iter().map(|run| (run.first.number, run.last)).collect();
    readings.extend(runs.iter().map(|run| run.reading(hint)));
    if hint.named {
        readings.extend(build::errors(stream, READER.id, &inside));
        if readings.is_empty() {
            readings.extend(build::refused(stream, READER.id, true));
        }
    }
    readings
}

/// One run, from `Starting` to what follows its summary.
struct Run<'a> {
    first: Line<'a>,
    last: u32,
    summary: Option<Line<'a>>,
    /// Tests that failed by themselves, before or behind the summary.
    failed: Vec<(Line<'a>, String)>,
    /// Tests that ended by the signal with which the run was cancelled.
    signalled: BTreeSet<String>,
    /// `Cancelling due to signal`.
    cancelled: Option<Line<'a>>,
    /// `SETUP FAIL`, `error: setup script failed`.
    setup_failed: Option<Line<'a>>,
}

impl<'a> Run<'a> {
    fn new(first: Line<'a>) -> Run<'a> {
        Run {
            first,
            last: first.number,
            summary: None,
            failed: Vec::new(),
            signalled: BTreeSet::new(),
            cancelled: None,
            setup_failed: None,
        }
    }
}

fn runs<'a>(stream: &'a Stream) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut open: Option<Run<'_>> = None;
    for line in stream.lines() {
        let text = line.text.trim_start();
        let begins = text.starts_with("Nextest run ID ")
            || (text.starts_with("Starting ") && text.contains(" across "));
        let closed = open.as_ref().is_none_or(|run| run.summary.is_some());
        if begins && closed {
            runs.extend(open.take());
            open = Some(Run::new(line));
        } else if text.starts_with("Summary [") && SUMMARY.is_match(line.text) {
            // Two summaries without a beginning between them: what was before it is cut off.
            if open.as_ref().is_some_and(|run| run.summary.is_some()) {
                runs.extend(open.take());
            }
            let run = open.get_or_insert_with(|| Run::new(line));
            run.summary = Some(line);
            run.last = line.number;
        } else if let Some(run) = open.as_mut() {
            run.line(line, text);
        }
    }
    runs.extend(open);
    if runs.iter().all(|run| run.summary.is_none()) {
        runs.extend(
            stream
                .lines()
                .filter(|line| is_screen(line.text))
                .map(|line| Run { summary: Some(line), ..Run::new(line) }),
        );
    }
    runs
}

/// On a terminal, lines are filled up to its width instead of ended: all of them are one line in a recording.
fn is_screen(text: &str) -> bool {
    text.contains(" Nextest run ID ") && text.contains("   Summary [") && SUMMARY.is_match(text)
}

impl<'a> Run<'a> {
    fn line(&mut self, line: Line<'a>, text: &str) {
        if self.summary.is_none() {
            self.last = line.number;
        }
        if text.starts_with("Canceling due to ") || text.starts_with("Cancelling due to ") {
            let by_hand = ["signal", "interrupt", "terminat", "hangup", "quit"];
            if by_hand.iter().any(|word| text.contains(word)) {
                self.cancelled = Some(line);
            }
        } else if text.starts_with("error: setup script failed") {
            self.setup_failed.get_or_insert(line);
        } else if let Some(captures) = STATUS.captures(line.text) {
            self.status(line, &captures[1], &captures[2]);
        }
    }

    fn status(&mut self, line: Line<'a>, word: &str, name: &str) {
        if self.summary.is_some() {
            self.last = line.number;
        }
        if word == "SETUP FAIL" || word == "SETUP TIMEOUT" || word == "SETUP ABORT" {
            self.setup_failed.get_or_insert(line);
            return;
        }
        // A try that fails is followed by another one; the last one is said again behind the summary.
        let again = word.starts_with("TRY ") && self.summary.is_none();
        let word =
            word.strip_prefix("TRY ").and_then(|rest| rest.split_once(' ')).map_or(word, |(_, rest)| rest);
        if again || name.is_empty() {
            return;
        }
        let by_hand = matches!(word, "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT");
        let stopped = by_hand || (self.cancelled.is_some() && word == "SIGKILL");
        if stopped {
            self.signalled.insert(name.to_owned());
        }
        let failed =
            matches!(word, "FAIL" | "TIMEOUT" | "XFAIL" | "LEAK-FAIL" | "FAIL + LEAK" | "FL+LK" | "FLKY-FL")
                || (!stopped && (word.starts_with("SIG") || word == "ABORT"));
        if failed && !self.failed.iter().any(|(_, known)| known == name) {
            self.failed.push((line, name.to_owned()));
        }
    }

    fn reading(&self, hint: Hint<'_>) -> Reading {
        let reading = match self.summary.map(|line| (line, counts(line.text))) {
            Some((line, Some(counts))) => self.summed_up(line, &counts, hint),
            Some((line, None)) => {
                let failed = !self.failed.is_empty()
                    || line.text.contains(" failed")
                    || line.text.contains("timed out");
                let said = if failed { Said::Failed } else { Said::Unfinished(Reason::NoSummary) };
                Reading::without_counts(READER.id, said, line.quote())
            }
            None => self.unfinished(),
        };
        let cases = self.failed.iter().map(|(_, name)| Case {
            name: name.clone(),
            file: None,
            status: CaseStatus::Failed,
            message: None,
            file_level: false,
        });
        reading.spanning(self.first.number, self.last).naming(cases.collect())
    }

    fn summed_up(&self, line: Line<'_>, counts: &Counts, hint: Hint<'_>) -> Reading {
        let tally = Tally {
            load_errors: Some(u64::from(self.setup_failed.is_some())),
            flaky: Some(counts.flaky),
            errored: Some(counts.exec_failed),
            ..Tally::of(counts.passed, counts.failed + counts.timed_out, counts.skipped)
        };
        let reading = Reading::from_tally(READER.id, tally, line.quote());
        let stopped = self.cancelled.is_some() || !self.signalled.is_empty();
        if stopped
            && self.failed.is_empty()
            && self.setup_failed.is_none()
            && counts.timed_out + counts.exec_failed == 0
            && counts.failed <= self.signalled.len() as u64
        {
            // What failed was stopped together with the run.
            let said = Said::Unfinished(Reason::Killed);
            return Reading::without_counts(READER.id, said, self.cancelled.unwrap_or(line).quote());
        }
        if let Some(setup) = self.setup_failed {
            return reading.quoting(setup.quote());
        }
        if reading.said == Said::Passed && counts.run < counts.planned {
            return reading.saying(Said::Unfinished(Reason::PlanMismatch));
        }
        // nextest counts tests that the filter leaves out as skipped.
        let only_skipped = reading.said == Said::NothingRan(Reason::OnlySkipped);
        if only_skipped && hint.invocations.iter().any(has_filter) {
            return reading.saying(Said::NothingRan(Reason::FilterMatchedNothing));
        }
        reading
    }

    fn unfinished(&self) -> Reading {
        let failed = self.failed.first().map(|(line, _)| *line).or(self.setup_failed);
        let (said, line) = match (failed, self.cancelled) {
            (Some(line), _) => (Said::Failed, line),
            (None, Some(line)) => (Said::Unfinished(Reason::Killed), line),
            (None, None) => (Said::Unfinished(Reason::NoSummary), self.first),
        };
        Reading::without_counts(READER.id, said, line.quote())
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    run: u64,
    planned: u64,
    passed: u64,
    failed: u64,
    exec_failed: u64,
    timed_out: u64,
    skipped: u64,
    flaky: u64,
}

/// The numbers of a summary line; `None` where a word is not known.
fn counts(text: &str) -> Option<Counts> {
    let captures = SUMMARY.captures(text)?;
    let run = captures[1].parse().ok()?;
    let planned = captures.get(2).map_or(Some(run), |planned| planned.as_str().parse().ok())?;
    let mut counts = Counts { run, planned, ..Counts::default() };
    let mut rest = &captures[3];
    while !rest.is_empty() {
        let end = rest.find([',', '(']).unwrap_or(rest.len());
        let (number, word) = number_and_word(&rest[..end])?;
        let place = match word {
            "passed" => &mut counts.passed,
            "failed" => &mut counts.failed,
            "exec failed" => &mut counts.exec_failed,
            "timed out" => &mut counts.timed_out,
            "skipped" => &mut counts.skipped,
            _ => return None,
        };
        *place = number;
        rest = &rest[end..];
        if let Some(inner) = rest.strip_prefix('(') {
            let (inner, after) = inner.split_once(')')?;
            // Slow, leaky and due to being leaky say how a test passed or failed; it is counted already.
            let flaky = inner.split(", ").filter_map(number_and_word).find(|(_, word)| *word == "flaky");
            if word == "passed" {
                counts.flaky += flaky.map_or(0, |(number, _)| number);
            }
            rest = after;
        }
        rest = rest.trim_start_matches([',', ' ']);
    }
    Some(counts)
}

/// Whether the command chooses tests by name or expression: then what is skipped is what it does not choose.
fn has_filter(invocation: &crate::command::Invocation) -> bool {
    if !READER.is_run_by(invocation) {
        return false;
    }
    let mut words = invocation.arguments.iter().skip_while(|word| *word != "run" && *word != "r").skip(1);
    invocation.has_option(&["-E", "--filter-expr", "--filterset"])
        || words.next().is_some_and(|word| !word.starts_with('-'))
        || invocation.arguments.windows(2).any(|pair| {
            !pair[1].starts_with('-')
                && (pair[0].contains('=') || pair[0] == "--" || pair[0] == "--no-fail-fast")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_summary() {
        let line = "     Summary [  12.3s] 9/12 tests run: 4 passed (1 slow, 2 flaky, 1 leaky), 2 failed (1 due to being leaky), 1 exec failed, 2 timed out, 3 skipped";
        let expected = Counts {
            run: 9,
            planned: 12,
            passed: 4,
            failed: 2,
            exec_failed: 1,
            timed_out: 2,
            skipped: 3,
            flaky: 2,
        };
        assert_eq!(counts(line), Some(expected));
        assert_eq!(counts("     Summary [   0.025s]   1 test run: 1 passed, 0 skipped").unwrap().passed, 1);
        assert_eq!(counts("     Summary [   0.025s]   1 test run: 1 passed, 1 wobbly"), None);
    }

    #[test]
    fn status_lines() {
        for (line, word, name) in [
            ("        PASS [   0.009s] (1/3) demo tests::a", "PASS", "demo tests::a"),
            ("  TRY 1 FAIL [   0.012s] (───) demo tests::flaky", "TRY 1 FAIL", "demo tests::flaky"),
            ("     SIGTERM [   3.606s] (2/2) demo tests::z", "SIGTERM", "demo tests::z"),
            ("        FAIL [   0.036s] demo tests::d", "FAIL", "demo tests::d"),
            ("        SLOW [> 60.000s] demo tests::d", "SLOW", "demo tests::d"),
        ] {
            let captures = STATUS.captures(line).unwrap();
            assert_eq!((&captures[1], &captures[2]), (word, name), "{line}");
        }
        assert!(STATUS.captures("[ 0.1s] x").is_none());
    }
}
