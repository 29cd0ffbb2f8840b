//! `rspec`: RSpec's closing line, its JSON and HTML reports, and the sum that `parallel_rspec` prints.
//!
//! RSpec prints no header. Its closing line stands right below `Finished in …`; a line of the same shape anywhere else
//! was printed by the program under test, unless a pipe took the lines around it away.

use std::sync::LazyLock;

use kenshu_model::{Cases, Quote, Reason, Tally};
use regex::Regex;

use crate::marks::{Letters, LineMark, Marks};
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod listed;
mod reports;

pub(super) const READER: Reader = Reader {
    id: "rspec",
    name: "RSpec",
    versions: "3.12.0, 3.13.0, 3.13.6 (parallel_tests 4.1.0, rspec-retry 0.6.2, SimpleCov 0.22)",
    formats: "text, JSON, HTML",
    zero: "\"0 examples, 0 failures\" (also where the filter matches nothing); exit 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[
        "example, ",
        "examples, ",
        "\"summary_line\"",
        "\"examples\":[{\"id\":\"./",
        "<div id=\"rspec-header\">",
        "RSpec is shutting down",
        "RSpec will now quit",
        "Failed examples:",
        "An error occurred while loading ./",
        "` hook.",
        "Please use --help for a listing of valid options",
    ],
    commands: &[
        &["rspec"],
        &["parallel_rspec"],
        &["turbo_tests"],
        &["rake", "spec"],
        &["rake", "parallel:spec"],
        &["rails", "spec"],
        &["spring", "rspec"],
    ],
    list_options: LIST_OPTIONS,
    covers: &[],
    marks: Marks {
        failed: &[LineMark::Holds(" (FAILED - ")],
        passed: &[],
        letters: Some(Letters { passed: '.', failed: "F", others: "*" }),
        plain: false,
    },
    read,
};

const LIST_OPTIONS: &[&str] = &["--dry-run"];

/// `Formatters::Helpers.pluralize` of each count, as `SummaryNotification#totals_line` joins them.
static TOTALS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$",
    )
    .expect("valid pattern")
});

/// What `parallel_tests` prints in the end: each word's sum, sorted by word, the plural made with an s.
static SUM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(\d+) errors?, )?(\d+) examples?, (\d+) failures?(?:, (\d+) pendings?)?$")
        .expect("valid pattern")
});

static WILL_QUIT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^While loading .+ an? .+ occurred, RSpec will now quit\.$").expect("valid pattern")
});

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lists = lists_only(hint);
    let mut readings = reports::json(stream);
    readings.extend(reports::html(stream));
    readings.extend(text(stream, hint));
    if lists {
        readings = readings.into_iter().map(only_listed).collect();
    }
    readings
}

/// Whether every run of RSpec in the command line was told not to run anything: its output doesn't say so.
fn lists_only(hint: Hint<'_>) -> bool {
    let mut runs = hint.invocations.iter().filter(|invocation| READER.is_run_by(invocation)).peekable();
    runs.peek().is_some() && runs.all(|invocation| invocation.has_option(LIST_OPTIONS))
}

fn only_listed(reading: Reading) -> Reading {
    match reading.said {
        Said::Passed => Reading {
            tally: Tally::ZERO,
            cases: Cases::default(),
            ..reading.saying(Said::NothingRan(Reason::ListOnly))
        },
        Said::Failed | Said::NothingRan(_) | Said::CouldNotRun(_) | Said::Unfinished(_) | Said::Status(_) => {
            reading
        }
    }
}

/// The numbers of a closing line.
fn totals(text: &str) -> Option<Tally> {
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let groups = TOTALS.captures(text)?;
    let number = |index: usize| groups.get(index).map_or(Some(0), |digits| digits.as_str().parse().ok());
    tally(number(1)?, number(2)?, number(3)?, number(4)?)
}

fn sum(text: &str) -> Option<Tally> {
    let groups = SUM.captures(text)?;
    let number = |index: usize| groups.get(index).map_or(Some(0), |digits| digits.as_str().parse().ok());
    tally(number(2)?, number(3)?, number(4)?, number(1)?)
}

/// `None` where the parts are more than the whole.
fn tally(examples: u64, failures: u64, pending: u64, errors: u64) -> Option<Tally> {
    let passed = examples.checked_sub(failures)?.checked_sub(pending)?;
    Some(Tally { load_errors: Some(errors), ..Tally::of(passed, failures, pending) })
}

