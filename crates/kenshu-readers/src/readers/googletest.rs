//! GoogleTest: the text of its own printers, its XML and its JSON.

use kenshu_model::{Case, Quote, Reason, Tally};

use crate::marks::{LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod closing;
mod parallel;
mod report;

use closing::Closing;

pub(super) const READER: Reader = Reader {
    id: "googletest",
    name: "GoogleTest",
    versions: "1.8.1, 1.12, 1.15",
    formats: "text, XML, JSON",
    zero: "`[==========] 0 tests from 0 test suites ran.`, `[  PASSED  ] 0 tests.`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "[==========] ",
        "[  PASSED  ] ",
        "[  FAILED  ] ",
        "[ RUN      ] ",
        "Running main() from ",
        "\"AllTests\"",
        "result=\"completed\"",
        "FAILED TESTS (",
    ],
    commands: &[&["gtest-parallel"], &["gtest_parallel.py"]],
    list_options: &["--gtest_list_tests"],
    covers: &["junit-xml"],
    marks: Marks {
        failed: &[LineMark::Start("[  FAILED  ] ")],
        passed: &[LineMark::Start("[       OK ] ")],
        letters: None,
        plain: false,
    },
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = report::readings(stream);
    if let Some(reading) = parallel::reading(stream, hint.named) {
        readings.push(reading);
        return readings;
    }
    let runs = if is_foreign(stream) { Vec::new() } else { runs(stream) };
    if runs.is_empty() {
        readings.extend(list(stream, hint));
    }
    let has = |option: &str| hint.invocations.iter().any(|invocation| invocation.has_option(&[option]));
    let cut = Cut {
        brief: has("--gtest_brief"),
        repeats: has("--gtest_repeat"),
        anywhere: hint.invocations.iter().any(super::takes_lines_away),
        behind: hint
            .invocations
            .iter()
            .any(|invocation| super::takes_lines_away(invocation) && invocation.program != "tail"),
    };
    let last = stream.last_line().map_or(0, |line| line.number);
    readings.extend(runs.iter().filter_map(|run| run.reading(cut, last)));
    readings
}

/// Whether another runner prints in GoogleTest's manner (busted, cmocka, utest.h): its numbers mean other things.
fn is_foreign(stream: &Stream) -> bool {
    let mut others = stream.lines().filter(|line| line.text.starts_with('['));
    others.any(|line| {
        line.text.starts_with("[ SKIPPED  ] ")
            || line.text.starts_with("[  ERROR   ] ")
            || (line.text.starts_with("[==========] ") && mark(line.text).is_none())
    })
}

/// What the command line takes away.
#[derive(Clone, Copy)]
struct Cut {
    /// Some lines.
    anywhere: bool,
    /// Lines that would follow what is left.
    behind: bool,
    /// Not by the pipe: the command asks for the brief form, whose end doesn't list failed tests.
    brief: bool,
    /// The command asks for several runs.
    repeats: bool,
}

/// `RUN_ALL_TESTS()` once.
#[derive(Default)]
struct Run<'a> {
    /// `Running 3 tests from 2 test suites.`; `--gtest_brief=1` prints none.
    header: Option<(Line<'a>, u64)>,
    closing: Option<Closing<'a>>,
    /// How many closings stand here that no header announces.
    unannounced: usize,
    /// `[  FAILED  ] Suite.Name (0 ms)` before the closing.
    failing: Vec<(Line<'a>, Case)>,
    /// `file:line: Failure` above the next failing test: the file, and the line below.
    failure: Option<(&'a str, Option<&'a str>)>,
    tells_of_failure: bool,
    /// `Note: Google Test filter = …`.
    filtered: bool,
    lines: (u32, u32),
}

/// What a line means for where a run begins and ends.
enum Mark {
    Header(u64),
    Footer(u64),
    /// `Running main() from …`, `Repeating all tests (iteration 2) . . .`.
    Between,
    Filter,
}

fn mark(text: &str) -> Option<Mark> {
    if let Some(rest) = text.strip_prefix("[==========] ") {
        return match rest.strip_prefix("Running ") {
            Some(rest) => tests_from_suites(rest.strip_suffix('.')?).map(Mark::Header),
            None => {
                let (counts, time) = rest.split_once(" ran.")?;
                let timed = time.starts_with(" (") && time.ends_with(" ms total)");
                tests_from_suites(counts).filter(|_| time.is_empty() || timed).map(Mark::Footer)
            }
        };
    }
    if text.starts_with("Running main() from ") || text.starts_with("Repeating all tests (iteration ") {
        return Some(Mark::Between);
    }
    text.starts_with("Note: Google Test filter = ").then_some(Mark::Filter)
}

/// `3 tests from 2 test suites` → 3. Before 1.10 suites were called cases.
fn tests_from_suites(text: &str) -> Option<u64> {
    let (tests, suites) = text.split_once(" from ")?;
    let (_, word) = crate::numbers::number_and_word(suites)?;
    let (count, tests) = crate::numbers::number_and_word(tests)?;
    let known = matches!(word, "test suite" | "test suites" | "test case" | "test cases");
    (known && matches!(tests, "test" | "tests")).then_some(count)
}

/// The runs that are not inside another run's output. A footer belongs to the last open header with its number.
fn runs<'a>(stream: &'a Stream) -> Vec<Run<'a>> {
    let mut done: Vec<Run<'_>> = Vec::new();
    let mut open = Run::default();
    // Headers of runs inside the open run's output.
    let mut inner: Vec<u64> = Vec::new();
    let mut filtered = false;
    for line in stream.lines() {
        match mark(line.text) {
            Some(Mark::Header(total)) if open.header.is_some() && open.closing.is_none() => inner.push(total),
            Some(Mark::Header(total)) => {
                close(&mut done, &mut open);
                open.header = Some((line, total));
                open.filtered = std::mem::take(&mut filtered);
            }
            Some(Mark::Footer(total)) => {
                if let Some(at) = inner.iter().rposition(|other| *other == total) {
                    inner.truncate(at);
                    continue;
                }
                match open.header {
                    Some((_, announced)) if announced != total => continue,
                    Some(_) => {}
                    None => open.unannounced += 1,
                }
                inner.clear();
                open.closing = Some(Closing::new(line, total));
            }
            Some(Mark::Between) if open.closing.is_some() => close(&mut done, &mut open),
            Some(Mark::Between) => {}
            Some(Mark::Filter) => filtered = true,
            None => {
                if !open.take(line) {
                    continue;
                }
            }
        }
        open.touch(line.number);
    }
    open.filtered |= filtered;
    close(&mut done, &mut open);
    done
}

