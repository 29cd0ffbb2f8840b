//! Any bytes as a runner's output: no panic, and what must hold of every answer holds.
#![no_main]

use kenshu_model::{Count, Exit, Outcome};
use kenshu_readers::Context;
use libfuzzer_sys::fuzz_target;

/// The same output is read without a context, as of a run that succeeded or failed, and as of commands of several kinds.
const COMMANDS: [Option<&str>; 4] = [None, Some("npm test"), Some("pytest -q"), Some("make check | tail -5")];

fuzz_target!(|bytes: &[u8]| {
    for command in COMMANDS {
        for exit in [None, Some(Exit::Code(0)), Some(Exit::Code(1)), Some(Exit::Signal(9))] {
            let context = Context { command, exit, ..Context::default() };
            let count = kenshu_readers::count(bytes, &context);
            holds(&count, command, exit);
            assert_eq!(count, kenshu_readers::count(bytes, &context), "the same bytes give the same answer");
        }
    }
});

fn holds(count: &Count, command: Option<&str>, exit: Option<Exit>) {
    if count.outcome == Outcome::Passed {
        assert!(!count.tally.has_failure(), "a pass with failures: {count:?}");
        assert!(!count.runners.is_empty(), "a pass that no runner stated: {count:?}");
        assert!(!count.quotes.is_empty(), "a pass without its line: {count:?}");
        let piped = command.is_some_and(|command| command.contains('|'));
        assert!(piped || exit != Some(Exit::Code(1)), "a pass against the runner's own status: {count:?}");
        assert!(!matches!(exit, Some(Exit::Signal(_))), "a pass of a run that was killed: {count:?}");
    }
    if count.outcome != Outcome::Passed && count.outcome != Outcome::Failed {
        assert!(!count.reasons.is_empty(), "no reason given: {count:?}");
    }
}
