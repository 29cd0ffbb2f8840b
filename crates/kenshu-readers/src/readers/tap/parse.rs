//! TAP 12, 13 and 14 as blocks of entries. Only what stands at the left margin counts; one level below it is kept for
//! producers that wrap each file in an entry of its own.

use super::numbers::Numbers;
use super::sums::Sums;
use crate::text::Line;

/// What stands behind `#` on a test line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::readers) enum Directive {
    /// Nothing that TAP knows.
    None,
    /// `# SKIP`: not run.
    Skip,
    /// `# TODO`: its failure is no failure.
    Todo,
}

/// One `ok` or `not ok` line.
#[derive(Clone, Debug)]
pub(in crate::readers) struct Entry<'a> {
    /// `ok` rather than `not ok`.
    pub ok: bool,
    /// Its number, where it has one.
    pub number: Option<u64>,
    /// The name without the dash and without the directive.
    pub name: &'a str,
    /// The directive.
    pub directive: Directive,
    /// The words behind the directive.
    pub why: &'a str,
    /// The line it was read from.
    pub line: Line<'a>,
    /// The first comment line below it.
    pub comment: Option<&'a str>,
    /// The subtest that it sums up.
    pub subtest: Option<Box<Subtest>>,
}

/// What was indented by four blanks and belongs to one entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::readers) struct Subtest {
    /// Entries by how they ended: see [`Sums`].
    pub sums: Sums,
    /// The plan of this level.
    pub plan: Option<u64>,
    /// Whether entries of this level open blocks of their own with `{`.
    pub opens: bool,
}

/// `1..N`.
#[derive(Clone, Copy, Debug)]
pub(in crate::readers) struct Plan<'a> {
    /// N.
    pub count: u64,
    /// Whether it says `# SKIP`.
    pub skips_all: bool,
    /// The line.
    pub line: Line<'a>,
}

/// The `# tests`, `# pass` and `# fail` comments with which some producers close.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::readers) struct Closing {
    /// `# pass N`.
    pub pass: Option<u64>,
    /// `# fail N`.
    pub fail: Option<u64>,
}

/// One TAP stream, or what is left of it.
#[derive(Clone, Debug, Default)]
pub(in crate::readers) struct Block<'a> {
    /// `TAP version N`.
    pub version: Option<Line<'a>>,
    /// The plan.
    pub plan: Option<Plan<'a>>,
    /// The entries at the margin that say more than that a test passed.
    pub entries: Vec<Entry<'a>>,
    /// The line of the first entry.
    pub first_entry: Option<Line<'a>>,
    /// The numbers of all entries.
    pub numbers: Numbers,
    /// Whether one entry has a higher number than the one above it.
    pub rises: bool,
    /// The last comment line below the last entry.
    pub last_comment: Option<&'a str>,
    /// Whether a test that passed, and is not among `entries`, is named otherwise than a file.
    pub has_plain_tests: bool,
    sums: Sums,
    /// Number of the last entry.
    last_number: Option<u64>,
    /// Whether the last entry is the last of `entries`.
    kept_last: bool,
    /// `Bail out!`.
    pub bail: Option<Line<'a>>,
    /// The producer's own sums.
    pub closing: Closing,
    /// `# SKIP name`, with which tape stands for a test that it skipped.
    pub skip_comments: u64,
    /// Whether neither an entry nor another comment has come since such a comment.
    after_skip_comment: bool,
    /// Whether it has what only Node's own runner writes.
    pub is_node: bool,
    /// Number of its first and of its last line.
    pub lines: (u32, u32),
}

impl<'a> Block<'a> {
    fn push(&mut self, entry: Entry<'a>) {
        self.first_entry.get_or_insert(entry.line);
        self.sums.add(entry.ok, entry.directive);
        if let Some(number) = entry.number {
            self.numbers.add(number);
        }
        self.rises |= self.last_number.is_some() && entry.number > self.last_number;
        self.last_number = entry.number;
        self.last_comment = None;
        // A run can have millions of tests that passed, and nothing but their number matters.
        self.kept_last = !entry.ok || entry.directive != Directive::None || entry.subtest.is_some();
        if self.kept_last {
            self.entries.push(entry);
        } else if !self.has_plain_tests {
            self.has_plain_tests = !is_file_name(entry.name);
        }
    }

