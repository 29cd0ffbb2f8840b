//! `nx`: Nx, and Lerna by it, which run each project's script or print again what it printed before.

use kenshu_model::Reason;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = "nx";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "Nx, Lerna",
    versions: "Nx 22.7.12, Lerna 9.0.7",
    formats: "text",
    zero: "\"NX   No tasks were run\", status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Wrapper,
    needles: &["Nx read the output from the cache ", " NX   ", "(powered by Nx)   "],
    commands: &[&["nx"], &["lerna", "run"]],
    list_options: &["--graph"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, _: Hint<'_>) -> Vec<Reading> {
    let lines = stream.lines().filter_map(|line| Some((said(line.text.trim())?, line)));
    lines.map(|(said, line)| Reading::without_counts(ID, said, line.quote())).collect()
}

fn said(line: &str) -> Option<Said> {
    if let Some(rest) =
        line.strip_prefix("Nx read the output from the cache instead of running the command for ")
    {
        let (cached, total) = rest.strip_suffix(" tasks.")?.split_once(" out of ")?;
        return (cached == total).then_some(Said::NothingRan(Reason::Cached));
    }
    let text = line.strip_prefix("NX   ").or_else(|| line.strip_prefix("Lerna (powered by Nx)   "))?;
    if text == "No tasks were run" {
        return Some(Said::NothingRan(Reason::ZeroTests));
    }
    let is_failed = text.starts_with("Running target ") && text.ends_with(" failed");
    is_failed.then_some(Said::Status(1))
}
