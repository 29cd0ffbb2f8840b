//! `cargo test`: the `test result:` line of every target, build errors, and libtest's JSON; one reading per target.

mod blocks;
pub(super) mod build;
pub(super) mod json;

use kenshu_model::Reason;

use crate::filters::{Filters, Shape};
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
        plain: false,
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
    if !crate::runs::is_cut(hint) {
        return false;
    }
    let begins_with_build =
        found.build_finished && found.announced > 0 && found.targets.len() >= found.announced;
    let filters = Filters::of(hint, stream);
    if begins_with_build || is_first_target(found, hint) {
        return filters.keep_from_some_line(&EVERY_RESULT);
    }
    // A target that crashed has no result: that all is well is known where cargo's own error would have been kept.
    let some_failed = found.targets.iter().any(blocks::Target::failed);
    filters.keep(&EVERY_RESULT) && (some_failed || filters.keep(&FAILED_TARGET))
}

/// Whether the one result is that of the first target that cargo ran, at whose failure it stopped.
///
/// The library's tests come before those of every other target. cargo names the package where there may be several.
fn is_first_target(found: &blocks::Found<'_>, hint: Hint<'_>) -> bool {
    let mut runs = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation));
    let ([_], [failed], Some(run), None) =
        (&found.targets[..], &found.failed_targets[..], runs.next(), runs.next())
    else {
        return false;
    };
    let of_one_package = || {
        let named = run.arguments.iter().filter(|word| {
            matches!(word.as_str(), "-p" | "--package")
                || word.starts_with("--package=")
                || word.starts_with("-p=")
        });
        named.count() == 1 && !run.has_option(&["--workspace", "--all"])
    };
    let rerun = failed.text.split('`').nth(1).unwrap_or_default();
    let is_library =
        rerun == "--lib" || (rerun.starts_with("-p ") && rerun.ends_with(" --lib") && of_one_package());
    is_library && !run.has_option(&["--no-fail-fast"])
}

/// `error: test failed, to rerun pass …`, `error: 2 targets failed:`.
const FAILED_TARGET: Shape = Shape { start: "error: ", inside: &[" failed"] };

/// What every `test result:` line holds.
const EVERY_RESULT: Shape = Shape {
    start: "test result: ",
    inside: &[" passed; ", " failed; ", " ignored; ", " measured; ", " filtered out"],
};

#[cfg(test)]
mod tests {
    use kenshu_model::Outcome;

    use super::*;
    use crate::decide::{Context, count_with};

    #[track_caller]
    fn check(command: &str, rerun: &str, passed: Option<u64>) {
        let text = format!(
            "test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n\
             error: test failed, to rerun pass `{rerun}`\n"
        );
        let context = Context { command: Some(command), ..Context::default() };
        let count = count_with(&[READER], text.as_bytes(), &context);
        assert_eq!((count.outcome, count.tally.passed), (Outcome::Failed, passed), "{command}, {rerun}");
    }

    #[test]
    fn nothing_runs_before_the_library() {
        check("cargo test 2>&1 | tail -3", "--lib", Some(3));
        check("cargo test -p a 2>&1 | tail -3", "-p a --lib", Some(3));
        check("cargo test 2>&1 | tail -3", "--bin a", None);
        check("cargo test 2>&1 | tail -3", "--test a", None);
        // Other packages may have been tested before.
        check("cargo test 2>&1 | tail -3", "-p a --lib", None);
        check("cargo test -p a -p b 2>&1 | tail -3", "-p a --lib", None);
        check("cargo test --no-fail-fast 2>&1 | tail -3", "--lib", None);
        check("cargo build && cargo test; cargo test 2>&1 | tail -3", "--lib", None);
        check("cargo test 2>&1 | head -3", "--lib", None);
    }
}
