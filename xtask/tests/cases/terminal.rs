//! Steps at a terminal: kenshu on a new pseudo-terminal, keys typed when a text has appeared, and what is on the
//! screen at the end.
//!
//! No terminal outside is needed, and no privileges: the pseudo-terminal is made here, and becomes the controlling
//! terminal of a new session. Nothing waits for a time to pass; the deadline only ends what has gone wrong.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, isatty, tcsetwinsize};
use serde::Deserialize;

/// The first argument that makes this program put itself at the terminal and become the rest of its arguments.
const AT_TERMINAL: &str = "__at_terminal";
/// Far more than any step takes, also on a machine with other work.
const DEADLINE: Duration = Duration::from_secs(120);

/// A terminal, what is typed there, and what is seen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Terminal {
    columns: NonZero<u16>,
    rows: NonZero<u16>,
    /// Which of `stdin` (then empty), `stdout` and `stderr` are pipes all the same.
    #[serde(default)]
    pub(crate) piped: BTreeSet<String>,
    /// A command that gets kenshu and its arguments as its own last ones, such as a shell with job control.
    #[serde(default)]
    under: Vec<String>,
    /// What is done, in order.
    #[serde(default)]
    keys: Vec<Keys>,
    /// What was sent to the screen at any time.
    #[serde(default)]
    has: Vec<String>,
    /// What was never sent to it.
    #[serde(default)]
    lacks: Vec<String>,
    /// What stands on the screen at the end.
    #[serde(default)]
    shows: Vec<String>,
    /// What does not.
    #[serde(default)]
    hides: Vec<String>,
    /// Everything that stands there at the end; blanks at the end of lines and empty lines at the end left out.
    screen: Option<String>,
    /// Whether a line was ever longer than the screen is wide.
    wraps: Option<bool>,
}

/// Something done at the terminal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    /// Done once this text has been sent to the screen, after the text that was last waited for.
    after: String,
    /// What is typed: `\u0003` is Ctrl-C.
    #[serde(default)]
    send: String,
    /// A file of the project that is made, so that a command can wait for what was seen.
    touch: Option<PathBuf>,
    /// Columns and rows that the window is drawn to.
    resize: Option<(NonZero<u16>, NonZero<u16>)>,
}

/// What was seen.
pub(crate) struct Seen {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    screen: Screen,
}

impl Seen {
    /// What was sent to the screen, and what stands on it.
    pub(crate) fn told(&self) -> String {
        self.screen.told()
    }
}

/// The screen, and what was ever sent to it.
struct Screen {
    parser: vt100::Parser,
    sent: Vec<u8>,
    wrapped: bool,
}

impl Screen {
    fn take(&mut self, bytes: &[u8]) {
        self.sent.extend_from_slice(bytes);
        // Byte by byte, since a line that was too long may be erased by the next bytes.
        for byte in bytes {
            self.parser.process(&[*byte]);
            let screen = self.parser.screen();
            self.wrapped |= (0..screen.size().0.get()).any(|row| screen.row_wrapped(row));
        }
    }

    fn shown(&self) -> String {
        let contents = self.parser.screen().contents();
        let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }

    fn told(&self) -> String {
        // The end tells most, and a line that is overwritten for minutes nothing.
        let last = &self.sent[self.sent.len().saturating_sub(4000)..];
        let sent = String::from_utf8_lossy(last);
        format!("--- sent to the screen\n{}\n--- on it at the end\n{}", sent.escape_debug(), self.shown())
    }
}

impl Terminal {
    /// Checks what was seen.
    pub(crate) fn judge(&self, seen: &Seen) -> Result<(), String> {
        let sent = String::from_utf8_lossy(&seen.screen.sent);
        let shown = seen.screen.shown();
        let lacking =
            |text: &str, wanted: &[String]| wanted.iter().find(|part| !text.contains(&**part)).cloned();
        let holding =
            |text: &str, unwanted: &[String]| unwanted.iter().find(|part| text.contains(&**part)).cloned();
        let wrong = [
            lacking(&sent, &self.has).map(|part| format!("{part:?} was never sent to the screen")),
            holding(&sent, &self.lacks).map(|part| format!("{part:?} was sent to the screen")),
            lacking(&shown, &self.shows).map(|part| format!("the screen lacks {part:?}")),
            holding(&shown, &self.hides).map(|part| format!("the screen holds {part:?}")),
            self.screen
                .as_ref()
                .filter(|text| text.trim_end() != shown)
                .map(|text| format!("the screen is not {text:?}")),
            self.wraps
                .filter(|wraps| *wraps != seen.screen.wrapped)
                .map(|wraps| format!("wraps = {}", !wraps)),
        ];
        wrong.into_iter().flatten().next().map_or(Ok(()), |wrong| Err(format!("{wrong}\n{}", seen.told())))
    }

    /// Runs `command` at a new terminal.
    pub(crate) fn run(&self, command: &Command) -> Result<Seen, String> {
        let (master, slave) =
            pair(self.columns, self.rows).map_err(|error| format!("pseudo-terminal: {error}"))?;
        let mut child = self.spawn(command, slave)?;
        let out = child.stdout.take().map(reader);
        let err = child.stderr.take().map(reader);
        let screen = Screen {
            parser: vt100::Parser::new(self.rows, self.columns, 0),
            sent: Vec::new(),
            wrapped: false,
        };
        let folder = command.get_current_dir().unwrap_or(Path::new("."));
        let mut session = Session { master, screen, keys: &self.keys, folder, waited: 0 };
        let ended = session.follow(&mut child);
        if let Err(error) = ended {
            // What was started here is ended here: the session's leader, and by the terminal's end the rest.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{error}\n{}", session.screen.told()));
        }
        let code = child.wait().map_err(|error| error.to_string())?.code();
        let text = |reader: Option<std::thread::JoinHandle<String>>| {
            reader.map(|reader| reader.join().unwrap()).unwrap_or_default()
        };
        Ok(Seen { code, stdout: text(out), stderr: text(err), screen: session.screen })
    }

