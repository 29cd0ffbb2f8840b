//! `node-tap`: what node-tap prints besides TAP: its base and terse reporters, and its JSON. Counted in assertions, as
//! its own numbers are.
//!
//! From version 18 on a run closes with `# { total: 5, pass: 3, fail: 2 }`; before, with `Suites:` and `Asserts:`, of
//! which many are printed on the way. Its TAP is read as TAP.

use kenshu_model::{Reason, Tally};

use crate::json::Json;
use crate::marks::Marks;
use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "node-tap";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "node-tap",
    versions: "16.3, 18, 21",
    formats: "text of the base and terse reporters, JSON; TAP by the reader of TAP",
    zero: "a file without a test is a skipped one, status 0; \"No test files found\", status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["Asserts:  ", "\"name\": \"TAP Tests\"", "# { total: "],
    commands: &[&["tap"]],
    list_options: &["list"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings: Vec<Reading> = stream
        .json_documents("\"TAP Tests\"")
        .into_iter()
        .filter_map(|(document, value)| {
            let reading = Reading::from_tally(ID, json(value)?, document.quote("assertions"));
            Some(reading.spanning(document.first, document.last))
        })
        .collect();
    if readings.is_empty() && !stream.contains("TAP version 1") {
        readings = text(&stream.all_lines(), hint);
    }
    readings
}

/// The closing lines of every run.
fn text(lines: &[Line<'_>], hint: Hint<'_>) -> Vec<Reading> {
    let has_asserts = lines.iter().any(|line| line.text.starts_with("Asserts:  "));
    if !has_asserts && !hint.named {
        return Vec::new();
    }
    let closings: Vec<(usize, Tally)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, totals(line.text)?))).collect();
    let mut from = 0;
    let mut readings = Vec::new();
    if closings.is_empty() {
        readings.extend(old_closing(lines));
    }
    for (at, tally) in closings {
        let reading = Reading::from_tally(ID, tally, lines[at].quote());
        readings.push(reading.spanning(lines[from].number, lines[at].number));
        from = at + 1;
    }
    let limit = lines.iter().find(|line| {
        line.text.starts_with("ERROR: Coverage for ") || line.text.starts_with("ERROR: incomplete coverage")
    });
    if let Some(limit) = limit
        && let Some(last) = readings.pop()
    {
        readings.push(last.saying(Said::Failed).quoting(limit.quote()));
    }
    readings
}

/// `# { total: 5, pass: 1, fail: 2, todo: 1, skip: 1 }`.
fn totals(text: &str) -> Option<Tally> {
    let parts = text.strip_prefix("# { ")?.strip_suffix(" }")?;
    let mut total = None;
    let mut tally = Tally::of(0, 0, 0);
    for part in parts.split(", ") {
        let (word, number) = part.split_once(": ")?;
        let number = number.parse::<u64>().ok();
        match word {
            "total" => total = number,
            "pass" => tally.passed = number,
            "fail" => tally.failed = number,
            "skip" => tally.skipped = number,
            "todo" => tally.todo = number,
            _ => return None,
        }
    }
    // `todo` and `skip` can be both of one assertion; more than that is no sum of node-tap's.
    (total? <= tally.total()?).then_some(tally)
}

/// The last `Asserts:` line of versions before 18, next to its `Suites:` line. Of two runs only one would be read.
fn old_closing(lines: &[Line<'_>]) -> Option<Reading> {
    let summaries = lines.iter().filter(|line| line.text.contains("SUMMARY RESULTS")).count();
    let at = lines.iter().rposition(|line| line.text.starts_with("Asserts:  "))?;
    let suites = at.checked_sub(1).filter(|above| lines[*above].text.starts_with("Suites:"));
    let plain = |at: usize| lines[at].text.replace('\u{200b}', "");
    let said = match suites.map(plain).as_deref().and_then(completed) {
        Some((done, all)) if done == all && summaries < 2 => None,
        Some(_) if summaries > 1 => Some(Said::Unfinished(Reason::Ambiguous)),
        Some(_) | None => Some(Said::Unfinished(Reason::NoSummary)),
    };
    let tally = asserts(&plain(at))?;
    let mut reading = Reading::from_tally(ID, tally, lines[at].quote());
    if let Some(suites) = suites {
        reading = reading.quoting(lines[suites].quote());
    }
    match said {
        Some(said) if !tally.has_failure() => Some(reading.saying(said)),
        Some(_) => {
            reading.tally = Tally::UNKNOWN;
            Some(reading)
        }
        None => Some(reading),
    }
}

/// `Suites:   1 failed, 1 of 1 completed` → 1 of 1; from version 18 on `1 of 1 complete`.
fn completed(text: &str) -> Option<(u64, u64)> {
    let rest =
        text.trim_end().strip_suffix(" completed").or_else(|| text.trim_end().strip_suffix(" complete"))?;
    let (before, all) = rest.rsplit_once(" of ")?;
    let done = before.rsplit([' ', ',']).next()?;
    Some((done.parse().ok()?, all.parse().ok()?))
}

/// `Asserts:  2 failed, 1 passed, 1 todo, 1 skip, of 5`; from version 18 on `3 pass  2 fail  5 of 5 complete`.
fn asserts(text: &str) -> Option<Tally> {
    let mut tally = Tally::of(0, 0, 0);
    for part in text.strip_prefix("Asserts:")?.split([',']).flat_map(|part| part.split("  ")) {
        let part = part.trim();
        if part.is_empty() || part.starts_with("of ") || part.contains(" of ") {
            continue;
        }
        let (number, word) = number_and_word(part)?;
        match word {
            "passed" | "pass" => tally.passed = Some(number),
            "failed" | "fail" => tally.failed = Some(number),
            "skip" => tally.skipped = Some(number),
            "todo" => tally.todo = Some(number),
            _ => return None,
        }
    }
    Some(tally)
}

/// The cases of all suites, which are nested to any depth. A suite that failed without one is a file that did not load.
fn json(report: Json<'_>) -> Option<Tally> {
    if !report.get("name")?.is("TAP Tests") {
        return None;
    }
    let is_set = |value: Json<'_>| !value.is_null() && value.as_bool() != Some(false);
    let mut tally = [0u64; 4];
    let mut load_errors = 0;
    let mut open = vec![report];
    while let Some(suite) = open.pop() {
        let (suites, cases) = (suite.list("suites"), suite.list("cases"));
        load_errors +=
            u64::from(suites.is_empty() && cases.is_empty() && suite.at("ok").as_bool() == Some(false));
        for case in cases {
            let kind = match (
                is_set(case.at("skip")),
                is_set(case.at("todo")),
                case.at("ok").as_bool() == Some(true),
            ) {
                (true, ..) => 2,
                (false, true, _) => 3,
                (false, false, true) => 0,
                (false, false, false) => 1,
            };
            tally[kind] += 1;
        }
        open.extend(suites);
    }
    let [passed, failed, skipped, todo] = tally;
    Some(Tally { todo: Some(todo), load_errors: Some(load_errors), ..Tally::of(passed, failed, skipped) })
}
