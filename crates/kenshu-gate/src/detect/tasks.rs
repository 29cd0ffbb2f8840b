//! Scripts and tasks by name: package.json, composer.json, deno.json, pyproject.toml, Makefile, justfile, Taskfile, mise.

use serde_json::Value;

use super::folder::{Folder, parse_json};
use super::makefile::Makefile;

/// What runs a script by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    /// npm, pnpm, yarn, bun.
    Package,
    /// Composer.
    Composer,
    /// Deno.
    Deno,
    /// Poe the Poet.
    Poe,
    /// PDM.
    Pdm,
    /// Hatch.
    Hatch,
    /// Make.
    Make,
    /// just.
    Just,
    /// Task.
    Task,
    /// mise.
    Mise,
}

/// One line that a script hands to a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The line, with the tool's own marks taken off and plain variables put in.
    pub(crate) text: String,
    /// Whether the tool goes on when the line fails.
    pub(crate) ignored: bool,
}

/// A script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// The file it stands in, relative to the project.
    pub(crate) file: String,
    /// Its name.
    pub(crate) name: String,
    /// Folder it runs in; empty for the project.
    pub(crate) cwd: String,
    /// What it runs.
    pub(crate) steps: Vec<Step>,
    /// Tasks of the same file that it runs.
    pub(crate) needs: Vec<String>,
}

impl Script {
    /// The text that is compared: a line per step, blanks evened out.
    pub(crate) fn body(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        if !self.needs.is_empty() {
            lines.push(format!("needs: {}", self.needs.join(" ")));
        }
        for step in &self.steps {
            let mark = if step.ignored { "-" } else { "" };
            // Shell files keep their lines; blanks inside a line say nothing but in quotes, which are left alone.
            for line in step.text.lines() {
                let line = if line.contains(['"', '\'']) {
                    line.trim().to_owned()
                } else {
                    line.split_whitespace().collect::<Vec<_>>().join(" ")
                };
                if !line.is_empty() && (!line.starts_with('#') || line.starts_with("#!")) {
                    lines.push(format!("{mark}{line}"));
                }
            }
        }
        lines.join("\n")
    }
}

/// The script of this name that this tool finds in this folder.
pub(crate) fn find(folder: &Folder<'_>, tool: Tool, name: &str) -> Option<Script> {
    let script = |file: &str, steps: Vec<Step>, needs: Vec<String>| {
        Some(Script { file: folder.at(file), name: name.to_owned(), cwd: folder.path.clone(), steps, needs })
    };
    match tool {
        Tool::Package => {
            let json = folder.json("package.json")?;
            script("package.json", of_json(json.get("scripts")?.get(name)?), Vec::new())
        }
        Tool::Composer => {
            let json = folder.json("composer.json")?;
            script("composer.json", of_json(json.get("scripts")?.get(name)?), Vec::new())
        }
        Tool::Deno => {
            let file = folder.first_of(&["deno.json", "deno.jsonc"])?;
            let json = parse_json(&folder.read(file)?)?;
            let task = json.get("tasks")?.get(name)?;
            let needs = words_of(task.get("dependencies"));
            script(file, of_json(task.get("command").unwrap_or(task)), needs)
        }
        Tool::Poe | Tool::Pdm | Tool::Hatch => {
            let (file, body) = of_pyproject(folder, tool, name)?;
            script(file, body, Vec::new())
        }
        Tool::Make => {
            let file = folder.first_of(Makefile::NAMES)?;
            let makefile = Makefile::parse(&folder.read(file)?);
            let name = if name.is_empty() { makefile.first()? } else { name };
            let target = makefile.target(name)?;
            let steps = target.recipe.iter().map(|line| recipe(&makefile, line)).collect();
            let needs = target.needs.iter().filter(|need| makefile.target(need).is_some()).cloned().collect();
            script(file, steps, needs)
        }
        Tool::Just => {
            let file = folder.first_of(&["justfile", "Justfile", ".justfile"])?;
            let (steps, needs) = of_justfile(&folder.read(file)?, name)?;
            script(file, steps, needs)
        }
        Tool::Task => {
            let file =
                folder.first_of(&["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"])?;
            let (steps, needs) = of_taskfile(&folder.read(file)?, name)?;
            script(file, steps, needs)
        }
        Tool::Mise => {
            ["mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml"].iter().find_map(|file| {
                let table = folder.toml(file)?;
                let task = table.get("tasks")?.get(name)?;
                let run = task.get("run").unwrap_or(task);
                let needs = task.get("depends").map(toml_words).unwrap_or_default();
                script(file, toml_words(run).into_iter().map(plain).collect(), needs)
            })
        }
    }
}

