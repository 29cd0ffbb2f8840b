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

/// Looks for commands and specs.
pub fn detect(tree: &dyn Tree) -> Detection {
    let _ = tree;
    Detection::default()
}
