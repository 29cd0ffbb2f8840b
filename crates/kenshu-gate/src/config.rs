//! `kenshu.toml`: every key of it, with its default. An unknown key is an error that names the nearest known one.

use std::collections::BTreeMap;
use std::time::Duration;

use kenshu_model::Message;
use kenshu_model::words::config as words;
use serde::Deserialize;
use toml::de::{DeTable, DeValue};

mod keys;
mod shell;

/// The file's name.
pub const FILE_NAME: &str = "kenshu.toml";

/// What `kenshu.toml` says.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// The tests.
    pub test: TestConfig,
    /// Further verifications.
    pub verify: Vec<VerifyConfig>,
    /// How the product is started.
    pub start: StartConfig,
    /// The documents that say which routes there are.
    pub spec: SpecConfig,
    /// The gate.
    pub gate: GateConfig,
    /// The audit.
    pub audit: AuditConfig,
}

/// A command as a string (split like a shell splits words) or a list of words.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "a command is a string, or a list of strings: [\"node\", \"--test\"]")]
pub enum CommandText {
    /// Split like a shell splits words; no shell is started unless `shell = true`.
    Line(String),
    /// The words themselves.
    Words(Vec<String>),
}

/// `[test]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TestConfig {
    /// The test command; `None`: what `init` would detect.
    pub command: Option<CommandText>,
    /// Whether a shell runs the command.
    pub shell: bool,
    /// Time limit of one run.
    pub timeout: String,
    /// Folder to run in, relative to the project.
    pub cwd: String,
    /// Environment variables that the human sets.
    pub env: BTreeMap<String, String>,
    /// May the runner be asked for a machine-readable report.
    pub inject: bool,
    /// Whether a claim without a number is no claim.
    pub require_count: bool,
}

impl Default for TestConfig {
    fn default() -> TestConfig {
        TestConfig {
            command: None,
            shell: false,
            timeout: "10m".to_owned(),
            cwd: ".".to_owned(),
            env: BTreeMap::new(),
            inject: true,
            require_count: false,
        }
    }
}

/// One `[[verify]]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct VerifyConfig {
    /// Its name in reports.
    pub name: String,
    /// The command.
    pub command: CommandText,
    /// Whether a shell runs it.
    #[serde(default)]
    pub shell: bool,
    /// Time limit; default: that of `[test]`.
    pub timeout: Option<String>,
    /// Folder to run in, relative to the project.
    pub cwd: Option<String>,
    /// Environment variables that the human sets.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// `[start]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct StartConfig {
    /// The start command; `None`: what is found.
    pub command: Option<CommandText>,
    /// Whether a shell runs it.
    pub shell: bool,
    /// A build command before it.
    pub build: Option<CommandText>,
    /// Time limit of the build.
    pub build_timeout: String,
    /// Environment variables that the human sets.
    pub env: BTreeMap<String, String>,
    /// The variable that names the port.
    pub port_env: Option<String>,
    /// How long it may take until it answers.
    pub ready_within: String,
    /// How long it may take to end.
    pub shutdown_within: String,
    /// Files put back after probing.
    pub restore: Vec<String>,
}

impl Default for StartConfig {
    fn default() -> StartConfig {
        StartConfig {
            command: None,
            shell: false,
            build: None,
            build_timeout: "10m".to_owned(),
            env: BTreeMap::new(),
            port_env: None,
            ready_within: "60s".to_owned(),
            shutdown_within: "5s".to_owned(),
            restore: Vec::new(),
        }
    }
}

/// `[spec]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SpecConfig {
    /// The documents.
    pub files: Vec<String>,
    /// The base path, where the spec does not say it.
    pub base: Option<String>,
    /// Routes that are not asked.
    pub skip: Vec<String>,
    /// `yes`, `no`, `auto`: may routes that write be asked.
    pub writes: Option<String>,
    /// How to log in.
    pub login: Option<LoginConfig>,
}

