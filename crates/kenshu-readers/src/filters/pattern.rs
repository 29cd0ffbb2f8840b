//! Patterns of `grep` and its relatives, and which lines they surely match.

use regex::{Regex, RegexBuilder};

use super::Shape;
use crate::command::Invocation;

/// Whether this filter prints every line of this shape, unchanged.
pub(super) fn keeps(filter: &Invocation, shape: &Shape) -> bool {
    let wanted = match filter.program.as_str() {
        "grep" => grep(filter, Syntax::Basic),
        "egrep" => grep(filter, Syntax::Extended),
        "fgrep" => grep(filter, Syntax::Fixed),
        "rg" => grep(filter, Syntax::Rust),
        "awk" | "gawk" => awk(filter),
        "sed" => sed(filter),
        "Select-String" => select_string(filter),
        _ => None,
    };
    wanted.is_some_and(|wanted| wanted.keeps(shape))
}

/// How a pattern is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Fixed,
    /// POSIX basic: `\|`, `\(`.
    Basic,
    /// POSIX extended.
    Extended,
    /// Perl's and its relatives', which is what the `regex` crate reads.
    Rust,
}

/// What a filter asks for.
struct Wanted {
    patterns: Vec<String>,
    ignore_case: bool,
    inverted: bool,
}

impl Wanted {
    fn keeps(&self, shape: &Shape) -> bool {
        if self.inverted {
            return !self.ignore_case
                && self.patterns.iter().all(|pattern| is_elsewhere(pattern, shape.start));
        }
        self.patterns.iter().filter_map(|pattern| self.regex(pattern)).any(|regex| {
            matches_always(&regex, "", shape.start)
                // `^` is no beginning inside of a line.
                || shape.inside.iter().any(|part| matches_always(&regex, "\u{1}", part))
        })
    }

    fn regex(&self, pattern: &str) -> Option<Regex> {
        RegexBuilder::new(pattern).case_insensitive(self.ignore_case).build().ok()
    }
}

/// Whether the pattern matches in `part` alone, whatever follows it. `$` is left out where patterns are read.
fn matches_always(regex: &Regex, before: &str, part: &str) -> bool {
    ["", " ", "x"].iter().all(|behind| regex.is_match_at(&format!("{before}{part}{behind}"), before.len()))
}

/// Whether each alternative is bound to the line's beginning, and another one than `start`.
fn is_elsewhere(pattern: &str, start: &str) -> bool {
    const OPERATORS: &str = ".*+?()[]{}|\\^$";
    let inner = pattern.strip_prefix("^(").and_then(|rest| rest.strip_suffix(')'));
    let bound = inner.map_or(pattern, |inner| inner);
    !bound.contains(['(', '['])
        && bound.split('|').all(|part| {
            let literal = if inner.is_some() { Some(part) } else { part.strip_prefix('^') };
            literal.is_some_and(|literal| {
                let end = literal.find(|sign| OPERATORS.contains(sign)).unwrap_or(literal.len());
                // The sign before `*`, `?` or `{` may be missing.
                let fixed =
                    if end < literal.len() { literal[..end].char_indices().next_back() } else { None };
                let literal = &literal[..fixed.map_or(end, |(at, _)| at)];
                literal.chars().zip(start.chars()).any(|(one, other)| one != other)
            })
        })
}

/// The pattern as the `regex` crate reads it; `None` where it is not known to mean the same.
fn translate(pattern: &str, syntax: Syntax) -> Option<String> {
    if syntax == Syntax::Fixed {
        return Some(regex::escape(pattern));
    }
    if pattern.contains('$') || (syntax != Syntax::Rust && has_other_escapes(pattern)) {
        return None;
    }
    if syntax != Syntax::Basic {
        return Some(pattern.to_owned());
    }
    // In a basic pattern the operators are the escaped ones.
    let mut translated = String::new();
    let mut signs = pattern.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => match signs.next()? {
                operator @ ('|' | '(' | ')' | '{' | '}' | '+' | '?') => translated.push(operator),
                other => translated.extend(['\\', other]),
            },
            '|' | '(' | ')' | '{' | '}' | '+' | '?' => translated.extend(['\\', sign]),
            other => translated.push(other),
        }
    }
    Some(translated)
}

