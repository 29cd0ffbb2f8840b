//! prove and everything else that sums up TAP with TAP::Harness: `make test`, `./Build test`, pg_prove.
//!
//! `Tests=9` counts skipped and still-to-be-done entries too. A file that failed says how many it skipped, one that
//! passed does not. So how many passed is known where the entries themselves are printed (`-v`), or where every entry is
//! of a file that failed.

use std::sync::LazyLock;

use kenshu_model::count::FileTally;
use kenshu_model::{Case, CaseStatus, Reason, Tally};
use regex::Regex;

use super::tap::{self, parse};
use crate::filters::{Filters, Shape};
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

pub(super) const READER: Reader = Reader {
    id: "prove",
    name: "prove",
    versions: "TAP::Harness 3.44",
    formats: "text",
    zero: "`Files=0, Tests=0`, `Result: NOTESTS`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "Result: ",
        " wallclock secs",
        "FAILED--Further testing stopped",
        "Test Summary Report",
        "No tests named and ",
        "Cannot detect source of ",
        ".t ..",
    ],
    commands: &[&["prove"], &["pg_prove"], &["Build", "test"]],
    list_options: &["-D", "--dry"],
    covers: &["tap"],
    // What sums up is not the process that runs the tests: no test can print in its place.
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut run = Run::default();
    let filters = Filters::of(hint, stream);
    for line in stream.lines() {
        run.take(line);
        if run.is_over {
            readings.push(std::mem::take(&mut run).reading(&filters));
        }
    }
    if run.totals.is_some() || run.begun {
        readings.push(run.reading(&filters));
    } else if readings.is_empty() && hint.named {
        readings.extend(stream.lines().find_map(lone_result));
    }
    readings
}

/// One run, from its first file to its result.
#[derive(Default)]
struct Run<'a> {
    first: Option<u32>,
    lines: Vec<Line<'a>>,
    totals: Option<(Line<'a>, u64, u64)>,
    result: Option<(Line<'a>, &'a str)>,
    all_successful: Option<Line<'a>>,
    /// `Test Summary Report` with the files below it.
    in_report: bool,
    /// Whether that heading itself is there.
    has_heading: bool,
    files: Vec<File<'a>>,
    /// Of each file that failed, how many of its entries it says were skipped.
    skipped_of_failing: Vec<u64>,
    /// `t/a.t .. skipped: why`.
    skipped_files: Vec<Line<'a>>,
    interrupted: Option<Line<'a>>,
    bailed_out: Option<Line<'a>>,
    /// `Dubious, test returned 2 (wstat 512, 0x200)`.
    dubious: Option<Line<'a>>,
    /// Whether prove says that it knows no such file or option.
    misused: bool,
    /// Whether something of the harness stands before the totals.
    begun: bool,
    is_over: bool,
}

/// `t/a.t (Wstat: 512 (exited 2) Tests: 6 Failed: 2)` with what follows it.
struct File<'a> {
    line: Line<'a>,
    name: &'a str,
    tests: u64,
    failed: u64,
    todo_passed: u64,
    bad_plan: bool,
    detail: Option<&'a str>,
    exit_differs: bool,
}

