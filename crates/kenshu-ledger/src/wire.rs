//! The written form, version 1. Field order is part of the form; fields are added at the end, before `prev`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;
use crate::entry::{Actor, Attachment, Draft, Entry, Kind, Subject, Time, Who};
use crate::output::Output;

/// What stands before the digits of a line's digest.
const DIGEST_FIELD: &str = ",\"digest\":\"";
/// A line ends in the field's name, 64 digits and these two.
const LINE_END: &str = "\"}";

/// An entry without its digest: exactly the bytes that are hashed.
#[derive(Debug, Serialize, Deserialize)]
pub struct EntryV1 {
    /// The version: 1.
    pub v: u32,
    /// The entry's number, from 1.
    pub seq: u64,
    /// RFC 3339 in UTC.
    pub time: String,
    /// The kind's word.
    pub kind: String,
    /// What was looked at.
    pub subject: SubjectV1,
    /// Who caused it.
    pub actor: ActorV1,
    /// The document.
    pub payload: Value,
    /// The output, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputV1>,
    /// Files by their digest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<AttachmentV1>,
    /// How many kept copies of the head were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heads: Option<u64>,
    /// The digest of the entry before; `null` in the first.
    pub prev: Option<String>,
}

/// What was looked at.
#[derive(Debug, Serialize, Deserialize)]
pub struct SubjectV1 {
    /// The project's id.
    pub project: String,
    /// The tree's fingerprint.
    pub tree: Option<String>,
    /// The commit.
    pub commit: Option<String>,
    /// Whether the tree differed from it.
    pub dirty: Option<bool>,
}

/// Who caused it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ActorV1 {
    /// "human at terminal", "ci", "agent", "unknown".
    pub who: String,
    /// Its name, where the environment shows one.
    pub name: Option<String>,
}

/// A command's output.
#[derive(Debug, Serialize, Deserialize)]
pub struct OutputV1 {
    /// Length.
    pub bytes: u64,
    /// Digest of all of it.
    pub sha256: String,
    /// Its last lines.
    pub tail: String,
}

/// A file kept beside the ledger.
#[derive(Debug, Serialize, Deserialize)]
pub struct AttachmentV1 {
    /// Its name.
    pub name: String,
    /// Its digest.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
}

/// What every version has: enough to check the chain.
#[derive(Debug, Deserialize)]
pub(crate) struct Link {
    pub(crate) v: u32,
    pub(crate) seq: u64,
    pub(crate) prev: Option<String>,
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) heads: Option<u64>,
    #[serde(default)]
    pub(crate) payload: Value,
}

/// One line, taken apart into what is hashed and what the digest is said to be.
#[derive(Debug)]
pub(crate) struct Line {
    /// The object without its digest.
    pub(crate) body: String,
    /// The digest that the line states.
    pub(crate) stated: Digest,
}

impl Line {
    /// Takes a line apart; `None` if it does not end as a whole entry does.
    pub(crate) fn of(line: &[u8]) -> Option<Line> {
        let text = std::str::from_utf8(line).ok()?;
        let front = text.strip_suffix(LINE_END)?;
        let at = front.len().checked_sub(64)?;
        let stated = Digest::parse(front.get(at..)?)?;
        let body = front.get(..at)?.strip_suffix(DIGEST_FIELD)?;
        Some(Line { body: format!("{body}}}"), stated })
    }

    pub(crate) fn computed(&self) -> Digest {
        Digest::of(self.body.as_bytes())
    }

    pub(crate) fn link(&self) -> Option<Link> {
        serde_json::from_str(&self.body).ok()
    }
}

/// Writes one entry as a line without its newline.
pub(crate) fn write(draft: &Draft, seq: u64, prev: Option<Digest>) -> (String, Digest) {
    let entry = EntryV1 {
        v: 1,
        seq,
        time: draft.time.as_str().to_owned(),
        kind: draft.kind.word().to_owned(),
        subject: SubjectV1 {
            project: draft.subject.project.clone(),
            tree: draft.subject.tree.clone(),
            commit: draft.subject.commit.clone(),
            dirty: draft.subject.dirty,
        },
        actor: ActorV1 { who: draft.actor.who.word().to_owned(), name: draft.actor.name.clone() },
        payload: draft.payload.clone(),
        output: draft.output.as_ref().map(|o| OutputV1 {
            bytes: o.bytes,
            sha256: o.sha256.to_string(),
            tail: o.tail.clone(),
        }),
        attachments: draft
            .attachments
            .iter()
            .map(|a| AttachmentV1 { name: a.name.clone(), sha256: a.sha256.to_string(), bytes: a.bytes })
            .collect(),
        heads: draft.heads,
        prev: prev.map(|d| d.to_string()),
    };
    let mut line = serde_json::to_string(&entry)
        .expect("strings, numbers and JSON values with string keys always have a JSON form");
    let digest = Digest::of(line.as_bytes());
    line.pop();
    line.push_str(DIGEST_FIELD);
    line.push_str(&digest.to_string());
    line.push_str(LINE_END);
    (line, digest)
}

/// Reads the body of a version 1 line. The error says which field is not as it should be.
pub(crate) fn read(line: &Line) -> Result<Entry, String> {
    let entry: EntryV1 = serde_json::from_str(&line.body).map_err(|e| e.to_string())?;
    let digest = |text: &str, field: &str| {
        Digest::parse(text).ok_or_else(|| format!("`{field}` is no SHA-256 digest in 64 lower-case digits"))
    };
    let output = match entry.output {
        Some(o) => Some(Output { bytes: o.bytes, sha256: digest(&o.sha256, "output.sha256")?, tail: o.tail }),
        None => None,
    };
    let mut attachments = Vec::with_capacity(entry.attachments.len());
    for a in entry.attachments {
        let sha256 = digest(&a.sha256, "attachments.sha256")?;
        attachments.push(Attachment { name: a.name, sha256, bytes: a.bytes });
    }
    let SubjectV1 { project, tree, commit, dirty } = entry.subject;
    Ok(Entry {
        seq: entry.seq,
        prev: match entry.prev {
            Some(prev) => Some(digest(&prev, "prev")?),
            None => None,
        },
        digest: line.stated,
        draft: Draft {
            time: Time::parse(&entry.time).ok_or("`time` is no RFC 3339 time in UTC")?,
            kind: Kind::of(&entry.kind),
            subject: Subject { project, tree, commit, dirty },
            actor: Actor { who: Who::of(&entry.actor.who), name: entry.actor.name },
            payload: entry.payload,
            output,
            attachments,
            heads: entry.heads,
        },
    })
}
