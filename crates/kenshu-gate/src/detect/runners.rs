//! Which programs are test runners, and the readers that read them.

use kenshu_readers::command::Invocation;

/// A runner as a command line names it.
struct Known {
    /// Program first, then words that must follow in this order.
    words: &'static [&'static str],
    /// The id of the reader.
    id: &'static str,
}

const fn known(words: &'static [&'static str], id: &'static str) -> Known {
    Known { words, id }
}

/// The more particular rows stand before the more general ones.
#[rustfmt::skip]
const RUNNERS: &[Known] = &[
    known(&["pytest"], "pytest"),
    known(&["py.test"], "pytest"),
    known(&["python", "-m", "pytest"], "pytest"),
    known(&["coverage", "run", "-m", "pytest"], "pytest"),
    known(&["python", "-m", "coverage", "run", "-m", "pytest"], "pytest"),
    known(&["hatch", "test"], "pytest"),
    known(&["python", "-m", "unittest"], "unittest"),
    known(&["coverage", "run", "-m", "unittest"], "unittest"),
    known(&["python", "manage.py", "test"], "unittest"),
    known(&["manage.py", "test"], "unittest"),
    known(&["vitest"], "vitest"),
    known(&["jest"], "jest"),
    known(&["react-scripts", "test"], "jest"),
    known(&["craco", "test"], "jest"),
    known(&["mocha"], "mocha"),
    known(&["electron-mocha"], "mocha"),
    known(&["playwright", "test"], "playwright"),
    known(&["node", "--test"], "node-test"),
    known(&["tsx", "--test"], "node-test"),
    known(&["bun", "test"], "bun-test"),
    known(&["deno", "test"], "deno-test"),
    known(&["cargo", "nextest"], "cargo-nextest"),
    known(&["cargo", "test"], "cargo-test"),
    known(&["cargo", "t"], "cargo-test"),
    known(&["gotestsum"], "gotestsum"),
    known(&["go", "test"], "go-test"),
    known(&["rspec"], "rspec"),
    known(&["rails", "test"], "minitest"),
    known(&["rake", "test"], "minitest"),
    known(&["rake", "spec"], "rspec"),
    known(&["phpunit"], "phpunit"),
    known(&["mvn", "test"], "surefire"),
    known(&["mvn", "verify"], "surefire"),
    known(&["mvnw", "test"], "surefire"),
    known(&["mvnw", "verify"], "surefire"),
    known(&["gradle", "test"], "gradle"),
    known(&["gradle", "check"], "gradle"),
    known(&["gradlew", "test"], "gradle"),
    known(&["gradlew", "check"], "gradle"),
    known(&["dotnet", "test"], "dotnet-test"),
    known(&["ctest"], "ctest"),
    known(&["bats"], "bats"),
    known(&["prove"], "prove"),
];

/// Runners without a reader of their own that are known all the same.
const WITHOUT_READER: &[&[&str]] = &[
    &["ava"],
    &["tap"],
    &["tape"],
    &["jasmine"],
    &["karma"],
    &["ng", "test"],
    &["cypress", "run"],
    &["wtr"],
    &["uvu"],
    &["tox"],
    &["nox"],
    &["nose2"],
    &["pest"],
    &["codecept"],
    &["artisan", "test"],
    &["php", "artisan", "test"],
    &["mix", "test"],
    &["swift", "test"],
    &["dart", "test"],
    &["flutter", "test"],
    &["sbt", "test"],
    &["zig", "build", "test"],
    &["turbo"],
    &["nx"],
    &["lerna"],
];

/// The id of the reader whose runner this invocation runs.
pub(crate) fn reader_id(invocation: &Invocation) -> Option<&'static str> {
    RUNNERS.iter().find(|known| invocation.matches(known.words)).map(|known| known.id)
}

/// The runner's name, also of one without a reader.
pub(crate) fn runner_name(invocation: &Invocation) -> Option<&'static str> {
    reader_id(invocation).or_else(|| {
        WITHOUT_READER.iter().find(|words| invocation.matches(words)).and_then(|words| words.first().copied())
    })
}

/// Whether this runner goes through the folders below by itself.
pub(crate) fn sweeps(id: &str) -> bool {
    matches!(
        id,
        "pytest" | "unittest" | "vitest" | "jest" | "node-test" | "bun-test" | "deno-test" | "playwright"
    )
}

/// Whether this invocation waits for a key unless `CI` is set.
pub(crate) fn waits_without_ci(invocation: &Invocation) -> bool {
    let bare_vitest = invocation.program == "vitest"
        && !invocation.has_option(&["--run", "--no-watch", "--watch"])
        && !invocation.arguments.iter().any(|word| matches!(word.as_str(), "run" | "bench" | "list"));
    let scripts = matches!(invocation.program.as_str(), "react-scripts" | "craco" | "ng")
        && invocation.arguments.first().is_some_and(|word| word == "test")
        && !invocation.has_option(&["--watchAll=false", "--watch=false", "--no-watch"]);
    bare_vitest || scripts
}

