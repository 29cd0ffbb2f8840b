//! Verdicts of one document's cases → numbers, and where the attributes say something else.

use std::collections::BTreeMap;

use kenshu_model::{Case as Named, CaseStatus, Tally};

use super::document::{Case, Document, Suite};
use super::verdict::{self, Verdict};

/// What the cases of a document add up to.
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) cases: Vec<Named>,
    /// Start tags of the cases that failed, and of the suites whose attributes contradict their cases.
    pub(super) bad: Vec<(usize, usize)>,
    pub(super) contradicting: Vec<(usize, usize)>,
    /// Whether a suite announces failures; whether one announces cases.
    pub(super) announces_failures: bool,
    pub(super) announces_cases: bool,
}

/// Sums of a suite.
#[derive(Clone, Copy, Default)]
struct Sum {
    cases: u64,
    not_run: u64,
    bad: u64,
    not_loaded: u64,
}

/// Counts the cases of `document`.
pub(super) fn count(document: &Document<'_>) -> Counted {
    let suites = &document.suites;
    let mut counted = Counted {
        tally: Tally::ZERO,
        cases: Vec::with_capacity(document.cases.len()),
        bad: Vec::new(),
        contradicting: Vec::new(),
        announces_failures: suites.iter().any(|suite| announced_bad(suite) > 0),
        announces_cases: suites.iter().any(|suite| suite.tests.is_some_and(|tests| tests > 0)),
    };
    let mut sums = vec![Sum::default(); suites.len()];
    for (case, verdict) in verdicts(document) {
        let file_level = verdict::is_file_level(case);
        add(&mut counted.tally, verdict, file_level);
        let sum = &mut sums[case.suite];
        sum.cases += 1;
        sum.not_run += u64::from(matches!(verdict, Verdict::Skipped | Verdict::Todo));
        sum.bad += u64::from(verdict.is_bad());
        sum.not_loaded += u64::from(verdict == Verdict::NotLoaded);
        if verdict.is_bad() {
            counted.bad.push(case.tag());
        }
        let problem = case.more().failure.as_ref().or(case.more().error.as_ref());
        counted.cases.push(Named {
            name: verdict::full_name(case, suites),
            file: verdict::file(case, suites),
            status: verdict.status(),
            message: problem.and_then(|problem| problem.message.clone()),
            file_level,
        });
    }
    let unlisted: u64 = suites.iter().zip(&sums).map(|(suite, sum)| unlisted(suite, sum)).sum();
    counted.tally.skipped = counted.tally.skipped.map(|count| count + unlisted);
    let outside = u64::try_from(document.suite_problems.len()).unwrap_or(u64::MAX);
    counted.tally.load_errors = counted.tally.load_errors.map(|count| count + outside);
    add_up(suites, &mut sums);
    let todo = todo_as_passed(&suites[0], &sums[0]);
    counted.tally.todo = counted.tally.todo.map(|count| count + todo);
    counted.tally.passed = counted.tally.passed.map(|count| count - todo.min(count));
    let contradicting = suites.iter().zip(&sums).filter(|(suite, sum)| contradicts(suite, sum));
    counted.contradicting = contradicting.map(|(suite, _)| suite.tag).collect();
    counted
}

/// One verdict per test. Where a suite has more cases than it announces tests, and exactly as many names, the cases of
/// one name are attempts at one test (pytest-rerunfailures): the last one counts.
fn verdicts<'a>(document: &'a Document<'a>) -> impl Iterator<Item = (&'a Case<'a>, Verdict)> {
    let attempts = attempts(document);
    document.cases.iter().zip(attempts).filter_map(|(case, attempt)| {
        let verdict = verdict::of(case, &document.suites[case.suite]);
        match attempt {
            Attempt::Superseded => None,
            Attempt::Last if verdict == Verdict::Passed => Some((case, Verdict::Flaky)),
            Attempt::Last | Attempt::Only => Some((case, verdict)),
        }
    })
}

/// What a case is among the cases of its name.
#[derive(Clone, Copy)]
enum Attempt {
    Only,
    /// A later one counts.
    Superseded,
    Last,
}

