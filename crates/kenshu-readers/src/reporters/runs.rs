//! The lines that our reporters for Ruby's runners write: one JSON object each, marked with the run it belongs to.
//!
//! One command may start several processes, one after another or side by side, and all of them append to one file. Each
//! is a run with a start and an end of its own; the report is their sum, and is finished when each of them is.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Count, Outcome, Reason, Tally};
use serde_json::Value;

use super::Reported;
use crate::reading::Said;

/// One process in which the runner ran.
#[derive(Default)]
struct Run {
    process: Option<u64>,
    parent: Option<u64>,
    /// How many tests it was about to run, where the runner says so.
    expected: Option<u64>,
    /// Whether it only names the tests.
    dry: bool,
    cases: Vec<Case>,
    errored: u64,
    /// The runner's own numbers: tests, failed, skipped, errors outside of tests.
    closing: Option<[u64; 4]>,
    ended: bool,
    gave_up: bool,
}

/// Reads the report of the runner `runner`.
pub(super) fn read(bytes: &[u8], runner: &'static str) -> Reported {
    let mut runs: BTreeMap<String, Run> = BTreeMap::new();
    for line in String::from_utf8_lossy(bytes).lines() {
        let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
        if let Some(run) = event["run"].as_str() {
            runs.entry(run.to_owned()).or_default().take(&event);
        }
    }
    // What a test itself started is that test's business: its output is not the runner's either.
    let processes: Vec<Option<u64>> = runs.values().map(|run| run.process).collect();
    let runs: Vec<&Run> = runs
        .values()
        .filter(|run| run.parent.is_none() || !processes.contains(&run.parent))
        .filter(|run| run.process.is_some())
        .collect();
    if runs.is_empty() || runs.iter().any(|run| run.gave_up) {
        return Reported::Never;
    }
    if !runs.iter().all(|run| run.ended) {
        return Reported::Unfinished;
    }
    Reported::Finished(Box::new(sum(&runs, runner)))
}

impl Run {
    fn take(&mut self, event: &Value) {
        let number = |name: &str| event[name].as_u64();
        match event["event"].as_str() {
            Some("load") => (self.process, self.parent) = (number("pid"), number("parent")),
            Some("begin") => {
                self.expected = number("expected");
                self.dry = number("dry").is_some_and(|dry| dry > 0);
            }
            Some("test") => self.take_test(event),
            Some("sum") => {
                let numbers = ["tests", "failed", "skipped", "outside"];
                self.closing = Some(numbers.map(|name| number(name).unwrap_or(0)));
            }
            Some("end") => self.ended = true,
            Some("gave_up") => self.gave_up = true,
            Some(_) | None => {}
        }
    }

    fn take_test(&mut self, event: &Value) {
        let text = |name: &str| event[name].as_str().map(str::to_owned);
        // A hook of the project took the exception away, and the runner counts a pass.
        let hidden = text("raised").filter(|_| event["status"] == "passed");
        let status = match event["status"].as_str() {
            Some("passed") if hidden.is_some() => CaseStatus::Failed,
            Some("passed") => CaseStatus::Passed,
            Some("skipped") => CaseStatus::Skipped,
            Some(_) | None => CaseStatus::Failed,
        };
        self.errored += u64::from(event["status"] == "errored");
        self.cases.push(Case {
            name: text("name").unwrap_or_default(),
            file: text("file").map(|file| file.strip_prefix("./").map(str::to_owned).unwrap_or(file)),
            status,
            message: text("message").or_else(|| {
                hidden.map(|class| format!("{class} was raised, and the test reported as passed"))
            }),
            file_level: false,
        });
    }

    fn tally(&self) -> Tally {
        let of = |status| self.cases.iter().filter(|case| case.status == status).count() as u64;
        let failed = of(CaseStatus::Failed).saturating_sub(self.errored);
        Tally {
            errored: Some(self.errored),
            load_errors: Some(self.closing.map_or(0, |[.., outside]| outside)),
            ..Tally::of(of(CaseStatus::Passed), failed, of(CaseStatus::Skipped))
        }
    }

