//! unittest and what prints like it: Django, nose2, nose, trial, xmlrunner, testtools; doctest, zope.testrunner, stestr.
//!
//! `Ran N tests` counts methods, `failures=` and `errors=` count what went wrong: subtests, class fixtures and modules
//! that could not be imported are in the second and not in the first. The headings say which is which.

mod closing;
mod headings;
mod relatives;

use kenshu_model::{Reason, Tally};

use crate::marks::{Letters, LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::readers::takes_lines_away;
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

use closing::{Closing, Verdict, Words};
use headings::Heading;

pub(super) const READER: Reader = Reader {
    id: "unittest",
    name: "unittest",
    versions: "Python 2.7, 3.6, 3.8 to 3.13; Django 5, nose2 0.16, Twisted 26, unittest-xml-reporting",
    formats: "text",
    zero: "`Ran 0 tests in 0.000s` and `OK`, status 0; from Python 3.12 `NO TESTS RAN`, status 5",
    samples: Samples::Recorded,
    specificity: Specificity::Family,
    needles: &["Ran ", "Test passed.", "***Test Failed***", "\nPASSED", "Total: "],
    commands: &[
        &["python", "-m", "unittest"],
        &["python", "manage.py", "test"],
        &["manage.py", "test"],
        &["django-admin", "test"],
        &["python", "-m", "django", "test"],
        &["python", "setup.py", "test"],
        &["nose2"],
        &["python", "-m", "nose2"],
        &["nosetests"],
        &["trial"],
        &["python", "-m", "twisted.trial"],
        &["python", "-m", "xmlrunner"],
        &["python", "-m", "testtools.run"],
        &["coverage", "run", "-m", "unittest"],
        &["coverage", "run", "manage.py", "test"],
        &["python", "-m", "doctest"],
        &["zope-testrunner"],
        &["stestr"],
        &["green"],
    ],
    list_options: &["--list-tests", "--help", "-h", "list"],
    covers: &[],
    marks: Marks {
        failed: &[LineMark::End(") ... FAIL"), LineMark::End(") ... ERROR")],
        passed: &[LineMark::End(") ... ok")],
        letters: Some(Letters { passed: '.', failed: "FE", others: "sxu" }),
        plain: false,
    },
    read,
};

/// Lines between `Ran N tests` and the verdict: one is blank; a thread's output may come between.
const LINES_BETWEEN_MAX: usize = 4;

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    // Without the name from the command, a run is known by its closing line.
    let closes = |needle| stream.lines_with(needle).any(|line| closing::ran(line.text).is_some());
    let mut readings = if hint.named || closes("Ran ") { blocks(stream, hint) } else { Vec::new() };
    if hint.named || stream.contains_any(&relatives::WORDS) {
        readings.extend(relatives::read(stream, hint));
    }
    if readings.is_empty() && hint.named {
        readings.extend(stream.lines().find_map(refused));
    }
    readings
}

/// `usage: python -m unittest [-h] …` and the line that says what is wrong.
fn refused(line: Line<'_>) -> Option<Reading> {
    let text = line.text;
    let usage = (text.contains("unittest: error: ") || text.contains("manage.py test: error: "))
        || (text.starts_with("nose2: error: ") || text.starts_with("Unknown command: "));
    let missing = text.contains("python")
        && [
            ": No module named unittest",
            ": No module named nose2",
            ": No module named xmlrunner",
            ": No module named django",
        ]
        .iter()
        .any(|end| text.ends_with(end));
    let reason = match (usage, missing) {
        (true, _) => Reason::UsageError,
        (false, true) => Reason::Environment,
        (false, false) => return None,
    };
    Some(Reading::without_counts(READER.id, Said::CouldNotRun(reason), line.quote()))
}

