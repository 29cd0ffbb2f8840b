//! States of the closing block, and lines that only look like one.

use kenshu_model::{Exit, Outcome, Reason};

use crate::{Context, count};

const HEADER: &str = " RUN  v4.1.12 /project\n\n";

fn block(files: &str, tests: &str) -> String {
    format!(
        "\n Test Files  {files}\n      Tests  {tests}\n   Start at  20:25:29\n   Duration  1ms (transform 1ms)\n\n"
    )
}

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
fn the_last_block_of_a_run_counts() {
    let spoof = block("9 passed (9)", "99 passed (99)");
    let real = block("1 failed (1)", "1 failed | 1 passed (2)");
    check(&format!("{HEADER}stdout | a.test.js > x\n{spoof}{real}"), None, Outcome::Failed, Some(1), Some(1));
}

#[test]
fn runs_are_summed_header_by_header() {
    let one = format!("{HEADER}{}", block("1 passed (1)", "2 passed (2)"));
    check(&format!("{one}{one}"), None, Outcome::Passed, Some(4), Some(0));
}

#[test]
fn blocks_without_headers_prove_no_pass() {
    let one = block("1 passed (1)", "2 passed (2)");
    let bad = block("1 failed (1)", "1 failed (1)");
    check(&one, None, Outcome::Passed, Some(2), Some(0));
    check(&format!("{one}{one}"), None, Outcome::Unknown, None, None);
    check(&format!("{bad}{one}"), None, Outcome::Failed, None, None);
}

#[test]
fn a_word_we_do_not_know_is_no_pass() {
    let text = format!("{HEADER}{}", block("1 passed (1)", "2 passed | 1 vanished (3)"));
    let count = count(text.as_bytes(), &Context::default());
    assert_eq!((count.outcome, count.tally.passed), (Outcome::Unknown, None));
}

#[test]
fn a_lone_line_needs_the_runner_from_the_command() {
    check("      Tests  3 passed (3)\n", None, Outcome::Unknown, None, None);
    check(
        "      Tests  3 passed (3)\n",
        Some("npx vitest run | grep Tests"),
        Outcome::Unknown,
        Some(3),
        Some(0),
    );
    check(" Test Files  1 passed (1)\n", Some("npx vitest run | grep Files"), Outcome::Unknown, None, None);
    check(" Test Files  1 failed (1)\n", Some("npx vitest run | grep Files"), Outcome::Failed, None, None);
}

#[test]
fn errors_outside_tests_fail_a_green_run_whatever_its_status() {
    let text = format!("{HEADER}{}", block("1 passed (1)", "612 passed (612)"))
        .replace("   Start at", "     Errors  1 error\n   Start at");
    let count = count(text.as_bytes(), &Context { exit: Some(Exit::Code(0)), ..Context::default() });
    assert_eq!(
        (count.outcome, count.tally.passed, count.tally.load_errors),
        (Outcome::Failed, Some(612), Some(1))
    );
}

#[test]
fn a_file_that_did_not_load_is_counted_beside_the_passes() {
    let text = format!("{HEADER}{}", block("1 failed | 1 passed (2)", "2 passed (2)"));
    let count = count(text.as_bytes(), &Context::default());
    assert_eq!(
        (count.outcome, count.tally.passed, count.tally.load_errors),
        (Outcome::Failed, Some(2), Some(1))
    );
}

#[test]
fn a_cancelled_run_is_no_pass() {
    let text = format!(
        "{HEADER}Cancelling test run. Press CTRL+c again to exit forcefully.\n{}",
        block("1 passed (1)", "1 passed | 4 skipped (5)")
    );
    let count = count(text.as_bytes(), &Context::default());
    assert_eq!((count.outcome, count.reasons.first()), (Outcome::Unknown, Some(&Reason::Killed)));
}

#[test]
fn a_coverage_limit_fails_behind_a_pipe_too() {
    let text = format!(
        "{HEADER}{}ERROR: Coverage for lines (50%) does not meet global threshold (90%)\n",
        block("1 passed (1)", "1 passed (1)")
    );
    let context = Context { command: Some("npx vitest run --coverage || true"), ..Context::default() };
    let count = count(text.as_bytes(), &context);
    assert_eq!((count.outcome, count.reasons.first()), (Outcome::Failed, Some(&Reason::ExitDisagrees)));
    assert!(count.quotes.iter().any(|quote| quote.text.starts_with("ERROR: Coverage")));
}
