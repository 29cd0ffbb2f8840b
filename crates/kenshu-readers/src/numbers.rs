//! Numbers beside words, as every summary line has them: `2 failed, 3 passed`.

/// `"3 passed"` → `(3, "passed")`; `None` where it is not a number, one space and a word or words.
pub fn number_and_word(part: &str) -> Option<(u64, &str)> {
    let (number, word) = part.trim().split_once(' ')?;
    Some((number.parse().ok()?, word.trim()))
}

/// The number right after `label` (blanks and `:` or `=` between them allowed): `after("Tests: 3, …", "Tests")` → 3.
pub fn after(text: &str, label: &str) -> Option<u64> {
    let at = text.find(label)? + label.len();
    let rest = text[at..].trim_start_matches([' ', '\t', ':', '=']);
    let end = rest.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}
