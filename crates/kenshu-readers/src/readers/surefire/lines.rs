//! Single lines of a Maven build log.

use std::sync::LazyLock;

use kenshu_model::{Case, CaseStatus, Tally};
use regex::Regex;

static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?:, Flakes: (\d+))?(, Time elapsed: .*)?$",
    )
    .expect("valid pattern")
});

/// `--- maven-surefire-plugin:2.22.3:test (default-test) @ demo ---`; since Maven 3.9 without `maven-` and `-plugin`.
static GOAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^--- (?:maven-)?(?:surefire|failsafe)(?:-plugin)?:[^: ]+:(?:test|integration-test) \(.*\) @ .* ---$")
        .expect("valid pattern")
});

/// What a `Tests run:` line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) tally: Tally,
    /// Whether it is the line of one class.
    pub(super) is_class: bool,
}

/// The text of a line without Maven's level, and whether there was one. mvnd puts the module's name before the level.
pub(super) fn without_level(text: &str) -> (&str, bool) {
    const LEVELS: [&str; 4] = ["[INFO]", "[ERROR]", "[WARNING]", "[WARN]"];
    let strip = |text: &str| LEVELS.iter().find_map(|level| text.strip_prefix(level)).map(str::len);
    if !text.starts_with('[') {
        return (text, false);
    }
    let rest = strip(text).or_else(|| {
        let (module, rest) = text.split_once("] ")?;
        (!module.contains(' ')).then(|| strip(rest)).flatten()
    });
    match rest {
        Some(len) => {
            let rest = &text[text.len() - len..];
            (rest.strip_prefix(' ').unwrap_or(rest), true)
        }
        None => (text, false),
    }
}

/// The numbers of a `Tests run:` line.
pub(super) fn counts(text: &str) -> Option<Counts> {
    if !text.starts_with("Tests run: ") {
        return None;
    }
    let groups = COUNTS.captures(text)?;
    let number =
        |index: usize| groups.get(index).map_or(Some(0), |digits| digits.as_str().parse::<u64>().ok());
    let (run, failed, errored) = (number(1)?, number(2)?, number(3)?);
    let (skipped, flaky) = (number(4)?, number(5)?);
    let passed = run.checked_sub(failed)?.checked_sub(errored)?.checked_sub(skipped)?;
    let tally = Tally { errored: Some(errored), flaky: Some(flaky), ..Tally::of(passed, failed, skipped) };
    Some(Counts { tally, is_class: groups.get(6).is_some() })
}

/// Whether a plugin that runs tests begins here.
pub(super) fn is_test_goal(text: &str) -> bool {
    text.starts_with("--- ") && GOAL.is_match(text)
}

/// `  ATest.d:7 expected:<1> but was:<2>` → the test's name and the message.
pub(super) fn listed(text: &str) -> Option<Case> {
    let entry = text.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?;
    let (place, message) = entry.split_once(' ').unwrap_or((entry, ""));
    // `ATest.d:7->helper:9`: the test stands first.
    let place = place.split("->").next().unwrap_or(place);
    let name = place.rsplit_once(':').map_or(place, |(name, _)| name);
    let message = message.trim_start_matches("» ").trim();
    name.contains('.').then(|| Case {
        name: name.to_owned(),
        file: None,
        status: CaseStatus::Failed,
        message: (!message.is_empty()).then(|| message.to_owned()),
        file_level: false,
    })
}
