//! States of the closing block, and lines that only look like one.

use kenshu_model::{Outcome, Reason};

use crate::{Context, count};

const RUN: Option<&str> = Some("npx playwright test");

#[track_caller]
fn check(text: &str, command: Option<&str>, outcome: Outcome, passed: Option<u64>, failed: Option<u64>) {
    let count = count(text.as_bytes(), &Context { command, ..Context::default() });
    assert_eq!(
        (count.outcome, count.tally.passed, count.tally.failed),
        (outcome, passed, failed),
        "{text}\n{count:#?}"
    );
}

#[test]
fn the_block_that_accounts_for_every_test_counts() {
    let text = "Running 3 tests using 1 worker\n  9 passed (1.0s)\n\n  1 failed\n    a.spec.js:2:1 › x ───\n  2 passed (2.0s)\n";
    check(text, None, Outcome::Failed, Some(2), Some(1));
    let text = "Running 2 tests using 1 worker\n\n  2 passed (2.0s)\n  9 passed (1.0s)\n";
    check(text, None, Outcome::Passed, Some(2), Some(0));
}

#[test]
fn fewer_tests_than_announced_are_no_pass() {
    let text = "Running 3 tests using 2 workers, shard 1 of 2\n\n  2 passed (2.0s)\n";
    let count = count(text.as_bytes(), &Context::default());
    assert_eq!((count.outcome, count.reasons.first()), (Outcome::Unknown, Some(&Reason::PlanMismatch)));
}

#[test]
fn a_block_whose_first_rows_may_be_cut_off_is_no_pass() {
    let tail = Some("npx playwright test | tail -2");
    check("  1 skipped\n  3 passed (4.4s)\n", tail, Outcome::Unknown, None, None);
    check("    a.spec.js:6:1 › e ───\n  3 passed (4.4s)\n", tail, Outcome::Unknown, None, None);
    check("\n  3 passed (4.4s)\n", tail, Outcome::Passed, Some(3), Some(0));
    // A retried test, and an error outside of tests, have lines of their own.
    let grep = Some("npx playwright test | grep -E 'passed|failed'");
    check("  3 passed (4.4s)\n", grep, Outcome::Unknown, None, Some(0));
    let grep = Some("npx playwright test | grep -E 'passed|failed|flaky|not a part'");
    check("  3 passed (4.4s)\n", grep, Outcome::Passed, Some(3), Some(0));
    check("  3 passed (4.4s)\n", Some("npx playwright test | grep passed"), Outcome::Unknown, None, None);
}

#[test]
fn any_program_can_print_one_row() {
    check("\n  3 passed (4.4s)\n", None, Outcome::Unknown, None, None);
    check("\n  3 passed (4.4s)\n", RUN, Outcome::Passed, Some(3), Some(0));
}

#[test]
fn reaching_the_limit_of_failures_is_no_error_of_its_own() {
    let text = "Running 3 tests using 1 worker\nTesting stopped early after 1 maximum allowed failures.\n\n  1 failed\n    a.spec.js:2:1 › x ───\n  1 did not run\n  1 passed (1s)\n  1 error was not a part of any test, see above for details\n";
    let count = count(text.as_bytes(), &Context::default());
    assert_eq!(
        (count.tally.failed, count.tally.load_errors, count.tally.skipped),
        (Some(1), Some(0), Some(1))
    );
}

#[test]
fn a_smaller_report_is_read_by_its_specs() {
    let text = "{\"stats\":{\"duration\":3519.703},\"suites\":[{\"specs\":[{\"ok\":true,\"tests\":[{\"results\":[{}]}]}]}]}";
    check(text, None, Outcome::Passed, Some(1), Some(0));
    check(&text.replace("true", "false"), None, Outcome::Failed, Some(0), Some(1));
}
