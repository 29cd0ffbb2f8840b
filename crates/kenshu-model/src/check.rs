//! What `check` answers.

use crate::{Case, Claim, Count, Note, Quote, Reason};

/// Against what the command, its scripts and its configuration were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trusted {
    /// A pin that the human set.
    Pinned,
    /// The base commit.
    Base,
    /// Nothing to compare with.
    None,
}

impl Trusted {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Trusted::Pinned => "pinned",
            Trusted::Base => "base",
            Trusted::None => "none",
        }
    }
}

/// One difference between the ruler that was trusted and the one that stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulerChange {
    /// What differs: `command`, `script test`, `kenshu.toml`, or a configuration file and the fact in it.
    pub what: String,
    /// The file it stands in, where there is one.
    pub file: Option<String>,
    /// What was trusted; `None`: it was not there.
    pub before: Option<String>,
    /// What stands now; `None`: it is gone.
    pub after: Option<String>,
    /// Whether fewer tests run, or fewer failures show, because of it.
    pub narrowing: bool,
}

/// The ruler and how far it is the one that was trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulerReport {
    /// Where the command comes from: `kenshu.toml`, `package.json`, `command line` …
    pub source: String,
    /// Against what it was compared.
    pub trusted: Trusted,
    /// Every difference found.
    pub changes: Vec<RulerChange>,
    /// Hash of the changed ruler, as `--accept-ruler` takes it; `None` where nothing changed.
    pub hash: Option<String>,
}

/// A claim and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedClaim {
    /// The claim.
    pub claim: Claim,
    /// The reason word that it earned; `None`: it holds.
    pub result: Option<Reason>,
    /// What should be said beside it: the difference that was accepted, or that it was not compared, and why.
    pub note: Option<Note>,
    /// The file or session it was read from, where there is one.
    pub source: Option<String>,
}

/// A test that cannot find a fault, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HollowTest {
    /// File, relative to the project.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// The test's name; `None`: the whole file.
    pub test: Option<String>,
    /// `file_level`, `no_assertion`, `cannot_fail` or `never_reached`.
    pub why: &'static str,
}

/// A named test that fails here, and what a second look showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondLook {
    /// The test.
    pub case: Case,
    /// What was seen.
    pub note: Note,
}

/// One command beside the tests (`[[verify]]`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyResult {
    /// The name in `kenshu.toml`.
    pub name: String,
    /// The command.
    pub command: Vec<String>,
    /// What it gave.
    pub count: Count,
}

/// The answer of `check`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckVerdict {
    /// The reason for rejecting; `None`: accepted.
    pub reason: Option<Reason>,
    /// The claims, each with its result.
    pub claims: Vec<JudgedClaim>,
    /// The number claimed by the claim that decided.
    pub claimed: Option<u64>,
    /// The number counted.
    pub measured: Option<u64>,
    /// The run; `None`: nothing was run.
    pub count: Option<Count>,
    /// Further commands.
    pub verify: Vec<VerifyResult>,
    /// The command that was run, or would have been.
    pub command: Vec<String>,
    /// The ruler.
    pub ruler: RulerReport,
    /// Tests that fail here and failed before the change.
    pub failing_before: Vec<SecondLook>,
    /// Tests that pass alone and in a second run of the whole command.
    pub flaky: Vec<SecondLook>,
    /// Tests that cannot find a fault.
    pub hollow: Vec<HollowTest>,
    /// What else should be said.
    pub notes: Vec<Note>,
    /// Lines shown beside the reason (the status and last lines of `exit_disagrees`, the failing lines).
    pub quotes: Vec<Quote>,
}
