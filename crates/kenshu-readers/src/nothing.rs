//! Words by which programs say that they found or ran no test.
//!
//! Asked only of programs that no reader knows: several runners end with a status that is not 0 when nothing ran, so
//! with these words in the output the status alone is no failure, and the answer is "cannot tell".

use std::sync::LazyLock;

use regex::Regex;

use crate::text::Text;

/// Whether a line says, or may say, that nothing was found, matched or run.
pub fn may_say_nothing_ran(text: &Text) -> bool {
    static WORDS: LazyLock<Regex> = LazyLock::new(|| {
        // ASCII word boundaries: Unicode's are many times slower in text that is not ASCII.
        Regex::new(concat!(
            r"(?i)(?:^|[^\w.])(?:no|zero|0|any|without|none)(?-u:\b)[^.\n]{0,40}(?-u:\b)",
            r"(?:tests?|specs?|examples?|suites?|cases?|scenarios?|features?|files?|matches|tasks|sessions|modules?|steps)(?-u:\b)",
            r"|(?:(?-u:\b)not|n.t) (?:find|match|discover|select|collect)|(?-u:\b)did not (?:find|match|discover)",
            r"|ran nothing|nothing (?:to|was|ran)|(?-u:\b)0 of 0(?-u:\b)|no such|is empty|invalid test class|unmatched",
        ))
        .expect("pattern of words")
    });
    text.lines().any(|line| WORDS.is_match(line.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_runners_that_end_with_a_status_when_nothing_ran() {
        for line in [
            "✘ Couldn’t find any files to test",
            "Test setup error: test tree is empty",
            "Incomplete: No specs found",
            "[         0 tests successful      ]",
            "error: did not discover any tests for provided path(s)",
            "Chrome Headless: Executed 0 of 0 SUCCESS",
            "The specified regex doesn't match with anything",
            "nox > No sessions found in noxfile.py.",
            "Paths given to \"mix test\" did not match any directory/file",
        ] {
            assert!(may_say_nothing_ran(&Text::new(line.as_bytes())), "{line}");
        }
    }

    #[test]
    fn a_plain_failure_says_nothing_of_the_kind() {
        for line in
            ["2 passed, 1 failed", "AssertionError: 1 == 2", "FAIL two", "1 test failed", "> demo@1.0.0 test"]
        {
            assert!(!may_say_nothing_ran(&Text::new(line.as_bytes())), "{line}");
        }
    }
}
