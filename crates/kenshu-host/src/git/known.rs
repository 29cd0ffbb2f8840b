//! What is asked once of a repository and then remembered.

use std::{
    collections::BTreeMap,
    io,
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::objects::Objects;
use crate::tree::Entries;

/// References that a default branch may be found by.
pub(super) const DEFAULT_BRANCHES: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
];

/// Commits by name.
#[derive(Debug, Default)]
pub(super) struct Commits {
    /// What is checked out; `None`: no commit yet.
    pub(super) head: Option<String>,
    /// Its first parent; `None`: it has none here.
    pub(super) parent: Option<String>,
    /// Those of [`DEFAULT_BRANCHES`] that exist.
    pub(super) tips: Vec<(&'static str, String)>,
}

/// The answers so far.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Whether history is cut off.
    pub(super) shallow: bool,
    /// The full name of the branch checked out; `None`: detached, or no commit yet.
    pub(super) branch: Option<String>,
    pub(super) commits: OnceLock<Commits>,
    pub(super) roots: OnceLock<Vec<String>>,
    listings: Mutex<BTreeMap<String, Arc<Entries>>>,
    objects: Mutex<Option<Objects>>,
}

impl Known {
    /// Nothing is known yet but what was told when the repository was found.
    pub(super) fn new(shallow: bool, branch: Option<String>) -> Known {
        Known { shallow, branch, ..Known::default() }
    }

    /// Asks the running `cat-file`, which is started for the first question. After an error the next question starts a
    /// new one.
    pub(super) fn objects<T>(
        &self,
        top: &Path,
        ask: impl FnOnce(&mut Objects) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut place = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        let mut objects = match place.take() {
            Some(objects) => objects,
            None => Objects::start(top)?,
        };
        let answer = ask(&mut objects)?;
        *place = Some(objects);
        Ok(answer)
    }

    /// Ends the running `cat-file`.
    pub(super) fn rest(&self) {
        *self.objects.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The listing of a commit, made at the first question.
    pub(super) fn listing<E>(
        &self,
        commit: &str,
        make: impl FnOnce() -> Result<Entries, E>,
    ) -> Result<Arc<Entries>, E> {
        if let Some(listing) = self.listings.lock().unwrap_or_else(PoisonError::into_inner).get(commit) {
            return Ok(Arc::clone(listing));
        }
        let made = Arc::new(make()?);
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(listings.entry(commit.to_owned()).or_insert(made)))
    }
}
