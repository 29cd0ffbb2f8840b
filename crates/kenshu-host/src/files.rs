//! Files: bounded reading, writing in one step, appending whole lines.

use std::path::Path;

use crate::{Error, store::Stored};

/// Reads a file of any size: all of it, or its beginning and end. `doing` is the verb phrase of the error: "read the report".
pub fn read(path: &Path, doing: &str) -> Result<Stored, Error> {
    let _ = (path, doing);
    todo!()
}

/// Reads standard input in the same way.
pub fn read_stdin() -> Result<Stored, Error> {
    todo!()
}

/// Reads a small text file whole; more than `limit` bytes, or bytes that are no UTF-8, are an error.
pub fn read_text(path: &Path, doing: &str, limit: u64) -> Result<String, Error> {
    let _ = (path, doing, limit);
    todo!()
}

/// Reads a file whole; `None`: it is not there. More than `limit` bytes are an error.
pub fn read_if_there(path: &Path, doing: &str, limit: u64) -> Result<Option<Vec<u8>>, Error> {
    let _ = (path, doing, limit);
    todo!()
}

/// Writes a file in one step: readers see the old content or the new one, never a part.
pub fn write(path: &Path, bytes: &[u8], doing: &str) -> Result<(), Error> {
    let _ = (path, bytes, doing);
    todo!()
}

/// Appends one line, made from the last line that stands there, while nobody else appends.
pub fn append_line(
    path: &Path,
    doing: &str,
    make: &mut dyn FnMut(Option<&[u8]>) -> Vec<u8>,
) -> Result<(), Error> {
    let _ = (path, doing, make);
    todo!()
}

/// Makes a folder and the folders above it.
pub fn create_dirs(path: &Path, doing: &str) -> Result<(), Error> {
    let _ = (path, doing);
    todo!()
}
