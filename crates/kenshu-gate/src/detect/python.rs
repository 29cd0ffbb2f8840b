//! Python: declared tasks (poe, PDM, Hatch), pytest, unittest, Django, tox and nox, with the project's interpreter.

use super::ecosystem::{Ecosystem, suite};
use super::folder::Folder;
use super::tasks::{Tool, find};
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem = Ecosystem {
    id: "python",
    looked_for: "pytest configuration or tests, unittest tests, a poe, PDM or Hatch `test` script, tox, nox",
    look,
    sweeps,
};

/// Files that make a folder a Python project of its own.
const MANIFESTS: &[&str] = &[
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "requirements-dev.txt",
    "Pipfile",
    "pytest.ini",
    "tox.ini",
    "manage.py",
    "uv.lock",
    "poetry.lock",
];

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let has_manifest = folder.first_of(MANIFESTS).is_some();
    if !has_manifest && !folder.path.is_empty() {
        return Vec::new();
    }
    declared(folder).or_else(|| by_tests(folder)).or_else(|| by_environments(folder)).into_iter().collect()
}

fn declared(folder: &Folder<'_>) -> Option<Suite> {
    let task = |tool: Tool| find(folder, tool, "test");
    let source = |table: &str| format!("pyproject.toml [tool.{table}] test");
    if task(Tool::Poe).is_some() {
        let front: &[&str] = match () {
            () if folder.has("uv.lock") => &["uv", "run", "poe", "test"],
            () if folder.has("poetry.lock") => &["poetry", "run", "poe", "test"],
            () => &["poe", "test"],
        };
        return Some(suite(folder, front, source("poe.tasks"), Basis::Declared));
    }
    if task(Tool::Pdm).is_some() {
        return Some(suite(folder, &["pdm", "run", "test"], source("pdm.scripts"), Basis::Declared));
    }
    // Several environments may each have a `test`; only the default one is run by the bare name.
    let hatch = find(folder, Tool::Hatch, "default:test").is_some();
    hatch.then(|| {
        suite(folder, &["hatch", "run", "test"], source("hatch.envs.default.scripts"), Basis::Declared)
    })
}

fn by_tests(folder: &Folder<'_>) -> Option<Suite> {
    let files = folder.files(4, MANIFESTS);
    let tests: Vec<String> = files
        .iter()
        .filter(|file| is_test_file(file))
        .take(40)
        .filter_map(|file| folder.read(file))
        .collect();
    let with_pytest = configured(folder)
        || depends(folder)
        || tests.iter().any(|text| text.contains("import pytest") || text.contains("from pytest"))
        || files.iter().any(|file| file == "conftest.py" || file.ends_with("/conftest.py"));
    let uses_unittest = tests.iter().any(|text| text.contains("unittest") || text.contains("TestCase"));
    if folder.has("manage.py") && !configured(folder) && !depends(folder) {
        let named = files.iter().any(|file| is_test_file(file) || file.ends_with("tests.py"));
        return named.then(|| {
            let argv = with_interpreter(folder, &["manage.py", "test"]);
            suite(folder, &argv, "manage.py".to_owned(), Basis::Tests)
        });
    }
    if with_pytest && (!tests.is_empty() || configured(folder)) {
        let source = config_file(folder).unwrap_or("pytest").to_owned();
        return Some(suite(folder, &pytest(folder), source, Basis::Tests));
    }
    if tests.is_empty() {
        return None;
    }
    if !uses_unittest {
        // Plain functions named test_… are pytest's alone.
        let functions = tests.iter().any(|text| text.contains("def test"));
        return functions.then(|| suite(folder, &pytest(folder), "test_*.py".to_owned(), Basis::Tests));
    }
    // Discovery only goes into packages; a folder of tests that is none is named.
    let loose = ["tests", "test"].into_iter().find(|name| {
        folder.has_folder(name)
            && !folder.has(&format!("{name}/__init__.py"))
            && files.iter().any(|file| file.starts_with(&format!("{name}/")) && is_test_file(file))
    });
    let argv = match loose {
        Some(name) => with_interpreter(folder, &["-m", "unittest", "discover", "-s", name]),
        None => with_interpreter(folder, &["-m", "unittest", "discover"]),
    };
    Some(suite(folder, &argv, "unittest tests".to_owned(), Basis::Tests))
}

