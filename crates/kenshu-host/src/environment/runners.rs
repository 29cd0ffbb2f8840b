//! Variables that test runners leave for their children.

/// A variable, or a family of them, that a test runner sets for what it starts.
#[derive(Clone, Copy, Debug)]
pub struct RunnerVariable {
    /// Its name; a `*` at the end stands for any rest.
    pub name: &'static str,
    /// Who sets it.
    pub runner: &'static str,
    /// The variable that proves that we were started by that runner, where users set this one as well.
    pub only_with: Option<&'static str>,
    /// What would go wrong if it were passed on.
    pub why: &'static str,
}

impl RunnerVariable {
    /// Whether this row takes a variable away.
    pub(super) fn removes(&self, name: &str, is_set: &dyn Fn(&str) -> bool) -> bool {
        let named = match self.name.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == self.name,
        };
        named && self.only_with.is_none_or(is_set)
    }
}

const fn row(name: &'static str, runner: &'static str, why: &'static str) -> RunnerVariable {
    RunnerVariable { name, runner, only_with: None, why }
}

const fn within(
    proof: &'static str,
    name: &'static str,
    runner: &'static str,
    why: &'static str,
) -> RunnerVariable {
    RunnerVariable { name, runner, only_with: Some(proof), why }
}

const MARK: &str = "programs take it as the sign that they are under test";
const WORKER: &str = "names a worker of the outer run; ports and databases are chosen by it";
const SELF: &str = "describes the test that called us, not the command";

