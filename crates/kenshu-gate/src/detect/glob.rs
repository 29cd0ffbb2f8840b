//! Path patterns as far as configuration files of runners share them: `*`, `**`, `?`, `{a,b}`.

/// Whether a pattern takes in everything that another pattern, or a path, takes in.
///
/// A wildcard of the narrower side counts as a name that only a wildcard of the wider side can take.
pub(crate) fn covers(wide: &str, narrow: &str) -> bool {
    let wide = alternatives(tidy(wide));
    alternatives(tidy(narrow)).iter().all(|narrow| {
        wide.iter().any(|wide| {
            let wide: Vec<&str> = wide.split('/').collect();
            let narrow: Vec<&str> = narrow.split('/').collect();
            parts(&wide, &narrow)
        })
    })
}

fn tidy(pattern: &str) -> &str {
    pattern
        .trim_start_matches("<rootDir>")
        .trim_start_matches('/')
        .trim_start_matches("./")
        .trim_end_matches('/')
}

/// Writes `{a,b}` and the optional `?(x)` out.
fn alternatives(pattern: &str) -> Vec<String> {
    const MOST: usize = 64;
    let mut open = vec![pattern.to_owned()];
    let mut done = Vec::new();
    while let Some(pattern) = open.pop() {
        if done.len() + open.len() > MOST {
            return vec![pattern];
        }
        if let Some((head, middle, tail)) = bracketed(&pattern, "{", '}') {
            open.extend(middle.split(',').map(|choice| format!("{head}{choice}{tail}")));
        } else if let Some((head, middle, tail)) = bracketed(&pattern, "?(", ')') {
            open.push(format!("{head}{tail}"));
            open.extend(middle.split('|').map(|choice| format!("{head}{choice}{tail}")));
        } else {
            done.push(pattern);
        }
    }
    done
}

fn bracketed<'p>(pattern: &'p str, open: &str, close: char) -> Option<(&'p str, &'p str, &'p str)> {
    let (head, rest) = pattern.split_once(open)?;
    let (middle, tail) = rest.split_once(close)?;
    // Brackets inside brackets are left alone.
    (!middle.contains(open)).then_some((head, middle, tail))
}

fn parts(wide: &[&str], narrow: &[&str]) -> bool {
    match (wide.split_first(), narrow.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            parts(rest, narrow) || narrow.split_first().is_some_and(|(_, shorter)| parts(wide, shorter))
        }
        (Some((first, rest)), Some((name, shorter))) => {
            *name != "**" && name_matches(first, name) && parts(rest, shorter)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn name_matches(pattern: &str, name: &str) -> bool {
    let mut symbols = pattern.chars();
    match symbols.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = symbols.as_str();
            name_matches(rest, name)
                || name.char_indices().any(|(at, symbol)| name_matches(rest, &name[at + symbol.len_utf8()..]))
        }
        Some('?') => {
            let mut name = name.chars();
            name.next().is_some_and(|symbol| symbol != '*') && name_matches(symbols.as_str(), name.as_str())
        }
        Some(symbol) => {
            name.strip_prefix(symbol).is_some_and(|shorter| name_matches(symbols.as_str(), shorter))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_pattern_covers_a_narrower_one() {
        for (wide, narrow) in [
            ("packages/*", "packages/core"),
            ("**/*.test.ts", "src/cart.test.ts"),
            ("src/**/*.test.ts", "src/a/**/*.test.ts"),
            ("**/*.{test,spec}.?(c|m)[jt]s?(x)", "**/*.test.[jt]s"),
            ("**/*.{test,spec}.ts", "**/*.test.ts"),
            ("<rootDir>/src/**/*.ts", "src/a.ts"),
            ("./tests", "tests/"),
        ] {
            assert!(covers(wide, narrow), "{wide} covers {narrow}");
        }
        for (wide, narrow) in [
            ("packages/*", "packages/a/b"),
            ("src/*.ts", "src/**/*.ts"),
            ("**/*.test.ts", "**/*.{test,spec}.ts"),
            ("src/a.test.ts", "src/*.test.ts"),
        ] {
            assert!(!covers(wide, narrow), "{wide} does not cover {narrow}");
        }
    }
}
