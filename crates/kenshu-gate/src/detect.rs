//! Test commands, verify commands, start commands and specs that a project declares, per ecosystem.
//!
//! Which command of a folder is *the* test command, in this order:
//!
//! 1. What a human wrote down under the name `test` for a package manager or a language's own task runner
//!    (`package.json`, `composer.json`, `deno.json`, poe, pdm, hatch).
//! 2. What a human wrote down as a task beside it (`Makefile`, `justfile`, `Taskfile.yml`, `mise.toml`). It takes the
//!    place of every command of this folder whose runner it runs, and of all of them where its runners can't be
//!    read. It gives way to 1 where it only passes on to that, and to the others where it needs containers or another
//!    machine, which a fresh checkout seldom has.
//! 3. The convention of the ecosystem (`cargo test`, `go test ./...`, `pytest` …), for each ecosystem in the folder.
//!
//! The same question is asked of each folder down to depth 3; a folder that a command further up names or sweeps is
//! not asked again. Nothing but files of the tree is looked at: no report of an agent, no prose.

mod cargo;
mod cmake;
mod deno;
mod dotnet;
mod ecosystem;
pub(crate) mod folder;
pub(crate) mod glob;
mod go;
mod jvm;
mod makefile;
mod npm;
mod others;
mod php;
mod python;
mod ruby;
pub(crate) mod runners;
pub(crate) mod scripts;
mod surroundings;
mod task_files;
pub(crate) mod tasks;
pub(crate) mod test_files;

use self::ecosystem::Ecosystem;
use self::folder::Folder;
use crate::tree::Tree;

/// What a project declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    /// Commands that together are the project's tests, the outermost folder first.
    pub suites: Vec<Suite>,
    /// Further verifications that the project declares: lint, types, build.
    pub verify: Vec<Suite>,
    /// How the thing that was built is started.
    pub start: Option<Suite>,
    /// Documents that say what the thing has to do, relative to the project.
    pub specs: Vec<String>,
    /// What was looked for, one short phrase each, for "no test command found; looked for …".
    pub looked_for: Vec<String>,
}

/// On what a command rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// A human wrote it down as the command.
    Declared,
    /// Test files or a runner's configuration stand in the tree.
    Tests,
    /// Only the ecosystem's manifest is there; no test was seen.
    Convention,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// A short name, unique among the suites: `test`, `backend`, `packages/core` …
    pub name: String,
    /// Folder to run it in, relative to the project; `.` is the project.
    pub cwd: String,
    /// Program and arguments; no shell is needed.
    pub argv: Vec<String>,
    /// Where it comes from: `package.json scripts.test`, `Makefile test`, `Cargo.toml` …
    pub source: String,
    /// The id of the reader whose runner it runs, where that is one and known.
    pub runner: Option<&'static str>,
    /// Names of package scripts and tasks that it runs, in the order they are reached.
    pub scripts: Vec<String>,
    /// Whether it waits for a key unless `CI` is set.
    pub needs_ci: bool,
    /// On what it rests.
    pub basis: Basis,
}

/// How many folders deep projects inside the project are looked for.
const DEPTH: usize = 3;

/// The ecosystems, in the order in which two of one folder are listed.
const ECOSYSTEMS: &[Ecosystem] = &[
    npm::ECOSYSTEM,
    deno::ECOSYSTEM,
    python::ECOSYSTEM,
    cargo::ECOSYSTEM,
    go::ECOSYSTEM,
    ruby::ECOSYSTEM,
    php::ECOSYSTEM,
    jvm::ECOSYSTEM,
    dotnet::ECOSYSTEM,
    cmake::ECOSYSTEM,
    others::ELIXIR,
    others::SWIFT,
    others::DART,
    others::PERL,
    others::BATS,
];