fn plain(text: String) -> Step {
    Step { text, ignored: false }
}

/// A recipe's line without make's marks `@`, `-` and `+`.
fn recipe(makefile: &Makefile, line: &str) -> Step {
    let line = makefile.expand(line);
    let text = line.trim_start_matches(['@', '-', '+', ' ']);
    let marks = &line[..line.len() - text.len()];
    Step { text: text.to_owned(), ignored: marks.contains('-') }
}

fn of_json(value: &Value) -> Vec<Step> {
    match value {
        Value::String(text) => vec![plain(text.clone())],
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).map(|text| plain(text.to_owned())).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

fn words_of(value: Option<&Value>) -> Vec<String> {
    value
        .and_then(Value::as_array)
        .map(|items| items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default()
}

/// A string, or the strings of a list.
fn toml_words(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(text) => vec![text.clone()],
        toml::Value::Array(items) => {
            items.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect()
        }
        toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_)
        | toml::Value::Table(_) => Vec::new(),
    }
}

fn of_pyproject(folder: &Folder<'_>, tool: Tool, name: &str) -> Option<(&'static str, Vec<Step>)> {
    let table = folder.toml("pyproject.toml")?;
    let tools = table.get("tool")?;
    let task = if tool == Tool::Poe {
        tools.get("poe")?.get("tasks")?.get(name)?
    } else if tool == Tool::Pdm {
        tools.get("pdm")?.get("scripts")?.get(name)?
    } else {
        // Hatch names an environment before the script where it isn't the default one.
        let environments = tools.get("hatch")?.get("envs")?.as_table()?;
        let (wanted, name) = name.split_once(':').map_or((None, name), |(env, name)| (Some(env), name));
        environments
            .iter()
            .filter(|(env, _)| wanted.is_none_or(|wanted| wanted == env.as_str()))
            .find_map(|(_, env)| env.get("scripts")?.get(name))?
    };
    let keys = ["cmd", "shell", "composite", "sequence", "script", "call"];
    let body = keys.iter().find_map(|key| task.get(*key)).unwrap_or(task);
    Some(("pyproject.toml", toml_words(body).into_iter().map(plain).collect()))
}

fn of_justfile(text: &str, name: &str) -> Option<(Vec<Step>, Vec<String>)> {
    let mut lines = text.lines();
    let needs = lines.by_ref().find_map(|line| {
        let line = line.strip_prefix('@').unwrap_or(line);
        if line.starts_with([' ', '\t', '#']) {
            return None;
        }
        let (head, needs) = line.split_once(':')?;
        // `name := value` is a variable.
        (!needs.starts_with('=') && head.split_whitespace().next() == Some(name)).then(|| {
            needs
                .split('#')
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .filter(|word| *word != "&&")
                .map(|word| word.trim_matches(['(', ')']).to_owned())
                .collect::<Vec<_>>()
        })
    })?;
    let steps = lines
        .take_while(|line| line.starts_with([' ', '\t']) || line.trim().is_empty())
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let text = line.trim().trim_start_matches(['@', '-']);
            let marks = &line.trim()[..line.trim().len() - text.len()];
            Step { text: text.to_owned(), ignored: marks.contains('-') }
        })
        .collect();
    Some((steps, needs))
}

