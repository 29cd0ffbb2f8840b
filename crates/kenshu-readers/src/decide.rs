//! Readings, command and exit status → one outcome, by the seven rules of the contract, in their order.

use kenshu_model::count::FileTally;
use kenshu_model::{Cases, Count, Exit, Outcome, Reason, Tally};

use crate::command::{CommandLine, Owner};
use crate::filters::Filters;
use crate::marks;
use crate::nothing;
use crate::prefilter;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::readers::READERS;
use crate::reading::{Reading, Said};
use crate::replayed::Origins;
use crate::resolve::{self, Candidate};
use crate::runs;
use crate::text::{Stream, Text};

/// What is known besides the text. All of it is optional.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The command line as typed.
    pub command: Option<&'a str>,
    /// The command as it was started without a shell; outranks `command`.
    pub argv: Option<&'a [String]>,
    /// The runner's id, from `--runner`.
    pub runner: Option<&'a str>,
    /// How the process ended.
    pub exit: Option<Exit>,
    /// Whether a part in the middle of the output is missing.
    pub dropped: bool,
}

/// Reads an output and says what can be said of the run.
pub fn count(output: &[u8], context: &Context<'_>) -> Count {
    count_with(READERS, output, context)
}

/// Reads a report file that a runner wrote. Its command and status, where known, are those of the run.
pub fn count_report(report: &[u8], context: &Context<'_>) -> Count {
    // A report that is there says nothing about pipes in the command line that wrote it.
    count(report, &Context { command: None, argv: None, ..*context })
}

/// [`count`] with a chosen list of readers; tests show with it that order and neighbours decide nothing.
pub fn count_with(readers: &'static [Reader], output: &[u8], context: &Context<'_>) -> Count {
    let text = Text::new(output);
    let command =
        context.argv.map(CommandLine::from_argv).or_else(|| context.command.map(CommandLine::parse));
    let mut facts = Facts::new(readers, context, command.as_ref());
    if let [stream] = &text.streams[..] {
        let invocations = command.as_ref().map_or(&[][..], |line| &line.invocations);
        // A `tail` that had room for more took nothing away.
        facts.cut_by_pipe &= !Filters::of(Hint { named: false, invocations }, stream).is_empty();
    }
    facts.prints_numbers = facts.runs_no_test && text.lines().any(|line| looks_like_a_result(line.text));
    let mut standing = Vec::new();
    let mut ambiguous = false;
    // What an `echo` of the command line itself prints is nobody's statement.
    let streams = if facts.only_prints { &[][..] } else { &text.streams };
    for stream in streams {
        let mut resolved = resolve::resolve(candidates(readers, stream, &facts));
        if resolved.standing.iter().any(says_no_test_command) {
            // Nor is what a script prints that is known to run no test.
            resolved.standing.retain(says_no_test_command);
            resolved.ambiguous = false;
        }
        doubt(&mut resolved.standing, stream);
        ambiguous |= resolved.ambiguous;
        standing.extend(resolved.standing);
    }
    let has_status = facts.has_bad_status() || wrapper_status(&standing);
    if has_status
        && !facts.names_runner
        && standing.iter().all(|candidate| matches!(candidate.reading.said, Said::Status(_)))
    {
        facts.may_say_nothing_ran = nothing::may_say_nothing_ran(&text);
    }
    decide(standing, ambiguous, &facts)
}

/// What a reader has taken for a pass is none where the stream around it says otherwise.
///
/// A pass whose own list shows a failure is none, and no failure either: one of the two was printed by a test. And a
/// pass that a build tool replays from its cache was not run.
fn doubt(standing: &mut [Candidate], stream: &Stream) {
    if standing.iter().all(|candidate| candidate.reading.said != Said::Passed) {
        return;
    }
    let mut ends: Vec<u32> = standing.iter().map(|candidate| candidate.reading.lines.1).collect();
    ends.sort_unstable();
    let origins = Origins::of(stream);
    for Candidate { reader, reading } in standing {
        let earlier = &ends[..ends.partition_point(|end| *end < reading.lines.1)];
        let before = earlier.last().copied().unwrap_or_default();
        if marks::contradict(&reader.marks, reading, stream, before) {
            reading.said = Said::Unfinished(Reason::Ambiguous);
            reading.tally = Tally::UNKNOWN;
        }
        origins.apply(reading, before);
    }
}