fn close<'a>(done: &mut Vec<Run<'a>>, open: &mut Run<'a>) {
    let run = std::mem::take(open);
    if run.header.is_some() || run.closing.is_some() || !run.failing.is_empty() {
        done.push(run);
    }
}

impl<'a> Run<'a> {
    fn touch(&mut self, number: u32) {
        let first = if self.lines.0 == 0 { number } else { self.lines.0 };
        self.lines = (first, number);
    }

    /// Whether the line says something of this run.
    fn take(&mut self, line: Line<'a>) -> bool {
        if let Some((_, below @ None)) = &mut self.failure {
            *below = Some(line.text);
        }
        if let Some(closing) = &mut self.closing {
            return closing.take(line);
        }
        if let Some(place) = line.text.strip_suffix(": Failure") {
            self.tells_of_failure = true;
            self.failure = place.rsplit_once(':').map(|(file, _)| (file, None));
            return self.header.is_some();
        }
        if let Some(name) = closing::failed_test(line.text) {
            let (file, message) = self.failure.take().unzip();
            let message = message.flatten();
            self.failing.push((line, closing::case(name, file, message)));
            return true;
        }
        if self.header.is_none()
            && closing::Statement::read(line.text).is_some_and(|statement| statement.stands_alone())
        {
            // The footer was cut away; what it closes with was not.
            let closing = self.closing.insert(Closing::without_footer(line));
            return closing.take(line);
        }
        self.header.is_some() && line.text.starts_with("[ ")
    }

    fn reading(&self, cut: Cut, last_of_stream: u32) -> Option<Reading> {
        let reading = match &self.closing {
            Some(_) if self.unannounced > 1 => self.ambiguous(),
            Some(closing) => self.closed(closing, cut, last_of_stream)?,
            None => self.unfinished(cut)?,
        };
        Some(reading.spanning(self.lines.0, self.lines.1))
    }

    fn closed(&self, closing: &Closing<'a>, cut: Cut, last_of_stream: u32) -> Option<Reading> {
        let failing = self.failing.len() as u64;
        let mut tally = closing.tally(failing);
        if cut.behind || closing.breaks_off() {
            // The number of disabled tests comes last.
            tally.skipped = None;
        }
        let said = if closing.says_failed() || tally.has_failure() {
            Said::Failed
        } else if closing.total.is_none() {
            // A lone `[  PASSED  ] 3 tests.` proves a pass only where nothing can have followed it.
            let is_last = closing.ends_at() == last_of_stream;
            let proven = cut.anywhere && !cut.behind && is_last && !cut.brief && !closing.is_brief();
            if proven { Said::of(&tally) } else { Said::Unfinished(Reason::OutputCut) }
        } else if tally.failed.is_none() {
            if failing > 0 { Said::Failed } else { Said::Unfinished(Reason::NoSummary) }
        } else if self.header.is_none() && failing > 0 {
            // A test's own output may hold a closing in which nothing failed.
            Said::Unfinished(Reason::Ambiguous)
        } else {
            self.said_of_nothing(Said::of(&tally))
        };
        let mut reading =
            Reading { tally, ..Reading::without_counts("googletest", said, closing.line.quote()) };
        reading = closing.quotes().fold(reading, Reading::quoting);
        if cut.behind || cut.repeats {
            reading = reading.summed();
        }
        Some(reading.naming(closing.cases(&self.failing)))
    }

