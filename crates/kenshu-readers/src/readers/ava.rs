//! `ava`: AVA's default, mini and verbose reporters. Its TAP reporter (`--tap`) is read as TAP.
//!
//! The run closes with a block of lines, each a number and its words, in a fixed order. `N tests passed` stands there
//! only where no test and no hook failed; otherwise the passes are the lines with a tick above it.

use std::collections::BTreeSet;

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::marks::Marks;
use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::settle::settle;
use crate::text::{Line, Stream};

mod closing;

use closing::Closing;

const ID: &str = "ava";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "AVA",
    versions: "2.4, 3.15, 4.3, 6.4, 7.0",
    formats: "text; TAP by the reader of TAP",
    zero: "\"Couldn’t find any files to test\", \"Couldn’t find any matching tests\", \"No tests found in FILE\"; status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "  ─\n\n",
        "Couldn’t find any files to test",
        "Couldn't find any files to test",
        "Couldn’t find any matching tests",
        "Couldn't find any matching tests",
        " found, but did not match the ",
        "No files tested in this parallel run",
        "make sure to import \"ava\" at the top",
    ],
    commands: &[
        &["ava"],
        &["c8", "ava"],
        &["nyc", "ava"],
        &["node", "node_modules/.bin/ava"],
        &["node", "./node_modules/.bin/ava"],
    ],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

/// The signs of a failed test, by version and terminal.
const CROSSES: [&str; 3] = ["  ✘ ", "  ✖ ", "  × "];
/// The signs of a passed test.
const TICKS: [&str; 2] = ["  ✔ ", "  √ "];

