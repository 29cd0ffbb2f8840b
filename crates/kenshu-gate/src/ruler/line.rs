//! What a command line says about which tests run and which failures show.

use std::sync::LazyLock;

use kenshu_readers::command::{CommandLine, Invocation};
use kenshu_readers::readers::runs_no_test;
use regex::Regex;

use super::hidden::hidden;
use super::options::{OF_MANAGERS, TABLES, Table, Takes, option, table};
use super::{Fact, Kind};
use crate::detect::runners::{runner_name, unwrapped as taken_off};
use crate::detect::scripts::pieces;
use crate::detect::tasks::{Script, Step};

/// The key of the facts that name what is run.
pub(super) const RUNS: &str = "runs";

/// Programs that run scripts by their names.
const MANAGERS: &[&str] = &[
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "make",
    "gmake",
    "just",
    "task",
    "mise",
    "composer",
    "poe",
    "pdm",
    "hatch",
    "deno",
    "npm-run-all",
    "run-s",
    "run-p",
    "concurrently",
];

/// Programs that prepare and clean up; that one of them is gone says nothing about tests.
const HELPERS: &[&str] = &[
    "rm",
    "rimraf",
    "mkdir",
    "cp",
    "mv",
    "touch",
    "ln",
    "chmod",
    "tee",
    "grep",
    "sed",
    "awk",
    "head",
    "tail",
    "sort",
    "cd",
    "export",
    "set",
    "source",
    ".",
    "wait",
    "wait-on",
    "kill",
    "trap",
    "docker",
    "docker-compose",
    "tsup",
    "esbuild",
    "vite",
    "webpack",
    "rollup",
    "swc",
    "babel",
    "prisma",
    "tar",
    "curl",
    "wget",
    "install",
    "pip",
    "command",
    "read",
    "local",
    "return",
    "shift",
    "cross-env",
    "browserslist",
    "msw",
    "husky",
    "time",
];

/// Facts of everything that a script hands to a shell.
pub(super) fn of_script(script: &Script) -> Vec<Fact> {
    script.steps.iter().flat_map(|step| of_step(&script.cwd, step)).collect()
}

/// Facts of a program with its arguments.
pub(super) fn of_argv(cwd: &str, argv: &[String]) -> Vec<Fact> {
    let line = CommandLine::from_argv(argv);
    let mut facts: Vec<Fact> =
        line.invocations.iter().flat_map(|invocation| of_invocation(cwd, invocation)).collect();
    // `sh -c '…'`: the words were taken apart by the parser, what hides is seen in its text.
    if let [shell, .., script] = argv
        && matches!(shell.rsplit('/').next(), Some("sh" | "bash" | "zsh" | "dash"))
    {
        facts.extend(hidden(cwd, script));
    }
    facts
}

fn of_step(cwd: &str, step: &Step) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (cwd, text) in pieces(cwd, &step.text) {
        let line = CommandLine::parse(&text);
        let runs_tests = line.invocations.iter().any(|invocation| may_test(&unwrapped(invocation.clone())));
        if step.ignored && runs_tests {
            facts.push(fact(&cwd, "hides failure", "-", Kind::Narrows));
        }
        for invocation in &line.invocations {
            facts.extend(of_invocation(&cwd, invocation));
        }
    }
    facts.extend(hidden(cwd, &step.text));
    facts.extend(variables(cwd, &step.text));
    facts
}

/// The runner behind wrappers and package managers, where it is one; else the invocation as it stands, since the
/// name behind `npm run` is a script's.
pub(super) fn unwrapped(invocation: Invocation) -> Invocation {
    let inner = taken_off(invocation.clone());
    if runner_name(&inner).is_some() { inner } else { invocation }
}

pub(super) fn fact(cwd: &str, key: &str, value: &str, kind: Kind) -> Fact {
    Fact { file: cwd.to_owned(), key: key.to_owned(), value: value.to_owned(), kind }
}

/// Whether this may run tests: a runner, a script by its name, or a program that isn't known to run none.
pub(super) fn may_test(invocation: &Invocation) -> bool {
    !runs_no_test(invocation) && !HELPERS.contains(&invocation.program.as_str())
}

fn of_invocation(cwd: &str, invocation: &Invocation) -> Vec<Fact> {
    let invocation = &unwrapped(invocation.clone());
    if !may_test(invocation) {
        return Vec::new();
    }
    let runner = runner_name(invocation);
    let is_manager = runner.is_none() && is_manager(invocation);
    let name = name_of(invocation, runner, is_manager);
    let mut facts: Vec<Fact> = runs(cwd, invocation).into_iter().collect();
    match (runner, is_manager) {
        (Some(name), _) => {
            if let Some(known) = table(name) {
                facts.extend(arguments(cwd, name, known, own_arguments(invocation)));
            }
        }
        (None, true) => {
            // What stands behind `--` goes to a runner that this line doesn't name: any runner's option counts.
            let cut = invocation.arguments.iter().position(|word| word == "--");
            let (own, passed) = invocation.arguments.split_at(cut.unwrap_or(invocation.arguments.len()));
            facts.extend(
                arguments(cwd, &name, OF_MANAGERS, own)
                    .into_iter()
                    .filter(|fact| fact.key.rsplit(' ').next() != Some("paths")),
            );
            if let Some(passed) = passed.get(1..) {
                facts.extend(of_any_runner(cwd, &name, passed));
            }
        }
        (None, false) => {}
    }
    facts
}