/// The commands of a task in a Taskfile: `cmds:` and `deps:` as plain lists, or the short form `test: command`.
fn of_taskfile(text: &str, name: &str) -> Option<(Vec<Step>, Vec<String>)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .skip_while(|line| !line.starts_with("tasks:"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .peekable();
    let level = indent(lines.peek()?);
    let head = lines.find(|line| {
        indent(line) == level && line.trim().split_once(':').is_some_and(|(key, _)| unquoted(key) == name)
    })?;
    let mut steps = Vec::new();
    let mut needs = Vec::new();
    let short = head.trim().split_once(':').map_or("", |(_, rest)| rest.trim());
    if !short.is_empty() {
        steps.push(plain(unquoted(short).to_owned()));
    }
    let mut list = "";
    for line in lines.take_while(|line| indent(line) > level) {
        let line = line.trim();
        let item = line.strip_prefix("- ").map(str::trim);
        if item.is_none()
            && let Some((key, rest)) = line.split_once(':')
        {
            list = match key {
                "cmds" | "cmd" => "cmds",
                "deps" => "deps",
                "task" if list == "cmds" => "cmds",
                "ignore_error" if rest.trim() == "true" => {
                    steps.iter_mut().for_each(|step| step.ignored = true);
                    list
                }
                _ => "",
            };
            match (key, rest.trim()) {
                ("cmd", text) if !text.is_empty() => steps.push(plain(unquoted(text).to_owned())),
                ("deps", inline) => needs.extend(
                    inline
                        .trim_matches(['[', ']'])
                        .split(',')
                        .map(|need| unquoted(need).to_owned())
                        .filter(|need| !need.is_empty()),
                ),
                _ => {}
            }
            continue;
        }
        let Some(item) = item else { continue };
        match (list, item.split_once(": ")) {
            ("deps", Some(("task", need))) | ("cmds", Some(("task", need))) => {
                needs.push(unquoted(need).to_owned())
            }
            ("deps", _) => needs.push(unquoted(item).to_owned()),
            ("cmds", Some(("cmd", text))) => steps.push(plain(unquoted(text).to_owned())),
            ("cmds", _) => steps.push(plain(unquoted(item).to_owned())),
            _ => {}
        }
    }
    Some((steps, needs))
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[track_caller]
    fn check(file: &str, text: &str, tool: Tool, name: &str, body: &str) {
        let tree = BTreeMap::from([(file.to_owned(), text.to_owned())]);
        let script = find(&Folder::new(&tree, ""), tool, name);
        assert_eq!(script.map(|script| script.body()).as_deref(), Some(body), "{text}");
    }

    #[test]
    fn every_tool_finds_its_script() {
        check("package.json", r#"{"scripts":{"test":"vitest  run"}}"#, Tool::Package, "test", "vitest run");
        check(
            "composer.json",
            r#"{"scripts":{"test":["@lint","phpunit"]}}"#,
            Tool::Composer,
            "test",
            "@lint\nphpunit",
        );
        check("deno.jsonc", r#"{"tasks":{/*x*/"test":"deno test -A"}}"#, Tool::Deno, "test", "deno test -A");
        check(
            "pyproject.toml",
            "[tool.poe.tasks]\ntest = {cmd = 'pytest -q'}\n",
            Tool::Poe,
            "test",
            "pytest -q",
        );
        check("pyproject.toml", "[tool.pdm.scripts]\ntest = 'pytest'\n", Tool::Pdm, "test", "pytest");
        check(
            "pyproject.toml",
            "[tool.hatch.envs.default.scripts]\ntest = 'pytest {args}'\n",
            Tool::Hatch,
            "test",
            "pytest {args}",
        );
        check(
            "Makefile",
            "test: gen\n\t-@go test ./...\ngen:\n\tx\n",
            Tool::Make,
            "test",
            "needs: gen\n-go test ./...",
        );
        check(
            "justfile",
            "a := 'x'\n@test *args: build\n  -cargo test\n\n  echo\nb:\n",
            Tool::Just,
            "test",
            "needs: build\n-cargo test\necho",
        );
        check(
            "mise.toml",
            "[tasks.test]\nrun = ['a', 'b']\ndepends = ['c']\n",
            Tool::Mise,
            "test",
            "needs: c\na\nb",
        );
    }

    #[test]
    fn a_taskfile_is_read_by_its_lines() {
        let text = "version: '3'\ntasks:\n  build:\n    cmds:\n      - go build\n  test:\n    desc: x\n    deps: [build]\n    cmds:\n      - task: lint\n      - go test ./...\n      - cmd: \"go vet\"\n        ignore_error: true\n  last: echo x\n";
        check("Taskfile.yml", text, Tool::Task, "test", "needs: build lint\n-go test ./...\n-go vet");
        check("Taskfile.yml", text, Tool::Task, "last", "echo x");
    }
}
