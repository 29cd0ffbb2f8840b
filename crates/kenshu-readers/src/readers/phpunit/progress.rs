//! PHPUnit's progress: one sign for each test.

use kenshu_model::{Quote, Tally};

use crate::text::Line;

/// The signs of one run.
#[derive(Debug, Default)]
pub(super) struct Progress {
    signs: String,
    quote: Option<Quote>,
    /// `6 / 6 (100%)`: whether the last line with numbers says that all tests were run, and how many there are.
    whole: Option<u64>,
}

impl Progress {
    /// Takes a line if it is one of signs only, with or without `63 / 120 ( 52%)` behind them.
    pub(super) fn take(&mut self, line: Line<'_>) -> bool {
        let (signs, rest) = match line.text.find(' ') {
            Some(at) => (&line.text[..at], line.text[at..].trim()),
            None => (line.text, ""),
        };
        let is_signs = !signs.is_empty() && signs.bytes().all(|sign| b".FESIRWNDP".contains(&sign));
        if !is_signs {
            return false;
        }
        if !rest.is_empty() {
            let Some((done, all)) = ratio(rest) else { return false };
            self.whole = (done == all).then_some(all);
        }
        self.signs.push_str(signs);
        self.quote = Some(line.quote());
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.signs.is_empty()
    }

    pub(super) fn quote(&self) -> Option<Quote> {
        self.quote.clone()
    }

    fn count(&self, sign: char) -> u64 {
        self.signs.chars().filter(|other| *other == sign).count() as u64
    }

    fn good(&self) -> u64 {
        self.signs.len() as u64 - ['F', 'E', 'S', 'I'].iter().map(|sign| self.count(*sign)).sum::<u64>()
    }

    /// How many passed, where there is exactly one sign for each of `tests`.
    pub(super) fn passed(&self, tests: u64) -> Option<u64> {
        (self.signs.len() as u64 == tests).then(|| self.good())
    }

    /// Whether the signs show these errors and failures.
    pub(super) fn agrees(&self, errors: u64, failures: u64) -> bool {
        self.count('E') == errors && self.count('F') == failures
    }

    /// The tally of a run whose signs are all there and show a failure.
    pub(super) fn finished_with_failures(&self) -> Option<Tally> {
        let failed = self.count('F');
        let errored = self.count('E');
        if failed + errored == 0 || self.whole != Some(self.signs.len() as u64) {
            return None;
        }
        let skipped = self.count('S') + self.count('I');
        Some(Tally { errored: Some(errored), ..Tally::of(self.good(), failed, skipped) })
    }
}

/// `6 / 6 (100%)`
fn ratio(text: &str) -> Option<(u64, u64)> {
    let (numbers, percent) = text.split_once(" (")?;
    let percent = percent.strip_suffix("%)")?.trim();
    let (done, all) = numbers.split_once(" / ")?;
    percent.parse::<u64>().ok()?;
    Some((done.trim().parse().ok()?, all.trim().parse().ok()?))
}
