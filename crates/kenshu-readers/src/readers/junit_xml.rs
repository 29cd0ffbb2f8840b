//! JUnit XML of every writer: counted are the cases, never the attributes that announce them.

mod document;
mod verdict;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};

use self::document::{Document, Suite};
use self::verdict::Verdict;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = "junit-xml";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "JUnit XML",
    versions: "Surefire 3, Gradle 8, pytest 4–9, node 20–24, bun, deno, nextest, GoogleTest, CTest, PHPUnit 10–12, jest-junit, \
               mocha-junit-reporter, Vitest 0.34–4, Playwright 1.30–1.65, go-junit-report, gotestsum, Robot, Behave, Ant",
    formats: "JUnit XML",
    zero: "a document without a <testcase>; the status is the runner's",
    samples: Samples::Recorded,
    specificity: Specificity::Format,
    needles: &["<testsuite", "<testrun"],
    commands: &[],
    list_options: &[],
    covers: &[],
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
        from = start + 1;
        let Some(document) = document::parse(body, start) else { continue };
        from = document.end.max(from);
        // Another format that begins alike: check's own report has `<test>` in `<suite>`.
        if document.foreign && document.cases.is_empty() {
            continue;
        }
        readings.push(reading(&document, body, &mut lines));
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
    stream: &'a Stream,
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

/// Sums per suite, its nested suites included.
#[derive(Clone, Copy, Default)]
struct Sum {
    cases: u64,
    not_run: u64,
    bad: u64,
}

fn reading(document: &Document, body: &str, lines: &mut LineNumbers<'_>) -> Reading {
    let mut tally = Tally::ZERO;
    let mut sums = vec![Sum::default(); document.suites.len()];
    let mut cases = Vec::with_capacity(document.cases.len());
    let mut marked = Vec::new();
    for case in &document.cases {
        let suites = &document.suites;
        let verdict = verdict::of(case, &suites[case.suite]);
        let file_level = verdict::is_file_level(case);
        count(&mut tally, verdict, file_level);
        let sum = &mut sums[case.suite];
        sum.cases += 1;
        sum.not_run += u64::from(matches!(verdict, Verdict::Skipped | Verdict::Todo));
        sum.bad += u64::from(verdict.is_bad());
        if verdict.is_bad() {
            marked.push(case.tag);
        }
        cases.push(Case {
            name: verdict::full_name(case, suites),
            file: verdict::file(case, suites),
            status: verdict.status(),
            message: case
                .failure
                .as_ref()
                .or(case.error.as_ref())
                .and_then(|problem| problem.message.clone()),
            file_level,
        });
    }
    let unlisted: u64 = document.suites.iter().zip(&sums).map(|(suite, sum)| unlisted(suite, sum)).sum();
    tally.skipped = tally.skipped.map(|count| count + unlisted);
    let suite_problems = u64::try_from(document.suite_problems.len()).unwrap_or(u64::MAX);
    tally.load_errors = tally.load_errors.map(|count| count + suite_problems);
    add_up(&document.suites, &mut sums);
    let mut quotes = vec![document.suites[0].tag];
    quotes.extend(document.suites.get(1).map(|suite| suite.tag));
    quotes.extend(marked.into_iter().take(QUOTES_MAX));
    let contradicting: Vec<&Suite> = document
        .suites
        .iter()
        .zip(&sums)
        .filter(|(suite, sum)| contradicts(suite, sum))
        .map(|(suite, _)| suite)
        .collect();
    quotes.extend(contradicting.iter().take(QUOTES_MAX).map(|suite| suite.tag));
    quotes.sort_unstable();
    quotes.dedup();

    let first = lines.number(body, document.suites[0].tag.0);
    let quotes: Vec<Quote> = quotes.into_iter().map(|tag| lines.quote(body, tag)).collect();
    let last = lines.number(body, document.end.saturating_sub(1));
    let announced_bad = document.suites.iter().any(|suite| announced_bad(suite) > 0);
    let announced_cases = document.suites.iter().any(|suite| suite.tests.is_some_and(|tests| tests > 0));
    let said = said(document, &tally, announced_bad, announced_cases);
    if verdict::is_meson(document, body) {
        (tally.passed, tally.expected_failures) = (None, None);
    }
    if !document.complete {
        tally = known_of_a_part(&tally);
    } else if matches!(said, Said::Unfinished(_)) {
        tally = Tally::UNKNOWN;
    }
    Reading {
        runner: ID,
        said,
        tally,
        files: None,
        cases,
        quotes,
        lines: (first, last),
        needs_every_line: true,
    }
}

