//! `npm`: package managers that run a script: npm, pnpm, Yarn, Bun. They echo the script and report its status.

use std::sync::LazyLock;

use kenshu_model::Reason;
use regex::Regex;

use crate::command::{CommandLine, Invocation};
use crate::marks::Marks;
use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::readers::runs_no_test;
use crate::reading::{Reading, Said};
use crate::text::{Line, Stream};

const ID: &str = "npm";

pub(super) const READER: Reader = Reader {
    id: ID,
    name: "npm, pnpm, Yarn, bun run",
    versions: "npm 6, 9, 11; pnpm 10, 11; Yarn 1.22; Bun 1.4",
    formats: "text",
    zero: "a script that runs no test, such as \"echo no tests yet\": status 0; npm's placeholder: status 1",
    samples: Samples::Recorded,
    specificity: Specificity::Wrapper,
    needles: &[
        "\n> ",
        "yarn run v",
        "issing script",
        "ERR_PNPM_NO_SCRIPT",
        "ELIFECYCLE",
        "error Command ",
        "exited with code ",
        "Error: no test specified",
        "Couldn't find a script named",
        "Test failed.  See above",
        "Script not found",
        "package.json script ",
        "package.json: Error: ENOENT",
        "ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND",
        "Couldn't find a package.json file",
        "npx canceled due to missing packages",
        "npm ERR! canceled",
        "could not determine executable to run",
        " code E404",
    ],
    commands: &[
        &["npm", "test"],
        &["npm", "t"],
        &["npm", "run"],
        &["npm", "run-script"],
        &["pnpm", "test"],
        &["pnpm", "t"],
        &["pnpm", "run"],
        &["yarn", "test"],
        &["yarn", "run"],
        &["bun", "run"],
    ],
    list_options: &[],
    covers: &[],
    marks: Marks::NONE,
    read,
};

fn read(stream: &Stream, hint: Hint<'_>) -> Vec<Reading> {
    let lines = stream.all_lines();
    let mut readings: Vec<Reading> = lines
        .iter()
        .filter_map(|line| Some(Reading::without_counts(ID, said(line.text)?, line.quote())))
        .collect();
    readings.extend(no_test(&lines, hint));
    readings
}

/// What a package manager says of the script it ran, or could not find.
fn said(text: &str) -> Option<Said> {
    static MISSING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r#"^(?:npm (?:ERR!|error) [Mm]issing script: |(?: ERR_PNPM_NO_SCRIPT |\[ERR_PNPM_NO_SCRIPT\]) *Missing script: "#,
            r#"|error Command "[^"]+" not found\.|Usage Error: Couldn't find a script named "#,
            r#"|error: Script not found "|note: a package\.json script "[^"]+" was not found$)"#,
        ))
        .expect("valid pattern")
    });
    static STATUS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r#"^(?:error Command failed with exit code (\d+)\.$|error: script "[^"]+" exited with code (\d+)$"#,
            r#"|(?: ELIFECYCLE |\[ELIFECYCLE\]) *Command failed with exit code (\d+)\."#,
            r#"|npm (?:ERR!|error) errno (\d+)$)"#,
        ))
        .expect("valid pattern")
    });
    if !text.starts_with(['n', ' ', '\u{2009}', '[', 'e', 'E', 'U']) {
        return None;
    }
    // pnpm sets its words between thin spaces.
    let text = &*text.replace('\u{2009}', " ");
    if text == "Error: ERR_PNPM_NO_SCRIPT" {
        return Some(Said::CouldNotRun(Reason::NoSuchScript));
    }
    let no_package =
        ["npm ERR! enoent ", "npm error enoent "].iter().any(|beginning| text.starts_with(beginning))
            && text.contains("package.json");
    // npx asks before it installs, and gives up where nobody can answer.
    if text.starts_with("npm error npx canceled due to missing packages")
        || text.starts_with("npm ERR! canceled")
        || text == "npm error could not determine executable to run"
        || text == "npm ERR! could not determine executable to run"
    {
        return Some(Said::CouldNotRun(Reason::CommandNotFound));
    }
    if no_package
        || matches!(text, "npm error code E404" | "npm ERR! code E404")
        || text.contains("ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND")
        || text.starts_with("error Couldn't find a package.json file in ")
    {
        return Some(Said::CouldNotRun(Reason::Environment));
    }
    if MISSING.is_match(text) {
        return Some(Said::CouldNotRun(Reason::NoSuchScript));
    }
    const TEST_FAILED: [&str; 3] =
        [" ELIFECYCLE  Test failed.", "[ELIFECYCLE] Test failed.", "npm ERR! Test failed.  See above"];
    if TEST_FAILED.iter().any(|beginning| text.starts_with(beginning)) {
        return Some(Said::Status(1));
    }
    let found = STATUS.captures(text)?;
    match found.iter().skip(1).flatten().next()?.as_str().parse().ok()? {
        0 => None,
        // 128 and a signal's number: SIGINT, SIGKILL, SIGTERM.
        130 | 137 | 143 => Some(Said::Unfinished(Reason::Killed)),
        code => Some(Said::Status(code)),
    }
}

