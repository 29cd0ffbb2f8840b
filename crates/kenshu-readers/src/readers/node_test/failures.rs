//! Result lines of the spec and TAP reporters: how many, which failed, and which of them are whole files.

use kenshu_model::{Case, CaseStatus, Reason};

use super::ID;
use super::summary::Style;
use crate::lines::LineSpan;
use crate::reader::Hint;
use crate::reading::{Reading, Said};
use crate::text::Line;

/// How a result line says that a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Passed,
    Failed,
    /// Skipped or todo, whatever its body did.
    Other,
}

/// One result line.
#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    style: Style,
    mark: Mark,
    name: &'a str,
    /// Whether it is no subtest and stands in no suite.
    top: bool,
}

/// What stands around the time of a spec result.
struct Timed<'a> {
    name: &'a str,
    /// ` # SKIP`, ` # a reason`, or nothing.
    mark: &'a str,
}

/// `name (1.234ms)`, with what newer versions add: `(passed on attempt 0)`, `# SKIP`, a reason. By hand, like [`point`]:
/// every line of a run is asked, and a regular expression would take most of the time.
fn timed(text: &str) -> Option<Timed<'_>> {
    // A name can hold a time itself: the last one is the runner's.
    memchr::memrchr_iter(b'(', text.as_bytes()).find_map(|at| {
        let name = text[..at].strip_suffix(" ")?;
        after_time(&text[at + 1..]).map(|mark| Timed { name, mark })
    })
}

/// What follows `1.234ms)`, if nothing but the runner's own words does.
fn after_time(text: &str) -> Option<&str> {
    let text = digits(text)?;
    let text = text.strip_prefix(".").map_or(Some(text), digits)?;
    let text = text.strip_prefix("e-").map_or(Some(text), digits)?;
    let text = text.strip_prefix("ms)")?;
    let attempt = |text| digits(text)?.strip_prefix(')');
    let mark = text.strip_prefix(PASSED_BEFORE).map_or(Some(text), attempt)?;
    (mark.is_empty() || mark.starts_with(" # ")).then_some(mark)
}

/// What follows one digit or more.
fn digits(text: &str) -> Option<&str> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| &text[length..])
}

/// A test point of TAP as node writes it: whether it is `ok`, its name, and whether it is marked `SKIP` or `TODO`.
fn point(text: &str) -> Option<(bool, &str, bool)> {
    let text = text.trim_start_matches(' ');
    let result = text.strip_prefix("not ").unwrap_or(text);
    let rest = digits(result.strip_prefix("ok ")?)?.strip_prefix(" - ")?;
    let is_mark = |at: &usize| {
        let Some(directive) = rest[at + 1..].strip_prefix(' ').filter(|_| rest[..*at].ends_with(' ')) else {
            return false;
        };
        let after = directive.strip_prefix("SKIP").or_else(|| directive.strip_prefix("TODO"));
        after.is_some_and(|after| !after.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    };
    let mark = memchr::memchr_iter(b'#', rest.as_bytes()).find(is_mark);
    let name = mark.map_or(rest, |at| &rest[..at - 1]);
    Some((result.len() == text.len(), name, mark.is_some()))
}

fn entry(text: &str) -> Option<Entry<'_>> {
    let blanks = text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let (trimmed, top) = (&text[blanks..], blanks == 0);
    match trimmed.chars().next()? {
        symbol @ ('✔' | '✖' | '﹣' | '⚠' | '▶') => {
            let rest = trimmed[symbol.len_utf8()..].strip_prefix(" ")?;
            let timed = timed(rest);
            // Opening lines of suites and interrupted tests have no time; cancelled tests of new versions neither.
            if timed.is_none() && symbol != '✖' {
                return None;
            }
            if rest == "failing tests:" {
                return None;
            }
            let marked = timed.as_ref().map_or("", |timed| timed.mark);
            let expected = marked.starts_with(" # EXPECTED FAILURE");
            let mark = match symbol {
                '✔' if marked.is_empty() || expected => Mark::Passed,
                '✖' if marked.is_empty() || expected => Mark::Failed,
                _ => Mark::Other,
            };
            let name = timed.map_or(rest, |timed| timed.name);
            Some(Entry { style: Style::Spec, mark, name, top })
        }
        'o' | 'n' => {
            let (ok, name, marked) = point(text)?;
            let mark = match (marked, ok) {
                (true, _) => Mark::Other,
                (false, true) => Mark::Passed,
                (false, false) => Mark::Failed,
            };
            Some(Entry { style: Style::Tap, mark, name, top })
        }
        '<' => junit_entry(trimmed, trimmed.len() + 1 == text.len()),
        _ => None,
    }
}

