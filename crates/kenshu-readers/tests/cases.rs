//! The recorded outputs in `cases/runner-outputs`: right, wrong, without a number, cannot tell.
//!
//! Compared are outcome, passed, failed and skipped, as the README there says. `KENSHU_CASES` names another folder.

#![expect(clippy::disallowed_methods, reason = "tests read their cases from disk")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its case must fail")]

mod recorded;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kenshu_model::Exit;
use kenshu_readers::Context;
use serde_json::Value;

use recorded::{CORE, Grade, cases, grade};

/// Of the core cases whose text has the numbers.
const RIGHT_MIN: f64 = 0.99;

/// Core cases whose text does not tell a number that the truth has from elsewhere: what prove's passing files skipped
/// (three), which of node's dots are suites or skipped tests, what Mocha's Markdown leaves out, what `tail` took from the
/// list of CTest's skipped tests, whether a hook of RSpec failed beside the listed examples, a script of asserts.
const WITHOUT_A_NUMBER_MAX: usize = 8;

impl Grade {
    const ALL: [(Grade, &str); 4] = [
        (Grade::Right, "right"),
        (Grade::Wrong, "wrong"),
        (Grade::WithoutANumber, "without a number"),
        (Grade::Unknown, "unknown"),
    ];
}

/// The output that belongs to an expectation.
fn output_of(expectation: &Path) -> PathBuf {
    let stem = expectation.to_string_lossy().replace(".expect.json", "");
    ["txt", "xml", "json"]
        .iter()
        .map(|extension| PathBuf::from(format!("{stem}.{extension}")))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("{}: no output beside it", expectation.display()))
}

#[test]
fn recorded_outputs_are_read_rightly() {
    let mut by_runner: BTreeMap<String, BTreeMap<Grade, usize>> = BTreeMap::new();
    let mut complaints = Vec::new();
    for path in cases() {
        let truth: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let output = std::fs::read(output_of(&path)).unwrap();
        let context = Context {
            command: truth["command"].as_str(),
            exit: truth["exit_code"].as_i64().map(|code| Exit::Code(i32::try_from(code).unwrap())),
            ..Context::default()
        };
        let count = kenshu_readers::count(&output, &context);
        let grade = grade(&count, &truth);
        let runner = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let core = CORE.contains(&runner.as_str());
        if grade == Grade::Wrong || (core && grade != Grade::Right) {
            complaints.push(format!(
                "{grade:?} {}: {} {:?} p{:?} f{:?} e{:?} l{:?} s{:?}; truth {} p{} f{} s{}",
                output_of(&path).display(),
                count.outcome.word(),
                count.reasons,
                count.tally.passed,
                count.tally.failed,
                count.tally.errored,
                count.tally.load_errors,
                count.tally.skipped,
                truth["outcome"],
                truth["passed"],
                truth["failed"],
                truth["skipped"],
            ));
        }
        *by_runner.entry(runner).or_default().entry(grade).or_default() += 1;
    }
    let sum = |core: bool, grade: Grade| -> usize {
        by_runner
            .iter()
            .filter(|(runner, _)| CORE.contains(&runner.as_str()) == core)
            .filter_map(|(_, grades)| grades.get(&grade))
            .sum()
    };
    for complaint in &complaints {
        println!("{complaint}");
    }
    for core in [true, false] {
        let name = if core { "core" } else { "others" };
        let grades = Grade::ALL.map(|(grade, word)| format!("{} {word}", sum(core, grade)));
        println!("{name}: {}", grades.join(", "));
    }
    assert_eq!(sum(true, Grade::Wrong) + sum(false, Grade::Wrong), 0, "wrong answers");
    let right = sum(true, Grade::Right);
    let all = right + sum(true, Grade::Unknown);
    assert!(right as f64 >= RIGHT_MIN * all as f64, "too many core cases are unknown");
    let without = sum(true, Grade::WithoutANumber);
    assert!(without <= WITHOUT_A_NUMBER_MAX, "{without} core cases are without a number");
}
