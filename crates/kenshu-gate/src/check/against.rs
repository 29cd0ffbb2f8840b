//! What a check holds the ruler against: the pin, `--ruler-from`, else the base.

use std::path::Path;

use kenshu_host::Error;
use kenshu_model::Trusted;
use kenshu_model::check::{RulerChange, RulerReport};

use super::Setting;
use crate::base::{self, Base};
use crate::config::{Config, FILE_NAME};
use crate::detect;
use crate::ruler::{self, Ruler};
use crate::suites::{self, Chosen};
use crate::tree::Tree;
use crate::trees::{CommitTree, WorkingTree};

/// The ruler as it stands, against the pin, else `--ruler-from`, else the base.
pub(super) fn ruler_report(
    setting: &Setting<'_>,
    tree: &WorkingTree,
    chosen: &Chosen,
    base: &Base,
) -> Result<RulerReport, Error> {
    let now = ruler::ruler(tree, &chosen.suites);
    let mut report = RulerReport {
        source: chosen.source.clone(),
        trusted: Trusted::None,
        changes: Vec::new(),
        hash: None,
    };
    match (setting.ruler_from, setting.pin) {
        (Some(reference), _) => {
            let commit = base::choose(setting.project.git.as_ref(), Some(reference))?.commit;
            report.trusted = Trusted::Base;
            report.changes = changes_since(setting, commit.as_deref(), chosen, &now)?;
        }
        (None, Some(pin)) => {
            report.trusted = Trusted::Pinned;
            report.changes = pin.changes(&now);
        }
        (None, None) => {
            if base.commit.is_some() {
                report.trusted = Trusted::Base;
                report.changes = changes_since(setting, base.commit.as_deref(), chosen, &now)?;
            }
        }
    }
    if chosen.by_hand {
        // The command on the command line is the human's own word; a script of another command is not changed by it.
        let other_command = |change: &RulerChange| {
            change.what.starts_with("script") && (change.before.is_none() || change.after.is_none())
        };
        report.changes.retain(|change| change.what != "command" && !other_command(change));
    }
    if !report.changes.is_empty() {
        report.hash = Some(kenshu_host::digest::sha256_hex(now.hash().as_bytes()));
    }
    Ok(report)
}

/// A script or `kenshu.toml` that is missing at the base is no ruler: what is not there cannot have been trusted.
fn changes_since(
    setting: &Setting<'_>,
    commit: Option<&str>,
    chosen: &Chosen,
    now: &Ruler,
) -> Result<Vec<RulerChange>, Error> {
    let (Some(git), Some(commit)) = (setting.project.git.as_ref(), commit) else { return Ok(Vec::new()) };
    let inside = setting.project.root.strip_prefix(git.top()).unwrap_or(Path::new(""));
    let tree = CommitTree::new(git, commit, inside)?;
    let config_there = tree.read(FILE_NAME).and_then(|text| Config::parse(&text).ok());
    let commanded = config_there.as_ref().is_some_and(|config| config.test.command.is_some());
    let at_base = match config_there {
        _ if chosen.by_hand => chosen.suites.clone(),
        // A `kenshu.toml` that is new is held against what would have been run without it.
        there => suites::choose(&[], &there.unwrap_or_default(), &|| detect::detect(&tree))
            .map(|at_base| at_base.suites)
            .ok()
            .filter(|suites| !suites.is_empty())
            .unwrap_or_else(|| chosen.suites.clone()),
    };
    let before = ruler::ruler(&tree, &at_base);
    // A script that takes the place of another one, or of a command, is measured by what it takes the place of.
    let was_measured = commanded || !before.scripts.is_empty();
    let missing = |change: &RulerChange| {
        // What runs before or after a script that was trusted is a part of it.
        let hook = ["script pre", "script post"].iter().any(|name| change.what.starts_with(name));
        let script = change.what.starts_with("script") && !(was_measured && (change.narrowing || hook));
        (script || change.what == FILE_NAME) && change.before.is_none()
    };
    let mut changes = ruler::compare(&before, now);
    changes.retain(|change| !missing(change));
    Ok(changes)
}
