//! One run of Vitest's text reporters: from its header to the next one.

use kenshu_model::count::FileTally;
use kenshu_model::{Case, CaseStatus, Reason, Tally};

use super::ID;
use crate::numbers::number_and_word;
use crate::reading::{Reading, Said};
use crate::text::Line;

/// The lines of one run. Without a header: what stands before the first one.
pub(super) struct Region<'a> {
    pub(super) header: Option<Line<'a>>,
    pub(super) lines: &'a [Line<'a>],
}

/// `Test Files  1 failed | 1 passed (2)` or `Tests  …` taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    failed: u64,
    passed: u64,
    expected: u64,
    skipped: u64,
    todo: u64,
    total: u64,
}

/// A closing block: its lines as far as they are there.
#[derive(Clone, Copy)]
struct Closing<'a> {
    files: Option<(Line<'a>, State)>,
    tests: Option<(Line<'a>, State)>,
    errors: Option<(Line<'a>, u64)>,
    last: u32,
}

/// The runs in these lines.
pub(super) fn regions<'a>(lines: &'a [Line<'a>]) -> Vec<Region<'a>> {
    let headers: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| is_header(line.text)).map(|(index, _)| index).collect();
    let first = headers.first().copied().unwrap_or(lines.len());
    let mut regions = vec![Region { header: None, lines: &lines[..first] }];
    for (at, &start) in headers.iter().enumerate() {
        let end = headers.get(at + 1).copied().unwrap_or(lines.len());
        regions.push(Region { header: Some(lines[start]), lines: &lines[start..end] });
    }
    regions
}

/// ` RUN  v4.1.12 /project`; ` DEV ` in watch mode.
fn is_header(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix("RUN  v")
        .or_else(|| text.strip_prefix("DEV  v"))
        .is_some_and(|version| version.starts_with(|symbol: char| symbol.is_ascii_digit()))
}

impl<'a> Region<'a> {
    /// Number of its first line.
    pub(super) fn first(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.number)
    }

    /// What the region says. `None`: nothing of Vitest's text is in it.
    pub(super) fn read(&self, named: bool) -> Option<Reading> {
        let closings = closings(self.lines);
        let Some(closing) = closings.last() else { return self.without_closing() };
        if self.header.is_none() {
            let whole = closing.files.is_some() && closing.tests.is_some();
            if !whole && !named {
                return None;
            }
            if closings.len() > 1 {
                // Several runs, or one whose tests print such lines: the header that would tell them apart is cut off.
                return Some(several(&closings));
            }
        }
        let reading = self.closed(closing);
        Some(match self.header {
            Some(header) => reading.spanning(header.number, closing.last),
            None => reading,
        })
    }

    fn closed(&self, closing: &Closing<'a>) -> Reading {
        let mut failures = Failures::of(self.lines);
        let Some((tests_line, tests)) = closing.tests else {
            // Only the files' line is left.
            let (line, files) = closing.files.expect("a closing has one of the two lines");
            let said = if files.failed > 0 { Said::Failed } else { Said::Unfinished(Reason::OutputCut) };
            return Reading::without_counts(ID, said, line.quote());
        };
        if failures.tests() > tests.failed {
            // A test that was tried again has its heading once for each attempt.
            failures
                .cases
                .dedup_by(|later, earlier| (&later.name, &later.file) == (&earlier.name, &earlier.file));
        }
        let errors = closing.errors.map_or(0, |(_, count)| count);
        let load_errors = match closing.files {
            _ if failures.suite_files > 0 => Some(failures.suite_files + errors),
            Some((_, files)) if tests.failed == 0 => Some(files.failed + errors),
            Some((_, files)) if files.failed == 0 => Some(errors),
            // All of the run is there, and no suite among what failed.
            Some(_) if self.header.is_some() && failures.tests() == tests.failed => Some(errors),
            Some(_) | None => None,
        };
        let failed = tests.failed > 0 || load_errors.is_some_and(|count| count > 0);
        let counted = tests.failed + tests.passed + tests.expected + tests.skipped + tests.todo;
        let not_run = tests.total.saturating_sub(counted);
        let tally = Tally {
            passed: Some(tests.passed),
            failed: Some(tests.failed),
            // After a failure (`--bail`, a hook) the total also counts tests that never started.
            skipped: Some(tests.skipped + not_run),
            todo: Some(tests.todo),
            expected_failures: Some(tests.expected),
            load_errors,
            // The default reporter does not say which test needed a retry.
            flaky: None,
            ..Tally::ZERO
        };
        let mut reading = Reading::from_tally(ID, tally, tests_line.quote());
        let cancelled = self.lines.iter().any(|line| is_cancelling(line.text));
        if closing.files.is_none() && !failed {
            // A file that did not load stands in the other line alone.
            reading.said = Said::Unfinished(Reason::OutputCut);
        }
        if (not_run > 0 || cancelled) && !failed {
            let reason = if cancelled { Reason::Killed } else { Reason::NoSummary };
            reading = Reading::without_counts(ID, Said::Unfinished(reason), tests_line.quote());
        }
        if let Some((line, files)) = closing.files {
            reading = reading.quoting(line.quote());
            reading.files =
                Some(FileTally { passed: files.passed, failed: files.failed, total: files.total });
        }
        if let Some((line, _)) = closing.errors {
            reading = reading.quoting(line.quote());
        }
        reading.naming(failures.cases)
    }

    /// A header, or the lines of a run that ended otherwise.
    fn without_closing(&self) -> Option<Reading> {
        if let Some(line) = self.lines.iter().rfind(|line| is_no_files(line.text)) {
            // A path that was asked for and matches no file is listed; a name is not.
            let filtered = self.lines.iter().any(|line| line.text.trim_start().starts_with("filter: "));
            let reason = if filtered { Reason::FilterMatchedNothing } else { Reason::NoTestFiles };
            let reading = Reading::without_counts(ID, Said::NothingRan(reason), line.quote());
            return Some(reading.spanning(self.first(), line.number));
        }
        let header = self.header?;
        let last = self.lines.last().map_or(header.number, |line| line.number);
        if let Some(line) =
            self.lines.iter().rfind(|line| line.text.trim_start().starts_with("BENCH  Summary"))
        {
            // Benchmarks were measured; no test is among them.
            let reading = Reading::without_counts(ID, Said::NothingRan(Reason::ZeroTests), line.quote());
            return Some(reading.spanning(header.number, last));
        }
        let failures = Failures::of(self.lines);
        let failing =
            failures.first.or_else(|| self.lines.iter().copied().find(|line| is_failed_file(line.text)));
        if let Some(line) = failing {
            let reading = Reading::without_counts(ID, Said::Failed, line.quote()).naming(failures.cases);
            return Some(reading.spanning(header.number, line.number));
        }
        let killed = self.lines.iter().any(|line| is_cancelling(line.text) || is_live_frame(line.text));
        let reason = if killed { Reason::Killed } else { Reason::NoSummary };
        Some(Reading::without_counts(ID, Said::Unfinished(reason), header.quote()))
    }
}

/// Several closing blocks without a header: a failure among them is one; a pass can't be told from a printed line.
fn several(closings: &[Closing<'_>]) -> Reading {
    let line = |closing: &Closing<'_>| closing.tests.or(closing.files).map(|(line, _)| line.quote());
    let bad = closings.iter().find(|closing| {
        let failed = |state: Option<(Line<'_>, State)>| state.is_some_and(|(_, state)| state.failed > 0);
        failed(closing.tests) || failed(closing.files) || closing.errors.is_some()
    });
    let said = if bad.is_some() { Said::Failed } else { Said::Unfinished(Reason::OutputCut) };
    let quotes: Vec<_> = bad.into_iter().chain(closings).filter_map(line).collect();
    let mut reading = Reading::without_counts(ID, said, quotes[0].clone());
    for quote in quotes {
        reading = reading.quoting(quote);
    }
    reading
}

/// Every closing block. In the last state of the live display one blank stands where the closing block has two.
fn closings<'a>(lines: &[Line<'a>]) -> Vec<Closing<'a>> {
    let mut closings: Vec<Closing<'a>> = Vec::new();
    for line in lines {
        let text = line.text.trim();
        let open = closings.last_mut().filter(|closing| line.number <= closing.last + 3);
        if let Some(state) = text.strip_prefix("Test Files  ").and_then(state) {
            closings.push(Closing {
                files: Some((*line, state)),
                tests: None,
                errors: None,
                last: line.number,
            });
        } else if let Some(state) = text.strip_prefix("Tests  ").and_then(state) {
            match open.filter(|closing| closing.tests.is_none()) {
                Some(closing) => (closing.tests, closing.last) = (Some((*line, state)), line.number),
                None => closings.push(Closing {
                    files: None,
                    tests: Some((*line, state)),
                    errors: None,
                    last: line.number,
                }),
            }
        } else if let Some(closing) = open {
            if let Some((count, "error" | "errors")) = text.strip_prefix("Errors  ").and_then(number_and_word)
            {
                closing.errors = Some((*line, count));
                closing.last = line.number;
            } else if ["Type Errors  ", "Leaks  ", "Start at  ", "Duration  "]
                .iter()
                .any(|title| text.starts_with(title))
            {
                closing.last = line.number;
            }
        }
    }
    closings
}

