//! One build: from its first line to the line behind `BUILD …`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use super::failure::{Cause, Failures};
use super::tasks::{self, Outcome};
use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::text::Line;

static COMPLETED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$").expect("valid pattern")
});

/// `ATest > d FAILED`; what a test prints is indented.
static EVENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(\S.* > .+) (PASSED|FAILED|SKIPPED)$").expect("valid pattern"));

static ACTIONABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\d+ actionable tasks?: (.+)$").expect("valid pattern"));

/// One test task.
#[derive(Debug)]
struct Task {
    outcome: Outcome,
    quote: Quote,
    /// The closing line, which Gradle prints where something failed.
    completed: Option<(Tally, Quote)>,
    passed: u64,
    failed: u64,
    skipped: u64,
    /// Suites are among the lines: their sum is no number of tests.
    has_suites: bool,
}

/// Everything of one build.
#[derive(Debug, Default)]
pub(super) struct Block {
    lines: Option<(u32, u32)>,
    tests: BTreeMap<String, Task>,
    /// The task whose output follows.
    current: Option<String>,
    /// Tasks of other kinds: whether all of them surely run no test.
    others: usize,
    unsure: bool,
    /// Words such as `UP-TO-DATE` stand only in the plain console, which shows every task.
    is_plain: bool,
    /// Whether a line names a task.
    has_headers: bool,
    /// The tasks follow after `BUILD FAILED`.
    is_late: bool,
    /// The line that counts the tasks was seen.
    is_closed: bool,
    /// Closing lines of test tasks that stand below no task's name.
    unplaced: Vec<(Tally, Quote)>,
    failures: Failures,
    says_failing: Option<Quote>,
    usage: Option<Quote>,
    failure: Option<Quote>,
    build: Option<(bool, Quote)>,
    nothing_executed: Option<Quote>,
    cases: Vec<Case>,
    awaits_message: bool,
}

impl Block {
    /// Whether the line `text` belongs to the next build.
    ///
    /// What went wrong goes to the error stream. Where that stream is shown first, the tasks follow after `BUILD FAILED`.
    pub(super) fn ends_before(&self, text: &str) -> bool {
        let Some((success, _)) = self.build else { return false };
        if text.is_empty() || ACTIONABLE.is_match(text) {
            return false;
        }
        if self.is_late {
            return self.is_closed || text.starts_with("FAILURE: Build ") || build(text).is_some();
        }
        let errors_came_first = !success && !self.has_headers && !self.is_closed;
        !errors_came_first || tasks::task(text).is_none()
    }

    pub(super) fn take(&mut self, line: Line<'_>) {
        let text = line.text;
        if text.is_empty() {
            self.failures.take(line);
            return;
        }
        if let Some(end) = build(text) {
            if end.1 || self.is_gradle() {
                self.build = Some((end.0, line.quote()));
                self.grow(line.number);
            }
            return;
        }
        if let Some((path, outcome)) = tasks::task(text) {
            self.task(path, outcome, line);
        } else if self.failures.take(line) {
            self.grow(line.number);
        } else if let Some(groups) = ACTIONABLE.captures(text) {
            self.is_closed = true;
            if !groups[1].contains("executed") {
                self.nothing_executed = Some(line.quote());
            }
        } else {
            self.other(text, line);
        }
    }

    fn grow(&mut self, number: u32) {
        let (first, _) = *self.lines.get_or_insert((number, number));
        self.lines = Some((first, number));
    }

    fn is_gradle(&self) -> bool {
        !self.tests.is_empty() || self.others > 0 || !self.failures.all.is_empty()
    }

    fn task(&mut self, path: &str, outcome: Outcome, line: Line<'_>) {
        self.grow(line.number);
        self.has_headers = true;
        self.is_late |= self.build.is_some();
        self.is_plain |= matches!(outcome, Outcome::Cached | Outcome::NoSource | Outcome::Skipped);
        let name = tasks::name(path);
        self.current = None;
        if !tasks::runs_tests(name) {
            self.others += 1;
            self.unsure |= outcome == Outcome::Executed && !tasks::never_runs_tests(name);
            return;
        }
        self.current = Some(path.to_owned());
        let task = self.tests.entry(path.to_owned()).or_insert_with(|| Task::new(outcome, line.quote()));
        // The header is printed once more whenever output of this task follows other output; the last word counts.
        if outcome != Outcome::Executed {
            task.outcome = outcome;
            task.quote = line.quote();
        }
    }

