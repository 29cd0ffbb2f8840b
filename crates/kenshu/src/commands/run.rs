//! `kenshu run`: a verification, unchanged, whose result is left where a machine can read it.

use std::ffi::OsString;
use std::time::Duration;

use kenshu_host::process;
use kenshu_host::tree::Fingerprint;
use kenshu_model::Exit;
use kenshu_readers::Context;

use crate::args::RunArgs;
use crate::exit;
use crate::record::Record;
use crate::wiring::{Answer, Failure, World};

/// Runs it; the status is the command's own.
pub(crate) fn run(world: &World, args: &RunArgs) -> Answer {
    let project = world.project()?;
    let record = Record::open(world, &project)?;
    let cwd = std::env::current_dir()
        .map_err(|error| Failure::usage(format!("this folder cannot be entered: {error}")))?;
    let invocation = process::Invocation {
        argv: args.argv.iter().map(OsString::from).collect(),
        cwd,
        env_set: Vec::new(),
        time_limit: None,
        grace: Duration::from_secs(5),
    };
    let tree = Fingerprint::of(&project.root, project.git.as_ref()).ok();
    let output = match process::run_passthrough(&invocation, &mut |_| {}) {
        Ok(output) => output,
        Err(error) => {
            let status = error.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::NOT_RUN);
            return Err(Failure { line: error.to_string(), status });
        }
    };
    let context = Context {
        argv: Some(&args.argv),
        exit: Some(output.exit),
        dropped: output.dropped.is_some(),
        ..Context::default()
    };
    let count = kenshu_readers::count(&output.bytes, &context);
    // The verification has its own answer; a ledger that cannot be written must not change it.
    if let Err(failure) = record.run(&args.argv, &count, &output, tree.as_ref(), world) {
        world.say(&format!("kenshu: the result was not recorded: {failure}"));
    }
    match (status_of(output.exit), output.unwritten) {
        // The command's own word, unless nobody has seen what it says went well.
        (exit::OK, Some(why)) => Err(Failure {
            line: format!("could not write the command's output to our own: {why}; it is kept in the ledger"),
            status: exit::NOT_RUN,
        }),
        (status, _) => Ok(status),
    }
}

/// As a shell gives it on: 128 + the signal's number.
fn status_of(exit: Exit) -> u8 {
    match exit {
        Exit::Code(code) => u8::try_from(code.rem_euclid(256)).unwrap_or(1),
        Exit::Signal(signal) => u8::try_from(128 + signal).unwrap_or(255),
        Exit::TimedOut { .. } => 124,
    }
}
