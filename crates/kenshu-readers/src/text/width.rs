//! How wide the terminal was, where a display relies on the terminal to break its lines.
//!
//! Progress displays that are several rows high (indicatif's) fill each row with blanks up to the terminal's width
//! instead of ending it, and go up again by rows. Without its width everything would be one line, and erased with it.

use super::{Screen, escape_len};

/// A terminal is not narrower.
const WIDTH_MIN: usize = 20;

/// The width by which each stretch of text before a movement upwards fills whole rows, one more than it goes up.
pub(super) fn of(text: &str) -> Option<usize> {
    memchr::memchr(0x1b, text.as_bytes())?;
    let stretches = stretches(text);
    let (length, rows_up) = stretches.iter().min()?;
    let rows = rows_up + 1;
    let width = length / rows;
    let fits = |(length, rows_up): &(usize, usize)| length % width == 0 && length / width > *rows_up;
    (length % rows == 0 && width >= WIDTH_MIN && stretches.iter().all(fits)).then_some(width)
}

/// Of each stretch of signs that is followed by a movement upwards: its length, and the number of rows.
fn stretches(text: &str) -> Vec<(usize, usize)> {
    let mut stretches = Vec::new();
    let mut length = 0usize;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut len = first.len_utf8();
        match first {
            '\u{1b}' => {
                len = escape_len(rest);
                let sequence = &rest[..len];
                if let Some(rows) = sequence.strip_prefix("\u{1b}[").and_then(|body| body.strip_suffix('A'))
                    && length > WIDTH_MIN
                {
                    stretches.push((length, rows.parse().unwrap_or(1).max(1)));
                }
                // Colours do not end a stretch.
                length = if sequence.ends_with('m') { length } else { 0 };
            }
            '\n' | '\r' => length = 0,
            _ => length += 1,
        }
        rest = &rest[len..];
    }
    stretches
}

impl Screen {
    /// Goes on in the next row where this one is full.
    pub(super) fn wrap(&mut self) {
        if self.width.is_some_and(|width| self.column >= width) {
            let line = self.line;
            self.line_feed();
            self.line = line;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Text;
    use super::of;

    fn row(text: &str) -> String {
        format!("{text:<40}")
    }

    #[test]
    fn rows_that_are_filled_are_told_apart() {
        let bars = format!("\u{1b}[32m{}\u{1b}[0m{}", row("Running 0/2"), row("a"));
        let text = format!(
            "{bars}\u{1b}[1A\r{}{bars}\u{1b}[1A\r\u{1b}[2K\u{1b}[1B\r\u{1b}[2K\u{1b}[1Aend\n",
            row("PASS a")
        );
        assert_eq!(of(&text), Some(40));
        let text = Text::new(text.as_bytes());
        let lines: Vec<&str> = text.lines().map(|line| line.text.trim_end()).collect();
        assert_eq!(lines, ["PASS a", "end", ""]);
    }

    #[test]
    fn lines_that_end_tell_no_width() {
        assert_eq!(of("Tests: 1 of some more than twenty\nTime: 1\n\u{1b}[2A\u{1b}[2KTests: 2\n"), None);
        let two = format!("{}{}\u{1b}[1A{}\u{1b}[1A", row("a"), row("b"), "x".repeat(95));
        assert_eq!(of(&two), None);
    }
}
