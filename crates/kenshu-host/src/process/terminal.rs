//! The pseudo-terminal of a command that runs in our place: keys go to it, and the real terminal is given back as it
//! was.
//!
//! While the command runs, the real terminal is raw: it neither echoes nor turns Ctrl-C into a signal nor changes the
//! output, since the pseudo-terminal, which has its settings, does all that.

use std::{
    fs::File,
    io::{self, IsTerminal},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use rustix::{
    event::PollFlags,
    fs::{Mode, OFlags},
    io::{Errno, FdFlags},
    process::getpgrp,
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr, tcsetwinsize},
};

/// Our terminal, and the pseudo-terminal that stands for it.
pub(super) struct Terminal {
    /// The real one.
    ours: OwnedFd,
    /// Its settings as we found them.
    usual: Termios,
    /// Whether we have set it raw, and nobody has had it since.
    raw: bool,
    /// Our side of the pseudo-terminal.
    master: OwnedFd,
    /// The command's side. Kept open: as long as anybody has it, output that is on its way is not lost.
    slave: OwnedFd,
    /// Keys that the pseudo-terminal has not taken yet.
    keys: Vec<u8>,
    /// Whether there is a keyboard still.
    open: bool,
    /// Whether keys wait until the command has been continued: continuing it would undo a Ctrl-Z that came before.
    held: bool,
}

impl Terminal {
    /// A pseudo-terminal like ours; `None`: our standard input and output are not both a terminal, or the system has
    /// no pseudo-terminal for us.
    pub(super) fn like_ours() -> Option<Terminal> {
        let both = io::stdin().is_terminal() && io::stdout().is_terminal();
        both.then(Terminal::make)?.ok()
    }

    fn make() -> io::Result<Terminal> {
        let ours = io::stdin().as_fd().try_clone_to_owned()?;
        let usual = tcgetattr(&ours)?;
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        rustix::io::fcntl_setfd(&master, FdFlags::CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let name = ptsname(&master, Vec::new())?;
        let slave = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        tcsetattr(&slave, OptionalActions::Now, &usual)?;
        rustix::io::ioctl_fionbio(&master, true)?;
        let terminal =
            Terminal { ours, usual, raw: false, master, slave, keys: Vec::new(), open: true, held: false };
        terminal.resize();
        Ok(terminal)
    }

    /// The real terminal.
    pub(super) fn ours(&self) -> BorrowedFd<'_> {
        self.ours.as_fd()
    }

    /// What the command gets as its standard streams.
    pub(super) fn stream(&self) -> BorrowedFd<'_> {
        self.slave.as_fd()
    }

    /// Where its output arrives. Does not block.
    pub(super) fn output(&self) -> io::Result<File> {
        self.master.try_clone().map(File::from)
    }

    /// Takes the real terminal for the command, if it is ours to take; to be called again whenever that may have
    /// changed.
    pub(super) fn take(&mut self) {
        if !self.in_foreground() {
            // Whoever has it now has set it as they like; our settings come back with us.
            self.raw = false;
        } else if !self.raw {
            let mut raw = self.usual.clone();
            raw.make_raw();
            self.raw = tcsetattr(&self.ours, OptionalActions::Now, &raw).is_ok();
        }
    }

    /// Gives the real terminal back as it was.
    pub(super) fn give_back(&mut self) {
        if std::mem::take(&mut self.raw) && self.in_foreground() {
            // Not flushed: what was typed ahead and is not read yet belongs to whoever comes next.
            let _ = tcsetattr(&self.ours, OptionalActions::Now, &self.usual);
        }
    }

    /// Lets keys wait, or no longer.
    pub(super) fn hold_keys(&mut self, held: bool) {
        self.held = held;
    }

    /// Whether the terminal would let us have our way. Setting it from the background would stop us.
    fn in_foreground(&self) -> bool {
        // An error means that it is not our controlling terminal: then there is no foreground to be in.
        tcgetpgrp(&self.ours).map_or(true, |group| group == getpgrp())
    }

    /// Makes the pseudo-terminal as large as the window is now; the system tells the command.
    pub(super) fn resize(&self) {
        if let Ok(now) = tcgetwinsize(io::stdout())
            && tcgetwinsize(&self.master) != Ok(now)
        {
            let _ = tcsetwinsize(&self.master, now);
        }
    }

    /// What is waited for: the next key, or room for those that wait already.
    pub(super) fn awaited(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        if !self.keys.is_empty() {
            Some((self.master.as_fd(), PollFlags::OUT))
        } else {
            // In the background, reading would stop us.
            (self.raw && self.open && !self.held).then(|| (self.ours.as_fd(), PollFlags::IN))
        }
    }

    /// Passes on what [`Terminal::awaited`] has waited for.
    pub(super) fn pass_on(&mut self) {
        if self.keys.is_empty() {
            let mut buffer = [0; 4096];
            match rustix::io::read(&self.ours, &mut buffer) {
                Ok(count) if count > 0 => self.keys.extend_from_slice(&buffer[..count]),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Ok(_) | Err(_) => self.open = false,
            }
        }
        while !self.keys.is_empty() {
            match rustix::io::write(&self.master, &self.keys) {
                Ok(count) => drop(self.keys.drain(..count)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => {
                    self.keys.clear();
                    self.open = false;
                }
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.give_back();
    }
}
