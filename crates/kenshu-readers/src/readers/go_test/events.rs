//! `go test -json`: one event a line; a package ends with an event that names no test.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Cases, Reason, Tally};
use serde::Deserialize;

use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

use super::{Asked, READER};

/// One line. What is not there is empty; a text without escapes is not copied.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    #[serde(borrow, default)]
    action: Cow<'a, str>,
    #[serde(borrow, default)]
    package: Cow<'a, str>,
    #[serde(borrow, default)]
    test: Cow<'a, str>,
    #[serde(borrow, default)]
    output: Cow<'a, str>,
}

/// What the events of one package say.
struct Package<'a> {
    first: Line<'a>,
    last: Line<'a>,
    end: Option<(Line<'a>, Cow<'a, str>)>,
    /// The last result of each test, and how often it ran.
    results: Vec<(Cow<'a, str>, CaseStatus)>,
    /// Tests that began, and how often each has not ended.
    running: BTreeMap<Cow<'a, str>, u64>,
    cached: bool,
    no_tests: bool,
    no_files: bool,
    not_built: bool,
    failed_verdict: bool,
    messages: BTreeMap<Cow<'a, str>, String>,
}

/// Reads the packages of a stream of events.
pub(super) fn read(stream: &Stream, asked: &Asked) -> Vec<Reading> {
    if !stream.contains("\"Action\":\"") {
        return Vec::new();
    }
    let mut packages: Vec<Package<'_>> = Vec::new();
    // Those without an end. Looking through all of them takes minutes where there are many.
    let mut open: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    for line in stream.lines().filter(|line| line.text.starts_with('{')) {
        let Ok(mut event) = serde_json::from_str::<Event<'_>>(line.text) else { continue };
        if event.package.is_empty() || event.action.is_empty() {
            continue;
        }
        let path = std::mem::take(&mut event.package);
        let at = *open.entry(path.clone()).or_insert_with(|| {
            packages.push(Package::new(line));
            packages.len() - 1
        });
        packages[at].event(line, event);
        if packages[at].end.is_some() {
            // The same package again: another run.
            open.remove(&path);
        }
    }
    packages.into_iter().map(|package| package.reading(asked)).collect()
}

