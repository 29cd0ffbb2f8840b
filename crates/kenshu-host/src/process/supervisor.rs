//! The supervisor: a process of its own between Kenshu and one command, which outlives Kenshu if that is killed.
//!
//! It starts the command, keeps the time, and ends the tree when the command has ended, when the time is over, when
//! Kenshu asks for it, and when the socket to Kenshu closes because Kenshu is gone.

use std::{
    ffi::{OsStr, OsString},
    io::{self, ErrorKind, Read},
    os::{
        fd::{AsFd, OwnedFd},
        unix::{ffi::OsStrExt, net::UnixStream, process::CommandExt},
    },
    path::PathBuf,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use nix::sys::signal::{SIGTTOU, SigSet};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, WaitOptions},
    termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr, tcsetpgrp},
};
use signal_hook::consts::SIGCHLD;

use super::{
    family::Family,
    protocol::{Ending, Given, Mode, Report, Request, receive_request, send_report},
    signals::Signals,
};

/// How long processes that the command left may take to end by themselves. Long enough for what is ending anyway
/// (a compiler's helper, a logger that sees its pipe close), and short enough not to be felt after every run.
const LEFTOVER_WAIT: Duration = Duration::from_millis(300);
/// How often we look whether processes that are not our children have ended: of them no signal tells us.
const LOOK: Duration = Duration::from_millis(20);

/// Supervises the command that arrives on standard input.
pub(super) fn main() -> ExitCode {
    match rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)
        .map_err(io::Error::from)
        .and_then(|socket| serve(socket.into()))
    {
        Ok(()) => ExitCode::SUCCESS,
        // Kenshu is gone, or a person typed the hidden word: nobody to tell.
        Err(_) => ExitCode::from(2),
    }
}

fn serve(socket: UnixStream) -> io::Result<()> {
    // The copy on descriptor 0 is closed, as Kenshu must see the end of the socket when we end; /dev/null takes its place.
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    let (request, given) = receive_request(&socket)?;
    if request.mode != Mode::InOurPlace {
        rustix::process::setsid()?;
    }
    let terminal = (request.mode == Mode::AtTerminal).then(|| Terminal::take(&given)).transpose()?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let signals = Signals::listen(&[SIGCHLD])?;
    let started = Instant::now();
    let main = match start(&request, given.streams) {
        Ok(main) => main,
        Err(error) => {
            let errno = error.raw_os_error().unwrap_or(0);
            return send_report(&socket, Report::NotStarted { errno });
        }
    };
    if let Some(terminal) = &terminal {
        terminal.give_to(main);
    }
    // If Kenshu is gone already, the loop sees the end of the socket and ends the tree.
    let _ = send_report(&socket, Report::Started { pid: main.as_raw_pid().unsigned_abs() });
    let group = (request.mode != Mode::InOurPlace).then_some(main);
    let own = rustix::process::getpid();
    let family = Family::of(own, group, group.map(|_| own));
    socket.set_nonblocking(true)?;
    let main = Some(main);
    Supervisor { socket: Some(socket), signals, request, terminal, main, status: None, family, started }
        .supervise();
    Ok(())
}

/// The command's terminal, which is that of our session, and Kenshu's own.
struct Terminal {
    commands: OwnedFd,
    kenshus: Option<(OwnedFd, Termios)>,
}

impl Terminal {
    /// Makes the command's standard input the terminal of our session. Kenshu has not touched its own yet: it waits
    /// for our first word.
    fn take(given: &Given) -> io::Result<Terminal> {
        let commands = given.streams[0].try_clone()?;
        rustix::process::ioctl_tiocsctty(&commands)?;
        let kenshus = given.terminal.as_ref().map(|terminal| {
            let settings = tcgetattr(terminal)?;
            terminal.try_clone().map(|terminal| (terminal, settings))
        });
        Ok(Terminal { commands, kenshus: kenshus.transpose()? })
    }

    /// Puts a group into the foreground. The command may have asked for the terminal before: it was stopped for that,
    /// and is continued when we hear of it.
    fn give_to(&self, group: Pid) {
        let _ = tcsetpgrp(&self.commands, group);
    }

    fn has(&self, group: Pid) -> bool {
        tcgetpgrp(&self.commands).is_ok_and(|foreground| foreground == group)
    }

