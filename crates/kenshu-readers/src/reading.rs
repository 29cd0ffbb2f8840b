//! One block of output as one reader understands it.

use kenshu_model::count::FileTally;
use kenshu_model::{Case, Cases, Quote, Reason, Tally};

/// What the runner itself said of its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Tests ran and all is well.
    Passed,
    /// A test, file, suite or build step failed or did not load, or the runner failed the run as a whole.
    Failed,
    /// It ended in order and ran no test.
    NothingRan(Reason),
    /// It was called wrongly or could not start.
    CouldNotRun(Reason),
    /// It began, and what it said in the end is not there: cut, killed, or not understood.
    Unfinished(Reason),
    /// A wrapper (npm, make) reports the status of what it ran, and nothing else.
    Status(i32),
}

/// What one reader took from one block of one stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The reader's id.
    pub runner: &'static str,
    /// What the runner said.
    pub said: Said,
    /// The numbers.
    pub tally: Tally,
    /// The runner's own count of files or suites.
    pub files: Option<FileTally>,
    /// Tests that the block names, as far as the reader takes them.
    pub cases: Cases,
    /// The lines that the numbers were read from.
    pub quotes: Vec<Quote>,
    /// First and last line of the block, both included.
    pub lines: (u32, u32),
    /// Whether the tally is a sum over lines of the block (a gap would change it) rather than one closing statement.
    pub needs_every_line: bool,
    /// What should be said beside the outcome: a report whose own totals contradict its cases.
    pub remark: Option<Reason>,
}

impl Reading {
    /// A reading whose statement follows from its numbers: see [`Said::of`].
    pub fn from_tally(runner: &'static str, tally: Tally, quote: Quote) -> Reading {
        let lines = (quote.line, quote.line);
        Reading {
            runner,
            said: Said::of(&tally),
            tally,
            files: None,
            cases: Cases::default(),
            quotes: vec![quote],
            lines,
            needs_every_line: false,
            remark: None,
        }
    }

    /// A reading that makes a statement without numbers.
    pub fn without_counts(runner: &'static str, said: Said, quote: Quote) -> Reading {
        let tally = match said {
            // What is in a cache is there, and not said.
            Said::NothingRan(Reason::Cached) => Tally::UNKNOWN,
            Said::NothingRan(_) | Said::CouldNotRun(_) => Tally::ZERO,
            Said::Passed | Said::Failed | Said::Unfinished(_) | Said::Status(_) => Tally::UNKNOWN,
        };
        Reading { said, ..Reading::from_tally(runner, tally, quote) }
    }

    /// The same reading for a block that begins at line `first` and ends at line `last`.
    pub fn spanning(mut self, first: u32, last: u32) -> Reading {
        self.lines = (first.min(self.lines.0), last.max(self.lines.1));
        self
    }

    /// The same reading with another statement.
    pub fn saying(mut self, said: Said) -> Reading {
        self.said = said;
        self
    }

    /// The same reading with one more quoted line.
    pub fn quoting(mut self, quote: Quote) -> Reading {
        self.lines = (self.lines.0.min(quote.line), self.lines.1.max(quote.line));
        if !self.quotes.contains(&quote) {
            self.quotes.push(quote);
        }
        self
    }

    /// The same reading; where it says that there were zero tests, the filter of the command is why.
    pub fn filtered(self, by_command: bool) -> Reading {
        if by_command && self.said == Said::NothingRan(Reason::ZeroTests) {
            return self.saying(Said::NothingRan(Reason::FilterMatchedNothing));
        }
        self
    }

    /// The same reading, marked as a sum over many lines.
    pub fn summed(mut self) -> Reading {
        self.needs_every_line = true;
        self
    }

    /// The same reading with the tests it names, which may be only some.
    pub fn naming_all(mut self, cases: Cases) -> Reading {
        self.cases = cases;
        self
    }

    /// The same reading with the tests it names.
    pub fn naming(mut self, cases: Vec<Case>) -> Reading {
        self.cases = cases.into();
        self
    }
}

impl Said {
    /// What these numbers say by themselves: a failure; something ran; only skipped; zero.
    ///
    /// Numbers that are not known say nothing: then `Unfinished(NoSummary)`.
    pub fn of(tally: &Tally) -> Said {
        if tally.has_failure() {
            return Said::Failed;
        }
        let ran_something = [tally.passed, tally.expected_failures, tally.unexpected_passes]
            .iter()
            .any(|count| count.is_some_and(|n| n > 0));
        if ran_something {
            return Said::Passed;
        }
        if tally.passed.is_none() {
            return Said::Unfinished(Reason::NoSummary);
        }
        if [tally.skipped, tally.todo].iter().any(|count| count.is_some_and(|n| n > 0)) {
            return Said::NothingRan(Reason::OnlySkipped);
        }
        Said::NothingRan(Reason::ZeroTests)
    }
}
