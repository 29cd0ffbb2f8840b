//! karma-mocha-reporter, which closes with `SUMMARY:` and up to three lines of numbers.

use kenshu_model::Tally;

use super::ID;
use crate::numbers::number_and_word;
use crate::reading::Reading;
use crate::text::Line;

/// The last summary, behind the line about the time.
pub(super) fn read(lines: &[Line<'_>]) -> Option<Reading> {
    let is_summary = |at: &usize| {
        lines[*at].text == "SUMMARY:"
            && lines[..*at].iter().rev().take(2).any(|line| line.text.starts_with("Finished in "))
    };
    let at = (0..lines.len()).rev().find(is_summary)?;
    let mut tally = Tally::of(0, 0, 0);
    let mut counted = Vec::new();
    for line in &lines[at + 1..] {
        let Some((number, word)) = line.text.split_once(' ').and_then(|(_, rest)| number_and_word(rest))
        else {
            break;
        };
        match word {
            "test completed" | "tests completed" => tally.passed = Some(number),
            "test skipped" | "tests skipped" => tally.skipped = Some(number),
            "test failed" | "tests failed" => tally.failed = Some(number),
            _ => break,
        }
        counted.push(line.quote());
    }
    let reading = Reading::from_tally(ID, tally, lines[at].quote());
    Some(counted.into_iter().fold(reading, Reading::quoting))
}
