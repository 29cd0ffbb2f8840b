//! Vitest's own TAP: files and suites are entries too, and only the leaves are tests.

use kenshu_model::{Case, CaseStatus, Reason, Tally};

use super::ID;
use crate::reading::{Reading, Said};
use crate::text::Line;

/// One entry: `ok 1 - name # time=1.5ms {`.
struct Entry<'a> {
    ok: bool,
    indent: usize,
    name: &'a str,
    directive: Option<&'a str>,
    has_children: bool,
}

/// The TAP document in these lines, read because the command names Vitest.
pub(super) fn read(lines: &[Line<'_>]) -> Option<Reading> {
    let header = lines.iter().find(|line| line.text.trim_end() == "TAP version 13")?;
    let mut tally = Tally { flaky: None, ..Tally::ZERO };
    let mut cases = Vec::new();
    let mut quotes = vec![header.quote()];
    let mut planned = 0;
    let mut listed = 0;
    let mut last = header.number;
    // Per open entry with children: whether it failed, and whether a failure was seen inside.
    let mut parents: Vec<(bool, bool)> = Vec::new();
    let body: Vec<&Line<'_>> = lines.iter().filter(|line| line.number > header.number).collect();
    let nested = body.iter().any(|line| !line.text.starts_with(' ') && line.text.trim_end().ends_with(" {"));
    for line in body {
        let text = line.text.trim();
        if let Some(count) = text.strip_prefix("1..").and_then(|count| count.parse::<u64>().ok()) {
            planned += count;
            last = line.number;
        } else if text == "}" {
            last = line.number;
            let Some((failed, explained)) = parents.pop() else { continue };
            if failed && !explained {
                tally.load_errors = tally.load_errors.map(|count| count + 1);
            }
            if let Some(outer) = parents.last_mut() {
                outer.1 |= failed;
            }
        } else if let Some(entry) = entry(line.text) {
            listed += 1;
            last = line.number;
            if entry.has_children {
                parents.push((!entry.ok, false));
                continue;
            }
            if !entry.ok {
                quotes.push(line.quote());
                if let Some(parent) = parents.last_mut() {
                    parent.1 = true;
                }
            }
            // A file that did not load has no tests; in the flat form its name holds no ` > `.
            let is_file = entry.indent == 0 && (nested || !entry.name.contains(" > "));
            count(&mut tally, &entry, is_file);
            if !is_file {
                cases.push(case(&entry));
            }
        }
    }
    let mut said = Said::of(&tally);
    if said != Said::Failed && (planned != listed || !parents.is_empty()) {
        said = Said::Unfinished(Reason::PlanMismatch);
    }
    if matches!(said, Said::Unfinished(_)) {
        tally = Tally::UNKNOWN;
    } else if planned != listed {
        tally = Tally { failed: tally.failed.filter(|count| *count > 0), ..Tally::UNKNOWN };
    }
    Some(Reading {
        runner: ID,
        said,
        tally,
        files: None,
        cases: cases.into(),
        quotes,
        lines: (header.number, last),
        needs_every_line: true,
        remark: None,
    })
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let (ok, rest) = match text.strip_prefix("not ok ") {
        Some(rest) => (false, rest),
        None => (true, text.strip_prefix("ok ")?),
    };
    let (number, rest) = rest.split_once(" - ")?;
    number.parse::<u64>().ok()?;
    let (rest, has_children) = match rest.trim_end().strip_suffix(" {") {
        Some(rest) => (rest, true),
        None => (rest.trim_end(), false),
    };
    let (name, directive) = match rest.rsplit_once(" # ") {
        Some((name, directive)) => (name, Some(directive)),
        None => (rest, None),
    };
    Some(Entry { ok, indent, name, directive, has_children })
}

fn count(tally: &mut Tally, entry: &Entry<'_>, is_file: bool) {
    let field = match (status(entry), is_file) {
        (CaseStatus::Failed, true) => &mut tally.load_errors,
        (_, true) => return,
        (CaseStatus::Failed, false) => &mut tally.failed,
        (CaseStatus::Skipped, false) => &mut tally.skipped,
        (CaseStatus::Todo, false) => &mut tally.todo,
        (CaseStatus::Passed | CaseStatus::ExpectedFailure | CaseStatus::UnexpectedPass, false) => {
            &mut tally.passed
        }
    };
    *field = field.map(|count| count + 1);
}

fn status(entry: &Entry<'_>) -> CaseStatus {
    match entry.directive {
        Some("SKIP") => CaseStatus::Skipped,
        Some("TODO") => CaseStatus::Todo,
        _ if entry.ok => CaseStatus::Passed,
        _ => CaseStatus::Failed,
    }
}

fn case(entry: &Entry<'_>) -> Case {
    Case { name: entry.name.to_owned(), file: None, status: status(entry), message: None, file_level: false }
}
