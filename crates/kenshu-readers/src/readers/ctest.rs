//! CTest, CMake's runner: one entry is one test program (or one discovered test of it).
//!
//! `100% tests passed, 0 tests failed out of 3` counts skipped tests among the passed ones and leaves disabled ones out,
//! so what was skipped is taken from the list below it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod closing;
mod junit;

use closing::{Closing, Listed};

pub(super) const READER: Reader = Reader {
    id: "ctest",
    name: "CTest",
    versions: "3.16, 3.25, 4.4",
    formats: "text, JUnit XML",
    zero: "`No tests were found!!!`, status 0; 8 with `--no-tests=error`",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "% tests passed",
        "Test project ",
        "Total Test time (real) =",
        "Errors while running CTest",
        "No tests were found!!!",
        "No test configuration file found!",
        "Failed to change working directory to ",
        "ctestInfo",
        "classname=",
    ],
    commands: &[&["ctest"], &["cmake", "--build", "test"], &["cmake", "--build", "RUN_TESTS"]],
    list_options: &["-N", "--show-only"],
    covers: COVERS,
    marks: Marks::NONE,
    read,
};

/// CTest counts a program as one test, whatever runner that program is.
const COVERS: &[&str] = &[
    "bats",
    "bun-test",
    "cargo-nextest",
    "cargo-test",
    "ctrf",
    "deno-test",
    "dotnet-test",
    "go-test",
    "googletest",
    "gotestsum",
    "gradle",
    "jest",
    "junit-xml",
    "minitest",
    "mocha",
    "node-test",
    "phpunit",
    "playwright",
    "prove",
    "pytest",
    "rspec",
    "surefire",
    "tap",
    "unittest",
    "vitest",
];

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = junit::readings(stream);
    readings.extend(list(stream));
    let runs = runs(stream);
    if runs.is_empty() {
        readings.extend(could_not_run(stream, hint).or_else(|| remainder(stream)));
    }
    readings.extend(runs.iter().map(|run| run.reading(hint)));
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let several = stream.lines().filter(|line| line.text.contains("% tests passed")).count() > 1;
    let headless = runs.iter().any(|run| run.header.is_none() && !run.closings.is_empty());
    if (runs.len() > 1 && headless) || (several && cut) {
        // Without its header nothing tells whether a run is inside another: nothing can be added up.
        readings.iter_mut().for_each(withdraw_numbers);
    }
    readings
}

fn withdraw_numbers(reading: &mut Reading) {
    reading.tally = Tally::UNKNOWN;
    if reading.said == Said::Passed {
        reading.said = Said::Unfinished(Reason::OutputCut);
    }
}

/// One run: from its header, where that is left, to its last line.
#[derive(Default)]
struct Run<'a> {
    header: Option<Line<'a>>,
    /// Closing statements in order; the last one is the run's own.
    closings: Vec<Closing<'a>>,
    /// How each test ended, by its number: every attempt in order.
    attempts: BTreeMap<u64, Vec<Attempt>>,
    /// Lines of tests that failed.
    failing: Vec<Line<'a>>,
    /// `No tests were found!!!`.
    nothing: Option<Line<'a>>,
    /// `Total Tests: 3` of `-N`.
    listed: Option<Line<'a>>,
    /// Number of the first test's line.
    first: u32,
    last: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Passed,
    Failed,
    DidNotRun,
}

/// Runs that are not inside another run's output.
///
/// A failing test's own output is shown as it is with `--output-on-failure`; it may be a whole run of CTest. So headers
/// and closings are matched like brackets. What is closed twice keeps the later statement.
fn runs<'a>(stream: &'a Stream) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut depth = 0usize;
    let mut lines = stream.lines();
    while let Some(line) = lines.next() {
        let text = line.text;
        if text.starts_with("Test project ") {
            if depth == 0 {
                runs.push(Run { header: Some(line), ..Run::default() });
            }
            depth += 1;
        } else if let Some(closing) = Closing::read(line, &mut lines) {
            let closes = !closing.is_list_only();
            place(&mut runs, closing, depth);
            depth = depth.saturating_sub(usize::from(closes));
        } else if text == "No tests were found!!!" {
            match runs.last_mut().filter(|run| run.closings.is_empty()) {
                Some(run) => run.nothing = Some(line),
                None => runs.push(Run { nothing: Some(line), ..Run::default() }),
            }
            depth = depth.saturating_sub(1);
        } else if text.starts_with("Total Tests: ") {
            if let Some(run) = runs.last_mut().filter(|_| depth == 1) {
                run.listed = Some(line);
                depth = 0;
            }
        } else if depth <= 1
            && (text.starts_with(' ') || text.starts_with(|first: char| first.is_ascii_digit()))
        {
            note_attempt(&mut runs, line, depth);
        }
        if let Some(run) = runs.last_mut() {
            run.last = line.number.max(run.last);
        }
    }
    // stderr may come before the header of the same run.
    if let [first, second] = &mut runs[..]
        && first.header.is_none()
        && first.closings.is_empty()
        && second.closings.is_empty()
        && second.nothing.is_none()
        && second.listed.is_none()
        && second.attempts.is_empty()
    {
        second.nothing = first.nothing;
        runs.remove(0);
    }
    runs
}

