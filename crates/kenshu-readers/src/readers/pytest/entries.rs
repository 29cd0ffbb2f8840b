//! Single tests as pytest prints them: marks of the progress lines, verbose lines, the short test summary.

use kenshu_model::{Case, CaseStatus};

/// Marks of one progress line: `test_a.py ..F.s   [100%]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) errors: u64,
    pub(super) skipped: u64,
    pub(super) xfailed: u64,
    pub(super) xpassed: u64,
    /// Marks of a plugin, or of subtests: the sum says nothing then.
    pub(super) other: bool,
}

impl Marks {
    pub(super) fn add(&mut self, more: Marks) {
        self.passed += more.passed;
        self.failed += more.failed;
        self.errors += more.errors;
        self.skipped += more.skipped;
        self.xfailed += more.xfailed;
        self.xpassed += more.xpassed;
        self.other |= more.other;
    }

    pub(super) fn sum(&self) -> u64 {
        self.passed + self.failed + self.errors + self.skipped + self.xfailed + self.xpassed
    }
}

/// The marks of a progress line, and the percentage where it stands there. `None`: not a progress line.
///
/// A line of marks alone must have the percentage or nothing but marks; one behind a path needs the path to be a file.
pub(super) fn progress(line: &str) -> Option<(Marks, Option<u8>)> {
    let line = line.trim_end();
    let (line, percent) = match line.strip_suffix("%]").and_then(|rest| split_at_last(rest, b'[')) {
        Some((head, percent)) => (head.trim_end(), Some(percent.trim().parse().ok()?)),
        None => (line, None),
    };
    let (path, letters) = split_at_last(line, b' ').unwrap_or(("", line));
    let is_file = |path: &str| {
        path.ends_with(".py") || path.ends_with(".txt") || path.ends_with(".rst") || path.contains(".py")
    };
    if letters.is_empty() || !(path.is_empty() || is_file(path)) {
        return None;
    }
    let mut marks = Marks::default();
    for letter in letters.chars() {
        match letter {
            '.' => marks.passed += 1,
            'F' => marks.failed += 1,
            'E' => marks.errors += 1,
            's' => marks.skipped += 1,
            'x' => marks.xfailed += 1,
            'X' => marks.xpassed += 1,
            'R' | 'u' | 'y' | ',' | '-' | 'f' => marks.other = true,
            _ => return None,
        }
    }
    // Letters alone are words of any text (`Fs`, `EXE`): dots or a percentage make them marks.
    (percent.is_some() || !path.is_empty() || letters.contains('.')).then_some((marks, percent))
}

/// What stands before and behind the last `separator`, an ASCII character. Asked of every line.
fn split_at_last(text: &str, separator: u8) -> Option<(&str, &str)> {
    let at = memchr::memrchr(separator, text.as_bytes())?;
    Some((&text[..at], &text[at + 1..]))
}

/// A verbose line: `a.py::test_x FAILED [ 66%]`, `[gw1] [ 66%] FAILED a.py::test_x`. Its word and the test.
pub(super) fn verbose(line: &str) -> Option<(&str, &str)> {
    const WORDS: [&str; 7] = ["PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS", "RERUN"];
    let line = line.trim_end();
    if let Some(rest) = line.strip_prefix("[gw") {
        let (_, rest) = rest.split_once(']')?;
        let rest = rest.trim_start();
        let rest =
            rest.strip_prefix('[').and_then(|rest| rest.split_once("%] ")).map_or(rest, |(_, rest)| rest);
        let (word, name) = rest.split_once(' ')?;
        return (WORDS.contains(&word) && name.contains("::")).then_some((word, name));
    }
    let (name, word) = line.strip_suffix("%]").and_then(|rest| split_at_last(rest, b'[')).map_or_else(
        || split_at_last(line, b' '),
        |(head, _)| {
            // `SKIPPED (reason)`: the word stands before the reason.
            let head = head.trim_end();
            let reason = if head.ends_with(')') { head.rsplit_once(" (") } else { None };
            let head = reason.map_or(head, |(head, _)| head);
            split_at_last(head, b' ')
        },
    )?;
    (WORDS.contains(&word) && name.contains("::")).then_some((word, name.trim_end()))
}

