//! gotestsum: the `DONE 8 tests, 1 skipped, 2 failures in 0.4s` line, reruns, and failures that are no test.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::marks::Marks;
use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

pub(super) const READER: Reader = Reader {
    id: "gotestsum",
    name: "gotestsum",
    versions: "1.8 with Go 1.19 and 1.25",
    formats: "text of every --format",
    zero: "`DONE 0 tests in 0.1s`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["DONE "],
    commands: &[&["gotestsum"]],
    list_options: &["--version", "--help"],
    // Formats that print `go test`'s own lines.
    covers: &["go-test"],
    marks: Marks::NONE,
    read,
};

/// The numbers of a `DONE` line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Done {
    /// How often tests were run: more than 1 with `--rerun-fails`; the other numbers then count every run.
    runs: u64,
    tests: u64,
    skipped: u64,
    failures: u64,
    errors: u64,
}

/// One call of gotestsum.
#[derive(Default)]
struct Run<'a> {
    first: Option<Line<'a>>,
    /// The `DONE` line after each run of the tests.
    done: Vec<(Line<'a>, Done)>,
    /// `=== FAIL: package  (0.00s)`: a package that failed while no test of it did.
    packages_failed: Vec<Line<'a>>,
    failed: Vec<&'a str>,
    /// Failures listed as `(unknown)`: tests that never ended.
    never_ended: u64,
    /// A line that says why a program ended before its tests did.
    died: bool,
    /// `=== Failed` was printed: the failures are listed.
    lists_failures: bool,
    cached: u64,
    packages: u64,
    /// `✖  a (5ms)`.
    failure: Option<Line<'a>>,
}

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut run = Run::default();
    for line in stream.lines() {
        if let Some(done) = done(line.text) {
            // Reruns say how many there were; a single run after another one is another call.
            if done.runs == 1 && !run.done.is_empty() {
                runs.push(std::mem::take(&mut run));
            }
            run.first.get_or_insert(line);
            run.done.push((line, done));
        } else if !run.done.is_empty() && is_first(line.text) && !could_rerun(&run) {
            runs.push(std::mem::take(&mut run));
            run.line(line);
        } else {
            run.line(line);
        }
    }
    runs.push(run);
    let mut readings: Vec<Reading> = runs.iter().filter_map(|run| run.reading(hint)).collect();
    if readings.is_empty() && hint.named {
        let usage = stream
            .lines()
            .find(|line| line.text.starts_with("ERROR unknown ") || line.text.starts_with("unknown flag: "));
        readings.extend(usage.map(|line| {
            Reading::without_counts(READER.id, Said::CouldNotRun(Reason::UsageError), line.quote())
        }));
    }
    readings
}

/// A rerun follows failures only.
fn could_rerun(run: &Run<'_>) -> bool {
    run.done.last().is_some_and(|(_, done)| done.failures > 0)
}

/// A package's line of the formats `pkgname`, `short`, `testname`.
fn is_first(text: &str) -> bool {
    ["✓  ", "✖  ", "∅  ", "PASS ", "FAIL ", "EMPTY "].iter().any(|mark| text.starts_with(mark))
}

/// `DONE 3 runs, 12 tests, 1 skipped, 6 failures, 1 error in 1.396s`.
fn done(text: &str) -> Option<Done> {
    let (body, time) = text.strip_prefix("DONE ")?.rsplit_once(" in ")?;
    time.trim_end().strip_suffix('s')?.parse::<f64>().ok()?;
    let mut done = Done { runs: 1, ..Done::default() };
    let mut counts_tests = false;
    for part in body.split(", ") {
        let (number, word) = number_and_word(part)?;
        let place = match word {
            "runs" | "run" => &mut done.runs,
            "tests" | "test" => {
                counts_tests = true;
                &mut done.tests
            }
            "skipped" => &mut done.skipped,
            "failures" | "failure" => &mut done.failures,
            "errors" | "error" => &mut done.errors,
            _ => return None,
        };
        *place = number;
    }
    counts_tests.then_some(done)
}

impl<'a> Run<'a> {
    fn line(&mut self, line: Line<'a>) {
        let text = line.text;
        if let Some(rest) = text.strip_prefix("=== FAIL: ") {
            self.failed(line, rest);
        } else if text == "=== Failed" {
            self.lists_failures = true;
        } else if is_first(text) || text.starts_with("ok  \t") || text.starts_with("=== ") {
            let package = text.starts_with("✓  ") || text.starts_with("✖  ") || text.starts_with("ok  \t");
            self.packages += u64::from(package);
            self.cached += u64::from(package && text.trim_end().ends_with("(cached)"));
            if text.starts_with("✖  ") {
                self.failure.get_or_insert(line);
            }
        } else {
            self.died |=
                text.starts_with("panic: ") || text.starts_with("exit status ") || text.starts_with("FAIL\t");
            self.died |= text.starts_with("fatal error: ") || text.starts_with("ERROR ");
            return;
        }
        self.first.get_or_insert(line);
    }

