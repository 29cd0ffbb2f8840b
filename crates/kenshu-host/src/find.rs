//! Finds files that a run wrote, by pattern and time.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A moment that files can be younger than.
#[derive(Clone, Copy, Debug)]
pub struct Mark(SystemTime);

impl Mark {
    /// How much coarser than the clock a file system's times may be: two ticks of a kernel with 100 Hz.
    const COARSENESS: std::time::Duration = std::time::Duration::from_millis(20);

    /// This moment, put back by the coarseness of file times.
    pub fn now() -> Mark {
        let now = SystemTime::now();
        Mark(now.checked_sub(Self::COARSENESS).unwrap_or(now))
    }
}

/// How many files are looked at before the search gives up: more than any project's report folders hold.
const FILES_MAX: usize = 200_000;

/// The files below `root` that match one of `patterns` and were written at `since` or later, sorted.
///
/// `*` stands for part of one name, `**` for any number of folders. Hidden and ignored folders are searched too, since
/// build folders are ignored ones; `node_modules` and `.git` are not. What cannot be read is passed over.
pub fn written_since(root: &Path, patterns: &[&str], since: Mark) -> Vec<PathBuf> {
    let mut walk = ignore::WalkBuilder::new(root);
    walk.standard_filters(false)
        .filter_entry(|entry| !matches!(entry.file_name().to_str(), Some("node_modules" | ".git" | ".venv")));
    let mut found: Vec<PathBuf> = walk
        .build()
        .take(FILES_MAX)
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter(|entry| {
            let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
            let names: Vec<String> =
                relative.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            patterns.iter().any(|pattern| matches_path(&pattern.split('/').collect::<Vec<_>>(), &names))
        })
        .filter(|entry| {
            entry
                .metadata()
                .ok()
                .and_then(|metadata| metadata.modified().ok())
                .is_some_and(|time| time >= since.0)
        })
        .map(ignore::DirEntry::into_path)
        .collect();
    found.sort();
    found
}

/// Names of the folders right below `root`, hidden ones and dependencies left out, sorted.
pub fn folders_in(root: &Path) -> Vec<std::ffi::OsString> {
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut names: Vec<std::ffi::OsString> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.file_name())
        .filter(|name| !name.to_string_lossy().starts_with('.') && name != "node_modules")
        .collect();
    names.sort();
    names
}

/// The names in a folder with whether each is a folder (links followed), sorted; empty where there is none.
pub fn names_in(folder: &Path) -> Vec<(String, bool)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<(String, bool)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, is_folder(&entry))))
        .collect();
    names.sort();
    names
}

/// Whether an entry is a folder or a link to one. Only for a link is this more than the listing itself says.
fn is_folder(entry: &std::fs::DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if !kind.is_symlink() => kind.is_dir(),
        Ok(_) | Err(_) => entry.path().is_dir(),
    }
}

/// Makes `target` a link to the folder `source`.
#[cfg(unix)]
pub fn link(source: &Path, target: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(source, target)
}

/// Makes `target` a link to the folder `source`.
#[cfg(windows)]
pub fn link(source: &Path, target: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(source, target)
}

fn matches_path(pattern: &[&str], names: &[&str]) -> bool {
    match (pattern.split_first(), names.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            matches_path(rest, names)
                || names.split_first().is_some_and(|(_, below)| matches_path(pattern, below))
        }
        (Some((first, rest)), Some((name, below))) => matches_name(first, name) && matches_path(rest, below),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| matches_name(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        let pattern: Vec<&str> = pattern.split('/').collect();
        let names: Vec<&str> = path.split('/').collect();
        assert_eq!(matches_path(&pattern, &names), expected, "{path}");
    }

    #[test]
    fn patterns_match_names_and_folders() {
        check("**/build/test-results/**/TEST-*.xml", "build/test-results/test/TEST-a.xml", true);
        check("**/build/test-results/**/TEST-*.xml", "app/core/build/test-results/TEST-.xml", true);
        check("**/build/test-results/**/TEST-*.xml", "build/test-results/test/other.xml", false);
        check("a*b*c", "axxbxxc", true);
        check("a*b*c", "axxbxx", false);
    }
}
