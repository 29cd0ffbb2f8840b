//! `cargo test`: the `test result:` line of every target, build errors, and libtest's JSON; one reading per target.

mod blocks;
pub(super) mod build;
pub(super) mod json;

use kenshu_model::Reason;

use crate::filters::{Filters, Shape};
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
    if begins_with_build { filters.keep_from_some_line(&EVERY_RESULT) } else { filters.keep(&EVERY_RESULT) }
}

/// What every `test result:` line holds.
const EVERY_RESULT: Shape = Shape {
    start: "test result: ",
    inside: &[" passed; ", " failed; ", " ignored; ", " measured; ", " filtered out"],
};
