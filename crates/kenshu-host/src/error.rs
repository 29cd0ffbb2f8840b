//! The error of everything that touches the outside world.

use std::{fmt, io, path::Path};

/// What could not be done, to what, why, and what to do about it.
#[derive(Debug)]
pub struct Error {
    /// What we were doing: "read the settings".
    pub doing: String,
    /// To what: a path, a commit, a command.
    pub target: String,
    /// Why it failed.
    pub why: String,
    /// What to type or to change next.
    pub next: String,
    /// The kind of the operating system's error, where there was one.
    pub kind: Option<io::ErrorKind>,
}

impl Error {
    /// An error that is not the operating system's.
    pub fn new(
        doing: impl Into<String>,
        target: impl Into<String>,
        why: impl Into<String>,
        next: impl Into<String>,
    ) -> Error {
        Error { doing: doing.into(), target: target.into(), why: why.into(), next: next.into(), kind: None }
    }

    /// What the operating system said about a file or a folder, with the next step that its kind suggests.
    pub fn io(doing: &str, path: &Path, error: &io::Error) -> Error {
        let shown = path.display();
        let told = error.to_string();
        let list = format!("ls -ld {shown}");
        let (why, next) = if error.kind() == io::ErrorKind::NotFound {
            ("it does not exist", format!("check the spelling, or list the folder: ls {}", parent(path)))
        } else if error.kind() == io::ErrorKind::PermissionDenied {
            ("permission denied", format!("look at its owner and mode: {list}"))
        } else if error.kind() == io::ErrorKind::IsADirectory {
            ("it is a folder, not a file", format!("name a file in it: ls {shown}"))
        } else if error.kind() == io::ErrorKind::NotADirectory {
            ("a part of the path is a file, not a folder", format!("look at each part: {list}"))
        } else if error.kind() == io::ErrorKind::StorageFull {
            ("no space is left", format!("free some space: df -h {}", parent(path)))
        } else if error.kind() == io::ErrorKind::ReadOnlyFilesystem {
            ("the file system is read-only", "set KENSHU_HOME to a folder that can be written".to_owned())
        } else {
            (told.as_str(), format!("look at it: {list}"))
        };
        let why = why.to_owned();
        Error { doing: doing.to_owned(), target: shown.to_string(), why, next, kind: Some(error.kind()) }
    }

    /// Whether the file or folder was not there.
    pub fn is_missing(&self) -> bool {
        self.kind == Some(io::ErrorKind::NotFound)
    }
}

fn parent(path: &Path) -> String {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.display().to_string(),
        _ => ".".to_owned(),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "could not {} {}: {}; {}", self.doing, self.target, self.why, self.next)
    }
}

impl std::error::Error for Error {}
