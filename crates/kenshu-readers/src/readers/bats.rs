//! bats: its TAP, its pretty form and its JUnit report.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use super::tap::{self, parse};
use crate::filters::{Filters, Shape};
use crate::marks::{LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};
use crate::xml_cases::{self, XmlCase};

pub(super) const READER: Reader = Reader {
    id: "bats",
    name: "bats",
    versions: "1.2, 1.5, 1.8, 1.13",
    formats: "TAP, TAP 13, text, JUnit XML",
    zero: "`1..0`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[".bats", "bats warning: ", " failures", " failure", "bats-gather-tests"],
    commands: &[&["bats"]],
    list_options: &["-c", "--count"],
    covers: &["junit-xml", "tap"],
    marks: Marks {
        failed: &[LineMark::Start("✗ "), LineMark::Start("not ok ")],
        passed: &[LineMark::Start("✓ "), LineMark::Start("ok ")],
        letters: None,
        plain: true,
    },
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    // Without the name from the command, its report and its TAP are known by the files they name.
    let may_be_own = hint.named || stream.contains(".bats");
    let mut readings = if may_be_own { junit(stream) } else { Vec::new() };
    readings.extend(pretty(stream, hint));
    if readings.is_empty() && may_be_own {
        readings.extend(as_tap(stream, hint));
    }
    if readings.is_empty() && hint.named {
        readings.extend(usage(stream));
    }
    readings
}

/// Entries that stand for a file's own hooks or for collecting the tests.
fn is_outside_tests(name: &str) -> bool {
    matches!(
        name,
        "" | "setup_file failed"
            | "teardown_file failed"
            | "setup_suite"
            | "teardown_suite"
            | "bats-gather-tests"
    ) || name.ends_with(" setup_file failed")
        || name.ends_with(" teardown_file failed")
}

fn as_tap(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let filters = Filters::of(hint, stream);
    let end_is_there =
        [ENTRY, FAILED_ENTRY].iter().all(|entry| filters.keep_from_some_line(entry)) && !filters.is_empty();
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let stopped = stream.lines().any(|line| line.text.starts_with("# Received SIGINT, aborting"));
    let blocks = parse::blocks(stream.lines());
    blocks
        .iter()
        .filter(|block| hint.named || is_own(block))
        .filter(|block| block.plan.is_some() || block.has_entries())
        .map(|block| {
            let mut reading = tap::reading("bats", block, cut);
            if end_is_there && reading.said == Said::Failed && begins_with_the_first(block) {
                reading.tally = of_entries(block);
            }
            correct(reading, block, hint, (cut, stopped))
        })
        .collect()
}

const ENTRY: Shape = Shape::starting("ok ");
const FAILED_ENTRY: Shape = Shape::starting("not ok ");

/// Whether no entry is missing in front of another one.
fn begins_with_the_first(block: &parse::Block<'_>) -> bool {
    block.numbers.largest() == Some(block.sums().total()) && block.numbers.are_distinct()
}

/// The numbers of a block whose plan was taken away, and none of whose entries was.
fn of_entries(block: &parse::Block<'_>) -> Tally {
    let sums = block.sums();
    let outside = outside_tests(block);
    Tally { load_errors: Some(outside), ..Tally::of(sums.passed, sums.failed - outside, sums.skipped) }
}

/// Entries of hooks that failed.
fn outside_tests(block: &parse::Block<'_>) -> u64 {
    block.entries.iter().filter(|entry| tap::fails(entry) && is_outside_tests(entry.name)).count() as u64
}

/// Whether a failed test of the block points into a bats file, as bats writes it.
fn is_own(block: &parse::Block<'_>) -> bool {
    let points = |comment: &str| {
        comment.starts_with('(')
            && comment.contains("in ")
            && (comment.contains(".bats, line ") || comment.contains(".bats'"))
    };
    block.entries.iter().any(|entry| entry.comment.is_some_and(points))
}

/// What bats means by its entries.
fn correct(
    mut reading: Reading,
    block: &parse::Block<'_>,
    hint: Hint<'_>,
    (cut, stopped): (bool, bool),
) -> Reading {
    if outside_tests(block) > 0 && !cut && is_finished(block) {
        // Entries of hooks have numbers of their own, and tests that a hook kept from running have none.
        reading.tally = of_entries(block);
    }
    let failing = block.entries.iter().filter(|entry| tap::fails(entry)).count();
    let is_unfinished = matches!(reading.said, Said::Unfinished(_));
    if reading.said == Said::NothingRan(Reason::ZeroTests) && selects(hint) {
        reading.said = Said::NothingRan(Reason::FilterMatchedNothing);
    } else if stopped && (is_unfinished || (reading.said == Said::Failed && failing <= 1)) {
        // A test that was under way when the run was stopped is written as failed.
        reading.said = Said::Unfinished(Reason::Killed);
    }
    reading
}

