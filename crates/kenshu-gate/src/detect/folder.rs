//! One folder of a tree, and walks below it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::tree::{Entry, Tree};

/// Folders that hold others' code, made files or samples: a test command in one of them is not this project's.
const PASSED_OVER: &[&str] = &[
    "node_modules",
    "bower_components",
    "target",
    "venv",
    "env",
    "site-packages",
    "__pycache__",
    "vendor",
    "third_party",
    "third-party",
    "Pods",
    "deps",
    "dist",
    "build",
    "_build",
    "out",
    "obj",
    "coverage",
    "fixtures",
    "__fixtures__",
    "test-fixtures",
    "testdata",
    "test-data",
    "test_data",
    "examples",
    "example",
    "samples",
    "templates",
];

/// Folders of tests: what lies deeper in them is a sample more often than a project.
const OF_TESTS: &[&str] = &["test", "tests", "__tests__", "spec", "specs", "e2e"];

/// A walk stops after this many names: a tree larger than that is not looked through for a hint.
const MOST_NAMES: usize = 20_000;

/// Whether a folder of this name is passed over.
pub(crate) fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || PASSED_OVER.contains(&name)
}

/// Whether a folder of this name holds tests.
pub(crate) fn is_of_tests(name: &str) -> bool {
    OF_TESTS.contains(&name)
}

/// Joins two relative paths and takes `.` and `..` out. `None`: the result lies outside the tree.
pub(crate) fn join(base: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!path.starts_with('/')).then(|| parts.join("/"))
}

/// One folder of a tree.
#[derive(Clone)]
pub(crate) struct Folder<'a> {
    /// The tree it lies in.
    pub(crate) tree: &'a dyn Tree,
    /// Its path; empty for the root.
    pub(crate) path: String,
    entries: Vec<Entry>,
}

impl<'a> Folder<'a> {
    /// The folder at this path.
    pub(crate) fn new(tree: &'a dyn Tree, path: &str) -> Folder<'a> {
        Folder { tree, path: path.to_owned(), entries: tree.list(path) }
    }

    /// Its path as a suite writes it.
    pub(crate) fn cwd(&self) -> String {
        if self.path.is_empty() { ".".to_owned() } else { self.path.clone() }
    }

    /// Path from the root of something in here.
    pub(crate) fn at(&self, name: &str) -> String {
        join(&self.path, name).unwrap_or_else(|| name.to_owned())
    }

    /// The text of a file in here.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        // The listing answers most questions without a look at the disk.
        if !name.contains('/') && !self.has(name) {
            return None;
        }
        self.tree.read(&self.at(name))
    }

    /// Whether a file of this name stands in here; it may be one that is no text.
    pub(crate) fn has(&self, name: &str) -> bool {
        match name.rsplit_once('/') {
            None => self.entries.iter().any(|entry| !entry.is_folder && entry.name == name),
            Some((folder, name)) => {
                self.list(folder).iter().any(|entry| !entry.is_folder && entry.name == name)
            }
        }
    }

