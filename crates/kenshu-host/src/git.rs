//! Questions to git, asked so that nothing of the repository's own configuration is executed.
//!
//! The program is run rather than a library linked: it is as fast for every question asked here, and it reads every
//! repository that the user's own git reads.

use kenshu_model::Phrase;
use kenshu_model::words::{doing, error};
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    Error,
    tree::{Entries, Entry, Kind},
};

pub(crate) mod command;
mod known;
mod objects;
mod worktree;

pub use worktree::Worktree;

use command::{Answer, path_from};
use known::{Commits, DEFAULT_BRANCHES, Known};
use objects::Object;

const FIND: &Phrase = &doing::FIND_REPOSITORY;
const LOOK_UP: &Phrase = &doing::LOOK_UP;

/// A git work tree, as it stood when it was opened: HEAD, its history and the default branches are asked once.
#[derive(Clone, Debug)]
pub struct Git {
    top: PathBuf,
    known: Arc<Known>,
}

impl PartialEq for Git {
    fn eq(&self, other: &Git) -> bool {
        self.top == other.top
    }
}

impl Eq for Git {}

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
        let mut named = true;
        let mut asked = ask_where(folder, named);
        if asked.as_ref().is_ok_and(|answer| answer.complaint.contains("ambiguous argument 'HEAD'")) {
            // Before the first commit HEAD names nothing.
            named = false;
            asked = ask_where(folder, named);
        }
        let answer = match asked {
            Ok(answer) => answer,
            // Without git there may be no repository either; where there is one, its absence must be said.
            Err(error) if error.is_missing() && !has_repository(folder) => return Ok(None),
            Err(error) => return Err(error),
        };
        if let Some(Place { shallow, top, branch }) = Place::of(&answer, named) {
            let top =
                fs::canonicalize(&top).map_err(|error| Error::io(&doing::OPEN_REPOSITORY, &top, &error))?;
            let git = Git { top, known: Arc::new(Known::new(shallow, branch)) };
            return Ok(if git.ignores(folder)? { None } else { Some(git) });
        }
        // "not a git repository", and "this operation must be run in a work tree" in a bare one or inside `.git`.
        let none = ["not a git repository", "must be run in a work tree"];
        if none.iter().any(|text| answer.complaint.contains(text)) && !answer.complaint.contains("dubious") {
            return Ok(None);
        }
        Err(answer.error(FIND, &folder.display().to_string()))
    }

    fn ignores(&self, folder: &Path) -> Result<bool, Error> {
        let folder = fs::canonicalize(folder).map_err(|error| Error::io(FIND, folder, &error))?;
        if folder == self.top {
            return Ok(false);
        }
        let path = folder.as_os_str();
        let ignored = self.ask(FIND, &["check-ignore".as_ref(), "--quiet".as_ref(), "--".as_ref(), path])?.ok;
        Ok(ignored && command::run(&folder, FIND, &["ls-files", "-z"])?.output.is_empty())
    }

    /// The top level, absolute, links resolved.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The commit checked out; `None`: no commit yet.
    pub fn head(&self) -> Result<Option<String>, Error> {
        Ok(self.commits()?.head.clone())
    }

    /// Name of the branch checked out; `None`: detached.
    pub fn branch(&self) -> Result<Option<String>, Error> {
        if let Some(name) = self.known.branch.as_deref().and_then(|name| name.strip_prefix("refs/heads/")) {
            return Ok(Some(name.to_owned()));
        }
        let answer = self.ask(&doing::FIND_BRANCH, &["symbolic-ref", "--quiet", "--short", "HEAD"])?;
        Ok(answer.ok.then(|| answer.text()))
    }

    /// The commits without parents that HEAD descends from, sorted; in a shallow clone, those where history is cut.
    pub fn root_commits(&self) -> Result<Vec<String>, Error> {
        if let Some(roots) = self.known.roots.get() {
            return Ok(roots.clone());
        }
        // Both are needed by whoever asks for the history, and neither waits for the other.
        let (head, answer) = std::thread::scope(|scope| {
            let head = scope.spawn(|| self.head());
            let answer = self.ask(&doing::READ_HISTORY, &["rev-list", "--max-parents=0", "HEAD"]);
            (head.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), answer)
        });
        if head?.is_none() {
            return Ok(Vec::new());
        }
        let answer = self.or_error(&doing::READ_HISTORY, answer?)?;
        let mut roots: Vec<String> = answer.text().lines().map(str::to_owned).collect();
        roots.sort();
        Ok(self.known.roots.get_or_init(|| roots).clone())
    }

    /// The commit that a reference names; `None`: there is no such commit here.
    pub fn resolve(&self, reference: &str) -> Result<Option<String>, Error> {
        let commit = format!("{reference}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let answer = self.ask(LOOK_UP, &arguments)?;
        Ok(answer.ok.then(|| answer.text()))
    }

    /// HEAD, its parent and the default branches, in one question.
    fn commits(&self) -> Result<&Commits, Error> {
        if let Some(commits) = self.known.commits.get() {
            return Ok(commits);
        }
        let references: Vec<&str> = ["HEAD", "HEAD^1"].into_iter().chain(DEFAULT_BRANCHES).collect();
        let names: Vec<String> = references.iter().map(|name| format!("{name}^{{commit}}")).collect();
        let ids = match self.known.objects(&self.top, |objects| objects.ids(&names)) {
            Ok(ids) => ids,
            // One by one, git says itself what is wrong.
            Err(_) => references.iter().map(|name| self.resolve(name)).collect::<Result<_, _>>()?,
        };
        let mut ids = ids.into_iter();
        let (head, parent) = (ids.next().flatten(), ids.next().flatten());
        let tips = DEFAULT_BRANCHES.into_iter().zip(ids).filter_map(|(name, id)| Some((name, id?))).collect();
        Ok(self.known.commits.get_or_init(|| Commits { head, parent, tips }))
    }

    /// Where HEAD left the default branch; `None`: no commit, or no such branch.
    ///
    /// Asked are, in this order, `origin/HEAD`, a local `main` or `master` that is not checked out, and `origin/main`
    /// or `origin/master`. On a default branch that was never pushed, the base is the last commit itself.
    pub fn merge_base(&self) -> Result<Option<Base>, Error> {
        let commits = self.commits()?;
        let Some(head) = &commits.head else { return Ok(None) };
        let is_current = |name: &str| self.known.branch.as_deref() == Some(name);
        let elsewhere = commits.tips.iter().filter(|(name, _)| !is_current(name));
        let own = commits.tips.iter().filter(|(name, _)| is_current(name));
        for (name, tip) in elsewhere.chain(own) {
            if tip == head {
                return Ok(Some(Base { commit: tip.clone(), branch: self.real_name(name)? }));
            }
            let answer = self.ask(&doing::FIND_BASE, &["merge-base", tip, head])?;
            if answer.ok && !answer.text().is_empty() {
                let branch = self.real_name(name)?;
                return Ok(Some(Base { commit: answer.text(), branch }));
            }
        }
        Ok(None)
    }

    /// The short name of a branch, and what `origin/HEAD` stands for.
    fn real_name(&self, reference: &str) -> Result<String, Error> {
        let short = |name: &str| {
            let name = name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("refs/remotes/"));
            name.unwrap_or(reference).to_owned()
        };
        if reference != "refs/remotes/origin/HEAD" {
            return Ok(short(reference));
        }
        let answer = self.ask(&doing::FIND_DEFAULT_BRANCH, &["symbolic-ref", "--quiet", reference])?;
        Ok(if answer.ok { short(&answer.text()) } else { short(reference) })
    }

    /// The first parent of a commit; `None`: it has none here.
    pub fn first_parent(&self, commit: &str) -> Result<Option<String>, Error> {
        let commits = self.commits()?;
        if commits.head.as_deref() == Some(commit) {
            return Ok(commits.parent.clone());
        }
        self.resolve(&format!("{commit}^1"))
    }

    /// Whether history is cut off here.
    pub fn is_shallow(&self) -> bool {
        self.known.shallow
    }

    /// Ends the git that waits for further questions, if there is one. The next question starts it again.
    pub fn rest(&self) {
        self.known.rest();
    }

    /// A file (path relative to the top level) as it was at a commit; `None`: it was not there, or was a folder.
    pub fn file_at(&self, commit: &str, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let mut name = OsString::from(format!("{commit}:"));
        name.push(path);
        let bytes = name.as_encoded_bytes();
        // On a line of its own, a name ends at a line break.
        let found = if bytes.contains(&b'\n') {
            None
        } else {
            self.known.objects(&self.top, |objects| objects.get(bytes)).ok()
        };
        match found {
            Some(Some(Object { kind, content, .. })) if kind == "blob" => return Ok(Some(content)),
            Some(Some(_)) => return Ok(None),
            Some(None) => {}
            None => {
                let arguments = [OsStr::new("cat-file"), OsStr::new("blob"), &name];
                let answer = self.ask(&doing::READ_OLD_FILE, &arguments)?;
                if answer.ok {
                    return Ok(Some(answer.output));
                }
            }
        }
        if self.resolve(commit)?.is_some() {
            return Ok(None);
        }
        Err(Error::new(&doing::READ_OLD_FILE_AT, commit, &error::NO_SUCH_COMMIT, &error::UNSHALLOW))
    }

    /// All files of a commit, relative to the top level, sorted.
    pub fn files_at(&self, commit: &str) -> Result<Vec<PathBuf>, Error> {
        Ok(self.listing(commit)?.keys().map(PathBuf::from).collect())
    }

    /// The files of a commit with their modes and ids.
    pub(crate) fn listing(&self, commit: &str) -> Result<Arc<Entries>, Error> {
        self.known.listing(commit, || {
            let arguments = ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit];
            let answer = self.must(&doing::LIST_COMMIT, &arguments)?;
            Ok(answer.fields().filter_map(listed).collect())
        })
    }

    /// What differs between a commit and the working tree, sorted by path: staged or not, untracked files included,
    /// ignored ones left out. A renamed file is one that is gone and one that is new.
    pub fn changed_since(&self, commit: &str) -> Result<Vec<Change>, Error> {
        let arguments = ["diff", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
        let mut arguments = arguments.to_vec();
        arguments.extend(["--ignore-submodules=dirty", "--end-of-options", commit, "--"]);
        let answer = self.must(&doing::COMPARE_TREE, &arguments)?;
        let mut changes = Vec::new();
        let mut fields = answer.fields();
        while let (Some(status), Some(path)) = (fields.next(), fields.next()) {
            let status = status.first().map_or('X', |byte| char::from(*byte));
            changes.push(Change { path: path_from(path), status });
        }
        let arguments = ["ls-files", "--others", "--exclude-standard", "-z"];
        let untracked = self.must(&doing::LIST_NEW_FILES, &arguments)?;
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

    fn ask(&self, doing: &'static Phrase, arguments: &[impl AsRef<OsStr>]) -> Result<Answer, Error> {
        command::run(&self.top, doing, arguments)
    }

    fn must(&self, doing: &'static Phrase, arguments: &[impl AsRef<OsStr>]) -> Result<Answer, Error> {
        self.or_error(doing, self.ask(doing, arguments)?)
    }

    fn or_error(&self, doing: &'static Phrase, answer: Answer) -> Result<Answer, Error> {
        if answer.ok { Ok(answer) } else { Err(answer.error(doing, &self.top.display().to_string())) }
    }
}

/// Asks everything about a folder that git answers at once; with `named`, also for the branch checked out.
fn ask_where(folder: &Path, named: bool) -> Result<Answer, Error> {
    let arguments =
        ["rev-parse", "--is-shallow-repository", "--show-toplevel", "--symbolic-full-name", "HEAD"];
    command::run(folder, FIND, if named { &arguments } else { &arguments[..3] })
}

/// What git says of a folder in a work tree.
struct Place {
    shallow: bool,
    top: PathBuf,
    branch: Option<String>,
}

impl Place {
    /// Three lines, two without the branch; the top level may hold line breaks of its own.
    fn of(answer: &Answer, named: bool) -> Option<Place> {
        let is_break = |byte: &u8| *byte == b'\n';
        let line = Some(answer.line()).filter(|_| answer.ok)?;
        let (shallow, rest) = line.split_at_checked(line.iter().position(is_break)?)?;
        let rest = rest.get(1..)?;
        let end = if named { rest.iter().rposition(is_break)? } else { rest.len() };
        let (top, branch) = rest.split_at_checked(end)?;
        let branch = String::from_utf8_lossy(branch).trim_start().to_owned();
        Some(Place {
            shallow: shallow == b"true",
            top: path_from(top),
            // A detached HEAD names itself.
            branch: Some(branch).filter(|name| name.starts_with("refs/")),
        })
    }
}

/// `100644 blob 0123…\tpath`.
fn listed(line: &[u8]) -> Option<(OsString, Entry)> {
    let at = line.iter().position(|byte| *byte == b'\t')?;
    let mut fields = std::str::from_utf8(&line[..at]).ok()?.split(' ');
    let (mode, content) = (fields.next()?, fields.nth(1)?);
    let entry = Entry { kind: Kind::of_mode(mode), content: content.to_owned() };
    Some((path_from(&line[at + 1..]).into_os_string(), entry))
}

fn has_repository(folder: &Path) -> bool {
    fs::canonicalize(folder).is_ok_and(|folder| folder.ancestors().any(|folder| folder.join(".git").exists()))
}
