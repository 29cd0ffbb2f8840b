//! pytest's own report files: pytest-json-report (one JSON object) and pytest-reportlog (one JSON object a line).

use std::borrow::Cow;
use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Cases, Quote, Reason, Tally};
use serde_json::Value;

use crate::json::Json;
use crate::reading::{Reading, Said};
use crate::text::Stream;

use super::READER;

/// The reports of a stream.
pub(super) fn read(stream: &Stream) -> Vec<Reading> {
    let mut readings: Vec<Reading> = stream
        .json_documents("\"exitcode\"")
        .iter()
        .filter_map(|(document, value)| json_report(*value, document.first, document.last))
        .collect();
    readings.extend(reportlog(stream));
    readings
}

/// How a test ended, by the stages that both reports name alike.
#[derive(Default)]
struct Stages {
    setup_failed: bool,
    teardown_failed: bool,
    call: Option<String>,
    message: Option<String>,
    reruns: u64,
}

#[derive(Default)]
struct Sum {
    passed: u64,
    failed: u64,
    errored: u64,
    load_errors: u64,
    skipped: u64,
    xfailed: u64,
    xpassed: u64,
    flaky: u64,
    cases: Cases,
}

impl Sum {
    fn add(&mut self, name: &str, stages: Stages) {
        let status = match stages.call.as_deref() {
            _ if stages.setup_failed => {
                self.errored += 1;
                CaseStatus::Failed
            }
            Some("passed") => {
                self.passed += 1;
                self.flaky += u64::from(stages.reruns > 0);
                CaseStatus::Passed
            }
            Some("failed") => {
                self.failed += 1;
                CaseStatus::Failed
            }
            Some("xfailed") => {
                self.xfailed += 1;
                CaseStatus::ExpectedFailure
            }
            Some("xpassed") => {
                self.xpassed += 1;
                CaseStatus::UnexpectedPass
            }
            Some("skipped") => {
                self.skipped += 1;
                CaseStatus::Skipped
            }
            _ => {
                // Neither set up nor called: the report breaks off here.
                self.load_errors += u64::from(stages.teardown_failed);
                return;
            }
        };
        self.load_errors += u64::from(stages.teardown_failed);
        self.cases.push(Case {
            name: name.to_owned(),
            file: name.split_once("::").map(|(file, _)| file.to_owned()),
            status,
            message: stages.message,
            file_level: false,
        });
    }

    fn tally(&self) -> Tally {
        Tally {
            passed: Some(self.passed),
            failed: Some(self.failed),
            errored: Some(self.errored),
            load_errors: Some(self.load_errors),
            skipped: Some(self.skipped),
            expected_failures: Some(self.xfailed),
            unexpected_passes: Some(self.xpassed),
            flaky: Some(self.flaky),
            ..Tally::ZERO
        }
    }
}

/// pytest's own meaning of its exit statuses, where the numbers say nothing else.
fn said(tally: &Tally, exit: Option<u64>) -> Said {
    match exit {
        _ if tally.has_failure() => Said::Failed,
        Some(2) => Said::Unfinished(Reason::Killed),
        Some(4) => Said::CouldNotRun(Reason::UsageError),
        Some(0 | 5) => Said::of(tally),
        Some(_) => Said::Failed,
        None => Said::Unfinished(Reason::ReportUnfinished),
    }
}