fn says_no_test_command(candidate: &Candidate) -> bool {
    candidate.reading.said == Said::NothingRan(Reason::NoTestCommand)
}

/// The context, worked out.
struct Facts<'a> {
    context: &'a Context<'a>,
    command: Option<&'a CommandLine>,
    /// Ids of the readers that the command or `--runner` names.
    named: Vec<&'static str>,
    /// Whether one of them is a runner, and not only what runs one.
    names_runner: bool,
    /// Whether every named runner was told only to list.
    lists_only: bool,
    /// Whether the command is known to run no test.
    runs_no_test: bool,
    /// Whether the command does nothing but print its own words.
    only_prints: bool,
    /// Whether the output has words by which programs say that they found or ran no test.
    may_say_nothing_ran: bool,
    /// Whether the output has numbers beside words of a test result, which any program can print.
    prints_numbers: bool,
    /// Whether a filter in the command line takes lines away.
    cut_by_pipe: bool,
    /// Whether the command line runs a runner as often as it is not known how often.
    repeats: bool,
    /// The status, where it is the runner's own.
    own_status: Option<i32>,
}

impl<'a> Facts<'a> {
    fn new(
        readers: &'static [Reader],
        context: &'a Context<'a>,
        command: Option<&'a CommandLine>,
    ) -> Facts<'a> {
        let invocations = command.map_or(&[][..], |line| &line.invocations);
        let mut named: Vec<&'static str> = Vec::new();
        let mut named_runs = 0;
        let mut listing_runs = 0;
        let mut owned_by_runner = false;
        for (index, invocation) in invocations.iter().enumerate() {
            for reader in readers.iter().filter(|reader| reader.is_run_by(invocation)) {
                named.push(reader.id);
                named_runs += 1;
                listing_runs += usize::from(invocation.has_option(reader.list_options));
                owned_by_runner |= command.is_some_and(|line| index >= line.owned_from);
            }
        }
        named.extend(readers.iter().map(|reader| reader.id).filter(|id| Some(*id) == context.runner));
        let owner = match command {
            None => Owner::Runner,
            Some(line) if named_runs > 0 && !owned_by_runner => line.owner.min_other(),
            Some(line) => line.owner,
        };
        let own_status = match (context.exit, owner) {
            (Some(Exit::Code(code)), Owner::Runner) => Some(code),
            _ => None,
        };
        let is_runner = |id: &&str| {
            readers.iter().any(|reader| reader.id == *id && reader.specificity != Specificity::Wrapper)
        };
        Facts {
            context,
            command,
            names_runner: named.iter().any(is_runner),
            lists_only: named_runs > 0 && named_runs == listing_runs,
            may_say_nothing_ran: false,
            prints_numbers: false,
            // A recorded `pytest > log; cat log` may be told by its last part alone; what we have run ourselves is all.
            only_prints: !invocations.is_empty()
                && invocations.iter().all(|invocation| {
                    crate::readers::only_prints(invocation)
                        || (context.argv.is_some() && crate::readers::shows_files(invocation))
                }),
            runs_no_test: !invocations.is_empty() && invocations.iter().all(crate::readers::runs_no_test),
            cut_by_pipe: invocations.iter().any(crate::readers::takes_lines_away),
            repeats: command.is_some_and(|line| line.repeats)
                || invocations.iter().any(runs::is_in_many_packages),
            named,
            own_status,
        }
    }

    /// Rule 2: whether the run was stopped from outside.
    fn stopped(&self, standing: &[Candidate]) -> Option<Reason> {
        let says_interrupted = standing.iter().any(|candidate| {
            matches!(candidate.reading.said, Said::Unfinished(Reason::Killed | Reason::TimedOut))
        });
        let has_limit = self.command.is_some_and(CommandLine::has_time_limit);
        match self.context.exit? {
            Exit::TimedOut { .. } => Some(Reason::TimedOut),
            Exit::Signal(_) => Some(Reason::Killed),
            Exit::Code(124) if has_limit => Some(Reason::TimedOut),
            Exit::Code(137 | 143) if has_limit => Some(Reason::TimedOut),
            // Runners turn a signal into a status of their own: pytest 2, cargo-nextest 100.
            Exit::Code(code) if says_interrupted && code != 0 => Some(Reason::Killed),
            Exit::Code(_) => None,
        }
    }
}

