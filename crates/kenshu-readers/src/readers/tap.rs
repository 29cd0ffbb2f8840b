//! The Test Anything Protocol as a stream of its own: TAP 12, 13 and 14 from any producer.
//!
//! One entry at the left margin is one test; a subtest is summed up by its entry. Producers that wrap each file in an
//! entry (node-tap, Vitest) are counted one level below. Node's own TAP is left to its own reader.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

mod numbers;
pub(super) mod parse;
pub(super) mod sums;

use parse::{Block, Directive, Entry, is_file_name};
use sums::Sums;

pub(super) const READER: Reader = Reader {
    id: "tap",
    name: "TAP",
    versions: "as written by Test::More 1.302, tape 5, node-tap 16, QUnit 3, Mocha 12, Vitest 2.1, AVA 6, pytest-tap 3, GLib 2.74, cmocka 1.1, busted 2.1",
    formats: "TAP",
    zero: "`1..0`; the status is the producer's",
    samples: Samples::Recorded,
    specificity: Specificity::Format,
    needles: &["TAP version 1", "1..", "\nok ", "\nnot ok "],
    commands: &[&["tape"], &["qunit"], &["tap"]],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

/// At most so many failing lines are quoted; the rest is in the cases.
const QUOTES_MAX: usize = 20;

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let has_structure_words = || stream.contains("TAP version 1") || stream.contains("1..");
    if !(hint.named || cut || has_structure_words()) || is_echoed(stream) {
        return Vec::new();
    }
    if hint.named
        && let Some(line) = stream.lines().find(|line| line.text == "No test files found")
    {
        // node-tap's own words.
        return vec![Reading::without_counts("tap", Said::NothingRan(Reason::NoTestFiles), line.quote())];
    }
    let blocks = parse::blocks(stream.lines());
    let any_whole = blocks.iter().any(has_structure);
    let known = || hint.named || stream.contains("# random seed: R");
    let is_taken = |block: &&Block<'_>| {
        has_structure(block)
            // What stands beside a whole stream is another one that was given up.
            || (any_whole && block.has_entries())
            || (block.plan.is_some() && known())
            || ((hint.named || cut) && block.rises)
    };
    blocks
        .iter()
        .filter(|block| !block.is_node)
        .filter(is_taken)
        .map(|block| reading("tap", block, cut))
        .collect()
}

/// Whether a harness that counts programs (automake, Meson) shows the TAP of one of its tests.
fn is_echoed(stream: &Stream) -> bool {
    (stream.contains("# TOTAL:") && stream.contains("Testsuite summary for "))
        || (stream.contains("Full log written to ") && stream.contains("meson-logs"))
}

/// A version line, a plan with at least one entry that it announces, or a plan that skips everything.
fn has_structure(block: &Block<'_>) -> bool {
    block.version.is_some() || block.plan.is_some_and(|plan| plan.skips_all || block.is_announced_by(&plan))
}

/// One block as a reading of `runner`.
pub(super) fn reading(runner: &'static str, block: &Block<'_>, cut: bool) -> Reading {
    let tally = tally(block, cut);
    let said = said(block, tally.as_ref(), cut);
    let tally = match said {
        Said::NothingRan(_) => tally.unwrap_or(Tally { skipped: None, ..Tally::ZERO }),
        Said::Failed | Said::Passed | Said::CouldNotRun(_) | Said::Unfinished(_) | Said::Status(_) => {
            tally.unwrap_or(Tally::UNKNOWN)
        }
    };
    let mut lines: Vec<_> = block.version.iter().chain(block.plan.as_ref().map(|plan| &plan.line)).collect();
    lines.extend(block.entries.iter().filter(|entry| fails(entry)).map(|entry| &entry.line).take(QUOTES_MAX));
    lines.extend(block.bail.iter());
    if lines.is_empty() {
        lines.extend(block.first_entry.iter());
    }
    let (first, last) = block.lines;
    let mut quotes = lines.into_iter().map(crate::text::Line::quote);
    let opening = quotes.next().unwrap_or_else(|| kenshu_model::Quote::new(first, ""));
    let mut reading = Reading::without_counts(runner, said, opening);
    reading.tally = tally;
    reading = quotes.fold(reading, Reading::quoting);
    reading.spanning(first, last).naming_all(cases(block).collect())
}

/// A test that failed: neither skipped nor still to be done.
pub(super) fn fails(entry: &Entry<'_>) -> bool {
    !entry.ok && entry.directive == Directive::None
}

