//! Which of several closing statements in one text close a run, and which were printed by a test.
//!
//! Tests and programs under test can print whatever a runner prints, and one output can hold several runs. What
//! decides is the number of result lines: a statement closes the results since an earlier statement if it counts as
//! many as stand there, and statements between the two were printed meanwhile.

use std::cmp::Ordering;

/// Indices of statements, in the order of the text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Those that close a run.
    pub accepted: Vec<usize>,
    /// Those of which nothing tells whether they close a run.
    pub doubtful: Vec<usize>,
}

/// Settles `count` statements.
///
/// `compare(at, after)` says how the number of results that statement `at` claims compares with the result lines
/// between the statement `after` (`None`: the beginning of the text) and it. `any_results`: whether the text has result
/// lines at all. `cut`: whether lines may have been taken away.
pub fn settle(
    count: usize,
    any_results: bool,
    cut: bool,
    compare: impl Fn(usize, Option<usize>) -> Ordering,
) -> Settled {
    let mut settled = Settled::default();
    let mut end = count;
    while let Some(at) = end.checked_sub(1) {
        let starts = (0..at).rev().map(Some).chain([None]);
        let printed_meanwhile = starts.enumerate().find(|(_, after)| compare(at, *after) == Ordering::Equal);
        end = match printed_meanwhile {
            Some((skipped, after)) => {
                let end = at - skipped;
                // One that claims the same results, none of which came after it: either may be what was printed.
                let is_rival = |other: &usize| {
                    compare(*other, after) == Ordering::Equal && compare(at, Some(*other)) != Ordering::Less
                };
                settled.doubtful.extend((end..at).filter(is_rival));
                end
            }
            // Nothing but closing statements was left, or is ever printed: each is a run.
            None if !any_results => at,
            // The last statement of a text is its runner's: what a test prints comes before it.
            None if at + 1 == count => at,
            // It claims more than was seen before it: no runner's.
            None if !cut && compare(at, at.checked_sub(1)) == Ordering::Greater => {
                end = at;
                continue;
            }
            None => {
                settled.doubtful.extend(0..end);
                break;
            }
        };
        settled.accepted.push(at);
    }
    settled.accepted.reverse();
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Statements as (claimed results, result lines since the statement before).
    #[track_caller]
    fn check(statements: &[(u64, u64)], cut: bool, accepted: &[usize], doubtful: &[usize]) {
        let any = statements.iter().any(|(_, seen)| *seen > 0);
        let settled = settle(statements.len(), any, cut, |at, after| {
            let from = after.map_or(0, |after| after + 1);
            let seen: u64 = statements[from..=at].iter().map(|(_, seen)| seen).sum();
            statements[at].0.cmp(&seen)
        });
        assert_eq!((&*settled.accepted, &*settled.doubtful), (accepted, doubtful), "{statements:?}");
    }

    #[test]
    fn runs_after_each_other_all_count() {
        check(&[(3, 3), (2, 2)], false, &[0, 1], &[]);
        check(&[(3, 3), (0, 0), (2, 2)], false, &[0, 1, 2], &[]);
    }

    #[test]
    fn what_a_test_prints_does_not_count() {
        check(&[(99, 0), (2, 2)], false, &[1], &[]);
        check(&[(99, 1), (2, 1)], false, &[1], &[]);
        check(&[(5, 5), (99, 1), (2, 1)], false, &[0, 2], &[]);
    }

    #[test]
    fn a_printed_result_line_does_not_hide_the_runs() {
        check(&[(99, 0), (2, 3)], false, &[1], &[]);
        check(&[(5, 5), (2, 3)], false, &[0, 1], &[]);
    }

    #[test]
    fn what_nothing_tells_is_doubtful() {
        check(&[(3, 5), (2, 3)], false, &[1], &[0]);
        check(&[(9, 0), (2, 3)], true, &[1], &[0]);
    }

    #[test]
    fn two_statements_about_the_same_results_leave_a_doubt() {
        check(&[(1, 1), (1, 0)], false, &[1], &[0]);
        check(&[(2, 2), (3, 3), (3, 0)], false, &[0, 2], &[1]);
    }

    #[test]
    fn statements_alone_are_runs() {
        check(&[(3, 0), (2, 0)], true, &[0, 1], &[]);
    }

    #[test]
    fn no_statement_settles_to_nothing() {
        check(&[], false, &[], &[]);
    }
}