    /// All entries by how they ended.
    pub(in crate::readers) fn sums(&self) -> Sums {
        self.sums
    }

    /// Whether it has an entry.
    pub(in crate::readers) fn has_entries(&self) -> bool {
        self.first_entry.is_some()
    }

    /// Whether an entry is one that this plan can announce: without a number, or with one of the plan's.
    pub(in crate::readers) fn is_announced_by(&self, plan: &Plan<'_>) -> bool {
        self.sums.total() > self.numbers.count() || self.numbers.any_up_to(plan.count)
    }

    /// Whether the entries are exactly those that the plan announces.
    pub(in crate::readers) fn is_complete(&self) -> bool {
        let Some(plan) = self.plan else { return false };
        if plan.count != self.sums.total() {
            return false;
        }
        let all_numbered = self.numbers.count() == plan.count
            && self.numbers.largest().is_none_or(|largest| largest == plan.count)
            && self.numbers.are_distinct();
        all_numbered || self.numbers.count() == 0
    }

    fn touch(&mut self, line: &Line<'_>) {
        if self.lines.0 == 0 {
            self.lines.0 = line.number;
        }
        self.lines.1 = line.number;
    }
}

/// Takes lines apart into blocks.
pub(in crate::readers) fn blocks<'a>(lines: impl Iterator<Item = Line<'a>>) -> Vec<Block<'a>> {
    /// More streams than any run has: text of the shape of entries that begin again and again is no TAP.
    const BLOCKS_MAX: usize = 100_000;
    let mut parser = Parser::default();
    for line in lines {
        parser.take(line);
        if parser.blocks.len() > BLOCKS_MAX {
            return Vec::new();
        }
    }
    parser.close();
    parser.blocks
}

#[derive(Default)]
struct Parser<'a> {
    blocks: Vec<Block<'a>>,
    open: Option<Block<'a>>,
    /// Lines of a subtest whose entry comes after them.
    pending: Option<Subtest>,
    /// Whether the last entry at the margin opened its subtest with `{`.
    in_braces: bool,
    /// Indentation of the YAML block that is open.
    yaml: Option<usize>,
}

impl<'a> Parser<'a> {
    fn take(&mut self, line: Line<'a>) {
        let text = line.text.trim_end();
        let indent = text.len() - text.trim_start_matches(' ').len();
        let content = &text[indent..];
        if let Some(depth) = self.yaml {
            self.note_yaml(content);
            if indent >= depth && content != "..." || content.is_empty() {
                return;
            }
            self.yaml = None;
            if content == "..." {
                return;
            }
        }
        if content == "---" && indent > 0 {
            self.yaml = Some(indent);
            return;
        }
        match indent {
            0 => self.take_margin(line, content),
            4 => self.take_subtest(line, content),
            _ => {}
        }
    }

    fn note_yaml(&mut self, content: &str) {
        if content.starts_with("duration_ms: ")
            && let Some(block) = &mut self.open
        {
            block.is_node = true;
        }
    }

    fn take_margin(&mut self, line: Line<'a>, content: &'a str) {
        if !content.starts_with(['T', '1', 'o', 'n', 'B', '#', '}']) {
            return;
        }
        if matches!(content, "TAP version 12" | "TAP version 13" | "TAP version 14") {
            self.close();
            let mut block = Block { version: Some(line), ..Block::default() };
            block.touch(&line);
            self.open = Some(block);
        } else if let Some(plan) = plan(line, content) {
            if self.open.as_ref().is_some_and(|block| block.plan.is_some()) {
                self.close();
            }
            let block = self.open.get_or_insert_default();
            block.touch(&line);
            block.plan = Some(plan);
        } else if let Some(entry) = entry(line, content) {
            self.take_entry(entry, content);
        } else if content.starts_with("Bail out!") {
            let block = self.open.get_or_insert_default();
            block.touch(&line);
            block.bail = Some(line);
        } else if let Some(comment) = content.strip_prefix('#') {
            self.take_comment(&line, comment.trim_start());
        } else if content == "}" {
            self.in_braces = false;
        }
    }

