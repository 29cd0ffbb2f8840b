//! What every ecosystem gives: its commands for one folder, and which folders below they reach.

use super::folder::Folder;
use super::{Basis, Suite};

/// An ecosystem: plain data and two functions.
pub(super) struct Ecosystem {
    /// A short name; it tells two suites of one folder apart.
    pub(super) id: &'static str,
    /// What is looked for, as it stands behind "no test command found; looked for".
    pub(super) looked_for: &'static str,
    /// The commands of this folder.
    pub(super) look: fn(&Folder<'_>) -> Vec<Suite>,
    /// Whether the command of the outer folder runs the inner one's tests as well.
    pub(super) sweeps: fn(&Folder<'_>, &Folder<'_>) -> bool,
}

/// A command of this folder; runner, scripts and name are filled in for all ecosystems alike.
pub(super) fn suite<Word: AsRef<str>>(
    folder: &Folder<'_>,
    argv: &[Word],
    source: String,
    basis: Basis,
) -> Suite {
    Suite {
        name: String::new(),
        cwd: folder.cwd(),
        argv: argv.iter().map(|word| word.as_ref().to_owned()).collect(),
        source: if folder.path.is_empty() { source } else { format!("{}/{source}", folder.path) },
        runner: None,
        scripts: Vec::new(),
        needs_ci: false,
        basis,
    }
}

/// For an ecosystem whose command reaches everything below.
pub(super) fn reaches_all(_outer: &Folder<'_>, _inner: &Folder<'_>) -> bool {
    true
}

/// For an ecosystem whose command never leaves its folder.
pub(super) fn reaches_none(_outer: &Folder<'_>, _inner: &Folder<'_>) -> bool {
    false
}

#[cfg(test)]
pub(super) mod examples {
    //! Examples as data, for every ecosystem.

    use std::collections::BTreeMap;

    use super::super::detect;

    /// Files of a tree → folder, command and runner of each suite.
    #[track_caller]
    pub(in super::super) fn check(files: &[(&str, &str)], expected: &[(&str, &str, Option<&str>)]) {
        let tree: BTreeMap<String, String> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let found: Vec<(String, String, Option<&str>)> = detect(&tree)
            .suites
            .into_iter()
            .map(|suite| (suite.cwd, suite.argv.join(" "), suite.runner))
            .collect();
        let expected: Vec<(String, String, Option<&str>)> = expected
            .iter()
            .map(|(cwd, argv, runner)| ((*cwd).to_owned(), (*argv).to_owned(), *runner))
            .collect();
        assert_eq!(found, expected, "{files:?}");
    }
}
