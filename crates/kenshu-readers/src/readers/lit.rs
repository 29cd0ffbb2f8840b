//! lit, LLVM's test runner: its closing table and its JSON; its XML is JUnit's.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::documents::Document;
use crate::json::Json;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "lit";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "lit (LLVM)",
    versions: "14, 23; closing words of 10 as documented",
    formats: "text, JSON",
    zero: "`error: did not discover any tests for provided path(s)`, status 2",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "-- Testing: ",
        "Testing Time: ",
        "Total Discovered Tests: ",
        "error: did not discover any tests",
        "error: filter did not match any tests",
        "-- Available Tests --",
        "lit: error: ",
        "fatal: unable to parse config",
        "Expectedly Failed",
        "Unexpectedly Passed",
        "\"__version__\"",
    ],
    commands: &[
        &["lit"],
        &["llvm-lit"],
        &["lit.py"],
        &["llvm-lit.py"],
        &["python", "-m", "lit.main"],
        &["python", "-m", "lit"],
    ],
    list_options: &["--show-tests", "--show-suites"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let documents = stream.json_documents("\"__version__\"");
    let reports: Vec<Reading> =
        documents.iter().filter_map(|(document, value)| json(*document, *value)).collect();
    if !reports.is_empty() {
        return reports;
    }
    let mut found = Found::default();
    for line in stream.lines() {
        found.take(line);
    }
    found.end_table();
    found.readings(hint)
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    begun: Option<Line<'a>>,
    /// `Testing Time: 0.05s`, above the table unless `-q` was given.
    timed: Option<Line<'a>>,
    /// `Total Discovered Tests: 8`
    discovered: Option<(Line<'a>, u64)>,
    table: Vec<(Line<'a>, &'a str, u64)>,
    failing: Vec<(Line<'a>, Case)>,
    interrupted: bool,
    /// A table with nothing of lit's own above it.
    quiet: Option<Reading>,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text.trim_end();
        if let Some((word, count)) = row(text) {
            self.table.push((line, word, count));
            return;
        }
        self.end_table();
        if text.starts_with("-- Testing: ") && text.ends_with(" --") {
            self.begun = Some(line);
        } else if text.starts_with("Testing Time: ") {
            self.timed = Some(line);
        } else if let Some(count) = text.strip_prefix("Total Discovered Tests: ") {
            self.discovered = count.parse().ok().map(|count| (line, count));
        } else if text.starts_with("warning: interrupted by user") || text == "  [interrupted by user]" {
            self.interrupted = true;
        } else if let Some(case) = failed(text) {
            self.failing.push((line, case));
        } else if let Some(said) = statement(text) {
            let reading = Reading::without_counts(ID, said, line.quote());
            let load_errors = Some(u64::from(said == Said::Failed));
            self.closed.push(if said == Said::Failed {
                Reading { tally: Tally { load_errors, ..Tally::UNKNOWN }, ..reading }
            } else {
                reading
            });
        }
    }

    fn end_table(&mut self) {
        let table = std::mem::take(&mut self.table);
        let Some((first, _, _)) = table.first() else { return };
        let known: Option<Vec<(Field, u64)>> =
            table.iter().map(|(_, word, count)| Some((field(word)?, *count))).collect();
        // A table of somebody else's, unless it stands where lit's does.
        let own = self.timed.is_some() || self.discovered.is_some();
        let Some(known) = known else { return };
        let mut tally = Tally::ZERO;
        for (field, count) in known {
            field.add(&mut tally, count);
        }
        let listed: u64 = table.iter().map(|(_, _, count)| *count).fold(0, u64::saturating_add);
        let whole = self.discovered.map_or(self.timed.is_some(), |(_, count)| count == listed);
        if !whole {
            // `-q` leaves out what passed, what was expected to fail, what is not supported.
            (tally.passed, tally.expected_failures, tally.skipped) = (None, None, None);
        }
        let failed = tally.has_failure() || tally.unexpected_passes.is_some_and(|count| count > 0);
        let said = if failed { Said::Failed } else { Said::of(&tally) };
        let said = if self.interrupted && !failed { Said::Unfinished(Reason::Killed) } else { said };
        let reading = Reading { tally, ..Reading::without_counts(ID, said, first.quote()) };
        let reading = table.iter().fold(reading, |reading, (line, _, _)| reading.quoting(line.quote()));
        if !own {
            // `-q` of old versions has nothing above its table; elsewhere this is what a test printed.
            self.quiet = Some(reading);
            return;
        }
        let begun = self.begun.take().map_or(first.number, |line| line.number);
        let last = reading.lines.1;
        (self.timed, self.discovered) = (None, None);
        let cases = std::mem::take(&mut self.failing).into_iter().map(|(_, case)| case).collect();
        self.closed.push(reading.spanning(begun, last).naming(cases));
    }

    fn readings(self, hint: Hint<'_>) -> Vec<Reading> {
        if !self.closed.is_empty() {
            return self.closed;
        }
        let is_bare = self.begun.is_none() && (hint.named || runs::is_cut(hint));
        if let Some(reading) = self.quiet.filter(|_| is_bare) {
            return vec![reading];
        }
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        let is_own = self.begun.is_some() || hint.named;
        let failure = self.failing.first().filter(|_| is_own).map(|(line, _)| (*line, Said::Failed));
        let open =
            self.begun.or(self.discovered.map(|(line, _)| line)).map(|line| (line, Said::Unfinished(reason)));
        failure
            .or(open)
            .map(|(line, said)| Reading::without_counts(ID, said, line.quote()))
            .into_iter()
            .collect()
    }
}

/// `  Expectedly Failed  : 1 (12.50%)`
fn row(text: &str) -> Option<(&str, u64)> {
    let (word, count) = text.strip_prefix("  ")?.split_once(':')?;
    let is_word = word.starts_with(|symbol: char| symbol.is_ascii_uppercase());
    let count = count.strip_prefix(' ')?.trim();
    let count =
        count.split_once(" (").map_or(count, |(count, share)| if share.ends_with("%)") { count } else { "" });
    Some((word.trim_end(), count.parse().ok()?)).filter(|_| is_word)
}

#[derive(Clone, Copy)]
enum Field {
    Passed,
    Flaky,
    Failed,
    Errored,
    Skipped,
    ExpectedFailure,
    UnexpectedPass,
}

impl Field {
    fn add(self, tally: &mut Tally, count: u64) {
        let add = |field: &mut Option<u64>| *field = field.and_then(|sum| sum.checked_add(count));
        match self {
            Field::Passed => add(&mut tally.passed),
            Field::Flaky => {
                add(&mut tally.passed);
                add(&mut tally.flaky);
            }
            Field::Failed => add(&mut tally.failed),
            Field::Errored => add(&mut tally.errored),
            Field::Skipped => add(&mut tally.skipped),
            Field::ExpectedFailure => add(&mut tally.expected_failures),
            Field::UnexpectedPass => add(&mut tally.unexpected_passes),
        }
    }
}

/// The words since LLVM 11, and those before it.
fn field(word: &str) -> Option<Field> {
    Some(match word {
        "Passed" | "Expected Passes" => Field::Passed,
        "Passed With Retry" | "Passes With Retry" => Field::Flaky,
        "Failed" | "Unexpected Failures" => Field::Failed,
        "Unresolved" | "Unresolved Tests" | "Timed Out" | "Individual Timeouts" => Field::Errored,
        "Excluded" | "Skipped" | "Skipped Tests" | "Unsupported" | "Unsupported Tests" => Field::Skipped,
        "Expectedly Failed" | "Expected Failures" => Field::ExpectedFailure,
        "Unexpectedly Passed" | "Unexpected Passing Tests" | "Unexpected Passes" => Field::UnexpectedPass,
        _ => return None,
    })
}

/// `FAIL: demo :: d.test (3 of 8)`
fn failed(text: &str) -> Option<Case> {
    let rest = ["FAIL: ", "UNRESOLVED: ", "TIMEOUT: "].iter().find_map(|word| text.strip_prefix(word))?;
    let (name, place) = rest.rsplit_once(" (")?;
    let is_place = place.strip_suffix(')')?.contains(" of ") && name.contains(" :: ");
    let file = name.rsplit_once(" :: ").map(|(_, file)| file.to_owned());
    is_place.then(|| Case {
        name: name.to_owned(),
        file,
        status: CaseStatus::Failed,
        message: None,
        file_level: false,
    })
}

fn statement(text: &str) -> Option<Said> {
    if text == "error: did not discover any tests for provided path(s)" {
        return Some(Said::NothingRan(Reason::NoTestFiles));
    }
    if text.starts_with("error: filter did not match any tests")
        || text.starts_with("warning: filter did not match any tests")
    {
        return Some(Said::NothingRan(Reason::FilterMatchedNothing));
    }
    if text == "-- Available Tests --" || text == "-- Test Suites --" {
        return Some(Said::NothingRan(Reason::ListOnly));
    }
    if text.starts_with("lit: error: ") || text.starts_with("llvm-lit: error: ") {
        return Some(Said::CouldNotRun(Reason::UsageError));
    }
    let config = text.contains("fatal: unable to parse config file '");
    config.then_some(Said::Failed)
}

/// `lit -o FILE`: every test with its code.
fn json(document: Document<'_>, value: Json<'_>) -> Option<Reading> {
    let mut tally = Tally::ZERO;
    for test in value.get("tests")?.as_array()? {
        let field = match &*test.get("code")?.as_str()? {
            "PASS" => Field::Passed,
            "FLAKYPASS" => Field::Flaky,
            "FAIL" => Field::Failed,
            "UNRESOLVED" | "TIMEOUT" => Field::Errored,
            "SKIPPED" | "EXCLUDED" | "UNSUPPORTED" => Field::Skipped,
            "XFAIL" => Field::ExpectedFailure,
            "XPASS" => Field::UnexpectedPass,
            _ => return None,
        };
        field.add(&mut tally, 1);
    }
    let reading =
        Reading::from_tally(ID, tally, document.quote("tests")).spanning(document.first, document.last);
    let unexpected = tally.unexpected_passes.is_some_and(|count| count > 0);
    Some(if unexpected { reading.saying(Said::Failed) } else { reading })
}
