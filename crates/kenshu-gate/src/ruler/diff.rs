//! How two rulers differ, and which differences narrow.

use std::collections::{BTreeMap, BTreeSet};

use kenshu_model::check::RulerChange;

use super::config::contains;
use super::line::RUNS;
use super::{Fact, Kind, Ruler, RulerCommand, ScriptName, kenshu_toml};

/// File and key of facts that belong together.
type Place = (String, String);

/// Every difference.
pub(super) fn changes(before: &Ruler, after: &Ruler) -> Vec<RulerChange> {
    // A script that was missing, or a placeholder, measured nothing: nothing can be less than it.
    let measured = runs_something(before);
    let is_read = !runs_more_that_is_unread(before, after);
    let mut lines = Lines {
        narrowed: narrowed(&before.surroundings.together, &after.surroundings.together, None)
            .into_iter()
            .filter(|(_, key)| key != RUNS)
            .collect(),
        lost_runs: is_read && lost_runs(before, after),
        lost_scripts: if is_read { lost_scripts(before, after) } else { BTreeSet::new() },
    };
    if !measured {
        lines = Lines::default();
    }
    let mut changes = command_changes(before, after, &lines);
    changes.extend(script_changes(before, after, &lines));
    // What narrows came about by one of the lines that differ; where it can't be told which, it is all of them.
    if !lines.is_empty() && !changes.iter().any(|change| change.narrowing) {
        changes.iter_mut().for_each(|change| change.narrowing = true);
    }
    if before.kenshu_toml != after.kenshu_toml {
        let facts = |text: &Option<String>| text.as_deref().map(kenshu_toml::facts).unwrap_or_default();
        let narrowing = before.kenshu_toml.is_some()
            && !narrowed(&facts(&before.kenshu_toml), &facts(&after.kenshu_toml), None).is_empty();
        changes.push(RulerChange {
            what: "kenshu.toml".to_owned(),
            file: Some("kenshu.toml".to_owned()),
            before: before.kenshu_toml.clone(),
            after: after.kenshu_toml.clone(),
            narrowing,
        });
    }
    changes.extend(fact_changes(before, after, measured));
    changes
}

/// What the command lines of the new ruler do less than those of the old one.
#[derive(Default)]
struct Lines {
    narrowed: BTreeSet<Place>,
    lost_runs: bool,
    lost_scripts: BTreeSet<ScriptName>,
}

impl Lines {
    fn is_empty(&self) -> bool {
        self.narrowed.is_empty() && !self.lost_runs && self.lost_scripts.is_empty()
    }

    /// Whether one line's difference is a part of it.
    fn has_part(&self, before: &[Fact], after: &[Fact]) -> bool {
        let own = narrowed(before, after, None);
        let lost_run = own.iter().any(|(_, key)| key == RUNS);
        own.iter().any(|place| self.narrowed.contains(place))
            || (lost_run && (self.lost_runs || !self.lost_scripts.is_empty()))
    }
}

fn runs_something(ruler: &Ruler) -> bool {
    // A call by name that led to no script is a script that is missing.
    ruler.surroundings.together.iter().any(|fact| fact.key == RUNS && !is_by_name(&fact.value))
}

/// Whether what is run is a script, by its name.
fn is_by_name(value: &str) -> bool {
    const BY_NAME: &[&str] =
        &["npm", "pnpm", "yarn", "bun", "make", "just", "task", "mise", "composer", "deno", "poe"];
    BY_NAME.contains(&value.split(' ').next().unwrap_or_default())
}

/// Whether a program is run that was not run before and isn't known: it may well run what isn't run by name any more.
fn runs_more_that_is_unread(before: &Ruler, after: &Ruler) -> bool {
    let known = &before.surroundings.together;
    after.surroundings.together.iter().any(|fact| {
        fact.key == RUNS && !is_runner(&fact.value) && !is_by_name(&fact.value) && !known.contains(fact)
    })
}

fn is_runner(value: &str) -> bool {
    super::options::table(value.split(' ').next().unwrap_or_default()).is_some()
}

/// Whether a runner, or where none is known a program, is not run any more in some folder, and nothing new is.
fn lost_runs(before: &Ruler, after: &Ruler) -> bool {
    let of = |ruler: &Ruler| -> BTreeMap<String, BTreeSet<String>> {
        let mut runs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for fact in ruler.surroundings.together.iter().filter(|fact| fact.key == RUNS) {
            runs.entry(fact.file.clone()).or_default().insert(fact.value.clone());
        }
        runs
    };
    let (before, after) = (of(before), of(after));
    let all_after: BTreeSet<&String> = after.values().flatten().collect();
    let all_before: BTreeSet<&String> = before.values().flatten().collect();
    let has_runners = all_before.iter().any(|value| is_runner(value));
    let gained = all_after.iter().any(|value| is_runner(value) && !all_before.contains(*value));
    let still = |cwd: &String, value: &String| {
        // The same runner from the project's folder reaches this one, and the other way about where it moved.
        let in_folder = |folder: &str| after.get(folder).is_some_and(|runs| runs.contains(value));
        in_folder(cwd) || in_folder("") || (cwd.is_empty() && all_after.contains(value))
    };
    !gained
        && before.iter().any(|(cwd, runs)| {
            runs.iter().filter(|value| !has_runners || is_runner(value)).any(|value| !still(cwd, value))
        })
}

