//! The lines with which GoogleTest closes a run.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Tally};
use regex::Regex;

use crate::text::Line;

/// `[==========] 3 tests from 2 test suites ran.` and what follows it; or only the latter, where that line was cut.
pub(super) struct Closing<'a> {
    /// The first line.
    pub line: Line<'a>,
    /// Tests that were to run.
    pub total: Option<u64>,
    numbers: Vec<(Line<'a>, Statement)>,
    /// The tests listed below the numbers.
    listed: Vec<(Line<'a>, &'a str)>,
    failed_suites: u64,
    /// ` 2 FAILED TESTS`, below the list.
    list_ends: bool,
}

/// One line of the closing that has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// `[  PASSED  ] 3 tests.`
    Passed(u64),
    /// `[  SKIPPED ] 1 test, listed below:`; in the brief form `[  SKIPPED ] 1 test.`
    Skipped(u64),
    /// `[  FAILED  ] 2 tests, listed below:`
    Failed(u64),
    /// `  YOU HAVE 1 DISABLED TEST`
    Disabled(u64),
}

impl Statement {
    pub(super) fn read(text: &str) -> Option<Statement> {
        let tests = |rest: &str, ends: &[&str]| {
            let (number, word) = crate::numbers::number_and_word(rest)?;
            let end = word.strip_prefix("tests").or_else(|| word.strip_prefix("test"))?;
            ends.contains(&end).then_some(number)
        };
        if let Some(rest) = text.strip_prefix("[  PASSED  ] ") {
            return tests(rest, &["."]).map(Statement::Passed);
        }
        if let Some(rest) = text.strip_prefix("[  SKIPPED ] ") {
            return tests(rest, &[".", ", listed below:"]).map(Statement::Skipped);
        }
        if let Some(rest) = text.strip_prefix("[  FAILED  ] ") {
            return tests(rest, &[", listed below:"]).map(Statement::Failed);
        }
        let (number, word) = crate::numbers::number_and_word(text.strip_prefix("  YOU HAVE ")?)?;
        matches!(word, "DISABLED TEST" | "DISABLED TESTS").then_some(Statement::Disabled(number))
    }

    /// Whether it means something without the line before it.
    pub(super) fn stands_alone(self) -> bool {
        matches!(self, Statement::Passed(_) | Statement::Failed(_))
    }
}

/// The name in `[  FAILED  ] Suite.Name, where GetParam() = 2 (0 ms)`.
pub(super) fn failed_test(text: &str) -> Option<&str> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)(?:, where .*)?(?: \(\d+ ms\))?$")
            .expect("pattern of a failed test")
    });
    if !text.starts_with("[  FAILED  ] ") {
        return None;
    }
    FAILED.captures(text)?.get(1).map(|name| name.as_str())
}

/// A failed test.
pub(super) fn case(name: &str, file: Option<&str>, message: Option<&str>) -> Case {
    Case {
        name: name.to_owned(),
        file: file.map(str::to_owned),
        status: CaseStatus::Failed,
        message: message.map(str::to_owned),
        file_level: false,
    }
}

