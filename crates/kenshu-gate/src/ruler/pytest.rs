//! pytest: its ini files, `conftest.py`, and modules that Python loads before everything.

use std::sync::LazyLock;

use regex::Regex;

use super::config::{Family, File};
use super::line::arguments;
use super::options::table;
use super::settings::{Row, Setting, Shape, facts, of_ini, of_toml, unread, words};
use super::{Fact, Kind};

pub(super) const FAMILY: Family =
    Family { runners: &["pytest", "unittest", "tox", "nox"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    matches!(
        name,
        "pytest.ini"
            | ".pytest.ini"
            | "pytest.toml"
            | "pyproject.toml"
            | "setup.cfg"
            | "tox.ini"
            | "conftest.py"
            | "sitecustomize.py"
            | "usercustomize.py"
    )
}

const ROWS: &[Row] = &[
    Row("testpaths", &[], Shape::Includes),
    Row("python_files", &[], Shape::Includes),
    Row("python_classes", &[], Shape::Includes),
    Row("python_functions", &[], Shape::Includes),
    Row("norecursedirs", &[], Shape::Excludes),
    Row("xfail_strict", &[], Shape::Strict),
    Row("strict_xfail", &[], Shape::Strict),
    Row("reruns", &[], Shape::AtMost),
    Row("fail_under", &["report"], Shape::AtLeast),
];

fn read(file: &File<'_>) -> Vec<Fact> {
    match file.name {
        "conftest.py" => of_conftest(file),
        "sitecustomize.py" | "usercustomize.py" => vec![Fact {
            file: file.path.to_owned(),
            key: "loaded before every test".to_owned(),
            value: "present".to_owned(),
            kind: Kind::Narrows,
        }],
        "pyproject.toml" | "pytest.toml" => of_table(file),
        _ => of_sections(file),
    }
}

fn of_table(file: &File<'_>) -> Vec<Fact> {
    let Ok(whole) = file.text.parse::<toml::Table>() else {
        return vec![unread(file.path, "unread", file.text)];
    };
    let tool = |name: &str| whole.get("tool").and_then(|tool| tool.get(name));
    let pytest = match file.name {
        "pytest.toml" => whole.get("pytest"),
        // `ini_options` is the old place, the table itself the one since pytest 9.
        _ => tool("pytest").and_then(|table| table.get("ini_options").or(Some(table))),
    };
    let report = tool("coverage").and_then(|table| table.get("report"));
    let mut settings: Vec<Setting> = pytest.map(|table| of_toml(table, &[])).unwrap_or_default();
    settings.extend(report.map(|table| of_toml(table, &["report".to_owned()])).unwrap_or_default());
    of_settings(file.path, settings)
}

fn of_sections(file: &File<'_>) -> Vec<Fact> {
    let settings = of_ini(file.text)
        .into_iter()
        .filter(|(section, _, _)| {
            matches!(section.as_str(), "pytest" | "tool:pytest")
                && (file.name != "setup.cfg" || section != "pytest")
        })
        .map(|(_, key, value)| Setting { values: vec![value], path: vec![key], unread: None })
        .collect();
    of_settings(file.path, settings)
}

fn of_settings(path: &str, settings: Vec<Setting>) -> Vec<Fact> {
    let mut found = Vec::new();
    let mut rest = Vec::new();
    for mut setting in settings {
        if setting.key() == "addopts" {
            let options: Vec<String> = setting.values.iter().flat_map(|value| words(value)).collect();
            if let Some(known) = table("pytest") {
                let addopts = arguments(path, "pytest", known, &options);
                found.extend(
                    addopts
                        .into_iter()
                        .map(|fact| Fact { key: fact.key.replacen("pytest", "addopts", 1), ..fact }),
                );
            }
            continue;
        }
        // These lists are written as one string with blanks, and `True` as Python writes it.
        if ROWS.iter().any(|Row(key, _, _)| *key == setting.key()) {
            setting.values = setting
                .values
                .iter()
                .flat_map(|value| words(value))
                .map(|value| if value.eq_ignore_ascii_case("true") { "true".to_owned() } else { value })
                .collect();
        }
        rest.push(setting);
    }
    found.extend(facts(path, &rest, ROWS));
    // pytest's own list, written out, leaves nothing out.
    found.retain(|fact| {
        !(fact.key == "norecursedirs"
            && matches!(fact.value.as_str(), "*.egg" | ".*" | "_darcs" | "CVS" | "{arch}"))
    });
    found
}

/// A hook, and what in its body changes an outcome.
const HOOKS: &[(&str, &[&str])] = &[
    (
        "pytest_runtest_makereport",
        &[".outcome =", ".outcome=", "force_result", ".wasxfail", ".longrepr =", "excinfo = None"],
    ),
    ("pytest_runtest_logreport", &[".outcome =", ".outcome="]),
    (
        "pytest_report_teststatus",
        &["return \"passed\"", "return 'passed'", "return \"skipped\"", "\"passed\",", "'passed',"],
    ),
    ("pytest_sessionfinish", &["exitstatus =", "exitstatus=", "testsfailed =", "testsfailed="]),
    ("pytest_unconfigure", &["exit("]),
    (
        "pytest_collection_modifyitems",
        &[
            "items[:]",
            "items.clear",
            "items.remove",
            "items.pop",
            "del items",
            "deselected",
            "mark.skip",
            "mark.xfail",
            "\"skip\"",
            "'skip'",
        ],
    ),
    ("pytest_itemcollected", &["mark.skip", "mark.xfail"]),
    ("pytest_runtest_setup", &["skip("]),
    ("pytest_ignore_collect", &["return"]),
    ("pytest_collect_file", &["return None"]),
    ("pytest_pyfunc_call", &["return True", "return 1"]),
    ("pytest_runtest_protocol", &["return True"]),
    ("pytest_runtest_call", &["force_result", "except"]),
];

fn of_conftest(file: &File<'_>) -> Vec<Fact> {
    static IGNORED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?ms)^(collect_ignore(?:_glob)?)\s*(?:\+?=\s*\[|\.extend\(|\.append\()(.*?)[\])]")
            .expect("the pattern is fixed and tested")
    });
    static QUOTED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"["']([^"'\n]+)["']"#).expect("the pattern is fixed and tested"));
    let fact = |key: &str, value: &str, kind: Kind| Fact {
        file: file.path.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        kind,
    };
    let mut facts = Vec::new();
    for list in IGNORED.captures_iter(file.text) {
        let values = QUOTED.captures_iter(&list[2]);
        facts.extend(values.map(|value| fact(&list[1], &value[1], Kind::Narrows)));
    }
    for (hook, signs) in HOOKS {
        let Some(body) = function(file.text, hook) else { continue };
        let found: Vec<&&str> = signs.iter().filter(|sign| body.contains(**sign)).collect();
        facts.extend(found.iter().map(|sign| fact(&format!("hook {hook}"), sign.trim(), Kind::Narrows)));
        facts.push(unread(file.path, &format!("hook {hook}"), &body));
    }
    for sign in [
        "os._exit",
        "atexit.register",
        "sys.exit(0)",
        "returncode=0",
        "exitstatus = 0",
        "exitstatus = pytest.ExitCode.OK",
    ] {
        if file.text.lines().any(|line| line.split('#').next().unwrap_or_default().contains(sign)) {
            facts.push(fact("ends the run", sign, Kind::Narrows));
        }
    }
    facts
}

