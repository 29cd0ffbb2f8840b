//! Nim's unittest: one line per test, and no closing line.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "nim-unittest";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Nim unittest",
    versions: "1.6",
    formats: "text",
    zero: "suites without a test below them, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["[Suite] ", ".nim("],
    commands: &[&["nim", "-r"], &["nim", "r"], &["nimble", "test"], &["testament"]],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

/// At most so many lines are quoted; the failed ones are among the cases.
const QUOTES_MAX: usize = 20;

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut tally = Tally::ZERO;
    let mut suites: Vec<Line<'_>> = Vec::new();
    let mut results: Vec<Line<'_>> = Vec::new();
    let mut cases = Vec::new();
    let mut says_more = false;
    for line in stream.lines() {
        let text = line.text.trim_end();
        if text.starts_with("[Suite] ") {
            suites.push(line);
        } else if let Some((word, name)) = result(text) {
            // A test outside of a suite stands at the margin, where anybody's line may stand.
            if !text.starts_with("  ") && !hint.named {
                continue;
            }
            let (field, status) = match word {
                "OK" => (&mut tally.passed, CaseStatus::Passed),
                "FAILED" => (&mut tally.failed, CaseStatus::Failed),
                _ => (&mut tally.skipped, CaseStatus::Skipped),
            };
            *field = field.and_then(|count| count.checked_add(1));
            if status != CaseStatus::Passed {
                cases.push(Case {
                    name: name.to_owned(),
                    file: None,
                    status,
                    message: None,
                    file_level: false,
                });
            }
            results.push(line);
        } else if is_compile_error(text) && hint.named {
            let tally = Tally { load_errors: Some(1), ..Tally::UNKNOWN };
            return vec![Reading { tally, ..Reading::without_counts(ID, Said::Failed, line.quote()) }];
        } else if !text.is_empty() && !text.starts_with("Hint: ") {
            says_more = true;
        }
    }
    let Some(first) = suites.first().or(results.first().filter(|_| hint.named)).copied() else {
        return Vec::new();
    };
    let mut said = Said::of(&tally);
    if said == Said::NothingRan(Reason::ZeroTests) {
        // What is printed besides may be the reason why no test ended.
        said = if says_more || runs::is_cut(hint) {
            Said::Unfinished(Reason::NoSummary)
        } else if filters(hint) {
            Said::NothingRan(Reason::FilterMatchedNothing)
        } else {
            said
        };
    }
    let reading = Reading { tally, ..Reading::without_counts(ID, said, first.quote()) };
    let quoted =
        results.iter().filter(|line| !line.text.contains("[OK] ")).chain(results.first()).take(QUOTES_MAX);
    let reading = quoted.fold(reading, |reading, line| reading.quoting(line.quote()));
    let last = results.last().map_or(first.number, |line| line.number);
    vec![reading.spanning(first.number, last).naming(cases).summed()]
}

/// `  [FAILED] name`
fn result(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("  ").unwrap_or(text);
    let (word, name) = text.strip_prefix('[')?.split_once("] ")?;
    matches!(word, "OK" | "FAILED" | "SKIPPED").then_some((word, name))
}

/// `t.nim(2, 6) Error: undeclared identifier: 'x'`
fn is_compile_error(text: &str) -> bool {
    text.split_once(") Error: ").is_some_and(|(place, _)| {
        place.split_once(".nim(").is_some_and(|(_, numbers)| {
            numbers
                .split(", ")
                .all(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
        })
    })
}

/// Whether the program was given a test's name.
fn filters(hint: Hint<'_>) -> bool {
    hint.invocations.iter().any(|invocation| {
        !matches!(invocation.program.as_str(), "nim" | "nimble" | "testament" | "tail" | "head" | "grep")
            && invocation.arguments.iter().any(|argument| !argument.starts_with('-'))
    })
}
