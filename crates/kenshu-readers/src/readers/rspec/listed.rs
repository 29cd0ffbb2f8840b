//! The tests that RSpec names: under `Pending:`, `Failures:` and `Failed examples:`.

use kenshu_model::{Case, CaseStatus, Quote, Tally};

use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

/// Which list the lines stand in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    None,
    Pending,
    Failures,
    FailedExamples,
}

/// Collects the lists of one run.
#[derive(Default)]
pub(super) struct Sections<'a> {
    section: Section,
    /// `  1) name`: name, and the first line of the message.
    numbered: Vec<(CaseStatus, &'a str, Option<String>)>,
    awaits_message: bool,
    /// `rspec ./spec/a_spec.rb:5 # name`: place and name.
    failed: Vec<(&'a str, &'a str)>,
    failed_quotes: Vec<Quote>,
    /// Whether a line that is no entry follows the list of failed examples: then it is whole.
    failed_is_whole: bool,
    new_failed: bool,
    /// Places of the closed run that were tried again.
    pub(super) retried: Vec<String>,
}

impl<'a> Sections<'a> {
    pub(super) fn take(&mut self, line: Line<'a>) {
        let text = line.text;
        match text {
            "Failures:" => self.section = Section::Failures,
            "Failed examples:" => {
                self.section = Section::FailedExamples;
                self.failed.clear();
                self.failed_quotes.clear();
                self.failed_is_whole = false;
            }
            _ if text.starts_with("Pending: (Failures listed here are expected") => {
                self.section = Section::Pending;
            }
            _ => match self.section {
                Section::None => {}
                Section::Pending | Section::Failures => self.numbered_line(text),
                Section::FailedExamples => self.failed_line(line),
            },
        }
    }

    fn numbered_line(&mut self, text: &'a str) {
        if let Some(name) = numbered_name(text) {
            let status =
                if self.section == Section::Failures { CaseStatus::Failed } else { CaseStatus::Skipped };
            self.numbered.push((status, name, None));
            self.awaits_message = false;
            return;
        }
        let trimmed = text.trim();
        let Some((status, _, message)) = self.numbered.last_mut() else { return };
        if *status == CaseStatus::Skipped {
            if message.is_none() {
                *message = trimmed.strip_prefix("# ").map(str::to_owned);
            }
            return;
        }
        match message {
            // The failing source stands first, then a blank line, then what went wrong.
            None if trimmed.is_empty() => self.awaits_message = true,
            None if self.awaits_message => *message = Some(trimmed.to_owned()),
            // `RuntimeError:` alone says little; its text stands below it.
            Some(class) if class.ends_with("Error:") && !trimmed.is_empty() => {
                class.push(' ');
                class.push_str(trimmed);
            }
            None | Some(_) => {}
        }
    }

    fn failed_line(&mut self, line: Line<'a>) {
        let entry = line.text.strip_prefix("rspec ").and_then(|rest| rest.split_once(" # "));
        match entry {
            Some((place, name)) => {
                self.failed.push((place.trim_matches(['\'', '"']), name));
                self.failed_quotes.push(line.quote());
                self.new_failed = true;
            }
            None if self.failed.is_empty() => {}
            None => {
                self.section = Section::None;
                self.failed_is_whole = true;
            }
        }
    }

    /// The tests named above a closing line.
    pub(super) fn close(&mut self) -> Vec<Case> {
        self.section = Section::None;
        self.failed.clear();
        self.failed_quotes.clear();
        self.failed_is_whole = false;
        std::mem::take(&mut self.numbered)
            .into_iter()
            .map(|(status, name, message)| case(name, None, status, message))
            .collect()
    }

