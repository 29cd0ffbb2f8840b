//! States of the closing block, and lines that only look like one.

use kenshu_model::{Outcome, Reason};

use crate::{Context, count};

fn block(suites: &str, tests: &str) -> String {
    format!(
        "\nTest Suites: {suites} total\nTests:       {tests} total\nSnapshots:   0 total\nTime:        1.2 s\nRan all test suites.\n"
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
fn a_block_that_a_test_printed_is_not_counted() {
    let spoof = block("9 passed, 9", "99 passed, 99");
    let real = block("1 failed, 1 passed, 2", "1 failed, 1 passed, 2");
    let text = format!("PASS ./a.test.js\n{spoof}FAIL ./b.test.js\n  ● x\n\n    no\n{real}");
    check(&text, None, Outcome::Failed, Some(1), Some(1));
    let real = block("2 passed, 2", "2 passed, 2");
    let spoof = block("1 failed, 1", "1 failed, 1");
    let text = format!("{spoof}PASS ./a.test.js\nPASS ./b.test.js\n{real}");
    check(&text, Some("npx jest"), Outcome::Passed, Some(2), Some(0));
    // Not known to be one run: what failed is not passed over.
    check(&text, Some("npm test"), Outcome::Unknown, None, None);
}

#[test]
fn runs_are_summed() {
    let one = format!("PASS ./a.test.js\n{}", block("1 passed, 1", "2 passed, 2"));
    check(&format!("{one}{one}"), None, Outcome::Passed, Some(4), Some(0));
}

#[test]
fn a_lone_line_needs_the_runner_from_the_command() {
    check("Tests:       3 passed, 3 total\n", None, Outcome::Unknown, None, None);
    check("Tests:       3 passed, 3 total\n", Some("npx jest 2>&1 | tail -1"), Outcome::Unknown, None, None);
    check(
        "Tests:       3 passed, 3 total\n",
        Some("npx jest 2>&1 | grep Tests:"),
        Outcome::Unknown,
        Some(3),
        Some(0),
    );
}

#[test]
fn a_report_that_is_shown_beside_its_run_is_not_counted_again() {
    let xml = "<testsuites name=\"jest tests\" tests=\"2\"><testsuite tests=\"2\"><testcase name=\"a\"/>\
               <testcase name=\"b\"/></testsuite></testsuites>\n";
    let run = format!("PASS ./a.test.js\n{}", block("1 passed, 1", "2 passed, 2"));
    check(&format!("{run}{xml}"), Some("npx jest; cat junit.xml"), Outcome::Passed, Some(2), Some(0));
    // Another run's report adds to it.
    let other = xml.replacen("<testcase name=\"a\"/>", "<testcase name=\"a\"/><testcase name=\"c\"/>", 1);
    let other = other.replace("tests=\"2\"", "tests=\"3\"");
    check(&format!("{run}{other}"), Some("npx jest; cat junit.xml"), Outcome::Passed, Some(5), Some(0));
}

#[test]
fn a_display_that_was_broken_off_is_no_pass() {
    let text = "PASS ./b.test.js\n\nTest Suites: 1 passed, 1 of 2 total\nTests:       2 passed, 2 total\nSnapshots:   0 total\nTime:        3 s\n";
    let count = count(text.as_bytes(), &Context::default());
    assert_eq!((count.outcome, count.reasons.first()), (Outcome::Unknown, Some(&Reason::Killed)));
}

#[test]
fn a_word_we_do_not_know_is_no_pass() {
    let text = format!("PASS ./a.test.js\n{}", block("1 passed, 1", "1 lost, 2 passed, 3"));
    check(&text, None, Outcome::Unknown, None, None);
}

#[test]
fn the_text_about_no_tests_outranks_the_status() {
    for status in [0, 1] {
        let text = "No tests found, exiting with code 1\nPattern:  - 0 matches\n";
        let context = Context { exit: Some(kenshu_model::Exit::Code(status)), ..Context::default() };
        let count = count(text.as_bytes(), &context);
        assert_eq!((count.outcome, count.reasons.first()), (Outcome::NothingRan, Some(&Reason::NoTestFiles)));
    }
}

#[test]
fn files_of_a_report_without_assertions_are_numbers_only() {
    let text = "{\"numFailedTestSuites\":0,\"numFailedTests\":0,\"numPassedTestSuites\":1,\"numPassedTests\":3,\
                \"numPendingTests\":1,\"numRuntimeErrorTestSuites\":0,\"numTodoTests\":0,\"numTotalTestSuites\":1,\
                \"numTotalTests\":4,\"success\":true,\"testResults\":[{\"status\":\"passed\",\"message\":\"\",\"name\":\"a\"}]}";
    check(text, None, Outcome::Passed, Some(3), Some(0));
    let edited = text.replace(
        "\"testResults\":[{",
        "\"testResults\":[{\"assertionResults\":[{\"status\":\"passed\",\"title\":\"a\"}],",
    );
    check(&edited, None, Outcome::Unknown, None, None);
}
