//! The headings of what went wrong: `FAIL: test_d (test_a.T.test_d) (i=1)`.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus};

use crate::text::Line;

use super::closing::Words;

/// One heading with the first line of its message.
pub(super) struct Heading<'a> {
    pub(super) line: Line<'a>,
    kind: Kind,
    /// `test_a.T.test_d`, without subtest parameters.
    id: String,
    message: Option<&'a str>,
    in_traceback: bool,
}

/// What the heading is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Failure,
    Error,
    /// A module that could not be imported: unittest makes a test of it, and counts it.
    NotLoaded,
    /// A fixture of a class or module: counted as an error and not as a test.
    Fixture,
    UnexpectedSuccess,
}

/// How `failures` and `errors` are spread over tests and what is no test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) failed: u64,
    pub(super) errored: u64,
    pub(super) load_errors: u64,
    /// How many of them `Ran N tests` counts.
    pub(super) in_tests: u64,
}

impl<'a> Heading<'a> {
    /// Reads a heading; xmlrunner puts a time before the colon.
    pub(super) fn of(line: Line<'a>) -> Option<Heading<'a>> {
        let (word, rest) = line.text.split_once(": ")?;
        let word = word.split_once(" [").map_or(word, |(word, _)| word);
        let kind = match word {
            "FAIL" => Kind::Failure,
            "ERROR" => Kind::Error,
            "UNEXPECTED SUCCESS" => Kind::UnexpectedSuccess,
            _ => return None,
        };
        let (name, place) = match rest.split_once(" (") {
            Some((name, place)) => (name, place.split_once(')').map_or(place, |(place, _)| place)),
            None => (rest.trim_end(), ""),
        };
        let not_loaded = ["_FailedTest", "ModuleImportFailure", "LoadTestsFailure", "nose.failure.Failure"]
            .iter()
            .any(|class| place.contains(class))
            || name.starts_with("Failure: ");
        let fixture = matches!(name, "setUpClass" | "tearDownClass" | "setUpModule" | "tearDownModule")
            || name.starts_with("test suite for ");
        let kind = match kind {
            Kind::Error if not_loaded => Kind::NotLoaded,
            Kind::Error if fixture => Kind::Fixture,
            Kind::Failure | Kind::Error | Kind::NotLoaded | Kind::Fixture | Kind::UnexpectedSuccess => kind,
        };
        // From 3.11 on, the place holds the method too.
        let has_method = place == name || place.ends_with(&format!(".{name}"));
        let id = if kind == Kind::NotLoaded || place.is_empty() {
            name.to_owned()
        } else if has_method {
            place.to_owned()
        } else {
            format!("{place}.{name}")
        };
        Some(Heading { line, kind, id, message: None, in_traceback: false })
    }

    /// A line below the heading: the first one behind the traceback is the message.
    pub(super) fn body(&mut self, text: &'a str) {
        if text.starts_with("Traceback (most recent call last)") {
            self.in_traceback = true;
        } else if self.in_traceback
            && self.message.is_none()
            && !text.starts_with([' ', '\t'])
            && !text.is_empty()
        {
            self.message = Some(text);
        }
    }

    pub(super) fn case(&self) -> Option<Case> {
        let status = match self.kind {
            Kind::Failure | Kind::Error => CaseStatus::Failed,
            Kind::UnexpectedSuccess => CaseStatus::UnexpectedPass,
            Kind::NotLoaded | Kind::Fixture => return None,
        };
        Some(Case {
            name: self.id.clone(),
            file: None,
            status,
            message: self.message.map(str::to_owned),
            file_level: false,
        })
    }
}

/// Spreads the numbers by the headings, where all of them are there; else each counts as a test of its own.
pub(super) fn split(headings: &[Heading<'_>], words: &Words) -> Split {
    let wrong = || headings.iter().filter(|heading| heading.kind != Kind::UnexpectedSuccess);
    if wrong().count() as u64 != words.failures + words.errors {
        return Split {
            failed: words.failures,
            errored: words.errors,
            load_errors: 0,
            in_tests: words.failures + words.errors,
        };
    }
    // Subtests of one test have one id, and so have a failure and what its clean-up ran into.
    let mut kinds: BTreeMap<&str, Kind> = BTreeMap::new();
    let mut split = Split::default();
    for heading in wrong() {
        match heading.kind {
            Kind::NotLoaded => {
                split.load_errors += 1;
                split.in_tests += 1;
            }
            Kind::Fixture => split.load_errors += 1,
            kind @ (Kind::Failure | Kind::Error | Kind::UnexpectedSuccess) => {
                let known = kinds.entry(&heading.id).or_insert(kind);
                *known = (*known).min(kind);
            }
        }
    }
    split.failed = kinds.values().filter(|kind| **kind == Kind::Failure).count() as u64;
    split.errored = kinds.len() as u64 - split.failed;
    split.in_tests += kinds.len() as u64;
    split
}
