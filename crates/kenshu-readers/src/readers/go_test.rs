//! `go test`: the line that ends each package, `-v` results, and the events of `-json`; one reading per package.
//!
//! Tests are counted as Go's top-level tests: a subtest is a part of the test that runs it.

mod events;
mod packages;

use kenshu_model::Reason;

use crate::filters::{Filters, Shape};
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
    keeps_passes: bool,
    keeps_failures: bool,
    /// Nothing but `tail` takes lines away.
    only_tail: bool,
}

impl Asked {
    fn new(stream: &Stream, hint: Hint<'_>) -> Asked {
        let runs = || hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation));
        let filters = Filters::of(hint, stream);
        let keeps_failures = filters.keep(&Shape::starting("--- FAIL: "));
        Asked {
            named: hint.named,
            filtered: runs().any(|run| run.has_option(&["-run", "-skip", "--run", "--skip"])),
            lists: runs().any(|run| run.has_option(&["-list", "--list"])),
            cut: !filters.is_empty(),
            cut_before: filters.cut_before(),
            uncut: filters.is_empty() && hint.invocations.iter().any(super::takes_lines_away),
            keeps_passes: keeps_failures && filters.keep(&Shape::starting("--- PASS: ")),
            keeps_failures,
            only_tail: filters.only_tail(),
        }
    }

    /// Why a package in which no test ran ran none.
    fn why_none(&self) -> Reason {
        if self.filtered { Reason::FilterMatchedNothing } else { Reason::ZeroTests }
    }
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
