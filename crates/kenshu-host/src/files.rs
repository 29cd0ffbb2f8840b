//! Files: bounded reading, writing in one step, appending whole lines.

use kenshu_model::words::{doing, error};
use kenshu_model::{Message, Phrase};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use crate::{
    Error,
    store::{Store, Stored},
};

/// Reads a file of any size: all of it, or its beginning and end (see [`Store`]).
///
/// `doing` is the verb phrase of the error: "read the report".
pub fn read(path: &Path, doing: &'static Phrase) -> Result<Stored, Error> {
    let mut file = open(path, doing)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let mut store = Store::default().expecting(size);
    store.fill_from(&mut file).map_err(|error| Error::io(doing, path, &error))?;
    Ok(store.finish())
}

/// Reads standard input in the same way.
pub fn read_stdin() -> Result<Stored, Error> {
    let mut store = Store::default();
    let result = store.fill_from(&mut io::stdin().lock());
    result.map_err(|error| Error::io(&doing::READ_STDIN, Path::new("stdin"), &error))?;
    Ok(store.finish())
}

/// Reads a small text file whole; more than `limit` bytes, or bytes that are no UTF-8, are an error.
pub fn read_text(path: &Path, doing: &'static Phrase, limit: u64) -> Result<String, Error> {
    let bytes = read_whole(path, doing, limit)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let why = Message::new(&error::NOT_UTF_8, [&at]);
        Error::new(doing, path.display().to_string(), why, &error::SAVE_AS_UTF_8)
    })
}

/// Reads a file whole; `None`: it is not there. More than `limit` bytes are an error.
pub fn read_if_there(path: &Path, doing: &'static Phrase, limit: u64) -> Result<Option<Vec<u8>>, Error> {
    match read_whole(path, doing, limit) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a file whole; more than `limit` bytes are an error.
pub fn read_whole(path: &Path, doing: &'static Phrase, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there is more, whatever the size that the file claims to have.
    let result = open(path, doing)?.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    result.map_err(|error| Error::io(doing, path, &error))?;
    if bytes.len() as u64 > limit {
        let why = Message::new(&error::TOO_LARGE, [&limit]);
        let next = Message::new(&error::CHECK_THE_FILE, [&path.display()]);
        return Err(Error::new(doing, path.display().to_string(), why, next));
    }
    Ok(bytes)
}

fn open(path: &Path, doing: &'static Phrase) -> Result<File, Error> {
    let file = File::open(path).map_err(|error| Error::io(doing, path, &error))?;
    // Opening a folder succeeds on Unix; only reading it fails, with a text that names nothing.
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Error::io(doing, path, &io::ErrorKind::IsADirectory.into()));
    }
    Ok(file)
}

/// Writes a file in one step: readers see the old content or the new one, never a part.
///
/// The mode of a file that stands there is kept; a link is followed, so that what it points to is replaced.
pub fn write(path: &Path, bytes: &[u8], doing: &'static Phrase) -> Result<(), Error> {
    let fail = |error: &io::Error| Error::io(doing, path, error);
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.is_dir() {
        return Err(fail(&io::ErrorKind::IsADirectory.into()));
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kenshu-");
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file, the user's mask decides in the end.
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    let mut file = builder.tempfile_in(folder).map_err(|error| fail(&error))?;
    if let Ok(metadata) = fs::metadata(&target) {
        file.as_file().set_permissions(metadata.permissions()).map_err(|error| fail(&error))?;
    }
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(|error| fail(&error))?;
    file.persist(&target).map_err(|error| fail(&error.error))?;
    // So that a new name outlives a loss of power too; where a folder cannot be waited for, nothing is lost.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Writes a file of a run, which nobody reads yet and which need not outlive the run: it isn't waited for the disk.
pub fn write_for_now(path: &Path, bytes: &[u8], doing: &'static Phrase) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|error| Error::io(doing, path, &error))
}

/// Overwrites the beginning of a file in one write, without waiting for the disk: a kill leaves the old bytes or the new
/// ones, if they are as many and fewer than a block of the disk. The file must be there.
pub fn overwrite(path: &Path, bytes: &[u8], doing: &'static Phrase) -> Result<(), Error> {
    let written = OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| Error::io(doing, path, &error))
}

/// A file that nobody else appends to as long as this is held. A crash lets go of it too.
#[derive(Debug)]
pub struct Appending<'a> {
    file: File,
    path: &'a Path,
    doing: &'static Phrase,
}

impl<'a> Appending<'a> {
    /// Opens the file, makes it if it is not there, and waits until nobody else holds it.
    pub fn open(path: &'a Path, doing: &'static Phrase) -> Result<Self, Error> {
        let open = || {
            let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            file.lock()?;
            Ok(file)
        };
        let file = open().map_err(|error| Error::io(doing, path, &error))?;
        Ok(Appending { file, path, doing })
    }

    /// The last line with its line break, if it has one: where an earlier writer was killed in the middle, this is the
    /// half line.
    pub fn last_line(&mut self) -> Result<Vec<u8>, Error> {
        last_line(&mut self.file).map_err(|error| Error::io(self.doing, self.path, &error))
    }