    /// The first of these files that is here.
    pub(crate) fn first_of<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        names.iter().copied().find(|name| self.has(name))
    }

    /// Whether a folder of this name stands in here.
    pub(crate) fn has_folder(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.is_folder && entry.name == name)
    }

    /// The names in here.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The names in a folder below.
    pub(crate) fn list(&self, name: &str) -> Vec<Entry> {
        self.tree.list(&self.at(name))
    }

    /// A JSON file in here, comments and trailing commas forgiven.
    pub(crate) fn json(&self, name: &str) -> Option<Value> {
        self.read(name).and_then(|text| parse_json(&text))
    }

    /// A TOML file in here.
    pub(crate) fn toml(&self, name: &str) -> Option<toml::Table> {
        self.read(name).and_then(|text| text.parse().ok())
    }

    /// The folder one up; `None` for the root.
    pub(crate) fn parent(&self) -> Option<Folder<'a>> {
        if self.path.is_empty() {
            return None;
        }
        Some(Folder::new(self.tree, self.path.rsplit_once('/').map_or("", |(parent, _)| parent)))
    }

    /// This folder and all above it, the nearest first.
    pub(crate) fn upwards(&self) -> Vec<Folder<'a>> {
        let mut folders = vec![self.clone()];
        while let Some(parent) = folders.last().and_then(Folder::parent) {
            folders.push(parent);
        }
        folders
    }

    /// Files at most `depth` folders below, relative to here, without those in folders that are passed over or that
    /// hold one of the `borders`, which make a folder another project.
    pub(crate) fn files(&self, depth: usize, borders: &[&str]) -> Vec<String> {
        let mut files = Vec::new();
        let mut budget = MOST_NAMES;
        self.collect("", depth, borders, &mut budget, &mut files);
        files
    }

    fn collect(
        &self,
        below: &str,
        depth: usize,
        borders: &[&str],
        budget: &mut usize,
        files: &mut Vec<String>,
    ) {
        let entries = if below.is_empty() { self.entries.clone() } else { self.list(below) };
        if !below.is_empty() && entries.iter().any(|entry| borders.contains(&entry.name.as_str())) {
            return;
        }
        for entry in entries {
            if *budget == 0 {
                return;
            }
            *budget -= 1;
            let path = if below.is_empty() { entry.name.clone() } else { format!("{below}/{}", entry.name) };
            if !entry.is_folder {
                files.push(path);
            } else if depth > 0 && !is_passed_over(&entry.name) {
                self.collect(&path, depth - 1, borders, budget, files);
            }
        }
    }

    /// The folders down to `depth` that can be projects of their own, outermost first, without this one.
    pub(crate) fn below(&self, depth: usize) -> Vec<Folder<'a>> {
        let mut found = Vec::new();
        let mut layer = vec![self.clone()];
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for _ in 0..depth {
            let mut next = Vec::new();
            for folder in &layer {
                let own = folder.path.rsplit('/').next().unwrap_or_default();
                if is_of_tests(own) || seen.len() > MOST_NAMES {
                    continue;
                }
                for entry in
                    folder.entries().iter().filter(|entry| entry.is_folder && !is_passed_over(&entry.name))
                {
                    let inner = Folder::new(folder.tree, &folder.at(&entry.name));
                    if seen.insert(inner.path.clone()) {
                        next.push(inner);
                    }
                }
            }
            found.extend(next.iter().cloned());
            layer = next;
        }
        found
    }
}

/// Reads JSON as configuration files have it: comments and trailing commas are forgiven.
pub(crate) fn parse_json(text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&without_comments(text)).ok())
}

/// Takes `//`, `/* */` and commas before a closing bracket out of JSON.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(symbol) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if symbol == '"' {
            let end = end_of_string(rest, '"');
            kept.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            if matches!(symbol, ']' | '}') {
                let end = kept.trim_end().len();
                if kept[..end].ends_with(',') {
                    kept.truncate(end - 1);
                }
            }
            kept.push(symbol);
            rest = &rest[symbol.len_utf8()..];
        }
    }
    kept
}

/// Byte offset behind the closing quote of the string that `text` begins with.
pub(crate) fn end_of_string(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, symbol) in text.char_indices().skip(1) {
        match symbol {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            symbol if symbol == quote => return at + symbol.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_inside_the_tree() {
        assert_eq!(join("a/b", "../c").as_deref(), Some("a/c"));
        assert_eq!(join("", "./x/").as_deref(), Some("x"));
        assert_eq!(join("a", "../../x"), None);
        assert_eq!(join("a", "/etc"), None);
    }

    #[test]
    fn comments_in_json_are_forgiven() {
        let value = parse_json("{ // a\n \"a\": \"x//y\", /* b */ \"b\": [1, 2,],\n}").unwrap();
        assert_eq!(value["a"], "x//y");
        assert_eq!(value["b"][1], 2);
        assert!(parse_json("{").is_none());
    }
}
