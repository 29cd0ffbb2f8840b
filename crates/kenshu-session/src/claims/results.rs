//! Results lines that agents paste as prose: "142 passed, 0 failed", "Tests: 12 passed, 12 total", "34/34 ✅".
//!
//! The words are those of the runners and the same in every language.

use std::ops::Range;
use std::sync::LazyLock;

use kenshu_model::{ClaimSubject, ClaimUnit};
use regex::{Captures, Regex};

use crate::claims::language::{Around, Found};
use crate::claims::number::{ENGLISH, parse, stands_alone};

/// One number with its word. The word is the status, the noun, or both.
static PIECE: LazyLock<Regex> = LazyLock::new(|| {
    let noun = r"tests?|test cases?|specs?|cases?|examples?|scenarios?|assertions?|checks|test files?|files?|test suites?|suites?";
    let status = r"passed|passing|passes|pass|succeeded|successful|green|ok|failed|failures?|failing|fails|fail|errors?|errored|skipped|skips?|pending|todo|ignored|disabled|total|in total|flaky|xfailed|xpassed|warnings?|deselected";
    super::compile(&format!(
        r"(?-u:\b)(?P<n>{ENGLISH})(?:\s?/\s?(?P<of>[0-9][0-9,]*)| (?:out of|of) (?:the |all )?(?P<of2>{ENGLISH}))?(?:\s(?P<noun>{noun})\b)?(?:(?: (?:are|is|were|have|all|now|still|also))*\s?(?P<status>(?:{status})\b|✅))?"
    ))
});
/// The other order: "passed: 142".
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    super::compile(
        r"\b(?P<status>passed|pass|passing|failed|fail|failures|errors|skipped|total)(?: tests?)?\s?[:=|]\s?(?P<n>[0-9][0-9,]*)\b(?:\s?/\s?(?P<of>[0-9][0-9,]*))?(?: tests?\b)?",
    )
});
/// What may stand between two numbers of one results line.
static GAP: LazyLock<Regex> =
    LazyLock::new(|| super::compile(r"^[\s,;:/|·•()+&✅❌-]*(?:(?:and|with|plus) )?$"));
static OTHER_THINGS: LazyLock<Regex> = LazyLock::new(|| {
    super::compile(
        r"\b(?:snapshots?|jobs?|builds?|lint|routes?|endpoints?|steps?|hooks?|workflows?|actions|pages?|migrations?|tasks?|phases?|lines?|requests?)\b[^,;.|✅]*$",
    )
});
pub(crate) static LABEL: LazyLock<Regex> =
    LazyLock::new(|| super::compile(r"\b(?:tests?|test files|test suites)$"));
/// A line of a list or table that holds one number of a result.
static ONE_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    super::compile(
        r"^(?:[✅❌⏭⚠] ?)?(?:tests? )?(?:total|passed|passing|failed|failures|failing|skipped|errors|pending)(?: tests?)?\s?[:=|]\s?[0-9][0-9,]*(?: tests?)?\.?$",
    )
});
static MENDED: LazyLock<Regex> = LazyLock::new(|| {
    super::compile(
        r"\b(?:fix(?:ed|es|ing)?|repaired|resolved|including|previously|formerly|addressed|were|was)(?: (?:the|all|all the|these|those))? $",
    )
});
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    super::compile(
        r"^\s?(?:\(?[0-9.]+ ?m?s\)?|in [0-9.]+ ?\w+|(?:and |with |, )?(?:none failed|no failures))?\.?$",
    )
});
/// The whole behind the numbers: "12 passed (12)", "12 passed of 13".
static WHOLE_BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    super::compile(&format!(
        r"^\s?(?:\((?P<n>{ENGLISH})(?: total| tests)?\)|,? ?(?:out of|of) (?:the |a total of )?(?P<n2>{ENGLISH})(?: tests?| total| in total)*\s?(?:$|[.,;)|]))"
    ))
});
/// "12/12" and nothing else, or a label of tests before it: all of them passed.
static RATIO: LazyLock<Regex> = LazyLock::new(|| {
    super::compile(
        r"^(?:✅ ?)?(?:(?:[a-z][a-z0-9-]* ){0,2}tests?(?: results?)?\s?[:|=—(]\s?(?:✅ ?)?)?(?P<n>[0-9][0-9,]*)\s?/\s?(?P<of>[0-9][0-9,]*)\)?\s?✅?(?:$|\.$| \|)",
    )
});

