//! Reading an English sentence: which tests, how many, and whether anything stands against it.

use std::ops::Range;
use std::sync::LazyLock;

use kenshu_model::{ClaimScope, ClaimSubject, ClaimUnit};
use regex::{Captures, Regex};

use crate::claims::compile;
use crate::claims::en::{BEFORE_COUNT, COMPILED, FOLLOWS, HEDGES, RULES, WHOLE, count_may_follow};
use crate::claims::language::{Around, Found, Span};
use crate::claims::mask::{CODE, NARROW};
use crate::claims::number::{parse, stands_alone};
use crate::claims::results::{LABEL, unit_of};
use crate::claims::subject::left_of;

/// More claims than these in one sentence is no prose; it bounds the work.
const MOST_CLAIMS: usize = 8;

/// "In the suite": everywhere.
static WHOLE_SUITE: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"^ (?:in|across|of) (?:the |our |this )?(?:(?:full|whole|entire|test) )*(?:suite|project|repo|repository|workspace|codebase)$|^ (?:across|in|over) (?:all )?[0-9a-z]+ (?:test )?(?:files|suites|modules|packages|crates|workspaces)$",
    )
});
/// A claim that its numbers follow: "all tests pass: 12/12".
static SAID_TO_PASS: LazyLock<Regex> =
    LazyLock::new(|| compile(r"\b(?:pass(?:es|ed|ing)?|green|ok|succeed(?:s|ed)?|successful(?:ly)?)$"));
/// "1 integration test pass" counts a test; "one more test pass" is a noun.
static ONE_TEST: LazyLock<Regex> = LazyLock::new(|| compile(r"\b1 (?:[a-z0-9-]+ ){0,2}$"));
/// Labels before a results line that leave "which tests" open.
static OPEN_LABEL: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?:^|[,;.|:—✅(] ?|\b(?:the|a|all|ran|with|run|in) )(?:(?:final|overall|current|new|latest) )?(?:(?:total )?tests?|test suites?|test files|tests? results?|tests? status|tests? summary|tests? run|tests? count|number of tests|results?|summary|status|total|totals|output|verification|validation|(?:python3? -m )?(?:pytest|jest|vitest|mocha|rspec|phpunit)(?: --?[a-z-]+)*|cargo|npm|bun|deno|(?:npm|pnpm|yarn|bun|deno|cargo|go|make|just|task|mise|dotnet|swift|mix|zig|flutter|dart|composer|rake|rails|gradle|\./gradlew|mvn|\./mvnw|sbt|node -)(?: run)?[ -]test(?: --?[a-z-]+| \./\.{3})*|all green|all|suite|after|now|[\x{e001}])$",
    )
});

/// The claims the shapes find, not yet judged; places in `taken` are left alone.
pub(crate) fn find(text: &str, around: Around, taken: &[Range<usize>]) -> Vec<Found> {
    let mut taken = taken.to_vec();
    let mut out = Vec::new();
    for shape in COMPILED.iter() {
        let Some(pattern) = shape.pattern_for(text) else { continue };
        let mut at = 0;
        while at <= text.len() && out.len() < MOST_CLAIMS {
            let Some(captures) = pattern.captures_at(text, at) else { break };
            let Some(whole) = captures.get(0) else { break };
            // A noun inside the phrase behind the first noun is the real subject: look again from there.
            if let (Some(pp), Some(test)) = (captures.name("pp"), captures.name("test"))
                && crate::claims::TEST_NOUN.is_match(pp.as_str())
                && !WHOLE_SUITE.is_match(pp.as_str())
            {
                at = test.end();
                continue;
            }
            at = whole.end().max(at + 1);
            while !text.is_char_boundary(at.min(text.len())) {
                at += 1;
            }
            let overlaps = taken.iter().any(|t| t.start < whole.end() && whole.start() < t.end);
            if !overlaps && let Some(found) = shape_found(shape.name, text, &captures, around) {
                taken.push(found.range.clone());
                out.push(found);
            }
        }
    }
    out
}