/// Looks for commands and specs.
pub fn detect(tree: &dyn Tree) -> Detection {
    let root = Folder::new(tree, "");
    let mut folders = vec![root.clone()];
    folders.extend(root.below(DEPTH));
    let mut search = Search::default();
    for folder in folders {
        search.ask(&folder);
    }
    let mut verify = surroundings::verify(&root);
    for suite in &mut verify {
        fill_in(tree, suite);
    }
    let mut start = surroundings::start(&root);
    if let Some(start) = &mut start {
        start.name = "start".to_owned();
        fill_in(tree, start);
        start.runner = None;
    }
    let mut looked_for: Vec<String> =
        ECOSYSTEMS.iter().map(|ecosystem| ecosystem.looked_for.to_owned()).collect();
    looked_for.push(task_files::LOOKED_FOR.to_owned());
    Detection { suites: search.named(), verify, start, specs: surroundings::specs(&root), looked_for }
}

/// One command that was found.
struct Found<'a> {
    /// The ecosystems whose tests it runs: its own, or those whose commands a task took the place of.
    ecosystems: Vec<&'static Ecosystem>,
    /// What tells it apart from others of its folder.
    id: String,
    folder: Folder<'a>,
    suite: Suite,
}

/// What was found so far, and which folders need not be asked any more.
#[derive(Default)]
struct Search<'a> {
    found: Vec<Found<'a>>,
    /// Folders that a command found further up goes into by name, with the runner it runs there.
    named: Vec<(String, Option<&'static str>)>,
}

