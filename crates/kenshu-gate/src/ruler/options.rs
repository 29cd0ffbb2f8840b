//! What the options of the runners' command lines do to which tests run and which failures show.
//!
//! Source of every row: the runner's own `--help` and manual. What is in no table says nothing.

use super::Kind;

/// How an option is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// It stands alone.
    Nothing,
    /// Its value is the next word, or stands behind `=`.
    Value,
}

/// An option.
pub(super) struct Opt {
    /// Its names, with their dashes.
    pub(super) names: &'static [&'static str],
    /// Whether it takes a value.
    pub(super) takes: Takes,
    /// Which way it narrows; `None`: not at all, it is here for its value.
    pub(super) kind: Option<Kind>,
}

const fn switch(names: &'static [&'static str]) -> Opt {
    Opt { names, takes: Takes::Nothing, kind: Some(Kind::Narrows) }
}

const fn valued(kind: Kind, names: &'static [&'static str]) -> Opt {
    Opt { names, takes: Takes::Value, kind: Some(kind) }
}

const fn strict(names: &'static [&'static str]) -> Opt {
    Opt { names, takes: Takes::Nothing, kind: Some(Kind::Strict) }
}

const fn neutral(names: &'static [&'static str]) -> Opt {
    Opt { names, takes: Takes::Value, kind: None }
}

/// The options of a runner.
pub(super) struct Table {
    /// The runner, as `detect::runners` names it.
    pub(super) runner: &'static str,
    /// Words that are no path or filter: subcommands.
    pub(super) words: &'static [&'static str],
    /// Its options.
    pub(super) options: &'static [Opt],
}

use Kind::{AtLeast, AtMost, Includes, Narrows};

