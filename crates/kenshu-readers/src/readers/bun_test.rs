//! `bun-test`: `bun test`.
//!
//! A run begins with `bun test v1.4.5 (…)` and ends with ` 3 pass`, ` 1 skip`, ` 2 fail` … and
//! `Ran 6 tests across 1 file.`; stopped by `--bail`, only the last line is there.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use crate::documents::Document;
use crate::filters::{Filters, Shape};
use crate::marks::{LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::readers::takes_lines_away;
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};
use crate::xml_cases;

const ID: &str = "bun-test";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Bun's test runner",
    versions: "1.0.30, 1.1.0, 1.2.10, 1.4.5",
    formats: "text, dots, JUnit XML",
    zero: "\"No tests found!\", status 1 (0 until 1.2, and with --pass-with-no-tests); an empty file: 0 pass, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "bun test v",
        "tests across ",
        "test across ",
        "name=\"bun test\"",
        "matched 0 tests. Searched",
    ],
    commands: &[&["bun", "test"]],
    list_options: &[],
    covers: &["junit-xml"],
    marks: Marks {
        failed: &[LineMark::Around("✗ ", "ms]"), LineMark::Around("(fail) ", "ms]")],
        passed: &[LineMark::Around("✓ ", "ms]"), LineMark::Around("(pass) ", "ms]")],
        letters: None,
        plain: false,
    },
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = Vec::new();
    if stream.contains("name=\"bun test\"") {
        readings.extend(stream.xml_documents(&["testsuites"]).into_iter().filter_map(junit));
    }
    let lines = stream.all_lines();
    let hint = Hint { named: hint.named && runs_bun_test(hint), ..hint };
    let cut = hint.invocations.iter().any(takes_lines_away);
    let mut starts: Vec<usize> = (0..lines.len()).filter(|at| is_header(lines[*at].text)).collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(lines.len());
        let run = Run { lines: &lines[*start..end], cut };
        readings.extend(run.reading(hint));
    }
    readings
}

/// `bun run test` runs a script, which may be any runner's.
fn runs_bun_test(hint: Hint<'_>) -> bool {
    let is_test = |word: Option<&String>| word.is_some_and(|word| word == "test");
    hint.invocations.is_empty()
        || hint.invocations.iter().any(|invocation| {
            invocation.program == "bun"
                && is_test(invocation.arguments.iter().find(|word| !word.starts_with('-')))
        })
}

/// The first line of every run.
fn is_header(text: &str) -> bool {
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^bun test v\d+\.\d+\.\d+\S* \([0-9a-f]{8,}\)$").expect("valid pattern")
    });
    text.starts_with("bun test v") && HEADER.is_match(text)
}

/// The lines from one header to the next.
struct Run<'a> {
    lines: &'a [Line<'a>],
    cut: bool,
}

/// The closing lines, as far as they are there.
#[derive(Default)]
struct Closing {
    first: usize,
    last: usize,
    pass: Option<u64>,
    skip: Option<u64>,
    todo: Option<u64>,
    fail: Option<u64>,
    errors: Option<u64>,
    ran: Option<u64>,
}

/// One result line.
struct ResultLine<'a> {
    status: CaseStatus,
    name: &'a str,
    retried: bool,
}

