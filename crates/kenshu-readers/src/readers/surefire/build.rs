//! One Maven build: from `Scanning for projects...` to the next.

use kenshu_model::{Case, Quote, Reason, Tally};

use super::lines::{self, Counts};
use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::text::Line;

/// Why a goal failed, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// Tests failed; their totals say how many.
    Tests,
    /// No test was found, and the build asks for at least one.
    NoTests,
    /// A plugin or dependency could not be had.
    Unresolved,
    /// The build does not compile, the test process crashed, another plugin failed.
    Step,
}

/// Which of the lists below `Results:` the lines stand in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum List {
    #[default]
    None,
    Failed,
    Flakes,
}

/// Everything of one build.
#[derive(Debug, Default)]
pub(super) struct Build {
    first: u32,
    last: u32,
    has_text: bool,
    /// Whether the log is there from its beginning.
    scanned: bool,
    has_levels: bool,
    only_counts: bool,
    /// Whether the last ` T E S T S` line had a level.
    header_has_level: Option<bool>,
    headers: usize,
    header: Option<Quote>,
    /// `Results:` lines whose total has not come yet.
    awaited: usize,
    had_results: bool,
    totals: Vec<(Tally, Quote)>,
    /// How many of the totals are surely Surefire's: they have a level, or stand below `Results:`.
    sanctioned: usize,
    /// Below `Flakes:`: the last run of the test at hand, if it did not pass.
    last_rerun: Option<Quote>,
    /// A test that is called flaky though its last run failed.
    failed_rerun: Option<Quote>,
    goals: Vec<Quote>,
    nothing: Vec<(Reason, Quote)>,
    failures: Vec<(Cause, Quote)>,
    list: List,
    cases: Vec<Case>,
    crash: Option<Quote>,
    /// A failed test, seen by its class's line.
    failed_class: Option<Quote>,
    usage: Option<(Reason, Quote)>,
    build: Option<(bool, Quote)>,
    several_modules: bool,
    help: Option<Quote>,
}

impl Build {
    pub(super) fn new(first: u32) -> Build {
        Build { first, last: first, only_counts: true, ..Build::default() }
    }

    /// Whether the line `text` belongs to the next build.
    pub(super) fn ends_before(&self, text: &str) -> bool {
        self.has_text && lines::without_level(text).0 == "Scanning for projects..."
    }

    pub(super) fn take(&mut self, line: Line<'_>) {
        let (text, has_level) = lines::without_level(line.text);
        if text.is_empty() {
            return;
        }
        self.has_text = true;
        self.has_levels |= has_level;
        self.last = line.number;
        if text.starts_with("Tests run: ") {
            if let Some(counts) = lines::counts(text) {
                self.counts(counts, line, has_level);
            }
            return;
        }
        self.only_counts = false;
        if has_level || text.starts_with([' ', 'R']) {
            self.results_line(text, line, has_level);
        }
        if has_level {
            self.levelled(text, line);
        } else if text.starts_with("Unable to parse command line options")
            || text.starts_with("Unrecognized option: ")
        {
            self.usage.get_or_insert_with(|| (Reason::UsageError, line.quote()));
        }
    }

    fn counts(&mut self, counts: Counts, line: Line<'_>, has_level: bool) {
        let text = line.text;
        if counts.is_class {
            let marked = text.contains("<<< FAILURE!") || text.contains("<<< ERROR!");
            let failed = (marked && counts.tally.has_failure()).then(|| line.quote());
            if failed.is_some() && (has_level || self.headers > 0) {
                self.failed_class = self.failed_class.take().or_else(|| failed.clone());
            }
            return;
        }
        // What a test prints has no level, and stands above `Results:`.
        let style = self.header_has_level.unwrap_or(self.has_levels);
        if has_level != style {
            return;
        }
        if has_level && self.header_has_level.is_none() {
            // The log has levels after all: what came without one was printed by a test.
            self.totals.truncate(self.sanctioned);
        }
        if self.awaited > 0 {
            self.awaited -= 1;
        } else if self.headers > 0 || self.had_results {
            return;
        }
        self.end_of_flake();
        self.list = List::None;
        self.totals.push((counts.tally, line.quote()));
        if has_level || self.had_results {
            self.sanctioned = self.totals.len();
        }
    }

