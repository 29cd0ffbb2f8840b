//! clojure.test: its closing lines. The numbers on the second one are assertions, not tests.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "clojure-test";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "clojure.test",
    versions: "1.11",
    formats: "text",
    zero: "`Ran 0 tests containing 0 assertions.`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[" tests containing ", " errors.\n"],
    commands: &[&["lein", "test"], &["clojure"], &["clj"], &["bb", "test"]],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static RAN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^Ran (\d+) tests containing (\d+) assertions\.$").expect("pattern of a line")
    });
    static FAILED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(\d+) failures, (\d+) errors\.$").expect("pattern of a line"));
    let mut readings = Vec::new();
    let mut reports = Reports::default();
    let mut ran: Option<(Line<'_>, u64)> = None;
    for line in stream.lines() {
        let text = line.text.trim_end();
        if let Some(namespace) = text.strip_prefix("Testing ").or_else(|| text.strip_prefix("lein test ")) {
            reports.namespace = namespace;
        } else if text.starts_with("FAIL in (") || text.starts_with("ERROR in (") {
            reports.take(line, text);
        } else if let Some(found) = RAN.captures(text) {
            ran = found[1].parse().ok().map(|count| (line, count));
        } else if text.ends_with(" errors.")
            && let Some(found) = FAILED.captures(text)
        {
            let assertions = found[1].parse::<u64>().ok().zip(found[2].parse::<u64>().ok());
            let Some((failures, errors)) = assertions else { continue };
            readings.push(reading(line, ran.take(), failures.saturating_add(errors), &reports));
            reports = Reports { namespace: reports.namespace, ..Reports::default() };
        }
    }
    if readings.is_empty() {
        let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
        let failed = reports.first.map(|line| (line, Said::Failed)).filter(|_| hint.named);
        let open = ran.map(|(line, _)| (line, Said::Unfinished(reason)));
        let reading = failed.or(open).map(|(line, said)| Reading::without_counts(ID, said, line.quote()));
        return reading.into_iter().collect();
    }
    let cut = runs::loses_its_end(hint);
    readings.into_iter().map(|reading| if cut { reading.summed() } else { reading }).collect()
}

/// What was reported since the last closing line.
#[derive(Default)]
struct Reports<'a> {
    namespace: &'a str,
    first: Option<Line<'a>>,
    count: u64,
    /// Whether one of them stands outside of a test.
    outside: bool,
    failed: BTreeSet<(&'a str, &'a str)>,
    errored: BTreeSet<(&'a str, &'a str)>,
    cases: Vec<Case>,
}

impl<'a> Reports<'a> {
    /// `FAIL in (name) (t.clj:4)`
    fn take(&mut self, line: Line<'a>, text: &'a str) {
        let Some((kind, rest)) = text.split_once(" in (") else { return };
        let Some((name, place)) = rest.split_once(')') else { return };
        self.first.get_or_insert(line);
        self.count += 1;
        self.outside |= name.is_empty();
        let key = (self.namespace, name);
        if !self.failed.contains(&key) && !self.errored.contains(&key) {
            let place = place.trim().strip_prefix('(').and_then(|place| place.rsplit_once(':'));
            self.cases.push(Case {
                name: name.to_owned(),
                file: place.map(|(file, _)| file.to_owned()),
                status: CaseStatus::Failed,
                message: None,
                file_level: false,
            });
        }
        if kind == "FAIL" {
            self.failed.insert(key)
        } else {
            self.errored.insert(key)
        };
    }
}

fn reading(line: Line<'_>, ran: Option<(Line<'_>, u64)>, bad: u64, reports: &Reports<'_>) -> Reading {
    let total = ran.map(|(_, total)| total);
    // Which tests failed is known where every report is there.
    let whole = reports.count == bad && !reports.outside;
    let only_errored = reports.errored.difference(&reports.failed).count() as u64;
    let failed = whole.then_some(reports.failed.len() as u64);
    let errored = whole.then_some(only_errored);
    let passed =
        total.zip(failed).zip(errored).and_then(|((total, a), b)| total.checked_sub(a)?.checked_sub(b));
    let tally = Tally { passed, failed, errored, ..Tally::ZERO };
    let said = if bad > 0 { Said::Failed } else { Said::of(&tally) };
    let mut reading = Reading { tally, ..Reading::without_counts(ID, said, line.quote()) };
    if let Some((ran, _)) = ran {
        reading = reading.quoting(ran.quote());
    }
    reading.naming(reports.cases.clone())
}
