//! The fingerprint of a working tree: the same content gives the same hash, however it came about.

use std::{
    collections::BTreeMap,
    fmt::Write,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{Error, git::Git};

mod tracked;
mod walked;

/// What a working tree holds at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// SHA-256 in hex over paths, modes and contents.
    pub hash: String,
    /// How many files, links and submodules.
    pub files: usize,
    /// What stands at each path.
    entries: BTreeMap<PathBuf, Entry>,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    kind: Kind,
    /// The content's id: git's own, or a SHA-256 without git.
    content: String,
}

/// The kinds of git's tree entries, and what is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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

    fn of_mode(mode: &str) -> Kind {
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
        let entries = if git.is_some() { tracked::entries(root)? } else { walked::entries(root)? };
        let mut hasher = Sha256::new();
        for (path, Entry { kind, content }) in &entries {
            let path = path.as_os_str().as_encoded_bytes();
            // The length stands before the path, as a path may hold any other byte.
            hasher.update((path.len() as u64).to_le_bytes());
            hasher.update(path);
            hasher.update(kind.mode());
            hasher.update((content.len() as u64).to_le_bytes());
            hasher.update(content);
        }
        Ok(Fingerprint { hash: hex(&hasher.finalize()), files: entries.len(), entries })
    }

    /// The paths (relative to `root`) that are added, removed or different in `after`, sorted.
    pub fn diff(&self, after: &Fingerprint) -> Vec<PathBuf> {
        let gone_or_different =
            self.entries.iter().filter(|(path, entry)| after.entries.get(*path) != Some(entry));
        let new = after.entries.iter().filter(|(path, _)| !self.entries.contains_key(*path));
        let mut paths: Vec<PathBuf> = gone_or_different.chain(new).map(|(path, _)| path.clone()).collect();
        paths.sort();
        paths
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
