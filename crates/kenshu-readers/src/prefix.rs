//! Wrapper prefixes: what CI logs, monorepo tools and process managers put before each line of what they run.
//!
//! Lines with the same prefix are one stream, so output of several packages that was interleaved line by line is read
//! package by package.

use std::collections::BTreeMap;

use crate::text::{Line, Stream, Text};

/// A prefix that a line begins with: what names its stream, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Prefix<'a> {
    key: &'a str,
    length: usize,
}

/// One form of prefix. By hand, since seven patterns cost more to compile than a small output to read.
type Form = fn(&str) -> Option<Prefix<'_>>;

/// Each form with the share of the sampled lines from which it is in use: a single line of this shape is a name.
const FORMS: [(Form, f64); 8] = [
    (ci_time, 0.25),
    (turborepo, 0.25),
    (pnpm, 0.25),
    (yarn, 0.25),
    (lerna, 0.25),
    (concurrently, 0.25),
    (compose, 0.25),
    // Programs log like this too.
    (task, 0.5),
];

/// GitHub Actions, raw log and `gh run view --log` (job, step, time).
fn ci_time(line: &str) -> Option<Prefix<'_>> {
    let (key, start) = match memchr::memchr_iter(b'\t', line.as_bytes()).nth(1) {
        Some(second) if !is_time(line) => (&line[..second], second + 1),
        Some(_) | None => ("", 0),
    };
    let rest = line[start..].strip_prefix("\u{feff}").unwrap_or(&line[start..]);
    if !is_time(rest) {
        return None;
    }
    let fraction = rest[TIME.len()..].strip_prefix(".").unwrap_or(&rest[TIME.len()..]);
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    let after = fraction[digits..].strip_prefix("Z")?;
    let after = after.strip_prefix(" ").unwrap_or(after);
    // GitLab: two digits, the stream, and whether the line goes on.
    let after = match after.as_bytes() {
        [a, b, b'O' | b'E', b' ' | b'+', ..] if a.is_ascii_digit() && b.is_ascii_digit() => &after[4..],
        _ => after,
    };
    Some(Prefix { key, length: line.len() - after.len() })
}

const TIME: &str = "0000-00-00T00:00:00";

fn is_time(text: &str) -> bool {
    text.len() >= TIME.len()
        && text.bytes().zip(TIME.bytes()).all(|(actual, shape)| match shape {
            b'0' => actual.is_ascii_digit(),
            other => actual == other,
        })
}

/// Turborepo: `package:task: `.
fn turborepo(line: &str) -> Option<Prefix<'_>> {
    let end = line.find(": ")?;
    let (package, task) = line[..end].split_once(':')?;
    (is_package(package) && is_task(task)).then_some(Prefix { key: &line[..end], length: end + 2 })
}

/// pnpm -r: `packages/a test: ` and `packages/a test$ command`.
fn pnpm(line: &str) -> Option<Prefix<'_>> {
    let (package, rest) = line.split_once(' ')?;
    let end = [rest.find(": "), rest.find("$ ")].into_iter().flatten().min()?;
    let end = package.len() + 1 + end;
    let is_folder = package.chars().all(|symbol| is_word(symbol) || matches!(symbol, '@' | '.' | '/' | '-'));
    (is_folder && !package.is_empty() && is_task(&line[package.len() + 1..end]))
        .then_some(Prefix { key: &line[..end], length: end + 2 })
}

/// Yarn workspaces foreach: `[package]: `; Yarn 2 with a code before it.
fn yarn(line: &str) -> Option<Prefix<'_>> {
    let rest = line.strip_prefix("➤ YN0000: ").unwrap_or(line);
    let (key, after) = rest.strip_prefix('[')?.split_once("]: ")?;
    is_package(key).then_some(Prefix { key, length: line.len() - after.len() })
}

/// Lerna: `package: `, scoped only, since a bare word and a colon begin many lines.
fn lerna(line: &str) -> Option<Prefix<'_>> {
    let (key, after) = line.split_once(": ")?;
    let package = key.strip_prefix("lerna-").unwrap_or(key);
    (package.starts_with('@') && is_package(package))
        .then_some(Prefix { key, length: line.len() - after.len() })
}

/// concurrently: `[name] ` or `[0] `; not Maven's levels, and not the mark of doctest's own lines.
fn concurrently(line: &str) -> Option<Prefix<'_>> {
    let (key, after) = line.strip_prefix('[')?.split_once("] ")?;
    let is_number = matches!(key.len(), 1 | 2) && key.bytes().all(|digit| digit.is_ascii_digit());
    let is_name = key.contains("test")
        && key != "doctest"
        && key.chars().all(|symbol| is_word(symbol) || matches!(symbol, ':' | '.' | '-'));
    (is_number || is_name).then_some(Prefix { key, length: line.len() - after.len() })
}

/// mise and Task: `[task] `; not the levels of a log, not pytest-xdist's workers.
fn task(line: &str) -> Option<Prefix<'_>> {
    const LEVELS: [&str; 11] = [
        "trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "success", "doctest",
        "ctest",
    ];
    let (key, after) = line.strip_prefix('[')?.split_once("] ")?;
    let is_name = key.starts_with(|symbol: char| symbol.is_alphabetic() || symbol == '/')
        && key.chars().all(|symbol| is_word(symbol) || matches!(symbol, ':' | '.' | '-' | '/' | '@'));
    let is_level = LEVELS.iter().any(|level| key.eq_ignore_ascii_case(level));
    let is_worker =
        key.strip_prefix("gw").is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
    (is_name && !is_level && !is_worker).then_some(Prefix { key, length: line.len() - after.len() })
}