    fn take_entry(&mut self, mut entry: Entry<'a>, content: &str) {
        let Some(open) = &self.open else {
            if entry.number.is_some() {
                self.push_entry(entry);
            }
            return;
        };
        if entry.number.is_none() {
            // A lone `ok` behind numbered entries is the harness's word for the whole file.
            let numbers = open.numbers.count() > 0;
            let announced =
                !numbers && (open.version.is_some() || (open.plan.is_some() && is_plain_form(content)));
            if !announced {
                return;
            }
        }
        // A first test after a whole run, or a second first test, begins another run.
        let begins_anew = entry.number == Some(1)
            && (open.plan.is_some() && open.has_entries() && open.is_complete() || open.numbers.contains(1));
        if begins_anew {
            self.close();
        }
        entry.subtest = self.pending.take().map(Box::new);
        self.push_entry(entry);
    }

    fn push_entry(&mut self, mut entry: Entry<'a>) {
        self.in_braces = entry.line.text.trim_end().ends_with('{');
        if self.in_braces {
            entry.subtest = Some(Box::default());
        }
        let block = self.open.get_or_insert_default();
        block.touch(&entry.line);
        // A test that tape skips asserts nothing: before an entry, the words are a test's own name or comment.
        block.skip_comments -= u64::from(std::mem::take(&mut block.after_skip_comment));
        block.push(entry);
    }

    fn take_comment(&mut self, line: &Line<'_>, comment: &'a str) {
        let Some(block) = &mut self.open else { return };
        block.after_skip_comment = comment.starts_with("SKIP ");
        block.skip_comments += u64::from(block.after_skip_comment);
        if let Some((word, number)) = comment.split_once(' ')
            && let Ok(number) = number.trim().parse::<u64>()
        {
            match word {
                "pass" => block.closing.pass = Some(number),
                "fail" => block.closing.fail = Some(number),
                "cancelled" | "suites" => block.is_node = true,
                _ => {}
            }
            if matches!(word, "tests" | "pass" | "fail" | "skip" | "todo") {
                block.touch(line);
            }
        }
        if block.has_entries() && !comment.is_empty() {
            block.last_comment = Some(comment);
            if let Some(last) = block.entries.last_mut().filter(|_| block.kept_last) {
                last.comment.get_or_insert(comment);
            }
        }
    }

    fn take_subtest(&mut self, line: Line<'a>, content: &'a str) {
        let Some(block) = &mut self.open else { return };
        let subtest = match block.entries.last_mut() {
            Some(last) if self.in_braces => last.subtest.get_or_insert_default(),
            Some(_) | None => self.pending.get_or_insert_default(),
        };
        if let Some(plan) = plan(line, content) {
            subtest.plan = Some(plan.count);
        } else if let Some(entry) = entry(line, content) {
            subtest.sums.add(entry.ok, entry.directive);
            subtest.opens |= content.ends_with('{');
        }
    }

    fn close(&mut self) {
        self.blocks.extend(self.open.take());
        self.pending = None;
        self.in_braces = false;
        self.yaml = None;
    }
}

/// A script of Node's world, as node-tap and Vitest name the entry of a file.
pub(super) fn is_file_name(name: &str) -> bool {
    const EXTENSIONS: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
    let name = name.trim_end_matches('{').trim_end();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.contains(&extension) && !name.contains(' ')
}

/// Whether an unnumbered test line has a form that nothing but TAP has: `ok`, `not ok - name`.
fn is_plain_form(content: &str) -> bool {
    let rest = content.strip_prefix("not ").unwrap_or(content);
    rest == "ok" || rest.starts_with("ok - ") || rest.starts_with("ok #")
}

fn plan<'a>(line: Line<'a>, content: &'a str) -> Option<Plan<'a>> {
    let rest = content.strip_prefix("1..")?;
    let end = digits(rest);
    let count = rest[..end].parse().ok()?;
    let comment = rest[end..].trim();
    if !comment.is_empty() && !comment.starts_with('#') {
        return None;
    }
    let words = comment.trim_start_matches(['#', ' ']);
    let skips_all = count == 0 && words.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("skip"));
    Some(Plan { count, skips_all, line })
}

fn entry<'a>(line: Line<'a>, content: &'a str) -> Option<Entry<'a>> {
    let (ok, rest) = match content.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, content.strip_prefix("ok")?),
    };
    if !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let rest = rest.trim_start();
    let end = digits(rest);
    let ends_there = rest[end..].is_empty() || rest[end..].starts_with(" ");
    let number = rest[..end].parse().ok().filter(|_| ends_there);
    let text = if number.is_some() { rest[end..].trim_start() } else { rest };
    let text = text.strip_prefix("- ").unwrap_or(text);
    let (name, directive, why) = directive(text);
    Some(Entry { ok, number, name: name.trim(), directive, why, line, comment: None, subtest: None })
}

