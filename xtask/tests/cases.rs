//! End to end: every folder of `cases/` with a `case.toml`, against the built binary, in a fresh temporary folder.
//!
//! A case that needs a tool this machine lacks is not run, and the last line says so: `not run: 12 (php)`. With
//! `KENSHU_ALL_TOOLS=1` that is a failure.

#![expect(clippy::disallowed_methods, reason = "tests run the binary")]
#![expect(clippy::unwrap_used, reason = "a case that cannot be set up must fail")]
#![expect(clippy::print_stdout, reason = "the last line says what was not run")]

#[cfg(unix)]
#[path = "cases/terminal.rs"]
mod terminal;
#[cfg(not(unix))]
#[path = "cases/no_terminal.rs"]
mod terminal;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

use crate::terminal::Terminal;

/// A case: files, then steps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What it shows, in one sentence.
    #[expect(dead_code, reason = "for people")]
    says: String,
    /// Tools it needs besides git.
    #[serde(default)]
    needs: Vec<String>,
    /// Files to begin with, beside those of the folder `files`.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// What is done, in order.
    step: Vec<Step>,
}

/// One step; each field that is there is done, in this order.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Step {
    /// Files to write.
    write: BTreeMap<String, String>,
    /// Files to remove.
    remove: Vec<String>,
    /// A shell line to run, in which `$KENSHU` is the binary; its status must be 0.
    sh: Option<String>,
    /// Commit everything with this message (the repository is made at the first commit).
    commit: Option<String>,
    /// Arguments of kenshu.
    kenshu: Option<Vec<String>>,
    /// Its standard input.
    stdin: Option<String>,
    /// A terminal to run it at: stdin, stdout and stderr are a new pseudo-terminal, and only `PATH` and what cases
    /// set anyway is in the environment. What can be typed and looked at there: `cases/terminal.rs`.
    terminal: Option<Terminal>,
    /// Environment variables of it.
    env: BTreeMap<String, String>,
    /// Its exit status.
    exit: Option<i32>,
    /// JSON pointers into its stdout, and the values there.
    json: BTreeMap<String, toml::Value>,
    /// Its whole stdout.
    stdout: Option<String>,
    /// What its stdout holds.
    stdout_has: Vec<String>,
    /// What neither stdout nor stderr hold.
    lacks: Vec<String>,
    /// What its stderr holds.
    stderr_has: Vec<String>,
    /// Files that must (true) or must not (false) be there.
    there: BTreeMap<String, bool>,
}

fn main() -> ExitCode {
    if let Some(code) = terminal::become_command() {
        return code;
    }
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    let mut trials = Vec::new();
    let mut not_run = 0;
    for path in case_files(&root.join("cases")) {
        let folder = path.parent().unwrap().to_owned();
        let name = folder.strip_prefix(root.join("cases")).unwrap().display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let case: Case = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let terminal = case.step.iter().any(|step| step.terminal.is_some()).then_some("pseudo-terminals");
        let needed = case.needs.iter().map(String::as_str).chain(terminal);
        let lacking: Vec<String> = needed.filter(|tool| !is_there(tool)).map(str::to_owned).collect();
        for tool in &lacking {
            *missing.entry(tool.clone()).or_default() += 1;
        }
        not_run += usize::from(!lacking.is_empty());
        let lacks_tool = !lacking.is_empty();
        trials.push(Trial::test(name, move || run(&case, &folder)).with_ignored_flag(lacks_tool));
    }
    build(&root);
    let conclusion = libtest_mimic::run(&arguments, trials);
    if not_run > 0 {
        let tools: Vec<&str> = missing.keys().map(String::as_str).collect();
        println!("not run: {not_run} ({})", tools.join(", "));
        if std::env::var_os("KENSHU_ALL_TOOLS").is_some() {
            return ExitCode::FAILURE;
        }
    }
    conclusion.exit_code()
}

fn case_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names.into_iter().filter(|path| path.is_dir()) {
        let case = path.join("case.toml");
        if case.is_file() { found.push(case) } else { found.extend(case_files(&path)) }
    }
    found
}

/// Whether a tool can be started. `python:pytest` stands for a module of Python 3, `/dev/full` for itself.
fn is_there(tool: &str) -> bool {
    if tool == "pseudo-terminals" {
        return cfg!(unix);
    }
    if tool.starts_with('/') {
        return Path::new(tool).exists();
    }
    let mut command = match tool.split_once(':') {
        Some(("python", module)) => {
            let mut command = Command::new("python3");
            command.args(["-c", &format!("import {module}")]);
            command
        }
        _ => {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("command -v {tool}")]);
            command
        }
    };
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn build(root: &Path) {
    let built =
        Command::new(env!("CARGO")).args(["build", "--quiet", "-p", "kenshu"]).current_dir(root).status();
    assert!(built.is_ok_and(|status| status.success()), "cargo build -p kenshu failed");
}

/// Beside the test binaries' folder: `target/debug/deps/cases-…` → `target/debug/kenshu`.
fn binary() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    exe.parent().unwrap().parent().unwrap().join("kenshu")
}

fn run(case: &Case, folder: &Path) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let project = scratch.path().join("project");
    std::fs::create_dir(&project)?;
    copy(&folder.join("files"), &project)?;
    write(&project, &case.files)?;
    for (index, step) in case.step.iter().enumerate() {
        take(step, &project, scratch.path()).map_err(|error| format!("step {}: {error}", index + 1))?;
    }
    Ok(())
}

