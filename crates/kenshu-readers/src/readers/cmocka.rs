//! cmocka: its standard output; its TAP and XML are those of every producer.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "cmocka";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "cmocka",
    versions: "1.1",
    formats: "text",
    zero: "`[==========] 0 test(s) run.`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &[" test(s).", " test(s) run.", " test(s), listed below:", " FAILED TEST(S)"],
    commands: &[],
    list_options: &[],
    covers: &["googletest"],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for line in stream.lines() {
        if let Some(count) = announced(line.text) {
            // A group inside a group's output is what a test printed.
            match groups.last() {
                Some(open) if open.announced.is_some() && open.footer.is_none() && open.in_test => {}
                Some(_) | None => groups.push(Group::new(line, Some(count))),
            }
            continue;
        }
        if groups.is_empty() && (ran(line.text).is_some() || closes(line.text)) {
            groups.push(Group::new(line, None));
        }
        if let Some(group) = groups.last_mut() {
            group.take(line);
        }
    }
    groups.iter().filter_map(|group| group.reading(hint)).collect()
}

/// One `cmocka_run_group_tests`.
struct Group<'a> {
    first: Line<'a>,
    announced: Option<u64>,
    footer: Option<(Line<'a>, u64)>,
    passed: Option<(Line<'a>, u64)>,
    skipped: Option<(Line<'a>, u64)>,
    failed: Option<(Line<'a>, u64)>,
    /// `GROUP SETUP`, `GROUP TEARDOWN`
    outside: Vec<Line<'a>>,
    failing: Vec<(Line<'a>, &'a str)>,
    in_test: bool,
    last: u32,
}

/// `[==========] Running 3 test(s).`; later versions put the group's name before it.
fn announced(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("[==========] ")?.strip_suffix(" test(s).")?;
    let (before, count) = rest.rsplit_once(' ')?;
    let running = before == "Running" || before.ends_with(": Running");
    count.parse().ok().filter(|_| running)
}

/// `[==========] 3 test(s) run.`
fn ran(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("[==========] ")?.strip_suffix(" test(s) run.")?;
    rest.rsplit(' ').next()?.parse().ok()
}

/// `[  FAILED  ] 2 test(s), listed below:`, `[  PASSED  ] 3 test(s).`
fn counted(text: &str) -> Option<u64> {
    let count = text.strip_suffix(" test(s).").or_else(|| text.strip_suffix(" test(s), listed below:"))?;
    count.rsplit(' ').next()?.parse().ok()
}

/// A line of the closing statement that no other runner prints.
fn closes(text: &str) -> bool {
    let listed = text.strip_prefix("[  PASSED  ] ").or_else(|| text.strip_prefix("[  FAILED  ] "));
    listed.and_then(counted).is_some() || failed_in_all(text).is_some()
}

/// ` 2 FAILED TEST(S)`, the last line.
fn failed_in_all(text: &str) -> Option<u64> {
    text.strip_prefix(' ')?.strip_suffix(" FAILED TEST(S)")?.parse().ok()
}

impl<'a> Group<'a> {
    fn new(first: Line<'a>, announced: Option<u64>) -> Group<'a> {
        Group {
            first,
            announced,
            footer: None,
            passed: None,
            skipped: None,
            failed: None,
            outside: Vec::new(),
            failing: Vec::new(),
            in_test: false,
            last: first.number,
        }
    }

    fn take(&mut self, line: Line<'a>) {
        let text = line.text.trim_end();
        if let Some(name) = text.strip_prefix("[ RUN      ] ") {
            self.in_test = !name.is_empty();
        } else if text.starts_with("[       OK ] ") {
            self.in_test = false;
        } else if let Some(count) = ran(text) {
            if !self.in_test && self.footer.is_none() {
                self.footer = Some((line, count));
            }
        } else if let Some(rest) = text.strip_prefix("[  PASSED  ] ") {
            if !self.in_test
                && self.passed.is_none()
                && let Some(count) = counted(rest)
            {
                self.passed = Some((line, count));
            }
        } else if let Some(rest) = text.strip_prefix("[  SKIPPED ] ") {
            self.in_test = false;
            if self.passed.is_some()
                && let Some(count) = counted(rest)
            {
                self.skipped = Some((line, count));
            }
        } else if let Some(rest) = text.strip_prefix("[  FAILED  ] ") {
            self.in_test = false;
            if matches!(rest, "GROUP SETUP" | "GROUP TEARDOWN") {
                self.outside.push(line);
            } else if let Some(count) = counted(rest) {
                self.failed = Some((line, count));
            } else if self.passed.is_none() {
                self.failing.push((line, rest));
            }
        } else if let Some(count) = failed_in_all(text) {
            self.failed.get_or_insert((line, count));
        } else if let Some(name) = text.strip_prefix("[  ERROR   ] ")
            && !name.starts_with("--- ")
        {
            self.in_test = false;
            if self.outside.is_empty() && self.passed.is_none() {
                self.failing.push((line, name));
            }
        } else {
            return;
        }
        self.last = line.number;
    }

    fn reading(&self, hint: Hint<'_>) -> Option<Reading> {
        let failures = self.failing.first().or(None).map(|(line, _)| *line).or(self.outside.first().copied());
        let reading = match (self.footer, self.passed) {
            (Some((footer, total)), Some((passed_line, passed))) => {
                let skipped = self.skipped.map_or(0, |(_, count)| count);
                let failed = self.failed.map_or(0, |(_, count)| count);
                // Tests whose set-up failed are counted as run and as nothing else.
                let errored = total.checked_sub(passed + skipped + failed);
                let cut = runs::loses_its_end(hint) && self.failed.is_none();
                let tally = Tally {
                    errored,
                    load_errors: Some(self.outside.len() as u64),
                    ..Tally::of(passed, failed, skipped)
                };
                let said =
                    if errored.is_none() { Said::Unfinished(Reason::NoSummary) } else { Said::of(&tally) };
                let reading = Reading { tally, ..Reading::without_counts(ID, said, footer.quote()) };
                let reading = reading.quoting(passed_line.quote());
                if cut { reading.summed() } else { reading }
            }
            (Some(_) | None, _) if failures.is_some() || self.failed.is_some() => {
                let line = failures.or(self.failed.map(|(line, _)| line))?;
                Reading::without_counts(ID, Said::Failed, line.quote())
            }
            (Some(_) | None, _) => {
                // `[  PASSED  ]` may be what a test printed.
                let own = self.announced.is_some() || self.footer.is_some();
                let reason = if runs::is_cut(hint) { Reason::OutputCut } else { Reason::NoSummary };
                return own
                    .then(|| Reading::without_counts(ID, Said::Unfinished(reason), self.first.quote()));
            }
        };
        let counts = [self.skipped, self.failed];
        let reading =
            counts.into_iter().flatten().fold(reading, |reading, (line, _)| reading.quoting(line.quote()));
        let reading = self.outside.iter().fold(reading, |reading, line| reading.quoting(line.quote()));
        let cases = self.failing.iter().map(|(_, name)| Case {
            name: (*name).to_owned(),
            file: None,
            status: CaseStatus::Failed,
            message: None,
            file_level: false,
        });
        Some(reading.naming(cases.collect()).spanning(self.first.number, self.last))
    }
}
