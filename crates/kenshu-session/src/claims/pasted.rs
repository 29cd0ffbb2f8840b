//! Runner output that a report shows in a code fence: the closing lines of runners, and no others.
//!
//! They speak only where the report's own sentences have no number.

use std::sync::LazyLock;

use regex::Regex;

use crate::claims::compile;
use crate::claims::mask::is_narrow_command;

/// Closing lines that say everything in one line; the group `said` holds the numbers.
static ONE_LINE: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"(?i)^(?:",
        r"=*\s?(?P<pytest>[0-9]+ (?:passed|failed|skipped|errors?)(?:, [0-9]+ [a-z]+)*) in [0-9.]+ ?s(?: \([0-9:]+\))?\s?=*",
        r"|(?P<jest>tests:\s+(?:[0-9]+ [a-z]+, )*[0-9]+ total)",
        r"|(?P<vitest>tests\s+[0-9]+ (?:passed|failed)(?: \| [0-9]+ [a-z]+)* \([0-9]+\))",
        r"|test result: (?:ok|failed)\. (?P<cargo>[0-9]+ passed; [0-9]+ failed; [0-9]+ ignored).*",
        r"|(?P<mocha>[0-9]+ passing)(?: \([^()]*\))?",
        r"|(?P<rspec>[0-9]+ examples?, [0-9]+ failures?(?:, [0-9]+ pending)?)",
        r"|ok \((?P<phpunit>[0-9]+ tests?), [0-9]+ assertions?\)",
        r"|ran (?P<unittest>[0-9]+ tests?) in [0-9.]+s",
        r"|[ℹ#] (?P<node>(?:tests|pass|fail|cancelled|skipped|todo) [0-9]+)",
        r"|(?P<more>[0-9]+ (?:pending|failing))",
        r")$"
    ))
});
/// Says that a run failed, whatever the numbers.
static FAILED: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)\b[1-9][0-9]* (?:failed|failing|failures?|errors?)\b|^failed\b|^[ℹ#] (?:fail|cancelled) [1-9]|^FAIL\b",
    )
});

/// What one fence shows.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// Each closing line: which line of the fence it is, as it stands there, and as a sentence.
    pub(crate) lines: Vec<(usize, String, String)>,
    /// A command in the fence runs only some tests.
    pub(crate) narrow: bool,
}

/// Whether a fence with this word behind its mark shows what a terminal printed.
pub(crate) fn is_output(info: &str) -> bool {
    matches!(
        info.trim().to_ascii_lowercase().as_str(),
        "" | "text"
            | "txt"
            | "plain"
            | "plaintext"
            | "console"
            | "terminal"
            | "output"
            | "log"
            | "sh"
            | "bash"
            | "shell"
            | "zsh"
            | "shell-session"
    )
}

/// The closing lines of a fence; none where it shows a failure, or an end that is not said to be a pass.
pub(crate) fn read(lines: &[&str]) -> Shown {
    let mut shown = Shown::default();
    let mut of_node: Vec<(usize, &str, &str)> = Vec::new();
    let mut ended_well = true;
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim();
        shown.narrow |= bare.strip_prefix(['$', '%', '❯', '>']).is_some_and(|c| is_narrow_command(c.trim()));
        if FAILED.is_match(bare) {
            return Shown { narrow: shown.narrow, lines: Vec::new() };
        }
        ended_well |= bare == "OK" || bare.starts_with("OK (");
        let Some(captures) = ONE_LINE.captures(bare) else { continue };
        let Some(said) = captures.iter().skip(1).flatten().next() else { continue };
        if captures.name("node").is_some() {
            of_node.push((at, bare, said.as_str()));
        } else if captures.name("more").is_some()
            && let Some(last) = shown.lines.last_mut()
        {
            last.2 = format!("{}, {}", last.2, said.as_str());
        } else if captures.name("unittest").is_some() {
            ended_well = false;
            shown.lines.push((at, bare.to_owned(), format!("{}, 0 failures", said.as_str())));
        } else if captures.name("phpunit").is_some() {
            shown.lines.push((at, bare.to_owned(), format!("{} passed", said.as_str())));
        } else {
            shown.lines.push((at, bare.to_owned(), said.as_str().to_ascii_lowercase()));
        }
    }
    if !ended_well {
        shown.lines.clear();
    }
    shown.lines.extend(node(&of_node));
    shown
}

/// The tallies of `node --test`, which puts one number on each line.
fn node(lines: &[(usize, &str, &str)]) -> Option<(usize, String, String)> {
    let (at, quote, _) = lines.iter().find(|(_, _, said)| said.starts_with("pass"))?;
    let number = |word: &str| lines.iter().find_map(|(_, _, said)| said.strip_prefix(word)).map(str::trim);
    let mut sentence = format!("{} passed", number("pass")?);
    for (word, status) in [("fail", "failed"), ("skipped", "skipped")] {
        if let Some(n) = number(word) {
            sentence = format!("{sentence}, {n} {status}");
        }
    }
    Some((*at, (*quote).to_owned(), sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_read_and_others_are_not() {
        let said = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            read(&lines).lines.into_iter().map(|(_, _, sentence)| sentence).collect::<Vec<_>>()
        };
        assert_eq!(said("===== 12 passed, 1 skipped in 0.31s ====="), ["12 passed, 1 skipped"]);
        assert_eq!(said("  12 passing (3s)\n  2 pending"), ["12 passing, 2 pending"]);
        assert_eq!(said("ℹ tests 3\nℹ pass 2\nℹ fail 0\nℹ skipped 1"), ["2 passed, 0 failed, 1 skipped"]);
        assert_eq!(said("Ran 12 tests in 0.1s\n\nOK"), ["12 tests, 0 failures"]);
        for text in ["Ran 12 tests in 0.1s", "12 passed", "12 passing (3s)\n1 failing", "# pass 3\n# fail 1"]
        {
            assert!(said(text).is_empty(), "{text}");
        }
    }
}
