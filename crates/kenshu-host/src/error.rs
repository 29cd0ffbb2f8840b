//! The error of everything that touches the outside world.

use std::{fmt, io, path::Path};

use kenshu_model::words::error;
use kenshu_model::{Message, Phrase};

/// What could not be done, to what, why, and what to do about it.
#[derive(Debug)]
pub struct Error {
    /// What we were doing: "read the settings".
    pub doing: &'static Phrase,
    /// To what: a path, a commit, a command.
    pub target: String,
    /// Why it failed.
    pub why: Message,
    /// What to type or to change next.
    pub next: Message,
    /// The kind of the operating system's error, where there was one.
    pub kind: Option<io::ErrorKind>,
}

impl Error {
    /// An error that is not the operating system's.
    pub fn new(
        doing: &'static Phrase,
        target: impl Into<String>,
        why: impl Into<Message>,
        next: impl Into<Message>,
    ) -> Error {
        Error { doing, target: target.into(), why: why.into(), next: next.into(), kind: None }
    }

    /// What the operating system said about a file or a folder, with the next step that its kind suggests.
    pub fn io(doing: &'static Phrase, path: &Path, error: &io::Error) -> Error {
        let (kind, shown) = (error.kind(), path.display());
        let (why, next) = if kind == io::ErrorKind::NotFound {
            (&error::MISSING, Message::new(&error::CHECK_SPELLING, [&parent(path)]))
        } else if kind == io::ErrorKind::PermissionDenied {
            (&error::DENIED, Message::new(&error::LOOK_AT_MODE, [&shown]))
        } else if kind == io::ErrorKind::IsADirectory {
            (&error::IS_A_FOLDER, Message::new(&error::NAME_A_FILE, [&shown]))
        } else if kind == io::ErrorKind::NotADirectory {
            (&error::FILE_IN_THE_PATH, Message::new(&error::LOOK_AT_PARTS, [&shown]))
        } else if kind == io::ErrorKind::StorageFull {
            (&error::NO_SPACE, Message::new(&error::FREE_SPACE, [&parent(path)]))
        } else if kind == io::ErrorKind::ReadOnlyFilesystem {
            (&error::READ_ONLY, Message::from(&error::SET_HOME))
        } else {
            let next = Message::new(&error::LOOK_AT_IT, [&shown]);
            let error = Error::new(doing, shown.to_string(), error.to_string(), next);
            return Error { kind: Some(kind), ..error };
        };
        Error { kind: Some(kind), ..Error::new(doing, shown.to_string(), why, next) }
    }

    /// Whether the file or folder was not there.
    pub fn is_missing(&self) -> bool {
        self.kind == Some(io::ErrorKind::NotFound)
    }

    /// The whole of it in one sentence.
    pub fn message(&self) -> Message {
        let target = if self.target.is_empty() { "\"\"".to_owned() } else { self.target.clone() };
        let values = [self.doing.into(), target.into(), self.why.clone(), self.next.clone()];
        Message::of(&error::COULD_NOT, values)
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
        self.message().fmt(formatter)
    }
}

impl std::error::Error for Error {}
