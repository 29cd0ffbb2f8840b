//! What every command needs: project, configuration, language, terminal, Kenshu's own folder.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kenshu_gate::config::{self, Config};
use kenshu_host::environment::Environment;
use kenshu_host::project::Project;
use kenshu_host::terminal::{self, ProgressLine, Stream};
use kenshu_host::{Error, files};
use kenshu_model::Lang;
use kenshu_report::layout::Layout;

use crate::args::{ColorChoice, Global};
use crate::exit;

/// Why a command ends without an answer: one line, and the exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The line.
    pub(crate) line: String,
    /// The status.
    pub(crate) status: u8,
}

impl Failure {
    /// Wrong usage or a broken configuration.
    pub(crate) fn usage(line: impl Into<String>) -> Failure {
        Failure { line: line.into(), status: exit::USAGE }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.line)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::usage(error.to_string())
    }
}

/// The answer of a command: an exit status, or a failure.
pub(crate) type Answer = Result<u8, Failure>;

/// What is given from outside.
#[derive(Debug)]
pub(crate) struct World {
    /// Options of every command.
    pub(crate) global: Global,
    /// The environment.
    pub(crate) environment: Environment,
    /// Language of messages.
    pub(crate) lang: Lang,
}

impl World {
    /// Reads the environment and the common options.
    pub(crate) fn new(global: Global) -> Result<World, Failure> {
        let environment = Environment::of_this_process();
        let flag = match &global.lang {
            None => None,
            Some(name) => Some(Lang::parse(name).ok_or_else(|| {
                Failure::usage(format!(
                    "--lang {name}: no such language; write one of en, ja, ko, zh-TW, zh-CN"
                ))
            })?),
        };
        let lang = environment.lang(flag);
        Ok(World { global, environment, lang })
    }

    /// The project that is meant.
    pub(crate) fn project(&self) -> Result<Project, Failure> {
        match &self.global.project {
            Some(folder) => Ok(Project::at(folder)?),
            None => Ok(Project::of(Path::new("."))?),
        }
    }

    /// The project's `kenshu.toml`, or the defaults.
    pub(crate) fn config(&self, project: &Project) -> Result<Config, Failure> {
        let Some(path) = &project.config else { return Ok(Config::default()) };
        let text = files::read_text(path, "read the configuration", 1 << 20)?;
        Config::parse(&text).map_err(Failure::usage)
    }

    /// Kenshu's own folder.
    pub(crate) fn home(&self) -> Result<PathBuf, Failure> {
        self.environment
            .kenshu_home()
            .ok_or_else(|| Failure::usage("no folder for Kenshu's own data is known; set KENSHU_HOME to one"))
    }

    /// How stdout is laid out.
    pub(crate) fn layout(&self) -> Layout {
        let is_terminal = terminal::is_terminal(Stream::Stdout);
        let choice = match self.global.color {
            ColorChoice::Auto => kenshu_host::environment::ColorChoice::Auto,
            ColorChoice::Always => kenshu_host::environment::ColorChoice::Always,
            ColorChoice::Never => kenshu_host::environment::ColorChoice::Never,
        };
        let width = terminal::width(Stream::Stdout).or(self.environment.columns().filter(|_| is_terminal));
        Layout { width: width.map(usize::from), color: self.environment.color(choice, is_terminal) }
    }

    /// Prints the answer. A reader that has gone away (a closed pipe) is no error of ours.
    pub(crate) fn print(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// Prints a document: its schema, then its fields.
    pub(crate) fn print_json(&self, command: &str, mut fields: serde_json::Map<String, serde_json::Value>) {
        fields.insert("schema".to_owned(), format!("kenshu/{command}/1").into());
        self.print(&format!("{}\n", serde_json::Value::Object(fields)));
    }

    /// Says something beside the answer, on stderr; not with `--quiet`.
    pub(crate) fn say(&self, text: &str) {
        if !self.global.quiet {
            let mut err = std::io::stderr().lock();
            let _ = writeln!(err, "{text}");
        }
    }

    /// A line that shows how a run goes on, on a terminal; else nothing.
    pub(crate) fn progress(&self) -> Live {
        let shown = terminal::is_terminal(Stream::Stderr) && !self.global.quiet && !self.global.json;
        let columns = terminal::width(Stream::Stderr).unwrap_or(80);
        Live { line: shown.then(|| ProgressLine::new(std::io::stderr(), columns)), seen: 0 }
    }
}

/// Live progress: elapsed time and how many tests were seen so far.
pub(crate) struct Live {
    line: Option<ProgressLine<std::io::Stderr>>,
    seen: u64,
}

impl Live {
    /// Takes the next event of a run.
    pub(crate) fn event(&mut self, event: kenshu_host::process::Progress<'_>) {
        use kenshu_host::process::Progress;
        let Some(line) = &mut self.line else { return };
        match event {
            Progress::Started { .. } => {}
            Progress::Output(bytes) => self.seen += kenshu_readers::glimpse(bytes),
            Progress::Tick { elapsed } => {
                let seen =
                    if self.seen > 0 { format!(", about {} tests so far", self.seen) } else { String::new() };
                line.show(&format!("{} s{seen}", elapsed.as_secs()));
            }
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if let Some(line) = &mut self.line {
            line.clear();
        }
    }
}

/// A duration as it is typed: `90s`, `10m`.
pub(crate) fn duration(option: &str, text: &str) -> Result<Duration, Failure> {
    config::duration(text)
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| Failure::usage(format!("{option} {text}: no duration; write for example 90s or 10m")))
}
