//! For people: at most six lines, evidence beside every number, no score.

use kenshu_model::check::{CheckVerdict, RulerChange, RulerReport};
use kenshu_model::note::Note;
use kenshu_model::{Case, CaseStatus, Count, Exit, Lang, Quote, Reason, Trusted};

use crate::layout::{Layout, Paint, width};
use crate::notes;
use crate::words::{self, Phrase};

/// The most lines an answer has: claimed, counted, up to three lines of evidence, verdict.
pub const LINES_MAX: usize = 6;

/// What stands in brackets behind the numbers.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Seconds the run took.
    pub seconds: Option<f64>,
    /// Short name of the tree that was tested.
    pub tree: Option<String>,
    /// Whether there was nothing to read.
    pub is_empty: bool,
}

/// The answer of `count`.
pub fn count(count: &Count, facts: &Facts, lang: Lang, layout: Layout) -> String {
    let verdict = words::outcome(count.outcome);
    let rows = Rows::new(lang, layout, &[&words::COUNTED, verdict]);
    let mut lines = vec![rows.row(&words::COUNTED, &counted(count, facts, lang), Paint::Dim)];
    lines.extend(evidence(count, &rows, LINES_MAX - 2));
    let paint = match count.outcome {
        kenshu_model::Outcome::Passed => Paint::Good,
        kenshu_model::Outcome::Failed => Paint::Bad,
        kenshu_model::Outcome::NothingRan
        | kenshu_model::Outcome::CouldNotRun
        | kenshu_model::Outcome::Unknown => Paint::Unsure,
    };
    let reasons: Vec<String> =
        count.reasons.iter().map(|reason| words::message(*reason, lang, None, None, count.exit)).collect();
    lines.push(rows.row(verdict, &reasons.join("; "), paint));
    lines.concat()
}

/// The answer of `check`.
pub fn check(verdict: &CheckVerdict, facts: &Facts, lang: Lang, layout: Layout) -> String {
    let (label, paint) = label_of(verdict.reason);
    let rows = Rows::new(lang, layout, &[&words::CLAIMED, &words::COUNTED, label]);
    let mut lines = Vec::new();
    let decided = verdict
        .claims
        .iter()
        .find(|judged| {
            judged.result.is_some()
                && judged.result == verdict.reason
                && judged.claim.count == verdict.claimed
        })
        .or_else(|| verdict.claims.iter().find(|judged| judged.claim.count == verdict.claimed))
        .or(verdict.claims.first());
    if let Some(judged) = decided {
        lines.push(rows.row(&words::CLAIMED, &judged.claim.quote, Paint::Dim));
    }
    if let Some(count) = &verdict.count {
        lines.push(rows.row(&words::COUNTED, &counted(count, facts, lang), Paint::Dim));
    }
    let mut beside: Vec<String> = Vec::new();
    // A number beside the claim that differs is said by the verdict itself.
    let note = decided.and_then(|judged| judged.note.as_ref());
    if let Some(note) = note.filter(|note| !matches!(note, Note::Beside { .. })) {
        beside.push(notes::text(note, lang));
    }
    if verdict.reason == Some(Reason::RulerChanged) {
        beside = ruler_lines(&verdict.ruler, lang);
    }
    if let (Some(Reason::ExitDisagrees), Some(count)) = (verdict.reason, &verdict.count) {
        // Numbers that say nothing of the failure are no evidence for it.
        let last = verdict.quotes.iter().filter(|quote| !count.quotes.contains(quote));
        beside.extend(last.map(|quote| format!("{}: {}", quote.line, quote.text.trim())));
    }
    beside.extend(
        verdict
            .hollow
            .iter()
            .filter(|_| verdict.reason == Some(Reason::HollowTests))
            .map(|hollow| format!("{}:{} {}", hollow.file, hollow.line, words::hollow(hollow.why, lang))),
    );
    let looks = verdict.failing_before.iter().chain(&verdict.flaky);
    beside.extend(looks.map(|look| format!("{}: {}", look.case.name, notes::text(&look.note, lang))));
    beside.extend(verdict.notes.iter().map(|note| notes::text(note, lang)));
    let room = LINES_MAX - 1 - lines.len();
    let mut under = shortened(&beside, room, lang).iter().map(|line| rows.under(line)).collect::<Vec<_>>();
    if let Some(count) = verdict.count.as_ref().filter(|_| under.len() < room) {
        under.extend(evidence(count, &rows, room - under.len()));
    }
    lines.extend(under);
    let exit = verdict.count.as_ref().and_then(|count| count.exit);
    let text = notes::verdict_message(verdict, lang).unwrap_or_else(|| lang.pick(&words::MATCHES).to_owned());
    let why = verdict
        .count
        .as_ref()
        .filter(|_| !matches!(verdict.reason, None | Some(Reason::CountMismatch | Reason::ExitDisagrees)))
        .and_then(|count| count.reasons.first())
        .filter(|reason| Some(**reason) != verdict.reason && **reason != Reason::OnlyFileLevel)
        // Where no command was found, none can be said to run no test.
        .filter(|_| !verdict.command.is_empty())
        .map(|reason| format!(": {}", words::message(*reason, lang, None, None, exit)))
        .unwrap_or_default();
    lines.push(rows.row(label, &format!("{text}{why}"), paint));
    lines.concat()
}