/// `2 failed | 4 passed | 1 expected fail | 1 skipped | 1 todo (9)` or `no tests`. `None`: a word we don't know.
fn state(text: &str) -> Option<State> {
    if text == "no tests" {
        return Some(State::default());
    }
    let (parts, total) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let mut state = State { total: total.parse().ok()?, ..State::default() };
    for part in parts.split(" | ") {
        let (number, word) = number_and_word(part)?;
        *match word {
            "failed" => &mut state.failed,
            "passed" => &mut state.passed,
            "expected fail" => &mut state.expected,
            "skipped" => &mut state.skipped,
            "todo" => &mut state.todo,
            _ => return None,
        } = number;
    }
    Some(state)
}

fn is_no_files(text: &str) -> bool {
    let text = text.trim();
    ["No test files found, exiting with code ", "No benchmark files found, exiting with code "]
        .iter()
        .any(|start| text.starts_with(start))
}

fn is_cancelling(text: &str) -> bool {
    text.starts_with("Cancelling test run. Press CTRL+c again") || text.trim() == "^C"
}

/// ` Test Files 1 passed (3)`: the display of a run that was stopped while it drew.
fn is_live_frame(text: &str) -> bool {
    text.trim_start()
        .strip_prefix("Test Files ")
        .is_some_and(|rest| !rest.starts_with(' ') && state(rest).is_some())
}

