//! The block of numbers with which AVA closes a run.

use crate::numbers::number_and_word;
use crate::reader::Hint;
use crate::text::Line;

/// One closing block.
#[derive(Clone, Debug, Default)]
pub(super) struct Closing {
    /// Index of its first line, and the one behind its last.
    pub first: usize,
    pub end: usize,
    pub hooks: u64,
    pub failed: u64,
    pub passed: u64,
    pub known: u64,
    pub skipped: u64,
    pub todo: u64,
    /// Unhandled rejections and uncaught exceptions.
    pub outside: u64,
    /// Tests that were still running when the time was over.
    pub pending: u64,
    /// Failures of an earlier run of a watch.
    pub previous: u64,
    /// Place in the order of AVA's lines of the last one read.
    order: usize,
}

impl Closing {
    /// How many result lines must stand above it: the ticks, or where it counts no passes the crosses.
    pub(super) fn claims(&self) -> u64 {
        if self.passed > 0 { self.passed + self.known } else { self.failed + self.hooks }
    }

    /// Takes one line in, if it has AVA's words and stands in AVA's order.
    fn take(&mut self, text: &str) -> bool {
        let Some((number, words)) = text.strip_prefix("  ").and_then(number_and_word) else { return false };
        if text.starts_with("   ") || number == 0 {
            return false;
        }
        // A watch writes the time behind the first line.
        let words = words.split_once(" [").map_or(words, |(words, _)| words);
        let (order, field) = match words {
            "hook failed" | "hooks failed" => (1, &mut self.hooks),
            "test failed" | "tests failed" => (2, &mut self.failed),
            "test passed" | "tests passed" => (3, &mut self.passed),
            "known failure" | "known failures" => (4, &mut self.known),
            "test skipped" | "tests skipped" => (5, &mut self.skipped),
            "test todo" | "tests todo" => (6, &mut self.todo),
            "unhandled rejection" | "unhandled rejections" => (7, &mut self.outside),
            "uncaught exception" | "uncaught exceptions" => (8, &mut self.outside),
            "test remained pending after a timeout" | "tests remained pending after a timeout" => {
                (9, &mut self.pending)
            }
            "previous failure in test files that were not rerun"
            | "previous failures in test files that were not rerun" => (10, &mut self.previous),
            _ => return false,
        };
        if order <= self.order {
            return false;
        }
        *field = field.saturating_add(number);
        self.order = order;
        true
    }
}

/// Every block of such lines behind AVA's rule, or behind a blank line where the command names AVA.
///
/// In a `cut` text the lines around it may be gone.
pub(super) fn all(lines: &[Line<'_>], hint: Hint<'_>, cut: bool) -> Vec<Closing> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let mut closing = Closing { first: at, end: at, ..Closing::default() };
        while closing.end < lines.len() && closing.take(lines[closing.end].text) {
            closing.end += 1;
        }
        if closing.end == at {
            at += 1;
            continue;
        }
        at = closing.end;
        let any_place = hint.named && cut;
        let ends = any_place || lines.get(at).is_none_or(|line| line.text.trim().is_empty());
        let begins = any_place
            || is_behind_rule(lines, closing.first)
            || (hint.named && is_behind_blank(lines, closing.first));
        if begins && ends {
            found.push(closing);
        }
    }
    found
}

fn is_behind_blank(lines: &[Line<'_>], first: usize) -> bool {
    first == 0 || lines[first - 1].text.trim().is_empty()
}

/// Whether above it stand AVA's short rule and at most its notes on what it left out.
fn is_behind_rule(lines: &[Line<'_>], first: usize) -> bool {
    if !is_behind_blank(lines, first) {
        return false;
    }
    let mut above = lines[..first].iter().rev().map(|line| line.text).filter(|text| !text.trim().is_empty());
    let is_note = |text: &str| text.starts_with("  `--fail-fast` is on. ") || text.starts_with("  Ran ");
    above.find(|text| !is_note(text)).is_some_and(|text| text == "  ─")
}
