//! A clean checkout of a commit in a folder of its own.

use kenshu_model::words::{doing, error};
use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use super::{Git, command};
use crate::{Error, files};

/// What the lock file beside a checkout ends with.
const LOCK: &str = ".kenshu-lock";

/// A clean checkout of a commit; when it is dropped, it is removed.
///
/// The lock on the file beside it is held as long as it is in use. The kernel releases it when a process dies, so a
/// checkout whose lock can be taken belongs to nobody.
#[derive(Debug)]
pub struct Worktree {
    path: PathBuf,
    git: Git,
    lock: Option<(File, PathBuf)>,
}

impl Worktree {
    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it, and says if that fails.
    pub fn remove(mut self) -> Result<(), Error> {
        self.clean_up()
    }

    pub(super) fn make(git: &Git, commit: &str, dir: &Path) -> Result<Worktree, Error> {
        let doing = &doing::CHECK_OUT;
        let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        files::create_dirs(parent, doing)?;
        let parent = fs::canonicalize(parent).map_err(|error| Error::io(doing, parent, &error))?;
        let name = dir.file_name().ok_or_else(|| {
            Error::new(doing, dir.display().to_string(), &error::NO_NAME, &error::NAME_NEW_FOLDER)
        })?;
        let path = parent.join(name);
        sweep(git, &parent);
        let lock_path = lock_of(&path);
        let mut lock = open_lock(&lock_path).map_err(|error| Error::io(doing, &lock_path, &error))?;
        if lock.try_lock().is_err() {
            return Err(Error::new(doing, path.display().to_string(), &error::IN_USE, &error::WAIT));
        }
        if path.exists() {
            let _ = fs::remove_file(&lock_path);
            return Err(Error::new(doing, path.display().to_string(), &error::NOT_OURS, &error::REMOVE_IT));
        }
        // Whoever cleans up after us must know whose checkout it was.
        let told = lock.set_len(0).and_then(|()| lock.write_all(git.top().as_os_str().as_encoded_bytes()));
        told.map_err(|error| Error::io(doing, &lock_path, &error))?;
        // From here on, dropping takes back whatever came to be.
        let worktree = Worktree { path, git: git.clone(), lock: Some((lock, lock_path)) };
        let mut arguments: Vec<OsString> =
            ["worktree", "add", "--detach", "--force", "--"].map(OsString::from).to_vec();
        arguments.extend([worktree.path.clone().into_os_string(), OsString::from(commit)]);
        git.must(doing, &arguments)?;
        Ok(worktree)
    }

    fn clean_up(&mut self) -> Result<(), Error> {
        let Some((lock, lock_path)) = self.lock.take() else { return Ok(()) };
        remove(self.git.top(), &self.path)?;
        // First the file, then the lock: whoever waits for the lock must not get one that stands for nothing.
        let _ = fs::remove_file(&lock_path);
        drop(lock);
        Ok(())
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        // If it fails, the next call finds the lock free and tries again.
        let _ = self.clean_up();
    }
}

/// Takes a checkout away, and what the repository at `top` knows of it. Only this one: a general `worktree prune` would
/// also forget the user's own worktrees on a disk that is not plugged in.
fn remove(top: &Path, path: &Path) -> Result<(), Error> {
    let doing = &doing::REMOVE_CHECKOUT;
    make_writable(path);
    let arguments: [&OsStr; 6] = ["worktree", "remove", "--force", "--force", "--", ""].map(OsStr::new);
    let mut arguments = arguments.to_vec();
    arguments[5] = path.as_os_str();
    // Refused where it was never registered or is no longer: then only the folder is left to remove.
    let asked = command::run(top, doing, &arguments);
    if fs::symlink_metadata(path).is_ok() {
        fs::remove_dir_all(path).map_err(|error| Error::io(doing, path, &error))?;
        let _ = command::run(top, doing, &arguments);
    }
    // A repository that is gone has nothing left to forget.
    if top.is_dir() { asked.map(|_| ()) } else { Ok(()) }
}

/// Folders that a test left without the right to write cannot be emptied.
fn make_writable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let Ok(metadata) = fs::symlink_metadata(path) else { return };
        if !metadata.is_dir() {
            return;
        }
        if metadata.permissions().mode() & 0o700 != 0o700 {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o700));
        }
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            make_writable(&entry.path());
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Removes what processes left that were killed.
fn sweep(git: &Git, parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let lock_path = entry.path();
        let Some(folder) = lock_path.to_str().and_then(|path| path.strip_suffix(LOCK)) else { continue };
        let Ok(mut lock) = open_lock(&lock_path) else { continue };
        if lock.try_lock().is_err() {
            continue;
        }
        let mut top = String::new();
        let of_repository = lock.read_to_string(&mut top).is_ok() && !top.is_empty();
        let top = if of_repository { Path::new(&top) } else { git.top() };
        if remove(top, Path::new(folder)).is_ok() {
            let _ = fs::remove_file(&lock_path);
        }
    }
}

fn open_lock(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(LOCK);
    PathBuf::from(name)
}
