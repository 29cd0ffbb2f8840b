//! One block per test target: from `running N tests` to the `test result:` line whose numbers add up to N.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Cases, Reason, Tally};
use regex::Regex;

use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

use super::READER;

/// What a stream holds of cargo's and libtest's own lines.
pub(super) struct Found<'a> {
    pub(super) targets: Vec<Target<'a>>,
    /// `error: test failed, to rerun pass …`, or one line per target behind `error: 2 targets failed:`, whichever are more.
    pub(super) failed_targets: Vec<Line<'a>>,
    /// How many `Running` and `Doc-tests` lines cargo printed.
    pub(super) announced: usize,
    /// The last of them, where nothing follows it.
    pub(super) last_header: Option<Line<'a>>,
    /// Whether the build's last line is there.
    pub(super) build_finished: bool,
    /// `3 tests, 0 benchmarks`, `Executable unittests src/lib.rs (…)`.
    pub(super) listed: Option<Line<'a>>,
    /// First and last line of each target: what stands there was printed by tests.
    pub(super) inside: Vec<(u32, u32)>,
}

/// One run of one test program.
pub(super) struct Target<'a> {
    first: Line<'a>,
    last: u32,
    /// How many tests it announced; `None`: its beginning is not there.
    announced: Option<u64>,
    result: Option<(Line<'a>, Numbers)>,
    /// A result line whose numbers do not add up: a test printed it, or the program is no libtest.
    misfit: Option<Line<'a>>,
    failure: Option<Line<'a>>,
    in_failures: bool,
    /// By name; the number is that of the last mention, by which they are listed.
    cases: BTreeMap<String, (usize, Case)>,
    /// How often a test was mentioned.
    mentions: usize,
    /// The last test that was mentioned, to which goes the message that follows.
    mentioned: Option<String>,
}

/// The numbers of a `test result:` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    ok: bool,
    passed: u64,
    failed: u64,
    ignored: u64,
    measured: u64,
    filtered_out: u64,
}

static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored(?:; (\d+) measured)?(?:; (\d+) filtered out)?(?:; finished in [\d.]+m?s)?\s*$",
    )
    .expect("a fixed pattern")
});

impl Numbers {
    /// How many tests the line speaks of: those that the program announced.
    fn sum(&self) -> u64 {
        self.passed.saturating_add(self.failed).saturating_add(self.ignored).saturating_add(self.measured)
    }
}

fn numbers(text: &str) -> Option<Numbers> {
    if !text.starts_with("test result: ") {
        return None;
    }
    let captures = RESULT.captures(text)?;
    let number = |group: usize| captures.get(group).map_or(Some(0), |found| found.as_str().parse().ok());
    Some(Numbers {
        ok: &captures[1] == "ok",
        passed: number(2)?,
        failed: number(3)?,
        ignored: number(4)?,
        measured: number(5)?,
        filtered_out: number(6)?,
    })
}

/// `running 6 tests` → 6.
fn running(text: &str) -> Option<u64> {
    let (number, word) = text.strip_prefix("running ")?.trim_end().split_once(' ')?;
    matches!(word, "test" | "tests").then(|| number.parse().ok()).flatten()
}

/// Finds every target of a stream.
pub(super) fn find<'a>(stream: &'a Stream) -> Found<'a> {
    let mut found = Found {
        targets: Vec::new(),
        failed_targets: Vec::new(),
        announced: 0,
        last_header: None,
        build_finished: false,
        listed: None,
        inside: Vec::new(),
    };
    let mut walk = Walk { open: Vec::new(), done: Vec::new() };
    let mut listed_failed = Vec::new();
    let mut listing = false;
    for line in stream.lines() {
        if !line.text.trim().is_empty() {
            found.last_header = None;
        }
        if walk.passes_over(line) {
            listing = false;
            continue;
        }
        if let Some(announced) = running(line.text) {
            walk.begin(line, announced);
        } else if let Some(numbers) = numbers(line.text) {
            walk.result(line, numbers);
        } else if std::mem::take(&mut listing) && line.text.starts_with("    `") {
            listing = true;
            listed_failed.push(line);
        } else if lists_failed(line.text) {
            listing = true;
            walk.end_all();
        } else if found.cargo_line(line) {
            walk.end_all();
        } else if let Some(target) = walk.open.last_mut().filter(|target| target.result.is_none()) {
            target.line(line);
        }
    }
    walk.end_all();
    found.targets = walk.done;
    // With `--no-fail-fast` cargo says it behind every target and once more in the end.
    if listed_failed.len() > found.failed_targets.len() {
        found.failed_targets = listed_failed;
    }
    found.inside = found.targets.iter().map(|target| (target.first.number, target.last)).collect();
    found
}

