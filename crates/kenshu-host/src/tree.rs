//! The fingerprint of a working tree: the same content gives the same hash, however it came about.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{Error, git::Git};

/// What a working tree holds at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// SHA-256 in hex over paths, modes and contents.
    pub hash: String,
    /// How many files, links and submodules.
    pub files: usize,
    entries: BTreeMap<PathBuf, String>,
}

impl Fingerprint {
    /// The fingerprint of everything below `root`.
    pub fn of(root: &Path, git: Option<&Git>) -> Result<Fingerprint, Error> {
        let _ = (root, git);
        todo!()
    }

    /// The paths (relative to `root`) that are added, removed or different in `after`, sorted.
    pub fn diff(&self, after: &Fingerprint) -> Vec<PathBuf> {
        let _ = (after, &self.entries);
        todo!()
    }
}
