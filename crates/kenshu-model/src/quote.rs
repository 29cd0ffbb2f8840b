//! A verbatim line beside its place: no number is shown without one.

/// A line as it was printed, without colours, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quote {
    /// 1-based line number in the output or file it was read from.
    pub line: u32,
    /// The line's text, without terminal escapes and without the line end.
    pub text: String,
}

impl Quote {
    /// Longest text that a quote keeps, in characters: more than any runner's summary line needs.
    pub const TEXT_CHARS_MAX: usize = 400;

    /// A quote of `text`, cut to [`Quote::TEXT_CHARS_MAX`] characters.
    pub fn new(line: u32, text: &str) -> Quote {
        let text = text.trim_end();
        let text = match text.char_indices().nth(Self::TEXT_CHARS_MAX) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        Quote { line, text }
    }
}
