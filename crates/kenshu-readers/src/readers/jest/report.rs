//! The JSON report of Jest, which Vitest writes too: `numTotalTests` … and `testResults`.

use std::borrow::Cow;

use kenshu_model::count::FileTally;
use kenshu_model::{Case, CaseStatus, Cases, Reason, Tally};

use crate::documents::Document;
use crate::json::{Items, Json};
use crate::reading::{Reading, Said};
use crate::text::Stream;

/// A member that every such report has.
pub(in crate::readers) const NEEDLE: &str = "\"numTotalTests\"";

/// Which of the two wrote it: only Jest counts suites that did not run.
fn is_jest(report: Json<'_>) -> bool {
    report.get("numRuntimeErrorTestSuites").is_some()
}

/// Every report in the stream that `runner` (`jest` or `vitest`) wrote.
pub(in crate::readers) fn read(stream: &Stream, runner: &'static str) -> Vec<Reading> {
    stream
        .json_documents(NEEDLE)
        .into_iter()
        .filter(|(_, report)| report.at("testResults").is_array() && is_jest(*report) == (runner == "jest"))
        .map(|(document, report)| reading(&document, report, runner))
        .collect()
}

fn reading(document: &Document<'_>, report: Json<'_>, runner: &'static str) -> Reading {
    let number = |name: &str| report.number(name);
    let mut cases = Cases::default();
    let mut counted = Tally::of(0, 0, 0);
    let mut not_loaded = 0;
    let mut flaky = 0;
    let mut has_assertions = true;
    for file in report.list("testResults") {
        let tests = file.at("assertionResults").as_array();
        has_assertions &= tests.is_some();
        let name = file.at("name").as_str();
        let mut failed_in_a_test = false;
        for test in tests.into_iter().flatten() {
            let case = case(test, name.as_deref());
            let attempts = test.number("invocations").unwrap_or(1);
            failed_in_a_test |= case.status == CaseStatus::Failed;
            add(&mut counted, case.status);
            flaky += u64::from(case.status == CaseStatus::Passed && attempts > 1);
            cases.push(case);
        }
        // Vitest up to 0.34 calls a file without tests passed, and says in its message why it is not.
        let bad = file.at("status").is("failed") || !file.text("message").is_empty();
        not_loaded += u64::from(bad && !failed_in_a_test);
    }
    let announced = Tally {
        passed: number("numPassedTests"),
        failed: number("numFailedTests"),
        skipped: number("numPendingTests"),
        todo: Some(number("numTodoTests").unwrap_or_default()),
        load_errors: Some(number("numRuntimeErrorTestSuites").unwrap_or_default().max(not_loaded)),
        // Vitest does not say in its report which test needed a retry.
        flaky: (runner == "jest").then_some(flaky),
        ..Tally::ZERO
    };
    let tally = match has_assertions {
        true => Tally { load_errors: announced.load_errors, flaky: announced.flaky, ..counted },
        false => announced,
    };
    let (failed, total) = (number("numFailedTestSuites"), number("numTotalTestSuites"));
    // Vitest counts `describe` blocks as suites: its files are the results.
    let files = match (runner, failed, total, number("numPassedTestSuites")) {
        ("jest", Some(failed), Some(total), Some(passed)) => Some(FileTally { passed, failed, total }),
        _ => files_of(report),
    };
    let mut reading = Reading {
        runner,
        said: said(report, &tally, &announced),
        tally,
        files,
        cases,
        quotes: Vec::new(),
        lines: (document.first, document.last),
        needs_every_line: false,
        remark: None,
    };
    if matches!(reading.said, Said::Unfinished(_)) {
        reading.tally = Tally::UNKNOWN;
    }
    for key in ["numFailedTests", "numPassedTests", "numTotalTests", "success"] {
        reading = reading.quoting(document.quote(key));
    }
    if reading.tally.load_errors.is_some_and(|count| count > 0) {
        reading = reading.quoting(document.quote("numFailedTestSuites"));
    }
    reading
}

