//! Tasks beside an ecosystem's own: Makefile, justfile, Taskfile, mise; and when one of them is the test command.

use std::collections::BTreeSet;

use super::ecosystem::suite;
use super::folder::Folder;
use super::runners;
use super::scripts::{Expansion, expand};
use super::tasks::{Tool, find};
use super::{Basis, Suite};

/// What is looked for, as it stands behind "no test command found; looked for".
pub(super) const LOOKED_FOR: &str = "a `test` target or task in Makefile, justfile, Taskfile.yml, mise.toml";

/// Names of a task, the likeliest first. `check` is what the GNU standards call it.
const NAMES: &[&str] = &["test", "check"];

const TOOLS: &[(Tool, &[&str])] = &[
    (Tool::Just, &["just"]),
    (Tool::Task, &["task"]),
    (Tool::Mise, &["mise", "run"]),
    (Tool::Make, &["make"]),
];

/// Programs that need more than a checkout: containers, clusters, other machines.
const ELSEWHERE: &[&str] =
    &["docker", "docker-compose", "podman", "nerdctl", "kubectl", "helm", "ssh", "vagrant", "act", "earthly"];

/// Puts the folder's task in the place of the commands that it stands for.
pub(super) fn take_place(folder: &Folder<'_>, found: &mut Vec<Suite>) {
    for name in NAMES {
        for (tool, front) in TOOLS {
            if let Some(task) = find(folder, *tool, name) {
                let mut argv = front.to_vec();
                argv.push(name);
                let source = format!("{} {name}", task.file.rsplit('/').next().unwrap_or(&task.file));
                let chosen = suite(folder, &argv, source, Basis::Declared);
                let known = expand(folder.tree, &folder.path, &chosen.argv);
                if (*name == "check" && !runs_tests(&known)) || is_empty(&known) {
                    continue;
                }
                if let Some(kept) = weigh(folder, &known, found) {
                    *found = kept;
                    found.insert(0, chosen);
                }
                return;
            }
        }
    }
}

/// The commands that stay beside the task; `None`: the task gives way.
fn weigh(folder: &Folder<'_>, task: &Expansion, found: &[Suite]) -> Option<Vec<Suite>> {
    if found.is_empty() {
        return Some(Vec::new());
    }
    let elsewhere = task.ran.iter().any(|ran| ELSEWHERE.contains(&ran.invocation.program.as_str()));
    if elsewhere {
        return None;
    }
    let task_runs = runners_of(task);
    if task_runs.is_empty() {
        // Whatever it runs, a human called it the test.
        return runs_something(task).then(Vec::new);
    }
    let mut kept = Vec::new();
    for suite in found {
        let own = expand(folder.tree, &folder.path, &suite.argv);
        let own_runs = runners_of(&own);
        let passes_on = !own.scripts.is_empty()
            && own.scripts.iter().all(|script| task.scripts.contains(script))
            && task_runs == own_runs
            && task.scripts.len() == own.scripts.len() + 1;
        if passes_on && found.len() == 1 {
            return None;
        }
        if own_runs.is_empty() || !own_runs.is_subset(&task_runs) {
            kept.push(suite.clone());
        }
    }
    Some(kept)
}

fn runners_of(expansion: &Expansion) -> BTreeSet<&'static str> {
    // pytest runs unittest's classes too, nextest what cargo test runs: one stands for the other.
    expansion
        .ran
        .iter()
        .filter_map(|ran| runners::runner_name(&ran.invocation))
        .map(|name| match name {
            "unittest" | "tox" | "nox" => "pytest",
            "cargo-nextest" => "cargo-test",
            "gotestsum" => "go-test",
            name => name,
        })
        .collect()
}

fn runs_tests(expansion: &Expansion) -> bool {
    !runners_of(expansion).is_empty()
}

fn runs_something(expansion: &Expansion) -> bool {
    expansion
        .ran
        .iter()
        .any(|ran| !kenshu_readers::readers::runs_no_test(&ran.invocation) && ran.invocation.program != "cd")
}

fn is_empty(expansion: &Expansion) -> bool {
    !runs_something(expansion)
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn a_task_is_the_command_where_nothing_else_is() {
        check(&[("Makefile", "test:\n\t./run_tests\n")], &[(".", "make test", None)]);
        check(&[("Makefile", "check: all\n\tprove -r t\n")], &[(".", "make check", Some("prove"))]);
        check(&[("Makefile", "build:\n\tcc x.c\n")], &[]);
        check(&[("Makefile", "test:\n\t@echo none\n")], &[]);
        check(&[("justfile", "test:\n  cargo test\n")], &[(".", "just test", Some("cargo-test"))]);
        check(&[("mise.toml", "[tasks]\ntest = 'pytest'\n")], &[(".", "mise run test", Some("pytest"))]);
        check(
            &[("Taskfile.yml", "tasks:\n  test:\n    cmds:\n      - go test ./...\n")],
            &[(".", "task test", Some("go-test"))],
        );
        check(&[("Makefile", "test:\n\tdocker compose run app test\n")], &[(".", "make test", None)]);
    }

    #[test]
    fn a_task_takes_the_place_of_what_it_runs() {
        let module = ("go.mod", "");
        check(
            &[module, ("Makefile", "test:\n\tgo test -race ./...\n")],
            &[(".", "make test", Some("go-test"))],
        );
        check(
            &[module, ("Makefile", "check:\n\tgolangci-lint run\n")],
            &[(".", "go test ./...", Some("go-test"))],
        );
        check(
            &[module, ("Makefile", "test:\n\tdocker run x go test ./...\n")],
            &[(".", "go test ./...", Some("go-test"))],
        );
        check(
            &[
                module,
                ("package.json", r#"{"scripts":{"test":"jest"}}"#),
                ("Makefile", "test:\n\tgo test ./...\n"),
            ],
            &[(".", "make test", Some("go-test")), (".", "npm test", Some("jest"))],
        );
        check(
            &[
                module,
                ("package.json", r#"{"scripts":{"test":"jest"}}"#),
                ("Makefile", "test:\n\tgo test ./...\n\tnpm test\n"),
            ],
            &[(".", "make test", None)],
        );
    }

    #[test]
    fn a_task_that_passes_on_gives_way() {
        check(
            &[("package.json", r#"{"scripts":{"test":"jest"}}"#), ("Makefile", "test:\n\tnpm test\n")],
            &[(".", "npm test", Some("jest"))],
        );
    }

    #[test]
    fn folders_that_the_task_runs_are_not_asked_again() {
        check(
            &[
                ("Makefile", "test:\n\tcd web && npm test\n\t$(MAKE) -C api test\n"),
                ("web/package.json", r#"{"scripts":{"test":"jest"}}"#),
                ("api/Makefile", "test:\n\tgo test ./...\n"),
                ("api/go.mod", ""),
                ("tool/go.mod", ""),
            ],
            &[(".", "make test", None), ("tool", "go test ./...", Some("go-test"))],
        );
    }
}