/// docker compose: `name-1  | `. It pads with at least two blanks; one is Deno's `ok | 3 passed`.
fn compose(line: &str) -> Option<Prefix<'_>> {
    let (padded, after) = line.split_once("| ")?;
    let key = padded.trim_end_matches(' ');
    let is_name = !key.is_empty() && key.chars().all(|symbol| is_word(symbol) || matches!(symbol, '.' | '-'));
    (is_name && padded.len() >= key.len() + 2).then_some(Prefix { key, length: line.len() - after.len() })
}

fn is_word(symbol: char) -> bool {
    symbol.is_alphanumeric() || symbol == '_'
}

/// `name` or `@scope/name`.
fn is_package(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|symbol| is_word(symbol) || matches!(symbol, '.' | '-'))
    };
    match text.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| is_part(scope) && is_part(name)),
        None => is_part(text),
    }
}

/// The name of a script that runs tests or other verifications: `test`, `test:unit`, `e2e-ci`.
fn is_task(text: &str) -> bool {
    const WORDS: [&str; 6] = ["test", "check", "spec", "e2e", "ci", "verify"];
    text.chars().all(|symbol| is_word(symbol) || matches!(symbol, ':' | '-'))
        && WORDS.iter().any(|word| text.contains(word))
}

/// How much of the beginning and of the end is looked at to see whether prefixes are in use at all.
const SAMPLE_BYTES: usize = 64 << 10;

/// The streams of a text: first the lines without a prefix, then one stream per prefix.
pub fn split(whole: Stream<'_>) -> Vec<Stream<'_>> {
    let mut streams = Vec::new();
    let mut rest = whole;
    // Prefixes nest: a CI log has times before what Turborepo has prefixed. Two levels are what is seen in practice.
    for _ in 0..2 {
        let Some(form) = form_in_use(&rest) else { break };
        let (bare, keyed) = take_off(&rest, form);
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

fn form_in_use(stream: &Stream<'_>) -> Option<Form> {
    let lines = sample(stream);
    FORMS
        .into_iter()
        .map(|(form, share)| (form, share, lines.iter().filter(|line| form(line).is_some()).count()))
        .filter(|(_, share, hits)| *hits >= 2 && *hits as f64 >= share * lines.len() as f64)
        .max_by_key(|(_, _, hits)| *hits)
        .map(|(form, _, _)| form)
}

fn sample<'a>(stream: &'a Stream<'_>) -> Vec<&'a str> {
    let body = stream.body();
    let head = &body[..body.floor_char_boundary(SAMPLE_BYTES)];
    let tail = &body[body.ceil_char_boundary(body.len().saturating_sub(SAMPLE_BYTES)).max(head.len())..];
    head.lines().chain(tail.lines()).filter(|line| !line.trim().is_empty()).collect()
}

/// The lines without this prefix, and those with it by key.
fn take_off(stream: &Stream<'_>, form: Form) -> (Stream<'static>, Vec<Stream<'static>>) {
    let mut bare = Lines::default();
    let mut keyed: Vec<Lines> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    // Most lines have the prefix of the line above.
    let mut last: Option<(&str, usize)> = None;
    for line in stream.lines() {
        let Some(prefix) = form(line.text) else {
            bare.push(line, 0);
            continue;
        };
        let place = match last {
            Some((key, place)) if key == prefix.key => place,
            Some(_) | None => *places.entry(prefix.key).or_insert_with(|| {
                keyed.push(Lines::default());
                keyed.len() - 1
            }),
        };
        last = Some((prefix.key, place));
        keyed[place].push(line, prefix.length);
    }
    (bare.stream(), keyed.into_iter().map(Lines::stream).collect())
}

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

    fn stream(self) -> Stream<'static> {
        Stream::numbered(self.body, self.numbers)
    }
}

impl Text<'_> {
    /// All lines of all streams, for what concerns no single runner.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.streams.iter().flat_map(|stream| stream.lines())
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

    #[track_caller]
    fn prefix(line: &str, expected: Option<(&str, &str)>) {
        let found = super::FORMS.into_iter().find_map(|(form, _)| form(line));
        assert_eq!(found.map(|prefix| (prefix.key, &line[prefix.length..])), expected, "{line}");
    }

    #[test]
    fn every_form_is_taken_off() {
        prefix("2026-11-30T20:00:00.1234567Z ok", Some(("", "ok")));
        prefix("2026-11-30T20:00:00Z 00O ok", Some(("", "ok")));
        prefix("job\tstep\t2026-11-30T20:00:00.1Z ok", Some(("job\tstep", "ok")));
        prefix("@scope/web:test: ok", Some(("@scope/web:test", "ok")));
        prefix("packages/a test: ok", Some(("packages/a test", "ok")));
        prefix("packages/a test:unit$ vitest", Some(("packages/a test:unit", "vitest")));
        prefix("➤ YN0000: [@scope/a]: ok", Some(("@scope/a", "ok")));
        prefix("@scope/a: ok", Some(("@scope/a", "ok")));
        prefix("[0] ok", Some(("0", "ok")));
        prefix("[unit-test] ok", Some(("unit-test", "ok")));
        prefix("web-1  | ok", Some(("web-1", "ok")));
        prefix("[api:unit] ok", Some(("api:unit", "ok")));
        prefix("[//packages/a:b] ok", Some(("//packages/a:b", "ok")));
    }

    #[test]
    fn other_lines_have_none() {
        for line in [
            "[INFO] ok",
            "[doctest] Status: SUCCESS!",
            "[gw0] [ 33%] PASSED test_a.py::test_a",
            "[  PASSED  ] 3 tests.",
            "test: ok",
            "a b c: d",
            "Error: no test",
            "ok | 3 passed",
            "a:build: x",
            "2026-11-30 ok",
            "",
        ] {
            prefix(line, None);
        }
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
