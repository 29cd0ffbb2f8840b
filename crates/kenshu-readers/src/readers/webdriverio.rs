//! `webdriverio`: `wdio run`. Its launcher closes with `Spec Files:`; tests are counted from the lines of the spec
//! reporter, one block for each worker, where every worker has one.

use std::sync::LazyLock;

use kenshu_model::count::FileTally;
use kenshu_model::{Reason, Tally};
use regex::Regex;

use crate::numbers::number_and_word;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "webdriverio";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "WebdriverIO",
    versions: "as documented for 5 to 9",
    formats: "text of the launcher and of the spec reporter",
    zero: "\"No specs found to run, exiting with failure\", status 1",
    samples: Samples::Documented,
    specificity: Specificity::Own,
    needles: &["Spec Files:", "No specs found to run, exiting with failure"],
    commands: &[&["wdio"]],
    list_options: &[],
    covers: &[],
    read,
};

/// `[chrome 126.0 linux #0-0] 3 passing (1.2s)`.
static WORKER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\[.* #\d+-\d+\] (\d+) (passing|failing|skipped)(?: \([^()]*\))?$").expect("valid pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let mut readings = Vec::new();
    let mut from = 0;
    for (at, line) in lines.iter().enumerate() {
        if let Some(rest) = line.text.strip_prefix("Spec Files:")
            && let Some(files) = spec_files(rest.trim())
        {
            readings.push(run(&lines[from..=at], &files));
            from = at + 1;
        } else if line.text.contains("No specs found to run, exiting with failure") {
            let said = Said::NothingRan(Reason::NoTestFiles);
            readings.push(Reading::without_counts(ID, said, line.quote()));
        }
    }
    if readings.is_empty() && hint.named {
        let failed =
            lines.iter().find(|line| WORKER.captures(line.text).is_some_and(|parts| &parts[2] == "failing"));
        readings.extend(failed.map(|line| Reading::without_counts(ID, Said::Failed, line.quote())));
    }
    readings
}

/// What the launcher says of its spec files.
#[derive(Default)]
struct SpecFiles {
    passed: u64,
    failed: u64,
    retries: u64,
    skipped: u64,
    total: u64,
}

/// `1 passed, 1 failed, 2 total (100% completed) in 00:00:05`.
fn spec_files(text: &str) -> Option<SpecFiles> {
    let mut files = SpecFiles::default();
    let (numbers, _) = text.split_once(" (")?;
    for part in numbers.split(", ") {
        let (number, word) = number_and_word(part)?;
        *match word {
            "passed" => &mut files.passed,
            "failed" => &mut files.failed,
            "retries" => &mut files.retries,
            "skipped" => &mut files.skipped,
            "total" => &mut files.total,
            _ => return None,
        } = number;
    }
    Some(files)
}

fn run(lines: &[Line<'_>], files: &SpecFiles) -> Reading {
    let (mut tally, mut workers) = (Tally::of(0, 0, 0), 0);
    let add = |field: &mut Option<u64>, number: u64| *field = field.and_then(|sum| sum.checked_add(number));
    for line in lines.iter().filter(|line| line.text.starts_with('[')) {
        let Some(parts) = WORKER.captures(line.text) else { continue };
        let number = parts[1].parse().unwrap_or(u64::MAX);
        match &parts[2] {
            "passing" => {
                workers += 1;
                add(&mut tally.passed, number);
            }
            "failing" => add(&mut tally.failed, number),
            _ => add(&mut tally.skipped, number),
        }
    }
    // A worker that was tried again has two blocks; one whose spec did not load, or without a reporter, has none.
    if workers != files.total || files.retries > 0 {
        tally = Tally::UNKNOWN;
    } else if files.failed > 0 && tally.failed == Some(0) {
        tally.load_errors = Some(files.failed);
    }
    let last = &lines[lines.len() - 1];
    let said = if files.failed > 0 {
        Said::Failed
    } else if files.total == 0 {
        Said::NothingRan(Reason::ZeroTests)
    } else if files.passed + files.skipped != files.total {
        Said::Unfinished(Reason::NoSummary)
    } else if tally.passed.is_some() {
        Said::of(&tally)
    } else if files.passed > 0 {
        Said::Passed
    } else {
        Said::NothingRan(Reason::OnlySkipped)
    };
    let mut reading = Reading::from_tally(ID, tally, last.quote()).saying(said);
    reading.files = Some(FileTally { passed: files.passed, failed: files.failed, total: files.total });
    let reading = reading.spanning(lines[0].number, last.number);
    if tally.passed.is_some() { reading.summed() } else { reading }
}
