//! Writing: where the ledger stands, and the bytes that go behind it.

use std::fmt;

use serde_json::json;

use crate::digest::Digest;
use crate::entry::{Draft, Kind};
use crate::read::lines;
use crate::wire::{self, Line};

/// A line that a cut write left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Digest of its bytes, without a newline.
    pub sha256: Digest,
    /// Its length.
    pub bytes: u64,
}

impl Torn {
    pub(crate) fn of(line: &[u8]) -> Self {
        Torn { sha256: Digest::of(line), bytes: line.len() as u64 }
    }
}

/// Where a ledger stands: what the next entry goes behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The last entry's number; 0 in an empty ledger.
    pub seq: u64,
    /// The last entry's digest.
    pub digest: Option<Digest>,
    /// Lines behind it that cut writes left and that no entry accounts for yet.
    pub torn: Vec<Torn>,
    /// The last line has no newline.
    pub open_line: bool,
}

impl Head {
    /// The head for the first write into a new segment: a line that was left open stays in the old one.
    #[must_use]
    pub fn in_new_segment(self) -> Head {
        Head { open_line: false, ..self }
    }

    /// Where the next entry goes if `anchor` was the last entry at some time: here, if the anchor's entry is still in
    /// the ledger, else behind the anchor, so that the gap is in the chain for ever.
    ///
    /// `last_line` is the ledger's last line, `whole` gives all of it; it is only asked for where the last two entries
    /// do not tell.
    #[must_use]
    pub fn after(self, anchor: &Anchor, last_line: &[u8], whole: &dyn Fn() -> Vec<u8>) -> Head {
        let is_last = anchor.seq == 0 || self.anchor() == Some(*anchor);
        if is_last || Anchor::before(last_line) == Some(*anchor) || anchor.is_in(&whole()) {
            return self;
        }
        Head { seq: anchor.seq, digest: Some(anchor.digest), ..self }
    }

    /// The last entry, to be kept elsewhere; `None` in an empty ledger.
    pub fn anchor(&self) -> Option<Anchor> {
        self.digest.map(|digest| Anchor { seq: self.seq, digest })
    }
}

/// One entry's number and digest: kept outside, it shows that the ledger was cut or rewritten later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// The entry's number; 0 where nothing was written yet.
    pub seq: u64,
    /// Its digest.
    pub digest: Digest,
}

impl Anchor {
    /// That of a ledger without an entry.
    pub const EMPTY: Anchor = Anchor { seq: 0, digest: Digest::ZERO };

    /// Reads `12:` and 64 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (seq, digest) = text.trim().split_once(':')?;
        Some(Anchor { seq: seq.parse().ok()?, digest: Digest::parse(digest)? })
    }

    /// The entry that the one in `line` was written behind.
    fn before(line: &[u8]) -> Option<Self> {
        let link = Line::of(line.strip_suffix(b"\n")?)?.link()?;
        Some(Anchor { seq: link.seq.checked_sub(1)?, digest: Digest::parse(&link.prev?)? })
    }

    /// Whether its entry is one of these.
    fn is_in(&self, ledger: &[u8]) -> bool {
        lines(ledger).any(|(_, line)| {
            Line::of(line).is_some_and(|line| {
                line.stated == self.digest && line.link().is_some_and(|link| link.seq == self.seq)
            })
        })
    }

    /// One line that is as long for every anchor: it can be overwritten in one write.
    pub fn line(&self) -> String {
        format!("{:020}:{}\n", self.seq, self.digest)
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, self.digest)
    }
}

/// The bytes that put `draft` behind `previous`, to be appended in one write, and the new head.
///
/// After a cut write these are the missing newline, an entry `repaired`, and the entry.
pub fn append(previous: &Head, draft: &Draft) -> (String, Head) {
    let mut bytes = String::new();
    if previous.open_line {
        bytes.push('\n');
    }
    let (mut seq, mut prev) = (previous.seq, previous.digest);
    let mut put = |draft: &Draft| {
        seq = seq.saturating_add(1);
        let (line, digest) = wire::write(draft, seq, prev);
        bytes.push_str(&line);
        bytes.push('\n');
        prev = Some(digest);
    };
    if !previous.torn.is_empty() {
        put(&repair(&previous.torn, draft));
    }
    put(draft);
    (bytes, Head { seq, digest: prev, torn: Vec::new(), open_line: false })
}

/// The entry that accounts for cut lines. Time, actor and subject are those of the write that found them.
fn repair(torn: &[Torn], found_by: &Draft) -> Draft {
    let lines: Vec<_> =
        torn.iter().map(|t| json!({"sha256": t.sha256.to_string(), "bytes": t.bytes})).collect();
    Draft {
        kind: Kind::Repaired,
        payload: json!({ "torn": lines }),
        output: None,
        attachments: Vec::new(),
        ..found_by.clone()
    }
}

/// The head of a whole file.
pub fn head_of_file(bytes: &[u8]) -> Head {
    head_of(bytes).unwrap_or_else(|| behind(Head::default(), bytes))
}

/// The head of a ledger of which `end` is the last part, from the beginning of some line on.
///
/// `None`: no whole entry is in it. The caller reads a longer part, and takes [`head_of_file`] once it has all.
pub fn head_of(end: &[u8]) -> Option<Head> {
    let mut to = end.len();
    loop {
        let from = end[..to].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        // A changed line still has its place: what goes behind it links to the digest it states.
        if let Some(line) = Line::of(&end[from..to])
            && let Some(link) = line.link()
        {
            let head = Head {
                seq: link.seq,
                digest: Some(line.stated),
                torn: Vec::new(),
                open_line: to == end.len(),
            };
            let after = end.get(to + 1..).unwrap_or_default();
            return Some(if head.open_line { head } else { behind(head, after) });
        }
        to = from.checked_sub(1)?;
    }
}

/// Adds the lines behind the last entry.
fn behind(mut head: Head, after: &[u8]) -> Head {
    head.open_line = !after.is_empty() && !after.ends_with(b"\n");
    let lines = after.strip_suffix(b"\n").unwrap_or(after);
    if !after.is_empty() {
        head.torn = lines.split(|b| *b == b'\n').map(Torn::of).collect();
    }
    head
}
