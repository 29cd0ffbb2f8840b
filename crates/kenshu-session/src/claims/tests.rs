//! The languages' examples, the hand-labelled sentences, and what no input may do.

#![expect(clippy::disallowed_methods, reason = "the hand-labelled sentences are read from disk")]

use kenshu_model::Strength;

use crate::claims::language::{Examples, Want};
use crate::claims::{en, extract, ja, ko, zh};

fn all() -> [&'static Examples; 4] {
    [&en::EXAMPLES, &ja::EXAMPLES, &ko::EXAMPLES, &zh::EXAMPLES]
}

fn said(text: &str) -> Vec<Want> {
    extract(text)
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
fn every_example_is_read_as_it_says() {
    let mut wrong = Vec::new();
    for examples in all() {
        for (text, wanted) in examples.claims {
            let got = said(text);
            if got != *wanted {
                wrong.push(format!("{}: {text}\n  want {wanted:?}\n  got  {got:?}", examples.name));
            }
        }
        for text in examples.not_claims {
            let got = said(text);
            if !got.is_empty() {
                wrong.push(format!("{}: no claim: {text}\n  got  {got:?}", examples.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} examples:\n{}", wrong.len(), wrong.join("\n"));
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
        let elsewhere = table.lines().any(|row| row.contains(&quote) && row.contains("\ttests\tyes\t"));
        if *kind != "tests" || *certainty == "low" {
            if *is_claim == "no" && !claims.is_empty() && !elsewhere {
                score.accused.push(format!("{line}: {quote}"));
            }
            continue;
        }
        if *is_claim == "no" {
            score.none += 1;
            if !claims.is_empty() && !elsewhere {
                score.accused.push(format!("{line}: {quote}"));
            }
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
