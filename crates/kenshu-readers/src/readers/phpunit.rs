//! `phpunit`: PHPUnit's (and ParaTest's) closing statement, its event log, and what it prints when it runs nothing.
//!
//! The order is: header, progress, `Time: …, Memory: …`, the lists of what went wrong, the closing statement. Only a
//! statement behind the last `Time:` line is PHPUnit's; one before it was printed by a test.

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};

use crate::marks::{Letters, LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod closing;
mod events;
mod lists;
mod progress;

use closing::Closing;

pub(super) const READER: Reader = Reader {
    id: "phpunit",
    name: "PHPUnit",
    versions: "9.6.7, 11.5.19, 13.4.5",
    formats: "text (default, testdox, teamcity, compact, events)",
    zero: "\"No tests executed!\"; exit 0, from 10 on 1 where the configuration asks for it; 9: a class without tests is \
           a test with a warning",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " by Sebastian Bergmann",
        " assertions)",
        " assertion)",
        ", Assertions: ",
        " assertions, ",
        " assertion, ",
        "PHPUnit\\TextUI\\",
        "An error occurred inside PHPUnit.",
        "PHPUnit Started (",
        "be found in /",
    ],
    commands: &[
        &["phpunit"],
        &["phpunit.phar"],
        &["simple-phpunit"],
        &["paratest"],
        &["php", "vendor/bin/phpunit"],
        &["php", "./vendor/bin/phpunit"],
        &["php", "bin/phpunit"],
        &["php", "phpunit.phar"],
        &["php", "vendor/bin/paratest"],
        &["sail", "phpunit"],
        &["ddev", "phpunit"],
    ],
    list_options: &[
        "--list-tests",
        "--list-tests-xml",
        "--list-test-files",
        "--list-groups",
        "--list-suites",
    ],
    covers: &[],
    marks: Marks {
        failed: &[LineMark::Start("✘ ")],
        passed: &[LineMark::Start("✔ ")],
        letters: Some(Letters { passed: '.', failed: "FE", others: "WRISDNP" }),
        plain: true,
    },
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings: Vec<Reading> = events::read(stream);
    let mut run = Run::default();
    for line in stream.lines() {
        if let Some(version) = closing::header(line.text) {
            readings.extend(std::mem::take(&mut run).finish(hint));
            run = Run { header: Some(line.quote()), major: version, ..Run::default() };
        } else {
            run.take(line);
        }
    }
    readings.extend(run.finish(hint));
    readings
}

/// What stands between one header and the next.
#[derive(Default)]
struct Run<'a> {
    header: Option<Quote>,
    /// The first part of the version; 0: not known.
    major: u32,
    has_text: bool,
    last: u32,
    banner: &'a str,
    /// Whether the last `Time:` line was seen, and what closed the run since.
    timed: Option<Quote>,
    closing: Option<(Closing, Quote)>,
    /// A closing statement without a `Time:` line above it, and whether it was the first text.
    lone: Option<(Closing, Quote, bool)>,
    nothing: Option<(Said, Quote)>,
    interrupted: Option<Quote>,
    crashed: Option<Quote>,
    progress: progress::Progress,
    lists: lists::Lists<'a>,
}

