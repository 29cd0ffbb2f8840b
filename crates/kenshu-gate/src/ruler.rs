//! The ruler: command, scripts and the narrowing facts of runner configuration, and how two of them differ.
//!
//! A ruler is read off a tree, the working tree's or a commit's, and compared as data. Configuration is never run: what
//! is code is read as far as it is literal, and what can't be read is listed as different, never as narrowing.

mod cargo;
mod config;
mod ctest;
mod diff;
mod dotnet;
mod go;
mod gradle;
mod hidden;
mod jest;
mod js;
mod kenshu_toml;
mod line;
mod maven;
mod mocha;
mod node;
mod options;
mod phpunit;
mod playwright;
mod pytest;
mod rspec;
mod settings;
mod vitest;

use std::collections::{BTreeMap, BTreeSet};

use kenshu_model::check::RulerChange;

use crate::detect::Suite;
use crate::detect::folder::Folder;
use crate::detect::runners::runner_name;
use crate::detect::scripts::{Expansion, expand};
use crate::tree::Tree;

/// What measures the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruler {
    /// The commands, in the order of the suites.
    pub commands: Vec<RulerCommand>,
    /// Every script that a command runs, with what runs before and after it, by file and name.
    pub scripts: BTreeMap<ScriptName, String>,
    /// `kenshu.toml`, its values in a fixed order and without comments; `None`: there is none.
    pub kenshu_toml: Option<String>,
    /// What runner configuration says about which tests run and which failures show; sorted.
    pub facts: Vec<Fact>,
    /// What can be told of the commands together with their scripts, and of the tree, to judge a difference.
    surroundings: Surroundings,
}

/// A command of the ruler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulerCommand {
    /// The suite's name.
    pub suite: String,
    /// Folder it runs in.
    pub cwd: String,
    /// Program and arguments; the interpreter of the project's own virtual environment stands as `python3`.
    pub argv: Vec<String>,
}

/// Where a script stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptName {
    /// The file, relative to the project.
    pub file: String,
    /// The script's or target's name.
    pub name: String,
}

/// One fact of runner configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The file, relative to the project.
    pub file: String,
    /// The setting: `addopts -k`, `testPathIgnorePatterns` …; the same key may stand there several times.
    pub key: String,
    /// One value of it.
    pub value: String,
    /// Which way it narrows.
    pub kind: Kind,
}

/// Which way a fact narrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Takes tests away or hides failures: one more of it narrows.
    Narrows,
    /// A list of what runs, where no list means everything: one less of it narrows, and so does the first of it.
    Includes,
    /// Makes the run stricter: one less of it narrows.
    Strict,
    /// A number that must be reached: a lower one narrows.
    AtLeast,
    /// A number of further tries: a higher one narrows.
    AtMost,
    /// Configuration that can't be read; its value is a hash of the text. Never narrows.
    Unread,
}

/// What is known besides, for judging alone: no part of the hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Surroundings {
    /// What each command line says by itself, by the place of the command in the list.
    of_commands: Vec<Vec<Fact>>,
    /// What each script says by itself.
    of_scripts: BTreeMap<ScriptName, Vec<Fact>>,
    /// What all of them say together; the file is the folder they run in.
    together: Vec<Fact>,
    /// Include lists that leave out a test file of the tree: file and key.
    leaving_out: BTreeSet<(String, String)>,
    /// The runners that are known to be run; `None`: a program is run that isn't known.
    runners: Option<BTreeSet<&'static str>>,
    /// The runners that read a configuration file.
    readers: BTreeMap<String, Vec<&'static str>>,
    /// Every folder that holds a file.
    folders: BTreeSet<String>,
}

impl Ruler {
    /// A ruler that was kept, without what is known only beside a tree: enough to say what differs.
    pub fn kept(
        commands: Vec<RulerCommand>,
        scripts: BTreeMap<ScriptName, String>,
        kenshu_toml: Option<String>,
        facts: Vec<Fact>,
    ) -> Ruler {
        Ruler { commands, scripts, kenshu_toml, facts, surroundings: Surroundings::default() }
    }
}

