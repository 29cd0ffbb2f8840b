//! Temporary folders that are gone when nobody needs them any more.

use kenshu_model::words::doing;
use std::path::Path;

use crate::Error;

/// A folder of our own for the time of one run.
#[derive(Debug)]
pub struct TempFolder {
    folder: tempfile::TempDir,
}

impl TempFolder {
    /// A new empty folder in the system's temporary folder.
    pub fn new() -> Result<TempFolder, Error> {
        let folder = tempfile::Builder::new()
            .prefix("kenshu-")
            .tempdir()
            .map_err(|error| Error::io(&doing::MAKE_TEMPORARY_FOLDER, &std::env::temp_dir(), &error))?;
        Ok(TempFolder { folder })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}
