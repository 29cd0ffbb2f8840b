//! The families of runner configuration, and the files of a tree that belong to them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fact, Kind};
use super::{
    cargo, ctest, dotnet, go, gradle, jest, maven, mocha, node, phpunit, playwright, pytest, rspec, vitest,
};
use crate::detect::folder::{Folder, join};
use crate::detect::glob::covers;
use crate::tree::Tree;

/// A configuration file.
pub(super) struct File<'a> {
    /// Its path, relative to the project.
    pub(super) path: &'a str,
    /// Its name.
    pub(super) name: &'a str,
    /// Its text.
    pub(super) text: &'a str,
}

/// A family of configuration files: plain data and two functions.
pub(super) struct Family {
    /// The runners that read them; where none of them is run, the files say nothing.
    pub(super) runners: &'static [&'static str],
    /// Whether a file of this name belongs to it.
    pub(super) is_mine: fn(&str) -> bool,
    /// What the file says.
    pub(super) facts: fn(&File<'_>) -> Vec<Fact>,
}

const FAMILIES: &[Family] = &[
    cargo::FAMILY,
    ctest::FAMILY,
    dotnet::FAMILY,
    go::FAMILY,
    gradle::FAMILY,
    jest::FAMILY,
    maven::FAMILY,
    mocha::FAMILY,
    node::FAMILY,
    phpunit::FAMILY,
    playwright::FAMILY,
    pytest::FAMILY,
    rspec::FAMILY,
    vitest::FAMILY,
];

/// How many folders deep configuration is looked for.
pub(super) const DEPTH: usize = 6;

/// Files with the runners that read them.
pub(super) type Readers = BTreeMap<String, Vec<&'static str>>;

/// The facts of a tree's configuration. `runners`: those that the commands run; `None`: not all of them are known.
pub(super) fn facts(tree: &dyn Tree, runners: Option<&BTreeSet<&'static str>>) -> (Vec<Fact>, Readers) {
    let root = Folder::new(tree, "");
    let mut paths = root.files(DEPTH, &[]);
    for hidden in [".cargo", ".config"] {
        paths.extend(tree.list(hidden).into_iter().map(|entry| format!("{hidden}/{}", entry.name)));
    }
    let relevant: Vec<&Family> = FAMILIES
        .iter()
        .filter(|family| {
            runners.is_none_or(|runners| {
                family.runners.is_empty() || family.runners.iter().any(|runner| runners.contains(runner))
            })
        })
        .collect();
    let mut facts = Vec::new();
    let mut readers = Readers::new();
    for path in &paths {
        let name = path.rsplit('/').next().unwrap_or(path);
        let mine: Vec<&&Family> = relevant.iter().filter(|family| (family.is_mine)(name)).collect();
        if mine.is_empty() {
            continue;
        }
        let Some(text) = tree.read(path) else { continue };
        for family in mine {
            facts.extend((family.facts)(&File { path, name, text: &text }));
            readers.entry(path.clone()).or_default().extend(family.runners);
        }
    }
    (facts, readers)
}

/// The include lists that leave out a test file which the tree has: file and key.
///
/// A list that takes everything in that there is narrows nothing when it is written for the first time.
pub(super) fn leaving_out(tree: &dyn Tree, facts: &[Fact]) -> BTreeSet<(String, String)> {
    let mut lists: BTreeSet<(String, String)> = BTreeSet::new();
    for fact in facts.iter().filter(|fact| fact.kind == Kind::Includes) {
        lists.insert((fact.file.clone(), fact.key.clone()));
    }
    if lists.is_empty() {
        return lists;
    }
    let files = Folder::new(tree, "").files(DEPTH, &[]);
    lists
        .into_iter()
        .filter(|(file, key)| {
            let base = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let python = key.starts_with("testpaths") || key.starts_with("python_");
            let is_path = matches!(
                key.rsplit('.').next(),
                Some("testpaths" | "include" | "testMatch" | "roots" | "spec" | "testDir" | "dir")
            );
            let patterns: Vec<String> = facts
                .iter()
                .filter(|fact| fact.file == *file && fact.key == *key)
                .map(|fact| fact.value.replace("<rootDir>", "."))
                .collect();
            let below = |path: &&String| base.is_empty() || path.starts_with(&format!("{base}/"));
            // A list of something else than paths, or of classes, is not compared with the files.
            !is_path
                || file.ends_with("pom.xml")
                || file.contains(".gradle")
                || files
                    .iter()
                    .filter(below)
                    .filter(|path| is_test(path, python))
                    .any(|path| !patterns.iter().any(|pattern| takes_in(base, pattern, path)))
        })
        .collect()
}

fn is_test(path: &str, python: bool) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if python {
        return name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
    }
    [".test.", ".spec.", "_test.", "_spec."].iter().any(|mark| name.contains(mark))
        && !name.ends_with(".snap")
}

fn takes_in(base: &str, pattern: &str, path: &str) -> bool {
    let inner = path.strip_prefix(base).unwrap_or(path).trim_start_matches('/');
    contains(pattern, inner) || join(base, pattern).is_some_and(|pattern| contains(&pattern, path))
}

/// Whether a list's value takes in everything that another one does: by pattern, as a folder above, as everything.
pub(super) fn contains(wide: &str, narrow: &str) -> bool {
    let tidy = |value: &str| {
        let value = value.trim_start_matches("<rootDir>").trim_start_matches("./").trim_end_matches('/');
        // Go writes `...` for all below.
        value.strip_suffix("...").map_or_else(|| value.to_owned(), |folder| format!("{folder}**"))
    };
    let (wide, narrow) = (tidy(wide), tidy(narrow));
    let inside = narrow.strip_prefix(wide.as_str()).is_some_and(|rest| rest.starts_with(['/', ':']));
    matches!(wide.as_str(), "" | "." | "**" | "**/*") || inside || covers(&wide, &narrow)
}
