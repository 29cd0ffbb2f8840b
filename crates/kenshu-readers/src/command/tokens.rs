//! POSIX quoting and operators: a command line as words and operators. Nothing is expanded.

/// A word, or an operator of the shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Operator(&'static str),
    /// A command inside `$(…)`, unquoted or in double quotes; the word that it stands in follows.
    Substitution(String),
}

/// Splits into words and operators. `None`: an open quote, or a here-document.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    const OPERATORS: [&str; 11] = ["&&", "||", "|&", ";;", "&>", ";", "|", "&", "(", ")", "\n"];
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text;
    while let Some(symbol) = rest.chars().next() {
        let tail = &rest[symbol.len_utf8()..];
        match symbol {
            '\'' => {
                let (quoted, after) = tail.split_once('\'')?;
                word.get_or_insert_default().push_str(quoted);
                rest = after;
                continue;
            }
            '"' => {
                rest = double_quoted(tail, word.get_or_insert_default(), &mut tokens)?;
                continue;
            }
            '\\' => {
                let next = tail.chars().next();
                if let Some(next) = next.filter(|next| *next != '\n') {
                    word.get_or_insert_default().push(next);
                }
                rest = &tail[next.map_or(0, char::len_utf8)..];
                continue;
            }
            '$' if tail.starts_with('(') => {
                let end = matching_parenthesis(tail)?;
                word.get_or_insert_default().push_str(&rest[..1 + end]);
                tokens.push(Token::Substitution(tail[1..end - 1].to_owned()));
                rest = &tail[end..];
                continue;
            }
            '<' if tail.starts_with('<') => return None,
            '<' | '>' => {
                // A number right before it is the descriptor, not an argument.
                if word.as_ref().is_some_and(|digits| digits.chars().all(|digit| digit.is_ascii_digit())) {
                    word = None;
                }
                push_word(&mut tokens, &mut word);
                rest = skip_target(tail);
                continue;
            }
            '#' if word.is_none() => {
                rest = tail.find('\n').map_or("", |end| &tail[end..]);
                continue;
            }
            ' ' | '\t' | '\r' => push_word(&mut tokens, &mut word),
            _ => match OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
                Some(&"&>") => {
                    push_word(&mut tokens, &mut word);
                    rest = skip_target(&rest[2..]);
                    continue;
                }
                Some(operator) => {
                    push_word(&mut tokens, &mut word);
                    tokens.push(Token::Operator(operator));
                    rest = &rest[operator.len()..];
                    continue;
                }
                None => word.get_or_insert_default().push(symbol),
            },
        }
        rest = tail;
    }
    push_word(&mut tokens, &mut word);
    Some(tokens)
}

fn push_word(tokens: &mut Vec<Token>, word: &mut Option<String>) {
    if let Some(word) = word.take() {
        tokens.push(Token::Word(word));
    }
}

/// Reads up to the closing `"`; returns what follows it.
fn double_quoted<'a>(text: &'a str, word: &mut String, tokens: &mut Vec<Token>) -> Option<&'a str> {
    let mut rest = text;
    loop {
        let symbol = rest.chars().next()?;
        let tail = &rest[symbol.len_utf8()..];
        rest = match symbol {
            '"' => return Some(tail),
            '\\' => {
                let next = tail.chars().next()?;
                match next {
                    '"' | '\\' | '$' | '`' => word.push(next),
                    '\n' => {}
                    _ => word.extend(['\\', next]),
                }
                &tail[next.len_utf8()..]
            }
            '$' if tail.starts_with('(') => {
                let end = matching_parenthesis(tail)?;
                word.push_str(&rest[..1 + end]);
                tokens.push(Token::Substitution(tail[1..end - 1].to_owned()));
                &tail[end..]
            }
            other => {
                word.push(other);
                tail
            }
        };
    }
}

/// Byte offset behind the parenthesis that closes the one `text` begins with.
fn matching_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, symbol) in text.char_indices() {
        match symbol {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// What follows the target of a redirection.
fn skip_target(text: &str) -> &str {
    let text = text.trim_start_matches(['>', '&', '|', '<']).trim_start_matches([' ', '\t']);
    if let Some(quoted) = text.strip_prefix('"') {
        return quoted.split_once('"').map_or("", |(_, rest)| rest);
    }
    if let Some(quoted) = text.strip_prefix('\'') {
        return quoted.split_once('\'').map_or("", |(_, rest)| rest);
    }
    let end = text.find([' ', '\t', '\n', ';', '|', '&', ')']).unwrap_or(text.len());
    &text[end..]
}
