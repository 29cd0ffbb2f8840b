//! Which commands are the tests: the human's own word, `kenshu.toml`, or what is detected.

use std::path::Path;
use std::time::Duration;

use kenshu_model::Message;
use kenshu_readers::command::CommandLine;
use kenshu_readers::readers;

use crate::config::{CommandText, Config, VerifyConfig, duration};
use crate::detect::{Basis, Detection, Suite};
use crate::measure::Plan;

/// The time limit where nothing else is said.
pub const TIME_LIMIT: Duration = Duration::from_secs(600);

/// The test commands and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The commands, run one after another.
    pub suites: Vec<Suite>,
    /// `command line`, `kenshu.toml`, or the file that was detected.
    pub source: String,
    /// Whether it is the human's own word of this moment.
    pub by_hand: bool,
    /// Where nothing was detected: what was looked for.
    pub looked_for: Vec<String>,
}

/// Chooses: `argv` wins over `kenshu.toml`, that over detection.
pub fn choose(
    argv: &[String],
    config: &Config,
    detection: &dyn Fn() -> Detection,
) -> Result<Chosen, Message> {
    if !argv.is_empty() {
        let suites = vec![suite("test", ".", argv.to_vec(), "command line")];
        return Ok(Chosen {
            suites,
            source: "command line".to_owned(),
            by_hand: true,
            looked_for: Vec::new(),
        });
    }
    if let Some(command) = &config.test.command {
        let argv = command.argv(config.test.shell)?;
        let suites = vec![suite("test", &config.test.cwd, argv, crate::config::FILE_NAME)];
        let source = crate::config::FILE_NAME.to_owned();
        return Ok(Chosen { suites, source, by_hand: false, looked_for: Vec::new() });
    }
    let detection = detection();
    let mut sources: Vec<&str> = detection.suites.iter().map(|suite| suite.source.as_str()).collect();
    sources.dedup();
    let source = if sources.is_empty() { "none".to_owned() } else { sources.join(", ") };
    Ok(Chosen { source, suites: detection.suites, by_hand: false, looked_for: detection.looked_for })
}

fn suite(name: &str, cwd: &str, argv: Vec<String>, source: &str) -> Suite {
    let line = CommandLine::from_argv(&argv);
    let runner = line.invocations.iter().find_map(readers::of_invocation).map(|reader| reader.id);
    Suite {
        name: name.to_owned(),
        cwd: cwd.to_owned(),
        argv,
        source: source.to_owned(),
        runner,
        scripts: Vec::new(),
        needs_ci: false,
        basis: Basis::Declared,
    }
}

/// The plan of one suite in the project at `root`.
pub fn plan(suite: &Suite, root: &Path, config: &Config, time_limit: Option<Duration>, fresh: bool) -> Plan {
    let configured = duration(&config.test.timeout).filter(|limit| !limit.is_zero());
    Plan {
        argv: suite.argv.clone(),
        cwd: if suite.cwd == "." { root.to_owned() } else { root.join(&suite.cwd) },
        env: config.test.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        time_limit: time_limit.or(configured).unwrap_or(TIME_LIMIT),
        inject: config.test.inject,
        needs_ci: suite.needs_ci,
        runners: suite.runner.into_iter().collect(),
        fresh,
    }
}

/// The plan of one `[[verify]]`.
pub fn verify_plan(verify: &VerifyConfig, root: &Path, config: &Config) -> Result<Plan, Message> {
    let argv = CommandText::argv(&verify.command, verify.shell)?;
    let cwd = verify.cwd.as_deref().unwrap_or(".");
    let limit = verify.timeout.as_deref().and_then(duration).or_else(|| duration(&config.test.timeout));
    Ok(Plan {
        argv,
        cwd: if cwd == "." { root.to_owned() } else { root.join(cwd) },
        env: verify.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        time_limit: limit.unwrap_or(TIME_LIMIT),
        inject: false,
        needs_ci: false,
        runners: Vec::new(),
        fresh: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_humans_word_wins_over_the_file_and_the_file_over_detection() {
        let config = Config::parse("[test]\ncommand = \"pytest -q\"\n").unwrap();
        let detected = || Detection {
            suites: vec![suite("test", ".", words("npm test"), "package.json")],
            ..Detection::default()
        };
        let by_hand = choose(&words("node --test"), &config, &detected).unwrap();
        assert_eq!(
            (by_hand.source.as_str(), by_hand.suites[0].argv.join(" ")),
            ("command line", "node --test".to_owned())
        );
        assert_eq!(by_hand.suites[0].runner, Some("node-test"));
        let file = choose(&[], &config, &detected).unwrap();
        assert_eq!(
            (file.source.as_str(), file.suites[0].argv.join(" ")),
            ("kenshu.toml", "pytest -q".to_owned())
        );
        let found = choose(&[], &Config::default(), &detected).unwrap();
        assert_eq!((found.source.as_str(), found.by_hand), ("package.json", false));
    }
}