impl<'a> Closing<'a> {
    pub(super) fn new(line: Line<'a>, total: u64) -> Closing<'a> {
        Closing { total: Some(total), ..Closing::without_footer(line) }
    }

    pub(super) fn without_footer(line: Line<'a>) -> Closing<'a> {
        Closing {
            line,
            total: None,
            numbers: Vec::new(),
            listed: Vec::new(),
            failed_suites: 0,
            list_ends: false,
        }
    }

    /// Whether the line belongs to the closing.
    pub(super) fn take(&mut self, line: Line<'a>) -> bool {
        if let Some(statement) = Statement::read(line.text) {
            self.numbers.push((line, statement));
        } else if let Some(name) = failed_test(line.text) {
            self.listed.push((line, name));
        } else if is_failed_suite(line.text) {
            self.failed_suites += 1;
            self.listed.push((line, ""));
        } else if line.text.ends_with(" FAILED TESTS") || line.text.ends_with(" FAILED TEST") {
            self.list_ends = true;
        } else {
            return line.text.starts_with("[  SKIPPED ] ");
        }
        true
    }

    fn number(&self, wanted: fn(Statement) -> Option<u64>) -> Option<u64> {
        self.numbers.iter().rev().find_map(|(_, statement)| wanted(*statement))
    }

    fn failed(&self) -> Option<u64> {
        self.number(|statement| if let Statement::Failed(number) = statement { Some(number) } else { None })
    }

    /// The list of failed tests is there, even if it is empty: then something outside the tests failed.
    pub(super) fn says_failed(&self) -> bool {
        self.failed().is_some() || self.failed_suites > 0
    }

    /// Whether this is the brief form, which lists no failed test here.
    pub(super) fn is_brief(&self) -> bool {
        self.numbers
            .iter()
            .any(|(line, statement)| matches!(statement, Statement::Skipped(_)) && line.text.ends_with('.'))
    }

    /// Whether the list of failed tests began and its end is not there.
    pub(super) fn breaks_off(&self) -> bool {
        self.failed().is_some() && !self.list_ends
    }

    /// Number of the last line.
    pub(super) fn ends_at(&self) -> u32 {
        self.numbers.last().map_or(self.line.number, |(line, _)| line.number)
    }

    /// The numbers; `failing` tests were seen to fail before the closing, which the brief form doesn't list.
    pub(super) fn tally(&self, failing: u64) -> Tally {
        let passed = self
            .number(|statement| if let Statement::Passed(number) = statement { Some(number) } else { None });
        let skipped = self
            .number(|statement| if let Statement::Skipped(number) = statement { Some(number) } else { None });
        let disabled = self
            .number(|statement| if let Statement::Disabled(number) = statement { Some(number) } else { None })
            .unwrap_or(0);
        let rest = self.total.zip(passed).and_then(|(total, passed)| total.checked_sub(passed));
        let without_skipped = rest.and_then(|rest| rest.checked_sub(skipped.unwrap_or(0)));
        let failed = match (self.failed(), without_skipped) {
            (Some(failed), _) => Some(failed),
            (None, Some(rest)) => (rest == failing || rest == 0).then_some(rest),
            (None, None) => self.total.is_none().then_some(0),
        };
        let adds_up = self.total.is_none() || (failed.is_some() && without_skipped == failed);
        let skipped = if adds_up && (self.total.is_some() || self.failed().is_none()) {
            Some(skipped.unwrap_or(0))
        } else {
            skipped
        };
        let outside = if self.says_failed() && self.failed() == Some(0) {
            self.failed_suites.max(1)
        } else {
            self.failed_suites
        };
        Tally {
            passed,
            failed,
            skipped: skipped.map(|skipped| skipped + disabled),
            load_errors: Some(outside),
            ..Tally::ZERO
        }
    }

    /// Every line that has a number or a failed test.
    pub(super) fn quotes(&self) -> impl Iterator<Item = Quote> {
        let numbers = self.numbers.iter().map(|(line, _)| line.quote());
        numbers.chain(self.listed.iter().map(|(line, _)| line.quote()))
    }

    /// The failed tests, with what was read of them above.
    pub(super) fn cases(&self, failing: &[(Line<'_>, Case)]) -> Vec<Case> {
        let names: Vec<&str> =
            self.listed.iter().map(|(_, name)| *name).filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return failing.iter().map(|(_, case)| case.clone()).collect();
        }
        let known =
            |name: &str| failing.iter().find(|(_, case)| case.name == name).map(|(_, case)| case.clone());
        names.into_iter().map(|name| known(name).unwrap_or_else(|| case(name, None, None))).collect()
    }
}

/// `[  FAILED  ] Suite: SetUpTestSuite or TearDownTestSuite`.
fn is_failed_suite(text: &str) -> bool {
    text.starts_with("[  FAILED  ] ")
        && (text.ends_with(": SetUpTestSuite or TearDownTestSuite")
            || text.ends_with(": SetUpTestCase or TearDownTestCase"))
}
