//! Columns and widths: a label column, text beside it, cut to the width of the terminal, CJK counted as two.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How text is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Columns of the terminal; `None`: not a terminal, lines are not cut.
    pub width: Option<usize>,
    /// Whether colours are used.
    pub color: bool,
}

/// The few colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// As it is.
    Plain,
    /// Accepted.
    Good,
    /// Rejected.
    Bad,
    /// Cannot tell, nothing verified.
    Unsure,
    /// Labels and places.
    Dim,
}

/// Display width in columns.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

impl Layout {
    /// A line with `label` in a column of `column` columns and `text` beside it.
    pub fn row(&self, column: usize, label: &str, text: &str, paint: Paint) -> String {
        let gap = " ".repeat(column.saturating_sub(width(label)).max(usize::from(!label.is_empty())));
        let room = self.width.map(|width| width.saturating_sub(column));
        let text = clean(text);
        let text = room.map_or_else(|| text.clone(), |room| cut(&text, room));
        let line = format!("{}{gap}{text}", self.paint(label, paint));
        let mut line = line.trim_end().to_owned();
        line.push('\n');
        line
    }

    fn paint(&self, text: &str, paint: Paint) -> String {
        let code = match paint {
            _ if !self.color || text.is_empty() => return text.to_owned(),
            Paint::Plain => return text.to_owned(),
            Paint::Good => "32",
            Paint::Bad => "31;1",
            Paint::Unsure => "33;1",
            Paint::Dim => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// Control characters would let a test's name rewrite the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|symbol| if symbol.is_control() { ' ' } else { symbol }).collect()
}

/// `text` cut to `room` columns, with `…` where something is missing.
fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut used = 0;
    let mut shown = String::new();
    for symbol in text.chars() {
        let columns = symbol.width().unwrap_or(0);
        if used + columns + 1 > room {
            break;
        }
        used += columns;
        shown.push(symbol);
    }
    shown.push('…');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        let layout = Layout { width: Some(14), color: false };
        assert_eq!(layout.row(8, "申告", "十二件のテスト", Paint::Plain), "申告    十二…\n");
        assert_eq!(layout.row(8, "claimed", "12", Paint::Plain), "claimed 12\n");
    }

    #[test]
    fn a_name_cannot_rewrite_the_terminal() {
        let layout = Layout { width: None, color: false };
        assert_eq!(layout.row(2, "", "a\u{1b}[2Jb\r", Paint::Plain), "  a [2Jb\n");
    }

    #[test]
    fn only_the_label_is_coloured() {
        let layout = Layout { width: None, color: true };
        assert_eq!(layout.row(4, "ok", "1", Paint::Good), "\u{1b}[32mok\u{1b}[0m  1\n");
    }
}
