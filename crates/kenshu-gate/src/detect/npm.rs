//! npm, pnpm, yarn and bun: the `test` script, else the runner that the dependencies name; workspaces.

use kenshu_readers::command::{CommandLine, Invocation};
use serde_json::Value;

use super::ecosystem::{Ecosystem, suite};
use super::folder::Folder;
use super::glob::covers;
use super::runners;
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem = Ecosystem {
    id: "node",
    looked_for: "a package.json `test` script, Vitest, Jest, Mocha or node:test files",
    look,
    sweeps,
};

/// Names of scripts that stand for `test` where there is none, the likeliest first.
const OTHER_NAMES: &[&str] = &["test:unit", "test:run", "test:ci", "test:all", "tests", "unit"];

/// Names under which a script that runs once stands beside one that watches.
const ONCE: &[&str] =
    &["test:run", "test:ci", "test:once", "test:unit", "ci:test", "coverage", "test:coverage"];

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let package = folder.json("package.json");
    let scripts = package.as_ref().and_then(|package| package.get("scripts"));
    if let Some(package) = &package
        && let Some(found) = declared(folder, package)
    {
        return vec![found];
    }
    // A member of a workspace without a script is tested from the root, if at all.
    guessed(folder, package.as_ref(), scripts).into_iter().collect()
}

fn declared(folder: &Folder<'_>, package: &Value) -> Option<Suite> {
    let body = |name: &str| script(package, name).filter(|body| !is_placeholder(body));
    let name =
        std::iter::once("test").chain(OTHER_NAMES.iter().copied()).find(|name| body(name).is_some())?;
    let source = |name: &str| format!("package.json scripts.{name}");
    let line = CommandLine::parse(body(name)?);
    if !line.invocations.iter().any(runners::watches) {
        return Some(suite(folder, &run_script(folder, name), source(name), Basis::Declared));
    }
    let once = ONCE.iter().copied().find(|name| {
        body(name).is_some_and(|body| {
            let line = CommandLine::parse(body);
            line.invocations.iter().any(|run| runners::runner_name(run).is_some())
                && !line.invocations.iter().any(runners::watches)
        })
    });
    if let Some(once) = once {
        return Some(suite(folder, &run_script(folder, once), source(once), Basis::Declared));
    }
    let argv = match line.invocations.as_slice() {
        [only] => without_watching(folder, name, only),
        _ => None,
    };
    // What watches in a way that can't be taken off is left to the human: it would only run into the limit.
    Some(suite(folder, &argv?, source(name), Basis::Declared))
}

/// The same run, once.
fn without_watching(folder: &Folder<'_>, name: &str, watching: &Invocation) -> Option<Vec<String>> {
    let with = |words: &[&str]| {
        let mut argv = run_script(folder, name);
        if manager(folder) == "npm" {
            argv.push("--".to_owned());
        }
        argv.extend(words.iter().map(|word| (*word).to_owned()));
        argv
    };
    let rest: Vec<&str> = watching
        .arguments
        .iter()
        .map(String::as_str)
        .filter(|word| !matches!(*word, "-w" | "--watch" | "--watchAll" | "watch" | "dev" | "--ui"))
        .collect();
    match watching.program.as_str() {
        "ng" => Some(with(&["--watch=false"])),
        "karma" => Some(with(&["--single-run"])),
        "vitest" => Some(execute(folder, &[&["vitest", "run"], rest.as_slice()].concat())),
        "jest" | "mocha" | "ava" => {
            Some(execute(folder, &[&[watching.program.as_str()], rest.as_slice()].concat()))
        }
        "react-scripts" => Some(with(&["--watchAll=false"])),
        "node" => {
            let mut argv = vec!["node".to_owned()];
            argv.extend(rest.iter().map(|word| (*word).to_owned()));
            Some(argv)
        }
        _ => None,
    }
}