/// The targets between two of cargo's own lines: with `-q` all of them, else more than one where a test prints what looks
/// like another beginning, or where a program left without a result.
struct Walk<'a> {
    open: Vec<Target<'a>>,
    done: Vec<Target<'a>>,
}

impl<'a> Walk<'a> {
    fn begin(&mut self, line: Line<'a>, announced: u64) {
        // What a failed test printed is shown again in its target's block.
        if !self.open.last().is_some_and(|target| target.in_failures && target.result.is_none()) {
            self.open.push(Target::new(line, Some(announced)));
        }
    }

    /// Whether this is the line of a test that passed, in a target that has shown no failure: most lines of a run are
    /// these, and nothing is taken from them.
    fn passes_over(&mut self, line: Line<'a>) -> bool {
        let Some(target) = self.open.last_mut() else { return false };
        let passed = line.text.starts_with("test ") && line.text.ends_with(" ... ok");
        if !passed || target.in_failures || target.result.is_some() {
            return false;
        }
        target.last = line.number;
        true
    }

    /// The result belongs to the innermost target that announced as many tests, also if a test printed one before.
    fn result(&mut self, line: Line<'a>, numbers: Numbers) {
        match self.open.iter().rposition(|target| target.fits(&numbers)) {
            Some(at) => {
                self.open.truncate(at + 1);
                self.open[at].result_line(line, numbers);
            }
            None => match self.open.last_mut() {
                Some(target) => target.misfit = Some(line),
                None => {
                    let mut target = Target::new(line, None);
                    target.result_line(line, numbers);
                    self.done.push(target);
                }
            },
        }
    }

    fn end_all(&mut self) {
        self.done.append(&mut self.open);
    }
}

impl<'a> Found<'a> {
    /// Takes a line of cargo's; says whether it ends the target before it.
    fn cargo_line(&mut self, line: Line<'a>) -> bool {
        let text = line.text;
        if text.starts_with("     Running ") && !text.starts_with("     Running [")
            || text.starts_with("   Doc-tests ")
        {
            self.announced += 1;
            self.last_header = Some(line);
            return true;
        }
        if text.starts_with("    Finished ") && text.contains(" target(s) in ") {
            self.build_finished = true;
        } else if text.starts_with("error: test failed")
            || text.starts_with("error: doctest failed")
            || text.starts_with("error: bench failed")
        {
            self.failed_targets.push(line);
            return true;
        } else if text.starts_with("  Executable ") || is_list_end(text) {
            self.listed = Some(line);
        }
        false
    }
}

/// `error: 2 targets failed:`; their names follow.
fn lists_failed(text: &str) -> bool {
    text.starts_with("error: ") && (text.ends_with(" target failed:") || text.ends_with(" targets failed:"))
}

/// `3 tests, 0 benchmarks`.
fn is_list_end(text: &str) -> bool {
    // Asked of every line: most begin with no digit.
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return false;
    }
    let Some((tests, benchmarks)) = text.split_once(", ") else { return false };
    let counts = |part: &str, words: [&str; 2]| {
        crate::numbers::number_and_word(part).is_some_and(|(_, word)| words.contains(&word))
    };
    counts(tests, ["test", "tests"]) && counts(benchmarks, ["benchmark", "benchmarks"])
}

