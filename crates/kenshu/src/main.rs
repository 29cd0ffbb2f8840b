//! The binary: arguments → configuration → wiring → exit status. No domain logic.

#![expect(clippy::disallowed_methods, reason = "the binary wires the outside world to the judgements")]

mod args;
mod commands;
mod evidence;
mod exit;
mod record;
mod wiring;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Cli, Command};
use crate::wiring::{Answer, Failure, World};

fn main() -> ExitCode {
    if let Some(code) = kenshu_host::process::supervise(&mut std::env::args_os()) {
        return code;
    }
    std::panic::set_hook(Box::new(|_| {}));
    match std::panic::catch_unwind(run) {
        Ok(status) => ExitCode::from(status),
        Err(panic) => {
            let what = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown");
            let what = what.lines().next().unwrap_or_default();
            complain(&format!(
                "kenshu {}: a bug of ours ({what}); please report this line with the command you typed",
                env!("CARGO_PKG_VERSION")
            ));
            ExitCode::from(exit::BUG)
        }
    }
}

fn run() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let answer = World::new(cli.global)
        .and_then(|world| dispatch(&world, cli.command).and_then(|status| world.written(status)));
    match answer {
        Ok(status) => status,
        Err(failure) => {
            complain(&format!("kenshu: {failure}"));
            failure.status
        }
    }
}

fn dispatch(world: &World, command: Option<Command>) -> Answer {
    match command {
        None => commands::overview::run(world),
        Some(Command::Count(args)) => commands::count::run(world, &args),
        Some(Command::Check(args)) => commands::check::run(world, &args),
        Some(Command::Run(args)) => commands::run::run(world, &args),
        Some(Command::Attach(args)) => commands::attach::run(world, &args),
        Some(Command::Init(args)) => commands::init::run(world, &args),
        Some(Command::Trust(args)) => commands::trust::run(world, &args),
        Some(Command::Ledger(args)) => commands::ledger::run(world, &args.action),
        Some(Command::Explain(args)) => commands::explain::run(world, args.id.as_deref()),
        Some(Command::Doctor) => commands::doctor::run(world),
        Some(Command::Completions(args)) => commands::completions::run(world, args.shell),
    }
}

/// Help and version go to stdout; what was typed wrongly is one line on stderr.
fn usage(error: &clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match error.print() {
            Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => {
                let failure = Failure::unwritten(&why);
                complain(&format!("kenshu: {failure}"));
                failure.status
            }
            Ok(()) | Err(_) => exit::OK,
        };
    }
    let text = error.render().to_string();
    let mut parts = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = parts.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let tips: Vec<&str> =
        parts.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
    let what = [&[first.as_str()], tips.as_slice()].concat().join(" ");
    complain(&format!("kenshu: {what}; see kenshu --help"));
    exit::USAGE
}

fn complain(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