fn guessed(folder: &Folder<'_>, package: Option<&Value>, scripts: Option<&Value>) -> Option<Suite> {
    let depends = |name: &str| {
        package.is_some_and(|package| {
            ["devDependencies", "dependencies"]
                .iter()
                .any(|list| package.get(list).and_then(|list| list.get(name)).is_some())
        })
    };
    let configured =
        |stem: &str| folder.entries().iter().any(|entry| !entry.is_folder && entry.name.starts_with(stem));
    if scripts.is_none() && package.is_none() && !folder.path.is_empty() {
        return None;
    }
    let files = folder.files(4, &["package.json", "deno.json", "deno.jsonc"]);
    let has_tests = files.iter().any(|file| is_test_file(file));
    let found = |argv: Vec<String>, source: &str| Some(suite(folder, &argv, source.to_owned(), Basis::Tests));
    if configured("vitest.config.") || (depends("vitest") && has_tests) {
        return found(execute(folder, &["vitest", "run"]), "vitest");
    }
    if configured("jest.config.") || (depends("jest") && has_tests) {
        return found(execute(folder, &["jest"]), "jest");
    }
    if configured(".mocharc.") || (depends("mocha") && files.iter().any(|file| file.starts_with("test/"))) {
        return found(execute(folder, &["mocha"]), "mocha");
    }
    if depends("ava") && has_tests {
        return found(execute(folder, &["ava"]), "ava");
    }
    if manager(folder) == "bun" && has_tests {
        return found(vec!["bun".to_owned(), "test".to_owned()], "bun.lock");
    }
    if folder.first_of(&["deno.json", "deno.jsonc"]).is_none()
        && files.iter().any(|file| is_node_test(folder, file))
    {
        return found(vec!["node".to_owned(), "--test".to_owned()], "node:test files");
    }
    if configured("playwright.config.") && depends("@playwright/test") {
        return found(execute(folder, &["playwright", "test"]), "playwright.config");
    }
    None
}

/// Whether a file is named as the runners of this ecosystem look for it.
pub(super) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    matches!(ending, "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx")
        && (stem.ends_with(".test")
            || stem.ends_with(".spec")
            || path.split('/').any(|part| part == "__tests__"))
}

/// Whether `node --test` would find the file, and it is one of its tests.
fn is_node_test(folder: &Folder<'_>, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let named = stem == "test"
        || stem.starts_with("test-")
        || stem.ends_with(".test")
        || stem.ends_with("-test")
        || stem.ends_with("_test")
        || path.split('/').rev().skip(1).any(|part| part == "test");
    matches!(ending, "js" | "mjs" | "cjs" | "ts" | "mts" | "cts")
        && named
        && folder.read(path).is_some_and(|text| text.contains("node:test"))
}

/// Whether this script is known to run nothing: npm's placeholder, and others of its kind.
pub(crate) fn is_placeholder(body: &str) -> bool {
    let line = CommandLine::parse(body);
    body.trim().is_empty()
        || body.contains("no test specified")
        || (!line.invocations.is_empty()
            && line
                .invocations
                .iter()
                .all(|run| matches!(run.program.as_str(), "echo" | "exit" | "true" | ":" | "printf")))
}

fn script<'p>(package: &'p Value, name: &str) -> Option<&'p str> {
    package.get("scripts")?.get(name)?.as_str()
}

