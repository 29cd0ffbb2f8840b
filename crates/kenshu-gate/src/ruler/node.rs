//! `.npmrc`: settings with which npm runs scripts otherwise than they are written.

use super::config::{Family, File};
use super::{Fact, Kind};

pub(super) const FAMILY: Family = Family { runners: &[], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    name == ".npmrc"
}

fn read(file: &File<'_>) -> Vec<Fact> {
    file.text
        .lines()
        .filter(|line| !line.trim_start().starts_with(['#', ';']))
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.trim(), value.trim()))
        .filter(|(key, value)| {
            matches!(*key, "script-shell" | "node-options" | "if-present")
                || (matches!(*key, "ignore-scripts" | "enable-pre-post-scripts") && *value != "false")
                || (*key == "enable-pre-post-scripts" && *value == "false")
        })
        .filter(|(key, value)| !(*key == "enable-pre-post-scripts" && *value == "true"))
        .map(|(key, value)| Fact {
            file: file.path.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
            kind: Kind::Narrows,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, same};

    #[test]
    fn settings_that_change_what_a_script_does_narrow() {
        let package = ("package.json", r#"{"scripts":{"test":"jest"}}"#);
        for line in ["ignore-scripts=true", "script-shell=/bin/true", "node-options=--require ./x.js"] {
            narrows("npm test", &[package], &[package, (".npmrc", line)]);
        }
        same("npm test", &[package], &[package, (".npmrc", "registry=x\nignore-scripts=false\n")]);
    }
}
