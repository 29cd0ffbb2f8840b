//! A run at the base as it is kept: outcome, numbers, and the tests it named.

use kenshu_model::{Case, CaseStatus, Cases, Count, Outcome, Tally};
use serde::{Deserialize, Serialize};

/// The wire form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptV1 {
    outcome: String,
    /// passed, failed, errored, load errors, skipped, todo, expected failures, unexpected passes.
    numbers: [Option<u64>; 8],
    cases: Vec<CaseV1>,
    /// Whether the run named more tests than these.
    #[serde(default)]
    only_some: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CaseV1 {
    name: String,
    file: Option<String>,
    status: String,
    message: Option<String>,
    file_level: bool,
}

const OUTCOMES: [Outcome; 5] =
    [Outcome::Passed, Outcome::Failed, Outcome::NothingRan, Outcome::CouldNotRun, Outcome::Unknown];

const STATUSES: [(CaseStatus, &str); 6] = [
    (CaseStatus::Passed, "passed"),
    (CaseStatus::Failed, "failed"),
    (CaseStatus::Skipped, "skipped"),
    (CaseStatus::Todo, "todo"),
    (CaseStatus::ExpectedFailure, "expected_failure"),
    (CaseStatus::UnexpectedPass, "unexpected_pass"),
];

impl KeptV1 {
    /// What is kept of a count.
    pub fn new(count: &Count) -> KeptV1 {
        let tally = &count.tally;
        KeptV1 {
            outcome: count.outcome.word().to_owned(),
            numbers: [
                tally.passed,
                tally.failed,
                tally.errored,
                tally.load_errors,
                tally.skipped,
                tally.todo,
                tally.expected_failures,
                tally.unexpected_passes,
            ],
            cases: count
                .cases
                .iter()
                .map(|case| CaseV1 {
                    name: case.name.clone(),
                    file: case.file.clone(),
                    status: word(case.status).to_owned(),
                    message: case.message.clone(),
                    file_level: case.file_level,
                })
                .collect(),
            only_some: !count.cases.are_all(),
        }
    }

    /// The count again, as far as it was kept; `None`: it holds a word of another version.
    pub fn count(&self) -> Option<Count> {
        let outcome = OUTCOMES.into_iter().find(|outcome| outcome.word() == self.outcome)?;
        let [passed, failed, errored, load_errors, skipped, todo, expected_failures, unexpected_passes] =
            self.numbers;
        let cases: Option<Cases> = self
            .cases
            .iter()
            .map(|case| {
                Some(Case {
                    name: case.name.clone(),
                    file: case.file.clone(),
                    status: STATUSES.iter().find(|(_, word)| *word == case.status)?.0,
                    message: case.message.clone(),
                    file_level: case.file_level,
                })
            })
            .collect();
        Some(Count {
            outcome,
            runners: Vec::new(),
            tally: Tally {
                passed,
                failed,
                errored,
                load_errors,
                skipped,
                todo,
                expected_failures,
                unexpected_passes,
                ..Tally::UNKNOWN
            },
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: Vec::new(),
            cases: if self.only_some { cases?.as_some() } else { cases? },
        })
    }
}

fn word(status: CaseStatus) -> &'static str {
    STATUSES.iter().find(|(known, _)| *known == status).map_or("passed", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let cases: Cases = STATUSES
            .iter()
            .map(|(status, word)| Case {
                name: (*word).to_owned(),
                file: Some("a".to_owned()),
                status: *status,
                message: Some("m".to_owned()),
                file_level: true,
            })
            .collect();
        for outcome in OUTCOMES {
            let count = Count {
                outcome,
                runners: Vec::new(),
                tally: Tally { flaky: None, cached: None, file_level: None, ..Tally::of(3, 1, 2) },
                files: None,
                exit: None,
                reasons: Vec::new(),
                quotes: Vec::new(),
                cases: cases.clone(),
            };
            let text = serde_json::to_string(&KeptV1::new(&count)).unwrap();
            assert_eq!(serde_json::from_str::<KeptV1>(&text).unwrap().count(), Some(count));
        }
    }

    #[test]
    fn a_word_of_another_version_is_not_guessed() {
        let text = r#"{"outcome":"maybe","numbers":[1,0,0,0,0,0,0,0],"cases":[]}"#;
        assert_eq!(serde_json::from_str::<KeptV1>(text).unwrap().count(), None);
    }
}
