//! Literal settings of configuration that is JavaScript or TypeScript code.
//!
//! Nothing is run. Keys of object literals are followed with the keys around them; a value is read only where it is a
//! literal. What is computed is marked as not whole.

use super::settings::Setting;
use crate::detect::folder::end_of_string;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A string, a number, a word such as `true`, or a regular expression as text.
    Literal(String),
    Name(String),
    Mark(char),
    Spread,
}

/// The settings of a file.
pub(super) fn settings(text: &str) -> Vec<Setting> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    // What each open bracket adds to the path.
    let mut open: Vec<(char, Option<String>)> = Vec::new();
    let mut pending: Option<String> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Mark(mark @ ('{' | '[' | '(')) => open.push((*mark, pending.take())),
            Token::Mark('}' | ']' | ')') => {
                open.pop();
                pending = None;
            }
            Token::Name(name) | Token::Literal(name)
                if is_key(&tokens, at) && open.last().is_some_and(|(mark, _)| *mark == '{') =>
            {
                let mut path: Vec<String> = open.iter().filter_map(|(_, key)| key.clone()).collect();
                path.push(name.clone());
                at += 2;
                match value(&tokens[at..]) {
                    Read::Object => pending = Some(name.clone()),
                    Read::Value(values, unread) => {
                        found.push(Setting { path, values, unread });
                        pending = Some(name.clone());
                    }
                }
                continue;
            }
            Token::Mark(',' | ';') => pending = None,
            Token::Mark(_) | Token::Name(_) | Token::Literal(_) | Token::Spread => {}
        }
        at += 1;
    }
    found
}

/// Whether the token is a key: behind `{` or `,`, before `:`.
fn is_key(tokens: &[Token], at: usize) -> bool {
    matches!(tokens.get(at + 1), Some(Token::Mark(':')))
        && at.checked_sub(1).is_some_and(|before| matches!(tokens[before], Token::Mark('{' | ',')))
}

enum Read {
    /// An object, or a call that may hold one: its keys come by themselves.
    Object,
    Value(Vec<String>, Option<String>),
}

fn value(tokens: &[Token]) -> Read {
    let ends = |token: Option<&Token>| matches!(token, None | Some(Token::Mark(',' | '}' | ';' | ')')));
    match tokens.first() {
        Some(Token::Mark('{')) => Read::Object,
        Some(Token::Literal(text)) if ends(tokens.get(1)) => Read::Value(vec![text.clone()], None),
        Some(Token::Mark('-')) => match tokens.get(1) {
            Some(Token::Literal(text)) if ends(tokens.get(2)) => Read::Value(vec![format!("-{text}")], None),
            _ => Read::Value(Vec::new(), Some(expression(tokens))),
        },
        Some(Token::Mark('[')) => list(&tokens[1..]),
        // `process.env.CI ? 2 : 0`, names, calls: the numbers and strings in it are not the value.
        Some(_) => Read::Value(Vec::new(), Some(expression(tokens))),
        None => Read::Value(Vec::new(), None),
    }
}

fn list(tokens: &[Token]) -> Read {
    let mut values = Vec::new();
    let mut whole = true;
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let starts = at == 0 || matches!(tokens[at - 1], Token::Mark(','));
        match token {
            Token::Mark(']') if depth == 0 => {
                return Read::Value(values, (!whole).then(|| expression(tokens)));
            }
            // Objects in a list are configurations of their own.
            Token::Mark('{') if depth == 0 && values.is_empty() && starts => return Read::Object,
            Token::Mark('{' | '[' | '(') => {
                depth += 1;
                whole = false;
            }
            Token::Mark('}' | ']' | ')') => depth = depth.saturating_sub(1),
            Token::Literal(text)
                if depth == 0 && starts && matches!(tokens.get(at + 1), Some(Token::Mark(',' | ']'))) =>
            {
                values.push(text.clone());
            }
            Token::Mark(',') => {}
            Token::Literal(_) | Token::Name(_) | Token::Mark(_) | Token::Spread => whole = false,
        }
    }
    Read::Value(values, Some(expression(tokens)))
}

