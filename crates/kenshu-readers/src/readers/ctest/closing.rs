//! The statement with which CTest closes a run, and the lists below it.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::{Line, Lines};

/// `67% tests passed, 2 tests failed out of 6` with what follows it; or the lists alone, where the rest was cut.
pub(super) struct Closing<'a> {
    /// Tests that failed.
    pub failed: Option<u64>,
    /// Tests that ran or were skipped; without disabled ones.
    pub total: Option<u64>,
    /// Whether the blank line and the total time that follow are there, so that no list is missing in between.
    pub is_whole: bool,
    /// `The following tests FAILED:`.
    pub failed_tests: Option<Vec<Listed<'a>>>,
    /// `The following tests did not run:`.
    pub did_not_run: Option<Vec<Listed<'a>>>,
    /// Its first line.
    pub line: Line<'a>,
}

/// `  4 - name (Failed)`, a tab before it.
pub(super) struct Listed<'a> {
    /// The test's name.
    pub name: &'a str,
    /// The word in parentheses.
    pub kind: &'a str,
    /// Whether it stands in the list of tests that did not run.
    pub did_not_run: bool,
    /// The line.
    pub line: Line<'a>,
}

impl<'a> Listed<'a> {
    pub(super) fn read(line: Line<'a>, did_not_run: bool) -> Option<Listed<'a>> {
        static LISTED: LazyLock<Regex> = LazyLock::new(|| {
            // Since CMake 3.29 labels follow, in a column of their own.
            Regex::new(r"^\t *\d+ - (.*) \(([^()]+)\)(?: {2,}\S.*)?$").expect("pattern of a listed test")
        });
        if !line.text.starts_with('\t') {
            return None;
        }
        let captures = LISTED.captures(line.text)?;
        let part = |index| captures.get(index).map_or("", |part| part.as_str());
        Some(Listed { name: part(1), kind: part(2), did_not_run, line })
    }

    /// Whether its word is one for a failure.
    pub(super) fn is_failure(&self) -> bool {
        !matches!(self.kind, "Skipped" | "Disabled")
    }
}

const FAILED: &str = "The following tests FAILED:";
const DID_NOT_RUN: &str = "The following tests did not run:";

impl<'a> Closing<'a> {
    /// The closing that begins at `line`; takes the lines that belong to it.
    pub(super) fn read(line: Line<'a>, rest: &mut Lines<'a>) -> Option<Closing<'a>> {
        // CMake 4 leaves the middle part out where nothing failed.
        static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^\d+% tests passed(?:, (\d+) tests? failed)? out of (\d+)$")
                .expect("pattern of a summary")
        });
        let mut closing = Closing {
            failed: None,
            total: None,
            is_whole: false,
            failed_tests: None,
            did_not_run: None,
            line,
        };
        if line.text == FAILED || line.text == DID_NOT_RUN {
            closing.take_list(line.text, rest);
        } else if line.text.contains("% tests passed") {
            let captures = SUMMARY.captures(line.text)?;
            let failed = captures.get(1).map_or(Some(0), |number| number.as_str().parse().ok())?;
            closing.failed = Some(failed);
            closing.total = Some(captures[2].parse().ok().filter(|total| *total > 0 && failed <= *total)?);
        } else {
            return None;
        }
        closing.take_what_follows(rest);
        if closing.total.is_none() {
            closing.failed = closing.failed_tests.as_ref().map(|list| list.len() as u64);
        }
        Some(closing)
    }

    /// Whether the summary line itself is missing.
    pub(super) fn is_list_only(&self) -> bool {
        self.total.is_none()
    }

    /// The lists of this one, added to the statement that other lines separated from them.
    pub(super) fn joined_to(self, earlier: Option<Closing<'a>>) -> Option<Closing<'a>> {
        let earlier = earlier?;
        Some(Closing {
            failed_tests: earlier.failed_tests.or(self.failed_tests),
            did_not_run: earlier.did_not_run.or(self.did_not_run),
            is_whole: earlier.is_whole || self.is_whole,
            ..earlier
        })
    }

    fn take_what_follows(&mut self, rest: &mut Lines<'a>) {
        let mut blank = false;
        let mut in_times = false;
        loop {
            let mut ahead = rest.clone();
            let Some(line) = ahead.next() else { return };
            let text = line.text;
            match text {
                "" => blank = true,
                FAILED | DID_NOT_RUN => {
                    *rest = ahead;
                    self.take_list(text, rest);
                    continue;
                }
                "Label Time Summary:" | "Subproject Time Summary:" => in_times = true,
                // stderr, which may come in between.
                "Errors while running CTest" => {}
                _ if text.starts_with("Total Test time (real) =") => {
                    self.is_whole |= blank;
                    in_times = false;
                }
                _ if text.starts_with("Output from these tests are in: ")
                    || text.starts_with("Use \"--rerun-failed ") => {}
                _ if in_times && text.contains(" = ") => {}
                _ => return,
            }
            *rest = ahead;
        }
    }

    fn take_list(&mut self, heading: &str, rest: &mut Lines<'a>) {
        let did_not_run = heading == DID_NOT_RUN;
        let mut list = Vec::new();
        loop {
            let mut ahead = rest.clone();
            let Some(line) = ahead.next() else { break };
            let Some(listed) = Listed::read(line, did_not_run) else { break };
            list.push(listed);
            *rest = ahead;
        }
        *if did_not_run { &mut self.did_not_run } else { &mut self.failed_tests } = Some(list);
    }

    /// Failed, errored and not loaded. Without the whole list all of them are called failed, as the summary does.
    pub(super) fn failures(&self) -> (Option<u64>, Option<u64>, Option<u64>) {
        let Some(list) = self.failed_tests.as_ref().filter(|list| Some(list.len() as u64) == self.failed)
        else {
            return (self.failed, self.failed.map(|_| 0), self.failed.map(|_| 0));
        };
        let of = |kinds: &[&str]| super::count(list, |listed| kinds.contains(&listed.kind));
        let failed = of(&["Failed", "Timeout", "Completed"]);
        let not_loaded = of(&["Not Run", "BAD_COMMAND"]);
        (Some(failed), Some(list.len() as u64 - failed - not_loaded), Some(not_loaded))
    }
}
