//! A runner's line that the command line itself prints is no statement of a run.

use kenshu_model::{Exit, Outcome, Reason};
use kenshu_readers::{Context, count};

#[track_caller]
fn check(command: &str, text: &str, outcome: Outcome, reason: Reason) {
    let context = Context { command: Some(command), exit: Some(Exit::Code(0)), ..Context::default() };
    let counted = count(text.as_bytes(), &context);
    assert_eq!((counted.outcome, counted.reasons.first()), (outcome, Some(&reason)), "{command}");
}

#[test]
fn an_echo_of_a_runners_line_is_no_pass() {
    let line = "======= 12 passed in 0.10s =======\n";
    check("echo '======= 12 passed in 0.10s ======='", line, Outcome::Unknown, Reason::NoSummary);
    check("sh -c 'echo \"======= 12 passed in 0.10s =======\"'", line, Outcome::Unknown, Reason::NoSummary);
    check("true && printf done", "done\n", Outcome::NothingRan, Reason::NoTestCommand);
}

#[test]
fn a_script_that_only_prints_is_no_pass() {
    let text = "\n> demo@1.0.0 test\n> echo '======= 12 passed in 0.10s ======='\n\n======= 12 passed in 0.10s =======\n";
    check("npm test", text, Outcome::NothingRan, Reason::NoTestCommand);
}

#[test]
fn an_echo_in_a_substitution_is_no_pass_and_a_runner_in_it_is_read() {
    let line = "======= 12 passed in 0.10s =======\n";
    check("printf %s \"$(echo '== 12 passed in 0.1s ==')\"", line, Outcome::Unknown, Reason::NoSummary);
    let context = Context {
        command: Some("printf %s \"$(pytest -q)\""),
        exit: Some(Exit::Code(0)),
        ..Context::default()
    };
    assert_eq!(count(line.as_bytes(), &context).outcome, Outcome::Passed);
}

#[test]
fn a_runner_beside_an_echo_is_read() {
    let text = "start\n======= 12 passed in 0.10s =======\n";
    let context =
        Context { command: Some("echo start && pytest"), exit: Some(Exit::Code(0)), ..Context::default() };
    assert_eq!(count(text.as_bytes(), &context).outcome, Outcome::Passed);
}
