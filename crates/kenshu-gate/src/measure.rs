//! Runs one command and counts: text and machine-readable report, once more where everything came from a cache.

use kenshu_model::words::doing;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kenshu_host::environment::Environment;
use kenshu_host::process::{self, Progress, StartError};
use kenshu_host::store::Dropped;
use kenshu_host::{clock, files, find};
use kenshu_model::{Cases, Count, Exit, Note, Outcome, Quote, Reason, Tally};
use kenshu_readers::command::CommandLine;
use kenshu_readers::reporters::{self, Reporter};
use kenshu_readers::text::strip_escapes;
use kenshu_readers::{Context, Reader, Specificity, count, count_report, readers};

mod reports;
mod verbose;

/// A command and the conditions it is run under.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Folder to run in.
    pub cwd: PathBuf,
    /// Environment variables that the human set in `kenshu.toml`.
    pub env: Vec<(String, String)>,
    /// Time limit.
    pub time_limit: Duration,
    /// May the runner be asked for a machine-readable report.
    pub inject: bool,
    /// Whether the runner would wait for keys unless `CI` is set.
    pub needs_ci: bool,
    /// Runners known to be behind the command, by reader id.
    pub runners: Vec<&'static str>,
    /// Whether a caching build tool is made to run again at once.
    pub fresh: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The count.
    pub count: Count,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The output as it was kept.
    pub output: Vec<u8>,
    /// What was dropped of the output.
    pub dropped: Option<Dropped>,
    /// What should be said.
    pub notes: Vec<Note>,
    /// The signal by which we ourselves were asked to stop.
    pub interrupted: Option<i32>,
}

/// How a build tool that replays results is made to run again. Variables that no such tool reads change nothing.
const FRESH_VARIABLES: [(&str, &str, Option<&str>); 3] =
    [("GOFLAGS", "-count=1", Some(" ")), ("TURBO_FORCE", "true", None), ("NX_SKIP_NX_CACHE", "true", None)];