impl Facts<'_> {
    /// Whether the status is the runner's own and not 0.
    fn has_bad_status(&self) -> bool {
        self.own_status.is_some_and(|code| code != 0)
    }

    /// Whether the numbers are sums over lines, or over runs, of which some are missing.
    fn is_partial(&self, standing: &[Candidate]) -> bool {
        (self.cut_by_pipe || self.context.dropped)
            && !self.lists_only
            && standing.iter().any(|candidate| candidate.reading.needs_every_line || self.repeats)
    }
}

impl Owner {
    fn min_other(self) -> Owner {
        match self {
            Owner::Unclear => Owner::Unclear,
            Owner::Runner | Owner::Other => Owner::Other,
        }
    }
}

/// Asks the readers that have something to read in this stream.
fn candidates(readers: &'static [Reader], stream: &Stream, facts: &Facts<'_>) -> Vec<Candidate> {
    let hits = prefilter::hits(readers, stream);
    let invocations = facts.command.map_or(&[][..], |line| &line.invocations);
    let named = |reader: &Reader| facts.named.contains(&reader.id);
    let asked = readers.iter().zip(hits).filter(|(reader, hit)| *hit || named(reader));
    let is_covered = |reader: &Reader| readers.iter().any(|other| other.covers.contains(&reader.id));
    // Those that another reader covers come last: where that one has read everything, their readings would be dropped.
    let (covered, others): (Vec<&Reader>, Vec<&Reader>) =
        asked.map(|(reader, _)| reader).partition(|reader| is_covered(reader));
    let mut candidates: Vec<Candidate> = Vec::new();
    for reader in others.into_iter().chain(covered) {
        if !resolve::leaves_nothing_to(reader, &candidates, stream) {
            let hint = Hint { named: named(reader), invocations };
            let readings = (reader.read)(stream, hint).into_iter();
            candidates.extend(readings.map(|reading| Candidate { reader, reading }));
        }
    }
    candidates
}

fn decide(standing: Vec<Candidate>, ambiguous: bool, facts: &Facts<'_>) -> Count {
    let (outcome, mut reasons) = outcome(&standing, ambiguous, facts);
    // What a wrapper says beside a runner has no numbers of its own.
    let is_runner = |candidate: &Candidate| candidate.reader.specificity != Specificity::Wrapper;
    let has_runner = standing.iter().any(is_runner);
    let counted: Vec<&Reading> = standing
        .iter()
        .filter(|candidate| !has_runner || is_runner(candidate))
        .map(|candidate| &candidate.reading)
        .filter(|reading| !matches!(reading.said, Said::Status(_)))
        .collect();
    let tally = match outcome {
        _ if ambiguous || facts.is_partial(&standing) => Tally::UNKNOWN,
        Outcome::CouldNotRun => Tally::ZERO,
        // What was only to be listed did not run, where nothing says that even this went wrong.
        Outcome::NothingRan if counted.is_empty() && facts.lists_only && !facts.has_bad_status() => {
            Tally::ZERO
        }
        Outcome::Passed | Outcome::Failed | Outcome::NothingRan | Outcome::Unknown if counted.is_empty() => {
            Tally::UNKNOWN
        }
        Outcome::Passed | Outcome::Failed | Outcome::NothingRan | Outcome::Unknown => {
            counted.iter().fold(Tally::ZERO, |sum, reading| sum.plus(&reading.tally))
        }
    };
    if outcome == Outcome::Passed
        && tally.passed.is_some_and(|passed| passed > 0)
        && tally.file_level == tally.passed
    {
        reasons.push(Reason::OnlyFileLevel);
    }
    if outcome != Outcome::Unknown {
        reasons.extend(counted.iter().filter_map(|reading| reading.remark));
        reasons.dedup();
    }
    let mut quotes: Vec<_> =
        standing.iter().flat_map(|candidate| candidate.reading.quotes.iter().cloned()).collect();
    quotes.sort();
    quotes.dedup();
    let files = files(&counted);
    let runners = resolve::by_specificity(&standing);
    let mut cases = Cases::default();
    for Candidate { reading, .. } in standing {
        if matches!(reading.said, Said::Status(_)) {
            continue;
        }
        // Mostly there is one reading: its cases, which can be a million, are not moved.
        if cases == Cases::default() {
            cases = reading.cases;
        } else {
            cases.append(reading.cases);
        }
    }
    Count { outcome, runners, tally, files, exit: facts.context.exit, reasons, quotes, cases }
}