/// Scripts with a runner that are not reached any more, nor written out where they were called, nor renamed.
fn lost_scripts(before: &Ruler, after: &Ruler) -> BTreeSet<ScriptName> {
    let runs = |ruler: &Ruler, name: &ScriptName| {
        ruler.surroundings.of_scripts.get(name).is_some_and(|facts| facts.iter().any(|fact| fact.key == RUNS))
    };
    let new = after.scripts.keys().filter(|name| !before.scripts.contains_key(*name));
    if new.clone().any(|name| runs(after, name)) {
        return BTreeSet::new();
    }
    let written: Vec<String> = after
        .scripts
        .values()
        .cloned()
        .chain(after.commands.iter().map(|command| command.argv.join(" ")))
        .collect();
    before
        .scripts
        .iter()
        .filter(|(name, _)| !after.scripts.contains_key(*name) && runs(before, name))
        .filter(|(_, body)| !written.iter().any(|text| text.contains(body.as_str())))
        // A wrapper whose inner scripts and programs are all still run is no loss.
        .filter(|(name, _)| {
            let still = |fact: &Fact| after.surroundings.together.iter().any(|other| other == fact);
            !before
                .surroundings
                .of_scripts
                .get(*name)
                .is_some_and(|facts| facts.iter().filter(|fact| fact.kind != Kind::Narrows).all(still))
        })
        .map(|(name, _)| name.clone())
        .collect()
}

fn command_changes(before: &Ruler, after: &Ruler, lines: &Lines) -> Vec<RulerChange> {
    let mut changes = Vec::new();
    let mut left: Vec<usize> = (0..after.commands.len()).collect();
    let text = |command: &RulerCommand| match command.cwd.as_str() {
        "." | "" => command.argv.join(" "),
        cwd => format!("{} (in {cwd})", command.argv.join(" ")),
    };
    let facts =
        |ruler: &Ruler, at: usize| ruler.surroundings.of_commands.get(at).cloned().unwrap_or_default();
    for (at, old) in before.commands.iter().enumerate() {
        let find =
            |same: &dyn Fn(&RulerCommand) -> bool| left.iter().position(|&new| same(&after.commands[new]));
        let found = find(&|new| new.argv == old.argv && new.cwd == old.cwd)
            .or_else(|| find(&|new| new.suite == old.suite))
            .or_else(|| find(&|new| new.cwd == old.cwd));
        let new = found.map(|position| left.remove(position));
        let same =
            new.is_some_and(|new| after.commands[new].argv == old.argv && after.commands[new].cwd == old.cwd);
        if same {
            continue;
        }
        let new_facts = new.map(|new| facts(after, new)).unwrap_or_default();
        changes.push(RulerChange {
            what: "command".to_owned(),
            file: None,
            before: Some(text(old)),
            after: new.map(|new| text(&after.commands[new])),
            narrowing: lines.has_part(&facts(before, at), &new_facts),
        });
    }
    changes.extend(left.into_iter().map(|new| RulerChange {
        what: "command".to_owned(),
        file: None,
        before: None,
        after: Some(text(&after.commands[new])),
        narrowing: false,
    }));
    changes
}

fn script_changes(before: &Ruler, after: &Ruler, lines: &Lines) -> Vec<RulerChange> {
    let names: BTreeSet<&ScriptName> = before.scripts.keys().chain(after.scripts.keys()).collect();
    names
        .into_iter()
        .filter(|name| before.scripts.get(*name) != after.scripts.get(*name))
        .map(|name| {
            let facts = |ruler: &Ruler| ruler.surroundings.of_scripts.get(name).cloned().unwrap_or_default();
            RulerChange {
                what: format!("script {}", name.name),
                file: Some(name.file.clone()),
                before: before.scripts.get(name).cloned(),
                after: after.scripts.get(name).cloned(),
                narrowing: lines.lost_scripts.contains(name) || lines.has_part(&facts(before), &facts(after)),
            }
        })
        .collect()
}

