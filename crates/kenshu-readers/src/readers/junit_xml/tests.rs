//! Dialects and broken documents that are easier to see here than in a recording.

use kenshu_model::{CaseStatus, Count, Outcome, Reason};

use crate::{Context, count};

fn read(text: &str) -> Count {
    count(text.as_bytes(), &Context::default())
}

/// outcome, passed, failed, errored, load errors, skipped
type Numbers = (Outcome, u64, u64, u64, u64, u64);

#[track_caller]
fn check(text: &str, expected: Numbers) -> Count {
    let count = read(text);
    let tally = &count.tally;
    let number = |count: Option<u64>| count.unwrap_or(u64::MAX);
    let actual = (
        count.outcome,
        number(tally.passed),
        number(tally.failed),
        number(tally.errored),
        number(tally.load_errors),
        number(tally.skipped),
    );
    assert_eq!(actual, expected, "{text}\n{count:#?}");
    count
}

#[track_caller]
fn check_unknown(text: &str, reason: Reason) {
    let count = read(text);
    assert_eq!((count.outcome, count.reasons.as_slice()), (Outcome::Unknown, &[reason][..]), "{text}");
}

#[test]
fn cases_count_and_contradicting_attributes_are_quoted() {
    let text = "<testsuite name=\"s\" tests=\"12\" failures=\"0\" errors=\"0\">\n<testcase name=\"a\"/>\n</testsuite>";
    let count = check(text, (Outcome::Passed, 1, 0, 0, 0, 0));
    assert!(count.quotes.iter().any(|quote| quote.text.contains("tests=\"12\"")));
    assert_eq!(count.reasons, [Reason::PlanMismatch]);
    let text = "<testsuites failures=\"0\"><testsuite name=\"s\" failures=\"0\" tests=\"1\">\
                <testcase name=\"a\"><failure/></testcase></testsuite></testsuites>";
    check(text, (Outcome::Failed, 0, 1, 0, 0, 0));
}

#[test]
fn announced_failures_without_a_failed_case_are_no_pass() {
    let text = "<testsuite tests=\"1\" failures=\"1\"><testcase name=\"a\"/></testsuite>";
    check_unknown(text, Reason::PlanMismatch);
    let tally = read(text).tally;
    assert_eq!((tally.passed, tally.failed, tally.total()), (Some(1), None, None));
    check_unknown("<testsuite tests=\"5\" failures=\"0\"></testsuite>", Reason::PlanMismatch);
}

#[test]
fn an_old_report_leaves_skipped_cases_out_of_its_total() {
    let text = "<testsuite tests=\"1\" skips=\"1\"><testcase name=\"a\"/>\
                <testcase name=\"b\"><skipped/></testcase></testsuite>";
    let count = check(text, (Outcome::Passed, 1, 0, 0, 0, 1));
    assert_eq!(count.quotes.len(), 1);
}

#[test]
fn nested_suites_are_counted_once() {
    // A suite as root with suites in it: the first `</testsuite>` is not its end.
    let text = "<testsuite name=\"root\" tests=\"3\"><testsuite name=\"in\"><testcase name=\"a\"/></testsuite>\
                <testsuite name=\"in\"><testcase name=\"b\"/><testcase name=\"c\"><error/></testcase></testsuite></testsuite>";
    check(text, (Outcome::Failed, 2, 0, 1, 0, 0));
}

#[test]
fn what_a_test_printed_is_never_read() {
    let text = "<testsuites><testsuite tests=\"1\"><testcase name=\"a\"><system-out>\
                <testcase name=\"x\"><failure/></testcase><![CDATA[</testsuites><testsuite><testcase><failure/>]]>\
                </system-out></testcase></testsuite><system-err><failure/></system-err></testsuites>";
    check(text, (Outcome::Passed, 1, 0, 0, 0, 0));
}

#[test]
fn surefire_reruns_and_flakes() {
    let text = "<testsuite name=\"T\" tests=\"2\" failures=\"1\" flakes=\"1\">\
                <testcase name=\"flaky\" classname=\"T\"><flakyFailure message=\"m\" type=\"E\"><stackTrace>x</stackTrace></flakyFailure></testcase>\
                <testcase name=\"bad\" classname=\"T\"><failure message=\"no\"/><rerunFailure message=\"no\"/></testcase></testsuite>";
    let count = check(text, (Outcome::Failed, 1, 1, 0, 0, 0));
    assert_eq!(count.tally.flaky, Some(1));
    assert!(
        count.cases.iter().any(|case| case.name == "T.bad" && case.message.as_deref() == Some("no")),
        "{:?}",
        count.cases
    );
}

#[test]
fn a_class_that_could_not_be_set_up_is_no_test() {
    let text = "<testsuite name=\"T\" tests=\"1\" errors=\"1\"><testcase name=\"\" classname=\"T\">\
                <error message=\"before all\"/></testcase></testsuite>";
    check(text, (Outcome::Failed, 0, 0, 0, 1, 0));
}

