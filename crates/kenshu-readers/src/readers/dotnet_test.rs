//! `dotnet-test`: `dotnet test` with VSTest or Microsoft.Testing.Platform, in English, and TRX reports.
//!
//! Three closing forms exist: one line for each assembly (VSTest), a block for each run (VSTest, normal verbosity), and
//! one total for all (terminal logger, Microsoft.Testing.Platform). Text in another language is not read.

use kenshu_model::{Quote, Reason, Tally};

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

mod build;
mod totals;
mod trx;

use totals::Block;

pub(super) const READER: Reader = Reader {
    id: "dotnet-test",
    name: "dotnet test",
    versions: "SDK 6 to 10 (VSTest, Microsoft.Testing.Platform 1 and 2), from documentation and public logs",
    formats: "text, TRX",
    zero: "VSTest: \"No test is available in …\" and exit 0; Microsoft.Testing.Platform: \"Zero tests ran\" and exit 8",
    samples: Samples::Documented,
    specificity: Specificity::Own,
    needles: &[
        "Passed! ",
        "Failed! ",
        "Skipped! ",
        "Total tests: ",
        "Test Run ",
        "Test summary: total: ",
        "Test run summary: ",
        "No test is available in ",
        "No test matches the given testcase filter",
        "The following Tests are available:",
        "Build FAILED.",
        "Build failed with ",
        ": error MSB",
        "<TestRun ",
    ],
    commands: &[
        &["dotnet", "test"],
        &["dotnet", "vstest"],
        &["vstest.console"],
        &["dotnet", "watch", "test"],
    ],
    list_options: &["--list-tests", "-t", "/ListTests", "-lt"],
    covers: &[],
    // What sums up is not the process that runs the tests: no test can print in its place.
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut readings = trx::read(stream);
    let mut log = Log::default();
    for line in stream.lines() {
        log.take(line);
    }
    readings.extend(log.finish(hint));
    readings
}

/// What the text of one or several runs holds.
#[derive(Default)]
struct Log {
    readings: Vec<Reading>,
    /// The block whose lines follow.
    block: Option<Block>,
    /// Readings of single assemblies that a total may still replace.
    from: usize,
    nothing: Vec<(Reason, Quote)>,
    build: build::Build,
    crash: Option<Quote>,
    aborted: Option<Quote>,
    failed_test: Option<Quote>,
    /// `  Failed ATest.b [12 ms]`, waiting for the line below it.
    failed_name: Option<Quote>,
    cases: Vec<kenshu_model::Case>,
    list: Option<Quote>,
}

impl Log {
    fn take(&mut self, line: Line<'_>) {
        let text = line.text;
        if let Some(block) = &mut self.block {
            if block.take(line) {
                return;
            }
            self.close_block();
        }
        if let Some(reading) = totals::assembly(line) {
            self.readings.push(reading);
            return;
        }
        if let Some(reading) = totals::summary(line) {
            // The total of all assemblies, whose own lines may stand above.
            self.readings.truncate(self.from);
            self.readings.push(reading);
            self.from = self.readings.len();
            return;
        }
        if let Some(block) = Block::begin(line) {
            self.block = Some(block);
            return;
        }
        if let Some(name) = self.failed_name.take() {
            if text.trim() == "Error Message:" {
                self.failed_test.get_or_insert(name);
            } else {
                self.cases.pop();
            }
        }
        if let Some(case) = totals::failed_case(text) {
            self.cases.push(case);
            self.failed_name = Some(line.quote());
            return;
        }
        self.statement(text, line);
    }

    fn statement(&mut self, text: &str, line: Line<'_>) {
        if text.starts_with("No test is available in ") {
            self.nothing.push((Reason::ZeroTests, line.quote()));
        } else if text.starts_with("No test matches the given testcase filter `") {
            self.nothing.push((Reason::FilterMatchedNothing, line.quote()));
        } else if text.trim() == "The following Tests are available:" {
            self.list = Some(line.quote());
        } else if text.starts_with("The active test run was aborted. Reason: ") {
            self.crash = Some(line.quote());
        } else if text.starts_with("Test Run Aborted.")
            || text.starts_with("Attempting to cancel the build...")
        {
            self.aborted = Some(line.quote());
        } else {
            self.build.take(line);
        }
    }

    fn close_block(&mut self) {
        self.readings.extend(self.block.take().map(Block::finish));
    }

    fn finish(mut self, hint: Hint<'_>) -> Vec<Reading> {
        self.close_block();
        let counted =
            self.readings.iter().any(|reading| reading.tally.total().is_some_and(|total| total > 0));
        let failed = self.readings.iter().any(|reading| reading.said == Said::Failed);
        if let Some(quote) = self.crash.clone().filter(|_| !failed) {
            // The process of the tests came to an end before the tests did.
            let tally = Tally { load_errors: Some(1), ..Tally::UNKNOWN };
            self.readings.push(Reading { tally, ..without(Said::Failed, quote) });
        }
        if let Some(reading) = std::mem::take(&mut self.build).finish(hint.named, counted, failed) {
            self.readings.push(reading);
        }
        if let Some(quote) = self.aborted.take()
            && !failed
            && self.crash.is_none()
        {
            self.readings.push(without(Said::Unfinished(Reason::Killed), quote));
        }
        if self.readings.is_empty() {
            let reading = self.without_totals();
            self.readings.extend(reading);
        }
        if let Some(first) = self.readings.iter_mut().find(|reading| reading.said == Said::Failed) {
            first.cases = std::mem::take(&mut self.cases).into();
        }
        self.readings
    }

    fn without_totals(&mut self) -> Option<Reading> {
        if let Some(quote) = self.failed_test.take() {
            return Some(without(Said::Failed, quote));
        }
        if let Some(quote) = self.list.take() {
            return Some(without(Said::NothingRan(Reason::ListOnly), quote));
        }
        let (reason, quote) = self.nothing.pop()?;
        Some(without(Said::NothingRan(reason), quote))
    }
}

fn without(said: Said, quote: Quote) -> Reading {
    Reading::without_counts("dotnet-test", said, quote)
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Reason};

    use crate::testing::check;

    #[test]
    fn a_total_stands_for_the_assemblies_above_it() {
        let text = "Passed! - Failed: 0, Passed: 3, Skipped: 0, Total: 3, Duration: 41ms - a.dll (net9.0|x64)\nPassed! - Failed: 0, Passed: 2, Skipped: 0, Total: 2, Duration: 41ms - b.dll (net9.0|x64)\n\nTest summary: total: 5, failed: 0, succeeded: 5, skipped: 0, duration: 1.0s\nBuild succeeded in 2.1s\n";
        check("dotnet test", 0, text, Outcome::Passed, None, [Some(5), Some(0), Some(0)]);
    }

    #[test]
    fn numbers_that_do_not_make_up_the_total_are_not_read() {
        let text = "Test summary: total: 5, failed: 0, succeeded: 4, skipped: 0, duration: 1.0s\n";
        check("dotnet test", 0, text, Outcome::Unknown, Some(Reason::PlanMismatch), [None; 3]);
    }

    #[test]
    fn a_build_without_tests_is_not_read() {
        let text = "A.cs(1,1): error CS0103: no\nBuild FAILED.\n";
        check("msbuild", 1, text, Outcome::Failed, Some(Reason::ExitDisagrees), [None; 3]);
    }
}
