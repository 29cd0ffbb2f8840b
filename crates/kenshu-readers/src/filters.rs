//! What the line filters of a command line (`grep`, `head`, `tail` …) surely keep of an output.
//!
//! A number that is a sum over lines is whole behind a filter only if every line of that shape passes through it,
//! whatever the names and numbers in the line are. So a pattern is tried on the fixed words of the shape alone.

mod pattern;

use crate::command::Invocation;
use crate::reader::Hint;
use crate::readers::takes_lines_away;
use crate::text::Stream;

/// The fixed words of a kind of line.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What every such line begins with.
    pub start: &'static str,
    /// What every such line also holds.
    pub inside: &'static [&'static str],
}

impl Shape {
    /// Lines that begin with `start`.
    pub const fn starting(start: &'static str) -> Shape {
        Shape { start, inside: &[] }
    }
}

/// The filters of a command line that took lines away, or may have.
#[derive(Clone, Debug, Default)]
pub struct Filters<'a> {
    filters: Vec<&'a Invocation>,
}

impl<'a> Filters<'a> {
    /// Those through which `stream` went, without a `head` or `tail` in the end that had nothing to take away.
    pub fn of(hint: Hint<'a>, stream: &Stream<'_>) -> Filters<'a> {
        let mut filters: Vec<&Invocation> =
            hint.invocations.iter().filter(|invocation| takes_lines_away(invocation)).collect();
        // What stands behind one may have taken away what it left: then its limit tells nothing.
        while filters.last().is_some_and(|filter| has_room(stream, filter)) {
            filters.pop();
        }
        Filters { filters }
    }

    /// All of the command line's.
    pub fn of_command(hint: Hint<'a>) -> Filters<'a> {
        Filters {
            filters: hint.invocations.iter().filter(|invocation| takes_lines_away(invocation)).collect(),
        }
    }

    /// Whether no line was taken away.
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty()
    }

    /// Whether nothing but `tail` takes lines away: from some line on everything is there.
    pub fn only_tail(&self) -> bool {
        self.filters.iter().all(|filter| is_tail(filter))
    }

    /// Whether lines may be missing in front of those that are left.
    pub fn cut_before(&self) -> bool {
        self.filters.iter().any(|filter| filter.program != "head")
    }

    /// Whether every line of this shape is still there.
    pub fn keep(&self, shape: &Shape) -> bool {
        self.filters.iter().all(|filter| pattern::keeps(filter, shape))
    }

    /// Whether, between two lines that are there, every line of this shape is.
    pub fn keep_between(&self, shape: &Shape) -> bool {
        let by_place = |filter: &Invocation| matches!(filter.program.as_str(), "head" | "tail");
        self.filters.iter().all(|filter| by_place(filter) || pattern::keeps(filter, shape))
    }

    /// Whether, from some line on, every line of this shape is still there.
    pub fn keep_from_some_line(&self, shape: &Shape) -> bool {
        self.filters.iter().all(|filter| is_tail(filter) || pattern::keeps(filter, shape))
    }
}

/// A `tail` that counts from the end and does not count bytes.
fn is_tail(filter: &Invocation) -> bool {
    filter.program == "tail" && limit(filter).is_some()
}

/// Whether a `head` or `tail` would have let more lines through than there are.
fn has_room(stream: &Stream<'_>, filter: &Invocation) -> bool {
    if !matches!(filter.program.as_str(), "head" | "tail") {
        return false;
    }
    let lines = stream.extent().map_or(0, |(_, last)| last as usize).max(stream.lines().count());
    limit(filter).is_some_and(|limit| lines < limit)
}

/// How many lines a `head` or `tail` lets through; `None` where it counts otherwise.
fn limit(filter: &Invocation) -> Option<usize> {
    let mut limit = 10;
    let mut words = filter.arguments.iter();
    while let Some(word) = words.next() {
        let number = match word.as_str() {
            "-n" | "--lines" => words.next()?.as_str(),
            "-q" | "-v" | "--quiet" | "--silent" | "--verbose" | "-f" | "-F" | "--follow" => continue,
            _ => match word.strip_prefix("--lines=").or(word.strip_prefix("-n")).or(word.strip_prefix('-')) {
                Some(number) => number,
                // A file's name, or `+5` of old.
                None if word.starts_with('+') => return None,
                None => continue,
            },
        };
        // `tail -n -5` is `tail -n 5`; `head -n -5` leaves out the last five.
        let number = if filter.program == "tail" { number.trim_start_matches('-') } else { number };
        limit = number.parse().ok().filter(|_| !number.starts_with('+'))?;
    }
    Some(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::CommandLine;

    const PASS: Shape = Shape::starting("--- PASS: ");

    #[track_caller]
    fn check(command: &str, lines: usize, is_empty: bool, only_tail: bool, keeps: bool) {
        let line = CommandLine::parse(command);
        let stream = Stream::plain("x\n".repeat(lines));
        let hint = Hint { named: true, invocations: &line.invocations };
        let filters = Filters::of(hint, &stream);
        let actual = (filters.is_empty(), filters.only_tail(), filters.keep(&PASS));
        assert_eq!(actual, (is_empty, only_tail, keeps), "{command}, {lines} lines");
    }

    #[test]
    fn a_limit_that_was_not_reached_took_nothing_away() {
        check("go test -v | tail -20", 19, true, true, true);
        check("go test -v | tail -n20", 20, false, true, false);
        check("go test -v | tail", 9, true, true, true);
        check("go test -v | head --lines=20", 19, true, true, true);
        check("go test -v | head -n -20", 3, false, false, false);
        check("go test -v | tail -n +20", 3, false, false, false);
        check("go test -v | tail -c 20", 3, false, false, false);
    }

    #[test]
    fn a_limit_in_front_of_another_filter_tells_nothing() {
        check("go test -v | tail -20 | grep PASS", 3, false, false, false);
        check("go test -v | grep -e '--- PASS' | tail -20", 3, false, false, true);
        check("go test -v | grep -e '--- PASS' | tail -20", 30, false, false, false);
    }
}
