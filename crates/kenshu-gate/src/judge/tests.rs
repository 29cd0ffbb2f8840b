//! The verdict table: one row per judgement, and the order between any two.

use super::*;
use kenshu_model::check::RulerChange;
use kenshu_model::{Case, CaseStatus, Tally};

fn claim(count: Option<u64>, scope: ClaimScope) -> Claim {
    Claim::plain("said", count, scope, ClaimUnit::Tests)
}

fn claimed(claims: &[Claim]) -> Claimed {
    Claimed {
        claims: claims.iter().map(|claim| (claim.clone(), None)).collect(),
        needs_count: false,
        rule: Rule::Explained,
    }
}

fn run(outcome: Outcome, tally: Tally, reasons: &[Reason]) -> Count {
    Count {
        outcome,
        runners: vec!["node-test"],
        tally,
        files: None,
        exit: None,
        reasons: reasons.to_vec(),
        quotes: Vec::new(),
        cases: kenshu_model::Cases::default(),
    }
}

fn ruler(trusted: Trusted, what: &str, narrowing: bool) -> RulerReport {
    let change = RulerChange { what: what.to_owned(), file: None, before: None, after: None, narrowing };
    RulerReport { source: "kenshu.toml".to_owned(), trusted, changes: vec![change], hash: None }
}

fn trusted_ruler() -> RulerReport {
    RulerReport {
        source: "kenshu.toml".to_owned(),
        trusted: Trusted::Pinned,
        changes: Vec::new(),
        hash: None,
    }
}

#[track_caller]
fn check(claimed: &Claimed, count: &Count, hollow: &Hollow, looks: &SecondLooks, reason: Option<Reason>) {
    let base = BaseTests::default();
    let observed = Observed { count, base: &base, hollow, looks, removed_tests: false };
    assert_eq!(after_the_run(claimed, observed).reason, reason);
}

fn plain(claimed: &Claimed, count: &Count, reason: Option<Reason>) {
    check(claimed, count, &Hollow::default(), &SecondLooks::default(), reason);
}

#[test]
fn a_run_that_removes_test_files_verifies_nothing() {
    let (base, hollow, looks) = (BaseTests::default(), Hollow::default(), SecondLooks::default());
    let judged = |count: &Count| {
        let observed = Observed { count, base: &base, hollow: &hollow, looks: &looks, removed_tests: true };
        after_the_run(&claimed(&[claim(Some(3), ClaimScope::All)]), observed).reason
    };
    assert_eq!(judged(&run(Outcome::Passed, Tally::of(3, 0, 0), &[])), Some(Reason::NothingVerified));
    assert_eq!(judged(&run(Outcome::Failed, Tally::of(2, 1, 0), &[])), Some(Reason::TestsFailed));
}

#[test]
fn honest_work_is_accepted() {
    let passed = run(Outcome::Passed, Tally::of(12, 0, 0), &[]);
    plain(&claimed(&[claim(Some(12), ClaimScope::All)]), &passed, None);
    plain(&claimed(&[claim(None, ClaimScope::Unspecified)]), &passed, None);
    let uncounted = run(Outcome::Passed, Tally::UNKNOWN, &[]);
    plain(&claimed(&[claim(None, ClaimScope::Unspecified)]), &uncounted, None);
}

#[test]
fn without_a_claim_nothing_is_run() {
    let ruler = trusted_ruler();
    assert_eq!(before_the_run(&claimed(&[]), &ruler), Some(Reason::NoClaim));
    let mut words = claimed(&[claim(None, ClaimScope::All)]);
    assert_eq!(before_the_run(&words, &ruler), None);
    words.needs_count = true;
    assert_eq!(before_the_run(&words, &ruler), Some(Reason::NoClaim));
    let mut zero = claimed(&[claim(Some(0), ClaimScope::All)]);
    zero.needs_count = true;
    assert_eq!(before_the_run(&zero, &ruler), Some(Reason::NoClaim));
    let mut one = claimed(&[claim(Some(1), ClaimScope::All)]);
    one.needs_count = true;
    assert_eq!(before_the_run(&one, &ruler), None);
}

