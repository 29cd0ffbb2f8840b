//! DejaGnu: the summary of `runtest`.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "dejagnu";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "DejaGnu",
    versions: "1.6",
    formats: "text",
    zero: "a summary without a line, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "\t=== ",
        "# of expected passes",
        "# of unexpected failures",
        "# of un",
        "try \"runtest --help\"",
    ],
    commands: &[&["runtest"]],
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
    found.end_summary();
    let cut = runs::is_cut(hint);
    if let Some(line) = found.begun.take() {
        let failed = found.failing.first().map(|(line, _)| *line);
        let reason = if cut { Reason::OutputCut } else { Reason::NoSummary };
        let said = if failed.is_some() { Said::Failed } else { Said::Unfinished(reason) };
        found.closed.push(Reading::without_counts(ID, said, failed.unwrap_or(line).quote()));
    }
    let behind = runs::loses_its_end(hint);
    found.closed.into_iter().map(|reading| if behind { reading.summed() } else { reading }).collect()
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    /// `=== demo tests ===` without its summary so far.
    begun: Option<Line<'a>>,
    summary: Option<Summary<'a>>,
    failing: Vec<(Line<'a>, Case)>,
}

struct Summary<'a> {
    opening: Line<'a>,
    rows: Vec<(Line<'a>, &'a str, u64)>,
    /// Whether its heading is there: without it a summary may be the rest of one.
    headed: bool,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text.trim();
        if let Some((word, count)) = row(text) {
            let summary = self.summary.get_or_insert_with(|| Summary {
                opening: line,
                rows: Vec::new(),
                headed: false,
            });
            summary.rows.push((line, word, count));
            return;
        }
        if text.is_empty() {
            return;
        }
        self.end_summary();
        if let Some(title) = text.strip_prefix("=== ").and_then(|rest| rest.strip_suffix(" ===")) {
            if title.ends_with(" tests") {
                self.begun = Some(line);
            } else if title.ends_with(" Summary") {
                self.summary = Some(Summary { opening: line, rows: Vec::new(), headed: true });
            }
            // "Summary for TARGET" is a part of the summary that follows.
        } else if let Some(name) =
            ["FAIL: ", "UNRESOLVED: "].iter().find_map(|word| line.text.strip_prefix(word))
        {
            let name = name.to_owned();
            let case =
                Case { name, file: None, status: CaseStatus::Failed, message: None, file_level: false };
            self.failing.push((line, case));
        } else if text == "try \"runtest --help\" for option list" {
            self.closed.push(Reading::without_counts(
                ID,
                Said::CouldNotRun(Reason::UsageError),
                line.quote(),
            ));
        }
    }

    fn end_summary(&mut self) {
        let Some(summary) = self.summary.take() else { return };
        let begun = self.begun.take();
        let mut tally = Tally::ZERO;
        let mut known = summary.headed;
        for (_, word, count) in &summary.rows {
            let field = match *word {
                "expected passes" => &mut tally.passed,
                "unexpected failures" => &mut tally.failed,
                "unexpected successes" | "unknown successes" => &mut tally.unexpected_passes,
                "expected failures" | "known failures" => &mut tally.expected_failures,
                "unresolved testcases" => &mut tally.errored,
                "untested testcases" | "unsupported tests" => &mut tally.skipped,
                "DejaGnu errors" => &mut tally.load_errors,
                "paths in test names" | "duplicate test names" | "warnings" => continue,
                _ => {
                    known = false;
                    continue;
                }
            };
            *field = field.and_then(|sum| sum.checked_add(*count));
        }
        // The rows come in a fixed order, and passes come first.
        known |= summary.rows.first().is_some_and(|(_, word, _)| *word == "expected passes");
        let failed = tally.has_failure() || tally.unexpected_passes.is_some_and(|count| count > 0);
        let said = match (failed, known) {
            (true, _) => Said::Failed,
            (false, true) => Said::of(&tally),
            (false, false) => Said::Unfinished(Reason::OutputCut),
        };
        if !known {
            (tally.passed, tally.load_errors) = (None, None);
        }
        let reading = Reading { tally, ..Reading::without_counts(ID, said, summary.opening.quote()) };
        let reading =
            summary.rows.iter().fold(reading, |reading, (line, _, _)| reading.quoting(line.quote()));
        let (first, last) = (begun.map_or(reading.lines.0, |line| line.number), reading.lines.1);
        let cases = std::mem::take(&mut self.failing).into_iter().map(|(_, case)| case).collect();
        self.closed.push(reading.spanning(first, last).naming(cases));
    }
}

/// `# of expected passes`, tabs, `3`
fn row(text: &str) -> Option<(&str, u64)> {
    let (word, count) = text.strip_prefix("# of ")?.split_once('\t')?;
    Some((word.trim(), count.trim().parse().ok()?))
}