/// What a line means for the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark<'a> {
    /// A test that passed, or failed as it was marked to.
    Passed,
    /// A test or a hook that failed, with its title and what AVA says behind it.
    Failed(&'a str),
    Skipped(&'a str),
    Todo(&'a str),
    /// A test file (named, where AVA names one) that ended before its tests did, or an error of AVA's own.
    Trouble(&'a str),
    /// AVA's limit for a run without news.
    TimedOut,
    Interrupted,
}

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let marks: Vec<(usize, Mark<'_>)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, mark(line.text)?))).collect();
    let closings = closing::all(&lines, hint, cut);
    let any_results = marks.iter().any(|(_, mark)| matches!(mark, Mark::Passed | Mark::Failed(_)));
    let settled = settle(closings.len(), any_results, cut, |at, after| {
        let from = after.map_or(0, |after| closings[after].end);
        closings[at].claims().cmp(&seen(&closings[at], &marks, from))
    });
    let mut from = 0;
    let mut readings = Vec::new();
    for at in settled.accepted {
        let closing = &closings[at];
        let inside: Vec<_> =
            marks.iter().copied().filter(|(place, _)| (from..closing.first).contains(place)).collect();
        readings.push(reading(closing, &lines, &inside, cut));
        from = closing.end;
    }
    readings.extend(settled.doubtful.iter().map(|at| {
        let line = &lines[closings[*at].first];
        Reading::without_counts(ID, Said::Unfinished(Reason::Ambiguous), line.quote())
    }));
    let rest = &lines[from..];
    let nothing = rest.iter().find_map(|line| nothing_ran(line, hint));
    if let Some(nothing) = nothing.filter(|_| readings.is_empty() || is_own_block(rest)) {
        readings.push(nothing);
    } else if readings.is_empty() && hint.named {
        readings.extend(without_closing(&lines, &marks, cut));
    }
    readings
}

/// How many result lines above a closing are those that it counts.
fn seen(closing: &Closing, marks: &[(usize, Mark<'_>)], from: usize) -> u64 {
    let is_counted = |mark: &Mark<'_>| match mark {
        Mark::Passed => closing.passed > 0,
        Mark::Failed(_) => closing.passed == 0,
        Mark::Skipped(_) | Mark::Todo(_) | Mark::Trouble(_) | Mark::TimedOut | Mark::Interrupted => false,
    };
    marks.iter().filter(|(at, mark)| (from..closing.first).contains(at) && is_counted(mark)).count() as u64
}

/// Whether what follows the last closing is another run of AVA, that found nothing.
fn is_own_block(rest: &[Line<'_>]) -> bool {
    rest.iter().all(|line| line.text.trim().is_empty() || line.text.starts_with("  "))
}

fn reading(closing: &Closing, lines: &[Line<'_>], marks: &[(usize, Mark<'_>)], cut: bool) -> Reading {
    let count = |wanted: fn(&Mark<'_>) -> bool| marks.iter().filter(|(_, mark)| wanted(mark)).count() as u64;
    let ticks = count(|mark| matches!(mark, Mark::Passed));
    let crosses = count(|mark| matches!(mark, Mark::Failed(_)));
    let troubled: BTreeSet<&str> = marks
        .iter()
        .filter_map(|(_, mark)| if let Mark::Trouble(file) = mark { Some(*file) } else { None })
        .collect();
    let timed_out = count(|mark| matches!(mark, Mark::TimedOut)) > 0;
    let failures = closing.failed + closing.hooks;
    let passed = match failures {
        0 => Some(closing.passed),
        _ if cut || crosses != failures => None,
        _ => ticks.checked_sub(closing.known),
    };
    let said_in_closing = closing.hooks + closing.outside;
    let alone = said_in_closing == 0 && closing.failed == 0;
    let load_errors = if alone { troubled.len() as u64 } else { said_in_closing };
    let tally = Tally {
        errored: if timed_out && closing.pending == 0 { None } else { Some(closing.pending) },
        load_errors: Some(load_errors),
        todo: Some(closing.todo),
        expected_failures: Some(closing.known),
        passed,
        ..Tally::of(0, closing.failed, closing.skipped)
    };
    let failed = tally.has_failure() || timed_out || closing.previous > 0;
    let interrupted = count(|mark| matches!(mark, Mark::Interrupted)) > 0;
    let said = if failed {
        Said::Failed
    } else if interrupted {
        Said::Unfinished(Reason::Killed)
    } else {
        Said::of(&tally)
    };
    let begin = marks.first().map_or(closing.first, |(at, _)| *at);
    let mut reading = Reading::from_tally(ID, tally, lines[closing.first].quote()).saying(said);
    for line in &lines[closing.first + 1..closing.end] {
        reading = reading.quoting(line.quote());
    }
    let (first, last) = (lines[begin].number, lines[closing.end - 1].number);
    reading.spanning(first, last).naming(cases(marks))
}

/// The tests that did not simply pass, as the lines above the closing name them.
fn cases(marks: &[(usize, Mark<'_>)]) -> Vec<Case> {
    let case = |mark: Mark<'_>| {
        let (name, status, message) = match mark {
            Mark::Failed(rest) => {
                let (name, message) = title_and_message(rest);
                (name, CaseStatus::Failed, message)
            }
            Mark::Skipped(name) => (name, CaseStatus::Skipped, None),
            Mark::Todo(name) => (name, CaseStatus::Todo, None),
            Mark::Passed | Mark::Trouble(_) | Mark::TimedOut | Mark::Interrupted => return None,
        };
        let message = message.map(str::to_owned);
        Some(Case { name: name.to_owned(), file: None, status, message, file_level: false })
    };
    marks.iter().filter_map(|(_, mark)| case(*mark)).collect()
}

/// A failed test's line ends with one of AVA's own messages, where it has one.
fn title_and_message(rest: &str) -> (&str, Option<&str>) {
    const MESSAGES: [&str; 4] = [
        "Error thrown in test",
        "Rejected promise returned by test",
        "Test finished without running any assertions",
        "Test failed via `t.fail()`",
    ];
    let rest = rest.trim_end();
    MESSAGES
        .iter()
        .find_map(|message| Some((rest.strip_suffix(message)?.trim_end(), Some(*message))))
        .unwrap_or((rest, None))
}

fn mark(text: &str) -> Option<Mark<'_>> {
    if !text.starts_with("  ") {
        return None;
    }
    if TICKS.iter().any(|tick| text.starts_with(tick)) {
        return Some(Mark::Passed);
    }
    if let Some(rest) = text.strip_prefix("  - ") {
        return match (rest.strip_prefix("[skip] "), rest.strip_prefix("[todo] ")) {
            (Some(name), _) => Some(Mark::Skipped(name)),
            (None, Some(name)) => Some(Mark::Todo(name)),
            (None, None) => None,
        };
    }
    let rest = CROSSES.iter().find_map(|cross| text.strip_prefix(cross))?;
    if let Some(title) = rest.strip_prefix("[fail]: ") {
        return Some(Mark::Failed(title));
    }
    if rest.starts_with("Timed out while running tests") {
        return Some(Mark::TimedOut);
    }
    if rest.starts_with("Exiting due to SIGINT") {
        return Some(Mark::Interrupted);
    }
    let says_nothing_ran = [
        "No tests found in ",
        "Line numbers for ",
        "Based on your configuration, ",
        "Couldn’t ",
        "Couldn't ",
    ];
    if says_nothing_ran.iter().any(|words| rest.starts_with(words)) {
        return None;
    }
    Some(trouble(rest).map_or(Mark::Failed(rest), Mark::Trouble))
}

/// The file of which AVA says that it ended too early; empty for an error of AVA's own.
fn trouble(rest: &str) -> Option<&str> {
    if let Some((_, words)) = number_and_word(rest)
        && let Some(file) =
            words.strip_prefix("test remaining in ").or_else(|| words.strip_prefix("tests remaining in "))
    {
        return Some(file);
    }
    if let Some(file) = rest.strip_prefix("Exiting due to process.exit() when running ") {
        return Some(file);
    }
    if let Some((file, _)) =
        rest.split_once(" exited with a non-zero exit code: ").or_else(|| rest.split_once(" exited due to "))
    {
        return Some(file);
    }
    ["Internal error", "Error in shared worker"].iter().any(|words| rest.starts_with(words)).then_some("")
}

/// What AVA says where it ran no test.
fn nothing_ran(line: &Line<'_>, hint: Hint<'_>) -> Option<Reading> {
    let text = line.text.trim_start();
    if text == "No files tested in this parallel run" {
        let said = Said::NothingRan(Reason::NoTestFiles);
        return Some(Reading::without_counts(ID, said, line.quote()));
    }
    let rest = ["✘ ", "✖ ", "× "].iter().find_map(|cross| text.strip_prefix(cross))?;
    let said = if rest.starts_with("Couldn’t find any files to test")
        || rest.starts_with("Couldn't find any files to test")
    {
        Said::NothingRan(Reason::NoTestFiles)
    } else if rest.starts_with("Couldn’t find any matching tests")
        || rest.starts_with("Couldn't find any matching tests")
        || rest.starts_with("Line numbers for ")
        || rest.starts_with("Based on your configuration, ")
    {
        Said::NothingRan(Reason::FilterMatchedNothing)
    } else if rest.starts_with("No tests found in ") {
        Said::NothingRan(Reason::ZeroTests)
    } else if hint.named && line.text.starts_with('✖') && rest.ends_with(" does not exist.") {
        Said::NothingRan(Reason::NoTestFiles)
    } else if hint.named && (rest.starts_with("Provide the path ") || rest.starts_with("The --")) {
        Said::CouldNotRun(Reason::UsageError)
    } else {
        return None;
    };
    Some(Reading::without_counts(ID, said, line.quote()))
}

/// A run whose closing is not there: cut, killed, or crashed.
fn without_closing(lines: &[Line<'_>], marks: &[(usize, Mark<'_>)], cut: bool) -> Option<Reading> {
    let (first, _) = *marks.first()?;
    let (last, _) = *marks.last()?;
    let failed =
        marks.iter().find(|(_, mark)| matches!(mark, Mark::Failed(_) | Mark::Trouble(_) | Mark::TimedOut));
    let interrupted = marks.iter().any(|(_, mark)| *mark == Mark::Interrupted);
    let said = match failed {
        Some(_) => Said::Failed,
        None if interrupted => Said::Unfinished(Reason::Killed),
        None if cut => Said::Unfinished(Reason::OutputCut),
        None => Said::Unfinished(Reason::NoSummary),
    };
    let at = failed.map_or(last, |(at, _)| *at);
    let reading = Reading::without_counts(ID, said, lines[at].quote());
    Some(reading.spanning(lines[first].number, lines[last].number).naming(cases(marks)))
}
