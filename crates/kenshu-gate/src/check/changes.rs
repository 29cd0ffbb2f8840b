//! What a run changed in the tree, as far as a human wants to hear of it.

use std::path::Path;

use kenshu_host::tree::Fingerprint;
use kenshu_model::Note;

use crate::detect::test_files::is_test_file;

/// Folders and files that test runners and the tools behind them fill: caches, coverage, their own reports. Nobody
/// reads them, nobody commits them, and they change with every run.
const CACHES: &[&str] = &[
    "node_modules/.*",
    "__pycache__",
    ".*_cache",
    ".cache",
    ".hypothesis",
    ".tox",
    ".nox",
    ".coverage",
    ".coverage.*",
    "coverage.xml",
    "coverage",
    "htmlcov",
    "lcov.info",
    ".nyc_output",
    ".vite",
    ".vitest",
    ".jest",
    ".eslintcache",
    ".turbo",
    ".nx",
    ".phpunit.cache",
    ".phpunit.result.cache",
    ".rspec_status",
    ".gradle",
    ".dart_tool",
    ".zig-cache",
    ".stack-work",
    "dist-newstyle",
    "_build",
    "target",
    "Testing/Temporary",
    "build/Testing",
    "build/test-results",
    "build/reports",
    "TestResults",
    "test-results",
    "playwright-report",
];

/// The first path that a run changed, and how many others; `None`: none that matters.
///
/// Names alone do not make a cache: what git tracks is the project's own, whatever it is called.
pub(super) fn note(before: &Fingerprint, after: &Fingerprint, has_git: bool) -> Option<Note> {
    let is_tracked = |path: &Path| has_git && !before.is_untracked(path) && !after.is_untracked(path);
    let mut changed = before.diff(after);
    changed.retain(|path| is_tracked(path) || !is_cache(path));
    let (first, others) = changed.split_first()?;
    Some(Note::TreeChanged { first: first.display().to_string(), others: others.len() as u64 })
}

/// The test files that were there before the run and are gone after it.
pub(super) fn removed_tests(before: &Fingerprint, after: &Fingerprint) -> Option<Note> {
    let gone: Vec<String> =
        before.gone(after).iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let mut tests = gone.iter().filter(|path| is_test_file(path));
    let first = tests.next()?.clone();
    Some(Note::TestsRemoved { first, others: tests.count() as u64 })
}

fn is_cache(path: &Path) -> bool {
    let names: Vec<&str> = path.iter().filter_map(|name| name.to_str()).collect();
    let is_at = |names: &[&str], cache: &str| {
        let wanted: Vec<&str> = cache.split('/').collect();
        names.len() >= wanted.len() && names.iter().zip(&wanted).all(|(name, wanted)| fits(name, wanted))
    };
    (0..names.len()).any(|from| CACHES.iter().any(|cache| is_at(&names[from..], cache)))
}

/// Whether a name is the one wanted, in which one `*` stands for anything.
fn fits(name: &str, wanted: &str) -> bool {
    match wanted.split_once('*') {
        None => name == wanted,
        Some((front, back)) => {
            name.len() > front.len() + back.len() && name.starts_with(front) && name.ends_with(back)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_fill_is_no_change_to_speak_of() {
        for path in [
            "node_modules/.vite/vitest/results.json",
            "packages/a/node_modules/.cache/x",
            "tests/__pycache__/test_a.cpython-311.pyc",
            ".pytest_cache/v/cache/lastfailed",
            ".coverage",
            ".coverage.host.1.2",
            "build/Testing/Temporary/LastTest.log",
            "out/Testing/Temporary/CTestCostData.txt",
            "app/build/test-results/test/TEST-A.xml",
            "target/debug/a",
        ] {
            assert!(is_cache(Path::new(path)), "{path}");
        }
        for path in
            ["node_modules/left-pad/index.js", "build/app.js", "src/cache.rs", "_cache", "targets/a", "a.xml"]
        {
            assert!(!is_cache(Path::new(path)), "{path}");
        }
    }
}
