//! Jest's closing block: `Test Suites:`, `Tests:`, `Snapshots:`, `Time:`, one below the other.

use std::collections::BTreeSet;

use kenshu_model::count::FileTally;
use kenshu_model::{Case, CaseStatus, Cases, Reason, Tally};

use super::ID;
use crate::filters::{Filters, Shape};
use crate::lines::LineSpan;
use crate::numbers::number_and_word;
use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::text::Line;

/// The numbers of one line: `2 failed, 1 skipped, 1 todo, 4 passed, 8 total`, or `1 failed, 1 of 3 total`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Numbers {
    failed: u64,
    skipped: u64,
    todo: u64,
    passed: u64,
    total: u64,
}

/// A closing block; one of its two lines may be cut off.
#[derive(Clone, Copy)]
struct Block<'a> {
    suites: Option<(Line<'a>, Numbers)>,
    tests: Option<(Line<'a>, Numbers)>,
    first: usize,
    /// Index of its last line.
    last: usize,
    interrupted: bool,
}

/// `PASS ./a.test.js` and `FAIL unit x/a.test.js (5.1 s)`.
pub(super) struct Head<'a> {
    pub(super) failed: bool,
    file: &'a str,
}

/// The line with which Jest begins what it tells of a file. On a terminal a badge with blanks around it.
pub(super) fn head(text: &str) -> Option<Head<'_>> {
    // Asked of every line: most have no such word at all.
    if !text.starts_with([':', ' ', 'F', 'P']) || text.starts_with("  ") {
        return None;
    }
    let text = text.strip_prefix("::group::").unwrap_or(text);
    let text = text.strip_prefix(' ').unwrap_or(text);
    let (failed, rest) = match text.strip_prefix("FAIL ") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix("PASS ")?),
    };
    let file = rest.trim();
    let file = file.rsplit_once(" (").filter(|(_, time)| time.ends_with("s)")).map_or(file, |(file, _)| file);
    (file.contains('.') && !file.starts_with('-')).then_some(Head { failed, file })
}

/// One reading per run.
pub(super) fn read(lines: LineSpan<'_>, hint: Hint<'_>, runs: usize) -> Vec<Reading> {
    let blocks = blocks(lines, hint);
    let Some(last) = blocks.last() else { return Vec::new() };
    let heads: Vec<usize> = (0..lines.len()).filter(|place| head(lines.text(*place)).is_some()).collect();
    if heads.is_empty() && blocks.len() > 1 {
        return vec![several(&blocks)];
    }
    let mut readings = Vec::new();
    let mut from = 0;
    for block in &blocks {
        // A run tells each of its files before it closes. A block without them was printed by a test.
        let heads = heads_between(&heads, from, block.first);
        let told = heads.len();
        let ran = block.suites.map_or(0, |(_, suites)| suites.failed + suites.passed);
        if u64::try_from(told).unwrap_or(u64::MAX) >= ran.max(1) || block.first == last.first {
            readings.push(reading(block, lines.part(0..block.last + 1), heads, hint));
            from = block.last + 1;
        } else if runs != 1 && failed(block) {
            // Perhaps another run whose reporter names no files: its failure is not passed over.
            let (line, _) = block.tests.or(block.suites).expect("a block has one of its two lines");
            readings.push(Reading::without_counts(ID, Said::Unfinished(Reason::Ambiguous), line.quote()));
        }
    }
    readings
}

/// Of the sorted places those in `from..to`.
fn heads_between(heads: &[usize], from: usize, to: usize) -> &[usize] {
    let place = |limit: usize| heads.partition_point(|head| *head < limit);
    heads.get(place(from)..place(to)).unwrap_or_default()
}

fn failed(block: &Block<'_>) -> bool {
    [block.suites, block.tests].into_iter().flatten().any(|(_, numbers)| numbers.failed > 0)
}