    /// Gives the failed tests of the closed run their file and the name without RSpec's marks, and takes those that
    /// failed in the end out of the flaky ones.
    pub(super) fn attach_failed(&mut self, reading: Option<&mut Reading>) {
        if !std::mem::take(&mut self.new_failed) {
            return;
        }
        let Some(reading) = reading else { return };
        let index = self.failed.len() - 1;
        let (place, name) = self.failed[index];
        let flaky = self.retried.iter().filter(|retried| !self.is_failed_place(retried)).count() as u64;
        if !self.retried.is_empty() {
            // A retried example is given by line, a failed one perhaps by index: then they can't be told apart.
            let by_line = self.failed.iter().all(|(place, _)| !place.contains('['));
            reading.tally.flaky = by_line.then_some(flaky);
        }
        let file = Some(file_of(place));
        let known = reading.cases.iter_mut().filter(|case| case.status == CaseStatus::Failed).nth(index);
        match known {
            Some(known) => {
                known.name = name.to_owned();
                known.file = file;
            }
            None => {
                reading.cases.push(case(name, file, CaseStatus::Failed, None));
            }
        }
    }

    fn is_failed_place(&self, retried: &str) -> bool {
        self.failed.iter().any(|(place, _)| *place == retried)
    }

    /// A run whose closing line was taken away, but whose failures are there.
    pub(super) fn failed_without_totals(
        self,
        failure: Option<Quote>,
        hint: Hint<'_>,
        is_only_run: bool,
    ) -> Option<Reading> {
        if is_only_run && !self.failed.is_empty() {
            let failed = self.failed_is_whole.then_some(self.failed.len() as u64);
            let cases = self
                .failed
                .iter()
                .map(|(place, name)| case(name, Some(file_of(place)), CaseStatus::Failed, None));
            let mut quotes = self.failed_quotes.into_iter();
            let reading = Reading::without_counts("rspec", Said::Failed, quotes.next()?);
            let mut reading = quotes.fold(reading, Reading::quoting).naming(cases.collect());
            reading.tally = Tally { failed, ..Tally::UNKNOWN };
            return Some(reading);
        }
        let quote = failure.filter(|_| hint.named)?;
        let cases = self
            .numbered
            .into_iter()
            .map(|(status, name, message)| case(name, None, status, message))
            .collect();
        Some(Reading::without_counts("rspec", Said::Failed, quote).naming(cases))
    }
}

/// `--format failures` prints one line for each failed example and nothing else: `./spec/a_spec.rb:5:name`.
pub(super) fn failures_formatter(stream: &Stream, hint: Hint<'_>) -> Option<Reading> {
    let asked = hint.invocations.iter().any(|invocation| {
        let mut values =
            invocation.arguments.iter().skip_while(|word| !matches!(word.as_str(), "-f" | "--format"));
        values.nth(1).is_some_and(|value| matches!(value.as_str(), "f" | "failures"))
            || invocation.has_option(&["--format=failures", "-ff"])
    });
    if !asked || !hint.named {
        return None;
    }
    let mut reading: Option<Reading> = None;
    let mut failed = 0;
    for line in stream.lines() {
        let Some((file, name)) = place_and_name(line.text) else { continue };
        failed += 1;
        let mut next = match reading.take() {
            None => Reading::without_counts("rspec", Said::Failed, line.quote()),
            Some(reading) => reading.quoting(line.quote()),
        };
        next.cases.push(case(name, Some(file.to_owned()), CaseStatus::Failed, None));
        next.tally = Tally { failed: Some(failed), ..Tally::UNKNOWN };
        reading = Some(next);
    }
    reading.map(Reading::summed)
}

fn place_and_name(text: &str) -> Option<(&str, &str)> {
    let (file, rest) = text.split_once(".rb:")?;
    let (line, name) = rest.split_once(':')?;
    let is_place = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()) && !file.contains(' ');
    is_place.then(|| (&text[..file.len() + 3], name))
}

fn case(name: &str, file: Option<String>, status: CaseStatus, message: Option<String>) -> Case {
    Case { name: name.to_owned(), file, status, message, file_level: false }
}

/// `./spec/a_spec.rb:5` and `./spec/a_spec.rb[1:2]` → `spec/a_spec.rb`.
fn file_of(place: &str) -> String {
    let end = place.find(".rb").map_or(place.len(), |at| at + 3);
    place[..end].trim_start_matches("./").to_owned()
}

/// `  1) sum d` → `sum d`.
fn numbered_name(text: &str) -> Option<&str> {
    let (number, name) = text.strip_prefix("  ")?.split_once(") ")?;
    let number = number.trim_start();
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}