    fn results_line(&mut self, text: &str, line: Line<'_>, has_level: bool) {
        let style = self.header_has_level.unwrap_or(has_level);
        match text.trim_end() {
            " T E S T S" => {
                self.headers += 1;
                self.header_has_level = Some(has_level);
                self.header = Some(line.quote());
            }
            "Results:" | "Results :" if has_level == style => {
                self.awaited += 1;
                self.had_results = true;
            }
            "Failures:" | "Errors:" | "Failed tests:" | "Tests in error:" if has_level == style => {
                self.list = List::Failed;
            }
            "Flakes:" if has_level == style => self.list = List::Flakes,
            text => match self.list {
                List::None => {}
                List::Failed => self.cases.extend(lines::listed(text)),
                List::Flakes => self.flake(text, line),
            },
        }
    }

    /// The tests that failed and then passed, each with its runs. A parametrised test is one entry whatever its
    /// parameters: it is flaky only if its last run passed.
    fn flake(&mut self, text: &str, line: Line<'_>) {
        match text.strip_prefix("  Run ").and_then(|run| run.split_once(": ")) {
            Some((_, result)) => self.last_rerun = (result.trim() != "PASS").then(|| line.quote()),
            None => self.end_of_flake(),
        }
    }

    fn end_of_flake(&mut self) {
        let last = self.last_rerun.take();
        self.failed_rerun = self.failed_rerun.take().or(last);
    }

    fn levelled(&mut self, text: &str, line: Line<'_>) {
        match text.trim_end() {
            "Scanning for projects..." => self.scanned = true,
            "BUILD SUCCESS" | "BUILD SUCCESSFUL" => self.build = Some((true, line.quote())),
            "BUILD FAILURE" | "BUILD ERROR" => self.build = Some((false, line.quote())),
            "No tests to run." => self.nothing.push((Reason::NoTestFiles, line.quote())),
            "Tests are skipped." => self.nothing.push((Reason::OnlySkipped, line.quote())),
            text if text.starts_with("Reactor Summary") || text.starts_with("Reactor Build Order") => {
                self.several_modules = true;
            }
            text if text.contains(" -rf :") => self.several_modules = true,
            text if lines::is_test_goal(text) => self.goals.push(line.quote()),
            text if text.starts_with("[Help 1] ") => self.help = Some(line.quote()),
            text if text.starts_with("Re-run Maven using the -X switch") => {
                self.help.get_or_insert_with(|| line.quote());
            }
            text if text.contains("The forked VM terminated without")
                || text.contains("There was a timeout or other error in the fork")
                || text.contains("There was a timeout in the fork")
                || text.starts_with("There was an error in the forked process")
                || text.starts_with("Crashed tests:") =>
            {
                self.crash.get_or_insert_with(|| line.quote());
                self.goal_failure(text, line);
            }
            text => self.goal_failure(text, line),
        }
    }

    /// The lines with which Maven says why the build failed.
    fn goal_failure(&mut self, text: &str, line: Line<'_>) {
        if let Some(rest) = text.strip_prefix("Failed to execute goal ") {
            // Since 3.5 the message is empty where tests ended in an error; what follows says more.
            let message = rest.rsplit_once(": ").map_or("", |(_, message)| message);
            let is_silent = is_test_plugin(rest) && (message.trim().is_empty() || rest.ends_with(':'));
            let cause = if rest.contains("There are test failures") || is_silent {
                Cause::Tests
            } else if rest.contains("No tests were executed!")
                || rest.contains("were executed!  (Set -D")
                || rest.contains("were executed! (Set -D")
            {
                Cause::NoTests
            } else if rest.contains("Could not resolve dependencies")
                || rest.contains("could not be resolved")
                || rest.contains("in offline mode")
            {
                Cause::Unresolved
            } else {
                Cause::Step
            };
            self.failures.push((cause, line.quote()));
            return;
        }
        const USAGE: &[(&str, Reason)] = &[
            ("Unknown lifecycle phase ", Reason::UsageError),
            ("No plugin found for prefix ", Reason::UsageError),
            ("Could not find the selected project in the reactor", Reason::UsageError),
            ("No goals have been specified for this build", Reason::UsageError),
            ("The goal you specified requires a project to execute but there is no POM", Reason::Environment),
            ("Error executing Maven", Reason::Environment),
            ("Error reading settings", Reason::Environment),
        ];
        if let Some((_, reason)) = USAGE.iter().find(|(start, _)| text.starts_with(start)) {
            self.usage.get_or_insert_with(|| (*reason, line.quote()));
        } else if text.starts_with("Plugin ") && text.contains("could not be resolved") {
            self.failures.push((Cause::Unresolved, line.quote()));
        } else if text.starts_with("Some problems were encountered while processing the POMs")
            && line.text.starts_with("[ERROR]")
        {
            self.failures.push((Cause::Step, line.quote()));
        }
    }

