//! Speed as ratios, measured side by side in one run. Figures are for people; nothing here fails.
//!
//! What one program does alone is measured in processor time, which other programs on the machine hardly change.

mod check;
mod cost;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use kenshu_readers::decide::count_with;
use kenshu_readers::readers::READERS;

use self::cost::{of_call, of_program};

/// Runs of each command; the cheapest is shown.
const RUNS: usize = 31;

/// Runs on a large text.
const LARGE_RUNS: usize = 5;

/// Size of a large text.
const LARGE: usize = 48 << 20;

/// Measures and prints.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let cargo = |arguments: &[&str]| Command::new(env!("CARGO")).args(arguments).current_dir(root).status();
    if cfg!(debug_assertions) {
        // What is measured inside this program has to be optimized too.
        let done = cargo(&["run", "--release", "--quiet", "--package", "xtask", "--", "bench"])?;
        ensure!(done.success(), "cargo run --release --package xtask failed");
        return Ok(());
    }
    ensure!(cargo(&["build", "--release", "--quiet"])?.success(), "cargo build --release failed");
    let kenshu = root.join("target/release/kenshu");
    let folder = std::env::temp_dir().join(format!("kenshu-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = start_up(&kenshu, &folder)
        .and_then(|small| reading(&kenshu, &folder, small))
        .and_then(|()| check::run(&kenshu, &folder));
    std::fs::remove_dir_all(&folder)?;
    result?;
    number_of_readers();
    Ok(())
}

/// What a call costs before it reads anything to speak of. Gives the cost of one that counts 10 KB.
fn start_up(kenshu: &Path, folder: &Path) -> anyhow::Result<Duration> {
    let empty = empty_program(folder)?;
    println!("{}, the least of several runs:", cost::UNIT);
    let base = of_program(RUNS, &empty, &[])?;
    println!("empty Rust program             {:>8.2} ms", milliseconds(base));
    let version = of_program(RUNS, kenshu, &["--version"])?;
    println!(
        "kenshu --version               {:>8.2} ms   {:.1} x empty",
        milliseconds(version),
        ratio(version, base)
    );
    let small = folder.join("small.txt");
    std::fs::write(&small, pytest_output(10 << 10))?;
    let count = of_program(RUNS, kenshu, &["count", &small.display().to_string()])?;
    println!(
        "kenshu count (10 KB)           {:>8.2} ms   {:.1} x empty",
        milliseconds(count),
        ratio(count, base)
    );
    Ok(count)
}

/// How fast large texts are counted. `start_up` is what any call takes.
fn reading(kenshu: &Path, folder: &Path, start_up: Duration) -> anyhow::Result<()> {
    type Output = fn(usize) -> String;
    const TEXTS: [(&str, Output); 11] = [
        ("log without a runner", log_output),
        ("pytest -v", pytest_output),
        ("cargo test", cargo_output),
        ("node:test, TAP", node_tap_output),
        ("node:test, spec", node_spec_output),
        ("go test -v", go_output),
        ("Jest --verbose", jest_output),
        ("go test -json", go_json_output),
        ("JUnit XML", junit_output),
        ("pytest -v, coloured", coloured_output),
        ("pytest -v, CI times", ci_output),
    ];
    let path = folder.join("large.txt");
    for (name, text) in TEXTS {
        let text = text(LARGE);
        std::fs::write(&path, &text)?;
        let path = path.display().to_string();
        let took = of_program(LARGE_RUNS, kenshu, &["count", &path])?.saturating_sub(start_up);
        let read = of_program(LARGE_RUNS, Path::new("cat"), &[&path])?;
        println!(
            "count, 48 MiB, {name:<22} {:>6.0} MB/s   {:.1} x cat",
            text.len() as f64 / 1e6 / took.as_secs_f64(),
            ratio(took, read)
        );
    }
    Ok(())
}

/// Whether a text takes longer the more readers there are: one that none of them has anything to read in.
fn number_of_readers() {
    let text = log_output(LARGE);
    let seconds = |readers| {
        of_call(LARGE_RUNS, || count_with(readers, text.as_bytes(), &kenshu_readers::Context::default()))
    };
    let few = seconds(&READERS[..10]);
    let all = seconds(READERS);
    println!(
        "log, {} readers for 10            {:>6.2} x the time ({:.0} ms, {:.0} ms)",
        READERS.len(),
        ratio(all, few),
        milliseconds(all),
        milliseconds(few)
    );
}

fn empty_program(folder: &Path) -> anyhow::Result<std::path::PathBuf> {
    let source = folder.join("empty.rs");
    std::fs::write(&source, "fn main() {}\n")?;
    let program = folder.join("empty");
    let status =
        Command::new("rustc").arg("-O").arg(&source).arg("-o").arg(&program).status().context("run rustc")?;
    ensure!(status.success(), "rustc failed");
    Ok(program)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn log_output(bytes: usize) -> String {
    filled(bytes, |_| String::new(), log_line, |_| String::new())
}

fn log_line(number: usize) -> String {
    format!("2026-11-30 12:00:00 INFO worker {number}: job {number} took {} ms\n", number % 97)
}

fn pytest_output(bytes: usize) -> String {
    filled(bytes, pytest_head, pytest_line, pytest_tail)
}

fn pytest_head(tests: usize) -> String {
    format!(
        "============================= test session starts ==============================\ncollected {tests} items\n\n"
    )
}

fn pytest_line(number: usize) -> String {
    format!("tests/test_module.py::test_case_{number} PASSED                    [ 50%]\n")
}

fn pytest_tail(tests: usize) -> String {
    format!("\n============================== {tests} passed in 1.00s ===============================\n")
}

fn coloured_output(bytes: usize) -> String {
    let line = |number| {
        pytest_line(number)
            .replace("PASSED", "\u{1b}[32mPASSED\u{1b}[0m")
            .replace("[ 50%]", "\u{1b}[32m[ 50%]\u{1b}[0m")
    };
    filled(bytes, pytest_head, line, |tests| format!("\u{1b}[32m{}\u{1b}[0m", pytest_tail(tests)))
}

/// As GitHub Actions keeps it: each line behind its time.
fn ci_output(bytes: usize) -> String {
    let timed = |text: String| {
        text.split_inclusive('\n')
            .map(|line| format!("2026-11-30T12:00:00.1234567Z {line}"))
            .collect::<String>()
    };
    filled(
        bytes,
        |tests| timed(pytest_head(tests)),
        |number| timed(pytest_line(number)),
        |tests| timed(pytest_tail(tests)),
    )
}

fn cargo_output(bytes: usize) -> String {
    filled(
        bytes,
        |tests| format!("\nrunning {tests} tests\n"),
        |number| format!("test module::case_{number} ... ok\n"),
        |tests| {
            format!(
                "\ntest result: ok. {tests} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n\n"
            )
        },
    )
}

fn node_tap_output(bytes: usize) -> String {
    filled(
        bytes,
        |_| "TAP version 13\n".to_owned(),
        |number| {
            let place = number + 1;
            format!(
                "# Subtest: case {place}\nok {place} - case {place}\n  ---\n  duration_ms: 0.113\n  type: 'test'\n  ...\n"
            )
        },
        |tests| format!("1..{tests}\n{}", node_closing("# ", tests)),
    )
}

fn node_spec_output(bytes: usize) -> String {
    filled(
        bytes,
        |_| String::new(),
        |number| format!("✔ case {number} (0.113ms)\n"),
        |tests| node_closing("ℹ ", tests),
    )
}

fn node_closing(mark: &str, tests: usize) -> String {
    let words =
        format!("tests {tests}|suites 0|pass {tests}|fail 0|cancelled 0|skipped 0|todo 0|duration_ms 123.1");
    words.split('|').map(|line| format!("{mark}{line}\n")).collect()
}

fn go_output(bytes: usize) -> String {
    filled(
        bytes,
        |_| String::new(),
        |number| format!("=== RUN   TestCase{number}\n--- PASS: TestCase{number} (0.00s)\n"),
        |_| "PASS\nok  \texample.com/demo\t0.123s\n".to_owned(),
    )
}

fn go_json_output(bytes: usize) -> String {
    let event = |action: &str, rest: &str| {
        format!(
            "{{\"Time\":\"2026-11-30T12:00:00.123456789Z\",\"Action\":\"{action}\",\"Package\":\"example.com/demo\"{rest}}}\n"
        )
    };
    filled(
        bytes,
        |_| event("start", ""),
        |number| {
            let test = format!(",\"Test\":\"TestCase{number}\"");
            let output = |text: &str| event("output", &format!("{test},\"Output\":\"{text}\\n\""));
            [
                event("run", &test),
                output(&format!("=== RUN   TestCase{number}")),
                output(&format!("--- PASS: TestCase{number} (0.00s)")),
                event("pass", &format!("{test},\"Elapsed\":0")),
            ]
            .concat()
        },
        |_| {
            [
                event("output", ",\"Output\":\"PASS\\n\""),
                event("output", ",\"Output\":\"ok  \\texample.com/demo\\t0.123s\\n\""),
                event("pass", ",\"Elapsed\":0.123"),
            ]
            .concat()
        },
    )
}

fn junit_output(bytes: usize) -> String {
    filled(
        bytes,
        |tests| {
            format!(
                "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites><testsuite name=\"pytest\" errors=\"0\" failures=\"0\" skipped=\"0\" tests=\"{tests}\" time=\"1.0\">\n"
            )
        },
        |number| {
            format!(
                "<testcase classname=\"tests.test_module\" name=\"test_case_{number}\" time=\"0.001\" />\n"
            )
        },
        |_| "</testsuite></testsuites>\n".to_owned(),
    )
}

/// Twenty tests a file.
fn jest_output(bytes: usize) -> String {
    filled(
        bytes,
        |_| String::new(),
        |number| {
            let file = number / 20;
            let head = if number % 20 == 0 {
                format!("PASS src/module{file}.test.js\n  module {file}\n")
            } else {
                String::new()
            };
            let end = if number % 20 == 19 { "\n" } else { "" };
            format!("{head}    ✓ case {number} (1 ms)\n{end}")
        },
        |tests| {
            let files = tests.div_ceil(20);
            format!(
                "\nTest Suites: {files} passed, {files} total\nTests:       {tests} passed, {tests} total\nSnapshots:   0 total\nTime:        1.234 s\nRan all test suites.\n"
            )
        },
    )
}

/// About so many bytes: a line for each test between what names their number before and after them.
fn filled(
    bytes: usize,
    head: impl Fn(usize) -> String,
    line: impl Fn(usize) -> String,
    tail: impl Fn(usize) -> String,
) -> String {
    let mut body = String::with_capacity(bytes + 256);
    let mut tests = 0;
    while body.len() < bytes {
        body.push_str(&line(tests));
        tests += 1;
    }
    head(tests) + &body + &tail(tests)
}