impl<'a> Run<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text;
        if text.is_empty() {
            return;
        }
        if text.starts_with("Time: ") && text.contains(", Memory: ") {
            self.timed = Some(line.quote());
            self.closing = None;
            self.lists = lists::Lists::default();
        } else if let Some(closing) = closing::read(text, self.banner) {
            self.close(closing, line);
        } else if let Some(said) = closing::nothing(text) {
            let is_own = self.header.is_some() || !self.has_text;
            if is_own && self.nothing.is_none() {
                self.nothing = Some((said, line.quote()));
            }
        } else if text.starts_with("Test execution was interrupted by a signal") {
            self.interrupted = Some(line.quote());
        } else if closing::is_crash(text) {
            self.crashed.get_or_insert_with(|| line.quote());
        } else if self.timed.is_none() && self.progress.take(line) {
            // One more line of dots.
        } else {
            self.lists.take(line);
        }
        self.banner = text;
        self.has_text = true;
        self.last = line.number;
    }

    fn close(&mut self, closing: Closing, line: Line<'_>) {
        if self.timed.is_some() {
            self.closing = Some((closing, line.quote()));
        } else {
            self.lone = Some((closing, line.quote(), !self.has_text));
        }
    }

    fn finish(mut self, hint: Hint<'_>) -> Option<Reading> {
        let closing = self.closing.take().or_else(|| self.likely_lone(hint));
        let reading = match closing {
            Some((closing, quote)) => self.closed(closing, quote, hint),
            None => self.left_open(hint)?,
        };
        let first = self.header.as_ref().map_or(reading.lines.0, |header| header.line);
        let last = self.last;
        let mut reading = reading.spanning(first, last);
        if reading.cases.is_empty() {
            reading.cases = self.lists.cases().into();
        }
        Some(reading)
    }

    /// A closing statement without `Time:` above it: of the compact printer, or what a pipe left.
    fn likely_lone(&mut self, hint: Hint<'_>) -> Option<(Closing, Quote)> {
        let (closing, quote, is_first) = self.lone.take()?;
        let ran_nothing = closing == Closing::NothingExecuted && self.header.is_some();
        let compact = (self.major >= 13 || ran_nothing) && self.progress.is_empty();
        let cut = hint.invocations.iter().any(super::takes_lines_away);
        let left_by_pipe = self.header.is_none() && hint.named && (cut || is_first);
        (compact || left_by_pipe).then_some((closing, quote))
    }

    fn closed(&self, closing: Closing, quote: Quote, hint: Hint<'_>) -> Reading {
        let Some(counts) = closing.counts() else {
            return self.nothing_executed(quote, hint);
        };
        let Some(counts) = counts else {
            let said = if closing.says_failed() { Said::Failed } else { Said::Unfinished(Reason::NoSummary) };
            return Reading::without_counts("phpunit", said, quote);
        };
        let mut tally = self.tally(counts);
        // Errors and skipped classes that no test stands for are named above, and a test has its sign there.
        let cut = self.header.is_none() && crate::runs::is_cut(hint);
        if cut && counts.errors + counts.skipped > 0 && self.progress.passed(counts.tests).is_none() {
            tally.passed = None;
        }
        let reading = Reading::from_tally("phpunit", tally, quote);
        let failed = closing.says_failed() || fails_by_option(&reading.quotes[0].text, hint);
        let reading = if failed { reading.saying(Said::Failed) } else { reading };
        match &self.interrupted {
            Some(interrupted) if reading.said != Said::Failed => {
                reading.saying(Said::Unfinished(Reason::Killed)).quoting(interrupted.clone())
            }
            Some(_) | None => reading,
        }
    }

    /// `No tests executed!`: the lists above it may still hold errors.
    fn nothing_executed(&self, quote: Quote, hint: Hint<'_>) -> Reading {
        let errors = self.lists.phpunit_errors + self.lists.errors;
        if errors > 0 {
            let tally = Tally { load_errors: Some(errors), ..Tally::ZERO };
            return Reading::from_tally("phpunit", tally, quote);
        }
        let filters = [
            "--filter",
            "--exclude-filter",
            "--group",
            "--exclude-group",
            "--testsuite",
            "--covers",
            "--uses",
        ];
        let filtered = hint
            .invocations
            .iter()
            .any(|invocation| READER.is_run_by(invocation) && invocation.has_option(&filters));
        let reason = if filtered { Reason::FilterMatchedNothing } else { Reason::ZeroTests };
        Reading::without_counts("phpunit", Said::NothingRan(reason), quote)
    }

    /// The tally behind a closing statement. What "Tests" counts differs between versions: an error in a hook of a class
    /// or in a data provider counts as an error though no test of that number was run, and from 10 to 12 a skipped class is
    /// one skipped test that "Tests" leaves out. The progress, one sign a test, settles it where it is whole.
    fn tally(&self, counts: closing::Counts) -> Tally {
        let outside = self.lists.phpunit_errors + self.lists.class_errors;
        let outside = outside.min(counts.errors);
        let errored = counts.errors - outside;
        let placeholders =
            if self.major >= 10 { Some(0) } else { self.lists.placeholders(counts.warnings, self.major) };
        let skipped = counts.skipped.saturating_add(counts.incomplete);
        let by_sum = counts
            .tests
            .checked_sub(counts.errors - self.lists.phpunit_errors.min(counts.errors))
            .and_then(|rest| rest.checked_sub(counts.failures))
            .and_then(|rest| rest.checked_sub(skipped));
        let by_signs = self.progress.passed(counts.tests);
        let passed = match (by_sum, by_signs) {
            (by_sum, None) if self.lists.class_errors == 0 => by_sum,
            (by_sum, by_signs) if by_sum == by_signs => by_sum,
            (_, by_signs)
                if self.lists.class_errors == 0 && self.progress.agrees(errored, counts.failures) =>
            {
                by_signs
            }
            _ => None,
        };
        let passed = passed.zip(placeholders).and_then(|(passed, none)| passed.checked_sub(none));
        Tally {
            passed,
            errored: Some(errored),
            load_errors: Some(outside),
            ..Tally::of(0, counts.failures, skipped)
        }
    }

    /// What can be said where no closing statement follows.
    fn left_open(&self, hint: Hint<'_>) -> Option<Reading> {
        if let Some(quote) = &self.crashed
            && (self.header.is_some() || hint.named || quote.text.contains("PHPUnit"))
        {
            let tally = Tally { load_errors: Some(1), ..Tally::UNKNOWN };
            return Some(Reading::from_tally("phpunit", tally, quote.clone()));
        }
        if let Some((said, quote)) = &self.nothing {
            return Some(Reading::without_counts("phpunit", *said, quote.clone()));
        }
        let known = self.header.is_some() || hint.named;
        if known && let Some(quote) = &self.lists.failed {
            let tally = self.progress.finished_with_failures().unwrap_or(Tally::UNKNOWN);
            return Some(Reading::without_counts("phpunit", Said::Failed, quote.clone()))
                .map(|reading| Reading { tally, ..reading });
        }
        if known && let Some(tally) = self.progress.finished_with_failures() {
            let quote = self.progress.quote()?;
            return Some(Reading::from_tally("phpunit", tally, quote));
        }
        if let Some(quote) = &self.interrupted {
            return Some(Reading::without_counts("phpunit", Said::Unfinished(Reason::Killed), quote.clone()));
        }
        let header = self.header.clone()?;
        Some(Reading::without_counts("phpunit", Said::Unfinished(Reason::NoSummary), header))
    }
}