/// A test or suite of node's JUnit report; suites and parents end as their children did.
fn junit_entry(tag: &str, top: bool) -> Option<Entry<'_>> {
    let is_case = tag.starts_with("<testcase ");
    if !is_case && !tag.starts_with("<testsuite ") {
        return None;
    }
    let name = tag.split_once(" name=\"")?.1;
    let mark = match is_case {
        true if tag.contains(" failure=\"") => Mark::Failed,
        true if tag.ends_with("/>") => Mark::Passed,
        _ => Mark::Other,
    };
    // A name with a line break ends where the line does.
    let name = name.split_once('"').map_or(name, |(name, _)| name);
    Some(Entry { style: Style::Junit, mark, name, top })
}

/// Whether the result line at `index` repeats one: the list of failures has the place above each.
fn is_repeated(lines: LineSpan<'_>, index: usize) -> bool {
    index > 0 && lines.text(index - 1).starts_with("test at ")
}

/// Number of the first line that is the runner's own.
pub(super) fn first_line(lines: LineSpan<'_>) -> Option<u32> {
    let own = |line: &Line<'_>| {
        line.text.starts_with("TAP version ") || line.text == "<testsuites>" || entry(line.text).is_some()
    };
    lines.iter().find(own).map(|line| line.number)
}

/// The result lines of a text.
pub(super) struct Results(Vec<Seen>);

/// What is kept of a result line: there can be millions. Its name is read again where it matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    index: u32,
    style: Style,
    mark: Mark,
    top: bool,
    /// Whether its name is a file's, as far as that matters: at the top level.
    is_file: bool,
}

impl Seen {
    /// Index of the line.
    fn index(&self) -> usize {
        self.index as usize
    }

    pub(super) fn is_of(&self, style: Style) -> bool {
        self.style == style
    }
}

impl Results {
    pub(super) fn new(lines: LineSpan<'_>) -> Results {
        let seen = |(index, line): (usize, Line<'_>)| {
            let Entry { style, mark, name, top } = entry(line.text)?;
            let is_file = top && is_file_name(name);
            let seen = Seen { index: u32::try_from(index).ok()?, style, mark, top, is_file };
            (!is_repeated(lines, index)).then_some(seen)
        };
        Results(lines.iter().enumerate().filter_map(seen).collect())
    }

    /// The result lines between two lines.
    pub(super) fn within(&self, from: usize, to: usize) -> &[Seen] {
        let start = self.0.partition_point(|seen| seen.index() < from);
        let end = self.0.partition_point(|seen| seen.index() < to);
        self.0.get(start..end).unwrap_or_default()
    }

