//! Text of `go test`: everything up to `ok`, `FAIL` or `?` and a package's path belongs to that package.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

use super::{Asked, READER, is_outside_of_module};

/// The line that ends a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Ok {
        cached: bool,
        no_tests: bool,
    },
    Fail,
    /// `[build failed]`, `[setup failed]`.
    NotBuilt,
    NoTestFiles,
}

/// A test that `=== RUN` announced, or a `--- FAIL` without one.
struct Test<'a> {
    name: &'a str,
    status: Option<CaseStatus>,
    message: Option<&'a str>,
}

/// What was printed for one package.
#[derive(Default)]
struct Block<'a> {
    first: Option<Line<'a>>,
    last: u32,
    end: Option<(Line<'a>, End)>,
    tests: Vec<Test<'a>>,
    /// `--- FAIL` lines of tests that were not announced: all of them without `-v`.
    unannounced: Vec<(Line<'a>, Test<'a>)>,
    announced: bool,
    /// The last line that is `PASS` or `FAIL` and nothing else: the test program's own verdict.
    verdict: Option<(Line<'a>, bool)>,
    /// A line that a failing program leaves: `exit status 1`, `panic: …`.
    died: Option<Line<'a>>,
    /// The last `file_test.go:12: message`.
    message: Option<&'a str>,
    outside_of_module: bool,
    /// A bare test's name, as `-list` prints it.
    lists: bool,
    /// `testing: warning: no tests to run`.
    no_tests: bool,
}

/// Reads every package of a stream.
pub(super) fn read(stream: &Stream, asked: &Asked) -> Vec<Reading> {
    let mut walk = Walk { done: Vec::new(), block: Block::default(), end_line: None };
    for line in stream.lines() {
        walk.line(line);
    }
    let Walk { mut done, block, end_line } = walk;
    if block.announced || !block.unannounced.is_empty() {
        done.push(block);
    }
    done.retain(|block| !block.is_spoofed(asked));
    let failed = done.iter().any(Block::failed);
    let last_is_good =
        matches!(done.last().and_then(|block| block.end), Some((_, End::Ok { .. } | End::NoTestFiles)));
    // go prints FAIL as the very last line if a package failed: where the last line is there, no failure is cut off.
    let complete = asked.cut && asked.only_tail && last_is_good && end_line.is_none();
    let mut readings: Vec<Reading> = done
        .iter()
        .map(|block| {
            let reading = block.reading(asked);
            let whole = asked.keeps_passes && asked.knows_packages;
            if asked.uncut || whole || (complete && reading.tally.passed.is_none()) {
                reading
            } else {
                reading.summed()
            }
        })
        .collect();
    // What is left says that nothing ran; of what is cut off it says nothing.
    if asked.cut && readings.iter().all(|reading| matches!(reading.said, Said::NothingRan(_))) {
        readings =
            readings.into_iter().map(|reading| reading.saying(Said::Unfinished(Reason::OutputCut))).collect();
    }
    if !failed
        && let Some(line) = end_line
        && (!readings.is_empty() || asked.named)
    {
        readings.push(Reading::without_counts(READER.id, Said::Failed, line.quote()));
    }
    readings
}

struct Walk<'a> {
    done: Vec<Block<'a>>,
    block: Block<'a>,
    /// `FAIL` alone behind the last package.
    end_line: Option<Line<'a>>,
}

impl<'a> Walk<'a> {
    fn line(&mut self, line: Line<'a>) {
        let text = line.text;
        if let Some(end) = end(text) {
            self.end_line = None;
            self.block.touch(line);
            self.block.end = Some((line, end));
            self.done.push(std::mem::take(&mut self.block));
        } else if let Some(name) = announced(text) {
            self.end_line = None;
            self.block.touch(line);
            self.block.announced = true;
            self.block.message = None;
            self.block.tests.push(Test { name, status: None, message: None });
        } else if let Some((name, status, own_line)) = result(text) {
            self.result(line, name, status, own_line);
        } else if text == "PASS" || text == "FAIL" {
            if self.block.first.is_none() && !self.done.is_empty() && text == "FAIL" {
                self.end_line = Some(line);
            }
            self.block.verdict = Some((line, text == "PASS"));
            self.block.touch(line);
        } else {
            self.block.line(line);
        }
    }