/// Whether the last test that the plan announces, or bats' word that some are missing, is there.
fn is_finished(block: &parse::Block<'_>) -> bool {
    let Some(plan) = block.plan else { return false };
    block.numbers.largest() >= Some(plan.count)
        || block.last_comment.is_some_and(|comment| comment.starts_with("bats warning: Executed "))
}

fn selects(hint: Hint<'_>) -> bool {
    const OPTIONS: &[&str] = &["-f", "--filter", "--filter-tags", "--filter-status", "--negative-filter"];
    hint.invocations.iter().any(|invocation| invocation.has_option(OPTIONS))
}

/// `3 tests, 1 failure, 1 skipped in 2 seconds`, below the tests' own lines.
fn pretty(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = concat!(
            r"^(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?(?:, (\d+) timed out)?",
            r"(?:, (\d+) not run)?(?: in [\d.]+ seconds?)?$"
        );
        Regex::new(pattern).expect("pattern of a summary")
    });
    let mut readings = Vec::new();
    let mut tests: Vec<(Line<'_>, Case)> = Vec::new();
    let mut passed = 0u64;
    for line in stream.lines() {
        let text = line.text.trim_end();
        if text.starts_with(" ✓ ") {
            passed += 1;
        } else if let Some(case) = marked(text) {
            tests.push((line, case));
        } else if text.contains(" failure")
            && let Some(captures) = SUMMARY.captures(text)
            && (hint.named || passed > 0 || !tests.is_empty())
        {
            let number =
                |index| captures.get(index).map_or(Some(0), |part| part.as_str().parse::<u64>().ok());
            let parts = [number(1), number(2), number(3), number(4), number(5)];
            let [Some(total), Some(failures), Some(skipped), Some(timed_out), Some(not_run)] = parts else {
                continue;
            };
            readings.push(of_summary(
                line,
                [total, failures, skipped, timed_out, not_run],
                std::mem::take(&mut tests),
                hint,
            ));
            passed = 0;
        }
    }
    if readings.is_empty() {
        readings.extend(without_summary(&tests, hint));
    }
    readings
}

/// ` ✗ name`, ` - name (skipped: why)`.
fn marked(text: &str) -> Option<Case> {
    let (name, status) = if let Some(name) = text.strip_prefix(" ✗ ") {
        (name, CaseStatus::Failed)
    } else {
        let name = text.strip_prefix(" - ")?;
        let name = &name[..name.rfind(" (skipped")?];
        (name, CaseStatus::Skipped)
    };
    Some(Case { name: name.to_owned(), file: None, status, message: None, file_level: false })
}

fn of_summary(line: Line<'_>, counts: [u64; 5], tests: Vec<(Line<'_>, Case)>, hint: Hint<'_>) -> Reading {
    let [total, failures, skipped, timed_out, not_run] = counts;
    let failing = |(_, case): &&(Line<'_>, Case)| case.status == CaseStatus::Failed;
    let outside =
        tests.iter().filter(failing).filter(|(_, case)| is_outside_tests(&case.name)).count() as u64;
    let outside = outside.min(failures);
    let failed = failures - outside;
    // A failed hook is counted as a failure, though it is not one of the tests, and keeps tests from running.
    let passed = if outside > 0 { None } else { total.checked_sub(failures + skipped + not_run) };
    let tally = Tally {
        passed,
        failed: Some(failed),
        load_errors: Some(outside),
        skipped: Some(skipped),
        ..Tally::ZERO
    };
    let mut reading = Reading::from_tally("bats", tally, line.quote());
    if timed_out > 0 && failures == 0 {
        reading = reading.saying(Said::Failed);
        reading.tally.failed = Some(timed_out);
        reading.tally.passed = passed.and_then(|passed| passed.checked_sub(timed_out));
    }
    if reading.said == Said::NothingRan(Reason::ZeroTests) && selects(hint) {
        reading.said = Said::NothingRan(Reason::FilterMatchedNothing);
    } else if reading.said != Said::Failed && not_run > 0 {
        reading.said = Said::Unfinished(Reason::PlanMismatch);
    }
    reading = tests.iter().filter(failing).fold(reading, |reading, (line, _)| reading.quoting(line.quote()));
    reading.naming(tests.into_iter().map(|(_, case)| case).collect())
}

