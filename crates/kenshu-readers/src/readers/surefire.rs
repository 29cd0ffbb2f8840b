//! `surefire`: Maven's build log with Surefire's and Failsafe's results, and Surefire's plain text reports.
//!
//! Surefire prints one line for each class (with the time elapsed) and one total for each execution, below `Results:`.
//! Only totals are counted, one for each module and execution.

use kenshu_model::{Case, Reason, Tally};

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
    readings
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
