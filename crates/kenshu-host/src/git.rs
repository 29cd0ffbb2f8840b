//! Questions to git, asked so that nothing of the repository's own configuration is executed.
//!
//! The program is run rather than a library linked: it is as fast for every question asked here, and it reads every
//! repository that the user's own git reads.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use crate::Error;

pub(crate) mod command;
mod worktree;

pub use worktree::Worktree;

use command::{Answer, path_from};

/// A git work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Path relative to the top level.
    pub path: PathBuf,
    /// git's letter: `A`, `M`, `D`, `T`, `U`; `?`: untracked.
    pub status: char,
}

impl Git {
    /// The work tree that `folder` lies in; `None`: in none, or git is not installed.
    ///
    /// A folder that the work tree ignores, and of which it holds no file, is not part of it: in a home folder that is a
    /// repository for a few settings, every project would otherwise look the same whatever is changed in it.
    pub fn open(folder: &Path) -> Result<Option<Git>, Error> {
        let asked = command::run(folder, "find the repository of", &["rev-parse", "--show-toplevel"]);
        let answer = match asked {
            Ok(answer) => answer,
            // Without git there may be no repository either; where there is one, its absence must be said.
            Err(error) if error.is_missing() && !has_repository(folder) => return Ok(None),
            Err(error) => return Err(error),
        };
        if answer.ok {
            let top = path_from(answer.line());
            let top =
                fs::canonicalize(&top).map_err(|error| Error::io("open the repository", &top, &error))?;
            let git = Git { top };
            return Ok(if git.ignores(folder)? { None } else { Some(git) });
        }
        // "not a git repository", and "this operation must be run in a work tree" in a bare one or inside `.git`.
        let none = ["not a git repository", "must be run in a work tree"];
        if none.iter().any(|text| answer.complaint.contains(text)) && !answer.complaint.contains("dubious") {
            return Ok(None);
        }
        Err(answer.error("find the repository of", &folder.display().to_string()))
    }

    fn ignores(&self, folder: &Path) -> Result<bool, Error> {
        let doing = "find the repository of";
        let folder = fs::canonicalize(folder).map_err(|error| Error::io(doing, folder, &error))?;
        if folder == self.top {
            return Ok(false);
        }
        let path = folder.as_os_str();
        let ignored =
            self.ask(doing, &["check-ignore".as_ref(), "--quiet".as_ref(), "--".as_ref(), path])?.ok;
        Ok(ignored && command::run(&folder, doing, &["ls-files", "-z"])?.output.is_empty())
    }

    /// The top level, absolute, links resolved.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The commit checked out; `None`: no commit yet.
    pub fn head(&self) -> Result<Option<String>, Error> {
        self.resolve("HEAD")
    }

    /// Name of the branch checked out; `None`: detached.
    pub fn branch(&self) -> Result<Option<String>, Error> {
        let answer = self.ask("find the branch of", &["symbolic-ref", "--quiet", "--short", "HEAD"])?;
        Ok(answer.ok.then(|| answer.text()))
    }

    /// The commits without parents that HEAD descends from, sorted; in a shallow clone, those where history is cut.
    pub fn root_commits(&self) -> Result<Vec<String>, Error> {
        if self.head()?.is_none() {
            return Ok(Vec::new());
        }
        let answer = self.must("read the history of", &["rev-list", "--max-parents=0", "HEAD"])?;
        let mut roots: Vec<String> = answer.text().lines().map(str::to_owned).collect();
        roots.sort();
        Ok(roots)
    }

