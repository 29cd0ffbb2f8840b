//! Mocha: `.mocharc` in its formats, `mocha` in package.json.

use super::config::{Family, File};
use super::settings::{Row, Setting, Shape, facts, of_json, of_yaml};
use super::{Fact, js};
use crate::detect::folder::parse_json;

pub(super) const FAMILY: Family = Family { runners: &["mocha"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    name == "package.json" || name.starts_with(".mocharc")
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row("spec", &[], Shape::Includes),
    Row("ignore", &[], Shape::Excludes),
    Row("exclude", &[], Shape::Excludes),
    Row("grep", &[], Shape::Any),
    Row("fgrep", &[], Shape::Any),
    Row("invert", &[], Shape::On),
    Row("forbid-only", &[], Shape::Strict),
    Row("forbidOnly", &[], Shape::Strict),
    Row("forbid-pending", &[], Shape::Strict),
    Row("forbidPending", &[], Shape::Strict),
    Row("fail-zero", &[], Shape::Strict),
    Row("failZero", &[], Shape::Strict),
    Row("retries", &[], Shape::AtMost),
    Row("exit", &[], Shape::On),
    Row("bail", &[], Shape::On),
    Row("dry-run", &[], Shape::On),
    Row("allow-uncaught", &[], Shape::On),
    Row("pass-on-failing-test-suite", &[], Shape::On),
    Row("passOnFailingTestSuite", &[], Shape::On),
];

fn read(file: &File<'_>) -> Vec<Fact> {
    let settings: Vec<Setting> = match file.name.rsplit_once('.').map(|(_, ending)| ending) {
        _ if file.name == "package.json" => {
            parse_json(file.text).and_then(|json| Some(of_json(json.get("mocha")?, &[]))).unwrap_or_default()
        }
        Some("json" | "jsonc") => parse_json(file.text).map(|json| of_json(&json, &[])).unwrap_or_default(),
        Some("yml" | "yaml") => of_yaml(file.text),
        _ => js::settings(file.text),
    };
    facts(file.path, &settings, ROWS)
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[track_caller]
    fn config(before: &str, after: &str) {
        let file = ".mocharc.yml";
        narrows("mocha", &[(file, before)], &[(file, after)]);
        widens("mocha", &[(file, after)], &[(file, before)]);
    }

    #[test]
    fn each_setting_narrows() {
        config("spec: [a, b]", "spec: a");
        config("", "ignore:\n  - test/slow.js");
        config("", "exclude: test/slow.js");
        config("", "grep: fast");
        config("", "fgrep: fast");
        config("", "invert: true");
        config("forbid-only: true", "");
        config("forbid-pending: true", "forbid-pending: false");
        config("fail-zero: true", "");
        config("", "allow-uncaught: true");
        config("", "dry-run: true");
        config("", "retries: 2");
        config("", "exit: true");
        config("", "bail: true");
        config("", "pass-on-failing-test-suite: true");
    }

    #[test]
    fn every_format_is_read() {
        for (file, before, after) in [
            (".mocharc.json", "{}", r#"{"grep":"x"}"#),
            (".mocharc.json", r#"{"forbidOnly":true,"failZero":true}"#, r#"{"forbidOnly":true}"#),
            (".mocharc.json", r#"{"forbidOnly":true}"#, "{}"),
            (".mocharc.json", r#"{"forbidPending":true}"#, "{}"),
            (".mocharc.json", "{}", r#"{"passOnFailingTestSuite":true}"#),
            (".mocharc.cjs", "module.exports = {}", "module.exports = { grep: 'x' }"),
            ("package.json", r#"{"mocha":{}}"#, r#"{"mocha":{"grep":"x"}}"#),
        ] {
            narrows("mocha", &[(file, before)], &[(file, after)]);
        }
    }
}
