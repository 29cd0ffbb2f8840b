//! The clock: the time of day for the record, and elapsed time for limits.

use std::time::{Duration, Instant};

/// Now as RFC 3339 in UTC, to the millisecond: `2026-01-02T03:04:05.678Z`.
pub fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

/// Time elapsed since a moment, untouched by changes of the time of day.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now() }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn now_is_rfc_3339_in_utc_with_milliseconds() {
        let text = now();
        assert_eq!(text.len(), "2026-01-02T03:04:05.678Z".len(), "{text}");
        assert!(text.ends_with('Z'), "{text}");
        assert!(text.parse::<jiff::Timestamp>().is_ok(), "{text}");
    }

    #[test]
    fn elapsed_never_runs_backwards() {
        let watch = Stopwatch::start();
        let first = watch.elapsed();
        assert!(watch.elapsed() >= first);
    }
}
