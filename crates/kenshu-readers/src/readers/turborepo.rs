//! `turborepo`: Turborepo, which runs each package's script or prints again what it printed before.

use kenshu_model::Reason;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = "turborepo";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Turborepo",
    versions: "2.11.11",
    formats: "text",
    zero: "\"Tasks:    0 successful, 0 total\", status 0; a task or package that is not there: status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Wrapper,
    needles: &[
        " successful, ",
        " cached, ",
        "run failed: command ",
        "No package found with name ",
        "Could not find task ",
    ],
    commands: &[&["turbo"]],
    list_options: &["--dry", "--dry-run", "--graph"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.lines().filter_map(|line| Some((said(line.text.trim(), hint.named)?, line)));
    lines.map(|(said, line)| Reading::without_counts(ID, said, line.quote())).collect()
}

fn said(line: &str, named: bool) -> Option<Said> {
    // ` ERROR  run failed: command  exited (1)`
    if let Some(rest) = line.strip_prefix("ERROR  run failed: command ") {
        return Some(Said::Status(rest.trim().strip_prefix("exited (")?.strip_suffix(')')?.parse().ok()?));
    }
    if let Some((cached, total)) = numbers(line, "Cached:", " cached, ") {
        return (cached == total && total > 0).then_some(Said::NothingRan(Reason::Cached));
    }
    if numbers(line, "Tasks:", " successful, ") == Some((0, 0)) {
        return Some(Said::NothingRan(Reason::ZeroTests));
    }
    let is_missing =
        named && (line.contains("Could not find task `") || line.contains("No package found with name '"));
    is_missing.then_some(Said::CouldNotRun(Reason::NoSuchScript))
}

/// `Cached:    2 cached, 2 total`
fn numbers(line: &str, name: &str, between: &str) -> Option<(u64, u64)> {
    let (first, total) = line.strip_prefix(name)?.trim().split_once(between)?;
    Some((first.parse().ok()?, total.strip_suffix(" total")?.parse().ok()?))
}
