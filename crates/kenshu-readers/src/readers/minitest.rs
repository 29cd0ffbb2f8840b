//! `minitest`: Minitest's closing line, also as Rails and minitest-reporters print it.
//!
//! The order is: a header (`# Running:`), the progress, `Finished in …`, what failed, and the closing line. A line of the
//! closing line's shape before `Finished in …` was printed by a test.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use crate::command::Invocation;
use crate::marks::{Letters, LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

pub(super) const READER: Reader = Reader {
    id: "minitest",
    name: "Minitest",
    versions: "5.17.0, 5.25.4, 6.0.6; Rails 7.2.2; minitest-reporters 1.0.19; parallel_tests 4.1.0",
    formats: "text",
    zero: "\"0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\"; exit 0 (6.0 with a filter: exit 1)",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        " assertions, ",
        "# Running",
        "Started with run options",
        "Interrupted. Exiting...",
        "(LoadError)",
        "(SyntaxError)",
        "(NameError)",
        "(NoMethodError)",
    ],
    commands: &[
        &["rake", "test"],
        &["rails", "test"],
        &["rails", "test:all"],
        &["rails", "test:system"],
        &["spring", "testunit"],
        &["ruby", "-Itest"],
        &["ruby", "-Itest:lib"],
        &["ruby", "-Ilib:test"],
        &["ruby", "-I", "test"],
        &["parallel_test"],
        &["minitest"],
        &["mtest"],
    ],
    list_options: &[],
    covers: &[],
    marks: Marks {
        failed: &[LineMark::End(" s = F"), LineMark::End(" s = E")],
        passed: &[LineMark::End(" s = .")],
        letters: Some(Letters { passed: '.', failed: "FE", others: "S" }),
        plain: false,
    },
    read,
};

/// `SummaryReporter#summary`; Minitest 4 and minitest-reporters say "tests"; `--Werror` adds the warnings. The words are
/// plural whatever the number. test-unit's line has other fields behind "errors".
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips(?:, \d+ warnings)?$",
    )
    .expect("valid pattern")
});

static FINISHED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^Finished (?:tests )?in \d+\.\d+s(?:, [\d.]+ (?:runs|tests)/s, [\d.]+ assertions/s\.)?$")
        .expect("valid pattern")
});

/// `  1) Failure:`; Rails and the default reporter leave the number out.
static KIND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:\s*\d+\) )?(Failure|Error|Skipped):$").expect("valid pattern"));

/// `T#test_d [test_a.rb:6]:`, and without the place for errors.
static NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.+#.+?)(?: \[(.+?):\d+\])?:?$").expect("valid pattern"));

