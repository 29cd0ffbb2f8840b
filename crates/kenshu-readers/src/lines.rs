//! The lines of a stream by their place, for readers that look around.

use std::ops::Range;

use crate::text::{Line, Stream};

/// Some lines of a stream that follow each other. A copy of it costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct LineSpan<'a> {
    stream: &'a Stream<'a>,
    /// Where each line begins, and where one behind the last would.
    starts: &'a [u32],
    /// Place of the first line in the stream.
    first: usize,
}

impl<'a> LineSpan<'a> {
    pub(crate) fn whole(stream: &'a Stream<'a>, starts: &'a [u32]) -> LineSpan<'a> {
        LineSpan { stream, starts, first: 0 }
    }

    /// How many lines there are.
    pub fn len(self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The line at `place` (0-based).
    pub fn get(self, place: usize) -> Option<Line<'a>> {
        let [start, next] = *self.starts.get(place..)?.first_chunk()?;
        let text = &self.stream.body()[start as usize..next as usize - 1];
        Some(Line { number: self.stream.number(self.first + place), text })
    }

    /// The text of the line at `place`; empty behind the last.
    pub fn text(self, place: usize) -> &'a str {
        self.get(place).map_or("", |line| line.text)
    }

    /// The first line.
    pub fn first(self) -> Option<Line<'a>> {
        self.get(0)
    }

    /// The last line.
    pub fn last(self) -> Option<Line<'a>> {
        self.get(self.len().checked_sub(1)?)
    }

    /// The lines at these places, as far as they are there.
    pub fn part(self, places: Range<usize>) -> LineSpan<'a> {
        let end = places.end.min(self.len());
        let start = places.start.min(end);
        LineSpan {
            starts: self.starts.get(start..=end).unwrap_or_default(),
            first: self.first + start,
            ..self
        }
    }

    /// The lines from `place` on.
    pub fn from(self, place: usize) -> LineSpan<'a> {
        self.part(place..self.len())
    }

    /// The lines behind the one of this number.
    pub fn behind(self, number: u32) -> LineSpan<'a> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.stream.number(self.first + middle) <= number { low = middle + 1 } else { high = middle }
        }
        self.from(low)
    }

    /// The lines in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Line<'a>> + DoubleEndedIterator + Clone {
        let body = self.stream.body();
        let places = self.first..self.first + self.len();
        places.zip(self.starts.array_windows()).map(move |(place, [start, next])| Line {
            number: self.stream.number(place),
            text: &body[*start as usize..*next as usize - 1],
        })
    }
}

/// Where each line begins, and where one behind the last would: in 32 bits, since line numbers have no more either.
pub(crate) fn starts(body: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let behind = memchr::memchr_iter(b'\n', body.as_bytes()).map(|at| at + 1);
    // The last line may have no line break.
    let end = (!body.is_empty() && !body.ends_with('\n')).then_some(body.len() + 1);
    starts.extend(behind.chain(end).map_while(|start| u32::try_from(start).ok()));
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) {
        let stream = Stream::plain(text);
        let expected: Vec<Line<'_>> = stream.lines().collect();
        let lines = stream.line_span();
        assert_eq!(lines.iter().collect::<Vec<_>>(), expected, "{text:?}");
        assert_eq!((lines.first(), lines.last()), (expected.first().copied(), expected.last().copied()));
        for start in 0..=expected.len() {
            let from: Vec<Line<'_>> = lines.from(start).iter().collect();
            assert_eq!(from, expected[start..], "{text:?} from {start}");
            let behind: Vec<Line<'_>> = lines.from(1).behind(start as u32).iter().collect();
            assert_eq!(behind, expected[start.max(1).min(expected.len())..], "{text:?} behind {start}");
        }
    }

    #[test]
    fn lines_are_those_of_the_stream() {
        for text in ["", "\n", "a", "a\n", "a\n\nb", "\n\na\nb\n", "é\nü"] {
            check(text);
        }
    }

    #[test]
    fn places_that_are_not_there_are_empty() {
        let stream = Stream::plain("a\nb\n");
        let lines = stream.line_span();
        assert!(lines.part(5..9).is_empty() && lines.get(2).is_none());
        assert_eq!((lines.part(1..9).len(), lines.text(1), lines.text(2)), (1, "b", ""));
    }
}