    pub(super) fn finish(self, hint: Hint<'_>) -> Vec<Reading> {
        let (first, last) = (self.first, self.last);
        let spanning = |reading: Reading| reading.spanning(first, last);
        self.verdict(hint).into_iter().map(spanning).collect()
    }

    /// The sum of all totals, and whether a failure shows that the totals leave out.
    fn sum(&self) -> Tally {
        self.totals.iter().fold(Tally::ZERO, |sum, (tally, _)| sum.plus(tally))
    }

    fn verdict(self, hint: Hint<'_>) -> Option<Reading> {
        let steps = self.failures.iter().filter(|(cause, _)| *cause == Cause::Step).count() as u64;
        let tally = self.sum();
        if tally.has_failure() || steps > 0 || self.crash.is_some() {
            return self.failed(tally, steps);
        }
        if let Some(quote) = self.failed_rerun.clone() {
            let unknown = Tally { passed: None, failed: None, flaky: None, ..tally };
            return Some(super::failed(self.cases, unknown, quote));
        }
        if self.totals.is_empty()
            && let Some((reason, quote)) = self.usage.clone()
        {
            return Some(Reading::without_counts("surefire", Said::CouldNotRun(reason), quote));
        }
        self.without_failed_totals(hint, tally)
    }

    fn failed(self, tally: Tally, steps: u64) -> Option<Reading> {
        // A crashed test process fails its goal: one step. Where the goal's line is cut away, the crash tells.
        let crashed = self.crash.is_some()
            || self
                .failures
                .iter()
                .any(|(cause, quote)| *cause == Cause::Step && is_test_plugin(&quote.text));
        let steps = if crashed { steps.max(1) } else { steps };
        let mut quotes: Vec<Quote> = self
            .totals
            .iter()
            .filter(|(total, _)| total.has_failure())
            .map(|(_, quote)| quote.clone())
            .chain(
                self.failures
                    .iter()
                    .filter(|(cause, _)| *cause == Cause::Step)
                    .map(|(_, quote)| quote.clone()),
            )
            .chain(self.crash)
            .collect();
        let first = if quotes.is_empty() { return None } else { quotes.remove(0) };
        let mut tally = Tally { load_errors: Some(steps), ..tally };
        // `--quiet` hides the totals of modules in which all is well.
        let hidden = !self.scanned && self.headers == 0 && self.several_modules;
        // What ran before a crash isn't in any total.
        if hidden || crashed || (self.totals.is_empty() && self.headers > 0) {
            tally = Tally { passed: None, skipped: None, flaky: None, ..tally };
        }
        let reading = super::failed(self.cases, tally, first);
        Some(quotes.into_iter().fold(reading, Reading::quoting))
    }