#[rustfmt::skip]
pub(super) const TABLES: &[Table] = &[
    Table { runner: "pytest", words: &[], options: &[
        valued(Narrows, &["-k", "-m", "--ignore", "--ignore-glob", "--deselect", "--maxfail", "--only-rerun"]),
        valued(AtMost, &["--reruns", "--flaky-max-runs"]),
        valued(AtLeast, &["--cov-fail-under"]),
        switch(&["--lf", "--last-failed", "--sw", "--stepwise", "--stepwise-skip", "-x", "--exitfirst", "--co",
            "--collect-only", "--noconftest", "--suppress-no-test-exit-code", "--picked", "--testmon"]),
        neutral(&["-p", "-n", "--numprocesses", "--dist", "--cov", "--cov-report", "--cov-config", "-c", "--config-file",
            "--rootdir", "--tb", "-W", "--durations", "--junitxml", "--junit-xml", "--timeout", "--log-level",
            "--log-cli-level", "--color", "-o", "--override-ini", "--import-mode", "--basetemp", "--html", "--capture",
            "-r", "--maxprocesses", "--confcutdir"]),
    ] },
    Table { runner: "unittest", words: &["discover", "test", "manage.py"], options: &[
        valued(Narrows, &["-k", "--exclude-tag", "--tag"]),
        valued(Includes, &["-s", "--start-directory", "-p", "--pattern"]),
        switch(&["-f", "--failfast"]),
        neutral(&["-t", "--top-level-directory", "--settings", "-v", "--verbosity", "--parallel"]),
    ] },
    Table { runner: "vitest", words: &["run", "watch", "dev"], options: &[
        valued(Narrows, &["-t", "--testNamePattern", "--exclude", "--shard", "--bail", "--changed"]),
        valued(AtMost, &["--retry"]),
        valued(Includes, &["--project", "--dir"]),
        switch(&["--passWithNoTests", "--allowOnly", "--dangerouslyIgnoreUnhandledErrors", "related"]),
        neutral(&["--reporter", "--outputFile", "-c", "--config", "-r", "--root", "--mode", "--pool", "--environment",
            "--maxWorkers", "--minWorkers", "--testTimeout", "--hookTimeout"]),
    ] },
    Table { runner: "jest", words: &["test"], options: &[
        valued(Narrows, &["-t", "--testNamePattern", "--testPathIgnorePatterns", "--changedSince", "--shard",
            "--ignoreProjects", "--filter"]),
        valued(Includes, &["--testPathPattern", "--testPathPatterns", "--selectProjects", "--testMatch",
            "--testRegex", "--roots", "--projects"]),
        switch(&["--passWithNoTests", "-o", "--onlyChanged", "--lastCommit", "--findRelatedTests", "-f",
            "--onlyFailures", "-b", "--bail", "--forceExit", "--listTests", "--runTestsByPath"]),
        neutral(&["-c", "--config", "-w", "--maxWorkers", "--reporters", "--coverageDirectory", "--rootDir",
            "--testTimeout", "--env", "--testEnvironment", "--outputFile", "--coverageReporters"]),
    ] },
    Table { runner: "mocha", words: &[], options: &[
        valued(Narrows, &["-g", "--grep", "-f", "--fgrep", "--ignore", "--exclude"]),
        valued(AtMost, &["--retries"]),
        valued(Includes, &["--spec"]),
        switch(&["-i", "--invert", "-b", "--bail", "--exit", "--pass-on-failing-test-suite", "--dry-run"]),
        strict(&["--forbid-only", "--forbid-pending"]),
        neutral(&["-r", "--require", "-R", "--reporter", "-t", "--timeout", "--config", "--file", "-u", "--ui",
            "--extension", "-j", "--jobs", "-O", "--reporter-options", "--import", "--loader"]),
    ] },
    Table { runner: "playwright", words: &["test"], options: &[
        valued(Narrows, &["-g", "--grep", "--grep-invert", "-gv", "--shard", "--max-failures", "--only-changed"]),
        valued(AtMost, &["--retries"]),
        valued(Includes, &["--project"]),
        switch(&["--pass-with-no-tests", "--list", "--last-failed", "-x"]),
        strict(&["--forbid-only", "--fail-on-flaky-tests"]),
        neutral(&["-c", "--config", "--reporter", "-j", "--workers", "--timeout", "--output", "--trace"]),
    ] },
    Table { runner: "node-test", words: &[], options: &[
        valued(Narrows, &["--test-name-pattern", "--test-skip-pattern", "--test-shard"]),
        valued(AtLeast, &["--test-coverage-lines", "--test-coverage-branches", "--test-coverage-functions"]),
        switch(&["--test-only", "--test-force-exit"]),
        neutral(&["--import", "-r", "--require", "--loader", "--test-reporter", "--test-reporter-destination",
            "--test-concurrency", "--test-timeout", "--env-file", "--experimental-loader", "-C", "--conditions"]),
    ] },
    Table { runner: "bun-test", words: &["test"], options: &[
        valued(Narrows, &["-t", "--test-name-pattern"]),
        switch(&["--bail", "--only", "--pass-with-no-tests"]),
        neutral(&["--timeout", "--preload", "-r", "--reporter", "--reporter-outfile"]),
    ] },
    Table { runner: "deno-test", words: &["test"], options: &[
        valued(Narrows, &["--filter", "--ignore"]),
        switch(&["--fail-fast", "--permit-no-files", "--no-run"]),
        neutral(&["-c", "--config", "--reporter", "--junit-path", "--import-map"]),
    ] },
    Table { runner: "cargo-test", words: &["test", "t"], options: &[
        valued(Narrows, &["--skip", "--exclude"]),
        valued(Includes, &["--test", "--bin", "--example", "--bench", "-p", "--package"]),
        switch(&["--lib", "--bins", "--tests", "--doc", "--no-run", "--list", "--ignored", "--no-default-features",
            "--exact"]),
        strict(&["--workspace", "--all", "--all-features", "--all-targets"]),
        valued(Kind::Strict, &["--features", "-F"]),
        neutral(&["--manifest-path", "--target", "--target-dir", "-j", "--jobs", "--test-threads", "--profile",
            "--color", "--message-format", "--config"]),
    ] },
    Table { runner: "cargo-nextest", words: &["nextest", "run"], options: &[
        valued(Narrows, &["-E", "--filterset", "--filter-expr", "--skip", "--exclude", "--partition", "--max-fail",
            "--no-tests"]),
        valued(AtMost, &["--retries"]),
        valued(Includes, &["--test", "--bin", "-p", "--package"]),
        switch(&["--lib", "--bins", "--no-run", "--no-default-features"]),
        strict(&["--workspace", "--all", "--all-features", "--all-targets"]),
        valued(Kind::Strict, &["--features", "-F"]),
        neutral(&["--manifest-path", "--target", "--target-dir", "-j", "--test-threads", "-P", "--profile",
            "--cargo-profile", "--color"]),
    ] },
    Table { runner: "go-test", words: &["test"], options: &[
        valued(Narrows, &["-run", "-skip", "-list"]),
        switch(&["-short", "-failfast", "-c"]),
        valued(Kind::Strict, &["-tags"]),
        neutral(&["-count", "-timeout", "-coverprofile", "-covermode", "-coverpkg", "-p", "-parallel", "-bench", "-o"]),
    ] },
    Table { runner: "gotestsum", words: &[], options: &[
        valued(Narrows, &["-run", "-skip"]),
        valued(AtMost, &["--rerun-fails"]),
        valued(Includes, &["--packages"]),
        switch(&["-short"]),
        neutral(&["-f", "--format", "--junitfile", "--jsonfile", "-count", "-timeout", "-coverprofile", "-covermode"]),
    ] },
    Table { runner: "rspec", words: &["spec"], options: &[
        valued(Narrows, &["-t", "--tag", "--exclude-pattern", "-e", "--example", "-E", "--failure-exit-code",
            "--error-exit-code"]),
        valued(Includes, &["-P", "--pattern"]),
        switch(&["--fail-fast", "--only-failures", "-n", "--next-failure", "--dry-run"]),
        neutral(&["-f", "--format", "-r", "--require", "-I", "--order", "--seed", "-o", "--out", "-O", "--options"]),
    ] },
    Table { runner: "minitest", words: &["test"], options: &[
        valued(Narrows, &["-n", "--name", "-e", "--exclude", "-i", "--include"]),
        neutral(&["-s", "--seed"]),
    ] },
    Table { runner: "phpunit", words: &[], options: &[
        valued(Narrows, &["--filter", "--exclude-filter", "--group", "--exclude-group", "--exclude-testsuite"]),
        valued(Includes, &["--testsuite"]),
        switch(&["--stop-on-failure", "--stop-on-error", "--stop-on-defect", "--do-not-fail-on-warning",
            "--do-not-fail-on-risky", "--do-not-fail-on-empty-test-suite", "--list-tests"]),
        strict(&["--fail-on-warning", "--fail-on-risky", "--fail-on-empty-test-suite", "--fail-on-incomplete",
            "--fail-on-skipped", "--fail-on-deprecation", "--fail-on-notice"]),
        neutral(&["-c", "--configuration", "--bootstrap", "--log-junit", "--coverage-clover", "--coverage-html"]),
    ] },
    Table { runner: "surefire", words: &[], options: &[
        valued(Narrows, &["-DskipTests", "-DskipITs", "-Dmaven.test.skip", "-Dmaven.test.failure.ignore",
            "-DtestFailureIgnore", "-Dtest", "-Dgroups", "-DexcludedGroups", "-DfailIfNoTests",
            "-Dsurefire.failIfNoSpecifiedTests"]),
        valued(AtMost, &["-Dsurefire.rerunFailingTestsCount"]),
        valued(Includes, &["-pl", "--projects"]),
        switch(&["-fn", "--fail-never"]),
        neutral(&["-f", "--file", "-P", "-T", "-s"]),
    ] },
    Table { runner: "gradle", words: &[], options: &[
        valued(Narrows, &["--tests", "-x", "--exclude-task"]),
        switch(&["--test-dry-run", "-m", "--dry-run"]),
        neutral(&["-p", "--project-dir", "-b", "--build-file", "-I", "--max-workers"]),
    ] },
    Table { runner: "dotnet-test", words: &["test"], options: &[
        valued(Narrows, &["--filter"]),
        switch(&["-t", "--list-tests"]),
        neutral(&["-c", "--configuration", "-f", "--framework", "-l", "--logger", "-s", "--settings", "-v",
            "--verbosity", "--results-directory", "-r", "--runtime", "--collect"]),
    ] },
    Table { runner: "ctest", words: &[], options: &[
        valued(Narrows, &["-R", "--tests-regex", "-E", "--exclude-regex", "-L", "--label-regex", "-LE",
            "--label-exclude", "-I", "--repeat", "--no-tests"]),
        switch(&["--rerun-failed", "--stop-on-failure", "-N", "--show-only"]),
        neutral(&["--test-dir", "-j", "--parallel", "--output-junit", "-C", "--build-config", "--timeout", "--preset"]),
    ] },
    Table { runner: "bats", words: &[], options: &[
        valued(Narrows, &["-f", "--filter", "--filter-tags", "--filter-status"]),
        neutral(&["-j", "--jobs", "-F", "--formatter", "-o", "--output", "--report-formatter"]),
    ] },
    Table { runner: "prove", words: &[], options: &[
        valued(Narrows, &["--state"]),
        switch(&["--ignore-exit", "--dry"]),
        neutral(&["-j", "--jobs", "-I", "-e", "--exec", "--formatter", "--harness", "-P"]),
    ] },
    Table { runner: "mix", words: &["test"], options: &[
        valued(Narrows, &["--only", "--exclude", "--max-failures"]),
        switch(&["--failed", "--stale"]),
        neutral(&["--include", "--seed", "--formatter", "--timeout"]),
    ] },
    Table { runner: "swift", words: &["test"], options: &[
        valued(Narrows, &["--filter", "--skip"]),
        neutral(&["-c", "--configuration", "--package-path"]),
    ] },
    Table { runner: "turbo", words: &["run"], options: &[
        valued(Includes, &["-F", "--filter", "--scope"]),
        valued(Narrows, &["--ignore"]),
        switch(&["--affected", "--only", "--dry", "--dry-run"]),
        neutral(&["--concurrency", "--cache-dir", "--output-logs"]),
    ] },
    Table { runner: "nx", words: &["run-many", "run", "affected"], options: &[
        valued(Includes, &["-p", "--projects", "-t", "--target", "--targets"]),
        valued(Narrows, &["--exclude"]),
        switch(&["affected"]),
        neutral(&["--parallel", "--base", "--head", "-c", "--configuration"]),
    ] },
    Table { runner: "lerna", words: &["run"], options: &[
        valued(Includes, &["--scope"]),
        valued(Narrows, &["--ignore", "--since"]),
        switch(&["--no-bail"]),
        neutral(&["--concurrency"]),
    ] },
    Table { runner: "tox", words: &["run"], options: &[
        valued(Includes, &["-e"]),
        neutral(&["-c", "--conf", "-p", "-x"]),
    ] },
];

