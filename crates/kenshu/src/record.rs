//! What is kept for a project under `KENSHU_HOME`: the ledger, the pin, attached files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kenshu_gate::check::Done;
use kenshu_gate::kept::KeptV1;
use kenshu_gate::pin::PinV1;
use kenshu_host::project::Project;
use kenshu_host::terminal::{Stream, is_terminal};
use kenshu_host::tree::Fingerprint;
use kenshu_host::{clock, files};
use kenshu_ledger::{Actor, Attachment, Digest, Draft, Entry, Kind, Output, Subject, Time, Who};
use kenshu_model::words::doing;
use kenshu_model::{Count, Message};
use kenshu_report::json;
use kenshu_report::words::commands as words;
use serde_json::{Value, json};

use crate::evidence::{Evidence, Write};
use crate::wiring::{Failure, World};

/// A project's folder of evidence.
#[derive(Debug)]
pub(crate) struct Record {
    project: String,
    commit: Option<String>,
    evidence: Evidence,
    pin: PathBuf,
    attached: PathBuf,
}

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Ended<'a> {
    /// The command.
    pub(crate) argv: &'a [String],
    /// The entry that says that it began.
    pub(crate) begun: &'a str,
    /// What was counted.
    pub(crate) count: &'a Count,
    /// What it printed.
    pub(crate) output: &'a [u8],
    /// How long it took.
    pub(crate) duration: Duration,
    /// The tree when it began.
    pub(crate) tree: Option<&'a Fingerprint>,
}

impl Record {
    /// The record of `project`. Nothing is written yet.
    pub(crate) fn open(world: &World, project: &Project) -> Result<Record, Failure> {
        let home = world.home()?;
        let id = project.id()?;
        // Not every file system takes a colon in a name.
        let name = id.replace(':', "-");
        Ok(Record {
            commit: project.git.as_ref().and_then(|git| git.head().ok().flatten()),
            evidence: Evidence::of(&home, &name),
            pin: home.join("trust").join(format!("{name}.json")),
            attached: home.join("attached"),
            project: id,
        })
    }

    /// The ledger.
    pub(crate) fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// What the human pinned.
    pub(crate) fn pin(&self) -> Result<Option<PinV1>, Failure> {
        let Some(bytes) = files::read_if_there(&self.pin, &doing::READ_PIN, 16 << 20)? else {
            return Ok(None);
        };
        let broken =
            |why: String| Failure::usage(Message::new(&words::BROKEN_PIN, [&self.pin.display(), &why]));
        let text = String::from_utf8(bytes).map_err(|error| broken(error.to_string()))?;
        PinV1::parse(&text).map(Some).map_err(broken)
    }

    /// Writes a pin and its entry.
    pub(crate) fn trust(&self, pin: &PinV1, world: &World) -> Result<String, Failure> {
        let text = pin.to_text();
        if let Some(folder) = self.pin.parent() {
            files::create_dirs(folder, &doing::MAKE_PIN_FOLDER)?;
        }
        files::write(&self.pin, text.as_bytes(), &doing::WRITE_PIN)?;
        let payload = serde_json::from_str(&text).unwrap_or(Value::Null);
        self.append(self.draft(Kind::Trust, payload, None, world))
    }

    /// Records a check.
    pub(crate) fn check(&self, done: &Done, world: &World) -> Result<Option<String>, Failure> {
        if done.runs.is_empty() {
            return Ok(None);
        }
        let text = json::check(&done.verdict, world.lang, done.tree.as_deref(), done.base.as_deref(), None);
        let payload = serde_json::from_str(&text).unwrap_or(Value::Null);
        let mut draft = self.draft(Kind::Check, payload, done.tree.clone(), world);
        let output: Vec<u8> = done.runs.iter().flat_map(|run| run.output.iter().copied()).collect();
        draft.output = Some(Output::of(&output));
        self.append(draft).map(Some)
    }

    /// Records that a run begins: it may be killed, and Kenshu with it.
    pub(crate) fn begun(
        &self,
        argv: &[String],
        tree: Option<&Fingerprint>,
        world: &World,
    ) -> Result<String, Failure> {
        let payload = json!({ "command": argv });
        let draft = self.draft(Kind::Begun, payload, tree.map(|tree| tree.hash.clone()), world);
        self.evidence.append(draft, Write::Soon)
    }

    /// Records a run that has ended.
    pub(crate) fn run(&self, run: &Ended<'_>, world: &World) -> Result<String, Failure> {
        let payload = json!({
            "command": run.argv,
            "begun": run.begun,
            "seconds": run.duration.as_secs_f64(),
            "count": Value::Object(json::count_fields(run.count)),
        });
        let mut draft = self.draft(Kind::Run, payload, run.tree.map(|tree| tree.hash.clone()), world);
        draft.output = Some(Output::of(run.output));
        self.append(draft)
    }

    /// Keeps a file, named by its digest, and records what it shows.
    pub(crate) fn attach(
        &self,
        path: &Path,
        says: &str,
        bytes: &[u8],
        world: &World,
    ) -> Result<String, Failure> {
        let digest = Digest::of(bytes);
        files::create_dirs(&self.attached, &doing::MAKE_ATTACHED_FOLDER)?;
        files::write(&self.attached.join(digest.to_string()), bytes, &doing::KEEP_ATTACHMENT)?;
        let name =
            path.file_name().map_or_else(|| "file".to_owned(), |name| name.to_string_lossy().into_owned());
        let mut draft = self.draft(Kind::Attach, json!({ "says": says, "file": name }), None, world);
        draft.attachments = vec![Attachment { name, sha256: digest, bytes: bytes.len() as u64 }];
        self.append(draft)
    }