/// Labels of a results line that speak of everything there is.
const SUMMARIES: &[&str] = &["total", "totals", "overall", "summary", "result", "results"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Passed,
    Failed,
    Skipped,
    Total,
    Noun,
    Other,
}

#[derive(Debug)]
struct Piece {
    range: Range<usize>,
    n: u64,
    of: Option<u64>,
    noun: Option<String>,
    kind: Kind,
    tick: bool,
}

/// What the results lines of a sentence say.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) found: Vec<Found>,
    /// Results lines that admit failures beside what passed.
    pub(crate) with_failures: Vec<Found>,
    /// Places that say something failed, or that nothing passed: no claim may be read from them.
    pub(crate) admitted: Vec<Range<usize>>,
}

/// Whether a sentence is one number of a result that goes on in the next lines ("Passed: 12", "Failed: 0").
pub(crate) fn is_one_number(text: &str) -> bool {
    ONE_NUMBER.is_match(text)
}

/// Whether a sentence is a ratio with nothing said of it ("Tests: 12/12").
pub(crate) fn is_ratio(text: &str) -> bool {
    RATIO.is_match(text)
}

/// Reads the results lines of a masked sentence.
pub(crate) fn read(text: &str, around: Around) -> Results {
    let mut results = Results::default();
    let mut pieces: Vec<Piece> = PIECE.captures_iter(text).filter_map(|c| piece(text, &c)).collect();
    if !pieces.iter().any(|p| p.kind == Kind::Passed) {
        let labelled: Vec<Piece> = LABELLED.captures_iter(text).filter_map(|c| piece(text, &c)).collect();
        if labelled.iter().any(|p| p.kind == Kind::Passed) {
            pieces = labelled;
        }
    }
    let mut group: Vec<Piece> = Vec::new();
    for piece in pieces {
        let joined = group.last().is_some_and(|last| {
            let gap = &text[last.range.end..piece.range.start];
            gap.len() <= 16 && GAP.is_match(gap)
        });
        if !joined {
            settle(text, &std::mem::take(&mut group), around, &mut results);
        }
        group.push(piece);
    }
    settle(text, &group, around, &mut results);
    if results.found.is_empty() && results.admitted.is_empty() {
        results.found.extend(ratio(text, around));
    }
    results
}

/// "Tests: 12/12", "12/12 ✅": all of them, so they passed. With fewer than all nothing says what became of the others.
fn ratio(text: &str, around: Around) -> Option<Found> {
    let captures = RATIO.captures(text)?;
    let (n, of) = (captures.name("n")?, captures.name("of")?);
    let count = parse(n.as_str()).filter(|count| *count > 0 && Some(*count) == parse(of.as_str()))?;
    let labelled = super::TEST_WORD.is_match(&text[..n.start()]);
    let about_tests = labelled || around.given || around.about_tests;
    if !about_tests && !text.contains('✅') {
        return None;
    }
    let mut found = Found::at(n.start()..of.end());
    (found.count, found.of) = (Some(count), Some(count));
    if !about_tests {
        found.subject = ClaimSubject::Everything;
    }
    Some(found)
}

