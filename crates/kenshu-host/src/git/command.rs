//! One call of git: a clean environment, nothing that asks, nothing that the repository configured to be run.

use kenshu_model::words::error;
use kenshu_model::{Message, Phrase};
use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::Error;

/// What git answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Whether it ended with status 0.
    pub(crate) ok: bool,
    /// Its standard output.
    pub(crate) output: Vec<u8>,
    /// Its standard error.
    pub(crate) complaint: String,
}

impl Answer {
    /// The output without its last line break.
    pub(crate) fn line(&self) -> &[u8] {
        self.output.strip_suffix(b"\n").unwrap_or(&self.output)
    }

    /// The same as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.line()).into_owned()
    }

    /// The fields of an output that separates them with NUL.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        self.output.split(|byte| *byte == 0).filter(|field| !field.is_empty())
    }

    /// The error that it stands for.
    pub(crate) fn error(&self, doing: &'static Phrase, target: &str) -> Error {
        let lines = self.complaint.lines().filter(|line| !line.trim().is_empty());
        let why = lines.clone().find(|line| line.starts_with("fatal:")).or_else(|| lines.clone().next());
        let why = why.map_or(Message::from(&error::GIT_SILENT), |line| {
            line.trim_start_matches("fatal:").trim().to_owned().into()
        });
        // For a folder of somebody else's, git itself prints the command that trusts it.
        let hint = lines.map(str::trim).find(|line| line.starts_with("git config --global"));
        let next = hint.map_or_else(
            || Message::new(&error::TRY_GIT, [&target]),
            |line| Message::new(&error::TRUST_IT, [&line]),
        );
        Error::new(doing, target, why, next)
    }
}

/// Variables of git's that say where things of the user's are. Every other `GIT_…` is left out: inside a hook, an
/// alias or a rebase they point into the outer repository.
const KEPT: &[&str] = &[
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
];

/// Settings that win over the repository's own. Besides starting nothing, the file's status must not depend on them:
/// with `checkStat=minimal`, `trustctime=false` or `fileMode=false` a change can be made that git does not see.
const SETTINGS: &[&str] = &[
    "core.quotepath=off",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.checkStat=default",
    "core.trustctime=true",
    #[cfg(unix)]
    "core.fileMode=true",
    "diff.external=",
    "protocol.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
];

/// git, to be run in `folder`.
pub(crate) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        let Some(text) = name.to_str().filter(|name| name.starts_with("GIT_")) else { continue };
        let numbered = text.starts_with("GIT_CONFIG_KEY_") || text.starts_with("GIT_CONFIG_VALUE_");
        if !numbered && !KEPT.contains(&text) {
            command.env_remove(&name);
        }
    }
    command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        // A replaced commit is not the one that was committed.
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .current_dir(folder)
        .arg("--no-pager");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command
}

/// Runs git in `folder`. An error means that it could not be started at all.
pub(crate) fn run(
    folder: &Path,
    doing: &'static Phrase,
    arguments: &[impl AsRef<OsStr>],
) -> Result<Answer, Error> {
    run_with_input(folder, doing, arguments, &[])
}

/// Runs git in `folder` with something on its standard input.
pub(crate) fn run_with_input(
    folder: &Path,
    doing: &'static Phrase,
    arguments: &[impl AsRef<OsStr>],
    input: &[u8],
) -> Result<Answer, Error> {
    let mut command = git(folder);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    let failed = |error: &std::io::Error| {
        let mut failure = Error::io(doing, folder, error);
        if failure.is_missing() && folder.is_dir() {
            failure.why = (&error::NO_GIT).into();
            failure.next = (&error::INSTALL_GIT).into();
        }
        failure
    };
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // Written beside the reading: either side alone would wait for the other once a pipe is full.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    });
    let output = output.map_err(|error| failed(&error))?;
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Answer { ok: output.status.success(), output: output.stdout, complaint })
}

/// Whether a word is the whole id of an object, in SHA-1 or SHA-256.
pub(crate) fn is_id(word: &str) -> bool {
    matches!(word.len(), 40 | 64) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A path as git prints it.
#[cfg(unix)]
pub(crate) fn path_from(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// A path as git prints it: UTF-8 on this platform.
#[cfg(not(unix))]
pub(crate) fn path_from(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