/// The numbers, where the entries are exactly those of the plan and nothing was given up.
fn tally(block: &Block<'_>, cut: bool) -> Option<Tally> {
    if !block.is_complete() || block.bail.is_some() {
        return None;
    }
    if block.plan.is_some_and(|plan| plan.skips_all) {
        return Some(Tally { skipped: None, ..Tally::ZERO });
    }
    match files(block) {
        Files::None => {
            let sums = block.sums();
            let skipped = sums.skipped + block.skip_comments;
            Some(of_sums(&Sums { skipped, ..sums }, block.closing.pass, 0))
        }
        // Lines of a file's own tests may be gone.
        Files::Each(..) if cut => None,
        Files::Each(sums, load_errors) => Some(of_sums(&sums, None, load_errors)),
        Files::Unclear => None,
    }
}

fn of_sums(sums: &Sums, producer_passes: Option<u64>, load_errors: u64) -> Tally {
    let tally = Tally {
        load_errors: Some(load_errors),
        expected_failures: Some(sums.todo_failed),
        ..Tally::of(sums.passed, sums.failed, sums.skipped)
    };
    let with_todo = sums.passed + sums.todo_failed + sums.todo_passed;
    if producer_passes == Some(with_todo) && with_todo > sums.passed {
        // tape counts what is still to be done as passed.
        return Tally { passed: Some(with_todo), expected_failures: Some(0), ..tally };
    }
    if sums.todo_passed > 0 {
        // For one producer it ran and passed, for another it is a test without a body.
        return Tally { unexpected_passes: None, todo: None, ..tally };
    }
    tally
}

/// Whether the entries at the margin are files, and what is in them.
enum Files {
    /// They are tests.
    None,
    /// They are files: the sums of their own entries, and files that failed by themselves.
    Each(Sums, u64),
    /// They are files with more levels in them than can be told apart.
    Unclear,
}

fn files(block: &Block<'_>) -> Files {
    if !block.entries.iter().any(|entry| entry.subtest.is_some() && is_file_name(entry.name)) {
        return Files::None;
    }
    if block.has_plain_tests {
        return Files::Unclear;
    }
    let mut sums = Sums::default();
    let mut load_errors = 0;
    for entry in &block.entries {
        let inner = entry.subtest.as_deref().copied().unwrap_or_default();
        if !is_file_name(entry.name)
            || inner.opens
            || inner.plan.is_some_and(|plan| plan != inner.sums.total())
        {
            return Files::Unclear;
        }
        sums = sums.plus(&inner.sums);
        load_errors += u64::from(fails(entry) && inner.sums.failed == 0);
    }
    Files::Each(sums, load_errors)
}

fn said(block: &Block<'_>, tally: Option<&Tally>, cut: bool) -> Said {
    if let Some(bail) = block.bail {
        return said_by_bail(block, bail.text);
    }
    // QUnit gives up behind such an entry, and says only then whether it found no test.
    if block.entries.iter().any(|entry| fails(entry) && entry.name != "global failure") {
        return Said::Failed;
    }
    if block.closing.fail.is_some_and(|failed| failed > 0) {
        return Said::Unfinished(Reason::Ambiguous);
    }
    if !block.is_complete() || block.entries.iter().any(fails) {
        return Said::Unfinished(match block.plan {
            _ if cut => Reason::OutputCut,
            Some(_) => Reason::PlanMismatch,
            None => Reason::NoSummary,
        });
    }
    if block.plan.is_some_and(|plan| plan.skips_all) {
        return Said::NothingRan(Reason::OnlySkipped);
    }
    let sums = block.sums();
    match tally {
        // Whether `ok # TODO` ran depends on the producer.
        Some(_) if sums.todo_passed > 0 && sums.passed + sums.todo_failed == 0 => {
            Said::Unfinished(Reason::NoSummary)
        }
        Some(tally) => Said::of(tally),
        None => Said::Unfinished(Reason::NoSummary),
    }
}

/// QUnit bails out where it found no test; anything else that gives up is a failure.
fn said_by_bail(block: &Block<'_>, bail: &str) -> Said {
    let nothing_else = block.sums().total() == block.entries.len() as u64
        && block.entries.iter().all(|entry| entry.name == "global failure");
    if nothing_else && bail.starts_with("Bail out! Error: No tests matched the filter") {
        return Said::NothingRan(Reason::FilterMatchedNothing);
    }
    if nothing_else && bail.starts_with("Bail out! Error: No tests were run") {
        return Said::NothingRan(Reason::ZeroTests);
    }
    Said::Failed
}

/// The tests that did not simply pass.
pub(super) fn cases(block: &Block<'_>) -> impl Iterator<Item = Case> {
    block.entries.iter().filter_map(case)
}