#[test]
fn a_pin_is_stricter_than_a_base() {
    let said = claimed(&[claim(Some(1), ClaimScope::All)]);
    for (trusted, what, narrowing, reason) in [
        (Trusted::Pinned, "command", false, Some(Reason::RulerChanged)),
        (Trusted::Pinned, "script test", false, Some(Reason::RulerChanged)),
        (Trusted::Pinned, "kenshu.toml", false, Some(Reason::RulerChanged)),
        (Trusted::Pinned, "testpaths", false, None),
        (Trusted::Pinned, "testpaths", true, Some(Reason::RulerChanged)),
        (Trusted::Base, "command", false, None),
        (Trusted::Base, "testpaths", true, Some(Reason::RulerChanged)),
        (Trusted::None, "testpaths", true, None),
    ] {
        assert_eq!(
            before_the_run(&said, &ruler(trusted, what, narrowing)),
            reason,
            "{trusted:?} {what} {narrowing}"
        );
    }
    let nothing_said = claimed(&[]);
    let changed = ruler(Trusted::Pinned, "command", true);
    assert_eq!(before_the_run(&nothing_said, &changed), Some(Reason::NoClaim), "no_claim comes first");
}

#[test]
fn the_run_is_judged_before_the_numbers() {
    let twelve = claimed(&[claim(Some(12), ClaimScope::All)]);
    for (count, reason) in [
        (run(Outcome::CouldNotRun, Tally::ZERO, &[Reason::CommandNotFound]), Reason::CouldNotRun),
        (run(Outcome::Failed, Tally::of(11, 1, 0), &[]), Reason::TestsFailed),
        (run(Outcome::Unknown, Tally::UNKNOWN, &[Reason::TimedOut]), Reason::DidNotFinish),
        (run(Outcome::Unknown, Tally::UNKNOWN, &[Reason::Killed]), Reason::DidNotFinish),
        (run(Outcome::Failed, Tally::of(12, 0, 0), &[Reason::ExitDisagrees]), Reason::ExitDisagrees),
        (run(Outcome::NothingRan, Tally::ZERO, &[Reason::ZeroTests]), Reason::NothingVerified),
        (run(Outcome::Unknown, Tally::UNKNOWN, &[Reason::NoSummary]), Reason::NothingVerified),
        (run(Outcome::Passed, Tally::UNKNOWN, &[]), Reason::NothingVerified),
        (
            run(Outcome::Passed, Tally { expected_failures: Some(12), ..Tally::ZERO }, &[]),
            Reason::NothingVerified,
        ),
        (run(Outcome::Passed, Tally::of(1, 0, 0), &[]), Reason::CountMismatch),
    ] {
        plain(&twelve, &count, Some(reason));
    }
}

#[test]
fn an_unread_run_with_a_status_is_rejected_by_its_status() {
    let mut unread = run(Outcome::Unknown, Tally::UNKNOWN, &[Reason::NoSummary]);
    let said = claimed(&[claim(None, ClaimScope::All)]);
    unread.exit = Some(Exit::Code(1));
    plain(&said, &unread, Some(Reason::ExitDisagrees));
    unread.exit = Some(Exit::Code(0));
    plain(&said, &unread, Some(Reason::NothingVerified));
    let mut nothing = run(Outcome::NothingRan, Tally::ZERO, &[Reason::ZeroTests]);
    nothing.exit = Some(Exit::Code(5));
    plain(&said, &nothing, Some(Reason::NothingVerified));
}

#[test]
fn a_pass_beside_a_status_that_is_not_0_is_rejected() {
    let mut passed = run(Outcome::Passed, Tally::of(3, 0, 0), &[]);
    let said = claimed(&[claim(Some(3), ClaimScope::All)]);
    passed.exit = Some(Exit::Code(3));
    plain(&said, &passed, Some(Reason::ExitDisagrees));
    passed.exit = Some(Exit::Code(0));
    plain(&said, &passed, None);
}

