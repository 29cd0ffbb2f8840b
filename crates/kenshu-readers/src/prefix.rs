//! Wrapper prefixes: what CI logs, monorepo tools and process managers put before each line of what they run.
//!
//! Lines with the same prefix are one stream, so output of several packages that was interleaved line by line is read
//! package by package.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::text::{Line, Stream, Text};

/// One form of prefix: the whole match is taken off; the group `key`, where there is one, names the stream.
struct Form {
    pattern: &'static str,
}

const FORMS: &[Form] = &[
    // GitHub Actions, raw log and `gh run view --log` (job, step, time).
    Form {
        pattern: r"^(?:(?P<key>[^\t\n]+\t[^\t\n]+)\t)?\u{feff}?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?(?:\d\d[OE][ +])?",
    },
    // Turborepo: `package:task: `.
    Form { pattern: r"^(?P<key>(?:@[\w.-]+/)?[\w.-]+:[\w-]*(?:test|check|spec|e2e|ci|verify)[\w:-]*): " },
    // pnpm -r: `packages/a test: ` and `packages/a test$ command`.
    Form { pattern: r"^(?P<key>[\w@./-]+ [\w-]*(?:test|check|spec|e2e|ci|verify)[\w:-]*)(?:: |\$ )" },
    // Yarn workspaces foreach: `[package]: `; Yarn 2 with a code before it.
    Form { pattern: r"^(?:➤ YN0000: )?\[(?P<key>(?:@[\w.-]+/)?[\w.-]+)\]: " },
    // Lerna: `package: `, scoped only, since a bare word and a colon begin many lines.
    Form { pattern: r"^(?P<key>(?:lerna-)?@[\w.-]+/[\w.-]+): " },
    // concurrently: `[name] ` or `[0] `; not Maven's levels.
    Form { pattern: r"^\[(?P<key>\d{1,2}|[\w:.-]*test[\w:.-]*)\] " },
    // docker compose: `name-1  | `. It pads with at least two blanks; one is Deno's `ok | 3 passed`.
    Form { pattern: r"^(?P<key>[\w.-]+(?:-\d+|_\d+)?) {2,}\| " },
];

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| FORMS.iter().map(|form| Regex::new(form.pattern).expect("pattern of FORMS")).collect());

/// How much of the beginning and of the end is looked at to see whether prefixes are in use at all.
const SAMPLE_BYTES: usize = 64 << 10;

/// A form is in use where at least this share of the sampled lines has it: a single line of this shape is a name.
const SHARE_MIN: f64 = 0.25;

/// The streams of a text: first the lines without a prefix, then one stream per prefix.
pub fn split(whole: Stream) -> Vec<Stream> {
    let mut streams = Vec::new();
    let mut rest = whole;
    // Prefixes nest: a CI log has times before what Turborepo has prefixed. Two levels are what is seen in practice.
    for _ in 0..2 {
        let Some(pattern) = form_in_use(&rest) else { break };
        let (bare, keyed) = take_off(&rest, pattern);
        if keyed.len() == 1 && bare.body().trim().is_empty() {
            rest = keyed.into_iter().next().unwrap_or_default();
            continue;
        }
        streams.extend(keyed);
        rest = bare;
    }
    streams.insert(0, rest);
    streams
}

fn form_in_use(stream: &Stream) -> Option<&'static Regex> {
    let lines = sample(stream);
    PATTERNS
        .iter()
        .map(|pattern| (pattern, lines.iter().filter(|line| pattern.is_match(line)).count()))
        .filter(|(_, hits)| *hits >= 2 && *hits as f64 >= SHARE_MIN * lines.len() as f64)
        .max_by_key(|(_, hits)| *hits)
        .map(|(pattern, _)| pattern)
}

fn sample(stream: &Stream) -> Vec<&str> {
    let body = stream.body();
    let head = &body[..body.floor_char_boundary(SAMPLE_BYTES)];
    let tail = &body[body.ceil_char_boundary(body.len().saturating_sub(SAMPLE_BYTES)).max(head.len())..];
    head.lines().chain(tail.lines()).filter(|line| !line.trim().is_empty()).collect()
}

/// The lines without this prefix, and those with it by key.
fn take_off(stream: &Stream, pattern: &Regex) -> (Stream, Vec<Stream>) {
    #[derive(Default)]
    struct Lines {
        body: String,
        numbers: Vec<u32>,
    }
    impl Lines {
        fn push(&mut self, line: Line<'_>, from: usize) {
            self.body.push_str(&line.text[from..]);
            self.body.push('\n');
            self.numbers.push(line.number);
        }
    }
    let mut bare = Lines::default();
    let mut keyed: BTreeMap<String, Lines> = BTreeMap::new();
    for line in stream.lines() {
        match pattern.captures(line.text) {
            Some(captures) => {
                let key = captures.name("key").map_or("", |key| key.as_str());
                let end = captures.get(0).map_or(0, |whole| whole.end());
                keyed.entry(key.to_owned()).or_default().push(line, end);
            }
            None => bare.push(line, 0),
        }
    }
    let mut streams: Vec<Lines> = keyed.into_values().collect();
    streams.sort_by_key(|lines| lines.numbers.first().copied());
    (
        Stream::numbered(bare.body, bare.numbers),
        streams.into_iter().map(|lines| Stream::numbered(lines.body, lines.numbers)).collect(),
    )
}

impl Text {
    /// All lines of all streams, for what concerns no single runner.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.streams.iter().flat_map(Stream::lines)
    }
}

#[cfg(test)]
mod tests {
    use crate::text::Text;

    #[track_caller]
    fn check(text: &str, expected: &[&[(u32, &str)]]) {
        let text = Text::new(text.as_bytes());
        let streams: Vec<Vec<(u32, &str)>> = text
            .streams
            .iter()
            .map(|stream| stream.lines().map(|line| (line.number, line.text)).collect())
            .collect();
        let expected: Vec<Vec<(u32, &str)>> = expected.iter().map(|lines| lines.to_vec()).collect();
        assert_eq!(streams, expected);
    }

    #[test]
    fn times_of_a_ci_log_are_taken_off() {
        check("2026-11-30T20:00:00.1Z a\n2026-11-30T20:00:00.2Z b\n", &[&[(1, "a"), (2, "b")]]);
    }

    #[test]
    fn interleaved_packages_become_streams() {
        check(
            "web:test: a\napi:test: x\nweb:test: b\n Tasks: 2\n",
            &[&[(4, " Tasks: 2")], &[(1, "a"), (3, "b")], &[(2, "x")]],
        );
    }

    #[test]
    fn two_blanks_before_the_bar_are_a_service_and_one_is_a_sentence() {
        check("web-1  | a\ndb-1   | b\n", &[&[], &[(1, "a")], &[(2, "b")]]);
        check("ok | 1 passed\nok | 2 passed\n", &[&[(1, "ok | 1 passed"), (2, "ok | 2 passed")]]);
    }

    #[test]
    fn a_single_line_of_a_prefix_shape_is_left_alone() {
        check("a\nweb:test: b\nc\n", &[&[(1, "a"), (2, "web:test: b"), (3, "c")]]);
    }
}
