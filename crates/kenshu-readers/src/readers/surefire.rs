//! `surefire`: Maven's build log with Surefire's and Failsafe's results, and Surefire's plain text reports.
//!
//! Surefire prints one line for each class (with the time elapsed) and one total for each execution, below `Results:`.
//! Only totals are counted, one for each module and execution.

use kenshu_model::{Case, Reason, Tally};

use crate::filters::Filters;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

mod build;
mod lines;

use build::Build;

/// Phases and goals that run tests.
macro_rules! commands {
    ($($program:literal),*) => {
        &[$(
            &[$program, "test"],
            &[$program, "package"],
            &[$program, "verify"],
            &[$program, "install"],
            &[$program, "deploy"],
            &[$program, "integration-test"],
            &[$program, "surefire:test"],
            &[$program, "failsafe:integration-test"],
            &[$program, "failsafe:verify"],
        )*]
    };
}

pub(super) const READER: Reader = Reader {
    id: "surefire",
    name: "Maven Surefire",
    versions: "Surefire 2.22.3 (Maven 3.8.7), 3.5.6 (Maven 3.9.12); JUnit 4.13, JUnit 5.14, TestNG 6.9",
    formats: "text (build log, plain report)",
    zero: "\"No tests to run.\", or nothing but the plugin's own line; exit 0; a filter without a match: \"No tests were \
           executed!\" and exit 1",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "Scanning for projects...",
        "Tests run: ",
        " T E S T S",
        "BUILD SUCCESS",
        "BUILD FAILURE",
        "[Help 1] http",
        "Re-run Maven using the -X switch",
        "Unable to parse command line options",
    ],
    commands: commands!["mvn", "mvnw", "mvnd"],
    list_options: &[],
    covers: &[],
    // What sums up is not the process that runs the tests: no test can print in its place.
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = reports(stream);
    let mut build = Build::new(1);
    for line in stream.lines() {
        if build.ends_before(line.text) {
            readings.extend(std::mem::replace(&mut build, Build::new(line.number)).finish(hint));
        }
        build.take(line);
    }
    readings.extend(build.finish(hint));
    let filters = Filters::of(hint, stream);
    if !filters.is_empty() && stream.contains("Reactor Summary") {
        // Each module has numbers of its own.
        readings = readings.into_iter().map(Reading::summed).collect();
    }
    if !filters.only_tail() {
        readings.iter_mut().for_each(doubt_zero);
    }
    readings
}

/// A program that crashed has run no test either, in lines that a filter may have taken away.
fn doubt_zero(reading: &mut Reading) {
    if reading.said == Said::NothingRan(Reason::ZeroTests) {
        reading.said = Said::Unfinished(Reason::OutputCut);
    }
}

/// Surefire's `.txt` files: `Test set: ATest`, a rule, and the class's line.
fn reports(stream: &Stream) -> Vec<Reading> {
    if !stream.contains("Test set: ") {
        return Vec::new();
    }
    let mut readings = Vec::new();
    let mut set = None;
    for line in stream.lines() {
        if line.text.starts_with("Test set: ") {
            set = Some(line);
        } else if line.text.starts_with("Tests run: ")
            && let Some(first) = set.take()
        {
            let Some(counts) = lines::counts(line.text).filter(|counts| counts.is_class) else { continue };
            readings.push(
                Reading::from_tally("surefire", counts.tally, line.quote())
                    .spanning(first.number, line.number),
            );
        }
    }
    readings
}

/// Whether the command line selects tests by name.
fn selects(hint: Hint<'_>) -> bool {
    hint.invocations.iter().any(|invocation| {
        invocation.arguments.iter().any(|argument| {
            ["-Dtest=", "-Dit.test=", "-Dgroups="].iter().any(|option| argument.starts_with(option))
        })
    })
}

fn failed(cases: Vec<Case>, tally: Tally, quote: kenshu_model::Quote) -> Reading {
    Reading { tally, ..Reading::without_counts("surefire", Said::Failed, quote).naming(cases) }
}

