//! prove and `make test`: TAP::Harness keeps the TAP of every test file where `PERL_TEST_HARNESS_DUMP_TAP` says.
//!
//! The text of `prove` counts entries and not how many passed; the kept TAP does. `HARNESS_VERBOSE=1` would print the same
//! entries, but it changes what the human sees, sets `HARNESS_IS_VERBOSE` for the tests (which change what they print
//! by it), is without effect with `-q` and `-Q`, and brings what tests print between prove's own lines. A formatter of
//! ours through `PERL5OPT` would be loaded into every Perl that the tests start.
//!
//! The harness puts the path of the test file behind the folder's as it stands, so the folder lies deep enough that no
//! `..` leads out of it. The kept TAP has neither exit status nor end mark: only where prove itself says that all is well,
//! and its number of files and entries is that of what was kept, do they complete its numbers.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Count, Outcome, Tally};

use super::{Piece, Report, Reported, Reporter, Variable};

/// Deeper than any path of a test file has `..`.
const DEPTH: &str = "0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0";

pub(super) const REPORTER: Reporter = Reporter {
    reader: "prove",
    files: &[],
    environment: &[Variable {
        name: "PERL_TEST_HARNESS_DUMP_TAP",
        value: "{folder}/tap/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0",
        join: None,
    }],
    report: Some(Report::Folder { name: "tap", made: DEPTH }),
    leaves: &[],
    silent: true,
    broken: Some("/tap/0/0/0/0/0/0/0/0/"),
    read,
    // An archive sets the variable to a folder of its own.
    fits: |invocation| !invocation.has_option(&["-a", "--archive", "-D", "--dry"]),
};

fn read(pieces: &[Piece], text: &Count) -> Reported {
    let Some((files, tests)) = closing(text) else { return Reported::Never };
    let mut tally = Tally::ZERO;
    let mut cases: Vec<Case> = Vec::new();
    for piece in pieces {
        let file = piece.name.trim_start_matches("0/");
        let mut seen: BTreeMap<String, u64> = BTreeMap::new();
        for (name, status) in String::from_utf8_lossy(&piece.bytes).lines().filter_map(entry) {
            let times = seen.entry(name.clone()).and_modify(|times| *times += 1).or_insert(1);
            // Descriptions need not differ, and are the same in many files; a name must be one test's.
            let name =
                if *times > 1 { format!("{file}: {name} ({times})") } else { format!("{file}: {name}") };
            tally = tally.plus(&of_one(status));
            cases.push(Case { name, file: Some(file.to_owned()), status, message: None, file_level: false });
        }
    }
    // Of a file that ran twice only the last TAP is kept; a test that runs a harness itself leaves files beside.
    if (pieces.len() as u64, cases.len() as u64) != (files, tests) {
        return Reported::Never;
    }
    let outcome = if tally.has_failure() { Outcome::Failed } else { Outcome::Passed };
    Reported::Finished(Box::new(Count {
        outcome,
        runners: vec!["prove"],
        tally,
        files: None,
        exit: None,
        reasons: Vec::new(),
        quotes: Vec::new(),
        cases: cases.into(),
    }))
}

/// The number of files and entries that prove says it ran, where all was well: `Files=2, Tests=9,  0 wallclock secs`.
fn closing(text: &Count) -> Option<(u64, u64)> {
    if text.outcome != Outcome::Passed {
        return None;
    }
    let lines = text.quotes.iter().filter_map(|quote| {
        let (files, rest) = quote.text.trim_start().strip_prefix("Files=")?.split_once(", Tests=")?;
        let (tests, _) = rest.split_once(',')?;
        Some((files.parse::<u64>().ok()?, tests.parse::<u64>().ok()?))
    });
    lines.reduce(|sum, line| (sum.0.saturating_add(line.0), sum.1.saturating_add(line.1)))
}

fn of_one(status: CaseStatus) -> Tally {
    match status {
        CaseStatus::Passed => Tally::of(1, 0, 0),
        CaseStatus::Failed => Tally::of(0, 1, 0),
        CaseStatus::Skipped => Tally::of(0, 0, 1),
        CaseStatus::Todo => Tally { todo: Some(1), ..Tally::ZERO },
        CaseStatus::ExpectedFailure => Tally { expected_failures: Some(1), ..Tally::ZERO },
        CaseStatus::UnexpectedPass => Tally { unexpected_passes: Some(1), ..Tally::ZERO },
    }
}

