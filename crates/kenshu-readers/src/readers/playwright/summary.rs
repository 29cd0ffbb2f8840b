//! One run of Playwright's text reporters: from `Running N tests using M workers` to its closing block.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use super::{ID, NO_BROWSER, STOPPED_EARLY, nothing_found, outside_tests};
use crate::filters::{Filters, Shape};
use crate::numbers::number_and_word;
use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::Line;

/// The lines of one run. Without a header: what stands before the first one.
pub(super) struct Region<'a> {
    header: Option<(Line<'a>, u64)>,
    lines: &'a [Line<'a>],
}

/// The rows of the closing block in the order in which Playwright prints them.
const ROWS: [&str; 6] = ["failed", "interrupted", "flaky", "skipped", "did not run", "passed"];

/// A closing block: the number of each of [`ROWS`], and errors outside tests.
#[derive(Clone, Default)]
struct Block<'a> {
    rows: [Option<(Line<'a>, u64)>; 6],
    outside: Option<(Line<'a>, u64)>,
    /// Index of its first and last line.
    lines: (usize, usize),
    cases: Vec<Case>,
}

/// The runs in these lines.
pub(super) fn regions<'a>(lines: &'a [Line<'a>]) -> Vec<Region<'a>> {
    let headers: Vec<(usize, u64)> =
        lines.iter().enumerate().filter_map(|(index, line)| Some((index, announced(line.text)?))).collect();
    let first = headers.first().map_or(lines.len(), |(index, _)| *index);
    let mut regions = vec![Region { header: None, lines: &lines[..first] }];
    for (at, &(start, tests)) in headers.iter().enumerate() {
        let end = headers.get(at + 1).map_or(lines.len(), |(index, _)| *index);
        regions.push(Region { header: Some((lines[start], tests)), lines: &lines[start..end] });
    }
    regions
}

/// `Running 7 tests using 2 workers, shard 1 of 2` → 7.
fn announced(text: &str) -> Option<u64> {
    let (tests, rest) = text.trim().strip_prefix("Running ")?.split_once(" using ")?;
    let (count, word) = number_and_word(tests)?;
    let (workers, rest) = rest.split_once(' ')?;
    workers.parse::<u64>().ok()?;
    let worker = rest.split(',').next().unwrap_or_default();
    (matches!(word, "test" | "tests") && matches!(worker, "worker" | "workers")).then_some(count)
}

impl<'a> Region<'a> {
    /// Whether the line with this number is one of its lines.
    pub(super) fn holds(&self, number: u32) -> bool {
        let first = self.lines.first().map_or(u32::MAX, |line| line.number);
        let last = self.lines.last().map_or(0, |line| line.number);
        (first..=last).contains(&number)
    }

    /// A JUnit report beside a text reporter tells the same run once more: its lines are this block's.
    pub(super) fn extend_over_junit(&self, reading: &mut Reading) {
        let closed = reading.lines.1;
        let mut behind = self.lines.iter().filter(|line| line.number > closed);
        if behind.any(|line| line.text.starts_with("<testsuites id="))
            && let Some(end) = self.lines.iter().rfind(|line| line.text.starts_with("</testsuites>"))
        {
            reading.lines.1 = reading.lines.1.max(end.number);
        }
    }

    /// What the region says. `None`: nothing of Playwright's text is in it.
    pub(super) fn read(&self, hint: Hint<'_>) -> Option<Reading> {
        let blocks = blocks(self.lines);
        let Some((header, tests)) = self.header else { return without_header(self.lines, &blocks, hint) };
        // A test may print such lines: the block that accounts for every test is the runner's.
        let block = blocks.iter().rfind(|block| block.sum() == tests).or(blocks.last());
        let Some(block) = block else {
            return Some(self.never_ran(header, tests, None).unwrap_or_else(|| self.unclosed(header, hint)));
        };
        if block.row(0) + block.row(1) + block.row(2) + block.row(5) == 0
            && let Some(reading) = self.never_ran(header, tests, Some(block))
        {
            return Some(reading);
        }
        let stopped =
            self.lines.iter().filter(|line| line.text.trim_start().starts_with(STOPPED_EARLY)).count();
        let outside = block.outside.map_or(0, |(_, count)| count);
        let load_errors = outside.saturating_sub(u64::try_from(stopped).unwrap_or(0));
        let mut reading = block.reading(Some(load_errors));
        let failed = block.row(0);
        if matches!(reading.said, Said::Passed | Said::NothingRan(_)) && block.sum() != tests {
            reading = Reading::without_counts(ID, Said::Unfinished(Reason::PlanMismatch), header.quote());
        } else if failed > 0 && block.row(5) + block.row(2) == 0 && self.lacks_browser() >= failed {
            reading.said = Said::CouldNotRun(Reason::Environment);
            let line =
                self.lines.iter().find(|line| NO_BROWSER.iter().any(|words| line.text.contains(words)));
            if let Some(line) = line {
                reading = reading.quoting(line.quote());
            }
        }
        // What stands in the end may be cut off: rows, and errors outside of tests.
        let ends = runs::loses_its_end(hint) && self.lines.len() <= block.lines.1 + 2;
        if ends && block.outside.is_none() && reading.said == Said::Passed {
            reading.said = Said::Unfinished(Reason::OutputCut);
        }
        if block.sum() != tests || (ends && block.rows[5].is_none()) {
            // Rows are missing, or a test printed the block.
            (reading.tally.skipped, reading.tally.flaky) = (None, None);
            reading.tally.passed = reading.tally.passed.filter(|_| block.rows[5].is_some());
        }
        let last = self.lines[block.lines.1].number;
        Some(reading.quoting(header.quote()).spanning(header.number, last).naming(block.named(self.lines)))
    }

    /// Up to 1.30 the header comes first even where nothing can be loaded, set up or found; then no test is executed and
    /// each is called skipped.
    fn never_ran(&self, header: Line<'a>, tests: u64, block: Option<&Block<'a>>) -> Option<Reading> {
        let last = block.and_then(|block| self.lines.get(block.lines.1)).or(self.lines.last())?;
        let is_error = |text: &str| {
            (text.starts_with("Error: ") && !nothing_found(text)) || text.starts_with("Timed out waiting ")
        };
        let mut errors = self.lines.iter().filter(|line| is_error(line.text));
        if let Some(first) = errors.next() {
            let also = u64::try_from(errors.count()).unwrap_or(0);
            let mut reading = outside_tests(first);
            reading.tally.load_errors = Some(1 + also);
            reading.tally.skipped = Some(block.map_or(0, Block::sum));
            return Some(reading.quoting(header.quote()).spanning(header.number, last.number));
        }
        if tests > 0 {
            return None;
        }
        let line = self.lines.iter().find(|line| nothing_found(line.text)).copied().unwrap_or(header);
        let reading = Reading::without_counts(ID, Said::NothingRan(Reason::ZeroTests), line.quote());
        Some(reading.spanning(header.number, last.number))
    }

    /// How many of the failures that are told lack nothing but a browser.
    fn lacks_browser(&self) -> u64 {
        let mut count = 0;
        let mut open = false;
        for line in self.lines {
            if is_failure_heading(line.text) {
                open = true;
            } else if open && NO_BROWSER.iter().any(|words| line.text.contains(words)) {
                count += 1;
                open = false;
            }
        }
        count
    }

    /// A header without a closing block.
    fn unclosed(&self, header: Line<'a>, hint: Hint<'_>) -> Reading {
        let retries =
            self.lines.iter().any(|line| line.text.contains("retry #") || line.text.contains("Retry #"))
                || hint.invocations.iter().any(|invocation| invocation.has_option(&["--retries"]));
        let failure =
            self.lines.iter().find(|line| is_failure_heading(line.text) || is_failed_row(line.text));
        if let Some(line) = failure.filter(|_| !retries) {
            return Reading::without_counts(ID, Said::Failed, line.quote())
                .spanning(header.number, line.number);
        }
        let killed = self.lines.iter().any(|line| line.text.trim_start().starts_with("^C"));
        let reason = if killed { Reason::Killed } else { Reason::NoSummary };
        Reading::without_counts(ID, Said::Unfinished(reason), header.quote())
    }
}

/// A block whose beginning of the output is cut off.
fn without_header(lines: &[Line<'_>], blocks: &[Block<'_>], hint: Hint<'_>) -> Option<Reading> {
    let block = blocks.last()?;
    let own = block.outside.is_some() || block.rows.iter().flatten().count() > 1 || block.row(0) > 0;
    if !hint.named || !(own || block.rows[5].is_some()) {
        return None;
    }
    let (line, _) = block.rows.iter().flatten().next().copied().or(block.outside)?;
    let fails = |block: &Block<'_>| block.row(0) > 0 || block.outside.is_some();
    if blocks.len() > 1 {
        let said = if blocks.iter().any(fails) { Said::Failed } else { Said::Unfinished(Reason::OutputCut) };
        return Some(Reading::without_counts(ID, said, line.quote()));
    }
    // `failed` stands first: where the output begins with another row, that one may be cut away.
    let grepped = filter_keeps_failures(hint);
    let names_a_test = |line: &Line<'_>| line.text.starts_with("    ");
    let begins = grepped || lines[..block.lines.0].last().is_some_and(|line| !names_a_test(line));
    if !fails(block) && !begins {
        return Some(Reading::without_counts(ID, Said::Unfinished(Reason::OutputCut), line.quote()));
    }
    let failed = block.row(0) > 0 || begins;
    let load_errors = match block.outside {
        None => Some(0),
        Some((_, count)) if begins && block.row(0) == 0 && block.row(4) == 0 => Some(count),
        Some(_) => None,
    };
    let mut reading = block.reading(load_errors);
    let filters = Filters::of_command(hint);
    let keeps = |inside| !grepped || filters.keep(&Shape { start: "  ", inside });
    if reading.said == Said::Passed && !keeps(&[" not a part of any test, see above for details"]) {
        // An error outside of tests may be missing.
        reading.said = Said::Unfinished(Reason::OutputCut);
        reading.tally.load_errors = None;
    }
    if block.outside.is_some() {
        reading.said = Said::Failed;
    }
    if !failed {
        reading.tally.failed = None;
    }
    // Retried tests count as passed; their row stands above.
    let knows_flaky =
        if grepped { keeps(&[" flaky"]) } else { begins || block.rows[..3].iter().any(Option::is_some) };
    if block.rows[5].is_none() && (grepped || block.rows[..5].iter().all(Option::is_none)) || !knows_flaky {
        reading.tally.passed = None;
    }
    if !failed || grepped {
        // Rows that the filter does not ask for are missing.
        (reading.tally.skipped, reading.tally.flaky) = (None, None);
    }
    Some(reading.naming(block.named(lines)))
}

/// Whether the only thing that took lines away is a `grep` that keeps a line with `failed`.
fn filter_keeps_failures(hint: Hint<'_>) -> bool {
    let is = |names: &[&str]| {
        hint.invocations.iter().any(|invocation| names.contains(&invocation.program.as_str()))
    };
    let grep = hint.invocations.iter().any(|invocation| {
        matches!(invocation.program.as_str(), "grep" | "egrep" | "rg")
            && invocation.arguments.iter().any(|argument| argument.contains("fail"))
    });
    grep && !is(&["tail", "head"])
}

impl Block<'_> {
    fn row(&self, index: usize) -> u64 {
        self.rows[index].map_or(0, |(_, count)| count)
    }

    fn sum(&self) -> u64 {
        (0..ROWS.len()).map(|index| self.row(index)).sum()
    }

    fn reading(&self, load_errors: Option<u64>) -> Reading {
        let [failed, interrupted, flaky, skipped, did_not_run, passed] =
            std::array::from_fn(|index| self.row(index));
        let tally = Tally {
            passed: Some(passed + flaky),
            failed: Some(failed),
            load_errors,
            // Playwright's own outcome of a test that did not run or was interrupted is "skipped".
            skipped: Some(skipped + did_not_run + interrupted),
            flaky: Some(flaky),
            ..Tally::ZERO
        };
        let mut lines = self.rows.iter().flatten().chain(&self.outside).map(|(line, _)| line.quote());
        let first = lines.next().expect("a block has a row");
        let mut reading = lines.fold(Reading::from_tally(ID, tally, first), Reading::quoting);
        if reading.said != Said::Failed && (interrupted > 0 || did_not_run > 0) {
            let reason = if interrupted > 0 { Reason::Killed } else { Reason::NoSummary };
            reading.said = Said::Unfinished(reason);
        }
        reading
    }

    /// The failed tests that the block names, each with the first line of its message.
    fn named(&self, lines: &[Line<'_>]) -> Vec<Case> {
        let mut cases = self.cases.clone();
        let mut open: Option<String> = None;
        for line in &lines[..self.lines.0] {
            if is_failure_heading(line.text) {
                open = title(line.text.split_once(") ").map_or("", |(_, rest)| rest)).map(|(_, name)| name);
            } else if let Some(name) = &open
                && line.text.starts_with("    ")
                && !line.text.trim().is_empty()
                && !line.text.trim_start().starts_with("Retry #")
            {
                if let Some(case) = cases.iter_mut().find(|case| case.name == *name && case.message.is_none())
                {
                    case.message = Some(line.text.trim().to_owned());
                }
                open = None;
            }
        }
        cases
    }
}

/// Every closing block. Its rows stand in order; below `failed`, `interrupted` and `flaky` the tests are named.
fn blocks<'a>(lines: &[Line<'a>]) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut last_row = None;
    for (index, line) in lines.iter().enumerate() {
        if let Some((row, count)) = row(line.text) {
            let opens = last_row.is_none_or(|last| row <= last);
            if opens {
                blocks.push(Block { lines: (index, index), ..Block::default() });
            }
            if let Some(block) = blocks.last_mut() {
                block.rows[row] = Some((*line, count));
                block.lines.1 = index;
            }
            last_row = Some(row);
        } else if let Some(count) = outside(line.text) {
            if last_row.is_none() {
                blocks.push(Block { lines: (index, index), ..Block::default() });
            }
            if let Some(block) = blocks.last_mut() {
                block.outside = Some((*line, count));
                block.lines.1 = index;
            }
            last_row = None;
        } else if let Some(row) = last_row.filter(|row| *row < 3 && line.text.starts_with("    ")) {
            let named = title(line.text);
            if let (Some((file, name)), 0, Some(block)) = (named, row, blocks.last_mut()) {
                block.cases.push(Case {
                    name,
                    file: Some(file),
                    status: CaseStatus::Failed,
                    message: None,
                    file_level: false,
                });
            }
        } else if !line.text.trim_start().starts_with("Timed out waiting ") {
            // Up to 1.30 the run's own time limit is told among the rows.
            last_row = None;
        }
    }
    blocks
}

