//! The closing lines of Mocha's console reporters, the list of failures below them, and the TAP reporter's.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use super::{ID, is_hook};
use crate::filters::{Filters, Shape};
use crate::reader::Hint;
use crate::readers::takes_lines_away;
use crate::reading::{Reading, Said};
use crate::runs;
use crate::settle::settle;
use crate::text::Line;

/// One epilogue: `passing`, `pending`, `failing`, each on a line of its own, in this order.
#[derive(Clone, Debug, Default)]
struct Epilogue {
    first: usize,
    last: usize,
    passing: Option<u64>,
    pending: Option<u64>,
    failing: Option<u64>,
    list: Vec<Failure>,
    /// Index behind the list.
    end: usize,
}

/// One entry of the numbered list.
#[derive(Clone, Debug)]
struct Failure {
    title: String,
    is_hook: bool,
    message: Option<String>,
}

static PASSING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^  (\d+) passing \(\d+(?:ms|s|m|h|d)\)$").expect("valid pattern"));
static OTHER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^  (\d+) (pending|failing)$").expect("valid pattern"));

pub(super) fn read(lines: &[Line<'_>], hint: Hint<'_>) -> Vec<Reading> {
    let epilogues = epilogues(lines, hint);
    let results = if epilogues.is_empty() { Vec::new() } else { results(lines, &epilogues) };
    let cut = hint.invocations.iter().any(takes_lines_away);
    let settled = settle(epilogues.len(), !results.is_empty(), cut, |at, after| {
        let start = after.map_or(0, |after| epilogues[after].end);
        let seen = results.iter().filter(|index| (start..epilogues[at].first).contains(*index)).count();
        epilogues[at].claims().cmp(&(seen as u64))
    });
    let mut from = 0;
    let mut readings = Vec::new();
    for at in settled.accepted {
        let epilogue = &epilogues[at];
        let begin = results.iter().copied().find(|index| (from..epilogue.first).contains(index));
        readings.push(epilogue.reading(lines, begin.unwrap_or(epilogue.first), hint));
        from = epilogue.end;
    }
    readings.extend(settled.doubtful.iter().map(|at| {
        let line = &lines[epilogues[*at].first];
        Reading::without_counts(ID, Said::Unfinished(Reason::Ambiguous), line.quote())
    }));
    readings.extend(tap(lines, hint));
    if readings.is_empty() {
        readings.extend(without_epilogue(lines, hint));
    }
    readings
}

fn epilogues(lines: &[Line<'_>], hint: Hint<'_>) -> Vec<Epilogue> {
    let mut found: Vec<Epilogue> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        // Asked of every line: a regular expression only where its words stand.
        let ends_so = [")", " pending", " failing"].iter().any(|end| line.text.ends_with(end));
        if !ends_so || !line.text.starts_with("  ") || line.text.len() > 60 {
            continue;
        }
        if let Some(passing) = PASSING.captures(line.text) {
            let passing = passing[1].parse().ok();
            found.push(Epilogue { first: index, last: index, passing, ..Epilogue::default() });
        } else if let Some(other) = OTHER.captures(line.text) {
            let number = other[1].parse().ok();
            let joins = found.last().is_some_and(|epilogue| epilogue.last + 1 == index);
            if !joins {
                // The line above was cut away. These words alone are Mocha's only if the command says so.
                if !hint.named {
                    continue;
                }
                found.push(Epilogue { first: index, last: index, ..Epilogue::default() });
            }
            let Some(epilogue) = found.last_mut() else { continue };
            epilogue.last = index;
            match &other[2] {
                "pending" => epilogue.pending = number,
                _ => epilogue.failing = number,
            }
        }
    }
    let cut = hint.invocations.iter().any(takes_lines_away);
    if !cut && found.iter().any(|epilogue| epilogue.passing.is_some()) {
        // Mocha always prints how many passed: beside such a line, the other words alone are a name or a log.
        found.retain(|epilogue| epilogue.passing.is_some());
    }
    for at in 0..found.len() {
        let to = found.get(at + 1).map_or(lines.len(), |next| next.first);
        let from = found[at].last + 1;
        let (list, end) = list(lines, from, to, found[at].failing.unwrap_or(0));
        found[at].list = list;
        found[at].end = end;
    }
    found
}

/// The entries 1, 2, 3 … that follow an epilogue, and the index behind the last one's text.
fn list(lines: &[Line<'_>], from: usize, to: usize, wanted: u64) -> (Vec<Failure>, usize) {
    let mut failures: Vec<Failure> = Vec::new();
    let mut end = from;
    let mut index = from;
    while index < to && (failures.len() as u64) < wanted {
        let opening = format!("  {}) ", failures.len() + 1);
        if let Some(rest) = lines[index].text.strip_prefix(&opening) {
            let (failure, after) = entry(lines, index, rest, to);
            failures.push(failure);
            index = after;
            end = after;
        } else {
            index += 1;
        }
    }
    // The last entry's text ends where two blank lines stand, as before the next run.
    while end < to && wanted > 0 && failures.len() as u64 == wanted {
        let blank = |at: usize| lines.get(at).is_none_or(|line| line.text.trim().is_empty());
        if blank(end) && blank(end + 1) {
            break;
        }
        end += 1;
    }
    (failures, end)
}

/// One entry: titles of the suites, each deeper than the last, up to the one with a colon; then the error.
fn entry(lines: &[Line<'_>], at: usize, first: &str, to: usize) -> (Failure, usize) {
    let mut titles = vec![first.trim()];
    let mut index = at + 1;
    while index < to && lines[index].text.starts_with("       ") && !lines[index - 1].text.ends_with(':') {
        titles.push(lines[index].text.trim());
        index += 1;
    }
    let last = titles.last().copied().unwrap_or_default();
    let is_hook = is_hook(last.trim_end_matches(':'));
    let title = titles.join(" ");
    let message = lines[index..to].iter().map(|line| line.text.trim()).find(|text| !text.is_empty());
    let title = title.strip_suffix(':').unwrap_or(&title).to_owned();
    (Failure { title, is_hook, message: message.map(str::to_owned) }, index)
}

/// Indices of the spec reporter's result lines: `✔ a`, `1) b`, `- c`, outside the lists of failures.
fn results(lines: &[Line<'_>], epilogues: &[Epilogue]) -> Vec<usize> {
    static RESULT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^ {2,}(?:[✔✓√] |\d+\) |- )\S").expect("valid pattern"));
    let in_list =
        |index: usize| epilogues.iter().any(|epilogue| index >= epilogue.first && index < epilogue.end);
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.text.starts_with("  ") && RESULT.is_match(line.text))
        .map(|(index, _)| index)
        .filter(|index| !in_list(*index))
        .collect()
}

impl Epilogue {
    fn claims(&self) -> u64 {
        [self.passing, self.pending, self.failing].iter().flatten().sum()
    }

    fn reading(&self, lines: &[Line<'_>], from: usize, hint: Hint<'_>) -> Reading {
        let filters = Filters::of_command(hint);
        let keeps = |inside| filters.keep_between(&Shape { start: "  ", inside });
        // Nothing tells whether `head` took away the lines that would follow. One blank line a replayed display has.
        let below = lines.get(self.last + 1..).unwrap_or_default();
        let ends =
            runs::loses_its_end(hint) && below.len() < 2 && below.iter().all(|line| line.text.is_empty());
        let hooks = self.list.iter().filter(|failure| failure.is_hook).count() as u64;
        let failing = match (self.failing, self.passing) {
            // Mocha leaves out the lines of zeros; a list of failures proves that this one was cut away.
            (None, Some(_)) if self.list.is_empty() && !ends && keeps(&[" failing"]) => Some(0),
            (failing, _) => failing,
        };
        let tally = Tally {
            passed: self.passing,
            failed: failing.map(|failing| failing.saturating_sub(hooks)),
            load_errors: Some(hooks),
            skipped: self.pending.or(self.passing.filter(|_| !ends && keeps(&[" pending"])).map(|_| 0)),
            flaky: None,
            ..Tally::ZERO
        };
        let quote = |index: usize| Quote::new(lines[index].number, lines[index].text);
        let mut reading = Reading::from_tally(ID, tally, quote(self.first));
        for index in self.first + 1..=self.last {
            reading = reading.quoting(quote(index));
        }
        let last = self.end.max(self.last + 1) - 1;
        reading = reading.spanning(lines[from].number, lines[last].number);
        if (tally.passed.is_none() || tally.failed.is_none()) && !tally.has_failure() {
            reading.said = Said::Unfinished(Reason::OutputCut);
        }
        reading.naming(self.list.iter().map(Failure::case).collect())
    }
}

impl Failure {
    fn case(&self) -> Case {
        Case {
            name: self.title.clone(),
            file: None,
            status: CaseStatus::Failed,
            message: self.message.clone(),
            file_level: false,
        }
    }
}

/// The TAP reporter: test points without a dash, then `# tests`, `# pass`, `# fail` without pending ones; the plan
/// follows them (before version 9 it comes first).
fn tap(lines: &[Line<'_>], hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut from = 0;
    for index in 0..lines.len() {
        if !lines[index].text.starts_with("# tests ") {
            continue;
        }
        let number =
            |at: usize, word: &str| -> Option<u64> { lines.get(at)?.text.strip_prefix(word)?.parse().ok() };
        let (Some(_), Some(passed), Some(failed)) =
            (number(index, "# tests "), number(index + 1, "# pass "), number(index + 2, "# fail "))
        else {
            continue;
        };
        let has_plan = |line: Option<&Line<'_>>| line.is_some_and(|line| line.text.starts_with("1.."));
        let planned = has_plan(lines.get(index + 3))
            || (hint.named && lines[from..index].iter().any(|line| has_plan(Some(line))));
        if !planned {
            continue;
        }
        let points = lines[from..index].iter().filter(|line| line.text.starts_with("ok "));
        let skipped = points.filter(|line| line.text.ends_with(" # SKIP -")).count() as u64;
        let failures: Vec<&str> =
            lines[from..index].iter().filter_map(|line| failed_point(line.text)).collect();
        let hooks = failures.iter().filter(|title| is_hook(title)).count() as u64;
        let tally = Tally {
            load_errors: Some(hooks),
            flaky: None,
            // Their points alone tell of them.
            skipped: Some(skipped).filter(|_| !runs::is_cut(hint)),
            ..Tally::of(passed, failed.saturating_sub(hooks), 0)
        };
        let case =
            |title: &&str| Failure { title: (*title).to_owned(), is_hook: false, message: None }.case();
        let reading = Reading::from_tally(ID, tally, lines[index].quote())
            .quoting(lines[index + 1].quote())
            .quoting(lines[index + 2].quote())
            .spanning(lines[from].number, lines[(index + 3).min(lines.len() - 1)].number)
            .naming(failures.iter().map(case).collect());
        readings.push(reading);
        from = index + 3;
    }
    readings
}

/// The title of `not ok 3 title`.
fn failed_point(text: &str) -> Option<&str> {
    let (number, title) = text.strip_prefix("not ok ")?.split_once(' ')?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(title)
}

/// A run of the spec reporter that was cut or stopped: failures are numbered from 1 on.
fn without_epilogue(lines: &[Line<'_>], hint: Hint<'_>) -> Option<Reading> {
    static FAILED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^( {2,})1\) \S.*[^:]$").expect("valid pattern"));
    static PASSED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^ {2,}[✔✓√] \S").expect("valid pattern"));
    if !hint.named {
        return None;
    }
    let began = lines.iter().position(|line| PASSED.is_match(line.text));
    // Below its suite's title, or below another result of the same suite.
    let failed = lines.iter().enumerate().find(|(index, line)| {
        let Some(found) = FAILED.captures(line.text) else { return false };
        let indent = found[1].len();
        let above = index.checked_sub(1).map_or("", |above| lines[above].text);
        let above_indent = above.len() - above.trim_start().len();
        !above.trim().is_empty() && (above_indent == indent || above_indent + 2 == indent)
    });
    let last = lines.last()?;
    let (said, line) = match (failed, began) {
        (Some((_, line)), _) => (Said::Failed, line),
        (None, Some(began)) => (Said::Unfinished(Reason::NoSummary), &lines[began]),
        (None, None) => return None,
    };
    let first = began.map_or(line.number, |began| lines[began].number.min(line.number));
    Some(Reading::without_counts(ID, said, line.quote()).spanning(first, last.number))
}