    /// Whether tests are missing: announced and never run, or run and left out of the runner's own numbers.
    fn is_short(&self) -> bool {
        let seen = self.cases.len() as u64;
        self.expected.is_some_and(|expected| seen < expected)
            || self.closing.is_some_and(|[tests, ..]| seen != tests)
    }

    /// Whether the runner's own closing numbers are others than those of the tests it told of.
    fn contradicts_itself(&self) -> bool {
        let of = |status| self.cases.iter().filter(|case| case.status == status).count() as u64;
        self.closing.is_some_and(|[_, failed, skipped, _]| {
            failed != of(CaseStatus::Failed) || skipped != of(CaseStatus::Skipped)
        })
    }
}

fn sum(runs: &[&Run], runner: &'static str) -> Count {
    let tally = runs.iter().fold(Tally::ZERO, |sum, run| sum.plus(&run.tally()));
    let (outcome, reasons) = match Said::of(&tally) {
        Said::Failed => (Outcome::Failed, Vec::new()),
        _ if runs.iter().any(|run| run.is_short()) => (Outcome::Unknown, vec![Reason::PlanMismatch]),
        _ if runs.iter().any(|run| run.contradicts_itself()) => (Outcome::Unknown, vec![Reason::Ambiguous]),
        _ if runs.iter().any(|run| run.dry) => (Outcome::NothingRan, vec![Reason::ListOnly]),
        Said::Passed => (Outcome::Passed, Vec::new()),
        Said::NothingRan(reason) => (Outcome::NothingRan, vec![reason]),
        Said::CouldNotRun(reason) => (Outcome::CouldNotRun, vec![reason]),
        Said::Unfinished(reason) => (Outcome::Unknown, vec![reason]),
        Said::Status(_) => (Outcome::Unknown, Vec::new()),
    };
    let cases = runs.iter().flat_map(|run| run.cases.clone()).collect();
    Count {
        outcome,
        runners: vec![runner],
        // How often a test was tried again is known to the text alone.
        tally: Tally { flaky: None, ..tally },
        files: None,
        exit: None,
        reasons,
        quotes: Vec::new(),
        cases,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events of run `run` as lines; `{run}` in front of each.
    fn lines(run: u64, parent: u64, events: &[&str]) -> String {
        let load = format!("{{\"event\":\"load\",\"run\":\"{run}\",\"pid\":{run},\"parent\":{parent}}}\n");
        let others = events.iter().map(|event| format!("{{\"run\":\"{run}\",{event}}}\n"));
        std::iter::once(load).chain(others).collect()
    }

    const BEGIN_2: &str = "\"event\":\"begin\",\"expected\":2";
    const PASSED: &str = "\"event\":\"test\",\"status\":\"passed\",\"name\":\"a\",\"file\":\"./spec/a.rb\"";
    const SKIPPED: &str = "\"event\":\"test\",\"status\":\"skipped\",\"name\":\"b\"";
    const FAILED: &str = "\"event\":\"test\",\"status\":\"failed\",\"name\":\"b\",\"message\":\"no\"";
    const ERRORED: &str = "\"event\":\"test\",\"status\":\"errored\",\"name\":\"b\"";
    const END: &str = "\"event\":\"end\"";

    #[track_caller]
    fn finished(text: &str) -> Count {
        match read(text.as_bytes(), "rspec") {
            Reported::Finished(count) => *count,
            other @ (Reported::Never | Reported::Nothing | Reported::Unfinished) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_counts_when_it_is_over() {
        assert_eq!(read(b"", "rspec"), Reported::Never);
        assert_eq!(read(lines(1, 0, &[BEGIN_2, PASSED]).as_bytes(), "rspec"), Reported::Unfinished);
        let count = finished(&lines(1, 0, &[BEGIN_2, PASSED, SKIPPED, END]));
        assert_eq!(
            (count.outcome, count.tally.passed, count.tally.skipped),
            (Outcome::Passed, Some(1), Some(1))
        );
        assert_eq!(count.cases[0].file.as_deref(), Some("spec/a.rb"));
    }

    #[test]
    fn runs_are_summed_and_one_without_its_end_spoils_all() {
        let first = lines(1, 0, &[PASSED, END]);
        let mixed = format!("{}{}", lines(2, 0, &[PASSED]), lines(3, 0, &[FAILED, ERRORED, END]));
        let both = format!("{first}{mixed}");
        assert_eq!(read(both.as_bytes(), "rspec"), Reported::Unfinished);
        let count = finished(&format!("{both}{{\"run\":\"2\",{END}}}\n"));
        assert_eq!(
            (count.outcome, count.tally.passed, count.tally.failed, count.tally.errored),
            (Outcome::Failed, Some(2), Some(1), Some(1))
        );
    }

    #[test]
    fn what_a_test_started_is_left_out() {
        let inner = lines(2, 1, &[FAILED]);
        let count = finished(&format!("{inner}{}", lines(1, 0, &[PASSED, END])));
        assert_eq!((count.outcome, count.tally.passed), (Outcome::Passed, Some(1)));
    }

    #[test]
    fn tests_that_were_announced_and_never_ran_are_no_pass() {
        let count = finished(&lines(1, 0, &[BEGIN_2, PASSED, END]));
        assert_eq!((count.outcome, count.reasons), (Outcome::Unknown, vec![Reason::PlanMismatch]));
        let count = finished(&lines(1, 0, &[BEGIN_2, FAILED, END]));
        assert_eq!(count.outcome, Outcome::Failed);
    }

    #[test]
    fn closing_numbers_are_compared_with_the_tests() {
        let closing = |numbers: [u64; 4]| {
            let [tests, failed, skipped, outside] = numbers;
            let sum = format!(
                "\"event\":\"sum\",\"tests\":{tests},\"failed\":{failed},\"skipped\":{skipped},\"outside\":{outside}"
            );
            let count = finished(&lines(1, 0, &[PASSED, SKIPPED, &sum, END]));
            (count.outcome, count.reasons.first().copied())
        };
        assert_eq!(closing([2, 0, 1, 0]), (Outcome::Passed, None));
        assert_eq!(closing([3, 0, 1, 0]), (Outcome::Unknown, Some(Reason::PlanMismatch)));
        assert_eq!(closing([2, 0, 0, 0]), (Outcome::Unknown, Some(Reason::Ambiguous)));
        assert_eq!(closing([2, 0, 1, 1]), (Outcome::Failed, None));
    }

    #[test]
    fn a_pass_that_raised_is_a_failure() {
        let raised = format!("{PASSED},\"raised\":\"RuntimeError\"");
        let count = finished(&lines(1, 0, &[PASSED, &raised, END]));
        assert_eq!(
            (count.outcome, count.tally.passed, count.tally.failed),
            (Outcome::Failed, Some(1), Some(1))
        );
        let pending = format!("{SKIPPED},\"raised\":\"RuntimeError\"");
        assert_eq!(finished(&lines(1, 0, &[PASSED, &pending, END])).outcome, Outcome::Passed);
    }

    #[test]
    fn a_reporter_that_gave_up_or_a_dry_run_is_no_report() {
        let text = lines(1, 0, &[PASSED, "\"event\":\"gave_up\"", END]);
        assert_eq!(read(text.as_bytes(), "rspec"), Reported::Never);
        let dry = "\"event\":\"begin\",\"expected\":1,\"dry\":1";
        let count = finished(&lines(1, 0, &[dry, PASSED, END]));
        assert_eq!((count.outcome, count.reasons), (Outcome::NothingRan, vec![Reason::ListOnly]));
    }
}