    fn spawn(&self, command: &Command, slave: OwnedFd) -> Result<Child, String> {
        let stream = |name: &str, pipe: Stdio| {
            if self.piped.contains(name) {
                return Ok(pipe);
            }
            slave.try_clone().map(Stdio::from).map_err(|error| error.to_string())
        };
        let mut at_terminal = Command::new(std::env::current_exe().unwrap());
        at_terminal
            .arg(AT_TERMINAL)
            .args(&self.under)
            .arg(command.get_program())
            .args(command.get_args())
            .env_clear()
            .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .stdin(stream("stdin", Stdio::null())?)
            .stdout(stream("stdout", Stdio::piped())?)
            .stderr(stream("stderr", Stdio::piped())?);
        if let Some(folder) = command.get_current_dir() {
            at_terminal.current_dir(folder);
        }
        at_terminal.spawn().map_err(|error| error.to_string())
    }
}

fn reader(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A new pseudo-terminal: our side of it, and the side of those who sit at it.
fn pair(columns: NonZero<u16>, rows: NonZero<u16>) -> std::io::Result<(File, OwnedFd)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::io::fcntl_setfd(&master, rustix::io::FdFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC;
    let slave = rustix::fs::open(name, flags, rustix::fs::Mode::empty())?;
    tcsetwinsize(&slave, size(columns, rows))?;
    rustix::io::ioctl_fionbio(&master, true)?;
    Ok((File::from(master), slave))
}

fn size(columns: NonZero<u16>, rows: NonZero<u16>) -> Winsize {
    Winsize { ws_row: rows.get(), ws_col: columns.get(), ws_xpixel: 0, ws_ypixel: 0 }
}

/// What goes on at the terminal until everybody has left it.
struct Session<'a> {
    master: File,
    screen: Screen,
    keys: &'a [Keys],
    folder: &'a Path,
    /// Up to where in what was sent the texts have appeared that were waited for.
    waited: usize,
}

impl Session<'_> {
    /// Follows the session until the command has ended and nobody holds the terminal any more.
    fn follow(&mut self, child: &mut Child) -> Result<(), String> {
        let since = Instant::now();
        loop {
            let mut descriptors = [PollFd::new(&self.master, PollFlags::IN)];
            let _ = poll(&mut descriptors, Timespec::try_from(Duration::from_millis(100)).ok().as_ref());
            let anybody = self.read()?;
            self.act()?;
            if !anybody {
                break;
            }
            if since.elapsed() > DEADLINE {
                let waits = self.keys.first().map(|keys| format!(", waiting for {:?}", keys.after));
                let ended = child
                    .try_wait()
                    .ok()
                    .flatten()
                    .map_or("it runs", |_| "it has left others at the terminal");
                return Err(format!("not finished after {DEADLINE:?}: {ended}{}", waits.unwrap_or_default()));
            }
        }
        match self.keys.first() {
            Some(keys) => Err(format!("it ended, and {:?} had not appeared", keys.after)),
            None => Ok(()),
        }
    }

    /// Takes what was sent. Whether somebody is still there.
    fn read(&mut self) -> Result<bool, String> {
        let mut buffer = [0; 4096];
        loop {
            match self.master.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(count) => self.screen.take(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // How Linux says that nobody has the other side open.
                Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => {
                    return Ok(false);
                }
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// Does whatever was waiting for a text that is there now.
    fn act(&mut self) -> Result<(), String> {
        while let Some((next, rest)) = self.keys.split_first() {
            let fresh = &self.screen.sent[self.waited..];
            let text = next.after.as_bytes();
            let Some(at) = fresh.windows(text.len().max(1)).position(|window| window == text) else { break };
            self.waited += at + text.len();
            self.keys = rest;
            if let Some((columns, rows)) = next.resize {
                tcsetwinsize(&self.master, size(columns, rows)).map_err(|error| error.to_string())?;
                self.screen.parser.screen_mut().set_size(rows, columns);
            }
            if let Some(path) = &next.touch {
                std::fs::write(self.folder.join(path), "").map_err(|error| error.to_string())?;
            }
            if next.send.is_empty() {
                continue;
            }
            // A few bytes, which the terminal's queue takes at once.
            self.master.write_all(next.send.as_bytes()).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// To be called first thing in `main`: becomes the command at the terminal, if this process was started for that.
pub(crate) fn become_command() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != AT_TERMINAL {
        return None;
    }
    let program = PathBuf::from(arguments.next()?);
    let error = sit_down().map_or_else(|error| error, |()| Command::new(&program).args(arguments).exec());
    let _ = writeln!(std::io::stderr(), "{}: {error}", program.display());
    Some(ExitCode::from(99))
}

/// A session of our own, with the terminal on one of our streams as its own.
fn sit_down() -> std::io::Result<()> {
    rustix::process::setsid()?;
    let (stdin, stdout, stderr) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let terminal = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()].into_iter().find(|stream| isatty(stream));
    Ok(rustix::process::ioctl_tiocsctty(terminal.ok_or(ErrorKind::NotFound)?)?)
}