/// What is taken away, and why. Everything else stays, the runners' own settings above all: `PYTEST_ADDOPTS`,
/// `NODE_OPTIONS`, `RUST_TEST_THREADS`, `CARGO_HOME`, `CARGO_TARGET_DIR`, `GTEST_*`, `JEST_JUNIT_*`, `HARNESS_OPTIONS`,
/// `CTEST_*`, `CYPRESS_*`.
///
/// Judged and left: `NODE_ENV`, `MODE`, `DEV`, `TEST` (set by several runners, but just as well by users),
/// `RUSTUP_TOOLCHAIN` (not a test runner's), `NODE_V8_COVERAGE`, `NYC_*`, `LLVM_PROFILE_FILE` (coverage that somebody
/// asked for), `npm_*` (the package manager's), `GTEST_TOTAL_SHARDS` outside Bazel (the user's sharding).
pub static RUNNER_VARIABLES: &[RunnerVariable] = &[
    row(
        "NODE_TEST_CONTEXT",
        "node --test",
        "node's runner then writes its binary protocol in place of a report",
    ),
    row("NODE_TEST_WORKER_ID", "node --test", WORKER),
    row("VITEST", "Vitest", MARK),
    row("VITEST_MODE", "Vitest", SELF),
    row("VITEST_POOL_ID", "Vitest", WORKER),
    row("VITEST_WORKER_ID", "Vitest", WORKER),
    row("JEST_WORKER_ID", "Jest, jest-worker, Bun", "programs take it as the sign that they are under Jest"),
    row("BUN_TEST_WORKER_ID", "bun test --parallel", WORKER),
    row("MOCHA_WORKER_ID", "Mocha --parallel", WORKER),
    row("AVA_PATH", "AVA", "the outer AVA is loaded in place of the project's own"),
    row("WDIO_WORKER_ID", "WebdriverIO", WORKER),
    row("TEST_WORKER_INDEX", "Playwright", WORKER),
    row("TEST_PARALLEL_INDEX", "Playwright", WORKER),
    row("PW_TS_ESM_LOADER_ON", "Playwright", "an inner Playwright believes that its loader is there already"),
    row("PW_TS_ESM_LEGACY_LOADER_ON", "Playwright", "as PW_TS_ESM_LOADER_ON"),
    row("TAP_CHILD_ID", "node-tap", SELF),
    within("TAP_CHILD_ID", "TAP", "node-tap", "an inner tap writes raw TAP in place of its report"),
    within("TAP_CHILD_ID", "TAP_*", "node-tap", "the outer run's settings would steer the inner one"),
    row("PYTEST_CURRENT_TEST", "pytest", MARK),
    row("PYTEST_VERSION", "pytest", MARK),
    row("PYTEST_XDIST_WORKER", "pytest-xdist", "an inner pytest believes that it is a worker"),
    row("PYTEST_XDIST_WORKER_COUNT", "pytest-xdist", WORKER),
    row("PYTEST_XDIST_TESTRUNUID", "pytest-xdist", SELF),
    row("COV_CORE_*", "pytest-cov", "every inner Python would write into the outer run's coverage"),
    row("TOX_PARALLEL_ENV", "tox", "an inner tox believes that it is a worker"),
    within("TOX_ENV_NAME", "TOX_ENV_DIR", "tox", "an inner tox takes it as its own folder"),
    within("TOX_ENV_NAME", "TOX_WORK_DIR", "tox", "an inner tox takes it as its own folder"),
    within("TOX_ENV_NAME", "TOX_PACKAGE", "tox", SELF),
    row("TOX_ENV_NAME", "tox", SELF),
    row("NOX_CURRENT_SESSION", "nox", SELF),
    row("NEXTEST", "cargo-nextest", MARK),
    row("NEXTEST_EXECUTION_MODE", "cargo-nextest", SELF),
    row("NEXTEST_RUN_ID", "cargo-nextest", SELF),
    row("NEXTEST_TEST_NAME", "cargo-nextest", SELF),
    row("NEXTEST_BIN_EXE_*", "cargo-nextest", SELF),
    within(
        "NEXTEST",
        "NEXTEST_*",
        "cargo-nextest",
        "the outer run's profile may not exist in the inner project",
    ),
    row("__RUST_TEST_INVOKE", "Rust's test harness", "an inner harness would run that one test only"),
    within("CARGO_MANIFEST_DIR", "OUT_DIR", "cargo", SELF),
    within("CARGO_MANIFEST_DIR", "CARGO", "cargo", "the outer toolchain's cargo would be used"),
    row("CARGO_BIN_EXE_*", "cargo", SELF),
    row("CARGO_BIN_NAME", "cargo", SELF),
    row("CARGO_CRATE_NAME", "cargo", SELF),
    row("CARGO_MANIFEST_DIR", "cargo", SELF),
    row("CARGO_MANIFEST_LINKS", "cargo", SELF),
    row("CARGO_MANIFEST_PATH", "cargo", SELF),
    row("CARGO_PKG_*", "cargo", SELF),
    row("CARGO_PRIMARY_PACKAGE", "cargo", SELF),
    row("CARGO_TARGET_TMPDIR", "cargo", SELF),
    within(
        "BATS_TEST_FILENAME",
        "BATS_*",
        "Bats",
        "an inner Bats takes over folders and counters of the outer one",
    ),
    row("BATS_TEST_FILENAME", "Bats", SELF),
    within(
        "SHELLSPEC_ROOT",
        "SHELLSPEC_*",
        "ShellSpec",
        "an inner ShellSpec takes over the outer one's folders",
    ),
    row("HARNESS_ACTIVE", "Test::Harness, prove", MARK),
    row("HARNESS_IS_VERBOSE", "Test::Harness, prove", SELF),
    row("HARNESS_VERSION", "Test::Harness, prove", SELF),
    row("TAP_VERSION", "TAP harnesses", "an inner harness would write the outer one's version of TAP"),
    row("T2_HARNESS_*", "yath", SELF),
    within("PARALLEL_PID_FILE", "TEST_ENV_NUMBER", "parallel_tests", WORKER),
    within("PARALLEL_PID_FILE", "PARALLEL_TEST_GROUPS", "parallel_tests", WORKER),
    row("PARALLEL_PID_FILE", "parallel_tests", SELF),
    within("PARATEST", "TEST_TOKEN", "ParaTest", WORKER),
    within("PARATEST", "UNIQUE_TEST_TOKEN", "ParaTest", WORKER),
    row("PARATEST", "ParaTest", MARK),
    row("FLUTTER_TEST", "flutter test", MARK),
    within("FLUTTER_TEST", "UNIT_TEST_ASSETS", "flutter test", SELF),
    row("XCTestBundlePath", "XCTest", SELF),
    row("XCTestConfigurationFilePath", "XCTest", MARK),
    row("XCTestSessionIdentifier", "XCTest", SELF),
    row("DASHBOARD_TEST_FROM_CTEST", "CTest", MARK),
    row("CTEST_INTERACTIVE_DEBUG_MODE", "CTest", MARK),
    row("MESON_TEST_ITERATION", "meson test", SELF),
    row("BAZEL_TEST", "bazel test", MARK),
    within(
        "BAZEL_TEST",
        "TESTBRIDGE_TEST_ONLY",
        "bazel test",
        "narrows the inner run to the outer run's filter",
    ),
    within("BAZEL_TEST", "TEST_*", "bazel test", "shards, folders and limits of the outer test"),
    within("BAZEL_TEST", "GTEST_*", "bazel test", "shards and folders of the outer test"),
    within(
        "BAZEL_TEST",
        "XML_OUTPUT_FILE",
        "bazel test",
        "the inner run would overwrite the outer run's report",
    ),
    within("BAZEL_TEST", "RUNFILES_*", "bazel test", SELF),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proof_of_a_row_is_itself_taken_away() {
        for row in RUNNER_VARIABLES {
            let Some(proof) = row.only_with else { continue };
            let gone = RUNNER_VARIABLES.iter().any(|other| other.removes(proof, &|name| name == proof));
            assert!(gone, "{} is left when {} goes", proof, row.name);
        }
    }

    #[test]
    fn a_star_stands_for_any_rest_and_only_at_the_end() {
        for row in RUNNER_VARIABLES {
            assert!(!row.name.trim_end_matches('*').contains('*'), "{}", row.name);
            assert!(!row.why.is_empty() && !row.runner.is_empty(), "{}", row.name);
        }
    }
}
