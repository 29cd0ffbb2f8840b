//! What a command comes down to: the scripts it runs, transitively, and the programs these run.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use kenshu_readers::command::{CommandLine, Invocation};
use regex::Regex;
use serde_json::Value;

use super::folder::{Folder, join};
use super::glob::covers;
use super::runners::unwrapped;
use super::tasks::{Script, Step, Tool, find};
use crate::tree::Tree;

/// A program that is run, and where.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// Folder; empty for the project.
    pub(crate) cwd: String,
    /// The program.
    pub(crate) invocation: Invocation,
}

/// What a command comes down to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansion {
    /// The scripts in the order they are reached.
    pub(crate) scripts: Vec<Script>,
    /// The programs that are no call of one of these scripts.
    pub(crate) ran: Vec<Ran>,
}

/// A call of a script by its name.
struct Call {
    folder: String,
    tool: Tool,
    name: String,
}

/// Follows a command through the scripts it runs. `cwd` is empty or `.` for the project.
pub(crate) fn expand(tree: &dyn Tree, cwd: &str, argv: &[String]) -> Expansion {
    let mut walk = Walk { tree, seen: BTreeSet::new(), found: Expansion::default() };
    let cwd = join("", cwd).unwrap_or_default();
    let text = argv.join(" ");
    walk.follow_line(&cwd, &text, CommandLine::from_argv(argv), 0);
    walk.found
}

/// Scripts call scripts; deeper than this is a loop through several files.
const DEEPEST: usize = 12;

struct Walk<'a> {
    tree: &'a dyn Tree,
    seen: BTreeSet<(String, String)>,
    found: Expansion,
}

