//! The project that a folder belongs to, and its id.

use kenshu_model::words::{doing, error};
use std::{
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{Error, git::Git};

/// The name of a project's configuration.
pub const CONFIG: &str = "kenshu.toml";

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
        let start = folder(start)?;
        let configured = start.ancestors().find(|folder| folder.join(CONFIG).is_file()).map(Path::to_owned);
        match configured {
            Some(root) => Project::with_root(root),
            None => {
                let git = Git::open(&start)?;
                let root = git.as_ref().map_or(start, |git| git.top().to_owned());
                Ok(Project { root, config: None, git })
            }
        }
    }

    /// The project that `--project DIR` names: `dir` itself, never a folder above it.
    pub fn at(dir: &Path) -> Result<Project, Error> {
        Project::with_root(folder(dir)?)
    }

    fn with_root(root: PathBuf) -> Result<Project, Error> {
        let config = Some(root.join(CONFIG)).filter(|config| config.is_file());
        let git = Git::open(&root)?;
        Ok(Project { root, config, git })
    }

    /// What worktrees and clones share: `COMMIT:PATH`, the first commit and the path inside the repository.
    ///
    /// Several first commits: the smallest hash. Without a commit that can be known (no git, none yet, history cut off by
    /// a shallow clone) `path:HASH` of the folder's path, which nothing shares.
    pub fn id(&self) -> Result<String, Error> {
        if let Some(git) = &self.git
            && !git.is_shallow()
            && let Some(first) = git.root_commits()?.first()
            && let Ok(inside) = self.root.strip_prefix(git.top())
        {
            return Ok(format!("{first}:{}", inside.display()));
        }
        let hash = Sha256::digest(self.root.as_os_str().as_encoded_bytes());
        Ok(format!("path:{}", crate::tree::hex(&hash)))
    }
}

fn folder(path: &Path) -> Result<PathBuf, Error> {
    let doing = &doing::USE_PROJECT;
    let found = fs::canonicalize(path).map_err(|error| Error::io(doing, path, &error))?;
    if !found.is_dir() {
        return Err(Error::new(
            doing,
            path.display().to_string(),
            &error::IS_A_FILE,
            &error::NAME_ITS_FOLDER,
        ));
    }
    Ok(found)
}
