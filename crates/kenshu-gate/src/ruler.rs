//! The ruler: command, scripts and the narrowing facts of runner configuration, and how two of them differ.

use std::collections::BTreeMap;

use kenshu_model::check::RulerChange;

use crate::detect::Suite;
use crate::tree::Tree;

/// What measures the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruler {
    /// The commands, in the order of the suites.
    pub commands: Vec<RulerCommand>,
    /// Every script that a command runs, with what runs before and after it, by file and name.
    pub scripts: BTreeMap<ScriptName, String>,
    /// `kenshu.toml`, its values in a fixed order and without comments; `None`: there is none.
    pub kenshu_toml: Option<String>,
    /// What runner configuration says about which tests run and which failures show; sorted.
    pub facts: Vec<Fact>,
}

/// A command of the ruler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulerCommand {
    /// The suite's name.
    pub suite: String,
    /// Folder it runs in.
    pub cwd: String,
    /// Program and arguments; the interpreter of the project's own virtual environment stands as `python3`.
    pub argv: Vec<String>,
}

/// Where a script stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptName {
    /// The file, relative to the project.
    pub file: String,
    /// The script's or target's name.
    pub name: String,
}

/// One fact of runner configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The file, relative to the project.
    pub file: String,
    /// The setting: `addopts -k`, `testPathIgnorePatterns` …; the same key may stand there several times.
    pub key: String,
    /// One value of it.
    pub value: String,
    /// Which way it narrows.
    pub kind: Kind,
}

/// Which way a fact narrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Takes tests away or hides failures: one more of it narrows.
    Narrows,
    /// A list of what runs, where no list means everything: one less of it narrows, and so does the first of it.
    Includes,
    /// Makes the run stricter: one less of it narrows.
    Strict,
    /// A number that must be reached: a lower one narrows.
    AtLeast,
    /// A number of further tries: a higher one narrows.
    AtMost,
    /// Configuration that can't be read; its value is a hash of the text. Never narrows.
    Unread,
}

/// Reads the ruler off a tree.
pub fn ruler(tree: &dyn Tree, suites: &[Suite]) -> Ruler {
    let _ = (tree, suites);
    Ruler::default()
}

/// How `after` differs from `before`, and what of it narrows.
pub fn compare(before: &Ruler, after: &Ruler) -> Vec<RulerChange> {
    let _ = (before, after);
    Vec::new()
}

impl Ruler {
    /// The bytes to hash: equal for equal rulers, whatever the order in the files.
    pub fn hash(&self) -> String {
        String::new()
    }
}
