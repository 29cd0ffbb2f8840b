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
        switch(&["-short", "--rerun-fails-abort-on-data-race"]),
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
        switch(&["--if-present", "--no-bail", "-i", "-k", "--keep-going", "--ignore-errors"]),
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