    /// How many result lines stand between two lines, and how many of them at the top level.
    pub(super) fn between(&self, from: usize, to: usize, style: Style) -> (u64, u64) {
        let found = self.within(from, to).iter().filter(|seen| seen.style == style);
        found.fold((0, 0), |(all, tops), seen| (all + 1, tops + u64::from(seen.top)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The name of a result line.
fn name(line: &str) -> &str {
    entry(line).map_or("", |entry| entry.name)
}

/// Entries that stand for a whole file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Files {
    /// Files without a test, or whose tests the runner did not see.
    pub(super) passed: u64,
    /// Files whose process ended badly.
    pub(super) failed: u64,
    /// Files whose process was interrupted with the runner.
    pub(super) interrupted: u64,
}

impl Files {
    pub(super) fn of(lines: LineSpan<'_>, results: &[Seen]) -> Files {
        let mut files = Files::default();
        for seen in results.iter().filter(|seen| seen.is_file) {
            match seen.mark {
                Mark::Passed => files.passed += 1,
                Mark::Other => {}
                Mark::Failed => match file_failure(lines, seen.index()) {
                    Some(FileFailure::Process) => files.failed += 1,
                    Some(FileFailure::Interrupted) => files.interrupted += 1,
                    None => {}
                },
            }
        }
        files
    }
}

enum FileFailure {
    Process,
    Interrupted,
}

/// What the runner says of a failed entry with a file's name: `'test failed'` is the words for a process that ended
/// badly; anything else is an ordinary failure.
fn file_failure(lines: LineSpan<'_>, index: usize) -> Option<FileFailure> {
    if lines.text(index).starts_with("not ok") {
        let diagnostics: Vec<&str> = diagnostics(lines.from(index + 1)).map(str::trim).collect();
        if diagnostics.contains(&"signal: 'SIGINT'") {
            return Some(FileFailure::Interrupted);
        }
        let of_file = diagnostics.contains(&"error: 'test failed'")
            && diagnostics.contains(&"failureType: 'testCodeFailure'");
        return of_file.then_some(FileFailure::Process);
    }
    if lines.text(index).contains(" failure=\"") {
        return lines.text(index).contains(" failure=\"test failed\"").then_some(FileFailure::Process);
    }
    let file = name(lines.text(index));
    let at = (index + 1..lines.len()).find(|at| {
        is_repeated(lines, *at) && entry(lines.text(*at)).is_some_and(|entry| entry.name == file)
    })?;
    let place = lines.text(at - 1);
    let message = lines.text(at + 1).trim();
    (place.ends_with(":1:1")
        && !message.is_empty()
        && !message.starts_with("'test timed out")
        && !message.starts_with("'Promise"))
    .then_some(FileFailure::Process)
}

/// Lines of the YAML block right below a TAP test point.
fn diagnostics<'a>(lines: LineSpan<'a>) -> impl Iterator<Item = &'a str> {
    let begins = lines.first().is_some_and(|line| line.text.trim() == "---");
    lines.from(1).iter().map(|line| line.text).take_while(move |text| begins && text.trim() != "...")
}

/// Whether a test's name is that of a file node runs as a test: a path that ends like a module.
fn is_file_name(name: &str) -> bool {
    const ENDINGS: [&str; 8] = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"];
    // Asked of every test: most end otherwise.
    if !name.ends_with(['s', 'x']) {
        return false;
    }
    ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.contains(char::is_whitespace)
        || name.starts_with('/') && ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Tests whose result is an earlier run's (`--test-rerun-failures`): they did not run now.
pub(super) fn replayed(lines: LineSpan<'_>, results: &[Seen]) -> u64 {
    let passed = results.iter().filter(|seen| seen.mark == Mark::Passed);
    passed.filter(|seen| lines.text(seen.index()).contains(PASSED_BEFORE)).count() as u64
}

/// With what a result says that it is an earlier run's.
pub(super) const PASSED_BEFORE: &str = " (passed on attempt ";

/// Index behind the last line that belongs to a run whose closing block ends before `from`.
pub(super) fn end_of_run(lines: LineSpan<'_>, from: usize, to: usize) -> usize {
    let mut end = from;
    let mut in_list = false;
    for index in from..to {
        let text = lines.text(index);
        if text.starts_with("TAP version ") || text.starts_with("# Subtest: ") {
            break;
        }
        if entry(text).is_some() && !is_repeated(lines, index) {
            break;
        }
        in_list |= text == "✖ failing tests:";
        if in_list || text.is_empty() || is_afterword(text) {
            end = index + 1;
        }
    }
    end
}

/// Coverage report and errors that follow the closing block, and the end of a JUnit report.
fn is_afterword(text: &str) -> bool {
    text.starts_with("ℹ ")
        || text.starts_with("# ")
        || text.trim_start().starts_with("<!-- ")
        || text == "</testsuites>"
}

/// How many tests in the list of failures ran into the runner's own time limit.
pub(super) fn timed_out(tail: LineSpan<'_>) -> u64 {
    tail.iter().filter(|line| line.text.starts_with("  'test timed out after ")).count() as u64
}

/// Hooks that failed where no test did: the runner counts a failed suite nowhere.
pub(super) fn failed_hooks(lines: LineSpan<'_>, results: &[Seen], tail: LineSpan<'_>) -> u64 {
    let listed = (0..tail.len())
        .filter(|index| is_repeated(tail, *index))
        .filter(|index| entry(tail.text(*index)).is_some_and(|entry| entry.mark == Mark::Failed))
        .count() as u64;
    let points = results
        .iter()
        .filter(|seen| {
            seen.mark == Mark::Failed && lines.text(seen.index()).trim_start().starts_with("not ok")
        })
        .filter(|seen| {
            diagnostics(lines.from(seen.index() + 1)).any(|text| text.trim() == "failureType: 'hookFailed'")
        })
        .count() as u64;
    listed.max(points)
}

/// The tests that failed: from the list that spec closes with, or from the test points of TAP.
pub(super) fn cases(lines: LineSpan<'_>, results: &[Seen], tail: LineSpan<'_>) -> Vec<Case> {
    let listed = (1..tail.len()).filter(|index| is_repeated(tail, *index)).filter_map(|index| {
        let entry = entry(tail.text(index)).filter(|entry| entry.mark == Mark::Failed)?;
        let place = tail.text(index - 1).strip_prefix("test at ")?;
        let message = tail.get(index + 1).map(|line| unquoted(line.text.trim()));
        Some(case(entry.name.to_owned(), place, message))
    });
    let mut cases: Vec<Case> = listed.collect();
    cases.extend(not_failed(lines, results));
    for seen in results.iter().filter(|seen| seen.mark == Mark::Failed) {
        let (index, style) = (seen.index(), seen.style);
        let name = name(lines.text(index));
        if style == Style::Junit {
            if lines.get(index + 1).is_some_and(|next| next.text.trim_start().starts_with("<skipped")) {
                continue;
            }
            let message = lines.text(index).split_once(" failure=\"").map(|(_, rest)| rest);
            let message =
                message.map(|rest| plain(rest.split_once('"').map_or(rest, |(message, _)| message)));
            cases.push(case(plain(name), "", message));
            continue;
        }
        if style != Style::Tap {
            continue;
        }
        let diagnostics: Vec<&str> = diagnostics(lines.from(index + 1)).map(str::trim).collect();
        let field = |name: &str| diagnostics.iter().find_map(|line| line.strip_prefix(name));
        // A parent that failed only with its subtests names nothing that they don't.
        if field("failureType: ") == Some("'subtestsFailed'") {
            continue;
        }
        let message = match field("error: ") {
            Some("|-") => {
                let at = diagnostics.iter().position(|line| *line == "error: |-");
                at.and_then(|at| diagnostics.get(at + 1)).map(|line| (*line).to_owned())
            }
            other => other.map(unquoted),
        };
        cases.push(case(unescaped(name), &unquoted(field("location: ").unwrap_or_default()), message));
    }
    cases
}

/// Skipped and todo tests, which a claim of a total needs by name, and files that were counted as one passed test.
fn not_failed<'a>(lines: LineSpan<'a>, results: &'a [Seen]) -> impl Iterator<Item = Case> + 'a {
    results.iter().filter(|seen| seen.style != Style::Junit).filter_map(move |seen| {
        if seen.mark == Mark::Passed && !seen.is_file {
            return None;
        }
        let line = lines.text(seen.index());
        let status = match seen.mark {
            Mark::Passed => CaseStatus::Passed,
            Mark::Other if line.contains("# TODO") => CaseStatus::Todo,
            Mark::Other if line.contains("# SKIP") || line.trim_start().starts_with('﹣') => {
                CaseStatus::Skipped
            }
            Mark::Failed | Mark::Other => return None,
        };
        let name = name(line);
        let name = if seen.style == Style::Tap { unescaped(name) } else { name.to_owned() };
        Some(Case { status, ..case(name, "", None) })
    })
}

fn case(name: String, place: &str, message: Option<String>) -> Case {
    let mut parts = place.rsplitn(3, ':');
    let is_number = |part: Option<&str>| {
        part.is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let file = (is_number(parts.next()) && is_number(parts.next())).then(|| parts.next()).flatten();
    Case {
        file_level: is_file_name(&name),
        name,
        file: file.map(str::to_owned),
        status: CaseStatus::Failed,
        message: message.filter(|message| !message.is_empty()),
    }
}

fn unquoted(text: &str) -> String {
    text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text).to_owned()
}

/// Text of an XML attribute as it was before it was escaped.
fn plain(text: &str) -> String {
    quick_xml::escape::unescape(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

/// A name as it was before TAP escaped it.
fn unescaped(name: &str) -> String {
    name.replace("\\#", "#").replace("\\\\", "\\")
}

/// Whether `Failed tests:` (dot reporter) lists a test that is not marked todo.
pub(super) fn listed_below_heading(lines: LineSpan<'_>) -> bool {
    lines
        .iter()
        .skip_while(|line| line.text != "Failed tests:")
        .any(|line| entry(line.text).is_some_and(|entry| entry.mark == Mark::Failed && entry.top))
}

/// A run whose closing block is not there: what its lines prove.
pub(super) fn without_summary(lines: LineSpan<'_>, hint: Hint<'_>) -> Option<Reading> {
    let mut began: Option<usize> = None;
    let mut failed = None;
    let mut interrupted = None;
    for (index, line) in lines.iter().enumerate() {
        let text = line.text;
        let Some(entry) = entry(text) else {
            if text == "Interrupted while running:" || text.starts_with("# Interrupted while running: ") {
                interrupted = interrupted.or(Some(line));
            }
            continue;
        };
        let is_point = entry.style == Style::Tap;
        let timed = timed(text).is_some();
        let nodes_own = if is_point {
            diagnostics(lines.from(index + 1))
                .next()
                .is_some_and(|text| text.trim().starts_with("duration_ms: "))
        } else {
            is_repeated(lines, index) || (hint.named && timed)
        };
        if !nodes_own {
            continue;
        }
        began = began.or(Some(index));
        if entry.mark == Mark::Failed && !was_interrupted(lines, index) {
            failed = failed.or(Some(line));
        }
    }
    let first = lines.get(began?)?;
    let last = lines.last()?;
    let reading = match (failed, interrupted) {
        (Some(line), _) => Reading::without_counts(ID, Said::Failed, line.quote()).naming(cases(
            lines,
            &Results::new(lines).0,
            lines,
        )),
        (None, Some(line)) => Reading::without_counts(ID, Said::Unfinished(Reason::Killed), line.quote()),
        (None, None) => Reading::without_counts(ID, Said::Unfinished(Reason::OutputCut), first.quote()),
    };
    Some(reading.spanning(first.number, last.number))
}

/// Whether this failure is the process's own end by Ctrl-C.
fn was_interrupted(lines: LineSpan<'_>, index: usize) -> bool {
    diagnostics(lines.from(index + 1)).any(|text| text.trim() == "signal: 'SIGINT'")
}