    fn other(&mut self, text: &str, line: Line<'_>) {
        if std::mem::take(&mut self.awaits_message)
            && text.starts_with("    ")
            && let Some(case) = self.cases.last_mut()
        {
            case.message = Some(text.trim().to_owned());
            return;
        }
        if text.ends_with("ED")
            && let Some(event) = EVENT.captures(text)
        {
            self.event(&event[1], &event[2], line);
        } else if text.contains(" completed")
            && let Some(tally) = completed(text)
        {
            self.grow(line.number);
            match self.current.clone().and_then(|path| self.tests.get_mut(&path)) {
                Some(task) => task.completed = Some((tally, line.quote())),
                None => self.unplaced.push((tally, line.quote())),
            }
        } else if text.starts_with("There were failing tests. See the ") {
            self.says_failing = Some(line.quote());
        } else if text.starts_with("Unknown command-line option") {
            self.grow(line.number);
            self.usage = Some(line.quote());
        } else if text.starts_with("FAILURE: Build ") {
            self.grow(line.number);
            self.failure = Some(line.quote());
        }
    }

    /// The task that the line belongs to. Where the header was cut away it has no name.
    fn current_task(&mut self, line: Line<'_>) -> &mut Task {
        let path = self.current.clone().unwrap_or_default();
        self.tests.entry(path).or_insert_with(|| Task::new(Outcome::Executed, line.quote()))
    }

    fn event(&mut self, name: &str, word: &str, line: Line<'_>) {
        self.grow(line.number);
        let is_suite = name.starts_with("Gradle Test Run ");
        let task = self.current_task(line);
        task.has_suites |= is_suite;
        match word {
            "PASSED" => task.passed += 1,
            "SKIPPED" => task.skipped += 1,
            _ => task.failed += 1,
        }
        let status = match word {
            "PASSED" => return,
            "SKIPPED" => CaseStatus::Skipped,
            _ => CaseStatus::Failed,
        };
        self.awaits_message = status == CaseStatus::Failed;
        self.cases.push(Case { name: name.to_owned(), file: None, status, message: None, file_level: false });
    }

    pub(super) fn finish(mut self, hint: Hint<'_>) -> Option<Reading> {
        let paths: Vec<String> = self.tests.keys().cloned().collect();
        self.tests.retain(|path, _| !tasks::is_umbrella(path, paths.iter().map(String::as_str)));
        self.place_closing_lines();
        let (first, last) = self.lines?;
        let cases = std::mem::take(&mut self.cases);
        Some(self.verdict(hint)?.spanning(first, last).naming(cases))
    }

    /// Gives closing lines without a task to the tasks that failed and have none.
    fn place_closing_lines(&mut self) {
        let unplaced = std::mem::take(&mut self.unplaced);
        let waiting: Vec<String> = self
            .tests
            .iter()
            .filter(|(_, task)| {
                task.completed.is_none() && (task.failed > 0 || task.outcome == Outcome::Failed)
            })
            .map(|(path, _)| path.clone())
            .collect();
        let fits = waiting.len() == unplaced.len();
        for (index, (tally, quote)) in unplaced.into_iter().enumerate() {
            match waiting.get(index).filter(|_| fits).and_then(|path| self.tests.get_mut(path)) {
                Some(task) => task.completed = Some((tally, quote)),
                // Which task it belongs to is not known: a failure without numbers, unless no task is named at all.
                None => {
                    let tally =
                        if waiting.is_empty() { tally } else { Tally { failed: None, ..Tally::UNKNOWN } };
                    let task =
                        Task { completed: Some((tally, quote.clone())), ..Task::new(Outcome::Failed, quote) };
                    self.tests.insert(format!("?{index}"), task);
                }
            }
        }
    }

