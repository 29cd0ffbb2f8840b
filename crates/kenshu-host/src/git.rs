//! Questions to git, asked so that nothing of the repository's own configuration is executed.

use std::path::{Path, PathBuf};

use crate::Error;

/// A git work tree.
#[derive(Clone, Debug)]
pub struct Git {
    top: PathBuf,
}

/// The commit that a change starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The commit.
    pub commit: String,
    /// The branch it was found by: `origin/main`.
    pub branch: String,
}

/// One file that differs between a commit and the working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// git's letter: `A`, `M`, `D`, `T`, `U`; `?`: untracked.
    pub status: char,
    /// Path relative to the top level.
    pub path: PathBuf,
}

/// A clean checkout of a commit in a folder of its own; dropped, it is removed.
#[derive(Debug)]
pub struct Worktree {
    path: PathBuf,
}

impl Worktree {
    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Git {
    /// The work tree that `folder` lies in; `None`: in none, or git is not installed.
    pub fn open(folder: &Path) -> Result<Option<Git>, Error> {
        let _ = folder;
        todo!()
    }

    /// The top level, absolute, links resolved.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The commit checked out; `None`: no commit yet.
    pub fn head(&self) -> Result<Option<String>, Error> {
        todo!()
    }

    /// Name of the branch checked out; `None`: detached.
    pub fn branch(&self) -> Result<Option<String>, Error> {
        todo!()
    }

    /// The commits without parents that HEAD descends from, sorted.
    pub fn root_commits(&self) -> Result<Vec<String>, Error> {
        todo!()
    }

    /// The commit that a reference names; `None`: there is no such commit here.
    pub fn resolve(&self, reference: &str) -> Result<Option<String>, Error> {
        let _ = reference;
        todo!()
    }

    /// Where HEAD left the default branch; `None`: no commit or no such branch.
    pub fn merge_base(&self) -> Result<Option<Base>, Error> {
        todo!()
    }

    /// The first parent of a commit; `None`: it has none here.
    pub fn first_parent(&self, commit: &str) -> Result<Option<String>, Error> {
        let _ = commit;
        todo!()
    }

    /// Whether history is cut off here.
    pub fn is_shallow(&self) -> Result<bool, Error> {
        todo!()
    }

    /// A file (path relative to the top level) as it was at a commit; `None`: it was not there.
    pub fn file_at(&self, commit: &str, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let _ = (commit, path);
        todo!()
    }

    /// All files of a commit, relative to the top level.
    pub fn files_at(&self, commit: &str) -> Result<Vec<PathBuf>, Error> {
        let _ = commit;
        todo!()
    }

    /// What differs between a commit and the working tree, untracked files included, ignored ones left out.
    pub fn changed_since(&self, commit: &str) -> Result<Vec<Change>, Error> {
        let _ = commit;
        todo!()
    }

    /// Checks a commit out into `dir`, a folder that is made for it.
    pub fn worktree_at(&self, commit: &str, dir: &Path) -> Result<Worktree, Error> {
        let _ = (commit, dir);
        todo!()
    }
}
