//! The command line: what can be typed. Help texts stand here and nowhere else.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Decides by evidence whether a coding agent's "done" is done.
#[derive(Debug, Parser)]
#[command(name = "kenshu", version, disable_help_subcommand = true, propagate_version = true)]
pub(crate) struct Cli {
    /// What to do; without a word: what stands here, and what to type next.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub(crate) struct Global {
    /// The project's folder [default: the nearest folder with kenshu.toml, else the git top level, else this folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON to stdout and nothing else there
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Language of messages: en, ja, ko, zh-TW, zh-CN
    #[arg(long, global = true, value_name = "LANG")]
    pub(crate) lang: Option<String>,
    /// Colours
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
    /// Print the result and nothing else
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Count the tests of a runner's output, of a report, or of a command that is run
    Count(CountArgs),
    /// Compare a claim with a run of the project's own test command
    Check(CheckArgs),
    /// Run a verification unchanged and leave its result in the ledger
    Run(RunArgs),
    /// Put a file into the ledger as evidence
    Attach(AttachArgs),
    /// Detect the test command and show (or write) the kenshu.toml for it
    Init(InitArgs),
    /// Pin the command, its scripts and its configuration as they stand now
    Trust(TrustArgs),
    /// Show the evidence kept for this project
    Ledger(LedgerArgs),
    /// Explain a reason word or a reader, or list them
    Explain(ExplainArgs),
    /// Show what Kenshu sees on this machine
    Doctor,
    /// Print the completions of a shell
    Completions(CompletionsArgs),
}

/// `kenshu count`.
#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    /// File with the output or report; `-` for stdin
    #[arg(value_name = "FILE", conflicts_with = "argv")]
    pub(crate) file: Option<PathBuf>,
    /// The exit status of the command that printed FILE
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with_all = ["argv", "signal"])]
    pub(crate) exit_code: Option<i32>,
    /// The signal that ended the command that printed FILE
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "argv",
          value_parser = clap::value_parser!(i32).range(1..=64))]
    pub(crate) signal: Option<i32>,
    /// The command line that printed FILE
    #[arg(long, value_name = "TEXT", conflicts_with = "argv")]
    pub(crate) command: Option<String>,
    /// The runner that printed it (see `kenshu explain readers`)
    #[arg(long, value_name = "NAME")]
    pub(crate) runner: Option<String>,
    /// Count at this commit too
    #[arg(long, value_name = "REF", requires = "argv")]
    pub(crate) base: Option<String>,
    /// Make a caching build tool run again
    #[arg(long, requires = "argv")]
    pub(crate) fresh: bool,
    /// Time limit of the command
    #[arg(long, value_name = "TIME", default_value = "10m", allow_hyphen_values = true)]
    pub(crate) timeout: String,
    /// The command to run and count
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) argv: Vec<String>,
}

/// `kenshu check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The claim, as a sentence: "all 142 tests pass"
    #[arg(value_name = "CLAIM", conflicts_with_all = ["claimed", "report"])]
    pub(crate) claim: Option<String>,
    /// The number that was claimed to pass; only `passed` = N is accepted
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "report")]
    pub(crate) claimed: Option<String>,
    /// The agent's report; only claims and numbers are read from it. `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Time limit of the test command [default: kenshu.toml, else 10m]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) timeout: Option<String>,
    /// The commit to compare with [default: the merge-base with the default branch]
    #[arg(long, value_name = "REF")]
    pub(crate) base: Option<String>,
    /// Run the [[verify]] commands too
    #[arg(long)]
    pub(crate) all: bool,
    /// Accept only `passed` = the claimed number
    #[arg(long)]
    pub(crate) strict: bool,
    /// A claim without a number is no claim
    #[arg(long)]
    pub(crate) require_count: bool,
    /// Make a caching build tool run again
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Compare the ruler with the one at this commit (CI)
    #[arg(long, value_name = "REF")]
    pub(crate) ruler_from: Option<String>,
    /// Accept the changed ruler with this hash (printed when it was rejected)
    #[arg(long, value_name = "HASH")]
    pub(crate) accept_ruler: Option<String>,
    /// The test command, in place of the pinned or detected one
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) argv: Vec<String>,
}

/// `kenshu run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The command
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) argv: Vec<OsString>,
}

/// `kenshu attach`.
#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What it shows
    #[arg(long, value_name = "TEXT")]
    pub(crate) says: String,
}

/// `kenshu init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Write kenshu.toml and pin it
    #[arg(long)]
    pub(crate) write: bool,
}

/// `kenshu trust`.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// Only say whether what stands now is what was pinned
    #[arg(long)]
    pub(crate) check: bool,
}

/// `kenshu ledger`.
#[derive(Debug, Args)]
#[command(subcommand_required = true, arg_required_else_help = false)]
pub(crate) struct LedgerArgs {
    /// What to do with it
    #[command(subcommand)]
    pub(crate) action: LedgerAction,
}

/// What can be done with the ledger.
#[derive(Debug, Subcommand)]
pub(crate) enum LedgerAction {
    /// List the entries of this project
    List,
    /// Show one entry
    Show {
        /// The entry's id, or its beginning
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Find changed, missing or reordered entries
    Verify,
}

/// `kenshu explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A reason word, a reader's id, `reasons` or `readers`
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
}

/// `kenshu completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
