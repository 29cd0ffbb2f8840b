//! From an agent's report to the claims in it that tests passed.
//!
//! The sentences come from [`sentence`], with code and quotations masked by [`mask`]; each language's file holds its
//! patterns with examples beside them. A sentence is read by the language of its script, and results lines
//! ("142 passed, 0 failed") are read in every language.
//!
//! Invariant: a doubt never makes a claim. A number that may count something else is not read (`count: None`); a
//! plan, condition, rule, question, quotation, or other people's word is no claim at all.
//! The order of the claims is that of the text; a sentence that is repeated in the same place is read once. Time is
//! linear in the text's length: sentences are bounded, and so are the claims per sentence.

mod beside;
mod cjk;
mod en;
mod english;
mod ja;
mod joined;
mod ko;
mod language;
mod mask;
mod number;
mod pasted;
mod results;
mod sentence;
#[cfg(test)]
mod sentences;
mod subject;
#[cfg(test)]
mod tests;
mod zh;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use kenshu_model::{Claim, ClaimScope, ClaimSubject, ClaimUnit, Strength};
use regex::{Regex, RegexSet};

use crate::claims::cjk::Reader;
use crate::claims::language::{Around, Found};
use crate::claims::mask::{COMMAND, NARROW};
use crate::claims::sentence::{Place, Section, Sentence, sentences};

/// Compiles a pattern of ours.
pub(crate) fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("every pattern is compiled by the examples' test")
}

/// Whether a text speaks of tests at all, in any of the languages.
static TEST_WORD: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?-u:\b)(?:tests?|suites?|specs?)(?-u:\b)|pytest|vitest|jest|mocha|rspec|phpunit|テスト|테스트|[测測][试試]|用例|[\x{e001}\x{e003}]",
    )
});
/// A plural noun that can be the subject itself, inside a phrase behind another noun.
static TEST_NOUN: LazyLock<Regex> = LazyLock::new(|| compile(r"\b(?:tests?|specs?|suites?|scenarios)\b"));
/// Without one of these a sentence holds no claim; it keeps the other patterns from running.
static TRIGGER: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"pass|green|succe|ok|clean|✅|fail|[\x{e001}\x{e003}]|通|合格|成功|パス|グリーン|緑|クリア|통과|성공|그린|녹색|绿|綠|失败|失敗",
    )
});
static PLANS: LazyLock<RegexSet> = LazyLock::new(|| set(&[en::PLANS, ja::PLANS, ko::PLANS, zh::PLANS]));
static COLUMNS: LazyLock<RegexSet> =
    LazyLock::new(|| set(&[en::COLUMNS, ja::COLUMNS, ko::COLUMNS, zh::COLUMNS]));
static ADDED: LazyLock<RegexSet> = LazyLock::new(|| set(&[en::ADDED, ja::ADDED, ko::ADDED, zh::ADDED]));
/// Words before a fence that shows what is to come, or what somebody else saw.
static LEADS_ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:should|would|will|expect\w*|looks? like|examples?|sample|before|previous(?:ly)?|baseline|main|template|format)\b|期待|想定|変更前|修正前|以前|例|예상|기대|변경 ?전|수정 ?전|예시|[预預]期|修改前|之前|示例|範例",
    )
});
static VERIFIED: LazyLock<Regex> = LazyLock::new(|| compile(en::VERIFIED));

fn set(patterns: &[&str]) -> RegexSet {
    RegexSet::new(patterns).expect("every pattern is compiled by the examples' test")
}

/// The claims of a report that tests passed, in the order of the text.
///
/// `text` is Markdown in English, Japanese, Korean or Chinese, or a mixture.
pub fn extract(text: &str) -> Vec<Claim> {
    read_all(text, false)
}

/// The claims of a sentence that somebody gave as a claim about tests: it need not name them ("142/142 passed").
pub fn extract_claim(sentence: &str) -> Vec<Claim> {
    read_all(sentence, true)
}

fn read_all(text: &str, given: bool) -> Vec<Claim> {
    let mut out = Vec::new();
    let mut pasted = Vec::new();
    let mut read_before = BTreeSet::new();
    let mut before: Option<(u32, bool)> = None;
    let mut introduced = given;
    let mut narrow = false;
    for sentence in joined_numbers(sentences(text, &classify)) {
        if sentence.pasted {
            let around = Around { about_tests: true, ..Around::default() };
            pasted.extend(read(&sentence, around).into_iter().map(|found| claim(&sentence, found)));
            continue;
        }
        let speaks = TEST_WORD.is_match(&sentence.text);
        let near = before.is_some_and(|(line, spoke)| spoke && sentence.line.saturating_sub(line) <= 2);
        let may_claim = TRIGGER.is_match(&sentence.text) || results::is_ratio(&sentence.text);
        if may_claim && sentence.section != Section::Plan {
            let around = Around { about_tests: near || introduced, narrow: near && narrow, given };
            // A sentence that stands there again in the same place claims nothing more.
            if read_before.insert((sentence.quote.clone(), around, sentence.section)) {
                out.extend(read(&sentence, around).into_iter().map(|found| claim(&sentence, found)));
            }
        }
        if sentence.introduces {
            introduced = speaks;
        }
        narrow = sentence.text.contains(NARROW);
        before = Some((sentence.line, speaks));
    }
    if out.iter().all(|claim: &Claim| claim.count.is_none()) {
        out.extend(shown(pasted));
        out.sort_by_key(|claim| claim.line);
    }
    out
}

