//! One entry of the ledger, as the program speaks of it.
//!
//! The words are near to in-toto's: `subject` is what was looked at, `payload` is the predicate, and the kind decides
//! its type.

use std::fmt;

use serde_json::Value;

use crate::digest::Digest;
use crate::output::Output;

/// What an entry records.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `kenshu init --write`.
    Init,
    /// `kenshu trust`: what the human pinned.
    Trust,
    /// A count.
    Count,
    /// An acceptance check.
    Check,
    /// A gate.
    Gate,
    /// A run of the base commit, kept so that it is made once.
    Base,
    /// `kenshu run` began its command.
    Begun,
    /// `kenshu run`.
    Run,
    /// `kenshu attach`.
    Attach,
    /// A finding that a human dismissed.
    Dismiss,
    /// Something a hook noted: a turn left unverified, an error of the gate.
    Hook,
    /// The ledger itself: a write was cut, and this accounts for what it left.
    Repaired,
    /// A kind of another version of the program.
    Other(String),
}

impl Kind {
    /// The word in the ledger.
    pub fn word(&self) -> &str {
        match self {
            Kind::Init => "init",
            Kind::Trust => "trust",
            Kind::Count => "count",
            Kind::Check => "check",
            Kind::Gate => "gate",
            Kind::Base => "base",
            Kind::Begun => "begun",
            Kind::Run => "run",
            Kind::Attach => "attach",
            Kind::Dismiss => "dismiss",
            Kind::Hook => "hook",
            Kind::Repaired => "repaired",
            Kind::Other(word) => word,
        }
    }

    /// The kind a word names.
    pub fn of(word: &str) -> Self {
        let known = [
            Kind::Init,
            Kind::Trust,
            Kind::Count,
            Kind::Check,
            Kind::Gate,
            Kind::Base,
            Kind::Begun,
            Kind::Run,
            Kind::Attach,
            Kind::Dismiss,
            Kind::Hook,
            Kind::Repaired,
        ];
        known.into_iter().find(|k| k.word() == word).unwrap_or_else(|| Kind::Other(word.to_owned()))
    }
}

/// Who caused an entry, as far as the environment shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A human: the command was typed at a terminal, and no agent's variables were set.
    HumanAtTerminal,
    /// A CI job.
    Ci,
    /// An agent: its variables were set.
    Agent,
    /// The environment shows none of them.
    Unknown,
}

impl Who {
    /// The word in the ledger.
    pub fn word(self) -> &'static str {
        match self {
            Who::HumanAtTerminal => "human at terminal",
            Who::Ci => "ci",
            Who::Agent => "agent",
            Who::Unknown => "unknown",
        }
    }

    /// Who a word names; a word of another version is `Unknown`.
    pub fn of(word: &str) -> Self {
        let all = [Who::HumanAtTerminal, Who::Ci, Who::Agent];
        all.into_iter().find(|w| w.word() == word).unwrap_or(Who::Unknown)
    }
}

/// Who, and under which name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Human, CI or agent.
    pub who: Who,
    /// The agent's or CI's name where the environment shows it: "claude-code", "github-actions".
    pub name: Option<String>,
}

/// What was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The project's id.
    pub project: String,
    /// Fingerprint of the tree as it lay there.
    pub tree: Option<String>,
    /// The commit.
    pub commit: Option<String>,
    /// Whether the tree differed from the commit; `None` without git.
    pub dirty: Option<bool>,
}

/// A file kept beside the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name when it was attached.
    pub name: String,
    /// Its digest: the file is found and checked by it.
    pub sha256: Digest,
    /// Its length.
    pub bytes: u64,
}

/// A time as it is written: RFC 3339 in UTC, "2026-03-01T12:00:00Z".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(String);

impl Time {
    /// Takes a time that the host read from its clock; `None` if it has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let shape = "0000-00-00T00:00:00";
        let (head, rest) = text.split_at_checked(shape.len())?;
        let fits =
            head.bytes().zip(shape.bytes()).all(|(c, s)| if s == b'0' { c.is_ascii_digit() } else { c == s });
        let fraction = rest.strip_suffix('Z')?;
        let fraction_fits = fraction.is_empty()
            || fraction
                .strip_prefix('.')
                .is_some_and(|f| !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit()));
        let part = |from: usize, to: usize| head.get(from..to).and_then(|p| p.parse::<u8>().ok());
        let in_range = matches!(
            (part(5, 7)?, part(8, 10)?, part(11, 13)?, part(14, 16)?, part(17, 19)?),
            (1..=12, 1..=31, 0..=23, 0..=59, 0..=60)
        );
        (fits && fraction_fits && in_range).then(|| Time(text.to_owned()))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An entry before it is written: the ledger adds number and digests.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// When.
    pub time: Time,
    /// What it records.
    pub kind: Kind,
    /// What was looked at.
    pub subject: Subject,
    /// Who caused it.
    pub actor: Actor,
    /// What is recorded: the JSON document of the command.
    pub payload: Value,
    /// The command's output, where there is one.
    pub output: Option<Output>,
    /// Files kept beside the ledger.
    pub attachments: Vec<Attachment>,
    /// How many of the [`HEADS`] kept copies of the head were found when this was written; `None`: written by a
    /// program that keeps none.
    pub heads: Option<u64>,
}

/// In how many places besides the ledger its head is kept.
pub const HEADS: u64 = 2;

/// An entry as it stands in the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its number, from 1.
    pub seq: u64,
    /// The digest of the entry before it; `None` in the first.
    pub prev: Option<Digest>,
    /// Its own digest.
    pub digest: Digest,
    /// What it says.
    pub draft: Draft,
}

impl Entry {
    /// The short name: the first 16 digits of the digest.
    pub fn id(&self) -> String {
        self.digest.short()
    }
}
