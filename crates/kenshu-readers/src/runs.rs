//! Several closing statements in one output: runs after each other, or one that a test printed.
//!
//! For runners that print no line per test. Where the command starts one program once, its output is one run, and what
//! closes it is the last statement; a test's own output comes before it. Else every statement closes a run.

use crate::command::Invocation;
use crate::reader::{Hint, Specificity};
use crate::readers;
use crate::reading::Reading;

/// The statements that count, of those that stand in one stream.
pub fn closing(mut readings: Vec<Reading>, hint: Hint<'_>) -> Vec<Reading> {
    if readings.len() > 1 && is_one_run(hint) {
        let first = readings.iter().map(|reading| reading.lines.0).min().unwrap_or_default();
        let last = readings.split_off(readings.len() - 1);
        return last
            .into_iter()
            .map(|reading| {
                let end = reading.lines.1;
                reading.spanning(first, end)
            })
            .collect();
    }
    readings
}

/// Whether the command starts one program once, and no program that may start others.
pub fn is_one_run(hint: Hint<'_>) -> bool {
    let mut programs = hint.invocations.iter().filter(|invocation| !is_no_run(invocation));
    let (Some(only), None) = (programs.next(), programs.next()) else { return false };
    !starts_others(only) && !only.has_option(&["--repeat", "--rerun", "--times"])
}

/// Whether lines that would follow are taken away: the last statement that is left need not be the last one.
pub fn loses_its_end(hint: Hint<'_>) -> bool {
    hint.invocations.iter().any(|invocation| matches!(invocation.program.as_str(), "head" | "sed"))
}

/// Whether this runs a script in each of several packages, whose outputs follow each other.
pub fn is_in_many_packages(invocation: &Invocation) -> bool {
    let has = |options: &[&str]| invocation.has_option(options);
    match invocation.program.as_str() {
        "npm" => has(&["-ws", "--workspaces", "-w", "--workspace"]),
        "pnpm" => has(&["-r", "--recursive", "recursive", "--filter", "-F", "multi"]),
        "yarn" => has(&["workspaces"]),
        "nx" => has(&["run-many", "affected"]),
        program => matches!(program, "lerna" | "turbo" | "rush" | "wsrun" | "ultra"),
    }
}

/// Whether the command takes any lines away.
pub fn is_cut(hint: Hint<'_>) -> bool {
    hint.invocations.iter().any(readers::takes_lines_away)
}

fn is_no_run(invocation: &Invocation) -> bool {
    const BESIDE: &[&str] = &["tee", "sort", "sed", "tr", "cmake", "ninja", "mkdir", "rm", "cp", "export"];
    readers::runs_no_test(invocation)
        || readers::takes_lines_away(invocation)
        || BESIDE.contains(&invocation.program.as_str())
        || (invocation.program == "meson" && !invocation.matches(&["meson", "test"]))
}

fn starts_others(invocation: &Invocation) -> bool {
    const SHELLS: &[&str] = &[
        "sh", "bash", "zsh", "dash", "ksh", "fish", "xargs", "parallel", "find", "watch", "docker", "podman",
        "ssh", "bazel", "buck", "buck2", "nix", "tup", "scons", "waf", "xmake", "gradle", "gradlew", "mvn",
        "rake", "tox", "nox", "act", "earthly", "cmake",
    ];
    let is_script = [".sh", ".bash", ".py", ".pl", ".rb"].iter().any(|end| invocation.program.ends_with(end));
    let wraps = readers::of_invocation(invocation).is_some_and(|reader| {
        reader.specificity == Specificity::Wrapper || matches!(reader.id, "ctest" | "cargo-test")
    });
    is_script || wraps || SHELLS.contains(&invocation.program.as_str())
}

#[cfg(test)]
mod tests {
    use kenshu_model::{Outcome, Quote, Tally};

    use super::*;
    use crate::command::CommandLine;
    use crate::{Context, count};

    #[track_caller]
    fn check(command: &str, expected: &[u32]) {
        let line = CommandLine::parse(command);
        let hint = Hint { named: false, invocations: &line.invocations };
        let reading = |number| Reading::from_tally("x", Tally::of(1, 0, 0), Quote::new(number, "x"));
        let lines: Vec<u32> = closing(vec![reading(1), reading(9)], hint)
            .iter()
            .map(|reading| reading.quotes[0].line)
            .collect();
        assert_eq!(lines, expected, "{command}");
    }

    #[test]
    fn one_program_that_runs_once_has_one_closing_statement() {
        check("./t -s 2>&1 | tail -20", &[9]);
        check("make t && ./t", &[1, 9]);
        check("cmake --build build && ./build/t", &[9]);
    }

    #[test]
    fn a_cut_output_of_many_runs_is_no_whole() {
        let text = "PASS a.test.js\nTest Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\n\
            Snapshots:   0 total\nTime:        1 s\nRan all test suites.\n";
        let numbers = |command: &str| {
            let context = Context { command: Some(command), ..Context::default() };
            let count = count(text.as_bytes(), &context);
            (count.outcome, count.tally.passed)
        };
        assert_eq!(numbers("npm test | tail -6"), (Outcome::Passed, Some(3)));
        assert_eq!(numbers("npm test -ws | tail -6"), (Outcome::Unknown, None));
        assert_eq!(numbers("npm test -ws | tail -7"), (Outcome::Passed, Some(3)));
        assert_eq!(numbers("for i in a b; do npx jest $i; done | tail -6"), (Outcome::Unknown, None));
    }

    #[test]
    fn programs_after_each_other_have_one_each() {
        check("./a; ./b", &[1, 9]);
        check("make check", &[1, 9]);
        check("./scripts/test.sh", &[1, 9]);
        check("", &[1, 9]);
    }
}