    fn verdict(self, hint: Hint<'_>) -> Option<Reading> {
        if let Some(reading) = self.failed(hint) {
            return Some(reading);
        }
        if let Some(quote) = self.usage {
            return Some(without(Said::CouldNotRun(Reason::UsageError), quote));
        }
        let failures = self.failures.all.clone();
        if let Some(failure) = failures.iter().find(|failure| failure.cause == Cause::Cancelled) {
            return Some(without(Said::Unfinished(Reason::Killed), failure.quote.clone()));
        }
        for failure in &failures {
            let said = match failure.cause {
                Cause::CouldNotRun(reason) => Said::CouldNotRun(reason),
                // Another project's tests ran, yet the build failed: no pass, and no failed test.
                Cause::Nothing(_) if self.ran_elsewhere(failure.task.as_deref()) => {
                    Said::Unfinished(Reason::NoSummary)
                }
                Cause::Nothing(reason) => Said::NothingRan(reason),
                Cause::Tests | Cause::Step | Cause::Cancelled => continue,
            };
            return Some(without(said, failure.quote.clone()));
        }
        match self.build.clone() {
            Some((true, quote)) => self.succeeded(hint, quote),
            Some((false, quote)) => Some(without(Said::Failed, quote)),
            None => self.without_end(),
        }
    }

    fn ran_elsewhere(&self, task: Option<&str>) -> bool {
        self.tests
            .iter()
            .any(|(path, other)| Some(path.as_str()) != task && other.outcome == Outcome::Executed)
    }

    /// The reading of a build in which a test, or a step, is read as failed.
    fn failed(&self, hint: Hint<'_>) -> Option<Reading> {
        let mut quotes = Vec::new();
        let mut steps = 0;
        let mut tests_failed = self.says_failing.is_some();
        for failure in &self.failures.all {
            match failure.cause {
                Cause::Tests => {
                    tests_failed = true;
                    quotes.push(failure.quote.clone());
                }
                Cause::Step => {
                    steps += 1;
                    quotes.push(failure.quote.clone());
                }
                Cause::Nothing(_) | Cause::CouldNotRun(_) | Cause::Cancelled => {}
            }
        }
        let counted: Vec<&Task> = self.tests.values().filter(|task| task.shows_failure()).collect();
        let was_retried = self.was_retried(hint, tests_failed);
        if steps == 0 && !tests_failed && (counted.is_empty() || was_retried) {
            return None;
        }
        quotes.extend(counted.iter().map(|task| task.failure_quote()));
        quotes.extend(self.says_failing.clone());
        let mut tally = self.tests.values().fold(Tally::ZERO, |sum, task| sum.plus(&task.tally()));
        // Whether a task failed by its tests is not known where the reason is cut off.
        let unexplained = |failure: &super::failure::Failure| failure.task.is_some() && !failure.is_explained;
        tally.load_errors = Some(steps).filter(|_| !self.failures.all.iter().any(unexplained));
        if tests_failed && counted.is_empty() {
            // The lines with the numbers are missing.
            tally = Tally { passed: None, failed: None, skipped: None, ..tally };
        }
        let first = if quotes.is_empty() { return None } else { quotes.remove(0) };
        let reading = Reading { tally, ..without(Said::Failed, first) };
        // Each project has numbers of its own, and without a closing line each test.
        let is_sum =
            self.tests.values().any(|task| task.completed.is_none() && task.passed + task.failed > 0)
                || hint.invocations.iter().any(|run| run.has_option(&["--continue"]));
        let reading = if is_sum { reading.summed() } else { reading };
        Some(quotes.into_iter().fold(reading, Reading::quoting))
    }

    /// The retry plugin: a try failed, a later one passed, and the task with it. Gradle itself says `There were failing
    /// tests` also where failures are ignored; without that sentence and with a build that succeeded, none is left.
    fn was_retried(&self, hint: Hint<'_>, tests_failed: bool) -> bool {
        let cut = hint.invocations.iter().any(super::super::takes_lines_away);
        let succeeded = self.build.as_ref().is_some_and(|(success, _)| *success);
        let task_stands = self.tests.values().all(|task| task.outcome != Outcome::Failed);
        succeeded && !tests_failed && !cut && task_stands && !self.tests.contains_key("")
    }

    fn succeeded(self, hint: Hint<'_>, quote: Quote) -> Option<Reading> {
        let executed: Vec<&Task> =
            self.tests.values().filter(|task| task.outcome == Outcome::Executed).collect();
        if executed.is_empty() {
            return self.ran_nothing(hint, quote);
        }
        if super::lists_only(hint) {
            return Some(without(Said::NothingRan(Reason::ListOnly), quote));
        }
        // Lines for skipped tests and none for passed ones: whether any passed isn't printed.
        let only_skips = executed.iter().all(|task| task.passed == 0 && task.skipped > 0);
        if only_skips {
            return Some(without(Said::Unfinished(Reason::NoSummary), quote));
        }
        let tally = self.tests.values().fold(Tally::ZERO, |sum, task| sum.plus(&task.tally()));
        let tally = if executed.iter().any(|task| task.shows_failure()) {
            Tally { passed: None, skipped: None, flaky: None, failed: Some(0), ..tally }
        } else {
            tally
        };
        let first = executed[0].quote.clone();
        let is_sum = executed.iter().any(|task| task.passed > 0);
        let reading = Reading { tally, ..without(Said::Passed, first) }.quoting(quote);
        Some(if is_sum { reading.summed() } else { reading })
    }

