//! Criterion (C): its closing line and its JSON; its TAP and XML are those of every producer.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::documents::Document;
use crate::json::Json;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "criterion";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Criterion (C)",
    versions: "2.4",
    formats: "text, JSON",
    zero: "`[====] Synthesis: Tested: 0 | Passing: 0 | Failing: 0 | Crashing: 0`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "[====] Synthesis: ",
        "[FAIL] ",
        "[----] Criterion v",
        "\"id\": \"Criterion v",
        "Tests compiled with Criterion v",
    ],
    commands: &[],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"^\[====\] Synthesis: Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+) ?$",
        )
        .expect("pattern of a line")
    });
    let documents = stream.json_documents("\"Criterion v");
    let reports: Vec<Reading> =
        documents.iter().filter_map(|(document, value)| json(*document, *value)).collect();
    if !reports.is_empty() {
        return reports;
    }
    let mut readings = Vec::new();
    let mut failing: Vec<(Line<'_>, Case)> = Vec::new();
    let mut begun = None;
    for line in stream.lines() {
        if line.text.starts_with("[====] Synthesis: ")
            && let Some(found) = CLOSING.captures(line.text)
        {
            let number = |index: usize| found[index].parse::<u64>().ok();
            let (tested, passing, failures) = (number(1), number(2), number(3));
            // Those that crashed are among those that failed.
            let whole = passing.zip(failures).and_then(|(a, b)| a.checked_add(b)) == tested;
            let tally = Tally { passed: passing, failed: failures, skipped: None, ..Tally::ZERO };
            let said = if whole || failures != Some(0) {
                Said::of(&tally)
            } else {
                Said::Unfinished(Reason::NoSummary)
            };
            let mut reading = Reading { tally, ..Reading::without_counts(ID, said, line.quote()) };
            if failures == Some(failing.len() as u64) {
                reading = reading.naming(failing.iter().map(|(_, case)| case.clone()).collect());
            }
            readings.push(reading.filtered(filters(hint)));
        } else if let Some(rest) = line.text.strip_prefix("[FAIL] ") {
            failing.extend(failed(rest).map(|case| (line, case)));
        } else if line.text.starts_with("[----] Criterion v") {
            begun = Some(line);
        } else if line.text.starts_with("Tests compiled with Criterion v")
            && stream.contains(": unrecognized option ")
        {
            readings.push(Reading::without_counts(ID, Said::CouldNotRun(Reason::UsageError), line.quote()));
        }
    }
    if readings.is_empty() {
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        let failure = failing.first().map(|(line, _)| (Said::Failed, *line));
        let open = begun.map(|line| (Said::Unfinished(reason), line));
        return failure
            .or(open)
            .map(|(said, line)| Reading::without_counts(ID, said, line.quote()))
            .into_iter()
            .collect();
    }
    let cut = runs::loses_its_end(hint);
    let readings = runs::closing(readings, hint).into_iter();
    readings.map(|reading| if cut { reading.summed() } else { reading }).collect()
}

fn filters(hint: Hint<'_>) -> bool {
    hint.invocations.iter().any(|invocation| invocation.has_option(&["--filter", "--pattern"]))
}

/// `suite::name: (0.00s)`, `suite::name: CRASH!`, `suite::name: Timed out. (0.20s)`
fn failed(rest: &str) -> Option<Case> {
    let (name, how) = rest.rsplit_once(": ")?;
    let known = how.starts_with('(') || how == "CRASH!" || how.starts_with("Timed out.");
    let is_test = name.contains("::") && known;
    let message = (!how.starts_with('(')).then(|| how.to_owned());
    is_test.then(|| Case {
        name: name.to_owned(),
        file: None,
        status: CaseStatus::Failed,
        message,
        file_level: false,
    })
}

fn json(document: Document<'_>, value: Json<'_>) -> Option<Reading> {
    if !value.get("id")?.as_str()?.starts_with("Criterion v") {
        return None;
    }
    let number = |name: &str| value.number(name);
    // Those that ended in an error are among the failed.
    let tally = Tally {
        passed: number("passed"),
        failed: number("failed"),
        skipped: number("skipped"),
        ..Tally::ZERO
    };
    let quote = document.quote("failed");
    Some(
        Reading::from_tally(ID, tally, document.quote("passed"))
            .quoting(quote)
            .spanning(document.first, document.last),
    )
}