/// `npm`, `pnpm`, `yarn` or `bun`: what the nearest package.json or lock file above says.
pub(super) fn manager(folder: &Folder<'_>) -> &'static str {
    const LOCKS: &[(&str, &str)] = &[
        ("pnpm-lock.yaml", "pnpm"),
        ("pnpm-workspace.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("package-lock.json", "npm"),
        ("npm-shrinkwrap.json", "npm"),
    ];
    for folder in folder.upwards() {
        let named = folder.json("package.json").and_then(|package| {
            let name = package.get("packageManager")?.as_str()?.split('@').next()?.to_owned();
            ["npm", "pnpm", "yarn", "bun"].into_iter().find(|known| *known == name)
        });
        let locked = LOCKS.iter().find(|(file, _)| folder.has(file)).map(|(_, name)| *name);
        if let Some(name) = named.or(locked) {
            return name;
        }
    }
    "npm"
}

/// The words that run a script.
pub(super) fn run_script(folder: &Folder<'_>, name: &str) -> Vec<String> {
    let words: &[&str] = match (manager(folder), name) {
        ("bun", name) => &["bun", "run", name],
        (manager, "test" | "start") => &[manager, name],
        (manager, name) => &[manager, "run", name],
    };
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The words that run a program of the dependencies, without fetching it.
fn execute(folder: &Folder<'_>, words: &[&str]) -> Vec<String> {
    let front: &[&str] = match manager(folder) {
        "pnpm" => &["pnpm", "exec"],
        "yarn" => &["yarn", "run"],
        "bun" => &["bun", "run"],
        _ => &["npx", "--no-install"],
    };
    front.iter().chain(words).map(|word| (*word).to_owned()).collect()
}

/// Patterns of the folders that a workspace is made of.
fn workspace(folder: &Folder<'_>) -> Vec<String> {
    let strings = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .map(|items| items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            .unwrap_or_default()
    };
    let mut patterns = Vec::new();
    if let Some(spaces) = folder.json("package.json").as_ref().and_then(|package| package.get("workspaces")) {
        patterns.extend(strings(spaces.get("packages").unwrap_or(spaces)));
    }
    if let Some(packages) = folder.json("lerna.json").as_ref().and_then(|lerna| lerna.get("packages")) {
        patterns.extend(strings(packages));
    }
    if let Some(text) = folder.read("pnpm-workspace.yaml") {
        // Only the list under `packages:` is asked for.
        patterns.extend(
            text.lines()
                .skip_while(|line| !line.starts_with("packages:"))
                .skip(1)
                .map(|line| line.split(" #").next().unwrap_or_default().trim())
                .take_while(|line| line.is_empty() || line.starts_with('-') || line.starts_with('#'))
                .filter_map(|line| line.strip_prefix('-'))
                .map(|item| item.trim().trim_matches(['"', '\'']).to_owned()),
        );
    }
    patterns
}

fn is_member(patterns: &[String], inner: &str) -> bool {
    patterns.iter().any(|pattern| !pattern.starts_with('!') && covers(pattern, inner))
        && !patterns.iter().any(|pattern| pattern.strip_prefix('!').is_some_and(|out| covers(out, inner)))
}

/// The folders of the members of the workspace rooted here.
pub(crate) fn members(folder: &Folder<'_>) -> Vec<String> {
    let patterns = workspace(folder);
    // Nx and Turborepo find projects without a list as well.
    let all = patterns.is_empty() && folder.has("nx.json");
    if patterns.is_empty() && !all {
        return Vec::new();
    }
    folder
        .below(3)
        .into_iter()
        .filter(|inner| inner.has("package.json"))
        .filter(|inner| all || is_member(&patterns, relative(folder, inner)))
        .map(|inner| inner.path)
        .collect()
}

fn relative<'f>(outer: &Folder<'_>, inner: &'f Folder<'_>) -> &'f str {
    inner.path.strip_prefix(&outer.path).unwrap_or(&inner.path).trim_start_matches('/')
}

/// A root script runs the members of its workspace; a folder beside them with a script of its own is not reached.
fn sweeps(outer: &Folder<'_>, inner: &Folder<'_>) -> bool {
    is_member(&workspace(outer), relative(outer, inner))
        || inner.json("package.json").is_none_or(|package| declared(inner, &package).is_none())
}

/// Scripts that verify something else than tests.
pub(super) fn verify(folder: &Folder<'_>) -> Vec<Suite> {
    const NAMES: &[(&str, &[&str])] = &[
        ("lint", &["lint", "lint:check", "eslint"]),
        ("types", &["typecheck", "type-check", "check-types", "types", "tsc", "check:types"]),
        ("build", &["build"]),
    ];
    let Some(package) = folder.json("package.json") else { return Vec::new() };
    let usable = |name: &str| {
        script(&package, name).is_some_and(|body| {
            // A lint script that repairs would change what is measured.
            let line = CommandLine::parse(body);
            !is_placeholder(body)
                && !line.invocations.iter().any(|run| {
                    run.has_option(&["--fix", "--write", "--watch", "-w"]) || runners::watches(run)
                })
        })
    };
    NAMES
        .iter()
        .filter_map(|(what, names)| Some((what, names.iter().copied().find(|name| usable(name))?)))
        .map(|(what, name)| {
            let mut found = suite(
                folder,
                &run_script(folder, name),
                format!("package.json scripts.{name}"),
                Basis::Declared,
            );
            found.name = (*what).to_owned();
            found
        })
        .collect()
}

/// The `start` script.
pub(super) fn start(folder: &Folder<'_>) -> Option<Suite> {
    let package = folder.json("package.json")?;
    script(&package, "start").filter(|body| !is_placeholder(body))?;
    Some(suite(
        folder,
        &run_script(folder, "start"),
        "package.json scripts.start".to_owned(),
        Basis::Declared,
    ))
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn the_script_is_run_by_its_manager() {
        let script = r#"{"scripts":{"test":"jest"}}"#;
        check(&[("package.json", script)], &[(".", "npm test", Some("jest"))]);
        check(&[("package.json", script), ("pnpm-lock.yaml", "")], &[(".", "pnpm test", Some("jest"))]);
        check(&[("package.json", script), ("yarn.lock", "")], &[(".", "yarn test", Some("jest"))]);
        check(&[("package.json", script), ("bun.lockb", "")], &[(".", "bun run test", Some("jest"))]);
        check(
            &[
                ("package.json", r#"{"packageManager":"pnpm@9","scripts":{"test":"node --test"}}"#),
                ("package-lock.json", "{}"),
            ],
            &[(".", "pnpm test", Some("node-test"))],
        );
        check(
            &[("package.json", r#"{"scripts":{"test:unit":"vitest run"}}"#)],
            &[(".", "npm run test:unit", Some("vitest"))],
        );
    }

    #[test]
    fn a_placeholder_is_no_test_command() {
        for body in [r#"echo \"Error: no test specified\" && exit 1"#, "exit 0", "echo ok", "true", ""] {
            check(&[("package.json", &format!(r#"{{"scripts":{{"test":"{body}"}}}}"#))], &[]);
        }
        check(
            &[
                (
                    "package.json",
                    r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"},"devDependencies":{"vitest":"4"}}"#,
                ),
                ("src/a.test.ts", ""),
            ],
            &[(".", "npx --no-install vitest run", Some("vitest"))],
        );
    }

    #[test]
    fn the_runner_is_guessed_where_tests_are_there() {
        let with = |name: &str| format!(r#"{{"devDependencies":{{"{name}":"1"}}}}"#);
        check(
            &[("package.json", &with("jest")), ("a.spec.js", "")],
            &[(".", "npx --no-install jest", Some("jest"))],
        );
        check(&[("package.json", &with("jest"))], &[]);
        check(
            &[("package.json", &with("mocha")), ("test/a.js", ""), ("pnpm-lock.yaml", "")],
            &[(".", "pnpm exec mocha", Some("mocha"))],
        );
        check(
            &[("package.json", "{}"), ("test/a.js", "import test from 'node:test'")],
            &[(".", "node --test", Some("node-test"))],
        );
        check(&[("a.test.mjs", "import test from 'node:test'")], &[(".", "node --test", Some("node-test"))]);
        check(
            &[("bun.lock", ""), ("package.json", "{}"), ("a.test.ts", "")],
            &[(".", "bun test", Some("bun-test"))],
        );
    }

    #[test]
    fn a_script_that_watches_is_run_once() {
        let script = |body: &str| format!(r#"{{"scripts":{{"test":"{body}"}}}}"#);
        check(&[("package.json", &script("vitest"))], &[(".", "npm test", Some("vitest"))]);
        check(
            &[("package.json", &script("vitest --watch --coverage"))],
            &[(".", "npx --no-install vitest run --coverage", Some("vitest"))],
        );
        check(
            &[("package.json", &script("jest --watchAll"))],
            &[(".", "npx --no-install jest", Some("jest"))],
        );
        check(&[("package.json", &script("ng test"))], &[(".", "npm test -- --watch=false", None)]);
        check(
            &[("package.json", r#"{"scripts":{"test":"vitest watch","test:run":"vitest run"}}"#)],
            &[(".", "npm run test:run", Some("vitest"))],
        );
        check(&[("package.json", &script("nodemon --exec jest"))], &[]);
    }

    #[test]
    fn a_workspace_is_one_command_or_its_members() {
        let member = |name: &str| format!(r#"{{"name":"{name}","scripts":{{"test":"vitest run"}}}}"#);
        let (a, b) = (member("a"), member("b"));
        let members = [("packages/a/package.json", a.as_str()), ("packages/b/package.json", b.as_str())];
        let root = ("package.json", r#"{"workspaces":["packages/*"],"scripts":{"test":"turbo run test"}}"#);
        check(&[&[root], members.as_slice()].concat(), &[(".", "npm test", Some("vitest"))]);
        let root = [("package.json", "{}"), ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n")];
        check(
            &[root.as_slice(), &members].concat(),
            &[("packages/a", "pnpm test", Some("vitest")), ("packages/b", "pnpm test", Some("vitest"))],
        );
    }

    #[test]
    fn a_folder_outside_the_workspace_is_its_own() {
        check(
            &[
                ("package.json", r#"{"scripts":{"test":"jest"}}"#),
                ("functions/package.json", r#"{"scripts":{"test":"mocha"}}"#),
                ("web/package.json", r#"{"devDependencies":{"jest":"1"}}"#),
                ("web/a.test.js", ""),
                ("node_modules/x/package.json", r#"{"scripts":{"test":"jest"}}"#),
                ("examples/x/package.json", r#"{"scripts":{"test":"jest"}}"#),
            ],
            &[(".", "npm test", Some("jest")), ("functions", "npm test", Some("mocha"))],
        );
    }
}