    /// At our end the system hangs up on whoever is in the foreground; what the command left on purpose must not be.
    fn take_back(&self) {
        // From the background this would stop us. Blocked only now, since a command inherits what is blocked.
        let mut stop = SigSet::empty();
        stop.add(SIGTTOU);
        if stop.thread_block().is_ok() {
            self.give_to(rustix::process::getpgrp());
        }
    }

    /// Kenshu was killed and has left its terminal raw.
    fn restore_kenshus(&self) {
        if let Some((terminal, settings)) = &self.kenshus {
            let _ = tcsetattr(terminal, OptionalActions::Now, settings);
        }
    }
}

/// Starts the command; the streams are closed here, so that only its tree holds them.
fn start(request: &Request, streams: [OwnedFd; 3]) -> io::Result<Pid> {
    let [stdin, stdout, stderr] = streams;
    let (program, arguments) = request.argv.split_first().ok_or(ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdin(stdin.try_clone()?).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    if request.mode != Mode::InOurPlace {
        command.process_group(0);
    }
    let child = match command.spawn() {
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            let script = script(program).ok_or(error)?;
            let mut shell = Command::new("/bin/sh");
            shell.arg(script).args(arguments).stdin(stdin).stdout(stdout).stderr(stderr);
            if request.mode != Mode::InOurPlace {
                shell.process_group(0);
            }
            shell.spawn()?
        }
        other => other?,
    };
    i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or_else(|| ErrorKind::InvalidData.into())
}

/// The file of a program that has no `#!` line, if it is text: POSIX has a shell run it, as `execvp` does.
fn script(program: &OsStr) -> Option<PathBuf> {
    let path = if program.as_bytes().contains(&b'/') {
        PathBuf::from(program)
    } else {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())?
    };
    let mut start = Vec::new();
    std::fs::File::open(&path).ok()?.take(128).read_to_end(&mut start).ok()?;
    (!start.contains(&0)).then_some(path)
}

/// Why the wait was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Something ended, or a moment passed.
    Look,
    /// Kenshu, or whoever sent us a signal, wants an end.
    Asked(i32),
    /// Kenshu is gone.
    Alone,
}

struct Supervisor {
    /// `None`: Kenshu is gone.
    socket: Option<UnixStream>,
    signals: Signals,
    request: Request,
    terminal: Option<Terminal>,
    main: Option<Pid>,
    status: Option<Ending>,
    family: Family,
    started: Instant,
}

impl Supervisor {
    fn supervise(mut self) {
        let how = self.wait_for_main();
        let after = self.started.elapsed();
        let by_itself = matches!(how, Some(Ending::Code(_) | Ending::Signal(_)));
        let mut leftover = false;
        if by_itself {
            leftover = !self.wait_until_alone(LEFTOVER_WAIT);
        }
        let stays = by_itself && (!leftover || self.request.mode != Mode::Apart);
        if !stays {
            self.end_family();
        }
        if let Some(terminal) = &self.terminal {
            terminal.take_back();
        }
        if let (Some(how), Some(socket)) = (how, &self.socket) {
            let _ = send_report(socket, Report::Ended { how, after });
            let _ = send_report(socket, Report::Done { leftover });
        }
    }

    /// How the command ended; `None`: Kenshu is gone and the command still runs.
    fn wait_for_main(&mut self) -> Option<Ending> {
        loop {
            self.reap();
            if self.status.is_some() {
                return self.status;
            }
            let left = self.request.time_limit.map(|limit| limit.saturating_sub(self.started.elapsed()));
            if left == Some(Duration::ZERO) {
                return Some(Ending::TimedOut);
            }
            match (self.wait(left), self.request.mode) {
                (Event::Look, _) => {}
                (Event::Asked(signal), Mode::Apart) => return Some(Ending::Stopped(signal)),
                (Event::Asked(signal), Mode::InOurPlace | Mode::AtTerminal) => self.pass_on(signal),
                (Event::Alone, _) => {
                    self.terminal.iter().for_each(Terminal::restore_kenshus);
                    return None;
                }
            }
        }
    }

    /// Gives the command itself the signal that Kenshu got in its place; its whole group what a terminal and a shell
    /// send to a whole group.
    fn pass_on(&self, signal: i32) {
        let Some((main, signal)) = self.main.zip(Signal::from_named_raw(signal)) else { return };
        if self.terminal.is_some() && signal != Signal::TERM {
            let _ = rustix::process::kill_process_group(main, signal);
            if signal == Signal::HUP {
                // As a terminal that hangs up does: who is stopped can end only when continued.
                let _ = rustix::process::kill_process_group(main, Signal::CONT);
            }
        } else {
            let _ = rustix::process::kill_process(main, signal);
        }
        if let (Signal::CONT, Some(socket)) = (signal, &self.socket) {
            let _ = send_report(socket, Report::Continued);
        }
    }

