//! Settings of configuration files, whatever their syntax, and what a family's table makes of them.

use serde_json::Value;

use super::{Fact, Kind};

/// One setting: where it stands and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// Its keys from the outside in.
    pub(super) path: Vec<String>,
    /// Its values as text.
    pub(super) values: Vec<String>,
    /// What of it could not be read; `None`: all was read.
    pub(super) unread: Option<String>,
}

impl Setting {
    /// Its own key.
    pub(super) fn key(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// The key around it; empty at the top.
    pub(super) fn parent(&self) -> &str {
        self.path.iter().rev().nth(1).map_or("", String::as_str)
    }
}

/// How a setting narrows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Each of its values takes tests away.
    Excludes,
    /// Each of its values lets tests in.
    Includes,
    /// `true`, or any number but 0, narrows.
    On,
    /// Any value narrows.
    Any,
    /// `true` makes it stricter.
    Strict,
    /// A number to be reached.
    AtLeast,
    /// A number of further tries.
    AtMost,
}

/// A row of a family's table: key, the keys that may stand around it (empty: any), shape.
pub(super) struct Row(pub(super) &'static str, pub(super) &'static [&'static str], pub(super) Shape);

/// Patterns that name no place where tests of one's own stand; excluding them takes none away.
pub(super) fn is_harmless(pattern: &str) -> bool {
    const PLACES: &[&str] = &[
        "node_modules",
        "dist",
        "build",
        "out",
        "coverage",
        "target",
        "vendor",
        "venv",
        "env",
        "__pycache__",
        "next",
        "nuxt",
        "git",
        "svn",
        "hg",
        "cache",
        "tox",
        "nox",
        "eggs",
        "egg",
        "output",
        "idea",
        "cypress",
        "pytest_cache",
        "mypy_cache",
        "ruff_cache",
        "turbo",
        "svelte-kit",
        "vercel",
        "CVS",
        "_darcs",
        "lib-cov",
        "worktrees",
        "claude",
    ];
    // Of these a folder of that name anywhere holds no tests of one's own.
    const ANYWHERE: &[&str] =
        &["node_modules", "dist", "coverage", "target", "__pycache__", "next", "git", "cache"];
    let pattern = pattern.replace("<rootDir>", "").replace("(?:^|/)", "").replace(['\\', '^', '$'], "");
    let parts: Vec<&str> =
        pattern.split('/').filter(|part| !matches!(*part, "" | "*" | "**" | "." | "*.*" | ".*")).collect();
    let plain = |part: &str| part.trim_start_matches('.').to_owned();
    match parts.as_slice() {
        [] => false,
        [only] if only.starts_with(".{") || only.contains(".config.") || only.starts_with("*.egg") => true,
        [only] => PLACES.contains(&plain(only).as_str()),
        [.., last] => ANYWHERE.contains(&plain(last).as_str()) || parts.contains(&"node_modules"),
    }
}

/// The facts that a table makes of settings.
pub(super) fn facts(file: &str, settings: &[Setting], rows: &[Row]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for setting in settings {
        let row = rows.iter().find(|Row(key, around, _)| {
            *key == setting.key() && (around.is_empty() || around.contains(&setting.parent()))
        });
        let Some(Row(_, _, shape)) = row else { continue };
        // Projects inside a configuration keep their own lists apart by their place.
        let key = setting.path.join(".");
        let fact = |value: &str, kind: Kind| Fact {
            file: file.to_owned(),
            key: key.clone(),
            value: value.to_owned(),
            kind,
        };
        let first = setting.values.first().map_or("", String::as_str);
        let number = first.parse::<f64>().ok();
        match shape {
            Shape::Excludes => facts.extend(
                setting
                    .values
                    .iter()
                    .filter(|value| !is_harmless(value))
                    .map(|value| fact(value, Kind::Narrows)),
            ),
            Shape::Includes => {
                facts.extend(setting.values.iter().map(|value| fact(value, Kind::Includes)));
            }
            Shape::On if first == "true" || number.is_some_and(|number| number != 0.0) => {
                facts.push(fact(first, Kind::Narrows));
            }
            Shape::Any if !first.is_empty() && first != "null" && first != "false" => {
                facts.push(fact(&setting.values.join(" "), Kind::Narrows));
            }
            Shape::Strict if first == "true" => facts.push(fact(first, Kind::Strict)),
            Shape::AtLeast if number.is_some() => facts.push(fact(first, Kind::AtLeast)),
            Shape::AtMost if number.is_some_and(|number| number > 0.0) => {
                facts.push(fact(first, Kind::AtMost));
            }
            Shape::On | Shape::Any | Shape::Strict | Shape::AtLeast | Shape::AtMost => {}
        }
        if let Some(text) = &setting.unread {
            facts.push(fact(&digest(text), Kind::Unread));
        }
    }
    facts
}

/// A fact that says only that a text differs.
pub(super) fn unread(file: &str, key: &str, text: &str) -> Fact {
    Fact { file: file.to_owned(), key: key.to_owned(), value: digest(text), kind: Kind::Unread }
}

/// FNV-1a of the text without its blanks. It tells texts apart in a list that decides nothing.
fn digest(text: &str) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}

/// Settings of a JSON value.
pub(super) fn of_json(value: &Value, path: &[String]) -> Vec<Setting> {
    let setting = |values: Vec<String>| vec![Setting { path: path.to_vec(), values, unread: None }];
    match value {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| of_json(value, &[path, std::slice::from_ref(key)].concat()))
            .collect(),
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            items.iter().flat_map(|item| of_json(item, path)).collect()
        }
        Value::Array(items) => setting(items.iter().map(json_text).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => setting(vec![json_text(value)]),
    }
}

