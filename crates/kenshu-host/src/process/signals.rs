//! Signals that ask us to stop, as long as a command runs; at any other time they do what they always do.

use std::{
    io::{self, Read},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use signal_hook::{
    SigId,
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag, low_level,
};

/// The signals that a person, a shell or a harness ends a program with.
const ASKING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Whether a signal has its usual effect. One for the process: a handler once set is never taken away again.
static USUAL: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// How many runs are listening; `None`: the handlers are not set yet.
static LISTENING: Mutex<Option<usize>> = Mutex::new(None);

/// Listens for signals until it is dropped.
#[derive(Debug)]
pub(super) struct Signals {
    wake: UnixStream,
    last: Arc<AtomicUsize>,
    registered: Vec<SigId>,
}

impl Signals {
    /// Listens for the signals that ask us to stop, and for `more`, which only wake us.
    ///
    /// Signals that are ignored already (`nohup`) stay ignored, here and in every child.
    pub(super) fn listen(more: &[i32]) -> io::Result<Signals> {
        let asking: Vec<i32> = ASKING.into_iter().filter(|signal| !is_ignored(*signal)).collect();
        let (wake, waker) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let last = Arc::new(AtomicUsize::new(0));
        let mut listening = LISTENING.lock().unwrap_or_else(PoisonError::into_inner);
        if listening.is_none() {
            for signal in &asking {
                flag::register_conditional_default(*signal, Arc::clone(&USUAL))?;
            }
        }
        USUAL.store(false, Ordering::SeqCst);
        *listening = Some(listening.unwrap_or(0) + 1);
        drop(listening);

        let mut signals = Signals { wake, last: Arc::clone(&last), registered: Vec::new() };
        for signal in &asking {
            let number = usize::try_from(*signal).unwrap_or(0);
            signals.registered.push(flag::register_usize(*signal, Arc::clone(&last), number)?);
        }
        for signal in asking.iter().chain(more) {
            signals.registered.push(low_level::pipe::register(*signal, waker.try_clone()?)?);
        }
        Ok(signals)
    }

    /// What becomes readable when a signal has come.
    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }

    /// Makes it unreadable again; the signal that asked us to stop since the last call, if one did.
    pub(super) fn take(&self) -> Option<i32> {
        let mut buffer = [0; 64];
        while matches!((&self.wake).read(&mut buffer), Ok(count) if count > 0) {}
        let last = self.last.swap(0, Ordering::SeqCst);
        i32::try_from(last).ok().filter(|signal| *signal > 0)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        let mut listening = LISTENING.lock().unwrap_or_else(PoisonError::into_inner);
        let left = listening.map_or(0, |count| count.saturating_sub(1));
        *listening = Some(left);
        if left == 0 {
            USUAL.store(true, Ordering::SeqCst);
        }
        for id in self.registered.drain(..) {
            low_level::unregister(id);
        }
    }
}

/// Whether this process was started with a signal ignored, where the system tells.
fn is_ignored(signal: i32) -> bool {
    if !cfg!(target_os = "linux") {
        return false;
    }
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    u32::try_from(signal - 1).is_ok_and(|bit| mask.checked_shr(bit).is_some_and(|mask| mask & 1 == 1))
}
