//! Checking: is every entry the one that was written, behind the one it was written behind?

use std::collections::{BTreeMap, BTreeSet};

use kenshu_model::Message;
use kenshu_model::words::ledger as words;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::append::{Anchor, Head, Torn, head_of_file};
use crate::digest::Digest;
use crate::entry::HEADS;
use crate::read::lines;
use crate::wire::{Line, Link};

/// A line of a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which segment, from 0.
    pub segment: usize,
    /// Which line of it, from 1.
    pub line: u64,
}

impl Place {
    /// Which line, in words.
    pub fn message(&self) -> Message {
        if self.segment == 0 {
            Message::new(&words::LINE, [&self.line])
        } else {
            Message::new(&words::LINE_OF, [&self.line, &(self.segment + 1)])
        }
    }
}

/// One thing that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The line's bytes do not have the digest that it states.
    Changed(Place),
    /// The line is no entry, and no entry `repaired` accounts for it: changed, foreign, or a write that was cut.
    NoEntry(Place),
    /// The line has the digest it states, and was written behind another entry than the one before it.
    Unlinked {
        /// The line.
        at: Place,
        /// The line that now stands where the other one stood, if one does.
        behind: Option<Place>,
    },
    /// Entries with these numbers are not there; `before` is the first line behind the gap.
    Missing {
        /// The first missing number.
        from: u64,
        /// The last missing number.
        to: u64,
        /// The line behind the gap; `None`: they should stand at the end, as the anchor shows.
        before: Option<Place>,
    },
    /// The entry stands behind entries that were written after it.
    Reordered(Place),
    /// The number stands in the ledger already.
    Duplicated {
        /// The second line.
        at: Place,
        /// The first.
        first: Place,
    },
    /// An entry `repaired` accounts for cut lines that are not there, or are not the same.
    RepairWithout(Place),
    /// The entry with the anchor's number is another one than the anchor names.
    NotTheAnchor(Place),
    /// Kept copies of the head were gone when this entry was written: entries before it may have been cut off.
    HeadsWereGone(Place),
}

impl Problem {
    /// The problem in words.
    pub fn message(&self) -> Message {
        let said = |phrase, at: &Place| Message::of(phrase, [at.message()]);
        match self {
            Problem::Changed(at) => said(&words::CHANGED, at),
            Problem::NoEntry(at) => said(&words::NO_ENTRY, at),
            Problem::Unlinked { at, behind: Some(behind) } => {
                Message::of(&words::BEHIND_ANOTHER, [at.message(), behind.message()])
            }
            Problem::Unlinked { at, behind: None } => said(&words::BEHIND_NOTHING, at),
            Problem::Missing { from, to, before: Some(before) } => {
                let values = [before.message(), from.to_string().into(), to.to_string().into()];
                Message::of(&words::MISSING_BEFORE, values)
            }
            Problem::Missing { from, to, before: None } => Message::new(&words::MISSING_AT_END, [from, to]),
            Problem::Reordered(at) => said(&words::REORDERED, at),
            Problem::Duplicated { at, first } => {
                Message::of(&words::DUPLICATED, [at.message(), first.message()])
            }
            Problem::RepairWithout(at) => said(&words::REPAIR_WITHOUT, at),
            Problem::NotTheAnchor(at) => said(&words::NOT_THE_ANCHOR, at),
            Problem::HeadsWereGone(at) => said(&words::HEADS_WERE_GONE, at),
        }
    }
}

/// What a ledger's check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Entries that have the digest they state.
    pub entries: u64,
    /// A last line without a newline that is no whole entry: a write that was cut. No tampering; the next append
    /// accounts for it.
    pub torn: Option<Place>,
    /// Entries that account for cut lines.
    pub repaired: Vec<Place>,
    /// What is not as it was written, by line.
    pub problems: Vec<Problem>,
    /// Whether [`HEADS`] copies of the head must be there besides the ledger.
    pub heads_kept: bool,
    /// Where the ledger stands: [`Head::anchor`] is for a human to keep.
    pub head: Head,
}