    /// The build succeeded and no test task ran.
    fn ran_nothing(self, hint: Hint<'_>, quote: Quote) -> Option<Reading> {
        let of = |wanted: Outcome| {
            self.tests.values().find(|task| task.outcome == wanted).map(|task| task.quote.clone())
        };
        let cached = self.tests.values().filter(|task| task.outcome == Outcome::Cached).count() as u64;
        if let Some(quote) = of(Outcome::Cached) {
            let reading = without(Said::NothingRan(Reason::Cached), quote);
            return Some(Reading { tally: Tally { cached: Some(cached), ..Tally::ZERO }, ..reading });
        }
        if let Some(quote) = of(Outcome::Skipped) {
            return Some(without(Said::NothingRan(Reason::OnlySkipped), quote));
        }
        if let Some(quote) = of(Outcome::NoSource) {
            return Some(without(Said::NothingRan(Reason::NoTestFiles), quote));
        }
        if super::excludes_tests(hint) || (self.is_plain && !self.unsure) {
            return Some(without(Said::NothingRan(Reason::NoTestCommand), quote));
        }
        if let Some(actionable) = self.nothing_executed.filter(|_| hint.named) {
            return Some(without(Said::NothingRan(Reason::Cached), actionable));
        }
        Some(without(Said::Unfinished(Reason::NoSummary), quote))
    }

    fn without_end(self) -> Option<Reading> {
        if let Some(quote) = self.failure {
            return Some(without(Said::Failed, quote));
        }
        let task = self.tests.into_values().next()?;
        Some(without(Said::Unfinished(Reason::NoSummary), task.quote))
    }
}

impl Task {
    fn new(outcome: Outcome, quote: Quote) -> Task {
        Task { outcome, quote, completed: None, passed: 0, failed: 0, skipped: 0, has_suites: false }
    }

    fn shows_failure(&self) -> bool {
        self.failed > 0
            || self.completed.as_ref().is_some_and(|(tally, _)| tally.has_failure() || tally.failed.is_none())
    }

    fn failure_quote(&self) -> Quote {
        self.completed.as_ref().map_or_else(|| self.quote.clone(), |(_, quote)| quote.clone())
    }

    fn tally(&self) -> Tally {
        match self.outcome {
            Outcome::Cached => return Tally { cached: Some(1), ..Tally::ZERO },
            Outcome::NoSource | Outcome::Skipped => return Tally::ZERO,
            Outcome::Executed | Outcome::Failed => {}
        }
        if let Some((tally, _)) = &self.completed {
            return *tally;
        }
        let known = |count: u64| (count > 0 && !self.has_suites).then_some(count);
        Tally {
            passed: known(self.passed),
            failed: if self.has_suites && self.failed > 0 { None } else { Some(self.failed) },
            skipped: known(self.skipped),
            ..Tally::ZERO
        }
    }
}

fn without(said: Said, quote: Quote) -> Reading {
    Reading::without_counts("gradle", said, quote)
}

/// Whether the line ends a build: success, and whether only Gradle writes it so (Ant has no duration on it).
fn build(text: &str) -> Option<(bool, bool)> {
    let (success, rest) = match text.strip_prefix("BUILD SUCCESSFUL") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix("BUILD FAILED")?),
    };
    match rest {
        "" => Some((success, false)),
        rest => rest.starts_with(" in ").then_some((success, true)),
    }
}

fn completed(text: &str) -> Option<Tally> {
    let groups = COMPLETED.captures(text)?;
    let number =
        |index: usize| groups.get(index).map_or(Some(0), |digits| digits.as_str().parse::<u64>().ok());
    let (all, failed, skipped) = (number(1)?, number(2)?, number(3)?);
    Some(Tally::of(all.checked_sub(failed)?.checked_sub(skipped)?, failed, skipped))
}
