//! The house rules that no lint knows.

#![expect(clippy::disallowed_methods, reason = "tests read the repository")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read the repository must fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Files that git knows of or would add, relative to the top level.
fn files(ending: &str) -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is needed");
    let names = String::from_utf8(output.stdout).unwrap();
    let files: Vec<PathBuf> = names
        .lines()
        .filter(|name| name.ends_with(ending))
        .map(PathBuf::from)
        .filter(|path| root().join(path).is_file())
        .collect();
    assert!(!files.is_empty(), "no {ending} files: is this a git checkout?");
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn every_source_file_says_first_what_it_is() {
    let bare: Vec<PathBuf> =
        files(".rs").into_iter().filter(|path| !read(path).starts_with("//! ")).collect();
    assert!(bare.is_empty(), "these begin without //!: {bare:?}");
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    let long: Vec<(PathBuf, usize)> = files(".rs")
        .into_iter()
        .map(|path| (path.clone(), read(&path).lines().count()))
        .filter(|(_, lines)| *lines > 500)
        .collect();
    assert!(long.is_empty(), "over 500 lines: {long:?}");
}

#[test]
fn no_test_is_ignored() {
    let attribute = ["#[", "ignore"].concat();
    let ignored: Vec<PathBuf> =
        files(".rs").into_iter().filter(|path| read(path).contains(&attribute)).collect();
    assert!(ignored.is_empty(), "ignored tests in {ignored:?}");
}

/// ARCHITECTURE.md's table of crates: `| kenshu-x | … | model, readers |`.
#[test]
fn crates_depend_only_on_what_the_architecture_allows() {
    let text = read(Path::new("ARCHITECTURE.md"));
    let allowed: BTreeMap<String, BTreeSet<String>> = text
        .lines()
        .filter(|line| line.starts_with("| `kenshu") || line.starts_with("| `xtask"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let names = |cell: &str| {
                cell.split(',')
                    .map(|name| name.trim().trim_matches('`').to_owned())
                    .filter(|name| !name.is_empty() && name != "nothing")
                    .collect()
            };
            (cells[0].trim_matches('`').to_owned(), names(cells[2]))
        })
        .collect();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let of_ours: BTreeSet<String> = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string())
            .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
            .collect();
        let allowed = allowed.get(name).unwrap_or_else(|| panic!("{name} is not in ARCHITECTURE.md's table"));
        assert_eq!(&of_ours, allowed, "dependencies of {name} and ARCHITECTURE.md's table");
        seen.insert(name.to_owned());
    }
    assert_eq!(
        seen,
        allowed.keys().cloned().collect(),
        "crates in ARCHITECTURE.md's table and in the workspace"
    );
}

/// Each reason word stands in `docs/contract.md`, in backticks.
#[test]
fn every_reason_word_stands_in_the_contract() {
    let contract = read(Path::new("docs/contract.md"));
    let missing: Vec<&str> = kenshu_model::REASONS
        .iter()
        .map(|entry| entry.word)
        .filter(|word| !contract.contains(&format!("`{word}`")))
        .collect();
    assert!(missing.is_empty(), "not in docs/contract.md: {missing:?}");
}

#[test]
fn links_between_documents_resolve() {
    let mut broken = Vec::new();
    for path in files(".md").into_iter().filter(|path| !path.starts_with("cases")) {
        let text = read(&path);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        for part in text.split("](").skip(1) {
            let Some((target, _)) = part.split_once(')') else { continue };
            let target = target.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            if !root().join(&folder).join(target).exists() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links: {broken:?}");
}
