//! Output that a build tool replays from its cache: Turborepo and Nx print a task's old output again, word for word, and
//! say so in a line of their own before it.

use kenshu_model::Reason;

use crate::reading::{Reading, Said};
use crate::text::Stream;

/// What such a line says of the output that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It is from the cache.
    Cache,
    /// The task was run.
    Run,
}

/// Where output begins, by line, and where it comes from.
pub(crate) struct Origins(Vec<(u32, Origin)>);

impl Origins {
    /// The lines of this stream that say where output comes from; none unless some of it is from a cache.
    pub(crate) fn of(stream: &Stream<'_>) -> Origins {
        if !stream.lines_with("cache").any(|line| origin(line.text) == Some(Origin::Cache)) {
            return Origins(Vec::new());
        }
        Origins(stream.lines().filter_map(|line| Some((line.number, origin(line.text)?))).collect())
    }

    /// Takes a pass that was only replayed for what it is. `after`: the last line of the reading before this one.
    pub(crate) fn apply(&self, reading: &mut Reading, after: u32) {
        let end = reading.lines.1;
        let before = self.0.iter().rev().find(|(line, _)| *line <= after);
        let inside = self.0.iter().filter(|(line, _)| *line > after && *line < end);
        let mut origins: Vec<Origin> = inside.map(|(_, origin)| *origin).collect();
        if origins.is_empty() {
            origins.extend(before.map(|(_, origin)| *origin));
        }
        if reading.said != Said::Passed || !origins.contains(&Origin::Cache) {
            return;
        }
        if origins.contains(&Origin::Run) {
            reading.tally.cached = None;
        } else {
            reading.tally.cached = reading.tally.passed;
            reading.said = Said::NothingRan(Reason::Cached);
        }
    }
}

fn origin(line: &str) -> Option<Origin> {
    let line = line.trim();
    // Turborepo, behind its prefix: `cache hit, replaying logs 0123456789abcdef`.
    if let Some((state, hash)) = line.rsplit_once(' ')
        && hash.len() == 16
        && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
    {
        return match state {
            "cache hit, replaying logs" | "cache hit, suppressing logs" => Some(Origin::Cache),
            "cache miss, executing" | "cache bypass, force executing" => Some(Origin::Run),
            _ => None,
        };
    }
    // Nx, and Lerna by it: `> nx run web:test  [local cache]`, `> web:test`.
    let task = line.strip_prefix("> ")?;
    let task = task.strip_prefix("nx run ").unwrap_or(task);
    let (name, note) = task.split_once(' ').unwrap_or((task, ""));
    let is_task =
        name.split_once(':').is_some_and(|(project, target)| !project.is_empty() && !target.is_empty());
    match note.trim() {
        _ if !is_task => None,
        "" => Some(Origin::Run),
        "[local cache]" | "[remote cache]" | "[existing outputs match the cache, left as is]" => {
            Some(Origin::Cache)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_name_the_origin_are_told_from_others() {
        for (line, expected) in [
            ("cache hit, replaying logs d6f34b1eecf350f3", Some(Origin::Cache)),
            ("cache hit, suppressing logs d6f34b1eecf350f3", Some(Origin::Cache)),
            ("cache miss, executing d6f34b1eecf350f3", Some(Origin::Run)),
            ("cache bypass, force executing d6f34b1eecf350f3", Some(Origin::Run)),
            ("cache hit, replaying logs", None),
            ("> nx run a:test  [existing outputs match the cache, left as is]", Some(Origin::Cache)),
            ("> nx run a:test:unit  [local cache]", Some(Origin::Cache)),
            ("> a:test  [remote cache]", Some(Origin::Cache)),
            ("> nx run a:test", Some(Origin::Run)),
            ("> a:test", Some(Origin::Run)),
            ("> a@1.0.0 test", None),
            ("> node --test", None),
            ("a:test [local cache]", None),
        ] {
            assert_eq!(origin(line), expected, "{line}");
        }
    }
}
