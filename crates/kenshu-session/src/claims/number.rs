//! Numbers as people write them in reports: digits, separators, English words, kanji numerals, Korean native numerals.

/// A number in English text: grouped digits, digits, or a word. The grouped form stands first, since the first
/// alternative that fits wins.
pub(crate) const ENGLISH: &str = r"(?:[0-9]{1,3}(?:[,_'][0-9]{3})+|[0-9]+|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)";

/// A number in Japanese or Chinese text.
pub(crate) const HAN: &str =
    r"(?:[0-9]{1,3}(?:[,_'][0-9]{3})+|[0-9]+|[〇零一二三四五六七八九十百千万萬两兩]+)";

/// A number in Korean text: digits, or the native numerals below 100 that stand before 개.
pub(crate) const KOREAN: &str = r"(?:[0-9]{1,3}(?:[,_'][0-9]{3})+|[0-9]+|(?:열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔)?(?:한|하나|두|둘|세|셋|네|넷|다섯|여섯|일곱|여덟|아홉)|열|스물|스무|서른|마흔|쉰)";

const UNITS: &[(&str, u64)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("한", 1),
    ("하나", 1),
    ("두", 2),
    ("둘", 2),
    ("세", 3),
    ("셋", 3),
    ("네", 4),
    ("넷", 4),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
    ("여덟", 8),
    ("아홉", 9),
];

const TENS: &[(&str, u64)] = &[
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("열", 10),
    ("스물", 20),
    ("스무", 20),
    ("서른", 30),
    ("마흔", 40),
    ("쉰", 50),
    ("예순", 60),
    ("일흔", 70),
    ("여든", 80),
    ("아흔", 90),
];

/// Reads one number; `None` where the text is no number or two readings are possible.
pub(crate) fn parse(token: &str) -> Option<u64> {
    let token = token.trim();
    if token.starts_with(|c: char| c.is_ascii_digit()) {
        return digits(token);
    }
    words(token).or_else(|| han(token))
}

/// Digits, with separators only where thousands stand.
fn digits(token: &str) -> Option<u64> {
    let mut groups = token.split([',', '_', '\'']);
    let first = groups.next()?;
    let mut all = String::from(first);
    for group in groups {
        if group.len() != 3 || first.len() > 3 {
            return None;
        }
        all.push_str(group);
    }
    all.parse().ok()
}

fn words(token: &str) -> Option<u64> {
    let look = |table: &[(&str, u64)], word: &str| table.iter().find(|(w, _)| *w == word).map(|(_, n)| *n);
    if let Some(n) = look(UNITS, token).or_else(|| look(TENS, token)) {
        return Some(n);
    }
    let (tens, rest) = TENS.iter().find_map(|(w, n)| token.strip_prefix(w).map(|rest| (*n, rest)))?;
    let unit = look(UNITS, rest.trim_start_matches('-'))?;
    (unit < 10).then_some(tens + unit)
}

/// Kanji numerals, by place (百四十二) or digit by digit (一四二).
fn han(token: &str) -> Option<u64> {
    if token.is_empty() {
        return None;
    }
    let places = token.contains(['十', '百', '千', '万', '萬']);
    let (mut total, mut section, mut digit): (u64, u64, Option<u64>) = (0, 0, None);
    for c in token.chars() {
        let value = match c {
            '〇' | '零' => 0,
            '一' => 1,
            '二' | '两' | '兩' => 2,
            '三' => 3,
            '四' => 4,
            '五' => 5,
            '六' => 6,
            '七' => 7,
            '八' => 8,
            '九' => 9,
            '十' | '百' | '千' => {
                let place = match c {
                    '十' => 10,
                    '百' => 100,
                    _ => 1000,
                };
                section = section.checked_add(digit.take().unwrap_or(1).checked_mul(place)?)?;
                continue;
            }
            '万' | '萬' => {
                let below = section.checked_add(digit.take().unwrap_or(0))?;
                total = total.checked_add(below.max(1).checked_mul(10_000)?)?;
                section = 0;
                continue;
            }
            _ => return None,
        };
        digit = Some(match digit {
            Some(before) if !places => before.checked_mul(10)?.checked_add(value)?,
            _ => value,
        });
    }
    total.checked_add(section)?.checked_add(digit.unwrap_or(0))
}

/// Whether the digits at `start..end` stand alone: no decimal, version, percentage, identifier, time or ratio.
pub(crate) fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let mut before = text[..start].chars().rev();
    let mut after = text[end..].chars();
    let (b1, b2) = (before.next(), before.next());
    let (a1, a2) = (after.next(), after.next());
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let joined_before = match b1 {
        Some(c) if c.is_ascii_alphanumeric() => true,
        Some('#' | '$' | '@' | '_' | '~' | '<' | '>' | '≥' | '≤' | '-' | '+' | '¥' | '€') => true,
        Some('.' | ',' | ':' | '/') => digit(b2) || b1 == Some('.'),
        _ => false,
    };
    let joined_after = match a1 {
        Some(c) if c.is_ascii_alphanumeric() => true,
        Some('%' | '_' | '+' | '°') => true,
        Some('.' | ',' | ':' | '/') => digit(a2),
        Some('-') => a2.is_some_and(|c| c.is_ascii_alphanumeric()),
        _ => false,
    };
    !joined_before && !joined_after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for (token, n) in [
            ("12", 12),
            ("1,309", 1309),
            ("1'309", 1309),
            ("12,345,678", 12_345_678),
            ("twelve", 12),
            ("twenty", 20),
            ("forty-two", 42),
            ("十二", 12),
            ("百四十二", 142),
            ("一百四十二", 142),
            ("一四二", 142),
            ("两", 2),
            ("二千三百", 2300),
            ("一万二千", 12_000),
            ("열두", 12),
            ("스물셋", 23),
            ("세", 3),
        ] {
            assert_eq!(parse(token), Some(n), "{token}");
        }
        for token in ["", "1,30", "1234,567", "x", "十x", "99999999999999999999999"] {
            assert_eq!(parse(token), None, "{token}");
        }
    }

    #[test]
    fn parts_of_other_things_are_no_counts() {
        for (text, digits) in [
            ("v12 tests", "12"),
            ("3.12 tests", "12"),
            ("12% of", "12"),
            ("#12 tests", "12"),
            ("12ms", "12"),
            ("10:12 tests", "12"),
            ("es-2020 tests", "2020"),
            ("12.5 tests", "12"),
        ] {
            let start = text.find(digits).unwrap();
            assert!(!stands_alone(text, start, start + digits.len()), "{text}");
        }
        assert!(stands_alone("all 12 tests", 4, 6));
        assert!(stands_alone("12.", 0, 2));
    }
}
