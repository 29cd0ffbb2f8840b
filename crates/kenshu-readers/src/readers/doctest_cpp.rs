//! doctest (C++): its closing lines and its XML.

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};

use crate::documents::Document;
use crate::marks::Marks;
use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "doctest-cpp";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "doctest (C++)",
    versions: "2.4",
    formats: "text, XML",
    zero: "`[doctest] test cases: 0 | 0 passed | 0 failed | 0 skipped`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["[doctest] ", "<doctest "],
    commands: &[],
    list_options: &[],
    covers: &["junit-xml"],
    marks: Marks::NONE,
    read,
};

/// Options that choose tests: what they leave out is counted as skipped.
const FILTERS: &[&str] = &[
    "-tc",
    "--test-case",
    "-tce",
    "--test-case-exclude",
    "-ts",
    "--test-suite",
    "-tse",
    "--test-suite-exclude",
    "-sf",
    "--source-file",
    "-sfe",
    "--source-file-exclude",
];

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let reports: Vec<Reading> = stream.xml_documents(&["doctest"]).into_iter().map(xml).collect();
    if !reports.is_empty() {
        return reports;
    }
    let mut found = Found::default();
    for line in stream.lines() {
        found.take(line, hint);
    }
    found.readings(stream, hint)
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    begun: Option<Line<'a>>,
    /// How many statements stand above the last header.
    above_header: usize,
    /// A crash, which ends the run, or the closing status without its numbers.
    crashed: Option<Line<'a>>,
    status: Option<Line<'a>>,
    name: Option<&'a str>,
    failing: Vec<Case>,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>, hint: Hint<'_>) {
        let text = line.text.trim_end();
        let Some(own) = text.strip_prefix("[doctest] ") else {
            self.take_test(line, text);
            return;
        };
        if own.starts_with("doctest version is \"") {
            self.begun = Some(line);
            self.above_header = self.closed.len();
        } else if let Some(tally) = own.strip_prefix("test cases:").and_then(columns) {
            self.close(line, tally, hint);
        } else if own == "listing all test case names"
            || own.starts_with("unskipped test cases passing the current")
        {
            let listed = Said::NothingRan(Reason::ListOnly);
            match self.closed.pop_if(|reading| reading.said == listed) {
                Some(reading) => self.closed.push(reading.quoting(line.quote())),
                None => self.closed.push(Reading::without_counts(ID, listed, line.quote())),
            }
        } else if matches!(own, "Status: SUCCESS!" | "Status: FAILURE!") {
            self.status = Some(line);
            let failed = own == "Status: FAILURE!";
            if let Some(last) = self.closed.pop_if(|reading| reading.lines.1.saturating_add(2) >= line.number)
            {
                let last = if failed { last.saying(Said::Failed) } else { last };
                self.closed.push(last.quoting(line.quote()));
            }
        }
    }

    /// A line of a test's own block.
    fn take_test(&mut self, line: Line<'a>, text: &'a str) {
        if let Some(name) = text.strip_prefix("TEST CASE:  ") {
            self.name = Some(name);
        } else if text.contains(": FATAL ERROR: test case CRASHED: ") {
            self.crashed = Some(line);
        } else if text.contains(": ERROR: ") || text.contains(": FATAL ERROR: ") {
            let Some(name) = self.name else { return };
            if self.failing.last().is_some_and(|case| case.name == name) {
                return;
            }
            let place = text.split(": ").next().and_then(|place| place.rsplit_once(':'));
            self.failing.push(Case {
                name: name.to_owned(),
                file: place.map(|(file, _)| file.to_owned()),
                status: CaseStatus::Failed,
                message: text.split_once("ERROR: ").map(|(_, message)| message.to_owned()),
                file_level: false,
            });
        } else if text.ends_with("so marking it as not failed") {
            self.failing.pop_if(|case| Some(case.name.as_str()) == self.name);
        }
    }

    fn close(&mut self, line: Line<'a>, tally: Tally, hint: Hint<'_>) {
        let filtered = tally.ran() == Some(0)
            && hint.invocations.iter().any(|invocation| invocation.has_option(FILTERS));
        let said = if filtered { Said::NothingRan(Reason::FilterMatchedNothing) } else { Said::of(&tally) };
        let mut reading = Reading { tally, ..Reading::without_counts(ID, said, line.quote()) };
        if let Some(begun) = self.begun {
            // One run has one header and one closing line, and what its tests print stands between the two.
            self.closed.truncate(self.above_header);
            reading = reading.spanning(begun.number, line.number);
        }
        if tally.failed == Some(self.failing.len() as u64) {
            reading = reading.naming(std::mem::take(&mut self.failing));
        }
        self.closed.push(reading);
    }

    fn readings(self, stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
        if !self.closed.is_empty() {
            let readings = runs::closing(self.closed, hint);
            if runs::loses_its_end(hint) {
                return readings.into_iter().map(Reading::summed).collect();
            }
            return readings;
        }
        if let Some(line) = self.status {
            let said = if line.text.contains("FAILURE") {
                Said::Failed
            } else {
                Said::Unfinished(Reason::OutputCut)
            };
            return vec![Reading::without_counts(ID, said, line.quote())];
        }
        let is_own = self.begun.is_some();
        if let Some(line) = self.crashed.filter(|_| is_own) {
            return vec![Reading::without_counts(ID, Said::Failed, line.quote())];
        }
        let Some(begun) = self.begun else { return Vec::new() };
        if stream.last_line().is_some_and(|last| last.number == begun.number) && !runs::is_cut(hint) {
            // `--version` prints this line alone.
            return vec![Reading::without_counts(ID, Said::NothingRan(Reason::ListOnly), begun.quote())];
        }
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        vec![Reading::without_counts(ID, Said::Unfinished(reason), begun.quote())]
    }
}

