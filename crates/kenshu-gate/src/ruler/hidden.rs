//! What in the text of a command line keeps a failure from being seen in its status.

use std::sync::LazyLock;

use kenshu_readers::command::{CommandLine, Invocation, Owner};
use regex::Regex;

use super::line::{fact, is_manager, may_test, unwrapped};
use super::{Fact, Kind};
use crate::detect::runners::runner_name;

/// What keeps a failure from being seen in the status.
pub(super) fn hidden(cwd: &str, text: &str) -> Vec<Fact> {
    static PASSES_ON: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"exit\s+[$1-9]").expect("the pattern is fixed and tested"));
    let hides = |how: &str| fact(cwd, "hides failure", how, Kind::Narrows);
    let masked = masked(text);
    let mut facts = Vec::new();
    let stops_at_failure = masked.lines().any(|line| {
        let line = line.trim();
        line.strip_prefix("set -")
            .is_some_and(|flags| flags.split_whitespace().next().is_some_and(|flags| flags.contains('e')))
    });
    let pipefail = text.contains("pipefail");
    for list in masked.split(['\n', ';']) {
        if let Some((left, right)) = list.split_once("||")
            && runs_tests(left)
            && !fails(&masked, right)
        {
            facts.push(hides(&format!("|| {}", right.split_whitespace().collect::<Vec<_>>().join(" "))));
        }
        let single = list.replace("||", "  ");
        if let Some((left, _)) = single.split_once('|')
            && runs_tests(left)
            && !pipefail
        {
            facts.push(hides("|"));
        }
        if list.trim() == "set +e" {
            facts.push(hides("set +e"));
        }
        if list.trim_start().starts_with("trap") && text.contains("exit 0") {
            facts.push(hides("trap"));
        }
    }
    let line = CommandLine::parse(text);
    let earlier = line.invocations.get(..line.owned_from).unwrap_or_default();
    let left_behind = |invocation: &Invocation| {
        let invocation = unwrapped(invocation.clone());
        runner_name(&invocation).is_some() || is_manager(&invocation)
    };
    let last = line.invocations.get(line.owned_from..).unwrap_or_default();
    // `runner; exit 0`: an `exit` that names no status, or the runner's own, hides nothing.
    let passes_on = PASSES_ON.is_match(text);
    if line.owner != Owner::Unclear
        && !stops_at_failure
        && !passes_on
        && earlier.iter().any(left_behind)
        && !last.iter().any(left_behind)
    {
        facts.push(hides(";"));
    }
    facts
}

fn runs_tests(text: &str) -> bool {
    // The part of the list that stands before may be a chain: each of its programs counts.
    CommandLine::parse(text).invocations.into_iter().any(|invocation| {
        let invocation = unwrapped(invocation);
        runner_name(&invocation).is_some()
            || is_manager(&invocation)
            || (may_test(&invocation) && invocation.program.ends_with(".sh"))
            || matches!(invocation.program.as_str(), "node" | "python" | "python3" | "ruby" | "php")
    })
}

/// Whether what stands behind `||` ends in a failure all the same.
fn fails(whole: &str, right: &str) -> bool {
    static FAILS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:exit|return)\s+(?:[1-9]|\$)|\bfalse\b").expect("the pattern is fixed and tested")
    });
    // `|| { echo x; exit 1; }` and `|| status=$?` are cut at the semicolon: the rest of the line is asked.
    let from = whole.find(right).unwrap_or(0);
    let behind = whole[from..].split('\n').next().unwrap_or(right);
    let grouped = right.trim_start().starts_with(['{', '(']);
    FAILS.is_match(if grouped { behind } else { right })
        || (right.contains("=$?") && FAILS.is_match(whole))
        || (right.contains("=1") && FAILS.is_match(whole))
}

/// The text with what stands in quotes and comments put out.
fn masked(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut quote: Option<char> = None;
    let mut comment = false;
    let mut before = '\n';
    for symbol in text.chars() {
        match (quote, symbol) {
            (_, '\n') if comment || quote.is_none() => {
                comment = false;
                kept.push('\n');
            }
            _ if comment => {}
            (Some(open), symbol) if symbol == open && before != '\\' => {
                quote = None;
                kept.push('_');
            }
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(symbol),
            (None, '#') if before.is_whitespace() => comment = true,
            (None, symbol) => kept.push(symbol),
        }
        before = symbol;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> =
            hidden("", text).into_iter().map(|fact| format!("{}={}", fact.key, fact.value)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn hidden_failures_are_found() {
        check("pytest || true", &["hides failure=|| true"]);
        check("npm run unit || echo failed", &["hides failure=|| echo failed"]);
        check("pytest; exit 0", &["hides failure=;"]);
        check("jest | tee log.txt", &["hides failure=|"]);
        check("set +e\npytest\nexit 0", &["hides failure=set +e", "hides failure=;"]);
    }

    #[test]
    fn what_does_not_hide_is_left_alone() {
        for text in [
            "command -v uv || pip install uv; pytest",
            "pytest || exit 1",
            "pytest || { echo failed; exit 1; }",
            "set -o pipefail; jest | tee log.txt",
            "set -e\nmake test\necho done",
            "npm run lint; pytest",
            "pytest || status=$?\nexit $status",
            "echo 'a || true' && jest",
            "rm -rf x || true; jest",
        ] {
            check(text, &[]);
        }
    }
}
