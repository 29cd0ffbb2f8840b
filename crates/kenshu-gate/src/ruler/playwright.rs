//! Playwright Test: its configuration in code.

use super::config::{Family, File};
use super::settings::{Row, Shape, facts};
use super::{Fact, js};

pub(super) const FAMILY: Family = Family { runners: &["playwright"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    name.starts_with("playwright.config.") || name.starts_with("playwright-ct.config.")
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row("testIgnore", &[], Shape::Excludes),
    Row("testMatch", &[], Shape::Includes),
    Row("testDir", &["", "projects"], Shape::Includes),
    Row("grep", &["", "projects"], Shape::Any),
    Row("grepInvert", &["", "projects"], Shape::Any),
    Row("retries", &["", "projects"], Shape::AtMost),
    Row("forbidOnly", &["", "projects"], Shape::Strict),
    Row("failOnFlakyTests", &[""], Shape::Strict),
    Row("maxFailures", &[""], Shape::On),
    Row("name", &["projects"], Shape::Includes),
];

fn read(file: &File<'_>) -> Vec<Fact> {
    facts(file.path, &js::settings(file.text), ROWS)
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[track_caller]
    fn config(before: &str, after: &str) {
        let text = |body: &str| format!("export default defineConfig({{ use: {{ retries: 9 }}, {body} }})");
        let file = "playwright.config.ts";
        narrows("playwright test", &[(file, &text(before))], &[(file, &text(after))]);
        widens("playwright test", &[(file, &text(after))], &[(file, &text(before))]);
    }

    #[test]
    fn each_setting_narrows() {
        config("", "testIgnore: '**/slow.spec.ts'");
        config("testMatch: ['a', 'b']", "testMatch: 'a'");
        config("testDir: 'e2e'", "testDir: 'e2e/smoke'");
        config("", "grep: /@smoke/");
        config("", "grepInvert: /@slow/");
        config("", "retries: 2");
        config("forbidOnly: true", "");
        config("failOnFlakyTests: true", "");
        config("", "maxFailures: 1");
        config("projects: [{ name: 'a' }, { name: 'b' }]", "projects: [{ name: 'a' }]");
    }
}