/// Whether this invocation waits for changes for ever, with and without `CI`.
pub(crate) fn watches(invocation: &Invocation) -> bool {
    let first = invocation.arguments.first().map(String::as_str);
    match invocation.program.as_str() {
        "nodemon" | "chokidar" | "watchexec" | "entr" | "ptw" | "pytest-watch" => true,
        "vitest" => matches!(first, Some("watch" | "dev")) || is_set(invocation, &["-w", "--watch", "--ui"]),
        "jest" | "react-scripts" | "craco" => is_set(invocation, &["--watch", "--watchAll"]),
        "mocha" | "ava" | "jasmine" | "node" | "tsx" | "bun" | "deno" => {
            is_set(invocation, &["-w", "--watch"]) || (first == Some("watch"))
        }
        "ng" => first == Some("test") && !invocation.has_option(&["--watch=false", "--no-watch"]),
        "karma" => !invocation.has_option(&["--single-run", "--singleRun"]),
        "cargo" => first == Some("watch"),
        _ => false,
    }
}

fn is_set(invocation: &Invocation, options: &[&str]) -> bool {
    invocation.arguments.iter().any(|argument| {
        options.contains(&argument.as_str())
            || argument
                .split_once('=')
                .is_some_and(|(name, value)| options.contains(&name) && value != "false" && value != "0")
    })
}

/// Takes off what measures coverage or sets variables, and the package manager that runs a program by its name
/// (`c8 node --test`, `cross-env A=1 jest`, `yarn vitest`).
pub(crate) fn unwrapped(invocation: Invocation) -> Invocation {
    const WRAPPERS: &[&str] =
        &["cross-env", "cross-env-shell", "c8", "nyc", "dotenv", "dotenvx", "env-cmd", "doppler"];
    if !WRAPPERS.contains(&invocation.program.as_str()) {
        return run_by_manager(invocation);
    }
    let words = &invocation.arguments;
    (0..words.len())
        .map(|at| Invocation {
            program: words[at].rsplit('/').next().unwrap_or_default().to_owned(),
            arguments: words[at + 1..].to_vec(),
            time_limit: invocation.time_limit,
        })
        .find(|inner| runner_name(inner).is_some())
        .unwrap_or(invocation)
}

fn run_by_manager(invocation: Invocation) -> Invocation {
    let is_own = |word: &str| {
        matches!(
            word,
            "test"
                | "start"
                | "install"
                | "i"
                | "ci"
                | "add"
                | "build"
                | "exec"
                | "run"
                | "dlx"
                | "workspace"
                | "workspaces"
                | "audit"
                | "publish"
                | "pack"
                | "x"
        )
    };
    if !matches!(invocation.program.as_str(), "yarn" | "pnpm" | "bun" | "npm") {
        return invocation;
    }
    let rest = match invocation.arguments.first().map(String::as_str) {
        Some("run" | "exec") => &invocation.arguments[1..],
        _ if invocation.program == "npm" => return invocation,
        _ => &invocation.arguments[..],
    };
    match rest.split_first() {
        Some((program, arguments)) if !program.starts_with('-') && !is_own(program) => Invocation {
            program: program.clone(),
            arguments: arguments.to_vec(),
            time_limit: invocation.time_limit,
        },
        _ => invocation,
    }
}

#[cfg(test)]
mod tests {
    use kenshu_readers::command::CommandLine;

    use super::*;

    #[track_caller]
    fn first(text: &str) -> Invocation {
        CommandLine::parse(text).invocations.into_iter().next().unwrap()
    }

    #[test]
    fn every_id_is_a_readers() {
        for known in RUNNERS {
            assert!(kenshu_readers::readers::by_id(known.id).is_some(), "{}", known.id);
        }
    }

    #[test]
    fn commands_name_their_runner() {
        for (text, id) in [
            ("poetry run pytest -q", Some("pytest")),
            (".venv/bin/python -m pytest", Some("pytest")),
            ("npx vitest run", Some("vitest")),
            ("node --import tsx --test src/*.test.ts", Some("node-test")),
            ("cargo nextest run", Some("cargo-nextest")),
            ("./gradlew test", Some("gradle")),
            ("node server.js", None),
            ("ava", None),
        ] {
            assert_eq!(reader_id(&first(text)), id, "{text}");
        }
    }

    #[test]
    fn watching_is_told_from_waiting() {
        for text in [
            "vitest watch",
            "vitest --watch",
            "jest --watchAll",
            "mocha -w",
            "nodemon x",
            "node --watch --test",
        ] {
            assert!(watches(&first(text)), "{text}");
        }
        for text in ["vitest", "vitest run", "jest", "jest --watchAll=false", "karma start --single-run"] {
            assert!(!watches(&first(text)), "{text}");
        }
        assert!(waits_without_ci(&first("react-scripts test")));
        assert!(waits_without_ci(&first("vitest")));
        assert!(!waits_without_ci(&first("vitest run")));
        assert!(!waits_without_ci(&first("react-scripts test --watchAll=false")));
    }
}