#[test]
fn a_number_of_those_that_ran_or_of_all_covers_a_failure() {
    let failed = run(Outcome::Failed, Tally::of(10, 1, 1), &[]);
    let before = SecondLooks { failing_before: vec![look("a")], flaky: Vec::new() };
    for (number, reason) in [(10, None), (11, Some(Reason::TestsFailed)), (12, Some(Reason::TestsFailed))] {
        let said = claimed(&[claim(Some(number), ClaimScope::Unspecified)]);
        check(&said, &failed, &Hollow::default(), &before, reason);
    }
}

#[test]
fn the_worst_claim_decides_and_a_grand_total_outranks_a_part() {
    let passed = run(Outcome::Passed, Tally::of(389, 0, 0), &[]);
    let total = claim(Some(389), ClaimScope::All);
    plain(&claimed(&[claim(Some(3), ClaimScope::Unspecified), total.clone()]), &passed, None);
    plain(&claimed(&[claim(Some(3), ClaimScope::Unspecified)]), &passed, Some(Reason::CountMismatch));
    plain(
        &claimed(&[total.clone(), claim(Some(400), ClaimScope::Unspecified)]),
        &passed,
        Some(Reason::CountMismatch),
    );
    plain(&claimed(&[total, claim(Some(388), ClaimScope::All)]), &passed, Some(Reason::CountMismatch));
}

#[test]
fn only_a_total_of_all_tests_is_a_grand_total() {
    let passed = run(Outcome::Passed, Tally::of(10, 0, 0), &[]);
    let part = claim(Some(3), ClaimScope::Unspecified);
    let files = Claim { unit: ClaimUnit::Files, ..claim(Some(20), ClaimScope::All) };
    plain(&claimed(&[part.clone(), files]), &passed, Some(Reason::CountMismatch));
    plain(&claimed(&[part, claim(Some(10), ClaimScope::Unspecified)]), &passed, Some(Reason::CountMismatch));
    let mut counted = passed;
    counted.files = Some(kenshu_model::count::FileTally { passed: 4, failed: 0, total: 4 });
    let files = Claim { unit: ClaimUnit::Files, ..claim(Some(3), ClaimScope::Unspecified) };
    plain(&claimed(&[files, claim(Some(10), ClaimScope::All)]), &counted, Some(Reason::CountMismatch));
}

#[test]
fn the_number_that_decided_is_shown() {
    let count = run(Outcome::Passed, Tally::of(10, 0, 0), &[]);
    let base = BaseTests::default();
    let observed = Observed {
        count: &count,
        base: &base,
        hollow: &Hollow::default(),
        looks: &SecondLooks::default(),
        removed_tests: false,
    };
    let number = |claims: &[Claim]| after_the_run(&claimed(claims), observed).claimed;
    assert_eq!(
        number(&[claim(Some(10), ClaimScope::All), claim(Some(12), ClaimScope::Unspecified)]),
        Some(12)
    );
    assert_eq!(number(&[claim(Some(3), ClaimScope::Subset), claim(Some(10), ClaimScope::All)]), Some(10));
    assert_eq!(number(&[claim(None, ClaimScope::All)]), None);
}

#[test]
fn hollow_tests_reject_if_new_or_all() {
    let one = claimed(&[claim(Some(1), ClaimScope::All)]);
    let passed = run(Outcome::Passed, Tally::of(1, 0, 0), &[Reason::OnlyFileLevel]);
    let test = HollowTest { file: "a.test.js".to_owned(), line: 1, test: None, why: "file_level" };
    let hollow = |new_or_changed: &[usize], all| Hollow {
        tests: vec![test.clone()],
        new_or_changed: new_or_changed.to_vec(),
        all,
    };
    let none = SecondLooks::default();
    check(&one, &passed, &hollow(&[], true), &none, Some(Reason::HollowTests));
    check(&one, &passed, &hollow(&[0], false), &none, Some(Reason::HollowTests));
    check(&one, &passed, &hollow(&[], false), &none, None);
    let two = claimed(&[claim(Some(2), ClaimScope::All)]);
    check(&two, &passed, &hollow(&[0], true), &none, Some(Reason::CountMismatch));
}

fn look(name: &str) -> SecondLook {
    let case = Case {
        name: name.to_owned(),
        file: None,
        status: CaseStatus::Failed,
        message: None,
        file_level: false,
    };
    SecondLook { case, note: kenshu_model::Note::FailedBefore }
}