fn piece(text: &str, captures: &Captures) -> Option<Piece> {
    let n = captures.name("n")?;
    let of = captures.name("of").or_else(|| captures.name("of2"));
    let number_end = of.map_or(n.end(), |o| o.end());
    if !stands_alone(text, n.start(), number_end) {
        return None;
    }
    let noun = captures.name("noun").map(|m| m.as_str().to_owned());
    let status = captures.name("status").map(|m| m.as_str());
    let kind = match status {
        Some("passed" | "passing" | "passes" | "pass" | "succeeded" | "successful" | "green" | "✅") => {
            Kind::Passed
        }
        Some("ok") => Kind::Passed,
        Some(s) if s.starts_with("fail") || s.starts_with("error") => Kind::Failed,
        Some("skipped" | "skip" | "skips" | "pending" | "todo" | "ignored" | "disabled") => Kind::Skipped,
        Some("total" | "in total") => Kind::Total,
        Some(_) => Kind::Other,
        None if noun.is_some() => Kind::Noun,
        None => return None,
    };
    Some(Piece {
        range: captures.get(0)?.range(),
        n: parse(n.as_str())?,
        of: match of {
            Some(of) => Some(parse(of.as_str())?),
            None => None,
        },
        noun,
        kind,
        tick: status == Some("✅"),
    })
}

/// The unit a noun names.
pub(crate) fn unit_of(noun: &str) -> ClaimUnit {
    if noun.contains("file") {
        ClaimUnit::Files
    } else if noun.contains("suite") {
        ClaimUnit::Suites
    } else if noun.contains("assert") || noun == "checks" || noun == "check" {
        ClaimUnit::Assertions
    } else {
        ClaimUnit::Tests
    }
}

fn settle(text: &str, group: &[Piece], around: Around, results: &mut Results) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
    let mut range = first.range.start..last.range.end;
    let sum = |kind: Kind| group.iter().filter(|p| p.kind == kind).map(|p| p.n).reduce(u64::saturating_add);
    let failed = sum(Kind::Failed);
    if failed.is_some_and(|f| f > 0) {
        // "Fixed the 3 failing tests" says what was, not what is.
        if group.len() > 1 || !MENDED.is_match(&text[..range.start]) {
            results.admitted.push(range.clone());
        }
        if !around.given {
            return;
        }
    }
    if group.iter().any(|p| p.kind == Kind::Passed && p.n == 0) {
        results.admitted.push(range);
        return;
    }
    let of_tests = |p: &&Piece| p.noun.as_deref().is_none_or(is_test_noun);
    let skipped = group
        .iter()
        .filter(|p| p.kind == Kind::Skipped)
        .filter(of_tests)
        .map(|p| p.n)
        .reduce(u64::saturating_add);
    let total = total(text, group, &mut range);
    let label = label_of(&text[..range.start]);
    let label_unit = label.map_or(ClaimUnit::Tests, unit_of_label);
    let named = around.about_tests || names_tests(text, group, &range);
    for piece in group.iter().filter(|p| p.kind == Kind::Passed) {
        let alone = group.len() == 1;
        let lead = text[..range.start].trim_matches(|c: char| " ✅|:-—".contains(c));
        let whole = TIME.is_match(text[range.end..].trim_end_matches([' ', '|']));
        let summary = whole && SUMMARIES.contains(&lead);
        let known = named || !alone || (whole && lead.is_empty() && !piece.tick) || summary;
        if !known || (piece.noun.is_none() && OTHER_THINGS.is_match(&text[..piece.range.start])) {
            continue;
        }
        let counts = !alone
            || (around.given && range.start == 0)
            || piece.of.is_some()
            || label.is_some()
            || super::en::count_may_follow(&text[..piece.range.start]);
        // "All 142 tests in 12 files pass": the 12 says where.
        if !counts && !piece.noun.as_deref().is_some_and(is_test_noun) {
            continue;
        }
        // Some of the checks are no claim that the tests passed.
        let checks = piece.noun.as_deref() == Some("checks");
        if checks && piece.of.is_some_and(|of| of != piece.n) {
            continue;
        }
        let unit = piece.noun.as_deref().map_or(label_unit, unit_of);
        // "5 tests: 3 passed": the whole stands before it and belongs to it.
        let leads = first.kind != Kind::Passed && total == Some(first.n);
        let mut found = Found::at(if leads { range.start } else { piece.range.start }..range.end);
        found.count = counts.then_some(piece.n);
        found.of = piece.of.or(total).filter(|of| counts && *of >= piece.n);
        found.failed = failed;
        found.skipped = skipped;
        found.unit = unit;
        if checks || (summary && !named) {
            found.subject = ClaimSubject::Everything;
        }
        match failed {
            Some(1..) => results.with_failures.push(found),
            Some(0) | None => results.found.push(found),
        }
    }
    let ok_before = text[..range.start].ends_with("ok (");
    if (failed == Some(0) || ok_before) && !group.iter().any(|p| p.kind == Kind::Passed) {
        let found = total_without_failures(text, group, range, skipped);
        results.found.extend(found.map(|found| Found { failed, ..found }));
    }
}

