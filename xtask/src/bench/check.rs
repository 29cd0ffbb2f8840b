//! What `kenshu check` adds to the command it runs, and what a fingerprint of a large repository takes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::{milliseconds, ratio};

/// Runs of each command; the median is shown.
const RUNS: usize = 21;
/// Files of the large repository.
const FILES: usize = 10_000;

/// Measures and prints.
pub(super) fn run(kenshu: &Path, folder: &Path) -> anyhow::Result<()> {
    let (small, large) = (folder.join("small"), folder.join("large"));
    repository(&small, 10)?;
    repository(&large, FILES)?;
    let bench = Bench { kenshu, home: &folder.join("home") };
    for (name, top) in [("small repository", &small), ("10,000 files", &large)] {
        bench.added(name, "a shell script", top, &["sh", "summary.sh"])?;
        let has_node = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok();
        if has_node {
            bench.added(name, "node --test", top, &["node", "--test", "a.test.js"])?;
        }
    }
    bench.fingerprint(&large)
}

struct Bench<'a> {
    kenshu: &'a Path,
    home: &'a Path,
}

impl Bench<'_> {
    /// A command plainly and under `check`, in turns: whatever else the machine does then meets both.
    fn added(&self, repository: &str, what: &str, top: &Path, argv: &[&str]) -> anyhow::Result<()> {
        let kenshu = self.kenshu.display().to_string();
        let checked = [&[kenshu.as_str(), "check", "2 tests pass", "--"], argv].concat();
        let (mut plain, mut under) = (Vec::new(), Vec::new());
        for _ in 0..=RUNS {
            plain.push(self.time(top, argv)?);
            under.push(self.time(top, &checked)?);
        }
        let (plain, under) = (median(plain), median(under));
        println!(
            "check adds {:>6.1} ms   {:.2} x the command   ({what} of {:.0} ms, {repository})",
            milliseconds(under) - milliseconds(plain),
            ratio(under, plain),
            milliseconds(plain)
        );
        Ok(())
    }

    /// `kenshu --json` says what evidence stands for this tree, and starts no other command than git.
    fn fingerprint(&self, top: &Path) -> anyhow::Result<()> {
        let kenshu = self.kenshu.display().to_string();
        let (mut ours, mut status) = (Vec::new(), Vec::new());
        for _ in 0..=RUNS {
            // The first one in every round: nothing that an earlier call has kept may help.
            if self.home.exists() {
                fs::remove_dir_all(self.home)?;
            }
            ours.push(self.time(top, &[&kenshu, "--json"])?);
            status.push(self.time(top, &["git", "--no-optional-locks", "status", "--porcelain"])?);
        }
        let (ours, status) = (median(ours), median(status));
        println!(
            "first fingerprint, 10,000 files: {:.0} ms   {:.1} x git status",
            milliseconds(ours),
            ratio(ours, status)
        );
        Ok(())
    }

    fn time(&self, top: &Path, argv: &[&str]) -> anyhow::Result<Duration> {
        let (program, arguments) = argv.split_first().context("an empty command")?;
        let start = Instant::now();
        let status = Command::new(program)
            .args(arguments)
            .current_dir(top)
            .env("KENSHU_HOME", self.home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .with_context(|| format!("run {program}"))?;
        let time = start.elapsed();
        // Whatever was refused is no measure of anything.
        ensure!(status.code() != Some(2), "{} was refused", argv.join(" "));
        Ok(time)
    }
}

/// The median without the first, which warms the caches.
fn median(mut times: Vec<Duration>) -> Duration {
    times.remove(0);
    times.sort();
    times[times.len() / 2]
}

/// A repository with so many files, two commits and a change that is not committed.
fn repository(top: &Path, files: usize) -> anyhow::Result<()> {
    for number in 0..files {
        let folder = top.join(format!("src/{}", number / 100));
        if number % 100 == 0 {
            fs::create_dir_all(&folder)?;
        }
        fs::write(folder.join(format!("{number}.js")), format!("module.exports = {number};\n"))?;
    }
    let test = "const test = require('node:test');\ntest('one', () => {});\ntest('two', () => {});\n";
    fs::write(top.join("a.test.js"), test)?;
    let summary = "sleep 0.2\necho '========== 2 passed in 0.20s =========='\n";
    fs::write(top.join("summary.sh"), summary)?;
    git(top, &["init", "--quiet", "--initial-branch=main"])?;
    git(top, &["add", "--all"])?;
    git(top, &["commit", "--quiet", "--message=first"])?;
    git(top, &["commit", "--quiet", "--allow-empty", "--message=second"])?;
    fs::write(top.join("src/0/0.js"), "module.exports = 'changed';\n")?;
    Ok(())
}

fn git(top: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let done = Command::new("git")
        .args(["-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(top)
        .status()
        .context("run git")?;
    ensure!(done.success(), "git {} failed", arguments.join(" "));
    Ok(())
}
