//! What should be said beside a verdict: data, which the renderers put into words in five languages.

use crate::{Exit, Message, Outcome, Reason, Tally};

/// One thing to be said. Errors of the world inside are quoted as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The claim was not compared, and why.
    NotCompared(Uncompared),
    /// A number was claimed and the run prints none.
    NoCount,
    /// The runner's own number of test files.
    Files {
        /// All that it counts.
        total: u64,
        /// Those in which nothing failed.
        passed: u64,
    },
    /// How many tests the base does not have.
    NewTests(u64),
    /// The claimed number is more than passed: of what it is the sum.
    SumOf {
        /// The claimed number.
        claimed: u64,
        /// The numbers that it is the sum of.
        tally: Tally,
        /// Why that does not explain it; `None`: it does.
        gap: Option<Gap>,
    },
    /// What the claim says beside the number that passed is not what was counted.
    Beside {
        /// What the two numbers count.
        what: Beside,
        /// The number in the claim.
        claimed: u64,
        /// The number counted.
        measured: u64,
    },
    /// A test fails in the same way at the base.
    FailedBefore,
    /// A test failed once, and passed alone and in a second run.
    FailedOnce,
    /// This test passes alone and fails in the suite.
    PassesAlone(String),
    /// The first answer came from a cache as a whole.
    RunAgainWithoutCache,
    /// The reporter was started and did not load.
    ReporterBroken,
    /// The reporter was not loaded by the runner.
    ReporterNotLoaded,
    /// No reporter could be handed over, because of this error.
    NoReporter(Message),
    /// `CI=true` was set.
    SetCi,
    /// Processes were left behind by the command, and ended.
    EndedProcesses,
    /// The command could not be started, because of this error.
    NotStarted(Message),
    /// A changed ruler was accepted by `--accept-ruler`.
    RulerAccepted,
    /// The run changed files of the tree.
    TreeChanged {
        /// The first of them.
        first: String,
        /// How many others.
        others: u64,
    },
    /// The run removed test files, so what it counted is not what stands there.
    TestsRemoved {
        /// The first of them.
        first: String,
        /// How many others.
        others: u64,
    },
    /// What one suite of several gave.
    Suite {
        /// Its name.
        name: String,
        /// Its outcome.
        outcome: Outcome,
        /// The reason of the outcome, where there is one.
        reason: Option<Reason>,
        /// How it ended.
        exit: Option<Exit>,
        /// Its numbers.
        tally: Tally,
    },
    /// What a `[[verify]]` command gave, where that rejects.
    Verify {
        /// Its name.
        name: String,
        /// Its outcome.
        outcome: Outcome,
        /// Its last line.
        said: Option<String>,
    },
    /// No test command was found; what was looked for.
    NoTestCommand(Vec<String>),
    /// How to name the test command.
    NameTheCommand,
    /// How to say what was claimed.
    SayTheClaim,
    /// History is cut off where the base would be.
    CutOff,
    /// The base was not counted, and why.
    NoBaseRun(NoBaseRun),
}

/// What a claim can say beside how many passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// How many tests there are in all: "3 of 5".
    Total,
    /// How many were skipped.
    Skipped,
    /// How many failed.
    Failed,
    /// How many the kinds that it names are together: "9 unit and 3 integration tests".
    Kinds,
}

/// Why a claim was not compared with the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncompared {
    /// Nothing was run.
    NothingRun,
    /// It counts assertions.
    Assertions,
    /// It counts files, and this runner does not.
    Files,
    /// It speaks of a subset. How many tests the base does not have, where that is known.
    Subset(Option<u64>),
    /// It speaks of a part of this grand total.
    PartOf(u64),
}

/// Why a number above `passed` is not explained by the tests that did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// There is no base to compare with.
    NoBase,
    /// These are not marked so at the base.
    NotAtBase(Vec<String>),
    /// The runner does not name them.
    Unnamed,
}

/// Why there is no count of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBaseRun {
    /// This error stood in the way.
    Failed(Message),
    /// There is no git repository.
    NoRepository,
    /// The command runs outside the project.
    OutsideProject,
    /// The base lacks the folder that the command runs in.
    NoFolder,
    /// What it loads cannot be watched here.
    CannotWatch,
    /// What it loaded was not followed to the end.
    LostTrack,
    /// It opened this file of the present tree.
    OpenedPresent(String),
}
