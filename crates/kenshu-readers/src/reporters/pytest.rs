//! pytest: a plugin of ours, loaded through `PYTEST_PLUGINS`, writes every report as one line of JSON.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Count, Outcome, Quote, Reason, Tally};
use serde_json::Value;

use super::{Piece, Report, Reported, Reporter, Variable};

const MODULE: &str = "kenshu_pytest_report";

pub(super) const REPORTER: Reporter = Reporter {
    reader: "pytest",
    files: &[("kenshu_pytest_report.py", include_str!("kenshu_pytest_report.py"))],
    environment: &[
        Variable { name: "PYTEST_PLUGINS", value: MODULE, join: Some(",") },
        Variable { name: "PYTHONPATH", value: "{folder}", join: Some(":") },
        Variable { name: "KENSHU_PYTEST_REPORT", value: "{folder}/pytest.jsonl", join: None },
    ],
    report: Some(Report::File("pytest.jsonl")),
    leaves: &[],
    silent: false,
    broken: Some("No module named 'kenshu_pytest_report'"),
    read: |pieces, _| pieces.first().map_or(Reported::Never, |Piece { bytes, .. }| read(bytes)),
    // -E and -I make Python ignore PYTHONPATH, so the plugin could not be found.
    fits: |invocation| !invocation.has_option(&["-E", "-I", "--collect-only", "--co"]),
};

/// One test's reports, folded.
#[derive(Default)]
struct Seen {
    passed: bool,
    failed: bool,
    errored: bool,
    skipped: bool,
    expected_failure: bool,
    unexpected_pass: bool,
    reruns: u64,
    message: Option<String>,
}

fn read(bytes: &[u8]) -> Reported {
    let text = String::from_utf8_lossy(bytes);
    let mut tests: BTreeMap<String, Seen> = BTreeMap::new();
    let mut load_errors = Vec::new();
    let mut hidden = Vec::new();
    let mut started = false;
    let mut ended = false;
    let mut subtests = false;
    let mut collected = 0;
    for (index, line) in text.lines().enumerate() {
        let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        match event["event"].as_str() {
            Some("start") => started = true,
            Some("end") => {
                ended = true;
                collected = event["collected"].as_u64().unwrap_or(0);
            }
            Some("collect") => load_errors.push((number, event)),
            Some("report") => {
                subtests |= event["subtest"] == true;
                if event["raised"] == true {
                    let id = event["id"].as_str().unwrap_or_default();
                    hidden.push(Quote::new(number, &format!("{id} raised and was reported as passed")));
                }
                fold(tests.entry(event["id"].as_str().unwrap_or_default().to_owned()).or_default(), &event);
            }
            _ => {}
        }
    }
    match (started, ended) {
        (false, _) => Reported::Never,
        (true, false) => Reported::Unfinished,
        (true, true) => {
            let left_out = (tests.len() as u64) < collected;
            let count = finished(tests, &load_errors, hidden, subtests);
            Reported::Finished(Box::new(if left_out { unless_failed(count) } else { count }))
        }
    }
}

/// `pytest.exit` in a test ends the session in order: what was collected and never ran is no pass.
fn unless_failed(count: Count) -> Count {
    match count.outcome {
        Outcome::Passed => Count { outcome: Outcome::Unknown, reasons: vec![Reason::PlanMismatch], ..count },
        Outcome::Failed | Outcome::NothingRan | Outcome::CouldNotRun | Outcome::Unknown => count,
    }
}

fn fold(seen: &mut Seen, event: &Value) {
    let message = event["message"].as_str().map(str::to_owned);
    let xfail = event["xfail"] == true;
    match (event["when"].as_str(), event["outcome"].as_str()) {
        (_, Some("rerun")) => {
            seen.reruns += 1;
        }
        (Some("call"), Some("passed")) if xfail => seen.unexpected_pass = true,
        (Some("call"), Some("passed")) => seen.passed = true,
        (Some("call"), Some("failed")) => seen.failed = true,
        (_, Some("failed")) => seen.errored = true,
        (_, Some("skipped")) if xfail => seen.expected_failure = true,
        (_, Some("skipped")) => seen.skipped = true,
        _ => {}
    }
    if seen.message.is_none() {
        seen.message = message;
    }
}