    /// A run at a commit that was kept.
    pub(crate) fn base_run(&self, commit: &str, key: &str) -> Option<Count> {
        let entries = self.entries().ok()?;
        let kept = entries.iter().rev().find(|entry| {
            entry.draft.kind == Kind::Base
                && entry.draft.payload["commit"] == commit
                && entry.draft.payload["command"] == key
        })?;
        serde_json::from_value::<KeptV1>(kept.draft.payload["run"].clone()).ok()?.count()
    }

    /// Keeps a run at a commit.
    pub(crate) fn keep_base_run(
        &self,
        commit: &str,
        key: &str,
        count: &Count,
        world: &World,
    ) -> Result<String, Failure> {
        let run = serde_json::to_value(KeptV1::new(count)).unwrap_or(Value::Null);
        let payload = json!({ "commit": commit, "command": key, "run": run });
        let mut draft = self.draft(Kind::Base, payload, None, world);
        draft.subject.commit = Some(commit.to_owned());
        self.append(draft)
    }

    /// One line about the newest check or run of exactly this tree.
    pub(crate) fn newest_for_tree(&self, tree: &str, world: &World) -> Result<Option<String>, Failure> {
        let entries = self.entries()?;
        let newest = entries.iter().rev().find(|entry| {
            matches!(entry.draft.kind, Kind::Check | Kind::Run)
                && entry.draft.subject.tree.as_deref() == Some(tree)
        });
        Ok(newest.map(|entry| summary(entry, world)))
    }

    /// The entries that can be read. That a run began is left out where its end is there.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let mut entries = kenshu_ledger::parse(&self.evidence.bytes()?).0;
        let begun = |entry: &Entry| entry.draft.payload["begun"].as_str().map(str::to_owned);
        let ended: BTreeSet<String> = entries.iter().filter_map(begun).collect();
        entries.retain(|entry| entry.draft.kind != Kind::Begun || !ended.contains(&entry.id()));
        Ok(entries)
    }

    fn draft(&self, kind: Kind, payload: Value, tree: Option<String>, world: &World) -> Draft {
        Draft {
            time: now(),
            kind,
            subject: Subject {
                project: self.project.clone(),
                tree,
                commit: self.commit.clone(),
                dirty: None,
            },
            actor: actor(world),
            payload,
            output: None,
            attachments: Vec::new(),
            heads: None,
        }
    }

    fn append(&self, draft: Draft) -> Result<String, Failure> {
        self.evidence.append(draft, Write::Through)
    }
}

fn now() -> Time {
    let text = clock::now();
    // The host writes this very form; the first moment of 1970 would be a visible mistake, not a silent one.
    Time::parse(&text)
        .or_else(|| Time::parse("1970-01-01T00:00:00Z"))
        .unwrap_or_else(|| unreachable!("a fixed time"))
}

fn actor(world: &World) -> Actor {
    if let Some((agent, _)) = world.environment.agent() {
        return Actor { who: Who::Agent, name: Some(agent.to_owned()) };
    }
    if world.environment.get("CI").is_some() {
        let name = world.environment.get("GITHUB_ACTIONS").map(|_| "github-actions".to_owned());
        return Actor { who: Who::Ci, name };
    }
    if is_terminal(Stream::Stdin) {
        return Actor { who: Who::HumanAtTerminal, name: None };
    }
    Actor { who: Who::Unknown, name: None }
}

/// `2026-03-01T12:00:00Z  check  accepted  12 passed`.
pub(crate) fn summary(entry: &Entry, world: &World) -> String {
    let payload = &entry.draft.payload;
    let what = match &entry.draft.kind {
        Kind::Check => {
            let verdict = payload["reason"].as_str().unwrap_or("accepted");
            format!("{verdict}, {} passed", number(&payload["measured"]))
        }
        Kind::Begun => world.words(&words::NO_END, [&command(payload)]),
        Kind::Run => {
            let count = &payload["count"];
            let outcome = count["outcome"].as_str().unwrap_or("unknown");
            let mut facts = vec![outcome.to_owned()];
            let has_numbers = count["passed"].is_u64() || count["failed"].is_u64();
            // A linter has no numbers; its status is what it said.
            if has_numbers {
                facts.push(format!("{} passed", number(&count["passed"])));
                facts.push(format!("{} failed", number(&count["failed"])));
            } else {
                facts.extend(count["exit"]["code"].as_i64().map(|code| format!("exit {code}")));
                facts.extend(count["exit"]["signal"].as_i64().map(|signal| format!("signal {signal}")));
            }
            format!("{}: {}", facts.join(", "), command(payload))
        }
        Kind::Attach => format!(
            "{}: {}",
            payload["file"].as_str().unwrap_or("?"),
            payload["says"].as_str().unwrap_or("?")
        ),
        Kind::Base => world.words(&words::AT_COMMIT, [&payload["commit"].as_str().unwrap_or("?")]),
        Kind::Trust => world.words(&words::PINNED_BY, [&payload["who"].as_str().unwrap_or("?")]),
        Kind::Init
        | Kind::Count
        | Kind::Gate
        | Kind::Dismiss
        | Kind::Hook
        | Kind::Repaired
        | Kind::Other(_) => String::new(),
    };
    let line = format!("{}  {}  {:<8} {what}", entry.id(), entry.draft.time, entry.draft.kind.word());
    line.trim_end().to_owned()
}

fn command(payload: &Value) -> String {
    let words = payload["command"].as_array().into_iter().flatten().filter_map(Value::as_str);
    words.collect::<Vec<_>>().join(" ")
}

fn number(value: &Value) -> String {
    value.as_u64().map_or_else(|| "?".to_owned(), |number| number.to_string())
}
