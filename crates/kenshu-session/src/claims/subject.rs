//! The subject of an English claim: what stands left of the noun says which tests, and how many.

use kenshu_model::ClaimScope;

use crate::claims::en::{NEUTRAL, STOPS, WHOLE, count_may_follow};
use crate::claims::number::{parse, stands_alone};

/// Words of a subject that are looked at.
const LONGEST_SUBJECT: usize = 9;

/// What stands left of the noun.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) start: usize,
    pub(crate) count: Option<u64>,
    pub(crate) of: Option<u64>,
    pub(crate) scope: ClaimScope,
    /// The noun may be the object of a verb: "I added tests and the build passes".
    pub(crate) object: bool,
    /// Checks of a CI or a tool: no tests.
    pub(crate) foreign_checks: bool,
}

/// What the words left of the noun say, gathered from the noun backwards.
#[derive(Debug, Default)]
struct Said {
    all: bool,
    part: bool,
    whole: bool,
    /// A word was met that a number before it would count instead of the tests.
    thing: bool,
}

/// Reads the subject of which `text` is everything left of its noun.
pub(crate) fn left_of(text: &str) -> Left {
    let mut left = Left {
        start: text.len(),
        count: None,
        of: None,
        scope: ClaimScope::Unspecified,
        object: false,
        foreign_checks: false,
    };
    let mut said = Said::default();
    let mut end = text.len();
    for _ in 0..LONGEST_SUBJECT {
        let trimmed = text[..end].trim_end();
        let start = trimmed.rfind([' ', '(', '|']).map_or(0, |i| i + 1);
        let word = &trimmed[start..];
        if word.is_empty() {
            break;
        }
        if word.ends_with([',', ';', ':', '—', '.', '✅', ')']) || STOPS.contains(&word) {
            left.object = (word == "and" && !said.part) || trimmed.split(' ').any(is_act);
            // "unit and integration tests": one subject.
            if word == "and" && said.part {
                end = start;
                continue;
            }
            break;
        }
        left.start = start;
        if let Some((count, of)) = ratio(word) {
            if stands_alone(text, start, start + word.len()) && !said.thing {
                take_number(text, start, count, of, &mut left);
            }
            said.before_number(&text[..start]);
            break;
        }
        if said.word(word, &mut left) {
            break;
        }
        end = start;
    }
    left.scope = match (said.part, said.all || said.whole) {
        (true, _) => ClaimScope::Subset,
        (false, true) => ClaimScope::All,
        (false, false) => ClaimScope::Unspecified,
    };
    left
}

impl Said {
    /// Takes in one word; true where the subject begins with it.
    fn word(&mut self, word: &str, left: &mut Left) -> bool {
        match word {
            "all" | "every" | "each" | "100%" => self.all = true,
            "these" | "those" | "both" | "this" | "that" | "a" | "an" | "any" => self.part = true,
            _ => {
                if WHOLE.contains(&word) {
                    self.whole = true;
                } else if !NEUTRAL.contains(&word) {
                    left.foreign_checks |= !self.part && FOREIGN.contains(&word);
                    self.thing |= THINGS.contains(&word);
                    self.part = true;
                }
                return false;
            }
        }
        true
    }

    /// What the words before the number say of it: "all 12", "these 12", "added 12".
    fn before_number(&mut self, before: &str) {
        let before = before.trim_end();
        self.all |= before.ends_with("all") || before.ends_with("all the") || before.ends_with("all of the");
        let word = before.rsplit(' ').next().unwrap_or("");
        self.part |= ["these", "those", "new"].contains(&word) || MAKES.contains(&word);
    }
}

/// Takes "12", "12/12", and the "11 of" before a "12".
fn take_number(text: &str, at: usize, count: u64, of: Option<u64>, left: &mut Left) {
    let before = text[..at].trim_end();
    let before =
        before.strip_suffix("the").or_else(|| before.strip_suffix("all")).map_or(before, str::trim_end);
    let whole_of = before.strip_suffix(" out of").or_else(|| before.strip_suffix(" of"));
    if let Some(rest) = whole_of {
        let word = rest.rsplit([' ', '(', '|']).next().unwrap_or("");
        if let Some(passed) = parse(word) {
            (left.count, left.of) = (Some(passed), Some(count));
            return;
        }
        if word != "all" {
            return;
        }
    }
    if of.is_some() || count_may_follow(&text[..at]) {
        (left.count, left.of) = (Some(count), of);
    }
}

fn ratio(word: &str) -> Option<(u64, Option<u64>)> {
    let word = word.trim_start_matches(['(', '|']);
    match word.split_once('/') {
        Some((n, of)) => Some((parse(n)?, Some(parse(of)?))),
        None => Some((parse(word)?, None)),
    }
}

/// Nouns between a number and "tests": the number counts them, not the tests ("3 files and tests").
const THINGS: &[&str] = &[
    "files",
    "suites",
    "changes",
    "fixes",
    "bugs",
    "modules",
    "packages",
    "commits",
    "issues",
    "features",
    "functions",
    "errors",
];
/// Checks that are no tests.
const FOREIGN: &[&str] = &[
    "ci",
    "actions",
    "github",
    "external",
    "status",
    "type",
    "lint",
    "diff",
    "pr",
    "format",
    "formatter",
    "style",
    "security",
    "health",
    "mapping",
];
/// Verbs whose object is new: "added 7 tests" speaks of these 7.
const MAKES: &[&str] = &[
    "add", "added", "adds", "adding", "wrote", "write", "writes", "writing", "created", "create", "updated",
    "update", "includes", "include", "fixed",
];
/// Verbs that may have tests as their object without saying that these passed.
const HANDLES: &[&str] = &["removed", "remove", "moved", "ran", "run", "runs", "running", "has", "have"];

fn is_act(word: &str) -> bool {
    MAKES.contains(&word) || HANDLES.contains(&word)
}
