//! Cucumber messages: one JSON object a line, one event each.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use serde_json::Value;

use super::ID;
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

/// One try of one scenario.
#[derive(Default)]
struct Attempt {
    test_case: String,
    /// Statuses of its steps.
    worst: Option<CaseStatus>,
    message: Option<String>,
    finished: bool,
    retried: bool,
}

/// The events of one run.
#[derive(Default)]
struct Run<'a> {
    first: Option<Line<'a>>,
    last: Option<Line<'a>>,
    /// Pickle by id: name and file.
    pickles: BTreeMap<String, (String, String)>,
    /// Pickle of each test case.
    test_cases: BTreeMap<String, String>,
    attempts: BTreeMap<String, Attempt>,
    /// Hooks around the run that failed.
    hooks_failed: u64,
    parse_errors: u64,
    finished: Option<(Line<'a>, bool)>,
}

/// Every run whose events stand in the stream.
pub(super) fn read(stream: &Stream) -> Vec<Reading> {
    if !stream.contains_any(&["{\"testRunFinished\":", "{\"testCaseStarted\":"]) {
        return Vec::new();
    }
    let mut readings = Vec::new();
    let mut run = Run::default();
    for line in stream.lines().filter(|line| line.text.starts_with("{\"")) {
        let Ok(event) = serde_json::from_str::<Value>(line.text) else { continue };
        if event.get("meta").is_some() {
            readings.extend(std::mem::take(&mut run).reading());
        }
        run.take(line, &event);
    }
    readings.extend(run.reading());
    readings
}

impl<'a> Run<'a> {
    fn take(&mut self, line: Line<'a>, event: &Value) {
        let text = |value: &Value, member: &str| {
            value.get(member).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        if let Some(pickle) = event.get("pickle") {
            self.pickles.insert(text(pickle, "id"), (text(pickle, "name"), text(pickle, "uri")));
        } else if let Some(case) = event.get("testCase") {
            self.test_cases.insert(text(case, "id"), text(case, "pickleId"));
        } else if let Some(started) = event.get("testCaseStarted") {
            let attempt = Attempt { test_case: text(started, "testCaseId"), ..Attempt::default() };
            self.attempts.insert(text(started, "id"), attempt);
        } else if let Some(step) = event.get("testStepFinished") {
            if let Some(attempt) = self.attempts.get_mut(&text(step, "testCaseStartedId")) {
                attempt.note(&step["testStepResult"]);
            }
        } else if let Some(finished) = event.get("testCaseFinished") {
            if let Some(attempt) = self.attempts.get_mut(&text(finished, "testCaseStartedId")) {
                attempt.finished = true;
                attempt.retried = finished["willBeRetried"].as_bool().unwrap_or(false);
            }
        } else if let Some(hook) = event.get("testRunHookFinished") {
            self.hooks_failed += u64::from(hook["result"]["status"] == "FAILED");
        } else if event.get("parseError").is_some() {
            self.parse_errors += 1;
        } else if let Some(finished) = event.get("testRunFinished") {
            self.finished = Some((line, finished["success"].as_bool().unwrap_or(false)));
        } else if !["meta", "source", "gherkinDocument", "testRunStarted"]
            .iter()
            .any(|kind| event.get(kind).is_some())
        {
            return;
        }
        self.first.get_or_insert(line);
        self.last = Some(line);
    }

    fn reading(self) -> Option<Reading> {
        let (first, last) = (self.first?, self.last?);
        let mut cases = Vec::new();
        let mut tried_again: BTreeMap<&str, bool> = BTreeMap::new();
        for attempt in self.attempts.values().filter(|attempt| attempt.retried) {
            tried_again.insert(&attempt.test_case, true);
        }
        let mut flaky = 0;
        for attempt in self.attempts.values().filter(|attempt| !attempt.retried) {
            let status = attempt.worst.unwrap_or(CaseStatus::Passed);
            flaky += u64::from(
                status == CaseStatus::Passed && tried_again.contains_key(attempt.test_case.as_str()),
            );
            let pickle = self.test_cases.get(&attempt.test_case).and_then(|pickle| self.pickles.get(pickle));
            let (name, file) = pickle.cloned().unwrap_or_default();
            cases.push(Case {
                name,
                file: Some(file),
                status,
                message: attempt.message.clone(),
                file_level: false,
            });
        }
        let count = |wanted: CaseStatus| cases.iter().filter(|case| case.status == wanted).count() as u64;
        let tally = Tally {
            load_errors: Some(self.hooks_failed + self.parse_errors),
            todo: Some(count(CaseStatus::Todo)),
            flaky: Some(flaky),
            ..Tally::of(count(CaseStatus::Passed), count(CaseStatus::Failed), count(CaseStatus::Skipped))
        };
        let all_finished = self.attempts.values().all(|attempt| attempt.finished);
        let line = self.finished.map_or(last, |(line, _)| line);
        let reading = Reading::from_tally(ID, tally, line.quote()).spanning(first.number, last.number);
        let reading = match self.finished {
            _ if reading.said == Said::Failed => reading,
            Some((_, true)) if all_finished => reading,
            // Cucumber says that the run failed though no scenario did: a pending one, a hook.
            Some((_, false)) if reading.said == Said::Passed => reading.saying(Said::Failed),
            Some(_) if all_finished => reading,
            Some(_) | None => reading.saying(Said::Unfinished(Reason::ReportUnfinished)),
        };
        cases.retain(|case| case.status != CaseStatus::Passed);
        Some(reading.naming(cases).summed())
    }
}

impl Attempt {
    fn note(&mut self, result: &Value) {
        let status = match result["status"].as_str().unwrap_or_default() {
            "PASSED" => return,
            "SKIPPED" => CaseStatus::Skipped,
            "PENDING" => CaseStatus::Todo,
            // FAILED, UNDEFINED, AMBIGUOUS, UNKNOWN.
            _ => CaseStatus::Failed,
        };
        if status == CaseStatus::Failed && self.message.is_none() {
            let message = result["message"].as_str().and_then(|text| text.lines().next());
            self.message = message.map(str::to_owned);
        }
        // The first step that did not pass decides; the ones behind it are skipped because of it.
        if self.worst.is_none() || (self.worst == Some(CaseStatus::Skipped) && status == CaseStatus::Failed) {
            self.worst = Some(status);
        }
    }
}