/// How many digits the text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Splits at the first `#` that a blank or the beginning precedes and a directive's word follows.
fn directive(text: &str) -> (&str, Directive, &str) {
    for at in memchr::memchr_iter(b'#', text.as_bytes()) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|symbol| !symbol.is_whitespace()) {
            continue;
        }
        let after = text[at + 1..].trim_start();
        let end = after.find(|symbol: char| !symbol.is_ascii_alphabetic()).unwrap_or(after.len());
        let directive = match after[..end].to_ascii_lowercase().as_str() {
            "skip" | "skipped" => Directive::Skip,
            "todo" => Directive::Todo,
            _ => continue,
        };
        return (&text[..at], directive, after[end..].trim());
    }
    // A time behind `#` (node-tap, Vitest) is no part of the name.
    let time = if text.contains('#') { text.find(" # time=") } else { None };
    let name = time.map_or(text, |at| &text[..at]);
    (name, Directive::None, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[track_caller]
    fn check(text: &str, expected: &[(Option<u64>, bool, Sums)]) {
        let text = Text::new(text.as_bytes());
        let actual: Vec<_> = blocks(text.streams[0].lines())
            .iter()
            .map(|block| (block.plan.map(|plan| plan.count), block.is_complete(), block.sums()))
            .collect();
        assert_eq!(actual, expected);
    }

    fn sums(passed: u64, failed: u64, skipped: u64) -> Sums {
        Sums { passed, failed, skipped, ..Sums::default() }
    }

    #[test]
    fn plan_first_and_plan_last() {
        check("1..2\nok 1 - a\nnot ok 2 - b\n", &[(Some(2), true, sums(1, 1, 0))]);
        check("ok 1\nok 2 # skip no\n1..2\n", &[(Some(2), true, sums(1, 0, 1))]);
    }

    #[test]
    fn two_runs_after_each_other_are_two_blocks() {
        check("1..1\nok 1\n1..1\nok 1\n", &[(Some(1), true, sums(1, 0, 0)), (Some(1), true, sums(1, 0, 0))]);
        check("ok 1\n1..1\nok 1\n1..1\n", &[(Some(1), true, sums(1, 0, 0)), (Some(1), true, sums(1, 0, 0))]);
        check("ok 1\nok 2\nok 1\n1..1\n", &[(None, false, sums(2, 0, 0)), (Some(1), true, sums(1, 0, 0))]);
    }

    #[test]
    fn numbers_must_be_those_of_the_plan() {
        check("1..2\nok 1\nok 3\n", &[(Some(2), false, sums(2, 0, 0))]);
        check("1..2\nok 1\nok 2\nok 3\n", &[(Some(2), false, sums(3, 0, 0))]);
        check("1..3\nok 2\nok 1\nok 3\n", &[(Some(3), true, sums(3, 0, 0))]);
    }

    #[test]
    fn directives_are_words_behind_a_blank_and_a_hash() {
        check(
            "1..1\nnot ok 1 - x # TODO later\n",
            &[(Some(1), true, Sums { todo_failed: 1, ..Sums::default() })],
        );
        check("1..1\nnot ok 1 - skips #3 # todone\n", &[(Some(1), true, sums(0, 1, 0))]);
        check("1..1\nok 1 - issue #3 # SKIP: no\n", &[(Some(1), true, sums(0, 0, 1))]);
        check("1..1\nnot ok 1 - a#skip\n", &[(Some(1), true, sums(0, 1, 0))]);
    }

    #[test]
    fn what_is_indented_is_not_counted() {
        check(
            "1..1\n# Subtest: a\n    ok 1\n    not ok 2\n    1..2\nok 1 - a\n  ---\n  x: |\n    ok 2\n  ...\n",
            &[(Some(1), true, sums(1, 0, 0))],
        );
    }

    #[test]
    fn ordinary_lines_are_no_entries() {
        check("ok\nok  \tpkg\t0.003s\nok then\nokay 1\n1..x\n1..3 to go\n", &[]);
    }
}
