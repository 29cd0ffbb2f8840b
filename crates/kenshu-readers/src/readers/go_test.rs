//! `go test`: the line that ends each package, `-v` results, and the events of `-json`; one reading per package.
//!
//! Tests are counted as Go's top-level tests: a subtest is a part of the test that runs it.

mod events;
mod packages;

use kenshu_model::Reason;

use crate::command::Invocation;
use crate::filters::{Filters, Shape};
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

pub(super) const READER: Reader = Reader {
    id: "go-test",
    name: "go test",
    versions: "Go 1.19, 1.22, 1.25, 1.27",
    formats: "text, text of -v, JSON of -json",
    zero: "`ok … [no tests to run]`, `? … [no test files]`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "ok  \t",
        "FAIL\t",
        "FAIL",
        "--- PASS: ",
        "--- FAIL: ",
        "--- SKIP: ",
        "=== RUN   ",
        "[no test files]",
        "\"Action\":\"",
        "matched no packages",
        "no packages to test",
    ],
    commands: &[&["go", "test"]],
    list_options: &["-list", "-c", "-n", "--list"],
    covers: &[],
    // The passes that are stated are the marks themselves, and a status of 0 out of a test is a panic to Go.
    marks: Marks::NONE,
    read,
};

/// What is known of the command.
struct Asked {
    named: bool,
    /// Tests were chosen by name.
    filtered: bool,
    /// `-list`: names are printed, and `ok` behind them.
    lists: bool,
    /// Lines were taken away, and which kinds are all there nevertheless.
    cut: bool,
    /// They may be lines before those that are left.
    cut_before: bool,
    /// There is a `tail`, and it had nothing to take away.
    uncut: bool,
    /// Lines of passed tests, which only a verbose run prints.
    keeps_passes: bool,
    keeps_failures: bool,
    keeps_skips: bool,
    /// Every package's last line is there, or there is one package and a test of it ran.
    knows_packages: bool,
    /// Nothing but `tail` takes lines away.
    only_tail: bool,
    /// Packages are named: go says behind each whether it had tests to run. Without a name it passes on what the test
    /// program itself prints of that.
    names_packages: bool,
}

impl Asked {
    fn new(stream: &Stream, hint: Hint<'_>) -> Asked {
        let runs = || hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation));
        let filters = Filters::of(hint, stream);
        let keeps = |start| filters.keep(&Shape::starting(start));
        let keeps_failures = keeps("--- FAIL: ");
        Asked {
            named: hint.named,
            filtered: runs().any(|run| run.has_option(&["-run", "-skip", "--run", "--skip"])),
            lists: runs().any(|run| run.has_option(&["-list", "--list"])),
            cut: !filters.is_empty(),
            cut_before: filters.cut_before(),
            uncut: filters.is_empty() && hint.invocations.iter().any(super::takes_lines_away),
            keeps_passes: keeps_failures && keeps("--- PASS: ") && runs().all(is_verbose),
            keeps_failures,
            keeps_skips: keeps("--- SKIP: "),
            knows_packages: (keeps("FAIL\t") && keeps("ok  \t"))
                || (runs().count() == 1 && runs().all(names_one_package)),
            only_tail: filters.only_tail(),
            names_packages: runs()
                .any(|run| run.arguments.iter().any(|word| word.starts_with('.') || word.contains("/"))),
        }
    }

    /// Why a package in which no test ran ran none.
    fn why_none(&self) -> Reason {
        if self.filtered { Reason::FilterMatchedNothing } else { Reason::ZeroTests }
    }
}

fn is_verbose(run: &Invocation) -> bool {
    run.has_option(&["-v", "--v", "-test.v"]) && !run.has_option(&["-v=false", "--v=false"])
}

/// Whether at most one package can be meant: there is one word, which may be an option's value.
fn names_one_package(run: &Invocation) -> bool {
    let words = run.arguments.iter().filter(|word| !word.starts_with('-'));
    // `test` itself, and one more.
    words.clone().count() <= 2 && !words.into_iter().any(|word| word.contains("..."))
}

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let asked = Asked::new(stream, hint);
    let mut readings = events::read(stream, &asked);
    if !readings.is_empty() {
        return readings;
    }
    readings = packages::read(stream, &asked);
    if readings.is_empty()
        && let Some((line, said)) = stream.lines().find_map(|line| Some((line, refusal(line, &asked)?)))
    {
        readings.push(Reading::without_counts(READER.id, said, line.quote()));
    }
    readings
}

