//! Which readers have anything to read in a stream: one pass over it, whatever the number of readers.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::reader::Reader;
use crate::readers::READERS;
use crate::text::Stream;

/// From this size on the faster automaton earns back what it costs to build: about a megabyte read.
const LARGE_BYTES: usize = 1 << 20;

static SMALL: LazyLock<Needles> = LazyLock::new(|| Needles::new(READERS, AhoCorasickKind::ContiguousNFA));
static LARGE: LazyLock<Needles> = LazyLock::new(|| Needles::new(READERS, AhoCorasickKind::DFA));

struct Needles {
    automaton: AhoCorasick,
    /// Index of the reader whose needle each pattern is.
    owners: Vec<usize>,
}

impl Needles {
    fn new(readers: &[Reader], kind: AhoCorasickKind) -> Needles {
        let pairs: Vec<(usize, &str)> = readers
            .iter()
            .enumerate()
            .flat_map(|(owner, reader)| reader.needles.iter().map(move |needle| (owner, *needle)))
            .collect();
        let automaton = AhoCorasick::builder()
            .kind(Some(kind))
            .build(pairs.iter().map(|(_, needle)| needle))
            .expect("needles are short");
        Needles { automaton, owners: pairs.into_iter().map(|(owner, _)| owner).collect() }
    }
}

/// For each reader whether one of its needles stands in the stream.
pub(crate) fn hits(readers: &'static [Reader], stream: &Stream) -> Vec<bool> {
    let own;
    let needles = match (std::ptr::eq(readers, READERS), stream.body().len() < LARGE_BYTES) {
        (true, true) => &*SMALL,
        (true, false) => &*LARGE,
        (false, _) => {
            own = Needles::new(readers, AhoCorasickKind::ContiguousNFA);
            &own
        }
    };
    let mut hits = vec![false; readers.len()];
    let mut missing = readers.len();
    for found in needles.automaton.find_overlapping_iter(stream.body()) {
        let owner = needles.owners[found.pattern().as_usize()];
        if !hits[owner] {
            hits[owner] = true;
            missing -= 1;
            if missing == 0 {
                break;
            }
        }
    }
    hits
}
