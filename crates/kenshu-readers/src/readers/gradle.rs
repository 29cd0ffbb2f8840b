//! `gradle`: which test tasks a Gradle build ran, took from a cache or left out, and what failed.
//!
//! A build that is all well prints no number of tests: then the pass is stated without counts, if a test task really ran.

use crate::marks::Marks;
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
    // What sums up is not the process that runs the tests: no test can print in its place.
    marks: Marks::NONE,
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

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use crate::testing::check;

    const RAN: [Option<u64>; 3] = [None, Some(0), Some(0)];
    const NONE: [Option<u64>; 3] = [Some(0); 3];

    #[test]
    fn newer_sentences_are_known() {
        let text = "> Task :test FAILED\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test' (registered by plugin 'org.gradle.jvm-test-suite').\n> There are test sources present and no filters are applied, but the test task did not discover any tests to execute. This is likely due to a misconfiguration.\n\nBUILD FAILED in 1s\n";
        check("gradle test", 1, text, Outcome::NothingRan, Some(Reason::ZeroTests), NONE);
        let text = "FAILURE: Build failed with an exception.\n\n* What went wrong:\nCannot locate tasks that match 'tset' as task 'tset' not found in root project 'demo'.\n\nBUILD FAILED in 1s\n";
        check("gradle tset", 1, text, Outcome::CouldNotRun, Some(Reason::NoSuchScript), NONE);
        let text = "FAILURE: Build failed with an exception.\n\n* What went wrong:\nDirectory '/project' does not contain a Gradle build.\n\nBUILD FAILED in 1s\n";
        check("gradle test", 1, text, Outcome::CouldNotRun, Some(Reason::Environment), NONE);
    }

    #[test]
    fn a_retried_test_is_not_failed() {
        let text = "> Task :test\n\nATest > x FAILED\n    java.lang.AssertionError at ATest.java:5\n\n4 tests completed, 1 failed\n\nBUILD SUCCESSFUL in 2s\n";
        check("gradle test", 0, text, Outcome::Passed, None, RAN);
        let ignored = text.replace(
            "1 failed\n",
            "1 failed\nThere were failing tests. See the report at: file:///project/index.html\n",
        );
        check("gradle test", 0, &ignored, Outcome::Failed, None, [Some(3), Some(1), Some(0)]);
    }

    #[test]
    fn android_names_each_variant() {
        let text = "> Task :app:testDebugUnitTest\n> Task :app:testReleaseUnitTest FROM-CACHE\n> Task :app:test\n\nBUILD SUCCESSFUL in 9s\n";
        check("gradlew test", 0, text, Outcome::Passed, None, RAN);
        let cached = text.replace("UnitTest\n", "UnitTest UP-TO-DATE\n");
        check("gradlew test", 0, &cached, Outcome::NothingRan, Some(Reason::Cached), NONE);
    }

    #[test]
    fn a_dry_run_of_tests_runs_none() {
        let text = "> Task :test\n\nBUILD SUCCESSFUL in 1s\n";
        check("gradle test --test-dry-run", 0, text, Outcome::NothingRan, Some(Reason::ListOnly), NONE);
    }

    #[test]
    fn a_build_that_stops_in_the_middle_is_no_pass() {
        let text = "> Task :compileTestJava\n> Task :test\n";
        check("gradle test", 0, text, Outcome::Unknown, Some(Reason::NoSummary), [None; 3]);
    }

    #[test]
    fn two_builds_are_two() {
        let text = "> Task :test\n\nBUILD SUCCESSFUL in 1s\n1 actionable task: 1 executed\n> Task :test\n\n3 tests completed, 1 failed\n\n> Task :test FAILED\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests. See the report at: file:///project/index.html\n\nBUILD FAILED in 1s\n";
        check("gradle test; gradle test", 1, text, Outcome::Failed, None, [None, Some(1), Some(0)]);
    }
}
