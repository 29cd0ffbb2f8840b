//! What `count` answers: the outcome of one run, with its numbers and the lines they were read from.

use crate::{Cases, Quote, Reason, Tally};

/// What can be said of a run. *Inconclusive never accuses and never passes*: `Unknown` is neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// A known runner stated a pass, and the exit status agrees.
    Passed,
    /// A test, file, suite or build step is read as failed, or the runner's own status is not 0.
    Failed,
    /// The runner ended in order and no test was executed.
    NothingRan,
    /// The runner was called wrongly or could not start.
    CouldNotRun,
    /// Cannot tell.
    Unknown,
}

impl Outcome {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::NothingRan => "nothing_ran",
            Outcome::CouldNotRun => "could_not_run",
            Outcome::Unknown => "unknown",
        }
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It ended by itself with this status.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// Our own time limit ended it, after this many seconds.
    TimedOut {
        /// The limit in seconds.
        after_s: u64,
    },
}

impl Exit {
    /// Whether the process ended by itself with status 0.
    pub fn is_success(self) -> bool {
        self == Exit::Code(0)
    }
}

/// How one named test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaseStatus {
    /// Ran and passed.
    Passed,
    /// Ran and failed, or ended in an error.
    Failed,
    /// Not run on purpose.
    Skipped,
    /// Marked as still to be written.
    Todo,
    /// Failed as it was marked to.
    ExpectedFailure,
    /// Passed though it was marked to fail.
    UnexpectedPass,
}

/// One test that the output or report names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name as the runner gives it, suites before it joined with the runner's own separator.
    pub name: String,
    /// The file it stands in, where the runner says so.
    pub file: Option<String>,
    /// How it ended.
    pub status: CaseStatus,
    /// The first line of the failure's message, where there is one.
    pub message: Option<String>,
    /// Whether this is a whole file counted as one test.
    pub file_level: bool,
}

/// The answer of `count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// What can be said of the run.
    pub outcome: Outcome,
    /// The runners whose statements were read, most specific first. Empty: no runner was recognized.
    pub runners: Vec<&'static str>,
    /// The numbers, each known or not.
    pub tally: Tally,
    /// How many test files (or suites) passed, failed and were run in all, where the runner counts them.
    pub files: Option<FileTally>,
    /// How the process ended; `None`: not told.
    pub exit: Option<Exit>,
    /// Why the outcome is what it is, and what else should be said. The first word decided.
    pub reasons: Vec<Reason>,
    /// The lines the numbers and the outcome were read from.
    pub quotes: Vec<Quote>,
    /// Tests that the output names: failed ones as far as printed; all of them from a report.
    pub cases: Cases,
}

/// The runner's own count of test files or suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTally {
    /// Files in which nothing failed.
    pub passed: u64,
    /// Files with a failure, or that did not load.
    pub failed: u64,
    /// All files the runner counted.
    pub total: u64,
}
