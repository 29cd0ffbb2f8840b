//! Which readers have anything to read in a stream: two passes over it, whatever the number of readers.
//!
//! A needle of [`WINDOW`] bytes or more holds a whole [`Gram`] at one of every [`STEP`] places, wherever it stands. So
//! its text is compared only where one of its grams stands at a place that [`STEP`] divides, and of the grams of a
//! needle those are looked for that are rare in this very text. The few shorter needles have an automaton of their own.
//! Once a reader has been found, none of its needles is looked for any more.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::reader::Reader;
use crate::text::Stream;

/// A few bytes of a needle or a text.
type Gram = [u8; 4];

/// Only every so many bytes of a text are looked at.
const STEP: usize = size_of::<Gram>();

/// Bytes in which a whole gram begins at a place that [`STEP`] divides, wherever they stand.
const WINDOW: usize = STEP + size_of::<Gram>() - 1;

/// Bits of a gram's slot: about a thousand grams leave 97 of 100 slots empty, and the slots fit into the first cache.
const SLOT_BITS: u32 = 15;

/// How much of a text shows which grams are frequent in it: [`SAMPLES`] pieces of this size.
const SAMPLE_BYTES: usize = 16 << 10;

/// How many pieces are taken, evenly spread.
const SAMPLES: usize = 4;

/// For each reader whether one of its needles stands in the stream.
pub(crate) fn hits(readers: &[Reader], stream: &Stream<'_>) -> Vec<bool> {
    let text = stream.body().as_bytes();
    let (long, short): (Vec<Needle>, Vec<Needle>) =
        needles(readers).partition(|needle| needle.text.len() >= WINDOW);
    let mut hits = vec![false; readers.len()];
    find_short(short, text, &mut hits);
    find_long(long, text, &mut hits);
    hits
}

#[derive(Clone, Copy)]
struct Needle {
    text: &'static [u8],
    /// Index of the reader whose needle it is.
    owner: usize,
}

fn needles(readers: &[Reader]) -> impl Iterator<Item = Needle> {
    readers.iter().enumerate().flat_map(|(owner, reader)| {
        reader.needles.iter().map(move |text| Needle { text: text.as_bytes(), owner })
    })
}

fn find_short(mut needles: Vec<Needle>, text: &[u8], hits: &mut [bool]) {
    let mut from = 0;
    while !needles.is_empty() {
        // Its own search of the first bytes does the work, so what is built fastest is best.
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .match_kind(MatchKind::LeftmostFirst)
            .build(needles.iter().map(|needle| needle.text))
            .expect("needles are short");
        let Some(found) = automaton.find(&text[from..]) else { return };
        hits[needles[found.pattern().as_usize()].owner] = true;
        // From the same place on: another reader's needle may stand there too.
        from += found.start();
        needles.retain(|needle| !hits[needle.owner]);
    }
}

fn find_long(needles: Vec<Needle>, text: &[u8], hits: &mut [bool]) {
    let mut wanted = Wanted::new(needles, text, hits);
    let (grams, _) = text.as_chunks();
    for (index, gram) in grams.iter().enumerate() {
        let slot = slot(gram);
        if wanted.marked[slot] && wanted.compare(slot, text, index * STEP, hits) {
            wanted.forget(hits);
        }
    }
}

/// The grams that are looked for.
struct Wanted {
    /// Whether a gram of this slot is wanted.
    marked: Box<[bool; 1 << SLOT_BITS]>,
    /// By slot.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    slot: usize,
    needle: Needle,
    /// Where in the needle the gram stands.
    offset: usize,
}

impl Wanted {
    fn new(needles: Vec<Needle>, text: &[u8], hits: &[bool]) -> Wanted {
        let frequency = Frequency::of(text);
        let mut entries = Vec::with_capacity(needles.len() * STEP);
        for needle in needles {
            let start = frequency.rarest_window(needle.text);
            let grams = needle.text[start..start + WINDOW].array_windows().enumerate();
            entries.extend(grams.map(|(at, gram)| Entry { slot: slot(gram), needle, offset: start + at }));
        }
        entries.sort_unstable_by_key(|entry| entry.slot);
        let mut wanted = Wanted { marked: Box::new([false; 1 << SLOT_BITS]), entries };
        wanted.forget(hits);
        wanted
    }

    /// Looks no more for the needles of readers that were found.
    fn forget(&mut self, hits: &[bool]) {
        self.entries.retain(|entry| !hits[entry.needle.owner]);
        self.marked.fill(false);
        for entry in &self.entries {
            self.marked[entry.slot] = true;
        }
    }

    /// Compares the needles that have a gram of this slot with the text around `at`; says whether a reader was found.
    fn compare(&self, slot: usize, text: &[u8], at: usize, hits: &mut [bool]) -> bool {
        let first = self.entries.partition_point(|entry| entry.slot < slot);
        let mut found = false;
        for Entry { needle, offset, .. } in
            self.entries[first..].iter().take_while(|entry| entry.slot == slot)
        {
            if at >= *offset && text[at - offset..].starts_with(needle.text) {
                hits[needle.owner] = true;
                found = true;
            }
        }
        found
    }
}

/// The slot of a gram. Multiplying by the golden ratio spreads grams that differ in few bits (Knuth, TAOCP 6.4).
fn slot(gram: &Gram) -> usize {
    (u32::from_le_bytes(*gram).wrapping_mul(0x9e37_79b1) >> (u32::BITS - SLOT_BITS)) as usize
}

/// How often grams stand in pieces of a text.
struct Frequency(Vec<u32>);

impl Frequency {
    fn of(text: &[u8]) -> Frequency {
        let mut counts = vec![0; 1 << SLOT_BITS];
        for sample in 0..SAMPLES {
            let piece = &text[text.len() / SAMPLES * sample..];
            for gram in piece[..piece.len().min(SAMPLE_BYTES)].array_windows() {
                counts[slot(gram)] += 1;
            }
        }
        Frequency(counts)
    }

    /// Where in the needle the window stands whose grams are the rarest.
    fn rarest_window(&self, needle: &[u8]) -> usize {
        let counts: Vec<u32> = needle.array_windows().map(|gram| self.0[slot(gram)]).collect();
        let sums = counts.array_windows::<STEP>().map(|counts| counts.iter().sum::<u32>());
        sums.enumerate().min_by_key(|(_, sum)| *sum).map_or(0, |(start, _)| start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::READERS;

    #[track_caller]
    fn check(text: &str) {
        let expected: Vec<bool> =
            READERS.iter().map(|reader| reader.needles.iter().any(|needle| text.contains(needle))).collect();
        assert_eq!(hits(READERS, &Stream::plain(text)), expected, "{text:?}");
    }

    #[test]
    fn every_needle_is_found_at_every_place() {
        for needle in needles(READERS) {
            let needle = std::str::from_utf8(needle.text).unwrap();
            for before in ["", "x", "xx", "xxx", "xxxx"] {
                check(&format!("{before}{needle}"));
                check(&format!("{before}{needle}x"));
            }
        }
    }

    #[test]
    fn a_frequent_part_of_a_needle_finds_nothing() {
        check(&"test session started, 3 tests passes\n".repeat(9000));
    }

    #[test]
    fn readers_found_late_and_at_the_same_place_are_all_found() {
        let filling = "some line of a log\n".repeat(9000);
        check(&format!("{filling}TAP version 14\n{filling}FAIL\tDONE 1..\n{filling}=== RUN   TestA\n"));
    }
}
