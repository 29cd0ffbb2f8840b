//! The project that a folder belongs to, and its id.

use std::path::{Path, PathBuf};

use crate::{Error, git::Git};

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its folder, absolute, links resolved.
    pub root: PathBuf,
    /// Its `kenshu.toml`, where there is one.
    pub config: Option<PathBuf>,
    /// The repository it lies in; `None`: no git.
    pub git: Option<Git>,
}

impl Project {
    /// The project of `start`: the nearest folder with `kenshu.toml`, else the git top level, else `start` itself.
    pub fn of(start: &Path) -> Result<Project, Error> {
        let _ = start;
        todo!()
    }

    /// The project that `--project DIR` names: `dir` itself, never a folder above it.
    pub fn at(dir: &Path) -> Result<Project, Error> {
        let _ = dir;
        todo!()
    }

    /// What worktrees and clones share: the first commit and the path inside the repository.
    pub fn id(&self) -> Result<String, Error> {
        todo!()
    }
}
