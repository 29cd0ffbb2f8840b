//! Boost.Test: its closing statement, its report by levels, and its XML report.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "boost-test";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Boost.Test",
    versions: "1.74, 1.83",
    formats: "text, XML",
    zero: "`Test setup error: test tree is empty`, status 200",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "*** No errors detected",
        " in the test module \"",
        " in the test suite \"",
        "Test setup error: ",
        "Test module \"",
        "*** Test module \"",
        "*** The test module \"",
        "*** Errors were detected",
        "is a Boost.Test module containing unit tests.",
        "<TestResult>",
        " test cases...",
        "Running 1 test case...",
    ],
    commands: &[],
    list_options: &[],
    covers: &["junit-xml"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let reports: Vec<Reading> = stream.lines_with("<TestResult>").filter_map(xml).collect();
    if !reports.is_empty() {
        return reports;
    }
    let mut found = Found::default();
    for line in stream.lines() {
        found.take(line);
    }
    found.readings(hint)
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    begun: Option<(Line<'a>, u64)>,
    /// The module's block of a report, until its last line.
    report: Option<(Line<'a>, Tally, bool)>,
    failing: Vec<(Line<'a>, Case)>,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text.trim_end();
        if self.report.is_some() {
            if let Some((_, tally, _)) = self.report.as_mut()
                && let Some(rest) = text.strip_prefix("  ")
                && !rest.starts_with(' ')
                && !rest.starts_with("Test ")
            {
                count_part(tally, rest);
                return;
            }
            self.end_report();
        }
        if let Some(header) = header(text) {
            self.begun = Some((line, header));
        } else if let Some(failed) = module(text) {
            self.report = Some((line, Tally::ZERO, failed));
        } else if let Some(said) = statement(text) {
            let reading = Reading::without_counts(ID, said, line.quote());
            self.closed.push(self.spanning(reading));
        } else if let Some(case) = failing(text) {
            self.failing.push((line, case));
        }
    }

    fn spanning(&self, reading: Reading) -> Reading {
        match self.begun {
            Some((begun, _)) if begun.number < reading.lines.0 => {
                let last = reading.lines.1;
                reading.spanning(begun.number, last)
            }
            Some(_) | None => reading,
        }
    }

    fn end_report(&mut self) {
        let Some((line, tally, failed)) = self.report.take() else { return };
        let has_counts = tally.total() != Some(0);
        let said = match (failed, Said::of(&tally)) {
            (true, _) => Said::Failed,
            // Of a module without any failure and any count nothing is known but that.
            (false, _) if !has_counts => Said::Passed,
            (false, said) => said,
        };
        let tally = if has_counts { tally } else { Tally::UNKNOWN };
        let reading = Reading { tally, ..Reading::without_counts(ID, said, line.quote()) };
        self.closed.push(self.spanning(reading));
    }

    fn readings(mut self, hint: Hint<'_>) -> Vec<Reading> {
        self.end_report();
        let mut closed = std::mem::take(&mut self.closed);
        if is_silent(hint) {
            // What looks like a closing statement was printed by a test.
            closed.retain(|reading| matches!(reading.said, Said::CouldNotRun(_) | Said::NothingRan(_)));
        }
        if closed.is_empty() {
            return self.unclosed(hint).into_iter().collect();
        }
        let mut readings = runs::closing(closed, hint);
        if let [only] = readings.as_mut_slice()
            && only.said == Said::Failed
        {
            let mut cases: Vec<Case> = Vec::new();
            for (_, case) in self.failing.drain(..) {
                if !cases.iter().any(|other| other.name == case.name) {
                    cases.push(case);
                }
            }
            // A failure that was expected is printed like any other.
            if only.tally.failed.is_none() || only.tally.failed == Some(cases.len() as u64) {
                only.cases = cases.into();
            }
        }
        if runs::loses_its_end(hint) {
            return readings.into_iter().map(Reading::summed).collect();
        }
        readings
    }

    fn unclosed(&self, hint: Hint<'_>) -> Option<Reading> {
        let (begun, _) = self.begun?;
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        let fatal = self.failing.iter().find(|(line, _)| line.text.contains("fatal error: in "));
        // An expected failure is printed like any other; an abort is none.
        let said = match fatal {
            Some(_) => Said::Failed,
            None => Said::Unfinished(reason),
        };
        let quote = fatal.map_or_else(|| begun.quote(), |(line, _)| line.quote());
        Some(Reading::without_counts(ID, said, quote))
    }
}

/// Whether the command asks for no closing statement.
fn is_silent(hint: Hint<'_>) -> bool {
    hint.invocations.iter().any(|invocation| {
        let short = invocation.arguments.windows(2).any(|pair| pair[0] == "-r" && pair[1] == "no");
        short || invocation.has_option(&["--report_level=no", "-rno"])
    })
}

/// `Running 8 test cases...`
fn header(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("Running ")?;
    let count = rest.strip_suffix(" test cases...").or_else(|| rest.strip_suffix(" test case..."))?;
    count.parse().ok()
}

/// `Test module "demo" has failed with:`; whether it failed. Versions before 1.60 say "Test suite".
fn module(text: &str) -> Option<bool> {
    let rest = text.strip_prefix("Test module \"").or_else(|| text.strip_prefix("Test suite \""))?;
    let (_, verdict) = rest.rsplit_once("\" ")?;
    match verdict.trim_end_matches(':') {
        "has passed with" | "has passed" | "has passed with warnings" => Some(false),
        "has failed with" | "has failed" | "was aborted with" | "was aborted" | "has timed out with"
        | "has timed out" => Some(true),
        _ => None,
    }
}

/// `6 test cases out of 9 passed`. Those that were aborted or timed out are among the failed.
fn count_part(tally: &mut Tally, text: &str) {
    let Some((count, rest)) = text.split_once(" test case") else { return };
    let Ok(count) = count.parse() else { return };
    let Some((_, word)) = rest.rsplit_once(' ') else { return };
    match word {
        "passed" => tally.passed = Some(count),
        "failed" => tally.failed = Some(count),
        "skipped" => tally.skipped = Some(count),
        _ => {}
    }
}

/// The closing statement of the default report level: it counts assertions, not tests.
fn statement(text: &str) -> Option<Said> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = concat!(
            r#"^\*\*\* (?:\d+ failures? (?:is|are) detected(?: \(\d+ failures? (?:is|are) expected\))? in (?:the )?test (?:module|suite|case) ".*"#,
            r#"|[Ee]rrors were detected in (?:the )?test (?:module|suite|case) ".*"; see standard output for details"#,
            r#"|(?:The t|T)est (?:module|suite|case) ".*" was aborted; see standard output for details)$"#
        );
        Regex::new(pattern).expect("pattern of a statement")
    });
    static SKIPPED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^\*\*\* (?:The t|T)est (?:module|suite|case) ".*" was skipped; see standard output for details$"#)
            .expect("pattern of a statement")
    });
    if text == "*** No errors detected" {
        return Some(Said::Passed);
    }
    if text.starts_with("*** ") {
        if FAILED.is_match(text) {
            return Some(Said::Failed);
        }
        return SKIPPED.is_match(text).then_some(Said::NothingRan(Reason::OnlySkipped));
    }
    if let Some(why) = text.strip_prefix("Test setup error: ") {
        return Some(match why {
            "test tree is empty" => Said::NothingRan(Reason::ZeroTests),
            "no test cases matching filter or all test cases were disabled" => {
                Said::NothingRan(Reason::FilterMatchedNothing)
            }
            _ => Said::CouldNotRun(Reason::Environment),
        });
    }
    let usage = text.starts_with("  The program '")
        && text.ends_with("is a Boost.Test module containing unit tests.");
    usage.then_some(Said::CouldNotRun(Reason::UsageError))
}