/// `[spec.login]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LoginConfig {
    /// The route.
    pub path: String,
    /// The body.
    pub payload: toml::Table,
    /// Where the token stands in the answer, as a JSON Pointer.
    pub token: Option<String>,
}

/// `[gate]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct GateConfig {
    /// The stages that are on.
    pub stages: Vec<String>,
    /// The most push-backs in one turn.
    pub max_pushbacks: u32,
    /// What happens when something is unsettled: `tell`, `close`, `open`.
    pub unsettled: String,
    /// Documents that must have been read.
    pub reading: Vec<String>,
}

impl Default for GateConfig {
    fn default() -> GateConfig {
        GateConfig {
            stages: ["reading", "tests", "start", "routes", "verification"].map(str::to_owned).to_vec(),
            max_pushbacks: 10,
            unsettled: "tell".to_owned(),
            reading: Vec::new(),
        }
    }
}

/// `[audit]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct AuditConfig {
    /// A project's own test scripts.
    pub runners: Vec<RunnerAlias>,
}

/// One entry of `[audit] runners`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RunnerAlias {
    /// The command.
    #[serde(rename = "match")]
    pub matches: String,
    /// The runner it runs.
    pub runs: String,
}

impl Config {
    /// Reads the text of a `kenshu.toml`. The error is one line: what, where, what to write instead.
    pub fn parse(text: &str) -> Result<Config, Message> {
        let table = DeTable::parse(text).map_err(|error| syntax_error(text, &error))?;
        if let Some((at, message)) = keys::unknown("", &DeValue::Table(table.into_inner())) {
            return Err(located(text, at, message));
        }
        let config: Config = toml::from_str(text).map_err(|error| syntax_error(text, &error))?;
        config.check()?;
        Ok(config)
    }

    /// What types cannot say: durations, words of a closed set, commands that are not empty.
    fn check(&self) -> Result<(), Message> {
        let durations = [
            ("test.timeout", Some(&self.test.timeout)),
            ("start.build_timeout", Some(&self.start.build_timeout)),
            ("start.ready_within", Some(&self.start.ready_within)),
            ("start.shutdown_within", Some(&self.start.shutdown_within)),
        ];
        let verify = self.verify.iter().map(|verify| ("verify.timeout", verify.timeout.as_ref()));
        for (key, value) in durations.into_iter().chain(verify) {
            if let Some(value) = value
                && duration(value).is_none()
            {
                let value = format!("{value:?}");
                return Err(in_file(Message::new(&words::NO_DURATION, [&key, &value])));
            }
        }
        for stage in &self.gate.stages {
            one_of("gate.stages", stage, &["reading", "tests", "start", "routes", "verification"])?;
        }
        one_of("gate.unsettled", &self.gate.unsettled, &["tell", "close", "open"])?;
        if let Some(writes) = &self.spec.writes {
            one_of("spec.writes", writes, &["auto", "yes", "no"])?;
        }
        let TestConfig { command: test, shell: in_test, .. } = &self.test;
        let StartConfig { command: start, build, shell: in_start, .. } = &self.start;
        let commands = [(test.as_ref(), in_test), (start.as_ref(), in_start), (build.as_ref(), in_start)];
        let verify = self.verify.iter().map(|verify| (Some(&verify.command), &verify.shell));
        for (command, shell) in commands.into_iter().chain(verify) {
            let Some(command) = command else { continue };
            command.argv(*shell).map_err(in_file)?;
        }
        Ok(())
    }
}