/// ` 5 | 3 passed | 2 failed | 1 skipped`, padded; an unknown word gives nothing.
fn columns(text: &str) -> Option<Tally> {
    let mut parts = text.split('|').map(str::trim);
    let total: u64 = parts.next()?.parse().ok()?;
    let mut tally = Tally::ZERO;
    for part in parts.filter(|part| !part.is_empty()) {
        let (count, word) = number_and_word(part)?;
        let field = match word {
            "passed" => &mut tally.passed,
            "failed" => &mut tally.failed,
            "skipped" => &mut tally.skipped,
            _ => return None,
        };
        *field = Some(count);
    }
    (tally.ran() == Some(total)).then_some(tally)
}

/// `<OverallResultsTestCases successes="5" failures="2" skipped="1"/>` counts the whole run.
fn xml(document: Document<'_>) -> Reading {
    let is_closed = document.text.trim_end().ends_with("</doctest>");
    let totals = document
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim().starts_with("<OverallResultsTestCases "));
    let Some((at, line)) = totals.last().filter(|(_, line)| is_closed && !line.contains(" unskipped="))
    else {
        let quote = Quote::new(document.first, document.text.lines().next().unwrap_or_default());
        let failed = document.text.contains("test_case_success=\"false\"");
        let listed = is_closed && document.text.contains("<OverallResultsTestCases unskipped=");
        let said = match (failed, listed) {
            (true, _) => Said::Failed,
            (false, true) => Said::NothingRan(Reason::ListOnly),
            (false, false) => Said::Unfinished(Reason::ReportUnfinished),
        };
        return Reading::without_counts(ID, said, quote).spanning(document.first, document.last);
    };
    let number = |name: &str| {
        let (_, rest) = line.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')?.0.parse().ok()
    };
    let tally = Tally {
        passed: number("successes"),
        failed: number("failures"),
        skipped: Some(number("skipped").unwrap_or(0)),
        ..Tally::ZERO
    };
    let at = document.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    Reading::from_tally(ID, tally, Quote::new(at, line.trim())).spanning(document.first, document.last)
}
