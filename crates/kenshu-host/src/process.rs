//! Runs a command: whole tree, time limit, one stream of output, exact exit status.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use kenshu_model::words::error;
use kenshu_model::{Exit, Message};

#[cfg(unix)]
use crate::environment::Environment;
use crate::store::Dropped;

#[cfg(unix)]
mod family;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod protocol;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod supervisor;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as platform;
#[cfg(unix)]
use unix as platform;

pub use platform::Supervisor;

/// The hidden first argument that turns the binary into the supervisor of one command.
pub const SUPERVISE: &str = "__supervise";

/// A command and the conditions it is run under.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The program and its arguments; no shell is added.
    pub argv: Vec<OsString>,
    /// The folder it runs in.
    pub cwd: PathBuf,
    /// Variables set on top of [`crate::environment::for_child`].
    pub env_set: Vec<(OsString, OsString)>,
    /// When to end it; `None`: never.
    pub time_limit: Option<Duration>,
    /// How long the tree has between the request to end (TERM) and being ended (KILL).
    pub grace: Duration,
}

/// What happens while a command runs.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// The process exists.
    Started {
        /// Its id, which is also that of its process group (not in [`run_passthrough`]).
        pid: u32,
    },
    /// The next bytes of its output.
    Output(&'a [u8]),
    /// A moment has passed; sent about four times a second.
    Tick {
        /// Time since the start.
        elapsed: Duration,
    },
    /// We were asked to stop, and have asked the command; asked again, we end it at once. Not in [`run_passthrough`].
    Stopping,
}

/// What a command left.
#[derive(Clone, Debug)]
pub struct Output {
    /// Standard output and standard error in the order of arrival, beginning and end.
    pub bytes: Vec<u8>,
    /// What is missing in `bytes`.
    pub dropped: Option<Dropped>,
    /// How the command ended. [`Exit::Signal`] also where we were asked to stop by a signal and ended it.
    pub exit: Exit,
    /// From the start to the end of the command itself.
    pub duration: Duration,
    /// Whether processes of its tree were still there a moment after it had ended.
    pub leftover: bool,
    /// The signal by which we ourselves were asked to stop meanwhile: the caller should stop, too.
    pub interrupted: Option<i32>,
    /// Why some of the output could not be passed on to our own, other than that nobody reads it any more: no space,
    /// a broken device. Only in [`run_passthrough`].
    pub unwritten: Option<String>,
}

/// Why a command could not be started.
#[derive(Debug)]
pub enum StartError {
    /// No such program, or the interpreter named in its first line is missing.
    NotFound {
        /// The program.
        program: OsString,
    },
    /// The file is there and cannot be executed.
    NotExecutable {
        /// The program.
        program: OsString,
    },
    /// The folder is not there, or is no folder.
    NoFolder {
        /// The folder.
        cwd: PathBuf,
    },
    /// There is no word in the command, or the first one is empty.
    Empty,
    /// Anything else: no process could be made, too many arguments.
    Other {
        /// What we were doing.
        doing: &'static str,
        /// What the system said.
        why: String,
    },
}

impl StartError {
    /// The status a shell would have given: 127 not found, 126 not executable; `None` where there is no such custom.
    pub fn code(&self) -> Option<i32> {
        match self {
            StartError::NotFound { .. } => Some(127),
            StartError::NotExecutable { .. } => Some(126),
            StartError::NoFolder { .. } | StartError::Empty | StartError::Other { .. } => None,
        }
    }
}

impl StartError {
    /// The whole of it in one sentence.
    pub fn message(&self) -> Message {
        match self {
            StartError::NotFound { program } => not_found(program),
            StartError::NotExecutable { program } => {
                Message::new(&error::NOT_EXECUTABLE, [&program.display()])
            }
            StartError::NoFolder { cwd } => Message::new(&error::NO_FOLDER, [&cwd.display()]),
            StartError::Empty => Message::from(&error::EMPTY_COMMAND),
            StartError::Other { doing, why } => Message::new(&error::NOT_STARTED, [doing, why]),
        }
    }
}

