//! Messages in five languages: a phrase, and what is filled into it.

use std::fmt;

use crate::Lang;

/// A word or phrase in the order of [`Lang::ALL`]; `{0}`, `{1}` are filled in.
pub type Phrase = [&'static str; 5];

/// Something to be said, in whichever language it will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A name, a number, or what somebody else said: the same in every language.
    Text(String),
    /// A phrase with its values.
    Phrase(&'static Phrase, Vec<Message>),
}

impl Message {
    /// A phrase with its values.
    pub fn new<const N: usize>(phrase: &'static Phrase, values: [&dyn fmt::Display; N]) -> Message {
        Message::of(phrase, values.map(|value| Message::Text(value.to_string())))
    }

    /// A phrase with values that are messages themselves.
    pub fn of<const N: usize>(phrase: &'static Phrase, values: [Message; N]) -> Message {
        Message::Phrase(phrase, values.into())
    }

    /// The message in `lang`, on one line: a file's name may hold a line break.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Message::Text(text) => one_line(text),
            Message::Phrase(phrase, values) => {
                let values: Vec<String> = values.iter().map(|value| value.text(lang)).collect();
                filled(phrase, lang, &values.iter().map(String::as_str).collect::<Vec<_>>())
            }
        }
    }
}

/// The English text.
impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text(Lang::En))
    }
}

impl From<&'static Phrase> for Message {
    fn from(phrase: &'static Phrase) -> Message {
        Message::Phrase(phrase, Vec::new())
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::Text(text)
    }
}

/// The phrase with `{0}`, `{1}` filled in.
pub fn filled(phrase: &Phrase, lang: Lang, values: &[&str]) -> String {
    let mut text = String::new();
    let mut rest = lang.pick(phrase);
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let index = after.split('}').next().unwrap_or_default();
        match index.parse().ok().and_then(|index: usize| values.get(index)) {
            Some(value) => {
                text.push_str(value);
                rest = after.get(index.len() + 1..).unwrap_or_default();
            }
            // A brace that is part of the phrase.
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text + rest
}

fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for symbol in text.chars() {
        if symbol.is_control() { line.extend(symbol.escape_default()) } else { line.push(symbol) }
    }
    line
}

/// Phrases by name, each with its five languages; the English one is the documentation. `ALL` lists them for tests.
#[macro_export]
macro_rules! phrases {
    ($($name:ident: $en:literal, $ja:literal, $ko:literal, $tw:literal, $cn:literal;)*) => {
        $(#[doc = concat!("\"", $en, "\"")] pub const $name: $crate::message::Phrase = [$en, $ja, $ko, $tw, $cn];)*
        /// Every phrase of this module.
        pub const ALL: &[$crate::message::Phrase] = &[$($name),*];
    };
}

/// What is wrong with a phrase: a language that says nothing, or fills in other values than English does.
pub fn faults(phrases: &[Phrase]) -> Vec<String> {
    let places = |text: &str| {
        let mut places: Vec<String> =
            text.split('{').skip(1).map(|rest| rest.chars().take(2).collect()).collect();
        places.sort();
        places.dedup();
        places
    };
    let mut faults = Vec::new();
    for phrase in phrases {
        for (lang, text) in Lang::ALL.iter().zip(phrase) {
            if text.trim().is_empty() || places(text) != places(phrase[0]) {
                faults.push(format!("{}: {text:?}, for {:?}", lang.tag(), phrase[0]));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_they_are_and_on_one_line() {
        const TWO: Phrase = ["{1} of {0}", "{0}の{1}", "{0} {1}", "{0} {1}", "{0} {1}"];
        assert_eq!(filled(&["write { a = {0} }"; 5], Lang::Ko, &["1"]), "write { a = 1 }");
        let message = Message::new(&TWO, [&"a{1}\n\u{1b}", &2]);
        assert_eq!(message.to_string(), "2 of a{1}\\n\\u{1b}");
        assert_eq!(message.text(Lang::Ja), "a{1}\\n\\u{1b}の2");
    }

    #[test]
    fn a_word_that_a_language_lacks_is_found() {
        assert_eq!(faults(&[["a {0}", "b {0}", "", "c", "d {0}"]]).len(), 2);
    }
}
