//! Bytes → text as a person would have seen it: decoded, colours gone, progress lines overwritten.

use std::borrow::Cow;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::lines::{self, LineSpan};

mod width;

/// Decoded text of one output or report, borrowed from its bytes where they are plain text.
#[derive(Debug)]
pub struct Text<'a> {
    /// The text of each stream. At least one; the first holds the lines without a wrapper's prefix.
    pub streams: Vec<Stream<'a>>,
}

/// The lines that one source printed: the whole text, or those with one wrapper prefix, without it.
#[derive(Debug, Default)]
pub struct Stream<'a> {
    body: Cow<'a, str>,
    /// Line number of each line; `None`: 1, 2, 3 …
    numbers: Option<Vec<u32>>,
    /// Where each line begins, once a reader has asked.
    starts: OnceLock<Vec<u32>>,
}

/// One line of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// 1-based number in the original text.
    pub number: u32,
    /// The text without its line end.
    pub text: &'a str,
}

impl Line<'_> {
    /// This line as a quote.
    pub fn quote(&self) -> kenshu_model::Quote {
        kenshu_model::Quote::new(self.number, self.text)
    }
}

impl Text<'_> {
    /// Decodes `bytes` and takes wrapper prefixes off.
    pub fn new(bytes: &[u8]) -> Text<'_> {
        Text { streams: crate::prefix::split(replay(decode(bytes))) }
    }
}

impl<'a> Stream<'a> {
    /// A stream of these lines, numbered as given.
    pub fn numbered(body: String, numbers: Vec<u32>) -> Stream<'a> {
        Stream { body: Cow::Owned(body), numbers: Some(numbers), starts: OnceLock::new() }
    }

    /// A stream numbered 1, 2, 3 …
    pub fn plain(body: impl Into<Cow<'a, str>>) -> Stream<'a> {
        Stream { body: body.into(), numbers: None, starts: OnceLock::new() }
    }

    /// The whole text.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The lines in order.
    pub fn lines(&self) -> Lines<'_> {
        Lines { stream: self, offset: 0, index: 0 }
    }

    /// The lines in order, to be looked up by place.
    pub fn all_lines(&self) -> Vec<Line<'_>> {
        let mut lines = Vec::with_capacity(memchr::memchr_iter(b'\n', self.body.as_bytes()).count() + 1);
        lines.extend(self.lines());
        lines
    }

    /// The lines in order, to be looked up by place without a copy: they are found once for all readers.
    pub fn line_span(&self) -> LineSpan<'_> {
        LineSpan::whole(self, self.starts.get_or_init(|| lines::starts(&self.body)))
    }

    /// The numbers of the first and of the last line that is not blank.
    pub fn extent(&self) -> Option<(u32, u32)> {
        let first = self.lines().find(|line| !line.text.trim().is_empty())?;
        Some((first.number, self.last_line()?.number))
    }

    /// The number of the line at `index` (0-based).
    pub fn number(&self, index: usize) -> u32 {
        match &self.numbers {
            Some(numbers) => numbers.get(index).copied().unwrap_or_default(),
            None => u32::try_from(index).unwrap_or(u32::MAX - 1) + 1,
        }
    }

    /// The lines in which `needle` stands, in order; those between them are passed over at the speed of memory.
    pub fn lines_with(&self, needle: &str) -> impl Iterator<Item = Line<'_>> {
        let body = self.body.as_bytes();
        let finder = memchr::memmem::Finder::new(needle.as_bytes()).into_owned();
        let (mut from, mut index) = (0, 0);
        std::iter::from_fn(move || {
            let at = from + finder.find(body.get(from..)?)?;
            let start = memchr::memrchr(b'\n', &body[..at]).map_or(0, |before| before + 1);
            let end = memchr::memchr(b'\n', &body[at..]).map_or(body.len(), |length| at + length);
            index = self.place(start, from, index);
            let line = Line { number: self.number(index), text: &self.body[start..end] };
            (from, index) = (end + 1, index + 1);
            Some(line)
        })
    }

    /// Place of the line that begins at `start`, behind the one at place `known` that begins at `from`.
    fn place(&self, start: usize, from: usize, known: usize) -> usize {
        match self.starts.get() {
            Some(starts) => starts.partition_point(|at| (*at as usize) < start),
            None => known + memchr::memchr_iter(b'\n', &self.body.as_bytes()[from..start]).count(),
        }
    }

    /// Where in the body this line of the stream begins.
    pub fn start_of(&self, line: &Line<'_>) -> usize {
        line.text.as_ptr().addr() - self.body.as_ptr().addr()
    }

    /// Whether one of the needles stands anywhere, in one pass.
    pub fn contains_any(&self, needles: &[&str]) -> bool {
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(needles);
        automaton.expect("needles are short").is_match(&*self.body)
    }

    /// Whether `needle` stands anywhere.
    pub fn contains(&self, needle: &str) -> bool {
        memchr::memmem::find(self.body.as_bytes(), needle.as_bytes()).is_some()
    }

    /// The last line that is not blank.
    pub fn last_line(&self) -> Option<Line<'_>> {
        let body = self.body.trim_end();
        let start = memchr::memrchr(b'\n', body.as_bytes()).map_or(0, |before| before + 1);
        let above = self.place(start, 0, 0);
        let line = Lines { stream: self, offset: start, index: above }.next();
        line.filter(|_| !body.is_empty())
    }
}

