//! PHPUnit's header, its closing statement, and the lines with which it says that it runs nothing.

use std::sync::LazyLock;

use kenshu_model::Reason;
use regex::Regex;

use crate::numbers::number_and_word;
use crate::reading::Said;

/// `OK (3 tests, 3 assertions)`; the compact printer adds the other counts and has a word for each outcome.
static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(OK|ERRORS|FAILURES) \((\d+) tests?, \d+ assertions?((?:, \d+ [A-Za-z ]+)*)\)$")
        .expect("valid pattern")
});

/// `Tests: 6, Assertions: 4, Errors: 1.`
static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^Tests: (\d+), Assertions: \d+((?:, [A-Za-z ]+: \d+)*)\.$").expect("valid pattern")
});

static LISTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^Available test(?: group| suite| file| id)?(?:s|\(s\))?:$").expect("valid pattern")
});

static NO_CLASS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^Class \S+ (?:could not|cannot) be found in .+$").expect("valid pattern"));

/// The counts of a closing statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) tests: u64,
    pub(super) errors: u64,
    pub(super) failures: u64,
    pub(super) warnings: u64,
    pub(super) skipped: u64,
    pub(super) incomplete: u64,
}

/// A closing statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// `No tests executed!`
    NothingExecuted,
    /// With counts; `None`: one of its words is not known. The flag: it says that the run failed.
    Counted(Option<Counts>, bool),
}

impl Closing {
    /// `None`: nothing was executed. `Some(None)`: there are counts, not understood.
    pub(super) fn counts(self) -> Option<Option<Counts>> {
        match self {
            Closing::NothingExecuted => None,
            Closing::Counted(counts, _) => Some(counts),
        }
    }

    pub(super) fn says_failed(self) -> bool {
        match self {
            Closing::NothingExecuted => false,
            Closing::Counted(counts, failed) => {
                failed || counts.is_some_and(|counts| counts.errors > 0 || counts.failures > 0)
            }
        }
    }
}

/// The major version in a header; ParaTest names itself before it.
pub(super) fn header(text: &str) -> Option<u32> {
    let (version, _) = text.split_once(" by Sebastian Bergmann")?;
    let (before, version) = version.rsplit_once("PHPUnit ")?;
    if !before.is_empty() && !before.starts_with("ParaTest ") {
        return None;
    }
    let end = version.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(version.len());
    version[..end].parse().ok()
}

/// A closing statement; `banner` is the line above.
pub(super) fn read(text: &str, banner: &str) -> Option<Closing> {
    if text == "No tests executed!" {
        return Some(Closing::NothingExecuted);
    }
    if text.starts_with("Tests: ") {
        let groups = COUNTS.captures(text)?;
        let mut counts = Some(Counts { tests: groups[1].parse().ok()?, ..Counts::default() });
        for part in groups[2].split(", ").filter(|part| !part.is_empty()) {
            counts =
                part.split_once(": ").and_then(|(word, number)| counts?.with(word, number.parse().ok()?));
        }
        return Some(Closing::Counted(counts, matches!(banner, "FAILURES!" | "ERRORS!")));
    }
    if !text.ends_with(')') {
        return None;
    }
    let groups = IN_BRACKETS.captures(text)?;
    let mut counts = Some(Counts { tests: groups[2].parse().ok()?, ..Counts::default() });
    for part in groups[3].split(", ").filter(|part| !part.is_empty()) {
        counts = number_and_word(part).and_then(|(number, word)| counts?.with(word, number));
    }
    Some(Closing::Counted(counts, &groups[1] != "OK"))
}

impl Counts {
    fn with(mut self, word: &str, number: u64) -> Option<Counts> {
        match word {
            "Errors" | "error" | "errors" => self.errors = number,
            "Failures" | "failure" | "failures" => self.failures = number,
            "Warnings" | "warning" | "warnings" => self.warnings = number,
            "Skipped" | "skipped" => self.skipped = number,
            "Incomplete" | "incomplete" => self.incomplete = number,
            // These tests ran and passed.
            "Risky" | "risky" | "Deprecations" | "deprecation" | "deprecations" | "Notices" | "notice"
            | "notices" => {}
            // These concern the configuration and the use of PHPUnit.
            _ if word.starts_with("PHPUnit ") && !word.ends_with("rrors") && !word.ends_with("rror") => {}
            _ => return None,
        }
        Some(self)
    }
}

/// A line with which PHPUnit says that it runs no test, or that it was called wrongly.
pub(super) fn nothing(text: &str) -> Option<Said> {
    const USAGE: &[&str] = &[
        "Unknown option \"",
        "unrecognized option ",
        "phpunit: unrecognized option",
        "Test file \"",
        "Test directory \"",
        "Cannot open file \"",
        "Cannot open bootstrap script \"",
        "Could not read \"",
        "Could not load \"",
        "Ambiguous option \"",
        "Option \"",
    ];
    if USAGE.iter().any(|start| text.starts_with(start)) {
        return Some(Said::CouldNotRun(Reason::UsageError));
    }
    if text.starts_with("Available test") && LISTING.is_match(text) {
        return Some(Said::NothingRan(Reason::ListOnly));
    }
    // Without a configuration and without a path there is nothing to run, and the help is shown.
    if text.starts_with("  phpunit [options] ") {
        return Some(Said::NothingRan(Reason::NoTestFiles));
    }
    (text.starts_with("Class ") && NO_CLASS.is_match(text)).then_some(Said::NothingRan(Reason::NoTestFiles))
}

/// PHP or PHPUnit itself came to an end in the middle of the run.
pub(super) fn is_crash(text: &str) -> bool {
    if text == "An error occurred inside PHPUnit." {
        return true;
    }
    // The dots of the progress may stand right before it.
    let text = text.trim_start_matches(['.', 'F', 'E', 'S', 'I', 'R', 'W', 'N', 'D']);
    let text = text.strip_prefix("PHP ").unwrap_or(text);
    ["Fatal error: ", "atal error: ", "Parse error: "].iter().any(|start| text.starts_with(start))
}