fn fact_changes(before: &Ruler, after: &Ruler, measured: bool) -> Vec<RulerChange> {
    let (old, new) = without_moved(&before.facts, &after.facts);
    let narrowed = narrowed(&old, &new, Some(&after.surroundings.leaving_out));
    let values = |facts: &[Fact], place: &Place| {
        let values: Vec<&str> = facts
            .iter()
            .filter(|fact| fact.file == place.0 && fact.key == place.1)
            .map(|fact| fact.value.as_str())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    };
    places(&old, &new)
        .into_iter()
        .map(|place| (values(&old, &place), values(&new, &place), place))
        .filter(|(old, new, _)| old != new)
        .map(|(old, new, place)| RulerChange {
            what: format!("{} {}", place.0, place.1),
            narrowing: measured && counted_before(before, after, &place.0) && narrowed.contains(&place),
            file: Some(place.0),
            before: old,
            after: new,
        })
        .collect()
}

/// Whether this file could take anything away from what was measured before: its folder was there, and a runner that
/// reads it was run.
fn counted_before(before: &Ruler, after: &Ruler, file: &str) -> bool {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let own_folder = folder.trim_end_matches(".cargo").trim_end_matches(".config").trim_end_matches('/');
    let was_there = own_folder.is_empty()
        || before
            .surroundings
            .folders
            .iter()
            .any(|known| known == own_folder || known.starts_with(&format!("{own_folder}/")));
    let readers = after.surroundings.readers.get(file).or_else(|| before.surroundings.readers.get(file));
    let was_read = match (&before.surroundings.runners, readers) {
        (Some(runners), Some(readers)) if !readers.is_empty() => {
            readers.iter().any(|reader| runners.contains(reader))
        }
        (_, _) => true,
    };
    was_there && was_read
}

/// Facts that only went from one file to another of the same folder are no change.
fn without_moved(before: &[Fact], after: &[Fact]) -> (Vec<Fact>, Vec<Fact>) {
    let folder =
        |fact: &Fact| fact.file.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let name = |fact: &Fact| fact.key.rsplit('.').next().unwrap_or_default().to_owned();
    let twin = |fact: &Fact, others: &[Fact]| {
        others.iter().any(|other| {
            other.file != fact.file
                && folder(other) == folder(fact)
                && name(other) == name(fact)
                && other.value == fact.value
        })
    };
    let keep = |own: &[Fact], others: &[Fact]| -> Vec<Fact> {
        own.iter().filter(|fact| others.contains(fact) || !twin(fact, others)).cloned().collect()
    };
    (keep(before, after), keep(after, before))
}

fn places(before: &[Fact], after: &[Fact]) -> BTreeSet<Place> {
    before.iter().chain(after).map(|fact| (fact.file.clone(), fact.key.clone())).collect()
}

/// The places where `after` narrows. `leaving_out`: include lists that leave out a file, where that is known.
fn narrowed(before: &[Fact], after: &[Fact], leaving_out: Option<&BTreeSet<Place>>) -> BTreeSet<Place> {
    places(before, after)
        .into_iter()
        .filter(|place| {
            let of = |facts: &[Fact]| -> Vec<Fact> {
                facts.iter().filter(|fact| fact.file == place.0 && fact.key == place.1).cloned().collect()
            };
            let first_leaves_out = leaving_out.is_none_or(|lists| lists.contains(place));
            narrows(&of(before), &of(after), first_leaves_out)
        })
        .collect()
}

/// Whether the facts of one place narrow from `before` to `after`.
fn narrows(before: &[Fact], after: &[Fact], first_leaves_out: bool) -> bool {
    let values = |facts: &[Fact], kind: Kind| -> Vec<String> {
        facts.iter().filter(|fact| fact.kind == kind).map(|fact| fact.value.clone()).collect()
    };
    let numbers = |facts: &[Fact], kind: Kind| -> Vec<f64> {
        values(facts, kind).iter().filter_map(|value| value.parse().ok()).collect()
    };
    [Kind::Narrows, Kind::Includes, Kind::Strict, Kind::AtLeast, Kind::AtMost, Kind::Unread].into_iter().any(
        |kind| match kind {
            Kind::Narrows => {
                let known = values(before, kind);
                values(after, kind).iter().any(|value| !known.contains(value))
            }
            Kind::Strict => {
                let kept = values(after, kind);
                values(before, kind).iter().any(|value| !kept.contains(value))
            }
            Kind::Includes => includes_less(&values(before, kind), &values(after, kind), first_leaves_out),
            Kind::AtMost => {
                let most = |facts: &[Fact]| numbers(facts, kind).into_iter().fold(0.0, f64::max);
                most(after) > most(before)
            }
            Kind::AtLeast => {
                let least = |facts: &[Fact]| numbers(facts, kind).into_iter().fold(0.0, f64::max);
                least(after) < least(before)
            }
            Kind::Unread => false,
        },
    )
}

fn includes_less(before: &[String], after: &[String], first_leaves_out: bool) -> bool {
    match (before, after) {
        (_, []) => false,
        ([], after) => first_leaves_out && !after.iter().any(|value| contains(value, "**")),
        (before, after) => {
            before.iter().any(|value| !after.iter().any(|wide| contains(wide, value) || wide == value))
        }
    }
}
