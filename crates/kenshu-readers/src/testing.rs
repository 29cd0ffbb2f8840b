//! What the readers' own tests have in common.

use kenshu_model::{Exit, Outcome, Reason};

use crate::{Context, count};

/// Counts `text` as the output of `command`; `numbers` are those that passed, failed and did not load.
#[track_caller]
pub(crate) fn check(
    command: &str,
    exit: i32,
    text: &str,
    outcome: Outcome,
    reason: Option<Reason>,
    numbers: [Option<u64>; 3],
) {
    let context = Context { command: Some(command), exit: Some(Exit::Code(exit)), ..Context::default() };
    let count = count(text.as_bytes(), &context);
    assert_eq!(count.outcome, outcome, "{text}\n{count:#?}");
    assert_eq!(count.reasons.first().copied(), reason, "{text}\n{count:#?}");
    let tally = count.tally;
    assert_eq!([tally.passed, tally.failed, tally.load_errors], numbers, "{text}\n{count:#?}");
}
