//! One `git cat-file --batch` that answers many questions: starting git takes longer than most of its answers.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use super::command;

/// An object as it is stored.
#[derive(Debug)]
pub(super) struct Object {
    /// Its id.
    pub(super) id: String,
    /// `commit`, `tree`, `blob` or `tag`.
    pub(super) kind: String,
    /// Its bytes.
    pub(super) content: Vec<u8>,
}

/// A running `cat-file`. It ends with us, whatever way we end: its standard input is a pipe that only we hold.
#[derive(Debug)]
pub(super) struct Objects {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Objects {
    /// Starts it in `folder`.
    pub(super) fn start(folder: &Path) -> io::Result<Objects> {
        let mut command = command::git(folder);
        // Without `--textconv` and `--filters` it gives the stored bytes and starts nothing.
        command.args(["cat-file", "--batch"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Objects { child, input, output: BufReader::new(output) }),
            (_, _) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The object that a name stands for; `None`: there is none. A name holds no line break.
    pub(super) fn get(&mut self, name: &[u8]) -> io::Result<Option<Object>> {
        self.ask(&[name])?;
        self.take()
    }

    /// The ids of the objects that names stand for. All are asked at once, so they must be few and short: git would
    /// wait for us to read its answers while we wait for it to read more names.
    pub(super) fn ids(&mut self, names: &[String]) -> io::Result<Vec<Option<String>>> {
        let asked: Vec<&[u8]> = names.iter().map(String::as_bytes).collect();
        self.ask(&asked)?;
        names.iter().map(|_| Ok(self.take()?.map(|object| object.id))).collect()
    }

    fn ask(&mut self, names: &[&[u8]]) -> io::Result<()> {
        let mut text = Vec::new();
        for name in names {
            text.extend_from_slice(name);
            text.push(b'\n');
        }
        self.input.write_all(&text)
    }

    fn take(&mut self) -> io::Result<Option<Object>> {
        let mut line = Vec::new();
        self.output.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let Some((id, kind, size)) = header(&line) else { return Ok(None) };
        let mut content = Vec::new();
        // The line break behind the content is none of its bytes.
        (&mut self.output).take(size + 1).read_to_end(&mut content)?;
        if content.pop() != Some(b'\n') || content.len() as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(Object { id, kind, content }))
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It only reads, so nothing is cut off in the middle.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `0123… blob 42`; `None`: git says that there is no such object (`NAME missing`, `NAME ambiguous`).
fn header(line: &[u8]) -> Option<(String, String, u64)> {
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split(' ');
    let (id, kind, size) = (words.next()?, words.next()?, words.next()?.parse().ok()?);
    (words.next().is_none() && command::is_id(id)).then(|| (id.to_owned(), kind.to_owned(), size))
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn an_answer_that_names_no_object_is_none() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let found = header(format!("{id} blob 42").as_bytes());
        assert_eq!(found, Some((id.to_owned(), "blob".to_owned(), 42)));
        for line in
            ["HEAD^{commit} missing", "0123 ambiguous", "a b 12", "", &format!("{id} blob 42 missing")]
        {
            assert_eq!(header(line.as_bytes()), None, "{line}");
        }
    }
}
