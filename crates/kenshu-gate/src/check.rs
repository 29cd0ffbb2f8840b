//! `check`: the ruler, the run, the second look, and the verdict, in the order of the contract.

mod against;
mod changes;
mod verify;

use kenshu_model::words::{config as words, doing};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use kenshu_host::Error;
use kenshu_host::environment::Environment;
use kenshu_host::process::Progress;
use kenshu_host::project::Project;
use kenshu_host::tree::{Fingerprint, Pending};
use kenshu_model::check::{CheckVerdict, RulerReport};
use kenshu_model::note::Uncompared;
use kenshu_model::{Count, Note, Outcome, Quote, Reason, Tally};

use crate::base::{self, Base};
use crate::compare::BaseTests;
use crate::config::{Config, FILE_NAME};
use crate::detect;
use crate::hollow::hollow;
use crate::judge::{self, Claimed, Observed, SecondLooks};
use crate::measure::{Measured, Plan, combine, last_lines, measure};
use crate::pin::PinV1;
use crate::second_look;
use crate::suites::{self, Chosen};
use crate::tree::Tree;
use crate::trees::WorkingTree;

/// What a check is asked.
pub struct Setting<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its configuration.
    pub config: &'a Config,
    /// The environment.
    pub environment: &'a Environment,
    /// The human's own command; empty: the pinned or detected one.
    pub argv: &'a [String],
    /// The claims.
    pub claimed: Claimed,
    /// `--timeout`.
    pub time_limit: Option<Duration>,
    /// `--base`.
    pub base: Option<&'a str>,
    /// `--ruler-from`.
    pub ruler_from: Option<&'a str>,
    /// `--accept-ruler`.
    pub accept_ruler: Option<&'a str>,
    /// `--all`.
    pub all: bool,
    /// `--fresh`.
    pub fresh: bool,
    /// What the human pinned.
    pub pin: Option<&'a PinV1>,
}