    fn result(&mut self, line: Line<'a>, name: &'a str, status: CaseStatus, own_line: bool) {
        if self.block.resolve(line, name, status) {
            return;
        }
        // The end of the package before was printed by this very test.
        let pending = self.done.last().is_some_and(|block| block.is_pending(name));
        let pending_before = self.done.iter().rev().take(8).position(|block| block.is_pending(name));
        if (pending || pending_before.is_some()) && !self.block.announced {
            let at = self.done.len() - 1 - pending_before.unwrap_or(0);
            self.done.truncate(at + 1);
            if let Some(mut block) = self.done.pop() {
                block.end = None;
                block.verdict = None;
                block.resolve(line, name, status);
                self.block = block;
            }
            return;
        }
        if own_line && !self.block.announced {
            self.block.touch(line);
            self.block.unannounced.push((line, Test { name, status: Some(status), message: None }));
        }
    }
}

/// `ok  \texample.com/a\t0.003s`, `FAIL\texample.com/a [build failed]`, `?   \texample.com/a\t[no test files]`.
fn end(text: &str) -> Option<End> {
    // Asked of every line: most begin otherwise.
    if !text.starts_with(['o', 'F', '?', '\t']) {
        return None;
    }
    let is_path = |path: &str| !path.is_empty() && !path.contains(' ');
    let is_time = |text: &str| {
        text.strip_suffix('s').is_some_and(|number| number.contains('.') && number.parse::<f64>().is_ok())
    };
    if let Some(rest) = text.strip_prefix("ok  \t") {
        let (path, rest) = rest.split_once('\t')?;
        let duration = rest.split(['\t', ' ']).next()?;
        let cached = duration == "(cached)";
        let no_tests = rest.trim_end().ends_with("[no tests to run]");
        return (is_path(path) && (cached || is_time(duration))).then_some(End::Ok { cached, no_tests });
    }
    if let Some(rest) = text.strip_prefix("FAIL\t") {
        let rest = rest.trim_end();
        if let Some(path) = rest.strip_suffix(" [build failed]").or(rest.strip_suffix(" [setup failed]")) {
            return is_path(path).then_some(End::NotBuilt);
        }
        let (path, duration) = rest.split_once('\t')?;
        return (is_path(path) && (is_time(duration) || duration.starts_with('('))).then_some(End::Fail);
    }
    if let Some(rest) = text.strip_prefix("?   \t") {
        return rest.trim_end().ends_with("\t[no test files]").then_some(End::NoTestFiles);
    }
    // With -cover since Go 1.22.
    let rest = text.strip_prefix('\t')?;
    let (path, rest) = rest.split_once("\t\t")?;
    (is_path(path) && rest.trim_start().starts_with("coverage: ")).then_some(End::NoTestFiles)
}

/// The top-level test that `=== RUN   name` announces, also behind output without a line end.
fn announced(text: &str) -> Option<&str> {
    const BEGINNING: &str = "=== RUN   ";
    // The rule at the start of most lines, else behind what has no line end.
    let name = match text.strip_prefix(BEGINNING) {
        Some(name) => name,
        None => {
            memchr::memchr(b'=', text.as_bytes())?;
            text.split_once(BEGINNING)?.1
        }
    };
    let name = name.trim_end();
    let is_path = memchr::memchr2(b' ', b'/', name.as_bytes()).is_some();
    let top_level = !name.is_empty() && !is_path && !name.starts_with("Benchmark");
    top_level.then_some(name)
}

/// `--- FAIL: TestA/b (0.00s)`: the name, how it ended, and whether it stands at the start of its line.
fn result(text: &str) -> Option<(&str, CaseStatus, bool)> {
    let is_mark = |at: &usize| text[*at..].starts_with("--- ");
    let at = memchr::memrchr_iter(b'-', text.as_bytes()).find(is_mark)?;
    let (word, rest) = text[at + 4..].split_at_checked(4)?;
    let status = match word {
        "PASS" => CaseStatus::Passed,
        "FAIL" => CaseStatus::Failed,
        "SKIP" => CaseStatus::Skipped,
        _ => return None,
    };
    let rest = rest.strip_prefix(": ")?.trim_end();
    let blank = memchr::memchr(b' ', rest.as_bytes())?;
    let (name, seconds) = (&rest[..blank], rest[blank..].strip_prefix(" (")?.strip_suffix("s)")?);
    let own_line = text[..at].bytes().all(|byte| byte == b' ');
    let is_time = seconds == "0.00" || seconds.parse::<f64>().is_ok();
    is_time.then_some((name, status, own_line))
}