fn shape_found(name: &str, text: &str, captures: &Captures, around: Around) -> Option<Found> {
    let whole = captures.get(0)?;
    if let Some(verb) = captures.name("pass") {
        if !matches!(name, "n-of-n" | "passes-n") && !FOLLOWS.is_match(&text[verb.end()..]) {
            return None;
        }
        if let Some(test) = captures.name("test")
            && verb_does_not_fit(
                text,
                test.as_str(),
                test.start(),
                verb.as_str(),
                captures.name("fill").map_or("", |f| f.as_str()),
            )
            && !ONE_TEST.is_match(&text[..test.start()])
            && matches!(name, "subject-verb")
        {
            return None;
        }
    }
    let mut found = Found::at(whole.range());
    if let Some(test) = captures.name("test") {
        // A word that only ends like the noun ("contests", "latest") is another word.
        if text[..test.start()].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let left = left_of(&text[..test.start()]);
        // Some checks, not named as tests, are no tests; only all of them have the tests among them.
        let checks = test.as_str().starts_with("check");
        let fewer = left.of.is_some_and(|of| Some(of) != left.count);
        if checks && (left.foreign_checks || fewer || left.scope == ClaimScope::Subset) {
            return None;
        }
        found.range.start = left.start;
        found.count = left.count;
        found.of = left.of;
        found.scope = left.scope;
        found.unit = unit_of(test.as_str());
        if checks {
            found.subject = ClaimSubject::Everything;
        }
        // "`packages/cli`: all tests passed" speaks of that place.
        let label = text[..found.range.start].trim_end();
        if label.strip_suffix([':', '—']).is_some_and(|l| l.trim_end().ends_with(CODE)) {
            found.scope = ClaimScope::Subset;
        }
        if name == "with-others" && left.object {
            return None;
        }
        if captures.name("maker").is_some() {
            found.scope = ClaimScope::Subset;
        }
        narrow_by_phrases(text, captures, &mut found);
    } else {
        found.subject = ClaimSubject::Everything;
    }
    if let Some(inner) = captures.name("inner").filter(|_| found.count.is_none()) {
        (found.count, found.unit) = (parse(inner.as_str()), ClaimUnit::Tests);
    }
    number_from(name, text, captures, around, &mut found)?;
    if let Some(of) = found.of
        && let Some(count) = found.count
    {
        if count > of {
            (found.count, found.of) = (None, None);
        } else if found.scope != ClaimScope::Subset {
            found.scope = if count == of { ClaimScope::All } else { ClaimScope::Unspecified };
        }
    }
    (found.count != Some(0)).then_some(found)
}

/// The numbers that a shape captures itself.
fn number_from(name: &str, text: &str, captures: &Captures, around: Around, found: &mut Found) -> Option<()> {
    let number = |group: &str| {
        let m = captures.name(group)?;
        stands_alone(text, m.start(), m.end()).then(|| parse(m.as_str()))?
    };
    match name {
        "all-n" => {
            let about = around.about_tests || crate::claims::TEST_WORD.is_match(text);
            found.scope = ClaimScope::All;
            if about {
                found.subject = ClaimSubject::Tests;
                found.count = number("n");
            }
        }
        "total" => {
            let m = captures.name("total")?;
            if !crate::claims::TEST_WORD.is_match(text) && !around.about_tests {
                return None;
            }
            found.subject = ClaimSubject::Tests;
            found.count = count_may_follow(&text[..m.start()]).then(|| number("total")).flatten();
            found.scope = ClaimScope::All;
        }
        "all-green" | "everything" => {
            found.count = number("green");
            found.scope = ClaimScope::All;
        }
        "no-failures" | "ran-with" | "validation" => found.subject = ClaimSubject::Tests,
        "none-failed" => {
            found.count = captures
                .name("passed")
                .filter(|m| count_may_follow(&text[..m.start()]))
                .and_then(|_| number("passed"));
            found.failed = Some(0);
        }
        "n-of-n" => {
            found.count = number("passed");
            found.of = number("of");
        }
        _ => {}
    }
    if found.subject == ClaimSubject::Everything && (around.about_tests && name == "all-green") {
        found.subject = ClaimSubject::Tests;
    }
    Some(())
}

/// "the test pass" is a noun; "case" after "in this" is no test; "clean" and "ok" need a verb before them.
fn verb_does_not_fit(text: &str, noun: &str, at: usize, verb: &str, fill: &str) -> bool {
    let singular = !noun.ends_with('s') && noun != "\u{e001}";
    if singular && matches!(verb, "pass" | "succeed") && fill.trim().is_empty() {
        return true;
    }
    if fill.trim().is_empty() && matches!(verb, "clean" | "ok" | "green" | "successful") {
        return true;
    }
    if noun == "\u{e001}" && verb == "clean" {
        return true;
    }
    noun == "case"
        && ["in this ", "in that ", "in which ", "in any ", "in either "]
            .iter()
            .any(|p| text[..at].ends_with(p))
}

/// "pass for the parser", "tests in parser.rs": a place makes it a subset.
fn narrow_by_phrases(text: &str, captures: &Captures, found: &mut Found) {
    let place = captures.name("pp").map_or("", |m| m.as_str()).trim();
    let whole =
        captures.name("pp").is_some_and(|m| WHOLE_SUITE.is_match(m.as_str())) || place.contains(" all ");
    let narrow = captures.name("test").is_some_and(|t| t.as_str().ends_with(NARROW));
    if narrow || (!place.is_empty() && !whole) {
        found.scope = ClaimScope::Subset;
    }
    if let Some(verb) = captures.name("pass") {
        let after = text[verb.end()..].trim_start();
        let named = after.strip_prefix("in ").or_else(|| after.strip_prefix("for "));
        if let Some(named) = named
            && !named.starts_with(|c: char| c.is_ascii_digit())
            && ![
                "total",
                "all",
                "the full",
                "the whole",
                "both",
                "ci",
                "this",
                "about",
                "under",
                "parallel",
                "the end",
            ]
            .iter()
            .any(|w| named.starts_with(w))
        {
            found.scope = ClaimScope::Subset;
        }
    }
}

