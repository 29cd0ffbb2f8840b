//! What a program costs: its processor time, in itself and in the system, where the system tells it.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context;

/// What the figures are.
pub(super) const UNIT: &str = if cfg!(unix) { "processor time (user and system)" } else { "elapsed time" };

/// Of several runs of a program the cheapest: whatever else the machine does only adds to it.
pub(super) fn of_program(runs: usize, program: &Path, arguments: &[&str]) -> anyhow::Result<Duration> {
    let mut least = Duration::MAX;
    // One run more, which warms the caches.
    for _ in 0..=runs {
        let before = spent(Whose::Children);
        Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .with_context(|| format!("run {}", program.display()))?;
        least = least.min(spent(Whose::Children) - before);
    }
    Ok(least)
}

/// Of several calls of a function the cheapest.
pub(super) fn of_call<T>(calls: usize, mut call: impl FnMut() -> T) -> Duration {
    let cost = |_| {
        let before = spent(Whose::Own);
        black_box(call());
        spent(Whose::Own) - before
    };
    (0..=calls).map(cost).min().unwrap_or_default()
}

#[derive(Clone, Copy)]
enum Whose {
    Own,
    /// Of the children that have ended.
    Children,
}

#[cfg(unix)]
fn spent(whose: Whose) -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let who = match whose {
        Whose::Own => UsageWho::RUSAGE_SELF,
        Whose::Children => UsageWho::RUSAGE_CHILDREN,
    };
    let usage = getrusage(who).expect("both are known to every Unix");
    let time = usage.user_time() + usage.system_time();
    Duration::from_micros(time.num_microseconds().unsigned_abs())
}

#[cfg(not(unix))]
fn spent(_: Whose) -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
