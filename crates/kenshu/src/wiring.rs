//! What every command needs: project, configuration, language, terminal, Kenshu's own folder.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kenshu_gate::config::{self, Config};
use kenshu_host::environment::Environment;
use kenshu_host::project::Project;
use kenshu_host::terminal::{self, ProgressLine, Stream};
use kenshu_host::{Error, files};
use kenshu_model::words::{doing, error};
use kenshu_model::{Lang, Message, Phrase};
use kenshu_report::layout::{self, Layout};
use kenshu_report::words::{commands as words, filled};

use crate::args::{ColorChoice, Global};
use crate::exit;

/// Why a command ends without an answer: one line, and the exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The line.
    pub(crate) line: Message,
    /// The status.
    pub(crate) status: u8,
}

impl Failure {
    /// Wrong usage or a broken configuration.
    pub(crate) fn usage(line: impl Into<Message>) -> Failure {
        Failure { line: line.into(), status: exit::USAGE }
    }
}

impl Failure {
    /// An answer that was given and could not be written: nobody has seen it.
    pub(crate) fn unwritten(error: &io::Error) -> Failure {
        Failure { line: Message::new(&words::UNWRITTEN, [error]), status: exit::NOT_RUN }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::usage(error.message())
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
    /// Why stdout could not be written, the first time it could not.
    unwritten: RefCell<Option<io::Error>>,
}

impl World {
    /// Reads the environment and the common options.
    pub(crate) fn new(global: Global) -> Result<World, Failure> {
        let environment = Environment::of_this_process();
        let flag = global.lang.as_ref().map(|name| {
            Lang::parse(name).ok_or_else(|| Failure::usage(Message::new(&words::BAD_LANG, [name])))
        });
        let lang = environment.lang(flag.transpose()?);
        Ok(World { global, environment, lang, unwritten: RefCell::new(None) })
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
        let text = files::read_text(path, &doing::READ_CONFIG, 1 << 20)?;
        Config::parse(&text).map_err(Failure::usage)
    }

    /// Kenshu's own folder.
    pub(crate) fn home(&self) -> Result<PathBuf, Failure> {
        self.environment.kenshu_home().ok_or_else(|| Failure::usage(&error::NO_HOME))
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

    /// Prints the answer: the one place where stdout is written.
    ///
    /// What goes wrong is kept, and told at the end by [`World::written`].
    pub(crate) fn print(&self, text: &str) {
        let mut out = io::stdout().lock();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            self.unwritten.borrow_mut().get_or_insert(error);
        }
    }

    /// `status`, if all that was printed was written. A reader that has seen enough and went away (`| head -1`) is no
    /// error of ours.
    pub(crate) fn written(&self, status: u8) -> Answer {
        match self.unwritten.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::unwritten(&error)),
            Some(_) | None => Ok(status),
        }
    }

    /// Prints a document: its schema, then its fields.
    pub(crate) fn print_json(&self, command: &str, mut fields: serde_json::Map<String, serde_json::Value>) {
        fields.insert("schema".to_owned(), format!("kenshu/{command}/1").into());
        self.print(&format!("{}\n", serde_json::Value::Object(fields)));
    }

    /// A line with a label, and a text in its own column.
    pub(crate) fn row(&self, label: &Phrase, text: impl fmt::Display) -> String {
        let label = self.lang.pick(label);
        // What is not cut to the terminal's width can be copied whole.
        format!("{label}{} {text}\n", " ".repeat(9_usize.saturating_sub(layout::width(label))))
    }

    /// A phrase with its values.
    pub(crate) fn words<const N: usize>(&self, phrase: &Phrase, values: [&dyn fmt::Display; N]) -> String {
        let values = values.map(|value| value.to_string());
        filled(phrase, self.lang, &values.each_ref().map(String::as_str))
    }

    /// Says that something could not be written down, which changes no answer.
    pub(crate) fn not_recorded(&self, failure: &Failure) {
        self.say(&self.words(&words::NOT_RECORDED, [&failure.line.text(self.lang)]));
    }

    /// Says something beside the answer, on stderr; not with `--quiet`.
    pub(crate) fn say(&self, text: &str) {
        if !self.global.quiet {
            let mut err = io::stderr().lock();
            let _ = writeln!(err, "{text}");
        }
    }

    /// A line that shows how a run goes on, on a terminal; else nothing.
    pub(crate) fn progress(&self) -> Live {
        let shown = terminal::is_terminal(Stream::Stderr) && !self.global.quiet && !self.global.json;
        let columns = terminal::width(Stream::Stderr).unwrap_or(80);
        let line = shown.then(|| ProgressLine::new(io::stderr(), columns));
        Live { line, lang: self.lang, seen: 0, tail: b"\n".to_vec(), stopping: false }
    }
}

/// How many of the last bytes are looked at again with the next ones: the longest mark of a test may be cut in two.
const TAIL: usize = 32;
/// Live progress: elapsed time and how many tests were seen so far.
pub(crate) struct Live {
    line: Option<ProgressLine<io::Stderr>>,
    lang: Lang,
    seen: u64,
    tail: Vec<u8>,
    stopping: bool,
}

impl Live {
    /// Takes the next event of a run.
    pub(crate) fn event(&mut self, event: kenshu_host::process::Progress<'_>) {
        use kenshu_host::process::Progress;
        if self.line.is_none() {
            return;
        }
        match event {
            Progress::Started { .. } => {}
            Progress::Output(bytes) => self.look(bytes),
            Progress::Stopping => {
                self.stopping = true;
                self.show(self.lang.pick(&words::STOPPING));
            }
            Progress::Tick { .. } if self.stopping => self.show(self.lang.pick(&words::STOPPING)),
            Progress::Tick { elapsed } => {
                let mut text = format!("{} {}", elapsed.as_secs(), self.lang.pick(&words::SECONDS));
                if self.seen > 0 {
                    text += ", ";
                    text += &filled(&words::SO_FAR, self.lang, &[&self.seen.to_string()]);
                }
                self.show(&text);
            }
        }
    }

    /// Counts the tests that end in the next bytes.
    fn look(&mut self, bytes: &[u8]) {
        let before = kenshu_readers::glimpse(&self.tail);
        self.tail.extend_from_slice(bytes);
        self.seen += kenshu_readers::glimpse(&self.tail).saturating_sub(before);
        self.tail.drain(..self.tail.len().saturating_sub(TAIL));
    }

    fn show(&mut self, text: &str) {
        if let Some(line) = &mut self.line {
            line.show(text);
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
        .ok_or_else(|| Failure::usage(Message::new(&words::BAD_DURATION, [&option, &text])))
}
