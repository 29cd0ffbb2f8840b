//! Claims against runs: one row per judgement.

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
    check(&all, &run, &base(&["late"], &["late"]), Rule::Explained, None, sum(13, Tally::of(12, 0, 1), None));
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
    check(&all, &run, &base(&["late"], &["late"]), Rule::Explained, None, sum(2, Tally::of(1, 0, 1), None));
}

#[test]
fn what_is_said_beside_the_number_is_compared_where_the_run_tells_it() {
    let plain = |n| claim(n, ClaimScope::Unspecified, ClaimUnit::Tests);
    let of = |n, of| Claim { of: Some(of), ..plain(n) };
    let skipped = |n, skipped| Claim { skipped: Some(skipped), ..plain(n) };
    let failed = |n, failed| Claim { failed: Some(failed), ..plain(n) };
    let part = |n, of| Claim { of: Some(of), ..claim(n, ClaimScope::Subset, ClaimUnit::Tests) };
    let kinds = |n, sum| Claim { together: Some(sum), ..claim(n, ClaimScope::Subset, ClaimUnit::Tests) };
    let three = Tally::of(3, 0, 0);
    let thirteen = Tally::of(12, 0, 1);
    let no_skips = Tally { skipped: None, ..three };
    let todo = Tally { todo: Some(2), ..thirteen };
    let mixed = Tally { errored: Some(1), ..Tally::of(12, 2, 0) };
    let not_loaded = Tally { load_errors: Some(1), ..mixed };
    let expected = Tally { expected_failures: Some(1), ..Tally::of(10, 0, 2) };
    let beside = |what, claimed, measured| Some(Note::Beside { what, claimed, measured });
    let wrong = [
        (of(10, 12), expected, beside(Beside::Total, 12, 13)),
        (failed(12, 4), mixed, beside(Beside::Failed, 4, 3)),
        (of(3, 5), three, beside(Beside::Total, 5, 3)),
        (of(12, 14), thirteen, beside(Beside::Total, 14, 13)),
        (skipped(3, 1), three, beside(Beside::Skipped, 1, 0)),
        (skipped(12, 0), thirteen, beside(Beside::Skipped, 0, 1)),
        (skipped(12, 4), todo, beside(Beside::Skipped, 4, 1)),
        (failed(3, 2), three, beside(Beside::Failed, 2, 0)),
        (part(3, 5), three, beside(Beside::Total, 5, 3)),
        (kinds(3, 6), three, beside(Beside::Kinds, 6, 3)),
    ];
    for (claim, tally, note) in wrong {
        check(&claim, &run(tally, &[]), &BaseTests::default(), Rule::Explained, MISMATCH, note);
    }
    let right = [
        (of(3, 3), three),
        (of(12, 13), thirteen),
        (of(12, 12), thirteen),
        (skipped(12, 1), thirteen),
        (skipped(12, 3), todo),
        (failed(3, 0), three),
        (of(10, 10), expected),
        (of(10, 11), expected),
        (failed(12, 0), mixed),
        (failed(12, 2), mixed),
        (failed(12, 3), mixed),
        (failed(12, 4), not_loaded),
        (of(3, 5), no_skips),
        (skipped(3, 2), no_skips),
    ];
    for (claim, tally) in right {
        check(&claim, &run(tally, &[]), &BaseTests::default(), Rule::Explained, None, None);
    }
    let subset = Some(Note::NotCompared(Uncompared::Subset(None)));
    for claim in [part(2, 3), kinds(2, 3)] {
        check(&claim, &run(three, &[]), &BaseTests::default(), Rule::Explained, None, subset.clone());
    }
}

#[test]
fn tests_that_a_filter_left_out_may_be_counted_or_not() {
    let mut filtered = run(Tally::of(3, 0, 0), &[]);
    filtered.quotes = vec![Quote { line: 1, text: "3 passed, 2 deselected in 0.1s".to_owned() }];
    let plain = claim(3, ClaimScope::Unspecified, ClaimUnit::Tests);
    let base = BaseTests::default();
    for of in [3, 5] {
        check(&Claim { of: Some(of), ..plain.clone() }, &filtered, &base, Rule::Explained, None, None);
    }
    check(&Claim { skipped: Some(2), ..plain.clone() }, &filtered, &base, Rule::Explained, None, None);
    filtered.quotes[0].text = "test result: ok. 3 passed; 0 failed; 0 filtered out".to_owned();
    let note = Some(Note::Beside { what: Beside::Total, claimed: 5, measured: 3 });
    check(&Claim { of: Some(5), ..plain }, &filtered, &base, Rule::Explained, MISMATCH, note);
}

#[test]
fn the_whole_of_files_is_compared_too() {
    let mut counted = run(Tally::of(40, 0, 0), &[]);
    counted.files = Some(kenshu_model::count::FileTally { passed: 3, failed: 0, total: 3 });
    let claim = Claim { of: Some(5), ..claim(3, ClaimScope::Unspecified, ClaimUnit::Files) };
    let note = Some(Note::Files { total: 3, passed: 3 });
    check(&claim, &counted, &BaseTests::default(), Rule::Explained, MISMATCH, note);
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
    let beside = Claim { skipped: Some(2), ..files.clone() };
    check(&beside, &counted, &BaseTests::default(), Rule::Explained, None, None);
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
