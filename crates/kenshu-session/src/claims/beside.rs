//! What a sentence says beside "passed": the number in brackets behind it, how many were skipped, and which parts of
//! the tests share no test.

use std::sync::LazyLock;

use kenshu_model::{ClaimScope, ClaimUnit};
use regex::{Captures, Regex};

use crate::claims::compile;
use crate::claims::language::Found;
use crate::claims::number::{ENGLISH, parse, stands_alone};

/// "(3/3)", "(12)", ": 12 of 12", ", 142 in total": the number of a claim that stands behind it.
static BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    let ratio = format!(r"(?P<n>{ENGLISH})\s?(?:/|of|out of)\s?(?P<of>{ENGLISH})");
    let word = r"(?:tests?|specs?|tests? in total|total|in total|passed|passing|tests? passed|件|個|本|个|項|项|개|건|テスト|测试|測試|테스트)";
    compile(&format!(
        r"^\s?(?:✅\s?)*(?:\(\s?(?:✅\s?)?(?:{ratio}|(?P<n2>{ENGLISH}))(?:\s?{word})?(?:\)|[,;] [^0-9)]{{2,40}}[0-9]*\))|[:,—-]\s?(?:✅\s?)?(?:{}|(?P<n3>{ENGLISH}) (?:tests? )?(?:in total|total|overall))\s?(?:[.,;!✅]|$)|with (?:all )?(?P<n4>{ENGLISH}) tests?\s?(?:[.,;!)✅]|$))",
        ratio.replace("<n>", "<m>").replace("<of>", "<mof>")
    ))
});
/// "1件スキップ", "跳过 1 个".
static SKIPPED: LazyLock<Regex> =
    LazyLock::new(|| status(r"スキップ|保留|건너뜀|건너뛰|스킵|跳[过過]|略[过過]|忽略"));
/// "0件失敗", "失敗0件".
static FAILED: LazyLock<Regex> = LazyLock::new(|| status(r"失[敗败]|실패"));

/// Kinds of tests of which none is of two kinds, as the five languages name them.
const LEVELS: &[(&str, &[&str])] = &[
    ("unit", &["unit", "単体", "ユニット", "단위", "유닛", "单元", "單元"]),
    ("integration", &["integration", "結合", "統合", "통합", "集成", "整合"]),
    ("e2e", &["e2e", "end-to-end", "end to end", "端到端"]),
    ("functional", &["functional", "機能テスト", "기능 테스트"]),
    ("acceptance", &["acceptance", "受け入れ", "인수 테스트", "验收", "驗收"]),
    ("contract", &["contract"]),
    ("component", &["component", "コンポーネント"]),
    ("existing", &["existing", "既存", "기존", "现有", "現有", "既有"]),
    ("new", &["new ", "newly", "新規", "신규", "새로", "新增"]),
    ("smoke", &["smoke", "スモーク", "스모크", "冒烟", "冒煙"]),
];

fn status(words: &str) -> Regex {
    const COUNTER: &str = "(?:件|個|本|つ|개|건|个|項|项)?";
    compile(&format!(
        r"(?P<n>[0-9][0-9,]*)\s?{COUNTER}(?:の|は|が|이|가|은|는|를|을)?\s?(?:{words})|(?:{words})(?:は|が|은|는)?\s?:?\s?(?P<n2>[0-9][0-9,]*)\s?{COUNTER}(?:$|[^0-9a-z%])"
    ))
}

/// Fills in the number that stands behind a claim which has none.
pub(crate) fn behind(text: &str, found: &mut Found) {
    let own = &text[found.range.clone()];
    // "All suites pass (3)" counts suites; "the suite passes (3)" does not.
    if found.count.is_some() || own.contains("suites") || own.contains("files") {
        return;
    }
    let after = &text[found.range.end..];
    let Some(captures) = BEHIND.captures(after) else { return };
    let Some((count, of)) = number_and_whole(after, &captures) else { return };
    (found.count, found.of, found.unit) = (Some(count), of, ClaimUnit::Tests);
    if found.of == found.count && found.scope == ClaimScope::Unspecified {
        found.scope = ClaimScope::All;
    }
}

fn number_and_whole(after: &str, captures: &Captures) -> Option<(u64, Option<u64>)> {
    let group = |names: &[&str]| names.iter().find_map(|name| captures.name(name));
    let number = group(&["n", "m", "n2", "n3", "n4"])?;
    let of = group(&["of", "mof"]);
    let end = of.map_or(number.end(), |of| of.end());
    let count = parse(number.as_str()).filter(|count| *count > 0)?;
    let of = of.map(|of| parse(of.as_str()));
    // A year in brackets counts no tests.
    let is_year = captures.name("n2").is_some_and(|n| n.len() == 4 && (1990..2100).contains(&count));
    if !stands_alone(after, number.start(), end) || is_year {
        return None;
    }
    match of {
        Some(of) => of.filter(|of| count <= *of).map(|of| (count, Some(of))),
        None => Some((count, None)),
    }
}

/// Fills in how many were skipped and how many failed, where the words are those of Japanese, Korean or Chinese.
pub(crate) fn others(text: &str, found: &mut Found) {
    let read = |pattern: &Regex| {
        let captures = pattern.captures(text)?;
        let number = captures.name("n").or_else(|| captures.name("n2"))?;
        // "0失敗" behind a comma is a number of its own.
        let start = number.start();
        stands_alone(&text[start..], 0, number.len()).then(|| parse(number.as_str()))?
    };
    found.skipped = found.skipped.or_else(|| read(&SKIPPED));
    found.failed = found.failed.or_else(|| read(&FAILED));
}

/// Says of each number of a kind ("9 unit tests and 3 integration tests") what the kinds of the sentence add up to.
///
/// Each stands for its own kind only if all of them name a kind, and each another one.
///
/// A total in brackets behind them is a claim of its own.
pub(crate) fn add_up_kinds(text: &str, found: &mut Vec<Found>) {
    let parts: Vec<usize> = (0..found.len())
        .filter(|i| {
            let part = &found[*i];
            part.scope == ClaimScope::Subset && part.unit == ClaimUnit::Tests && part.count.is_some()
        })
        .collect();
    let mut levels = Vec::new();
    let mut from = 0;
    for part in &parts {
        let range = found[*part].range.clone();
        levels.push(level(&text[from.min(range.start)..range.end]));
        from = range.end;
    }
    let named = |i: usize| levels[i].is_some() && !levels[..i].contains(&levels[i]);
    if parts.len() < 2 || !(0..levels.len()).all(named) {
        return;
    }
    let sum = parts.iter().filter_map(|part| found[*part].count).reduce(u64::saturating_add);
    parts.iter().for_each(|part| found[*part].together = sum);
    let mut whole = Found::at(from..from);
    behind(text, &mut whole);
    if whole.count.is_some() && whole.count == sum && whole.of.is_none() {
        whole.scope = ClaimScope::All;
        found.push(whole);
    }
}

/// The one kind of tests that a text names.
fn level(text: &str) -> Option<&'static str> {
    let mut named = LEVELS.iter().filter(|(_, words)| words.iter().any(|word| text.contains(word)));
    let first = named.next()?;
    named.next().is_none().then_some(first.0)
}
