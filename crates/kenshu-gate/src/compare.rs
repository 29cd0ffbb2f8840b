//! A claimed number against a counted one, in the claim's own unit and scope.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use kenshu_model::note::{Beside, Gap, Note, Uncompared};
use kenshu_model::{Case, CaseStatus, Claim, ClaimScope, ClaimUnit, Count, Quote, Reason};

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
    let compared = match (claim.count, claim.unit) {
        (None, _) => Comparison::holds(),
        (Some(claimed), ClaimUnit::Tests) => match claim.scope {
            ClaimScope::Subset => compare_subset(claimed, claim.added, count, base),
            ClaimScope::All | ClaimScope::Unspecified => compare_all(claimed, count, base, rule),
        },
        (Some(claimed), ClaimUnit::Files | ClaimUnit::Suites) => compare_files(claimed, claim.of, count),
        (Some(_), ClaimUnit::Assertions) => Comparison::noted(Note::NotCompared(Uncompared::Assertions)),
    };
    if compared.reason.is_some() || claim.unit != ClaimUnit::Tests {
        return compared;
    }
    match contradiction(claim, count) {
        Some((what, claimed, measured)) => {
            Comparison::rejected(Reason::CountMismatch, Some(Note::Beside { what, claimed, measured }))
        }
        None => compared,
    }
}

/// What the claim says beside its number and the run contradicts with certainty: a number that the run does not tell,
/// or may count in another way, contradicts nothing.
fn contradiction(claim: &Claim, count: &Count) -> Option<(Beside, u64, u64)> {
    let tally = &count.tally;
    // Tests that a filter left out belong to the whole for some, and are skipped for some.
    let left_out = count.quotes.iter().any(names_left_out);
    if claim.scope == ClaimScope::Subset {
        let kinds = claim.together.zip(tally.passed).filter(|(claimed, passed)| claimed > passed);
        let more = claim.of.zip(tally.total()).filter(|(of, total)| of > total && !left_out);
        let of_kinds = kinds.map(|(claimed, passed)| (Beside::Kinds, claimed, passed));
        return of_kinds.or_else(|| more.map(|(of, total)| (Beside::Total, of, total)));
    }
    let whole = claim.of.zip(tally.total()).filter(|(of, total)| match of.cmp(total) {
        Ordering::Less => Some(*of) != tally.ran() && Some(*of) != tally.passed,
        Ordering::Equal => false,
        Ordering::Greater => !left_out,
    });
    let skipped = claim.skipped.zip(tally.skipped).filter(|(claimed, skipped)| {
        let most = [tally.todo, tally.expected_failures]
            .into_iter()
            .try_fold(*skipped, |sum, more| sum.checked_add(more?));
        match claimed.cmp(skipped) {
            Ordering::Less => true,
            Ordering::Equal => false,
            Ordering::Greater => !left_out && most.is_some_and(|most| *claimed > most),
        }
    });
    let not_passed =
        tally.failed.zip(tally.errored).and_then(|(failed, errored)| failed.checked_add(errored));
    let failed = claim.failed.filter(|claimed| *claimed > 0).zip(not_passed);
    let failed = failed.filter(|(claimed, failed)| {
        claimed != failed && Some(*claimed) != tally.failed && tally.load_errors == Some(0)
    });
    let of =
        |what: Beside, pair: Option<(u64, u64)>| pair.map(|(claimed, measured)| (what, claimed, measured));
    of(Beside::Total, whole).or_else(|| of(Beside::Skipped, skipped)).or_else(|| of(Beside::Failed, failed))
}

/// "3 deselected", "5 filtered out": tests that exist and were left out of the run.
fn names_left_out(quote: &Quote) -> bool {
    ["deselected", "filtered out"].iter().any(|words| {
        let before = quote.text.find(words).map(|at| quote.text[..at].trim_end());
        let number = before.and_then(|before| before.rsplit(|c: char| !c.is_ascii_digit()).next());
        number.is_some_and(|number| number.bytes().any(|digit| digit != b'0'))
    })
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

fn compare_files(claimed: u64, of: Option<u64>, count: &Count) -> Comparison {
    match count.files {
        Some(files)
            if (files.passed == claimed || (files.total == claimed && files.failed == 0))
                && of.is_none_or(|of| [files.total, files.passed].contains(&of)) =>
        {
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
mod tests;