impl Run<'_> {
    fn reading(&self, hint: Hint<'_>) -> Option<Reading> {
        let begins = self.lines.first().is_some_and(|line| is_header(line.text));
        // With this word the runner ends: closing lines above it were printed by a file that it searched.
        let last = self.lines.iter().rfind(|line| !line.text.trim().is_empty());
        let none_matched = begins && last.is_some_and(|line| line.text.contains("matched 0 tests. Searched"));
        let closing = if none_matched { None } else { self.closing(begins || hint.named) };
        let reading = match closing {
            Some(closing) => self.closed(&closing, begins, &Filters::of_command(hint)),
            None => self.not_closed(begins, hint)?,
        };
        let (first, last) = self.lines.first().zip(self.lines.last())?;
        Some(if begins { reading.spanning(first.number, last.number) } else { reading })
    }

    /// The last closing lines: tests print before they end.
    fn closing(&self, known: bool) -> Option<Closing> {
        let mut closing: Option<Closing> = None;
        for (index, line) in self.lines.iter().enumerate() {
            let Some((word, number)) = closing_line(line.text) else { continue };
            let joins = closing.as_ref().is_some_and(|block| block.last + 1 == index && block.ran.is_none());
            if !joins {
                // A new block replaces an older one only if it is at least as whole.
                let starts_whole = word == "pass" || word == "ran" || closing.is_none();
                if !starts_whole {
                    continue;
                }
                if closing.as_ref().is_some_and(|block| block.ran.is_some()) && !self.is_closed_below(index) {
                    continue;
                }
                closing = Some(Closing { first: index, last: index, ..Closing::default() });
            }
            let Some(block) = closing.as_mut() else { continue };
            block.last = index;
            match word {
                "pass" => block.pass = Some(number),
                "skip" => block.skip = Some(number),
                "todo" => block.todo = Some(number),
                "fail" => block.fail = Some(number),
                "error" => block.errors = Some(number),
                "ran" => block.ran = Some(number),
                _ => {}
            }
        }
        closing.filter(|block| block.ran.is_some() || known)
    }

    /// Whether the closing lines from `index` on end with `Ran …`.
    fn is_closed_below(&self, index: usize) -> bool {
        self.lines[index..].iter().map_while(|line| closing_line(line.text)).any(|(word, _)| word == "ran")
    }

    fn closed(&self, closing: &Closing, begins: bool, filters: &Filters<'_>) -> Reading {
        // Bun leaves out the lines of zeros.
        let none =
            |inside| closing.pass.filter(|_| filters.keep_between(&Shape { start: "", inside })).map(|_| 0);
        let results: Vec<ResultLine<'_>> =
            self.lines[..closing.first].iter().filter_map(|line| result_line(line.text)).collect();
        let count = |status| results.iter().filter(|result| result.status == status).count() as u64;
        let whole = begins && !self.cut;
        let mut tally = Tally {
            passed: closing.pass,
            skipped: closing.skip.or_else(|| none(&[" skip"])),
            todo: closing.todo.or_else(|| none(&[" todo"])),
            flaky: None,
            ..Tally::ZERO
        };
        (tally.failed, tally.load_errors) = failures(closing, &results, whole);
        if tally.passed == Some(count(CaseStatus::Passed)) {
            tally.flaky = Some(results.iter().filter(|result| result.retried).count() as u64);
        }
        let bailed =
            self.lines[closing.last + 1..].iter().any(|line| line.text.starts_with("Bailed out after "));
        if bailed && closing.fail.is_none() {
            let sum = count(CaseStatus::Passed) + count(CaseStatus::Failed) + count(CaseStatus::Skipped);
            tally.failed = Some(count(CaseStatus::Failed)).filter(|failed| *failed > 0);
            let all = whole && closing.ran == Some(sum + count(CaseStatus::Todo));
            tally.passed = all.then_some(count(CaseStatus::Passed));
        }
        let quote = |line: &Line<'_>| Quote::new(line.number, line.text);
        let mut reading = Reading::from_tally(ID, tally, quote(&self.lines[closing.first]));
        for line in &self.lines[closing.first + 1..=closing.last] {
            reading = reading.quoting(quote(line));
        }
        if bailed {
            reading.said = Said::Failed;
        } else if !tally.has_failure() && (closing.pass.is_none() || closing.fail.is_none()) {
            reading.said = Said::Unfinished(Reason::OutputCut);
        }
        reading.naming(self.failed_cases())
    }

    /// Bun began, and its closing lines are not there.
    fn not_closed(&self, begins: bool, hint: Hint<'_>) -> Option<Reading> {
        static NO_MATCH: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r#"^error: regex ".*" matched 0 tests\. Searched \d+ files?"#).expect("valid pattern")
        });
        let find = |test: &dyn Fn(&str) -> bool| self.lines.iter().rev().find(|line| test(line.text));
        if let Some(line) = find(&|text| NO_MATCH.is_match(text)) {
            let said = Said::NothingRan(Reason::FilterMatchedNothing);
            return Some(Reading::without_counts(ID, said, line.quote()));
        }
        if !begins && !hint.named {
            return None;
        }
        let no_files = |text: &str| {
            text == "No tests found!" || text == "The following filters did not match any test files:"
        };
        if let Some(line) = find(&no_files) {
            return Some(Reading::without_counts(ID, Said::NothingRan(Reason::NoTestFiles), line.quote()));
        }
        let failed = self.failed_cases();
        if let Some(line) =
            find(&|text| result_line(text).is_some_and(|result| result.status == CaseStatus::Failed))
        {
            return Some(Reading::without_counts(ID, Said::Failed, line.quote()).naming(failed));
        }
        let first = self.lines.first().filter(|_| begins)?;
        Some(Reading::without_counts(ID, Said::Unfinished(Reason::NoSummary), first.quote()))
    }

    fn failed_cases(&self) -> Vec<Case> {
        let mut file: Option<&str> = None;
        let mut message: Option<&str> = None;
        let mut cases = Vec::new();
        for line in self.lines {
            let text = line.text;
            if let Some(name) = text.strip_suffix(':').filter(|name| is_test_file(name)) {
                (file, message) = (Some(name), None);
            } else if let Some(error) = text.strip_prefix("error: ") {
                message = Some(error);
            } else if let Some(result) = result_line(text) {
                if result.status == CaseStatus::Failed {
                    cases.push(Case {
                        name: result.name.to_owned(),
                        file: file.map(str::to_owned),
                        status: CaseStatus::Failed,
                        message: message.map(str::to_owned),
                        file_level: false,
                    });
                }
                message = None;
            }
        }
        cases
    }
}

