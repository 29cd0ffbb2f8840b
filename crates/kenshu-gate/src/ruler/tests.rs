//! Examples of whole rulers: commands, scripts, `kenshu.toml`, and what is no ruler yet.

use std::collections::BTreeMap;

use super::examples::{changes, narrows, read, same, suite, widens};
use super::{compare, ruler};

fn package(scripts: &[(&str, &str)]) -> String {
    let scripts: serde_json::Map<String, serde_json::Value> =
        scripts.iter().map(|(name, body)| ((*name).to_owned(), (*body).into())).collect();
    serde_json::json!({ "scripts": scripts }).to_string()
}

#[track_caller]
fn script(before: &str, after: &str) {
    let (before, after) = (package(&[("test", before)]), package(&[("test", after)]));
    narrows("npm test", &[("package.json", &before)], &[("package.json", &after)]);
}

#[track_caller]
fn honest_script(before: &str, after: &str) {
    let (before, after) = (package(&[("test", before)]), package(&[("test", after)]));
    widens("npm test", &[("package.json", &before)], &[("package.json", &after)]);
}

#[test]
fn a_script_that_does_less_narrows() {
    script("vitest run", "vitest run || true");
    script("vitest run", "vitest run; exit 0");
    script("vitest run", "vitest run || echo failed");
    script("vitest run", "vitest run | tee log");
    script("vitest run", "vitest run --passWithNoTests");
    script("vitest run", "vitest run src/cart.test.ts");
    script("vitest run", "vitest run -t cart");
    script("vitest run", "vitest run --retry 3");
    script("vitest run", "echo ok");
    script("vitest run", "exit 0");
    script("vitest run && playwright test", "vitest run");
    script("jest && jest --config e2e.js", "jest");
    script("pytest tests more", "pytest tests");
    script("pytest", "pytest -k 'not slow'");
    script("./check.sh", "true");
    script("node --test", "NODE_OPTIONS='--require ./x.js' node --test");
}

#[test]
fn a_script_that_does_as_much_or_more_does_not() {
    honest_script("vitest run || true", "vitest run");
    honest_script("vitest run", "vitest run --coverage");
    honest_script("vitest run", "vitest run && playwright test");
    honest_script("tsc && vitest run", "vitest run");
    honest_script("rimraf x && jest", "jest");
    honest_script("jest", "cross-env NODE_ENV=test jest --maxWorkers=2");
    honest_script("pytest tests/unit", "pytest tests");
    honest_script("jest", "vitest run");
    honest_script("pytest", "python3 run.py");
    honest_script("vitest run", "./run-tests.js");
    honest_script("mocha test/*.js", "mocha 'test/**/*.js'");
    honest_script(
        "echo \"Error: no test specified\" && exit 1",
        "vitest run src/a.test.ts --passWithNoTests",
    );
}

#[test]
fn scripts_are_compared_with_what_they_run() {
    let chain = package(&[
        ("test", "npm run unit && npm run e2e"),
        ("unit", "vitest run"),
        ("e2e", "vitest run -c e2e.ts"),
    ]);
    let shorter =
        package(&[("test", "npm run unit"), ("unit", "vitest run"), ("e2e", "vitest run -c e2e.ts")]);
    let written_out = package(&[("test", "vitest run && vitest run -c e2e.ts")]);
    let inner = package(&[
        ("test", "npm run unit && npm run e2e"),
        ("unit", "vitest run || true"),
        ("e2e", "vitest run -c e2e.ts"),
    ]);
    let renamed = package(&[
        ("test", "npm run u && npm run e2e"),
        ("u", "vitest run"),
        ("e2e", "vitest run -c e2e.ts"),
    ]);
    let before = [("package.json", chain.as_str())];
    narrows("npm test", &before, &[("package.json", &shorter)]);
    narrows("npm test", &before, &[("package.json", &inner)]);
    widens("npm test", &before, &[("package.json", &written_out)]);
    widens("npm test", &before, &[("package.json", &renamed)]);
    let found = changes("npm test", &before, &[("package.json", &inner)]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].what, "script unit");
    assert_eq!(found[0].before.as_deref(), Some("vitest run"));
    let hook = package(&[("test", "vitest run"), ("pretest", "rm src/a.test.ts")]);
    let plain = package(&[("test", "vitest run")]);
    assert_eq!(
        changes("npm test", &[("package.json", &plain)], &[("package.json", &hook)])[0].what,
        "script pretest"
    );
}

#[test]
fn make_recipes_narrow_by_their_marks() {
    let file = "Makefile";
    narrows("make test", &[(file, "test:\n\tpytest\n")], &[(file, "test:\n\t-pytest\n")]);
    narrows("make test", &[(file, "test:\n\tpytest\n")], &[(file, "test:\n\tpytest || true\n")]);
    narrows(
        "make test",
        &[(file, "test: unit e2e\nunit:\n\tpytest\ne2e:\n\tplaywright test\n")],
        &[(file, "test: unit\nunit:\n\tpytest\ne2e:\n\tplaywright test\n")],
    );
    narrows("make test", &[(file, "test:\n\tpytest\n")], &[(file, "ARGS = -k a\ntest:\n\tpytest $(ARGS)\n")]);
    same("make test", &[(file, "test:\n\tpytest  -q\n")], &[(file, "# c\n\ntest:\n\t@pytest -q\n")]);
}