/// Several blocks and no file named: a failure among them is one; a pass can't be told from a printed line.
fn several(blocks: &[Block<'_>]) -> Reading {
    let bad = blocks.iter().find(|block| failed(block));
    let said = if bad.is_some() { Said::Failed } else { Said::Unfinished(Reason::OutputCut) };
    let mut quotes = bad
        .into_iter()
        .chain(blocks)
        .filter_map(|block| block.tests.or(block.suites))
        .map(|(line, _)| line.quote());
    let first = quotes.next().expect("a block has one of its two lines");
    quotes.fold(Reading::without_counts(ID, said, first), Reading::quoting)
}

/// `lines` end with the block; `heads` are the places of those of its run that name a file.
fn reading(block: &Block<'_>, lines: LineSpan<'_>, heads: &[usize], hint: Hint<'_>) -> Reading {
    let told = Told::of(lines, heads);
    let all_told = Filters::of_command(hint).keep_between(&Shape::starting("  ● "));
    let first = heads.first().and_then(|place| lines.get(*place));
    let last = lines.last().map_or(0, |line| line.number);
    let Some((tests_line, tests)) = block.tests else {
        let (line, suites) = block.suites.expect("a block has one of its two lines");
        let said = if suites.failed > 0 { Said::Failed } else { Said::Unfinished(Reason::OutputCut) };
        return Reading::without_counts(ID, said, line.quote());
    };
    let load_errors =
        block.suites.and_then(|(_, suites)| not_loaded(&suites, &tests, all_told.then_some(&told)));
    let tally = Tally {
        passed: Some(tests.passed),
        failed: Some(tests.failed),
        skipped: Some(tests.skipped),
        todo: Some(tests.todo),
        load_errors,
        // A test that passed on a retry is printed like any other.
        flaky: None,
        ..Tally::ZERO
    };
    let mut reading = Reading::from_tally(ID, tally, tests_line.quote());
    if block.suites.is_none() && reading.said != Said::Failed {
        // A suite that did not load stands in the other line alone.
        reading.said = Said::Unfinished(Reason::OutputCut);
    }
    if let Some((line, suites)) = block.suites {
        reading = reading.quoting(line.quote());
        reading.files = Some(FileTally { passed: suites.passed, failed: suites.failed, total: suites.total });
        // `1 passed, 1 of 2 total` without a failure that would stop it: the display of a run that was stopped.
        let ended = suites.failed + suites.passed + suites.skipped;
        if reading.said != Said::Failed && (ended < suites.total || block.interrupted) {
            reading = Reading::without_counts(ID, Said::Unfinished(Reason::Killed), line.quote());
        }
    }
    reading.spanning(first.map_or(tests_line.number, |line| line.number), last).naming_all(told.cases)
}

/// How many of the failed suites did not load. Every other one has a failed test of its own.
fn not_loaded(suites: &Numbers, tests: &Numbers, told: Option<&Told>) -> Option<u64> {
    let told = told.filter(|told| told.failed_files >= suites.failed);
    match (suites.failed, tests.failed) {
        (failed, 0) => Some(failed),
        (0, _) => Some(0),
        _ if told.is_some() => told.map(|told| told.not_loaded),
        // The one suite with a failed test loaded; so did a single one that failed.
        (failed, 1) => Some(failed - 1),
        (1, _) => Some(0),
        _ => None,
    }
}

/// Every block. A `Tests:` line without its neighbours is one only where a filter took them away.
fn blocks<'a>(lines: LineSpan<'a>, hint: Hint<'_>) -> Vec<Block<'a>> {
    let filtered = hint
        .invocations
        .iter()
        .any(|invocation| matches!(invocation.program.as_str(), "grep" | "egrep" | "rg" | "awk" | "sed"));
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let suites = lines.text(at).strip_prefix("Test Suites: ").and_then(numbers);
        let tests_at = if suites.is_some() { at + 1 } else { at };
        let tests = lines.get(tests_at).and_then(|line| numbers(line.text.strip_prefix("Tests:       ")?));
        if suites.is_none() && tests.is_none() {
            at += 1;
            continue;
        }
        let mut last = if tests.is_some() { tests_at } else { at };
        let mut interrupted = false;
        for line in lines.from(last + 1).iter().take(3) {
            let text = line.text;
            interrupted |= text.starts_with("Test run was interrupted.");
            if !["Snapshots:   ", "Time:  ", "Ran all test suites", "Test run was interrupted."]
                .iter()
                .any(|start| text.starts_with(start))
            {
                break;
            }
            last += 1;
        }
        let alone = suites.is_none() && last == tests_at && !filtered;
        let half = suites.is_none() || tests.is_none();
        if alone || (half && !hint.named) {
            at += 1;
            continue;
        }
        blocks.push(Block {
            suites: lines.get(at).zip(suites),
            tests: lines.get(tests_at).zip(tests),
            first: at,
            last,
            interrupted,
        });
        at = last + 1;
    }
    blocks
}

