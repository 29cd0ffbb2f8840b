//! The verdict of `check`: a function of claims, ruler, run, base and hollow tests, in the contract's order.

use kenshu_model::check::{RulerReport, SecondLook};
use kenshu_model::note::{Note, Uncompared};
use kenshu_model::{
    Claim, ClaimScope, ClaimUnit, Count, Exit, HollowTest, JudgedClaim, Outcome, Reason, Trusted,
};

use crate::compare::{BaseTests, Comparison, Rule, compare};

/// What was claimed and how it is to be held against the run.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The claims, in the order of the text.
    pub claims: Vec<(Claim, Option<String>)>,
    /// Whether a whole number was asked for: `--claimed`, `--report`, `require_count`.
    pub needs_count: bool,
    /// How strictly numbers are compared.
    pub rule: Rule,
}

/// Hollow tests, told apart by whether they can reject.
#[derive(Clone, Debug, Default)]
pub struct Hollow {
    /// Every hollow test found.
    pub tests: Vec<HollowTest>,
    /// How many of them, by index, are new or changed against the base.
    pub new_or_changed: Vec<usize>,
    /// Whether every test that counted is hollow.
    pub all: bool,
}

/// What a second look at failed tests showed.
#[derive(Clone, Debug, Default)]
pub struct SecondLooks {
    /// The same test failing at the base with the same failing line.
    pub failing_before: Vec<SecondLook>,
    /// Passes alone and in a second run of the whole command.
    pub flaky: Vec<SecondLook>,
}

/// Everything the verdict depends on once the command was run.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The run.
    pub count: &'a Count,
    /// The base's tests.
    pub base: &'a BaseTests,
    /// Hollow tests.
    pub hollow: &'a Hollow,
    /// Second looks.
    pub looks: &'a SecondLooks,
    /// Whether the run removed test files that were there when it began: what it counted is then not what was claimed of.
    pub removed_tests: bool,
}

/// The verdict's reason and the claims as judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Why it is rejected; `None`: accepted.
    pub reason: Option<Reason>,
    /// Each claim with its result.
    pub claims: Vec<JudgedClaim>,
    /// The claim's number that decided.
    pub claimed: Option<u64>,
    /// What was counted of that, in the claim's own unit: tests that passed, test files, or new tests.
    pub measured: Option<u64>,
}

/// What is wrong before anything is run: no claim, or a changed ruler.
pub fn before_the_run(claimed: &Claimed, ruler: &RulerReport) -> Option<Reason> {
    let has_number = claimed.claims.iter().any(|(claim, _)| claim.count.is_some_and(|count| count >= 1));
    if claimed.claims.is_empty() || (claimed.needs_count && !has_number) {
        return Some(Reason::NoClaim);
    }
    ruler_rejects(ruler).then_some(Reason::RulerChanged)
}

/// A pin: any difference of command, script or `kenshu.toml`, or a narrowing fact. A base: only narrowing.
pub fn ruler_rejects(ruler: &RulerReport) -> bool {
    match ruler.trusted {
        Trusted::Pinned => ruler.changes.iter().any(|change| change.narrowing || is_core(&change.what)),
        Trusted::Base => ruler.changes.iter().any(|change| change.narrowing),
        Trusted::None => false,
    }
}

fn is_core(what: &str) -> bool {
    what == "command" || what == crate::config::FILE_NAME || what.starts_with("script")
}

/// The verdict after the run, in the contract's order: the first reason that applies.
pub fn after_the_run(claimed: &Claimed, observed: Observed<'_>) -> Judgement {
    let compared: Vec<(&Claim, Option<String>, Comparison)> = claimed
        .claims
        .iter()
        .map(|(claim, source)| {
            (claim, source.clone(), compare(claim, observed.count, observed.base, claimed.rule))
        })
        .collect();
    let mut claims = outranked(compared);
    let of_claims =
        |wanted: Reason| claims.iter().any(|judged| judged.result == Some(wanted)).then_some(wanted);
    let of_the_run = of_the_run(claimed, observed);
    let reason = of_the_run
        .or_else(|| of_claims(Reason::NothingVerified))
        .or_else(|| of_claims(Reason::CountMismatch))
        .or_else(|| hollow_rejects(observed.hollow).then_some(Reason::HollowTests));
    let decided = deciding(&claims);
    let measured = measured(decided, observed.count);
    let claimed = decided.and_then(|judged| judged.claim.count);
    // A number that agrees with a run that failed is no claim that holds.
    claims.iter_mut().filter(|judged| judged.result.is_none()).for_each(|judged| judged.result = of_the_run);
    Judgement { reason, claims, claimed, measured }
}