fn take(step: &Step, project: &Path, scratch: &Path) -> Result<(), String> {
    write(project, &step.write).map_err(|error| error.to_string())?;
    for path in &step.remove {
        std::fs::remove_file(project.join(path)).map_err(|error| format!("remove {path}: {error}"))?;
    }
    if let Some(line) = &step.sh {
        shell(project, scratch, line)?;
    }
    if let Some(message) = &step.commit {
        commit(project, scratch, message)?;
    }
    if let Some(arguments) = &step.kenshu {
        kenshu(step, arguments, project, scratch)?;
    }
    for (path, expected) in &step.there {
        if project.join(path).exists() != *expected {
            return Err(format!("{path}: there = {}", !expected));
        }
    }
    Ok(())
}

fn environment<'a>(command: &'a mut Command, scratch: &Path) -> &'a mut Command {
    command
        .env("HOME", scratch)
        .env("KENSHU", binary())
        .env("KENSHU_HOME", scratch.join("home"))
        .env("LC_ALL", "C.UTF-8")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
        .env_remove("CI")
        .env_remove("NO_COLOR")
        .env_remove("CLAUDECODE")
        .env("NPM_CONFIG_UPDATE_NOTIFIER", "false")
}

fn shell(project: &Path, scratch: &Path, line: &str) -> Result<(), String> {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(project).stdin(Stdio::null());
    let output = environment(&mut command, scratch).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("sh {line}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

fn commit(project: &Path, scratch: &Path, message: &str) -> Result<(), String> {
    if !project.join(".git").exists() {
        shell(
            project,
            scratch,
            "git init -q -b main . && git config user.name case && git config user.email case@example.com",
        )?;
    }
    shell(project, scratch, &format!("git add -A && git commit -q --allow-empty -m '{message}'"))
}

fn kenshu(step: &Step, arguments: &[String], project: &Path, scratch: &Path) -> Result<(), String> {
    let mut command = Command::new(binary());
    command.args(arguments).current_dir(project);
    environment(&mut command, scratch).envs(&step.env);
    let Seen { code, stdout, stderr } = match &step.terminal {
        None => without_terminal(step, &mut command)?,
        Some(terminal) => at_terminal(step, terminal, &mut command)?,
    };
    let shown = format!("kenshu {}\n--- stdout\n{stdout}\n--- stderr\n{stderr}", arguments.join(" "));
    if let Some(exit) = step.exit
        && code != Some(exit)
    {
        return Err(format!("exit {code:?}, not {exit}\n{shown}"));
    }
    if !step.json.is_empty() {
        let value: serde_json::Value =
            serde_json::from_str(&stdout).map_err(|error| format!("{error}\n{shown}"))?;
        for (pointer, expected) in &step.json {
            let actual = value.pointer(pointer);
            let expected = expected_value(expected);
            if actual.unwrap_or(&serde_json::Value::Null) != &expected {
                return Err(format!("{pointer} is {actual:?}, not {expected}\n{shown}"));
            }
        }
    }
    if let Some(text) = &step.stdout
        && *text != stdout
    {
        return Err(format!("stdout is not {text:?}\n{shown}"));
    }
    let has =
        |text: &str, wanted: &[String]| wanted.iter().find(|part| !text.contains(part.as_str())).cloned();
    if let Some(part) = has(&stdout, &step.stdout_has) {
        return Err(format!("stdout lacks {part:?}\n{shown}"));
    }
    if let Some(part) = has(&stderr, &step.stderr_has) {
        return Err(format!("stderr lacks {part:?}\n{shown}"));
    }
    match step.lacks.iter().find(|part| stdout.contains(part.as_str()) || stderr.contains(part.as_str())) {
        Some(part) => Err(format!("the output holds {part:?}\n{shown}")),
        None => Ok(()),
    }
}

/// What a run of kenshu left.
struct Seen {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn without_terminal(step: &Step, command: &mut Command) -> Result<Seen, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let mut input = child.stdin.take();
    if let (Some(text), Some(input)) = (&step.stdin, &mut input) {
        std::io::Write::write_all(input, text.as_bytes()).map_err(|error| error.to_string())?;
    }
    drop(input);
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Seen { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) })
}

fn at_terminal(step: &Step, terminal: &Terminal, command: &mut Command) -> Result<Seen, String> {
    let stdout_read = step.stdout.is_some() || !step.stdout_has.is_empty() || !step.json.is_empty();
    let read = [("stdout", stdout_read), ("stderr", !step.stderr_has.is_empty())];
    if read.iter().any(|(stream, read)| *read && !terminal.piped.contains(*stream)) || step.stdin.is_some() {
        return Err("at a terminal only streams that are `piped` can be looked at by themselves".to_owned());
    }
    // Agents' variables of whoever runs these tests would be a false answer to "who sits there".
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env("PATH", path).env("TERM", "xterm-256color").env("USER", "human").envs(&step.env);
    let seen = terminal.run(command)?;
    let shown = Seen { code: seen.code, stdout: seen.stdout.clone(), stderr: seen.stderr.clone() };
    match step.exit.filter(|exit| Some(*exit) != seen.code) {
        Some(exit) => Err(format!("exit {:?}, not {exit}\n{}", seen.code, seen.told())),
        None => terminal.judge(&seen).map(|()| shown),
    }
}

/// TOML has no null; the word `"null"` stands for it.
fn expected_value(value: &toml::Value) -> serde_json::Value {
    if value.as_str() == Some("null") {
        return serde_json::Value::Null;
    }
    serde_json::to_value(value).unwrap()
}

fn write(project: &Path, files: &BTreeMap<String, String>) -> std::io::Result<()> {
    for (path, text) in files {
        let path = project.join(path);
        std::fs::create_dir_all(path.parent().unwrap())?;
        std::fs::write(path, text)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let Ok(entries) = std::fs::read_dir(from) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
