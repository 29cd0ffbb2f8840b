//! CppUnit: the closing lines of its text and compiler outputters, and its XML.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Quote, Reason, Tally};
use regex::Regex;

use crate::documents::Document;
use crate::marks::Marks;
use crate::numbers::after;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::runs;
use crate::text::{Line, Stream};

const ID: &str = "cppunit";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "CppUnit",
    versions: "1.15",
    formats: "text, XML",
    zero: "`OK (0 tests)`, status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Own,
    needles: &["OK (", "!!!FAILURES!!!", "Failures !!!", "<TestRun>", ") test: "],
    commands: &[],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let reports: Vec<Reading> = stream.xml_documents(&["TestRun"]).into_iter().filter_map(xml).collect();
    if !reports.is_empty() {
        return reports;
    }
    let mut found = Found::default();
    for line in stream.lines() {
        found.take(line);
    }
    if found.is_java {
        return Vec::new();
    }
    if found.closed.is_empty()
        && let Some(line) = found.left.filter(|_| runs::is_cut(hint))
    {
        return vec![Reading::without_counts(ID, Said::Failed, line.quote())];
    }
    let readings = runs::closing(found.closed, hint);
    if runs::loses_its_end(hint) { readings.into_iter().map(Reading::summed).collect() } else { readings }
}

#[derive(Default)]
struct Found<'a> {
    closed: Vec<Reading>,
    opening: Option<Line<'a>>,
    /// The first failed test below a closing line that was cut away.
    left: Option<Line<'a>>,
    /// JUnit 3 and 4 and PHPUnit close a run alike.
    is_java: bool,
}

impl<'a> Found<'a> {
    fn take(&mut self, line: Line<'a>) {
        static FAILED: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^Run: +(\d+)   (?:Failure total: (\d+)   )?Failures: (\d+)   Errors: (\d+)$")
                .expect("pattern of a line")
        });
        static NAMED: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^\d+\) test: (\S.*) \((F|E)\) (?:line: \d+ (.*))?$").expect("pattern of a line")
        });
        let text = line.text;
        if text == "!!!FAILURES!!!" || text == "Failures !!!" {
            self.opening = Some(line);
        } else if text.starts_with("Time: ")
            || text.starts_with("JUnit version ")
            || text.starts_with("PHPUnit ")
        {
            self.is_java = true;
        } else if let Some(rest) = text.strip_prefix("OK (")
            && let Some(count) = passed(rest)
        {
            self.closed.push(Reading::from_tally(ID, Tally::of(count, 0, 0), line.quote()));
        } else if text.starts_with("Run: ")
            && let Some(found) = FAILED.captures(text)
        {
            let number = |index: usize| found[index].parse::<u64>().ok();
            let (run, failures, errors) = (number(1), number(3), number(4));
            let passed =
                run.zip(failures).zip(errors).and_then(|((run, a), b)| run.checked_sub(a)?.checked_sub(b));
            let tally = Tally { passed, failed: failures, errored: errors, ..Tally::ZERO };
            let mut reading = Reading::from_tally(ID, tally, line.quote()).saying(Said::Failed);
            if let Some(opening) = self.opening.take() {
                reading = reading.quoting(opening.quote());
            }
            self.closed.push(reading);
        } else if text.contains(") test: ")
            && let Some(found) = NAMED.captures(text)
        {
            let Some(last) = self.closed.last_mut() else {
                self.left.get_or_insert(line);
                return;
            };
            let file = found.get(3).map(|file| file.as_str().to_owned()).filter(|file| !file.is_empty());
            let name = found[1].to_owned();
            last.cases.push(Case {
                name,
                file,
                status: CaseStatus::Failed,
                message: None,
                file_level: false,
            });
            last.lines.1 = line.number;
        }
    }
}

/// `3 tests)` of the text outputter, `3)` of the compiler outputter. JUnit's `OK (1 test)` and PHPUnit's
/// `OK (1 test, 1 assertion)` are other forms.
fn passed(rest: &str) -> Option<u64> {
    let inner = rest.strip_suffix(')')?;
    inner.strip_suffix(" tests").unwrap_or(inner).parse().ok()
}

/// `<Statistics>` of the XML outputter.
fn xml(document: Document<'_>) -> Option<Reading> {
    let opening = Quote::new(document.first, document.text.lines().next().unwrap_or_default());
    let Some((above, statistics)) = document.text.split_once("<Statistics>") else {
        // Other programs' reports have this root too.
        let own = document.text.contains("<FailedTests") && document.text.contains("<SuccessfulTests");
        return own.then(|| Reading::without_counts(ID, Said::Unfinished(Reason::ReportUnfinished), opening));
    };
    let number = |name: &str| after(statistics, &format!("<{name}>"));
    let (tests, errors, failures) = (number("Tests")?, number("Errors")?, number("Failures")?);
    let passed = tests.checked_sub(errors)?.checked_sub(failures)?;
    let tally = Tally { errored: Some(errors), ..Tally::of(passed, failures, 0) };
    let line = document.first.saturating_add(u32::try_from(above.matches('\n').count()).unwrap_or(u32::MAX));
    let quoted = statistics.split("</Statistics>").next().unwrap_or_default();
    let quoted: String = quoted.split_whitespace().collect();
    Some(Reading::from_tally(ID, tally, Quote::new(line, &quoted)).spanning(document.first, document.last))
}