/// `An error occurred while loading ./spec/b_spec.rb.`, `An error occurred in an `after(:context)` hook.`
fn is_error_outside(text: &str) -> bool {
    text.strip_prefix("An error occurred ").is_some_and(|rest| {
        rest.starts_with("while loading ./") || (rest.starts_with("in a") && rest.ends_with("` hook."))
    })
}

/// What was seen since the last closing line.
#[derive(Default)]
struct Run<'a> {
    first: Option<u32>,
    interrupted: Option<Quote>,
    filtered_out: Option<Quote>,
    /// Places whose example was tried again, as rspec-retry prints them.
    retried: Vec<&'a str>,
    /// The first line under `Failures:` that RSpec itself wrote.
    failure: Option<Quote>,
    will_quit: Option<Quote>,
    /// Errors outside of examples, each with a line of its own.
    outside: Vec<Quote>,
    usage: Option<Quote>,
    dots: Option<Quote>,
    progress: Progress<'a>,
}

/// The line with one sign for each example.
#[derive(Clone, Copy, Default)]
enum Progress<'a> {
    #[default]
    NotBegun,
    Begun(&'a str),
    /// The lists follow right below it.
    Whole(&'a str),
    /// Other text stands beside it: the line may be broken in two.
    Unclear,
}

impl<'a> Progress<'a> {
    fn after(self, text: &'a str) -> Progress<'a> {
        const BEFORE: [&str; 5] = [
            "Run options:",
            "  include {",
            "  exclude {",
            "Randomized with seed ",
            "All examples were filtered out",
        ];
        let begins_list = text == "Failures:" || text.starts_with("Pending: (Failures listed here");
        match self {
            _ if text.trim().is_empty() => self,
            Progress::NotBegun if BEFORE.iter().any(|start| text.starts_with(start)) => self,
            Progress::NotBegun if is_dots(text) => Progress::Begun(text),
            Progress::Begun(dots) if begins_list => Progress::Whole(dots),
            Progress::Whole(_) => self,
            Progress::NotBegun | Progress::Begun(_) | Progress::Unclear => Progress::Unclear,
        }
    }

    /// Errors outside of examples have no sign there; what RSpec prints of them makes the line unclear.
    fn tally(self) -> Option<Tally> {
        let Progress::Whole(dots) = self else { return None };
        let count = |sign| dots.bytes().filter(|byte| *byte == sign).count() as u64;
        Some(Tally::of(count(b'.'), count(b'F'), count(b'*')))
    }
}

fn is_dots(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'.' | b'F' | b'*'))
}

fn text(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let cut = hint.invocations.iter().any(super::takes_lines_away);
    let mut readings: Vec<Reading> = Vec::new();
    let mut run = Run::default();
    let mut before = "";
    // Several processes at once, whose sum comes last.
    let mut parallel = hint.invocations.iter().any(|run| {
        matches!(run.program.as_str(), "parallel_rspec" | "turbo_tests") || run.has_option(&["parallel:spec"])
    });
    let mut lone: Option<Line<'_>> = None;
    let mut last_sum: Option<Line<'_>> = None;
    let mut sections = listed::Sections::default();
    let mut first_line = true;
    for line in stream.lines() {
        let text = line.text;
        sections.take(line);
        if totals(text).is_some() && before.starts_with("Finished in ") {
            readings.extend(closed(std::mem::take(&mut run), line, &mut sections));
        } else if totals(text).is_some() && (cut || first_line) {
            lone = Some(line);
        } else {
            run.take(line);
            parallel |= text.contains(" per process") && text.contains(" for ") && text.contains(" spec");
        }
        if parallel && !before.starts_with("Finished in ") && sum(text).is_some() {
            last_sum = Some(line);
        }
        if text.starts_with("SimpleCov failed with exit ")
            && let Some(last) = readings.pop()
        {
            // The run as a whole fails: coverage is below the limit that the project set.
            readings.push(last.saying(Said::Failed).quoting(line.quote()));
        }
        sections.attach_failed(readings.last_mut());
        first_line &= text.trim().is_empty();
        if !text.is_empty() {
            before = text;
        }
    }
    if let Some(line) = last_sum
        && let Some(total) = sum(line.text)
    {
        return vec![summed_up(readings, total, line)];
    }
    if readings.is_empty()
        && hint.named
        && let Some(line) = lone
        && let Some(tally) = totals(line.text)
    {
        readings.push(Reading::from_tally("rspec", tally, line.quote()));
        sections.attach_failed(readings.last_mut());
        return readings;
    }
    if parallel && cut {
        readings = readings.into_iter().map(Reading::summed).collect();
    }
    readings.extend(run.left_open(hint, sections, readings.is_empty()));
    if readings.is_empty() {
        readings.extend(listed::failures_formatter(stream, hint));
    }
    readings
}

