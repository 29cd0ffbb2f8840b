//! The numbers of a test run, each known or not known.

/// How many tests ended how. The words are JUnit's (failure and error apart), TAP's (todo) and pytest's (xfail, xpass).
///
/// A field is `None` where the runner prints no such number and none can be derived.
/// A runner that has no such notion at all (Go knows no todo) gives `Some(0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Cases that ran and passed, flaky ones included.
    pub passed: Option<u64>,
    /// Cases that ended in an assertion failure.
    pub failed: Option<u64>,
    /// Cases that ended in an error which is no assertion failure, where the runner tells them apart.
    pub errored: Option<u64>,
    /// Files, suites, collections, hooks, build steps that did not load or run, and errors outside tests.
    pub load_errors: Option<u64>,
    /// Cases that were not run on purpose: skipped, ignored, disabled, pending.
    pub skipped: Option<u64>,
    /// Cases marked as still to be written.
    pub todo: Option<u64>,
    /// Cases that failed as they were marked to (xfail), where the runner counts them apart from passed.
    pub expected_failures: Option<u64>,
    /// Cases that passed though they were marked to fail (xpass), where the runner counts them apart.
    pub unexpected_passes: Option<u64>,
    /// How many of `passed` needed a retry.
    pub flaky: Option<u64>,
    /// How many of `passed` (or packages, tasks, where the runner counts those) were replayed from a cache.
    pub cached: Option<u64>,
    /// How many of `passed` are a whole file counted as one test.
    pub file_level: Option<u64>,
}

impl Tally {
    /// Every number known to be 0.
    pub const ZERO: Tally = Tally {
        passed: Some(0),
        failed: Some(0),
        errored: Some(0),
        load_errors: Some(0),
        skipped: Some(0),
        todo: Some(0),
        expected_failures: Some(0),
        unexpected_passes: Some(0),
        flaky: Some(0),
        cached: Some(0),
        file_level: Some(0),
    };

    /// No number known.
    pub const UNKNOWN: Tally = Tally {
        passed: None,
        failed: None,
        errored: None,
        load_errors: None,
        skipped: None,
        todo: None,
        expected_failures: None,
        unexpected_passes: None,
        flaky: None,
        cached: None,
        file_level: None,
    };

    /// `passed` cases passed, `failed` failed, `skipped` skipped, everything else 0.
    pub const fn of(passed: u64, failed: u64, skipped: u64) -> Tally {
        Tally { passed: Some(passed), failed: Some(failed), skipped: Some(skipped), ..Tally::ZERO }
    }

    /// passed + failed + errored + expected failures + unexpected passes; `None` if one of them is not known.
    pub fn ran(&self) -> Option<u64> {
        sum(&[self.passed, self.failed, self.errored, self.expected_failures, self.unexpected_passes])
    }

    /// ran + skipped + todo; `None` if one of them is not known.
    pub fn total(&self) -> Option<u64> {
        sum(&[self.ran(), self.skipped, self.todo])
    }

    /// Whether at least one test, file, suite or build step is read as failed.
    ///
    /// Unexpected passes are left out: whether they fail a run is the runner's own setting.
    pub fn has_failure(&self) -> bool {
        [self.failed, self.errored, self.load_errors].iter().any(|count| count.is_some_and(|n| n > 0))
    }

    /// Field by field sum; a number that one side does not know is not known of the sum.
    pub fn plus(&self, other: &Tally) -> Tally {
        fn add(a: Option<u64>, b: Option<u64>) -> Option<u64> {
            a?.checked_add(b?)
        }
        Tally {
            passed: add(self.passed, other.passed),
            failed: add(self.failed, other.failed),
            errored: add(self.errored, other.errored),
            load_errors: add(self.load_errors, other.load_errors),
            skipped: add(self.skipped, other.skipped),
            todo: add(self.todo, other.todo),
            expected_failures: add(self.expected_failures, other.expected_failures),
            unexpected_passes: add(self.unexpected_passes, other.unexpected_passes),
            flaky: add(self.flaky, other.flaky),
            cached: add(self.cached, other.cached),
            file_level: add(self.file_level, other.file_level),
        }
    }

    /// Whether the two say the same of the run: no number that both know differs.
    ///
    /// Failed and errored are compared as one, skipped and todo as one, since report formats fold them.
    pub fn agrees_with(&self, other: &Tally) -> bool {
        fn both(a: Option<u64>, b: Option<u64>) -> bool {
            a.is_none() || b.is_none() || a == b
        }
        both(self.passed, other.passed)
            && both(
                sum(&[self.failed, self.errored, self.load_errors]),
                sum(&[other.failed, other.errored, other.load_errors]),
            )
            && both(sum(&[self.skipped, self.todo]), sum(&[other.skipped, other.todo]))
    }
}

/// The sum of numbers that are all known; `None` also where it is too large, since any text can hold any number.
fn sum(parts: &[Option<u64>]) -> Option<u64> {
    parts.iter().try_fold(0u64, |sum, part| sum.checked_add((*part)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_that_is_too_large_or_has_an_unknown_part_is_not_known() {
        assert_eq!(Tally::of(2, 1, 3).total(), Some(6));
        assert_eq!(Tally::of(u64::MAX, 1, 0).ran(), None);
        assert_eq!(Tally::of(1, 0, u64::MAX).total(), None);
        assert_eq!(Tally { todo: None, ..Tally::of(1, 0, 0) }.total(), None);
        assert!(
            Tally::of(1, u64::MAX, 0).agrees_with(&Tally { errored: Some(2), ..Tally::of(1, u64::MAX, 0) })
        );
    }
}