/// `TestA`, `ExampleA`, `FuzzA` and nothing else in the line.
fn is_test_name(text: &str) -> bool {
    let rest = ["Test", "Example", "Fuzz", "Benchmark"].iter().find_map(|kind| text.strip_prefix(kind));
    rest.is_some_and(|rest| rest.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
}

impl<'a> Block<'a> {
    fn touch(&mut self, line: Line<'a>) {
        self.first.get_or_insert(line);
        self.last = line.number;
    }

    fn is_pending(&self, name: &str) -> bool {
        self.tests.iter().any(|test| test.name == name && test.status.is_none())
    }

    /// Gives the test its result; `false`: no such test is running.
    fn resolve(&mut self, line: Line<'a>, name: &'a str, status: CaseStatus) -> bool {
        let message = self.message;
        if self.announced && memchr::memchr(b'/', name.as_bytes()).is_some() {
            // A part of a test that is announced: named if it failed, not counted.
            let known = self.tests.iter().any(|test| name.split('/').next() == Some(test.name));
            if known && status == CaseStatus::Failed {
                self.unannounced.push((line, Test { name, status: Some(status), message }));
            }
            return known;
        }
        let Some(test) = self.tests.iter_mut().rev().find(|test| test.name == name && test.status.is_none())
        else {
            return false;
        };
        test.status = Some(status);
        test.message = message;
        self.last = line.number;
        true
    }

    fn line(&mut self, line: Line<'a>) {
        let text = line.text;
        if text.starts_with("exit status ")
            || text.starts_with("signal: ")
            || text.starts_with("panic: ")
            || text.starts_with("fatal error: ")
            || text.starts_with("*** Test killed")
        {
            self.died = Some(line);
            self.touch(line);
        } else if is_test_name(text) {
            self.lists = true;
            self.touch(line);
        } else if text == "testing: warning: no tests to run" {
            self.no_tests = true;
            self.touch(line);
        } else if is_outside_of_module(text) {
            self.outside_of_module = true;
        } else if let Some((place, message)) = text.trim_start().split_once(": ")
            && place.contains(".go:")
            && text.starts_with("    ")
        {
            self.message = Some(message);
            if let Some((_, test)) = self.unannounced.last_mut().filter(|_| !self.announced) {
                test.message.get_or_insert(message);
            }
        }
    }

    /// A `FAIL` line of a package in the middle of another's output: a test printed it.
    fn is_spoofed(&self, asked: &Asked) -> bool {
        let program_said_so = matches!(self.verdict, Some((_, false))) || self.died.is_some();
        matches!(self.end, Some((_, End::Fail))) && !asked.cut_before && asked.named && !program_said_so
    }

    fn failures(&self) -> impl Iterator<Item = &Test<'a>> {
        let unannounced = self.unannounced.iter().map(|(_, test)| test);
        self.tests.iter().chain(unannounced).filter(|test| test.status == Some(CaseStatus::Failed))
    }

    fn failed(&self) -> bool {
        match self.end {
            Some((_, End::Fail | End::NotBuilt)) => true,
            Some((_, End::NoTestFiles)) => false,
            // `TestMain` can leave with status 0 after a failure: the program's own verdict and results stand.
            Some((_, End::Ok { .. })) => matches!(self.verdict, Some((_, false))),
            None => self.failures().next().is_some(),
        }
    }

    fn count(&self, wanted: CaseStatus) -> u64 {
        self.tests.iter().filter(|test| test.status == Some(wanted)).count() as u64
    }

    /// Top-level tests that failed, where all of their lines are there.
    fn failed_tests(&self, asked: &Asked) -> Option<u64> {
        let top_level = |test: &&Test<'_>| !test.name.contains('/');
        let failed = self.failures().filter(top_level).count() as u64;
        let begins = !self.announced || self.unannounced.iter().all(|(_, test)| test.name.contains('/'));
        let all = if asked.cut { asked.keeps_failures } else { self.end.is_some() && begins };
        (failed > 0 && all).then_some(failed)
    }

    fn reading(&self, asked: &Asked) -> Reading {
        let said_at = self.verdict.filter(|_| self.end.is_none()).map(|(line, _)| line);
        let line = self.end.map(|(line, _)| line).or(said_at).or(self.first);
        let line = line.or(self.unannounced.first().map(|(line, _)| *line));
        let quote = line.map_or_else(|| kenshu_model::Quote::new(self.last, ""), |line| line.quote());
        let first = self.first.map_or(quote.line, |line| line.number);
        let reading = match self.end {
            Some((_, End::NotBuilt)) if self.outside_of_module => {
                Reading::without_counts(READER.id, Said::CouldNotRun(Reason::Environment), quote)
            }
            Some((_, End::NotBuilt)) => {
                Reading::from_tally(READER.id, Tally { load_errors: Some(1), ..Tally::ZERO }, quote)
            }
            Some((_, End::NoTestFiles)) => {
                Reading::without_counts(READER.id, Said::NothingRan(Reason::NoTestFiles), quote)
            }
            Some((_, End::Ok { cached, no_tests })) if !self.failed() => {
                self.passed(asked, cached, no_tests, quote)
            }
            Some((_, End::Ok { .. } | End::Fail)) => {
                Reading::from_tally(READER.id, self.tally(asked), quote).saying(Said::Failed)
            }
            None => self.open(asked, quote),
        };
        reading.spanning(first, self.last).naming(self.cases())
    }

    /// A package that ended with `ok`.
    fn passed(&self, asked: &Asked, cached: bool, no_tests: bool, quote: kenshu_model::Quote) -> Reading {
        // Of a package that passed, go shows no output but with the program's own verdict.
        if asked.lists || (self.lists && self.verdict.is_none() && !asked.cut) {
            return Reading::without_counts(READER.id, Said::NothingRan(Reason::ListOnly), quote);
        }
        if no_tests || (self.no_tests && self.tests.is_empty()) {
            return Reading::without_counts(READER.id, Said::NothingRan(asked.why_none()), quote);
        }
        let mut tally = Tally { failed: Some(0), ..self.tally(asked) };
        if cached {
            // A package where its tests are not listed, else the tests.
            tally.cached = Some(tally.passed.unwrap_or(1));
            return Reading::from_tally(READER.id, tally, quote).saying(Said::NothingRan(Reason::Cached));
        }
        let reading = Reading::from_tally(READER.id, tally, quote);
        if tally.passed.is_none() && asked.cut && asked.cut_before && asked.named && !asked.names_packages {
            return reading.saying(Said::Unfinished(Reason::OutputCut));
        }
        // Without -v nothing but the package's name is printed.
        if tally.passed.is_none() { reading.saying(Said::Passed) } else { reading }
    }

    /// A package whose last line is not there.
    fn open(&self, asked: &Asked, quote: kenshu_model::Quote) -> Reading {
        if self.failed() {
            return Reading::from_tally(READER.id, self.tally(asked), quote).saying(Said::Failed);
        }
        // A test program that was started by itself prints its verdict and no package.
        match self.verdict {
            Some((_, true)) if self.announced && !asked.named && self.died.is_none() => {
                Reading::from_tally(READER.id, self.tally(asked), quote)
            }
            _ => {
                let reason = if asked.cut { Reason::OutputCut } else { Reason::NoSummary };
                Reading::without_counts(READER.id, Said::Unfinished(reason), quote)
            }
        }
    }

    fn tally(&self, asked: &Asked) -> Tally {
        let unresolved = self.tests.iter().any(|test| test.status.is_none());
        let listed = |wanted| {
            let own = self.count(wanted);
            let bare = self
                .unannounced
                .iter()
                .filter(|(_, test)| test.status == Some(wanted) && !test.name.contains('/'));
            own + bare.count() as u64
        };
        // Results without beginnings: a grep for them, whose pattern says which are all there.
        let by_grep = !self.announced && asked.cut && asked.keeps_passes;
        let all = self.announced
            && !asked.cut
            // A result without a beginning: lines above it are missing.
            && self.unannounced.iter().all(|(_, test)| test.name.contains('/'))
            && (self.end.is_some() || self.verdict.is_some())
            && (!unresolved || self.died.is_some() || self.failed());
        Tally {
            passed: (all || by_grep).then(|| listed(CaseStatus::Passed)),
            failed: self.failed_tests(asked),
            skipped: (all || (by_grep && asked.keeps_skips)).then(|| listed(CaseStatus::Skipped)),
            ..Tally::ZERO
        }
    }

    fn cases(&self) -> Vec<Case> {
        let named = |test: &&Test<'_>| matches!(test.status, Some(CaseStatus::Failed | CaseStatus::Skipped));
        let good_end = matches!(self.end, Some((_, End::Ok { .. }))) && !self.failed();
        let unannounced = self.unannounced.iter().filter(|_| !good_end).map(|(_, test)| test);
        self.tests
            .iter()
            .chain(unannounced)
            .filter(named)
            .map(|test| Case {
                name: test.name.to_owned(),
                file: None,
                status: test.status.unwrap_or(CaseStatus::Failed),
                message: test.message.map(str::to_owned),
                file_level: false,
            })
            .collect()
    }
}