/// The text of a function up to the next line that begins further out, without comments.
fn function(text: &str, name: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| {
        line.trim_start()
            .strip_prefix("def ")
            .is_none_or(|rest| rest.strip_prefix(name).is_none_or(|rest| !rest.starts_with('(')))
    });
    let head = lines.next()?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let body = lines
        .take_while(|line| {
            line.trim().is_empty() || indent(line) > indent(head) || line.trim_start().starts_with(')')
        })
        .map(|line| line.split(" #").next().unwrap_or(line).trim())
        .filter(|line| !line.starts_with('#'));
    Some(std::iter::once(head.trim()).chain(body).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, same, widens};

    const COMMAND: &str = "pytest";

    #[track_caller]
    fn ini(before: &str, after: &str) {
        let text = |body: &str| format!("[pytest]\n{body}\n");
        narrows(COMMAND, &[("pytest.ini", &text(before))], &[("pytest.ini", &text(after))]);
        widens(COMMAND, &[("pytest.ini", &text(after))], &[("pytest.ini", &text(before))]);
    }

    #[test]
    fn options_added_to_addopts_narrow() {
        for options in [
            "-k 'not slow'",
            "-knot_slow",
            "-m fast",
            "--ignore=tests/a.py",
            "--ignore tests/a.py",
            "--deselect tests/a.py::x",
            "--maxfail=1",
            "-x",
            "--lf",
            "--collect-only",
            "-p no:unraisableexception",
            "--reruns 3",
            "tests/unit",
        ] {
            ini("addopts = -q", &format!("addopts = -q {options}"));
        }
        ini("addopts = --cov-fail-under=90", "addopts = --cov-fail-under=50");
    }

    #[test]
    fn settings_that_leave_tests_out_narrow() {
        ini("norecursedirs = build", "norecursedirs = build slow");
        ini("xfail_strict = true", "");
        ini("strict_xfail = True", "strict_xfail = false");
        ini("", "reruns = 2");
        ini("python_files = test_*.py check_*.py", "python_files = test_*.py");
        ini("python_classes = Test* Check*", "python_classes = Test*");
        let report = |least: u8| format!("[tool.coverage.report]\nfail_under = {least}\n");
        narrows(COMMAND, &[("pyproject.toml", &report(90))], &[("pyproject.toml", &report(9))]);
        ini("python_functions = test_* check_*", "python_functions = test_*");
        ini("testpaths = tests integration", "testpaths = tests");
        let (all, one) = (("pytest.ini", "[pytest]\n"), ("pytest.ini", "[pytest]\ntestpaths = tests\n"));
        let (inside, outside) = (("tests/test_a.py", ""), ("more/test_b.py", ""));
        narrows(COMMAND, &[all, inside, outside], &[one, inside, outside]);
        widens(COMMAND, &[all, inside], &[one, inside]);
    }

    #[test]
    fn every_place_of_configuration_is_read() {
        let toml = |options: &str| format!("[tool.pytest.ini_options]\naddopts = \"{options}\"\n");
        narrows(COMMAND, &[("pyproject.toml", &toml("-q"))], &[("pyproject.toml", &toml("-q -k a"))]);
        let list = "[tool.pytest]\naddopts = ['-k', 'a']\n";
        narrows(COMMAND, &[("pyproject.toml", "[tool.pytest]\n")], &[("pyproject.toml", list)]);
        narrows(
            COMMAND,
            &[("setup.cfg", "[tool:pytest]\n")],
            &[("setup.cfg", "[tool:pytest]\naddopts = -k a\n")],
        );
        narrows(COMMAND, &[("tox.ini", "[pytest]\n")], &[("tox.ini", "[pytest]\naddopts = -k a\n")]);
        same(COMMAND, &[("tox.ini", "[testenv]\n")], &[("tox.ini", "[testenv]\naddopts = -k a\n")]);
    }

    #[test]
    fn conftest_files_narrow_by_what_they_do() {
        let body = |body: &str| format!("import pytest\n\n{body}\n");
        for change in [
            "collect_ignore = [\n    'test_a.py',\n]",
            "collect_ignore_glob = [\"slow/*\"]",
            "def pytest_runtest_makereport(item, call):\n    rep = yield\n    rep.outcome = 'passed'",
            "def pytest_sessionfinish(session, exitstatus):\n    session.testsfailed = 0",
            "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]",
            "def pytest_ignore_collect(path):\n    return 'slow' in str(path)",
            "def pytest_runtest_logreport(report):\n    report.outcome = 'passed'",
            "def pytest_report_teststatus(report):\n    return 'passed', '.', ''",
            "def pytest_unconfigure():\n    exit()",
            "def pytest_itemcollected(item):\n    item.add_marker(pytest.mark.skip)",
            "def pytest_runtest_setup(item):\n    pytest.skip('x')",
            "def pytest_collect_file(path):\n    return None",
            "def pytest_runtest_protocol(item):\n    return True",
            "def pytest_runtest_call(item):\n    try:\n        item.runtest()\n    except Exception:\n        pass",
            "import atexit\natexit.register(f)",
            "import sys\nsys.exit(0)",
            "pytest.exit('x', returncode=0)",
            "def pytest_pyfunc_call(pyfuncitem):\n    return True",
            "import os\nos._exit(0)",
        ] {
            narrows(COMMAND, &[("tests/conftest.py", &body(""))], &[("tests/conftest.py", &body(change))]);
        }
        let honest =
            "def pytest_runtest_makereport(item, call):\n    rep = yield\n    item.rep = rep  # .outcome = x";
        widens(COMMAND, &[("conftest.py", &body(""))], &[("conftest.py", &body(honest))]);
        narrows(COMMAND, &[], &[("sitecustomize.py", "import x")]);
    }

    #[test]
    fn a_reordered_file_is_no_change() {
        same(
            COMMAND,
            &[("pytest.ini", "[pytest]\ntestpaths = a b\naddopts = -k x -q\n")],
            &[("pytest.ini", "# c\n[pytest]\naddopts =\n  -q\n  -k x\ntestpaths =\n  b\n  a\n")],
        );
    }
}