fn json_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Settings of a TOML value.
pub(super) fn of_toml(value: &toml::Value, path: &[String]) -> Vec<Setting> {
    let setting = |values: Vec<String>| vec![Setting { path: path.to_vec(), values, unread: None }];
    match value {
        toml::Value::Table(table) => table
            .iter()
            .flat_map(|(key, value)| of_toml(value, &[path, std::slice::from_ref(key)].concat()))
            .collect(),
        toml::Value::Array(items) if items.iter().any(toml::Value::is_table) => {
            items.iter().flat_map(|item| of_toml(item, path)).collect()
        }
        toml::Value::Array(items) => setting(items.iter().map(toml_text).collect()),
        toml::Value::String(_)
        | toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_) => setting(vec![toml_text(value)]),
    }
}

fn toml_text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Settings of YAML as far as flat configuration has it: `key: value`, `key: [a, b]`, and lists under a key.
pub(super) fn of_yaml(text: &str) -> Vec<Setting> {
    let mut settings: Vec<Setting> = Vec::new();
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or(line);
        let bare = line.trim();
        if bare.starts_with('#') || bare.is_empty() {
            continue;
        }
        if let Some(item) = bare.strip_prefix("- ") {
            if let Some(last) = settings.last_mut() {
                last.values.push(unquoted(item).to_owned());
            }
        } else if let Some((key, value)) = bare.split_once(':') {
            let value = value.trim();
            let values = match value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
                Some(list) => list.split(',').map(|item| unquoted(item).to_owned()).collect(),
                None if value.is_empty() => Vec::new(),
                None => vec![unquoted(value).to_owned()],
            };
            settings.push(Setting { path: vec![unquoted(key).to_owned()], values, unread: None });
        }
    }
    settings
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(text)
}

/// Sections of an INI file with their keys; indented lines go on with the value.
pub(super) fn of_ini(text: &str) -> Vec<(String, String, String)> {
    let mut section = String::new();
    let mut found: Vec<(String, String, String)> = Vec::new();
    for line in text.lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = bare.strip_prefix('[').and_then(|name| name.split(']').next()) {
            section = name.to_owned();
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, _, value)) = found.last_mut() {
                value.push('\n');
                value.push_str(bare);
            }
        } else if let Some((key, value)) = bare.split_once(['=', ':']) {
            found.push((section.clone(), key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    found
}

/// Splits options as a shell would.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for symbol in text.chars() {
        match (quote, symbol) {
            (Some(open), symbol) if symbol == open => quote = None,
            (Some(_), symbol) => word.get_or_insert_default().push(symbol),
            (None, '"' | '\'') => {
                quote = Some(symbol);
                word.get_or_insert_default();
            }
            (None, symbol) if symbol.is_whitespace() => words.extend(word.take()),
            (None, symbol) => word.get_or_insert_default().push(symbol),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_places_are_told_from_tests() {
        for pattern in [
            "**/node_modules/**",
            "/node_modules/",
            "dist",
            "<rootDir>/build/",
            ".venv",
            "**/.{idea,git}/**",
            "packages/*/dist/**",
        ] {
            assert!(is_harmless(pattern), "{pattern}");
        }
        for pattern in
            ["e2e/**", "src/build/cart.test.ts", "src/cart.test.ts", "tests/slow", "**/*.integration.test.ts"]
        {
            assert!(!is_harmless(pattern), "{pattern}");
        }
    }

    #[test]
    fn flat_files_are_read() {
        let settings = of_yaml("spec: 'test/**'\nignore:\n  - a\n  - \"b\"\nretries: 2 # x\nlist: [c, d]\n");
        let values: Vec<(&str, String)> =
            settings.iter().map(|setting| (setting.key(), setting.values.join(","))).collect();
        assert_eq!(
            values,
            [
                ("spec", "test/**".to_owned()),
                ("ignore", "a,b".to_owned()),
                ("retries", "2".to_owned()),
                ("list", "c,d".to_owned())
            ]
        );
        assert_eq!(
            of_ini("[pytest]\naddopts = -q\n  -k x\n# c\n[other]\na: 1\n"),
            [
                ("pytest".to_owned(), "addopts".to_owned(), "-q\n-k x".to_owned()),
                ("other".to_owned(), "a".to_owned(), "1".to_owned())
            ]
        );
        assert_eq!(words("-k 'not slow' -q"), ["-k", "not slow", "-q"]);
    }
}
