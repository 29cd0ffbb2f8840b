//! Running commands on platforms whose process trees we cannot end: refused, since half a promise is none.

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use super::{Invocation, Output, Progress, StartError};

/// The program that becomes the supervisor, and the arguments that make it one.
#[derive(Clone, Debug)]
pub struct Supervisor {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Supervisor {
    /// There is none here.
    pub fn of_this_program() -> Result<Supervisor, StartError> {
        Err(unsupported())
    }
}

pub(super) fn run(
    _supervisor: &Supervisor,
    _invocation: &Invocation,
    _progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Output, StartError> {
    Err(unsupported())
}

pub(super) fn run_passthrough(
    _supervisor: &Supervisor,
    _invocation: &Invocation,
    _progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Output, StartError> {
    Err(unsupported())
}

pub(super) fn supervise() -> ExitCode {
    ExitCode::FAILURE
}

fn unsupported() -> StartError {
    StartError::Other {
        doing: "run a command on this system",
        why: "Kenshu runs commands on Linux and macOS; give it the output instead: kenshu count FILE"
            .to_owned(),
    }
}
