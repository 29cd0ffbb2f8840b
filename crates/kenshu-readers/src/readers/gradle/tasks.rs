//! Lines that name a task, and which tasks run tests.

/// How a task ended, as the word behind its path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No word: its actions ran.
    Executed,
    /// `UP-TO-DATE`, `FROM-CACHE`: an earlier result stands.
    Cached,
    /// `NO-SOURCE`
    NoSource,
    /// `SKIPPED`
    Skipped,
    /// `FAILED`
    Failed,
}

/// `> Task :one:test FAILED`, before Gradle 4.7 `:one:test FAILED`.
pub(super) fn task(text: &str) -> Option<(&str, Outcome)> {
    let rest = match text.strip_prefix("> Task ") {
        Some(rest) => rest,
        None => text,
    };
    if !rest.starts_with(':') {
        return None;
    }
    let end = rest
        .find(|symbol: char| !symbol.is_alphanumeric() && !matches!(symbol, ':' | '-' | '_' | '.'))
        .unwrap_or(rest.len());
    let (path, word) = rest.split_at(end);
    // The old console writes no line end behind the path: what the task prints follows at once.
    let path = path.strip_suffix("WARNING:").unwrap_or(path);
    let outcome = match word.trim() {
        "UP-TO-DATE" | "FROM-CACHE" => Outcome::Cached,
        "NO-SOURCE" => Outcome::NoSource,
        "SKIPPED" => Outcome::Skipped,
        "FAILED" => Outcome::Failed,
        "" => Outcome::Executed,
        _ if path.len() < end => Outcome::Executed,
        _ => return None,
    };
    (path.len() > 1).then_some((path, outcome))
}

/// The name of a task without the projects before it.
pub(super) fn name(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or(path)
}

/// Whether a task of this name runs tests, by the names that Gradle, Android and Kotlin give.
pub(super) fn runs_tests(name: &str) -> bool {
    /// Beginnings of tasks that only prepare a test task, or report on it.
    const PREPARE: &[&str] = &[
        "compile",
        "process",
        "assemble",
        "generate",
        "merge",
        "pre",
        "kapt",
        "ksp",
        "package",
        "dex",
        "install",
        "uninstall",
        "bundle",
        "lint",
        "javaPre",
        "validate",
        "extract",
        "strip",
        "check",
        "desugar",
        "l8",
        "jacoco",
        "clean",
        "transform",
        "map",
        "create",
        "write",
        "copy",
        "prepare",
        "build",
        "link",
        "map",
        "sign",
        "zip",
        "jar",
    ];
    if matches!(name, "allTests" | "connectedAndroidTest" | "connectedCheck") {
        return false;
    }
    let is_named_test = name == "test"
        || name.ends_with("Test")
        || name.ends_with("Tests")
        || name.ends_with("-test")
        || name.ends_with("-tests");
    is_named_test && !PREPARE.iter().any(|start| name.starts_with(start))
}

/// Whether a task of this name surely runs no test.
pub(super) fn never_runs_tests(name: &str) -> bool {
    const STARTS: &[&str] =
        &["compile", "process", "generate", "assemble", "dist", "kapt", "ksp", "clean", "start"];
    const ENDS: &[&str] = &["Classes", "Jar", "War", "Resources", "javadoc"];
    matches!(name, "classes" | "jar" | "war" | "build" | "check" | "javadoc" | "help" | "tasks")
        || STARTS.iter().any(|start| name.starts_with(start))
        || ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether `path` only stands for the test tasks of all build variants of an Android project.
pub(super) fn is_umbrella<'a>(path: &str, mut others: impl Iterator<Item = &'a str>) -> bool {
    name(path) == "test"
        && others.any(|other| {
            other
                .strip_prefix(path)
                .is_some_and(|variant| variant.ends_with("UnitTest") && !variant.contains(':'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read_in_both_forms() {
        assert_eq!(task("> Task :one:test FAILED"), Some((":one:test", Outcome::Failed)));
        assert_eq!(task("> Task :test FROM-CACHE"), Some((":test", Outcome::Cached)));
        assert_eq!(task(":test"), Some((":test", Outcome::Executed)));
        assert_eq!(task(":testWARNING: A terminally deprecated"), Some((":test", Outcome::Executed)));
        assert_eq!(task(":test was run"), None);
        assert_eq!(task("> Task list"), None);
    }

    #[test]
    fn test_tasks_are_known_by_their_names() {
        for name in [
            "test",
            "integrationTest",
            "testDebugUnitTest",
            "connectedDebugAndroidTest",
            "jvmTest",
            "e2eTests",
        ] {
            assert!(runs_tests(name), "{name}");
        }
        for name in [
            "compileTestJava",
            "testClasses",
            "processTestResources",
            "jacocoTestReport",
            "allTests",
            "assembleAndroidTest",
        ] {
            assert!(!runs_tests(name), "{name}");
        }
        assert!(is_umbrella(":app:test", [":app:testDebugUnitTest"].into_iter()));
        assert!(!is_umbrella(":app:test", [":app:integrationTest"].into_iter()));
    }
}
