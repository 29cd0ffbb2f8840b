//! The words of one paragraph that are the agent's own: code, quotations and mark-up are taken out.
//!
//! What is taken out leaves one private-use character, so that patterns see that something stood there. Each byte
//! of the masked text knows where it stood, so that a sentence can be quoted as it was written.

use std::sync::LazyLock;

use regex::Regex;

/// Stands for a code span.
pub(crate) const CODE: char = '\u{e000}';
/// Stands for a code span that is a command which runs tests.
pub(crate) const COMMAND: char = '\u{e001}';
/// Stands for a command that runs only some tests: a path, a name or a filter is given.
pub(crate) const NARROW: char = '\u{e003}';
/// Stands for somebody's quoted words, or words that were struck out.
pub(crate) const QUOTE: char = '\u{e002}';

/// A quotation longer than this is taken for an unbalanced quotation mark.
const LONGEST_QUOTE: usize = 400;
const LONGEST_CODE: usize = 2_000;

/// Words in a code span that name a command which runs tests.
static TEST_COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    crate::claims::compile(
        r"(?i)^(?:\$ ?)?(?:[A-Z_]+=\S+ )*(?:(?:npm|pnpm|yarn|bun|deno|npx|bunx|cargo|go|make|just|task|mise|dotnet|swift|mix|zig|flutter|dart|bazel|uv|poetry|python3?|node|php|composer|bundle|rake|rails|gradle|\./gradlew|mvn|\./mvnw|sbt|tox|nox|nx|turbo|ctest|pytest|jest|vitest|mocha|rspec|phpunit|bats|ava|tap)\b|\S*/bats\b)",
    )
});
static TEST_WORD: LazyLock<Regex> = LazyLock::new(|| {
    crate::claims::compile(
        r"(?i)(?:^|[^a-z])(?:tests?|py\.?test|jest|vitest|mocha|rspec|phpunit|ctest|bats|nextest|ava|tox|nox|unittest)(?:$|[^a-z])",
    )
});
/// What narrows a test command, after its first word.
static NARROWED: LazyLock<Regex> = LazyLock::new(|| {
    crate::claims::compile(
        r"\s(?:-k|-t|-g|-m|-run|--run|--grep|--filter|--testNamePattern|--test|-p|--package|--lib|--bin|--tests)(?:[ =]|$)|::|\s\S*\.[a-z]{1,4}(?:\s|$)|\s[^-\s.]\S*/\S*|\s\./[^.]|\s-[A-Za-z]*\S*=",
    )
});
/// A results line as a runner prints it, alone in a code span.
static RESULT_LINE: LazyLock<Regex> = LazyLock::new(|| {
    crate::claims::compile(
        r"(?i)^[0-9,]+ (?:tests? )?pass(?:ed|ing)?(?:\s?[,/;|]\s?[0-9,]+ (?:fail(?:ed|ing|ures?)?|skip(?:ped)?|total|errors?|ignored))*(?: in [0-9.]+ ?s)?$",
    )
});
static ENDS_IN_PASS: LazyLock<Regex> = LazyLock::new(|| {
    crate::claims::compile(
        r"(?:(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|通過|通过|통과|成功)[ ,:(—-]*|[\x{e001}\x{e003}] ?[:—=] ?)$",
    )
});

/// Masked text with, for each of its bytes, the offset in the raw text.
#[derive(Debug, Default)]
pub(crate) struct Masked {
    pub(crate) text: String,
    pub(crate) raw_at: Vec<usize>,
}

impl Masked {
    fn push(&mut self, c: char, at: usize) {
        if c == ' ' && self.text.ends_with(' ') {
            return;
        }
        self.text.push(c);
        self.raw_at.resize(self.text.len(), at);
    }

    fn push_all(&mut self, words: &str, at: usize) {
        for (i, c) in words.char_indices() {
            self.push(c.to_ascii_lowercase(), at + i);
        }
    }
}

/// Masks one paragraph.
pub(crate) fn mask(raw: &str) -> Masked {
    let mut out = Masked::default();
    let mut at = 0;
    while let Some(c) = raw[at..].chars().next() {
        let rest = &raw[at..];
        at += match span(rest, raw[..at].chars().next_back(), &mut out, at) {
            Some(taken) => taken,
            None => {
                plain(c, rest, raw[..at].chars().next_back(), &mut out, at);
                c.len_utf8()
            }
        };
    }
    out.raw_at.push(raw.len());
    out
}

/// Takes a code span, quotation, tag or address that starts here; gives how many bytes it was.
fn span(rest: &str, before: Option<char>, out: &mut Masked, at: usize) -> Option<usize> {
    match rest.chars().next()? {
        '`' => Some(code(rest, out, at)),
        '"' => quoted(rest, '"', out, at),
        '\u{201c}' | '\u{201e}' => {
            quoted(rest, '\u{201d}', out, at).or_else(|| quoted(rest, '\u{201c}', out, at))
        }
        '「' => quoted(rest, '」', out, at),
        '『' => quoted(rest, '』', out, at),
        '«' => quoted(rest, '»', out, at),
        '\'' | '\u{2018}' if before.is_none_or(|b| b.is_whitespace() || b == '(') => single(rest, out, at),
        '~' if rest.starts_with("~~") => {
            let end = within(&rest[2..], LONGEST_QUOTE).find("~~")?;
            out.push(QUOTE, at);
            Some(end + 4)
        }
        '<' => {
            let inner = rest[1..].chars().next()?;
            let end = within(rest, 200).find('>')?;
            (inner.is_ascii_alphabetic() || inner == '/').then(|| {
                out.push(' ', at);
                end + 1
            })
        }
        ']' if rest.starts_with("](") => Some(within(rest, 500).find(')')? + 1),
        'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
            out.push(CODE, at);
            Some(rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | '>' | '|')).unwrap_or(rest.len()))
        }
        _ => None,
    }
}