/// Reads the ruler off a tree.
pub fn ruler(tree: &dyn Tree, suites: &[Suite]) -> Ruler {
    let mut ruler = Ruler { kenshu_toml: kenshu_toml::normalised(tree), ..Ruler::default() };
    let mut around = Surroundings { runners: Some(BTreeSet::new()), ..Surroundings::default() };
    for suite in suites {
        let expansion = expand(tree, &suite.cwd, &suite.argv);
        let cwd = if suite.cwd == "." { "" } else { suite.cwd.as_str() };
        let own = line::of_argv(cwd, &suite.argv);
        around.together.extend(own.iter().filter(|fact| fact.key != line::RUNS).cloned());
        around.of_commands.push(own);
        ruler.commands.push(RulerCommand {
            suite: suite.name.clone(),
            cwd: suite.cwd.clone(),
            argv: with_plain_interpreter(&suite.argv),
        });
        for script in &expansion.scripts {
            let name = ScriptName { file: script.file.clone(), name: script.name.clone() };
            let facts = line::of_script(script);
            around.together.extend(facts.iter().filter(|fact| fact.key != line::RUNS).cloned());
            around.of_scripts.insert(name.clone(), facts);
            ruler.scripts.insert(name, script.body());
        }
        note_programs(&mut around, &expansion);
    }
    let (facts, readers) = config::facts(tree, around.runners.as_ref());
    around.leaving_out = config::leaving_out(tree, &facts);
    around.readers = readers;
    around.folders = Folder::new(tree, "")
        .files(config::DEPTH, &[])
        .iter()
        .map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())
        .collect();
    ruler.facts = facts;
    for facts in [&mut ruler.facts, &mut around.together] {
        facts.sort();
        facts.dedup();
    }
    ruler.surroundings = around;
    ruler
}

fn note_programs(around: &mut Surroundings, expansion: &Expansion) {
    for ran in &expansion.ran {
        around.together.extend(line::runs(&ran.cwd, &ran.invocation));
        match (runner_name(&ran.invocation), &mut around.runners) {
            (Some(name), Some(known)) => {
                known.insert(name);
            }
            // What an unknown program starts is unknown: every configuration may count.
            (None, runners) if line::may_test(&ran.invocation) => *runners = None,
            (_, _) => {}
        }
    }
    // Tools that run others' tests hide which.
    let through_others =
        around.runners.as_ref().is_some_and(|known| ["tox", "nox"].iter().any(|name| known.contains(name)));
    if through_others {
        around.runners = None;
    }
}

/// The interpreter of an environment says nothing about the tests, and a commit has no environment.
fn with_plain_interpreter(argv: &[String]) -> Vec<String> {
    let mut argv = argv.to_vec();
    if let Some(program) = argv.first_mut() {
        let plain = ["venv/bin/python", "venv/bin/python3", "venv/Scripts/python.exe"];
        if program == "python" || plain.iter().any(|own| program.trim_start_matches('.') == *own) {
            *program = "python3".to_owned();
        }
    }
    argv
}

/// How `after` differs from `before`, and what of it narrows.
pub fn compare(before: &Ruler, after: &Ruler) -> Vec<RulerChange> {
    diff::changes(before, after)
}

impl Ruler {
    /// The bytes to hash: equal for equal rulers, whatever the order in the files.
    pub fn hash(&self) -> String {
        let mut text = String::from("kenshu ruler 1\n");
        let mut put = |parts: &[&str]| {
            // Lengths keep parts apart whatever stands in them.
            for part in parts {
                text.push_str(&format!("{}:{part} ", part.len()));
            }
            text.push('\n');
        };
        for command in &self.commands {
            let mut parts = vec!["command", command.cwd.as_str()];
            parts.extend(command.argv.iter().map(String::as_str));
            put(&parts);
        }
        for (name, body) in &self.scripts {
            put(&["script", &name.file, &name.name, body]);
        }
        if let Some(config) = &self.kenshu_toml {
            put(&["kenshu.toml", config]);
        }
        for fact in &self.facts {
            put(&["fact", &fact.file, &fact.key, &fact.value, fact.kind.word()]);
        }
        text
    }
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Narrows => "narrows",
            Kind::Includes => "includes",
            Kind::Strict => "strict",
            Kind::AtLeast => "at least",
            Kind::AtMost => "at most",
            Kind::Unread => "unread",
        }
    }
}

#[cfg(test)]
mod examples;

#[cfg(test)]
mod tests;