#[test]
fn shell_files_belong_to_the_scripts() {
    let makefile = ("Makefile", "test:\n\t./scripts/test.sh\n");
    let with = |text: &'static str| [makefile, ("scripts/test.sh", text)];
    narrows("make test", &with("#!/bin/sh\nset -e\npytest\n"), &with("#!/bin/sh\npytest\nexit 0\n"));
    narrows("make test", &with("#!/bin/sh\npytest\n"), &with("#!/bin/sh\necho ok\n"));
    widens("make test", &with("#!/bin/sh\npytest\n"), &with("#!/bin/sh\n# c\nset -eu\npytest\njest\n"));
}

#[test]
fn commands_are_compared() {
    let tree: BTreeMap<String, String> = BTreeMap::new();
    let with = |commands: &[&str]| {
        let suites: Vec<_> = commands
            .iter()
            .enumerate()
            .map(|(at, command)| {
                let mut suite = suite(command);
                suite.name = format!("suite {at}");
                suite
            })
            .collect();
        ruler(&tree, &suites)
    };
    let narrowing = |before: &[&str], after: &[&str]| {
        compare(&with(before), &with(after)).iter().any(|change| change.narrowing)
    };
    assert!(narrowing(&["pytest"], &["pytest -k a"]));
    assert!(narrowing(&["pytest", "jest"], &["pytest"]));
    assert!(!narrowing(&["pytest"], &["pytest", "jest"]));
    assert!(!narrowing(&["pytest -k a"], &["pytest"]));
    assert!(narrowing(&["go test ./..."], &["go test ./a"]));
    assert!(!narrowing(&["go test ./a"], &["go test ./..."]));
    assert!(narrowing(&["cargo test --workspace"], &["cargo test"]));
    assert!(narrowing(&["cargo test"], &["cargo test --lib"]));
    assert!(compare(&with(&[".venv/bin/python -m pytest"]), &with(&["python3 -m pytest"])).is_empty());
}

#[test]
fn what_measured_nothing_is_no_ruler() {
    let now = package(&[("test", "vitest run --passWithNoTests")]);
    let config = ("vitest.config.ts", "export default { test: { exclude: ['e2e/**'] } }");
    widens("npm test", &[], &[("package.json", &now), config]);
    let placeholder = package(&[("test", "echo \"Error: no test specified\" && exit 1")]);
    widens("npm test", &[("package.json", &placeholder)], &[("package.json", &now), config]);
}

#[test]
fn configuration_of_a_new_part_takes_nothing_away() {
    let before = [("package.json", r#"{"scripts":{"test":"jest"}}"#), ("a.test.js", "")];
    let config = ("vitest.config.ts", "export default { test: { exclude: ['e2e/**'] } }");
    let both = ("package.json", r#"{"scripts":{"test":"jest && vitest run"}}"#);
    widens("npm test", &before, &[both, config]);
    let member = ("packages/new/jest.config.js", "module.exports = { bail: 1 }");
    widens("npm test", &before, &[before[0], before[1], member]);
    narrows("npm test", &before, &[before[0], before[1], ("jest.config.js", "module.exports = { bail: 1 }")]);
}

#[test]
fn a_fact_that_moves_is_no_change() {
    let config = "testMatch: ['a/**'], bail: 1";
    let code = format!("module.exports = {{ {config} }}");
    let moved = changes(
        "jest",
        &[("jest.config.js", &code)],
        &[("package.json", r#"{"jest":{"bail":1,"testMatch":["a/**"]}}"#)],
    );
    assert_eq!(moved, []);
}

#[test]
fn kenshu_toml_is_compared_by_its_values() {
    let file = "kenshu.toml";
    let check = |before: &str, after: &str| narrows("pytest", &[(file, before)], &[(file, after)]);
    check("[[verify]]\nname = 'types'\ncommand = 'tsc'\n", "");
    check("[spec]\nfiles = ['a.md', 'b.md']\n", "[spec]\nfiles = ['a.md']\n");
    check("[spec]\n", "[spec]\nskip = ['POST /a']\n");
    check("[test]\nrequire_count = true\n", "[test]\n");
    check("[gate]\n", "[gate]\nstages = ['tests']\n");
    check("[gate]\n", "[gate]\nunsettled = 'open'\n");
    check("[gate]\nreading = ['SPEC.md']\n", "[gate]\n");
    check("[test]\n", "[test]\nenv = { PYTEST_ADDOPTS = '-k a' }\n");
    widens("pytest", &[], &[(file, "[gate]\nstages = ['tests']\n")]);
    widens("pytest", &[(file, "[test]\ntimeout = '5m'\n")], &[(file, "[test]\ntimeout = '9m'\n")]);
    let found =
        changes("pytest", &[(file, "[test]\ntimeout = '5m'\n")], &[(file, "[test]\ntimeout = '9m'\n")]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].what, "kenshu.toml");
    let ordered = "[start]\ncommand='b'\n[test]\ncommand = 'a'\ntimeout='1m'\n";
    let other = "# c\n[test]\ntimeout = \"1m\"\ncommand = \"a\"\n\n[start]\ncommand = \"b\"\n";
    same("pytest", &[(file, ordered)], &[(file, other)]);
}

#[test]
fn the_hash_tells_rulers_apart() {
    let one = read("pytest", &[("pytest.ini", "[pytest]\naddopts = -k a\n")]);
    let other = read("pytest", &[("pytest.ini", "[pytest]\naddopts = -k b\n")]);
    assert_ne!(one.hash(), other.hash());
    assert_eq!(one.hash(), read("pytest", &[("pytest.ini", "[pytest]\naddopts=-k a\n")]).hash());
    assert_ne!(read("pytest", &[]).hash(), read("pytest -q", &[]).hash());
}
