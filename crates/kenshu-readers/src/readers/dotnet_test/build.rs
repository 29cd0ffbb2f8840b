//! The build that stands before the tests: errors, and how it ended.

use std::sync::LazyLock;

use kenshu_model::{Quote, Reason, Tally};
use regex::Regex;

use super::without;
use crate::reading::{Reading, Said};
use crate::text::Line;

/// `/project/A.cs(3,5): error CS0103: The name …`, `MSBUILD : error MSB1009: Project file does not exist.`
static ERROR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|: | )error ([A-Z]{2,}\d{3,5}): ").expect("valid pattern"));

/// Errors that say that the command was wrong: no such project, several projects, an unknown switch.
const USAGE: &[&str] = &["MSB1001", "MSB1003", "MSB1006", "MSB1008", "MSB1009", "MSB1011"];

/// What was seen of the build.
#[derive(Default)]
pub(super) struct Build {
    usage: Option<Quote>,
    /// A package or an SDK can't be had.
    missing: Option<Quote>,
    error: Option<Quote>,
    /// `Build FAILED.`
    failed: Option<Quote>,
}

impl Build {
    pub(super) fn take(&mut self, line: Line<'_>) {
        let text = line.text;
        if text.contains("error ")
            && let Some(groups) = ERROR.captures(text)
        {
            let code = &groups[1];
            let place = if USAGE.contains(&code) {
                &mut self.usage
            } else if code.starts_with("NU") || code == "NETSDK1045" {
                &mut self.missing
            } else {
                &mut self.error
            };
            place.get_or_insert_with(|| line.quote());
        } else if text == "Build FAILED." || text.starts_with("Build failed with ") {
            self.failed = Some(line.quote());
        } else if text.starts_with("Unrecognized command or argument '") {
            self.usage.get_or_insert_with(|| line.quote());
        } else if text.starts_with("A compatible .NET SDK was not found.")
            || text.starts_with("No .NET SDKs were found.")
        {
            self.missing.get_or_insert_with(|| line.quote());
        }
    }

    /// The build's reading. `counted`: test results are there; `failed`: one of them failed, which fails the build too.
    pub(super) fn finish(self, named: bool, counted: bool, failed: bool) -> Option<Reading> {
        // `dotnet build` and other MSBuild users print the same: it must be known that tests were to be run.
        if !named && !counted {
            return None;
        }
        if let Some(quote) = self.usage.filter(|_| !counted) {
            return Some(without(Said::CouldNotRun(Reason::UsageError), quote));
        }
        if let Some(quote) = self.error {
            return self.failed.map(|_| step(quote));
        }
        if let Some(quote) = self.missing.filter(|_| !counted) {
            return Some(without(Said::CouldNotRun(Reason::Environment), quote));
        }
        // With results and without a failed one, something else failed the build.
        self.failed.filter(|_| counted && !failed).map(step)
    }
}

fn step(quote: Quote) -> Reading {
    Reading::from_tally("dotnet-test", Tally { load_errors: Some(1), ..Tally::ZERO }, quote)
}
