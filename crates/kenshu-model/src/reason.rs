//! Every reason word, once: its command, outcome, exit status and message in five languages.
//!
//! `kenshu explain` prints this table, the renderers take their messages from it, and a test compares it with
//! `docs/contract.md`.

use crate::{Lang, Phrase};

mod table;

pub use table::REASONS;

/// Why an outcome or verdict is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Every pass is a whole file counted as one test.
    OnlyFileLevel,
    /// Our time limit, or the command's own, ended the run.
    TimedOut,
    /// A signal or an interruption ended the run.
    Killed,
    /// The shell's 127 or 126: no such command, or not executable.
    CommandNotFound,
    /// The package manager or task runner knows no script of that name.
    NoSuchScript,
    /// The runner was called wrongly.
    UsageError,
    /// Something the runner needs is missing: a browser, a build folder, an interpreter.
    Environment,
    /// The runner ran and found no test.
    ZeroTests,
    /// Every test was skipped, ignored, disabled, pending or still to be written.
    OnlySkipped,
    /// The whole result was replayed from a cache.
    Cached,
    /// The filter or selection matched no test.
    FilterMatchedNothing,
    /// The runner found no test file.
    NoTestFiles,
    /// The run only listed, collected or compiled tests.
    ListOnly,
    /// The command is known to run no test.
    NoTestCommand,
    /// The status is not 0 though nothing is read as failed.
    ExitDisagrees,
    /// No summary that a known runner prints was found.
    NoSummary,
    /// The output is cut, and what is left does not prove the count.
    OutputCut,
    /// The output announces another number of tests than it lists.
    PlanMismatch,
    /// Two readings of the same run give different numbers.
    Ambiguous,
    /// The reporter was loaded and did not finish its report.
    ReportUnfinished,
    /// There is no claim, or none with the whole number that was asked for.
    NoClaim,
    /// The command, its scripts or its configuration are not the trusted ones.
    RulerChanged,
    /// The tests could not be run.
    CouldNotRun,
    /// At least one test, file, suite or build step is read as failed.
    TestsFailed,
    /// A time limit or a signal ended the run.
    DidNotFinish,
    /// Nothing ran, no test passed, or the result cannot be read.
    NothingVerified,
    /// Claimed and measured differ.
    CountMismatch,
    /// Tests that check nothing: all that counted, or a new or changed one.
    HollowTests,
}

/// One row of the reason table.
#[derive(Debug)]
pub struct ReasonEntry {
    /// The reason.
    pub reason: Reason,
    /// The word in JSON.
    pub word: &'static str,
    /// The commands that give it.
    pub commands: &'static str,
    /// The outcome or verdict it stands for.
    pub outcome: &'static str,
    /// The exit status it leads to.
    pub exit: u8,
    /// What it means, in one sentence.
    pub meaning: Phrase,
    /// The message in the order of [`Lang::ALL`]; `{exit}`, `{claimed}` and `{measured}` are filled in.
    pub messages: [&'static str; 5],
}

impl Reason {
    /// This reason's row of the table.
    pub fn entry(self) -> &'static ReasonEntry {
        &REASONS[self as usize]
    }

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        self.entry().word
    }

    /// The message in `lang`, with nothing filled in.
    pub fn message(self, lang: Lang) -> &'static str {
        lang.pick(&self.entry().messages)
    }

    /// The reason with this word.
    pub fn from_word(word: &str) -> Option<Reason> {
        REASONS.iter().find(|entry| entry.word == word).map(|entry| entry.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, entry) in REASONS.iter().enumerate() {
            assert_eq!(entry.reason as usize, index, "{}", entry.word);
            assert_eq!(Reason::from_word(entry.word), Some(entry.reason));
        }
    }

    #[test]
    fn words_are_unique_and_every_language_has_a_message() {
        let words: std::collections::BTreeSet<&str> = REASONS.iter().map(|entry| entry.word).collect();
        assert_eq!(words.len(), REASONS.len());
        for entry in REASONS {
            for message in entry.messages {
                assert!(!message.is_empty(), "{}", entry.word);
            }
        }
    }
}