/// What a check hears and asks meanwhile.
pub trait Company {
    /// What is about to be run.
    fn running(&mut self, plan: &Plan, why: &str);
    /// How it goes on.
    fn progress(&mut self, event: Progress<'_>);
    /// A run at this commit that was kept, for the command with this key.
    fn kept_base_run(&self, commit: &str, key: &str) -> Option<Count>;
    /// Keeps a run at this commit.
    fn keep_base_run(&mut self, commit: &str, key: &str, count: &Count);
}

/// The verdict with what it was made of.
pub struct Done {
    /// The verdict.
    pub verdict: CheckVerdict,
    /// Fingerprint of the tree that was tested; `None`: not taken.
    pub tree: Option<String>,
    /// The base commit.
    pub base: Option<String>,
    /// The runs of the suites, in order.
    pub runs: Vec<Measured>,
}

/// Checks.
pub fn check(setting: &Setting<'_>, company: &mut dyn Company) -> Result<Done, Error> {
    let tree = WorkingTree::new(&setting.project.root);
    let chosen = suites::choose(setting.argv, setting.config, &|| detect::detect(&tree))
        .map_err(|error| Error::new(&doing::READ_TEST_COMMAND, FILE_NAME, error, &words::CORRECT_OR_NAME))?;
    // Taken while the ruler is read; whatever changes from here on counts as changed by the run.
    let mut before = Fingerprint::begin(&setting.project.root, setting.project.git.as_ref());
    let base = choose_base(setting.project, setting.base, &mut before)?;
    let ruler = against::ruler_report(setting, &tree, &chosen, &base)?;
    let notes = if base.cut_off { vec![Note::CutOff] } else { Vec::new() };
    let mut done = Done {
        verdict: CheckVerdict { notes, ..empty_verdict(&chosen, ruler) },
        tree: None,
        base: base.commit.clone(),
        runs: Vec::new(),
    };
    if let Some(reason) = judge::before_the_run(&setting.claimed, &done.verdict.ruler) {
        let accepted = reason == Reason::RulerChanged
            && setting.accept_ruler.is_some()
            && setting.accept_ruler == done.verdict.ruler.hash.as_deref();
        if !accepted {
            done.verdict.reason = Some(reason);
            done.verdict.claims = unjudged(&setting.claimed, reason);
            return Ok(done);
        }
        done.verdict.notes.push(Note::RulerAccepted);
    }
    if chosen.suites.is_empty() {
        nothing_to_run(&mut done, &chosen, &setting.claimed);
        return Ok(done);
    }
    run_and_judge(setting, &chosen, &base, before.wait()?, company, done)
}

/// The base, with the fingerprint as the answer to whether anything has changed.
fn choose_base(project: &Project, flag: Option<&str>, now: &mut Pending) -> Result<Base, Error> {
    let git = project.git.as_ref();
    // The fingerprint of a folder says nothing of the rest of the repository.
    let Some(whole) = git.filter(|git| git.top() == project.root) else { return base::choose(git, flag) };
    base::choose_with(git, flag, &mut |head| {
        Ok(!now.wait()?.changed_since(&project.root, whole, head)?.is_empty())
    })
}

fn run_and_judge(
    setting: &Setting<'_>,
    chosen: &Chosen,
    base: &Base,
    before: &Fingerprint,
    company: &mut dyn Company,
    mut done: Done,
) -> Result<Done, Error> {
    let tree = &WorkingTree::new(&setting.project.root);
    let plans: Vec<Plan> = chosen
        .suites
        .iter()
        .map(|suite| {
            suites::plan(suite, &setting.project.root, setting.config, setting.time_limit, setting.fresh)
        })
        .collect();
    done.tree = Some(before.hash.clone());
    if let Some(git) = &setting.project.git {
        git.rest();
    }
    done.runs = run_all(&plans, setting.environment, company);
    let after = Fingerprint::of(&setting.project.root, setting.project.git.as_ref())?;
    done.verdict.notes.extend(done.runs.iter().flat_map(|run| run.notes.iter().cloned()));
    let removed_tests = changes::removed_tests(before, &after);
    done.verdict.notes.extend(
        removed_tests.clone().or_else(|| changes::note(before, &after, setting.project.git.is_some())),
    );
    for (suite, run) in chosen.suites.iter().zip(&done.runs).filter(|_| done.runs.len() > 1) {
        done.verdict.notes.push(suite_note(&suite.name, &run.count));
    }
    let counts: Vec<Count> =
        done.runs.iter().zip(&plans).map(|(run, plan)| in_project(run, plan, tree)).collect();
    let Some(count) = combine(counts) else { return Ok(done) };
    let interrupted = done.runs.iter().any(|run| run.interrupted.is_some());
    let base_count = if interrupted {
        None
    } else {
        base_run(setting, base, &plans, &count, company, &mut done.verdict.notes)
    };
    let base_tests = match (&base.commit, &base_count) {
        (None, _) => BaseTests { known: !base.cut_off, ..BaseTests::default() },
        (Some(_), Some(count)) => base::tests_of(base, count),
        (Some(_), None) => BaseTests::default(),
    };
    let looks = if interrupted || !done.runs.iter().all(|run| has_said_all(&run.count)) {
        SecondLooks::default()
    } else {
        second_looks(setting, &plans, &count, base_count.as_ref(), company, &mut done.verdict.notes)
    };
    let changed = changed_files(setting.project, base, &after);
    let hollow = hollow(&count, &setting.project.root, tree, &|file| {
        !base.cut_off && changed.as_ref().is_none_or(|changed| changed.contains(file))
    });
    let observed = Observed {
        count: &count,
        base: &base_tests,
        hollow: &hollow,
        looks: &looks,
        removed_tests: removed_tests.is_some(),
    };
    let judgement = judge::after_the_run(&setting.claimed, observed);
    done.verdict.reason = judgement.reason;
    done.verdict.claims = judgement.claims;
    done.verdict.claimed = judgement.claimed;
    done.verdict.measured = judgement.measured;
    done.verdict.quotes = count.quotes.clone();
    if judgement.reason == Some(Reason::ExitDisagrees) {
        done.verdict.quotes.extend(said_last(&done.runs, &count));
    }
    done.verdict.count = Some(count);
    done.verdict.failing_before = looks.failing_before;
    done.verdict.flaky = looks.flaky;
    done.verdict.hollow = hollow.tests;
    if setting.all && !interrupted {
        verify::verify(setting, company, &mut done.verdict)?;
    }
    Ok(done)
}

/// The last lines of the first suite that did not end with 0, as far as they are not quoted anyway.
fn said_last(runs: &[Measured], count: &Count) -> Vec<Quote> {
    let run = runs.iter().find(|run| run.count.exit.is_some_and(|exit| !exit.is_success()));
    let lines = run.map(|run| last_lines(&run.output)).unwrap_or_default();
    lines.into_iter().filter(|line| !count.quotes.contains(line)).collect()
}

fn run_all(plans: &[Plan], environment: &Environment, company: &mut dyn Company) -> Vec<Measured> {
    let mut runs = Vec::new();
    for plan in plans {
        company.running(plan, "");
        let run = measure(plan, environment, &mut |event| company.progress(event));
        let stop = run.interrupted.is_some();
        runs.push(run);
        if stop {
            break;
        }
    }
    runs
}

fn empty_verdict(chosen: &Chosen, ruler: RulerReport) -> CheckVerdict {
    CheckVerdict {
        reason: None,
        claims: Vec::new(),
        claimed: None,
        measured: None,
        count: None,
        verify: Vec::new(),
        command: chosen.suites.first().map(|suite| suite.argv.clone()).unwrap_or_default(),
        ruler,
        failing_before: Vec::new(),
        flaky: Vec::new(),
        hollow: Vec::new(),
        notes: Vec::new(),
        quotes: Vec::new(),
    }
}

fn unjudged(claimed: &Claimed, reason: Reason) -> Vec<kenshu_model::JudgedClaim> {
    claimed
        .claims
        .iter()
        .map(|(claim, source)| kenshu_model::JudgedClaim {
            claim: claim.clone(),
            result: Some(reason),
            note: Some(Note::NotCompared(Uncompared::NothingRun)),
            source: source.clone(),
        })
        .collect()
}

fn nothing_to_run(done: &mut Done, chosen: &Chosen, claimed: &Claimed) {
    done.verdict.reason = Some(Reason::NothingVerified);
    done.verdict.claims = unjudged(claimed, Reason::NothingVerified);
    done.verdict.claimed = claimed.claims.iter().filter_map(|(claim, _)| claim.count).max();
    done.verdict.notes.push(Note::NoTestCommand(chosen.looked_for.clone()));
    done.verdict.notes.push(Note::NameTheCommand);
    done.verdict.count = Some(Count {
        outcome: Outcome::NothingRan,
        runners: Vec::new(),
        tally: Tally::UNKNOWN,
        files: None,
        exit: None,
        reasons: vec![Reason::NoTestCommand],
        quotes: Vec::new(),
        cases: kenshu_model::Cases::default(),
    });
}

/// The count of a suite in a folder of its own, with the files that stand for tests named from the project's folder.
fn in_project(run: &Measured, plan: &Plan, tree: &WorkingTree) -> Count {
    let mut count = run.count.clone();
    let Some(inside) = tree.inside(&plan.cwd).filter(|inside| !inside.as_os_str().is_empty()) else {
        return count;
    };
    for case in count.cases.iter_mut().filter(|case| case.file_level) {
        let named = case.file.as_deref().unwrap_or(&case.name);
        let path = inside.join(named).to_string_lossy().into_owned();
        if Path::new(named).is_relative() && tree.has_file(&path) {
            case.file = Some(path);
        }
    }
    count
}

fn suite_note(name: &str, count: &Count) -> Note {
    Note::Suite {
        name: name.to_owned(),
        outcome: count.outcome,
        reason: count.reasons.first().copied(),
        exit: count.exit,
        tally: count.tally,
    }
}

/// A run at the base, where the verdict depends on it: a failure, or a number that only the base can explain.
fn base_run(
    setting: &Setting<'_>,
    base: &Base,
    plans: &[Plan],
    count: &Count,
    company: &mut dyn Company,
    notes: &mut Vec<Note>,
) -> Option<Count> {
    let commit = base.commit.as_deref()?;
    let has_named_failures = second_look::named_failures(count).is_some();
    let needs_explaining = setting.claimed.claims.iter().any(|(claim, _)| {
        claim.count.is_some_and(|claimed| {
            let is_sum = count.tally.ran() == Some(claimed) || count.tally.total() == Some(claimed);
            (Some(claimed) != count.tally.passed && is_sum) || (claim.added && base.is_start)
        })
    });
    let wanted = (has_named_failures && count.outcome == Outcome::Failed)
        || (needs_explaining
            && count.outcome == Outcome::Passed
            && setting.claimed.rule == crate::compare::Rule::Explained);
    if !wanted {
        return None;
    }
    let mut counts = Vec::new();
    for plan in plans {
        let key = base_key(plan, &setting.project.root);
        if let Some(count) = company.kept_base_run(commit, &key) {
            counts.push(count);
            continue;
        }
        company.running(plan, &format!("at the base {}", &commit[..commit.len().min(12)]));
        match base::run_at(setting.project, commit, plan, setting.environment, &mut |event| {
            company.progress(event)
        }) {
            Ok(count) => {
                company.keep_base_run(commit, &key, &count);
                counts.push(count);
            }
            Err(why) => {
                notes.push(Note::NoBaseRun(why));
                return None;
            }
        }
    }
    combine(counts)
}

/// Whether the failures that are read are all there is against a suite: only then can a second look explain them away.
fn has_said_all(count: &Count) -> bool {
    match count.outcome {
        Outcome::Passed | Outcome::NothingRan => true,
        Outcome::Failed => count.reasons.first() != Some(&Reason::ExitDisagrees),
        Outcome::CouldNotRun | Outcome::Unknown => false,
    }
}

/// What a kept run is found by: the command, where it runs, and the human's variables.
fn base_key(plan: &Plan, root: &Path) -> String {
    let cwd = plan.cwd.strip_prefix(root).unwrap_or(&plan.cwd).display().to_string();
    let variables = plan.env.iter().map(|(name, value)| format!("{name}={value}"));
    std::iter::once(cwd).chain(variables).chain(plan.argv.iter().cloned()).collect::<Vec<_>>().join("\u{1f}")
}

fn second_looks(
    setting: &Setting<'_>,
    plans: &[Plan],
    count: &Count,
    base: Option<&Count>,
    company: &mut dyn Company,
    notes: &mut Vec<Note>,
) -> SecondLooks {
    let Some(failed) = second_look::named_failures(count) else { return SecondLooks::default() };
    let [plan] = plans else {
        let (looks, _) = second_look::look(&failed, base, &mut |_| None, &mut || count.clone());
        return looks;
    };
    let runner = plan.runners.first().copied().unwrap_or_default();
    let company = std::cell::RefCell::new(company);
    let mut alone = |case: &kenshu_model::Case| {
        let argv = second_look::alone_argv(&plan.argv, runner, case)?;
        let plan = Plan { argv, ..plan.clone() };
        company.borrow_mut().running(&plan, "this test alone");
        let run = measure(&plan, setting.environment, &mut |event| company.borrow_mut().progress(event));
        Some(run.count.outcome == Outcome::Passed && run.count.tally.passed.is_some_and(|passed| passed > 0))
    };
    let mut again = || {
        company.borrow_mut().running(plan, "a second time");
        measure(plan, setting.environment, &mut |event| company.borrow_mut().progress(event)).count
    };
    let (looks, more) = second_look::look(&failed, base, &mut alone, &mut again);
    notes.extend(more);
    looks
}

/// Files that differ from the base, relative to the project; `None`: there is no base, so all are new.
fn changed_files(project: &Project, base: &Base, now: &Fingerprint) -> Option<BTreeSet<String>> {
    let changed = now.changed_since(&project.root, project.git.as_ref()?, base.commit.as_deref()?).ok()?;
    Some(changed.into_iter().map(|path| path.to_string_lossy().into_owned()).collect())
}