fn names_tests(text: &str, group: &[Piece], range: &Range<usize>) -> bool {
    group.iter().any(|p| p.noun.as_deref().is_some_and(is_test_noun))
        || super::TEST_WORD.is_match(&text[..range.start])
        || super::TEST_WORD.is_match(&text[range.end..])
}

fn label_of(before: &str) -> Option<&str> {
    let label = before.trim_end_matches(['✅', ' ']).strip_suffix([':', '|', '=', '—']).map(str::trim_end);
    // Vitest prints its labels without a colon: "Test Files  35 passed (35)".
    label.or_else(|| LABEL.find(before.trim_end()).map(|m| m.as_str()))
}

/// "Full test suite: 142 passed" counts tests; only the runners' own plural labels count files and suites.
fn unit_of_label(label: &str) -> ClaimUnit {
    let words = &label[label.rfind([',', ';', '.', '|', ':']).map_or(0, |i| i + 1)..];
    if words.ends_with("files") || words.ends_with("suites") { unit_of(words) } else { ClaimUnit::Tests }
}

/// How many there are in all: "…, 12 total", "12 tests: …", "12 passed (12)".
fn total(text: &str, group: &[Piece], range: &mut Range<usize>) -> Option<u64> {
    let of_tests = |p: &Piece| p.noun.as_deref().is_none_or(is_test_noun);
    let said = group.iter().find(|p| p.kind == Kind::Total && of_tests(p));
    let passed = || group.iter().filter(|p| p.kind == Kind::Passed && of_tests(p));
    let leading = group.first().filter(|p| p.kind == Kind::Noun && passed().count() == 1 && of_tests(p));
    let most = passed().map(|p| p.n).max()?;
    if let Some(piece) = said.or(leading).filter(|p| p.n >= most) {
        return Some(piece.n);
    }
    let behind = &text[range.end..];
    let captures = WHOLE_BEHIND.captures(behind)?;
    let number = captures.name("n").or_else(|| captures.name("n2"))?;
    let total = parse(number.as_str()).filter(|total| *total >= most)?;
    stands_alone(behind, number.start(), number.end()).then_some(())?;
    range.end += number.end();
    Some(total)
}

/// "142 tests, 0 failures", "OK (142 tests, 300 assertions)".
fn total_without_failures(
    text: &str,
    group: &[Piece],
    range: Range<usize>,
    skipped: Option<u64>,
) -> Option<Found> {
    let tests = group
        .iter()
        .find(|p| p.kind == Kind::Noun && p.noun.as_deref().is_some_and(is_test_noun) && p.n > 0)?;
    let mut found = Found::at(range.clone());
    found.unit = tests.noun.as_deref().map_or(ClaimUnit::Tests, unit_of);
    // With skips, whether the total holds them is the runner's affair: no count is read.
    let whole = skipped.is_none_or(|s| s == 0);
    found.count = (whole && super::en::count_may_follow(&text[..range.start])).then_some(tests.n);
    found.of = (!whole).then_some(tests.n);
    found.skipped = skipped;
    Some(found)
}

fn is_test_noun(noun: &str) -> bool {
    noun.starts_with("test") || ["spec", "example", "scenario", "case"].iter().any(|w| noun.starts_with(w))
}