fn attempts(document: &Document<'_>) -> Vec<Attempt> {
    let mut cases = vec![0u64; document.suites.len()];
    document.cases.iter().for_each(|case| cases[case.suite] += 1);
    // Only of these the names matter, and a large report has none.
    let may_be_repeated = |case: &Case<'_>| {
        document.suites[case.suite].tests.is_some_and(|announced| cases[case.suite] > announced)
            || is_written_twice(case.classname())
    };
    let mut named: BTreeMap<(usize, Option<&str>, &str), Vec<usize>> = BTreeMap::new();
    for (index, case) in document.cases.iter().enumerate().filter(|(_, case)| may_be_repeated(case)) {
        named.entry((case.suite, case.classname(), case.name())).or_default().push(index);
    }
    let mut names = vec![0u64; document.suites.len()];
    named.keys().for_each(|(suite, ..)| names[*suite] += 1);
    let mut attempts = vec![Attempt::Only; document.cases.len()];
    for ((suite, class, _), indexes) in &named {
        let announced = document.suites[*suite].tests;
        let rerun = announced == Some(names[*suite]) && cases[*suite] > names[*suite];
        if let Some((last, earlier)) = indexes.split_last().filter(|_| rerun || is_written_twice(*class))
            && !earlier.is_empty()
        {
            earlier.iter().for_each(|index| attempts[*index] = Attempt::Superseded);
            attempts[*last] = Attempt::Last;
        }
    }
    attempts
}

/// jest-junit writes a file that did not load once as an error and once as a failure.
fn is_written_twice(class: Option<&str>) -> bool {
    class == Some("Test suite failed to run")
}

fn add(tally: &mut Tally, verdict: Verdict, file_level: bool) {
    let add = |count: &mut Option<u64>| *count = count.map(|count| count + 1);
    match verdict {
        Verdict::Passed | Verdict::Flaky => {
            add(&mut tally.passed);
            if verdict == Verdict::Flaky {
                add(&mut tally.flaky);
            }
            if file_level {
                add(&mut tally.file_level);
            }
        }
        Verdict::Failed => add(&mut tally.failed),
        Verdict::Errored => add(&mut tally.errored),
        Verdict::NotLoaded => add(&mut tally.load_errors),
        Verdict::Skipped => add(&mut tally.skipped),
        Verdict::Todo => add(&mut tally.todo),
        Verdict::ExpectedFailure => add(&mut tally.expected_failures),
    }
}

/// Adds each suite's sums to its parent's. A suite stands behind its parent, so one walk from the end is enough.
fn add_up(suites: &[Suite], sums: &mut [Sum]) {
    for index in (0..suites.len()).rev() {
        if let Some(parent) = suites[index].parent {
            let own = sums[index];
            let sum = &mut sums[parent];
            sum.cases += own.cases;
            sum.not_run += own.not_run;
            sum.bad += own.bad;
            sum.not_loaded += own.not_loaded;
        }
    }
}

/// Skipped tests that a suite announces and has no case for: libtest writes no `<testcase>` for an ignored test.
fn unlisted(suite: &Suite, sum: &Sum) -> u64 {
    let missing = suite.tests.unwrap_or_default().saturating_sub(sum.cases);
    let skipped = suite.skipped.unwrap_or_default().saturating_sub(sum.not_run);
    if !suite.has_suites && sum.cases > 0 && missing == skipped { missing } else { 0 }
}

/// jest-junit writes `test.todo` as a case without a child, like a pass, and leaves it out of `tests`, as it does with
/// files that did not load.
fn todo_as_passed(root: &Suite, sum: &Sum) -> u64 {
    let is_jest = root.name.as_deref() == Some("jest tests");
    let tests = root.tests.filter(|_| is_jest);
    tests.map_or(0, |tests| (sum.cases - sum.not_loaded).saturating_sub(tests))
}

fn announced_bad(suite: &Suite) -> u64 {
    suite.failures.unwrap_or_default().saturating_add(suite.errors.unwrap_or_default())
}

/// Whether a suite's attributes say something else than its cases. Old pytest leaves skipped cases out of `tests`.
fn contradicts(suite: &Suite, sum: &Sum) -> bool {
    let tests = suite.tests.is_some_and(|tests| tests != sum.cases && tests != sum.cases - sum.not_run);
    let bad = (suite.failures.is_some() || suite.errors.is_some()) && announced_bad(suite) != sum.bad;
    tests || bad
}

impl Verdict {
    fn status(self) -> CaseStatus {
        match self {
            Verdict::Passed | Verdict::Flaky => CaseStatus::Passed,
            Verdict::Failed | Verdict::Errored | Verdict::NotLoaded => CaseStatus::Failed,
            Verdict::Skipped => CaseStatus::Skipped,
            Verdict::Todo => CaseStatus::Todo,
            Verdict::ExpectedFailure => CaseStatus::ExpectedFailure,
        }
    }
}