/// The words of an expression up to its end: kept so that a change of it is seen.
fn expression(tokens: &[Token]) -> String {
    let mut depth = 0usize;
    let mut words = Vec::new();
    for token in tokens {
        match token {
            Token::Mark('{' | '[' | '(') => depth += 1,
            Token::Mark('}' | ']' | ')') if depth == 0 => break,
            Token::Mark('}' | ']' | ')') => depth -= 1,
            Token::Mark(',' | ';') if depth == 0 => break,
            Token::Mark(_) | Token::Name(_) | Token::Literal(_) | Token::Spread => {}
        }
        words.push(match token {
            Token::Literal(text) | Token::Name(text) => text.clone(),
            Token::Mark(mark) => mark.to_string(),
            Token::Spread => "...".to_owned(),
        });
    }
    words.join(" ")
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = text;
    while let Some(symbol) = rest.chars().next() {
        if symbol.is_whitespace() {
            rest = &rest[symbol.len_utf8()..];
        } else if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if rest.starts_with("...") {
            tokens.push(Token::Spread);
            rest = &rest[3..];
        } else if matches!(symbol, '"' | '\'' | '`') {
            let end = end_of_string(rest, symbol);
            let inner = rest[1..end].strip_suffix(symbol).unwrap_or(&rest[1..end]);
            let computed = symbol == '`' && inner.contains("${");
            tokens.push(if computed {
                Token::Name(inner.to_owned())
            } else {
                Token::Literal(unescaped(inner))
            });
            rest = &rest[end..];
        } else if symbol == '/' && regex_may_start(tokens.last()) {
            let end = end_of_string(rest, '/');
            let flags = rest[end..].chars().take_while(char::is_ascii_alphabetic).count();
            tokens.push(Token::Literal(rest[1..end].trim_end_matches('/').to_owned()));
            rest = &rest[end + flags..];
        } else if symbol.is_alphanumeric() || matches!(symbol, '_' | '$') {
            let end = rest
                .find(|next: char| !(next.is_alphanumeric() || matches!(next, '_' | '$' | '.')))
                .unwrap_or(rest.len());
            let word = &rest[..end];
            let literal = symbol.is_ascii_digit() || matches!(word, "true" | "false" | "null");
            tokens.push(if literal {
                Token::Literal(word.replace('_', ""))
            } else {
                Token::Name(word.to_owned())
            });
            rest = &rest[end..];
        } else {
            tokens.push(Token::Mark(symbol));
            rest = &rest[symbol.len_utf8()..];
        }
    }
    tokens
}

fn regex_may_start(before: Option<&Token>) -> bool {
    matches!(before, None | Some(Token::Mark('(' | ',' | '[' | ':' | '=' | '{' | '!' | '?' | '|' | '&')))
}

fn unescaped(text: &str) -> String {
    text.replace("\\\\", "\\").replace("\\'", "'").replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, bool)]) {
        let found: Vec<(String, String, bool)> = settings(text)
            .into_iter()
            .map(|setting| (setting.path.join("."), setting.values.join(","), setting.unread.is_none()))
            .collect();
        let expected: Vec<(String, String, bool)> = expected
            .iter()
            .map(|(path, values, whole)| ((*path).to_owned(), (*values).to_owned(), *whole))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn literals_are_read_with_the_keys_around_them() {
        check(
            "import { a } from 'x';\nexport default defineConfig({\n  test: { exclude: ['e2e/**', /* c */ \"b\"], retry: 2, // d\n coverage: { exclude: ['x'] } } })",
            &[
                ("test.exclude", "e2e/**,b", true),
                ("test.retry", "2", true),
                ("test.coverage.exclude", "x", true),
            ],
        );
        check(
            "const config: Config = { 'testMatch': ['**/*.ts'], bail: true };\nmodule.exports = config",
            &[("testMatch", "**/*.ts", true), ("bail", "true", true)],
        );
        check("export default { grep: /@smoke/i, n: -1 }", &[("grep", "@smoke", true), ("n", "-1", true)]);
    }

    #[test]
    fn what_is_computed_is_said_to_be() {
        check(
            "export default { exclude: [...defaults, 'a'], retries: process.env.CI ? 2 : 0, x: f(1) }",
            &[("exclude", "a", false), ("retries", "", false), ("x", "", false)],
        );
        check("export default { projects: [{ testMatch: ['a'] }] }", &[("projects.testMatch", "a", true)]);
        check("test: mergeConfig({ a: 1 })", &[("a", "1", true)]);
        check(
            "export default { test: mergeConfig(base, { a: 1 }) }",
            &[("test", "", false), ("test.a", "1", true)],
        );
    }
}
