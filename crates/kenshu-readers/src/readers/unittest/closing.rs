//! `Ran 6 tests in 0.007s` and the verdict below it: `FAILED (failures=1, errors=1, skipped=1)`.

use crate::text::Line;

/// How a run closed.
pub(super) struct Closing<'a> {
    pub(super) line: Line<'a>,
    pub(super) tests: u64,
    pub(super) verdict: Verdict,
    /// The verdict stands right below, without the blank line of unittest.
    pub(super) directly: bool,
}

/// The verdict's word and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// `OK`, `PASSED`, `NO TESTS RAN`.
    Good(Words),
    /// `FAILED`.
    Bad(Words),
    /// A word among the numbers is not known.
    Unknown,
}

/// The numbers in the parentheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) failures: u64,
    pub(super) errors: u64,
    pub(super) skipped: u64,
    pub(super) todos: u64,
    pub(super) expected_failures: u64,
    pub(super) unexpected_successes: u64,
    /// trial and green count what passed.
    pub(super) successes: Option<u64>,
}

/// `Ran 6 tests in 0.007s`, with `using 8 processes` behind it in green.
pub(super) fn ran(text: &str) -> Option<u64> {
    let (number, rest) = text.strip_prefix("Ran ")?.trim_end().split_once(' ')?;
    let time = rest.strip_prefix("tests in ").or_else(|| rest.strip_prefix("test in "))?;
    let (seconds, behind) = time.split_once('s')?;
    seconds.parse::<f64>().ok()?;
    (behind.is_empty() || behind.starts_with(" using ")).then(|| number.parse().ok()).flatten()
}

/// `OK (skipped=1)`, `FAILED (failures=2)`, `PASSED (successes=3)`, `NO TESTS RAN`.
pub(super) fn verdict(text: &str) -> Option<Verdict> {
    let text = text.trim_end();
    let (word, numbers) = match text.split_once(" (") {
        Some((word, numbers)) => (word, numbers.strip_suffix(')')?),
        None => (text, ""),
    };
    let good = match word {
        "OK" | "PASSED" | "NO TESTS RAN" => true,
        "FAILED" => false,
        _ => return None,
    };
    Some(match words(numbers) {
        Some(words) if good => Verdict::Good(words),
        Some(words) => Verdict::Bad(words),
        None if good => Verdict::Unknown,
        None => Verdict::Bad(Words::default()),
    })
}

fn words(text: &str) -> Option<Words> {
    let mut words = Words::default();
    for part in text.split(", ").filter(|part| !part.is_empty()) {
        let (word, number) = part.split_once('=')?;
        let number = number.parse().ok()?;
        let place = match word {
            "failures" => &mut words.failures,
            "errors" => &mut words.errors,
            "skipped" | "skips" | "SKIP" => &mut words.skipped,
            "todos" | "todo" => &mut words.todos,
            "expected failures" | "expectedFailures" | "expected_failures" => &mut words.expected_failures,
            "unexpected successes" | "unexpectedSuccesses" | "unexpected_successes" => {
                &mut words.unexpected_successes
            }
            "successes" | "passes" => words.successes.insert(0),
            _ => return None,
        };
        *place = number;
    }
    Some(words)
}

/// A line of at least 70 of these signs; testtools' marks may stand before them.
pub(super) fn is_ruler(text: &str, sign: char) -> bool {
    let text = text.trim_end();
    let bare = text.trim_end_matches(sign);
    text.len() - bare.len() >= 70 && (bare.is_empty() || marks(bare).is_some())
}

/// A line of progress marks alone: `...FEs`.
pub(super) fn marks(text: &str) -> Option<&str> {
    let marks = !text.is_empty() && text.bytes().all(|mark| b".FEsxu".contains(&mark));
    (marks && text.contains(['.', 'F', 'E'])).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines() {
        assert_eq!(ran("Ran 6 tests in 0.007s"), Some(6));
        assert_eq!(ran("Ran 1 test in 0.000s"), Some(1));
        assert_eq!(ran("Ran 3 tests in 0.1s using 8 processes"), Some(3));
        assert_eq!(ran("Ran 6 tests in a row"), None);
        assert_eq!(ran("Ran out of memory"), None);
    }

    #[test]
    fn verdicts() {
        let words = Words { failures: 1, skipped: 2, ..Words::default() };
        assert_eq!(verdict("FAILED (failures=1, skipped=2)"), Some(Verdict::Bad(words)));
        assert_eq!(verdict("OK"), Some(Verdict::Good(Words::default())));
        assert_eq!(verdict("OK (wobbles=1)"), Some(Verdict::Unknown));
        assert_eq!(verdict("OK, next"), None);
    }
}