fn place<'a>(runs: &mut Vec<Run<'a>>, closing: Closing<'a>, depth: usize) {
    // Deeper ones are of a run inside a test's output.
    if depth > 1 {
        return;
    }
    let is_list_only = closing.is_list_only();
    let corrects = closing.failed != Some(0);
    match runs.last_mut() {
        Some(run) if is_list_only && !run.closings.is_empty() => {
            let earlier = run.closings.pop();
            run.closings.extend(closing.joined_to(earlier));
        }
        Some(run) if run.header.is_some() && (depth == 1 || corrects) => run.closings.push(closing),
        Some(run) if run.header.is_none() && run.closings.is_empty() && run.nothing.is_none() => {
            run.closings.push(closing);
        }
        Some(_) | None => runs.push(Run { closings: vec![closing], ..Run::default() }),
    }
}

fn note_attempt<'a>(runs: &mut Vec<Run<'a>>, line: Line<'a>, depth: usize) {
    static TEST: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"^ *(?:\d+/\d+ +)?Test +#(\d+): .+? \.{3,}[\w ]*(?:   (Passed)  |\*\*\*(Skipped|Not Run \(Disabled\)|Failed|Timeout|Not Run|Exception))";
        Regex::new(pattern).expect("pattern of a test's line")
    });
    if !line.text.contains("Test ") {
        return;
    }
    let Some(captures) = TEST.captures(line.text) else { return };
    if depth == 0 {
        // Behind the closing of a run without a header nothing is known to belong to it.
        if runs.last().is_some_and(|run| run.header.is_none() && !run.closings.is_empty()) {
            return;
        }
        if runs.is_empty() {
            runs.push(Run::default());
        }
    }
    let Some(run) = runs.last_mut() else { return };
    let attempt = match captures.get(3).map(|word| word.as_str()) {
        None => Attempt::Passed,
        Some("Skipped" | "Not Run (Disabled)") => Attempt::DidNotRun,
        Some(_) => Attempt::Failed,
    };
    if run.first == 0 {
        run.first = line.number;
    }
    if attempt == Attempt::Failed {
        run.failing.push(line);
    }
    if let Ok(id) = captures[1].parse() {
        run.attempts.entry(id).or_default().push(attempt);
    }
}

impl<'a> Run<'a> {
    fn reading(&self, hint: Hint<'_>) -> Reading {
        // A statement that all passed, below a test that failed, was printed by that test.
        let failed = self.attempts.values().any(|attempts| attempts.last() == Some(&Attempt::Failed));
        let closing = self.closings.last().filter(|closing| !failed || closing.failed != Some(0));
        let reading = match (closing, self.nothing, self.listed) {
            (Some(closing), _, _) => self.closed(closing, hint),
            (None, Some(line), _) => self.nothing_ran(line, hint),
            (None, None, Some(line)) => {
                Reading::without_counts("ctest", Said::NothingRan(Reason::ListOnly), line.quote())
            }
            (None, None, None) => self.unfinished(hint),
        };
        let first = match self.header {
            Some(line) => line.number,
            None if self.first > 0 => self.first,
            None => reading.lines.0,
        };
        reading.spanning(first, self.last)
    }

