//! The languages' examples, the hand-labelled sentences, and what no input may do.

#![expect(clippy::disallowed_methods, reason = "the hand-labelled sentences are read from disk")]

use kenshu_model::{Claim, ClaimSubject, Strength};

use crate::claims::language::{Examples, Want};
use crate::claims::{en, extract, extract_claim, ja, ko, sentences, zh};

fn all() -> [&'static Examples; 8] {
    [
        &en::EXAMPLES,
        &ja::EXAMPLES,
        &ko::EXAMPLES,
        &zh::EXAMPLES,
        &sentences::en::SENTENCES,
        &sentences::ja::SENTENCES,
        &sentences::ko::SENTENCES,
        &sentences::zh::SENTENCES,
    ]
}

fn said(claims: Vec<Claim>) -> Vec<Want> {
    claims
        .into_iter()
        .map(|c| Want {
            count: c.count,
            of: c.of,
            failed: c.failed,
            skipped: c.skipped,
            unit: c.unit,
            scope: c.scope,
            hedged: c.strength == Strength::Hedged,
        })
        .collect()
}

#[test]
fn patterns_that_are_compiled_late_can_be_compiled_and_find_nothing_in_nothing() {
    for rule in en::RULES.iter().chain(ja::READER.rules()).chain(ko::READER.rules()).chain(zh::READER.rules())
    {
        assert!(!rule.finds_in_nothing(), "{}", rule.what);
    }
}

#[test]
fn a_shape_is_found_only_where_one_of_its_words_is() {
    for shape in en::COMPILED.iter() {
        let sentences = include_str!("tests.rs").lines().chain(include_str!("en_examples.rs").lines());
        for sentence in sentences.map(str::to_ascii_lowercase) {
            assert!(shape.may_have(&sentence) || !shape.is_found_in(&sentence), "{}: {sentence}", shape.name);
        }
    }
}

