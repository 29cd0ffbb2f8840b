//! Jest: its configuration in code, JSON or package.json, and retries in its setup files.

use super::config::{Family, File};
use super::settings::{Row, Setting, Shape, facts, of_json};
use super::{Fact, Kind, js};
use crate::detect::folder::parse_json;

pub(super) const FAMILY: Family = Family { runners: &["jest"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    name == "package.json"
        || name.starts_with("jest.config.")
        || (name.starts_with("jest.") && is_code(name))
        || name.starts_with("jest-setup.")
        || name.starts_with("setupTests.")
        || name == "craco.config.js"
}

fn is_code(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| matches!(ending, "js" | "cjs" | "mjs" | "ts" | "cts" | "mts"))
}

/// Keys stand at the top, in a project, or in the package's `jest`.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row("testPathIgnorePatterns", &[], Shape::Excludes),
    Row("modulePathIgnorePatterns", &[], Shape::Excludes),
    Row("testMatch", &[], Shape::Includes),
    Row("testRegex", &[], Shape::Includes),
    Row("roots", &[], Shape::Includes),
    Row("projects", &[], Shape::Includes),
    Row("passWithNoTests", &[], Shape::On),
    Row("bail", &[], Shape::On),
    Row("forceExit", &[], Shape::On),
    Row("onlyChanged", &[], Shape::On),
    Row("onlyFailures", &[], Shape::On),
    Row("testNamePattern", &[], Shape::Any),
    Row("branches", &[], Shape::AtLeast),
    Row("functions", &[], Shape::AtLeast),
    Row("lines", &[], Shape::AtLeast),
    Row("statements", &[], Shape::AtLeast),
];

fn read(file: &File<'_>) -> Vec<Fact> {
    let settings: Vec<Setting> = if file.name == "package.json" {
        parse_json(file.text).and_then(|json| Some(of_json(json.get("jest")?, &[]))).unwrap_or_default()
    } else if file.name.ends_with(".json") {
        parse_json(file.text).map(|json| of_json(&json, &[])).unwrap_or_default()
    } else {
        js::settings(file.text)
    };
    let in_thresholds = |setting: &Setting| {
        !matches!(setting.key(), "branches" | "functions" | "lines" | "statements")
            || setting.path.iter().any(|key| key == "coverageThreshold")
    };
    let settings: Vec<Setting> = settings.into_iter().filter(in_thresholds).collect();
    let mut found = facts(file.path, &settings, ROWS);
    if let Some((_, rest)) = file.text.split_once("jest.retryTimes(") {
        let times: String = rest.chars().take_while(char::is_ascii_digit).collect();
        found.push(Fact {
            file: file.path.to_owned(),
            key: "jest.retryTimes".to_owned(),
            value: times,
            kind: Kind::AtMost,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, same, widens};

    #[track_caller]
    fn config(before: &str, after: &str) {
        let text = |body: &str| format!("/** x */\nmodule.exports = {{\n  verbose: true,\n  {body}\n}};\n");
        let file = "jest.config.js";
        narrows("jest", &[(file, &text(before))], &[(file, &text(after))]);
        widens("jest", &[(file, &text(after))], &[(file, &text(before))]);
        let json = |body: &str| {
            let body = body.replace('\'', "\"");
            let quoted = regex::Regex::new(r"(\w+):").unwrap().replace_all(&body, "\"$1\":").into_owned();
            format!("{{\"jest\": {{ {} }} }}", quoted.trim_end_matches(','))
        };
        narrows("jest", &[("package.json", &json(before))], &[("package.json", &json(after))]);
    }

    #[test]
    fn each_setting_narrows() {
        config("", "testPathIgnorePatterns: ['/node_modules/', '/e2e/'],");
        config("testMatch: ['a/**', 'b/**'],", "testMatch: ['a/**'],");
        config("testRegex: ['a', 'b'],", "testRegex: ['a'],");
        config("roots: ['a', 'b'],", "roots: ['a'],");
        config("projects: ['a', 'b'],", "projects: ['a'],");
        config("", "passWithNoTests: true,");
        config("", "modulePathIgnorePatterns: ['src/x'],");
        config("", "onlyChanged: true,");
        config("", "onlyFailures: true,");
        config("", "bail: 1,");
        config("", "forceExit: true,");
        config("", "testNamePattern: 'cart',");
        for kind in ["lines", "branches", "functions", "statements"] {
            let limit = |least: u8| format!("coverageThreshold: {{ global: {{ {kind}: {least} }} }},");
            config(&limit(90), &limit(20));
        }
        narrows("jest", &[("jest.setup.js", "")], &[("jest.setup.js", "jest.retryTimes(3)")]);
    }

    #[test]
    fn what_leaves_nothing_out_narrows_nothing() {
        let (none, ignoring) = (
            "module.exports = {}",
            "module.exports = { testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'] }",
        );
        same("jest", &[("jest.config.js", none)], &[("jest.config.js", ignoring)]);
        widens(
            "jest",
            &[("jest.config.js", none), ("src/a.test.ts", "")],
            &[("jest.config.js", "module.exports = { testMatch: ['**/*.test.ts'] }"), ("src/a.test.ts", "")],
        );
        same(
            "vitest run",
            &[("jest.config.js", none)],
            &[("jest.config.js", "module.exports = { bail: 1 }")],
        );
    }
}
