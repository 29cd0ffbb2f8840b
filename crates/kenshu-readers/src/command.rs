//! Command lines as far as counting needs them: which programs run, and whose status comes out.
//!
//! POSIX quoting, lists, pipelines and groups are read. What is not understood gives `Owner::Unclear`, never a guess.

mod tokens;

use tokens::{Token, tokens};

/// A program with its arguments, wrappers (`timeout`, `env`, `npx` …) taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program's file name, without folder and `.exe`.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Whether a wrapper set a time limit.
    pub time_limit: bool,
}

/// Whose status a command line ends with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    #[default]
    /// Its last list's own: nothing in that list hides a status.
    Runner,
    /// Another program's: behind a pipe without `pipefail`, `||`, `;`, `&`, a loop.
    Other,
    /// The line was not understood.
    Unclear,
}

impl Owner {
    /// The less certain of the two.
    fn or(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::Unclear, _) | (_, Owner::Unclear) => Owner::Unclear,
            (Owner::Other, _) | (_, Owner::Other) => Owner::Other,
            (Owner::Runner, Owner::Runner) => Owner::Runner,
        }
    }
}

/// A command line taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// Every program that the line names, in order.
    pub invocations: Vec<Invocation>,
    /// Whose status the line ends with.
    pub owner: Owner,
    /// Index of the first invocation of the last and-or list, whose status the line ends with.
    pub owned_from: usize,
    /// Whether a part of it runs as often as there are words, lines or rounds: a loop, `xargs`.
    pub repeats: bool,
}

impl CommandLine {
    /// Takes a command line apart.
    pub fn parse(text: &str) -> CommandLine {
        match tokens(text) {
            Some(tokens) => CommandLine::from_tokens(&tokens),
            None => CommandLine { owner: Owner::Unclear, ..CommandLine::default() },
        }
    }

    /// The command line of a program that is started without a shell.
    pub fn from_argv(argv: &[String]) -> CommandLine {
        CommandLine::from_words(argv)
    }

    fn from_words(words: &[String]) -> CommandLine {
        match unwrap(words) {
            Unwrapped::Program(invocation) => {
                CommandLine { invocations: vec![invocation], ..CommandLine::default() }
            }
            Unwrapped::Shell { script, pipefail, time_limit } => {
                let mut inner = match tokens(&script) {
                    Some(tokens) => CommandLine::from_list(&tokens, pipefail),
                    None => CommandLine { owner: Owner::Unclear, ..CommandLine::default() },
                };
                if time_limit {
                    inner.invocations.iter_mut().for_each(|invocation| invocation.time_limit = true);
                }
                inner
            }
            Unwrapped::Nothing => CommandLine::default(),
        }
    }

    fn from_tokens(tokens: &[Token]) -> CommandLine {
        CommandLine::from_list(tokens, false)
    }

    fn from_list(tokens: &[Token], mut pipefail: bool) -> CommandLine {
        let commands = simple_commands(tokens);
        // The status is that of the last and-or list: what stands behind the last `;`, newline or `&`.
        let last = commands.len().saturating_sub(1);
        let list_start = commands[..last]
            .iter()
            .rposition(|(_, operator)| matches!(*operator, ";" | "\n" | "&"))
            .map_or(0, |separator| separator + 1);
        let mut line = CommandLine::default();
        // What a substitution runs is printed by others, and its status is nobody's.
        for token in tokens {
            if let Token::Substitution(script) = token {
                line.invocations.extend(CommandLine::parse(script).invocations);
            }
        }
        for (index, (words, operator)) in commands.iter().enumerate() {
            if index == list_start {
                line.owned_from = line.invocations.len();
            }
            let in_last_list = index >= list_start;
            let hides = match *operator {
                "||" | "&" => true,
                "|" | "|&" => !pipefail,
                _ => false,
            };
            if is_compound(words) || (in_last_list && hides) {
                line.owner = line.owner.or(Owner::Other);
            }
            line.repeats |= repeats(words);
            let words = without_reserved(words);
            line.repeats |= repeats(words);
            pipefail |= sets_pipefail(words);
            // Settings run nothing and leave no status behind that anybody asks for.
            if matches!(
                words.first().map(String::as_str),
                Some("set" | "export" | "cd" | "pushd" | "popd" | "umask")
            ) {
                continue;
            }
            let inner = CommandLine::from_words(words);
            line.repeats |= inner.repeats;
            if in_last_list {
                line.owner = line.owner.or(inner.owner);
            }
            line.invocations.extend(inner.invocations);
        }
        line
    }