/// A whole command line that was quoted as if it were a program's name is shown as it has to be written.
fn not_found(program: &OsStr) -> Message {
    let shown = program.display();
    let Some(line) = program.to_str().filter(|line| line.contains(char::is_whitespace)) else {
        return Message::new(&error::NOT_FOUND, [&shown]);
    };
    let is_plain = !line.contains(|symbol: char| "&|;<>$`'\"\\=*?()".contains(symbol));
    let words = if is_plain { line.to_owned() } else { format!("sh -c '{}'", line.replace('\'', "'\\''")) };
    Message::new(&error::ONE_WORD, [&shown, &words])
}

impl fmt::Display for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(formatter)
    }
}

impl std::error::Error for StartError {}

/// Runs a command apart from us: own session without a terminal, own process group, no standard input, one pipe for
/// standard output and standard error.
///
/// When it ends, when the time limit passes, when we are asked to stop by SIGINT, SIGTERM or SIGHUP, and when we are
/// killed outright, nothing of its tree stays: processes that are left after a moment get TERM, and KILL after the grace.
pub fn run(invocation: &Invocation, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Output, StartError> {
    run_under(&Supervisor::of_this_program()?, invocation, progress)
}

/// [`run`] with a supervisor that is another program: for tests, whose own program calls no [`supervise`].
pub fn run_under(
    supervisor: &Supervisor,
    invocation: &Invocation,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Output, StartError> {
    platform::run(supervisor, invocation, progress)
}

/// Runs a command in our place: standard input and terminal are ours, its output goes to ours at once and unchanged,
/// and is kept as well.
///
/// Where our standard input and output are a terminal, the command gets a pseudo-terminal of the same size and
/// settings as the terminal of a session of its own: keys (also Ctrl-C, Ctrl-Z, Ctrl-D), changes of the window's size
/// and output are passed between the two. Elsewhere its output goes through pipes, one for each of our streams.
///
/// Only a time limit and our own death end its tree; what it leaves in the background on purpose stays, as it would
/// without us.
pub fn run_passthrough(
    invocation: &Invocation,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Output, StartError> {
    run_passthrough_under(&Supervisor::of_this_program()?, invocation, progress)
}

/// [`run_passthrough`] with a supervisor that is another program.
pub fn run_passthrough_under(
    supervisor: &Supervisor,
    invocation: &Invocation,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Output, StartError> {
    platform::run_passthrough(supervisor, invocation, progress)
}

/// To be called first thing in `main` with the program's arguments (its own name included).
///
/// `Some`: this process was started by [`run`] to be the supervisor of one command and has finished; return the code.
pub fn supervise(args: &mut dyn Iterator<Item = OsString>) -> Option<ExitCode> {
    (args.nth(1)? == SUPERVISE).then(supervise_now)
}

/// What [`supervise`] does, whatever the arguments.
pub fn supervise_now() -> ExitCode {
    platform::supervise()
}

/// The environment of the command: ours without what a test runner left, what the caller sets, and `PWD` as a shell
/// would set it for the folder.
#[cfg(unix)]
fn environment_of(invocation: &Invocation) -> Environment {
    let ours = Environment::of_this_process();
    let mut environment = ours.for_child();
    let same = |value: &std::ffi::OsStr| {
        let (told, real) = (std::fs::canonicalize(value), std::fs::canonicalize(&invocation.cwd));
        matches!((told, real), (Ok(told), Ok(real)) if told == real)
    };
    if ours.get("PWD").is_some_and(|value| !same(value))
        && let Ok(folder) = std::path::absolute(&invocation.cwd)
    {
        environment.set("PWD", folder);
    }
    for (name, value) in &invocation.env_set {
        environment.set(name, value);
    }
    environment
}