fn nothing(reason: Reason, quote: kenshu_model::Quote) -> Reading {
    Reading::without_counts("surefire", Said::NothingRan(reason), quote)
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use crate::testing::check;

    #[test]
    fn only_totals_are_added_up() {
        let text = "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Tests run: 14, Failures: 0, Errors: 0, Skipped: 0\n";
        check("mvn test | grep 'Tests run'", 0, text, Outcome::Passed, None, [Some(20), Some(0), Some(0)]);
    }

    #[test]
    fn a_filter_may_hide_modules_and_crashes() {
        let zero = "[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n";
        let cut = Some(Reason::OutputCut);
        check("mvn test | grep 'Tests run'", 0, zero, Outcome::Unknown, cut, [Some(0); 3]);
        let text = "[INFO] Scanning for projects...\n[INFO] Results:\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Reactor Summary for a 1:\n[INFO] BUILD SUCCESS\n";
        check("mvn test | tail -5", 0, text, Outcome::Unknown, cut, [None; 3]);
        check("mvn test | tail -6", 0, text, Outcome::Passed, None, [Some(3), Some(0), Some(0)]);
    }

    #[test]
    fn the_failing_first_module_is_not_lost() {
        let text = "[INFO] Results:\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] Results:\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n";
        check("mvn test -fn", 0, text, Outcome::Failed, None, [Some(7), Some(1), Some(0)]);
    }

    #[test]
    fn a_module_without_tests_among_others_is_normal() {
        let text = "[INFO] Scanning for projects...\n[INFO]  T E S T S\n[INFO] Results:\n[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n[INFO]  T E S T S\n[INFO] Results:\n[INFO] Tests run: 40, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n";
        check("mvn test", 0, text, Outcome::Passed, None, [Some(40), Some(0), Some(0)]);
        let zero = text.replace("40", "0");
        check("mvn test", 0, &zero, Outcome::NothingRan, Some(Reason::ZeroTests), [Some(0); 3]);
    }

    #[test]
    fn a_test_whose_last_rerun_failed_is_not_flaky() {
        let text = "[INFO] Scanning for projects...\n[INFO]  T E S T S\n[INFO] Results:\n[WARNING] Flakes: \n[WARNING] ATest.p\n[INFO]   Run 1: PASS\n[ERROR]   Run 2: ATest.p:5\n[INFO]   Run 3: PASS\n[ERROR]   Run 4: ATest.p:5\n[INFO] \n[WARNING] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n[INFO] BUILD SUCCESS\n";
        check("mvn test", 0, text, Outcome::Failed, None, [None, None, Some(0)]);
    }

    #[test]
    fn surefire_before_levels_is_read() {
        let text = "[INFO] Scanning for projects...\n[INFO] --- maven-surefire-plugin:2.12.4:test (default-test) @ demo ---\n\n-------------------------------------------------------\n T E S T S\n-------------------------------------------------------\nRunning ATest\nTests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 sec\n\nResults :\n\nTests run: 3, Failures: 0, Errors: 0, Skipped: 0\n\n[INFO] BUILD SUCCESS\n";
        check("mvn test", 0, text, Outcome::Passed, None, [Some(3), Some(0), Some(0)]);
    }

    #[test]
    fn a_tail_of_several_modules_gives_no_number() {
        let text = "[INFO] Results:\n[INFO] \n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Reactor Summary for parent 1.0:\n[INFO] BUILD SUCCESS\n";
        check("mvn test | tail -20", 0, text, Outcome::Passed, None, [None, Some(0), Some(0)]);
    }

    #[test]
    fn what_a_test_prints_in_a_quiet_build_does_not_count() {
        let text = "Tests run: 99, Failures: 0, Errors: 0, Skipped: 0\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.6:test (default-test) on project demo: There are test failures.\n";
        check("mvn -q test", 1, text, Outcome::Failed, None, [Some(2), Some(1), Some(0)]);
    }

    #[test]
    fn ant_is_not_maven() {
        let text = "    [junit] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.02 sec\n\nBUILD SUCCESSFUL\nTotal time: 1 second\n";
        check("ant test", 0, text, Outcome::Unknown, Some(Reason::NoSummary), [None; 3]);
    }
}