impl<'a> Target<'a> {
    fn new(first: Line<'a>, announced: Option<u64>) -> Target<'a> {
        Target {
            first,
            last: first.number,
            announced,
            result: None,
            misfit: None,
            failure: None,
            in_failures: false,
            cases: BTreeMap::new(),
            mentions: 0,
            mentioned: None,
        }
    }

    /// The numbers add up, and a failure was shown before it is counted.
    fn fits(&self, numbers: &Numbers) -> bool {
        self.announced == Some(numbers.sum()) && (numbers.ok || self.in_failures)
    }

    /// The last line that adds up is the program's own: what its tests printed stands before it.
    fn result_line(&mut self, line: Line<'a>, numbers: Numbers) {
        self.last = line.number;
        self.result = Some((line, numbers));
    }

    fn line(&mut self, line: Line<'a>) {
        let text = line.text;
        self.last = line.number;
        if text == "failures:" {
            self.in_failures = true;
        } else if let Some(name) =
            text.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"))
        {
            self.case(name, CaseStatus::Failed);
        } else if self.in_failures
            && let Some((_, place)) = text.split_once(" panicked at ")
        {
            self.panicked(place);
        } else if let Some(rest) = text.strip_prefix("test ") {
            self.test_line(line, rest);
        } else if let Some(name) = text.strip_suffix(" --- FAILED") {
            self.failure.get_or_insert(line);
            self.case(name, CaseStatus::Failed);
        } else if self.in_failures {
            self.message(text);
        }
    }

    fn test_line(&mut self, line: Line<'a>, rest: &str) {
        let Some((name, end)) = rest.rsplit_once(" ... ") else { return };
        if end == "FAILED" || end.starts_with("FAILED ") {
            self.failure.get_or_insert(line);
            self.case(name, CaseStatus::Failed);
        } else if end == "ignored" || end.starts_with("ignored, ") {
            self.case(name, CaseStatus::Skipped);
        }
    }

    fn case(&mut self, name: &str, status: CaseStatus) {
        let name = name.strip_suffix(" - should panic").unwrap_or(name);
        self.mentions += 1;
        let case = || Case { name: name.to_owned(), file: None, status, message: None, file_level: false };
        self.cases.entry(name.to_owned()).or_insert_with(|| (0, case())).0 = self.mentions;
        self.mentioned = Some(name.to_owned());
    }

    /// The test of which the lines speak.
    fn current(&mut self) -> Option<&mut Case> {
        self.cases.get_mut(self.mentioned.as_ref()?).map(|(_, case)| case)
    }

    /// In the order of their last mention.
    fn named(cases: BTreeMap<String, (usize, Case)>) -> Cases {
        let mut cases: Vec<(usize, Case)> = cases.into_values().collect();
        cases.sort_unstable_by_key(|(mention, _)| *mention);
        cases.into_iter().map(|(_, case)| case).collect()
    }

    /// `src/lib.rs:13:24:` with the message on the next line; before 1.73 `'message', src/lib.rs:13:24`.
    fn panicked(&mut self, place: &str) {
        let Some(case) = self.current().filter(|case| case.file.is_none()) else { return };
        let (message, place) = match place.strip_prefix('\'').and_then(|rest| rest.rsplit_once("', ")) {
            Some((message, place)) => (Some(message.to_owned()), place),
            None => (None, place),
        };
        case.file = place.split_once(':').map(|(file, _)| file.to_owned());
        case.message = message;
    }

    /// The first line behind `panicked at`.
    fn message(&mut self, text: &str) {
        if let Some(case) = self.current()
            && case.file.is_some()
            && case.message.is_none()
            && !text.is_empty()
        {
            case.message = Some(text.to_owned());
        }
    }

    /// Whether its result is a failure.
    pub(super) fn failed(&self) -> bool {
        self.result.is_some_and(|(_, numbers)| !numbers.ok)
    }

    /// What the target says.
    pub(super) fn reading(self) -> Reading {
        let reading = match (self.result, self.failure.or(self.misfit)) {
            (Some((line, numbers)), _) => {
                let tally = Tally::of(numbers.passed, numbers.failed, numbers.ignored);
                let reading = Reading::from_tally(READER.id, tally, line.quote());
                if numbers.ok {
                    reading.filtered(numbers.filtered_out > 0)
                } else {
                    reading.saying(Said::Failed)
                }
            }
            (None, Some(line)) if self.failure.is_some() => {
                Reading::without_counts(READER.id, Said::Failed, line.quote())
            }
            (None, _) => {
                let said = Said::Unfinished(Reason::NoSummary);
                Reading::without_counts(READER.id, said, self.first.quote())
            }
        };
        reading.spanning(self.first.number, self.last).naming_all(Target::named(self.cases))
    }
}