/// What the go command says where it does not come to a package.
fn refusal(line: Line<'_>, asked: &Asked) -> Option<Said> {
    let text = line.text;
    let no_package = text.ends_with("matched no packages") || text == "no packages to test";
    if no_package && (asked.named || text.starts_with("go: warning: ")) {
        return Some(Said::NothingRan(Reason::NoTestFiles));
    }
    if !asked.named {
        return None;
    }
    if text.starts_with("flag provided but not defined: ")
        || text.starts_with("go: unknown flag ")
        || text.starts_with("invalid value ")
        || (text.starts_with("stat ") && text.ends_with(": directory not found"))
    {
        return Some(Said::CouldNotRun(Reason::UsageError));
    }
    is_outside_of_module(text).then_some(Said::CouldNotRun(Reason::Environment))
}

/// Called outside of a module, or on a folder without Go.
fn is_outside_of_module(text: &str) -> bool {
    text.contains("go.mod file not found in current directory or any parent directory")
        || text.contains("does not contain main module")
        || text.contains("cannot find main module")
        || text.starts_with("no Go files in ")
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use super::*;
    use crate::decide::{Context, count_with};

    #[track_caller]
    fn check(command: &str, text: &str, outcome: Outcome, reason: Option<Reason>, numbers: [Option<u64>; 4]) {
        let context = Context { command: Some(command), ..Context::default() };
        let count = count_with(&[READER], text.as_bytes(), &context);
        assert_eq!((count.outcome, count.reasons.first().copied()), (outcome, reason), "{command}");
        let tally = count.tally;
        let actual = [tally.passed, tally.failed, tally.load_errors, tally.skipped];
        assert_eq!(actual, numbers, "{command}");
    }

    const RESULTS: &str = "--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\n--- FAIL: TestB (0.00s)\n";
    const UNKNOWN: [Option<u64>; 4] = [None; 4];

    #[test]
    fn a_grep_that_keeps_every_result_of_one_package() {
        let some = [Some(1), Some(1), Some(0), None];
        let kept = "grep -E -- '--- (PASS|FAIL)'";
        check(&format!("go test -v | {kept}"), RESULTS, Outcome::Failed, None, some);
        check(&format!("go test -v ./pkg | {kept}"), RESULTS, Outcome::Failed, None, some);
        check(&format!("go test -v ./... | {kept}"), RESULTS, Outcome::Failed, None, UNKNOWN);
        // Without -v a test that passed is not printed.
        check(&format!("go test | {kept}"), RESULTS, Outcome::Failed, None, UNKNOWN);
        check(&format!("go test -v | tail -9 | {kept}"), RESULTS, Outcome::Failed, None, UNKNOWN);
        check("go test -v | grep -- '--- FAIL'", "--- FAIL: TestB (0.00s)\n", Outcome::Failed, None, UNKNOWN);
        let skips = [Some(1), Some(1), Some(0), Some(0)];
        check("go test -v | grep -e '--- '", RESULTS, Outcome::Failed, None, skips);
    }

    #[test]
    fn a_grep_that_keeps_every_package() {
        let end = "--- PASS: TestA (0.00s)\nok  \texample.com/a\t0.01s\n";
        let kept = "grep -E '^(--- |ok|FAIL)'";
        let some = [Some(1), Some(0), Some(0), Some(0)];
        check(&format!("go test -v ./... | {kept}"), end, Outcome::Passed, None, some);
        let failed = format!("{end}{RESULTS}FAIL\nFAIL\texample.com/b\t0.01s\nFAIL\n");
        let some = [Some(2), Some(1), Some(0), Some(0)];
        check(&format!("go test -v ./... | {kept}"), &failed, Outcome::Failed, None, some);
        let cut = Some(Reason::OutputCut);
        check("go test -v ./... | grep -E '^(--- |ok)'", end, Outcome::Unknown, cut, UNKNOWN);
    }
}