fn by_environments(folder: &Folder<'_>) -> Option<Suite> {
    let tox = folder.read("tox.ini").is_some_and(|text| text.contains("[testenv"));
    if tox {
        return Some(suite(folder, &["tox"], "tox.ini".to_owned(), Basis::Declared));
    }
    folder
        .read("noxfile.py")
        .is_some_and(|text| text.contains("test"))
        .then(|| suite(folder, &["nox"], "noxfile.py".to_owned(), Basis::Declared))
}

/// Whether a file is named as pytest and unittest look for it.
pub(super) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".py")
        .is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests")
}

/// The file that configures pytest.
fn config_file(folder: &Folder<'_>) -> Option<&'static str> {
    let says = |file: &str, section: &str| folder.read(file).is_some_and(|text| text.contains(section));
    [
        ("pytest.ini", ""),
        (".pytest.ini", ""),
        ("pytest.toml", ""),
        ("pyproject.toml", "[tool.pytest"),
        ("tox.ini", "[pytest]"),
        ("setup.cfg", "[tool:pytest]"),
    ]
    .into_iter()
    .find(|(file, section)| says(file, section))
    .map(|(file, _)| file)
}

fn configured(folder: &Folder<'_>) -> bool {
    config_file(folder).is_some()
}

/// Whether pytest stands among the dependencies.
fn depends(folder: &Folder<'_>) -> bool {
    let is_pytest = |line: &str| {
        let line = line.trim().trim_start_matches(['"', '\'', '[', ' ']);
        line.strip_prefix("pytest").is_some_and(|rest| {
            !rest.chars().next().is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '-'))
        })
    };
    let lists = folder
        .entries()
        .iter()
        .filter(|entry| {
            entry.name.starts_with("requirements") && entry.name.ends_with(".txt")
                || matches!(entry.name.as_str(), "pyproject.toml" | "setup.py" | "setup.cfg" | "Pipfile")
        })
        .map(|entry| entry.name.clone());
    lists
        .chain(["requirements/dev.txt".to_owned(), "requirements/test.txt".to_owned()])
        .filter_map(|file| folder.read(&file))
        .any(|text| text.split(['\n', ',', '[']).any(is_pytest))
}

/// pytest with what the project runs Python by.
fn pytest(folder: &Folder<'_>) -> Vec<String> {
    // An environment without pytest in it is not the one that the tests run in.
    let has_pytest = |environment: &str| {
        let libraries = folder.list(&format!("{environment}/lib"));
        libraries.iter().any(|python| {
            folder
                .list(&format!("{environment}/lib/{}/site-packages", python.name))
                .iter()
                .any(|entry| entry.name == "pytest")
        })
    };
    let locked = |folder: &Folder<'_>| manager(folder).is_some();
    if let Some(environment) = environment(folder)
        && (has_pytest(environment) || !folder.upwards().iter().any(locked))
    {
        return with_interpreter(folder, &["-m", "pytest"]);
    }
    match folder.upwards().iter().find_map(manager) {
        Some(manager) => [manager, "run", "pytest"].map(str::to_owned).to_vec(),
        None => ["python3", "-m", "pytest"].map(str::to_owned).to_vec(),
    }
}

