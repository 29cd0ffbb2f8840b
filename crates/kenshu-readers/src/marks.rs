//! Marks that a runner makes while its tests run, held against the pass that it states in the end.
//!
//! A test that ends the process before the runner can sum up (`os._exit(0)`, `exit!(0)`) may print any closing line
//! first. What it can't take back are the marks of the tests that ended before it.

use kenshu_model::Tally;

use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

/// How a runner marks single tests while they run.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// Lines by which it says that one test failed.
    pub failed: &'static [LineMark],
    /// Lines by which it says that one test passed; none where it only names failures.
    pub passed: &'static [LineMark],
    /// The letters of its progress line.
    pub letters: Option<Letters>,
    /// Whether any program prints such lines, too: then one counts only beside marks of tests that passed.
    pub plain: bool,
}

/// How a line looks, without its indentation and a duration or percentage in brackets at its end.
#[derive(Clone, Copy, Debug)]
pub enum LineMark {
    /// It begins with this, and a name follows.
    Start(&'static str),
    /// It ends with this, behind a name.
    End(&'static str),
    /// It begins with the one and ends with the other.
    Around(&'static str, &'static str),
    /// It ends with this, behind a pytest node: `tests/test_a.py::test_b[x y]`.
    Node(&'static str),
    /// This stands in it.
    Holds(&'static str),
    /// It begins with a number and a closing bracket: `  1) adds`.
    Numbered,
}

/// One letter per test: what each means.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    /// A test that passed.
    pub passed: char,
    /// A test that failed, or ended in an error.
    pub failed: &'static str,
    /// Anything else that stands between them.
    pub others: &'static str,
}

impl Marks {
    /// The runner makes no marks, or none that are needed: what sums up is not the process that runs the tests.
    pub const NONE: Marks = Marks { failed: &[], passed: &[], letters: None, plain: false };
}

impl LineMark {
    /// The part that is looked for first: the longer is the rarer.
    fn needle(self) -> &'static str {
        match self {
            LineMark::Around(start, end) if start.len() > end.len() => start,
            LineMark::Start(text)
            | LineMark::Holds(text)
            | LineMark::End(text)
            | LineMark::Node(text)
            | LineMark::Around(_, text) => text,
            LineMark::Numbered => ") ",
        }
    }

    fn is_on(self, line: &str) -> bool {
        let line = line.trim();
        self.fits(line) || self.fits(without_tail(line))
    }

    fn fits(self, line: &str) -> bool {
        match self {
            LineMark::Start(start) => line.strip_prefix(start).is_some_and(|name| !name.is_empty()),
            LineMark::End(end) => line.strip_suffix(end).is_some_and(|name| !name.is_empty()),
            LineMark::Around(start, end) => line
                .strip_prefix(start)
                .and_then(|rest| rest.strip_suffix(end))
                .is_some_and(|name| !name.is_empty()),
            LineMark::Node(end) => line.strip_suffix(end).is_some_and(|node| {
                let name = node.split('[').next().unwrap_or_default();
                name.contains("::") && !name.contains(' ')
            }),
            LineMark::Holds(text) => line.contains(text),
            LineMark::Numbered => line.split_once(") ").is_some_and(|(number, name)| {
                !name.is_empty() && !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
            }),
        }
    }
}

impl Letters {
    /// How many tests passed and failed by this line; `None`: it is no progress line.
    fn of(&self, line: &str) -> Option<(u64, u64)> {
        let line = line.trim();
        let word = match line.split_once(' ') {
            // A single letter may be any program's.
            None if line.len() < 2 && !line.contains(self.passed) => return None,
            None => line,
            // `tests/test_a.py .F` and `...F   4 / 4 (100%)`.
            Some((first, rest)) if first.ends_with(".py") => without_tail(rest.trim_start()),
            Some((first, _)) => {
                let rest = without_tail(line);
                if rest
                    .chars()
                    .all(|letter| self.knows(letter) || letter.is_ascii_digit() || " /".contains(letter))
                {
                    first
                } else {
                    return None;
                }
            }
        };
        let (mut passed, mut failed) = (0, 0);
        for letter in word.chars() {
            match letter {
                letter if letter == self.passed => passed += 1,
                letter if self.failed.contains(letter) => failed += 1,
                letter if self.others.contains(letter) => {}
                _ => return None,
            }
        }
        Some((passed, failed))
    }

    fn knows(&self, letter: char) -> bool {
        letter == self.passed || self.failed.contains(letter) || self.others.contains(letter)
    }
}

/// The line without `(3 ms)` or `[ 33%]` at its end.
fn without_tail(line: &str) -> &str {
    let open = match line.chars().last() {
        Some(')') => line.rfind('('),
        Some(']') => line.rfind('['),
        _ => None,
    };
    open.map_or(line, |at| line[..at].trim_end())
}

/// Whether `reading` states a pass, and marks in the lines after `after` up to its own say that a test failed.
///
/// A test can print anything, so a mark alone is none: where the runner's marks account for every pass that it states,
/// the statement is its own. A test that needed a retry was marked as failed before.
pub(crate) fn contradict(marks: &Marks, reading: &Reading, stream: &Stream<'_>, after: u32) -> bool {
    if reading.said != Said::Passed {
        return false;
    }
    if reading.tally.has_failure() {
        return true;
    }
    if is_retried(&reading.tally) || stream.body().trim_start().starts_with(['{', '<']) {
        return false;
    }
    let inside = |line: &Line<'_>| line.number > after && line.number <= reading.lines.1;
    let count = |marks: &[LineMark]| -> u64 {
        let of = |mark: &LineMark| {
            stream.lines_with(mark.needle()).filter(|line| inside(line) && mark.is_on(line.text)).count()
                as u64
        };
        marks.iter().map(of).sum()
    };
    let mut failed = count(marks.failed);
    let mut passed = 0;
    if let Some(letters) = &marks.letters {
        for (dots, failures) in stream.lines().filter(inside).filter_map(|line| letters.of(line.text)) {
            passed += dots;
            failed += failures;
        }
    }
    if failed == 0 {
        return false;
    }
    passed += count(marks.passed);
    let is_told_apart = !marks.plain || passed > 0;
    is_told_apart && reading.tally.passed.is_some_and(|stated| passed < stated)
}

fn is_retried(tally: &Tally) -> bool {
    tally.flaky.is_some_and(|flaky| flaky > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn letters(line: &str, expected: Option<(u64, u64)>) {
        let letters = Letters { passed: '.', failed: "FE", others: "sx" };
        assert_eq!(letters.of(line), expected, "{line}");
    }

    #[test]
    fn progress_lines_are_told_from_words() {
        letters(".F", Some((1, 1)));
        letters("  ..s  ", Some((2, 0)));
        letters("tests/test_a.py .F..E                [ 33%]", Some((3, 2)));
        letters("..F                                  3 / 3 (100%)", Some((2, 1)));
        letters("tests/test_a.py F", Some((0, 1)));
        letters("F", None);
        letters(".", Some((1, 0)));
        letters("Fine", None);
        letters("F is a letter", None);
        letters("test_a.py says F", None);
    }

    #[test]
    fn a_mark_needs_a_name_and_may_have_a_duration() {
        let failed = LineMark::Around("test ", " ... FAILED");
        assert!(failed.is_on("test a::b ... FAILED"));
        assert!(failed.is_on("test a::b ... FAILED (3 ms)"));
        assert!(!failed.is_on("test  ... FAILED"[..5].trim()));
        assert!(!failed.is_on("the test a ... FAILED"));
        assert!(LineMark::Node(" FAILED").is_on("a.py::b[x y] FAILED [ 33%]"));
        assert!(!LineMark::Node(" FAILED").is_on("a.py::b says FAILED"));
        assert!(!LineMark::Start("--- FAIL: ").is_on("--- FAIL: "));
    }
}
