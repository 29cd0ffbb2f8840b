//! Hollow tests as far as the run itself shows them: a file that was counted as one test and checks nothing.

use std::path::Path;

use kenshu_model::{CaseStatus, Count, HollowTest};

use crate::judge::Hollow;
use crate::tree::Tree;

/// Hollow tests of a run. `root` is the project's folder; `is_new_or_changed` answers for a file relative to it.
pub fn hollow(
    count: &Count,
    root: &Path,
    tree: &dyn Tree,
    is_new_or_changed: &dyn Fn(&str) -> bool,
) -> Hollow {
    let mut hollow = Hollow::default();
    for case in count.cases.iter().filter(|case| case.file_level && case.status == CaseStatus::Passed) {
        let file = case.file.as_deref().unwrap_or(&case.name);
        // Node up to 22 names a file by its whole path.
        let file = Path::new(file).strip_prefix(root).ok().and_then(Path::to_str).unwrap_or(file);
        if tree.read(file).is_some_and(|text| checks_at_top_level(&text)) {
            continue;
        }
        if is_new_or_changed(file) {
            hollow.new_or_changed.push(hollow.tests.len());
        }
        hollow.tests.push(HollowTest { file: file.to_owned(), line: 1, test: None, why: "file_level" });
    }
    hollow.all = count.tally.passed.is_some_and(|passed| passed > 0 && passed == hollow.tests.len() as u64);
    hollow
}

/// A script that asserts without a test function is an honest test. One that declares tests is not: the runner would
/// have counted them, so they were never reached.
fn checks_at_top_level(text: &str) -> bool {
    let mut code = String::new();
    let mut in_comment = false;
    for line in text.lines() {
        let line = line.trim();
        in_comment |= line.starts_with("/*");
        if !in_comment && !line.starts_with("//") && !line.starts_with('#') {
            code.push_str(line);
            code.push('\n');
        }
        in_comment &= !line.contains("*/");
    }
    let declares_tests = ["test(", "it(", "describe(", "suite("].iter().any(|call| {
        code.match_indices(call).any(|(at, _)| {
            !code[..at]
                .ends_with(|before: char| before.is_alphanumeric() || matches!(before, '_' | '.' | '$'))
        })
    });
    let asserts = ["assert(", "assert.", "strictEqual(", "deepEqual(", "expect(", "throw "]
        .iter()
        .any(|call| code.contains(call));
    asserts && !declares_tests
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use kenshu_model::{Case, Outcome, Tally};

    fn run(passed: u64, files: &[&str]) -> Count {
        Count {
            outcome: Outcome::Passed,
            runners: vec!["node-test"],
            tally: Tally { file_level: Some(files.len() as u64), ..Tally::of(passed, 0, 0) },
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: Vec::new(),
            cases: files
                .iter()
                .map(|file| Case {
                    name: (*file).to_owned(),
                    file: None,
                    status: CaseStatus::Passed,
                    message: None,
                    file_level: true,
                })
                .collect(),
        }
    }

    #[track_caller]
    fn check(text: &str, is_hollow: bool) {
        let tree = BTreeMap::from([("a.test.js".to_owned(), text.to_owned())]);
        let hollow = hollow(&run(1, &["/project/a.test.js"]), Path::new("/project"), &tree, &|_| false);
        assert_eq!((hollow.all, hollow.tests.len()), (is_hollow, usize::from(is_hollow)), "{text}");
    }

    #[test]
    fn empty_and_printing_files_are_hollow() {
        check("", true);
        check("console.log('ok');\n", true);
        check("// assert(true)\nconsole.log(1);\n", true);
        check("/* assert(1)\n assert.ok(2) */\n", true);
        check("process.exit(0);\ntest('a', () => assert.equal(1, 2));\n", true);
    }

    #[test]
    fn a_script_that_asserts_is_an_honest_test() {
        check("import assert from 'node:assert';\nassert.equal(add(1, 2), 3);\n", false);
        check("if (add(1, 2) !== 3) throw new Error('add');\n", false);
    }

    #[test]
    fn new_files_are_told_apart() {
        let tree = BTreeMap::new();
        let hollow = hollow(&run(5, &["a.test.js", "b.test.js"]), Path::new("/project"), &tree, &|file| {
            file == "b.test.js"
        });
        assert_eq!((hollow.tests.len(), hollow.new_or_changed, hollow.all), (2, vec![1], false));
    }
}