    /// Whether a part of the line runs under `timeout`.
    pub fn has_time_limit(&self) -> bool {
        self.invocations.iter().any(|invocation| invocation.time_limit)
    }
}

impl Invocation {
    /// Whether this is the program `words[0]` and the other words follow among its arguments in this order.
    ///
    /// `python` stands for every interpreter name (`python3`, `python3.13`, `py`); `-m module` is matched as it is.
    pub fn matches(&self, words: &[&str]) -> bool {
        let Some((program, rest)) = words.split_first() else { return false };
        if !same_program(&self.program, program) {
            return false;
        }
        let mut arguments = self.arguments.iter();
        rest.iter().all(|word| arguments.any(|argument| argument == word))
    }

    /// Whether one of `options` is among the arguments, alone or with `=value`.
    pub fn has_option(&self, options: &[&str]) -> bool {
        self.arguments.iter().any(|argument| {
            let name = argument.split_once('=').map_or(argument.as_str(), |(name, _)| name);
            options.contains(&name) || options.contains(&argument.as_str())
        })
    }
}

fn same_program(actual: &str, wanted: &str) -> bool {
    actual == wanted
        || (wanted == "python"
            && actual
                .strip_prefix("python")
                .or_else(|| actual.strip_prefix("py"))
                .or_else(|| actual.strip_prefix("pypy"))
                .is_some_and(|version| {
                    version.chars().all(|symbol| symbol.is_ascii_digit() || symbol == '.')
                }))
}

/// The simple commands with the operator that follows each (`""` at the end). Parentheses only group.
fn simple_commands(tokens: &[Token]) -> Vec<(Vec<String>, &'static str)> {
    let mut commands = Vec::new();
    let mut words = Vec::new();
    for token in tokens {
        match token {
            Token::Word(word) => words.push(word.clone()),
            Token::Substitution(_) | Token::Operator("(" | ")") => {}
            Token::Operator(operator) => {
                if !words.is_empty() {
                    commands.push((std::mem::take(&mut words), *operator));
                } else if let Some(last) = commands.last_mut() {
                    // `(a; b) | c`: the operator after the group stands after its last command.
                    if *operator != "\n" {
                        last.1 = operator;
                    }
                }
            }
        }
    }
    if !words.is_empty() {
        commands.push((words, ""));
    }
    commands
}

fn is_compound(words: &[String]) -> bool {
    matches!(
        words.first().map(String::as_str),
        Some(
            "for"
                | "while"
                | "until"
                | "if"
                | "case"
                | "!"
                | "do"
                | "then"
                | "else"
                | "elif"
                | "done"
                | "fi"
                | "esac"
        )
    )
}

fn repeats(words: &[String]) -> bool {
    matches!(words.first().map(String::as_str), Some("for" | "while" | "until" | "xargs" | "parallel"))
}

fn without_reserved(words: &[String]) -> &[String] {
    let mut words = words;
    loop {
        match words.first().map(String::as_str) {
            Some("do" | "then" | "else" | "elif" | "if" | "while" | "until" | "!" | "{" | "}") => {
                words = &words[1..]
            }
            Some("for" | "case" | "done" | "fi" | "esac") => return &[],
            _ => return words,
        }
    }
}

fn sets_pipefail(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == "set") && words.iter().any(|word| word == "pipefail")
}

