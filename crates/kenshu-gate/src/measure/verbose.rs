//! What `go test` owes when it was asked for the names of its tests.

use kenshu_model::{Count, Outcome, Quote, Reason};
use kenshu_readers::command::CommandLine;
use kenshu_readers::readers::of_invocation;
use kenshu_readers::text::Text;

use super::Plan;

/// The reader of `go test`.
const GO_TEST: &str = "go-test";

/// With `-v` a test binary ends with a line `PASS`. A package that is `ok` without one left `TestMain` before it ran
/// any test, so its `ok` is that of a program which ended with 0, and no pass.
pub(super) fn judged(count: Count, plan: &Plan, output: &[u8]) -> Count {
    if count.outcome != Outcome::Passed || count.tally.passed.is_some() || !is_verbose(plan) {
        return count;
    }
    let Some(quote) = silent_package(output) else { return count };
    Count { outcome: Outcome::Unknown, reasons: vec![Reason::ReportUnfinished], quotes: vec![quote], ..count }
}

/// Only a `go test` that is the whole command: a script may set `GOFLAGS` anew, or take lines away.
fn is_verbose(plan: &Plan) -> bool {
    let line = CommandLine::from_argv(&plan.argv);
    let [invocation] = line.invocations.as_slice() else { return false };
    let asked = plan.inject
        && super::reporters::of(GO_TEST).is_some_and(|reporter| (reporter.fits)(invocation))
        || invocation.arguments.iter().any(|argument| argument == "-v");
    asked && of_invocation(invocation).is_some_and(|reader| reader.id == GO_TEST)
}

fn silent_package(output: &[u8]) -> Option<Quote> {
    let text = Text::new(output);
    let mut has_passed = false;
    for line in text.streams.iter().flat_map(|stream| stream.lines()) {
        if line.text.starts_with("ok  \t") && !std::mem::take(&mut has_passed) {
            return Some(line.quote());
        }
        // What a test prints without a line end stands before it.
        has_passed |= line.text.ends_with("PASS");
    }
    None
}