    /// Appends in one write.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| Error::io(self.doing, self.path, &error))
    }

    /// Waits until all of the file is on the disk.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.file.sync_data().map_err(|error| Error::io(self.doing, self.path, &error))
    }
}

/// The last line with its line break, where it has one; empty in an empty file.
fn last_line(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = file.seek(SeekFrom::End(0))?;
    let mut tail: Vec<u8> = Vec::new();
    while start > 0 {
        let size = start.min(64 << 10);
        start -= size;
        file.seek(SeekFrom::Start(start))?;
        let mut block = Vec::new();
        file.take(size).read_to_end(&mut block)?;
        block.append(&mut tail);
        tail = block;
        let body = tail.strip_suffix(b"\n").unwrap_or(&tail);
        if let Some(at) = body.iter().rposition(|byte| *byte == b'\n') {
            return Ok(tail[at + 1..].to_vec());
        }
    }
    Ok(tail)
}

/// Makes a folder and the folders above it.
pub fn create_dirs(path: &Path, doing: &'static Phrase) -> Result<(), Error> {
    match fs::create_dir_all(path) {
        Ok(()) => Ok(()),
        // A file stands in the way: the system says only "exists".
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Error::io(doing, path, &io::ErrorKind::NotADirectory.into()))
        }
        Err(error) => Err(Error::io(doing, path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOING: &Phrase = &["do it"; 5];

    fn lines(path: &Path) -> Vec<String> {
        fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn errors_say_what_to_what_why_and_what_next() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing.txt");
        let error = read(&missing, DOING).unwrap_err();
        assert!(error.is_missing());
        let text = error.to_string();
        assert!(text.starts_with("could not do it "), "{text}");
        assert!(text.contains("missing.txt: it does not exist; ") && text.contains("ls "), "{text}");
        let error = read(folder.path(), DOING).unwrap_err().to_string();
        assert!(error.contains("it is a folder, not a file"), "{error}");
        let error = write(folder.path(), b"", DOING).unwrap_err().to_string();
        assert!(error.contains("it is a folder, not a file"), "{error}");
        let plain = folder.path().join("plain");
        fs::write(&plain, "x").unwrap();
        for below in
            [create_dirs(&plain, DOING).unwrap_err(), create_dirs(&plain.join("a"), DOING).unwrap_err()]
        {
            assert!(below.to_string().contains("a file, not a folder"), "{below}");
        }
    }

    #[test]
    fn reading_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "héllo").unwrap();
        assert_eq!(read_text(&path, DOING, 6).unwrap(), "héllo");
        assert!(read_text(&path, DOING, 5).unwrap_err().to_string().contains("larger than 5 bytes"));
        assert_eq!(read_if_there(&path, DOING, 6).unwrap().unwrap(), "héllo".as_bytes());
        assert_eq!(read_if_there(&folder.path().join("none"), DOING, 6).unwrap(), None);
        fs::write(&path, b"ab\xff").unwrap();
        assert!(read_text(&path, DOING, 6).unwrap_err().to_string().contains("not UTF-8 (byte 2)"));
    }

    #[test]
    fn a_file_beyond_the_store_is_read_from_both_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"first\n").unwrap();
        file.seek(SeekFrom::Start(65 << 20)).unwrap();
        file.write_all(b"\nlast\n").unwrap();
        let stored = read(&path, DOING).unwrap();
        assert!(stored.bytes.starts_with(b"first\n") && stored.bytes.ends_with(b"\nlast\n"));
        assert_eq!(stored.bytes.len() as u64 + stored.dropped.unwrap().bytes, (65 << 20) + 6);
    }

    #[test]
    fn writing_replaces_in_one_step_and_keeps_mode_and_link() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, b"one", DOING).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt, symlink};
            fs::set_permissions(&path, fs::Permissions::from_mode(0o754)).unwrap();
            let link = folder.path().join("link");
            symlink("file", &link).unwrap();
            write(&link, b"two", DOING).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o754);
            assert_eq!(fs::read(&path).unwrap(), b"two");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
    }

    #[test]
    fn the_last_line_is_seen_before_the_next_is_appended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let long = "x".repeat(200_000);
        let mut seen = Vec::new();
        for next in ["one\n", "\n", &format!("{long}\n"), "half", "\nlast\n"] {
            let mut file = Appending::open(&path, DOING).unwrap();
            seen.push(String::from_utf8(file.last_line().unwrap()).unwrap());
            file.append(next.as_bytes()).unwrap();
        }
        assert_eq!(
            seen,
            ["".to_owned(), "one\n".to_owned(), "\n".to_owned(), format!("{long}\n"), "half".to_owned()]
        );
        assert_eq!(
            lines(&path),
            ["one".to_owned(), String::new(), long, "half".to_owned(), "last".to_owned()]
        );
    }

    #[test]
    fn lines_appended_at_once_stay_whole_and_none_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let mut file = Appending::open(&path, DOING).unwrap();
                        let last = String::from_utf8(file.last_line().unwrap()).unwrap();
                        let last: u32 = last.trim().parse().unwrap_or(0);
                        file.append(format!("{}\n", last + 1).as_bytes()).unwrap();
                    }
                });
            }
        });
        let expected: Vec<String> = (1..=80).map(|number: u32| number.to_string()).collect();
        assert_eq!(lines(&path), expected);
    }
}