fn said(report: Json<'_>, tally: &Tally, announced: &Tally) -> Said {
    if tally.has_failure() {
        return Said::Failed;
    }
    if report.at("wasInterrupted").as_bool() == Some(true) {
        return Said::Unfinished(Reason::Killed);
    }
    // Vitest up to 1 counts as passed whatever did not fail, skipped tests too; its cases say it rightly.
    if announced.has_failure() || (is_jest(report) && !tally.agrees_with(announced)) {
        return Said::Unfinished(Reason::Ambiguous);
    }
    let no_file = report.at("testResults").as_array().is_some_and(Items::is_empty);
    let said = Said::of(tally);
    if no_file && matches!(said, Said::NothingRan(_)) {
        return Said::NothingRan(Reason::NoTestFiles);
    }
    // Obsolete snapshots, a reporter's own error: the run failed as a whole.
    if said == Said::Passed && report.at("success").as_bool() == Some(false) { Said::Failed } else { said }
}

fn add(tally: &mut Tally, status: CaseStatus) {
    let count = match status {
        CaseStatus::Passed => &mut tally.passed,
        CaseStatus::Failed => &mut tally.failed,
        CaseStatus::Todo => &mut tally.todo,
        CaseStatus::Skipped | CaseStatus::ExpectedFailure | CaseStatus::UnexpectedPass => &mut tally.skipped,
    };
    *count = count.map(|count| count + 1);
}

fn files_of(report: Json<'_>) -> Option<FileTally> {
    let files = report.at("testResults").as_array()?;
    let failed = files.filter(|file| file.at("status").is("failed")).count() as u64;
    let total = files.count() as u64;
    Some(FileTally { passed: total - failed, failed, total })
}

fn case(test: Json<'_>, file: Option<&str>) -> Case {
    let suites = test.list("ancestorTitles").filter_map(Json::as_str);
    let title = test.at("title").as_str().or_else(|| test.at("fullName").as_str());
    // The names of both runners' own texts: `suite › test` and `suite > test`.
    let separator = if test.get("numPassingAsserts").is_some() { " › " } else { " > " };
    let names: Vec<Cow<'_, str>> = suites.filter(|name| !name.is_empty()).chain(title).collect();
    let message = test.list("failureMessages").next().and_then(Json::as_str);
    Case {
        name: names.join(separator),
        file: file.map(str::to_owned),
        status: match test.at("status").as_str().as_deref() {
            Some("passed") => CaseStatus::Passed,
            Some("failed") => CaseStatus::Failed,
            Some("todo") => CaseStatus::Todo,
            Some(_) | None => CaseStatus::Skipped,
        },
        message: message.and_then(|text| text.lines().next().map(str::to_owned)),
        file_level: false,
    }
}

/// Makes one reading of a run's text and its report, where the report is the same run's.
///
/// The text keeps the statement; the report names every test. `false`: they speak of different runs.
pub(in crate::readers) fn join(text: &mut Reading, report: &Reading) -> bool {
    let same = |a: Option<u64>, b: Option<u64>| a.is_none() || b.is_none() || a == b;
    let not_run = |tally: &Tally| Some(tally.skipped? + tally.todo?);
    let passes = |tally: &Tally| Some(tally.passed? + tally.expected_failures?);
    if !same(passes(&text.tally), passes(&report.tally))
        || !same(text.tally.failed, report.tally.failed)
        || !same(not_run(&text.tally), not_run(&report.tally))
    {
        return false;
    }
    text.tally.load_errors = text.tally.load_errors.or(report.tally.load_errors);
    text.tally.flaky = text.tally.flaky.or(report.tally.flaky);
    text.cases.clone_from(&report.cases);
    text.lines = (text.lines.0.min(report.lines.0), text.lines.1.max(report.lines.1));
    true
}
