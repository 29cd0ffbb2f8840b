//! The lists of what went wrong: `There was 1 failure:`, then `1) ATest::testD`.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote};
use regex::Regex;

use crate::text::Line;

static TITLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^There (?:was|were) (\d+) (.+?)s?:$").expect("valid pattern"));

/// What a list holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    None,
    Failures,
    Errors,
    PhpunitErrors,
    Skipped,
    Warnings,
}

/// The lists of one run.
#[derive(Debug, Default)]
pub(super) struct Lists<'a> {
    kind: Kind,
    /// Entries of the list so far; they are numbered 1, 2, 3 …
    entries: u64,
    cases: Vec<Entry<'a>>,
    /// The first title that tells of a failure or an error.
    pub(super) failed: Option<Quote>,
    /// Errors that PHPUnit found in a test's surroundings: a data provider, a missing dependency.
    pub(super) phpunit_errors: u64,
    /// Errors in a hook of a whole class: the entry names a class, no test.
    pub(super) class_errors: u64,
    /// All entries of the list of errors.
    pub(super) errors: u64,
    /// Entries of the list of warnings that stand for no test: PHPUnit 9 names them `Warning`.
    warnings_without_test: u64,
    warnings: u64,
}

#[derive(Debug)]
struct Entry<'a> {
    name: &'a str,
    status: CaseStatus,
    message: Option<&'a str>,
    file: Option<&'a str>,
}

impl<'a> Lists<'a> {
    pub(super) fn take(&mut self, line: Line<'a>) {
        let text = line.text;
        if text.starts_with("There w")
            && let Some(title) = TITLE.captures(text)
        {
            self.kind = match &title[2] {
                "failure" => Kind::Failures,
                "error" => Kind::Errors,
                "PHPUnit error" => Kind::PhpunitErrors,
                "skipped test" | "incomplete test" => Kind::Skipped,
                "warning" => Kind::Warnings,
                _ => Kind::None,
            };
            self.entries = 0;
            if matches!(self.kind, Kind::Failures | Kind::Errors | Kind::PhpunitErrors) {
                self.failed.get_or_insert_with(|| line.quote());
            }
            return;
        }
        if text.starts_with("##teamcity[testFailed name=") {
            self.failed.get_or_insert_with(|| line.quote());
            return;
        }
        if let Some((kind, name)) = text.strip_prefix("--- ").and_then(|rest| rest.split_once(": ")) {
            self.compact_entry(kind, name, line);
            return;
        }
        let next = self.entries + 1;
        let entry = text.split_once(") ").filter(|(number, _)| number.parse() == Ok(next));
        match entry {
            Some((_, name)) if self.kind != Kind::None => {
                self.entries = next;
                self.entry(name);
            }
            Some(_) | None => self.detail(text),
        }
    }

    fn entry(&mut self, name: &'a str) {
        let is_class = !name.contains("::") && name != "Error" && name != "Warning";
        let status = match self.kind {
            Kind::None => return,
            Kind::Warnings => {
                self.warnings += 1;
                self.warnings_without_test += u64::from(name == "Warning");
                return;
            }
            Kind::PhpunitErrors => {
                self.phpunit_errors += 1;
                CaseStatus::Failed
            }
            Kind::Errors => {
                self.errors += 1;
                self.class_errors += u64::from(is_class);
                CaseStatus::Failed
            }
            Kind::Failures => CaseStatus::Failed,
            Kind::Skipped => CaseStatus::Skipped,
        };
        self.cases.push(Entry { name, status, message: None, file: None });
    }

    /// The compact printer's `--- FAILURE: ATest::testD`.
    fn compact_entry(&mut self, kind: &str, name: &'a str, line: Line<'a>) {
        self.kind = match kind {
            "FAILURE" => Kind::Failures,
            "ERROR" => Kind::Errors,
            "PHPUNIT ERROR" => Kind::PhpunitErrors,
            "SKIPPED" | "INCOMPLETE" => Kind::Skipped,
            _ => Kind::None,
        };
        if matches!(self.kind, Kind::Failures | Kind::Errors | Kind::PhpunitErrors) {
            self.failed.get_or_insert_with(|| line.quote());
        }
        self.entry(name);
        self.entries = u64::MAX - 1;
    }

    fn detail(&mut self, text: &'a str) {
        if self.kind == Kind::None || self.kind == Kind::Warnings {
            return;
        }
        let Some(entry) = self.cases.last_mut() else { return };
        if entry.message.is_none() {
            entry.message = Some(text);
        } else if entry.file.is_none()
            && let Some((file, line)) = text.rsplit_once(".php:")
            && line.bytes().all(|byte| byte.is_ascii_digit())
        {
            entry.file = Some(&text[..file.len() + 4]);
        }
    }

    /// How many of the tests that PHPUnit 9 counts are only a warning that a class has no test. `None`: cannot be told.
    pub(super) fn placeholders(&self, warnings: u64, major: u32) -> Option<u64> {
        if warnings == self.warnings {
            return Some(if major >= 10 { 0 } else { self.warnings_without_test });
        }
        (warnings == 0).then_some(0)
    }

    pub(super) fn cases(&self) -> Vec<Case> {
        self.cases
            .iter()
            .map(|entry| Case {
                file: entry.file.map(str::to_owned),
                message: entry.message.map(str::to_owned),
                ..super::case(entry.name, entry.status)
            })
            .collect()
    }
}