    fn closed(&self, closing: &Closing<'a>, hint: Hint<'_>) -> Reading {
        // A filter may have taken lines out of the lists.
        let is_filtered = cut_after(hint);
        let did_not_run = |attempts: &&Vec<Attempt>| attempts.last() == Some(&Attempt::DidNotRun);
        let seen = self.attempts.values().filter(did_not_run).count();
        let end_is_there = closing.is_whole && !is_filtered && seen == 0;
        let did_not_run = closing.did_not_run.as_ref().filter(|list| !is_filtered && list.len() >= seen);
        let skipped = match did_not_run {
            Some(list) => Some(list.len() as u64),
            None => end_is_there.then_some(0),
        };
        let counted_as_passed =
            closing.total.zip(closing.failed).map(|(total, failed)| total.saturating_sub(failed));
        let passed = match (counted_as_passed, did_not_run) {
            // Nothing is left that could have been skipped.
            (Some(0), _) => Some(0),
            (Some(rest), Some(list)) => rest.checked_sub(count(list, |listed| listed.kind != "Disabled")),
            (Some(rest), None) if end_is_there => Some(rest),
            _ => None,
        };
        let (failed, errored, load_errors) =
            if is_filtered && closing.is_list_only() { (None, None, None) } else { closing.failures() };
        let tally = Tally {
            passed,
            skipped,
            failed,
            errored,
            load_errors,
            flaky: self.flaky(closing),
            ..Tally::ZERO
        };
        let said = if closing.failed.is_some_and(|failed| failed > 0) {
            Said::Failed
        } else if passed.is_none() {
            Said::Unfinished(Reason::OutputCut)
        } else {
            Said::of(&tally)
        };
        let reading = Reading { tally, ..Reading::without_counts("ctest", said, closing.line.quote()) };
        let lists = [&closing.failed_tests, &closing.did_not_run];
        let reading = lists
            .into_iter()
            .flatten()
            .flatten()
            .fold(reading, |reading, listed| reading.quoting(listed.line.quote()));
        reading.naming(lists.into_iter().flatten().flatten().map(case).collect())
    }

    /// Tests that failed first and passed in the end; known where every test's line is there.
    fn flaky(&self, closing: &Closing<'_>) -> Option<u64> {
        let seen = self.attempts.len() as u64;
        let flaky = |attempts: &&Vec<Attempt>| {
            attempts.last() == Some(&Attempt::Passed) && attempts.contains(&Attempt::Failed)
        };
        (closing.total.is_some_and(|total| seen >= total))
            .then(|| self.attempts.values().filter(flaky).count() as u64)
    }

    fn nothing_ran(&self, line: Line<'a>, hint: Hint<'_>) -> Reading {
        let disabled = self.attempts.len() as u64;
        let selects = hint.invocations.iter().any(|invocation| {
            invocation.has_option(&[
                "-R",
                "--tests-regex",
                "-L",
                "--label-regex",
                "-E",
                "--exclude-regex",
                "-LE",
                "--label-exclude",
                "-I",
                "--tests-information",
            ])
        });
        let reason = match disabled {
            0 if selects => Reason::FilterMatchedNothing,
            0 => Reason::ZeroTests,
            _ => Reason::OnlySkipped,
        };
        let reading = Reading::without_counts("ctest", Said::NothingRan(reason), line.quote());
        Reading { tally: Tally::of(0, 0, disabled), ..reading }
    }

    /// It began and did not close.
    fn unfinished(&self, hint: Hint<'_>) -> Reading {
        let repeats = hint.invocations.iter().any(|invocation| invocation.has_option(&["--repeat"]));
        if let Some(first) = self.failing.first().filter(|_| !repeats) {
            let reading = Reading::without_counts("ctest", Said::Failed, first.quote());
            return self.failing.iter().fold(reading, |reading, line| reading.quoting(line.quote()));
        }
        let cut = hint.invocations.iter().any(super::takes_lines_away);
        let reason = if cut { Reason::OutputCut } else { Reason::NoSummary };
        let quote = self.header.map_or_else(|| Quote::new(self.last, ""), |line| line.quote());
        Reading::without_counts("ctest", Said::Unfinished(reason), quote)
    }
}

/// Whether something in the command line takes away lines that would follow the closing statement.
fn cut_after(hint: Hint<'_>) -> bool {
    hint.invocations
        .iter()
        .any(|invocation| super::takes_lines_away(invocation) && invocation.program != "tail")
}

fn count(list: &[Listed<'_>], wanted: impl Fn(&Listed<'_>) -> bool) -> u64 {
    list.iter().filter(|listed| wanted(listed)).count() as u64
}

