//! Verdicts of one document's cases → numbers, and where the attributes say something else.

use std::collections::BTreeMap;

use kenshu_model::{Case as Named, CaseStatus, Cases, Tally};

use super::QUOTES_MAX;
use super::document::{self, Case, Document, Sink, Suite};
use super::verdict::{self, Verdict};
use crate::attempts::{Attempt, Names};

/// What the cases of a document add up to.
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) cases: Cases,
    /// How many cases there are, attempts included.
    pub(super) listed: u64,
    /// Start tags of the first cases that failed, and of the first suites whose attributes contradict their cases.
    pub(super) bad: Vec<(usize, usize)>,
    pub(super) contradicting: Vec<(usize, usize)>,
    /// Whether a suite announces failures; whether one announces cases.
    pub(super) announces_failures: bool,
    pub(super) announces_cases: bool,
    /// Whether the class of every case is the name of its suite.
    pub(super) classes_are_suites: bool,
    /// Places of suites in which cases may be attempts at one test.
    suspicious: Vec<u32>,
    attempts: BTreeMap<u32, std::vec::IntoIter<Attempt>>,
}

/// Sums of a suite and of those in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    cases: u64,
    not_run: u64,
    bad: u64,
    not_loaded: u64,
    /// Cases that stand directly in it, attempts included.
    own: u64,
    /// Whether one of these is of a kind that is written twice.
    has_twice: bool,
}

/// Reads and counts the document that begins at `start`. `Err`: it is not JUnit's; from where to look on.
pub(super) fn count(body: &str, start: usize) -> Result<(Document, Counted), usize> {
    let mut counted = Counted::new(BTreeMap::new());
    let document = document::parse(body, start, &mut counted)?;
    if counted.suspicious.is_empty() {
        return Ok((document, counted));
    }
    // Rare, and only now it is known: once more for the names, and once more to count.
    let mut repeated = Repeated::new(&counted.suspicious);
    document::parse(body, start, &mut repeated)?;
    if repeated.attempts.is_empty() {
        return Ok((document, counted));
    }
    let mut counted = Counted::new(repeated.attempts);
    let document = document::parse(body, start, &mut counted)?;
    Ok((document, counted))
}

impl Counted {
    fn new(attempts: BTreeMap<u32, std::vec::IntoIter<Attempt>>) -> Counted {
        Counted {
            tally: Tally::ZERO,
            cases: Cases::default(),
            listed: 0,
            bad: Vec::new(),
            contradicting: Vec::new(),
            announces_failures: false,
            announces_cases: false,
            classes_are_suites: true,
            suspicious: Vec::new(),
            attempts,
        }
    }
}

impl Sink for Counted {
    fn case(&mut self, case: &Case<'_>, open: &mut [Suite]) {
        self.listed += 1;
        let Some(suite) = open.last() else { return };
        let class = case.classname();
        self.classes_are_suites &= class.is_some() && class == suite.name.as_deref();
        let is_twice = is_written_twice(class);
        let attempt = self.attempts.get_mut(&suite.place).and_then(Iterator::next).unwrap_or(Attempt::Only);
        let mut verdict = verdict::of(case, suite);
        if verdict == Verdict::Passed && attempt == Attempt::Last {
            verdict = Verdict::Flaky;
        }
        if attempt != Attempt::Superseded {
            let file_level = verdict::is_file_level(case);
            add(&mut self.tally, verdict, file_level);
            if verdict.is_bad() && self.bad.len() < QUOTES_MAX {
                self.bad.push(case.tag());
            }
            let problem = case.more().failure.as_ref().or(case.more().error.as_ref());
            self.cases.push(Named {
                name: verdict::full_name(case, open),
                file: verdict::file(case, open),
                status: verdict.status(),
                message: problem.and_then(|problem| problem.message.clone()),
                file_level,
            });
        }
        let Some(suite) = open.last_mut() else { return };
        let sum = &mut suite.sum;
        sum.own += 1;
        sum.has_twice |= is_twice;
        if attempt == Attempt::Superseded {
            return;
        }
        let not_run = u64::from(matches!(verdict, Verdict::Skipped | Verdict::Todo));
        sum.cases += 1;
        sum.not_run += not_run;
        sum.bad += u64::from(verdict.is_bad());
        sum.not_loaded += u64::from(verdict == Verdict::NotLoaded);
    }

