//! The closing diagnostics of a run, and which of several such blocks are runs.

use std::cmp::Ordering;
use std::sync::LazyLock;

use kenshu_model::{Reason, Tally};
use regex::Regex;

use super::{ID, failures};
use crate::lines::LineSpan;
use crate::reader::Hint;
use crate::readers::takes_lines_away;
use crate::reading::{Reading, Said};
use crate::settle::settle;
use crate::text::{Line, Stream};

/// The diagnostics in the order in which every version prints them; `suites` since 18.17.
const WORDS: [&str; 8] = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo", "duration_ms"];

/// What stands before a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Spec,
    Tap,
    Junit,
}

/// One run of diagnostics, whole or what is left of it.
#[derive(Clone, Copy, Debug)]
struct Block {
    style: Style,
    /// Index of the first line.
    first: usize,
    /// Index of the last line.
    last: usize,
    numbers: [Option<u64>; 7],
    has_duration: bool,
}

impl Block {
    fn number(&self, word: &str) -> Option<u64> {
        WORDS.iter().position(|known| *known == word).and_then(|at| *self.numbers.get(at)?)
    }

    /// Whether every word is there; `suites` may be missing.
    fn is_whole(&self) -> bool {
        self.has_duration
            && self.numbers.iter().enumerate().all(|(at, number)| number.is_some() || WORDS[at] == "suites")
    }

    /// How the number of tests and suites that this block states compares with the result lines from `start` on.
    fn counts(&self, start: usize, results: &failures::Results) -> Ordering {
        let Some(tests) = self.number("tests") else { return Ordering::Less };
        let (all, top) = results.between(start, self.first, self.style);
        match self.number("suites") {
            // Until 18.16 only the top level was counted.
            None if top == tests => Ordering::Equal,
            suites => (tests + suites.unwrap_or(0)).cmp(&all),
        }
    }

    /// Whether these lines can only be node's: `cancelled` or `duration_ms` beside another of its words.
    fn is_specific(&self, named: bool) -> bool {
        let known = self.numbers.iter().flatten().count() + usize::from(self.has_duration);
        let own_word = self.number("cancelled").is_some() || self.has_duration;
        known >= 2 && (own_word || named) || (named && self.style == Style::Spec)
    }
}

/// One reading for each run that closes with diagnostics.
pub(super) fn runs(stream: &Stream, lines: LineSpan<'_>, hint: Hint<'_>) -> Vec<Reading> {
    let mut blocks: Vec<Block> =
        blocks(lines).into_iter().filter(|block| block.is_specific(hint.named)).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let results = failures::Results::new(lines);
    let [interrupted, signal] = INTERRUPTIONS;
    let is_plain = ![failures::PASSED_BEFORE, interrupted, signal].iter().any(|words| stream.contains(words));
    let cut = hint.invocations.iter().any(takes_lines_away);
    if !cut && blocks.iter().any(Block::is_whole) {
        // Beside a whole block, a lone line of this shape is a test's name or what a test printed.
        blocks.retain(Block::is_whole);
    }
    let settled = settle(blocks.len(), !results.is_empty(), cut, |at, after| {
        blocks[at].counts(after.map_or(0, |after| blocks[after].last + 1), &results)
    });
    let accepted: Vec<&Block> = settled.accepted.iter().map(|at| &blocks[*at]).collect();
    let mut readings = Vec::new();
    let mut from = 0;
    for (at, block) in accepted.iter().enumerate() {
        let next = accepted.get(at + 1).map_or(lines.len(), |next| next.first);
        let end = failures::end_of_run(lines, block.last + 1, next);
        let run = Run {
            lines: lines.part(0..end),
            first: from,
            results: results.within(from, end),
            block,
            tail: lines.part(block.last + 1..end),
            interruption: if is_plain { None } else { interruption(lines.part(from..end)) },
            is_plain,
        };
        readings.extend(run.readings(hint));
        from = end;
    }
    // Node lists failures below its own block: with such a list, one that was set aside may still have been a run.
    let lists_failures =
        |block: &Block| lines.from(block.last + 1).iter().take(2).any(|line| line.text == "✖ failing tests:");
    let set_aside = (0..blocks.len()).filter(|at| {
        !settled.accepted.contains(at) && (settled.doubtful.contains(at) || lists_failures(&blocks[*at]))
    });
    readings.extend(set_aside.filter_map(|at| {
        let line = lines.get(blocks[at].first)?;
        Some(Reading::without_counts(ID, Said::Unfinished(Reason::Ambiguous), line.quote()))
    }));
    readings
}

/// Every run of diagnostics in the text.
fn blocks(lines: LineSpan<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut next_word = 0;
    for (index, line) in lines.iter().enumerate() {
        let Some((style, word, value)) = diagnostic(line.text) else { continue };
        let joins = blocks
            .last()
            .is_some_and(|block| block.last + 1 == index && block.style == style && word >= next_word);
        if !joins {
            blocks.push(Block { style, first: index, last: index, numbers: [None; 7], has_duration: false });
        }
        let Some(block) = blocks.last_mut() else { continue };
        block.last = index;
        match block.numbers.get_mut(word) {
            Some(number) => *number = value,
            None => block.has_duration = true,
        }
        next_word = word + 1;
    }
    blocks
}

/// The style, the index of the word in [`WORDS`] and the number of a diagnostic line.
fn diagnostic(text: &str) -> Option<(Style, usize, Option<u64>)> {
    let (style, rest) = if let Some(rest) = text.strip_prefix("ℹ ") {
        (Style::Spec, rest)
    } else if let Some(rest) = text.strip_prefix("# ") {
        (Style::Tap, rest)
    } else {
        (Style::Junit, text.strip_suffix(" -->")?.trim_start().strip_prefix("<!-- ")?)
    };
    let at = memchr::memchr(b' ', rest.as_bytes())?;
    let (word, value) = (&rest[..at], &rest[at + 1..]);
    let word = WORDS.iter().position(|known| *known == word)?;
    if WORDS[word] == "duration_ms" {
        value.parse::<f64>().ok()?;
        return Some((style, word, None));
    }
    Some((style, word, Some(value.parse().ok()?)))
}

