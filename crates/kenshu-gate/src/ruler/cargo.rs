//! Cargo: test targets of manifests, workspace members, aliases and runners, nextest's profiles.

use super::config::{Family, File};
use super::line::arguments;
use super::options::table;
use super::settings::{Setting, of_toml, unread, words};
use super::{Fact, Kind};

pub(super) const FAMILY: Family = Family { runners: &["cargo-test", "cargo-nextest"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    matches!(name, "Cargo.toml" | "config.toml" | "config" | "nextest.toml")
}

fn read(file: &File<'_>) -> Vec<Fact> {
    let of_cargo = file.path.contains(".cargo/");
    match file.name {
        "config.toml" | "config" if !of_cargo => return Vec::new(),
        _ => {}
    }
    let Ok(table) = file.text.parse::<toml::Table>() else {
        return vec![unread(file.path, "unread", file.text)];
    };
    let settings = of_toml(&toml::Value::Table(table.clone()), &[]);
    match file.name {
        "Cargo.toml" => of_manifest(file, &table, &settings),
        "nextest.toml" => of_nextest(file, &settings),
        _ => of_config(file, &settings),
    }
}

fn fact(file: &File<'_>, key: &str, value: &str, kind: Kind) -> Fact {
    Fact { file: file.path.to_owned(), key: key.to_owned(), value: value.to_owned(), kind }
}

fn of_manifest(file: &File<'_>, manifest: &toml::Table, settings: &[Setting]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for setting in settings {
        let first = setting.values.first().map_or("", String::as_str);
        let key = setting.path.join(".");
        match (key.as_str(), first) {
            ("package.autotests" | "lib.test" | "lib.doctest" | "lib.harness", "false") => {
                facts.push(fact(file, &key, first, Kind::Narrows));
            }
            ("workspace.default-members" | "workspace.members", _) => {
                facts.extend(setting.values.iter().map(|value| fact(file, &key, value, Kind::Includes)));
            }
            ("workspace.exclude", _) => {
                facts.extend(setting.values.iter().map(|value| fact(file, &key, value, Kind::Narrows)));
            }
            _ => {}
        }
    }
    for kind in ["test", "bin", "example", "bench"] {
        let targets = manifest.get(kind).and_then(toml::Value::as_array).into_iter().flatten();
        for target in targets {
            let name = target.get("name").and_then(toml::Value::as_str).unwrap_or_default();
            for key in ["harness", "test"] {
                // A benchmark or example without the harness is the rule, and no test.
                let counts = kind == "test" || (kind == "bin" && key == "test");
                if counts && target.get(key).and_then(toml::Value::as_bool) == Some(false) {
                    facts.push(fact(file, &format!("[[{kind}]] {name} {key}"), "false", Kind::Narrows));
                }
            }
            if kind == "test" {
                if let Some(path) = target.get("path").and_then(toml::Value::as_str) {
                    facts.push(fact(file, &format!("[[test]] {name} path"), path, Kind::Strict));
                }
                for feature in
                    target.get("required-features").and_then(toml::Value::as_array).into_iter().flatten()
                {
                    let feature = feature.as_str().unwrap_or_default();
                    facts.push(fact(
                        file,
                        &format!("[[test]] {name} required-features"),
                        feature,
                        Kind::Narrows,
                    ));
                }
            }
        }
    }
    facts
}

fn of_config(file: &File<'_>, settings: &[Setting]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for setting in settings {
        let key = setting.path.join(".");
        let name = setting.key();
        if setting.parent() == "alias" && matches!(name, "test" | "t" | "nextest") {
            let options: Vec<String> = setting.values.iter().flat_map(|value| words(value)).collect();
            if let Some(known) = table("cargo-test") {
                facts.extend(arguments(file.path, &key, known, &options));
            }
            continue;
        }
        let section = setting.path.first().map_or("", String::as_str);
        // A runner runs in the place of the tests; variables of nextest are options of it.
        if (section == "target" && name == "runner") || (section == "env" && name.starts_with("NEXTEST")) {
            facts.push(fact(file, &key, &setting.values.join(" "), Kind::Narrows));
        }
    }
    facts
}

fn of_nextest(file: &File<'_>, settings: &[Setting]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for setting in settings {
        let first = setting.values.first().map_or("", String::as_str);
        let key = setting.path.join(".");
        match (setting.key(), first) {
            ("default-filter", value) if value != "all()" => {
                facts.push(fact(file, &key, value, Kind::Narrows))
            }
            ("retries" | "count", times) if times != "0" => facts.push(fact(file, &key, times, Kind::AtMost)),
            ("fail-fast", "true") => facts.push(fact(file, &key, first, Kind::Narrows)),
            ("no-tests" | "no-tests-behavior", "pass" | "warn") => {
                facts.push(fact(file, &key, first, Kind::Narrows));
            }
            ("flaky-result", "pass") => facts.push(fact(file, &key, first, Kind::Narrows)),
            ("on-timeout", "pass") => facts.push(fact(file, &key, first, Kind::Narrows)),
            _ => {}
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, same, widens};

    #[track_caller]
    fn config(command: &str, file: &str, before: &str, after: &str) {
        narrows(command, &[(file, before)], &[(file, after)]);
        widens(command, &[(file, after)], &[(file, before)]);
    }

    #[test]
    fn manifests_narrow() {
        let test = "cargo test";
        config(test, "Cargo.toml", "[package]", "[package]\nautotests = false");
        config(test, "Cargo.toml", "[lib]", "[lib]\ntest = false");
        config(test, "Cargo.toml", "[lib]", "[lib]\ndoctest = false");
        config(test, "Cargo.toml", "[[test]]\nname='a'", "[[test]]\nname='a'\nharness = false");
        config(test, "Cargo.toml", "[[test]]\nname='a'", "[[test]]\nname='a'\ntest = false");
        config(test, "Cargo.toml", "[[test]]\nname='a'", "[[test]]\nname='a'\nrequired-features = ['x']");
        narrows(
            test,
            &[("Cargo.toml", "[[test]]\nname='a'\npath='a.rs'")],
            &[("Cargo.toml", "[[test]]\nname='a'\npath='b.rs'")],
        );
        config(test, "Cargo.toml", "[workspace]\nmembers=['a','b']", "[workspace]\nmembers=['a']");
        config(
            test,
            "Cargo.toml",
            "[workspace]\ndefault-members=['a','b']",
            "[workspace]\ndefault-members=['a']",
        );
        config(test, "Cargo.toml", "[workspace]", "[workspace]\nexclude=['a']");
        widens(
            test,
            &[("Cargo.toml", "[[bench]]\nname='a'")],
            &[("Cargo.toml", "[[bench]]\nname='a'\nharness=false")],
        );
    }

    #[test]
    fn cargo_and_nextest_configuration_narrow() {
        config("cargo test", ".cargo/config.toml", "[alias]\ntest = 'test'", "[alias]\ntest = 'test --lib'");
        config("cargo test", ".cargo/config.toml", "", "[target.x86_64-unknown-linux-gnu]\nrunner = 'true'");
        let (run, file) = ("cargo nextest run", ".config/nextest.toml");
        config(run, file, "", "[profile.default]\ndefault-filter = 'not test(slow)'");
        config(run, file, "", "[profile.default]\nretries = 2");
        config(run, file, "", "[profile.default]\nfail-fast = true");
        config(run, file, "", "[profile.default]\nno-tests = 'pass'");
        same(run, &[("src/config.toml", "")], &[("src/config.toml", "[alias]\ntest = '--lib'")]);
    }
}
