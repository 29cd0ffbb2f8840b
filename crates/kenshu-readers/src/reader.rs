//! The interface of a reader, and what a reader says of itself for `explain`, `doctor` and the docs.

use crate::command::Invocation;
use crate::marks::Marks;
use crate::reading::Reading;
use crate::text::Stream;

/// Where a reader's samples come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples {
    /// Recorded from the real runner.
    Recorded,
    /// Written from public documentation and logs: never `passed` without an agreeing exit status.
    Documented,
}

/// How much a format is one runner's own. The most specific reader names the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Specificity {
    /// Not a runner: a package manager, a build tool or a shell that runs one and reports its status.
    Wrapper,
    /// A report that many runners write to a file beside what they print: JUnit XML, CTRF.
    Report,
    /// A format that many runners print: TAP.
    Format,
    /// A text that a family of runners prints alike.
    Family,
    /// One runner's own text or report.
    Own,
}

/// What the caller knows besides the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// The command, or `--runner`, names this reader's runner.
    pub named: bool,
    /// The simple commands of the command line, wrappers taken off.
    pub invocations: &'a [Invocation],
}

/// One runner's reader: plain data and one function.
pub struct Reader {
    /// The id a user sees; the file's name with `-` for `_`.
    pub id: &'static str,
    /// The runner's name as people write it.
    pub name: &'static str,
    /// Versions whose output was recorded, or that the documentation speaks of.
    pub versions: &'static str,
    /// What is read: "text", "text, TAP, JSON".
    pub formats: &'static str,
    /// What this runner does when there is no test: its line and exit status.
    pub zero: &'static str,
    /// Where the samples come from.
    pub samples: Samples,
    /// How much the format is this runner's own.
    pub specificity: Specificity,
    /// The reader is asked only where one of these stands in the stream (or the command names the runner).
    pub needles: &'static [&'static str],
    /// Commands that run this runner: program first, then words that must follow in this order.
    pub commands: &'static [&'static [&'static str]],
    /// Options with which the runner only lists, collects or compiles.
    pub list_options: &'static [&'static str],
    /// Readers whose blocks inside this one's block this one has counted already.
    pub covers: &'static [&'static str],
    /// How it marks single tests while they run.
    pub marks: Marks,
    /// Reads every block of its runner in the stream. Empty: nothing of this runner's is there.
    pub read: fn(&Stream, Hint) -> Vec<Reading>,
}

impl Reader {
    /// Whether this invocation runs this reader's runner.
    pub fn is_run_by(&self, invocation: &Invocation) -> bool {
        self.commands.iter().any(|words| invocation.matches(words))
    }
}