impl<'a> Run<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text.trim_end();
        if self.totals.is_some() {
            self.take_end(line, text);
            return;
        }
        self.lines.push(line);
        if let Some((files, tests)) = totals(text) {
            self.totals = Some((line, files, tests));
        } else if text == "Test Summary Report" {
            self.in_report = true;
            self.has_heading = true;
            self.begun = true;
        } else if text == "All tests successful." {
            self.all_successful = Some(line);
        } else if text == "Test run interrupted!" {
            self.interrupted = Some(line);
        } else if text.starts_with("FAILED--Further testing stopped") {
            self.bailed_out = Some(line);
            self.begun = true;
            self.is_over = true;
        } else if is_misuse(text) {
            self.misused = true;
        } else if self.in_report || text.contains(" (Wstat: ") {
            self.take_report(line, text);
        } else if is_file_line(text) {
            self.first.get_or_insert(line.number);
            self.begun |= text.contains(".t ..");
            if text.contains(" skipped: ") || text.ends_with(" skipped") {
                self.skipped_files.push(line);
            }
        } else if text.starts_with("Dubious, test returned ") {
            self.dubious.get_or_insert(line);
            self.begun = true;
        } else if text.contains(" subtest") {
            self.take_subtests(text);
        }
    }

    /// `Failed 2/6 subtests`, and below it `(less 1 skipped subtest: 3 okay)` where any was skipped.
    fn take_subtests(&mut self, text: &str) {
        if let Some(rest) = text.strip_prefix("\t(less ") {
            if let Some(skipped) = self.skipped_of_failing.last_mut()
                && let Some((number, _)) = rest.split_once(" skipped subtest")
            {
                *skipped = number.parse().unwrap_or(0);
            }
        } else if (text.starts_with("Failed ") && text.ends_with(" subtests"))
            || (text.starts_with("All ") && text.ends_with(" subtests passed"))
            || text == "No subtests run"
        {
            self.skipped_of_failing.push(0);
        }
    }

    fn take_end(&mut self, line: Line<'a>, text: &'a str) {
        if let Some(word) = text.strip_prefix("Result: ") {
            self.result = Some((line, word));
            self.is_over = true;
        } else if text.starts_with("Failed ") && text.contains(" test scripts")
            || text.starts_with("make: *** ")
        {
            self.is_over = true;
        }
    }

    fn take_report(&mut self, line: Line<'a>, text: &'a str) {
        static FILE: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^(.+?) +\(Wstat: (\d+|\(none\))(?: \([^()]*\))? Tests: (\d+) Failed: (\d+)\)$")
                .expect("pattern of a file")
        });
        if let Some(captures) = FILE.captures(text) {
            let number =
                |index: usize| captures.get(index).map_or(0, |part| part.as_str().parse().unwrap_or(0));
            self.files.push(File {
                line,
                name: captures.get(1).map_or("", |name| name.as_str()),
                tests: number(3),
                failed: number(4),
                todo_passed: 0,
                bad_plan: false,
                detail: None,
                exit_differs: number(2) > 0,
            });
            self.in_report = true;
            self.begun = true;
            return;
        }
        let Some(file) = self.files.last_mut() else { return };
        if let Some(list) = text.strip_prefix("  TODO passed:") {
            file.todo_passed = count_of_ranges(list);
        } else if let Some(detail) = text.strip_prefix("  ") {
            file.bad_plan |= detail.starts_with("Parse errors: ");
            file.detail.get_or_insert(detail);
        }
    }

    fn reading(self, filters: &Filters<'_>) -> Reading {
        let failing: Vec<&File<'_>> = self.files.iter().filter(|file| file.fails()).collect();
        let said = self.said(&failing, !filters.is_empty());
        let tally = match said {
            Said::NothingRan(Reason::OnlySkipped) => Tally { skipped: None, ..Tally::ZERO },
            Said::NothingRan(_) => Tally::ZERO,
            Said::Passed | Said::Failed | Said::CouldNotRun(_) | Said::Unfinished(_) | Said::Status(_) => {
                self.tally(said, &failing, filters)
            }
        };
        let last = self.lines.last().copied();
        let totals = self.totals.map(|(line, ..)| line);
        let result = self.result.map(|(line, _)| line);
        let mut quotes =
            [self.interrupted, self.bailed_out, totals, result, self.dubious].into_iter().flatten();
        let opening = quotes.next().or(failing.first().map(|file| file.line)).or(last);
        let quote = opening.map_or_else(|| kenshu_model::Quote::new(0, ""), |line| line.quote());
        let mut reading = Reading { tally, ..Reading::without_counts("prove", said, quote) };
        reading = quotes.map(|line| line.quote()).fold(reading, Reading::quoting);
        reading = failing.iter().map(|file| file.line.quote()).fold(reading, Reading::quoting);
        if let Said::NothingRan(Reason::OnlySkipped) = said {
            reading = self.skipped_files.iter().map(|line| line.quote()).fold(reading, Reading::quoting);
        }
        let entries = parse::blocks(self.lines.iter().copied()).first().map(|block| block.lines.0);
        let first = self.first.into_iter().chain(entries).min().unwrap_or(reading.lines.0);
        let last = last.map_or(first, |line| line.number);
        reading.files = self.file_tally(&failing);
        let cases = self.cases(&failing);
        reading.spanning(first, last).naming(cases)
    }

    fn said(&self, failing: &[&File<'_>], cut: bool) -> Said {
        let tests = self.totals.map(|(_, _, tests)| tests);
        if self.interrupted.is_some() && !failing.iter().any(|file| file.failed > 0) {
            return Said::Unfinished(Reason::Killed);
        }
        if self.bailed_out.is_some() || !failing.is_empty() {
            return Said::Failed;
        }
        match self.result.map(|(_, word)| word) {
            Some("FAIL") => Said::Failed,
            Some("NOTESTS") if !self.skipped_files.is_empty() => Said::NothingRan(Reason::OnlySkipped),
            Some("NOTESTS") if self.misused => Said::CouldNotRun(Reason::UsageError),
            Some("NOTESTS") => Said::NothingRan(Reason::ZeroTests),
            Some("PASS") if tests != Some(0) => Said::Passed,
            Some(_) => Said::Unfinished(Reason::NoSummary),
            // Test::Harness 2 prints no result; it says this line only where nothing failed.
            None if self.all_successful.is_some() && tests.is_some_and(|tests| tests > 0) => Said::Passed,
            None if self.dubious.is_some() => Said::Failed,
            None if cut => Said::Unfinished(Reason::OutputCut),
            None => Said::Unfinished(Reason::NoSummary),
        }
    }

    /// The entries of `-v`, where they are exactly those that prove counted; else what the report says of failures.
    fn tally(&self, said: Said, failing: &[&File<'_>], filters: &Filters<'_>) -> Tally {
        let Some((_, _, tests)) = self.totals else { return Tally::UNKNOWN };
        let not_loaded = failing.iter().filter(|file| file.tests == 0).count() as u64;
        let blocks = parse::blocks(self.lines.iter().copied());
        let sums = blocks.iter().fold(tap::sums::Sums::default(), |sums, block| sums.plus(&block.sums()));
        if tests > 0
            && sums.total() == tests
            && blocks.iter().all(|block| block.version.is_some() || block.plan.is_some())
        {
            return Tally {
                expected_failures: Some(sums.todo_failed),
                unexpected_passes: Some(sums.todo_passed),
                load_errors: Some(not_loaded),
                ..Tally::of(sums.passed, sums.failed, sums.skipped)
            };
        }
        let todo_passed = self.files.iter().map(|file| file.todo_passed).sum();
        let unknown = Tally { passed: None, skipped: None, expected_failures: None, ..Tally::ZERO };
        if said == Said::Passed {
            return Tally { unexpected_passes: Some(todo_passed), ..unknown };
        }
        if self.files.is_empty() || !self.report_is_whole(filters) {
            return Tally::UNKNOWN;
        }
        // Entries that a broken plan announces and that never came are neither failed nor passed.
        let is_whole = !self.files.iter().any(|file| file.bad_plan);
        let failed: u64 = self.files.iter().map(|file| file.failed).sum();
        let tally = Tally {
            failed: is_whole.then_some(failed),
            load_errors: Some(not_loaded),
            unexpected_passes: Some(todo_passed),
            ..unknown
        };
        match self.skipped(failing, filters) {
            _ if is_whole && failed == tests && tests > 0 => {
                Tally { passed: Some(0), skipped: Some(0), expected_failures: Some(0), ..tally }
            }
            // "3 okay" has the still-to-be-done ones in it that failed as expected.
            Some(skipped) => Tally {
                passed: tests.checked_sub(failed + skipped + todo_passed),
                // A file that was skipped as a whole doesn't say how many tests it has.
                skipped: self.skipped_files.is_empty().then_some(skipped),
                expected_failures: Some(0),
                ..tally
            },
            None => tally,
        }
    }

    /// Whether no file that failed can be missing in the report, nor what stands below one.
    fn report_is_whole(&self, filters: &Filters<'_>) -> bool {
        const FILE: Shape = Shape { start: "", inside: &[" (Wstat: ", " Tests: ", " Failed: "] };
        const ERRORS: Shape = Shape::starting("  Parse errors: ");
        let all_there = self.totals.is_some_and(|(_, files, _)| files == self.files.len() as u64);
        filters.is_empty()
            || (filters.only_tail() && (self.has_heading || all_there))
            || (filters.keep(&FILE) && filters.keep(&ERRORS))
    }

    /// How many entries were skipped, where every entry is of a file that failed and said so.
    fn skipped(&self, failing: &[&File<'_>], filters: &Filters<'_>) -> Option<u64> {
        let (_, _, tests) = self.totals?;
        let of_failing: u64 = failing.iter().map(|file| file.tests).sum();
        let all_said = self.skipped_of_failing.len() == failing.len() && filters.only_tail();
        (of_failing == tests && all_said).then(|| self.skipped_of_failing.iter().sum())
    }

    fn file_tally(&self, failing: &[&File<'_>]) -> Option<FileTally> {
        let (_, total, _) = self.totals?;
        let failed = failing.len() as u64;
        Some(FileTally { passed: total.checked_sub(failed)?, failed, total })
    }

    /// Failed files, or with `-v` their failed entries.
    fn cases(&self, failing: &[&File<'_>]) -> Vec<Case> {
        let entries: Vec<Case> =
            parse::blocks(self.lines.iter().copied()).iter().flat_map(tap::cases).collect();
        if !entries.is_empty() {
            return entries;
        }
        let case = |file: &&File<'_>| Case {
            name: file.name.to_owned(),
            file: Some(file.name.to_owned()),
            status: CaseStatus::Failed,
            message: file.detail.map(str::to_owned),
            file_level: true,
        };
        failing.iter().map(case).collect()
    }
}

impl File<'_> {
    /// A file stands in the report also where a test passed that was marked as still to be done.
    fn fails(&self) -> bool {
        self.failed > 0 || self.bad_plan || self.exit_differs
    }
}

/// `Files=2, Tests=9,  0 wallclock secs ( … )`.
fn totals(text: &str) -> Option<(u64, u64)> {
    let (files, rest) = text.strip_prefix("Files=")?.split_once(", Tests=")?;
    let (tests, rest) = rest.split_once(',')?;
    rest.contains(" wallclock secs").then_some(())?;
    Some((files.parse().ok()?, tests.parse().ok()?))
}

/// `t/a.t .. ok`, `t/a.t ....... skipped: no network`; in Test::Harness 2 without blanks around the dots.
fn is_file_line(text: &str) -> bool {
    let Some(at) = text.find("..") else { return false };
    let name = text[..at].trim_end();
    let rest = text[at..].trim_start_matches('.').trim_start();
    let ends = ["ok", "skipped", "Dubious", "Failed", "No subtests"];
    !name.is_empty()
        && !name.contains(' ')
        && (rest.is_empty() || ends.iter().any(|end| rest.starts_with(end)))
}

fn is_misuse(text: &str) -> bool {
    text.starts_with("Cannot detect source of ") || text.starts_with("Unknown option: ")
}

/// How many numbers `2, 4-6` names.
fn count_of_ranges(list: &str) -> u64 {
    let one = |part: &str| match part.trim().split_once('-') {
        Some((first, last)) => {
            let first: u64 = first.parse().ok()?;
            last.parse::<u64>().ok()?.checked_sub(first).map(|more| more + 1)
        }
        None => part.trim().parse::<u64>().ok().map(|_| 1),
    };
    list.split(',').filter_map(one).sum()
}

/// The last line alone, or what prove says where it ran nothing. Needs the command to name prove.
fn lone_result(line: Line<'_>) -> Option<Reading> {
    let text = line.text.trim_end();
    let said = match text {
        "Result: PASS" => Said::Passed,
        "Result: FAIL" => Said::Failed,
        "Result: NOTESTS" => Said::NothingRan(Reason::ZeroTests),
        _ if text.starts_with("No tests named and ") => Said::NothingRan(Reason::NoTestFiles),
        _ if is_misuse(text) => Said::CouldNotRun(Reason::UsageError),
        _ => return None,
    };
    let reading = Reading::without_counts("prove", said, line.quote());
    Some(if said == Said::NothingRan(Reason::ZeroTests) {
        Reading { tally: Tally::ZERO, ..reading }
    } else {
        reading
    })
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

    #[test]
    fn entries_that_never_came_are_not_counted() {
        let text = "Test Summary Report\n-------------------\n\
            t/a.t (Wstat: 65280 (exited 255) Tests: 2 Failed: 1)\n  Parse errors: Bad plan.\n\
            Files=1, Tests=2,  0 wallclock secs ( 0.02 usr )\nResult: FAIL\n";
        let count = count_with(&[READER], text.as_bytes(), &Context::default());
        assert_eq!((count.outcome, count.tally.failed), (Outcome::Failed, None));
    }

    const FAILED: &str = "t/a.t .. \nDubious, test returned 1 (wstat 256, 0x100)\nFailed 1/5 subtests \n\
        \t(less 2 skipped subtests: 2 okay)\n";
    const REPORT: &str = "\nTest Summary Report\n-------------------\n\
        t/a.t (Wstat: 256 (exited 1) Tests: 5 Failed: 1)\n  Failed test:  2\n";

    #[track_caller]
    fn check_failed(text: &str, command: &str, numbers: [Option<u64>; 3]) {
        let count =
            count_with(&[READER], text.as_bytes(), &Context { command: Some(command), ..Context::default() });
        assert_eq!(count.outcome, Outcome::Failed, "{command}\n{text}");
        let tally = count.tally;
        assert_eq!([tally.passed, tally.failed, tally.skipped], numbers, "{command}\n{text}");
    }

    #[test]
    fn a_file_that_failed_says_what_it_skipped() {
        let end = "Files=1, Tests=5,  0 wallclock secs ( 0.02 usr )\nResult: FAIL\n";
        let text = format!("{FAILED}{REPORT}{end}");
        let all = [Some(2), Some(1), Some(2)];
        check_failed(&text, "prove", all);
        check_failed(&text, "prove | tail -11", all);
        // The line about skipped ones may be gone.
        check_failed(
            &text.replace("\t(less 2 skipped subtests: 2 okay)\n", ""),
            "prove | grep -v less",
            [None; 3],
        );
        check_failed(&format!("{REPORT}{end}"), "prove | tail -9", [None, Some(1), None]);
        let files = "t/a.t (Wstat: 256 (exited 1) Tests: 5 Failed: 1)\nFiles=1, Tests=5, 0 wallclock secs\n";
        check_failed(files, "prove | grep -E 'Files=|Wstat|Parse errors'", [None, Some(1), None]);
        check_failed(files, "prove | tail -2", [None, Some(1), None]);
    }

    #[test]
    fn what_a_file_that_passed_skipped_is_not_known() {
        let end = "Files=2, Tests=8,  0 wallclock secs ( 0.02 usr )\nResult: FAIL\n";
        check_failed(&format!("{FAILED}t/b.t .. ok\n{REPORT}{end}"), "prove", [None, Some(1), None]);
        // The report of another file may be cut off.
        let report = REPORT.trim_start_matches(['\n', '-']).split_once("---\n").unwrap_or_default().1;
        check_failed(&format!("{report}{end}"), "prove | tail -4", [None, None, None]);
        let end = "Files=2, Tests=5,  0 wallclock secs ( 0.02 usr )\nResult: FAIL\n";
        let skipped = "t/c.t .. skipped: no network\n";
        check_failed(&format!("{FAILED}{skipped}{REPORT}{end}"), "prove", [Some(2), Some(1), None]);
    }

    #[test]
    fn a_run_without_its_end_is_no_pass() {
        let text = "t/a.t .. \n1..1\nok 1\nok\n";
        check(text, "prove -v", Outcome::Unknown, Some(Reason::NoSummary), None);
        check("t/a.t .. ok\nt/b.t .. ok\n", "make test", Outcome::Unknown, Some(Reason::NoSummary), None);
    }

    #[test]
    fn the_form_of_test_harness_2() {
        let text = "t/a....ok\nAll tests successful.\nFiles=1, Tests=3,  0 wallclock secs ( 0.02 cusr )\n";
        check(text, "make test", Outcome::Passed, None, None);
    }

    #[test]
    fn a_lone_result_needs_the_commands_name() {
        check("Result: PASS\n", "prove | tail -1", Outcome::Passed, None, None);
        check("Result: PASS\n", "./run.sh", Outcome::Unknown, Some(Reason::NoSummary), None);
    }
}
