//! What Gradle says below `* What went wrong:`.

use kenshu_model::{Quote, Reason};

use crate::text::Line;

/// Why the build, or a task of it, failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// Tests of a test task failed.
    Tests,
    /// A test task found no test.
    Nothing(Reason),
    /// Called wrongly, or something is missing.
    CouldNotRun(Reason),
    /// Anything else: a step of the build failed.
    Step,
    /// Stopped from outside.
    Cancelled,
}

/// One failure with the lines that tell of it.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) cause: Cause,
    pub(super) task: Option<String>,
    /// Whether a line with the reason follows.
    pub(super) is_explained: bool,
    pub(super) quote: Quote,
}

/// Reads the failures of one build, line by line.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub(super) all: Vec<Failure>,
    /// The next line says what went wrong.
    awaits: bool,
    /// Lines with `> ` still say why.
    explains: bool,
}

impl Failures {
    /// Whether the line was one of these.
    pub(super) fn take(&mut self, line: Line<'_>) -> bool {
        let text = line.text;
        if text == "* What went wrong:" {
            self.awaits = true;
            self.explains = false;
            return true;
        }
        if let Some(rest) = text.strip_prefix("Execution failed for task '") {
            let task = rest.split('\'').next().unwrap_or(rest).to_owned();
            self.push(Cause::Step, Some(task), line);
            return true;
        }
        if std::mem::take(&mut self.awaits) {
            self.push(of_build(text), None, line);
            return true;
        }
        if self.explains {
            if text.is_empty() || text.starts_with("* ") {
                self.explains = false;
                return false;
            }
            self.explain(text, line);
            return true;
        }
        false
    }

    fn push(&mut self, cause: Cause, task: Option<String>, line: Line<'_>) {
        self.awaits = false;
        self.explains = true;
        self.all.push(Failure { cause, task, is_explained: false, quote: line.quote() });
    }

    fn explain(&mut self, text: &str, line: Line<'_>) {
        let Some(failure) = self.all.last_mut() else { return };
        failure.is_explained = true;
        if failure.cause != Cause::Step {
            return;
        }
        let reason = text.trim_start_matches(['>', ' ', '\t']);
        let cause = if failure.task.is_some() { of_task(reason) } else { of_step(reason) };
        if cause != Cause::Step {
            *failure = Failure { cause, quote: line.quote(), ..failure.clone() };
        }
    }
}

fn of_task(reason: &str) -> Cause {
    if reason.starts_with("There were failing tests") {
        return Cause::Tests;
    }
    if reason.starts_with("No tests found for given includes") {
        return Cause::Nothing(Reason::FilterMatchedNothing);
    }
    if reason.contains("did not discover any tests to execute") {
        return Cause::Nothing(Reason::ZeroTests);
    }
    of_step(reason)
}

fn of_step(reason: &str) -> Cause {
    // `Could not find demo:absent:9.` names a module; `Could not find method …` is an error of the script.
    let names_module = |rest: &str| rest.split(' ').next().is_some_and(|word| word.matches(':').count() >= 2);
    let unresolved = reason.starts_with("Could not resolve ")
        || reason.starts_with("No cached version of ")
        || reason.strip_prefix("Could not find ").is_some_and(names_module);
    if unresolved { Cause::CouldNotRun(Reason::Environment) } else { Cause::Step }
}

/// The first line below `* What went wrong:` where it is about the build, not a task.
fn of_build(text: &str) -> Cause {
    if text.contains(" not found in ") && (text.starts_with("Task '") || text.starts_with("Project '"))
        || text.starts_with("Cannot locate tasks that match ")
    {
        return Cause::CouldNotRun(Reason::NoSuchScript);
    }
    if text.starts_with("Unknown command-line option") || text.starts_with("Problem configuring task ") {
        return Cause::CouldNotRun(Reason::UsageError);
    }
    let missing = ["Could not determine java version", "Unsupported class file major version"];
    if text.ends_with("does not contain a Gradle build.")
        || missing.iter().any(|start| text.starts_with(start))
    {
        return Cause::CouldNotRun(Reason::Environment);
    }
    if text == "Build cancelled." {
        return Cause::Cancelled;
    }
    of_step(text)
}
