//! `kenshu completions`: the completions of a shell.

use clap::CommandFactory;

use crate::args::Cli;
use crate::exit;
use crate::wiring::{Answer, World};

/// Prints them.
pub(crate) fn run(world: &World, shell: clap_complete::Shell) -> Answer {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "kenshu", &mut text);
    world.print(&String::from_utf8_lossy(&text));
    Ok(exit::OK)
}