/// What stands in a line by which the runner says that it was stopped from outside.
const INTERRUPTIONS: [&str; 2] = ["Interrupted while running:", "signal: 'SIGINT'"];

/// The line by which the runner says that it was stopped from outside.
fn interruption<'a>(lines: LineSpan<'a>) -> Option<Line<'a>> {
    lines.iter().find(|line| {
        line.text == "Interrupted while running:"
            || line.text.starts_with("# Interrupted while running: ")
            || line.text.trim_start().starts_with("signal: 'SIGINT'")
    })
}

/// One run.
struct Run<'a> {
    /// All lines up to its end.
    lines: LineSpan<'a>,
    /// Index of its first line.
    first: usize,
    results: &'a [failures::Seen],
    /// Its closing block.
    block: &'a Block,
    /// What follows that.
    tail: LineSpan<'a>,
    interruption: Option<Line<'a>>,
    /// Whether nothing in the text is an earlier run's or speaks of an interruption.
    is_plain: bool,
}

impl Run<'_> {
    fn readings(&self, hint: Hint<'_>) -> Vec<Reading> {
        let closing = self.closing();
        let Some(first) = closing.first() else { return Vec::new() };
        let tally = self.tally();
        let mut reading = Reading::from_tally(ID, tally, first.quote());
        for line in closing.from(1).iter() {
            reading = reading.quoting(line.quote());
        }
        if let Some(last) = self.lines.last() {
            let begin = failures::first_line(self.lines.from(self.first)).unwrap_or(first.number);
            reading = reading.spanning(begin, last.number);
        }
        let mut reading = reading.naming(failures::cases(self.lines, self.results, self.tail));
        if let Some(line) = self.interruption {
            reading = reading.quoting(line.quote());
            if !tally.has_failure() {
                reading.said = Said::Unfinished(Reason::Killed);
            }
        } else if self.block.number("cancelled").is_some_and(|cancelled| cancelled > 0) {
            reading.said = Said::Failed;
        } else if !self.proves_its_outcome(&tally, hint) {
            reading.said = Said::Unfinished(Reason::OutputCut);
        }
        let mut readings = vec![reading];
        readings.extend(self.missed_threshold());
        readings
    }

    /// The lines of the closing block.
    fn closing(&self) -> LineSpan<'_> {
        let end = self.lines.len() - self.tail.len();
        let start = end.saturating_sub(self.block.last - self.block.first + 1);
        self.lines.part(start..end)
    }

    fn tally(&self) -> Tally {
        let block = self.block;
        let files = failures::Files::of(self.lines, self.results);
        let cancelled = match self.interruption {
            // Only those that ran into the runner's own limit failed; the others were cancelled by the stop.
            Some(_) => Some(failures::timed_out(self.tail)),
            None => block.number("cancelled"),
        };
        // With the line of the cancelled ones cut away, the failed ones are what is proved.
        let failed = block
            .number("fail")
            .map(|fail| (fail + cancelled.unwrap_or(0)).saturating_sub(files.failed + files.interrupted));
        let nothing_failed =
            self.interruption.is_none() && block.number("fail") == Some(0) && cancelled == Some(0);
        let load_errors = if nothing_failed {
            failures::failed_hooks(self.lines, self.results, self.tail)
        } else {
            files.failed
        };
        let seen = self.results.iter().filter(|seen| seen.is_of(block.style)).count() as u64;
        let all_seen = block.number("tests").is_some_and(|tests| seen >= tests);
        Tally {
            passed: block.number("pass"),
            failed,
            load_errors: Some(load_errors),
            skipped: block.number("skipped"),
            todo: block.number("todo"),
            cached: Some(if self.is_plain { 0 } else { failures::replayed(self.lines, self.results) }),
            file_level: all_seen.then_some(files.passed),
            ..Tally::ZERO
        }
    }

    /// Whether what is left of the closing block is enough to say that nothing failed, or that something did.
    fn proves_its_outcome(&self, tally: &Tally, hint: Hint<'_>) -> bool {
        if self.block.is_whole() || tally.has_failure() {
            return true;
        }
        let known = |word| self.block.number(word).is_some();
        known("pass") && known("fail") && (known("cancelled") || filter_shows_failures(hint))
    }

    /// A coverage limit fails the run as a whole: the status is 1, and no test failed.
    fn missed_threshold(&self) -> Option<Reading> {
        static LIMIT: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^(?:ℹ|#|\s*<!--) Error: [\d.]+% (?:line|branch|function) coverage does not meet threshold of [\d.]+%\.")
                .expect("valid pattern")
        });
        let line = self.tail.iter().find(|line| LIMIT.is_match(line.text))?;
        Some(Reading::without_counts(ID, Said::Status(1), line.quote()))
    }
}

/// Whether a `grep` in the command line passes on everything that says "fail": then a cancelled test would be seen by
/// its entry below `failing tests:` (spec) or its `failureType` (TAP).
fn filter_shows_failures(hint: Hint<'_>) -> bool {
    hint.invocations.iter().filter(|invocation| invocation.program.contains("grep")).any(|invocation| {
        let mut patterns = invocation.arguments.iter().filter(|word| !word.starts_with('-'));
        patterns.next().is_some_and(|pattern| pattern.contains("fail") && !pattern.contains(['^', '#', 'ℹ']))
    })
}
