//! Reporters: how a runner is asked for a machine-readable report without a change to its command.
//!
//! Each is environment variables, files for a temporary folder, and a function that reads what comes back. The reporter
//! writes a start mark when it loads, so that three cases stay apart: never loaded (fall back to the text, and say
//! so), loaded and unfinished (no pass), finished.

use kenshu_model::Count;

use crate::command::Invocation;

mod go_test;
mod googletest;
mod minitest;
mod prove;
mod pytest;
mod rspec;
mod runs;
mod xml_folders;

/// How one runner is asked.
pub struct Reporter {
    /// The reader whose runner it is for.
    pub reader: &'static str,
    /// Files for the temporary folder: path in it and content.
    pub files: &'static [(&'static str, &'static str)],
    /// Environment variables to set.
    pub environment: &'static [Variable],
    /// What comes back in the temporary folder; `None`: it only makes the text say more.
    pub report: Option<Report>,
    /// Report files that the runner writes into the project by itself: `*` stands for part of one name, `**` for any
    /// number of folders. They complete numbers that the text does not print.
    pub leaves: &'static [&'static str],
    /// Whether nothing is printed, loaded or decided otherwise for it, so that it may be there for a command of which it
    /// is not known whether this runner is behind it: `make test`, `./ci.sh`.
    pub silent: bool,
    /// What stands in the output where the reporter itself broke the run, so that it is run again without it.
    pub broken: Option<&'static str>,
    /// Reads what came back (no piece: nothing did), beside what was read from the text.
    pub read: fn(&[Piece], &Count) -> Reported,
    /// Whether the command leaves room for it.
    pub fits: fn(&Invocation) -> bool,
}

/// An environment variable of a reporter.
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Its value; `{folder}` is the temporary folder.
    pub value: &'static str,
    /// What joins it with a value the user has set; `None`: the user's value stays, and the reporter away.
    pub join: Option<&'static str>,
}

/// Where in the temporary folder the report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// This file.
    File(&'static str),
    /// All files in a folder.
    Folder {
        /// The folder.
        name: &'static str,
        /// The folder in it that is made beforehand.
        made: &'static str,
    },
}

/// One file of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its path in the report's folder; empty where the report is one file.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub enum Reported {
    /// The reporter never loaded, or what it wrote cannot be laid beside the text.
    Never,
    /// It has nothing to add to the text.
    Nothing,
    /// It loaded and did not finish.
    Unfinished,
    /// The whole report.
    Finished(Box<Count>),
}

/// Every reporter.
pub const REPORTERS: &[Reporter] = &[
    go_test::REPORTER,
    googletest::REPORTER,
    minitest::REPORTER,
    prove::REPORTER,
    pytest::REPORTER,
    rspec::REPORTER,
    xml_folders::GRADLE,
    xml_folders::SUREFIRE,
];

/// The reporter for the runner that this invocation runs.
pub fn of(reader: &str) -> Option<&'static Reporter> {
    REPORTERS.iter().find(|reporter| reporter.reader == reader)
}