/// `  3 passed (5.2s)` → its place in [`ROWS`] and the number.
fn row(text: &str) -> Option<(usize, u64)> {
    let text =
        text.strip_prefix("  ").filter(|rest| rest.starts_with(|symbol: char| symbol.is_ascii_digit()))?;
    let (count, word) = number_and_word(text)?;
    let word = match word.split_once(" (") {
        Some(("passed", time)) if time.ends_with(')') && !time.contains(' ') => "passed",
        Some(_) => return None,
        None => word,
    };
    Some((ROWS.iter().position(|row| *row == word)?, count))
}

/// `  1 error was not a part of any test, see above for details`.
fn outside(text: &str) -> Option<u64> {
    let (count, words) = number_and_word(text.strip_prefix("  ")?)?;
    words.ends_with("not a part of any test, see above for details").then_some(count)
}

/// `  1) a.spec.js:5:1 › sum › d ──────`.
fn is_failure_heading(text: &str) -> bool {
    text.strip_prefix("  ")
        .and_then(|rest| rest.split_once(") "))
        .is_some_and(|(number, rest)| number.trim().parse::<u64>().is_ok() && title(rest).is_some())
}

/// `  ✘  4 a.spec.js:5:1 › sum › d (9ms)`; `x` where the terminal has no such sign.
fn is_failed_row(text: &str) -> bool {
    ["  ✘  ", "  x  "].iter().any(|sign| text.starts_with(sign)) && title(text).is_some()
}

/// `[chromium] › a.spec.js:5:1 › sum › d ───` → the file, and the names with the project before them.
fn title(text: &str) -> Option<(String, String)> {
    let text = text.trim().trim_end_matches(['─', '=', ' ']);
    let (project, rest) = match text.strip_prefix('[').and_then(|rest| rest.split_once("] › ")) {
        Some((project, rest)) => (Some(project), rest),
        None => (None, text),
    };
    let (place, names) = rest.split_once(" › ")?;
    let mut parts = place.rsplitn(3, ':');
    let (column, line, path) = (parts.next()?, parts.next()?, parts.next()?);
    column.parse::<u32>().ok()?;
    line.parse::<u32>().ok()?;
    let path = path.rsplit(' ').next().unwrap_or(path);
    let name = project.map_or_else(|| names.to_owned(), |project| format!("[{project}] › {names}"));
    Some((path.to_owned(), name))
}