/// The pretty form without its end. Only bats' own name makes marks like these its own.
fn without_summary(tests: &[(Line<'_>, Case)], hint: Hint<'_>) -> Option<Reading> {
    let (line, _) =
        tests.iter().find(|(_, case)| case.status == CaseStatus::Failed).filter(|_| hint.named)?;
    Some(Reading::without_counts("bats", Said::Failed, line.quote()))
}

/// `--formatter junit`: each suite is a bats file.
fn junit(stream: &Stream) -> Vec<Reading> {
    let mut readings = Vec::new();
    for document in stream.xml_documents(&["testsuites"]) {
        let report = xml_cases::read(document);
        if report.cases.is_empty()
            || !report.cases.iter().all(|case| case.attribute("classname").ends_with(".bats"))
        {
            continue;
        }
        let ended = |status| report.cases.iter().filter(move |case| case.status == status);
        let is_outside = |case: &&XmlCase| is_outside_tests(case.attribute("name"));
        let failed = ended(CaseStatus::Failed).count() as u64;
        let outside = ended(CaseStatus::Failed).filter(is_outside).count() as u64;
        let skipped = ended(CaseStatus::Skipped).count() as u64;
        let passed = report.cases.len() as u64 - failed - skipped;
        let tally = Tally { load_errors: Some(outside), ..Tally::of(passed, failed - outside, skipped) };
        let cases = report.cases.iter().map(junit_case).collect();
        let root = document.text.lines().find(|line| line.contains("<testsuites")).unwrap_or_default();
        let mut reading = Reading::from_tally("bats", tally, Quote::new(document.first, root));
        if !report.closed && reading.said != Said::Failed {
            reading = reading.saying(Said::Unfinished(Reason::ReportUnfinished));
        }
        readings.push(reading.spanning(document.first, document.last).naming(cases));
    }
    readings
}

fn junit_case(case: &XmlCase) -> Case {
    let file = Some(case.attribute("classname").to_owned());
    let name = case.attribute("name").to_owned();
    Case { name, file, status: case.status, message: None, file_level: false }
}

/// What bats says where it was called wrongly.
fn usage(stream: &Stream) -> Option<Reading> {
    stream.lines().find_map(|line| {
        let text = line.text;
        let wrong_option = text.starts_with("Error: Bad command line option '")
            || text.starts_with("Bad command line option '");
        let no_test =
            text == "Error: Must specify at least one <test>" || text == "Must specify at least one <test>";
        let no_parallel = text.starts_with("Cannot execute \"") && text.contains(" jobs without ");
        // Bats 1.1 and before print the path alone.
        let no_file = text.ends_with(" does not exist")
            && (text.starts_with("Error: Test file \"") || text.starts_with("bats: "));
        let reason = if wrong_option || no_test || no_file {
            Reason::UsageError
        } else if no_parallel {
            Reason::Environment
        } else {
            return None;
        };
        Some(Reading::without_counts("bats", Said::CouldNotRun(reason), line.quote()))
    })
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use super::*;
    use crate::decide::{Context, count_with};

    #[track_caller]
    fn check(text: &str, command: &str, outcome: Outcome, reason: Option<Reason>, passed: Option<u64>) {
        let readers: &'static [Reader] = &[READER];
        let count =
            count_with(readers, text.as_bytes(), &Context { command: Some(command), ..Context::default() });
        let actual = (count.outcome, count.reasons.first().copied(), count.tally.passed);
        assert_eq!(actual, (outcome, reason, passed), "{text}");
    }

    #[test]
    fn tests_that_did_not_run_are_no_pass() {
        let text = " \u{2713} a\n\n2 tests, 0 failures, 1 not run\n";
        check(text, "bats -p .", Outcome::Unknown, Some(Reason::PlanMismatch), Some(1));
    }

    #[test]
    fn the_summary_of_another_runner_is_not_read() {
        check("\n2 tests, 0 failures\n", "mix test", Outcome::Unknown, Some(Reason::NoSummary), None);
        check("\n2 tests, 0 failures\n", "bats -p . | tail -1", Outcome::Passed, None, Some(2));
    }

    #[test]
    fn entries_count_where_a_filter_kept_them_all() {
        let text = "ok 1 a\nnot ok 2 b\nok 3 c # skip later\n";
        let kept = [
            "grep -E '^(ok|not ok)'",
            "tail -3",
            "tail -9 | grep ok",
            "grep ok",
            "grep -v '^#'",
            "grep '^ok\\|^not'",
        ];
        for filter in kept {
            check(text, &format!("bats . | {filter}"), Outcome::Failed, None, Some(1));
        }
        for filter in ["head -3", "grep -E '^(ok 1|not ok)'", "grep -E '[123] [abc]'"] {
            check(text, &format!("bats . | {filter}"), Outcome::Failed, None, None);
        }
        check("not ok 2 b\nok 3 c\n", "bats . | tail -2", Outcome::Failed, None, None);
        check("ok 1 a\nok 2 b\n", "bats . | grep ok", Outcome::Unknown, Some(Reason::OutputCut), None);
    }
}
