//! Several readings of the same lines → one, or the word that they disagree. The order of the readers plays no part.

use crate::reader::{Reader, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

/// A reading with what its reader says of itself.
#[derive(Clone)]
pub struct Candidate {
    /// The reader.
    pub reader: &'static Reader,
    /// What it read.
    pub reading: Reading,
}

/// The readings that stand, and whether two of them contradict each other about the same lines.
pub struct Resolved {
    /// One reading per block, in the order of the text.
    pub standing: Vec<Candidate>,
    /// Two readers understood the same lines differently.
    pub ambiguous: bool,
}

/// Settles overlaps within one stream.
pub fn resolve(mut candidates: Vec<Candidate>) -> Resolved {
    candidates.sort_by_key(rank);
    // Readings of one reader never stand against each other, and a report can hold as many as it has packages.
    if candidates.iter().all(|candidate| candidate.reader.id == candidates[0].reader.id) {
        candidates.sort_by_key(|candidate| candidate.reading.lines);
        return Resolved { standing: candidates, ambiguous: false };
    }
    let covered: Vec<bool> =
        candidates.iter().map(|inner| candidates.iter().any(|outer| covers(outer, inner))).collect();
    let candidates: Vec<Candidate> = candidates
        .into_iter()
        .zip(covered)
        .filter(|(_, covered)| !covered)
        .map(|(candidate, _)| candidate)
        .collect();
    let mut standing: Vec<Candidate> = Vec::new();
    let mut ambiguous = false;
    for candidate in candidates {
        let rivals: Vec<&Candidate> = standing.iter().filter(|other| same_lines(other, &candidate)).collect();
        if rivals.is_empty() {
            standing.push(candidate);
            continue;
        }
        ambiguous |= rivals.iter().any(|rival| contradicts(&rival.reading, &candidate.reading));
    }
    let told_twice: Vec<bool> =
        standing.iter().map(|report| standing.iter().any(|run| tells_the_same_run(run, report))).collect();
    let mut standing: Vec<Candidate> =
        standing.into_iter().zip(told_twice).filter(|(_, twice)| !twice).map(|(one, _)| one).collect();
    standing.sort_by_key(|candidate| (candidate.reading.lines, candidate.reader.id));
    Resolved { standing, ambiguous }
}

/// Most specific first; a statement before a beginning without an end; then by place and name, so that the order of the
/// reader list decides nothing.
fn rank(candidate: &Candidate) -> impl Ord + use<> {
    let unfinished = matches!(candidate.reading.said, Said::Unfinished(_));
    (
        std::cmp::Reverse(candidate.reader.specificity),
        unfinished,
        candidate.reading.lines,
        candidate.reader.id,
    )
}

fn same_lines(a: &Candidate, b: &Candidate) -> bool {
    a.reader.id != b.reader.id
        && a.reading.lines.0 <= b.reading.lines.1
        && b.reading.lines.0 <= a.reading.lines.1
}

/// Whether `report` is the report file of `run`, shown beside its text (`pytest --junitxml=r.xml; cat r.xml`): a report
/// whose numbers are those that a runner stated itself in the same stream.
fn tells_the_same_run(run: &Candidate, report: &Candidate) -> bool {
    report.reader.specificity == Specificity::Report
        && run.reader.specificity > Specificity::Report
        && run.reading.tally.passed.is_some()
        && report.reading.tally.passed.is_some()
        && run.reading.tally.total() != Some(0)
        && run.reading.tally.agrees_with(&report.reading.tally)
}

/// Whether `outer`'s reader says that it has counted blocks of `inner`'s reader inside its own.
fn covers(outer: &Candidate, inner: &Candidate) -> bool {
    outer.reader.covers.contains(&inner.reader.id) && same_lines(outer, inner)
}

/// Whether a reading that covers this reader's spans the stream from the first line to the last.
///
/// A reader that covers others itself is always heard: its readings decide which of theirs stand.
pub fn leaves_nothing_to(reader: &Reader, candidates: &[Candidate], stream: &Stream<'_>) -> bool {
    let mut covering = candidates.iter().filter(|outer| outer.reader.covers.contains(&reader.id)).peekable();
    reader.covers.is_empty()
        && covering.peek().is_some()
        && stream.extent().is_some_and(|(first, last)| {
            covering.any(|outer| outer.reading.lines.0 <= first && outer.reading.lines.1 >= last)
        })
}

/// A generic reading that began and did not end says nothing against a more specific one that did.
fn contradicts(stronger: &Reading, weaker: &Reading) -> bool {
    if matches!(weaker.said, Said::Unfinished(_) | Said::Status(_))
        || matches!(stronger.said, Said::Status(_))
    {
        return false;
    }
    !stronger.tally.agrees_with(&weaker.tally)
}

/// The most specific reading's place in a list of names: used to name the runner first that is most its own.
pub fn by_specificity(candidates: &[Candidate]) -> Vec<&'static str> {
    let mut named: Vec<(std::cmp::Reverse<Specificity>, (u32, u32), &'static str)> = candidates
        .iter()
        .filter(|candidate| !matches!(candidate.reading.said, Said::Status(_)))
        .map(|candidate| {
            (
                std::cmp::Reverse(candidate.reader.specificity),
                candidate.reading.lines,
                candidate.reading.runner,
            )
        })
        .collect();
    named.sort();
    let mut names = Vec::new();
    for (_, _, name) in named {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::READERS;

    #[test]
    fn a_reader_that_covers_others_is_always_heard() {
        let stream = Stream::plain("a\n");
        for outer in READERS {
            let quote = kenshu_model::Quote::new(1, "a");
            let reading = Reading::without_counts(outer.id, Said::Passed, quote);
            let candidates = [Candidate { reader: outer, reading }];
            for reader in READERS.iter().filter(|reader| !reader.covers.is_empty()) {
                assert!(!leaves_nothing_to(reader, &candidates, &stream), "{} {}", outer.id, reader.id);
            }
        }
    }

    #[test]
    fn only_a_reading_of_every_line_leaves_nothing() {
        let by_id = |id| crate::readers::by_id(id).expect("a reader of this id");
        let stream = Stream::plain("\na\nb\nc\n\n");
        for (lines, nothing) in [((2, 4), true), ((1, 9), true), ((3, 4), false), ((2, 3), false)] {
            let quote = kenshu_model::Quote::new(lines.0, "a");
            let reading =
                Reading::without_counts("node-test", Said::Passed, quote).spanning(lines.0, lines.1);
            let candidates = [Candidate { reader: by_id("node-test"), reading }];
            assert_eq!(leaves_nothing_to(by_id("tap"), &candidates, &stream), nothing, "{lines:?}");
            assert!(!leaves_nothing_to(by_id("jest"), &candidates, &stream), "{lines:?}");
        }
    }
}
