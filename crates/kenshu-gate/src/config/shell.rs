//! What in a command line only a shell understands.

/// The first such part outside quotes: an operator, a redirection, a variable, an assignment before the command.
/// `None`: the line means the same to a shell and to one that only splits words (patterns of files aside, which
/// runners understand themselves).
pub(super) fn needed(line: &str) -> Option<String> {
    if let Some(assignment) = assignment(line) {
        return Some(assignment.to_owned());
    }
    let mut quote = None;
    let mut rest = line.chars();
    while let Some(symbol) = rest.next() {
        match (symbol, quote) {
            ('\\', None | Some('"')) => drop(rest.next()),
            (symbol, Some(open)) if symbol == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"', None) => quote = Some(symbol),
            ('&' | '|' | ';' | '<' | '>' | '`', None) => {
                let doubled = rest.as_str().starts_with(symbol) && symbol != '`';
                return Some(symbol.to_string().repeat(if doubled { 2 } else { 1 }));
            }
            ('$', None) if rest.as_str().starts_with(begins_expansion) => {
                let name = rest.as_str().split(|next: char| !(next.is_alphanumeric() || next == '_')).next();
                return Some(format!("${}", name.unwrap_or_default()));
            }
            (_, None) => {}
        }
    }
    None
}

/// A `$` before anything else is one, as in a regular expression.
fn begins_expansion(next: char) -> bool {
    next.is_alphanumeric() || matches!(next, '_' | '{' | '(' | '?' | '@' | '*')
}

/// `NAME=value` as the first word.
fn assignment(line: &str) -> Option<&str> {
    let word = line.split_whitespace().next()?;
    let (name, _) = word.split_once('=')?;
    let is_name = |name: &str| name.chars().all(|symbol| symbol.is_ascii_alphanumeric() || symbol == '_');
    (name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && is_name(name))
        .then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_shell_understands_is_named() {
        for (line, part) in [
            ("node --test && true", "&&"),
            ("node --test || true", "||"),
            ("npm test | tee log", "|"),
            ("npm test; true", ";"),
            ("npm test > log 2>&1", ">"),
            ("npm test >> log", ">>"),
            ("node --test < in", "<"),
            ("server & npm test", "&"),
            ("A=1 node --test", "A=1"),
            ("$FOO test", "$FOO"),
            ("pytest ${DIR}", "$"),
            ("pytest $(ls)", "$"),
            ("pytest `ls`", "`"),
        ] {
            assert_eq!(needed(line).as_deref(), Some(part), "{line}");
        }
        for line in [
            "node --test",
            "pytest -k 'a && b'",
            "pytest -k \"a | $b\"",
            "jest -t '^foo$'",
            "jest -t ^foo$ --ci",
            "mocha test/**/*.js",
            "go test -run=^TestA$ ./...",
            "env A=1 node --test",
            "node --test --name=x",
            "echo a\\;b",
            "echo 'it'\\''s' \"a\\\"; b\"",
            "",
        ] {
            assert_eq!(needed(line), None, "{line}");
        }
    }
}
