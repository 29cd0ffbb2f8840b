//! Reading Japanese, Korean and Chinese sentences: the same steps with each language's own patterns.
//!
//! A clause with a finished "passed" and a word for tests, in it or before it, is a claim. Its number is the one that
//! stands beside the word for tests, beside "all", or right before "passed"; any other number counts something else.

use std::ops::Range;

use kenshu_model::{ClaimScope, ClaimSubject, ClaimUnit};
use regex::Regex;

use crate::claims::compile;
use crate::claims::language::{Around, Found, Reject, Rule, Span};
use crate::claims::number::{parse, stands_alone};

/// More claims than these in one sentence is no prose; it bounds the work.
const MOST_CLAIMS: usize = 8;

/// One language's patterns; `{TEST}` and `{NUM}` stand for its own words.
#[derive(Debug)]
pub(crate) struct Patterns {
    /// Words for tests.
    pub(crate) test: &'static str,
    /// A number.
    pub(crate) number: &'static str,
    /// What counts tests, files, suites, assertions, after a number.
    pub(crate) counter: &'static str,
    /// "Passed" in a finished form.
    pub(crate) pass: &'static str,
    /// "Passes, I suppose".
    pub(crate) hedged: &'static str,
    /// Where one clause ends and the next begins.
    pub(crate) boundary: &'static str,
    /// What stands before a number that counts tests.
    pub(crate) before_count: &'static str,
    /// What stands after a number that counts tests.
    pub(crate) after_count: &'static str,
    /// "N of M", with the groups `of` and `n`.
    pub(crate) ratio: &'static str,
    /// An earlier clause that ran the tests which this clause says passed, with the group `n`.
    pub(crate) carried: &'static str,
    /// "All".
    pub(crate) whole: &'static str,
    /// Words that make it a part of the tests.
    pub(crate) part: &'static str,
    /// A grand total beside its parts.
    pub(crate) grand: &'static str,
    /// "Including": the part is inside the number.
    pub(crate) including: &'static str,
    /// Reasons against a claim.
    pub(crate) rejects: &'static [Reject],
}

/// The compiled [`Patterns`].
#[derive(Debug)]
pub(crate) struct Reader {
    test: Regex,
    count: Regex,
    pass: Regex,
    hedged: Regex,
    boundary: Regex,
    before_count: Regex,
    after_count: Regex,
    ratio: Regex,
    carried: Regex,
    whole: Regex,
    part: Regex,
    grand: Regex,
    including: Regex,
    rules: Vec<Rule>,
}

impl Reader {
    /// Its reasons against a claim.
    #[cfg(test)]
    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(crate) fn new(patterns: &Patterns) -> Self {
        let fill = |p: &str| compile(&p.replace("{TEST}", patterns.test).replace("{NUM}", patterns.number));
        let count = format!(
            r"(?P<n>{n})(?:\s?/\s?(?P<of>[0-9][0-9,]*)\s?(?P<unit>{c})?|\s?(?P<unit2>{c})|(?P<bare>\s?(?:通[过過]|成功|パス|통과|성공)))",
            n = patterns.number,
            c = patterns.counter
        );
        Reader {
            test: compile(patterns.test),
            count: compile(&count),
            pass: fill(&format!("(?P<hedged>{})|(?:{})", patterns.hedged, patterns.pass)),
            hedged: fill(patterns.hedged),
            boundary: fill(patterns.boundary),
            before_count: fill(patterns.before_count),
            after_count: fill(patterns.after_count),
            ratio: fill(patterns.ratio),
            carried: fill(patterns.carried),
            whole: fill(patterns.whole),
            part: fill(patterns.part),
            grand: fill(patterns.grand),
            including: fill(patterns.including),
            rules: patterns.rejects.iter().map(Rule::new).collect(),
        }
    }

    /// The claims of a sentence, judged.
    pub(crate) fn read(&self, text: &str, around: Around) -> Vec<Found> {
        let mut out: Vec<Found> = Vec::new();
        let boundaries: Vec<usize> = self.boundary.find_iter(text).map(|m| m.end()).collect();
        for captures in self.pass.captures_iter(text).take(MOST_CLAIMS) {
            let Some(pass) = captures.get(0) else { continue };
            let inside = |b: &&usize| **b <= pass.start();
            let clause_start = boundaries.iter().rev().find(inside).copied().unwrap_or(0);
            let clause = &text[clause_start..pass.end()];
            let earlier = &text[..clause_start];
            let label = label_of(earlier);
            let sure_subject = self.test.is_match(clause) || self.test.is_match(label);
            let may_go_on = self.test.is_match(earlier) || around.about_tests;
            let named = self.whole.is_match(clause) || self.count.is_match(clause);
            let alone = !sure_subject && !may_go_on && self.is_all_of_it(text, pass.start());
            let subject = sure_subject || (may_go_on && named) || alone;
            if !subject || self.against(text, clause_start, pass.range()).is_some() {
                continue;
            }
            // A bracket that opens behind "passed" is not part of the claim.
            let mut found = Found::at(clause_start..clause_start + clause.trim_end_matches(['(', ' ']).len());
            found.hedged = captures.name("hedged").is_some() || self.hedged.is_match(clause);
            self.number(clause, earlier, &mut found);
            self.scope(&text[clause_start - label.len()..pass.end()], &mut found);
            if alone {
                found.subject = ClaimSubject::Everything;
            }
            if found.count == Some(0) {
                continue;
            }
            out.push(found);
        }
        out
    }

