//! Relatives with closing lines of their own: doctest, zope.testrunner, stestr, and trial where it has no test.

use kenshu_model::{Reason, Tally};

use crate::numbers::number_and_word;
use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

use super::READER;

/// What stands in the text of every relative that is read without its name from the command.
pub(super) const WORDS: [&str; 3] = ["Test passed.", "***Test Failed*** ", "seconds."];

/// Reads what the relatives print.
pub(super) fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = doctest(stream);
    readings.extend(zope(stream));
    if hint.named {
        readings.extend(stestr(stream));
        readings.extend(trial_without_tests(stream));
    }
    readings
}

/// `2 tests in 2 items.`, `2 passed and 0 failed.`, `Test passed.`; examples are counted.
fn doctest(stream: &Stream) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut counts: Option<(Line<'_>, u64, u64, u64)> = None;
    for line in stream.lines() {
        let text = line.text.trim_end();
        if let Some((passed, failed, skipped)) = doctest_counts(text) {
            counts = Some((line, passed, failed, skipped));
            continue;
        }
        let failures = text
            .strip_prefix("***Test Failed*** ")
            .and_then(|rest| rest.strip_suffix(" failures.").or(rest.strip_suffix(" failure.")))
            .and_then(|number| number.split(' ').next()?.parse::<u64>().ok());
        let reading = match (counts.take(), failures) {
            (Some((at, passed, failed, skipped)), _) if text == "Test passed." || failures.is_some() => {
                let tally = Tally::of(passed, failed, skipped);
                Reading::from_tally(READER.id, tally, at.quote()).quoting(line.quote())
            }
            // Without -v, only failures are printed.
            (None, Some(failed)) => {
                let tally = Tally { passed: None, skipped: None, ..Tally::of(0, failed, 0) };
                Reading::from_tally(READER.id, tally, line.quote())
            }
            _ => continue,
        };
        readings.push(reading);
    }
    readings
}

/// `2 passed and 0 failed.`, from 3.13 `2 passed.`, `1 failed.`, `1 passed, 1 failed and 1 skipped.`
fn doctest_counts(text: &str) -> Option<(u64, u64, u64)> {
    let body = text.strip_suffix('.')?;
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for part in body.split(" and ").flat_map(|part| part.split(", ")) {
        let (number, word) = number_and_word(part)?;
        match word {
            "passed" => passed = number,
            "failed" => failed = number,
            "skipped" => skipped = number,
            _ => return None,
        }
    }
    Some((passed, failed, skipped))
}

/// `  Ran 6 tests with 1 failures, 1 errors and 1 skipped in 0.012 seconds.` for each layer, `Total: …` for several.
fn zope(stream: &Stream) -> Vec<Reading> {
    let mut layers = Vec::new();
    let mut readings = Vec::new();
    for line in stream.lines_with("seconds.") {
        let Some((total, tally)) = zope_counts(line.text) else { continue };
        let reading = Reading::from_tally(READER.id, tally, line.quote());
        if total {
            layers.clear();
            readings.push(reading);
        } else {
            layers.push(reading);
        }
    }
    readings.extend(layers);
    readings
}

fn zope_counts(text: &str) -> Option<(bool, Tally)> {
    let total = text.starts_with("Total: ");
    let rest = text.strip_prefix("  Ran ").or_else(|| text.strip_prefix("Total: "))?;
    let (body, time) = rest.rsplit_once(" in ")?;
    if !time.trim_end().ends_with("seconds.") {
        return None;
    }
    let mut numbers = [0; 4];
    let parts = body.replace(" tests with ", " tests, ").replace(" and ", ", ");
    let parts: Vec<&str> = parts.split(", ").collect();
    if parts.len() != numbers.len() {
        return None;
    }
    for ((number, part), word) in
        numbers.iter_mut().zip(parts).zip(["tests", "failures", "errors", "skipped"])
    {
        let (count, actual) = number_and_word(part)?;
        if actual != word {
            return None;
        }
        *number = count;
    }
    let [tests, failures, errors, skipped] = numbers;
    // Whether skipped tests are among those that ran depends on the kind of test: only with none the rest is known.
    let passed = tests.checked_sub(failures + errors + skipped);
    let tally = Tally { passed, errored: Some(errors), ..Tally::of(0, failures, skipped) };
    Some((total, tally))
}

/// The block below `Totals`: ` - Passed: 3`, ` - Failed: 2`.
fn stestr(stream: &Stream) -> Option<Reading> {
    let mut lines = stream.lines();
    let head = lines
        .find(|line| line.text == "Totals" || line.text.starts_with("The specified regex doesn't match"))?;
    if head.text != "Totals" {
        let said = Said::NothingRan(Reason::FilterMatchedNothing);
        return Some(Reading::without_counts(READER.id, said, head.quote()));
    }
    let mut tally = Tally::ZERO;
    let mut seen = 0;
    let mut last = head;
    for line in lines.take(8) {
        let Some((word, number)) = line.text.strip_prefix(" - ").and_then(|rest| rest.split_once(": "))
        else {
            continue;
        };
        let Ok(number) = number.trim().parse::<u64>() else { continue };
        let place = match word {
            "Passed" => &mut tally.passed,
            "Skipped" => &mut tally.skipped,
            "Expected Fail" => &mut tally.expected_failures,
            "Unexpected Success" => &mut tally.unexpected_passes,
            "Failed" => &mut tally.failed,
            _ => continue,
        };
        *place = Some(number);
        seen += 1;
        last = line;
    }
    let reading = Reading::from_tally(READER.id, tally, last.quote());
    (seen == 5).then(|| reading.spanning(head.number, last.number))
}

/// trial prints no `Ran` line where it found no test: a ruler, a blank line and its verdict.
fn trial_without_tests(stream: &Stream) -> Option<Reading> {
    let lines: Vec<Line<'_>> = stream.lines().filter(|line| !line.text.trim().is_empty()).collect();
    let pair = lines
        .windows(2)
        .find(|pair| super::closing::is_ruler(pair[0].text, '-') && pair[1].text == "PASSED")?;
    Some(Reading::without_counts(READER.id, Said::NothingRan(Reason::ZeroTests), pair[1].quote()))
}
