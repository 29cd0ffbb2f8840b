//! The fingerprint of a working tree: the same content gives the same hash, however it came about.

use kenshu_model::Message;
use kenshu_model::words::{doing, error};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fmt::Write,
    path::{Path, PathBuf},
    thread::JoinHandle,
};

use sha2::{Digest, Sha256};

use crate::{
    Error,
    git::{Git, command},
};

mod tracked;
mod walked;

/// What a working tree holds at one moment.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    /// SHA-256 in hex over paths, modes and contents.
    pub hash: String,
    /// How many files, links and submodules.
    pub files: usize,
    /// What stands at each path.
    entries: Entries,
    /// How git's own view of it differs.
    view: View,
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Fingerprint) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Fingerprint {}

/// What stands at each path. Paths are compared as bytes, part by part would take ten times as long; none ends in a slash.
pub(crate) type Entries = BTreeMap<OsString, Entry>;

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    /// The content's id: git's own, or a SHA-256 without git.
    pub(crate) content: String,
}

/// What git compares in a way of its own when it is asked what has changed.
#[derive(Clone, Debug, Default)]
struct View {
    /// Paths that git is told not to look at, as its index has them: whatever stands there is no change to git, and
    /// neither is that nothing does (a sparse checkout).
    unseen: Entries,
    /// Paths that are in no index: a change whatever stands there.
    untracked: BTreeSet<OsString>,
}

/// The kinds of git's tree entries, and what is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Executable,
    Link,
    /// Another repository, by the commit it has checked out.
    Repository,
    /// There, and not readable; or a pipe, a socket, a device.
    Opaque,
}

impl Kind {
    /// The mode git writes for it.
    fn mode(self) -> &'static str {
        match self {
            Kind::File => "100644",
            Kind::Executable => "100755",
            Kind::Link => "120000",
            Kind::Repository => "160000",
            Kind::Opaque => "000000",
        }
    }

    pub(crate) fn of_mode(mode: &str) -> Kind {
        match mode {
            "100644" => Kind::File,
            "100755" => Kind::Executable,
            "120000" => Kind::Link,
            "160000" => Kind::Repository,
            _ => Kind::Opaque,
        }
    }
}

impl Fingerprint {
    /// The fingerprint of everything below `root`.
    ///
    /// With git: tracked and untracked files, ignored ones left out; what is staged makes no difference. The content of
    /// a tracked file that its index knows to be unchanged is not read again. Contents are compared as git stores them,
    /// so where git is told to convert line breaks, a difference in nothing else is none.
    /// Without git: every file but those in folders that tools fill
    /// (`node_modules, target, .venv, __pycache__, .*_cache, dist, build, coverage`).
    pub fn of(root: &Path, git: Option<&Git>) -> Result<Fingerprint, Error> {
        let (entries, view) = match git {
            Some(_) => tracked::entries(root)?,
            None => (walked::entries(root)?, View::default()),
        };
        let mut hasher = Sha256::new();
        for (path, Entry { kind, content }) in &entries {
            let path = path.as_encoded_bytes();
            // The length stands before the path, as a path may hold any other byte.
            hasher.update((path.len() as u64).to_le_bytes());
            hasher.update(path);
            hasher.update(kind.mode());
            hasher.update((content.len() as u64).to_le_bytes());
            hasher.update(content);
        }
        Ok(Fingerprint { hash: hex(&hasher.finalize()), files: entries.len(), entries, view })
    }

    /// Begins to take the fingerprint, while the caller goes on with something else.
    pub fn begin(root: &Path, git: Option<&Git>) -> Pending {
        let (root, git) = (root.to_owned(), git.cloned());
        Pending {
            taking: Some(std::thread::spawn(move || Fingerprint::of(&root, git.as_ref()))),
            taken: None,
        }
    }

    /// What git calls changed between a commit and this tree, which is that of `root` in `git`: staged or not, new files
    /// included, ignored ones left out; the paths are relative to `root`.
    pub fn changed_since(&self, root: &Path, git: &Git, commit: &str) -> Result<BTreeSet<PathBuf>, Error> {
        let listing = git.listing(commit)?;
        let inside = root.strip_prefix(git.top()).unwrap_or(Path::new("")).as_os_str().as_encoded_bytes();
        let committed =
            listing.iter().filter_map(|(path, entry)| Some((below(path.as_encoded_bytes(), inside)?, entry)));
        let unseen = &self.view.unseen;
        let seen = self.entries.iter().filter(|(path, _)| !unseen.contains_key(*path));
        let mut here: Vec<(&[u8], &Entry)> =
            seen.chain(unseen).map(|(path, entry)| (path.as_encoded_bytes(), entry)).collect();
        here.sort_by_key(|(path, _)| *path);
        let mut changed: BTreeSet<PathBuf> = self.view.untracked.iter().map(PathBuf::from).collect();
        let mut here = here.into_iter().peekable();
        // Both are sorted: whatever comes first on one side alone is not on the other.
        for (path, entry) in committed {
            while let Some((new, _)) = here.next_if(|(here, _)| *here < path) {
                changed.insert(command::path_from(new));
            }
            if here.next_if(|(here, _)| *here == path).is_none_or(|(_, here)| here != entry) {
                changed.insert(command::path_from(path));
            }
        }
        changed.extend(here.map(|(path, _)| command::path_from(path)));
        Ok(changed)
    }

    /// Whether git tracks nothing at this path (relative to `root`), where something stands. Without git: never.
    pub fn is_untracked(&self, path: &Path) -> bool {
        self.view.untracked.contains(path.as_os_str())
    }

    /// The paths (relative to `root`) that are added, removed or different in `after`, sorted.
    pub fn diff(&self, after: &Fingerprint) -> Vec<PathBuf> {
        let gone_or_different =
            self.entries.iter().filter(|(path, entry)| after.entries.get(*path) != Some(entry));
        let new = after.entries.iter().filter(|(path, _)| !self.entries.contains_key(*path));
        let mut paths: Vec<PathBuf> =
            gone_or_different.chain(new).map(|(path, _)| PathBuf::from(path)).collect();
        paths.sort();
        paths
    }

    /// The paths (relative to `root`) at which `after` has nothing any more, sorted.
    pub fn gone(&self, after: &Fingerprint) -> Vec<PathBuf> {
        self.entries.keys().filter(|path| !after.entries.contains_key(*path)).map(PathBuf::from).collect()
    }
}

/// The rest of a path below a folder, both with slashes as git writes them.
fn below<'a>(path: &'a [u8], folder: &[u8]) -> Option<&'a [u8]> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix(b"/") }
}

/// A fingerprint that is being taken.
#[derive(Debug)]
pub struct Pending {
    taking: Option<JoinHandle<Result<Fingerprint, Error>>>,
    taken: Option<Fingerprint>,
}

impl Pending {
    /// The fingerprint, once it is there; the error is that of [`Fingerprint::of`].
    pub fn wait(&mut self) -> Result<&Fingerprint, Error> {
        if let Some(taking) = self.taking.take() {
            self.taken = Some(taking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        self.taken.as_ref().ok_or_else(|| {
            Error::new(
                &doing::TAKE_FINGERPRINT,
                ".",
                &error::FAILED_BEFORE,
                Message::new(&error::TRY_GIT, [&"."]),
            )
        })
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // Nothing that we have started outlives us.
        let _ = self.taking.take().map(JoinHandle::join);
    }
}

/// Bytes in lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Whether a file may be executed by its owner, which is all that git notes.
#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &std::fs::Metadata) -> bool {
    false
}