/// ` ❯ a.test.js (7 tests | 2 failed | 1 skipped) 12ms`.
fn is_failed_file(text: &str) -> bool {
    text.strip_prefix(" ❯ ").and_then(|rest| rest.rsplit_once(" (")).is_some_and(|(_, counts)| {
        let mut parts = counts.split(')').next().unwrap_or_default().split(" | ");
        let tests = parts.next().and_then(number_and_word);
        matches!(tests, Some((_, "test" | "tests")))
            && parts.filter_map(number_and_word).any(|(count, word)| count > 0 && word == "failed")
    })
}

/// What stands under `Failed Suites` and `Failed Tests`.
#[derive(Default)]
struct Failures<'a> {
    suites_seen: bool,
    tests_seen: bool,
    /// How many files have a suite that failed outside its tests.
    suite_files: u64,
    first: Option<Line<'a>>,
    cases: Vec<Case>,
}

impl<'a> Failures<'a> {
    /// How many failed tests are told.
    fn tests(&self) -> u64 {
        u64::try_from(self.cases.len()).unwrap_or(u64::MAX)
    }

    fn of(lines: &[Line<'a>]) -> Failures<'a> {
        let mut failures = Failures::default();
        let mut files = std::collections::BTreeSet::new();
        let mut unexplained = 0;
        for line in lines {
            let text = line.text;
            if text.starts_with('⎯') {
                failures.suites_seen |= text.contains(" Failed Suites ");
                failures.tests_seen |= text.contains(" Failed Tests ");
                unexplained = failures.cases.len();
                continue;
            }
            let in_block = failures.suites_seen || failures.tests_seen;
            if let Some(entry) = text.strip_prefix(" FAIL ").filter(|_| in_block) {
                failures.first.get_or_insert(*line);
                let entry = without_project(entry.trim());
                let (file, name) = entry.split_once(" > ").unwrap_or((entry, ""));
                let file = file.split_once(" [ ").map_or(file, |(file, _)| file);
                let file = without_place(file);
                if failures.tests_seen {
                    failures.cases.push(Case {
                        name: name.to_owned(),
                        file: Some(file.to_owned()),
                        status: CaseStatus::Failed,
                        message: None,
                        file_level: false,
                    });
                } else if files.insert(file.to_owned()) {
                    failures.suite_files += 1;
                }
            } else if failures.tests_seen && unexplained < failures.cases.len() && !text.is_empty() {
                // Tests that failed in the same way stand together above the one message.
                for case in &mut failures.cases[unexplained..] {
                    case.message = Some(text.to_owned());
                }
                unexplained = failures.cases.len();
            }
        }
        failures
    }
}

/// `|unit| a.test.js > x` → `a.test.js > x`.
fn without_project(entry: &str) -> &str {
    entry
        .strip_prefix('|')
        .and_then(|rest| rest.split_once("| "))
        .map_or(entry, |(_, rest)| rest.trim_start())
}

/// `a.test.js:3:1` → `a.test.js`.
fn without_place(file: &str) -> &str {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = file.rsplitn(3, ':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(column), Some(line), Some(path)) if digits(column) && digits(line) => path,
        _ => file,
    }
}
