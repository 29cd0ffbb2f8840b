//! CppUTest: its closing line; its JUnit files are those of every producer.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "cpputest";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "CppUTest",
    versions: "4.0",
    formats: "text",
    zero: "`Errors (ran nothing, 0 tests, 0 ran, …)`, status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[" ignored, ", ": error: Failure in TEST("],
    commands: &[],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = concat!(
            r"^(?:OK|Errors) \((?:(?P<failures>\d+) failures?, |(?P<nothing>ran nothing), )?(?P<tests>\d+) tests?, ",
            r"(?P<ran>\d+) ran, \d+ checks?, (?P<ignored>\d+) ignored, (?P<filtered>\d+) filtered out, \d+ ms\)$"
        );
        Regex::new(pattern).expect("pattern of a line")
    });
    let mut readings = Vec::new();
    let mut failing: Vec<(Line<'_>, Case)> = Vec::new();
    let mut repeats = false;
    for line in stream.lines() {
        let text = line.text.trim_end();
        repeats |= text.starts_with("Test run 2 of ");
        if text.contains(": error: Failure in ") {
            failing.extend(failed(text).map(|case| (line, case)));
        } else if text.ends_with(" ms)")
            && let Some(found) = CLOSING.captures(text)
        {
            let number =
                |name: &str| found.name(name).map_or(Some(0), |part| part.as_str().parse::<u64>().ok());
            let (ran, failures) = (number("ran"), number("failures"));
            // A test can fail more than once; each failure is counted.
            // A line that counts none, below failures, was printed by a test.
            let take = if failures == Some(0) { 0 } else { failing.len() };
            let named: Vec<Case> = failing.drain(..take).map(|(_, case)| case).collect();
            let once = failures == Some(named.len() as u64);
            let failed =
                failures.filter(|count| *count <= 1 || once).map(|count| distinct(&named).unwrap_or(count));
            let passed = ran.zip(failed).and_then(|(ran, failed)| ran.checked_sub(failed));
            let tally = Tally { passed, failed, skipped: number("ignored"), ..Tally::ZERO };
            let said = match (text.starts_with("OK"), found.name("nothing").is_some()) {
                (false, true) if number("filtered").is_some_and(|count| count > 0) => {
                    Said::NothingRan(Reason::FilterMatchedNothing)
                }
                (false, true) => Said::NothingRan(Reason::ZeroTests),
                (false, false) => Said::Failed,
                (true, _) => Said::of(&tally),
            };
            readings.push(Reading { tally, ..Reading::without_counts(ID, said, line.quote()) }.naming(named));
        }
    }
    if readings.is_empty() {
        let first = failing.first().map(|(line, _)| Reading::without_counts(ID, Said::Failed, line.quote()));
        return first.into_iter().collect();
    }
    let cut = runs::loses_its_end(hint);
    if repeats && readings.len() > 1 && runs::is_one_run(hint) {
        // One program that runs its tests several times: which of the lines a test printed is not known.
        let only_passes = readings.iter().all(|reading| reading.said == Said::Passed);
        return if only_passes { readings.into_iter().map(Reading::summed).collect() } else { readings };
    }
    let readings = runs::closing(readings, hint).into_iter();
    readings.map(|reading| if cut { reading.summed() } else { reading }).collect()
}

/// `t.cc:9: error: Failure in TEST(bad, e)`
fn failed(text: &str) -> Option<Case> {
    let (place, test) = text.split_once(": error: Failure in ")?;
    let inner = test.split_once("TEST(")?.1.strip_suffix(')')?;
    let (group, name) = inner.split_once(", ")?;
    let file = place.rsplit_once(':').map(|(file, _)| file.to_owned());
    let name = format!("{group}.{name}");
    Some(Case { name, file, status: CaseStatus::Failed, message: None, file_level: false })
}

/// How many different tests these are; nothing where there is none.
fn distinct(cases: &[Case]) -> Option<u64> {
    let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then_some(names.len() as u64)
}