/// `None`: a word we don't know.
fn numbers(text: &str) -> Option<Numbers> {
    let text = text.trim().strip_suffix(" total")?;
    let (parts, total) = text.rsplit_once(", ").map_or(("", text), |(parts, total)| (parts, total));
    let mut numbers = Numbers::default();
    match total.split_once(" of ") {
        Some((run, all)) => {
            run.parse::<u64>().ok()?;
            numbers.total = all.parse().ok()?;
        }
        None => numbers.total = total.parse().ok()?,
    }
    for part in parts.split(", ").filter(|part| !part.is_empty()) {
        let (number, word) = number_and_word(part)?;
        *match word {
            "failed" => &mut numbers.failed,
            "skipped" | "pending" => &mut numbers.skipped,
            "todo" => &mut numbers.todo,
            "passed" => &mut numbers.passed,
            _ => return None,
        } = number;
    }
    Some(numbers)
}

/// What the files of a run told before it closed.
#[derive(Default)]
struct Told {
    failed_files: u64,
    /// Files with a failure outside their tests: `● Test suite failed to run`.
    not_loaded: u64,
    cases: Cases,
}

impl Told {
    fn of(lines: LineSpan<'_>, heads: &[usize]) -> Told {
        let mut told = Told::default();
        let mut failed = BTreeSet::new();
        let mut not_loaded = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for (at, place) in heads.iter().enumerate() {
            // Of a file that passed there is nothing to tell.
            let Some(file) = head(lines.text(*place)).filter(|head| head.failed).map(|head| head.file) else {
                continue;
            };
            failed.insert(file);
            let end = heads.get(at + 1).copied().unwrap_or(lines.len());
            let mut open = false;
            for line in lines.part(place + 1..end).iter() {
                if let Some(name) = line.text.strip_prefix("  ● ") {
                    let name = name.trim_end();
                    open = false;
                    if name == "Test suite failed to run" {
                        not_loaded.insert(file);
                    } else if name != "Console" && !name.starts_with(' ') && seen.insert((file, name)) {
                        open = told.cases.push(failed_test(file, name));
                    }
                } else if open
                    && let Some(message) =
                        line.text.strip_prefix("    ").filter(|text| !text.trim().is_empty())
                {
                    if let Some(case) = told.cases.last_mut() {
                        case.message = Some(message.trim_end().to_owned());
                    }
                    open = false;
                }
            }
        }
        told.failed_files = u64::try_from(failed.len()).unwrap_or(u64::MAX);
        told.not_loaded = u64::try_from(not_loaded.len()).unwrap_or(u64::MAX);
        told
    }
}

fn failed_test(file: &str, name: &str) -> Case {
    Case {
        name: name.to_owned(),
        file: Some(file.to_owned()),
        status: CaseStatus::Failed,
        message: None,
        file_level: false,
    }
}
