//! JUnit XML of every writer: counted are the cases, never the attributes that announce them.

mod count;
mod document;
mod verdict;

use kenshu_model::{Quote, Reason, Tally};

use self::count::Counted;
use self::document::Document;
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = "junit-xml";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "JUnit XML",
    versions: "as written by pytest 5 and 9, Node 20 and 22, jest-junit 17, Mocha 10 and 12, Vitest 0.34 to 4.1, Playwright 1.30 to 1.65, Bun, Deno, cargo-nextest, CTest 3.25, GoogleTest 1.12, PHPUnit 9.6, Meson, Behave, Robot Framework 7.5 and others",
    formats: "JUnit XML",
    zero: "a document without a <testcase>; the status is the runner's",
    samples: Samples::Recorded,
    specificity: Specificity::Report,
    needles: &["<testsuite", "<testrun"],
    commands: &[],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

/// Quotes of single cases and suites that one document gives: enough to check it by hand.
const QUOTES_MAX: usize = 12;

fn read(stream: &Stream, _hint: Hint<'_>) -> Vec<Reading> {
    let body = stream.body();
    let mut lines = LineNumbers { stream, position: 0, index: 0 };
    let mut readings = Vec::new();
    let mut from = 0;
    while let Some(start) = next_root(body, from) {
        let (document, counted) = match count::count(body, start) {
            Ok(read) => read,
            Err(end) => {
                from = end.max(start + 1);
                continue;
            }
        };
        from = document.end.max(start + 1);
        // Another format that begins alike: check's own report has `<test>` in `<suite>`.
        if document.foreign && counted.listed == 0 {
            continue;
        }
        readings.push(reading(&document, counted, body, &mut lines));
    }
    readings
}

/// Where the next `<testsuite…>` or `<testrun…>` stands that begins a line, a declaration before it allowed.
fn next_root(body: &str, mut from: usize) -> Option<usize> {
    loop {
        let rest = &body.as_bytes()[from..];
        let suite = memchr::memmem::find(rest, b"<testsuite");
        let run = memchr::memmem::find(&rest[..suite.unwrap_or(rest.len())], b"<testrun");
        let at = from + run.or(suite)?;
        let line_start = memchr::memrchr(b'\n', &body.as_bytes()[..at]).map_or(0, |end| end + 1);
        let before =
            body[line_start..at].trim_matches(|symbol: char| symbol.is_whitespace() || symbol == '\u{feff}');
        let declared = (before.starts_with("<?") || before.starts_with("<!")) && before.ends_with('>');
        if before.is_empty() || declared {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Offsets → line numbers, forwards only.
struct LineNumbers<'a> {
    stream: &'a Stream<'a>,
    position: usize,
    index: usize,
}

impl LineNumbers<'_> {
    /// A quote of the tag at `tag` as it is written; its first line where it has several.
    fn quote(&mut self, body: &str, tag: (usize, usize)) -> Quote {
        let text = body[tag.0..tag.1].trim_start();
        let start = tag.1 - text.len();
        Quote::new(self.number(body, start), text.lines().next().unwrap_or_default())
    }

    fn number(&mut self, body: &str, position: usize) -> u32 {
        if position < self.position {
            (self.position, self.index) = (0, 0);
        }
        let passed = &body.as_bytes()[self.position..position.min(body.len())];
        self.index += memchr::memchr_iter(b'\n', passed).count();
        self.position = position.min(body.len());
        self.stream.number(self.index)
    }
}

fn reading(document: &Document, counted: Counted, body: &str, lines: &mut LineNumbers<'_>) -> Reading {
    let mut tags = vec![document.root];
    tags.extend(document.first_suite);
    tags.extend(counted.bad.iter().chain(&counted.contradicting).take(QUOTES_MAX));
    tags.sort_unstable();
    tags.dedup();
    let first = lines.number(body, document.root.0);
    let quotes: Vec<Quote> = tags.into_iter().map(|tag| lines.quote(body, tag)).collect();
    let last = lines.number(body, document.end.saturating_sub(1));
    let said = said(document, &counted);
    let mut tally = counted.tally;
    if !document.complete {
        tally = known_of_a_part(&tally);
    } else if counted.listed == 0 && matches!(said, Said::Unfinished(_)) {
        tally = Tally::UNKNOWN;
    } else if matches!(said, Said::Unfinished(_)) {
        // The cases are counted; how many failed is just what the report contradicts itself about.
        (tally.failed, tally.errored) = (None, None);
    } else if counted.classes_are_suites && verdict::is_meson(document, body) {
        (tally.passed, tally.expected_failures) = (None, None);
    }
    Reading {
        runner: ID,
        said,
        tally,
        files: None,
        cases: counted.cases,
        quotes,
        lines: (first, last),
        needs_every_line: true,
        remark: (!counted.contradicting.is_empty()).then_some(Reason::PlanMismatch),
    }
}

fn said(document: &Document, counted: &Counted) -> Said {
    if counted.tally.has_failure() {
        return Said::Failed;
    }
    if !document.complete {
        return Said::Unfinished(Reason::ReportUnfinished);
    }
    // Failures are announced and no case shows one, or cases are announced and there is none: whoever is right, it is
    // no pass and no proof of a failure.
    if counted.announces_failures {
        return Said::Unfinished(Reason::PlanMismatch);
    }
    if counted.announces_cases && counted.listed == 0 {
        return Said::Unfinished(Reason::PlanMismatch);
    }
    Said::of(&counted.tally)
}

/// Of a document that was broken off only the existence of a failure is known.
fn known_of_a_part(tally: &Tally) -> Tally {
    let at_least = |count: Option<u64>| count.filter(|count| *count > 0);
    Tally {
        failed: at_least(tally.failed),
        errored: at_least(tally.errored),
        load_errors: at_least(tally.load_errors),
        ..Tally::UNKNOWN
    }
}

#[cfg(test)]
mod tests;
