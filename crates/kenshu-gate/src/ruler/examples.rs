//! Examples as data, for every family of configuration: files before and after, and whether that narrows.

use std::collections::BTreeMap;

use kenshu_model::check::RulerChange;

use super::{Ruler, compare, ruler};
use crate::detect::{Basis, Suite};

/// A suite that runs this command in the project.
pub(super) fn suite(command: &str) -> Suite {
    Suite {
        name: "test".to_owned(),
        cwd: ".".to_owned(),
        argv: command.split(' ').map(str::to_owned).collect(),
        source: "example".to_owned(),
        runner: None,
        scripts: Vec::new(),
        needs_ci: false,
        basis: Basis::Declared,
    }
}

/// The ruler of these files under this command.
pub(super) fn read(command: &str, files: &[(&str, &str)]) -> Ruler {
    let tree: BTreeMap<String, String> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    ruler(&tree, &[suite(command)])
}

/// The changes between two trees under the same command.
pub(super) fn changes(command: &str, before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<RulerChange> {
    compare(&read(command, before), &read(command, after))
}

/// Something narrows.
#[track_caller]
pub(super) fn narrows(command: &str, before: &[(&str, &str)], after: &[(&str, &str)]) {
    let changes = changes(command, before, after);
    assert!(
        changes.iter().any(|change| change.narrowing),
        "nothing narrows: {changes:?}\n{before:?}\n{after:?}\n{:?}",
        read(command, after).facts
    );
}

/// Something differs perhaps, but nothing narrows.
#[track_caller]
pub(super) fn widens(command: &str, before: &[(&str, &str)], after: &[(&str, &str)]) {
    let narrowing: Vec<RulerChange> =
        changes(command, before, after).into_iter().filter(|change| change.narrowing).collect();
    assert!(narrowing.is_empty(), "{narrowing:?}\n{before:?}\n{after:?}");
}

/// Nothing differs.
#[track_caller]
pub(super) fn same(command: &str, before: &[(&str, &str)], after: &[(&str, &str)]) {
    assert_eq!(changes(command, before, after), [], "{before:?}\n{after:?}");
    assert_eq!(read(command, before).hash(), read(command, after).hash());
}