#[test]
fn googletest_says_it_with_attributes() {
    let text = "<testsuites tests=\"3\" failures=\"0\" disabled=\"1\" errors=\"0\" name=\"AllTests\">\
                <testsuite name=\"S\" tests=\"3\" disabled=\"1\">\
                <testcase name=\"A\" status=\"run\" result=\"completed\" classname=\"S\"/>\
                <testcase name=\"DISABLED_B\" status=\"notrun\" result=\"suppressed\" classname=\"S\"/>\
                <testcase name=\"C\" status=\"run\" result=\"skipped\" classname=\"S\"/></testsuite></testsuites>";
    check(text, (Outcome::Passed, 1, 0, 0, 0, 2));
}

#[test]
fn ctest_fails_a_test_without_its_program() {
    let text = "<testsuite name=\"(empty)\" tests=\"3\" failures=\"1\" disabled=\"1\" skipped=\"0\">\
                <testcase name=\"a\" classname=\"a\" status=\"run\"/>\
                <testcase name=\"b\" classname=\"b\" status=\"disabled\"><skipped message=\"Disabled\"/></testcase>\
                <testcase name=\"c\" classname=\"c\" status=\"notrun\"><skipped message=\"Unable to find executable\"/></testcase></testsuite>";
    // CTest's own reader outranks the format's, and calls a program that is missing not loaded.
    check(text, (Outcome::Failed, 1, 0, 0, 1, 1));
}

#[test]
fn several_documents_in_one_text_are_summed() {
    let one = "<?xml version=\"1.0\"?>\n<testsuite tests=\"1\"><testcase name=\"a\"/></testsuite>\n";
    check(&format!("{one}{one}log line\n{one}"), (Outcome::Passed, 3, 0, 0, 0, 0));
}

#[test]
fn a_broken_document_is_no_pass() {
    let whole = "<testsuites><testsuite tests=\"2\"><testcase name=\"a\"/><testcase name=\"b\"/></testsuite></testsuites>";
    for end in 12..whole.len() - 1 {
        check_unknown(&whole[..end], Reason::ReportUnfinished);
    }
    check_unknown(&format!("{}\n<?xml version=\"1.0\"?>{whole}", &whole[..60]), Reason::ReportUnfinished);
    check_unknown("<testsuite><testcase name=\"a\"></testsuite>", Reason::ReportUnfinished);
}

#[test]
fn a_failure_in_a_broken_document_stands_without_counts() {
    let count = read("<testsuites><testsuite><testcase name=\"a\"/><testcase name=\"b\"><failure>no");
    assert_eq!((count.outcome, count.tally.passed, count.tally.failed), (Outcome::Failed, None, Some(1)));
}

#[test]
fn entities_of_the_document_are_never_expanded() {
    let mut bomb = String::from("<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY a0 \"ha\">");
    for level in 1..30 {
        bomb.push_str(&format!("<!ENTITY a{level} \"&a{0};&a{0};\">", level - 1));
    }
    bomb.push_str(
        "]>\n<testsuite tests=\"1\" name=\"&a29;\"><testcase name=\"&a29;\">&a29;</testcase></testsuite>",
    );
    let count = check(&bomb, (Outcome::Passed, 1, 0, 0, 0, 0));
    assert_eq!(count.cases[0].name, "&a29;");
}

#[test]
fn tags_that_never_end_are_looked_at_once() {
    let text = "<testsuite name='x\n".repeat(100_000);
    assert_eq!(read(&text).outcome, Outcome::Unknown);
}

#[test]
fn depth_costs_no_stack() {
    let depth = 200_000;
    let text =
        format!("{}<testcase name=\"a\"/>{}", "<testsuite>".repeat(depth), "</testsuite>".repeat(depth));
    check(&text, (Outcome::Passed, 1, 0, 0, 0, 0));
}

#[test]
fn names_are_unescaped_and_joined_with_their_class() {
    let text = "<testsuite tests=\"2\"><testcase classname=\"pkg.T\" name=\"a &lt;b&gt; &#233;\"/>\
                <testcase classname=\"a.test.ts\" name=\"x\"><skipped type=\"todo\" message=\"todo\"/></testcase></testsuite>";
    let count = read(text);
    assert_eq!(count.cases[0].name, "pkg.T.a <b> é");
    assert_eq!((count.cases[1].name.as_str(), count.cases[1].file.as_deref()), ("x", Some("a.test.ts")));
    assert_eq!(count.cases[1].status, CaseStatus::Todo);
}

#[test]
fn same_names_are_runs_of_their_own_unless_announced_as_one() {
    let case = "<testcase classname=\"c\" name=\"p\"/>";
    let text = format!("<testsuite tests=\"13\">{}</testsuite>", case.repeat(13));
    check(&text, (Outcome::Passed, 13, 0, 0, 0, 0));
    let text = format!("<testsuite tests=\"1\">{}</testsuite>", case.repeat(3));
    assert_eq!(check(&text, (Outcome::Passed, 1, 0, 0, 0, 0)).tally.flaky, Some(1));
}

#[test]
fn other_formats_with_the_same_root_are_left_alone() {
    let text = "<?xml version=\"1.0\"?>\n<testsuites xmlns=\"http://check.sourceforge.net/ns\">\n<suite><test result=\"success\"/></suite></testsuites>";
    assert!(!read(text).runners.contains(&"junit-xml"));
}