fn case(listed: &Listed<'_>) -> Case {
    let status = if listed.did_not_run { CaseStatus::Skipped } else { CaseStatus::Failed };
    Case {
        name: listed.name.to_owned(),
        file: None,
        status,
        message: Some(listed.kind.to_owned()),
        file_level: false,
    }
}

/// What is left where only the end of the list of failed tests is.
fn remainder(stream: &Stream) -> Option<Reading> {
    let ending = stream.lines().find(|line| line.text == "Errors while running CTest")?;
    let failed: Vec<Listed<'_>> =
        stream.lines().filter_map(|line| Listed::read(line, false)).filter(Listed::is_failure).collect();
    let said = if failed.is_empty() { Said::Unfinished(Reason::OutputCut) } else { Said::Failed };
    let reading = Reading::without_counts("ctest", said, ending.quote());
    let reading = failed.iter().fold(reading, |reading, listed| reading.quoting(listed.line.quote()));
    Some(reading.naming(failed.iter().map(case).collect()))
}

/// What CTest says where it did not come to run anything.
fn could_not_run(stream: &Stream, hint: Hint<'_>) -> Option<Reading> {
    stream.lines().find_map(|line| {
        let text = line.text;
        let said = if text == "No test configuration file found!"
            || text.starts_with("Failed to change working directory to ")
        {
            Said::CouldNotRun(Reason::Environment)
        } else if hint.named && text.starts_with("CMake Error: Unknown argument: ") {
            Said::CouldNotRun(Reason::UsageError)
        } else {
            return None;
        };
        Some(Reading::without_counts("ctest", said, line.quote()))
    })
}

/// `--show-only=json-v1`.
fn list(stream: &Stream) -> Vec<Reading> {
    stream
        .json_documents("\"ctestInfo\"")
        .into_iter()
        .filter(|(_, value)| value.at("kind").is("ctestInfo"))
        .map(|(document, _)| {
            let quote = Quote::new(document.first, "\"kind\" : \"ctestInfo\"");
            Reading::without_counts("ctest", Said::NothingRan(Reason::ListOnly), quote)
                .spanning(document.first, document.last)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use super::*;
    use crate::decide::{Context, count_with};

    #[track_caller]
    fn check(text: &str, command: &str, outcome: Outcome, reason: Option<Reason>, passed: Option<u64>) {
        let readers: &'static [Reader] = &[READER];
        let count =
            count_with(readers, text.as_bytes(), &Context { command: Some(command), ..Context::default() });
        let actual = (count.outcome, count.reasons.first().copied(), count.tally.passed);
        assert_eq!(actual, (outcome, reason, passed), "{text}");
    }

    const FAILING: &str = "Test project /project\n1/2 Test #1: a ....***Failed    0.01 sec\n";
    const ALL_PASSED: &str = "100% tests passed out of 9\n\nTotal Test time (real) =   0.01 sec\n";

    #[test]
    fn a_test_that_prints_a_closing_does_not_close_the_run() {
        check(&format!("{FAILING}{ALL_PASSED}"), "ctest", Outcome::Failed, None, None);
    }

    #[test]
    fn a_failure_that_may_be_repeated_is_not_final() {
        let command = "ctest --repeat until-pass:3 | head -2";
        check(FAILING, command, Outcome::Unknown, Some(Reason::OutputCut), None);
        check(FAILING, "ctest | head -2", Outcome::Failed, None, None);
    }

    #[test]
    fn a_summary_without_what_follows_may_hide_skipped_tests() {
        let lines = "100% tests passed out of 9\nTotal Test time (real) =   0.01 sec\n";
        check(lines, "ctest", Outcome::Unknown, Some(Reason::OutputCut), None);
        check(ALL_PASSED, "ctest | tail -3", Outcome::Passed, None, Some(9));
        check(ALL_PASSED, "ctest | head -30", Outcome::Unknown, Some(Reason::OutputCut), None);
    }

    #[test]
    fn several_summaries_of_a_cut_output_are_not_added_up() {
        let text = format!("{}{ALL_PASSED}{}{ALL_PASSED}", "Test project /a\n", "Test project /b\n");
        check(&text, "ctest", Outcome::Passed, None, Some(18));
        check(&text, "ctest | tail -30", Outcome::Unknown, Some(Reason::OutputCut), None);
    }
}
