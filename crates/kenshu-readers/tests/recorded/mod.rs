//! The recorded outputs in `cases/runner-outputs`, and how an answer is held against the truth of one.
//!
//! `KENSHU_CASES` names another folder.

use std::path::{Path, PathBuf};

use kenshu_model::{Count, Tally};
use serde_json::Value;

/// Cases whose runners have a reader of their own today: their limits stand in `cases.rs`.
pub(crate) const CORE: &[&str] = &[
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
    "mocha",
    "mocha-10",
    "node-test-18",
    "node-test-20",
    "node-test-22",
    "node-test-24",
    "npm",
    "perl-prove",
    "phpunit",
    "playwright-test",
    "pytest",
    "pytest-old",
    "pytest-plugins",
    "pytest-py27",
    "rspec",
    "unittest",
    "vitest",
    "mixed",
];

/// How an answer compares with the truth, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    /// Nothing is wrong, and nothing missing.
    Right,
    /// The outcome is right, no number is wrong, and one that the truth has is missing.
    WithoutANumber,
    /// Cannot tell, where the truth can.
    Unknown,
    /// The outcome or a number is another.
    Wrong,
}

/// The expectations, sorted.
pub(crate) fn cases() -> Vec<PathBuf> {
    let root = std::env::var_os("KENSHU_CASES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/runner-outputs"),
        PathBuf::from,
    );
    let mut cases = Vec::new();
    for runner in
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for path in std::fs::read_dir(runner).unwrap().map(|entry| entry.unwrap().path()) {
            if path.to_string_lossy().ends_with(".expect.json") {
                cases.push(path);
            }
        }
    }
    cases.sort();
    cases
}

/// Truth's `failed` is our failed + errored + load errors, with or without unexpected passes; truth's `skipped` is
/// skipped + todo.
fn grade_numbers(tally: &Tally, truth: &Value) -> Grade {
    let sum = |parts: &[Option<u64>]| parts.iter().copied().try_fold(0, |acc, part| Some(acc + part?));
    let grade = |ours: &[Option<u64>], name: &str| match truth[name].as_u64() {
        None => Grade::Right,
        truth if ours.contains(&truth) => Grade::Right,
        Some(_) if ours.iter().all(Option::is_none) => Grade::WithoutANumber,
        Some(_) => Grade::Wrong,
    };
    let failed = sum(&[tally.failed, tally.errored, tally.load_errors]);
    let with_unexpected = failed.zip(tally.unexpected_passes).map(|(a, b)| a + b);
    grade(&[tally.passed], "passed")
        .max(grade(&[failed, with_unexpected], "failed"))
        .max(grade(&[sum(&[tally.skipped, tally.todo])], "skipped"))
}

/// Compares as the README of the folder says.
pub(crate) fn grade(count: &Count, truth: &Value) -> Grade {
    let words = &truth["outcome"];
    let one = words.as_str().into_iter();
    let outcomes: Vec<&str> =
        words.as_array().into_iter().flatten().filter_map(Value::as_str).chain(one).collect();
    let ours = count.outcome.word();
    let outcome_right = outcomes.contains(&ours);
    let compare_numbers = outcomes.first() != Some(&"unknown") && ours != "unknown";
    let numbers = if compare_numbers { grade_numbers(&count.tally, truth) } else { Grade::Right };
    let outcome = match (outcome_right, ours) {
        (true, _) => Grade::Right,
        (false, "unknown") => Grade::Unknown,
        (false, _) => Grade::Wrong,
    };
    outcome.max(numbers)
}
