//! The base: the commit that a change is compared with, and a run of the tests there.

use kenshu_model::Phrase;
use kenshu_model::words::{doing, error};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kenshu_host::environment::Environment;
use kenshu_host::git::Git;
use kenshu_host::process::Progress;
use kenshu_host::project::Project;
use kenshu_host::watch::Watch;
use kenshu_host::{Error, find};
use kenshu_model::note::NoBaseRun;
use kenshu_model::{CaseStatus, Count};

use crate::compare::BaseTests;
use crate::measure::{Plan, measure};

/// The commit compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The commit; `None`: there is none, so every test is new.
    pub commit: Option<String>,
    /// Whether history is cut off, so that the right base may lie behind the cut.
    pub cut_off: bool,
    /// Whether it is known to be where the change began: named by the human, or where this branch left the default
    /// branch. On the default branch itself the commits before HEAD may belong to the change, too.
    pub is_start: bool,
}

/// Chooses the base: `flag`; else the merge-base with the default branch; if that is HEAD: HEAD where the working tree
/// differs from it, else HEAD's first parent.
pub fn choose(git: Option<&Git>, flag: Option<&str>) -> Result<Base, Error> {
    let differs = |head: &str| Ok(!git.map_or(Ok(Vec::new()), |git| git.changed_since(head))?.is_empty());
    choose_with(git, flag, &mut { differs })
}

/// The same, where the caller knows whether the working tree differs from a commit.
pub(crate) fn choose_with(
    git: Option<&Git>,
    flag: Option<&str>,
    differs_from: &mut dyn FnMut(&str) -> Result<bool, Error>,
) -> Result<Base, Error> {
    let Some(git) = git else {
        return match flag {
            None => Ok(Base::default()),
            Some(flag) => Err(no_such_commit(flag, &error::IN_NO_REPOSITORY, &error::LEAVE_BASE_AWAY)),
        };
    };
    if let Some(flag) = flag {
        let commit = git.resolve(flag)?.ok_or_else(|| unreadable(git, flag))?;
        return Ok(Base { commit: Some(commit), cut_off: false, is_start: true });
    }
    let Some(head) = git.head()? else { return Ok(Base::default()) };
    let cut_off = git.is_shallow();
    let merge_base = git.merge_base()?.map(|base| base.commit);
    // On a branch of its own the commits before HEAD may belong to the change: only its branching point is the base.
    let hidden = cut_off && merge_base.is_none();
    let is_start = merge_base.as_ref().is_some_and(|commit| *commit != head);
    let commit = match merge_base {
        Some(commit) if is_start => Some(commit),
        Some(_) | None if differs_from(&head)? => Some(head),
        Some(_) | None => git.first_parent(&head)?,
    };
    Ok(Base { cut_off: hidden || (cut_off && commit.is_none()), commit, is_start })
}

/// The error of a reference that names no commit here.
pub fn unreadable(git: &Git, reference: &str) -> Error {
    if git.is_shallow() {
        return no_such_commit(reference, &error::NOT_IN_SHALLOW, &error::UNSHALLOW_CI);
    }
    no_such_commit(reference, &error::NO_SUCH_COMMIT, &error::LIST_COMMITS)
}

fn no_such_commit(reference: &str, why: &'static Phrase, next: &'static Phrase) -> Error {
    Error::new(&doing::READ_COMMIT, reference, why, next)
}

/// Folders of installed dependencies that a clean work tree lacks; they are linked into it.
const DEPENDENCIES: [&str; 4] = ["node_modules", ".venv", "venv", "vendor"];

/// Runs `plan` at `commit` in a clean work tree. `Err`: why it is no base run.
///
/// It counts only where it can be shown that no file of the project's own was loaded from the present work tree (by an
/// editable install, a link, an absolute path).
pub fn run_at(
    project: &Project,
    commit: &str,
    plan: &Plan,
    environment: &Environment,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Count, NoBaseRun> {
    let git = project.git.as_ref().ok_or(NoBaseRun::NoRepository)?;
    let home = environment.kenshu_home().ok_or_else(|| NoBaseRun::Failed((&error::NO_HOME).into()))?;
    // In one place, so that the next check removes what a killed one left; named by process, so that two can run.
    let name = format!("{}-{}", &commit[..commit.len().min(12)], std::process::id());
    let folder = home.join("worktrees").join(name);
    let worktree = git.worktree_at(commit, &folder).map_err(|error| NoBaseRun::Failed(error.message()))?;
    let inside = project.root.strip_prefix(git.top()).unwrap_or(Path::new(""));
    let root = worktree.path().join(inside);
    link_dependencies(&project.root, &root);
    let relative = plan.cwd.strip_prefix(&project.root).map_err(|_| NoBaseRun::OutsideProject)?;
    let plan = Plan { cwd: root.join(relative), ..plan.clone() };
    if !plan.cwd.is_dir() {
        return Err(NoBaseRun::NoFolder);
    }
    let watch = Watch::start(&project.root).ok_or(NoBaseRun::CannotWatch)?;
    let measured = measure(&plan, environment, progress);
    let opened = watch.opened().ok_or(NoBaseRun::LostTrack)?;
    let loaded: BTreeSet<PathBuf> =
        opened.into_iter().filter(|path| !path.components().any(|part| is_cache(part.as_os_str()))).collect();
    match loaded.first() {
        None => Ok(measured.count),
        Some(path) => {
            let path = path.strip_prefix(&project.root).unwrap_or(path);
            Err(NoBaseRun::OpenedPresent(path.display().to_string()))
        }
    }
}

/// Caches are written beside sources and hold no source.
fn is_cache(name: &std::ffi::OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with("_cache"))
}

/// A link that cannot be made leaves the dependency out: the run then says itself what it misses.
fn link_dependencies(from: &Path, to: &Path) {
    let mut folders = vec![PathBuf::new()];
    folders.extend(find::folders_in(from).into_iter().map(PathBuf::from));
    for folder in folders {
        for name in DEPENDENCIES {
            let (source, target) = (from.join(&folder).join(name), to.join(&folder).join(name));
            if source.is_dir() && !target.exists() && to.join(&folder).is_dir() {
                let _ = find::link(&source, &target);
            }
        }
    }
}

/// What a count at this base says of its tests.
pub fn tests_of(base: &Base, count: &Count) -> BaseTests {
    let names = count.cases.iter().map(|case| case.name.clone()).collect();
    let not_run = count
        .cases
        .iter()
        .filter(|case| {
            matches!(case.status, CaseStatus::Skipped | CaseStatus::Todo | CaseStatus::ExpectedFailure)
        })
        .map(|case| case.name.clone())
        .collect();
    BaseTests { known: count.cases.are_all(), names, not_run, is_start: base.is_start }
}