/// What fences show: several different results are each a part of something.
fn shown(mut pasted: Vec<Claim>) -> Vec<Claim> {
    pasted.dedup_by_key(|claim| claim.quote.clone());
    if pasted.len() > 1 {
        pasted.iter_mut().for_each(|claim| claim.scope = ClaimScope::Subset);
    }
    pasted
}

/// Joins the lines of a list or table that hold one number of a result each: "Passed: 12", "Failed: 1".
fn joined_numbers(sentences: Vec<Sentence>) -> Vec<Sentence> {
    let mut out: Vec<Sentence> = Vec::with_capacity(sentences.len());
    let mut last_line = 0;
    let mut open = false;
    for sentence in sentences {
        let number = results::is_one_number(&sentence.text);
        let line = sentence.line;
        if number
            && open
            && line.saturating_sub(last_line) == 1
            && let Some(last) = out.last_mut()
            && last.text.len() < 200
        {
            last.text = format!("{}, {}", last.text, sentence.text);
            last.quote = format!("{}\n{}", last.quote, sentence.quote);
        } else {
            out.push(sentence);
        }
        last_line = line;
        open = number;
    }
    out
}

fn classify(masked: &str, place: Place) -> Section {
    let words = masked.trim();
    match place {
        Place::Column if COLUMNS.is_match(words) => Section::Plan,
        Place::Column => Section::Plain,
        Place::Fence if LEADS_ELSEWHERE.is_match(words) || stands_against(words) => Section::Plan,
        Place::Fence => Section::Plain,
        Place::Heading if PLANS.is_match(words) => Section::Plan,
        Place::Heading if VERIFIED.is_match(words) => Section::Verified,
        Place::Heading => Section::Plain,
    }
}

/// Whether a sentence is a plan, a condition, other people's word or another time.
fn stands_against(text: &str) -> bool {
    let whole = 0..text.len();
    reader(text).is_some_and(|reader| reader.against(text, 0, whole.clone()).is_some())
        || english::judge(text, Found::at(whole)).is_err()
}

/// The language that a sentence's script speaks for; `None` is English.
fn reader(text: &str) -> Option<&'static Reader> {
    let (mut kana, mut hangul, mut han) = (false, false, false);
    for c in text.chars() {
        match c {
            '\u{3041}'..='\u{30ff}' => kana |= c != '・' && c != 'ー',
            '\u{ac00}'..='\u{d7a3}' => hangul = true,
            '\u{4e00}'..='\u{9fff}' => han = true,
            _ => {}
        }
    }
    match (kana, hangul, han) {
        (_, true, _) => Some(&ko::READER),
        (true, false, _) => Some(&ja::READER),
        // 全, 件 and the like stand in both; without kana, Japanese marks itself by 件 and by no letter of China's own.
        (false, false, true)
            if text.contains('件') && !text.contains(zh::LETTERS) && !TEST_WORD.is_match(text) =>
        {
            Some(&ja::READER)
        }
        (false, false, true) => Some(&zh::READER),
        (false, false, false) => None,
    }
}