fn within(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

fn code(rest: &str, out: &mut Masked, at: usize) -> usize {
    let ticks = rest.bytes().take_while(|b| *b == b'`').count();
    let body = within(&rest[ticks..], LONGEST_CODE);
    let fence = &rest[..ticks];
    let mut from = 0;
    while let Some(found) = body[from..].find(fence) {
        let end = from + found;
        let run = body[end..].bytes().take_while(|b| *b == b'`').count();
        if run == ticks {
            code_words(body[..end].trim(), out, at + ticks);
            return ticks + end + ticks;
        }
        from = end + run;
    }
    ticks
}

fn code_words(body: &str, out: &mut Masked, at: usize) {
    let word = body.to_ascii_lowercase();
    let result = RESULT_LINE.is_match(body) && ENDS_IN_PASS.is_match(&out.text[tail_start(&out.text)..]);
    if result || matches!(word.as_str(), "ok" | "pass" | "passed") {
        out.push_all(body, at);
    } else if is_test_command(body) {
        out.push(if NARROWED.is_match(body) { NARROW } else { COMMAND }, at);
    } else {
        out.push(CODE, at);
    }
}

fn is_test_command(command: &str) -> bool {
    TEST_COMMAND.is_match(command) && TEST_WORD.is_match(command)
}

/// Whether this is a command that runs only some tests.
pub(crate) fn is_narrow_command(command: &str) -> bool {
    is_test_command(command) && NARROWED.is_match(command)
}

/// The last bytes of the text: enough to see which word stands there.
fn tail_start(text: &str) -> usize {
    text.ceil_char_boundary(text.len().saturating_sub(32))
}

fn quoted(rest: &str, close: char, out: &mut Masked, at: usize) -> Option<usize> {
    let open = rest.chars().next()?.len_utf8();
    let end = within(&rest[open..], LONGEST_QUOTE).find(close)?;
    out.push(QUOTE, at);
    Some(open + end + close.len_utf8())
}

/// Words in single quotation marks; an apostrophe inside a word is none.
fn single(rest: &str, out: &mut Masked, at: usize) -> Option<usize> {
    let open = rest.chars().next()?;
    let close = if open == '\'' { '\'' } else { '\u{2019}' };
    let body = within(&rest[open.len_utf8()..], 200);
    let mut from = 0;
    while let Some(found) = body[from..].find(close) {
        let end = from + found;
        let next = body[end + close.len_utf8()..].chars().next();
        let ends_word = body[..end].chars().next_back().is_some_and(|c| !c.is_whitespace());
        if ends_word && next.is_none_or(|c| !c.is_alphanumeric()) {
            out.push(QUOTE, at);
            return Some(open.len_utf8() + end + close.len_utf8());
        }
        from = end + close.len_utf8();
    }
    None
}

/// One character of plain text: full-width forms become their ASCII twins, emphasis marks go, ticks become one tick.
fn plain(c: char, rest: &str, before: Option<char>, out: &mut Masked, at: usize) {
    let next = rest.chars().nth(1);
    let digits = before.is_some_and(|b| b.is_ascii_digit()) && next.is_some_and(|n| n.is_ascii_digit());
    match c {
        '\u{a0}' | '\u{202f}' | '\u{2009}' if digits => out.push(',', at),
        '*' | '[' | ']' | '\u{fe0f}' | '\u{200b}' => {}
        '_' if before.is_none_or(|b| !b.is_alphanumeric()) || next.is_none_or(|n| !n.is_alphanumeric()) => {}
        '\u{2018}' | '\u{2019}' => out.push('\'', at),
        '–' | '―' | '→' | '⇒' => out.push('—', at),
        '✔' | '✓' | '☑' | '🟢' => out.push('✅', at),
        '！' | '？' | '；' | '，' | '：' | '）' => {
            out.push(narrow(c), at);
            out.push(' ', at);
        }
        '\u{ff01}'..='\u{ff5e}' => out.push(narrow(c).to_ascii_lowercase(), at),
        '\u{e000}'..='\u{f8ff}' => out.push(' ', at),
        c if c.is_whitespace() || c.is_control() => out.push(' ', at),
        c => out.push(c.to_ascii_lowercase(), at),
    }
}

/// The ASCII twin of a full-width form.
fn narrow(c: char) -> char {
    char::from_u32((c as u32).wrapping_sub(0xfee0)).filter(char::is_ascii).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_agents_own_words_stay() {
        for (raw, masked) in [
            ("**Tests:** `npm test` passes", "tests: \u{e001} passes"),
            ("the line \"all tests pass\" is", "the line \u{e002} is"),
            ("it's 'all tests pass' here", "it's \u{e002} here"),
            ("「テスト通過」と表示", "\u{e002}と表示"),
            ("テスト１２件：ＯＫ！", "テスト12件: ok! "),
            ("see [the log](https://x.test/a) now", "see the log now"),
            ("~~All tests pass~~ no", "\u{e002} no"),
            ("tests passed, `27 pass / 0 fail`", "tests passed, 27 pass / 0 fail"),
            ("prints `27 pass / 0 fail`", "prints \u{e000}"),
            ("snake_case _and_ 1\u{202f}309", "snake_case and 1,309"),
            ("an open ` tick", "an open tick"),
            ("✔️ done", "✅ done"),
        ] {
            let m = mask(raw);
            assert_eq!(m.text, masked, "{raw}");
            assert_eq!(m.raw_at.len(), m.text.len() + 1);
        }
    }
}