fn finished(
    tests: BTreeMap<String, Seen>,
    load_errors: &[(u32, Value)],
    hidden: Vec<Quote>,
    subtests: bool,
) -> Count {
    let mut tally = Tally::ZERO;
    let mut cases = Vec::new();
    let bump = |slot: &mut Option<u64>, yes: bool| {
        if yes {
            *slot = slot.map(|count| count + 1);
        }
    };
    for (name, seen) in tests {
        bump(&mut tally.passed, seen.passed);
        bump(&mut tally.failed, seen.failed);
        bump(&mut tally.errored, seen.errored);
        bump(&mut tally.skipped, seen.skipped);
        bump(&mut tally.expected_failures, seen.expected_failure);
        bump(&mut tally.unexpected_passes, seen.unexpected_pass);
        bump(&mut tally.flaky, seen.passed && seen.reruns > 0);
        let status = match seen {
            Seen { failed: true, .. } | Seen { errored: true, .. } => CaseStatus::Failed,
            Seen { passed: true, .. } => CaseStatus::Passed,
            Seen { unexpected_pass: true, .. } => CaseStatus::UnexpectedPass,
            Seen { expected_failure: true, .. } => CaseStatus::ExpectedFailure,
            _ => CaseStatus::Skipped,
        };
        let file = name.split("::").next().map(str::to_owned);
        cases.push(Case { name, file, status, message: seen.message, file_level: false });
    }
    for (_, event) in load_errors {
        bump(&mut tally.load_errors, true);
        cases.push(Case {
            name: event["id"].as_str().unwrap_or_default().to_owned(),
            file: event["id"].as_str().map(str::to_owned),
            status: CaseStatus::Failed,
            message: event["message"].as_str().map(str::to_owned),
            file_level: true,
        });
    }
    let (outcome, reasons) = outcome(&tally, !hidden.is_empty());
    // Subtests are reports of their own which each plugin version counts differently: the text keeps the numbers.
    let tally = if subtests { Tally::UNKNOWN } else { tally };
    Count {
        outcome,
        runners: vec!["pytest"],
        tally,
        files: None,
        exit: None,
        reasons,
        quotes: hidden,
        cases: cases.into(),
    }
}

fn outcome(tally: &Tally, hides_failures: bool) -> (Outcome, Vec<Reason>) {
    match crate::reading::Said::of(tally) {
        _ if hides_failures => (Outcome::Failed, Vec::new()),
        crate::reading::Said::Failed => (Outcome::Failed, Vec::new()),
        crate::reading::Said::Passed => (Outcome::Passed, Vec::new()),
        crate::reading::Said::NothingRan(reason) => (Outcome::NothingRan, vec![reason]),
        crate::reading::Said::CouldNotRun(reason) => (Outcome::CouldNotRun, vec![reason]),
        crate::reading::Said::Unfinished(reason) => (Outcome::Unknown, vec![reason]),
        crate::reading::Said::Status(_) => (Outcome::Unknown, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "{\"event\":\"start\",\"pytest\":\"9.2.0\"}\n";
    const END: &str = "{\"event\":\"end\",\"exit\":0,\"collected\":1}\n";

    fn report(when: &str, outcome: &str, more: &str) -> String {
        format!(
            "{{\"event\":\"report\",\"id\":\"a.py::t\",\"when\":\"{when}\",\"outcome\":\"{outcome}\"{more}}}\n"
        )
    }

    #[track_caller]
    fn finished_count(body: &str) -> Count {
        match read(format!("{START}{body}{END}").as_bytes()) {
            Reported::Finished(count) => *count,
            Reported::Never | Reported::Nothing | Reported::Unfinished => panic!("not finished"),
        }
    }

    #[test]
    fn a_report_that_was_never_begun_or_never_ended_is_no_pass() {
        assert_eq!(read(b""), Reported::Never);
        assert_eq!(read(format!("{START}{}", report("call", "passed", "")).as_bytes()), Reported::Unfinished);
    }

    #[test]
    fn phases_are_folded_into_one_test() {
        let body =
            [report("setup", "passed", ""), report("call", "passed", ""), report("teardown", "passed", "")]
                .concat();
        let count = finished_count(&body);
        assert_eq!((count.outcome, count.tally), (Outcome::Passed, Tally::of(1, 0, 0)));
    }

    #[test]
    fn a_teardown_error_stands_beside_the_pass() {
        let count =
            finished_count(&[report("call", "passed", ""), report("teardown", "failed", "")].concat());
        assert_eq!(
            (count.tally.passed, count.tally.errored, count.outcome),
            (Some(1), Some(1), Outcome::Failed)
        );
    }

    #[test]
    fn a_call_that_raised_and_was_reported_as_passed_is_a_failure() {
        let count = finished_count(&report("call", "passed", ",\"raised\":true"));
        assert_eq!(count.outcome, Outcome::Failed);
        assert_eq!(count.quotes.len(), 1);
    }

    #[test]
    fn collected_tests_that_never_ran_are_no_pass() {
        let end = END.replace("\"collected\":1", "\"collected\":2");
        let text = format!("{START}{}{end}", report("call", "passed", ""));
        let Reported::Finished(count) = read(text.as_bytes()) else { panic!("{text}") };
        assert_eq!((count.outcome, count.reasons), (Outcome::Unknown, vec![Reason::PlanMismatch]));
    }

    #[test]
    fn reruns_make_a_pass_flaky() {
        let count = finished_count(&[report("call", "rerun", ""), report("call", "passed", "")].concat());
        assert_eq!((count.tally.passed, count.tally.flaky), (Some(1), Some(1)));
    }
}