/// Judges one claim; the error says what the sentence is instead.
pub(crate) fn judge(text: &str, mut found: Found) -> Result<Found, &'static str> {
    let lead = &text[..found.range.end];
    let after = &text[found.range.end..];
    let sentence = &lead[lead.rfind(';').map_or(0, |i| i + 1)..];
    let part_start = before_subject(lead, found.range.start, &[";", "—", ": ", "(", "|", " - "]);
    let part = &lead[part_start..];
    let clause_start = before_subject(lead, found.range.start, &[";", "—", ": ", "(", "|", " - ", ", "]);
    let clause = &lead[clause_start..];
    let after = &after[..until_next_part(after)];
    if text.ends_with('?') {
        return Err("question");
    }
    for rule in RULES.iter() {
        let hit = match rule.span {
            Span::Sentence => rule.holds(sentence),
            Span::Part => rule.holds(part),
            Span::Clause => rule.holds(clause),
            Span::After => rule.holds(after),
        };
        if hit {
            return Err(rule.what);
        }
    }
    found.hedged = HEDGES.is_match(clause);
    Ok(found)
}

/// The end of the last of `marks` before the subject.
fn before_subject(lead: &str, subject: usize, marks: &[&str]) -> usize {
    let before = &lead[..subject];
    marks.iter().filter_map(|m| before.rfind(m).map(|i| i + m.len())).max().unwrap_or(0)
}

/// Where the text after a claim begins to speak of something else.
fn until_next_part(after: &str) -> usize {
    [";", ", and ", ", so ", ", please", ", let me", ", i'", ", i ", ". "]
        .iter()
        .filter_map(|m| after.find(m))
        .min()
        .unwrap_or(after.len())
}

/// Which tests the numbers of a results line speak of, by the words before it.
pub(crate) fn scope_of_results(text: &str, around: Around, found: &mut Found) {
    let before = text[..found.range.start].trim_end_matches(['✅', ' ', '(']);
    let label =
        before.strip_suffix([':', '|', '—', '=', '>']).map(|l| l.trim_end_matches(['-', '=', ' ', '✅']));
    let label = label.or_else(|| LABEL.is_match(before).then_some(before));
    let scope = match label {
        Some(label) => label_scope(label),
        None => words_scope(before),
    };
    let whole = found.count.is_some() && found.of == found.count;
    found.scope = match scope {
        ClaimScope::Unspecified if whole => ClaimScope::All,
        ClaimScope::All | ClaimScope::Subset | ClaimScope::Unspecified => scope,
    };
    if around.narrow || text.contains(NARROW) || text.contains("filtered out") {
        found.scope = ClaimScope::Subset;
    }
}

/// "Unit tests: 83 passed" speaks of a part, "Tests: 142 passed" leaves it open, "full suite: …" is all.
fn label_scope(label: &str) -> ClaimScope {
    // "Test run complete" has ended, and need not be whole.
    let label = label.trim_end().trim_end_matches("complete").trim_end();
    let from = label
        .rfind([',', ';', '|', '.', '—'])
        .map_or(0, |i| i + label[i..].chars().next().map_or(1, char::len_utf8));
    let words = &label[from..];
    let whole = words.trim() == "all green" || words.trim().starts_with("all ") && OPEN_LABEL.is_match(label);
    if whole || WHOLE.iter().any(|w| words.split(' ').any(|word| word == *w)) {
        return ClaimScope::All;
    }
    if words.trim().is_empty() || OPEN_LABEL.is_match(label) || SAID_TO_PASS.is_match(label) {
        return ClaimScope::Unspecified;
    }
    // A label in another script is read by that language.
    if words.is_ascii() || words.contains([CODE, NARROW]) {
        ClaimScope::Subset
    } else {
        ClaimScope::Unspecified
    }
}

/// The words right before the number: "all", "these", or a noun that the number belongs to.
fn words_scope(before: &str) -> ClaimScope {
    if before.ends_with("all") || before.ends_with("all the") {
        return ClaimScope::All;
    }
    if ["these", "those", "new", "other"].iter().any(|w| before.ends_with(w)) {
        return ClaimScope::Subset;
    }
    let open = BEFORE_COUNT.iter().any(|w| before.ends_with(w))
        || before.ends_with(|c: char| !c.is_ascii_alphanumeric());
    let left = left_of(before);
    if left.scope == ClaimScope::Subset && !open { ClaimScope::Subset } else { ClaimScope::Unspecified }
}
