//! A claimed number against a counted one, in the claim's own unit and scope.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use kenshu_model::note::{Gap, Note, Uncompared};
use kenshu_model::{Case, CaseStatus, Claim, ClaimScope, ClaimUnit, Count, Reason};

/// What the base says of the tests, as far as a comparison needs it.
#[derive(Clone, Debug, Default)]
pub struct BaseTests {
    /// Whether the tests were run at the base and all of them are named, or the base has none (no git, first commit).
    pub known: bool,
    /// Names of the tests that the base has.
    pub names: BTreeSet<String>,
    /// Names of those that the base does not run: skipped, todo, expected to fail.
    pub not_run: BTreeSet<String>,
    /// Whether the base is known to be where the change began; else earlier commits may belong to the change, too.
    pub is_start: bool,
}

/// What became of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The reason word that it earned; `None`: it holds, or it was not compared.
    pub reason: Option<Reason>,
    /// What should be said beside it.
    pub note: Option<Note>,
}

impl Comparison {
    fn holds() -> Comparison {
        Comparison { reason: None, note: None }
    }

    fn noted(note: Note) -> Comparison {
        Comparison { reason: None, note: Some(note) }
    }

    fn rejected(reason: Reason, note: Option<Note>) -> Comparison {
        Comparison { reason: Some(reason), note }
    }
}

/// How strictly numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Only `passed` will do: `--strict`, and the number of `--claimed`.
    PassedOnly,
    /// A number that equals `ran` or `total` will do where the rest is explained by the base.
    Explained,
}

/// Compares one claim with the run. The run itself is not judged here.
pub fn compare(claim: &Claim, count: &Count, base: &BaseTests, rule: Rule) -> Comparison {
    let Some(claimed) = claim.count else { return Comparison::holds() };
    match claim.unit {
        ClaimUnit::Tests => match claim.scope {
            ClaimScope::Subset => compare_subset(claimed, claim.added, count, base),
            ClaimScope::All | ClaimScope::Unspecified => compare_all(claimed, count, base, rule),
        },
        ClaimUnit::Files | ClaimUnit::Suites => compare_files(claimed, count),
        ClaimUnit::Assertions => Comparison::noted(Note::NotCompared(Uncompared::Assertions)),
    }
}

fn compare_all(claimed: u64, count: &Count, base: &BaseTests, rule: Rule) -> Comparison {
    let Some(passed) = count.tally.passed else {
        return Comparison::rejected(Reason::NothingVerified, Some(Note::NoCount));
    };
    if claimed == passed {
        return Comparison::holds();
    }
    let explained = count.tally.ran() == Some(claimed) || count.tally.total() == Some(claimed);
    if rule == Rule::PassedOnly || !explained || count.tally.has_failure() {
        return Comparison::rejected(Reason::CountMismatch, None);
    }
    let sum_of = |gap| Some(Note::SumOf { claimed, tally: count.tally, gap });
    if !base.known {
        return Comparison::rejected(Reason::CountMismatch, sum_of(Some(Gap::NoBase)));
    }
    let named: Vec<&Case> = count.cases.iter().filter(|case| is_not_run(case.status)).collect();
    let unnamed = claimed.saturating_sub(passed) > named.len() as u64;
    let new: Vec<String> =
        named.iter().map(|case| case.name.clone()).filter(|name| !base.not_run.contains(name)).collect();
    if !new.is_empty() {
        return Comparison::rejected(Reason::CountMismatch, sum_of(Some(Gap::NotAtBase(new))));
    }
    if unnamed {
        return Comparison::rejected(Reason::CountMismatch, sum_of(Some(Gap::Unnamed)));
    }
    Comparison { reason: None, note: sum_of(None) }
}

fn is_not_run(status: CaseStatus) -> bool {
    matches!(status, CaseStatus::Skipped | CaseStatus::Todo | CaseStatus::ExpectedFailure)
}

/// "the 7 new tests": with a base, the tests that the base does not have; without, and for any other part ("the parser
/// tests"), it is not compared. More new tests than claimed are no contradiction: one test with parameters counts as many.
fn compare_subset(claimed: u64, added: bool, count: &Count, base: &BaseTests) -> Comparison {
    let Some(passed) = count.tally.passed else {
        return Comparison::rejected(Reason::NothingVerified, Some(Note::NoCount));
    };
    if passed < claimed {
        return Comparison::rejected(Reason::CountMismatch, None);
    }
    let names: Vec<&Case> = count.cases.iter().filter(|case| case.status == CaseStatus::Passed).collect();
    if base.known && names.len() as u64 == passed {
        let new = names.iter().filter(|case| !base.names.contains(&case.name)).count() as u64;
        return match new.cmp(&claimed) {
            Ordering::Equal => Comparison::noted(Note::NewTests(new)),
            Ordering::Less if added && base.is_start => {
                Comparison::rejected(Reason::CountMismatch, Some(Note::NewTests(new)))
            }
            Ordering::Less | Ordering::Greater => {
                Comparison::noted(Note::NotCompared(Uncompared::Subset(Some(new))))
            }
        };
    }
    Comparison::noted(Note::NotCompared(Uncompared::Subset(None)))
}

