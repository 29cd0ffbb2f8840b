//! `make`: task runners that report the status of a recipe: make, just, task, mise.

use std::sync::LazyLock;

use kenshu_model::Reason;
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = "make";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "make, just, task, mise",
    versions: "GNU Make 4.3, just 1, Task 3.54.0, mise 2026.9.15",
    formats: "text",
    zero: "\"Nothing to be done for 'test'\", status 0",
    samples: Samples::Recorded,
    specificity: Specificity::Wrapper,
    needles: &[
        ": *** ",
        "Nothing to be done for ",
        " is up to date.",
        "error: Recipe `",
        "does not contain recipe",
        "error: No justfile found",
        "task: ",
        "mise ERROR ",
        "] ERROR task failed",
        "] sources up-to-date, skipping",
    ],
    commands: &[&["make"], &["gmake"], &["just"], &["task"], &["go-task"], &["mise", "run"], &["mise", "r"]],
    list_options: &["-n", "--dry-run", "--just-print", "--recon", "--list", "--summary"],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    // "Nothing to be done" for one folder or step says nothing where anything else was printed.
    let idle = hint.named && stream.lines().all(|line| line.text.is_empty() || is_idle(line.text));
    let named = hint.named;
    stream
        .lines()
        .filter(|line| idle || !is_idle(line.text))
        .filter_map(|line| Some(Reading::without_counts(ID, said(line.text, named)?, line.quote())))
        .collect()
}

/// A target that needed no step, and the folders that make names on the way.
fn is_idle(text: &str) -> bool {
    text.starts_with("make")
        && (text.contains(": Nothing to be done for ")
            || text.ends_with(" is up to date.")
            || text.contains("ing directory "))
}

fn said(text: &str, named: bool) -> Option<Said> {
    static MAKE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:\S*[/\\])?g?(?:mingw32-)?make(?:\[\d+\])?: (?P<rest>.*)$").expect("valid pattern")
    });
    if let Some(found) = MAKE.captures(text) {
        return of_make(found.name("rest")?.as_str(), named);
    }
    if !named {
        return None;
    }
    of_just(text).or_else(|| of_task(text)).or_else(|| of_mise(text))
}

/// GNU Make's own lines. `Error 1 (ignored)` is the status of a step that does not matter to the recipe.
fn of_make(rest: &str, named: bool) -> Option<Said> {
    static ERROR: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\*\*\* \[.*\] Error (\d+)$").expect("valid pattern"));
    static SIGNAL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\*\*\* \[.*\] (?:Interrupt|Terminated|Killed)$").expect("valid pattern")
    });
    static NO_RULE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\*\*\* No rule to make target ['`‘].*['’]\.  Stop\.$").expect("valid pattern")
    });
    if let Some(found) = ERROR.captures(rest) {
        let code = found[1].parse().ok()?;
        return Some(Said::Status(code));
    }
    if SIGNAL.is_match(rest) {
        return Some(Said::Unfinished(Reason::Killed));
    }
    if NO_RULE.is_match(rest) || rest == "*** No targets specified and no makefile found.  Stop." {
        return Some(Said::CouldNotRun(Reason::NoSuchScript));
    }
    if rest.starts_with("*** ") && rest.ends_with("  Stop.") {
        // A missing separator, a prerequisite without a rule: make gave up with its status 2.
        return Some(Said::Status(2));
    }
    let idle = rest.starts_with("Nothing to be done for ") || rest.ends_with(" is up to date.");
    (named && idle).then_some(Said::NothingRan(Reason::NoTestCommand))
}

fn of_just(text: &str) -> Option<Said> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^error: Recipe `[^`]+` (?:failed on line \d+ with|failed with) exit code (\d+)$")
            .expect("valid pattern")
    });
    if let Some(found) = FAILED.captures(text) {
        return Some(Said::Status(found[1].parse().ok()?));
    }
    let unknown = text.starts_with("error: Justfile does not contain recipe")
        || text.starts_with("error: justfile does not contain recipe")
        || text.starts_with("error: No justfile found");
    unknown.then_some(Said::CouldNotRun(Reason::NoSuchScript))
}

fn of_task(text: &str) -> Option<Said> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^task: Failed to run task "[^"]+": (?:task: .*)?exit status (\d+)$"#)
            .expect("valid pattern")
    });
    static UNKNOWN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^task: (?:Task "[^"]+" (?:does not exist|not found)|No Taskfile found)"#)
            .expect("valid pattern")
    });
    if let Some(found) = FAILED.captures(text) {
        return Some(Said::Status(found[1].parse().ok()?));
    }
    if UNKNOWN.is_match(text) {
        return Some(Said::CouldNotRun(Reason::NoSuchScript));
    }
    static IDLE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"^task: Task "[^"]+" is up to date$"#).expect("valid pattern"));
    IDLE.is_match(text).then_some(Said::NothingRan(Reason::Cached))
}

fn of_mise(text: &str) -> Option<Said> {
    // A task's own lines have its name before them, which a stream of its own does not.
    match text.rsplit_once("] ").map_or(text, |(_, said)| said) {
        "sources up-to-date, skipping" => return Some(Said::NothingRan(Reason::Cached)),
        "ERROR task failed" => return Some(Said::Status(1)),
        _ => {}
    }
    let rest = text.strip_prefix("mise ERROR ")?;
    let unknown = rest.starts_with("no task ") && rest.ends_with(" found");
    unknown.then_some(Said::CouldNotRun(Reason::NoSuchScript))
}
