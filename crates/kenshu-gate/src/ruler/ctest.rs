//! CTest: properties of tests in `CMakeLists.txt` that make a failure a pass or leave a test out.

use std::sync::LazyLock;

use regex::Regex;

use super::config::{Family, File};
use super::{Fact, Kind};

pub(super) const FAMILY: Family = Family { runners: &["ctest"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    matches!(name, "CMakeLists.txt" | "CTestCustom.cmake" | "CTestConfig.cmake") || name.ends_with(".cmake")
}

fn read(file: &File<'_>) -> Vec<Fact> {
    static CALL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?is)\b(set_tests_properties|set_property|add_test|set|gtest_discover_tests|catch_discover_tests|add_subdirectory)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
            .expect("the pattern is fixed and tested")
    });
    static TRUE: &[&str] = &["1", "ON", "TRUE", "YES", "Y"];
    let text: String = file
        .text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut facts = Vec::new();
    let mut push = |key: &str, value: &str, kind: Kind| {
        facts.push(Fact { file: file.path.to_owned(), key: key.to_owned(), value: value.to_owned(), kind });
    };
    for call in CALL.captures_iter(&text) {
        let words = super::settings::words(&call[2]);
        let name = call[1].to_ascii_lowercase();
        let subject = match name.as_str() {
            "add_test" => words.iter().find(|word| *word != "NAME").cloned(),
            "set_property" => words.iter().skip_while(|word| *word != "TEST").nth(1).cloned(),
            _ => words.first().cloned(),
        }
        .unwrap_or_default();
        if name == "add_test" {
            push("add_test", &subject, Kind::Includes);
        }
        if name == "add_subdirectory" && subject.to_ascii_lowercase().contains("test") {
            push("add_subdirectory", &subject, Kind::Includes);
        }
        for pair in words.windows(2) {
            match pair[0].as_str() {
                "WILL_FAIL" | "DISABLED" if TRUE.contains(&pair[1].to_ascii_uppercase().as_str()) => {
                    push(&pair[0], &subject, Kind::Narrows);
                }
                "PASS_REGULAR_EXPRESSION"
                | "SKIP_REGULAR_EXPRESSION"
                | "SKIP_RETURN_CODE"
                | "TEST_FILTER" => {
                    push(&format!("{} {subject}", pair[0]), &pair[1], Kind::Narrows);
                }
                "FAIL_REGULAR_EXPRESSION" => {
                    push(&format!("{} {subject}", pair[0]), &pair[1], Kind::Strict);
                }
                _ => {}
            }
        }
        if name == "set" && subject == "CTEST_CUSTOM_TESTS_IGNORE" {
            words.iter().skip(1).for_each(|test| push("CTEST_CUSTOM_TESTS_IGNORE", test, Kind::Narrows));
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[test]
    fn each_property_narrows() {
        let base = "add_test(NAME a COMMAND a)\nadd_test(NAME b COMMAND b)\n";
        for property in [
            "set_tests_properties(a PROPERTIES WILL_FAIL TRUE)",
            "set_tests_properties(a PROPERTIES DISABLED ON)",
            "set_property(TEST a PROPERTY PASS_REGULAR_EXPRESSION \"ok\")",
            "gtest_discover_tests(a TEST_FILTER -Slow*)",
            "set(CTEST_CUSTOM_TESTS_IGNORE a b)",
        ] {
            let after = format!("{base}{property}\n");
            narrows("ctest", &[("CMakeLists.txt", base)], &[("CMakeLists.txt", &after)]);
            widens("ctest", &[("CMakeLists.txt", &after)], &[("CMakeLists.txt", base)]);
        }
        narrows("ctest", &[("CMakeLists.txt", base)], &[("CMakeLists.txt", "add_test(NAME a COMMAND a)\n")]);
    }
}
