//! Gradle: settings of test tasks in build scripts.

use std::sync::LazyLock;

use regex::Regex;

use super::config::{Family, File};
use super::{Fact, Kind};

pub(super) const FAMILY: Family = Family { runners: &["gradle"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    name.ends_with(".gradle") || name.ends_with(".gradle.kts")
}

/// Pattern with the value in its first group, key, kind.
static SIGNS: LazyLock<Vec<(Regex, &'static str, Kind)>> = LazyLock::new(|| {
    [
        (r"\bignoreFailures\s*(?:=|\.set\(|\s)\s*(true)", "ignoreFailures", Kind::Narrows),
        (r"\benabled\s*=\s*(false)", "enabled", Kind::Narrows),
        (r"\bonlyIf\s*\{\s*(false)", "onlyIf", Kind::Narrows),
        (r#"\bexclude(?:TestsMatching)?\s*\(?\s*["']([^"']+)["']"#, "exclude", Kind::Narrows),
        (r#"\binclude(?:TestsMatching)?\s*\(?\s*["']([^"']+)["']"#, "include", Kind::Includes),
        (r#"\bexcludeTags\s*\(?\s*((?:["'][^"']+["']\s*,?\s*)+)"#, "excludeTags", Kind::Narrows),
        (r#"\bincludeTags\s*\(?\s*((?:["'][^"']+["']\s*,?\s*)+)"#, "includeTags", Kind::Includes),
        (r"\bmaxRetries\s*(?:=|\.set\()\s*(\d+)", "maxRetries", Kind::AtMost),
        (r"\bfailFast\s*=\s*(true)", "failFast", Kind::Narrows),
        (r"\bfailOnPassedAfterRetry\s*(?:=|\.set\()\s*(true)", "failOnPassedAfterRetry", Kind::Strict),
        (r"\bisFailOnNoMatchingTests\s*=\s*(false)", "failOnNoMatchingTests", Kind::Narrows),
        (r"\bfailOnNoMatchingTests\s*=\s*(false)", "failOnNoMatchingTests", Kind::Narrows),
        (r"\bfailOnNoDiscoveredTests\s*=\s*(false)", "failOnNoDiscoveredTests", Kind::Narrows),
    ]
    .into_iter()
    .map(|(pattern, key, kind)| (Regex::new(pattern).expect("the pattern is fixed and tested"), key, kind))
    .collect()
});

fn read(file: &File<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for block in test_blocks(file.text) {
        for (sign, key, kind) in SIGNS.iter() {
            for found in sign.captures_iter(&block) {
                let value = found[1].replace(['"', '\''], "").trim_end_matches([',', ' ']).to_owned();
                facts.push(Fact { file: file.path.to_owned(), key: (*key).to_owned(), value, kind: *kind });
            }
        }
    }
    facts
}

/// The blocks that configure test tasks: `test { … }`, `tasks.test { … }`, `tasks.withType<Test> { … }`.
fn test_blocks(text: &str) -> Vec<String> {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^[^\n{]*\b(?:[tT]est|\w+Test|unitTests)\b[^\n{]*\{|^[^\n{]*\btest\.[^\n{]*$")
            .expect("the pattern is fixed and tested")
    });
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut blocks = Vec::new();
    let mut end_of_last = 0;
    for head in HEAD.find_iter(&code) {
        if head.start() < end_of_last {
            continue;
        }
        let rest = &code[head.start()..];
        let end = if head.as_str().ends_with('{') {
            end_of_block(rest)
        } else {
            rest.find('\n').unwrap_or(rest.len())
        };
        end_of_last = head.start() + end;
        blocks.push(rest[..end].to_owned());
    }
    blocks
}

fn end_of_block(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, symbol) in text.char_indices() {
        match symbol {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[track_caller]
    fn config(file: &str, before: &str, after: &str) {
        narrows("./gradlew test", &[(file, before)], &[(file, after)]);
        widens("./gradlew test", &[(file, after)], &[(file, before)]);
    }

    #[test]
    fn each_setting_narrows() {
        for setting in [
            "ignoreFailures = true",
            "enabled = false",
            "exclude '**/SlowTest*'",
            "filter { excludeTestsMatching \"*Slow*\" }",
            "filter { includeTestsMatching \"*Fast*\" }",
            "useJUnitPlatform { excludeTags 'slow', 'db' }",
            "useJUnitPlatform { includeTags 'fast' }",
            "retry { maxRetries = 3 }",
            "failFast = true",
        ] {
            let with = |setting: &str| format!("test {{\n  useJUnitPlatform()\n  {setting}\n}}\n");
            config("build.gradle", &with(""), &with(setting));
        }
        for head in [
            "tasks.test {",
            "tasks.withType<Test> {",
            "tasks.withType(Test).configureEach {",
            "tasks.named<Test>(\"test\") {",
        ] {
            let with = |setting: &str| format!("{head}\n  {setting}\n}}\n");
            config("app/build.gradle.kts", &with(""), &with("ignoreFailures = true"));
        }
        config("build.gradle", "", "test.ignoreFailures = true\n");
    }

    #[test]
    fn other_blocks_say_nothing() {
        widens(
            "gradle test",
            &[("build.gradle", "")],
            &[("build.gradle", "jar {\n  exclude 'META-INF/*'\n  enabled = false\n}\n")],
        );
    }
}