impl CommandText {
    /// The words to start. With `shell`, a POSIX shell gets the line as it stands.
    pub fn argv(&self, shell: bool) -> Result<Vec<String>, Message> {
        let words = match (self, shell) {
            (CommandText::Line(line), true) => vec!["sh".to_owned(), "-c".to_owned(), line.clone()],
            (CommandText::Line(line), false) => {
                let shown = format!("{line:?}");
                if let Some(part) = shell::needed(line) {
                    return Err(Message::new(&words::NEEDS_SHELL, [&shown, &part]));
                }
                shlex::split(line).ok_or_else(|| Message::new(&words::OPEN_QUOTE, [&shown]))?
            }
            (CommandText::Words(words), _) => words.clone(),
        };
        if words.is_empty() { Err((&words::EMPTY_COMMAND).into()) } else { Ok(words) }
    }
}

/// `90s`, `10m`, `1h`, `1m30s`, `250ms`, or a bare number of seconds.
pub fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|symbol: char| !symbol.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let (unit, millis) =
            [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)].into_iter().find(|(unit, _)| {
                rest.strip_prefix(unit).is_some_and(|after| {
                    after.is_empty() || after.starts_with(|next: char| next.is_ascii_digit())
                })
            })?;
        total = total.checked_add(Duration::from_millis(number.checked_mul(millis)?))?;
        rest = &rest[unit.len()..];
    }
    (!text.is_empty()).then_some(total)
}

fn one_of(key: &str, value: &str, known: &[&str]) -> Result<(), Message> {
    if known.contains(&value) {
        return Ok(());
    }
    let nearest = keys::nearest(value, known.iter().copied());
    let (value, known) = (format!("{value:?}"), known.join(", "));
    Err(in_file(Message::new(&words::NOT_ONE_OF, [&key, &value, &nearest, &known])))
}

fn located(text: &str, at: usize, message: Message) -> Message {
    let line = text[..at.min(text.len())].matches('\n').count() + 1;
    Message::of(&words::AT, [format!("{FILE_NAME}:{line}").into(), message])
}

fn in_file(message: Message) -> Message {
    Message::of(&words::AT, [FILE_NAME.to_owned().into(), message])
}

fn syntax_error(text: &str, error: &toml::de::Error) -> Message {
    let message = error.message().lines().next().unwrap_or("cannot be read");
    let message = match what_to_write(message) {
        Some(hint) => Message::of(&words::WITH_HINT, [message.to_owned().into(), hint]),
        None => message.to_owned().into(),
    };
    match error.span() {
        Some(span) => located(text, span.start, message),
        None => in_file(message),
    }
}