    /// `a TestTable/3_failed (0.00s)`, `a TestX (re-run 1) (0.00s)`, `a  (0.00s)`.
    fn failed(&mut self, line: Line<'a>, rest: &'a str) {
        self.failure.get_or_insert(line);
        self.never_ended += u64::from(rest.ends_with(" (unknown)"));
        let Some((_, rest)) = rest.split_once(' ') else { return };
        let name = rest.split_once(" (").map_or(rest, |(name, _)| name).trim();
        if rest.starts_with(' ') || name.is_empty() {
            self.packages_failed.push(line);
        } else if !self.failed.contains(&name) {
            self.failed.push(name);
        }
    }

    fn reading(&self, hint: Hint<'_>) -> Option<Reading> {
        let Some((line, done)) = self.done.last() else {
            if !hint.named {
                return None;
            }
            let (said, line) = match self.failure {
                Some(line) => (Said::Failed, line),
                None => (Said::Unfinished(Reason::NoSummary), self.first?),
            };
            return Some(Reading::without_counts(READER.id, said, line.quote()));
        };
        let first = self.first.map_or(line.number, |line| line.number);
        let reruns = hint.invocations.iter().any(|run| run.has_option(&["--rerun-fails"]));
        if reruns && done.failures > 0 && hint.invocations.iter().any(|run| run.program == "head") {
            // Whether a rerun followed and passed is cut off.
            let said = Said::Unfinished(Reason::OutputCut);
            return Some(Reading::without_counts(READER.id, said, line.quote()));
        }
        let stopped = self.never_ended > 0 && self.never_ended == done.failures && !self.died;
        let reading = match self.tally() {
            // Nothing failed; what ran when the run was stopped has no result.
            Some(_) if stopped => {
                Reading::without_counts(READER.id, Said::Unfinished(Reason::Killed), line.quote())
            }
            Some(tally) => {
                let reading = Reading::from_tally(READER.id, tally, line.quote());
                let filtered = hint.invocations.iter().any(|run| run.has_option(&["-run", "--run", "-skip"]));
                reading.filtered(filtered)
            }
            // Only the last of several runs is left: whether its own tests passed is not said.
            None if done.runs > 1 => {
                Reading::without_counts(READER.id, Said::Unfinished(Reason::Ambiguous), line.quote())
            }
            None => Reading::without_counts(READER.id, Said::Failed, line.quote()),
        };
        let reading =
            self.packages_failed.iter().fold(reading, |reading, line| reading.quoting(line.quote()));
        let failed = if reading.said == Said::Failed { &self.failed[..] } else { &[] };
        let cases = failed.iter().map(|name| Case {
            name: (*name).to_owned(),
            file: None,
            status: CaseStatus::Failed,
            message: None,
            file_level: false,
        });
        Some(reading.spanning(first, line.number).naming(cases.collect()))
    }

    /// The numbers of the tests, each counted once however often it ran; `None`: they can't be told apart.
    fn tally(&self) -> Option<Tally> {
        let (_, last) = self.done.last()?;
        let (_, first) = self.done.first()?;
        if last.runs > 1 && (first.runs > 1 || self.done.len() as u64 != last.runs) {
            return (last.failures == 0).then_some(Tally::UNKNOWN);
        }
        // Each rerun runs what failed in the run before it, and adds its numbers to the sum.
        let before = self.done.len().checked_sub(2).map_or(0, |at| self.done[at].1.failures);
        let packages = self.packages_failed.len() as u64;
        let failing = last.failures.checked_sub(before)?.checked_sub(packages);
        let failing = failing.filter(|_| packages == 0 || last.runs == 1)?;
        let passed = first.tests.checked_sub(first.skipped)?.checked_sub(failing)?;
        let all_cached = self.packages > 0 && self.cached == self.packages;
        let flaky = if last.runs > 1 { first.failures.checked_sub(failing) } else { Some(0) };
        Some(Tally {
            load_errors: Some(packages + last.errors),
            flaky,
            cached: if all_cached { Some(passed) } else { (self.cached == 0).then_some(0) },
            ..Tally::of(passed, failing, first.skipped)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn done_lines() {
        let expected = Done { runs: 3, tests: 12, skipped: 1, failures: 6, errors: 2 };
        assert_eq!(done("DONE 3 runs, 12 tests, 1 skipped, 6 failures, 2 errors in 1.396s"), Some(expected));
        assert_eq!(done("DONE 1 tests in 0.4s").map(|done| done.tests), Some(1));
        for line in ["DONE in 3s", "DONE 3 files in 0.1s", "DONE 3 tests", "DONE 3 tests, 1 odd in 0.1s"] {
            assert_eq!(done(line), None, "{line}");
        }
    }
}