/// `\d` is no digit to POSIX, and a backslash in brackets is a sign like others.
fn has_other_escapes(pattern: &str) -> bool {
    pattern.contains("\\d") || pattern.contains("\\D") || (pattern.contains('[') && pattern.contains('\\'))
}

/// `grep`, `egrep`, `fgrep`, `rg`.
fn grep(filter: &Invocation, mut syntax: Syntax) -> Option<Wanted> {
    let mut given: Vec<&str> = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut wanted = Wanted { patterns: Vec::new(), ignore_case: false, inverted: false };
    let mut arguments = filter.arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            words.extend(arguments.by_ref());
        } else if let Some(long) = argument.strip_prefix("--") {
            match long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value))) {
                ("regexp", value) => given.push(value.or_else(|| arguments.next())?),
                ("extended-regexp", None) => syntax = syntax.max_extended(),
                ("fixed-strings", None) => syntax = Syntax::Fixed,
                ("perl-regexp" | "pcre2", None) => syntax = Syntax::Rust,
                ("ignore-case", None) => wanted.ignore_case = true,
                ("invert-match", None) => wanted.inverted = true,
                ("after-context" | "before-context" | "context", Some(_)) => {}
                ("line-buffered" | "text" | "no-filename" | "no-line-number" | "no-messages", None) => {}
                ("color" | "colour", _) => {}
                _ => return None,
            }
        } else if argument.len() > 1 && argument.starts_with('-') {
            let flags = &argument[1..];
            for (at, flag) in flags.char_indices() {
                let rest = &flags[at + flag.len_utf8()..];
                match flag {
                    'E' if filter.program != "rg" => syntax = syntax.max_extended(),
                    'F' => syntax = Syntax::Fixed,
                    'P' => syntax = Syntax::Rust,
                    'i' => wanted.ignore_case = true,
                    'v' => wanted.inverted = true,
                    'a' | 'h' | 's' | 'S' | 'N' | '0'..='9' => {}
                    'e' | 'A' | 'B' | 'C' => {
                        let value = if rest.is_empty() { arguments.next()? } else { rest };
                        given.extend((flag == 'e').then_some(value));
                        break;
                    }
                    _ => return None,
                }
            }
        } else {
            words.push(argument);
        }
    }
    if given.is_empty() {
        given.push(words.first()?);
    }
    wanted.patterns =
        translated(given.iter().flat_map(|pattern| pattern.split('\n')), syntax, wanted.inverted)?;
    Some(wanted)
}

/// The patterns that are understood. Of those whose lines are left out, each must be.
fn translated<'a>(
    patterns: impl Iterator<Item = &'a str>,
    syntax: Syntax,
    inverted: bool,
) -> Option<Vec<String>> {
    let patterns = patterns.map(|pattern| translate(pattern, syntax));
    if inverted { patterns.collect() } else { Some(patterns.flatten().collect()) }
}

impl Syntax {
    /// `-E` says nothing to one that is Perl's already.
    fn max_extended(self) -> Syntax {
        if self == Syntax::Rust { Syntax::Rust } else { Syntax::Extended }
    }
}

/// `awk '/pattern/'`, with or without `{print}`.
fn awk(filter: &Invocation) -> Option<Wanted> {
    let [program] = filter.arguments.as_slice() else { return None };
    let program = program.trim().strip_prefix('/')?;
    let pattern = ["{print}", "{ print }", "{print $0}", "{ print $0 }"]
        .iter()
        .find_map(|action| program.strip_suffix(action))
        .unwrap_or(program);
    between_slashes(pattern.trim_end(), Syntax::Extended)
}

/// `sed -n '/pattern/p'`.
fn sed(filter: &Invocation) -> Option<Wanted> {
    let mut syntax = Syntax::Basic;
    let mut script = None;
    for argument in &filter.arguments {
        match argument.as_str() {
            "-n" | "--quiet" | "--silent" => {}
            "-nE" | "-nr" | "-En" | "-rn" | "-E" | "-r" => syntax = Syntax::Extended,
            word if word.starts_with('/') && script.is_none() => script = Some(&word[1..]),
            _ => return None,
        }
    }
    between_slashes(script?.strip_suffix('p')?, syntax)
}

