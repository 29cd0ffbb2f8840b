//! `shell`: what shells say of a command that is not there.
//!
//! Such a line is about the test command only if it names a program of the command line, or if nothing but the
//! wrappers' own lines follows it: a missing tool in a script that went on says nothing.

use std::sync::LazyLock;

use kenshu_model::Reason;
use regex::Regex;

use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::{Reading, Said};
use crate::text::Stream;

const ID: &str = "shell";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "shells",
    versions: "bash 5.2, dash 0.5, zsh 5.9, BusyBox 1.35, fish 3.6",
    formats: "text",
    zero: "a command that is not there: status 127; one that is not executable: 126",
    samples: Samples::Recorded,
    specificity: Specificity::Wrapper,
    needles: &[
        "not found",
        "No such file or directory",
        "Permission denied",
        "Unknown command",
        "is not recognized as an internal or external command",
        "no such file or directory",
    ],
    commands: &[],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

/// The shells' exact forms. The group `name` is the command.
const FORMS: &[&str] = &[
    // bash and its `sh`; `line 1` where it runs a string or a script.
    r"^(?:\S*/)?(?:bash|sh|-bash)(?:: line \d+)?: (?P<name>[^:]+): (?:command not found|No such file or directory|Permission denied)$",
    // A script that bash or dash runs.
    r"^\S+\.(?:sh|bash): (?:line )?\d+: (?P<name>[^:]+): (?:command not found|not found|Permission denied|No such file or directory)$",
    // dash; BusyBox has no number.
    r"^(?:\S*/)?(?:sh|dash|ash): (?:\d+: )?(?P<name>[^:]+): (?:not found|Permission denied)$",
    r"^(?:\S*/)?(?:sh|dash): \d+: cannot open (?P<name>[^:]+): No such file$",
    r"^(?:\S*/)?zsh:(?:\d+:)? (?:command not found|no such file or directory|permission denied): (?P<name>.+)$",
    r"^fish: Unknown command: (?P<name>\S+)",
    r"^(?:env|/usr/bin/env): ['‘](?P<name>[^'’]+)['’]: (?:No such file or directory|Permission denied)$",
    r"^timeout: failed to run command ['‘](?P<name>[^'’]+)['’]: (?:No such file or directory|Permission denied)$",
    r"^make(?:\[\d+\])?: (?P<name>[^:\s]+): (?:No such file or directory|Command not found|Permission denied)$",
    r"^'(?P<name>[^']+)' is not recognized as an internal or external command,$",
];

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| FORMS.iter().map(|form| Regex::new(form).expect("pattern of FORMS")).collect());

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let mut readings = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.text.len() > 400 || !line.text.contains(": ") && !line.text.starts_with('\'') {
            continue;
        }
        let Some(name) = missing(line.text) else { continue };
        // fish repeats the command and underlines it.
        let is_fishs = |text: &str| {
            line.text.starts_with("fish: ")
                && (text.starts_with("fish: ")
                    || text.contains(name)
                    || text.trim_matches(['^', '~']).is_empty())
        };
        let is_last = || lines[at + 1..].iter().all(|line| is_wrappers(line.text) || is_fishs(line.text));
        if is_commands(name, hint) || is_last() {
            let said = Said::CouldNotRun(Reason::CommandNotFound);
            readings.push(Reading::without_counts(ID, said, line.quote()));
        }
    }
    readings
}

/// The command that a line says is not there.
fn missing(text: &str) -> Option<&str> {
    PATTERNS.iter().find_map(|pattern| Some(pattern.captures(text)?.name("name")?.as_str().trim()))
}

/// Whether the name is a program that the command line starts.
fn is_commands(name: &str, hint: Hint<'_>) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    hint.invocations.iter().any(|invocation| invocation.program == file)
}

/// Lines that a package manager or task runner adds when its script could not be run.
fn is_wrappers(text: &str) -> bool {
    const BEGINNINGS: [&str; 16] = [
        "npm ERR!",
        "npm error",
        "npm warn",
        "npm WARN",
        "ELIFECYCLE ",
        "[ELIFECYCLE]",
        "WARN ",
        "error Command failed with exit code ",
        "info Visit ",
        "error: script ",
        "error: Recipe ",
        "make: ",
        "make[",
        "task: ",
        "mise ERROR",
        "operable program or batch file.",
    ];
    // pnpm sets its words between thin spaces.
    let text = &*text.trim_start().replace('\u{2009}', " ");
    text.is_empty() || BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}
