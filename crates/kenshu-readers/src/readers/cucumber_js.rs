//! `cucumber-js`: Cucumber for JavaScript. Counted in scenarios, as its summary does; steps stand in the line below.
//!
//! Undefined and ambiguous scenarios fail a run. Pending ones are still to be written; that they fail a run too (they do
//! unless `--no-strict` is given) is said by the status.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::settle::settle;
use crate::text::{Line, Stream};

mod json;
mod messages;

const ID: &str = "cucumber-js";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Cucumber.js",
    versions: "6.0, 7.3, 9.6, 11.3, 12.9",
    formats: "text of the progress, progress-bar, summary and pretty formatters, Cucumber JSON, Cucumber messages (NDJSON)",
    zero: "0 scenarios; status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " scenarios",
        "1 scenario (",
        "{\"testCaseStarted\":",
        "\"elements\":",
        "{\"testRunFinished\":",
    ],
    commands: &[
        &["cucumber-js"],
        &["c8", "cucumber-js"],
        &["nyc", "cucumber-js"],
        &["node", "node_modules/.bin/cucumber-js"],
        &["node", "./node_modules/.bin/cucumber-js"],
    ],
    list_options: &["--dry-run", "-d"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

static TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\d+m(0\d|\d\d)\.\d{3}s( \(executing steps: \d+m\d\d\.\d{3}s\))?$").expect("valid pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = json::read(stream);
    readings.extend(messages::read(stream));
    if readings.is_empty() {
        let lines = stream.all_lines();
        readings = text(&lines, hint);
    }
    let filtered =
        hint.invocations.iter().any(|invocation| invocation.has_option(&["--tags", "-t", "--name"]));
    readings.into_iter().map(|reading| reading.filtered(filtered)).collect()
}

/// One closing summary.
struct Closing {
    at: usize,
    end: usize,
    tally: Tally,
    steps: Option<u64>,
}

fn text(lines: &[Line<'_>], hint: Hint<'_>) -> Vec<Reading> {
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let closings: Vec<Closing> = (0..lines.len()).filter_map(|at| closing(lines, at, hint, cut)).collect();
    let progress: Vec<(usize, u64)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, marks(line.text)?))).collect();
    // A step that prints breaks the row of marks: an earlier summary that does not fit is in doubt, never dropped.
    let settled = settle(closings.len(), !progress.is_empty(), true, |at, after| {
        let from = after.map_or(0, |after| closings[after].end);
        let inside = progress.iter().filter(|(place, _)| (from..closings[at].at).contains(place));
        closings[at].steps.unwrap_or(0).cmp(&inside.map(|(_, marks)| marks).sum())
    });
    let mut from = 0;
    let mut readings = Vec::new();
    for at in settled.accepted {
        let closing = &closings[at];
        let begin = (from..closing.at).find(|at| !lines[*at].text.trim().is_empty()).unwrap_or(closing.at);
        let above = &lines[begin..closing.at];
        let tried_again = above.iter().any(|line| line.text.contains(" (attempt "));
        let flaky = if tried_again { None } else { Some(0) };
        let tally = Tally { flaky, ..closing.tally };
        let reading = Reading::from_tally(ID, tally, lines[closing.at].quote());
        let cases = failures(above);
        readings.push(reading.spanning(lines[begin].number, lines[closing.end - 1].number).naming(cases));
        from = closing.end;
    }
    readings.extend(settled.doubtful.iter().map(|at| {
        Reading::without_counts(ID, Said::Unfinished(Reason::Ambiguous), lines[closings[*at].at].quote())
    }));
    if hint.named && readings.is_empty() {
        readings.extend(unclosed(lines, cut));
    }
    readings
}

/// The line of scenarios with that of steps and that of the time below it; of a cut text of Cucumber.js, alone.
fn closing(lines: &[Line<'_>], at: usize, hint: Hint<'_>, cut: bool) -> Option<Closing> {
    let text = lines[at].text;
    if !text.as_bytes().first()?.is_ascii_digit() || !text.contains(" scenario") {
        return None;
    }
    let (total, statuses) = total_and_statuses(text, "scenario")?;
    let tally = tally(total, statuses)?;
    let steps = lines.get(at + 1).and_then(|line| total_and_statuses(line.text, "step"));
    let time = lines.get(at + 2).and_then(|line| TIME.captures(line.text));
    let is_whole = steps.is_some() && time.is_some();
    // Cucumber for Ruby prints the same without the time of the steps, and no zero before a single second.
    let is_own = time.is_some_and(|time| time.get(2).is_some() || time[1].starts_with('0'));
    if !(is_whole && (is_own || hint.named) || (hint.named && cut)) {
        return None;
    }
    let end = at + if is_whole { 3 } else { 1 };
    Some(Closing { at, end, tally, steps: steps.map(|(steps, _)| steps) })
}

/// `6 scenarios (1 failed, 5 passed)` → 6 and what stands in the brackets.
fn total_and_statuses<'a>(text: &'a str, what: &str) -> Option<(u64, &'a str)> {
    let (number, rest) = number_and_word(text)?;
    let rest = rest.strip_prefix(what)?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let statuses = if rest.is_empty() { "" } else { rest.strip_prefix(" (")?.strip_suffix(')')? };
    Some((number, statuses))
}