/// Sum of the runners' own file counts; `None` unless each of them has one.
fn files(readings: &[&Reading]) -> Option<FileTally> {
    let mut sum = FileTally { passed: 0, failed: 0, total: 0 };
    for reading in readings {
        let files = reading.files?;
        sum.passed += files.passed;
        sum.failed += files.failed;
        sum.total += files.total;
    }
    (sum.total > 0).then_some(sum)
}

/// The seven rules. The first that applies decides.
fn outcome(standing: &[Candidate], ambiguous: bool, facts: &Facts<'_>) -> (Outcome, Vec<Reason>) {
    let says = |wanted: fn(&Said) -> bool| standing.iter().any(|candidate| wanted(&candidate.reading.said));
    let passed = says(|said| matches!(said, Said::Passed));
    // 1. Something is read as failed.
    if says(|said| matches!(said, Said::Failed)) {
        return (Outcome::Failed, why_failed(standing, facts));
    }
    // 2. Stopped from outside.
    if let Some(reason) = facts.stopped(standing) {
        return (Outcome::Unknown, vec![reason]);
    }
    // 3. Could not run.
    if !passed && let Some(reason) = could_not_run(standing, facts) {
        return (Outcome::CouldNotRun, vec![reason]);
    }
    // 4. Nothing ran.
    let unfinished = says(|said| matches!(said, Said::Unfinished(_)));
    let partial = facts.is_partial(standing);
    if !passed
        && !unfinished
        && !partial
        && let Some(reason) = nothing_ran(standing, facts)
    {
        return (Outcome::NothingRan, vec![reason]);
    }
    // 5. The status is the runner's own, and not 0. Of a program that no reader knows it is not known what its status
    // means where its text may say that nothing ran.
    let is_known = facts.names_runner || passed || unfinished;
    let status = facts.has_bad_status() || wrapper_status(standing);
    if status && (is_known || !facts.may_say_nothing_ran) {
        return (Outcome::Failed, vec![Reason::ExitDisagrees]);
    }
    // 6. A known runner's own statement of a pass.
    match why_not_passed(standing, ambiguous, facts) {
        None if passed => (Outcome::Passed, Vec::new()),
        None if partial => (Outcome::Unknown, vec![Reason::OutputCut]),
        None => (Outcome::Unknown, vec![Reason::NoSummary]),
        // 7. Cannot tell.
        Some(reason) => (Outcome::Unknown, vec![reason]),
    }
}

/// A runner that fails the run as a whole (a coverage limit) while it counts no failure: the status says so alone.
fn why_failed(standing: &[Candidate], facts: &Facts<'_>) -> Vec<Reason> {
    let nothing_failed = |tally: &Tally| {
        [tally.failed, tally.errored, tally.load_errors, tally.unexpected_passes]
            .iter()
            .all(|count| *count == Some(0))
    };
    let failed = |candidate: &&Candidate| matches!(candidate.reading.said, Said::Failed);
    let as_a_whole = standing.iter().filter(failed).all(|candidate| nothing_failed(&candidate.reading.tally));
    let status = facts.has_bad_status();
    if as_a_whole && status { vec![Reason::ExitDisagrees] } else { Vec::new() }
}

fn wrapper_status(standing: &[Candidate]) -> bool {
    standing.iter().any(|candidate| matches!(candidate.reading.said, Said::Status(code) if code != 0))
}

/// `12 passed`: what a summary looks like, whoever printed it.
fn looks_like_a_result(line: &str) -> bool {
    line.split(|symbol: char| !symbol.is_alphanumeric()).collect::<Vec<_>>().windows(2).any(|pair| {
        !pair[0].is_empty()
            && pair[0].chars().all(|digit| digit.is_ascii_digit())
            && matches!(
                pair[1].to_ascii_lowercase().as_str(),
                "passed"
                    | "passing"
                    | "pass"
                    | "ok"
                    | "failed"
                    | "tests"
                    | "test"
                    | "examples"
                    | "specs"
                    | "successful"
            )
    })
}

