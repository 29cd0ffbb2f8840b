//! `kenshu completions`: the completions of a shell.

use clap::CommandFactory;

use crate::args::Cli;
use crate::exit;

/// Prints them.
pub(crate) fn run(shell: clap_complete::Shell) -> u8 {
    clap_complete::generate(shell, &mut Cli::command(), "kenshu", &mut std::io::stdout());
    exit::OK
}