/// Whether an option of the command makes a failure of what the closing statement counts: the statement says `OK, but`.
fn fails_by_option(statement: &str, hint: Hint<'_>) -> bool {
    const OPTIONS: [(&str, &str); 6] = [
        ("--fail-on-risky", "Risky: "),
        ("--fail-on-warning", "Warnings: "),
        ("--fail-on-skipped", "Skipped: "),
        ("--fail-on-incomplete", "Incomplete: "),
        ("--fail-on-deprecation", "Deprecations: "),
        ("--fail-on-notice", "Notices: "),
    ];
    let asked = |option| hint.invocations.iter().any(|invocation| invocation.has_option(&[option]));
    OPTIONS.iter().any(|(option, word)| statement.contains(word) && asked(option))
}

fn case(name: &str, status: CaseStatus) -> Case {
    Case { name: name.to_owned(), file: None, status, message: None, file_level: false }
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use crate::testing::check;

    const HEADER: &str = "PHPUnit 12.5.19 by Sebastian Bergmann and contributors.\n\n";

    #[test]
    fn zero_is_zero_whatever_the_status() {
        let text = format!("{HEADER}No tests executed!\n");
        for exit in [0, 1] {
            check("phpunit", exit, &text, Outcome::NothingRan, Some(Reason::ZeroTests), [Some(0); 3]);
        }
    }

    #[test]
    fn a_word_that_is_not_known_is_no_pass() {
        let text = format!(
            "{HEADER}.\n\nTime: 00:00.1, Memory: 1 MB\n\nOK, but there were issues!\nTests: 1, Assertions: 1, Surprises: 1.\n"
        );
        check("phpunit", 0, &text, Outcome::Unknown, Some(Reason::NoSummary), [None; 3]);
    }

    #[test]
    fn pests_own_form_is_left_alone() {
        let text = "  PASS  Tests\\ATest\n  ✓ a\n\n  Tests:    1 failed, 3 passed (5 assertions)\n  Duration: 0.05s\n";
        check("vendor/bin/pest", 0, text, Outcome::Unknown, Some(Reason::NoSummary), [None; 3]);
    }

    #[test]
    fn older_paratest_orders_its_counts_otherwise() {
        let text = "ParaTest v7.3.1 upon PHPUnit 10.5.5 by Sebastian Bergmann and contributors.\n\n..F                                3 / 3 (100%)\n\nTime: 00:00.1, Memory: 1 MB\n\nThere was 1 failure:\n\n1) ATest::testC\nno\n\nFAILURES!\nTests: 3, Assertions: 3, Failures: 1, Errors: 0.\n";
        check("paratest", 1, text, Outcome::Failed, None, [Some(2), Some(1), Some(0)]);
    }

    #[test]
    fn what_an_option_makes_a_failure_is_none_without_it() {
        let text = "OK, but there were issues!\nTests: 1, Assertions: 0, Risky: 1.\n";
        let numbers = [Some(1), Some(0), Some(0)];
        check("phpunit --fail-on-risky | tail -2", 0, text, Outcome::Failed, None, numbers);
        check("phpunit --fail-on-notice | tail -2", 0, text, Outcome::Passed, None, numbers);
    }

    #[test]
    fn a_status_that_disagrees_is_said() {
        let text = format!("{HEADER}.\n\nTime: 00:00.1, Memory: 1 MB\n\nOK (1 test, 21 assertions)\n");
        let reason = Some(Reason::ExitDisagrees);
        check("phpunit", 1, &text, Outcome::Failed, reason, [Some(1), Some(0), Some(0)]);
    }
}
