//! Kenshu's side of a running command: starts the supervisor, reads the output, passes on requests to stop.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, IsTerminal, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use kenshu_model::Exit;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Pid, Signal, kill_current_process_group},
};

use super::{
    Invocation, Output, Progress, StartError,
    family::Family,
    protocol::{Ending, Mode, Report, Request, send_request, take_report},
    signals::Signals,
    supervisor,
    terminal::Terminal,
};
use signal_hook::consts::{SIGCONT, SIGWINCH};

use crate::{clock::Stopwatch, store::Store};

/// How often the caller is told that time passes.
const TICK: Duration = Duration::from_millis(250);
/// The status of a process that KILL ended; what a command counts as whose supervisor was killed.
const SIGKILL: i32 = 9;
const SIGINT: i32 = 2;

/// The program that becomes the supervisor, and the arguments that make it one.
#[derive(Clone, Debug)]
pub struct Supervisor {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Supervisor {
    /// This very program, whose `main` calls [`super::supervise`] first.
    pub fn of_this_program() -> Result<Supervisor, StartError> {
        let program = std::env::current_exe().map_err(|error| other("find our own program", &error))?;
        Ok(Supervisor { program, args: supervisor::arguments() })
    }
}

/// Where one output stream of the command goes.
struct Stream {
    pipe: Option<File>,
    copy_to: Option<OwnedFd>,
}

/// A command that runs.
struct Running {
    socket: UnixStream,
    child: Child,
    signals: Signals,
    streams: Vec<Stream>,
    mode: Mode,
    terminal: Option<Terminal>,
    watch: Stopwatch,
    next_tick: Duration,
    received: Vec<u8>,
    pid: Option<u32>,
    not_started: Option<i32>,
    ended: Option<(Ending, Duration)>,
    done: Option<bool>,
    interrupted: Option<i32>,
    unwritten: Option<io::Error>,
}

/// Becomes the supervisor of the command that arrives on standard input.
pub(super) fn supervise() -> std::process::ExitCode {
    supervisor::main()
}

/// Runs a command under `supervisor`.
pub(super) fn run(
    supervisor: &Supervisor,
    invocation: &Invocation,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Output, StartError> {
    let null = File::open("/dev/null").map_err(|error| other("open /dev/null", &error))?;
    let (stream, writer) = piped(None)?;
    let given = [null.as_fd(), writer.as_fd(), writer.as_fd()];
    let running = Running::start(supervisor, invocation, Mode::Apart, vec![stream], given, None)?;
    drop(writer);
    running.finish(invocation, progress)
}

/// Runs a command in our place under `supervisor`.
pub(super) fn run_passthrough(
    supervisor: &Supervisor,
    invocation: &Invocation,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Output, StartError> {
    if let Some(terminal) = Terminal::like_ours() {
        return run_at_terminal(supervisor, invocation, progress, terminal);
    }
    let (out, out_writer) = piped(Some(io::stdout().as_fd()))?;
    let (err, err_writer) = piped(Some(io::stderr().as_fd()))?;
    let stdin = io::stdin();
    let given = [stdin.as_fd(), out_writer.as_fd(), err_writer.as_fd()];
    let running = Running::start(supervisor, invocation, Mode::InOurPlace, vec![out, err], given, None)?;
    drop((out_writer, err_writer));
    running.finish(invocation, progress)
}

/// Runs a command at `terminal`; only a standard error that goes elsewhere stays apart.
fn run_at_terminal(
    supervisor: &Supervisor,
    invocation: &Invocation,
    progress: &mut dyn FnMut(Progress<'_>),
    terminal: Terminal,
) -> Result<Output, StartError> {
    let seat =
        || terminal.stream().try_clone_to_owned().map_err(|error| other("use a pseudo-terminal", &error));
    let output = terminal.output().map_err(|error| other("use a pseudo-terminal", &error))?;
    let mut streams = vec![Stream { pipe: Some(output), copy_to: Some(copy(io::stdout().as_fd())?) }];
    let (out_writer, err_writer) = if io::stderr().is_terminal() {
        (seat()?, seat()?)
    } else {
        let (err, writer) = piped(Some(io::stderr().as_fd()))?;
        streams.push(err);
        (seat()?, writer)
    };
    let given = [out_writer.as_fd(), out_writer.as_fd(), err_writer.as_fd()];
    let running = Running::start(supervisor, invocation, Mode::AtTerminal, streams, given, Some(terminal))?;
    drop((out_writer, err_writer));
    running.finish(invocation, progress)
}

/// A pipe whose end is read without blocking and copied, and the end that is written.
fn piped(copy_to: Option<BorrowedFd<'_>>) -> Result<(Stream, OwnedFd), StartError> {
    let (reader, writer) = io::pipe().map_err(|error| other("make a pipe", &error))?;
    rustix::io::ioctl_fionbio(&reader, true).map_err(|error| other("set up a pipe", &error.into()))?;
    let copy_to = copy_to.map(copy).transpose()?;
    Ok((Stream { pipe: Some(File::from(OwnedFd::from(reader))), copy_to }, writer.into()))
}

fn copy(descriptor: BorrowedFd<'_>) -> Result<OwnedFd, StartError> {
    descriptor.try_clone_to_owned().map_err(|error| other("use our own output", &error))
}

impl Running {
    fn start(
        supervisor: &Supervisor,
        invocation: &Invocation,
        mode: Mode,
        streams: Vec<Stream>,
        given: [BorrowedFd<'_>; 3],
        terminal: Option<Terminal>,
    ) -> Result<Running, StartError> {
        if invocation.argv.first().is_none_or(|program| program.is_empty()) {
            return Err(StartError::Empty);
        }
        if !invocation.cwd.is_dir() {
            return Err(StartError::NoFolder { cwd: invocation.cwd.clone() });
        }
        let also: &[i32] = if terminal.is_some() { &[SIGWINCH, SIGCONT] } else { &[] };
        let signals = Signals::listen(also).map_err(|error| other("listen for signals", &error))?;
        let (ours, theirs) = UnixStream::pair().map_err(|error| other("make a socket", &error))?;
        let child = Command::new(&supervisor.program)
            .args(&supervisor.args)
            .env_clear()
            .envs(super::environment_of(invocation).iter())
            .current_dir(&invocation.cwd)
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| other("start our own supervisor", &error))?;
        let request = Request {
            mode,
            time_limit: invocation.time_limit,
            grace: invocation.grace,
            argv: invocation.argv.clone(),
        };
        // If the supervisor is gone, its silence says so below.
        let _ = send_request(&ours, &request, given, terminal.as_ref().map(Terminal::ours));
        ours.set_nonblocking(true).map_err(|error| other("set up a socket", &error))?;
        Ok(Running {
            socket: ours,
            child,
            signals,
            streams,
            mode,
            terminal,
            watch: Stopwatch::start(),
            next_tick: TICK,
            received: Vec::new(),
            pid: None,
            not_started: None,
            ended: None,
            done: None,
            interrupted: None,
            unwritten: None,
        })
    }

    fn finish(
        mut self,
        invocation: &Invocation,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Output, StartError> {
        let mut store = Store::default();
        let mut alone = false;
        while self.done.is_none() && self.not_started.is_none() && !alone {
            alone = self.step(&mut store, progress);
        }
        // Nothing of the tree is left to write, or may go on writing without us: what is in the pipes is all.
        self.read_streams(&mut store, progress);
        // Given back before anybody says anything more.
        self.terminal = None;
        if self.done.is_none() && self.not_started.is_none() {
            self.end_orphans();
        }
        let killed = self.child.wait().is_ok_and(|status| !status.success());
        if let Some(errno) = self.not_started {
            return Err(start_error(invocation, errno));
        }
        if self.pid.is_none() && !killed {
            let why = "it ended without a word".to_owned();
            return Err(StartError::Other { doing: "start our own supervisor", why });
        }
        let (how, duration) = self.ended.unwrap_or((Ending::Signal(SIGKILL), self.watch.elapsed()));
        let exit = match how {
            Ending::Code(code) => Exit::Code(code),
            Ending::Signal(signal) | Ending::Stopped(signal) => Exit::Signal(signal),
            Ending::TimedOut => Exit::TimedOut { after_s: whole_seconds(invocation.time_limit) },
        };
        let stored = store.finish();
        Ok(Output {
            bytes: stored.bytes,
            dropped: stored.dropped,
            exit,
            duration,
            leftover: self.done.unwrap_or(true),
            interrupted: self.interrupted,
            unwritten: self.unwritten.map(|error| error.to_string()),
        })
    }

    /// Waits for the next thing to happen, and takes it up. Whether the supervisor is gone.
    fn step(&mut self, store: &mut Store, progress: &mut dyn FnMut(Progress<'_>)) -> bool {
        let mut descriptors = vec![
            PollFd::from_borrowed_fd(self.signals.descriptor(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.socket.as_fd(), PollFlags::IN),
        ];
        // At a terminal, nobody is shown anything to answer before the keys go to the command.
        let shown = self.terminal.is_none() || self.pid.is_some();
        let pipes = self.streams.iter().filter(|_| shown).filter_map(|stream| stream.pipe.as_ref());
        descriptors.extend(pipes.map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)));
        let awaited = self.terminal.as_ref().and_then(Terminal::awaited);
        descriptors.extend(awaited.map(|(descriptor, flags)| PollFd::from_borrowed_fd(descriptor, flags)));
        let timeout = Timespec::try_from(TICK).ok();
        // A signal may cut the wait short; what is ready then shows in the descriptors all the same.
        let _ = poll(&mut descriptors, timeout.as_ref());
        let ready: Vec<bool> =
            descriptors.iter().map(|descriptor| !descriptor.revents().is_empty()).collect();
        let keys = awaited.is_some() && ready.last() == Some(&true);
        let elapsed = self.watch.elapsed();
        if elapsed >= self.next_tick {
            self.next_tick = elapsed + TICK;
            progress(Progress::Tick { elapsed });
            // No signal tells that a shell has put us into the background, or back.
            self.look_at_terminal();
        }
        if keys && let Some(terminal) = &mut self.terminal {
            terminal.pass_on();
        }
        if ready[2..].contains(&true) {
            self.read_streams(store, progress);
        }
        if ready[0] {
            self.look_at_terminal();
            self.pass_on_signal(progress);
        }
        ready[1] && self.read_reports(progress)
    }

    /// Reads what is there; a pipe at its end is closed. Bounded, so that a flood of output does not hide the rest.
    fn read_streams(&mut self, store: &mut Store, progress: &mut dyn FnMut(Progress<'_>)) {
        let mut buffer = vec![0; 64 << 10];
        for stream in &mut self.streams {
            let Some(pipe) = &mut stream.pipe else { continue };
            let mut open = true;
            let mut rounds = 0;
            while open && rounds < 64 {
                rounds += 1;
                match pipe.read(&mut buffer) {
                    Ok(0) => open = false,
                    Ok(count) => {
                        let bytes = &buffer[..count];
                        store.push(bytes);
                        progress(Progress::Output(bytes));
                        match stream.copy_to.as_ref().map_or(Ok(()), |copy| write_all(copy, bytes)) {
                            Ok(()) => {}
                            // Whoever read our output is gone: so is the reader of the command's.
                            Err(Errno::PIPE) => open = false,
                            Err(Errno::IO) if self.mode == Mode::AtTerminal => open = false,
                            // The run goes on, and what it says is kept.
                            Err(error) => {
                                stream.copy_to = None;
                                self.unwritten.get_or_insert(error.into());
                            }
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(_) => open = false,
                }
            }
            if !open {
                stream.pipe = None;
                // With its other side gone, the command's terminal hangs up, as ours did.
                self.terminal = None;
            }
        }
    }

    /// Takes note of who has our terminal, and how large it is.
    fn look_at_terminal(&mut self) {
        if let Some(terminal) = self.terminal.as_mut().filter(|_| self.pid.is_some()) {
            terminal.resize();
            terminal.take();
        }
    }

    /// The command was stopped (Ctrl-Z): the whole job is, until the shell continues it.
    fn pause(&mut self) {
        if let Some(terminal) = &mut self.terminal {
            terminal.hold_keys(true);
            terminal.give_back();
        }
        // Where no shell could continue us, the system does not stop us, and we go on at once.
        let _ = kill_current_process_group(Signal::TSTP);
        self.look_at_terminal();
        if let Ok(byte) = u8::try_from(SIGCONT) {
            let _ = self.socket.write_all(&[byte]);
        }
    }

    /// Reads what the supervisor reports. Whether it is gone.
    fn read_reports(&mut self, progress: &mut dyn FnMut(Progress<'_>)) -> bool {
        let mut buffer = [0; 256];
        let gone = match self.socket.read(&mut buffer) {
            Ok(0) => true,
            Ok(count) => {
                self.received.extend_from_slice(&buffer[..count]);
                false
            }
            Err(error) => !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        };
        loop {
            match take_report(&mut self.received) {
                Ok(Some(Report::Started { pid })) => {
                    self.pid = Some(pid);
                    self.look_at_terminal();
                    progress(Progress::Started { pid });
                }
                Ok(Some(Report::NotStarted { errno })) => self.not_started = Some(errno),
                Ok(Some(Report::Ended { how, after })) => self.ended = Some((how, after)),
                Ok(Some(Report::Paused { .. })) => self.pause(),
                Ok(Some(Report::Continued)) => {
                    self.terminal.iter_mut().for_each(|terminal| terminal.hold_keys(false));
                }
                Ok(Some(Report::Done { leftover })) => self.done = Some(leftover),
                Ok(None) => return gone,
                Err(_) => return true,
            }
        }
    }

    fn pass_on_signal(&mut self, progress: &mut dyn FnMut(Progress<'_>)) {
        let Some(signal) = self.signals.take() else { return };
        self.interrupted = Some(signal);
        if self.mode == Mode::Apart {
            progress(Progress::Stopping);
        }
        // In our place, the terminal has given the command its own Ctrl-C.
        let given = self.mode == Mode::InOurPlace && signal == SIGINT && at_a_terminal();
        if let (false, Ok(byte)) = (given, u8::try_from(signal)) {
            let _ = self.socket.write_all(&[byte]);
        }
    }

    /// The supervisor was killed, or speaks nonsense: what it was there for is done here.
    fn end_orphans(&mut self) {
        let _ = self.child.kill();
        let pid = |number: u32| i32::try_from(number).ok().and_then(Pid::from_raw);
        let Some(supervisor) = pid(self.child.id()) else { return };
        let main = self.pid.and_then(pid).filter(|_| self.ended.is_none());
        let apart = self.mode == Mode::Apart;
        // Not reaped yet, so that its number, which is that of the session, is nobody else's.
        let mut families = vec![Family::of(supervisor, main.filter(|_| apart), apart.then_some(supervisor))];
        families.extend(main.map(|main| Family::of(main, None, None)));
        for family in &mut families {
            family.kill(&mut |pause| std::thread::sleep(pause));
        }
        if let Some(main) = main {
            let _ = rustix::process::kill_process(main, rustix::process::Signal::KILL);
        }
    }
}

fn at_a_terminal() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}

/// Writes everything, also to a descriptor that somebody made non-blocking.
fn write_all(to: &OwnedFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                poll(&mut [PollFd::new(to, PollFlags::OUT)], None)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn start_error(invocation: &Invocation, errno: i32) -> StartError {
    let program = invocation.argv.first().cloned().unwrap_or_default();
    let error = io::Error::from_raw_os_error(errno);
    let not_executable = Errno::NOEXEC.raw_os_error();
    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
        StartError::NotFound { program }
    } else if error.kind() == io::ErrorKind::PermissionDenied || errno == not_executable {
        StartError::NotExecutable { program }
    } else {
        other("start the command", &error)
    }
}

/// A limit below a second is reported as one: 0 would read as "no time at all".
fn whole_seconds(limit: Option<Duration>) -> u64 {
    let limit = limit.unwrap_or_default();
    (limit.as_secs() + u64::from(limit.subsec_nanos() > 0)).max(1)
}

fn other(doing: &'static str, error: &io::Error) -> StartError {
    StartError::Other { doing, why: error.to_string() }
}
