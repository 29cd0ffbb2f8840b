//! "12 unit tests and 3 integration tests pass": one verb, several numbers, each of them claimed.

use std::sync::LazyLock;

use kenshu_model::{ClaimScope, ClaimUnit};
use regex::Regex;

use crate::claims::compile;
use crate::claims::language::Found;
use crate::claims::number::{parse, stands_alone};

/// Numbers joined to one subject; it bounds the work.
const MOST_JOINED: usize = 8;

/// A number of tests and what joins it with the number that follows.
static ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"(?:^|[ (|])(?P<n>[0-9][0-9,]*)(?P<of>/[0-9][0-9,]*)?",
        r" (?:(?:[a-z][a-z0-9-]* ){0,2}(?:tests?|specs?)(?: (?:in|for) [^ ,]+)?",
        r"|unit|integration|e2e|end-to-end|functional|regression|smoke|component|contract|acceptance|existing|new)",
        r"(?:,| and|, and| plus| \+| &) (?:the |all )?$",
    ))
});
/// The word for tests, a number of them, and what joins it with the number that follows.
static CJK: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"(?:テスト|スペック|[测測][试試]|用例|테스트)\s?(?:ケース|用例)?\s?(?P<n>[0-9][0-9,]*)\s?",
        r"(?:件|個|本|个|項|项|개|건)\s?(?:と|及び|および|、|和|与|與|以及|及|와|과|및|,|\+)\s?",
        r"(?:[^0-9。、,]|e2e){0,14}$",
    ))
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| compile(r"[0-9][0-9,]*"));

/// Words after which a number of tests is not said to have passed: "I added 12 unit tests, and …".
const OTHER_VERBS: &[&str] =
    &["added", "add", "wrote", "created", "removed", "moved", "ran", "fixed", "updated", "has", "have"];

/// The claims that stand beside `found` under the same verb, in the order of the text.
pub(crate) fn beside(text: &str, found: &mut Found) -> Vec<Found> {
    let mut out = Vec::new();
    if found.scope != ClaimScope::Subset || found.unit != ClaimUnit::Tests {
        return out;
    }
    let Some(mut at) = found.count.and_then(|count| place_of(text, found, count)) else { return out };
    while out.len() < MOST_JOINED {
        let before = &text[..at];
        let Some(captures) = ENGLISH.captures(before).or_else(|| CJK.captures(before)) else { break };
        // The kind stands behind the number in English, before it in the others.
        let english = captures.get(0).is_some_and(|all| all.as_str().is_ascii());
        let Some(number) = captures.name("n") else { break };
        let verb = before[..number.start()].trim_end().rsplit(' ').next().unwrap_or("");
        let Some(count) = parse(number.as_str()).filter(|count| *count > 0) else { break };
        let end = captures.name("of").map_or(number.end(), |of| of.end());
        if OTHER_VERBS.contains(&verb) || !stands_alone(text, number.start(), end) {
            break;
        }
        let next = std::mem::replace(&mut at, number.start());
        let end_of_part = if english { next } else { number.end() };
        out.push(Found { count: Some(count), of: None, range: at..end_of_part, ..found.clone() });
    }
    if let Some(own) = found.count.filter(|_| !out.is_empty()).and_then(|count| place_of(text, found, count))
    {
        found.range.start = own;
    }
    out.reverse();
    out
}

/// Where the claim's own number stands.
fn place_of(text: &str, found: &Found, count: u64) -> Option<usize> {
    let own = NUMBER.find_iter(&text[found.range.clone()]).filter(|number| {
        // The second number of "3/3" is not where it begins.
        let place = found.range.start + number.start();
        parse(number.as_str()) == Some(count) && !text[..place].ends_with('/')
    });
    let own = own.last()?;
    Some(found.range.start + own.start())
}
