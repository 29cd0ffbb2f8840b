//! Playwright's JSON report: suites in suites, specs, one test per project, results per attempt.

use std::borrow::Cow;

use kenshu_model::{Case, CaseStatus, Cases, Reason, Tally};

use super::{ID, NO_BROWSER, STOPPED_EARLY};
use crate::documents::Document;
use crate::json::Json;
use crate::reading::{Reading, Said};
use crate::text::Stream;

/// What the tests of one report add up to.
#[derive(Default)]
struct Sum {
    passed: u64,
    failed: u64,
    skipped: u64,
    flaky: u64,
    interrupted: u64,
    no_browser: u64,
    cases: Cases,
}

/// Every report in the stream.
pub(super) fn read(stream: &Stream) -> Vec<Reading> {
    stream
        .json_documents("\"suites\"")
        .into_iter()
        .filter(|(_, report)| is_playwright(*report))
        .map(|(document, report)| reading(&document, report))
        .collect()
}

/// Mochawesome has `stats` and `suites` too, but its suites hold no specs, and its numbers other names.
fn is_playwright(report: Json<'_>) -> bool {
    let Some(mut suites) = report.at("suites").as_array() else { return false };
    // Up to 1.30 a report of a run that found nothing has no `stats`.
    let own_config = report.at("config").at("rootDir").is_string() && report.at("errors").is_array();
    own_config
        || report.at("stats").number("expected").is_some()
        || suites.any(|suite| suite.at("specs").is_array())
}

fn reading(document: &Document<'_>, report: Json<'_>) -> Reading {
    let sum = sum(report);
    let messages =
        || report.list("errors").map(|error| crate::text::strip_escapes(&error.text("message")).into_owned());
    let nothing_found = messages()
        .any(|message| super::nothing_found(message.trim_matches(|symbol| matches!(symbol, '=' | '\n'))));
    let outside = messages().filter(|message| !message.starts_with(STOPPED_EARLY)).count();
    let tally = Tally {
        passed: Some(sum.passed),
        failed: Some(sum.failed),
        load_errors: Some(if nothing_found { 0 } else { u64::try_from(outside).unwrap_or(u64::MAX) }),
        skipped: Some(sum.skipped),
        flaky: Some(sum.flaky),
        ..Tally::ZERO
    };
    let said = if sum.failed > 0 && sum.no_browser == sum.failed && sum.passed == 0 {
        Said::CouldNotRun(Reason::Environment)
    } else if tally.has_failure() {
        Said::Failed
    } else if sum.interrupted > 0 {
        Said::Unfinished(Reason::Killed)
    } else {
        Said::of(&tally)
    };
    let mut reading = Reading {
        runner: ID,
        said,
        tally,
        files: None,
        cases: sum.cases,
        quotes: Vec::new(),
        lines: (document.first, document.last),
        needs_every_line: false,
        remark: None,
    };
    for key in ["stats", "expected", "skipped", "unexpected", "flaky", "errors"] {
        // The last one: tests have members of these names too.
        let from = document.text.rfind(&format!("\"{key}\"")).unwrap_or(0);
        let above = memchr::memchr_iter(b'\n', &document.text.as_bytes()[..from]).count();
        let first = document.first.saturating_add(u32::try_from(above).unwrap_or(u32::MAX));
        reading = reading.quoting(Document { text: &document.text[from..], first, ..*document }.quote(key));
    }
    reading
}

/// Walks the suites without recursion.
fn sum(report: Json<'_>) -> Sum {
    let mut sum = Sum::default();
    let mut open: Vec<(Json<'_>, Vec<Cow<'_, str>>)> =
        report.list("suites").map(|suite| (suite, Vec::new())).collect();
    open.reverse();
    while let Some((suite, names)) = open.pop() {
        for spec in suite.list("specs") {
            for test in spec.list("tests") {
                add(&mut sum, spec, test, &names);
            }
        }
        let place = open.len();
        for inner in suite.list("suites") {
            let mut names = names.clone();
            names.extend(inner.at("title").as_str());
            open.push((inner, names));
        }
        open[place..].reverse();
    }
    sum
}

fn add(sum: &mut Sum, spec: Json<'_>, test: Json<'_>, names: &[Cow<'_, str>]) {
    let results = || test.list("results");
    let status = match test.at("status").as_str().as_deref() {
        Some("expected") => CaseStatus::Passed,
        Some("flaky") => {
            sum.flaky += 1;
            CaseStatus::Passed
        }
        Some("unexpected") => CaseStatus::Failed,
        Some(_) => CaseStatus::Skipped,
        // Without a status of its own the spec says it.
        None if results().next().is_some() && results().all(|result| result.at("status").is("skipped")) => {
            CaseStatus::Skipped
        }
        None if spec.at("ok").as_bool() == Some(true) => CaseStatus::Passed,
        None => CaseStatus::Failed,
    };
    let error = results().find_map(|result| {
        let first = || result.list("errors").next().and_then(|error| error.at("message").as_str());
        let error = result.at("error").at("message").as_str().or_else(first)?;
        Some(crate::text::strip_escapes(&error).into_owned())
    });
    match status {
        CaseStatus::Passed => sum.passed += 1,
        CaseStatus::Failed => sum.failed += 1,
        CaseStatus::Skipped | CaseStatus::Todo | CaseStatus::ExpectedFailure | CaseStatus::UnexpectedPass => {
            sum.skipped += 1
        }
    }
    sum.interrupted += u64::from(results().any(|result| result.at("status").is("interrupted")));
    let lacks = |error: &str| NO_BROWSER.iter().any(|words| error.contains(words));
    sum.no_browser += u64::from(status == CaseStatus::Failed && error.as_deref().is_some_and(lacks));
    let names: Vec<Cow<'_, str>> = names.iter().cloned().chain(spec.at("title").as_str()).collect();
    let names = names.join(" › ");
    let project = test.at("projectName").as_str().filter(|project| !project.is_empty());
    sum.cases.push(Case {
        name: project.map_or_else(|| names.clone(), |project| format!("[{project}] › {names}")),
        file: spec.at("file").as_str().map(Cow::into_owned),
        status,
        message: error.and_then(|error| error.lines().next().map(str::to_owned)),
        file_level: false,
    });
}

/// Makes one reading of a run's text and its report. `false`: they speak of different runs.
pub(super) fn join(text: &mut Reading, report: &Reading) -> bool {
    let same = text.tally.passed == report.tally.passed
        && text.tally.failed == report.tally.failed
        && text.tally.skipped == report.tally.skipped;
    if same {
        text.cases.clone_from(&report.cases);
        text.lines = (text.lines.0.min(report.lines.0), text.lines.1.max(report.lines.1));
    }
    same
}
