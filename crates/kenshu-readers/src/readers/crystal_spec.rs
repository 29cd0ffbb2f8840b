//! Crystal's spec: its closing line; its TAP and XML are those of every producer.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::Stream;

const ID: &str = "crystal-spec";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Crystal spec",
    versions: "1.6",
    formats: "text",
    zero: "`0 examples, 0 failures, 0 errors, 0 pending`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[" errors, ", "crystal spec "],
    commands: &[&["crystal", "spec"], &["shards", "spec"]],
    list_options: &["--dry-run"],
    covers: &["rspec"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(\d+) examples?, (\d+) failures?, (\d+) errors?, (\d+) pending$")
            .expect("pattern of a line")
    });
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^In \S.*:\d+:\d+$").expect("pattern of a line"));
    let mut readings: Vec<Reading> = Vec::new();
    let mut loose = Vec::new();
    let mut above = "";
    let mut place = None;
    for line in stream.lines() {
        let text = line.text.trim_end();
        if text.contains(" examples, ") || text.contains(" example, ") {
            let Some(found) = CLOSING.captures(text) else { continue };
            let number = |index: usize| found[index].parse::<u64>().ok();
            let tally = Tally {
                passed: None,
                failed: number(2),
                errored: number(3),
                skipped: number(4),
                ..Tally::ZERO
            };
            let others = [tally.failed, tally.errored, tally.skipped];
            let passed = others.iter().try_fold(number(1), |left, part| Some(left?.checked_sub((*part)?)));
            let tally = Tally { passed: passed.flatten(), ..tally };
            let reading = Reading::from_tally(ID, tally, line.quote()).filtered(filters(hint));
            // Crystal prints the time above it; a line without is what a test printed, or the time was cut away.
            if above.starts_with("Finished in ") { readings.push(reading) } else { loose.push(reading) }
        } else if let Some(rest) = text.strip_prefix("crystal spec ")
            && let Some((file, name)) = rest.split_once(" # ")
            && let Some(last) = readings.last_mut()
        {
            last.lines.1 = line.number;
            let file = file.rsplit_once(':').map(|(file, _)| file.to_owned());
            let name = name.to_owned();
            last.cases.push(Case {
                name,
                file,
                status: CaseStatus::Failed,
                message: None,
                file_level: false,
            });
        } else if PLACE.is_match(text) {
            place = Some(line);
        } else if text.starts_with("Error: ")
            && let Some(place) = place.take().filter(|_| hint.named)
        {
            let tally = Tally { load_errors: Some(1), ..Tally::UNKNOWN };
            let reading = Reading::without_counts(ID, Said::Failed, place.quote()).quoting(line.quote());
            readings.push(Reading { tally, ..reading });
        }
        above = text;
    }
    if readings.is_empty() && runs::is_cut(hint) {
        readings.extend(loose.pop());
    }
    let cut = runs::loses_its_end(hint);
    let readings = runs::closing(readings, hint).into_iter();
    let mut readings: Vec<Reading> =
        readings.map(|reading| if cut { reading.summed() } else { reading }).collect();
    if readings.is_empty()
        && let Some(first) = loose.first()
    {
        let reading =
            Reading::without_counts(ID, Said::Unfinished(Reason::NoSummary), first.quotes[0].clone());
        readings.push(reading);
    }
    readings
}

fn filters(hint: Hint<'_>) -> bool {
    const OPTIONS: &[&str] = &["-e", "--example", "-l", "--line", "--location", "--tag"];
    hint.invocations.iter().any(|invocation| invocation.has_option(OPTIONS))
}
