//! Append-only evidence: entries in, lines out; lines in, entries and what is wrong with them out.
//!
//! Invariant: bytes in, bytes out. The host reads the file, locks it, appends what [`append`] gives in one write,
//! and hands in the time. Nothing here is ever rewritten.
//!
//! # The form
//!
//! A ledger is JSON Lines in UTF-8: one entry a line, each ended by a newline, nothing else. The fields of version 1
//! stand in [`wire`]. The last field of a line is always its digest, so that a line ends in `,"digest":"…"}` with 64
//! lower-case hexadecimal digits. **The digest is SHA-256 over the line's own bytes without that field**: everything
//! before `,"digest":`, then `}`. No second spelling of an entry exists that could be hashed by mistake, and a human
//! can check a line with two ordinary tools:
//!
//! ```sh
//! sed -n 7p ledger.jsonl | sed 's/,"digest":"[0-9a-f]*"}$/}/' | tr -d '\n' | sha256sum
//! ```
//!
//! Each entry holds its number (`seq`, from 1) and the digest of the entry before it (`prev`, `null` in the first). An
//! entry's `id` is the first 16 digits of its digest.
//!
//! # Several files
//!
//! A ledger may be cut into segments. `seq` and `prev` go on across them; [`verify_segments`] reads them in order.
//!
//! # A write that was cut
//!
//! A kill in the middle of a write leaves a last line without a newline. That is no tampering, and [`verify`] says so
//! ([`Verification::torn`]). The line is kept for ever: [`head_of_file`] (or [`head_of`], for the end of a file)
//! notices it, and the next [`append`] first ends it with a newline, then writes an entry of kind `repaired` that
//! holds the cut line's digest and length, and only then the new entry. A line that is no entry and that no
//! `repaired` accounts for is a [`Problem`]. A line that only lacks its newline is a whole entry, and is only ended.
//!
//! # The kept head
//!
//! A chain alone does not show that its last entries were cut off. So whoever appends keeps the head, one
//! [`Anchor::line`], in [`HEADS`] places besides the ledger. The order makes a kill at any point harmless: the places
//! exist before the first entry that says so (`heads`); the entry is on the disk before the places are overwritten. A
//! kept head may thus be behind the ledger, never ahead of it, and [`verify_anchored`] wants each one's entry to be
//! there. [`Head::after`] puts the next entry behind a kept head that is ahead: the numbers between stay missing, and
//! a later append hides nothing. Each entry says how many of the places were found; once they were kept, fewer
//! is a [`Problem`] for ever.
//!
//! A ledger of a program that kept no head has no entry with `heads`, and nothing is missing there.
//!
//! # What `verify` can not see
//!
//! * **Ledger and kept heads changed together**, by whoever may write all of them. Keep [`Verification::head`] (an
//!   [`Anchor`], one short line of text) outside the machine, in a commit message, a ticket, a CI log, and hand it to
//!   [`verify_anchored`].
//! * **Whether an entry was true when it was written.** Whoever may run the program may write entries; `actor` says
//!   what the environment showed, and is no proof.

mod append;
mod digest;
mod entry;
mod output;
mod read;
#[cfg(test)]
mod tests;
mod verify;
pub mod wire;

pub use append::{Anchor, Head, Torn, append, head_of, head_of_file};
pub use digest::Digest;
pub use entry::{Actor, Attachment, Draft, Entry, HEADS, Kind, Subject, Time, Who};
pub use output::{Output, OutputDigest};
pub use read::{Unread, parse};
pub use verify::{Place, Problem, Verification, verify, verify_anchored, verify_segments};
