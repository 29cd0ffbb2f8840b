//! What cargo says before a test runs: a build that failed, a command that it does not understand.

use kenshu_model::{Reason, Tally};

use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

/// Build errors outside of `inside` (what tests printed), one reading each.
pub(in crate::readers) fn errors(stream: &Stream, id: &'static str, inside: &[(u32, u32)]) -> Vec<Reading> {
    if !stream.contains_any(&["error: could not compile ", "error: failed to run custom build"]) {
        return Vec::new();
    }
    stream
        .lines()
        .filter(|line| is_build_error(line.text))
        .filter(|line| !inside.iter().any(|(first, last)| (*first..=*last).contains(&line.number)))
        .map(|line| {
            let tally = Tally { load_errors: Some(1), ..Tally::ZERO };
            Reading::from_tally(id, tally, line.quote())
        })
        .collect()
}

fn is_build_error(text: &str) -> bool {
    text.starts_with("error: could not compile `")
        || text.starts_with("error: failed to run custom build command for `")
}

/// A command line that cargo or the test program refuses.
pub(in crate::readers) fn refused(stream: &Stream, id: &'static str, named: bool) -> Option<Reading> {
    if !named {
        return None;
    }
    let (line, reason) = stream.lines().find_map(|line: Line<'_>| Some((line, refusal(line.text)?)))?;
    Some(Reading::without_counts(id, Said::CouldNotRun(reason), line.quote()))
}

fn refusal(text: &str) -> Option<Reason> {
    let text = text.strip_prefix("error: ")?;
    if text.starts_with("could not find `Cargo.toml` in ") {
        return Some(Reason::Environment);
    }
    // `no test target named`, `no library targets found in package`; clap's words, before and after its version 4.
    let usage = (text.starts_with("no ") && text.contains(" target"))
        || text.starts_with("unexpected argument '")
        || text.starts_with("unrecognized subcommand '")
        || text.starts_with("Found argument '")
        || text.starts_with("invalid value '")
        || text.starts_with("the argument '")
        || text.starts_with("no such command: ")
        || text.starts_with("no such subcommand: ")
        || text.starts_with("package ID specification ")
        || text.starts_with("Unrecognized option: ")
        || text.starts_with("package `") && text.contains("not found in workspace")
        || text.contains("does not contain this feature")
        || text.contains("does not contain these features");
    usage.then_some(Reason::UsageError)
}
