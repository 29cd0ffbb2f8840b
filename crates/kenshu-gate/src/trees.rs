//! The two real trees: the working tree, and a commit.

use kenshu_model::words::doing;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kenshu_host::git::Git;
use kenshu_host::{Error, files, find};

use crate::tree::{Entry, Tree};

/// A configuration file larger than this is none: the largest real ones are lock files, which nobody asks for.
const CONFIG_BYTES_MAX: u64 = 4 << 20;

/// The files below a folder as they are now. A folder is listed once, so that all who look see the same names.
#[derive(Clone, Debug)]
pub struct WorkingTree {
    root: PathBuf,
    listed: RefCell<BTreeMap<String, Vec<Entry>>>,
}

impl WorkingTree {
    /// The tree below `root`.
    pub fn new(root: &Path) -> WorkingTree {
        WorkingTree { root: root.to_owned(), listed: RefCell::default() }
    }

    /// A folder's path below the root; `None`: it is not below it.
    pub fn inside(&self, folder: &Path) -> Option<PathBuf> {
        folder.strip_prefix(&self.root).ok().map(Path::to_owned)
    }
}

impl Tree for WorkingTree {
    fn read(&self, path: &str) -> Option<String> {
        let bytes =
            files::read_if_there(&self.root.join(path), &doing::READ_CONFIG, CONFIG_BYTES_MAX).ok()??;
        String::from_utf8(bytes).ok()
    }

    fn list(&self, folder: &str) -> Vec<Entry> {
        let list = || {
            let names = find::names_in(&self.root.join(folder)).into_iter();
            names.map(|(name, is_folder)| Entry { name, is_folder }).collect()
        };
        self.listed.borrow_mut().entry(folder.to_owned()).or_insert_with(list).clone()
    }

    fn has_file(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }
}

/// The files of a commit below a folder of the repository.
#[derive(Clone, Debug)]
pub struct CommitTree<'a> {
    git: &'a Git,
    commit: String,
    inside: PathBuf,
    folders: BTreeMap<String, Vec<Entry>>,
}

impl<'a> CommitTree<'a> {
    /// The tree of `commit` below `inside`, a path relative to the repository's top level.
    pub fn new(git: &'a Git, commit: &str, inside: &Path) -> Result<CommitTree<'a>, Error> {
        let mut folders: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for path in git.files_at(commit)? {
            let Ok(path) = path.strip_prefix(inside) else { continue };
            let path = path.to_string_lossy();
            let (mut folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            let mut is_new = !folders.contains_key(folder);
            let entry = Entry { name: name.to_owned(), is_folder: false };
            folders.entry(folder.to_owned()).or_default().push(entry);
            // A folder that is new makes itself known to the one above, and that one likewise.
            while is_new && !folder.is_empty() {
                let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
                is_new = !folders.contains_key(above);
                let entry = Entry { name: name.to_owned(), is_folder: true };
                folders.entry(above.to_owned()).or_default().push(entry);
                folder = above;
            }
        }
        for entries in folders.values_mut() {
            entries.sort();
            entries.dedup();
        }
        Ok(CommitTree { git, commit: commit.to_owned(), inside: inside.to_owned(), folders })
    }
}

impl Tree for CommitTree<'_> {
    fn read(&self, path: &str) -> Option<String> {
        if !self.has_file(path) {
            return None;
        }
        let bytes = self.git.file_at(&self.commit, &self.inside.join(path)).ok()??;
        String::from_utf8(bytes).ok()
    }

    fn list(&self, folder: &str) -> Vec<Entry> {
        let folder = if folder == "." { "" } else { folder };
        self.folders.get(folder).cloned().unwrap_or_default()
    }

    fn has_file(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.folders
            .get(folder)
            .is_some_and(|entries| entries.iter().any(|entry| entry.name == name && !entry.is_folder))
    }
}