/// Iterator over the lines of a stream.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    stream: &'a Stream<'a>,
    offset: usize,
    index: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let body = &self.stream.body;
        if self.offset >= body.len() {
            return None;
        }
        let start = self.offset;
        let end = memchr::memchr(b'\n', &body.as_bytes()[start..]).map_or(body.len(), |at| start + at);
        self.offset = end + 1;
        let line = Line { number: self.stream.number(self.index), text: &body[start..end] };
        self.index += 1;
        Some(line)
    }
}

/// Decodes UTF-16 with a byte order mark, else UTF-8; what is not valid becomes `?` (U+FFFD in UTF-16).
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes).into(),
        [0xef, 0xbb, 0xbf, rest @ ..] => decode_utf8(rest),
        _ => decode_utf8(bytes),
    }
}

fn decode_utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        // One byte for what was none: U+FFFD has three, and junk would grow to thrice its size.
        if !chunk.invalid().is_empty() {
            text.push('?');
        }
    }
    text.into()
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Replays terminal control: colours are dropped, `\r` and cursor movements overwrite as on a screen.
fn replay(text: Cow<'_, str>) -> Stream<'_> {
    if memchr::memchr3(0x1b, b'\r', 0x08, text.as_bytes()).is_none() {
        return Stream::plain(text);
    }
    let text = if memchr::memmem::find(text.as_bytes(), b"\r\n").is_some() {
        text.replace("\r\n", "\n").into()
    } else {
        text
    };
    if moves_cursor(&text) {
        return Screen { width: width::of(&text), ..Screen::default() }.play(&text);
    }
    match strip_escapes(&text) {
        Cow::Borrowed(_) => Stream::plain(text),
        Cow::Owned(plain) => Stream::plain(plain),
    }
}

/// Whether anything but colours and titles is in the text: a lone `\r`, a backspace, a cursor movement, an erasure.
fn moves_cursor(text: &str) -> bool {
    if memchr::memchr2(b'\r', 0x08, text.as_bytes()).is_some() {
        return true;
    }
    let bytes = text.as_bytes();
    memchr::memchr_iter(0x1b, bytes).any(|at| {
        bytes.get(at + 1) == Some(&b'[')
            && bytes[at + 2..]
                .iter()
                .find(|byte| (0x40..=0x7e).contains(*byte))
                .is_some_and(|end| matches!(end, b'A' | b'F' | b'G' | b'H' | b'J' | b'K' | b'D'))
    })
}

/// The text without terminal escapes (ECMA-48 control sequences, OSC strings, two-byte escapes).
pub fn strip_escapes(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(0x1b, text.as_bytes()) else {
        return Cow::Borrowed(text);
    };
    let mut plain = String::with_capacity(text.len());
    plain.push_str(&text[..first]);
    let mut rest = &text[first..];
    while !rest.is_empty() {
        rest = &rest[escape_len(rest)..];
        let next = memchr::memchr(0x1b, rest.as_bytes()).unwrap_or(rest.len());
        plain.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(plain)
}

/// Bytes of the escape sequence that `text` begins with.
fn escape_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(1) {
        Some(b'[') => match bytes[2..].iter().position(|byte| !(0x20..=0x3f).contains(byte)) {
            // The final byte belongs to the sequence, unless the sequence is broken off.
            Some(at) if bytes[2 + at].is_ascii() && bytes[2 + at] >= 0x40 => at + 3,
            Some(at) => at + 2,
            None => bytes.len(),
        },
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let body = &bytes[2..];
            match body.iter().position(|byte| matches!(byte, 0x07 | 0x1b | b'\n')) {
                Some(at) if body[at] == 0x07 => at + 3,
                Some(at) if body[at] == 0x1b && body.get(at + 1) == Some(&b'\\') => at + 4,
                Some(at) => at + 2,
                None => bytes.len(),
            }
        }
        Some(b'(' | b')' | b'#') if bytes.get(2).is_some_and(u8::is_ascii) => 3,
        Some(byte) if byte.is_ascii() && *byte != b'\n' => 2,
        Some(_) | None => 1,
    }
}