/// A line `ok 3 - name # SKIP why` at the margin, as the grammar of TAP::Parser has it: its description, or what stands
/// for it (`skip` of Test::More describes nothing but says why), and how it ended.
fn entry(line: &str) -> Option<(String, CaseStatus)> {
    let (ok, rest) = match line.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok")?),
    };
    if rest.starts_with(|next: char| next.is_alphanumeric() || next == '_') {
        return None;
    }
    let (before, directive) = split_at_hash(rest);
    let directive = directive.trim();
    let word: String = directive.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect();
    let status = match (word.to_ascii_uppercase().as_str(), ok) {
        ("SKIP", _) => CaseStatus::Skipped,
        ("TODO", true) => CaseStatus::UnexpectedPass,
        ("TODO", false) => CaseStatus::ExpectedFailure,
        (_, true) => CaseStatus::Passed,
        (_, false) => CaseStatus::Failed,
    };
    let described = before.trim_start().trim_start_matches(|sign: char| sign.is_ascii_digit()).trim();
    let described = described.strip_prefix('-').unwrap_or(described).trim();
    let name = [described, directive].into_iter().find(|text| !text.is_empty()).unwrap_or("no description");
    Some((name.to_owned(), status))
}

/// The text before and behind the first `#` without a backslash before it.
fn split_at_hash(text: &str) -> (&str, &str) {
    let mut escaped = false;
    for (at, sign) in text.char_indices() {
        match sign {
            '#' if !escaped => return (&text[..at], &text[at + 1..]),
            _ => escaped = sign == '\\' && !escaped,
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use kenshu_model::Quote;

    use super::*;

    fn text(outcome: Outcome, closing: &str) -> Count {
        Count {
            outcome,
            runners: vec!["prove"],
            tally: Tally::UNKNOWN,
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: vec![Quote::new(3, closing)],
            cases: kenshu_model::Cases::default(),
        }
    }

    fn piece(name: &str, tap: &str) -> Piece {
        Piece { name: name.to_owned(), bytes: tap.as_bytes().to_vec() }
    }

    #[test]
    fn the_kept_tap_completes_the_numbers_of_a_pass() {
        let pieces = [
            piece(
                "t/a.t",
                "1..4\nok 1 - one\nok 2 # skip why\n    not ok 1 - inner\nnot ok 3 - c # TODO x\nok 4 - one # todo\n",
            ),
            piece("t/b.t", "ok 1 - a \\# TODO is text\nokay\n1..1\n"),
        ];
        let closing = "Files=2, Tests=5,  1 wallclock secs ( 0.01 usr )";
        let Reported::Finished(count) = read(&pieces, &text(Outcome::Passed, closing)) else {
            panic!("not finished")
        };
        let tally = count.tally;
        assert_eq!(
            (tally.passed, tally.skipped, tally.expected_failures, tally.unexpected_passes),
            (Some(2), Some(1), Some(1), Some(1))
        );
        let names: Vec<&str> = count.cases.iter().map(|case| case.name.as_str()).collect();
        let expected =
            ["t/a.t: one", "t/a.t: skip why", "t/a.t: c", "t/a.t: one (2)", "t/b.t: a \\# TODO is text"];
        assert_eq!((names.as_slice(), count.cases[0].file.as_deref()), (&expected[..], Some("t/a.t")));
        assert_eq!(read(&pieces, &text(Outcome::Failed, closing)), Reported::Never);
    }

    #[test]
    fn other_numbers_than_those_of_the_text_are_not_trusted() {
        let pieces = [piece("t/a.t", "1..1\nok 1\n")];
        for closing in
            ["Files=1, Tests=2,  0 wallclock secs", "Files=2, Tests=1,  0 wallclock secs", "Result: PASS"]
        {
            assert_eq!(read(&pieces, &text(Outcome::Passed, closing)), Reported::Never, "{closing}");
        }
    }

    #[test]
    fn the_folder_is_the_one_that_is_read() {
        assert_eq!(REPORTER.environment[0].value, format!("{{folder}}/tap/{DEPTH}"));
    }
}