impl<'a> Search<'a> {
    fn ask(&mut self, folder: &Folder<'a>) {
        let mut own: Vec<(&'static Ecosystem, Suite)> = Vec::new();
        for ecosystem in ECOSYSTEMS.iter().filter(|ecosystem| !self.is_swept(ecosystem, folder)) {
            own.extend((ecosystem.look)(folder).into_iter().map(|suite| (ecosystem, suite)));
        }
        let mut suites: Vec<Suite> = own.iter().map(|(_, suite)| suite.clone()).collect();
        task_files::take_place(folder, &mut suites);
        let replaced: Vec<&'static Ecosystem> = own
            .iter()
            .filter(|(_, suite)| !suites.contains(suite))
            .map(|(ecosystem, _)| *ecosystem)
            .collect();
        for mut suite in suites {
            let ecosystem = own.iter().find(|(_, known)| *known == suite).map(|(ecosystem, _)| *ecosystem);
            let expansion = fill_in(folder.tree, &mut suite);
            if self.is_named(folder, suite.runner) {
                continue;
            }
            self.remember(folder, &expansion);
            let (id, ecosystems) = match ecosystem {
                Some(ecosystem) => (ecosystem.id.to_owned(), vec![ecosystem]),
                // A task goes by the tool that runs it.
                None => (suite.argv.first().cloned().unwrap_or_default(), replaced.clone()),
            };
            self.found.push(Found { ecosystems, id, folder: folder.clone(), suite });
        }
    }

    fn is_swept(&self, ecosystem: &Ecosystem, inner: &Folder<'_>) -> bool {
        self.found.iter().any(|found| {
            found.ecosystems.iter().any(|known| known.id == ecosystem.id)
                && is_inside(&inner.path, &found.folder.path)
                && (ecosystem.sweeps)(&found.folder, inner)
        })
    }

    fn remember(&mut self, folder: &Folder<'_>, expansion: &scripts::Expansion) {
        for ran in &expansion.ran {
            let runner = runners::reader_id(&ran.invocation);
            if ran.cwd != folder.path {
                self.named.push((ran.cwd.clone(), runner));
            }
            // Folders given as arguments: `pytest backend/tests`, `go test ./api/...`.
            for word in &ran.invocation.arguments {
                let path = word.trim_end_matches("...").trim_end_matches('/');
                if let Some(path) = folder::join(&ran.cwd, path).filter(|path| is_inside(path, &ran.cwd)) {
                    self.named.push((path, runner));
                }
            }
        }
    }

    /// Whether a command further up runs this folder's tests by its name.
    fn is_named(&self, folder: &Folder<'_>, runner: Option<&'static str>) -> bool {
        !folder.path.is_empty()
            && self.named.iter().any(|(path, known)| {
                let same_runner = known.is_none() || runner.is_none() || *known == runner;
                let here = *path == folder.path
                    || (known.is_some_and(runners::sweeps)
                        && is_inside(path, &folder.path)
                        && known == &runner);
                here && same_runner
            })
    }

    /// The suites with their names: `test`, the ecosystem, the folder, or folder and ecosystem.
    fn named(self) -> Vec<Suite> {
        let paths: Vec<String> = self.found.iter().map(|found| found.folder.path.clone()).collect();
        let mut names: Vec<String> = Vec::new();
        let mut suites = Vec::new();
        for Found { id, folder, mut suite, .. } in self.found {
            let alone = paths.iter().filter(|path| **path == folder.path).count() == 1;
            let name = match (alone, folder.path.as_str()) {
                (true, "") => "test".to_owned(),
                (true, path) => path.to_owned(),
                (false, "") => id,
                (false, path) => format!("{path} ({id})"),
            };
            let twins = names.iter().filter(|known| **known == name).count();
            suite.name = if twins == 0 { name.clone() } else { format!("{name} {}", twins + 1) };
            names.push(name);
            suites.push(suite);
        }
        suites
    }
}

fn is_inside(path: &str, outer: &str) -> bool {
    path != outer && (outer.is_empty() || path.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/')))
}

/// Follows the command and says what it runs.
fn fill_in(tree: &dyn Tree, suite: &mut Suite) -> scripts::Expansion {
    let expansion = scripts::expand(tree, &suite.cwd, &suite.argv);
    let mut ids: Vec<&'static str> =
        expansion.ran.iter().filter_map(|ran| runners::reader_id(&ran.invocation)).collect();
    ids.sort_unstable();
    ids.dedup();
    // Two runners under one command: neither is the command's own.
    suite.runner = match ids.as_slice() {
        [] => suite.runner,
        [only] => Some(only),
        _ => None,
    };
    suite.scripts = expansion.scripts.iter().map(|script| script.name.clone()).collect();
    suite.needs_ci = expansion.ran.iter().any(|ran| runners::waits_without_ci(&ran.invocation));
    expansion
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn found(files: &[(&str, &str)]) -> Detection {
        let tree: BTreeMap<String, String> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        detect(&tree)
    }

    #[test]
    fn a_repository_of_several_languages_gives_several_suites() {
        let detection = found(&[
            ("frontend/package.json", r#"{"scripts":{"test":"react-scripts test"}}"#),
            ("backend/pyproject.toml", "[tool.pytest.ini_options]\n"),
            ("backend/tests/test_a.py", "def test_a(): pass"),
            ("services/mail/go.mod", ""),
            ("services/mail/testdata/x/go.mod", ""),
            ("a/b/c/d/go.mod", ""),
        ]);
        let suites: Vec<(&str, &str, bool, Basis)> = detection
            .suites
            .iter()
            .map(|suite| (suite.name.as_str(), suite.source.as_str(), suite.needs_ci, suite.basis))
            .collect();
        assert_eq!(
            suites,
            [
                ("backend", "backend/pyproject.toml", false, Basis::Tests),
                ("frontend", "frontend/package.json scripts.test", true, Basis::Declared),
                ("services/mail", "services/mail/go.mod", false, Basis::Convention),
            ]
        );
    }

    #[test]
    fn two_suites_of_one_folder_have_their_own_names() {
        let detection = found(&[
            ("package.json", r#"{"scripts":{"test":"npm run unit","unit":"jest"}}"#),
            ("Cargo.toml", "[package]"),
        ]);
        let names: Vec<&str> = detection.suites.iter().map(|suite| suite.name.as_str()).collect();
        assert_eq!(names, ["node", "rust"]);
        assert_eq!(detection.suites[0].scripts, ["test", "unit"]);
    }

    #[test]
    fn nothing_found_says_what_was_looked_for() {
        let detection = found(&[("README.md", "npm test")]);
        assert!(detection.suites.is_empty());
        assert_eq!(detection.looked_for.len(), ECOSYSTEMS.len() + 1);
        assert!(detection.looked_for.iter().any(|phrase| phrase.contains("cmake -B build")));
    }
}