    /// Whether the sentence is "all 12 passed" and nothing else: then it speaks of tests, or of everything.
    fn is_all_of_it(&self, text: &str, pass: usize) -> bool {
        let lead = &text[..pass];
        let Some(number) = self.count.find(lead).filter(|_| self.whole.is_match(lead)) else { return false };
        let rest = format!("{} {}", &lead[..number.start()], &lead[number.end()..]);
        self.whole.replace_all(&rest, "").chars().all(|c| " ✅:-—が이가都均".contains(c))
    }

    /// What stands against reading a claim at `pass`.
    pub(crate) fn against(
        &self,
        text: &str,
        clause_start: usize,
        pass: Range<usize>,
    ) -> Option<&'static str> {
        let lead = &text[..pass.end];
        let part_start = [";", "—", ": ", "|"]
            .iter()
            .filter_map(|m| text[..pass.start].rfind(m).map(|i| i + m.len()))
            .max();
        let hit = self.rules.iter().find(|rule| match rule.span {
            Span::Sentence => rule.holds(text),
            Span::Part => rule.holds(&lead[part_start.unwrap_or(0)..]),
            Span::Clause => rule.holds(&lead[clause_start..]),
            Span::After => rule.holds(&text[pass.start..]),
        });
        hit.map(|rule| rule.what)
    }

    fn number(&self, clause: &str, earlier: &str, found: &mut Found) {
        if let Some(c) = self.ratio.captures(clause)
            && let (Some(of), Some(n)) = (c.name("of"), c.name("n"))
            && let (Some(of), Some(n)) = (parse(of.as_str()), parse(n.as_str()))
        {
            if n <= of {
                (found.count, found.of) = (Some(n), Some(of));
            }
            return;
        }
        let mut best: Option<(u64, Option<u64>, ClaimUnit)> = None;
        for c in self.count.captures_iter(clause) {
            let (Some(whole), Some(n)) = (c.get(0), c.name("n")) else { continue };
            let end = c.name("of").map_or(n.end(), |m| m.end());
            if !stands_alone(clause, n.start(), end) {
                continue;
            }
            let beside =
                self.before_count.is_match(&clause[..n.start()]) || clause[..n.start()].trim().is_empty();
            // "142 通过": without a counter only where a results line would put it.
            if c.name("bare").is_some() && !beside {
                continue;
            }
            let object = clause[whole.end()..].starts_with(['を', '를', '을']);
            if object
                || !(beside || c.name("bare").is_some() || self.after_count.is_match(&clause[whole.end()..]))
            {
                continue;
            }
            let Some(count) = parse(n.as_str()) else { continue };
            let of = c.name("of").and_then(|m| parse(m.as_str()));
            let unit = unit(c.name("unit").or_else(|| c.name("unit2")).map_or("", |m| m.as_str()));
            // The number nearest to "passed" counts; tests go before files.
            if unit == ClaimUnit::Tests || best.is_none_or(|b| b.2 != ClaimUnit::Tests) {
                best = Some((count, of, unit));
            }
        }
        if let Some((count, of, unit)) = best {
            if of.is_none_or(|of| count <= of) {
                (found.count, found.of, found.unit) = (Some(count), of, unit);
            }
            return;
        }
        if let Some(c) = self.carried.captures(earlier)
            && let Some(n) = c.name("n").or_else(|| c.name("n2")).or_else(|| c.name("n3"))
            && stands_alone(earlier, n.start(), n.end())
        {
            found.count = parse(n.as_str());
        }
    }

    /// Which tests the clause speaks of.
    pub(crate) fn scope(&self, clause: &str, found: &mut Found) {
        let all = self.whole.is_match(clause) || (found.count.is_some() && found.count == found.of);
        found.subject = ClaimSubject::Tests;
        let parts = self.count.find_iter(clause).count() > 1 && self.grand.is_match(clause);
        let total = found.count.is_some() && (parts || self.including.is_match(clause));
        found.scope = if self.part.is_match(clause) && !total {
            ClaimScope::Subset
        } else if all || total {
            ClaimScope::All
        } else {
            ClaimScope::Unspecified
        };
    }
}

/// The label right before a clause, with its colon: "単体テスト: ".
fn label_of(earlier: &str) -> &str {
    const LONGEST_LABEL: usize = 60;
    const ENDS: [char; 8] = [',', ';', '。', '、', '|', '—', '.', '('];
    let Some(words) = earlier.trim_end().strip_suffix([':', '|']) else { return "" };
    let start = words.rfind(ENDS).map_or(0, |at| at + words[at..].chars().next().map_or(1, char::len_utf8));
    if words.len() - start > LONGEST_LABEL { "" } else { &earlier[start..] }
}

fn unit(counter: &str) -> ClaimUnit {
    let has = |words: &[&str]| words.iter().any(|w| counter.contains(w));
    if has(&["ファイル", "파일", "文件", "檔案", "file"]) {
        ClaimUnit::Files
    } else if has(&["スイート", "스위트", "套件", "suite"]) {
        ClaimUnit::Suites
    } else if has(&["アサーション", "단언", "断言", "斷言", "assert"]) {
        ClaimUnit::Assertions
    } else {
        ClaimUnit::Tests
    }
}
