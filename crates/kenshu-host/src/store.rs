//! A bounded store for output of any size: the beginning and the end are kept, what is dropped is counted.

use std::{
    collections::VecDeque,
    io::{self, ErrorKind, Read},
};

/// How much of the beginning is kept: half of the 64 MiB that one run may occupy.
pub const HEAD: usize = 32 << 20;
/// How much of the end is kept.
pub const TAIL: usize = 32 << 20;

/// What was left out between the beginning and the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// How many bytes.
    pub bytes: u64,
    /// After which line of the kept bytes (1-based; 0: before the first) they are missing.
    pub after_line: u64,
}

/// Bytes that were kept, and what was left out of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The beginning and the end.
    pub bytes: Vec<u8>,
    /// What is missing between them; `None`: nothing.
    pub dropped: Option<Dropped>,
}

/// Keeps the first and the last bytes of a stream.
#[derive(Debug)]
pub struct Store {
    /// Everything, as long as nothing was dropped; then the beginning.
    head: Vec<u8>,
    /// The end, once something was dropped.
    tail: VecDeque<u8>,
    head_limit: usize,
    tail_limit: usize,
    dropped: u64,
}

impl Default for Store {
    fn default() -> Store {
        Store::with_limits(HEAD, TAIL)
    }
}

impl Store {
    /// A store that keeps `head` bytes of the beginning and `tail` bytes of the end.
    pub fn with_limits(head: usize, tail: usize) -> Store {
        Store { head: Vec::new(), tail: VecDeque::new(), head_limit: head, tail_limit: tail, dropped: 0 }
    }

    /// The same store with room for `bytes` that are to come: they are then never moved.
    pub fn expecting(mut self, bytes: u64) -> Store {
        self.head.reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX).min(self.room()));
        self
    }

    /// How many bytes it takes before the first is dropped.
    fn room(&self) -> usize {
        if self.dropped > 0 { 0 } else { self.head_limit + self.tail_limit - self.head.len() }
    }

    /// Takes the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(self.room().min(bytes.len()));
        self.head.extend_from_slice(first);
        if rest.is_empty() {
            return;
        }
        if self.dropped == 0 {
            self.tail = self.head.split_off(self.head_limit).into();
            self.head.shrink_to_fit();
        }
        let overflow = (self.tail.len() + rest.len()).saturating_sub(self.tail_limit);
        self.dropped += overflow as u64;
        let from_tail = overflow.min(self.tail.len());
        self.tail.drain(..from_tail);
        self.tail.extend(&rest[overflow - from_tail..]);
    }

    /// Takes everything that `reader` gives.
    pub fn fill_from(&mut self, mut reader: &mut dyn Read) -> io::Result<()> {
        let room = self.room() as u64;
        (&mut reader).take(room).read_to_end(&mut self.head)?;
        let mut buffer = vec![0; 256 << 10];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => self.push(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// How many bytes are kept at this moment.
    pub fn len(&self) -> usize {
        self.head.len() + self.tail.len()
    }

    /// Whether nothing came.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The beginning and the end as one text.
    ///
    /// Where something was dropped, the line that was cut at either side of the gap is dropped with it, since half a
    /// line reads as another number ("112 passed" as "12 passed"). Only where a side holds no line break at all (one
    /// endless line) its part stays, and a line break is put in so that the two are not glued to one line.
    pub fn finish(self) -> Stored {
        let Store { head: mut bytes, tail, mut dropped, .. } = self;
        if dropped == 0 {
            return Stored { bytes, dropped: None };
        }
        let (mut front, mut back) = tail.as_slices();
        if let Some(at) = memchr::memrchr(b'\n', &bytes) {
            dropped += (bytes.len() - at - 1) as u64;
            bytes.truncate(at + 1);
        } else if !bytes.is_empty() {
            bytes.push(b'\n');
        }
        // A tail that is one endless line but for its last line break has no whole line to begin with.
        let in_back = || memchr::memchr(b'\n', back).map(|at| front.len() + at);
        let start = memchr::memchr(b'\n', front).or_else(in_back).map_or(0, |at| at + 1);
        if start < tail.len() {
            dropped += start as u64;
            let from_front = start.min(front.len());
            front = &front[from_front..];
            back = &back[start - from_front..];
        }
        let after_line = memchr::memchr_iter(b'\n', &bytes).count() as u64;
        bytes.reserve_exact(front.len() + back.len());
        bytes.extend_from_slice(front);
        bytes.extend_from_slice(back);
        Stored { bytes, dropped: Some(Dropped { bytes: dropped, after_line }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(head: usize, tail: usize, pieces: &[&str]) -> (String, Option<Dropped>) {
        let mut store = Store::with_limits(head, tail);
        for piece in pieces {
            store.push(piece.as_bytes());
        }
        let stored = store.finish();
        (String::from_utf8(stored.bytes).unwrap(), stored.dropped)
    }

    #[test]
    fn what_fits_is_kept_byte_for_byte() {
        assert_eq!(stored(4, 4, &["a\r\n", "\0b", "c\n"]), ("a\r\n\0bc\n".into(), None));
        assert_eq!(stored(4, 4, &["abcdefgh"]), ("abcdefgh".into(), None));
        assert_eq!(stored(4, 4, &[]), (String::new(), None));
    }

    #[test]
    fn lines_cut_by_the_gap_are_dropped_whole() {
        // Kept would be "one\nt" and "7\nend\n"; a reader must not see "t" or "7" as lines of their own.
        let (text, dropped) = stored(5, 6, &["one\ntwo\nthree\n", "112 passed 1", "17\nend\n"]);
        assert_eq!(text, "one\nend\n");
        assert_eq!(dropped, Some(Dropped { bytes: 33 - 8, after_line: 1 }));
    }

    #[test]
    fn one_endless_line_is_not_glued_together() {
        let (text, dropped) = stored(3, 3, &["abcdefghij"]);
        assert_eq!(text, "abc\nhij");
        assert_eq!(dropped, Some(Dropped { bytes: 4, after_line: 1 }));
        assert_eq!(stored(3, 3, &["abcdefghi\n"]).0, "abc\nhi\n");
    }

    #[test]
    fn the_cut_of_the_input_does_not_matter() {
        let text: String = (0..200).map(|n| format!("line {n}\n")).collect();
        let whole = stored(100, 120, &[&text]);
        for size in [1, 7, 64, 119, 121, 300] {
            let pieces: Vec<&str> =
                text.as_bytes().chunks(size).map(|chunk| std::str::from_utf8(chunk).unwrap()).collect();
            assert_eq!(stored(100, 120, &pieces), whole, "pieces of {size}");
        }
        let (kept, dropped) = whole;
        assert_eq!(kept.len() as u64 + dropped.unwrap().bytes, text.len() as u64);
        assert!(kept.starts_with("line 0\n") && kept.ends_with("line 199\n"));
    }

    #[test]
    fn limits_of_zero_are_limits() {
        assert_eq!(stored(0, 4, &["a\nb\nc\n"]).0, "c\n");
        assert_eq!(stored(4, 0, &["a\nb\nc\n"]).0, "a\nb\n");
    }
}
