//! Whole recorded outputs, cut by filters: what is said of a part is never wrong of the whole.
//!
//! "Cannot tell" and a missing number are right answers here. `KENSHU_CASES` names another folder.

#![expect(clippy::disallowed_methods, reason = "tests read their cases from disk")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its case must fail")]

use std::path::{Path, PathBuf};

use kenshu_model::{Count, Exit};
use kenshu_readers::Context;
use regex::bytes::Regex;
use serde_json::Value;

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
    // Cancelled tests have a line of their own.
    "node-test-24/never_resolves",
    "node-test-24/timeout_per_test",
];

const RUNNERS: &[&str] = &[
    "bats",
    "bun-test",
    "cargo-nextest",
    "cargo-test",
    "ctest",
    "deno-test",
    "go-test",
    "googletest",
    "gotestsum",
    "gradle",
    "jest",
    "maven-surefire",
    "minitest",
    "mixed",
    "mocha",
    "mocha-10",
    "node-test-20",
    "node-test-24",
    "perl-prove",
    "phpunit",
    "playwright-test",
    "pytest",
    "pytest-plugins",
    "rspec",
    "unittest",
    "vitest",
];

fn folder() -> PathBuf {
    std::env::var_os("KENSHU_CASES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/runner-outputs"),
        PathBuf::from,
    )
}

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

/// What the count says otherwise than the truth of the whole.
fn contradiction(count: &Count, truth: &Value) -> Option<String> {
    let words = &truth["outcome"];
    let one = words.as_str().into_iter();
    let outcomes: Vec<&str> =
        words.as_array().into_iter().flatten().filter_map(Value::as_str).chain(one).collect();
    let ours = count.outcome.word();
    if ours == "unknown" || outcomes.first() == Some(&"unknown") {
        return None;
    }
    let tally = &count.tally;
    let sum = |parts: &[Option<u64>]| parts.iter().copied().try_fold(0, |acc, part| Some(acc + part?));
    let failed = sum(&[tally.failed, tally.errored, tally.load_errors]);
    let with_unexpected = failed.zip(tally.unexpected_passes).map(|(a, b)| a + b);
    let skipped = sum(&[tally.skipped, tally.todo]);
    let differs = |ours: &[Option<u64>], name: &str| {
        let truth = truth[name].as_u64();
        truth.is_some() && ours.iter().any(Option::is_some) && !ours.contains(&truth)
    };
    let wrong = !outcomes.contains(&ours)
        || differs(&[tally.passed], "passed")
        || differs(&[failed, with_unexpected], "failed")
        || differs(&[skipped], "skipped");
    wrong.then(|| format!("{ours} p{:?} f{failed:?} s{skipped:?}", tally.passed))
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
    let is_wide = output.starts_with(b"\xff\xfe") || output.starts_with(b"\xfe\xff");
    (!several && !hides && !is_wide).then_some((command, truth, output))
}

#[test]
fn a_part_says_nothing_wrong_of_the_whole() {
    let mut complaints = Vec::new();
    let mut counted = 0;
    for runner in RUNNERS {
        for entry in std::fs::read_dir(folder().join(runner)).unwrap() {
            let path = entry.unwrap().path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".expect.json"))
            else {
                continue;
            };
            let name = format!("{runner}/{name}");
            let Some((command, truth, output)) = whole(&path).filter(|_| !LEFT_OUT.contains(&&*name)) else {
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
                complaints
                    .extend(contradiction(&count, &truth).map(|what| format!("{name} | {filter}: {what}")));
            }
        }
    }
    assert!(counted > 500, "only {counted} parts were counted");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
