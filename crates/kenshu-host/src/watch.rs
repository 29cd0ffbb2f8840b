//! Which files of a folder were opened during a while: shows that a run in a second work tree did not load files of
//! the first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders whose files are no part of the project itself, wherever they stand.
const NOT_THE_PROJECT: [&str; 8] =
    [".git", "node_modules", ".venv", "venv", "target", "vendor", ".tox", ".nox"];

/// How many folders are watched at most: below the kernel's usual limit of 8,192 a user.
#[cfg(target_os = "linux")]
const FOLDERS_MAX: usize = 6_000;

/// A running watch.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub struct Watch {
    inotify: rustix::fd::OwnedFd,
    folders: std::collections::BTreeMap<i32, PathBuf>,
}

#[cfg(target_os = "linux")]
impl Watch {
    /// Begins to watch every folder of the project below `root`; `None`: it cannot be watched whole.
    pub fn start(root: &Path) -> Option<Watch> {
        use rustix::fs::inotify;
        let inotify = inotify::init(inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC).ok()?;
        let mut folders = std::collections::BTreeMap::new();
        for folder in folders_of(root) {
            if folders.len() >= FOLDERS_MAX {
                return None;
            }
            let watched = inotify::add_watch(
                &inotify,
                &folder,
                inotify::WatchFlags::OPEN | inotify::WatchFlags::ONLYDIR,
            );
            folders.insert(watched.ok()?, folder);
        }
        Some(Watch { inotify, folders })
    }

    /// The files that were opened since; `None`: events were lost.
    pub fn opened(self) -> Option<BTreeSet<PathBuf>> {
        use rustix::fs::inotify::{ReadFlags, Reader};
        let mut buffer = [std::mem::MaybeUninit::uninit(); 16 << 10];
        let mut reader = Reader::new(&self.inotify, &mut buffer);
        let mut opened = BTreeSet::new();
        loop {
            match reader.next() {
                Ok(event) if event.events().contains(ReadFlags::QUEUE_OVERFLOW) => return None,
                Ok(event) if event.events().contains(ReadFlags::ISDIR) => {}
                Ok(event) => {
                    if let (Some(folder), Some(name)) = (self.folders.get(&event.wd()), event.file_name()) {
                        opened.insert(folder.join(name.to_string_lossy().as_ref()));
                    }
                }
                Err(rustix::io::Errno::AGAIN) => return Some(opened),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return None,
            }
        }
    }
}

#[cfg(target_os = "linux")]
fn folders_of(root: &Path) -> impl Iterator<Item = PathBuf> {
    let mut walk = ignore::WalkBuilder::new(root);
    walk.standard_filters(false).follow_links(false).filter_entry(|entry| {
        !NOT_THE_PROJECT.iter().any(|name| entry.depth() > 0 && entry.file_name() == *name)
    });
    walk.build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()))
        .map(ignore::DirEntry::into_path)
}

/// A running watch; this system offers none that needs no privileges.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub struct Watch {
    never: std::convert::Infallible,
}

#[cfg(not(target_os = "linux"))]
impl Watch {
    /// `None`: what a run opens cannot be seen here.
    pub fn start(_root: &Path) -> Option<Watch> {
        let _ = NOT_THE_PROJECT;
        None
    }

    /// Never called, since no watch starts.
    pub fn opened(self) -> Option<BTreeSet<PathBuf>> {
        match self.never {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn opened_files_are_named_and_dependencies_are_not_watched() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["src", "node_modules/a"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        for name in ["src/a.js", "src/b.js", "node_modules/a/c.js"] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        let watch = Watch::start(root).unwrap();
        for name in ["src/a.js", "node_modules/a/c.js"] {
            std::fs::read(root.join(name)).unwrap();
        }
        assert_eq!(watch.opened().unwrap(), BTreeSet::from([root.join("src/a.js")]));
    }
}