fn compare_files(claimed: u64, count: &Count) -> Comparison {
    match count.files {
        Some(files) if files.passed == claimed || (files.total == claimed && files.failed == 0) => {
            Comparison::holds()
        }
        Some(files) => Comparison::rejected(
            Reason::CountMismatch,
            Some(Note::Files { total: files.total, passed: files.passed }),
        ),
        None => Comparison::noted(Note::NotCompared(Uncompared::Files)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenshu_model::{Outcome, Tally};

    fn claim(count: u64, scope: ClaimScope, unit: ClaimUnit) -> Claim {
        Claim::plain("", Some(count), scope, unit)
    }

    fn run(tally: Tally, cases: &[(&str, CaseStatus)]) -> Count {
        Count {
            outcome: Outcome::Passed,
            runners: vec!["pytest"],
            tally,
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: Vec::new(),
            cases: cases
                .iter()
                .map(|(name, status)| Case {
                    name: (*name).to_owned(),
                    file: None,
                    status: *status,
                    message: None,
                    file_level: false,
                })
                .collect(),
        }
    }

    fn base(names: &[&str], not_run: &[&str]) -> BaseTests {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        BaseTests { known: true, names: set(names), not_run: set(not_run), is_start: true }
    }

    #[track_caller]
    fn check(
        claim: &Claim,
        count: &Count,
        base: &BaseTests,
        rule: Rule,
        reason: Option<Reason>,
        note: Option<Note>,
    ) {
        let actual = compare(claim, count, base, rule);
        assert_eq!((actual.reason, actual.note), (reason, note));
    }

    fn sum(claimed: u64, tally: Tally, gap: Option<Gap>) -> Option<Note> {
        Some(Note::SumOf { claimed, tally, gap })
    }

    const MISMATCH: Option<Reason> = Some(Reason::CountMismatch);

    #[test]
    fn the_number_passed_holds() {
        let all = |n| claim(n, ClaimScope::All, ClaimUnit::Tests);
        let run = run(Tally::of(12, 0, 1), &[]);
        check(&all(12), &run, &BaseTests::default(), Rule::PassedOnly, None, None);
        check(&all(11), &run, &BaseTests::default(), Rule::Explained, MISMATCH, None);
        check(&all(14), &run, &BaseTests::default(), Rule::Explained, MISMATCH, None);
    }

    #[test]
    fn the_total_holds_only_where_the_base_explains_the_rest() {
        let all = claim(13, ClaimScope::All, ClaimUnit::Tests);
        let run = run(Tally::of(12, 0, 1), &[("late", CaseStatus::Skipped)]);
        check(
            &all,
            &run,
            &base(&["late"], &["late"]),
            Rule::Explained,
            None,
            sum(13, Tally::of(12, 0, 1), None),
        );
        check(
            &all,
            &run,
            &base(&["late"], &[]),
            Rule::Explained,
            MISMATCH,
            sum(13, Tally::of(12, 0, 1), Some(Gap::NotAtBase(vec!["late".to_owned()]))),
        );
        check(
            &all,
            &run,
            &BaseTests::default(),
            Rule::Explained,
            MISMATCH,
            sum(13, Tally::of(12, 0, 1), Some(Gap::NoBase)),
        );
        check(&all, &run, &base(&["late"], &["late"]), Rule::PassedOnly, MISMATCH, None);
    }

    #[test]
    fn tests_that_ran_need_no_explanation() {
        let all = claim(2, ClaimScope::All, ClaimUnit::Tests);
        let run = run(Tally::of(1, 0, 1), &[("new", CaseStatus::Passed), ("late", CaseStatus::Skipped)]);
        check(
            &all,
            &run,
            &base(&["late"], &["late"]),
            Rule::Explained,
            None,
            sum(2, Tally::of(1, 0, 1), None),
        );
    }

    #[test]
    fn a_subset_may_be_all_of_them() {
        let three = claim(3, ClaimScope::Subset, ClaimUnit::Tests);
        let run = run(Tally::of(3, 0, 0), &[]);
        check(
            &three,
            &run,
            &BaseTests::default(),
            Rule::Explained,
            None,
            Some(Note::NotCompared(Uncompared::Subset(None))),
        );
    }

    #[test]
    fn files_that_passed_or_all_files_hold_and_a_failed_one_does_not() {
        let counted = |passed, failed, total| {
            let mut run = run(Tally::of(40, 0, 0), &[]);
            run.files = Some(kenshu_model::count::FileTally { passed, failed, total });
            run
        };
        let of = |files| claim(files, ClaimScope::All, ClaimUnit::Files);
        let base = BaseTests::default();
        check(&of(3), &counted(3, 1, 4), &base, Rule::Explained, None, None);
        check(&of(4), &counted(3, 0, 4), &base, Rule::Explained, None, None);
        let note = Some(Note::Files { total: 4, passed: 3 });
        check(&of(4), &counted(3, 1, 4), &base, Rule::Explained, MISMATCH, note);
    }

    #[test]
    fn skipped_tests_without_names_explain_nothing() {
        let all = claim(13, ClaimScope::All, ClaimUnit::Tests);
        let note = sum(13, Tally::of(12, 0, 1), Some(Gap::Unnamed));
        check(&all, &run(Tally::of(12, 0, 1), &[]), &base(&[], &[]), Rule::Explained, MISMATCH, note);
    }

    #[test]
    fn a_total_with_failures_is_a_mismatch() {
        let all = claim(13, ClaimScope::All, ClaimUnit::Tests);
        check(&all, &run(Tally::of(12, 1, 0), &[]), &base(&[], &[]), Rule::Explained, MISMATCH, None);
    }

    #[test]
    fn a_number_without_a_count_verifies_nothing() {
        let note = Some(Note::NoCount);
        let unread = run(Tally::UNKNOWN, &[]);
        for scope in [ClaimScope::All, ClaimScope::Subset] {
            let claim = claim(3, scope, ClaimUnit::Tests);
            check(
                &claim,
                &unread,
                &BaseTests::default(),
                Rule::Explained,
                Some(Reason::NothingVerified),
                note.clone(),
            );
        }
    }

    #[test]
    fn a_subset_is_compared_with_the_new_tests_only() {
        let two = claim(2, ClaimScope::Subset, ClaimUnit::Tests);
        let names = [("a", CaseStatus::Passed), ("b", CaseStatus::Passed), ("c", CaseStatus::Passed)];
        let run_named = run(Tally::of(3, 0, 0), &names);
        check(&two, &run_named, &base(&["a"], &[]), Rule::Explained, None, Some(Note::NewTests(2)));
        check(
            &two,
            &run_named,
            &BaseTests::default(),
            Rule::Explained,
            None,
            Some(Note::NotCompared(Uncompared::Subset(None))),
        );
        let some = |new| Some(Note::NotCompared(Uncompared::Subset(Some(new))));
        let added = |count| Claim { added: true, ..claim(count, ClaimScope::Subset, ClaimUnit::Tests) };
        let all_but = base(&["a"], &[]);
        check(&added(3), &run_named, &all_but, Rule::Explained, MISMATCH, Some(Note::NewTests(2)));
        check(&added(1), &run_named, &all_but, Rule::Explained, None, some(2));
        let guessed = BaseTests { is_start: false, ..all_but.clone() };
        check(&added(3), &run_named, &guessed, Rule::Explained, None, some(2));
        let three = claim(3, ClaimScope::Subset, ClaimUnit::Tests);
        check(&three, &run_named, &all_but, Rule::Explained, None, some(2));
        let four = claim(4, ClaimScope::Subset, ClaimUnit::Tests);
        check(&four, &run_named, &base(&["a"], &[]), Rule::Explained, MISMATCH, None);
    }

    #[test]
    fn files_are_compared_with_the_runners_own_file_count() {
        let files = claim(4, ClaimScope::All, ClaimUnit::Files);
        let mut counted = run(Tally::of(40, 0, 0), &[]);
        check(
            &files,
            &counted,
            &BaseTests::default(),
            Rule::Explained,
            None,
            Some(Note::NotCompared(Uncompared::Files)),
        );
        counted.files = Some(kenshu_model::count::FileTally { passed: 4, failed: 0, total: 4 });
        check(&files, &counted, &BaseTests::default(), Rule::Explained, None, None);
        counted.files = Some(kenshu_model::count::FileTally { passed: 3, failed: 0, total: 3 });
        let note = Some(Note::Files { total: 3, passed: 3 });
        check(&files, &counted, &BaseTests::default(), Rule::Explained, MISMATCH, note);
    }

    #[test]
    fn assertions_are_not_compared() {
        let assertions = claim(99, ClaimScope::All, ClaimUnit::Assertions);
        let note = Some(Note::NotCompared(Uncompared::Assertions));
        check(&assertions, &run(Tally::of(3, 0, 0), &[]), &BaseTests::default(), Rule::Explained, None, note);
    }
}