/// The runner, the script with its manager, or the program.
fn name_of(invocation: &Invocation, runner: Option<&'static str>, is_manager: bool) -> String {
    if let Some(name) = runner {
        return name.to_owned();
    }
    let own = invocation.arguments.iter().take_while(|word| *word != "--");
    own.filter(|word| is_manager && !word.starts_with('-'))
        .fold(invocation.program.clone(), |name, word| format!("{name} {word}"))
}

/// That this is run, with the configuration that is named, where it may run tests.
pub(super) fn runs(cwd: &str, invocation: &Invocation) -> Option<Fact> {
    if !may_test(invocation) {
        return None;
    }
    let runner = runner_name(invocation);
    let is_manager = runner.is_none() && is_manager(invocation);
    let name = name_of(invocation, runner, is_manager);
    let words = &invocation.arguments;
    let config = words.iter().enumerate().find_map(|(at, word)| {
        let named = |name: &str| matches!(name, "-c" | "--config" | "--configuration" | "--config-file");
        match word.split_once('=') {
            Some((option_name, value)) if named(option_name) => Some(value),
            _ => named(word).then(|| words.get(at + 1).map(String::as_str))?,
        }
    });
    let value = match config.filter(|_| runner.is_some()) {
        Some(config) => format!("{name} with {config}"),
        None => name,
    };
    Some(fact(cwd, RUNS, &value, Kind::Strict))
}

/// Whether this runs scripts by their names.
pub(super) fn is_manager(invocation: &Invocation) -> bool {
    MANAGERS.contains(&invocation.program.as_str())
}

/// The arguments without the module that is run: `-m pytest`, `run -m pytest`.
fn own_arguments(invocation: &Invocation) -> &[String] {
    let words = &invocation.arguments;
    let by_module = invocation.program.starts_with("py") && invocation.program != "pytest"
        || invocation.program == "coverage";
    match words.iter().position(|word| by_module && word == "-m") {
        Some(at) => own_arguments_after(words, at + 2),
        None => words,
    }
}

fn own_arguments_after(words: &[String], at: usize) -> &[String] {
    // `python -m coverage run -m pytest`
    match words.get(at..).unwrap_or_default().iter().position(|word| word == "-m") {
        Some(further) if words.get(at) == Some(&"run".to_owned()) => {
            words.get(at + further + 2..).unwrap_or_default()
        }
        _ => words.get(at..).unwrap_or_default(),
    }
}

/// Facts of the arguments of a runner; also of options that stand in a configuration file.
pub(super) fn arguments(file: &str, name: &str, known: &'static Table, words: &[String]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut rest = words.iter();
    let mut subcommands = known.words.to_vec();
    while let Some(word) = rest.next() {
        let (option_name, inline) = match word.split_once('=') {
            Some((option_name, value)) if word.starts_with('-') => (option_name, Some(value)),
            _ => (word.as_str(), None),
        };
        let found = option(known, option_name);
        let Some(found) = found else {
            facts.extend(attached(file, name, known, word));
            let is_subcommand = subcommands.iter().position(|known| known == word);
            if let Some(at) = is_subcommand {
                subcommands.remove(at);
            } else if !word.starts_with('-') && !word.is_empty() {
                facts.push(fact(file, &format!("{name} paths"), word, Kind::Includes));
            }
            continue;
        };
        let value = match (found.takes, inline) {
            (_, Some(value)) => value.to_owned(),
            (Takes::Nothing, None) => String::new(),
            (Takes::Value, None) if option_name.starts_with("-D") => "true".to_owned(),
            (Takes::Value, None) => rest.next().cloned().unwrap_or_default(),
        };
        let off = value == "false" && found.kind == Some(Kind::Narrows) && !option_name.contains("failIf");
        if let Some(kind) = found.kind.filter(|_| !off) {
            facts.push(fact(file, &format!("{name} {option_name}"), &value, kind));
        }
        // Only switching a plugin off can take something away.
        if option_name == "-p" && name == "pytest" && value.starts_with("no:") {
            facts.push(fact(file, "pytest -p", &value, Kind::Narrows));
        }
    }
    facts
}

