//! Vitest: the `test` part of its own or Vite's configuration, and workspace files.

use super::config::{Family, File};
use super::settings::{Row, Setting, Shape, facts, of_json};
use super::{Fact, js};
use crate::detect::folder::parse_json;

pub(super) const FAMILY: Family = Family { runners: &["vitest"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    ["vitest.config.", "vitest.workspace.", "vite.config.", "vitest.projects."]
        .iter()
        .any(|stem| name.starts_with(stem))
}

/// `test` is the key around them; coverage has lists of its own that decide nothing about tests.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row("exclude", &["test"], Shape::Excludes),
    Row("include", &["test"], Shape::Includes),
    Row("dir", &["test"], Shape::Includes),
    Row("projects", &["test"], Shape::Includes),
    Row("workspace", &["test"], Shape::Includes),
    Row("passWithNoTests", &["test"], Shape::On),
    Row("retry", &["test"], Shape::AtMost),
    Row("count", &["retry"], Shape::AtMost),
    Row("allowOnly", &["test"], Shape::On),
    Row("dangerouslyIgnoreUnhandledErrors", &["test"], Shape::On),
    Row("bail", &["test"], Shape::On),
    Row("testNamePattern", &["test"], Shape::Any),
    Row("changed", &["test"], Shape::On),
    Row("lines", &["thresholds"], Shape::AtLeast),
    Row("branches", &["thresholds"], Shape::AtLeast),
    Row("functions", &["thresholds"], Shape::AtLeast),
    Row("statements", &["thresholds"], Shape::AtLeast),
];

fn read(file: &File<'_>) -> Vec<Fact> {
    let settings: Vec<Setting> = if file.name.ends_with(".json") {
        parse_json(file.text).map(|json| of_json(&json, &[])).unwrap_or_default()
    } else {
        js::settings(file.text)
    };
    facts(file.path, &settings, ROWS)
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, same, widens};

    fn text(body: &str) -> String {
        format!(
            "import {{ defineConfig }} from 'vitest/config'\nexport default defineConfig({{ test: {{ globals: true, {body} }} }})\n"
        )
    }

    #[track_caller]
    fn config(before: &str, after: &str) {
        let file = "vitest.config.ts";
        narrows("vitest run", &[(file, &text(before))], &[(file, &text(after))]);
        widens("vitest run", &[(file, &text(after))], &[(file, &text(before))]);
    }

    #[test]
    fn each_setting_narrows() {
        config("", "exclude: ['e2e/**']");
        config(
            "exclude: [...configDefaults.exclude]",
            "exclude: [...configDefaults.exclude, 'src/cart.test.ts']",
        );
        config("include: ['a/**', 'b/**']", "include: ['a/**']");
        config("dir: 'a'", "dir: 'a/b'");
        config("", "passWithNoTests: true");
        config("", "retry: 3");
        config("retry: 1", "retry: 3");
        config("", "allowOnly: true");
        config("", "dangerouslyIgnoreUnhandledErrors: true");
        config("", "bail: 1");
        config("", "testNamePattern: /cart/");
        config("", "changed: true");
        config("", "retry: { count: 2 }");
        config("projects: ['a', 'b']", "projects: ['a']");
        config("workspace: ['a', 'b']", "workspace: ['a']");
        for kind in ["lines", "branches", "functions", "statements"] {
            let limit = |least: u8| format!("coverage: {{ thresholds: {{ {kind}: {least} }} }}");
            config(&limit(90), &limit(10));
        }
    }

    #[test]
    fn coverage_lists_and_wider_patterns_narrow_nothing() {
        let file = "vite.config.ts";
        same(
            "vitest run",
            &[(file, &text(""))],
            &[(file, &text("coverage: { exclude: ['src/x/**'] }, exclude: ['**/node_modules/**', 'dist']"))],
        );
        widens(
            "vitest run",
            &[(file, &text("include: ['src/**/*.test.ts']"))],
            &[(file, &text("include: ['**/*.{test,spec}.ts']"))],
        );
    }

    #[test]
    fn what_is_computed_never_narrows() {
        let file = "vitest.config.ts";
        widens("vitest run", &[(file, &text("exclude: a()"))], &[(file, &text("exclude: b()"))]);
    }
}
