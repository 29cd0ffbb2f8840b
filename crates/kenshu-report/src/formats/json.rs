//! `--json`: the shapes of `docs/contract.md`, field by field.

use kenshu_model::check::{CheckVerdict, RulerChange, RulerReport, SecondLook};
use kenshu_model::{Case, CaseStatus, Count, Exit, HollowTest, JudgedClaim, Lang, Quote};
use serde_json::{Map, Value, json};

use crate::notes;

/// `kenshu/count/1`. `base`: the commit counted too, with its count or why there is none.
pub fn count(count: &Count, base: Option<(&str, Result<&Count, String>)>) -> String {
    let mut fields = Map::new();
    fields.insert("schema".to_owned(), json!("kenshu/count/1"));
    fields.extend(count_fields(count));
    if let Some((commit, counted)) = base {
        let value = match counted {
            Ok(count) => json!({ "commit": commit, "count": Value::Object(count_fields(count)) }),
            Err(why) => json!({ "commit": commit, "count": null, "why": why }),
        };
        fields.insert("base".to_owned(), value);
    }
    finish(Value::Object(fields))
}

/// `kenshu/check/1`. `tree`, `base` and `ledger` are the fingerprint, the base commit and the ledger entry's id.
pub fn check(
    verdict: &CheckVerdict,
    lang: Lang,
    tree: Option<&str>,
    base: Option<&str>,
    ledger: Option<&str>,
) -> String {
    let message = notes::verdict_message(verdict, lang);
    finish(json!({
        "schema": "kenshu/check/1",
        "accepted": verdict.reason.is_none(),
        "reason": verdict.reason.map(kenshu_model::Reason::word),
        "message": message,
        "claims": verdict.claims.iter().map(|judged| claim_value(judged, lang)).collect::<Vec<_>>(),
        "claimed": verdict.claimed,
        "measured": verdict.measured,
        "count": verdict.count.as_ref().map(|count| Value::Object(count_fields(count))),
        "verify": verdict.verify.iter().map(|verify| {
            let mut fields = Map::new();
            fields.insert("name".to_owned(), json!(verify.name));
            fields.insert("command".to_owned(), json!(verify.command));
            fields.extend(count_fields(&verify.count));
            Value::Object(fields)
        }).collect::<Vec<_>>(),
        "command": verdict.command,
        "ruler": ruler_value(&verdict.ruler),
        "failing_before": verdict.failing_before.iter().map(|look| look_value(look, lang)).collect::<Vec<_>>(),
        "flaky": verdict.flaky.iter().map(|look| look_value(look, lang)).collect::<Vec<_>>(),
        "hollow": verdict.hollow.iter().map(hollow_value).collect::<Vec<_>>(),
        "stubs": [],
        "notes": verdict.notes.iter().map(|note| notes::text(note, lang)).collect::<Vec<_>>(),
        "quotes": verdict.quotes.iter().map(quote_value).collect::<Vec<_>>(),
        "tree": tree,
        "base": base,
        "ledger": ledger,
    }))
}

fn finish(value: Value) -> String {
    let mut text = value.to_string();
    text.push('\n');
    text
}

/// The fields of a count, without the schema; the ledger keeps them too.
pub fn count_fields(count: &Count) -> Map<String, Value> {
    let tally = &count.tally;
    let value = json!({
        "outcome": count.outcome.word(),
        "runner": count.runners.first(),
        "runners": count.runners,
        "passed": tally.passed,
        "failed": tally.failed,
        "errored": tally.errored,
        "load_errors": tally.load_errors,
        "skipped": tally.skipped,
        "todo": tally.todo,
        "expected_failures": tally.expected_failures,
        "unexpected_passes": tally.unexpected_passes,
        "flaky": tally.flaky,
        "cached": tally.cached,
        "ran": tally.ran(),
        "total": tally.total(),
        "file_level": tally.file_level,
        "files": count.files.map(|files| json!({
            "passed": files.passed, "failed": files.failed, "total": files.total,
        })),
        "exit": count.exit.map(exit_value),
        "reasons": count.reasons.iter().map(|reason| reason.word()).collect::<Vec<_>>(),
        "quotes": count.quotes.iter().map(quote_value).collect::<Vec<_>>(),
        "failing": count.cases.iter().filter(|case| case.status == CaseStatus::Failed).map(case_value).collect::<Vec<_>>(),
    });
    match value {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

fn exit_value(exit: Exit) -> Value {
    match exit {
        Exit::Code(code) => json!({ "code": code }),
        Exit::Signal(signal) => json!({ "signal": signal }),
        Exit::TimedOut { after_s } => json!({ "timed_out_after_s": after_s }),
    }
}

fn quote_value(quote: &Quote) -> Value {
    json!({ "line": quote.line, "text": quote.text })
}

fn case_value(case: &Case) -> Value {
    json!({ "name": case.name, "file": case.file, "message": case.message })
}

fn claim_value(judged: &JudgedClaim, lang: Lang) -> Value {
    let claim = &judged.claim;
    json!({
        "quote": claim.quote,
        "count": claim.count,
        "scope": claim.scope.word(),
        "unit": claim.unit.word(),
        "added": claim.added,
        "strength": claim.strength.word(),
        "result": judged.result.map_or("accepted", kenshu_model::Reason::word),
        "note": judged.note.as_ref().map(|note| notes::text(note, lang)),
        "source": judged.source.as_ref().map(|path| json!({ "path": path, "line": claim.line })),
    })
}

fn ruler_value(ruler: &RulerReport) -> Value {
    json!({
        "source": ruler.source,
        "trusted": ruler.trusted.word(),
        "changes": ruler.changes.iter().map(ruler_change).collect::<Vec<_>>(),
        "hash": ruler.hash,
    })
}

/// One difference of a ruler.
pub fn ruler_change(change: &RulerChange) -> Value {
    json!({
        "what": change.what,
        "file": change.file,
        "before": change.before,
        "after": change.after,
        "narrowing": change.narrowing,
    })
}

fn look_value(look: &SecondLook, lang: Lang) -> Value {
    let note = notes::text(&look.note, lang);
    json!({ "name": look.case.name, "file": look.case.file, "message": look.case.message, "note": note })
}

fn hollow_value(hollow: &HollowTest) -> Value {
    json!({ "file": hollow.file, "line": hollow.line, "test": hollow.test, "why": hollow.why })
}