/// What stands between two closing lines.
#[derive(Default)]
struct Open<'a> {
    first: Option<Line<'a>>,
    last: u32,
    headings: Vec<Heading<'a>>,
    /// The line before this one was `=====`: a heading follows.
    at_heading: bool,
    /// The marks of a line of progress.
    marks: Option<&'a str>,
    /// Lines of `-v` that end with ` ... ok`.
    oks: u64,
    /// `[ERROR]` of trial: its name follows behind the traceback.
    in_trial_error: bool,
    /// Modules that trial could not load.
    trial_not_loaded: u64,
    /// The last line that is not blank.
    before: &'a str,
    /// `test_a (m.T.test_a) ... FAIL` without a closing line yet.
    failure: Option<Line<'a>>,
}

fn blocks(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut open = Open::default();
    let lines = stream.all_lines();
    let some_ruled = lines.iter().enumerate().any(|(at, line)| {
        closing::ran(line.text).is_some() && at > 0 && closing::is_ruler(lines[at - 1].text, '-')
    });
    let cut = hint.invocations.iter().any(takes_lines_away);
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        index += 1;
        let Some(tests) = closing::ran(line.text) else {
            open.line(*line);
            continue;
        };
        let below = &lines[index..lines.len().min(index + LINES_BETWEEN_MAX)];
        let verdict =
            below.iter().enumerate().find_map(|(at, line)| Some((at, *line, closing::verdict(line.text)?)));
        if let Some((at, verdict_line, verdict)) = verdict {
            // unittest rules a line above its closing lines. Beside such a run, one without is what a test printed,
            // or a run whose lines above are cut away.
            let begins = readings.is_empty() && open.before.is_empty();
            let may_be_cut = cut || (begins && hint.invocations.is_empty());
            if at > 0 && some_ruled && !closing::is_ruler(open.before, '-') && !may_be_cut {
                index += at + 1;
                continue;
            }
            let closing = Closing { line: *line, tests, verdict, directly: at == 0 };
            readings.push(std::mem::take(&mut open).closed(&closing, verdict_line, hint));
            index += at + 1;
        } else if below.iter().all(|line| line.text.trim().is_empty()) {
            // The output ends here: the verdict is cut off.
            open.touch(*line);
            readings.extend(std::mem::take(&mut open).cut());
        }
    }
    // Without a name, a heading of any other text is none.
    if hint.named {
        readings.extend(open.cut());
    }
    readings
}

impl<'a> Open<'a> {
    fn touch(&mut self, line: Line<'a>) {
        self.first.get_or_insert(line);
        self.last = line.number;
    }

    fn line(&mut self, line: Line<'a>) {
        let text = line.text;
        if text.is_empty() {
            return;
        }
        if self.in_trial_error && (closing::is_ruler(text, '=') || closing::is_ruler(text, '-')) {
            // A test has its module's name in front.
            self.trial_not_loaded += u64::from(!self.before.contains(['.', ' ']));
            self.in_trial_error = false;
        }
        self.before = text;
        let after_ruler = self.at_heading;
        let heading = std::mem::take(&mut self.at_heading).then(|| Heading::of(line)).flatten();
        if let Some(heading) = heading {
            self.headings.push(heading);
            self.touch(line);
        } else if closing::is_ruler(text, '=') {
            // testtools ends its marks without a line end.
            self.marks = closing::marks(text.trim_end_matches('=')).or(self.marks);
            self.at_heading = true;
        } else if after_ruler && text == "[ERROR]" {
            self.in_trial_error = true;
        } else if let Some(marks) = closing::marks(text) {
            self.marks = Some(marks);
            self.first.get_or_insert(line);
        } else if text.ends_with(" ... ok") {
            self.oks += 1;
        } else if text.ends_with(" ... FAIL") || text.ends_with(" ... ERROR") {
            self.failure.get_or_insert(line);
            self.first.get_or_insert(line);
        } else if let Some(last) = self.headings.last_mut() {
            last.body(text);
        }
    }

