//! `kenshu run`: a verification, unchanged, whose result is left where a machine can read it.

use std::time::Duration;

use kenshu_host::process;
use kenshu_host::project::Project;
use kenshu_host::tree::Fingerprint;
use kenshu_model::{Count, Exit, Message};
use kenshu_readers::Context;
use kenshu_report::words::commands as words;

use crate::args::RunArgs;
use crate::exit;
use crate::record::{Ended, Record};
use crate::wiring::{Answer, Failure, World};

/// Runs it; the status is the command's own.
pub(crate) fn run(world: &World, args: &RunArgs) -> Answer {
    let project = world.project()?;
    let cwd =
        std::env::current_dir().map_err(|error| Failure::usage(Message::new(&words::NO_CWD, [&error])))?;
    // The command gets its words as they are; a record is text.
    let argv: Vec<String> = args.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let invocation = process::Invocation {
        argv: args.argv.clone(),
        cwd,
        env_set: Vec::new(),
        time_limit: None,
        grace: Duration::from_secs(5),
    };
    let tree = Fingerprint::of(&project.root, project.git.as_ref()).ok();
    let started = Started::of(world, &argv, tree.as_ref(), &project);
    let output = match process::run_passthrough(&invocation, &mut |_| {}) {
        Ok(output) => output,
        Err(error) => {
            let code = error.code();
            let context = Context { argv: Some(&argv), exit: code.map(Exit::Code), ..Context::default() };
            started.ended(&kenshu_readers::count(b"", &context), &[], Duration::ZERO);
            let status = code.and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::NOT_RUN);
            return Err(Failure { line: error.message(), status });
        }
    };
    let context = Context {
        argv: Some(&argv),
        exit: Some(output.exit),
        dropped: output.dropped.is_some(),
        ..Context::default()
    };
    let count = kenshu_readers::count(&output.bytes, &context);
    started.ended(&count, &output.bytes, output.duration);
    match (status_of(output.exit), output.unwritten) {
        // The command's own word, unless nobody has seen what it says went well.
        (exit::OK, Some(why)) => {
            Err(Failure { line: Message::new(&words::OUTPUT_UNWRITTEN, [&why]), status: exit::NOT_RUN })
        }
        (status, _) => Ok(status),
    }
}

/// A run as the ledger knows it. The verification has its own answer: a ledger that cannot be written is said, and
/// changes nothing.
struct Started<'a> {
    world: &'a World,
    argv: &'a [String],
    tree: Option<&'a Fingerprint>,
    /// The record, and the entry that says that the run began.
    begun: Option<(Record, String)>,
}

impl<'a> Started<'a> {
    fn of(
        world: &'a World,
        argv: &'a [String],
        tree: Option<&'a Fingerprint>,
        project: &Project,
    ) -> Started<'a> {
        let begin = |record: Record| Ok((record.begun(argv, tree, world)?, record));
        let begun =
            Record::open(world, project).and_then(begin).inspect_err(|failure| world.not_recorded(failure));
        Started { world, argv, tree, begun: begun.ok().map(|(entry, record)| (record, entry)) }
    }

    fn ended(&self, count: &Count, output: &[u8], duration: Duration) {
        let Some((record, begun)) = &self.begun else { return };
        let ended = Ended { argv: self.argv, begun, count, output, duration, tree: self.tree };
        if let Err(failure) = record.run(&ended, self.world) {
            self.world.not_recorded(&failure);
        }
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