impl Verification {
    /// Whether every line is an entry as it was written, or accounted for by one.
    pub fn is_intact(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks one file that holds a ledger from its beginning.
pub fn verify(bytes: &[u8]) -> Verification {
    verify_segments(&[bytes])
}

/// Checks one ledger, and that the entries that are kept elsewhere are still in it.
pub fn verify_anchored(segments: &[&[u8]], anchors: &[Anchor]) -> Verification {
    let mut chain = Chain::read(segments);
    // The same anchor in two places shows one problem, not two.
    anchors.iter().collect::<BTreeSet<_>>().into_iter().for_each(|anchor| chain.anchored(anchor));
    chain.finish(segments)
}

/// Checks a ledger in several files, in order.
pub fn verify_segments(segments: &[&[u8]]) -> Verification {
    Chain::read(segments).finish(segments)
}

#[derive(Debug)]
struct Seen {
    at: Place,
    stated: Digest,
    computed: Digest,
    prev: Option<String>,
}

#[derive(Debug, Default)]
struct Chain {
    by_seq: BTreeMap<u64, Seen>,
    highest: u64,
    /// Lines that are no entries, until the next entry: does it account for them?
    pending: Vec<Pending>,
    torn: Option<Place>,
    repaired: Vec<Place>,
    problems: Vec<Problem>,
    whole: u64,
    /// An entry says how many copies of the head were found: they are kept since then.
    heads_kept: bool,
}

#[derive(Debug)]
struct Pending {
    at: Place,
    torn: Torn,
    /// It is the beginning of an entry: what a cut write leaves.
    breaks_off: bool,
}

impl Chain {
    fn read(segments: &[&[u8]]) -> Self {
        let mut chain = Chain::default();
        for (segment, bytes) in segments.iter().enumerate() {
            let open_line = !bytes.is_empty() && !bytes.ends_with(b"\n");
            let last = lines(bytes).count() as u64;
            for (number, line) in lines(bytes) {
                let at = Place { segment, line: number };
                chain.line(at, line, open_line && number == last);
            }
        }
        chain
    }

    fn line(&mut self, at: Place, bytes: &[u8], open: bool) {
        let Some((line, link)) = Line::of(bytes).and_then(|l| l.link().map(|link| (l, link))) else {
            let breaks_off = breaks_off(bytes);
            self.torn = (open && breaks_off).then_some(at);
            self.pending.push(Pending { at, torn: Torn::of(bytes), breaks_off });
            return;
        };
        let computed = line.computed();
        if computed == line.stated {
            self.whole += 1;
        } else {
            self.problems.push(Problem::Changed(at));
        }
        self.account(at, &link);
        if let Some(found) = link.heads {
            // The first one may have been written before there were any.
            if std::mem::replace(&mut self.heads_kept, true) && found < HEADS {
                self.problems.push(Problem::HeadsWereGone(at));
            }
        }
        self.place(at, Seen { at, stated: line.stated, computed, prev: link.prev }, link.seq);
    }

    /// Cut lines must be named by the entry right behind them, one by one.
    fn account(&mut self, at: Place, link: &Link) {
        let pending = std::mem::take(&mut self.pending);
        self.torn = None;
        let mut accounted = false;
        if link.kind == "repaired" {
            let there: Vec<Torn> = pending.iter().map(|p| p.torn).collect();
            accounted = !there.is_empty() && named_in(&link.payload).is_some_and(|named| named == there);
            if accounted {
                self.repaired.push(at);
            } else {
                self.problems.push(Problem::RepairWithout(at));
            }
        }
        // Only what breaks off can be what a cut write left; anything else stays a problem whoever names it.
        let left = pending.into_iter().filter(|p| !(accounted && p.breaks_off));
        self.problems.extend(left.map(|p| Problem::NoEntry(p.at)));
    }

    fn place(&mut self, at: Place, seen: Seen, seq: u64) {
        if let Some(first) = self.by_seq.get(&seq) {
            self.problems.push(Problem::Duplicated { at, first: first.at });
            return;
        }
        if seq <= self.highest {
            self.problems.push(Problem::Reordered(at));
        }
        self.highest = self.highest.max(seq);
        self.by_seq.insert(seq, seen);
    }

    fn finish(mut self, segments: &[&[u8]]) -> Verification {
        // Cut lines at the very end are no problem: the next append accounts for them.
        let ends_torn = self.torn.is_some();
        let left = self.pending.iter().filter(|p| !(ends_torn && p.breaks_off));
        self.problems.extend(left.map(|p| Problem::NoEntry(p.at)));
        self.links();
        self.gaps();
        self.problems.sort_by_key(|p| place_of(p).unwrap_or(Place { segment: usize::MAX, line: u64::MAX }));
        let head = self.head(segments);
        Verification {
            entries: self.whole,
            torn: self.torn,
            repaired: self.repaired,
            problems: self.problems,
            heads_kept: self.heads_kept,
            head,
        }
    }

    /// The anchor's entry must be there.
    fn anchored(&mut self, anchor: &Anchor) {
        let last = self.by_seq.keys().next_back().copied().unwrap_or(0);
        let problem = match self.by_seq.get(&anchor.seq) {
            Some(seen) if seen.stated != anchor.digest => Problem::NotTheAnchor(seen.at),
            None if anchor.seq > last => {
                Problem::Missing { from: last.saturating_add(1), to: anchor.seq, before: None }
            }
            // A gap before the last entry is found without an anchor.
            Some(_) | None => return,
        };
        self.problems.push(problem);
    }

    /// Each entry must name the digest of the one with the number before it.
    fn links(&mut self) {
        for (seq, seen) in &self.by_seq {
            let before = seq.checked_sub(1).and_then(|n| self.by_seq.get(&n));
            let linked = match (&seen.prev, before) {
                // A changed line is one problem, not two: the entry behind it may name either of its digests.
                (Some(prev), Some(b)) => *prev == b.stated.to_string() || *prev == b.computed.to_string(),
                (None, None) => *seq == 1,
                // What it names is missing: the gap is the problem, and is reported as such.
                (Some(prev), None) => *seq > 1 && Digest::parse(prev).is_some(),
                (None, Some(_)) => false,
            };
            if !linked {
                self.problems.push(Problem::Unlinked { at: seen.at, behind: before.map(|b| b.at) });
            }
        }
    }

    /// Numbers that no line has.
    fn gaps(&mut self) {
        let mut next = 1;
        for (seq, seen) in &self.by_seq {
            if *seq > next {
                self.problems.push(Problem::Missing { from: next, to: seq - 1, before: Some(seen.at) });
            }
            next = seq.saturating_add(1);
        }
    }

    fn head(&self, segments: &[&[u8]]) -> Head {
        let last = segments.iter().rev().find(|s| !s.is_empty());
        let mut head = last.map_or_else(Head::default, |bytes| head_of_file(bytes));
        // A new segment may hold nothing but a cut line: the chain's end stands in the one before.
        if head.digest.is_none()
            && let Some((seq, seen)) = self.by_seq.last_key_value()
        {
            head.seq = *seq;
            head.digest = Some(seen.stated);
        }
        head
    }
}

/// The cut lines that an entry `repaired` names.
fn named_in(payload: &Value) -> Option<Vec<Torn>> {
    let lines = payload.get("torn")?.as_array()?;
    lines
        .iter()
        .map(|l| {
            Some(Torn {
                sha256: Digest::parse(l.get("sha256")?.as_str()?)?,
                bytes: l.get("bytes")?.as_u64()?,
            })
        })
        .collect()
}

/// Whether a line is the beginning of an entry and ends before its end.
fn breaks_off(bytes: &[u8]) -> bool {
    // A cut may fall inside a character: what is left of it is no error.
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) if e.error_len().is_none() => {
            std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let begins = "{\"v\":";
    if text.len() < begins.len() {
        return begins.starts_with(text);
    }
    // A cut inside a number ("0.", "1e") leaves no number; what stands before it shows that the rest is missing.
    let text = text.trim_end_matches(['.', 'e', 'E', '+', '-']);
    text.starts_with(begins) && serde_json::from_str::<IgnoredAny>(text).is_err_and(|e| e.is_eof())
}

fn place_of(problem: &Problem) -> Option<Place> {
    match problem {
        Problem::Changed(at)
        | Problem::NoEntry(at)
        | Problem::Reordered(at)
        | Problem::RepairWithout(at)
        | Problem::NotTheAnchor(at)
        | Problem::HeadsWereGone(at)
        | Problem::Unlinked { at, .. }
        | Problem::Duplicated { at, .. } => Some(*at),
        Problem::Missing { before, .. } => *before,
    }
}