    fn without_failed_totals(self, hint: Hint<'_>, tally: Tally) -> Option<Reading> {
        let of = |wanted: Cause| {
            self.failures.iter().find(|(cause, _)| *cause == wanted).map(|(_, quote)| quote.clone())
        };
        let (tests, no_tests, unresolved) = (of(Cause::Tests), of(Cause::NoTests), of(Cause::Unresolved));
        if let Some(quote) = tests {
            return Some(super::failed(self.cases, Tally::UNKNOWN, quote));
        }
        let ran = tally.ran().is_some_and(|ran| ran > 0);
        if let Some(quote) = unresolved.filter(|_| !ran) {
            let said = Said::CouldNotRun(Reason::Environment);
            return Some(Reading::without_counts("surefire", said, quote));
        }
        if let Some(quote) = no_tests {
            if ran {
                let said = Said::Unfinished(Reason::NoSummary);
                return Some(Reading::from_tally("surefire", tally, quote).saying(said));
            }
            let reason = if super::selects(hint) || quote.text.contains("No tests matching") {
                Reason::FilterMatchedNothing
            } else {
                Reason::ZeroTests
            };
            return Some(super::nothing(reason, quote));
        }
        match self.build.clone() {
            Some((true, quote)) => self.succeeded(hint, tally, quote),
            Some((false, quote)) => {
                let unknown = Tally { load_errors: None, ..Tally::UNKNOWN };
                Some(super::failed(self.cases, unknown, quote))
            }
            None => self.without_end(hint, tally),
        }
    }

    fn succeeded(self, hint: Hint<'_>, tally: Tally, quote: Quote) -> Option<Reading> {
        if self.headers > self.totals.len() {
            let said = Said::Unfinished(Reason::NoSummary);
            return Some(Reading::without_counts("surefire", said, quote));
        }
        if self.totals.is_empty() {
            return self.nothing_ran(hint, quote);
        }
        let mut tally = tally;
        // Without its beginning, the log may have lost the totals of earlier modules and executions.
        let later_phase = hint.invocations.iter().any(|invocation| {
            ["verify", "install", "deploy", "integration-test"]
                .iter()
                .any(|phase| invocation.arguments.iter().any(|word| word == phase))
        });
        let lost = !self.scanned && self.headers < self.totals.len() && (self.several_modules || later_phase);
        let said = Said::of(&tally);
        if lost {
            tally = Tally { load_errors: Some(0), failed: Some(0), errored: Some(0), ..Tally::UNKNOWN };
        }
        Some(self.with_totals(tally, quote).saying(said))
    }

    fn with_totals(self, tally: Tally, last: Quote) -> Reading {
        let mut quotes = self.totals.into_iter().map(|(_, quote)| quote).chain([last]);
        let first = quotes.next().expect("the last quote is always there");
        quotes.fold(Reading::from_tally("surefire", tally, first), Reading::quoting)
    }

    fn nothing_ran(self, hint: Hint<'_>, quote: Quote) -> Option<Reading> {
        if let Some((reason, quote)) = self.nothing.into_iter().next() {
            return Some(super::nothing(reason, quote));
        }
        let reason = if super::selects(hint) { Reason::FilterMatchedNothing } else { Reason::ZeroTests };
        match self.goals.into_iter().next() {
            Some(goal) => Some(super::nothing(reason, goal)),
            // The whole log is there, and no goal of it runs tests.
            None if self.scanned => Some(super::nothing(Reason::ZeroTests, quote)),
            None => {
                let said = Said::Unfinished(Reason::OutputCut);
                Some(Reading::without_counts("surefire", said, quote))
            }
        }
    }

    /// No `BUILD …` line: cut away, or never printed.
    fn without_end(self, hint: Hint<'_>, tally: Tally) -> Option<Reading> {
        if let Some(quote) = self.failed_class {
            return Some(super::failed(self.cases, Tally::UNKNOWN, quote));
        }
        let filtered = hint
            .invocations
            .iter()
            .any(|invocation| matches!(invocation.program.as_str(), "grep" | "egrep" | "rg" | "tail"));
        let picked = filtered || (self.only_counts && self.has_levels);
        if !self.totals.is_empty() && picked && (self.has_levels || hint.named) && !self.scanned {
            let (_, last) = self.totals.last()?.clone();
            return Some(self.with_totals(tally, last));
        }
        let begun = self.header.or_else(|| self.goals.into_iter().next_back());
        match (begun, self.help) {
            (_, Some(help)) => Some(super::failed(Vec::new(), Tally::UNKNOWN, help)),
            (Some(quote), None) => {
                Some(Reading::without_counts("surefire", Said::Unfinished(Reason::NoSummary), quote))
            }
            (None, None) => None,
        }
    }
}

/// Whether a failed goal is one that runs tests: then its process came to an end before the tests did.
fn is_test_plugin(text: &str) -> bool {
    text.contains("surefire") || text.contains("failsafe")
}