enum Unwrapped {
    Program(Invocation),
    Shell { script: String, pipefail: bool, time_limit: bool },
    Nothing,
}

/// Takes assignments and wrappers off the front.
fn unwrap(words: &[String]) -> Unwrapped {
    let mut words = words;
    let mut time_limit = false;
    loop {
        let Some(first) = words.first() else { return Unwrapped::Nothing };
        if is_assignment(first) {
            words = &words[1..];
            continue;
        }
        let program = program_name(first);
        if matches!(program, "bash" | "sh" | "zsh" | "dash" | "ksh")
            && let Some(at) = words
                .iter()
                .position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))
            && let Some(script) = words.get(at + 1)
        {
            let pipefail = words[..at].iter().any(|word| word == "pipefail");
            return Unwrapped::Shell { script: script.clone(), pipefail, time_limit };
        }
        let skip = wrapper_length(program, words);
        if skip == 0 {
            return Unwrapped::Program(Invocation {
                program: program.to_owned(),
                arguments: words[1..].to_vec(),
                time_limit,
            });
        }
        time_limit |= matches!(program, "timeout" | "gtimeout");
        words = words.get(skip..).unwrap_or_default();
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|symbol| symbol.is_ascii_alphanumeric() || symbol == '_')
    })
}

fn program_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name)
}