/// A grand total that holds outranks a part: a smaller number of no said scope is then a part of it.
fn outranked(compared: Vec<(&Claim, Option<String>, Comparison)>) -> Vec<JudgedClaim> {
    let grand_total = compared
        .iter()
        .filter(|(claim, _, comparison)| {
            claim.scope == ClaimScope::All && claim.unit == ClaimUnit::Tests && comparison.reason.is_none()
        })
        .filter_map(|(claim, _, _)| claim.count)
        .max();
    compared
        .into_iter()
        .map(|(claim, source, comparison)| {
            let is_part = claim.scope == ClaimScope::Unspecified
                && claim.unit == ClaimUnit::Tests
                && claim.count.max(grand_total) == grand_total;
            let comparison = match (comparison.reason, grand_total) {
                (Some(Reason::CountMismatch), Some(total)) if is_part => {
                    Comparison { reason: None, note: Some(Note::NotCompared(Uncompared::PartOf(total))) }
                }
                _ => comparison,
            };
            JudgedClaim { claim: claim.clone(), result: comparison.reason, note: comparison.note, source }
        })
        .collect()
}

/// The claim whose number is shown: the one that rejects, else the grand total, else the largest.
fn deciding(claims: &[JudgedClaim]) -> Option<&JudgedClaim> {
    let numbered = || claims.iter().filter(|judged| judged.claim.count.is_some());
    numbered()
        .find(|judged| judged.result.is_some())
        .or_else(|| numbered().find(|judged| judged.claim.scope == ClaimScope::All))
        .or_else(|| numbered().max_by_key(|judged| judged.claim.count))
}

fn measured(decided: Option<&JudgedClaim>, count: &Count) -> Option<u64> {
    let unit = decided.map_or(ClaimUnit::Tests, |judged| judged.claim.unit);
    match (unit, decided.and_then(|judged| judged.note.as_ref())) {
        (_, Some(Note::NewTests(new))) => Some(*new),
        (ClaimUnit::Files | ClaimUnit::Suites, _) => count.files.map(|files| files.passed),
        (ClaimUnit::Tests | ClaimUnit::Assertions, _) => count.tally.passed,
    }
}

/// What the run itself says: could not run, failed, did not finish, disagrees, verified nothing.
fn of_the_run(claimed: &Claimed, observed: Observed<'_>) -> Option<Reason> {
    let count = observed.count;
    let first = count.reasons.first();
    match count.outcome {
        Outcome::CouldNotRun => Some(Reason::CouldNotRun),
        Outcome::Failed if first == Some(&Reason::ExitDisagrees) => Some(Reason::ExitDisagrees),
        Outcome::Failed => (!is_explained(claimed, observed)).then_some(Reason::TestsFailed),
        Outcome::Unknown if matches!(first, Some(Reason::TimedOut | Reason::Killed)) => {
            Some(Reason::DidNotFinish)
        }
        // A program that no reader knows: its status alone is no count of failures, and still no acceptance.
        Outcome::Unknown if matches!(count.exit, Some(Exit::Code(code)) if code != 0) => {
            Some(Reason::ExitDisagrees)
        }
        Outcome::Unknown | Outcome::NothingRan => Some(Reason::NothingVerified),
        // The runner was content, and something else of the command was not: `pytest; exit 3`.
        Outcome::Passed if matches!(count.exit, Some(Exit::Code(code)) if code != 0) => {
            Some(Reason::ExitDisagrees)
        }
        Outcome::Passed if count.tally.passed == Some(0) || observed.removed_tests => {
            Some(Reason::NothingVerified)
        }
        Outcome::Passed => None,
    }
}

/// Whether every failure is one that the second look explains, and no claim covers it.
fn is_explained(claimed: &Claimed, observed: Observed<'_>) -> bool {
    let tally = &observed.count.tally;
    let (Some(failed), Some(errored), Some(load_errors)) = (tally.failed, tally.errored, tally.load_errors)
    else {
        return false;
    };
    let explained = (observed.looks.failing_before.len() + observed.looks.flaky.len()) as u64;
    if load_errors > 0 || failed + errored != explained || tally.passed.is_none_or(|passed| passed == 0) {
        return false;
    }
    observed.looks.failing_before.is_empty()
        || !claimed.claims.iter().any(|(claim, _)| covers_failures(claim, observed.count))
}

/// "all", or a number that equals `ran` or `total`: said of tests that fail, before this change or not.
fn covers_failures(claim: &Claim, count: &Count) -> bool {
    let number_covers = claim
        .count
        .is_some_and(|claimed| count.tally.ran() == Some(claimed) || count.tally.total() == Some(claimed));
    (claim.scope == ClaimScope::All && !claim.leaves_some_out()) || number_covers
}

fn hollow_rejects(hollow: &Hollow) -> bool {
    hollow.all || !hollow.new_or_changed.is_empty()
}

#[cfg(test)]
mod tests;
