//! Contradictions and statuses that no recording has.

use kenshu_model::{Count, Outcome, Reason};

use crate::{Context, count};

fn read(summary: &str, tests: &str) -> Count {
    let text = format!(
        "{{\"reportFormat\":\"CTRF\",\"results\":{{\"tool\":{{\"name\":\"x\"}},\"summary\":{{{summary}}},\"tests\":[{tests}]}}}}"
    );
    count(text.as_bytes(), &Context::default())
}

const ONE: &str = "\"tests\":1,\"passed\":1,\"failed\":0,\"skipped\":0,\"pending\":0,\"other\":0";

#[test]
fn the_tests_count_and_not_the_summary() {
    let count = read(ONE, "{\"name\":\"a\",\"status\":\"failed\"}");
    assert_eq!((count.outcome, count.tally.failed), (Outcome::Failed, Some(1)));
    let count = read(&ONE.replace("\"passed\":1", "\"passed\":9"), "{\"name\":\"a\",\"status\":\"passed\"}");
    assert_eq!((count.outcome, count.tally.passed), (Outcome::Passed, Some(1)));
}

#[test]
fn a_failure_only_in_the_summary_is_neither() {
    let count = read(&ONE.replace("\"failed\":0", "\"failed\":1"), "{\"name\":\"a\",\"status\":\"passed\"}");
    assert_eq!((count.outcome, count.reasons.first()), (Outcome::Unknown, Some(&Reason::Ambiguous)));
}

#[test]
fn tests_that_are_announced_and_missing_are_no_pass() {
    let count = read(ONE, "");
    assert_eq!((count.outcome, count.reasons.first()), (Outcome::Unknown, Some(&Reason::PlanMismatch)));
}

#[test]
fn a_retried_pass_is_flaky() {
    let count = read(ONE, "{\"name\":\"a\",\"status\":\"passed\",\"retries\":2,\"flaky\":true}");
    assert_eq!((count.outcome, count.tally.passed, count.tally.flaky), (Outcome::Passed, Some(1), Some(1)));
}

#[test]
fn only_pending_tests_are_nothing() {
    let count = read(ONE, "{\"name\":\"a\",\"status\":\"pending\"},{\"name\":\"b\",\"status\":\"skipped\"}");
    assert_eq!((count.outcome, count.tally.skipped), (Outcome::NothingRan, Some(2)));
}

#[test]
fn a_status_that_says_neither_is_no_pass_by_itself() {
    let count = read(ONE, "{\"name\":\"a\",\"status\":\"other\"}");
    assert_eq!(count.outcome, Outcome::Unknown);
    let count = read(ONE, "{\"name\":\"a\",\"status\":\"other\",\"rawStatus\":\"timedOut\"}");
    assert_eq!((count.outcome, count.tally.errored), (Outcome::Failed, Some(1)));
}

#[test]
fn attempts_at_one_test_are_one_test() {
    let attempt = |status: &str| format!("{{\"name\":\"a\",\"status\":\"{status}\"}}");
    let three = [attempt("failed"), attempt("failed"), attempt("passed")].join(",");
    let count = read(ONE, &three);
    assert_eq!((count.outcome, count.tally.passed, count.tally.flaky), (Outcome::Passed, Some(1), Some(1)));
    // Announced as three tests they are three.
    let count = read(&ONE.replace("\"tests\":1", "\"tests\":3"), &three);
    assert_eq!((count.outcome, count.tally.failed), (Outcome::Failed, Some(2)));
}