/// One reading for what several processes printed, whose lines may be mixed.
fn summed_up(readings: Vec<Reading>, total: Tally, line: Line<'_>) -> Reading {
    let flaky = readings.iter().try_fold(0, |sum, reading| Some(sum + reading.tally.flaky?));
    let unfinished = readings.iter().find(|reading| matches!(reading.said, Said::Unfinished(_)));
    let said = match unfinished {
        Some(reading) if !total.has_failure() => reading.said,
        Some(_) | None => Said::of(&total),
    };
    let first = readings.iter().map(|reading| reading.lines.0).min().unwrap_or(line.number);
    let mut cases = Cases::default();
    readings.into_iter().for_each(|reading| cases.append(reading.cases));
    Reading::from_tally("rspec", Tally { flaky, ..total }, line.quote())
        .saying(said)
        .spanning(first, line.number)
        .naming_all(cases)
}

/// The reading of a run that ended with the closing line `line`.
fn closed(run: Run<'_>, line: Line<'_>, sections: &mut listed::Sections<'_>) -> Option<Reading> {
    let mut tally = totals(line.text)?;
    let cases = sections.close();
    // A retried example that failed to the end stands among the failures, by name; only its place is known here.
    if !run.retried.is_empty() {
        tally.flaky = Some(run.retried.len() as u64);
    }
    let mut reading = Reading::from_tally("rspec", tally, line.quote())
        .spanning(run.first.unwrap_or(line.number), line.number)
        .naming(cases);
    if let (Said::NothingRan(Reason::ZeroTests), Some(quote)) = (reading.said, &run.filtered_out) {
        reading = reading.saying(Said::NothingRan(Reason::FilterMatchedNothing)).quoting(quote.clone());
    }
    if let Some(quote) = run.interrupted
        && reading.said != Said::Failed
    {
        reading = reading.saying(Said::Unfinished(Reason::Killed)).quoting(quote);
    }
    sections.retried = run.retried.into_iter().map(str::to_owned).collect();
    Some(reading)
}

