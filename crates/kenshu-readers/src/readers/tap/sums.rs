//! Entries by how they ended.

use super::parse::Directive;

/// Entries by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::readers) struct Sums {
    /// `ok`.
    pub passed: u64,
    /// `not ok`.
    pub failed: u64,
    /// `# SKIP`, with either word before it.
    pub skipped: u64,
    /// `not ok … # TODO`.
    pub todo_failed: u64,
    /// `ok … # TODO`.
    pub todo_passed: u64,
}

impl Sums {
    pub(super) fn add(&mut self, ok: bool, directive: Directive) {
        *match (directive, ok) {
            (Directive::Skip, _) => &mut self.skipped,
            (Directive::Todo, true) => &mut self.todo_passed,
            (Directive::Todo, false) => &mut self.todo_failed,
            (Directive::None, true) => &mut self.passed,
            (Directive::None, false) => &mut self.failed,
        } += 1;
    }

    /// All entries.
    pub(in crate::readers) fn total(&self) -> u64 {
        self.passed + self.failed + self.skipped + self.todo_failed + self.todo_passed
    }

    /// Both together.
    pub(in crate::readers) fn plus(&self, other: &Sums) -> Sums {
        Sums {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
            todo_failed: self.todo_failed + other.todo_failed,
            todo_passed: self.todo_passed + other.todo_passed,
        }
    }
}
