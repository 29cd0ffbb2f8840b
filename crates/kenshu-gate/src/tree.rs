//! Read access to a tree of files: the working tree, a commit, or a map in a test.

use std::collections::BTreeMap;

/// A tree of files as detection and the ruler see it. Paths are relative, with `/`, and `""` is the root.
pub trait Tree {
    /// The file's text; `None` where there is no such file, or it is no text, or larger than a configuration file gets.
    fn read(&self, path: &str) -> Option<String>;

    /// The names in a folder, in byte order; empty where there is no such folder.
    fn list(&self, folder: &str) -> Vec<Entry>;

    /// Whether there is such a file.
    fn has_file(&self, path: &str) -> bool {
        self.read(path).is_some()
    }
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name, without its folder.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// Files by path: trees in tests and of small examples.
impl Tree for BTreeMap<String, String> {
    fn read(&self, path: &str) -> Option<String> {
        self.get(path).cloned()
    }

    fn list(&self, folder: &str) -> Vec<Entry> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut entries: Vec<Entry> = self
            .keys()
            .filter_map(|path| path.strip_prefix(&prefix))
            .map(|rest| match rest.split_once('/') {
                Some((name, _)) => Entry { name: name.to_owned(), is_folder: true },
                None => Entry { name: rest.to_owned(), is_folder: false },
            })
            .collect();
        entries.sort();
        entries.dedup();
        entries
    }
}
