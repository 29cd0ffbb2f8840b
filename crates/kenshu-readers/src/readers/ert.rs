//! Emacs ERT in batch mode: its closing line and the lists below it.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "ert";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Emacs ERT",
    versions: "28",
    formats: "text",
    zero: "`Ran 0 tests, 0 results as expected, 0 unexpected`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[" results as expected", ", selector "],
    commands: &[
        &["emacs", "ert-run-tests-batch-and-exit"],
        &["emacs", "ert-run-tests-batch"],
        &["eask", "test", "ert"],
        &["cask", "exec", "ert-runner"],
        &["ert-runner"],
    ],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut found = Found::default();
    for line in stream.lines() {
        found.take(line);
    }
    if found.closed.is_empty() {
        let Some(begun) = found.begun else { return Vec::new() };
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        let failed =
            found.failing.first().map(|line| Reading::without_counts(ID, Said::Failed, line.quote()));
        return vec![
            failed.unwrap_or_else(|| Reading::without_counts(ID, Said::Unfinished(reason), begun.quote())),
        ];
    }
    let cut = runs::loses_its_end(hint);
    let readings = runs::closing(found.closed, hint).into_iter();
    readings.map(|reading| if cut { reading.summed() } else { reading }).collect()
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    /// How many closing lines stand above the last header.
    above_header: usize,
    begun: Option<Line<'a>>,
    failing: Vec<Line<'a>>,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>) {
        static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
            let pattern = concat!(
                r"^(?P<aborted>Aborted: )?Ran (?P<ran>\d+) tests?, (?P<expected>\d+) results? as expected",
                r"(?:, (?P<unexpected>\d+) unexpected)?(?:, (?P<skipped>\d+) skipped)? \([^()]*\)$"
            );
            Regex::new(pattern).expect("pattern of a line")
        });
        let text = line.text.trim_end();
        if text.starts_with("Running ") && text.contains(" tests (") {
            self.begun = Some(line);
            self.above_header = self.closed.len();
        } else if text.contains("Ran ")
            && let Some(found) = CLOSING.captures(text)
        {
            let number =
                |name: &str| found.name(name).map_or(Some(0), |part| part.as_str().parse::<u64>().ok());
            let tally = Tally {
                passed: number("expected"),
                failed: number("unexpected"),
                skipped: number("skipped"),
                ..Tally::ZERO
            };
            let aborted = found.name("aborted").is_some();
            let stopped = aborted && !tally.has_failure();
            let said = if stopped { Said::Unfinished(Reason::Killed) } else { Said::of(&tally) };
            let mut reading = Reading { tally, ..Reading::without_counts(ID, said, line.quote()) };
            if let Some(begun) = self.begun {
                // One run has one header and one closing line; what its tests print stands between the two.
                self.closed.truncate(self.above_header);
                reading = reading.spanning(begun.number, line.number);
            }
            self.closed.push(reading);
        } else if text.starts_with("   FAILED  ") {
            self.failing.push(line);
            self.list(line, text);
        } else if text.starts_with("   PASSED  ") || text.ends_with(" expected failures") {
            self.list(line, text);
        }
    }

    /// A line below a closing line: `1 expected failures`, `   FAILED  name`, `   PASSED  name`.
    fn list(&mut self, line: Line<'a>, text: &str) {
        let Some(last) = self.closed.last_mut() else { return };
        if last.tally.failed == Some(0) && !text.ends_with(" expected failures") {
            return;
        }
        let (passed, failed) = (last.tally.passed, last.tally.failed);
        if let Some(count) = text.strip_suffix(" expected failures") {
            let Ok(count) = count.parse::<u64>() else { return };
            let is_next = last.lines.1 + 1 == line.number && last.tally.expected_failures == Some(0);
            let Some(left) = passed.and_then(|passed| passed.checked_sub(count)).filter(|_| is_next) else {
                return;
            };
            (last.tally.passed, last.tally.expected_failures) = (Some(left), Some(count));
        } else if text.starts_with("   PASSED  ") {
            let more = last.tally.unexpected_passes.and_then(|count| count.checked_add(1));
            (last.tally.failed, last.tally.unexpected_passes) =
                (failed.and_then(|count| count.checked_sub(1)), more);
            last.said = Said::Failed;
        } else if let Some(name) = text.split_whitespace().nth(1) {
            let name = name.to_owned();
            last.cases.push(Case {
                name,
                file: None,
                status: CaseStatus::Failed,
                message: None,
                file_level: false,
            });
        }
        last.quotes.push(line.quote());
        last.lines.1 = line.number;
    }
}