fn case(entry: &Entry<'_>) -> Option<Case> {
    let status = match (entry.directive, entry.ok) {
        (Directive::None, true) => return None,
        (Directive::None, false) => CaseStatus::Failed,
        (Directive::Skip, _) => CaseStatus::Skipped,
        (Directive::Todo, false) => CaseStatus::ExpectedFailure,
        (Directive::Todo, true) => CaseStatus::Todo,
    };
    let message = match status {
        CaseStatus::Failed => entry.comment,
        CaseStatus::Skipped
        | CaseStatus::ExpectedFailure
        | CaseStatus::Todo
        | CaseStatus::Passed
        | CaseStatus::UnexpectedPass => Some(entry.why).filter(|why| !why.is_empty()),
    };
    // A number is enough to find a failure by; as a name it would be another test's as soon as one is put before it.
    let by_number = || entry.number.filter(|_| status == CaseStatus::Failed).map(|number| number.to_string());
    let name = Some(entry.name.to_owned()).filter(|name| !name.is_empty()).or_else(by_number)?;
    Some(Case { name, file: None, status, message: message.map(str::to_owned), file_level: false })
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use super::*;
    use crate::decide::{Context, count_with};

    #[track_caller]
    fn check(text: &str, command: Option<&str>, outcome: Outcome, reason: Option<Reason>) {
        let readers: &'static [Reader] = &[READER];
        let count = count_with(readers, text.as_bytes(), &Context { command, ..Context::default() });
        assert_eq!((count.outcome, count.reasons.first().copied()), (outcome, reason), "{text}");
    }

    #[test]
    fn ordinary_logs_are_no_tap() {
        for text in
            ["ok 1 - x\n", "1..3\n", "1..0\n", "ok\nok\n", "pages 1..3\nok 9 lives\n", "not ok 1 - x\n"]
        {
            check(text, None, Outcome::Unknown, Some(Reason::NoSummary));
        }
    }

    #[test]
    fn giving_up_before_the_first_test_is_a_failure() {
        check("TAP version 13\nBail out! no database\n", None, Outcome::Failed, None);
    }

    #[test]
    fn a_whole_stream_does_not_hide_another_that_broke_off() {
        check("1..1\nok 1\nok 1\n", None, Outcome::Unknown, Some(Reason::NoSummary));
        check("1..1\nok 1\n1..2\nok 1\n", None, Outcome::Unknown, Some(Reason::PlanMismatch));
    }

    #[test]
    fn an_entry_without_a_name_is_none_to_compare_by() {
        let stream = "1..4\nok 1\nnot ok 2 # TODO\nok 3 # SKIP no net\nnot ok 4\n";
        let count = crate::count(stream.as_bytes(), &crate::Context::default());
        let named: Vec<_> = count.cases.iter().map(|case| (case.name.as_str(), case.status)).collect();
        assert_eq!(named, [("4", CaseStatus::Failed)]);
        assert_eq!((count.tally.skipped, count.tally.expected_failures), (Some(1), Some(1)));
    }

    #[test]
    fn todo_entries_that_passed_may_not_have_run() {
        check("1..1\nok 1 - x # TODO\n", None, Outcome::Unknown, Some(Reason::NoSummary));
        check("1..1\nnot ok 1 - x # TODO\n", None, Outcome::Passed, None);
    }

    #[test]
    fn harnesses_that_count_programs_are_left_alone() {
        let text = "1..1\nnot ok 1\n# TOTAL: 3\nTestsuite summary for demo 1.0\n";
        check(text, None, Outcome::Unknown, Some(Reason::NoSummary));
    }

    #[test]
    fn producers_that_say_otherwise_are_in_doubt() {
        let text = "TAP version 13\nok 1 - x\n1..1\n# tests 2\n# pass 1\n# fail 1\n";
        check(text, None, Outcome::Unknown, Some(Reason::Ambiguous));
    }

    #[test]
    fn a_global_failure_means_nothing_before_qunit_gives_up() {
        let text = "TAP version 13\nnot ok 1 global failure\n";
        check(text, Some("qunit | head -2"), Outcome::Unknown, Some(Reason::OutputCut));
        let text = format!("{text}Bail out! Error: No tests were run.\n");
        check(&text, Some("qunit"), Outcome::NothingRan, Some(Reason::ZeroTests));
    }

    #[test]
    fn files_of_a_cut_output_are_not_counted() {
        let text = "TAP version 13\n# Subtest: a.js\n    ok 1 - x\n    1..1\nok 1 - a.js\n1..1\n";
        check(text, None, Outcome::Passed, None);
        check(text, Some("tap | tail -20"), Outcome::Unknown, Some(Reason::NoSummary));
    }
}
