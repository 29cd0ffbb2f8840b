//! `kenshu check`: a claim against a run of the project's own test command.

use std::borrow::Cow;
use std::path::Path;

use kenshu_gate::check::{Company, Done, Setting, check};
use kenshu_gate::compare::Rule;
use kenshu_gate::config::Config;
use kenshu_gate::judge::Claimed;
use kenshu_gate::measure::Plan;
use kenshu_host::files;
use kenshu_host::process::Progress;
use kenshu_host::project::Project;
use kenshu_model::words::doing;
use kenshu_model::{Claim, ClaimScope, ClaimUnit, Count, Note, Reason};
use kenshu_report::terminal::Facts;
use kenshu_report::words::commands as words;
use kenshu_report::{json, terminal};
use kenshu_session::claims;

use crate::args::CheckArgs;
use crate::exit;
use crate::record::Record;
use crate::wiring::{Answer, Failure, Live, World, duration};

/// Checks and prints.
pub(crate) fn run(world: &World, args: &CheckArgs) -> Answer {
    let (project, config, record, claimed) = prepared(world, args)?;
    let pin = record.pin()?;
    let time_limit = args.timeout.as_deref().map(|text| duration("--timeout", text)).transpose()?;
    let setting = Setting {
        project: &project,
        config: &config,
        environment: &world.environment,
        argv: &args.argv,
        claimed,
        time_limit,
        base: args.base.as_deref(),
        ruler_from: args.ruler_from.as_deref(),
        accept_ruler: args.accept_ruler.as_deref(),
        all: args.all,
        fresh: args.fresh,
        pin: pin.as_ref(),
    };
    let mut company = Listener { world, live: None, record: &record };
    let mut done = check(&setting, &mut company)?;
    company.finish();
    if done.verdict.reason == Some(Reason::NoClaim) {
        done.verdict.notes.push(Note::SayTheClaim);
    }
    // The verdict stands whether or not it can be written down.
    let entry = record.check(&done, world).unwrap_or_else(|failure| {
        world.not_recorded(&failure);
        None
    });
    print(world, &done, entry.as_deref());
    Ok(exit::of_check(done.verdict.reason))
}

fn print(world: &World, done: &Done, entry: Option<&str>) {
    let text = if world.global.json {
        json::check(&done.verdict, world.lang, done.tree.as_deref(), done.base.as_deref(), entry)
    } else {
        let facts = Facts {
            seconds: done.runs.first().map(|_| done.runs.iter().map(|run| run.seconds).sum()),
            tree: done.tree.as_ref().map(|tree| tree[..tree.len().min(7)].to_owned()),
            is_empty: !done.runs.is_empty() && done.runs.iter().all(|run| run.output.trim_ascii().is_empty()),
        };
        terminal::check(&done.verdict, &facts, world.lang, world.layout())
    };
    world.print(&text);
}

/// What is needed before anything is judged. Making the patterns of claims ready takes about as long as git takes to
/// answer, so neither waits for the other.
fn prepared(world: &World, args: &CheckArgs) -> Result<(Project, Config, Record, Claimed), Failure> {
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| claims_of(args));
        let project = world.project()?;
        let config = world.config(&project)?;
        let record = Record::open(world, &project)?;
        let claims = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let by_number = args.claimed.is_some();
        let needs_count =
            args.require_count || config.test.require_count || by_number || args.report.is_some();
        let rule = if args.strict || by_number { Rule::PassedOnly } else { Rule::Explained };
        Ok((project, config, record, Claimed { claims, needs_count, rule }))
    })
}

/// The claims with where they stand: a sentence, a number, or a report. Only claims and numbers are read, never
/// commands.
fn claims_of(args: &CheckArgs) -> Result<Vec<(Claim, Option<String>)>, Failure> {
    if let Some(number) = &args.claimed {
        let count = number.parse().ok().filter(|_| number.bytes().all(|digit| digit.is_ascii_digit()));
        return Ok(count.map(|count| (of_number(count), None)).into_iter().collect());
    }
    if let Some(path) = &args.report {
        let from_stdin = path == Path::new("-");
        let stored =
            if from_stdin { files::read_stdin()? } else { files::read(path, &doing::READ_AGENTS_REPORT)? };
        let text = decoded(&stored.bytes);
        let source = if from_stdin { "stdin".to_owned() } else { path.display().to_string() };
        return Ok(claims::extract(&text).into_iter().map(|claim| (claim, Some(source.clone()))).collect());
    }
    let sentence = args.claim.as_deref().unwrap_or_default();
    Ok(claims::extract_claim(sentence).into_iter().map(|claim| (claim, None)).collect())
}

/// A report as text. Editors and shells on Windows write a byte order mark, or UTF-16.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let units = |of_pair: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].as_chunks::<2>().0.iter().map(|pair| of_pair(*pair)).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xff, 0xfe, ..] => units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    }
}

/// A number alone says how many passed, and not that these were all.
fn of_number(count: u64) -> Claim {
    Claim::plain(format!("{count} passed"), Some(count), ClaimScope::Unspecified, ClaimUnit::Tests)
}

/// Says what is run, shows how it goes on, and keeps base runs in the ledger.
struct Listener<'a> {
    world: &'a World,
    live: Option<Live>,
    record: &'a Record,
}

impl Listener<'_> {
    fn finish(&mut self) {
        if let Some(mut live) = self.live.take() {
            live.clear();
        }
    }
}

impl Company for Listener<'_> {
    fn running(&mut self, plan: &Plan, why: &str) {
        self.finish();
        let why = if why.is_empty() { String::new() } else { format!("   ({why})") };
        let running = self.world.row(&words::RUNNING, format!("{}{why}", plan.argv.join(" ")));
        self.world.say(running.trim_end());
        self.live = Some(self.world.progress());
    }

    fn progress(&mut self, event: Progress<'_>) {
        if let Some(live) = &mut self.live {
            live.event(event);
        }
    }

    fn kept_base_run(&self, commit: &str, key: &str) -> Option<Count> {
        self.record.base_run(commit, key)
    }

    fn keep_base_run(&mut self, commit: &str, key: &str, count: &Count) {
        if let Err(failure) = self.record.keep_base_run(commit, key, count, self.world) {
            self.world.not_recorded(&failure);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_whatever_its_encoding() {
        let text = "全3件: All 3 tests pass.\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            [b"\xff\xfe", little.as_slice()].concat(),
            [b"\xfe\xff", big.as_slice()].concat(),
        ] {
            assert_eq!(decoded(&bytes), text);
        }
        assert_eq!(decoded(b"\xff\xfe3"), "");
    }
}
