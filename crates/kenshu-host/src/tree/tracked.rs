//! The entries of a folder in a git work tree, from git's index and what differs from it.

use kenshu_model::Phrase;
use kenshu_model::words::doing;
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use super::{Entries, Entry, Kind, View, is_executable};
use crate::{
    Error,
    git::command::{self, path_from},
};

const DOING: &Phrase = &doing::TAKE_FINGERPRINT;

/// Everything below `root`, which lies in a work tree.
pub(super) fn entries(root: &Path) -> Result<(Entries, View), Error> {
    let Listed { mut entries, to_read, view } = listed(root)?;
    let mut contents = Contents::default();
    for path in to_read {
        look(root, Path::new(&path), &mut entries, &mut contents)?;
    }
    contents.read(root, &mut entries)?;
    Ok((entries, view))
}

/// What git lists.
struct Listed {
    /// Unchanged, as the index has it.
    entries: Entries,
    /// Where the working tree differs from the index, or may, or the index has nothing.
    to_read: BTreeSet<OsString>,
    view: View,
}

/// The index and what differs from it, in one question.
fn listed(root: &Path) -> Result<Listed, Error> {
    let (mut view, mut to_read, mut unchanged) = (View::default(), BTreeSet::new(), Vec::new());
    // -m compares with the index, not with the last commit, and lists what is deleted as well.
    let listing = ask(root, &["ls-files", "-z", "-s", "-v", "-m", "-o", "--exclude-standard"])?;
    for line in listing.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        // "? path": in no index.
        if let Some(path) = line.strip_prefix(b"? ") {
            view.untracked.insert(key(path));
            to_read.insert(key(path));
            continue;
        }
        let Some((tag, stage, path, entry)) = indexed(line) else { continue };
        match (tag, stage) {
            ("H", "0") => {
                unchanged.push((path, entry));
                continue;
            }
            // Differs: listed once more with the tag C.
            ("C", "0") => {}
            // Lower case: "assume unchanged". S: "skip worktree". Both tell git not to look, and a change behind them
            // would not show.
            (_, "0") => {
                view.unseen.insert(path.clone(), entry);
            }
            // A conflict: the file holds neither side.
            (_, _) => {}
        }
        to_read.insert(path);
    }
    let entries = unchanged.into_iter().filter(|(path, _)| !to_read.contains(path)).collect();
    Ok(Listed { entries, to_read, view })
}

/// `H 100644 0123… 0\tpath`: tag, stage, path, and what the index has. A path may hold a tab, the fields before it do not.
fn indexed(line: &[u8]) -> Option<(&str, &str, OsString, Entry)> {
    let at = line.iter().position(|byte| *byte == b'\t')?;
    let mut fields = std::str::from_utf8(&line[..at]).ok()?.split(' ');
    let (tag, mode, content, stage) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let entry = Entry { kind: Kind::of_mode(mode), content: content.to_owned() };
    Some((tag, stage, key(&line[at + 1..]), entry))
}

/// A path as git prints it. A repository inside ends in a slash there; compared and hashed is the path without.
fn key(path: &[u8]) -> OsString {
    path_from(path.strip_suffix(b"/").unwrap_or(path)).into_os_string()
}

/// Notes what stands at a path now: links and repositories at once, files for reading all together.
fn look(root: &Path, path: &Path, entries: &mut Entries, contents: &mut Contents) -> Result<(), Error> {
    let full = root.join(path);
    let Ok(metadata) = fs::symlink_metadata(&full) else { return Ok(()) };
    if metadata.is_symlink() {
        if let Ok(target) = fs::read_link(&full) {
            contents.links.push((path.to_owned(), target));
        }
    } else if metadata.is_file() {
        let kind = if is_executable(&metadata) { Kind::Executable } else { Kind::File };
        contents.files.push((path.to_owned(), kind));
    } else if metadata.is_dir() {
        // git lists a repository inside as one path, tracked (a submodule) or not.
        repository(&full, path, entries)?;
    } else {
        entries.insert(path.into(), Entry { kind: Kind::Opaque, content: String::new() });
    }
    Ok(())
}