    fn said_of_nothing(&self, said: Said) -> Said {
        if matches!(said, Said::NothingRan(_)) && self.tells_of_failure {
            // A failed set-up of the whole program skips every test.
            return Said::Unfinished(Reason::NoSummary);
        }
        if said == Said::NothingRan(Reason::ZeroTests) && self.filtered {
            return Said::NothingRan(Reason::FilterMatchedNothing);
        }
        said
    }

    /// Brief closings after each other: two programs, or one that printed a closing of its own.
    fn ambiguous(&self) -> Reading {
        match self.failing.first() {
            Some((line, _)) => Reading::without_counts("googletest", Said::Failed, line.quote()),
            None => {
                let quote = self
                    .closing
                    .as_ref()
                    .map_or_else(|| Quote::new(self.lines.1, ""), |end| end.line.quote());
                Reading::without_counts("googletest", Said::Unfinished(Reason::Ambiguous), quote)
            }
        }
    }

    fn unfinished(&self, cut: Cut) -> Option<Reading> {
        if let Some((first, _)) = self.failing.first() {
            let reading = Reading::without_counts("googletest", Said::Failed, first.quote());
            let reading =
                self.failing.iter().fold(reading, |reading, (line, _)| reading.quoting(line.quote()));
            return Some(reading.naming(self.failing.iter().map(|(_, case)| case.clone()).collect()));
        }
        let reason = if cut.anywhere { Reason::OutputCut } else { Reason::NoSummary };
        let (header, _) = self.header?;
        Some(Reading::without_counts("googletest", Said::Unfinished(reason), header.quote()))
    }
}

/// `--gtest_list_tests`: suites with a dot at the end, their tests below, and nothing else.
fn list(stream: &Stream, hint: Hint<'_>) -> Option<Reading> {
    let asked = hint.invocations.iter().any(|invocation| invocation.has_option(READER.list_options));
    let mut first = None;
    let mut tests = 0;
    let mut announced = false;
    for line in stream.lines().filter(|line| !line.text.is_empty()) {
        if line.text.starts_with("Running main() from ") {
            announced = true;
            continue;
        }
        let name = line.text.split("  # ").next().unwrap_or_default();
        let is_word = |name: &str| {
            !name.is_empty() && name.chars().all(|symbol| symbol.is_alphanumeric() || "_/".contains(symbol))
        };
        if name.strip_suffix('.').is_some_and(is_word) {
            first.get_or_insert(line);
        } else if first.is_some() && name.strip_prefix("  ").is_some_and(is_word) {
            tests += 1;
        } else {
            return None;
        }
    }
    let first = first.filter(|_| tests > 0 && (announced || asked))?;
    let reading = Reading::without_counts("googletest", Said::NothingRan(Reason::ListOnly), first.quote());
    Some(Reading { tally: Tally::ZERO, ..reading })
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
    fn a_closing_of_another_number_is_a_tests_own_output() {
        let text = "[==========] Running 3 tests from 1 test suite.\n\
            [==========] 9 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 9 tests.\n";
        check(text, "./t", Outcome::Unknown, Some(Reason::NoSummary), None);
    }

    #[test]
    fn the_last_line_alone_proves_a_pass_only_behind_tail() {
        let line = "[  PASSED  ] 3 tests.\n";
        check(line, "./t | tail -1", Outcome::Passed, None, Some(3));
        check(line, "./t | grep PASSED", Outcome::Unknown, Some(Reason::OutputCut), None);
        check(line, "./t --gtest_brief=1 | tail -1", Outcome::Unknown, Some(Reason::OutputCut), Some(3));
        let brief = "[  PASSED  ] 3 tests.\n[  SKIPPED ] 1 test.\n";
        check(brief, "./t | tail -2", Outcome::Unknown, Some(Reason::OutputCut), Some(3));
    }

    #[test]
    fn a_brief_closing_below_a_failed_test_is_in_doubt() {
        let text = "[  FAILED  ] Sum.D (0 ms)\n\
            [==========] 9 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 9 tests.\n";
        check(text, "./t", Outcome::Unknown, Some(Reason::Ambiguous), Some(9));
    }

    #[test]
    fn runners_in_its_manner_are_left_alone() {
        let text = "[==========] 3 test(s) run.\n[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n";
        check(text, "./t", Outcome::Unknown, Some(Reason::NoSummary), None);
    }

    #[test]
    fn forms_of_old_versions() {
        let text = "[==========] Running 1 test from 1 test case.\n\
            [==========] 1 test from 1 test case ran. (0 ms total)\n[  PASSED  ] 1 test.\n";
        check(text, "./t", Outcome::Passed, None, Some(1));
    }

    #[test]
    fn tests_in_processes_of_their_own() {
        let text = "[1/2] Sum.D returned/aborted with exit code 1 (3 ms)\n[2/2] Sum.A (2 ms)\n\
            FAILED TESTS (1/2):\n       3 ms: ./t Sum.D\n";
        check(text, "gtest-parallel ./t", Outcome::Failed, None, None);
    }
}