/// The scripts that were echoed, if all of them are known to run no test.
fn no_test(lines: &[Line<'_>], hint: Hint<'_>) -> Option<Reading> {
    let scripts = scripts(lines, hint);
    let mut saying: Option<&Line<'_>> = None;
    for (line, script) in &scripts {
        let invocations = CommandLine::parse(script).invocations;
        if invocations.is_empty() {
            return None;
        }
        if invocations.iter().all(runs_another_script) {
            continue;
        }
        if !invocations.iter().all(|invocation| runs_no_test(invocation) || runs_another_script(invocation)) {
            return None;
        }
        saying = Some(line);
    }
    // The placeholder of `npm init`, where the echo is cut away.
    let placeholder = lines.iter().find(|line| line.text == "Error: no test specified");
    let line = saying.or_else(|| placeholder.filter(|_| hint.named && scripts.is_empty()))?;
    Some(Reading::without_counts(ID, Said::NothingRan(Reason::NoTestCommand), line.quote()))
}

/// Whether the script only runs another script, which is echoed in its turn.
fn runs_another_script(invocation: &Invocation) -> bool {
    matches!(invocation.program.as_str(), "npm" | "pnpm" | "yarn" | "bun")
        && invocation
            .arguments
            .first()
            .is_some_and(|word| matches!(word.as_str(), "run" | "run-script" | "test" | "t"))
}

/// The commands that were echoed: `> demo@1.0.0 test` and `> command` below it, or `$ command`.
fn scripts<'a>(lines: &'a [Line<'a>], hint: Hint<'_>) -> Vec<(&'a Line<'a>, &'a str)> {
    static TITLE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^> (?:(?:@[\w.-]+/)?[\w.-]+@\S+ )?[\w:./-]+(?: (?:/|[A-Za-z]:|\w+/).*)?$")
            .expect("valid pattern")
    });
    let mut found = Vec::new();
    let mut yarn = hint.named;
    for (at, line) in lines.iter().enumerate() {
        yarn |= line.text.starts_with("yarn run v");
        if let Some(script) = line.text.strip_prefix("$ ").filter(|_| yarn) {
            found.push((line, script));
        }
        let above = at.checked_sub(1).map_or("", |above| lines[above].text);
        if let Some(script) = line.text.strip_prefix("> ").filter(|_| TITLE.is_match(above)) {
            found.push((line, script));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_packages_that_are_not_there() {
        for (text, reason) in [
            (
                "npm error npx canceled due to missing packages and no YES option: [\"x@1.0.0\"]",
                Reason::CommandNotFound,
            ),
            ("npm error could not determine executable to run", Reason::CommandNotFound),
            ("npm error code E404", Reason::Environment),
            ("error Couldn't find a package.json file in \"/project\"", Reason::Environment),
            ("Error: ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND", Reason::Environment),
        ] {
            assert_eq!(said(text), Some(Said::CouldNotRun(reason)), "{text}");
        }
        assert_eq!(said("npm error code ELIFECYCLE"), None);
    }
}