/// What to write instead, for the mistakes that the parser names.
fn what_to_write(message: &str) -> Option<Message> {
    if let Some(field) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return Some(Message::new(&words::ADD_FIELD, [&field]));
    }
    if message == "duplicate key" {
        return Some((&words::KEEP_ONE).into());
    }
    let (_, expected) = message.rsplit_once("expected ")?;
    let hint = match expected {
        "a string" => &words::IN_QUOTES,
        "a boolean" => &words::TRUE_OR_FALSE,
        "a sequence" => &words::A_LIST,
        "a map" => &words::A_TABLE,
        "u32" => &words::WHOLE_NUMBER,
        _ => return None,
    };
    Some(hint.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_type_says_what_to_write() {
        for (text, hint) in [
            (
                "[test]\ntimeout = 5",
                "kenshu.toml:2: invalid type: integer `5`, expected a string; write it in quotes",
            ),
            ("[test]\nshell = 1", "expected a boolean; write true or false"),
            ("[test]\nenv = { A = 1 }", "expected a string; write it in quotes"),
            ("[gate]\nmax_pushbacks = -1", "expected u32; write a whole number, 0 or more"),
            ("[gate]\nreading = \"SPEC.md\"", "expected a sequence; write a list: [\"…\"]"),
            ("[spec.login]\npayload = 5", "expected a map; write { name = \"value\" }"),
            ("[[verify]]\nname = \"types\"", "missing field `command`; add command = \"…\""),
            ("[test]\ncwd = \".\"\ncwd = \".\"", "kenshu.toml:3: duplicate key; keep one of the two"),
        ] {
            let error = Config::parse(text).unwrap_err().to_string();
            assert!(error.ends_with(hint), "{error}");
        }
    }

    #[test]
    fn an_error_is_one_line_whatever_it_quotes() {
        for text in [
            "[test]\ncommand = \"\"\"a\n'b\"\"\"",
            "[test]\ntimeout = \"\"\"1\nm\"\"\"",
            "[gate]\nunsettled = \"\"\"a\nb\"\"\"",
            "\"a\\nb\" = 1",
        ] {
            let error = Config::parse(text).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }

    #[test]
    fn an_unknown_key_is_named_with_its_own_line() {
        let text = "[test]\ntimeout = \"10m\" # base = none\n[spec]\nbase = \"/v1\"\n[start]\nbase = \"/\"\n";
        let error = Config::parse(text).unwrap_err().to_string();
        assert!(error.starts_with("kenshu.toml:6: unknown key \"start.base\""), "{error}");
    }

    #[test]
    fn the_whole_file_of_the_contract_is_read() {
        let text = r#"
[test]
command = "npm test"
timeout = "10m"
cwd = "."
env = { A = "b" }
inject = true
require_count = false
[[verify]]
name = "types"
command = "npx tsc --noEmit"
[start]
command = "npm start"
build = "npm run build"
build_timeout = "10m"
env = { }
port_env = "PORT"
ready_within = "60s"
shutdown_within = "5s"
restore = ["data/*.db"]
[spec]
files = ["docs/api.md", "openapi.yaml"]
base = "/api/v1"
skip = ["POST /api/pay*"]
writes = "auto"
[spec.login]
path = "/login"
payload = { user = "demo", password = "demo" }
token = "/token"
[gate]
stages = ["reading", "tests", "start", "routes", "verification"]
max_pushbacks = 10
unsettled = "tell"
reading = ["SPEC.md"]
[audit]
runners = [{ match = "./scripts/ci.sh", runs = "vitest" }]
"#;
        let config = Config::parse(text).unwrap();
        assert_eq!(config.test.command.unwrap().argv(false).unwrap(), ["npm", "test"]);
        assert_eq!(config.verify[0].name, "types");
        assert_eq!(config.audit.runners[0].runs, "vitest");
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        assert_eq!(Config::parse(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn errors_say_what_where_and_what_to_write() {
        check_error(
            "[test]\ncomand = \"x\"\n",
            "kenshu.toml:2: unknown key \"test.comand\"; did you mean \"command\"?",
        );
        check_error("[tests]\n", "kenshu.toml:1: unknown key \"tests\"; did you mean \"test\"?");
        check_error(
            "[[verify]]\nname = \"a\"\ncommand = \"b\"\ntimout = \"1s\"\n",
            "kenshu.toml:4: unknown key \"verify.timout\"; did you mean \"timeout\"?",
        );
        check_error(
            "[test]\ntimeout = \"soon\"\n",
            "kenshu.toml: test.timeout = \"soon\" is no duration; write for example \"90s\" or \"10m\"",
        );
        check_error(
            "[gate]\nunsettled = \"shut\"\n",
            "kenshu.toml: gate.unsettled has no \"shut\"; write \"tell\" (one of: tell, close, open)",
        );
        check_error(
            "[test]\ncommand = \"\"\n",
            "kenshu.toml: command is empty; write for example command = \"npm test\"",
        );
        assert!(Config::parse("[test\n").unwrap_err().to_string().starts_with("kenshu.toml:1: "));
        assert!(
            Config::parse("[test]\ncommand = 3\n").unwrap_err().to_string().starts_with("kenshu.toml:2: ")
        );
    }

    #[test]
    fn durations() {
        assert_eq!(duration("10m"), Some(Duration::from_secs(600)));
        assert_eq!(duration("1m30s"), Some(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(duration("7"), Some(Duration::from_secs(7)));
        assert_eq!(duration("soon"), None);
        assert_eq!(duration(""), None);
        assert_eq!(duration("99999999999999999999s"), None);
    }
}
