//! The terminal: whether there is one, how wide it is, and one line that overwrites itself.

use std::io::{self, IsTerminal, Write};

use unicode_width::UnicodeWidthChar;

/// One of the three standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard input.
    Stdin,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Whether a standard stream is a terminal.
pub fn is_terminal(stream: Stream) -> bool {
    match stream {
        Stream::Stdin => io::stdin().is_terminal(),
        Stream::Stdout => io::stdout().is_terminal(),
        Stream::Stderr => io::stderr().is_terminal(),
    }
}

/// How many columns the terminal behind a standard stream has; `None`: no terminal, or it does not say.
#[cfg(unix)]
pub fn width(stream: Stream) -> Option<u16> {
    let size = match stream {
        Stream::Stdin => rustix::termios::tcgetwinsize(io::stdin()),
        Stream::Stdout => rustix::termios::tcgetwinsize(io::stdout()),
        Stream::Stderr => rustix::termios::tcgetwinsize(io::stderr()),
    };
    size.ok().map(|size| size.ws_col).filter(|columns| *columns > 0)
}

/// How many columns the terminal behind a standard stream has: not known on this platform.
#[cfg(not(unix))]
pub fn width(_stream: Stream) -> Option<u16> {
    None
}

/// A line that is overwritten by the next one and leaves nothing behind.
///
/// Errors of the terminal are swallowed: progress is never worth failing a run.
#[derive(Debug)]
pub struct ProgressLine<W: Write> {
    out: W,
    columns: usize,
    shown: bool,
}

impl<W: Write> ProgressLine<W> {
    /// A line on `out`, which is `columns` wide.
    pub fn new(out: W, columns: u16) -> ProgressLine<W> {
        ProgressLine { out, columns: usize::from(columns), shown: false }
    }

    /// Shows `text` in place of what was shown before, cut to the width.
    pub fn show(&mut self, text: &str) {
        // The last column stays free: some terminals wrap as soon as it is filled.
        let line = cut(text, self.columns.saturating_sub(1));
        self.shown = true;
        // Carriage return, text, and erasing to the end of the line (ECMA-48 EL).
        let _ = write!(self.out, "\r{line}\u{1b}[K");
        let _ = self.out.flush();
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(self.out, "\r\u{1b}[K");
            let _ = self.out.flush();
        }
    }
}

impl<W: Write> Drop for ProgressLine<W> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// As much of `text` as fits into `columns`; control characters, which would move the cursor, are left out.
fn cut(text: &str, columns: usize) -> String {
    let mut used = 0;
    let mut line = String::new();
    for char in text.chars() {
        let Some(width) = char.width() else { continue };
        if used + width > columns {
            break;
        }
        used += width;
        line.push(char);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_overwrites_the_one_before_and_leaves_nothing() {
        let mut bytes = Vec::new();
        let mut line = ProgressLine::new(&mut bytes, 80);
        line.show("1 test");
        line.show("2 tests");
        drop(line);
        assert_eq!(bytes, b"\r1 test\x1b[K\r2 tests\x1b[K\r\x1b[K");
    }

    #[test]
    fn nothing_shown_is_nothing_to_take_away() {
        let mut bytes = Vec::new();
        drop(ProgressLine::new(&mut bytes, 80));
        assert!(bytes.is_empty());
    }

    #[test]
    fn wide_characters_count_twice_and_control_characters_not_at_all() {
        assert_eq!(cut("検収中", 5), "検収");
        assert_eq!(cut("a\nb\u{1b}[2Jc", 20), "ab[2Jc");
        assert_eq!(cut("abc", 0), "");
    }
}