impl<'a> Package<'a> {
    fn new(first: Line<'a>) -> Package<'a> {
        Package {
            first,
            last: first,
            end: None,
            results: Vec::new(),
            running: BTreeMap::new(),
            cached: false,
            no_tests: false,
            no_files: false,
            not_built: false,
            failed_verdict: false,
            messages: BTreeMap::new(),
        }
    }

    fn event(&mut self, line: Line<'a>, event: Event<'a>) {
        self.last = line;
        let Event { action, test, output, .. } = event;
        if test.is_empty() {
            match &*action {
                "output" => self.output(&output),
                "pass" | "fail" | "skip" => self.end = Some((line, action)),
                _ => {}
            }
            return;
        }
        match &*action {
            "run" => *self.running.entry(test).or_default() += 1,
            "output" => self.message(test, &output),
            "pass" => self.result(test, CaseStatus::Passed),
            "fail" => self.result(test, CaseStatus::Failed),
            "skip" => self.result(test, CaseStatus::Skipped),
            _ => {}
        }
    }

    fn result(&mut self, test: Cow<'a, str>, status: CaseStatus) {
        if let Some(times) = self.running.get_mut(&test) {
            *times -= 1;
            if *times == 0 {
                self.running.remove(&test);
            }
        }
        self.results.push((test, status));
    }

    fn message(&mut self, test: Cow<'a, str>, output: &str) {
        if let Some((place, message)) = output.trim().split_once(": ")
            && place.contains(".go:")
        {
            self.messages.entry(test).or_insert_with(|| message.to_owned());
        }
    }

    fn output(&mut self, output: &str) {
        let output = output.trim_end_matches('\n');
        match output {
            "FAIL" => self.failed_verdict = true,
            "PASS" => self.failed_verdict = false,
            _ if output.starts_with("ok  \t") => {
                self.cached = output.contains("\t(cached)");
                self.no_tests = output.ends_with("[no tests to run]");
            }
            _ if output.starts_with("FAIL\t") => {
                self.not_built = output.ends_with(" [build failed]") || output.ends_with(" [setup failed]");
            }
            _ if output.ends_with("[no test files]") => self.no_files = true,
            _ => {}
        }
    }

    fn count(&self, wanted: CaseStatus) -> u64 {
        self.results.iter().filter(|(name, status)| *status == wanted && !name.contains('/')).count() as u64
    }

    fn reading(self, asked: &Asked) -> Reading {
        let quote = self.end.as_ref().map_or(self.last, |(line, _)| *line).quote();
        let failed = self.count(CaseStatus::Failed);
        // A test without an end in a package that passed: its line was torn by what the test printed.
        let package_passed = self.end.as_ref().is_some_and(|(_, action)| *action == "pass");
        let fell_with_the_program = !self.running.is_empty() && failed == 0 && !package_passed;
        let tally = Tally {
            failed: (!fell_with_the_program).then_some(failed),
            ..Tally::of(self.count(CaseStatus::Passed), 0, self.count(CaseStatus::Skipped))
        };
        let without = |said| Reading::without_counts(READER.id, said, quote.clone());
        let reading = Reading::from_tally(READER.id, tally, quote.clone());
        let reading = match self.end.as_ref().map(|(_, action)| &**action) {
            Some("fail") if self.not_built => {
                Reading::from_tally(READER.id, Tally { load_errors: Some(1), ..Tally::ZERO }, quote.clone())
            }
            // `TestMain` and the like: the program failed and no test did.
            Some("fail") if failed == 0 => reading.saying(Said::Failed).with_unknown_failures(),
            Some("fail") => reading,
            None if failed > 0 => without(Said::Failed),
            Some(_) if failed > 0 || self.failed_verdict => reading.saying(Said::Failed),
            None => without(Said::Unfinished(Reason::NoSummary)),
            Some("skip") if self.no_files => without(Said::NothingRan(Reason::NoTestFiles)),
            _ if asked.lists => without(Said::NothingRan(Reason::ListOnly)),
            _ if self.no_tests => without(Said::NothingRan(asked.why_none())),
            _ if self.cached => {
                let cached = Tally { cached: tally.passed, ..tally };
                Reading::from_tally(READER.id, cached, quote.clone()).saying(Said::NothingRan(Reason::Cached))
            }
            _ => reading,
        };
        reading.spanning(self.first.number, self.last.number).naming_all(self.cases()).summed()
    }

    fn cases(&self) -> Cases {
        self.results
            .iter()
            .map(|(name, status)| Case {
                name: name.to_string(),
                file: None,
                status: *status,
                message: self.messages.get(name).filter(|_| *status == CaseStatus::Failed).cloned(),
                file_level: false,
            })
            .collect()
    }
}

impl Reading {
    /// The same reading where something failed that is no counted test.
    fn with_unknown_failures(mut self) -> Reading {
        self.tally.failed = None;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(events: &[&str], said: Said) {
        let stream = Stream::plain(events.join("\n"));
        let asked = Asked::new(&stream, crate::reader::Hint::default());
        let readings = read(&stream, &asked);
        assert_eq!(readings.iter().map(|reading| reading.said).collect::<Vec<_>>(), [said]);
    }

    const RUN: &str = r#"{"Action":"run","Package":"p","Test":"TestP"}"#;
    const PASS: &str = r#"{"Action":"pass","Package":"p","Test":"TestP"}"#;

    #[test]
    fn a_package_without_an_end_did_not_pass() {
        // A panic of a goroutine after the last test: golang/go#37555, gotestyourself/gotestsum#94.
        check(&[RUN, PASS], Said::Unfinished(Reason::NoSummary));
        check(&[RUN, PASS, r#"{"Action":"fail","Package":"p"}"#], Said::Failed);
    }

    #[test]
    fn a_torn_line_of_a_subtest_accuses_nobody() {
        // gotestyourself/gotestsum#141: the event of a subtest is missing, its parent and package passed.
        let part = r#"{"Action":"run","Package":"p","Test":"TestP/http"}"#;
        check(&[RUN, part, PASS, r#"{"Action":"pass","Package":"p"}"#], Said::Passed);
    }
}