fn json_report(value: Json<'_>, first: u32, last: u32) -> Option<Reading> {
    let summary = value.get("summary").filter(|summary| summary.is_object())?;
    let exit = value.get("exitcode")?.as_u64();
    value.get("root")?;
    let mut sum = Sum::default();
    let failed = |value: Json<'_>| value.at("outcome").is("failed");
    for collector in value.list("collectors") {
        sum.load_errors += u64::from(failed(collector));
    }
    match value.at("tests").as_array() {
        Some(tests) => {
            for test in tests {
                let outcome = test.text("outcome");
                let stage = |name: &str| test.get(name);
                let call = match &*outcome {
                    // A fixture failed after the call: the call has its own outcome.
                    "error" => test.at("call").at("outcome").as_str(),
                    _ => Some(outcome.clone()),
                };
                sum.add(
                    &test.text("nodeid"),
                    Stages {
                        setup_failed: stage("setup").is_some_and(failed),
                        teardown_failed: stage("teardown").is_some_and(failed),
                        call: call.map(Cow::into_owned),
                        message: message(stage("call").or(stage("setup"))),
                        reruns: 0,
                    },
                );
            }
        }
        None => {
            let number = |word: &str| summary.number(word).unwrap_or(0);
            (sum.passed, sum.failed, sum.errored) = (number("passed"), number("failed"), number("error"));
            (sum.skipped, sum.xfailed, sum.xpassed) =
                (number("skipped"), number("xfailed"), number("xpassed"));
        }
    }
    let tally = sum.tally();
    let quote = Quote::new(
        first,
        &format!("\"summary\": {}", summary.as_written().split_whitespace().collect::<Vec<_>>().concat()),
    );
    Some(
        Reading::from_tally(READER.id, tally, quote)
            .saying(said(&tally, exit))
            .spanning(first, last)
            .naming_all(sum.cases),
    )
}

fn message(stage: Option<Json<'_>>) -> Option<String> {
    let message = stage?.get("crash")?.get("message")?.as_str()?;
    message.lines().next().map(str::to_owned)
}

/// `{"$report_type": "TestReport", "nodeid": …, "when": "call", "outcome": "passed"}`, one a line.
fn reportlog(stream: &Stream) -> Option<Reading> {
    if !stream.contains("\"$report_type\"") {
        return None;
    }
    let mut tests: BTreeMap<String, Stages> = BTreeMap::new();
    let mut sum = Sum::default();
    let mut exit = None;
    let mut lines: Option<(u32, u32)> = None;
    let mut end = None;
    for line in stream.lines().filter(|line| line.text.starts_with('{')) {
        let Ok(report) = serde_json::from_str::<Value>(line.text) else { continue };
        let Some(kind) = report.get("$report_type").and_then(Value::as_str) else { continue };
        lines = Some((lines.map_or(line.number, |(first, _)| first), line.number));
        let word = |name: &str| report.get(name).and_then(Value::as_str).unwrap_or_default();
        match kind {
            "CollectReport" => sum.load_errors += u64::from(word("outcome") == "failed"),
            "TestReport" => stage(tests.entry(word("nodeid").to_owned()).or_default(), &report),
            "SessionFinish" => {
                exit = report.get("exitstatus").and_then(Value::as_u64);
                end = Some(line);
            }
            _ => {}
        }
    }
    let (first, last) = lines?;
    for (name, stages) in tests {
        sum.add(&name, stages);
    }
    let tally = sum.tally();
    let quote = end.map_or_else(|| Quote::new(last, "{\"$report_type\": …"), |line| line.quote());
    Some(
        Reading::from_tally(READER.id, tally, quote)
            .saying(said(&tally, exit))
            .spanning(first, last)
            .naming_all(sum.cases)
            .summed(),
    )
}

fn stage(stages: &mut Stages, report: &Value) {
    let word = |name: &str| report.get(name).and_then(Value::as_str).unwrap_or_default();
    let (when, outcome) = (word("when"), word("outcome"));
    let marked_to_fail = report.get("wasxfail").is_some();
    match (when, outcome) {
        ("setup", "failed") => stages.setup_failed = true,
        ("teardown", "failed") => stages.teardown_failed = true,
        (_, "rerun") => stages.reruns += 1,
        ("setup" | "call", "skipped") if marked_to_fail => stages.call = Some("xfailed".to_owned()),
        ("setup" | "call", "skipped") => stages.call = Some("skipped".to_owned()),
        ("call", "passed") if marked_to_fail => stages.call = Some("xpassed".to_owned()),
        ("call", outcome) => stages.call = Some(outcome.to_owned()),
        _ => {}
    }
}
