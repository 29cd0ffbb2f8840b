//! JSON that is looked at where it stands: a value is a piece of the text, and no tree is built of it.
//!
//! A report can be as large as all that Kenshu reads of an output, and a tree of it is some fifteen times its size. What
//! is asked for is searched for from the beginning of its object; of a key that stands twice the first one counts.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A valid value.
#[derive(Clone, Copy, Debug)]
pub struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// The value that the text begins with, and where it ends. `None`: it is not valid, or nests too deep.
    pub fn read(text: &'a str) -> Option<(Json<'a>, usize)> {
        let mut parser = serde_json::Deserializer::from_str(text).into_iter::<Valid>();
        parser.next()?.ok()?;
        let end = parser.byte_offset();
        Some((Json(text[..end].trim_start()), end))
    }

    /// The member of this name.
    pub fn get(self, key: &str) -> Option<Json<'a>> {
        self.members().find(|(name, _)| name.is(key)).map(|(_, value)| value)
    }

    /// The member of this name; `null` where there is none.
    pub fn at(self, key: &str) -> Json<'a> {
        self.get(key).unwrap_or(Json("null"))
    }

    /// The items of an array.
    pub fn as_array(self) -> Option<Items<'a>> {
        Some(Items(self.0.strip_prefix('[')?))
    }

    /// The items of an array; none of anything else.
    pub fn items(self) -> Items<'a> {
        self.as_array().unwrap_or(Items(""))
    }

    /// The items of the array that is the member of this name.
    pub fn list(self, key: &str) -> Items<'a> {
        self.at(key).items()
    }

    /// The text of a string.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        match memchr::memchr(b'\\', inner.as_bytes()) {
            None => Some(Cow::Borrowed(inner)),
            Some(_) => serde_json::from_str(self.0).ok().map(Cow::Owned),
        }
    }

    /// The text of the string that is the member of this name; nothing where there is none.
    pub fn text(self, key: &str) -> Cow<'a, str> {
        self.get(key).and_then(Json::as_str).unwrap_or_default()
    }

    /// The whole number that is the member of this name.
    pub fn number(self, key: &str) -> Option<u64> {
        self.get(key)?.as_u64()
    }

    /// A whole number that is not negative.
    pub fn as_u64(self) -> Option<u64> {
        self.0.parse().ok().filter(|_| !self.0.starts_with('+'))
    }

    /// `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        self.0.parse().ok()
    }

    /// Whether it is this string.
    pub fn is(self, word: &str) -> bool {
        self.as_str().is_some_and(|text| text == word)
    }

    /// Whether it is a string.
    pub fn is_string(self) -> bool {
        self.0.starts_with('"')
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// Whether it is an array.
    pub fn is_array(self) -> bool {
        self.0.starts_with('[')
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// As it is written.
    pub fn as_written(self) -> &'a str {
        self.0
    }

    fn members(self) -> impl Iterator<Item = (Json<'a>, Json<'a>)> {
        let mut rest = self.0.strip_prefix('{').unwrap_or("");
        std::iter::from_fn(move || {
            let key = next(&mut rest)?;
            rest = rest.trim_start().strip_prefix(':')?;
            Some((key, next(&mut rest)?))
        })
    }
}

/// The items of an array, found one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a>(&'a str);

impl<'a> Iterator for Items<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        next(&mut self.0)
    }
}

impl Items<'_> {
    /// Whether none is left.
    pub fn is_empty(mut self) -> bool {
        self.next().is_none()
    }
}

/// Takes the value that a valid text goes on with, a comma before it; `None`: here an array or object ends.
fn next<'a>(rest: &mut &'a str) -> Option<Json<'a>> {
    let text = rest.trim_start_matches([' ', '\t', '\n', '\r', ',']);
    let length = length(text.as_bytes())?;
    let (value, after) = text.split_at_checked(length)?;
    *rest = after;
    Some(Json(value))
}

/// Bytes of the value that a valid text begins with.
fn length(text: &[u8]) -> Option<usize> {
    match text.first()? {
        b'"' => string_length(text),
        b'{' | b'[' => {
            let (mut depth, mut at) = (0usize, 0);
            loop {
                match text.get(at)? {
                    b'"' => {
                        at += string_length(&text[at..])?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        b'}' | b']' => None,
        _ => {
            let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
            Some(text.iter().position(ends).unwrap_or(text.len()))
        }
    }
}

/// Bytes of the string that begins here, with its quotation marks.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// A value that is valid and nests no deeper than serde_json lets it. It holds nothing.
struct Valid;

impl<'de> Deserialize<'de> for Valid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Valid, D::Error> {
        deserializer.deserialize_any(Valid)
    }
}

impl<'de> Visitor<'de> for Valid {
    type Value = Valid;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Valid, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Valid, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Valid, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Valid, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Valid, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Valid, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Valid, A::Error> {
        while items.next_element::<Valid>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Valid, A::Error> {
        while members.next_entry::<IgnoredAny, Valid>()?.is_some() {}
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found() {
        let text = r#" {"a\"b": [1, {"x":"]}"} ,"é\n"], "n" : -2, "t":true, "z":{}, "o":null, "s":"" } x"#;
        let (json, end) = Json::read(text).unwrap();
        assert_eq!(&text[end..], " x");
        let items: Vec<&str> = json.list("a\"b").map(Json::as_written).collect();
        assert_eq!(items, ["1", r#"{"x":"]}"}"#, r#""é\n""#]);
        assert_eq!(json.list("a\"b").nth(2).and_then(Json::as_str).as_deref(), Some("é\n"));
        assert_eq!(
            (json.number("n"), json.at("t").as_bool(), json.at("none").is_null()),
            (None, Some(true), true)
        );
        assert!(
            json.at("z").is_object()
                && json.at("o").is_null()
                && json.at("s").is("")
                && json.list("z").is_empty()
        );
    }

    #[test]
    fn every_piece_is_what_a_tree_has() {
        fn same(json: Json<'_>, value: &serde_json::Value) {
            if let Some(items) = value.as_array() {
                assert_eq!(json.items().count(), items.len());
                json.items().zip(items).for_each(|(json, value)| same(json, value));
            } else if let Some(members) = value.as_object() {
                assert_eq!(json.members().count(), members.len());
                members.iter().for_each(|(key, value)| same(json.at(key), value));
            } else {
                assert_eq!(json.as_str().as_deref(), value.as_str());
                assert_eq!((json.as_u64(), json.as_bool()), (value.as_u64(), value.as_bool()));
            }
        }
        for text in
            ["[]", "[[],[[]],{}]", r#"{"a":{"b":[1.5,1e3,"\\\"",{"c":null}]},"d":"[{,:"}"#, "3", r#""\\""#]
        {
            same(Json::read(text).unwrap().0, &serde_json::from_str(text).unwrap());
        }
    }

    #[test]
    fn what_is_broken_or_too_deep_is_none() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\" 1}",
            "\"a",
            "nul",
            &"[".repeat(200),
            &("[".repeat(200) + &"]".repeat(200)),
        ] {
            assert!(Json::read(text).is_none(), "{text}");
        }
    }
}
