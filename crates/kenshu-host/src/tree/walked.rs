//! The entries of a folder without git: everything is read.

use kenshu_model::words::doing;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use ignore::WalkBuilder;
use sha2::{Digest, Sha256};

use super::{Entries, Entry, Kind, hex, is_executable};
use crate::Error;

/// Folders that tools fill and empty, and the stores of version control.
fn is_left_out(name: &str) -> bool {
    let tools = ["node_modules", "target", ".venv", "__pycache__", "dist", "build", "coverage"];
    let stores = [".git", ".hg", ".jj", ".svn"];
    tools.contains(&name) || stores.contains(&name) || (name.starts_with('.') && name.ends_with("_cache"))
}

pub(super) fn entries(root: &Path) -> Result<Entries, Error> {
    let doing = &doing::TAKE_FINGERPRINT;
    let mut entries = Entries::new();
    let mut walk = WalkBuilder::new(root);
    // No ignore file counts: without git, nothing says that they are the project's.
    walk.standard_filters(false).filter_entry(|entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        entry.depth() == 0 || !(is_folder && entry.file_name().to_str().is_some_and(is_left_out))
    });
    for found in walk.build() {
        let entry = match found {
            Ok(entry) => entry,
            // Gone in the meantime, or a folder that may not be listed: the files in it are no part we can speak of.
            Err(error) if error.depth().is_some_and(|depth| depth > 0) => continue,
            Err(error) => {
                let error = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
                return Err(Error::io(doing, root, &error));
            }
        };
        let path = entry.path();
        let Ok(inside) = path.strip_prefix(root) else { continue };
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            continue;
        }
        if let Some(found) = at(path) {
            entries.insert(inside.into(), found);
        }
    }
    Ok(entries)
}

/// What stands at a path; `None`: nothing any more.
fn at(path: &Path) -> Option<Entry> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let opaque = Entry { kind: Kind::Opaque, content: String::new() };
    Some(if metadata.is_symlink() {
        let target = fs::read_link(path).ok()?;
        Entry { kind: Kind::Link, content: hex(&Sha256::digest(target.as_os_str().as_encoded_bytes())) }
    } else if metadata.is_file() {
        let kind = if is_executable(&metadata) { Kind::Executable } else { Kind::File };
        content(path).map_or(opaque, |content| Entry { kind, content })
    } else {
        opaque
    })
}

fn content(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