/// Runs the command and counts. Runs it once more where the whole answer came from a cache.
pub fn measure(plan: &Plan, environment: &Environment, progress: &mut dyn FnMut(Progress<'_>)) -> Measured {
    let first = attempt_with_fallback(plan, environment, plan.fresh, progress);
    let wholly_cached = first.count.reasons.first() == Some(&Reason::Cached);
    if plan.fresh || !wholly_cached || first.interrupted.is_some() {
        return first;
    }
    let mut second = attempt_with_fallback(plan, environment, true, progress);
    match second.count.outcome {
        // A cache that cannot be passed by, or a second run that came to no end, leaves the first answer.
        Outcome::Unknown | Outcome::CouldNotRun | Outcome::NothingRan => first,
        Outcome::Passed | Outcome::Failed => {
            second.notes.push(Note::RunAgainWithoutCache);
            second
        }
    }
}

/// An attempt with reporters; without them where a reporter itself broke the run.
fn attempt_with_fallback(
    plan: &Plan,
    environment: &Environment,
    fresh: bool,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Measured {
    let reporters = if plan.inject { fitting(plan) } else { Vec::new() };
    let first = attempt(plan, environment, &reporters, fresh, progress);
    let broken = reporters.iter().filter_map(|reporter| reporter.broken).any(|mark| {
        first.count.outcome != Outcome::Passed && String::from_utf8_lossy(&first.output).contains(mark)
    });
    if !broken {
        return first;
    }
    let mut second = attempt(plan, environment, &[], fresh, progress);
    second.notes.push(Note::ReporterBroken);
    second
}

/// The reporters of the runners that the command is known to run; behind a script that says nothing of its runner, those
/// that nobody notices.
fn fitting(plan: &Plan) -> Vec<&'static Reporter> {
    let line = CommandLine::from_argv(&plan.argv);
    let direct = line.invocations.iter().filter_map(|invocation| {
        let reader = readers::of_invocation(invocation)?;
        reporters::of(reader.id).filter(|reporter| (reporter.fits)(invocation))
    });
    let behind = plan.runners.iter().filter(|_| {
        line.invocations.iter().all(|invocation| {
            readers::of_invocation(invocation).is_none_or(|reader| reporters::of(reader.id).is_none())
        })
    });
    let is_wrapper = |reader: &Reader| reader.specificity == Specificity::Wrapper;
    let says_nothing = line.invocations.iter().filter_map(readers::of_invocation).all(is_wrapper)
        && plan.runners.iter().filter_map(|id| readers::by_id(id)).all(is_wrapper);
    let silent = reporters::REPORTERS
        .iter()
        .filter(|reporter| says_nothing && reporter.silent && line.invocations.iter().all(reporter.fits));
    let mut fitting: Vec<&'static Reporter> =
        direct.chain(behind.filter_map(|id| reporters::of(id))).chain(silent).collect();
    fitting.dedup_by_key(|reporter| reporter.reader);
    fitting
}

fn attempt(
    plan: &Plan,
    environment: &Environment,
    reporters: &[&'static Reporter],
    fresh: bool,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Measured {
    let mut notes = Vec::new();
    let folder =
        (!reporters.is_empty()).then(kenshu_host::temp::TempFolder::new).and_then(|folder| match folder {
            Ok(folder) => Some(folder),
            Err(error) => {
                notes.push(Note::NoReporter(error.message()));
                None
            }
        });
    let reporters = if folder.is_some() { reporters } else { &[] };
    let mut variables = plan.env.clone();
    if plan.needs_ci && environment.get("CI").is_none() {
        set(&mut variables, environment, "CI", "true", None);
        notes.push(Note::SetCi);
    }
    if let Some(folder) = &folder {
        prepare(reporters, folder.path(), environment, &mut variables, &mut notes);
    }
    let mut argv = plan.argv.clone();
    if fresh {
        for (name, value, join) in FRESH_VARIABLES {
            set(&mut variables, environment, name, value, join);
        }
        argv = fresh_argv(argv);
    }
    let started = find::Mark::now();
    let stopwatch = clock::Stopwatch::start();
    let invocation = process::Invocation {
        argv: argv.iter().map(OsString::from).collect(),
        cwd: plan.cwd.clone(),
        env_set: variables.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        time_limit: Some(plan.time_limit),
        grace: Duration::from_secs(5),
    };
    let output = match process::run(&invocation, progress) {
        Ok(output) => output,
        Err(error) => return not_started(&error, notes),
    };
    let context = Context {
        argv: Some(&plan.argv),
        exit: Some(output.exit),
        dropped: output.dropped.is_some(),
        runner: plan.runners.first().copied(),
        ..Context::default()
    };
    let folder = folder.as_ref().map(kenshu_host::temp::TempFolder::path);
    let mut counted = count(&output.bytes, &context);
    for reporter in reporters.iter().filter(|reporter| !reporter.leaves.is_empty()) {
        counted = with_leaves(counted, reporter, plan, started);
    }
    let told = reports::told(reporters, plan, &counted);
    counted = reports::laid_beside(counted, &told, folder, started, &mut notes);
    if output.dropped.is_none() {
        counted = verbose::judged(counted, plan, &output.bytes);
    }
    if output.leftover {
        notes.push(Note::EndedProcesses);
    }
    Measured {
        count: counted,
        seconds: stopwatch.elapsed().as_secs_f64(),
        output: output.bytes,
        dropped: output.dropped,
        notes,
        interrupted: output.interrupted,
    }
}

fn not_started(error: &StartError, mut notes: Vec<Note>) -> Measured {
    notes.push(Note::NotStarted(error.message()));
    let reason = if error.code().is_some() { Reason::CommandNotFound } else { Reason::Environment };
    Measured {
        count: Count {
            outcome: Outcome::CouldNotRun,
            runners: Vec::new(),
            tally: Tally::ZERO,
            files: None,
            exit: error.code().map(Exit::Code),
            reasons: vec![reason],
            quotes: vec![Quote::new(1, &error.to_string())],
            cases: Cases::default(),
        },
        seconds: 0.0,
        output: Vec::new(),
        dropped: None,
        notes,
        interrupted: None,
    }
}

/// Writes the reporters' files and sets their variables.
fn prepare(
    reporters: &[&'static Reporter],
    folder: &Path,
    environment: &Environment,
    variables: &mut Vec<(String, String)>,
    notes: &mut Vec<Note>,
) {
    for reporter in reporters {
        let is_taken =
            |name: &str| variables.iter().any(|(known, _)| known == name) || environment.get(name).is_some();
        if reporter.environment.iter().any(|variable| variable.join.is_none() && is_taken(variable.name)) {
            continue;
        }
        if let Err(error) = reports::lay_out(reporter, folder) {
            notes.push(Note::NoReporter(error.message()));
            return;
        }
        for variable in reporter.environment {
            let value = variable.value.replace("{folder}", &folder.to_string_lossy());
            set(variables, environment, variable.name, &value, variable.join);
        }
    }
}

/// Sets a variable, joined with what the human or the environment had set where it can be joined.
fn set(
    variables: &mut Vec<(String, String)>,
    environment: &Environment,
    name: &str,
    value: &str,
    join: Option<&str>,
) {
    let before = variables
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.clone())
        .or_else(|| environment.text(name).map(str::to_owned));
    let value = match (before, join) {
        (Some(before), Some(join)) if !before.is_empty() => format!("{before}{join}{value}"),
        _ => value.to_owned(),
    };
    variables.retain(|(known, _)| known != name);
    variables.push((name.to_owned(), value));
}

/// The arguments that make a build tool run again, where no variable does.
fn fresh_argv(mut argv: Vec<String>) -> Vec<String> {
    let program = argv.first().map_or("", |program| program.rsplit('/').next().unwrap_or(program)).to_owned();
    let behind = |word: &str| argv.iter().position(|other| other == word).map(|at| at + 1);
    let (at, option) = match program.as_str() {
        "gradle" | "gradlew" => (Some(argv.len()), "--rerun-tasks"),
        "bazel" | "bazelisk" => (behind("test"), "--nocache_test_results"),
        "task" | "go-task" => (Some(1), "--force"),
        "mise" => (behind("run").or_else(|| behind("r")), "--force"),
        _ => (None, ""),
    };
    if let Some(at) = at {
        argv.insert(at, option.to_owned());
    }
    argv
}

/// Numbers that the text does not print, from report files that this run wrote.
fn with_leaves(text: Count, reporter: &Reporter, plan: &Plan, started: find::Mark) -> Count {
    let incomplete = text.tally.passed.is_none() || text.cases.is_empty();
    if !incomplete || !matches!(text.outcome, Outcome::Passed | Outcome::Failed) {
        return text;
    }
    let mut sum: Option<(Tally, Cases)> = None;
    for path in find::written_since(&plan.cwd, reporter.leaves, started) {
        let Ok(stored) = files::read(&path, &doing::READ_REPORT) else { return text };
        let report =
            count_report(&stored.bytes, &Context { dropped: stored.dropped.is_some(), ..Context::default() });
        if report.outcome == Outcome::Unknown {
            return text;
        }
        let (tally, mut cases) = sum.unwrap_or((Tally::ZERO, Cases::default()));
        cases.append(report.cases);
        sum = Some((tally.plus(&report.tally), cases));
    }
    match sum {
        Some((tally, cases)) if text.tally.agrees_with(&tally) => {
            let tally = if text.tally.passed.is_none() { tally } else { text.tally };
            Count { tally, cases, ..text }
        }
        Some(_) | None => text,
    }
}

/// The last lines of an output that are not blank: what a command said before it ended with a status of its own.
pub fn last_lines(output: &[u8]) -> Vec<Quote> {
    let text = String::from_utf8_lossy(output);
    let text = strip_escapes(&text);
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    lines
        .iter()
        .skip(lines.len().saturating_sub(3))
        .map(|(index, line)| Quote::new(u32::try_from(index + 1).unwrap_or(u32::MAX), line))
        .collect()
}

/// Several suites, run one after another, as one answer: sums, and the outcome of the worst.
///
/// A suite without tests beside one with tests does not fail the whole; the caller says it.
pub fn combine(mut counts: Vec<Count>) -> Option<Count> {
    if counts.len() <= 1 {
        return counts.pop();
    }
    // A failure that is read comes before one that only the status tells, as in a verdict.
    let rank = |count: &Count| match (count.outcome, count.reasons.first()) {
        (Outcome::Failed, Some(Reason::ExitDisagrees)) => 3,
        (Outcome::Failed, _) => 0,
        (Outcome::CouldNotRun, _) => 1,
        (Outcome::Unknown, Some(Reason::TimedOut | Reason::Killed)) => 2,
        (Outcome::Unknown, _) => 4,
        (Outcome::Passed, _) => 5,
        (Outcome::NothingRan, _) => 6,
    };
    let worst = counts.iter().min_by_key(|count| rank(count))?.clone();
    let mut sum = Count {
        tally: Tally::ZERO,
        quotes: Vec::new(),
        cases: Cases::default(),
        runners: Vec::new(),
        ..worst
    };
    for count in counts {
        sum.tally = sum.tally.plus(&count.tally);
        sum.quotes.extend(count.quotes);
        sum.cases.append(count.cases);
        for runner in count.runners {
            if !sum.runners.contains(&runner) {
                sum.runners.push(runner);
            }
        }
    }
    sum.files = None;
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_joined_with_what_was_set() {
        let mut variables = vec![("GOFLAGS".to_owned(), "-mod=mod".to_owned())];
        set(&mut variables, &Environment::default(), "GOFLAGS", "-v", Some(" "));
        set(&mut variables, &Environment::default(), "CI", "true", None);
        let expected = [("GOFLAGS", "-mod=mod -v"), ("CI", "true")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(variables, expected);
    }

    #[test]
    fn build_tools_are_told_to_run_again() {
        let argv = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(fresh_argv(argv("./gradlew test")), argv("./gradlew test --rerun-tasks"));
        assert_eq!(fresh_argv(argv("bazel test //...")), argv("bazel test --nocache_test_results //..."));
        assert_eq!(fresh_argv(argv("task test")), argv("task --force test"));
        assert_eq!(fresh_argv(argv("mise run test")), argv("mise run --force test"));
        assert_eq!(fresh_argv(argv("npm test")), argv("npm test"));
    }

    #[test]
    fn the_worst_suite_decides_and_numbers_are_summed() {
        let of = |outcome, tally| Count {
            outcome,
            runners: vec!["pytest"],
            tally,
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: Vec::new(),
            cases: Cases::default(),
        };
        let passed = of(Outcome::Passed, Tally::of(3, 0, 0));
        let failed = of(Outcome::Failed, Tally::of(1, 1, 0));
        let nothing = of(Outcome::NothingRan, Tally::ZERO);
        let by_status =
            Count { reasons: vec![Reason::ExitDisagrees], ..of(Outcome::Failed, Tally::of(2, 0, 0)) };
        assert_eq!(combine(vec![by_status, failed.clone()]).unwrap().reasons, []);
        let sum = combine(vec![passed.clone(), failed]).unwrap();
        assert_eq!((sum.outcome, sum.tally), (Outcome::Failed, Tally::of(4, 1, 0)));
        assert_eq!(combine(vec![passed, nothing.clone()]).unwrap().outcome, Outcome::Passed);
        assert_eq!(combine(vec![nothing.clone(), nothing]).unwrap().outcome, Outcome::NothingRan);
        assert_eq!(combine(Vec::new()), None);
    }
}
