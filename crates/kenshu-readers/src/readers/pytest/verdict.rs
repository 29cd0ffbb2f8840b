//! One run of pytest → one reading.

use std::collections::BTreeSet;

use kenshu_model::{Reason, Tally};

use crate::reading::{Reading, Said};

use super::READER;
use super::lines::Refusal;
use super::runs::{Asked, Run};
use super::summary::Words;

/// What a run says; `None` where nothing in it is pytest's.
pub(super) fn judge(run: &Run<'_>, asked: &Asked) -> Option<Reading> {
    let reading = match run.closing {
        Some(closing) => closed(run, closing.words, closing.line.quote(), asked),
        None => open(run, asked)?,
    };
    let reading = reading.spanning(run.first.number, run.last);
    let reading = [run.stopped, run.internal, run.failed_as_a_whole]
        .into_iter()
        .flatten()
        .fold(reading, |reading, line| reading.quoting(line.quote()));
    Some(reading.naming(run.entries.iter().filter_map(super::entries::Entry::case).collect()))
}

fn closed(run: &Run<'_>, words: Words, quote: kenshu_model::Quote, asked: &Asked) -> Reading {
    let tally = tally(run, &words);
    let reading = Reading::from_tally(READER.id, tally, quote.clone());
    let without = |said| Reading::without_counts(READER.id, said, quote.clone());
    if !asked.keeps_results && quote.text.starts_with("Results (") {
        return without(if words.has_failure() { Said::Failed } else { Said::Unfinished(Reason::OutputCut) });
    }
    if run.internal.is_some() {
        return reading.saying(Said::Failed);
    }
    let ran = words.passed + words.skipped + words.xfailed + words.xpassed;
    let more_than_collected = run.collected.is_some_and(|collected| ran > collected);
    if run.ambiguous || (asked.cut_at_end && (run.ends_in_results || more_than_collected)) {
        let reason = if run.ambiguous { Reason::Ambiguous } else { Reason::OutputCut };
        let said = if words.has_failure() { Said::Failed } else { Said::Unfinished(reason) };
        return without(said);
    }
    if words.has_failure() {
        return reading.saying(Said::Failed);
    }
    if let Some(line) = run.stopped {
        // Ctrl-C from outside; everything else is a stop of the tests' or a plugin's own.
        let by_hand = line.text.contains(" KeyboardInterrupt ");
        let reason = if by_hand { Reason::Killed } else { Reason::NoSummary };
        return without(Said::Unfinished(reason));
    }
    if words.unknown_word {
        return without(Said::Unfinished(Reason::NoSummary));
    }
    if run.failed_as_a_whole.is_some() {
        return reading.saying(Said::Failed);
    }
    match (words.is_empty(), run.refused) {
        (true, Some(Refusal::Usage(line))) => {
            without(Said::CouldNotRun(Reason::UsageError)).quoting(line.quote())
        }
        _ if words.collected_only => without(Said::NothingRan(Reason::ListOnly)),
        (true, _) if words.deselected > 0 => without(Said::NothingRan(Reason::FilterMatchedNothing)),
        _ => reading,
    }
}

fn tally(run: &Run<'_>, words: &Words) -> Tally {
    let (errored, load_errors) = errors(run, words);
    Tally {
        passed: Some(words.passed),
        failed: Some(words.failed),
        errored: Some(errored),
        // How much an error inside pytest or a plugin left out is not known.
        load_errors: run.internal.is_none().then_some(load_errors),
        skipped: Some(words.skipped),
        expected_failures: Some(words.xfailed),
        unexpected_passes: Some(words.xpassed),
        flaky: flaky(run, words),
        ..Tally::ZERO
    }
}

/// pytest counts as `errors` alike: files that were not collected, fixtures that failed before a test (which then did
/// not run), and those that failed after one (which is counted by its own result). The sections say which is which.
fn errors(run: &Run<'_>, words: &Words) -> (u64, u64) {
    let during_collection =
        run.stopped.is_some_and(|line| line.text.contains("during collection ")) || words.collected_only;
    if during_collection {
        return (0, words.errors);
    }
    let banners = run.banners;
    if banners.collecting + banners.setup + banners.teardown == words.errors {
        return (banners.setup, banners.collecting + banners.teardown);
    }
    let entries = || run.entries.iter().filter(|entry| entry.word == "ERROR");
    let files = entries().filter(|entry| !entry.name.contains("::")).count() as u64;
    if entries().count() as u64 == words.errors {
        return (words.errors - files, files);
    }
    (words.errors, 0)
}

/// Reruns are counted by attempt; how many tests they belong to is known where they are named, or where there is one.
fn flaky(run: &Run<'_>, words: &Words) -> Option<u64> {
    if words.rerun == 0 {
        return (!run.repeated).then_some(0);
    }
    let listed = run.entries.iter().filter(|entry| entry.word == "RERUN").map(|entry| entry.name.as_str());
    let listed: Vec<&str> = if run.reruns.is_empty() { listed.collect() } else { run.reruns.clone() };
    if listed.len() as u64 == words.rerun {
        let failed: BTreeSet<&str> = run
            .entries
            .iter()
            .filter(|entry| matches!(entry.word, "FAILED" | "ERROR"))
            .map(|entry| entry.name.as_str())
            .collect();
        let names: BTreeSet<&str> = listed.into_iter().collect();
        return Some(names.difference(&failed).count() as u64);
    }
    (words.rerun == 1 && !words.has_failure()).then_some(1)
}

/// A run without a closing line.
fn open(run: &Run<'_>, asked: &Asked) -> Option<Reading> {
    let quote = run.first.quote();
    let without = |said, quote| Some(Reading::without_counts(READER.id, said, quote));
    match run.refused {
        Some(Refusal::Conftest(line)) => {
            let tally = Tally { load_errors: Some(1), ..Tally::ZERO };
            return Some(Reading::from_tally(READER.id, tally, line.quote()));
        }
        Some(Refusal::Usage(line)) => return without(Said::CouldNotRun(Reason::UsageError), line.quote()),
        Some(Refusal::NotInstalled(line)) => {
            return without(Said::CouldNotRun(Reason::Environment), line.quote());
        }
        None => {}
    }
    // pytest-timeout's thread method ends the process behind the stacks of its threads.
    if run.last_text.starts_with("+++") && run.last_text.contains("+ Timeout +") {
        return without(Said::Failed, quote);
    }
    let complete = run.at_100_percent && !run.marks.other && run.marks.errors == 0;
    if let Some(line) = run.failure {
        // A subtest that failed has no mark of its own.
        let has_mark = run.marks.failed > 0;
        let proven =
            complete && has_mark && (asked.prints_no_summary || run.collected == Some(run.marks.sum()));
        if proven {
            return Some(Reading::from_tally(READER.id, by_marks(run), line.quote()).saying(Said::Failed));
        }
        return without(Said::Failed, line.quote());
    }
    if asked.prints_no_summary && complete {
        return Some(Reading::from_tally(READER.id, by_marks(run), quote).summed());
    }
    let reason = if asked.cut { Reason::OutputCut } else { Reason::NoSummary };
    without(Said::Unfinished(reason), quote)
}

fn by_marks(run: &Run<'_>) -> Tally {
    Tally {
        passed: Some(run.marks.passed),
        failed: Some(run.marks.failed),
        skipped: Some(run.marks.skipped),
        expected_failures: Some(run.marks.xfailed),
        unexpected_passes: Some(run.marks.xpassed),
        ..Tally::ZERO
    }
}
