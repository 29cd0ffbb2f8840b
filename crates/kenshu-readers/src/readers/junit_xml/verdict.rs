//! What one case means in the dialect it is written in: its verdict, its name, its file.

use super::document::{Case, Document, Problem, Suite};

/// Suites that a name tells, innermost first: bounds the work on a report that nests without end.
const NAMES_MAX: usize = 64;

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    /// Passed after an attempt that failed.
    Flaky,
    Failed,
    Errored,
    /// No test but a file, a class or a package that did not load.
    NotLoaded,
    Skipped,
    Todo,
    ExpectedFailure,
}

impl Verdict {
    /// Whether a failure or an error stands behind it.
    pub(super) fn is_bad(self) -> bool {
        matches!(self, Verdict::Failed | Verdict::Errored | Verdict::NotLoaded)
    }
}

/// The verdict of `case` in `suite`.
pub(super) fn of(case: &Case<'_>, suite: &Suite) -> Verdict {
    let skipped = case.more().skipped.as_ref();
    if skipped.is_some_and(is_todo) {
        // node writes the failure of a test marked `todo` beside the mark; it fails nothing.
        return Verdict::Todo;
    }
    if case.more().failure.is_some() || case.more().error.is_some() {
        return match not_loaded(case, suite) {
            true => Verdict::NotLoaded,
            false if case.more().failure.is_some() => Verdict::Failed,
            false => Verdict::Errored,
        };
    }
    if let Some(skipped) = skipped {
        return match skipped.kind.as_deref() {
            Some("pytest.xfail") => Verdict::ExpectedFailure,
            _ if ctest_could_not_start(case, skipped) => Verdict::Errored,
            _ => Verdict::Skipped,
        };
    }
    if case.more().ignored {
        return Verdict::Skipped;
    }
    by_attributes(case).unwrap_or(if case.more().flaky { Verdict::Flaky } else { Verdict::Passed })
}

/// `status` and `result` where no child element says it: GoogleTest, CTest, Behave.
fn by_attributes(case: &Case<'_>) -> Option<Verdict> {
    [&case.more().status, &case.more().result].into_iter().flatten().find_map(|word| {
        match word.to_ascii_lowercase().as_str() {
            "notrun" | "suppressed" | "skipped" | "skip" | "disabled" | "ignored" | "pending"
            | "untested" => Some(Verdict::Skipped),
            "fail" | "failed" | "failure" => Some(Verdict::Failed),
            "error" | "errored" | "broken" | "undefined" => Some(Verdict::Errored),
            _ => None,
        }
    })
}

fn is_todo(skipped: &Problem) -> bool {
    skipped.kind.as_deref() == Some("todo")
        || skipped.message.as_deref().is_some_and(|message| message.eq_ignore_ascii_case("todo"))
}

/// CTest writes a test whose program or files are missing as `notrun` with `<skipped>`, and fails the run. What was
/// skipped on purpose has `SKIP_…` or `Disabled` as its message.
fn ctest_could_not_start(case: &Case<'_>, skipped: &Problem) -> bool {
    case.more().status.as_deref() == Some("notrun")
        && case.more().result.is_none()
        && case.classname() == Some(case.name())
        && skipped
            .message
            .as_deref()
            .is_some_and(|message| !message.starts_with("SKIP_") && message != "Disabled")
}

/// Whether a failed case stands for a file, class or package and not for a test.
fn not_loaded(case: &Case<'_>, suite: &Suite) -> bool {
    let problem = case.more().error.as_ref().or(case.more().failure.as_ref());
    let says = |text: &str| problem.is_some_and(|problem| problem.message.as_deref() == Some(text));
    // pytest: a file that could not be collected. Surefire, GoogleTest: what failed around the tests of a class.
    // go-junit-report and gotestsum: a package that did not build. Vitest: the file as its own only case.
    says("collection failure")
        || case.name().trim().is_empty()
        || case.classname() == Some("Test suite failed to run")
        || matches!(case.name(), "[build failed]" | "[setup failed]" | "Test suite failed to run")
        || (looks_like_a_source_file(case.name())
            && suite.name.as_deref() == Some(case.name())
            && case.classname() == Some(case.name()))
}

/// Whether a case is a file that node's runner counted as one test.
pub(super) fn is_file_level(case: &Case<'_>) -> bool {
    case.classname() == Some("test") && looks_like_a_source_file(case.name())
}

/// A path as node and Vitest give it: no blank in it, and the ending of a script.
fn looks_like_a_source_file(text: &str) -> bool {
    const ENDINGS: [&str; 8] = ["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx"];
    !text.contains(char::is_whitespace)
        && text.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending))
}

/// Whether Meson wrote it, if each case has its suite's name as its class: a test that failed as it should is a plain pass
/// there, so its passes are not counted.
pub(super) fn is_meson(document: &Document, body: &str) -> bool {
    let root = document.root;
    let text = &body[root.0..root.1];
    let only_numbers = text.trim_start().starts_with("<testsuites tests=\"")
        && text.contains("\" errors=\"")
        && text.contains("\" failures=\"")
        && text.matches('=').count() == 3;
    let declared = body[..root.0].trim_end().ends_with("<?xml version='1.0' encoding='utf-8'?>");
    only_numbers && declared
}

/// The case's name with what its writer puts before it. `open`: the suites around it, the root first.
pub(super) fn full_name(case: &Case<'_>, open: &[Suite]) -> String {
    let name = case.name().trim();
    match case.classname().map(str::trim) {
        // node: the suites around it are elements of their own.
        Some("test") | None => {
            let mut names = vec![name];
            // The outermost names the run or the file.
            let inner = open.get(1..).unwrap_or_default().iter().rev();
            names.extend(inner.filter_map(|suite| suite.name.as_deref()).take(NAMES_MAX - 1));
            names.reverse();
            names.join(" > ")
        }
        Some(class) if class.is_empty() || class == name || is_path(class) || name.starts_with(class) => {
            name.to_owned()
        }
        Some(class) if name.is_empty() => class.to_owned(),
        // Of exactly this size, since a report can have a million of them.
        Some(class) => [class, ".", name].concat(),
    }
}

/// The file a case stands in, where the report says so.
pub(super) fn file(case: &Case<'_>, open: &[Suite]) -> Option<String> {
    if is_file_level(case) {
        return Some(case.name().to_owned());
    }
    let own = case.more().file.as_deref().or(case.classname().filter(|class| is_path(class)));
    own.map(str::to_owned).or_else(|| {
        let suite = open.last()?;
        suite.file.clone().or_else(|| suite.name.clone().filter(|name| is_path(name)))
    })
}

fn is_path(text: &str) -> bool {
    looks_like_a_source_file(text)
        || (text.contains('/') && !text.contains(char::is_whitespace) && text.contains('.'))
}