#[test]
fn a_failure_that_was_there_before_rejects_only_a_claim_that_covers_it() {
    let failed = run(Outcome::Failed, Tally::of(10, 1, 0), &[]);
    let before = SecondLooks { failing_before: vec![look("a")], flaky: Vec::new() };
    let none = Hollow::default();
    check(&claimed(&[claim(Some(10), ClaimScope::Unspecified)]), &failed, &none, &before, None);
    check(&claimed(&[claim(Some(7), ClaimScope::Subset)]), &failed, &none, &before, None);
    check(
        &claimed(&[claim(Some(11), ClaimScope::Unspecified)]),
        &failed,
        &none,
        &before,
        Some(Reason::TestsFailed),
    );
    check(&claimed(&[claim(None, ClaimScope::All)]), &failed, &none, &before, Some(Reason::TestsFailed));
    let admitted = Claim { of: Some(11), ..claim(Some(10), ClaimScope::All) };
    check(&claimed(&[admitted]), &failed, &none, &before, None);
    let flaky = SecondLooks { failing_before: Vec::new(), flaky: vec![look("a")] };
    check(&claimed(&[claim(Some(10), ClaimScope::All)]), &failed, &none, &flaky, None);
}

#[test]
fn a_failure_that_is_not_explained_rejects() {
    let ten = claimed(&[claim(Some(10), ClaimScope::Unspecified)]);
    let none = Hollow::default();
    let one = SecondLooks { failing_before: vec![look("a")], flaky: Vec::new() };
    for tally in [
        Tally::of(10, 2, 0),
        Tally { load_errors: Some(1), ..Tally::of(10, 1, 0) },
        Tally { failed: None, ..Tally::of(10, 1, 0) },
        Tally::of(0, 1, 0),
        Tally { passed: None, ..Tally::of(10, 1, 0) },
    ] {
        check(&ten, &run(Outcome::Failed, tally, &[]), &none, &one, Some(Reason::TestsFailed));
    }
    let errored = Tally { errored: Some(1), ..Tally::of(10, 0, 0) };
    check(&ten, &run(Outcome::Failed, errored, &[]), &none, &one, None);
}

#[test]
fn what_is_measured_is_counted_in_the_claims_own_unit() {
    #[track_caller]
    fn check(claims: &[Claim], expected: (Option<u64>, Option<u64>)) {
        let case = |name: &str| Case { status: CaseStatus::Passed, ..look(name).case };
        let mut count = run(Outcome::Passed, Tally::of(3, 0, 0), &[]);
        count.files = Some(kenshu_model::count::FileTally { passed: 7, failed: 0, total: 7 });
        count.cases = vec![case("old"), case("new"), case("newer")].into();
        let names = ["old".to_owned()].into();
        let base = BaseTests { known: true, is_start: true, names, ..BaseTests::default() };
        let (hollow, looks) = (Hollow::default(), SecondLooks::default());
        let observed =
            Observed { count: &count, base: &base, hollow: &hollow, looks: &looks, removed_tests: false };
        let judgement = after_the_run(&claimed(claims), observed);
        assert_eq!((judgement.claimed, judgement.measured), expected);
    }
    let of = |count, scope| claim(Some(count), scope);
    let files = Claim { unit: ClaimUnit::Files, ..of(8, ClaimScope::All) };
    check(std::slice::from_ref(&files), (Some(8), Some(7)));
    check(&[Claim { unit: ClaimUnit::Suites, ..files.clone() }], (Some(8), Some(7)));
    check(&[Claim { added: true, ..of(3, ClaimScope::Subset) }], (Some(3), Some(2)));
    check(&[claim(None, ClaimScope::All)], (None, Some(3)));
    // One that rejects is shown before one that holds, the grand total before a part, the larger before the smaller.
    check(&[of(3, ClaimScope::All), files], (Some(8), Some(7)));
    check(&[of(2, ClaimScope::Subset), of(3, ClaimScope::All)], (Some(3), Some(3)));
    check(&[of(1, ClaimScope::Subset), of(2, ClaimScope::Subset)], (Some(2), Some(2)));
}