/// A line of the short test summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) word: &'static str,
    pub(super) name: String,
    pub(super) message: Option<String>,
}

/// Reads `FAILED a.py::test_x[1 - 2] - AssertionError: …`.
pub(super) fn entry(line: &str) -> Option<Entry> {
    const WORDS: [&str; 6] = ["FAILED", "ERROR", "PASSED", "XFAIL", "XPASS", "RERUN"];
    let (word, rest) = line.split_once(' ')?;
    let rest = match WORDS.iter().find(|known| **known == word) {
        Some(_) => rest,
        // Subtests: `SUBFAILED[message] (i=1) a.py::test_x - …`, `(i=1) SUBFAIL a.py::test_x - …`.
        None if line.starts_with("SUBFAILED") || line.contains(" SUBFAIL ") => {
            let at = line.find(".py::")?;
            let start = line[..at].rfind(' ')? + 1;
            return Some(named("FAILED", &line[start..]));
        }
        None => return None,
    };
    let word = WORDS.iter().find(|known| **known == word)?;
    (!rest.trim().is_empty()).then(|| named(word, rest))
}

fn named(word: &'static str, rest: &str) -> Entry {
    // Parameters may hold ` - ` themselves: the name ends behind their bracket.
    let dash = rest.find(" - ");
    let end = match (rest.find('['), dash) {
        (Some(open), Some(dash)) if open < dash => rest.find("] - ").map(|at| at + 1),
        (_, dash) => dash,
    };
    let (name, message) = match end {
        Some(end) => (&rest[..end], Some(rest[end..].trim_start_matches(" - ").trim())),
        None => (rest, None),
    };
    Entry { word, name: name.trim().to_owned(), message: message.map(str::to_owned) }
}

impl Entry {
    /// The test as a case; `None` for what is no test (a file that was not collected, a rerun).
    pub(super) fn case(&self) -> Option<Case> {
        let status = match self.word {
            "FAILED" | "ERROR" => CaseStatus::Failed,
            "PASSED" => CaseStatus::Passed,
            "XFAIL" => CaseStatus::ExpectedFailure,
            "XPASS" => CaseStatus::UnexpectedPass,
            _ => return None,
        };
        let file = self.name.split_once("::").map_or(self.name.as_str(), |(file, _)| file);
        Some(Case {
            name: self.name.clone(),
            file: Some(file.to_owned()),
            status,
            message: self.message.clone(),
            file_level: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_lines() {
        let (marks, percent) = progress("test_a.py ..F.s                [ 50%]").unwrap();
        assert_eq!((marks.passed, marks.failed, marks.skipped, percent), (3, 1, 1, Some(50)));
        assert!(progress("...").is_some());
        for line in ["Fs", "EXE", "some words ...", "[100%]", "", "x [100%] y"] {
            assert_eq!(progress(line), None, "{line}");
        }
    }

    #[test]
    fn verbose_lines() {
        assert_eq!(verbose("a.py::test_x FAILED      [ 66%]"), Some(("FAILED", "a.py::test_x")));
        assert_eq!(verbose("a.py::test_x SKIPPED (no db)    [ 66%]"), Some(("SKIPPED", "a.py::test_x")));
        assert_eq!(verbose("[gw1] [ 66%] FAILED a.py::test_x "), Some(("FAILED", "a.py::test_x")));
        assert_eq!(verbose("the build FAILED"), None);
    }

    #[test]
    fn names_keep_their_parameters() {
        let entry = entry("FAILED a.py::test_x[1 - 2] - assert 0 - 1").unwrap();
        assert_eq!(
            (entry.name.as_str(), entry.message.as_deref()),
            ("a.py::test_x[1 - 2]", Some("assert 0 - 1"))
        );
    }
}