#[test]
fn every_example_is_read_as_it_says() {
    let mut wrong = Vec::new();
    let reports = all().map(|examples| (examples, extract as fn(&str) -> Vec<Claim>));
    let given = (&sentences::given::SENTENCES, extract_claim as fn(&str) -> Vec<Claim>);
    for (examples, read) in reports.into_iter().chain([given]) {
        let nothing = examples.not_claims.iter().map(|text| (text, &[] as &[Want]));
        for (text, wanted) in examples.claims.iter().map(|(text, wanted)| (text, *wanted)).chain(nothing) {
            let got = said(read(text));
            if got != *wanted {
                wrong.push(format!("{}: {text}\n  want {wanted:?}\n  got  {got:?}", examples.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} examples:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn numbers_of_added_tests_are_told_from_other_parts() {
    let wanted = [
        ("The 7 new tests pass.", Some(true)),
        ("I added 7 tests, all of which pass.", Some(true)),
        ("新規テスト7件が通過しました。", Some(true)),
        ("새로 추가한 테스트 7개가 통과했습니다.", Some(true)),
        ("新增的 7 个测试全部通过。", Some(true)),
        ("These 3 tests pass.", Some(false)),
        ("141 of 142 tests pass.", Some(false)),
        ("`pytest tests/a.py`: 46 passed", Some(false)),
        ("All 142 tests (135 existing + 7 new) pass.", Some(false)),
        ("Added a route; the 3 parser tests pass.", Some(false)),
    ];
    for (text, added) in wanted {
        assert_eq!(extract(text).first().map(|claim| claim.added), added, "{text}");
    }
}

/// The hand-labelled sentences, where they are at hand: `KENSHU_SESSIONS` names the folder.
fn labelled() -> Option<String> {
    let folder = std::env::var_os("KENSHU_SESSIONS").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/sessions"),
        std::path::PathBuf::from,
    );
    let text = std::fs::read_to_string(folder.join("claims.tsv"));
    if text.is_err() {
        println!("SKIPPED: no hand-labelled sentences in {}; set KENSHU_SESSIONS", folder.display());
    }
    text.ok()
}

#[derive(Debug, Default)]
struct Score {
    claims: usize,
    found: usize,
    none: usize,
    wrong_scope: usize,
    accused: Vec<String>,
    wrong_count: Vec<String>,
    missed: Vec<String>,
}

fn score(table: &str) -> Score {
    let mut score = Score::default();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [_, line, _, quote, kind, is_claim, scope, count, _, _, _, _, certainty, ..] = cells.as_slice()
        else {
            continue;
        };
        // The table writes a quotation mark twice inside a quoted cell.
        let quote = match quote.strip_prefix('"').and_then(|q| q.strip_suffix('"')) {
            Some(inner) => inner.replace("\"\"", "\""),
            None => (*quote).to_owned(),
        };
        let claims = extract(&quote);
        // The same sentence may stand in another row as a claim of another part of it.
        let elsewhere = || table.lines().any(|r| r.contains(&quote) && r.contains("\ttests\tyes\t"));
        let names_tests = claims.iter().any(|c| c.subject == ClaimSubject::Tests);
        let other_kind = *kind != "tests" && names_tests;
        if *is_claim == "no" || other_kind {
            score.none += 1;
            if !claims.is_empty() && !elsewhere() {
                score.accused.push(format!("{line}: {kind}: {quote}"));
            }
            continue;
        }
        if *kind != "tests" || *certainty == "low" {
            continue;
        }
        score.claims += 1;
        let Some(first) = claims.first() else {
            score.missed.push(format!("{line}: {quote}"));
            continue;
        };
        score.found += 1;
        let wanted: Option<u64> = count.parse().ok();
        if !claims.iter().any(|c| c.count == wanted || c.count.is_none()) {
            score.wrong_count.push(format!("{line}: {quote}: {:?}", first.count));
        }
        let opposite = (*scope == "subset" && first.scope.word() == "all" && first.count.is_none())
            || (*scope == "all" && first.scope.word() == "subset");
        score.wrong_scope += usize::from(opposite);
    }
    score
}

#[test]
fn hand_labelled_sentences_are_read_as_labelled() {
    let Some(table) = labelled() else { return };
    let score = score(&table);
    println!("claims found {}/{}, other sentences {}", score.found, score.claims, score.none);
    println!("scope contradicts {}\nmissed:\n  {}", score.wrong_scope, score.missed.join("\n  "));
    assert!(score.accused.is_empty(), "no claims, but read as some:\n{}", score.accused.join("\n"));
    assert!(score.wrong_count.is_empty(), "other numbers:\n{}", score.wrong_count.join("\n"));
}

/// A small generator: the same numbers every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % (sides as u64).max(1)).unwrap_or(0)
    }
}

#[test]
fn no_input_panics_and_every_quote_stands_in_the_text() {
    let marks = [
        "`", "```", "\"", "**", "|", "「", "[x](", "~~", "<b>", "\n", "\n> ", "。", "：", "é", "\u{e001}",
        "12/", "＃", "'",
    ];
    let seeds: Vec<&str> = all()
        .iter()
        .flat_map(|e| e.claims.iter().map(|(t, _)| *t).chain(e.not_claims.iter().copied()))
        .collect();
    let mut dice = Dice(7);
    for _ in 0..1_500 {
        let mut text = String::new();
        for _ in 0..=dice.roll(4) {
            let seed = seeds[dice.roll(seeds.len())];
            let (a, b) = (dice.roll(seed.len() + 1), dice.roll(seed.len() + 1));
            let (a, b) = (seed.floor_char_boundary(a.min(b)), seed.ceil_char_boundary(a.max(b)));
            text.push_str(&seed[a..b]);
            text.push_str(marks[dice.roll(marks.len())]);
        }
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let claims = extract(&text);
        assert_eq!(claims, extract(&text));
        for claim in claims {
            assert!(claim.line >= 1 && claim.line <= lines.max(1), "{text:?}: {claim:?}");
            assert!(claim.quote.lines().all(|l| text.contains(l.trim())), "{text:?}: {claim:?}");
        }
    }
}

#[test]
fn long_and_hostile_texts_are_read_to_the_end() {
    let seeds = [
        "All 142 tests pass. Next sentence here, which says nothing at all about it.\n",
        "tests pass tests pass ",
        "12 passed, ",
        "テスト12件すべて通過しました、",
        "((((((",
        "```` ` ",
        "\"'「『<a ",
        "if the tests, and lint, and the tests, ",
        "| tests | ",
        "1,111,111,111,",
    ];
    for seed in seeds {
        let text = seed.repeat((1 << 17) / seed.len());
        let half = &text[..text.floor_char_boundary(text.len() / 2)];
        // The work is counted in claims and survives; the clock is the bench's affair.
        assert!(extract(&text).len() >= extract(half).len(), "{seed}");
    }
}

#[test]
fn a_sentence_that_is_repeated_is_read_once_in_each_place() {
    let counts = |text: &str| extract(text).iter().map(|claim| (claim.line, claim.count)).collect::<Vec<_>>();
    let text = "All 3 tests pass.\n".repeat(200);
    // The first has no sentence before it that speaks of tests.
    assert_eq!(counts(&text), [(1, Some(3)), (2, Some(3))]);
    assert_eq!(counts("All 3 tests pass.\nAll 4 tests pass."), [(1, Some(3)), (2, Some(4))]);
    // In a plan it is no claim, and takes none away from the place where it is one.
    assert_eq!(counts("## Next\nAll 3 tests pass.\n## Done\nAll 3 tests pass."), [(4, Some(3))]);
}

#[test]
fn every_number_under_one_verb_is_claimed() {
    let counts = |text: &str| extract(text).iter().filter_map(|claim| claim.count).collect::<Vec<_>>();
    let claims = [
        "All 12 unit tests and 3 integration tests pass.",
        "12 unit and 3 integration tests pass.",
        "12 tests and 3 e2e tests passed.",
        "Both the 12 unit tests and the 3 e2e tests pass.",
        "12/12 unit and 3/3 e2e tests pass.",
        "ユニットテスト12件と結合テスト3件がすべて通過しました。",
        "单元测试12个和集成测试3个全部通过。",
        "유닛 테스트 12개와 통합 테스트 3개 모두 통과했습니다.",
    ];
    let wrong: Vec<_> =
        claims.into_iter().filter(|text| counts(text) != [12, 3]).map(|text| (text, counts(text))).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let together = |text: &str| extract(text).iter().map(|claim| claim.together).collect::<Vec<_>>();
    for text in ["9 unit and 3 integration tests pass.", "単体テスト9件と結合テスト3件が通過しました。"]
    {
        assert_eq!(together(text), [Some(12); 2], "{text}");
    }
    // Nobody says that no test is of both.
    assert_eq!(together("12 tests and 3 e2e tests passed."), [None; 2]);
    let alone = [
        "I added 12 unit tests and 3 integration tests pass.",
        "I fixed 12 bugs and 3 integration tests pass.",
        "テスト12件を追加し、結合テスト3件が通過しました。",
    ];
    let wrong: Vec<_> =
        alone.into_iter().filter(|text| counts(text) != [3]).map(|text| (text, counts(text))).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