/// `  test_d    FAIL (0.00s)` of minitest-reporters.
static REPORTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^ {0,2}(?:\S.*)?(?:FAIL|ERROR) ?[\[(]").expect("valid pattern"));

/// An exception that nobody caught, as the interpreter prints it.
static UNCAUGHT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\S.*:\d+:(?:in .+?:)? .+ \((?:\w+::)*\w*(?:Error|Exception)\)$").expect("valid pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut runs = Runs::default();
    for line in stream.lines() {
        runs.take(line);
    }
    runs.leave_open();
    let Runs { mut readings, lone, seen, uncaught, .. } = runs;
    if readings.is_empty() && !seen {
        readings.extend(lone.filter(|lone| lone.is_likely(hint)).map(|lone| lone.reading));
    }
    if readings.is_empty()
        && !seen
        && let Some(quote) = uncaught
        && (hint.named || hint.invocations.iter().any(runs_test_file))
    {
        let tally = Tally { load_errors: Some(1), ..Tally::ZERO };
        readings.push(Reading::from_tally("minitest", tally, quote));
    }
    readings
}

/// `ruby a_test.rb`, `ruby test_a.rb`: the file's name says what it is.
fn runs_test_file(invocation: &Invocation) -> bool {
    invocation.program == "ruby"
        && invocation.arguments.iter().any(|argument| {
            let name = argument.rsplit('/').next().unwrap_or(argument);
            name.ends_with("_test.rb") || (name.starts_with("test_") && name.ends_with(".rb"))
        })
}

/// A closing line without the lines that stand above it.
struct Lone {
    reading: Reading,
    /// Whether nothing stands before it.
    is_first: bool,
}

impl Lone {
    /// Whether a pipe left only this line. Five fields in this order are Minitest's own, but any program can print them.
    fn is_likely(&self, hint: Hint<'_>) -> bool {
        let cut = hint.invocations.iter().any(super::takes_lines_away);
        let only_echo = !hint.invocations.is_empty() && hint.invocations.iter().all(super::runs_no_test);
        (cut || self.is_first) && !only_echo
    }
}

#[derive(Default)]
struct Runs {
    readings: Vec<Reading>,
    lone: Option<Lone>,
    /// Whether a header or `Finished in …` was seen at all.
    seen: bool,
    has_text: bool,
    uncaught: Option<Quote>,
    /// Headers of runs that began and have not ended: several where processes write at the same time.
    open: Vec<Quote>,
    /// How many `Finished in …` lines still wait for their closing line.
    finished: usize,
    filtered: Option<Quote>,
    interrupted: Option<Quote>,
    failure: Option<Quote>,
    cases: Vec<Case>,
    status: Option<CaseStatus>,
    awaits_message: bool,
}

impl Runs {
    fn take(&mut self, line: Line<'_>) {
        let text = line.text;
        if self.name_or_message(line) {
            return;
        }
        if let Some(tally) = summary(text) {
            self.close(tally, line);
        } else if text.starts_with("# Running") || text.starts_with("Started with run options") {
            self.seen = true;
            self.open.push(line.quote());
        } else if text.starts_with("Finished ") && FINISHED.is_match(text) {
            self.seen = true;
            self.finished += 1;
        } else if text.starts_with("Nothing ran for filter: ") {
            self.filtered = Some(line.quote());
        } else if let Some(options) = text.strip_prefix("Run options: ") {
            let selects = ["-n ", "--name", "-i ", "--include"].iter().any(|option| options.contains(option));
            self.filtered = self.filtered.take().or_else(|| selects.then(|| line.quote()));
        } else if text.ends_with("Interrupted. Exiting...") {
            self.interrupted = Some(line.quote());
        } else if text.starts_with("SimpleCov failed with exit ") {
            if let Some(last) = self.readings.pop() {
                // The run as a whole fails: coverage is below the limit that the project set.
                self.readings.push(last.saying(Said::Failed).quoting(line.quote()));
            }
        } else if !self.open.is_empty() || self.finished > 0 {
            self.failing_line(line);
        } else if text.ends_with(')') && UNCAUGHT.is_match(text) {
            self.uncaught.get_or_insert_with(|| line.quote());
        }
        self.has_text |= !text.trim().is_empty();
    }

    fn failing_line(&mut self, line: Line<'_>) {
        let text = line.text;
        if text.ends_with(':')
            && let Some(kind) = KIND.captures(text)
        {
            let skipped = &kind[1] == "Skipped";
            self.status = Some(if skipped { CaseStatus::Skipped } else { CaseStatus::Failed });
            if !skipped {
                self.failure.get_or_insert_with(|| line.quote());
            }
        } else if (text.contains("FAIL") || text.contains("ERROR")) && REPORTED.is_match(text) {
            self.failure.get_or_insert_with(|| line.quote());
        }
    }

    /// The lines below `Failure:`: first the test's name, then its message.
    fn name_or_message(&mut self, line: Line<'_>) -> bool {
        if let Some(status) = self.status.take() {
            let Some(name) = NAME.captures(line.text) else { return false };
            self.cases.push(Case {
                name: name[1].to_owned(),
                file: name.get(2).map(|file| file.as_str().to_owned()),
                status,
                message: None,
                file_level: false,
            });
            self.awaits_message = true;
            return true;
        }
        if std::mem::take(&mut self.awaits_message)
            && summary(line.text).is_none()
            && let Some(case) = self.cases.last_mut()
        {
            case.message = Some(line.text.trim().to_owned()).filter(|message| !message.is_empty());
            return true;
        }
        false
    }

    fn close(&mut self, tally: Tally, line: Line<'_>) {
        let reading = Reading::from_tally("minitest", tally, line.quote());
        if self.finished > 0 {
            self.finished -= 1;
            let reading = self.ended(reading);
            self.readings.push(reading);
        } else if self.open.is_empty() && self.seen && !self.readings.is_empty() {
            // A failure's message held a line of this shape: the last one is Minitest's own.
            let before = self.readings.pop();
            self.readings.extend(before.map(|before| Reading { cases: before.cases, ..reading }));
        } else if !self.seen {
            self.lone = Some(Lone { reading, is_first: !self.has_text });
        }
    }

    /// Adds what was seen in the run to its closing line's reading.
    fn ended(&mut self, reading: Reading) -> Reading {
        let others_are_open = self.open.len() > 1;
        let first = self.open.pop().map_or(reading.lines.0, |header| header.line);
        let last = reading.lines.1;
        let mut reading = reading.spanning(first, last).naming(std::mem::take(&mut self.cases));
        if !others_are_open {
            self.failure = None;
        }
        let filtered = self.filtered.take();
        if let (Said::NothingRan(Reason::ZeroTests), Some(quote)) = (reading.said, filtered) {
            reading = reading.saying(Said::NothingRan(Reason::FilterMatchedNothing)).quoting(quote);
        }
        if let Some(quote) = self.interrupted.take()
            && reading.said != Said::Failed
        {
            reading = reading.saying(Said::Unfinished(Reason::Killed)).quoting(quote);
        }
        reading
    }

    /// The runs that began and have no closing line.
    fn leave_open(&mut self) {
        let headers = std::mem::take(&mut self.open);
        if headers.is_empty() && self.finished == 0 {
            return;
        }
        let (said, quote) = match (&self.failure, &self.interrupted, headers.first()) {
            (Some(failure), _, _) => (Said::Failed, failure),
            (None, Some(interrupted), _) => (Said::Unfinished(Reason::Killed), interrupted),
            (None, None, Some(header)) => (Said::Unfinished(Reason::NoSummary), header),
            (None, None, None) => return,
        };
        let reading = Reading::without_counts("minitest", said, quote.clone());
        self.readings.push(reading.naming(std::mem::take(&mut self.cases)));
    }
}

fn summary(text: &str) -> Option<Tally> {
    if !text.starts_with(|first: char| first.is_ascii_digit()) || !text.contains(" assertions, ") {
        return None;
    }
    let groups = SUMMARY.captures(text)?;
    let number = |index: usize| groups[index].parse::<u64>().ok();
    let (runs, failed, errored, skipped) = (number(1)?, number(2)?, number(3)?, number(4)?);
    let passed = runs.checked_sub(failed)?.checked_sub(errored)?.checked_sub(skipped)?;
    Some(Tally { errored: Some(errored), ..Tally::of(passed, failed, skipped) })
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use crate::testing::check;

    #[test]
    fn test_unit_is_not_misread() {
        let text = "Loaded suite a\nStarted\n...\nFinished in 0.000435234 seconds.\n-----\n3 tests, 3 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n100% passed\n";
        check("ruby test_a.rb", 0, text, Outcome::Unknown, Some(Reason::NoSummary), [None; 3]);
    }

    #[test]
    fn an_echoed_line_is_no_pass() {
        let text = "3 runs, 3 assertions, 0 failures, 0 errors, 0 skips\n";
        check("cat log", 0, text, Outcome::NothingRan, Some(Reason::NoTestCommand), [None; 3]);
        check("ruby test_a.rb | tail -1", 0, text, Outcome::Passed, None, [Some(3), Some(0), Some(0)]);
    }

    #[test]
    fn warnings_as_errors_are_counted_apart() {
        let text = "# Running:\n\n.\n\nFinished in 0.001s, 1.0 runs/s, 1.0 assertions/s.\n\n1 runs, 1 assertions, 0 failures, 0 errors, 0 skips, 0 warnings\n";
        check("ruby test_a.rb", 0, text, Outcome::Passed, None, [Some(1), Some(0), Some(0)]);
    }

    #[test]
    fn processes_that_write_at_the_same_time_are_summed() {
        let text = "# Running:\n\n# Running:\n\nFinished in 0.1s, 1.0 runs/s, 1.0 assertions/s.\nFinished in 0.1s, 1.0 runs/s, 1.0 assertions/s.\n\n1 runs, 1 assertions, 0 failures, 0 errors, 0 skips\n2 runs, 1 assertions, 0 failures, 0 errors, 0 skips\n";
        check("parallel_test", 0, text, Outcome::Passed, None, [Some(3), Some(0), Some(0)]);
        let died = text.replace("2 runs, 1 assertions, 0 failures, 0 errors, 0 skips\n", "");
        check("parallel_test", 0, &died, Outcome::Unknown, Some(Reason::NoSummary), [None; 3]);
    }
}