fn manager(folder: &Folder<'_>) -> Option<&'static str> {
    [("uv.lock", "uv"), ("poetry.lock", "poetry"), ("pdm.lock", "pdm"), ("Pipfile.lock", "pipenv")]
        .into_iter()
        .find(|(file, _)| folder.has(file))
        .map(|(_, name)| name)
}

fn environment(folder: &Folder<'_>) -> Option<&'static str> {
    [".venv", "venv"].into_iter().find(|name| folder.has(&format!("{name}/bin/python")))
}

/// These words behind the project's interpreter.
fn with_interpreter(folder: &Folder<'_>, words: &[&str]) -> Vec<String> {
    let own = environment(folder).map(|name| vec![format!("{name}/bin/python")]);
    let mut argv = own.unwrap_or_else(|| match folder.upwards().iter().find_map(manager) {
        Some(manager) => [manager, "run", "python"].map(str::to_owned).to_vec(),
        None => vec!["python3".to_owned()],
    });
    argv.extend(words.iter().map(|word| (*word).to_owned()));
    argv
}

/// pytest goes through everything below, but for what its `testpaths` leave out and for projects with their own lock.
fn sweeps(outer: &Folder<'_>, inner: &Folder<'_>) -> bool {
    let own = configured(inner) || manager(inner).is_some() || declared(inner).is_some();
    let limited = config_file(outer)
        .and_then(|file| outer.read(file))
        .is_some_and(|text| text.lines().any(|line| line.trim_start().starts_with("testpaths")));
    !own && !limited && declared(outer).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    const TEST: (&str, &str) = ("tests/test_a.py", "def test_a():\n    assert f() == 1\n");

    #[test]
    fn pytest_is_found_by_each_of_its_signs() {
        for sign in [
            ("pytest.ini", "[pytest]\n"),
            ("pyproject.toml", "[tool.pytest.ini_options]\n"),
            ("setup.cfg", "[tool:pytest]\n"),
            ("tox.ini", "[pytest]\n"),
            ("tests/conftest.py", ""),
            ("requirements-dev.txt", "requests\npytest==8\n"),
            ("pyproject.toml", "[dependency-groups]\ndev = [\"pytest>=8\"]\n"),
            ("README.md", ""),
        ] {
            check(&[sign, TEST], &[(".", "python3 -m pytest", Some("pytest"))]);
        }
        check(&[("requirements.txt", "pytest\n")], &[]);
    }

    #[test]
    fn the_projects_own_interpreter_is_taken() {
        let ini = ("pytest.ini", "[pytest]\n");
        check(&[ini, TEST, (".venv/bin/python", "")], &[(".", ".venv/bin/python -m pytest", Some("pytest"))]);
        check(&[ini, TEST, ("uv.lock", "")], &[(".", "uv run pytest", Some("pytest"))]);
        check(
            &[ini, TEST, ("uv.lock", ""), (".venv/bin/python", "")],
            &[(".", "uv run pytest", Some("pytest"))],
        );
        check(
            &[
                ini,
                TEST,
                ("uv.lock", ""),
                (".venv/bin/python", ""),
                (".venv/lib/python3.13/site-packages/pytest/x.py", ""),
            ],
            &[(".", ".venv/bin/python -m pytest", Some("pytest"))],
        );
        check(&[ini, TEST, ("poetry.lock", "")], &[(".", "poetry run pytest", Some("pytest"))]);
    }

    #[test]
    fn unittest_and_django_are_told_from_pytest() {
        let case = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n";
        check(&[("test_a.py", case)], &[(".", "python3 -m unittest discover", Some("unittest"))]);
        check(
            &[("tests/test_a.py", case)],
            &[(".", "python3 -m unittest discover -s tests", Some("unittest"))],
        );
        check(
            &[("tests/test_a.py", case), ("tests/__init__.py", "")],
            &[(".", "python3 -m unittest discover", Some("unittest"))],
        );
        check(
            &[("manage.py", ""), ("shop/tests.py", "from django.test import TestCase")],
            &[(".", "python3 manage.py test", Some("unittest"))],
        );
    }

    #[test]
    fn declared_tasks_come_first_and_environments_last() {
        check(
            &[("pyproject.toml", "[tool.poe.tasks]\ntest = 'pytest -q'\n"), TEST, ("uv.lock", "")],
            &[(".", "uv run poe test", Some("pytest"))],
        );
        check(
            &[("pyproject.toml", "[tool.pdm.scripts]\ntest = 'pytest'\n"), TEST],
            &[(".", "pdm run test", Some("pytest"))],
        );
        check(&[("tox.ini", "[testenv]\ncommands = stestr run\n")], &[(".", "tox", None)]);
        check(
            &[("tox.ini", "[testenv]\ncommands = pytest\n"), TEST],
            &[(".", "python3 -m pytest", Some("pytest"))],
        );
    }

    #[test]
    fn nested_projects_are_swept_or_their_own() {
        check(
            &[
                ("pytest.ini", "[pytest]\n"),
                TEST,
                ("lib/setup.py", ""),
                ("lib/test_b.py", "def test_b(): pass"),
            ],
            &[(".", "python3 -m pytest", Some("pytest"))],
        );
        check(
            &[("backend/requirements.txt", "pytest\n"), ("backend/tests/test_a.py", "def test_a(): pass")],
            &[("backend", "python3 -m pytest", Some("pytest"))],
        );
    }
}
