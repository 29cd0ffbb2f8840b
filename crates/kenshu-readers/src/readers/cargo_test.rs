//! `cargo test`: the `test result:` line of every target, build errors, and libtest's JSON; one reading per target.

mod blocks;
pub(super) mod build;
pub(super) mod json;

use kenshu_model::Reason;

use crate::command::Invocation;
use crate::marks::{LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

pub(super) const READER: Reader = Reader {
    id: "cargo-test",
    name: "cargo test",
    versions: "cargo 1.65, 1.95; libtest-mimic",
    formats: "text, JSON (libtest, unstable)",
    zero: "`running 0 tests` and `test result: ok. 0 passed` for every target, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "test result: ",
        "\nrunning ",
        "running 0 tests",
        "running 1 test",
        "error: test failed",
        "error: doctest failed",
        "target failed:",
        "targets failed:",
        "error: could not compile",
        "error: failed to run custom build command",
        " benchmarks",
        "\"test_count\"",
        "Doc-tests ",
    ],
    commands: &[
        &["cargo", "test"],
        &["cargo", "t"],
        &["cargo", "bench"],
        &["cargo", "llvm-cov"],
        &["cargo", "tarpaulin"],
        &["cross", "test"],
    ],
    list_options: &["--no-run", "--list", "--help"],
    covers: &[],
    marks: Marks {
        failed: &[LineMark::Around("test ", " ... FAILED")],
        passed: &[LineMark::Around("test ", " ... ok")],
        letters: None,
    },
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = json::read(stream, READER.id);
    let found = blocks::find(stream);
    let keeps_all = keeps_all_results(&found, stream, hint);
    readings.extend(found.targets.into_iter().map(|target| {
        let reading = target.reading();
        if keeps_all { reading } else { reading.summed() }
    }));
    let refused = build::refused(stream, READER.id, hint.named);
    let ran_nothing = readings.is_empty();
    let failed = readings.iter().filter(|reading| reading.said == Said::Failed).count();
    match refused {
        // Options that the test program does not know: it says so, and cargo reports a failed target.
        Some(refused) if ran_nothing => return vec![refused],
        _ => {}
    }
    // A target that cargo reports as failed, and whose own words are not there: a crash, a harness of its own, a cut.
    readings.extend(
        found
            .failed_targets
            .iter()
            .skip(failed)
            .map(|line| Reading::without_counts(READER.id, Said::Failed, line.quote())),
    );
    readings.extend(build::errors(stream, READER.id, &found.inside));
    // The output ends where a target begins.
    readings.extend(
        found.last_header.map(|line| {
            Reading::without_counts(READER.id, Said::Unfinished(Reason::NoSummary), line.quote())
        }),
    );
    if readings.is_empty()
        && let Some(line) = found.listed
    {
        readings.push(Reading::without_counts(READER.id, Said::NothingRan(Reason::ListOnly), line.quote()));
    }
    readings
}

/// Whether the command line shows that no result line can be missing: a `grep` that keeps them, or a `tail` in front of
/// whose first line nothing stood but the build, with a result for every target that was announced.
fn keeps_all_results(found: &blocks::Found<'_>, stream: &Stream, hint: Hint<'_>) -> bool {
    let mut filters =
        hint.invocations.iter().filter(|invocation| super::takes_lines_away(invocation)).peekable();
    if filters.peek().is_none() {
        return false;
    }
    let begins_with_build =
        found.build_finished && found.announced > 0 && found.targets.len() >= found.announced;
    filters.all(|filter| match filter.program.as_str() {
        "tail" => begins_with_build || is_shorter(stream, filter),
        _ => grep_keeps(filter, EVERY_RESULT),
    })
}

/// Whether `tail -N` had fewer than N lines to print: then nothing is cut off.
pub(super) fn is_shorter(stream: &Stream, filter: &Invocation) -> bool {
    let words =
        filter.arguments.iter().map(|word| word.trim_start_matches(['-', 'n']).trim_start_matches("lines="));
    let limit: Option<usize> = words.filter_map(|word| word.parse().ok()).next();
    let from_the_end = !filter.arguments.iter().any(|word| word.contains('+') || word.starts_with("-c"));
    filter.program == "tail" && from_the_end && stream.lines().count() < limit.unwrap_or(10)
}

/// What every `test result:` line holds.
const EVERY_RESULT: &str = "test result: . passed; failed; ignored; measured; filtered out";

/// Whether this grep keeps every line that holds `line`: one of its literal alternatives is a part of it.
pub(super) fn grep_keeps(filter: &Invocation, line: &str) -> bool {
    if !matches!(filter.program.as_str(), "grep" | "egrep" | "rg") {
        return false;
    }
    let harmless = |option: &str| {
        matches!(option, "-E" | "-e" | "-i" | "-a" | "--" | "--extended-regexp" | "--line-buffered")
            || option.starts_with("--color")
    };
    let patterns_only = filter
        .arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .all(|argument| !argument.starts_with('-') || harmless(argument));
    let pattern = filter.arguments.iter().find(|argument| !harmless(argument));
    patterns_only
        && pattern.is_some_and(|pattern| {
            alternatives(pattern).iter().any(|part| !part.is_empty() && line.contains(part.as_str()))
        })
}

/// `a|b`, `a\|b`, `a (b|c)` taken apart; a part that is no literal matches no line here.
fn alternatives(pattern: &str) -> Vec<String> {
    let pattern = pattern.replace("\\|", "|").replace("\\(", "(").replace("\\)", ")");
    let literal = |text: &str| text.strip_prefix('^').unwrap_or(text).to_owned();
    let Some((before, rest)) = pattern.split_once('(') else {
        return pattern.split('|').map(literal).collect();
    };
    let Some((group, after)) = rest.split_once(')') else { return Vec::new() };
    if before.contains('|') || after.contains(['|', '(']) {
        return Vec::new();
    }
    group.split('|').map(|part| literal(&format!("{before}{part}{after}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::CommandLine;

    #[test]
    fn a_grep_that_keeps_every_result_line() {
        for (command, keeps) in [
            ("grep -E 'pass|fail'", true),
            ("grep 'test result'", true),
            ("grep -E '^test result|panicked'", true),
            ("grep '^test result\\|error'", true),
            ("grep -E 'test result: (ok|FAILED)'", false),
            ("grep -E '(passed|FAILED)'", true),
            ("grep FAILED", false),
            ("grep -v 'test result'", false),
            ("grep -m1 'test result'", false),
            ("grep -c ok", false),
        ] {
            let line = CommandLine::parse(command);
            assert_eq!(grep_keeps(&line.invocations[0], EVERY_RESULT), keeps, "{command}");
        }
    }
}
