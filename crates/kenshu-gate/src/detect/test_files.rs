//! Whether a file holds tests, told by its name alone, for every ecosystem.

use super::folder::is_passed_over;
use super::{npm, python};

/// Folders for what a run makes and clears away by itself.
const PASSING: &[&str] = &["tmp", "temp"];

/// Endings of names that a runner looks for by default: Go, RSpec, Minitest and test-unit, PHPUnit, Surefire, Gradle,
/// .NET, ExUnit, Bats, Perl, C and C++, Dart.
const ENDINGS: &[&str] = &[
    "_test.go",
    "_spec.rb",
    "_test.rb",
    "Test.php",
    "Test.java",
    "Tests.java",
    "IT.java",
    "Test.kt",
    "Tests.kt",
    "Spec.kt",
    "Test.groovy",
    "Spec.groovy",
    "Spec.scala",
    "Test.scala",
    "Test.cs",
    "Tests.cs",
    "_test.exs",
    ".bats",
    ".t",
    "_test.c",
    "_test.cc",
    "_test.cpp",
    "_test.dart",
    "_test.rs",
];

/// Whether the file at `path` (with `/`) is named as a runner looks for it, outside folders of made or others' files.
pub(crate) fn is_test_file(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let made = folders.split('/').any(|part| is_passed_over(part) || PASSING.contains(&part));
    let named = npm::is_test_file(path)
        || python::is_test_file(path)
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || (name.starts_with("test_") && name.ends_with(".rb"))
        // Each file of Cargo's folder of tests is a test target.
        || (name.ends_with(".rs") && (folders == "tests" || folders.ends_with("/tests")));
    named && !made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files_are_told_by_their_names() {
        for path in [
            "a.test.js",
            "src/cart.spec.ts",
            "src/__tests__/cart.js",
            "tests/test_cart.py",
            "cart_test.go",
            "spec/cart_spec.rb",
            "test/test_cart.rb",
            "tests/CartTest.php",
            "src/test/java/a/CartTest.java",
            "t/cart.t",
            "tests/cart.rs",
        ] {
            assert!(is_test_file(path), "{path}");
        }
        for path in [
            "src/cart.js",
            "contest.py",
            "latest.rs",
            "src/tests.md",
            "dist/cart.test.js",
            "tmp/a.test.js",
            "node_modules/x/a.test.js",
            "fixtures/a.test.js",
            "test/setup.js",
        ] {
            assert!(!is_test_file(path), "{path}");
        }
    }
}