/// What narrows comes first, and the way out is always shown.
fn ruler_lines(ruler: &RulerReport, lang: Lang) -> Vec<String> {
    let (narrowing, others): (Vec<&RulerChange>, Vec<&RulerChange>) =
        ruler.changes.iter().partition(|change| change.narrowing);
    let lines: Vec<String> = narrowing
        .into_iter()
        .chain(others)
        .map(|change| {
            let place = change.file.as_ref().filter(|file| !change.what.contains(file.as_str()));
            let place = place.map(|file| format!("{file}: ")).unwrap_or_default();
            let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
            format!("{place}{}: {} → {}", change.what, side(&change.before), side(&change.after))
        })
        .collect();
    let mut lines = shortened(&lines, LINES_MAX - 3, lang);
    lines.extend(ruler.hash.as_ref().map(|hash| match ruler.trusted {
        Trusted::Pinned => lang.pick(&words::PIN_IT).to_owned(),
        Trusted::Base | Trusted::None => words::filled(&words::ACCEPT_IT, lang, &[hash]),
    }));
    lines
}

fn label_of(reason: Option<Reason>) -> (&'static Phrase, Paint) {
    match reason {
        None => (&words::OK, Paint::Good),
        Some(reason) => match reason.entry().exit {
            3 => (&words::NOT_VERIFIED, Paint::Unsure),
            4 => (&words::NOT_RUN, Paint::Unsure),
            _ => (&words::REJECTED, Paint::Bad),
        },
    }
}

/// `141 passed, 1 failed of 142   (vitest, exit 1, 6.2 s, tree 3f1c9e)`.
fn counted(count: &Count, facts: &Facts, lang: Lang) -> String {
    let mut brackets: Vec<String> = Vec::new();
    if !count.runners.is_empty() {
        brackets.push(count.runners.join(" + "));
    }
    match count.exit {
        Some(Exit::Code(code)) => brackets.push(format!("exit {code}")),
        Some(Exit::Signal(signal)) => brackets.push(format!("signal {signal}")),
        Some(Exit::TimedOut { after_s }) => brackets.push(format!("> {after_s} s")),
        None => {}
    }
    brackets.extend(facts.seconds.map(|seconds| format!("{seconds:.1} s")));
    brackets.extend(facts.tree.as_ref().map(|tree| format!("tree {tree}")));
    let numbers =
        if facts.is_empty { lang.pick(&words::EMPTY).to_owned() } else { words::tally(count, lang) };
    if brackets.is_empty() { numbers } else { format!("{numbers}   ({})", brackets.join(", ")) }
}

/// The failed tests, or the lines that the numbers were read from.
fn evidence(count: &Count, rows: &Rows, room: usize) -> Vec<String> {
    let failed: Vec<&Case> = count.cases.iter().filter(|case| case.status == CaseStatus::Failed).collect();
    let lines: Vec<String> = if failed.is_empty() {
        telling(count, room.min(3))
            .iter()
            .map(|quote| format!("{}: {}", quote.line, quote.text.trim()))
            .collect()
    } else {
        failed
            .iter()
            .map(|case| match (&case.file, &case.message) {
                (_, Some(message)) => format!("{}: {message}", case.name),
                (Some(file), None) if !case.name.contains(file.as_str()) => format!("{file} › {}", case.name),
                (Some(_) | None, None) => case.name.clone(),
            })
            .collect()
    };
    shortened(&lines, room.min(3), rows.lang).iter().map(|line| rows.under(line)).collect()
}