/// `t.cc(12): error: in "core/d": check 1==2 has failed`
fn failing(text: &str) -> Option<Case> {
    let (place, rest) =
        text.split_once(": error: in \"").or_else(|| text.split_once(": fatal error: in \""))?;
    let (file, line) = place.strip_suffix(')')?.rsplit_once('(')?;
    let (name, message) = rest.split_once("\": ")?;
    let known = line.bytes().all(|digit| digit.is_ascii_digit());
    let file = (file != "unknown location").then(|| file.to_owned());
    let message = Some(message.to_owned());
    known.then(|| Case {
        name: name.to_owned(),
        file,
        status: CaseStatus::Failed,
        message,
        file_level: false,
    })
}

/// `<TestResult><TestSuite name="demo" result="passed" … test_cases_passed="4" …>`: the outermost suite counts all.
fn xml(line: Line<'_>) -> Option<Reading> {
    let (_, rest) = line.text.split_once("<TestResult>")?;
    let tag = rest.strip_prefix("<TestSuite ")?;
    let number = |name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')?.0.parse().ok()
    };
    let tally = Tally {
        passed: number("test_cases_passed"),
        failed: number("test_cases_failed"),
        skipped: number("test_cases_skipped"),
        ..Tally::ZERO
    };
    let end = tag.find('>')?;
    let is_failed = tag[..end].contains(" result=\"failed\"") || tag[..end].contains(" result=\"aborted\"");
    let quote = Quote::new(line.number, &tag[..end]);
    let reading = Reading::from_tally(ID, tally, quote);
    Some(if is_failed { reading.saying(Said::Failed) } else { reading })
}