    /// The reading of a run that closed.
    fn closed(self, closing: &Closing<'a>, verdict_line: Line<'a>, hint: Hint<'_>) -> Reading {
        let first = self.first.map_or(closing.line.number, |line| line.number);
        let cases = self.headings.iter().filter_map(Heading::case).collect();
        let reading =
            match &closing.verdict {
                Verdict::Unknown => {
                    let said = Said::Unfinished(Reason::NoSummary);
                    Reading::without_counts(READER.id, said, closing.line.quote())
                }
                Verdict::Bad(_) => Reading::from_tally(READER.id, self.tally(closing), closing.line.quote())
                    .saying(Said::Failed),
                Verdict::Good(_) => {
                    let reading = Reading::from_tally(READER.id, self.tally(closing), closing.line.quote());
                    let filtered = hint.invocations.iter().any(|run| {
                        READER.is_run_by(run) && run.has_option(&["-k", "--pattern-filter", "--tag"])
                    });
                    // testtools does not say how many of its tests were skipped.
                    let uncounted = matches!(reading.said, Said::Unfinished(_));
                    if uncounted { reading.saying(Said::Passed) } else { reading.filtered(filtered) }
                }
            };
        reading.spanning(first, verdict_line.number).quoting(verdict_line.quote()).naming(cases)
    }

    fn tally(&self, closing: &Closing<'_>) -> Tally {
        let (Verdict::Good(words) | Verdict::Bad(words)) = &closing.verdict else { return Tally::UNKNOWN };
        let split = headings::split(&self.headings, words);
        let passed = words.successes.or_else(|| self.passed(closing, words, split.in_tests));
        let not_loaded = self.trial_not_loaded.min(split.errored);
        let tally = Tally {
            passed,
            failed: Some(split.failed),
            errored: Some(split.errored - not_loaded),
            load_errors: Some(split.load_errors + not_loaded),
            skipped: Some(words.skipped),
            todo: Some(words.todos),
            expected_failures: Some(words.expected_failures),
            unexpected_passes: Some(words.unexpected_successes),
            ..Tally::ZERO
        };
        // A filter may have taken unittest's blank line away; testtools never counts what was skipped.
        if !closing.directly || words.skipped > 0 {
            return tally;
        }
        // testtools: the verdict stands right below, and skipped tests are in the marks alone.
        let marks = self.marks.filter(|marks| marks.len() as u64 == closing.tests);
        let skipped = marks.map(|marks| marks.bytes().filter(|mark| *mark == b's').count() as u64);
        let skipped = skipped.or((closing.tests == 0).then_some(0));
        Tally {
            passed: passed.zip(skipped).and_then(|(passed, skipped)| passed.checked_sub(skipped)),
            skipped,
            ..tally
        }
    }

    /// How many passed. No version prints it, and `Ran` does not count every skipped test: one that its class skips in
    /// a fixture never, and in Python 3.12.1 none. The marks decide, where they fit.
    fn passed(&self, closing: &Closing<'_>, words: &Words, wrong: u64) -> Option<u64> {
        let not_wrong =
            closing.tests.checked_sub(wrong + words.expected_failures + words.unexpected_successes)?;
        let least = not_wrong.saturating_sub(words.skipped);
        let marked = self.marks.map(|marks| marks.bytes().filter(|mark| *mark == b'.').count() as u64);
        let fits = |count: &u64| (least..=not_wrong).contains(count);
        if let Some(passed) = marked.filter(fits).or(Some(self.oks).filter(|oks| *oks > 0 && fits(oks))) {
            return Some(passed);
        }
        not_wrong.checked_sub(words.skipped).or((closing.tests == 0).then_some(0))
    }

    /// A run whose closing lines are not there.
    fn cut(self) -> Option<Reading> {
        let heading = self.headings.first().map(|heading| heading.line);
        let first = self.first?;
        let (said, line) = match heading.or(self.failure) {
            Some(line) => (Said::Failed, line),
            None if self.last > 0 => (Said::Unfinished(Reason::OutputCut), first),
            None => return None,
        };
        let cases = self.headings.iter().filter_map(Heading::case).collect();
        let reading = Reading::without_counts(READER.id, said, line.quote());
        Some(reading.spanning(first.number, self.last.max(line.number)).naming(cases))
    }
}