/// The numbers, if they have only words of Cucumber's and add up.
fn tally(total: u64, statuses: &str) -> Option<Tally> {
    let (mut failed, mut todo, mut skipped, mut passed) = (0, 0, 0, 0u64);
    for part in statuses.split(", ").filter(|part| !part.is_empty()) {
        let (number, word) = number_and_word(part)?;
        let field: &mut u64 = match word {
            "failed" | "ambiguous" | "undefined" => &mut failed,
            // A scenario without a step is `unknown`.
            "pending" | "unknown" => &mut todo,
            "skipped" => &mut skipped,
            "passed" => &mut passed,
            _ => return None,
        };
        *field = field.checked_add(number)?;
    }
    let sum = failed.checked_add(todo)?.checked_add(skipped)?.checked_add(passed)?;
    (sum == total).then_some(Tally { todo: Some(todo), ..Tally::of(passed, failed, skipped) })
}

/// How many steps a row of the progress formatter shows.
fn marks(text: &str) -> Option<u64> {
    let is_row =
        !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'.' | b'F' | b'U' | b'P' | b'A' | b'-'));
    is_row.then_some(text.len() as u64)
}

/// The scenarios that the run lists as failures: `1) Scenario: wrong # features/fail.feature:5`.
fn failures(lines: &[Line<'_>]) -> Vec<Case> {
    let Some(start) = lines.iter().rposition(|line| line.text == "Failures:") else { return Vec::new() };
    let mut cases: Vec<Case> = Vec::new();
    for line in &lines[start..] {
        if line.text == "Warnings:" {
            break;
        }
        let opening = format!("{}) Scenario: ", cases.len() + 1);
        let Some(rest) = line.text.strip_prefix(&opening) else { continue };
        let (name, place) = rest.rsplit_once(" # ").unwrap_or((rest, ""));
        // A scenario that was tried again says so behind its name.
        let name = name.split_once(" (attempt ").map_or(name, |(name, _)| name);
        let file = place.rsplit_once(':').map(|(file, _)| file.to_owned());
        cases.push(Case {
            name: name.to_owned(),
            file,
            status: CaseStatus::Failed,
            message: None,
            file_level: false,
        });
    }
    cases
}

/// What Cucumber.js says instead of a summary: a wrong option, a feature that can't be read, a hook around the run that
/// failed, or nothing but a row of marks.
fn unclosed(lines: &[Line<'_>], cut: bool) -> Option<Reading> {
    for line in lines {
        let text = line.text;
        let said = if text.starts_with("error: unknown option ") || text.starts_with("error: option ") {
            Said::CouldNotRun(Reason::UsageError)
        } else if text.starts_with("Cucumber can only run on Node.js versions ") {
            Said::CouldNotRun(Reason::Environment)
        } else if text.starts_with("Error: Parse error in ")
            || text.starts_with("Parse error in ")
            || text.contains("a BeforeAll hook errored")
            || text.contains("an AfterAll hook errored")
        {
            let mut reading = Reading::without_counts(ID, Said::Failed, line.quote());
            reading.tally = Tally { load_errors: Some(1), ..Tally::UNKNOWN };
            return Some(reading);
        } else {
            continue;
        };
        return Some(Reading::without_counts(ID, said, line.quote()));
    }
    let rows: Vec<&Line<'_>> = lines.iter().filter(|line| marks(line.text).is_some()).collect();
    let failed = rows.iter().find(|line| line.text.contains(['F', 'U', 'A']));
    let said = match failed {
        Some(_) => Said::Failed,
        None if cut => Said::Unfinished(Reason::OutputCut),
        None => Said::Unfinished(Reason::NoSummary),
    };
    let line = failed.or(rows.first())?;
    Some(Reading::without_counts(ID, said, line.quote()))
}