    /// The command was stopped: Kenshu stops as well, as the job that both are, and has it continued later.
    fn paused(&self, main: Pid, signal: i32) {
        let asked_early = matches!(Signal::from_named_raw(signal), Some(Signal::TTIN | Signal::TTOU))
            && self.terminal.as_ref().is_some_and(|terminal| terminal.has(main));
        if asked_early {
            let _ = rustix::process::kill_process_group(main, Signal::CONT);
        } else if let Some(socket) = &self.socket {
            let _ = send_report(socket, Report::Paused { signal });
        }
    }

    /// Waits until nothing of the tree is left, or the time is over, or we are asked to hurry. Whether nothing is left.
    fn wait_until_alone(&mut self, limit: Duration) -> bool {
        let since = Instant::now();
        loop {
            if self.is_alone() {
                return true;
            }
            if since.elapsed() >= limit || matches!(self.wait(Some(LOOK)), Event::Asked(_)) {
                return false;
            }
        }
    }

    /// Whether nothing of the tree is left. Where orphans become our children, having no child is enough to know.
    fn is_alone(&mut self) -> bool {
        let childless = self.reap();
        (cfg!(target_os = "linux") && childless) || self.family.is_gone()
    }

    /// Ends the tree: TERM, grace, KILL. A second request to stop ends the grace.
    fn end_family(&mut self) {
        self.reap();
        self.family.ask();
        if self.wait_until_alone(self.request.grace) {
            return;
        }
        let Supervisor { family, .. } = self;
        family.kill(&mut |pause| {
            std::thread::sleep(pause);
            while matches!(rustix::process::wait(WaitOptions::NOHANG), Ok(Some(_))) {}
        });
    }

    /// Takes note of children that have ended: the command, and orphans that became ours. Whether there is no other.
    fn reap(&mut self) -> bool {
        let paused = if self.terminal.is_some() { WaitOptions::UNTRACED } else { WaitOptions::empty() };
        loop {
            let (pid, status) = match rustix::process::wait(WaitOptions::NOHANG | paused) {
                Ok(Some(ended)) => ended,
                Ok(None) => return false,
                Err(error) => return error == rustix::io::Errno::CHILD,
            };
            if self.main != Some(pid) {
                continue;
            }
            if let Some(signal) = status.stopping_signal() {
                self.paused(pid, signal);
                continue;
            }
            // The id is free from now on; it must not get a signal any more.
            self.main = None;
            self.status = match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Some(Ending::Code(code)),
                (None, Some(signal)) => Some(Ending::Signal(signal)),
                (None, None) => None,
            };
        }
    }

    /// Waits for a signal, a word from Kenshu or the end of `limit`.
    fn wait(&mut self, limit: Option<Duration>) -> Event {
        let timeout = limit.and_then(|limit| Timespec::try_from(limit).ok());
        let mut descriptors = vec![PollFd::from_borrowed_fd(self.signals.descriptor(), PollFlags::IN)];
        descriptors
            .extend(self.socket.iter().map(|socket| PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::IN)));
        if poll(&mut descriptors, timeout.as_ref()).is_err() {
            return Event::Look;
        }
        let ready: Vec<bool> =
            descriptors.iter().map(|descriptor| !descriptor.revents().is_empty()).collect();
        if ready[0]
            && let Some(signal) = self.signals.take()
            // In Kenshu's own group, the terminal and the shell have sent it to the command as well.
            && self.request.mode == Mode::Apart
        {
            return Event::Asked(signal);
        }
        let mut byte = [0];
        match self
            .socket
            .as_ref()
            .filter(|_| ready.get(1) == Some(&true))
            .map(|mut socket| socket.read(&mut byte))
        {
            Some(Ok(0)) => {
                self.socket = None;
                Event::Alone
            }
            Some(Ok(_)) => Event::Asked(i32::from(byte[0])),
            Some(Err(_)) | None => Event::Look,
        }
    }
}

/// The arguments with which the binary becomes a supervisor.
pub(super) fn arguments() -> Vec<OsString> {
    vec![super::SUPERVISE.into()]
}