impl<'a> Run<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text;
        if !text.trim().is_empty() {
            self.first.get_or_insert(line.number);
        }
        self.progress = self.progress.after(text);
        let Some(first) = text.bytes().next() else { return };
        match first {
            b'R' if text.starts_with("RSpec is shutting down and will print the summary report") => {
                self.interrupted = Some(line.quote());
            }
            b'R' => {
                if let Some(rest) = text.strip_prefix("RSpec::Retry: ")
                    && let Some((_, place)) = rest.split_once(" try ")
                    && !self.retried.contains(&place)
                {
                    self.retried.push(place);
                }
            }
            b'A' if is_error_outside(text) => self.outside.push(line.quote()),
            b'A' if text.starts_with("All examples were filtered out") => {
                self.filtered_out = Some(line.quote());
            }
            b'W' if WILL_QUIT.is_match(text) => self.will_quit = Some(line.quote()),
            b'P' if text == "Please use --help for a listing of valid options" => {
                self.usage = Some(line.quote());
            }
            b'.' | b'F' | b'*' if is_dots(text) => self.dots = Some(line.quote()),
            b' ' if text.starts_with("     Failure/Error: ") => {
                self.failure.get_or_insert_with(|| line.quote());
            }
            _ => {}
        }
    }

    /// What can be said where no closing line follows.
    fn left_open(self, hint: Hint<'_>, sections: listed::Sections<'_>, is_only_run: bool) -> Option<Reading> {
        if let Some(quote) = self.will_quit {
            let tally = Tally { load_errors: Some(1), ..Tally::ZERO };
            return Some(Reading::from_tally("rspec", tally, quote));
        }
        if !self.outside.is_empty() {
            // Report formats leave them out; the lines stand beside the report.
            let tally = Tally { load_errors: Some(self.outside.len() as u64), ..Tally::UNKNOWN };
            let mut quotes = self.outside.into_iter();
            let reading = Reading::from_tally("rspec", tally, quotes.next()?);
            return Some(quotes.fold(reading, Reading::quoting));
        }
        if let Some(quote) = self.usage.filter(|_| is_only_run) {
            return Some(Reading::without_counts("rspec", Said::CouldNotRun(Reason::UsageError), quote));
        }
        if let Some(reading) = sections.failed_without_totals(self.failure, hint, is_only_run) {
            let is_cut_before = hint
                .invocations
                .iter()
                .any(|invocation| super::takes_lines_away(invocation) && invocation.program != "head");
            return Some(match self.progress.tally().filter(|_| is_only_run && !is_cut_before) {
                Some(tally) if tally.failed > Some(0) => Reading { tally, ..reading },
                Some(_) | None => reading,
            });
        }
        if let Some(quote) = self.interrupted {
            return Some(Reading::without_counts("rspec", Said::Unfinished(Reason::Killed), quote));
        }
        let dots = self.dots.filter(|_| hint.named)?;
        Some(Reading::without_counts("rspec", Said::Unfinished(Reason::NoSummary), dots))
    }
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use crate::testing::check;

    const ALL_UNKNOWN: [Option<u64>; 3] = [None; 3];

    #[test]
    fn a_status_that_disagrees_is_said() {
        let text = "...\n\nFinished in 1.2 seconds (files took 0.1 seconds to load)\n2237 examples, 0 failures, 2 pending\n";
        let numbers = [Some(2235), Some(0), Some(0)];
        check("rspec", 1, text, Outcome::Failed, Some(Reason::ExitDisagrees), numbers);
        check("rspec", 0, text, Outcome::Passed, None, numbers);
    }

    #[test]
    fn a_line_of_dots_shows_all_where_nothing_broke_it() {
        let list = "\nFailures:\n\n  1) sum d\n     Failure/Error: x\n";
        let failed = |command: &str, text: &str, numbers| {
            check(command, 0, &format!("{text}{list}"), Outcome::Failed, None, numbers);
        };
        let some = [Some(3), Some(2), Some(0)];
        failed("rspec | head -6", "...FF*\n", some);
        failed("rspec | head -9", "Run options: include {:x=>true}\n\n...FF*\n", some);
        failed("rspec | head -6", "a test said\n...FF*\n", ALL_UNKNOWN);
        failed("rspec | head -7", "..\n.FF*\n", ALL_UNKNOWN);
        failed("rspec | tail -6", "...FF*\n", ALL_UNKNOWN);
        failed("rspec | head -6", "......\n", ALL_UNKNOWN);
        let error = "...FF\nAn error occurred in an `after(:context)` hook.\n";
        failed("rspec | head -6", error, [None, None, Some(1)]);
    }

    #[test]
    fn one_of_several_processes_is_not_all() {
        let text = ".\n\nFinished in 1 second (files took 0.1 seconds to load)\n1 example, 0 failures\n\n";
        let cut = Some(Reason::OutputCut);
        check("parallel_rspec | head -5", 0, text, Outcome::Unknown, cut, ALL_UNKNOWN);
        check("rspec | head -5", 0, text, Outcome::Passed, None, [Some(1), Some(0), Some(0)]);
    }

    #[test]
    fn dots_alone_are_no_pass() {
        check("rspec", 0, "....................\n", Outcome::Unknown, Some(Reason::NoSummary), ALL_UNKNOWN);
    }

    #[test]
    fn a_line_that_any_program_prints_is_no_pass() {
        check(
            "./run.sh",
            0,
            "3 examples, 0 failures\n",
            Outcome::Unknown,
            Some(Reason::NoSummary),
            ALL_UNKNOWN,
        );
        check(
            "rspec",
            0,
            "x\n3 examples, 0 failures\n",
            Outcome::Unknown,
            Some(Reason::NoSummary),
            ALL_UNKNOWN,
        );
    }

    #[test]
    fn numbers_that_do_not_fit_are_not_read() {
        let text = "Finished in 1 second (files took 0.1 seconds to load)\n1 example, 2 failures\n";
        check("rspec", 0, text, Outcome::Unknown, Some(Reason::NoSummary), ALL_UNKNOWN);
    }

    #[test]
    fn a_second_run_that_died_spoils_the_first() {
        let text =
            ".\n\nFinished in 1 second (files took 0.1 seconds to load)\n1 example, 0 failures\n\n..\n";
        check("rspec a; rspec b", 0, text, Outcome::Unknown, Some(Reason::NoSummary), ALL_UNKNOWN);
    }
}