fn could_not_run(standing: &[Candidate], facts: &Facts<'_>) -> Option<Reason> {
    let said = standing.iter().find_map(|candidate| match candidate.reading.said {
        Said::CouldNotRun(reason) => Some(reason),
        Said::Passed | Said::Failed | Said::NothingRan(_) | Said::Unfinished(_) | Said::Status(_) => None,
    });
    said.or_else(|| matches!(facts.own_status, Some(126 | 127)).then_some(Reason::CommandNotFound))
}

fn nothing_ran(standing: &[Candidate], facts: &Facts<'_>) -> Option<Reason> {
    if facts.lists_only {
        return Some(Reason::ListOnly);
    }
    let reasons: Vec<Reason> = standing
        .iter()
        .filter_map(|candidate| match candidate.reading.said {
            Said::NothingRan(reason) => Some(reason),
            Said::Passed | Said::Failed | Said::CouldNotRun(_) | Said::Unfinished(_) | Said::Status(_) => {
                None
            }
        })
        .collect();
    // Skipped tests and cached results say more than an empty suite beside them.
    for reason in [
        Reason::Cached,
        Reason::OnlySkipped,
        Reason::FilterMatchedNothing,
        Reason::NoTestFiles,
        Reason::ListOnly,
    ] {
        if reasons.contains(&reason) {
            return Some(reason);
        }
    }
    let first = reasons.first().copied();
    first.or_else(|| (facts.runs_no_test && !facts.prints_numbers).then_some(Reason::NoTestCommand))
}

fn why_not_passed(standing: &[Candidate], ambiguous: bool, facts: &Facts<'_>) -> Option<Reason> {
    if ambiguous {
        return Some(Reason::Ambiguous);
    }
    for candidate in standing {
        let reading = &candidate.reading;
        match reading.said {
            Said::Unfinished(reason) => return Some(reason),
            Said::Passed => {}
            Said::Failed | Said::NothingRan(_) | Said::CouldNotRun(_) | Said::Status(_) => continue,
        }
        let status_agrees = facts.own_status == Some(0);
        if candidate.reader.samples == Samples::Documented && !status_agrees {
            return Some(Reason::NoSummary);
        }
        if (reading.needs_every_line || facts.repeats) && facts.cut_by_pipe {
            return Some(Reason::OutputCut);
        }
        if facts.context.dropped && (reading.needs_every_line || !status_agrees) {
            return Some(Reason::OutputCut);
        }
    }
    None
}

/// Two signals of one run, its text and its machine-readable report, as one.
///
/// Either one's failure stands. Where both passed and their numbers differ, nothing can be said.
pub fn merge(text: Count, report: Count) -> Count {
    let stronger_text = matches!(text.outcome, Outcome::Failed | Outcome::CouldNotRun)
        || text.reasons.iter().any(|reason| matches!(reason, Reason::TimedOut | Reason::Killed));
    if text.outcome == Outcome::Passed && report.outcome == Outcome::Unknown && !report.reasons.is_empty() {
        return Count { outcome: Outcome::Unknown, reasons: report.reasons, cases: report.cases, ..text };
    }
    if stronger_text || report.outcome == Outcome::Unknown {
        // The report names the tests; the text keeps the verdict.
        let cases = if report.cases.is_empty() { text.cases } else { report.cases };
        let tally = if text.tally.passed.is_none() && report.outcome != Outcome::Unknown {
            report.tally
        } else {
            text.tally
        };
        return Count { cases, tally, ..text };
    }
    if text.outcome == Outcome::Unknown || report.outcome == Outcome::Failed {
        let runners = if report.runners.is_empty() { text.runners } else { report.runners };
        return Count { runners, quotes: text.quotes, exit: text.exit, ..report };
    }
    if text.outcome != report.outcome || !text.tally.agrees_with(&report.tally) {
        return Count {
            outcome: Outcome::Unknown,
            reasons: vec![Reason::Ambiguous],
            tally: Tally::UNKNOWN,
            cases: report.cases,
            ..text
        };
    }
    let tally = if text.tally.passed.is_none() { report.tally } else { text.tally };
    Count { cases: report.cases, tally, ..text }
}
