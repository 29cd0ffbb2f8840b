//! `gradle`: which test tasks a Gradle build ran, took from a cache or left out, and what failed.
//!
//! A build that is all well prints no number of tests: then the pass is stated without counts, if a test task really ran.

use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::Reading;
use crate::text::Stream;

mod block;
mod failure;
mod tasks;

use block::Block;

/// Tasks that run tests, or that such a task belongs to.
macro_rules! commands {
    ($($program:literal),*) => {
        &[$(
            &[$program, "test"],
            &[$program, "check"],
            &[$program, "build"],
            &[$program, "allTests"],
            &[$program, "jvmTest"],
            &[$program, "integrationTest"],
            &[$program, "testDebugUnitTest"],
            &[$program, "testReleaseUnitTest"],
            &[$program, "connectedCheck"],
            &[$program, "connectedAndroidTest"],
            &[$program, "connectedDebugAndroidTest"],
        )*]
    };
}

pub(super) const READER: Reader = Reader {
    id: "gradle",
    name: "Gradle",
    versions: "4.4.1, 4.8",
    formats: "text (build log)",
    zero: "\"> Task :test NO-SOURCE\" and exit 0; a filter without a match: \"No tests found for given includes\" and exit 1; \
           before 9, test classes without a test look like a pass",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "BUILD SUCCESSFUL",
        "BUILD FAILED",
        "> Task :",
        " tests completed",
        "1 test completed",
        "Execution failed for task '",
        "FAILURE: Build ",
        "Unknown command-line option",
        "There were failing tests. See the ",
    ],
    commands: commands!["gradle", "gradlew", "gradlew.bat"],
    list_options: LIST_OPTIONS,
    covers: &[],
    read,
};

const LIST_OPTIONS: &[&str] = &["--dry-run", "-m", "--test-dry-run"];

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut block = Block::default();
    for line in stream.lines() {
        if block.ends_before(line.text) {
            readings.extend(std::mem::take(&mut block).finish(hint));
        }
        block.take(line);
    }
    readings.extend(block.finish(hint));
    readings
}

/// Whether every run of Gradle in the command line was told not to run anything.
fn lists_only(hint: Hint<'_>) -> bool {
    let mut runs = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation)).peekable();
    runs.peek().is_some() && runs.all(|invocation| invocation.has_option(LIST_OPTIONS))
}

/// Whether the command line leaves a test task out: `-x test`.
fn excludes_tests(hint: Hint<'_>) -> bool {
    hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation)).any(|invocation| {
        invocation.arguments.windows(2).any(|pair| {
            matches!(pair[0].as_str(), "-x" | "--exclude-task") && tasks::runs_tests(tasks::name(&pair[1]))
        })
    })
}