    fn begin(&mut self, suite: &Suite) {
        self.announces_failures |= announced_bad(suite) > 0;
        self.announces_cases |= suite.tests.is_some_and(|tests| tests > 0);
    }

    fn end(&mut self, suite: &Suite, parent: Option<&mut Suite>) {
        let sum = &suite.sum;
        let unlisted = unlisted(suite);
        self.tally.skipped = self.tally.skipped.map(|count| count + unlisted);
        if contradicts(suite) && self.contradicting.len() < QUOTES_MAX {
            self.contradicting.push(suite.tag);
        }
        if sum.has_twice || suite.tests.is_some_and(|announced| sum.own > announced) {
            self.suspicious.push(suite.place);
        }
        let Some(parent) = parent else {
            let todo = todo_as_passed(suite);
            self.tally.todo = self.tally.todo.map(|count| count + todo);
            self.tally.passed = self.tally.passed.map(|count| count - todo.min(count));
            return;
        };
        parent.sum.cases += sum.cases;
        parent.sum.not_run += sum.not_run;
        parent.sum.bad += sum.bad;
        parent.sum.not_loaded += sum.not_loaded;
    }

    fn suite_problem(&mut self) {
        self.tally.load_errors = self.tally.load_errors.map(|count| count + 1);
    }
}

/// Finds out which cases are attempts at one test. Where a suite has more cases than it announces tests, and exactly as
/// many names, the cases of one name are (pytest-rerunfailures): the last one counts.
struct Repeated {
    /// By the place of the suite: its cases' names, and for each whether it is of a kind that is written twice.
    names: BTreeMap<u32, (Names, Vec<bool>)>,
    /// What the cases of a suite are, in its order.
    attempts: BTreeMap<u32, std::vec::IntoIter<Attempt>>,
}

impl Repeated {
    fn new(suspicious: &[u32]) -> Repeated {
        let names = suspicious.iter().map(|place| (*place, Default::default())).collect();
        Repeated { names, attempts: BTreeMap::new() }
    }
}

impl Sink for Repeated {
    fn case(&mut self, case: &Case<'_>, open: &mut [Suite]) {
        if let Some(suite) = open.last()
            && let Some((names, twice)) = self.names.get_mut(&suite.place)
        {
            names.push(&(case.classname(), case.name()));
            twice.push(is_written_twice(case.classname()));
        }
    }

    fn begin(&mut self, _: &Suite) {}

    fn end(&mut self, suite: &Suite, _: Option<&mut Suite>) {
        let Some((names, twice)) = self.names.remove(&suite.place) else { return };
        let (different, mut attempts) = names.attempts();
        let is_rerun = suite.tests == Some(different);
        for (attempt, twice) in attempts.iter_mut().zip(twice) {
            if !is_rerun && !twice {
                *attempt = Attempt::Only;
            }
        }
        if attempts.iter().any(|attempt| *attempt != Attempt::Only) {
            self.attempts.insert(suite.place, attempts.into_iter());
        }
    }

    fn suite_problem(&mut self) {}
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

/// Skipped tests that a suite announces and has no case for: libtest writes no `<testcase>` for an ignored test.
fn unlisted(suite: &Suite) -> u64 {
    let sum = &suite.sum;
    let missing = suite.tests.unwrap_or_default().saturating_sub(sum.cases);
    let skipped = suite.skipped.unwrap_or_default().saturating_sub(sum.not_run);
    if !suite.has_suites && sum.cases > 0 && missing == skipped { missing } else { 0 }
}

/// jest-junit writes `test.todo` as a case without a child, like a pass, and leaves it out of `tests`, as it does with
/// files that did not load.
fn todo_as_passed(root: &Suite) -> u64 {
    let sum = &root.sum;
    let is_jest = root.name.as_deref() == Some("jest tests");
    let tests = root.tests.filter(|_| is_jest);
    tests.map_or(0, |tests| (sum.cases - sum.not_loaded).saturating_sub(tests))
}

fn announced_bad(suite: &Suite) -> u64 {
    suite.failures.unwrap_or_default().saturating_add(suite.errors.unwrap_or_default())
}

/// Whether a suite's attributes say something else than its cases. Old pytest leaves skipped cases out of `tests`.
fn contradicts(suite: &Suite) -> bool {
    let sum = &suite.sum;
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