/// A screen, mostly of unlimited width, whose last rows can still be overwritten.
#[derive(Default)]
struct Screen {
    /// Where the terminal breaks lines.
    width: Option<usize>,
    done: String,
    /// How many blanks were put in to reach a column.
    blanks: usize,
    numbers: Vec<u32>,
    rows: std::collections::VecDeque<Row>,
    row: usize,
    column: usize,
    line: u32,
}

#[derive(Default)]
struct Row {
    text: Vec<char>,
    number: u32,
}

impl Screen {
    /// How many rows back a program can still write: taller than any terminal a runner redraws.
    const ROWS_MAX: usize = 400;

    fn play(mut self, text: &str) -> Stream<'static> {
        self.line = 1;
        self.open_row();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            match first {
                '\u{1b}' => {
                    let len = escape_len(rest);
                    self.control(&rest[..len]);
                    rest = &rest[len..];
                    continue;
                }
                '\n' => self.line_feed(),
                '\r' => self.column = 0,
                '\u{8}' => self.column = self.column.saturating_sub(1),
                other => self.put(other),
            }
            rest = &rest[first.len_utf8()..];
        }
        while !self.rows.is_empty() {
            self.flush_row();
        }
        Stream::numbered(self.done, self.numbers)
    }

    fn open_row(&mut self) {
        self.rows.push_back(Row { text: Vec::new(), number: self.line });
        if self.rows.len() > Self::ROWS_MAX {
            self.flush_row();
            self.row = self.row.saturating_sub(1);
        }
    }

    fn flush_row(&mut self) {
        if let Some(row) = self.rows.pop_front() {
            self.done.extend(row.text);
            self.done.push('\n');
            self.numbers.push(row.number);
        }
    }

    fn line_feed(&mut self) {
        self.line += 1;
        self.column = 0;
        self.row += 1;
        if self.row >= self.rows.len() {
            self.open_row();
            self.row = self.rows.len() - 1;
        }
    }

    fn put(&mut self, symbol: char) {
        // A line that is redrawn is short; what lies beyond this column of one is dropped to bound the memory.
        const COLUMN_MAX: usize = 1 << 22;
        // A few bytes can ask for thousands of blanks; a text with more than these is no display.
        const BLANKS_MAX: usize = 1 << 24;
        self.wrap();
        let Some(row) = self.rows.get_mut(self.row).filter(|_| self.column < COLUMN_MAX) else { return };
        if row.text.is_empty() {
            row.number = self.line;
        }
        if self.column < row.text.len() {
            row.text[self.column] = symbol;
        } else {
            let blanks = self.column - row.text.len();
            if self.blanks + blanks <= BLANKS_MAX {
                self.blanks += blanks;
                row.text.resize(self.column, ' ');
            }
            self.column = row.text.len();
            row.text.push(symbol);
        }
        self.column += 1;
    }

    /// Carries out one escape sequence; what is no cursor movement and no erasure has no effect.
    fn control(&mut self, sequence: &str) {
        let Some(body) = sequence.strip_prefix("\u{1b}[") else { return };
        let Some(end) = body.chars().last() else { return };
        let parameter = &body[..body.len() - end.len_utf8()];
        let number: usize = parameter.parse().unwrap_or(0).min(10_000);
        match end {
            'A' | 'F' => {
                self.row = self.row.saturating_sub(number.max(1));
                if end == 'F' {
                    self.column = 0;
                }
            }
            'C' => self.column = (self.column + number.max(1)).min(10_000),
            'D' => self.column = self.column.saturating_sub(number.max(1)),
            'G' => self.column = number.max(1) - 1,
            'B' => self.row = (self.row + number.max(1)).min(self.rows.len() - 1),
            'K' => self.erase_in_line(number),
            'J' => self.erase_below(number),
            _ => {}
        }
    }

    fn erase_in_line(&mut self, how: usize) {
        let Some(row) = self.rows.get_mut(self.row) else { return };
        match how {
            0 => row.text.truncate(self.column),
            1 => row.text.iter_mut().take(self.column + 1).for_each(|cell| *cell = ' '),
            _ => row.text.clear(),
        }
    }

    /// `CSI 0 J` erases what follows the cursor. `CSI 2 J` and `CSI 3 J` clear a screen whose earlier lines a log
    /// still holds (watch modes): they are kept.
    fn erase_below(&mut self, how: usize) {
        if how != 0 {
            return;
        }
        self.erase_in_line(0);
        self.rows.truncate(self.row + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &[(u32, &str)]) {
        let stream = replay(decode(bytes));
        let lines: Vec<(u32, &str)> = stream.lines().map(|line| (line.number, line.text)).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn plain_text_is_numbered_from_one() {
        check(b"a\n\nb", &[(1, "a"), (2, ""), (3, "b")]);
    }

    #[test]
    fn lines_with_words_are_found_with_their_numbers() {
        let stream = Stream::plain("a\nok b ok\n\nc\nok\nd ok");
        let found: Vec<(u32, &str, usize)> =
            stream.lines_with("ok").map(|line| (line.number, line.text, stream.start_of(&line))).collect();
        assert_eq!(found, [(2, "ok b ok", 2), (5, "ok", 13), (6, "d ok", 16)]);
        let expected: Vec<Line<'_>> = stream.lines().filter(|line| line.text.contains("ok")).collect();
        assert_eq!(stream.lines_with("ok").collect::<Vec<_>>(), expected);
    }

    #[test]
    fn colours_and_titles_are_dropped() {
        check(b"\x1b[1;31mred\x1b[0m\x1b]0;title\x07!\n", &[(1, "red!")]);
    }

    #[test]
    fn carriage_returns_at_line_ends_are_no_overwriting() {
        check(b"a\r\nb\r\n", &[(1, "a"), (2, "b")]);
    }

    #[test]
    fn a_progress_line_shows_what_was_written_last() {
        check(b"10%\r100%\ndone", &[(1, "100%"), (2, "done")]);
    }

    #[test]
    fn rows_that_were_redrawn_show_their_last_state() {
        check(
            b"Tests: 1\nTime: 1\n\x1b[2A\x1b[2KTests: 2\n\x1b[2KTime: 2\n",
            &[(3, "Tests: 2"), (4, "Time: 2"), (3, "")],
        );
    }

    #[test]
    fn utf16_with_a_mark_is_decoded() {
        check(b"\xff\xfea\0\n\0", &[(1, "a")]);
        check(b"\xfe\xff\0a", &[(1, "a")]);
    }

    #[test]
    fn invalid_bytes_become_question_marks() {
        check(b"a\xffb", &[(1, "a?b")]);
    }

    #[test]
    fn blanks_that_are_asked_for_have_a_limit() {
        let stream = replay("\u{1b}[9999Cx\n\r".repeat(10_000).into());
        assert!(stream.body().len() < 20 << 20);
        assert!(stream.lines().all(|line| line.text.is_empty() || line.text.ends_with('x')));
    }

    #[test]
    fn a_broken_escape_ends_with_the_text() {
        check(b"a\x1b[", &[(1, "a")]);
        check("a\x1b[3é".as_bytes(), &[(1, "aé")]);
    }
}
