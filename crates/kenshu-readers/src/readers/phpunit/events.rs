//! PHPUnit's event log: `--debug` and `--log-events-text php://stdout`.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

/// Every event log in the stream.
pub(super) fn read(stream: &Stream) -> Vec<Reading> {
    if !stream.contains("PHPUnit Started (PHPUnit ") {
        return Vec::new();
    }
    let mut readings = Vec::new();
    let mut log: Option<Log<'_>> = None;
    for line in stream.lines() {
        if line.text.starts_with("PHPUnit Started (PHPUnit ") {
            readings.extend(log.take().map(|log| log.finish(None)));
            log = Some(Log {
                header: line,
                passed: 0,
                failed: 0,
                errored: 0,
                outside: 0,
                skipped: 0,
                cases: Vec::new(),
            });
            continue;
        }
        let Some(open) = &mut log else { continue };
        if line.text.starts_with("PHPUnit Finished (Shell Exit Code: ") {
            readings.extend(log.take().map(|log| log.finish(Some(line))));
        } else {
            open.take(line.text);
        }
    }
    readings.extend(log.map(|log| log.finish(None)));
    readings
}

struct Log<'a> {
    header: Line<'a>,
    passed: u64,
    failed: u64,
    errored: u64,
    /// Errors of class hooks and of PHPUnit itself.
    outside: u64,
    skipped: u64,
    cases: Vec<Case>,
}

impl Log<'_> {
    fn take(&mut self, text: &str) {
        let Some((event, name)) = text.split_once(" (") else { return };
        let name = name.strip_suffix(')').unwrap_or(name);
        match event {
            "Test Passed" => self.passed += 1,
            "Test Failed" => {
                self.failed += 1;
                self.cases.push(super::case(name, CaseStatus::Failed));
            }
            "Test Errored" => {
                self.errored += 1;
                self.cases.push(super::case(name, CaseStatus::Failed));
            }
            "Test Skipped" | "Test Marked Incomplete" => {
                self.skipped += 1;
                self.cases.push(super::case(name, CaseStatus::Skipped));
            }
            "Before First Test Method Errored"
            | "After Last Test Method Errored"
            | "Test Triggered PHPUnit Error" => {
                self.outside += 1;
            }
            _ => {}
        }
    }

    fn finish(self, end: Option<Line<'_>>) -> Reading {
        let tally = Tally {
            errored: Some(self.errored),
            load_errors: Some(self.outside),
            ..Tally::of(self.passed, self.failed, self.skipped)
        };
        let reading = match end {
            Some(end) => Reading::from_tally("phpunit", tally, end.quote()),
            None if tally.has_failure() => {
                let known = Tally { passed: None, skipped: None, ..tally };
                Reading::from_tally("phpunit", known, self.header.quote())
            }
            None => {
                let said = Said::Unfinished(Reason::NoSummary);
                Reading::without_counts("phpunit", said, self.header.quote())
            }
        };
        reading.spanning(self.header.number, self.header.number).naming(self.cases).summed()
    }
}