/// A repository inside: its commit; one without a commit, which git cannot take up either, by its files.
fn repository(full: &Path, path: &Path, entries: &mut Entries) -> Result<(), Error> {
    // A folder in place of a tracked file is not one: its files are listed by themselves.
    if fs::symlink_metadata(full.join(".git")).is_err() {
        return Ok(());
    }
    let head = command::run(full, DOING, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
    if head.ok {
        entries.insert(path.into(), Entry { kind: Kind::Repository, content: head.text() });
    } else {
        let inner = self::entries(full)?.0;
        entries.extend(inner.into_iter().map(|(inside, entry)| (path.join(inside).into_os_string(), entry)));
    }
    Ok(())
}

/// Contents that have to be read, to be given the ids that git would give them.
#[derive(Default)]
struct Contents {
    files: Vec<(PathBuf, Kind)>,
    links: Vec<(PathBuf, PathBuf)>,
}

impl Contents {
    fn read(self, root: &Path, entries: &mut Entries) -> Result<(), Error> {
        let paths: Vec<&Path> = self.files.iter().map(|(path, _)| path.as_path()).collect();
        for ((path, kind), id) in self.files.iter().zip(ids(root, &paths, &[])?) {
            let entry = match id {
                Some(content) => Entry { kind: *kind, content },
                // Gone in the meantime is gone; what is there and cannot be read is said to be there.
                None if fs::symlink_metadata(root.join(path)).is_err() => continue,
                None => Entry { kind: Kind::Opaque, content: String::new() },
            };
            entries.insert(path.into(), entry);
        }
        if self.links.is_empty() {
            return Ok(());
        }
        // git follows links when it is given their paths, so their targets are laid out as files for it.
        let fail = |error: &std::io::Error| Error::io(DOING, root, error);
        let folder = tempfile::tempdir().map_err(|error| fail(&error))?;
        let mut targets = Vec::new();
        for (number, (_, target)) in self.links.iter().enumerate() {
            let file = folder.path().join(number.to_string());
            fs::write(&file, target.as_os_str().as_encoded_bytes()).map_err(|error| fail(&error))?;
            targets.push(file);
        }
        let targets: Vec<&Path> = targets.iter().map(PathBuf::as_path).collect();
        for ((path, _), id) in self.links.iter().zip(ids(root, &targets, &["--no-filters"])?) {
            entries.insert(path.into(), Entry { kind: Kind::Link, content: id.unwrap_or_default() });
        }
        Ok(())
    }
}

/// The ids that git gives to the contents of files, in order; `None`: it could not be read.
fn ids(root: &Path, paths: &[&Path], options: &[&str]) -> Result<Vec<Option<String>>, Error> {
    let mut arguments = vec!["hash-object", "--stdin-paths"];
    arguments.extend(options);
    let mut ids = Vec::new();
    while ids.len() < paths.len() {
        let rest = &paths[ids.len()..];
        let batch = rest.iter().position(|path| is_awkward(path)).unwrap_or(rest.len());
        let mut input = Vec::new();
        for path in &rest[..batch] {
            input.extend(path.as_os_str().as_encoded_bytes());
            input.push(b'\n');
        }
        let mut found = 0;
        if batch > 0 {
            let answer = command::run_with_input(root, DOING, &arguments, &input)?;
            ids.extend(answer.text().lines().map(|id| Some(id.to_owned())));
            found = answer.text().lines().count();
        }
        // git stops at the first file that it cannot read; it goes on behind it.
        if let Some(path) = rest.get(found) {
            ids.push(if is_awkward(path) { alone(root, path, options)? } else { None });
        }
    }
    Ok(ids)
}

/// Whether git would read another path from its line on standard input: a line break ends it, and a carriage return at
/// the end or a quotation mark at the beginning is taken as part of the notation.
fn is_awkward(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.contains(&b'\n') || bytes.starts_with(b"\"") || bytes.ends_with(b"\r")
}

fn alone(root: &Path, path: &Path, options: &[&str]) -> Result<Option<String>, Error> {
    let mut arguments: Vec<&std::ffi::OsStr> = vec!["hash-object".as_ref()];
    arguments.extend(options.iter().map(|option| -> &std::ffi::OsStr { option.as_ref() }));
    arguments.extend::<[&std::ffi::OsStr; 2]>(["--".as_ref(), path.as_os_str()]);
    let answer = command::run(root, DOING, &arguments)?;
    Ok(answer.ok.then(|| answer.text()))
}

fn ask(root: &Path, arguments: &[&str]) -> Result<Vec<u8>, Error> {
    let answer = command::run(root, DOING, arguments)?;
    if answer.ok { Ok(answer.output) } else { Err(answer.error(DOING, &root.display().to_string())) }
}
