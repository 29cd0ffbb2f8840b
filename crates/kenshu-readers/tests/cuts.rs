//! Whole recorded outputs, cut by filters: what is said of a part is never wrong of the whole.
//!
//! "Cannot tell" and a missing number are right answers here. `KENSHU_CASES` names another folder.

#![expect(clippy::disallowed_methods, reason = "tests read their cases from disk")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its case must fail")]

mod recorded;

use std::path::Path;

use kenshu_model::Exit;
use kenshu_readers::Context;
use regex::bytes::Regex;
use serde_json::Value;

use recorded::{CORE, Grade, cases, grade};

/// Filters as typed.
const FILTERS: &[&str] = &[
    "tail -1",
    "tail -5",
    "tail -20",
    "head -3",
    "head -10",
    "head -20",
    "grep -E 'pass|fail'",
    "grep -E 'Tests|tests'",
    "grep -v '^ '",
    "grep -v 'skip'",
    "grep -v '^$'",
];

/// Runners whose closing lines say nothing of what one of these hides, or whose own words count otherwise.
const LEFT_OUT: &[&str] = &[
    // A build that failed: that no test matched stands in other lines.
    "gradle/filter_none",
    "maven-surefire/filter_none",
    // unittest counts every subtest that failed.
    "unittest/subtests",
    // Two runs at once, whose number the command does not tell.
    "mixed/parallel_interleaved",
];

/// The lines that the filter leaves.
fn cut<'a>(lines: &[&'a [u8]], filter: &str) -> Vec<&'a [u8]> {
    let (program, rest) = filter.split_once(' ').unwrap();
    let number = || rest.trim_start_matches('-').parse::<usize>().unwrap().min(lines.len());
    match program {
        "head" => lines[..number()].to_vec(),
        "tail" => lines[lines.len() - number()..].to_vec(),
        _ => {
            let (option, pattern) = rest.split_once(' ').unwrap();
            let pattern = Regex::new(pattern.trim_matches('\'')).unwrap();
            lines.iter().copied().filter(|line| pattern.is_match(line) == (option == "-E")).collect()
        }
    }
}

/// A case that one command without a filter printed: its command, truth and output.
fn whole(expectation: &Path) -> Option<(String, Value, Vec<u8>)> {
    let truth: Value = serde_json::from_str(&std::fs::read_to_string(expectation).unwrap()).unwrap();
    let command = truth["command"].as_str()?.to_owned();
    let kind = truth["kind"].as_str().unwrap_or_default();
    let several =
        command.contains(['|', '>', '&']) || (command.contains(';') && !command.starts_with("for "));
    let hides = matches!(kind, "text_hides_truth" | "spoofed_line" | "no_text");
    let output = std::fs::read(expectation.to_string_lossy().replace(".expect.json", ".txt")).ok()?;
    let words = &truth["outcome"];
    let is_told = *words != "unknown" && words.get(0).is_none_or(|first| first != "unknown");
    let is_wide = output.starts_with(b"\xff\xfe") || output.starts_with(b"\xfe\xff");
    (!several && !hides && !is_wide && is_told).then_some((command, truth, output))
}

#[test]
fn a_part_says_nothing_wrong_of_the_whole() {
    let mut complaints = Vec::new();
    let mut counted = 0;
    for path in cases() {
        let name = path.strip_prefix(path.ancestors().nth(2).unwrap()).unwrap().to_string_lossy();
        let name = name.trim_end_matches(".expect.json");
        let is_core = name.split('/').next().is_some_and(|runner| CORE.contains(&runner));
        let Some((command, truth, output)) = whole(&path).filter(|_| is_core && !LEFT_OUT.contains(&name))
        else {
            continue;
        };
        let lines: Vec<&[u8]> =
            output.strip_suffix(b"\n").unwrap_or(&output).split(|byte| *byte == b'\n').collect();
        for filter in FILTERS {
            let left = cut(&lines, filter);
            if left.len() == lines.len() || left.is_empty() {
                continue;
            }
            let mut part = left.join(&b'\n');
            part.push(b'\n');
            let command = format!("{command} 2>&1 | {filter}");
            let context =
                Context { command: Some(&command), exit: Some(Exit::Code(0)), ..Context::default() };
            let count = kenshu_readers::count(&part, &context);
            counted += 1;
            if grade(&count, &truth) == Grade::Wrong {
                complaints.push(format!("{name} | {filter}: {:?} {:?}", count.outcome, count.tally));
            }
        }
    }
    assert!(counted > 500, "only {counted} parts were counted");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