fn read(sentence: &Sentence, around: Around) -> Vec<Found> {
    let text = sentence.text.as_str();
    let mut results = results::read(text, around);
    let reader = reader(text);
    let mut out = match reader {
        Some(reader) => reader.read(text, around),
        None => Vec::new(),
    };
    let overlaps = |range: &Range<usize>, taken: &[Range<usize>]| {
        taken.iter().any(|t| t.start < range.end && range.start < t.end)
    };
    out.retain(|f| !overlaps(&f.range, &results.admitted));
    let mut taken: Vec<Range<usize>> = out.iter().map(|f| f.range.clone()).collect();
    results.found.iter_mut().for_each(|found| scope_of_line(text, around, reader, found));
    let stands = |f: &Found| reader.is_none_or(|r| r.against(text, f.range.start, f.range.clone()).is_none());
    let judged = |f: Found| if stands(&f) { english::judge(text, f).ok() } else { None };
    let lines: Vec<Found> = results.found.iter().cloned().filter_map(judged).collect();
    lines.into_iter().for_each(|line| take_line(text, line, &mut out));
    taken.extend(results.found.iter().map(|f| f.range.clone()));
    taken.extend(results.admitted.iter().cloned());
    let shapes = english::find(text, around, &taken);
    let shapes: Vec<Found> = match reader {
        Some(_) if !out.is_empty() => Vec::new(),
        Some(_) | None => shapes.into_iter().filter_map(judged).collect(),
    };
    for shape in shapes {
        // "The parser tests passed, `27 pass / 0 fail`": one claim, with the numbers of the line.
        let line = out.iter_mut().find(|l| is_joined(text, &shape, l));
        match line {
            Some(line) if line.scope == ClaimScope::Unspecified => line.scope = shape.scope,
            Some(_) => {}
            None => out.push(shape),
        }
    }
    if !results.admitted.is_empty() {
        out.retain(|f| f.scope == ClaimScope::Subset);
    }
    out.iter_mut().for_each(|found| beside::behind(text, found));
    if let [only] = out.as_mut_slice()
        && reader.is_some()
    {
        beside::others(text, only);
    }
    let joined: Vec<Found> = out.iter_mut().flat_map(|found| joined::beside(text, found)).collect();
    out.splice(0..0, joined);
    if around.given && out.is_empty() {
        let admits = |what: &str| what.starts_with("failure");
        let stands = |f: &Found| english::judge(text, f.clone()).map_or_else(admits, |_| true);
        out.extend(results.with_failures.into_iter().filter(stands));
    }
    if out.is_empty() && sentence.section == Section::Verified && text.contains([COMMAND, NARROW]) {
        out.push(Found::at(0..text.len()));
    }
    let mut out = tidy(out);
    beside::add_up_kinds(text, &mut out);
    out
}

/// Which tests a results line speaks of, by the words before it.
fn scope_of_line(text: &str, around: Around, reader: Option<&Reader>, found: &mut Found) {
    english::scope_of_results(text, around, found);
    if let Some(reader) = reader
        && found.scope != ClaimScope::Subset
    {
        let said = found.scope;
        reader.scope(&text[..found.range.end], found);
        if found.scope == ClaimScope::Unspecified {
            found.scope = said;
        }
    }
}

/// Takes a results line: it knows its numbers better than a sentence around it.
fn take_line(text: &str, line: Found, out: &mut Vec<Found>) {
    let same = |f: &&mut Found| {
        let overlap = f.range.start <= line.range.end && line.range.start <= f.range.end;
        overlap || is_joined(text, f, &line)
    };
    match out.iter_mut().find(same) {
        Some(same) if same.count.is_none() || same.count == line.count => {
            let scope = if same.scope == ClaimScope::Unspecified { line.scope } else { same.scope };
            *same = Found { scope, ..line };
        }
        Some(_) | None => out.push(line),
    }
}

/// Whether a results line stands right behind a claim without a number: "The tests passed (12 passed)".
fn is_joined(text: &str, claim: &Found, line: &Found) -> bool {
    claim.count.is_none()
        && line.range.start >= claim.range.end
        && text[claim.range.end..line.range.start]
            .chars()
            .all(|c| matches!(c, ' ' | ',' | ':' | '(' | '—' | '✅'))
}

/// In the order of the text, and each claim once.
fn tidy(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|f| f.range.start);
    let counted: Vec<Range<usize>> =
        found.iter().filter(|f| f.count.is_some()).map(|f| f.range.clone()).collect();
    // "All passed (12 passed)" says one thing, once with its number.
    found.retain(|f| {
        let same_words = |range: &Range<usize>| range.start < f.range.end && f.range.start < range.end;
        f.count.is_some() || !counted.iter().any(same_words)
    });
    let mut out: Vec<Found> = Vec::new();
    for f in found {
        let same = |o: &Found| {
            let apart = o.scope == ClaimScope::Subset && o.range.end <= f.range.start;
            o.unit == f.unit && (f.count.is_none() || (o.count == f.count && !apart))
        };
        let nameless = f.subject == ClaimSubject::Everything && !out.is_empty();
        if !out.iter().any(same) && !nameless {
            out.push(f);
        }
    }
    out
}

fn claim(sentence: &Sentence, found: Found) -> Claim {
    let Found { count, of, failed, skipped, unit, subject, scope, hedged, together, range } = found;
    let unit = if count.is_none() && of.is_none() { ClaimUnit::Tests } else { unit };
    let strength = if hedged { Strength::Hedged } else { Strength::Plain };
    let clause = clause_of(&sentence.text, range);
    let added = scope == ClaimScope::Subset && count.is_some() && of.is_none() && ADDED.is_match(clause);
    Claim {
        quote: sentence.quote.clone(),
        line: sentence.line,
        count,
        of,
        failed,
        skipped,
        together,
        subject,
        unit,
        scope,
        added,
        strength,
    }
}

/// The claim with what stands before it in its clause.
fn clause_of(text: &str, range: Range<usize>) -> &str {
    const ENDS: [char; 14] = [',', ';', ':', '.', '(', ')', '|', '。', '、', '，', '；', '：', '（', '）'];
    let start = text[..range.start].rfind(ENDS).unwrap_or(0);
    &text[start..range.end]
}
