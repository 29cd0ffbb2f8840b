//! GoogleTest: a file that stands there for as long as the tests run, at the place that `TEST_PREMATURE_EXIT_FILE` names.
//!
//! A test program makes it when it begins and takes it away when it is through; if it is still there when all is over,
//! one of them left in the middle, whatever it had printed. Death tests do not touch it. The program prints every test by
//! name, so there is nothing to add: `GTEST_OUTPUT=xml:` would write one report per program, but only that of the last
//! round where tests are repeated, and one for each program that a test starts.

use super::{Report, Reported, Reporter, Variable};

pub(super) const REPORTER: Reporter = Reporter {
    reader: "googletest",
    files: &[],
    environment: &[Variable {
        name: "TEST_PREMATURE_EXIT_FILE",
        value: "{folder}/googletest-unfinished",
        join: None,
    }],
    report: Some(Report::File("googletest-unfinished")),
    leaves: &[],
    silent: true,
    broken: None,
    read: |pieces, _| if pieces.is_empty() { Reported::Nothing } else { Reported::Unfinished },
    fits: |_| true,
};

#[cfg(test)]
mod tests {
    use kenshu_model::{Count, Outcome, Tally};

    use super::super::Piece;
    use super::*;

    #[test]
    fn a_mark_that_was_left_behind_is_an_unfinished_run() {
        let text = Count {
            outcome: Outcome::Passed,
            runners: vec!["googletest"],
            tally: Tally::of(2, 0, 0),
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: Vec::new(),
            cases: kenshu_model::Cases::default(),
        };
        let mark = Piece { name: "googletest-unfinished".to_owned(), bytes: b"1".to_vec() };
        assert_eq!((REPORTER.read)(&[], &text), Reported::Nothing);
        assert_eq!((REPORTER.read)(&[mark], &text), Reported::Unfinished);
    }
}
