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
use kenshu_host::environment::Environment;
use kenshu_model::{Lang, Message};
use kenshu_report::words::commands as words;

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
            complain(&Message::new(&words::OUR_BUG, [&env!("CARGO_PKG_VERSION"), &what]).text(lang()));
            ExitCode::from(exit::BUG)
        }
    }
}

fn run() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let (answer, lang) = match World::new(cli.global) {
        Ok(world) => {
            let answer = dispatch(&world, cli.command).and_then(|status| world.written(status));
            (answer, world.lang)
        }
        Err(failure) => (Err(failure), lang()),
    };
    match answer {
        Ok(status) => status,
        Err(failure) => {
            complain(&format!("kenshu: {}", failure.line.text(lang)));
            failure.status
        }
    }
}

/// The language where nothing but the environment says it.
fn lang() -> Lang {
    Environment::of_this_process().lang(None)
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
                complain(&format!("kenshu: {}", failure.line.text(lang())));
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
    complain(&format!("kenshu: {}", Message::new(&words::SEE_HELP, [&what]).text(lang())));
    exit::USAGE
}

fn complain(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
