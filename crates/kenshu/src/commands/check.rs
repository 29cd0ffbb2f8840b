//! `kenshu check`: a claim against a run of the project's own test command.

use std::path::Path;

use kenshu_gate::check::{Company, Done, Setting, check};
use kenshu_gate::compare::Rule;
use kenshu_gate::config::Config;
use kenshu_gate::judge::Claimed;
use kenshu_gate::measure::Plan;
use kenshu_host::files;
use kenshu_host::process::Progress;
use kenshu_model::{Claim, ClaimScope, ClaimUnit, Count, Note, Reason};
use kenshu_report::terminal::Facts;
use kenshu_report::{json, terminal};
use kenshu_session::claims;

use crate::args::CheckArgs;
use crate::exit;
use crate::record::Record;
use crate::wiring::{Answer, Failure, Live, World, duration};

/// Checks and prints.
pub(crate) fn run(world: &World, args: &CheckArgs) -> Answer {
    let project = world.project()?;
    let config = world.config(&project)?;
    let claimed = claimed(args, &config)?;
    let record = Record::open(world, &project)?;
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
    let entry = record.check(&done, world)?;
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
        };
        terminal::check(&done.verdict, &facts, world.lang, world.layout())
    };
    world.print(&text);
}

/// The claims: a sentence, a number, or a report. Only claims and numbers are read, never commands.
fn claimed(args: &CheckArgs, config: &Config) -> Result<Claimed, Failure> {
    let mut claimed = Claimed {
        claims: Vec::new(),
        needs_count: args.require_count || config.test.require_count,
        rule: if args.strict { Rule::PassedOnly } else { Rule::Explained },
    };
    if let Some(number) = &args.claimed {
        claimed.needs_count = true;
        claimed.rule = Rule::PassedOnly;
        let count = number.parse().ok().filter(|_| number.bytes().all(|digit| digit.is_ascii_digit()));
        claimed.claims.extend(count.map(|count| (of_number(count), None)));
    } else if let Some(path) = &args.report {
        claimed.needs_count = true;
        let from_stdin = path == Path::new("-");
        let stored =
            if from_stdin { files::read_stdin()? } else { files::read(path, "read the agent's report")? };
        let text = String::from_utf8_lossy(&stored.bytes);
        let source = if from_stdin { "stdin".to_owned() } else { path.display().to_string() };
        claimed.claims.extend(claims::extract(&text).into_iter().map(|claim| (claim, Some(source.clone()))));
    } else if let Some(sentence) = &args.claim {
        claimed.claims.extend(claims::extract(sentence).into_iter().map(|claim| (claim, None)));
    }
    Ok(claimed)
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
        self.world.say(&format!("running   {}{why}", plan.argv.join(" ")));
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
            self.world.say(&format!("note      {failure}"));
        }
    }
}