    /// The commit that a reference names; `None`: there is no such commit here.
    pub fn resolve(&self, reference: &str) -> Result<Option<String>, Error> {
        let commit = format!("{reference}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let answer = self.ask("look up a commit in", &arguments)?;
        Ok(answer.ok.then(|| answer.text()))
    }

    /// Where HEAD left the default branch; `None`: no commit, or no such branch.
    ///
    /// Asked are, in this order, `origin/HEAD`, a local `main` or `master` that is not checked out, and `origin/main`
    /// or `origin/master`. On a default branch that was never pushed, the base is the last commit itself.
    pub fn merge_base(&self) -> Result<Option<Base>, Error> {
        if self.head()?.is_none() {
            return Ok(None);
        }
        let current = self.branch()?;
        let local = ["main", "master"];
        let elsewhere = local.into_iter().filter(|name| current.as_deref() != Some(name));
        let own = local.into_iter().filter(|name| current.as_deref() == Some(name));
        let candidates =
            ["origin/HEAD"].into_iter().chain(elsewhere).chain(["origin/main", "origin/master"]).chain(own);
        for name in candidates {
            let prefix = if name.starts_with("origin/") { "refs/remotes/" } else { "refs/heads/" };
            let Some(tip) = self.resolve(&format!("{prefix}{name}"))? else { continue };
            let answer = self.ask("find the base of", &["merge-base", &tip, "HEAD"])?;
            if answer.ok && !answer.text().is_empty() {
                let branch = self.real_name(name)?;
                return Ok(Some(Base { commit: answer.text(), branch }));
            }
        }
        Ok(None)
    }

    /// What `origin/HEAD` stands for.
    fn real_name(&self, name: &str) -> Result<String, Error> {
        if name != "origin/HEAD" {
            return Ok(name.to_owned());
        }
        let arguments = ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"];
        let answer = self.ask("find the default branch of", &arguments)?;
        Ok(if answer.ok { answer.text() } else { name.to_owned() })
    }

    /// The first parent of a commit; `None`: it has none here.
    pub fn first_parent(&self, commit: &str) -> Result<Option<String>, Error> {
        self.resolve(&format!("{commit}^1"))
    }

    /// Whether history is cut off here.
    pub fn is_shallow(&self) -> Result<bool, Error> {
        Ok(self.must("read the history of", &["rev-parse", "--is-shallow-repository"])?.text() == "true")
    }

    /// A file (path relative to the top level) as it was at a commit; `None`: it was not there, or was a folder.
    pub fn file_at(&self, commit: &str, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let mut name = OsString::from(format!("{commit}:"));
        name.push(path);
        // Without `--textconv` and `--filters`, `cat-file` gives the stored bytes and starts nothing.
        let answer = self.ask("read an old file in", &[OsStr::new("cat-file"), OsStr::new("blob"), &name])?;
        if answer.ok {
            return Ok(Some(answer.output));
        }
        if self.resolve(commit)?.is_some() {
            return Ok(None);
        }
        let next = "fetch the whole history: git fetch --unshallow";
        Err(Error::new("read an old file at", commit, "there is no such commit here", next))
    }

    /// All files of a commit, relative to the top level, sorted.
    pub fn files_at(&self, commit: &str) -> Result<Vec<PathBuf>, Error> {
        let arguments = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "--end-of-options", commit];
        let answer = self.must("list the files of a commit in", &arguments)?;
        let mut files: Vec<PathBuf> = answer.fields().map(path_from).collect();
        files.sort();
        Ok(files)
    }

    /// What differs between a commit and the working tree, sorted by path: staged or not, untracked files included,
    /// ignored ones left out. A renamed file is one that is gone and one that is new.
    pub fn changed_since(&self, commit: &str) -> Result<Vec<Change>, Error> {
        let arguments = ["diff", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
        let mut arguments = arguments.to_vec();
        arguments.extend(["--ignore-submodules=dirty", "--end-of-options", commit, "--"]);
        let answer = self.must("compare the working tree of", &arguments)?;
        let mut changes = Vec::new();
        let mut fields = answer.fields();
        while let (Some(status), Some(path)) = (fields.next(), fields.next()) {
            let status = status.first().map_or('X', |byte| char::from(*byte));
            changes.push(Change { path: path_from(path), status });
        }
        let arguments = ["ls-files", "--others", "--exclude-standard", "-z"];
        let untracked = self.must("list the new files of", &arguments)?;
        for path in untracked.fields().map(path_from) {
            // In the commit and taken out of the index only (`git rm --cached`): it stands there all the same.
            match changes.iter_mut().find(|change| change.path == path) {
                Some(change) => change.status = 'M',
                None => changes.push(Change { path, status: '?' }),
            }
        }
        changes.sort();
        Ok(changes)
    }

    /// Checks a commit out into `dir`, a folder that is made for it and that is removed when the result is dropped.
    ///
    /// What an earlier, killed process left beside `dir` is removed first.
    pub fn worktree_at(&self, commit: &str, dir: &Path) -> Result<Worktree, Error> {
        Worktree::make(self, commit, dir)
    }

    fn ask(&self, doing: &str, arguments: &[impl AsRef<OsStr>]) -> Result<Answer, Error> {
        command::run(&self.top, doing, arguments)
    }

    fn must(&self, doing: &str, arguments: &[impl AsRef<OsStr>]) -> Result<Answer, Error> {
        let answer = self.ask(doing, arguments)?;
        if answer.ok { Ok(answer) } else { Err(answer.error(doing, &self.top.display().to_string())) }
    }
}

fn has_repository(folder: &Path) -> bool {
    fs::canonicalize(folder).is_ok_and(|folder| folder.ancestors().any(|folder| folder.join(".git").exists()))
}