fn between_slashes(text: &str, syntax: Syntax) -> Option<Wanted> {
    let pattern = text.strip_suffix('/').filter(|pattern| !pattern.contains('/'))?;
    let patterns = vec![translate(pattern, syntax)?];
    Some(Wanted { patterns, ignore_case: false, inverted: false })
}

/// PowerShell's `Select-String`, which takes no notice of case unless it is told to.
fn select_string(filter: &Invocation) -> Option<Wanted> {
    let mut wanted = Wanted { patterns: Vec::new(), ignore_case: true, inverted: false };
    let mut syntax = Syntax::Rust;
    let mut given = None;
    for argument in &filter.arguments {
        match argument.to_ascii_lowercase().as_str() {
            "-pattern" => {}
            "-simplematch" => syntax = Syntax::Fixed,
            "-casesensitive" => wanted.ignore_case = false,
            "-notmatch" => wanted.inverted = true,
            word if word.starts_with('-') => return None,
            _ => {
                if given.replace(argument).is_some() {
                    return None;
                }
            }
        }
    }
    wanted.patterns = translated(given?.split(','), syntax, wanted.inverted)?;
    Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::CommandLine;

    const RESULT: Shape = Shape {
        start: "test result: ",
        inside: &[" passed; ", " failed; ", " ignored; ", " measured; ", " filtered out"],
    };
    const PASS: Shape = Shape::starting("--- PASS: ");

    #[track_caller]
    fn check(shape: &Shape, keeping: &[&str], not: &[&str]) {
        for (commands, expected) in [(keeping, true), (not, false)] {
            for command in commands {
                let line = CommandLine::parse(command);
                assert_eq!(keeps(&line.invocations[0], shape), expected, "{command}");
            }
        }
    }

    #[test]
    fn words_that_every_such_line_has() {
        let keeping = [
            "grep -E 'pass|fail'",
            "grep 'test result'",
            "grep -iE '^TEST RESULT|panicked'",
            "grep '^test result\\|error'",
            "grep -E '(passed|FAILED)'",
            "grep -e nothing -e 'result:' log.txt",
            "grep -A2 -B 2 --color=never failed",
            "grep -F 'test result: '",
            "rg 'test result|error\\[E\\d+\\]'",
            "egrep ' (passed|failed);'",
            "awk '/test result/'",
            "awk '/passed|failed/ {print}'",
            "sed -n '/^test result/p'",
            "Select-String -Pattern 'TEST RESULT'",
        ];
        let not = [
            "grep -E 'test result: (ok|FAILED)'",
            "grep FAILED",
            "egrep '[a-z] (passed|failed);'",
            "grep -v 'test result'",
            "grep -m1 'test result'",
            "grep -c ok",
            "grep -o 'test result'",
            "grep -n 'test result'",
            "grep -w pass",
            "grep -E '^passed'",
            "grep 'pass|fail'",
            "grep -E 'filtered out$'",
            "grep -E '\\d+ passed'",
            "grep -Ff patterns.txt",
            "awk '{print $1}'",
            "awk '/test result/ {print $4}'",
            "sed -n '1,20p'",
            "Select-String -CaseSensitive 'TEST RESULT'",
            "cut -c1-80",
        ];
        check(&RESULT, &keeping, &not);
    }

    #[test]
    fn beginnings_and_ends_of_words_are_not_those_of_the_shape() {
        let keeping = [
            "grep -E -- '--- (PASS|FAIL)'",
            "grep -e '^--- PASS:'",
            "grep -E '\\bPASS\\b'",
            "grep -E -- '^--- PASS.*'",
        ];
        let not = ["grep -e '--- PASS: TestA'", "grep -E -- '--- PASS: \\b'", "grep -e '--- FAIL'"];
        check(&PASS, &keeping, &not);
    }

    #[test]
    fn what_is_left_out_begins_otherwise() {
        let keeping = ["grep -v '^=== RUN'", "grep -vE '^(=== |ok|PASS)'", "grep -vE '^===|^    '"];
        let not = [
            "grep -v PASS",
            "grep -v RUN",
            "grep -vE '^(=== |-)'",
            "grep -vE '^-*x'",
            "grep -vE '^x?--'",
            "grep -vi '^=== run'",
            "grep -v '^$'",
        ];
        check(&PASS, &keeping, &not);
    }
}
