//! pytest's closing line: `==== 2 failed, 3 passed, 1 skipped in 0.07s ====`, bare with `-q`, and what it counts.

use crate::numbers::number_and_word;

/// Numbers of one closing line, by pytest's own words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) failed: u64,
    pub(super) passed: u64,
    pub(super) skipped: u64,
    pub(super) deselected: u64,
    pub(super) xfailed: u64,
    pub(super) xpassed: u64,
    pub(super) errors: u64,
    pub(super) rerun: u64,
    /// A word that is not known: then the line does not say how the run ended.
    pub(super) unknown_word: bool,
    /// `3 tests collected`: nothing was to be run.
    pub(super) collected_only: bool,
}

/// How the closing line is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Between `=` signs.
    Framed,
    /// Alone, with `-q`.
    Bare,
}

/// Reads a closing line.
pub(super) fn closing(line: &str) -> Option<(Style, Words)> {
    let line = line.trim_end();
    let (style, title) = match framed(line, '=') {
        Some(title) => (Style::Framed, title),
        None => (Style::Bare, line),
    };
    let (body, duration) = title.rsplit_once(" in ")?;
    if !is_duration(duration) {
        return None;
    }
    let words = words(body)?;
    // Without the frame, a word that is not pytest's makes it any program's line.
    (style == Style::Framed || !words.unknown_word).then_some((style, words))
}

/// The title of a line that is filled up with `fill` on both sides.
pub(super) fn framed(line: &str, fill: char) -> Option<&str> {
    // Asked of every line: most begin otherwise.
    if !line.starts_with(fill) {
        return None;
    }
    let inner = line.trim_end().trim_start_matches(fill).strip_prefix(' ')?;
    let title = inner.trim_end_matches(fill).strip_suffix(' ')?;
    (title.len() + 1 < inner.len()).then_some(title)
}

/// `0.31s`, `61.05s (0:01:01)`, `0.04 seconds` (before 5.0).
fn is_duration(text: &str) -> bool {
    let number_end =
        text.find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number_end);
    let unit_known = unit == "s" || unit == " seconds" || (unit.starts_with("s (") && unit.ends_with(')'));
    number.parse::<f64>().is_ok() && unit_known
}

fn words(body: &str) -> Option<Words> {
    let mut words = Words::default();
    if body == "no tests ran" {
        return Some(words);
    }
    if let Some(rest) = collected(body) {
        words.collected_only = true;
        words.errors = rest.map_or(0, |errors| errors);
        return Some(words);
    }
    let mut known = false;
    for part in body.split(", ") {
        let (number, word) = number_and_word(part)?;
        if !word.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b' ' | b'-' | b'_')) {
            return None;
        }
        known |= words.add(number, word);
    }
    known.then_some(words)
}

impl Words {
    /// Takes one number; says whether the word is one of pytest's.
    pub(super) fn add(&mut self, number: u64, word: &str) -> bool {
        let place = match word {
            "failed" | "subtests failed" => &mut self.failed,
            "passed" => &mut self.passed,
            "skipped" => &mut self.skipped,
            "deselected" => &mut self.deselected,
            "xfailed" => &mut self.xfailed,
            "xpassed" => &mut self.xpassed,
            "error" | "errors" => &mut self.errors,
            "rerun" | "reruns" | "retried" => &mut self.rerun,
            // Subtests are parts of a test that is counted by itself.
            "warning" | "warnings" | "subtests passed" | "subtests skipped" | "subtests xfailed" => {
                return true;
            }
            _ => {
                self.unknown_word = true;
                return false;
            }
        };
        *place = place.saturating_add(number);
        true
    }

    /// Whether a test, fixture or file is counted as failed.
    pub(super) fn has_failure(&self) -> bool {
        self.failed + self.errors > 0
    }

    /// Whether nothing at all is counted but deselected tests.
    pub(super) fn is_empty(&self) -> bool {
        self.failed + self.passed + self.skipped + self.xfailed + self.xpassed + self.errors + self.rerun == 0
    }
}

/// `9 tests collected`, `1/3 tests collected (2 deselected)`, `no tests collected`, each with `, 1 error` behind it.
fn collected(body: &str) -> Option<Option<u64>> {
    let (head, errors) = match body.split_once(", ") {
        Some((head, errors)) => {
            let (number, word) = number_and_word(errors)?;
            if !matches!(word, "error" | "errors") {
                return None;
            }
            (head, Some(number))
        }
        None => (body, None),
    };
    let head = head.split_once(" (").map_or(head, |(head, _)| head);
    let number = head.strip_suffix(" tests collected").or_else(|| head.strip_suffix(" test collected"))?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (number == "no" || number.split('/').all(is_number)).then_some(errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_every_version() {
        let (style, words) = closing("==== 1 failed, 2 passed, 1 error in 61.05s (0:01:01) ====").unwrap();
        assert_eq!((style, words.failed, words.passed, words.errors), (Style::Framed, 1, 2, 1));
        assert!(closing("=== 1 passed, 2 warnings in 0.04 seconds ===").is_some());
        assert_eq!(closing("3 passed in 0.02s").unwrap().0, Style::Bare);
        assert!(closing("= no tests ran in 0.00s =").unwrap().1.is_empty());
        assert!(closing("1/3 tests collected (2 deselected) in 0.01s").unwrap().1.collected_only);
        assert_eq!(closing("=== 3 tests collected, 2 errors in 0.01s ===").unwrap().1.errors, 2);
    }

    #[test]
    fn other_lines_are_none() {
        for line in [
            "12 passed",
            "test_a.py::test_3 passed in 0.02s",
            ".===== 3 failed, 1 passed in 0.02s =====",
            "3 passed in 2 hours",
            "3 apples in 0.02s",
            "=== 3 apples in 0.02s ===",
            "Tests: 3 passed in 0.02s",
            "==== in 0.02s ====",
        ] {
            assert_eq!(closing(line), None, "{line}");
        }
    }

    #[test]
    fn an_unknown_word_is_marked() {
        assert!(closing("=== 3 passed, 1 quarantined in 0.02s ===").unwrap().1.unknown_word);
    }
}