impl Walk<'_> {
    fn follow_line(&mut self, cwd: &str, text: &str, line: CommandLine, depth: usize) {
        for invocation in line.invocations {
            let mut calls = self.calls(cwd, text, &invocation);
            // What stands behind `(cd x && …)` runs in the folder the line began in; a name found nowhere is none.
            calls.retain(|call| !self.find(call).is_empty());
            let file = self.shell_file(cwd, text, &invocation);
            if calls.is_empty() && file.is_none() {
                self.found.ran.push(Ran { cwd: cwd.to_owned(), invocation: unwrapped(invocation) });
                continue;
            }
            for call in calls {
                for script in self.find(&call) {
                    self.follow(&script, Some(call.tool), depth + 1);
                }
            }
            if let Some(script) = file {
                self.follow(&script, None, depth + 1);
            }
        }
    }

    fn follow(&mut self, script: &Script, tool: Option<Tool>, depth: usize) {
        if depth > DEEPEST || !self.seen.insert((script.file.clone(), script.name.clone())) {
            return;
        }
        self.found.scripts.push(script.clone());
        for name in &script.needs {
            if let Some(tool) = tool {
                let call = Call { folder: script.cwd.clone(), tool, name: name.clone() };
                for script in self.find(&call) {
                    self.follow(&script, Some(tool), depth + 1);
                }
            }
        }
        for step in &script.steps {
            if let Some(name) = step.text.strip_prefix('@').filter(|_| tool == Some(Tool::Composer)) {
                let name = name.split_whitespace().next().unwrap_or_default();
                let call = Call { folder: script.cwd.clone(), tool: Tool::Composer, name: name.to_owned() };
                for script in self.find(&call) {
                    self.follow(&script, Some(Tool::Composer), depth + 1);
                }
                continue;
            }
            for (cwd, text) in pieces(&script.cwd, &step.text) {
                self.follow_line(&cwd, &text, CommandLine::parse(&text), depth);
            }
        }
    }

    /// The script, with what its tool runs before and after it.
    fn find(&self, call: &Call) -> Vec<Script> {
        let folder = Folder::new(self.tree, &call.folder);
        let Some(script) = find(&folder, call.tool, &call.name) else { return Vec::new() };
        let around = |prefix: &str| match call.tool {
            Tool::Package => find(&folder, call.tool, &format!("{prefix}{}", call.name)),
            Tool::Composer => find(&folder, call.tool, &format!("{prefix}-{}-cmd", call.name)),
            Tool::Deno
            | Tool::Poe
            | Tool::Pdm
            | Tool::Hatch
            | Tool::Make
            | Tool::Just
            | Tool::Task
            | Tool::Mise => None,
        };
        around("pre").into_iter().chain([script]).chain(around("post")).collect()
    }

    fn calls(&self, cwd: &str, text: &str, invocation: &Invocation) -> Vec<Call> {
        let call = |folder: &str, tool: Tool, name: &str| Call {
            folder: folder.to_owned(),
            tool,
            name: name.to_owned(),
        };
        let words: Vec<&str> = invocation.arguments.iter().map(String::as_str).collect();
        let first = words.iter().copied().find(|word| !word.starts_with('-'));
        let after = |keyword: &str| {
            words
                .iter()
                .skip_while(|word| **word != keyword)
                .skip(1)
                .copied()
                .find(|word| !word.starts_with('-'))
        };
        let inner = folder_option(cwd, &words);
        let folder = inner.as_str();
        match invocation.program.as_str() {
            "npm" | "pnpm" | "yarn" | "bun" => self.package_calls(folder, &invocation.program, &words),
            "npm-run-all" | "npm-run-all2" | "run-s" | "run-p" | "concurrently" => {
                self.named_scripts(cwd, &words).iter().map(|name| call(cwd, Tool::Package, name)).collect()
            }
            "turbo" | "nx" | "lerna" | "wireit" => self
                .members(cwd)
                .iter()
                .flat_map(|member| words.iter().map(move |word| (member, word)))
                .filter(|(_, word)| !word.starts_with('-'))
                .flat_map(|(member, word)| word.split(',').map(|name| call(member, Tool::Package, name)))
                .collect(),
            "composer" => {
                let name = after("run").or_else(|| after("run-script")).or(first);
                name.map(|name| call(folder, Tool::Composer, name)).into_iter().collect()
            }
            "poe" => first.map(|name| call(folder, Tool::Poe, name)).into_iter().collect(),
            "make" | "gmake" => {
                let targets: Vec<&str> =
                    positional(&words, &["-C", "-f", "-j", "--directory", "--file"]).collect();
                let targets = if targets.is_empty() { vec![""] } else { targets };
                targets.into_iter().map(|name| call(folder, Tool::Make, name)).collect()
            }
            "just" => first.map(|name| call(folder, Tool::Just, name)).into_iter().collect(),
            "task" => first.map(|name| call(folder, Tool::Task, name)).into_iter().collect(),
            "mise" => after("run")
                .or_else(|| after("r"))
                .map(|name| call(folder, Tool::Mise, name))
                .into_iter()
                .collect(),
            "deno" => after("task").map(|name| call(folder, Tool::Deno, name)).into_iter().collect(),
            // `pdm run test` and `hatch run test`: the wrapper is off, the script's name stands as the program.
            name if text.contains("pdm run") => vec![call(folder, Tool::Pdm, name)],
            name if text.contains("hatch run") || text.contains("hatch -e") => {
                let name = text
                    .split_whitespace()
                    .find(|word| word.ends_with(name) && word.contains(':'))
                    .unwrap_or(name);
                vec![call(folder, Tool::Hatch, name)]
            }
            _ => Vec::new(),
        }
    }

    /// Scripts that npm, pnpm, yarn or bun run with these words.
    fn package_calls(&self, folder: &str, program: &str, words: &[&str]) -> Vec<Call> {
        let mut names =
            positional(words, &["--prefix", "-C", "--cwd", "--dir", "-w", "--workspace", "--filter", "-F"]);
        let Some(mut first) = names.next() else { return Vec::new() };
        let mut folders = vec![folder.to_owned()];
        let everywhere = |word: &&str| {
            matches!(
                *word,
                "--workspaces" | "-ws" | "-r" | "--recursive" | "-w" | "--workspace" | "--filter" | "-F"
            ) || word.starts_with("--filter=")
                || word.starts_with("--workspace=")
        };
        if words.iter().any(everywhere) {
            folders = self.members(folder);
        }
        if program == "yarn" && first == "workspaces" {
            folders = self.members(folder);
            first = names.find(|word| !matches!(*word, "foreach" | "run")).unwrap_or_default();
        } else if program == "yarn" && first == "workspace" {
            let wanted = names.next().unwrap_or_default();
            folders = self.members(folder);
            folders.retain(|member| self.package_name(member).as_deref() == Some(wanted));
            first = names.find(|word| *word != "run").unwrap_or_default();
        } else if matches!(first, "run" | "run-script" | "rum" | "urn") {
            first = names.next().unwrap_or_default();
        } else if matches!(first, "t" | "tst") && program != "bun" {
            first = "test";
        } else if (program == "bun" && first == "test")
            || (program == "npm" && !matches!(first, "test" | "start"))
        {
            return Vec::new();
        }
        folders
            .into_iter()
            .map(|folder| Call { folder, tool: Tool::Package, name: first.to_owned() })
            .collect()
    }

    /// Script names given to a runner of several, patterns written out.
    fn named_scripts(&self, cwd: &str, words: &[&str]) -> Vec<String> {
        let package = Folder::new(self.tree, cwd).json("package.json").unwrap_or(Value::Null);
        let known: Vec<&String> = package
            .get("scripts")
            .and_then(Value::as_object)
            .map(|map| map.keys().collect())
            .unwrap_or_default();
        words
            .iter()
            .filter(|word| !word.starts_with('-'))
            .flat_map(|word| {
                let name = word
                    .strip_prefix("npm:")
                    .or_else(|| word.strip_prefix("npm run "))
                    .or_else(|| word.strip_prefix("pnpm "))
                    .or_else(|| word.strip_prefix("yarn "))
                    .unwrap_or(word);
                // In script names `:` separates as `/` does in paths.
                let name = name.split_whitespace().next().unwrap_or_default().replace(':', "/");
                known
                    .iter()
                    .filter(move |script| covers(&name, &script.replace(':', "/")))
                    .map(|script| (*script).clone())
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    fn members(&self, folder: &str) -> Vec<String> {
        super::npm::members(&Folder::new(self.tree, folder))
    }

    fn package_name(&self, folder: &str) -> Option<String> {
        Some(Folder::new(self.tree, folder).json("package.json")?.get("name")?.as_str()?.to_owned())
    }

    /// A shell script of the tree that is run: its text is part of the ruler as a package script's is.
    fn shell_file(&self, cwd: &str, text: &str, invocation: &Invocation) -> Option<Script> {
        let shell = matches!(invocation.program.as_str(), "sh" | "bash" | "zsh" | "dash" | "." | "source");
        let path = if shell {
            join(cwd, invocation.arguments.iter().find(|word| !word.starts_with('-'))?)?
        } else {
            // The folder was taken off the program's name; a name without one is no file of the tree.
            let ending = format!("/{}", invocation.program);
            let mut words = text.split([' ', '\t', '\n', ';', '&', '|', '(', ')', '"', '\'', '@']);
            join(cwd, words.find(|word| word.ends_with(&ending))?)?
        };
        let text = self.tree.read(&path)?;
        let has_shebang =
            text.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("sh"));
        (shell || has_shebang || path.ends_with(".sh")).then(|| Script {
            name: path.clone(),
            file: path,
            cwd: cwd.to_owned(),
            steps: vec![Step { text, ignored: false }],
            needs: Vec::new(),
        })
    }
}

/// Words that are neither options nor the values of `with_value`.
fn positional<'w>(words: &'w [&'w str], with_value: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
    words.iter().enumerate().filter_map(move |(at, word)| {
        let is_value = at > 0 && with_value.contains(&words[at - 1]);
        (!word.starts_with('-') && !is_value && !word.contains('=')).then_some(*word)
    })
}

/// The folder that an option names, else `cwd`.
fn folder_option(cwd: &str, words: &[&str]) -> String {
    const OPTIONS: &[&str] = &["--prefix", "-C", "--cwd", "--dir", "--directory", "-d"];
    let named = words.iter().enumerate().find_map(|(at, word)| {
        if OPTIONS.contains(word) {
            return words.get(at + 1).copied();
        }
        word.split_once('=').filter(|(name, _)| OPTIONS.contains(name)).map(|(_, value)| value)
    });
    named.and_then(|named| join(cwd, named)).unwrap_or_else(|| cwd.to_owned())
}

/// Cuts a line at each `cd`, so that each piece has its folder.
pub(crate) fn pieces(cwd: &str, text: &str) -> Vec<(String, String)> {
    static CD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?:^|[\s(;&])(?:cd|pushd)\s+(?:"([^"$]+)"|'([^'$]+)'|([^\s;&|()"'$]+))\s*(?:&&|;|\n)"#)
            .expect("the pattern is fixed and tested")
    });
    let mut pieces = Vec::new();
    let mut folder = cwd.to_owned();
    let mut from = 0;
    for found in CD.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        let head = text[from..whole.start()].trim();
        if !head.is_empty() {
            pieces.push((folder.clone(), head.to_owned()));
        }
        // A piece that was closed by a parenthesis leaves its folder.
        let base = if head.contains(')') { cwd } else { folder.as_str() };
        let named = found.get(1).or(found.get(2)).or(found.get(3)).map_or(".", |name| name.as_str());
        folder = join(base, named).unwrap_or_else(|| cwd.to_owned());
        from = whole.end();
    }
    let rest = text[from..].trim();
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push((folder, rest.to_owned()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn tree(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], command: &str, scripts: &[&str], ran: &[&str]) {
        let argv: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let found = expand(&tree(files), ".", &argv);
        let names: Vec<String> =
            found.scripts.iter().map(|script| format!("{}#{}", script.file, script.name)).collect();
        assert_eq!(names, scripts, "{command}");
        let programs: Vec<String> =
            found.ran.iter().map(|ran| format!("{}:{}", ran.cwd, ran.invocation.program)).collect();
        assert_eq!(programs, ran, "{command}");
    }

    #[test]
    fn scripts_are_followed_with_what_runs_around_them() {
        let package = r#"{"scripts":{"test":"npm run unit && npm run e2e","pretest":"tsc","unit":"vitest run","e2e":"playwright test","loop":"npm run loop"}}"#;
        check(
            &[("package.json", package)],
            "npm test",
            &["package.json#pretest", "package.json#test", "package.json#unit", "package.json#e2e"],
            &[":tsc", ":vitest", ":playwright"],
        );
        check(&[("package.json", package)], "npm run loop", &["package.json#loop"], &[]);
        check(&[("package.json", package)], "yarn vitest", &[], &[":vitest"]);
        check(&[("package.json", package)], "pnpm exec jest", &[], &[":jest"]);
        check(&[("package.json", package)], "c8 -r text node --test", &[], &[":node"]);
        check(&[("package.json", package)], "cross-env A=1 jest", &[], &[":jest"]);
    }

    #[test]
    fn folders_are_kept() {
        let files = [
            ("Makefile", "test:\n\t(cd web && npm test) && (cd api && pytest)\n\t$(MAKE) -C lib test\n"),
            ("web/package.json", r#"{"scripts":{"test":"jest"}}"#),
            ("lib/Makefile", "test:\n\t./run.sh\n"),
            ("lib/run.sh", "#!/bin/sh\nset -e\nbats .\n"),
        ];
        check(
            &files,
            "make test",
            &["Makefile#test", "web/package.json#test", "lib/Makefile#test", "lib/run.sh#lib/run.sh"],
            &["web:jest", "api:pytest", "lib:bats"],
        );
    }

    #[test]
    fn several_scripts_and_members_are_found() {
        let files = [
            (
                "package.json",
                r#"{"workspaces":["packages/*"],"scripts":{"test":"run-s test:*","test:a":"jest","test:b":"turbo run unit"}}"#,
            ),
            ("packages/x/package.json", r#"{"name":"x","scripts":{"unit":"vitest run"}}"#),
        ];
        check(
            &files,
            "npm test",
            &[
                "package.json#test",
                "package.json#test:a",
                "package.json#test:b",
                "packages/x/package.json#unit",
            ],
            &[":jest", "packages/x:vitest"],
        );
        check(&files, "npm run unit --workspaces", &["packages/x/package.json#unit"], &["packages/x:vitest"]);
        check(&files, "yarn workspace x unit", &["packages/x/package.json#unit"], &["packages/x:vitest"]);
    }

    #[test]
    fn only_a_program_named_with_its_folder_is_a_file_of_the_tree() {
        let files = [("bin/npm", "#!/bin/sh\n"), ("bin/check", "#!/bin/sh\npytest\n")];
        check(&files, "npm install", &[], &[":npm"]);
        check(&files, "bin/check", &["bin/check#bin/check"], &[":pytest"]);
    }

    #[test]
    fn other_tools_are_followed() {
        check(
            &[("composer.json", r#"{"scripts":{"test":["@lint","vendor/bin/phpunit"],"lint":"pint"}}"#)],
            "composer test",
            &["composer.json#test", "composer.json#lint"],
            &[":pint", ":phpunit"],
        );
        check(
            &[("pyproject.toml", "[tool.pdm.scripts]\ntest = 'pytest -q'\n")],
            "pdm run test",
            &["pyproject.toml#test"],
            &[":pytest"],
        );
        check(
            &[("pyproject.toml", "[tool.poe.tasks]\ntest = 'pytest -q'\n")],
            "uv run poe test",
            &["pyproject.toml#test"],
            &[":pytest"],
        );
    }
}
