//! Reading: every entry that can be read, and every line that can't.

use crate::entry::Entry;
use crate::wire::{self, Line};

/// A line that gave no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// 1-based.
    pub line: u64,
    /// What it is instead, for a human.
    pub what: String,
}

/// Reads a ledger. Whether the entries are the ones that were written is [`crate::verify`]'s question.
pub fn parse(bytes: &[u8]) -> (Vec<Entry>, Vec<Unread>) {
    let (mut entries, mut unread) = (Vec::new(), Vec::new());
    for (number, line) in lines(bytes) {
        match entry(line) {
            Ok(entry) => entries.push(entry),
            Err(what) => unread.push(Unread { line: number, what }),
        }
    }
    (entries, unread)
}

fn entry(bytes: &[u8]) -> Result<Entry, String> {
    let line = Line::of(bytes).ok_or("not a whole entry: it does not end in a digest")?;
    let link = line.link().ok_or("no entry: `v`, `seq`, `prev` or `kind` is missing or of another form")?;
    if link.v != 1 {
        return Err(format!("version {} of the entry's form; this program reads version 1", link.v));
    }
    wire::read(&line)
}

/// The lines with their numbers; the newline at the end begins no new one.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let all = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let none = bytes.is_empty();
    (1..).zip(all.split(|b| *b == b'\n')).filter(move |_| !none)
}