fn said(document: &Document, tally: &Tally, announced_bad: bool, announced_cases: bool) -> Said {
    if tally.has_failure() {
        return Said::Failed;
    }
    if !document.complete {
        return Said::Unfinished(Reason::ReportUnfinished);
    }
    // Failures are announced and no case shows one, or cases are announced and there is none: whoever is right, it is
    // no pass and no proof of a failure.
    if announced_bad {
        return Said::Unfinished(Reason::Ambiguous);
    }
    if announced_cases && document.cases.is_empty() {
        return Said::Unfinished(Reason::PlanMismatch);
    }
    Said::of(tally)
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

fn count(tally: &mut Tally, verdict: Verdict, file_level: bool) {
    let add = |count: &mut Option<u64>| *count = count.map(|count| count + 1);
    match verdict {
        Verdict::Passed | Verdict::Flaky => {
            add(&mut tally.passed);
            if verdict == Verdict::Flaky {
                add(&mut tally.flaky);
            }
            if file_level {
                add(&mut tally.file_level);
            }
        }
        Verdict::Failed => add(&mut tally.failed),
        Verdict::Errored => add(&mut tally.errored),
        Verdict::NotLoaded => add(&mut tally.load_errors),
        Verdict::Skipped => add(&mut tally.skipped),
        Verdict::Todo => add(&mut tally.todo),
        Verdict::ExpectedFailure => add(&mut tally.expected_failures),
    }
}

/// Adds each suite's sums to its parent's. A suite stands behind its parent, so one walk from the end is enough.
fn add_up(suites: &[Suite], sums: &mut [Sum]) {
    for index in (0..suites.len()).rev() {
        if let Some(parent) = suites[index].parent {
            let own = sums[index];
            let sum = &mut sums[parent];
            sum.cases += own.cases;
            sum.not_run += own.not_run;
            sum.bad += own.bad;
        }
    }
}

/// Skipped tests that a suite announces and has no case for: libtest writes no `<testcase>` for an ignored test.
fn unlisted(suite: &Suite, sum: &Sum) -> u64 {
    let missing = suite.tests.unwrap_or_default().saturating_sub(sum.cases);
    let skipped = suite.skipped.unwrap_or_default().saturating_sub(sum.not_run);
    if !suite.has_suites && sum.cases > 0 && missing == skipped { missing } else { 0 }
}

fn announced_bad(suite: &Suite) -> u64 {
    suite.failures.unwrap_or_default().saturating_add(suite.errors.unwrap_or_default())
}

/// Whether a suite's attributes say something else than its cases. Old pytest leaves skipped cases out of `tests`.
fn contradicts(suite: &Suite, sum: &Sum) -> bool {
    let tests = suite.tests.is_some_and(|tests| tests != sum.cases && tests != sum.cases - sum.not_run);
    let bad = (suite.failures.is_some() || suite.errors.is_some()) && announced_bad(suite) != sum.bad;
    tests || bad
}

impl Verdict {
    fn status(self) -> CaseStatus {
        match self {
            Verdict::Passed | Verdict::Flaky => CaseStatus::Passed,
            Verdict::Failed | Verdict::Errored | Verdict::NotLoaded => CaseStatus::Failed,
            Verdict::Skipped => CaseStatus::Skipped,
            Verdict::Todo => CaseStatus::Todo,
            Verdict::ExpectedFailure => CaseStatus::ExpectedFailure,
        }
    }
}