fn is_test_file(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| {
        matches!(ending, "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx")
    })
}

/// Failed tests, and what else failed: files that did not load, hooks, errors between tests.
///
/// Bun's own `fail` mixes them: it has every `(fail)` line (hooks are `(unnamed)`), and most errors, but not all.
fn failures(closing: &Closing, results: &[ResultLine<'_>], whole: bool) -> (Option<u64>, Option<u64>) {
    let errors = closing.errors.unwrap_or(0);
    let Some(fail) = closing.fail else { return (None, Some(errors)) };
    let failed = || results.iter().filter(|result| result.status == CaseStatus::Failed);
    let lines = failed().count() as u64;
    if whole && lines <= fail {
        let hooks = failed().filter(|result| result.name.ends_with("(unnamed)")).count() as u64;
        return (Some(lines - hooks), Some(hooks + errors.max(fail - lines)));
    }
    if errors == 0 { (Some(fail), Some(0)) } else { (None, Some(errors)) }
}

/// The word and the number of a closing line.
fn closing_line(text: &str) -> Option<(&'static str, u64)> {
    const WORDS: [(&str, &str); 8] = [
        ("pass", "pass"),
        ("skip", "skip"),
        ("todo", "todo"),
        ("fail", "fail"),
        ("error", "error"),
        ("errors", "error"),
        ("filtered out", "filtered"),
        ("expect() calls", "expect"),
    ];
    static RAN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^Ran (\d+) tests? across \d+ files?\.(?: |$)").expect("valid pattern"));
    if text.len() > 100 {
        return None;
    }
    if let Some(ran) = RAN.captures(text) {
        return Some(("ran", ran[1].parse().ok()?));
    }
    if text.starts_with("snapshots: ") {
        return Some(("snapshots", 0));
    }
    // The dots reporter prints these lines without the blank.
    let (number, words) = text.strip_prefix(' ').unwrap_or(text).split_once(' ')?;
    let number = number.parse().ok()?;
    if words.ends_with(" expect() calls") && words.contains("snapshots") {
        return Some(("expect", number));
    }
    WORDS.iter().find(|(word, _)| *word == words).map(|(_, word)| (*word, number))
}

/// A result line: with words where the output is no terminal, else with symbols.
fn result_line(text: &str) -> Option<ResultLine<'_>> {
    const MARKS: [(&str, CaseStatus); 8] = [
        ("(pass) ", CaseStatus::Passed),
        ("(fail) ", CaseStatus::Failed),
        ("(skip) ", CaseStatus::Skipped),
        ("(todo) ", CaseStatus::Todo),
        ("✓ ", CaseStatus::Passed),
        ("✗ ", CaseStatus::Failed),
        ("» ", CaseStatus::Skipped),
        ("✎ ", CaseStatus::Todo),
    ];
    static TAIL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?P<name>.*?)(?P<retried> \(attempt \d+\))?(?: \[\d+(?:\.\d+)?(?:ms|s|us|µs|ns|m)\])?$")
            .expect("valid pattern")
    });
    let (rest, status) = MARKS.iter().find_map(|(mark, status)| Some((text.strip_prefix(mark)?, *status)))?;
    let found = TAIL.captures(rest)?;
    Some(ResultLine { status, name: found.name("name")?.as_str(), retried: found.name("retried").is_some() })
}

/// `--reporter=junit`.
fn junit(document: Document<'_>) -> Option<Reading> {
    let report = xml_cases::read(document);
    if report.root.get("name").map(String::as_str) != Some("bun test") {
        return None;
    }
    let mut tally = Tally { flaky: None, ..Tally::ZERO };
    let mut cases = Vec::new();
    for case in &report.cases {
        let is_todo = case.message.as_deref() == Some("TODO");
        let field = match case.status {
            CaseStatus::Failed => &mut tally.failed,
            CaseStatus::Skipped if is_todo => &mut tally.todo,
            CaseStatus::Skipped => &mut tally.skipped,
            CaseStatus::Passed
            | CaseStatus::Todo
            | CaseStatus::ExpectedFailure
            | CaseStatus::UnexpectedPass => &mut tally.passed,
        };
        *field = field.map(|count| count + 1);
        let name = match case.attribute("classname") {
            "" => case.attribute("name").to_owned(),
            suite => format!("{suite} > {}", case.attribute("name")),
        };
        cases.push(case.named(name));
    }
    let root = document.text.lines().find(|line| line.contains("name=\"bun test\"")).unwrap_or_default();
    let mut reading = Reading::from_tally(ID, tally, Quote::new(document.first, root))
        .spanning(document.first, document.last);
    if !report.closed && !tally.has_failure() {
        reading.said = Said::Unfinished(Reason::ReportUnfinished);
    }
    Some(reading.naming(cases))
}
