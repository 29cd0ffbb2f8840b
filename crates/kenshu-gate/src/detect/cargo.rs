//! Rust: `cargo test` for a package or a workspace, `cargo nextest run` where nextest is configured.

use super::ecosystem::{Ecosystem, suite};
use super::folder::Folder;
use super::glob::covers;
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem = Ecosystem { id: "rust", looked_for: "Cargo.toml", look, sweeps };

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let Some(manifest) = folder.toml("Cargo.toml") else { return Vec::new() };
    let nextest = folder.has(".config/nextest.toml");
    let mut argv: Vec<&str> = if nextest { vec!["cargo", "nextest", "run"] } else { vec!["cargo", "test"] };
    if manifest.contains_key("workspace") {
        argv.push("--workspace");
    }
    let is_tested = folder
        .files(5, &[])
        .iter()
        .filter(|file| file.ends_with(".rs"))
        .take(400)
        .any(|file| file.starts_with("tests/") || folder.read(file).is_some_and(|text| has_test(&text)));
    let basis = if is_tested { Basis::Tests } else { Basis::Convention };
    let source = if nextest { ".config/nextest.toml" } else { "Cargo.toml" };
    vec![suite(folder, &argv, source.to_owned(), basis)]
}

fn has_test(text: &str) -> bool {
    ["#[test]", "::test]", "::test(", "#[rstest", "#[test_case", "proptest!", "/// ```", "//! ```"]
        .iter()
        .any(|mark| text.contains(mark))
}

/// A workspace reaches its members; a package reaches nothing below.
fn sweeps(outer: &Folder<'_>, inner: &Folder<'_>) -> bool {
    let manifest = outer.toml("Cargo.toml");
    let Some(workspace) = manifest.as_ref().and_then(|manifest| manifest.get("workspace")) else {
        return false;
    };
    let list = |key: &str| -> Vec<String> {
        workspace
            .get(key)
            .and_then(toml::Value::as_array)
            .map(|items| items.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect())
            .unwrap_or_default()
    };
    let path = inner.path.strip_prefix(&outer.path).unwrap_or(&inner.path).trim_start_matches('/');
    // Path dependencies below the root are members without being listed.
    let depended = outer.read("Cargo.toml").is_some_and(|text| {
        text.contains(&format!("path = \"{path}\"")) || text.contains(&format!("path = \"./{path}\""))
    });
    (depended || list("members").iter().any(|member| covers(member, path)))
        && !list("exclude").iter().any(|out| covers(out, path) || path.starts_with(&format!("{out}/")))
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn packages_workspaces_and_nextest() {
        let package = ("Cargo.toml", "[package]\nname = 'x'\n");
        check(&[package], &[(".", "cargo test", Some("cargo-test"))]);
        check(&[package, (".config/nextest.toml", "")], &[(".", "cargo nextest run", Some("cargo-nextest"))]);
        let member = ("crates/a/Cargo.toml", "[package]\nname = 'a'\n");
        let other = ("fuzz/Cargo.toml", "[package]\nname = 'fuzz'\n");
        check(
            &[("Cargo.toml", "[workspace]\nmembers = ['crates/*']\n"), member, other],
            &[
                (".", "cargo test --workspace", Some("cargo-test")),
                ("fuzz", "cargo test", Some("cargo-test")),
            ],
        );
        check(&[member], &[("crates/a", "cargo test", Some("cargo-test"))]);
    }
}
