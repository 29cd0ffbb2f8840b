//! Every exit status, once.

/// Accepted; tests ran and passed.
pub(crate) const OK: u8 = 0;
/// Rejected; tests failed.
pub(crate) const REJECTED: u8 = 1;
/// Wrong usage or a broken configuration.
pub(crate) const USAGE: u8 = 2;
/// Nothing was verified: nothing ran, or it could not be read.
pub(crate) const NOT_VERIFIED: u8 = 3;
/// Could not run or did not finish.
pub(crate) const NOT_RUN: u8 = 4;
/// A bug of ours.
pub(crate) const BUG: u8 = 70;

use kenshu_model::{Count, Outcome, Reason};

/// The exit status of `count`.
pub(crate) fn of_count(count: &Count) -> u8 {
    match count.outcome {
        Outcome::Passed => OK,
        Outcome::Failed => REJECTED,
        Outcome::NothingRan => NOT_VERIFIED,
        Outcome::CouldNotRun => NOT_RUN,
        Outcome::Unknown => match count.reasons.first() {
            Some(Reason::TimedOut | Reason::Killed) => NOT_RUN,
            _ => NOT_VERIFIED,
        },
    }
}

/// The exit status of `check`.
pub(crate) fn of_check(reason: Option<Reason>) -> u8 {
    reason.map_or(OK, |reason| reason.entry().exit)
}
