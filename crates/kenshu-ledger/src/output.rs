//! What is kept of a command's output: how long it was, its digest, and its end.

use std::collections::VecDeque;

use sha2::{Digest as _, Sha256};

use crate::digest::Digest;

/// How much of the end is kept. The summary of every known runner stands in its last lines.
const TAIL_BYTES: usize = 4_096;

/// A command's output, as evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Length in bytes.
    pub bytes: u64,
    /// Digest of all of it.
    pub sha256: Digest,
    /// Its last lines, as text; bytes that are no text are replaced.
    pub tail: String,
}

impl Output {
    /// Of an output that is at hand.
    pub fn of(bytes: &[u8]) -> Self {
        let mut digest = OutputDigest::default();
        digest.update(bytes);
        digest.finish()
    }
}

/// Of an output that arrives in pieces.
#[derive(Debug, Default)]
pub struct OutputDigest {
    bytes: u64,
    state: Sha256,
    tail: VecDeque<u8>,
    cut: bool,
}

impl OutputDigest {
    /// Takes the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.bytes = self.bytes.saturating_add(piece.len() as u64);
        self.state.update(piece);
        let end = &piece[piece.len().saturating_sub(TAIL_BYTES)..];
        self.cut |= end.len() < piece.len();
        self.tail.extend(end);
        let over = self.tail.len().saturating_sub(TAIL_BYTES);
        self.cut |= over > 0;
        self.tail.drain(..over);
    }

    /// The evidence.
    pub fn finish(self) -> Output {
        let mut tail: Vec<u8> = self.tail.into();
        // A line that is not whole at its beginning says something else than it did.
        if self.cut
            && let Some(newline) = tail.iter().position(|b| *b == b'\n')
            && newline + 1 < tail.len()
        {
            tail.drain(..=newline);
        }
        let tail = String::from_utf8_lossy(&tail).into_owned();
        Output { bytes: self.bytes, sha256: Digest::finish(self.state), tail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_the_whole_give_the_same() {
        let text: Vec<u8> = (0..900).flat_map(|i| format!("line {i}\n").into_bytes()).collect();
        let whole = Output::of(&text);
        let mut pieces = OutputDigest::default();
        text.chunks(7).for_each(|piece| pieces.update(piece));
        assert_eq!(pieces.finish(), whole);
        assert_eq!(whole.bytes, text.len() as u64);
        assert!(whole.tail.len() <= TAIL_BYTES);
        assert!(whole.tail.starts_with("line ") && whole.tail.ends_with("line 899\n"));
        assert_eq!(Output::of(b"short").tail, "short");
    }
}