/// A short option with its value right behind it: `-knot_slow`, `-pno:x`.
fn attached(file: &str, name: &str, known: &'static Table, word: &str) -> Vec<Fact> {
    let short =
        word.starts_with('-') && !word.starts_with("--") && word.len() > 2 && word.is_char_boundary(2);
    if !short || !matches!(name, "pytest" | "rspec" | "ctest") {
        return Vec::new();
    }
    let (option_name, value) = word.split_at(2);
    if option_name == "-p" && name == "pytest" && value.starts_with("no:") {
        return vec![fact(file, "pytest -p", value, Kind::Narrows)];
    }
    match option(known, option_name) {
        Some(found) if found.takes == Takes::Value => found
            .kind
            .map(|kind| fact(file, &format!("{name} {option_name}"), value, kind))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

fn of_any_runner(cwd: &str, name: &str, words: &[String]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut rest = words.iter().peekable();
    while let Some(word) = rest.next() {
        let (option_name, inline) = word
            .split_once('=')
            .map_or((word.as_str(), None), |(option_name, value)| (option_name, Some(value)));
        let mut known: Vec<_> = TABLES.iter().filter_map(|table| option(table, option_name)).collect();
        known.sort_by_key(|option| option.kind.is_none());
        match known.first() {
            Some(found) => {
                let value = match (found.takes, inline) {
                    (_, Some(value)) => value.to_owned(),
                    (Takes::Value, None) => rest.next().cloned().unwrap_or_default(),
                    (Takes::Nothing, None) => String::new(),
                };
                if let Some(kind) = found.kind {
                    facts.push(fact(cwd, &format!("{name} -- {option_name}"), &value, kind));
                }
            }
            None if !word.starts_with('-') => {
                facts.push(fact(cwd, &format!("{name} -- paths"), word, Kind::Includes));
            }
            None => {}
        }
    }
    facts
}

/// Variables that hand options to a runner from the side.
fn variables(cwd: &str, text: &str) -> Vec<Fact> {
    static SET: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"\b(PYTEST_ADDOPTS|NODE_OPTIONS|GOFLAGS|RUSTFLAGS|RUST_TEST_SHUFFLE|TESTOPTS|TEST_OPTS|MAVEN_OPTS|SPEC_OPTS|CTEST_[A-Z_]+|NEXTEST_[A-Z_]+)=("[^"]*"|'[^']*'|\S*)"#)
            .expect("the pattern is fixed and tested")
    });
    // Room for memory and the like hands no tests over.
    let harmless = |value: &str| {
        value.split_whitespace().all(|word| {
            word.contains("max-old-space-size")
                || word.contains("max_old_space_size")
                || word.contains("experimental-vm-modules")
                || word.contains("no-warnings")
                || word.contains("enable-source-maps")
                || word.contains("openssl-legacy-provider")
                || word.contains("-mod=")
        })
    };
    SET.captures_iter(text)
        .map(|found| (found[1].to_owned(), found[2].trim_matches(['"', '\'']).to_owned()))
        .filter(|(_, value)| !value.is_empty() && !harmless(value))
        .map(|(name, value)| fact(cwd, &name, &value, Kind::Narrows))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let script = Script {
            file: "Makefile".to_owned(),
            name: "test".to_owned(),
            cwd: String::new(),
            steps: vec![Step { text: text.to_owned(), ignored: false }],
            needs: Vec::new(),
        };
        let found: Vec<String> = of_script(&script)
            .into_iter()
            .filter(|fact| fact.key != RUNS)
            .map(|fact| format!("{}={}", fact.key, fact.value).trim_end_matches('=').to_owned())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn options_that_narrow_are_found() {
        check("python -m pytest -q -n 4 tests/unit", &["pytest paths=tests/unit"]);
        check(
            "pytest -k 'not slow' --lf -p no:randomly",
            &["pytest -k=not slow", "pytest --lf", "pytest -p=no:randomly"],
        );
        check("vitest run --pass-with-no-tests -t cart", &["vitest --pass-with-no-tests", "vitest -t=cart"]);
        check("jest --maxWorkers 2 --testPathIgnorePatterns=e2e", &["jest --testPathIgnorePatterns=e2e"]);
        check("go test -count=1 -run TestA ./...", &["go-test -run=TestA", "go-test paths=./..."]);
        check("cargo test --workspace -- --skip slow", &["cargo-test --workspace", "cargo-test --skip=slow"]);
        check(
            "mvn -B test -DskipTests -Dtest=A",
            &["surefire paths=test", "surefire -DskipTests=true", "surefire -Dtest=A"],
        );
        check("npm test -- -t cart", &["npm test -- -t=cart"]);
        check("npm run e2e --if-present", &["npm run e2e --if-present"]);
        check("PYTEST_ADDOPTS='-k x' pytest", &["PYTEST_ADDOPTS=-k x"]);
        check("NODE_OPTIONS=--max-old-space-size=4096 jest", &[]);
    }
}
