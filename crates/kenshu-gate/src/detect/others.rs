//! Ecosystems that one file and one command describe: Bats, Perl, Elixir, Swift, Dart.

use super::ecosystem::{Ecosystem, reaches_all, suite};
use super::folder::Folder;
use super::{Basis, Suite};

pub(super) const BATS: Ecosystem =
    Ecosystem { id: "bats", looked_for: "*.bats", look: bats, sweeps: reaches_all };

pub(super) const PERL: Ecosystem =
    Ecosystem { id: "perl", looked_for: "t/*.t", look: perl, sweeps: reaches_all };

pub(super) const ELIXIR: Ecosystem =
    Ecosystem { id: "elixir", looked_for: "mix.exs", look: elixir, sweeps: reaches_all };

pub(super) const SWIFT: Ecosystem =
    Ecosystem { id: "swift", looked_for: "Package.swift", look: swift, sweeps: reaches_all };

pub(super) const DART: Ecosystem =
    Ecosystem { id: "dart", looked_for: "pubspec.yaml with test/", look: dart, sweeps: reaches_all };

/// The outermost usual folder that holds such files, and whether they lie deeper than in it.
fn holder(folder: &Folder<'_>, names: &[&'static str], ending: &str) -> Option<(&'static str, bool)> {
    names.iter().copied().find_map(|name| {
        if name == "." {
            let here = folder.entries().iter().any(|entry| !entry.is_folder && entry.name.ends_with(ending));
            return here.then_some((name, false));
        }
        if !folder.has_folder(name) {
            return None;
        }
        let inner = Folder::new(folder.tree, &folder.at(name));
        let files = inner.files(3, &[]);
        let mut found = files.iter().filter(|file| file.ends_with(ending)).peekable();
        found.peek()?;
        Some((name, found.any(|file| file.contains('/'))))
    })
}

fn bats(folder: &Folder<'_>) -> Vec<Suite> {
    let Some((name, deep)) = holder(folder, &["test", "tests", "spec", "bats", "."], ".bats") else {
        return Vec::new();
    };
    let argv: &[&str] = if deep { &["bats", "-r", name] } else { &["bats", name] };
    vec![suite(folder, argv, format!("{name}/*.bats"), Basis::Tests)]
}

fn perl(folder: &Folder<'_>) -> Vec<Suite> {
    if holder(folder, &["t"], ".t").is_none() {
        return Vec::new();
    }
    let argv: &[&str] =
        if folder.has_folder("lib") { &["prove", "-l", "-r", "t"] } else { &["prove", "-r", "t"] };
    vec![suite(folder, argv, "t/*.t".to_owned(), Basis::Tests)]
}

fn elixir(folder: &Folder<'_>) -> Vec<Suite> {
    if !folder.has("mix.exs") {
        return Vec::new();
    }
    let is_tested = folder.files(6, &[]).iter().any(|file| file.ends_with("_test.exs"));
    let basis = if is_tested { Basis::Tests } else { Basis::Convention };
    vec![suite(folder, &["mix", "test"], "mix.exs".to_owned(), basis)]
}

fn swift(folder: &Folder<'_>) -> Vec<Suite> {
    if !folder.has("Package.swift") {
        return Vec::new();
    }
    let basis = if folder.has_folder("Tests") { Basis::Tests } else { Basis::Convention };
    vec![suite(folder, &["swift", "test"], "Package.swift".to_owned(), basis)]
}

fn dart(folder: &Folder<'_>) -> Vec<Suite> {
    let Some(text) = folder.read("pubspec.yaml") else { return Vec::new() };
    if holder(folder, &["test"], "_test.dart").is_none() {
        return Vec::new();
    }
    let program = if text.contains("sdk: flutter") { "flutter" } else { "dart" };
    vec![suite(folder, &[program, "test"], "pubspec.yaml".to_owned(), Basis::Tests)]
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn each_has_its_command() {
        check(&[("test/a.bats", "")], &[(".", "bats test", Some("bats"))]);
        check(&[("tests/unit/a.bats", "")], &[(".", "bats -r tests", Some("bats"))]);
        check(&[("a.bats", "")], &[(".", "bats .", Some("bats"))]);
        check(&[("t/a.t", "")], &[(".", "prove -r t", Some("prove"))]);
        check(&[("t/a.t", ""), ("lib/A.pm", "")], &[(".", "prove -l -r t", Some("prove"))]);
        check(&[("mix.exs", ""), ("apps/a/mix.exs", "")], &[(".", "mix test", None)]);
        check(&[("Package.swift", "")], &[(".", "swift test", None)]);
        check(&[("pubspec.yaml", ""), ("test/a_test.dart", "")], &[(".", "dart test", None)]);
        check(&[("pubspec.yaml", "")], &[]);
    }
}