/// Programs that run scripts by name: their own options.
pub(super) const OF_MANAGERS: &Table = &Table {
    runner: "",
    words: &["run", "run-script"],
    options: &[
        switch(&["--if-present", "--no-bail", "-i", "--ignore-errors"]),
        valued(Includes, &["-w", "--workspace", "--filter", "-F"]),
        neutral(&["--prefix", "-C", "--cwd", "--dir", "-f", "--file", "--directory", "-d"]),
    ],
};

/// The option of this name; long names are compared without regard to case and inner dashes, as the runners do.
pub(super) fn option(table: &'static Table, name: &str) -> Option<&'static Opt> {
    let plain = |name: &str| -> String {
        match name.strip_prefix("--") {
            Some(long) => {
                long.chars().filter(|symbol| *symbol != '-').collect::<String>().to_ascii_lowercase()
            }
            None => name.to_owned(),
        }
    };
    let wanted = plain(name);
    table.options.iter().find(|option| {
        option
            .names
            .iter()
            .any(|known| known.starts_with("--") == name.starts_with("--") && plain(known) == wanted)
    })
}

/// The table of a runner.
pub(super) fn table(runner: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.runner == runner)
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};
    use super::super::line::of_argv;

    /// The command says something by this option, and not only by its value.
    #[track_caller]
    fn names(command: &str, option: &str) {
        let argv: Vec<String> = format!("{command} {option}").split(' ').map(str::to_owned).collect();
        let option = option.trim_start_matches("-- ").split([' ', '=']).next().unwrap_or_default();
        let keys: Vec<String> = of_argv("", &argv).into_iter().map(|fact| fact.key).collect();
        let is_named = keys.iter().any(|key| key.ends_with(&format!(" {option}")));
        assert!(
            is_named || !(option.starts_with('-') || option == "affected" || option == "related"),
            "{argv:?}: {keys:?}"
        );
    }

    /// A command, and what each addition to it does less.
    #[rustfmt::skip]
    const ADDED: &[(&str, &[&str])] = &[
        ("pytest", &["-k a", "-m a", "--ignore a", "--ignore-glob a", "--deselect a", "--maxfail 1", "--only-rerun a",
            "--reruns 2", "--flaky-max-runs=2", "--lf", "--last-failed", "--sw", "--stepwise", "--stepwise-skip", "-x", "--exitfirst",
            "--co", "--collect-only", "--noconftest", "--suppress-no-test-exit-code", "--picked", "--testmon", "a.py"]),
        ("python3 -m unittest", &["-k a", "-f", "--failfast", "tests.a"]),
        ("python3 -m unittest discover", &["-s a", "--start-directory a", "-p a*", "--pattern a*"]),
        ("python3 manage.py test", &["--tag a", "--exclude-tag a", "shop"]),
        ("vitest run", &["-t a", "--testNamePattern a", "--exclude a", "--shard 1/2", "--bail 1", "--changed a",
            "--retry 2", "--project a", "--dir a", "--passWithNoTests", "--pass-with-no-tests", "--allowOnly",
            "--dangerouslyIgnoreUnhandledErrors", "a.ts"]),
        ("vitest", &["related a.ts"]),
        ("jest", &["-t a", "--testNamePattern a", "--testPathIgnorePatterns a", "--changedSince a", "--shard 1/2",
            "--ignoreProjects a", "--filter a", "--testPathPattern a", "--testPathPatterns a", "--selectProjects a",
            "--testMatch a", "--testRegex a", "--roots a", "--projects a", "--passWithNoTests", "-o", "--onlyChanged",
            "--lastCommit", "--findRelatedTests", "-f", "--onlyFailures", "-b", "--bail", "--forceExit", "--listTests",
            "--runTestsByPath", "a.ts"]),
        ("mocha", &["-g a", "--grep a", "-f a", "--fgrep a", "--ignore a", "--exclude a", "--retries 2", "--spec a",
            "-i", "--invert", "-b", "--bail", "--exit", "--pass-on-failing-test-suite", "--dry-run", "a.js"]),
        ("playwright test", &["-g a", "--grep a", "--grep-invert a", "-gv a", "--shard 1/2", "--max-failures 1",
            "--only-changed a", "--retries 2", "--project a", "--pass-with-no-tests", "--list", "--last-failed", "-x"]),
        ("node --test", &["--test-name-pattern a", "--test-skip-pattern a", "--test-shard 1/2", "--test-only",
            "--test-force-exit", "a.js"]),
        ("bun test", &["-t a", "--test-name-pattern a", "--bail", "--only", "--pass-with-no-tests", "a"]),
        ("deno test", &["--filter a", "--ignore=a", "--fail-fast", "--permit-no-files", "--no-run", "a"]),
        ("cargo test", &["-- --skip a", "--exclude a", "--test a", "--bin a", "--example a", "--bench a", "-p a",
            "--package a", "--lib", "--bins", "--tests", "--doc", "--no-run", "-- --list", "-- --ignored",
            "--no-default-features", "-- --exact", "a"]),
        ("cargo nextest run", &["-E a", "--filterset a", "--filter-expr a", "--exclude a", "--partition a",
            "--max-fail 1", "--no-tests pass", "--retries 2", "--test a", "--bin a", "-p a", "--package a", "--lib", "--bins",
            "--no-run", "--no-default-features", "-- --skip a"]),
        ("go test ./...", &["-run A", "-skip A", "-list A", "-short", "-failfast", "-c"]),
        ("gotestsum", &["--rerun-fails=2", "--packages=a", "-- -run A", "-- -skip A", "-- -short"]),
        ("rspec", &["-t a", "--tag a", "--exclude-pattern a", "-e a", "--example a", "-E a", "--failure-exit-code 0",
            "--error-exit-code 0", "-P a", "--pattern a", "--fail-fast", "--only-failures", "-n", "--next-failure",
            "--dry-run", "a_spec.rb"]),
        ("rails test", &["-n a", "--name a", "-e a", "--exclude a", "-i a", "--include a", "a_test.rb"]),
        ("phpunit", &["--filter a", "--exclude-filter a", "--group a", "--exclude-group a", "--exclude-testsuite a",
            "--testsuite a", "--stop-on-failure", "--stop-on-error", "--stop-on-defect", "--do-not-fail-on-warning",
            "--do-not-fail-on-risky", "--do-not-fail-on-empty-test-suite", "--list-tests", "a"]),
        ("mvn test", &["-DskipTests", "-DskipITs", "-Dmaven.test.skip=true", "-Dmaven.test.failure.ignore",
            "-DtestFailureIgnore=true", "-Dtest=A", "-Dgroups=a", "-DexcludedGroups=a", "-DfailIfNoTests=false",
            "-Dsurefire.failIfNoSpecifiedTests=false", "-Dsurefire.rerunFailingTestsCount=2", "-pl a",
            "--projects a", "-fn", "--fail-never"]),
        ("gradle test", &["--tests A", "-x check", "--exclude-task check", "--test-dry-run", "-m", "--dry-run"]),
        ("dotnet test", &["--filter A", "-t", "--list-tests", "a.csproj"]),
        ("ctest", &["-R a", "--tests-regex a", "-E a", "--exclude-regex a", "-L a", "--label-regex a", "-LE a",
            "--label-exclude a", "-I 1,2", "--repeat until-pass:3", "--no-tests=ignore", "--rerun-failed",
            "--stop-on-failure", "-N", "--show-only"]),
        ("bats test", &["-f a", "--filter a", "--filter-tags a", "--filter-status failed"]),
        ("prove -r t", &["--state=failed", "--ignore-exit", "--dry"]),
        ("mix test", &["--only a", "--exclude a", "--max-failures 1", "--failed", "--stale", "a"]),
        ("swift test", &["--filter a", "--skip a"]),
        ("turbo run test", &["-F a", "--filter=a", "--scope=a", "--ignore a", "--affected", "--only", "--dry", "--dry-run"]),
        ("nx run-many", &["-p a", "--projects a", "-t a", "--target a", "--targets a", "--exclude a"]),
        ("nx run-many -t test", &["--exclude=a"]),
        ("nx", &["affected -t test"]),
        ("lerna run test", &["--scope a", "--ignore a", "--since a", "--no-bail"]),
        ("tox", &["-e a"]),
    ];

    /// A command, and what makes it stricter.
    #[rustfmt::skip]
    const STRICTER: &[(&str, &[&str])] = &[
        ("pytest", &["--cov-fail-under=90"]),
        ("mocha", &["--forbid-only", "--forbid-pending"]),
        ("playwright test", &["--forbid-only", "--fail-on-flaky-tests"]),
        ("node --test", &["--test-coverage-lines=90", "--test-coverage-branches=90", "--test-coverage-functions=90"]),
        ("cargo test", &["--workspace", "--all", "--all-features", "--all-targets", "--features a", "-F a"]),
        ("cargo nextest run", &["--workspace", "--all", "--all-features", "--all-targets", "--features a", "-F a"]),
        ("go test ./...", &["-tags a"]),
        ("phpunit", &["--fail-on-warning", "--fail-on-risky", "--fail-on-empty-test-suite", "--fail-on-incomplete",
            "--fail-on-skipped", "--fail-on-deprecation", "--fail-on-notice"]),
    ];

    /// A command, and what says nothing about its tests.
    #[rustfmt::skip]
    const NEUTRAL: &[(&str, &[&str])] = &[
        ("pytest", &["-n 4", "-p xdist", "--cov src", "--tb short", "-q", "-rA", "-W error", "-o log_cli=true"]),
        ("vitest run", &["--reporter verbose", "--coverage", "--root ."]),
        ("jest", &["--maxWorkers 2", "-w 2", "--ci", "--reporters default", "--passWithNoTests=false"]),
        ("mocha", &["-r tsx", "--timeout 5000", "-R spec"]),
        ("node --test", &["--import tsx", "--test-reporter spec"]),
        ("cargo test", &["-j 2", "--target x", "-- --test-threads 1", "-- --nocapture"]),
        ("go test ./...", &["-count 1", "-race", "-v", "-timeout 5m", "-coverprofile c.out"]),
        ("mvn test", &["-B", "-T 2", "-DskipTests=false"]),
        ("ctest", &["--test-dir build", "-j 4", "--output-on-failure"]),
        ("rspec", &["-f doc", "-r a"]),
        ("dotnet test", &["-c Release", "--logger trx", "--no-build"]),
    ];

    #[test]
    fn every_option_narrows_as_its_table_says() {
        let package = |command: &str| serde_json::json!({ "scripts": { "test": command } }).to_string();
        for (rows, check) in [(ADDED, true), (STRICTER, false)] {
            for (command, options) in rows {
                for option in *options {
                    names(command, option);
                    let (plain, with) = (package(command), package(&format!("{command} {option}")));
                    let (less, more) = if check { (&with, &plain) } else { (&plain, &with) };
                    narrows("npm test", &[("package.json", more)], &[("package.json", less)]);
                    widens("npm test", &[("package.json", less)], &[("package.json", more)]);
                }
            }
        }
    }

    #[test]
    fn options_of_what_runs_scripts_narrow() {
        for (command, option) in [
            ("npm test", "--if-present"),
            ("pnpm -r test", "--no-bail"),
            ("make test", "-i"),
            ("make test", "--ignore-errors"),
            ("npm test", "-w a"),
            ("npm test", "--workspace=a"),
            ("pnpm test", "--filter a"),
            ("pnpm test", "-F a"),
        ] {
            names(command, option);
        }
    }

    #[test]
    fn other_options_say_nothing() {
        let package = |command: &str| serde_json::json!({ "scripts": { "test": command } }).to_string();
        for (command, options) in NEUTRAL {
            for option in *options {
                let (plain, with) = (package(command), package(&format!("{command} {option}")));
                widens("npm test", &[("package.json", &plain)], &[("package.json", &with)]);
                widens("npm test", &[("package.json", &with)], &[("package.json", &plain)]);
            }
        }
    }
}
