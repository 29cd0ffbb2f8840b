//! Speed as ratios, measured side by side in one run. Figures are for people; nothing here fails.

mod check;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// Runs of each command; the median is shown.
const RUNS: usize = 31;

/// Measures and prints.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let built =
        Command::new(env!("CARGO")).args(["build", "--release", "--quiet"]).current_dir(root).status()?;
    ensure!(built.success(), "cargo build --release failed");
    let kenshu = root.join("target/release/kenshu");
    let folder = std::env::temp_dir().join(format!("kenshu-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = measure(&kenshu, &folder).and_then(|()| check::run(&kenshu, &folder));
    std::fs::remove_dir_all(&folder)?;
    result
}

fn measure(kenshu: &Path, folder: &Path) -> anyhow::Result<()> {
    let empty = empty_program(folder)?;
    let base = median(&empty, &[])?;
    println!("empty Rust program             {:>8.2} ms", milliseconds(base));
    let version = median(kenshu, &["--version"])?;
    println!(
        "kenshu --version               {:>8.2} ms   {:.1} x empty",
        milliseconds(version),
        ratio(version, base)
    );
    let small = folder.join("small.txt");
    std::fs::write(&small, pytest_output(10 << 10))?;
    let small = small.display().to_string();
    let count = median(kenshu, &["count", &small])?;
    println!(
        "kenshu count (10 KB)           {:>8.2} ms   {:.1} x empty",
        milliseconds(count),
        ratio(count, base)
    );
    for (name, text) in [
        ("log without a runner", log_output(48 << 20)),
        ("pytest -v", pytest_output(48 << 20)),
        ("cargo test", cargo_output(48 << 20)),
    ] {
        let path = folder.join("large.txt");
        std::fs::write(&path, &text)?;
        let path = path.display().to_string();
        let took = median_of(5, kenshu, &["count", &path])?.saturating_sub(count);
        let read = median_of(5, Path::new("cat"), &[&path])?;
        println!(
            "count, 48 MiB, {name:<22} {:>6.0} MB/s   {:.1} x cat",
            text.len() as f64 / 1e6 / took.as_secs_f64(),
            ratio(took, read)
        );
    }
    Ok(())
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

fn median(program: &Path, arguments: &[&str]) -> anyhow::Result<Duration> {
    median_of(RUNS, program, arguments)
}

fn median_of(runs: usize, program: &Path, arguments: &[&str]) -> anyhow::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..=runs {
        let start = Instant::now();
        Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .with_context(|| format!("run {}", program.display()))?;
        times.push(start.elapsed());
    }
    // The first run warms the caches.
    times.remove(0);
    times.sort();
    Ok(times[times.len() / 2])
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn log_output(bytes: usize) -> String {
    filled(
        bytes,
        "",
        |number| format!("2026-11-30 12:00:00 INFO worker {number}: job {number} took {} ms\n", number % 97),
        "",
    )
}

fn pytest_output(bytes: usize) -> String {
    let head = "============================= test session starts ==============================\ncollected 9 items\n\n";
    let mut tests = 0;
    let body = filled(
        bytes,
        head,
        |number| {
            tests = number + 1;
            format!("tests/test_module.py::test_case_{number} PASSED                    [ 50%]\n")
        },
        "",
    );
    format!(
        "{body}\n============================== {tests} passed in 1.00s ===============================\n"
    )
}

fn cargo_output(bytes: usize) -> String {
    let mut tests = 0;
    let body = filled(
        bytes,
        "",
        |number| {
            tests = number + 1;
            format!("test module::case_{number} ... ok\n")
        },
        "",
    );
    format!(
        "\nrunning {tests} tests\n{body}\ntest result: ok. {tests} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n\n"
    )
}

fn filled(bytes: usize, head: &str, mut line: impl FnMut(usize) -> String, tail: &str) -> String {
    let mut text = String::with_capacity(bytes + 256);
    text.push_str(head);
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&line(number));
        number += 1;
    }
    text.push_str(tail);
    text
}
