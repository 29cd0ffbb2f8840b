//! shUnit2: its closing lines. Its numbers behind `FAILED` and `OK` are assertions, not tests.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::settle;
use crate::text::{Line, Stream};

const ID: &str = "shunit2";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "shUnit2",
    versions: "2.1.8",
    formats: "text",
    zero: "`Ran 0 tests.`, `OK`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[" tests.\n", " test.\n", "shunit2:"],
    commands: &[&["shunit2"]],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

/// `Ran 3 tests.` with the verdict two lines below.
struct Closing<'a> {
    line: Line<'a>,
    verdict: Line<'a>,
    total: u64,
    /// How many test names stand above it.
    seen: usize,
    failing: usize,
}

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static RAN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^Ran (\d+) tests?\.$").expect("pattern of a line"));
    let lines = stream.all_lines();
    let mut closings: Vec<Closing<'_>> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let mut failing: Vec<(Line<'_>, &str)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if is_name(line.text) {
            names.push(line.text);
        } else if let Some(name) = failed(line.text) {
            failing.push((*line, name));
        } else if line.text.starts_with("Ran ")
            && let Some(found) = RAN.captures(line.text)
            && let Ok(total) = found[1].parse()
            && let Some(verdict) = lines[index + 1..].iter().find(|line| !line.text.trim().is_empty())
            && is_verdict(verdict.text)
        {
            closings.push(Closing {
                line: *line,
                verdict: *verdict,
                total,
                seen: names.len(),
                failing: failing.len(),
            });
        }
    }
    let cut = runs::is_cut(hint);
    let settled = settle::settle(closings.len(), !names.is_empty(), cut, |at, after| {
        let from = after.map_or(0, |after| closings[after].seen);
        closings[at].total.cmp(&((closings[at].seen - from) as u64))
    });
    let mut from = 0;
    let mut readings = Vec::new();
    for at in settled.accepted {
        let closing = &closings[at];
        readings.push(reading(closing, failing.get(from..closing.failing).unwrap_or_default()));
        from = closing.failing;
    }
    if readings.is_empty()
        && let Some((line, _)) = failing.first()
    {
        readings.push(Reading::without_counts(ID, Said::Failed, line.quote()));
    }
    readings
}

/// A test's name as it is printed before it runs: a function that begins with `test`.
fn is_name(text: &str) -> bool {
    text.starts_with("test") && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// `shunit2:ERROR testD() returned non-zero return code.`
fn failed(text: &str) -> Option<&str> {
    text.strip_prefix("shunit2:ERROR ")?.strip_suffix("() returned non-zero return code.")
}

fn is_verdict(text: &str) -> bool {
    text == "OK" || ((text.starts_with("OK (") || text.starts_with("FAILED (")) && text.ends_with(')'))
}

fn reading(closing: &Closing<'_>, failing: &[(Line<'_>, &str)]) -> Reading {
    let verdict = closing.verdict.text;
    let skipped = crate::numbers::after(verdict, "skipped").unwrap_or(0);
    let mut names: Vec<&str> = failing.iter().map(|(_, name)| *name).collect();
    names.dedup();
    let is_failed = verdict.starts_with("FAILED");
    let failed = match (is_failed, names.len()) {
        (false, _) => Some(0),
        // A test that ends the shell, and old versions, name none.
        (true, 0) => None,
        (true, count) => Some(count as u64),
    };
    // One skipped assertion is one test; several may be in one test.
    let skipped = (skipped <= 1).then_some(skipped);
    let passed =
        failed.zip(skipped).and_then(|(failed, skipped)| closing.total.checked_sub(failed + skipped));
    let tally = Tally { passed, failed, skipped, ..Tally::ZERO };
    let said = match (is_failed, passed) {
        (true, _) => Said::Failed,
        (false, Some(_)) => Said::of(&tally),
        (false, None) => Said::Unfinished(Reason::Ambiguous),
    };
    let cases = names.into_iter().map(|name| Case {
        name: name.to_owned(),
        file: None,
        status: CaseStatus::Failed,
        message: None,
        file_level: false,
    });
    Reading { tally, ..Reading::without_counts(ID, said, closing.line.quote()) }
        .quoting(closing.verdict.quote())
        .naming(cases.collect())
}
