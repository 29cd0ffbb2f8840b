//! gtest-parallel: each test in a process of its own, with the full text of those that failed.

use std::sync::LazyLock;

use kenshu_model::Tally;
use regex::Regex;

use super::closing;
use crate::reading::{Reading, Said};
use crate::text::Stream;

/// The whole run, where the output is gtest-parallel's. Skipped tests look like passed ones: passes aren't counted.
pub(super) fn reading(stream: &Stream, named: bool) -> Option<Reading> {
    static DONE: LazyLock<Regex> = LazyLock::new(|| {
        let pattern =
            r"^\[(\d+)/(\d+)\] ([\w/]+\.[\w/]+)( returned/aborted with exit code -?\d+)? \(\d+ ms\)$";
        Regex::new(pattern).expect("pattern of a finished test")
    });
    let mut failing = Vec::new();
    let mut finished = None;
    let mut counted = None;
    for line in stream.lines().filter(|line| line.text.starts_with(['[', 'F'])) {
        if let Some(captures) = DONE.captures(line.text) {
            if captures.get(4).is_some() {
                failing.push((line, captures.get(3).map_or("", |name| name.as_str())));
            }
            if captures[1] == captures[2] {
                finished = Some(line);
            }
        } else if let Some(rest) = line.text.strip_prefix("FAILED TESTS (")
            && let Some((failed, _)) = rest.split_once('/')
        {
            counted = failed.parse().ok().map(|failed: u64| (line, failed));
        }
    }
    let cases: Vec<_> = failing.iter().map(|(_, name)| closing::case(name, None, None)).collect();
    let first = failing.first().map(|(line, _)| *line);
    if let Some((line, failed)) = counted.filter(|_| first.is_some()) {
        let tally = Tally { failed: Some(failed), passed: None, skipped: None, ..Tally::ZERO };
        let reading = Reading::without_counts("googletest", Said::Failed, line.quote());
        return Some(Reading { tally, ..reading }.naming(cases).spanning(first?.number, line.number));
    }
    if let Some(first) = first {
        return Some(Reading::without_counts("googletest", Said::Failed, first.quote()).naming(cases));
    }
    let finished = finished.filter(|_| named)?;
    Some(Reading::without_counts("googletest", Said::Passed, finished.quote()))
}