/// How many words of a wrapper stand before the command it runs; 0: `program` is no wrapper.
fn wrapper_length(program: &str, words: &[String]) -> usize {
    let word = |index: usize| words.get(index).map_or("", String::as_str);
    // Options that take the next word as their value, per wrapper.
    let skip_options = |from: usize, with_value: &[&str]| {
        let mut index = from;
        while word(index).starts_with('-') && word(index).len() > 1 {
            index += if with_value.contains(&word(index)) { 2 } else { 1 };
        }
        index
    };
    match program {
        "timeout" | "gtimeout" => skip_options(1, &["-s", "--signal", "-k", "--kill-after"]) + 1,
        "env" => {
            let mut index = skip_options(1, &["-u", "--unset", "-C", "--chdir"]);
            while is_assignment(word(index)) {
                index += 1;
            }
            index
        }
        "sudo" => skip_options(1, &["-u", "-g", "--user", "--group"]),
        "time" | "nohup" | "stdbuf" | "command" | "exec" | "builtin" | "setsid" | "xvfb-run"
        | "caffeinate" => skip_options(1, &["-s", "-o", "-f", "-e", "-i"]),
        "nice" | "ionice" | "chrt" | "taskset" => skip_options(1, &["-n", "-c", "-p"]),
        "xargs" => skip_options(1, &["-n", "-P", "-I", "-L", "-d", "-s", "-E"]),
        "npx" | "bunx" | "pnpx" => skip_options(1, &["-p", "--package", "-c", "--call"]),
        "pnpm" | "yarn" | "bun" | "npm" if matches!(word(1), "exec" | "dlx" | "x") => {
            skip_options(2, &["--package", "-p"])
        }
        "uv" | "poetry" | "pipenv" | "pdm" | "hatch" | "rye" | "pixi" | "conda" | "micromamba"
            if word(1) == "run" =>
        {
            skip_options(
                2,
                &[
                    "--with",
                    "--python",
                    "-p",
                    "--extra",
                    "--group",
                    "-n",
                    "-e",
                    "--directory",
                    "--project",
                    "--env-file",
                ],
            )
        }
        "bundle" if word(1) == "exec" => 2,
        "rtx" | "mise" | "asdf" | "direnv" if matches!(word(1), "exec" | "x") => {
            words.iter().position(|word| word == "--").map_or(0, |at| at + 1)
        }
        "nix" if word(1) == "develop" => {
            words.iter().position(|word| word == "-c" || word == "--command").map_or(0, |at| at + 1)
        }
        "docker" | "podman" if matches!(word(1), "exec") => {
            skip_options(2, &["-e", "--env", "-u", "--user", "-w", "--workdir"]) + 1
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, owner: Owner, programs: &[&str]) {
        let line = CommandLine::parse(text);
        assert_eq!(line.owner, owner, "{text}");
        let actual: Vec<&str> =
            line.invocations.iter().map(|invocation| invocation.program.as_str()).collect();
        assert_eq!(actual, programs, "{text}");
    }

    #[test]
    fn a_plain_command_owns_its_status() {
        check("pytest -q", Owner::Runner, &["pytest"]);
        check("FORCE_COLOR=1 npx jest --colors", Owner::Runner, &["jest"]);
        check("cd x && cargo test 2>/dev/null", Owner::Runner, &["cargo"]);
        check("npm ci && npm test", Owner::Runner, &["npm", "npm"]);
        check("mkdir build; ctest --test-dir build", Owner::Runner, &["mkdir", "ctest"]);
        check("set -o pipefail; pytest 2>&1 | tee log.txt", Owner::Runner, &["pytest", "tee"]);
        check("bash -o pipefail -c 'pytest | tee log'", Owner::Runner, &["pytest", "tee"]);
        check("python -m pytest # comment | with pipe", Owner::Runner, &["python"]);
    }

    #[test]
    fn pipes_lists_and_loops_hide_it() {
        check("pytest | tail -5", Owner::Other, &["pytest", "tail"]);
        check("pytest || true", Owner::Other, &["pytest", "true"]);
        check("pytest; echo done", Owner::Runner, &["pytest", "echo"]);
        check("for i in 1 2; do pytest -q && break; done", Owner::Other, &["pytest", "break"]);
        check("pytest -k no || [ $? -eq 5 ]", Owner::Other, &["pytest", "["]);
        check("cat <<EOF\nx\nEOF", Owner::Unclear, &[]);
        check("echo 'open", Owner::Unclear, &[]);
    }

    #[test]
    fn loops_repeat_what_they_run() {
        for (text, repeats) in [
            ("for i in 1 2; do pytest -q; done | tail -1", true),
            ("cd x; while true; do make test; done", true),
            ("ls | xargs -n1 pytest -q", true),
            ("bash -c 'until pytest; do :; done'", true),
            ("pytest -k for", false),
        ] {
            assert_eq!(CommandLine::parse(text).repeats, repeats, "{text}");
        }
    }

    #[test]
    fn what_a_substitution_runs_is_run() {
        for text in ["printf %s \"$(pytest -q)\"", "echo $(pytest -q)"] {
            let line = CommandLine::parse(text);
            assert_eq!((line.invocations[0].program.as_str(), line.owned_from), ("pytest", 1), "{text}");
        }
        check("echo '$(pytest -q)'", Owner::Runner, &["echo"]);
        check("echo \"$(pytest -q", Owner::Unclear, &[]);
    }

    #[test]
    fn the_status_belongs_to_the_last_list() {
        let line = CommandLine::parse("(pytest -v a 2>&1 & pytest -v b 2>&1 & wait)");
        assert_eq!((line.owned_from, line.invocations.len()), (2, 3));
        assert_eq!(CommandLine::parse("pytest; echo done").owned_from, 1);
        assert_eq!(CommandLine::parse("npm ci && npm test").owned_from, 0);
    }

    #[test]
    fn wrappers_are_taken_off() {
        let line = CommandLine::parse("timeout -s INT 3 env A=1 uv run --with x pytest -q");
        assert_eq!(line.invocations[0].program, "pytest");
        assert!(line.has_time_limit());
        assert!(!CommandLine::parse("pytest").has_time_limit());
    }

    #[test]
    fn an_invocation_matches_words_in_order() {
        let line = CommandLine::parse("/usr/bin/python3.13 -u -m unittest -v");
        assert!(line.invocations[0].matches(&["python", "-m", "unittest"]));
        assert!(!line.invocations[0].matches(&["python", "-m", "pytest"]));
        assert!(
            !CommandLine::parse("pythonic -m unittest").invocations[0].matches(&["python", "-m", "unittest"])
        );
    }
}