/// The quotes; where they are more than fit, those with the numbers that are not 0.
fn telling(count: &Count, room: usize) -> Vec<&Quote> {
    let all: Vec<&Quote> = count.quotes.iter().collect();
    if all.len() <= room {
        return all;
    }
    let numbers = [count.tally.passed, count.tally.failed, count.tally.errored, count.tally.load_errors];
    let numbers: Vec<String> =
        numbers.into_iter().flatten().filter(|number| *number > 0).map(|number| number.to_string()).collect();
    let holds = |quote: &&Quote| {
        quote
            .text
            .split(|symbol: char| !symbol.is_alphanumeric())
            .any(|word| numbers.iter().any(|number| number == word))
    };
    let telling: Vec<&Quote> = all.iter().copied().filter(holds).collect();
    if telling.is_empty() { all } else { telling }
}

/// At most `room` lines; where more there would be, the last says how many.
fn shortened(lines: &[String], room: usize, lang: Lang) -> Vec<String> {
    if lines.len() <= room {
        return lines.to_vec();
    }
    let Some(shown) = room.checked_sub(1) else { return Vec::new() };
    let mut kept = lines[..shown].to_vec();
    kept.push(words::with_number(&words::MORE, lang, (lines.len() - shown) as u64));
    kept
}

/// Rows whose labels share a column.
struct Rows {
    lang: Lang,
    layout: Layout,
    column: usize,
}

impl Rows {
    fn new(lang: Lang, layout: Layout, labels: &[&Phrase]) -> Rows {
        let widest = labels.iter().map(|label| width(lang.pick(label))).max().unwrap_or(0);
        Rows { lang, layout, column: (widest + 2).max(10) }
    }

    fn row(&self, label: &Phrase, text: &str, paint: Paint) -> String {
        self.layout.row(self.column, self.lang.pick(label), text, paint)
    }

    fn under(&self, text: &str) -> String {
        self.layout.row(self.column, "", text, Paint::Plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenshu_model::{Claim, ClaimScope, ClaimUnit, JudgedClaim, Note, Outcome, Tally};

    fn verdict() -> CheckVerdict {
        let claim =
            Claim::plain("テスト12件すべて通過しました。", Some(12), ClaimScope::All, ClaimUnit::Tests);
        let count = Count {
            outcome: Outcome::Passed,
            runners: vec!["node-test"],
            tally: Tally { file_level: Some(1), ..Tally::of(1, 0, 0) },
            files: None,
            exit: Some(Exit::Code(0)),
            reasons: vec![Reason::OnlyFileLevel],
            quotes: vec![Quote::new(4, "ℹ pass 1")],
            cases: kenshu_model::Cases::default(),
        };
        CheckVerdict {
            reason: Some(Reason::CountMismatch),
            claims: vec![JudgedClaim {
                claim,
                result: Some(Reason::CountMismatch),
                note: None,
                source: None,
            }],
            claimed: Some(12),
            measured: Some(1),
            count: Some(count),
            verify: Vec::new(),
            command: vec!["node".to_owned(), "--test".to_owned()],
            ruler: RulerReport {
                source: "package.json".to_owned(),
                trusted: Trusted::None,
                changes: Vec::new(),
                hash: None,
            },
            failing_before: Vec::new(),
            flaky: Vec::new(),
            hollow: Vec::new(),
            notes: Vec::new(),
            quotes: Vec::new(),
        }
    }

    #[track_caller]
    fn check_text(lang: Lang, expected: &str) {
        let layout = Layout { width: None, color: false };
        let facts = Facts { seconds: Some(0.21), ..Facts::default() };
        assert_eq!(check(&verdict(), &facts, lang, layout), expected);
    }

    #[test]
    fn the_seeds_incident_in_two_languages() {
        check_text(
            Lang::En,
            "claimed   テスト12件すべて通過しました。\n\
             counted   1 passed, 0 failed   of 1   (node-test, exit 0, 0.2 s)\n          4: ℹ pass 1\n\
             REJECTED  claimed 12, measured 1\n",
        );
        check_text(
            Lang::Ja,
            "申告      テスト12件すべて通過しました。\n\
             実測      合格1、失敗0   全1   (node-test, exit 0, 0.2 s)\n          4: ℹ pass 1\n\
             不合格    申告と実測の食い違い（申告12・実測1）\n",
        );
    }

    #[test]
    fn no_answer_has_more_than_six_lines() {
        let mut verdict = verdict();
        verdict.notes = (0..20).map(|number| Note::PassesAlone(number.to_string())).collect();
        let layout = Layout { width: Some(80), color: false };
        let text = check(&verdict, &Facts::default(), Lang::En, layout);
        assert_eq!(text.lines().count(), LINES_MAX, "{text}");
        assert!(text.contains("18 more"), "{text}");
    }
}
