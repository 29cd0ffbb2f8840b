//! A report as sentences with line numbers: blocks of Markdown first, then sentences inside each block.
//!
//! Block quotes, comments and fenced code are not the agent's words and give no sentence, but for the closing lines of
//! runners that a fence shows. Headings, list items and table rows are sentences.

use std::ops::Range;

use crate::claims::mask::{Masked, NARROW, mask};
use crate::claims::pasted;

/// A sentence longer than this (in bytes) is no prose and is not read; it bounds the work per claim.
const LONGEST_SENTENCE: usize = 2_000;
/// From this length a line without an end mark may go on in the next line.
const WRAPPED_LINE: usize = 60;

/// What the heading, or the line with a colon before a list, says of the sentences below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    /// Nothing that matters here.
    Plain,
    /// Plans, rules, criteria, examples, another time: no sentence below is a claim.
    Plan,
    /// "Verified with:": the commands below are claimed to have passed.
    Verified,
}

/// Where the words stand that are asked for their [`Section`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A heading, or a line that introduces a list.
    Heading,
    /// A line right before a fence.
    Fence,
    /// The head of a table's column.
    Column,
}

/// One sentence.
#[derive(Debug)]
pub(crate) struct Sentence {
    /// 1-based line where it begins.
    pub(crate) line: u32,
    /// As written.
    pub(crate) quote: String,
    /// The agent's own words in it, in ASCII lower case.
    pub(crate) text: String,
    /// What stands above it.
    pub(crate) section: Section,
    /// It is a heading or a line that only introduces a list.
    pub(crate) introduces: bool,
    /// It stands in a fence, as a runner printed it.
    pub(crate) pasted: bool,
}

/// Splits a report; `classify` says what a heading (masked) announces.
pub(crate) fn sentences(text: &str, classify: &dyn Fn(&str, Place) -> Section) -> Vec<Sentence> {
    let mut blocks = Blocks {
        out: Vec::new(),
        classify,
        heading: Section::Plain,
        lead: Section::Plain,
        paragraph: String::new(),
        start: 1,
        in_list: false,
        skipped_columns: None,
        first_row: None,
    };
    let mut fence: Option<Fence> = None;
    let mut comment = false;
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let bare = line.trim();
        if let Some(open) = &mut fence {
            let run = bare.chars().take_while(|c| *c == open.mark).count();
            if run >= open.length && bare.chars().all(|c| c == open.mark) {
                blocks.fence(open);
                fence = None;
            } else if open.is_output {
                open.lines.push(line);
            }
            continue;
        }
        if comment {
            comment = !bare.contains("-->");
            continue;
        }
        if bare.starts_with("<!--") {
            blocks.flush();
            comment = !bare.contains("-->");
            continue;
        }
        if let Some(opened) = fence_at(list_item(bare).unwrap_or(bare)) {
            blocks.flush();
            fence = Some(Fence { first: number + 1, ..opened });
            continue;
        }
        blocks.line(line, bare, number);
    }
    blocks.end_table();
    blocks.flush();
    blocks.out
}

/// A fence that is open.
struct Fence<'t> {
    mark: char,
    length: usize,
    is_output: bool,
    /// The number of its first line.
    first: u32,
    lines: Vec<&'t str>,
}

fn fence_at(bare: &str) -> Option<Fence<'static>> {
    let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = bare.chars().take_while(|c| *c == mark).count();
    let info = &bare[length..];
    let opens = length >= 3 && !(mark == '`' && info.contains('`'));
    let is_output = pasted::is_output(info);
    opens.then_some(Fence { mark, length, is_output, first: 0, lines: Vec::new() })
}

/// The text of a list item, without its mark.
fn list_item(bare: &str) -> Option<&str> {
    if let Some(rest) = bare.strip_prefix(['-', '*', '+', '•', '◦', '▪', '‣', '・', '·']) {
        if rest.starts_with([' ', '\t']) || bare.starts_with(['•', '・', '·', '◦', '▪', '‣']) {
            return Some(rest.trim_start());
        }
        return None;
    }
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 3 {
        return None;
    }
    let rest = bare[digits..].strip_prefix(['.', ')'])?;
    rest.starts_with(' ').then(|| rest.trim_start())
}

struct Blocks<'c> {
    out: Vec<Sentence>,
    classify: &'c dyn Fn(&str, Place) -> Section,
    heading: Section,
    lead: Section,
    paragraph: String,
    start: u32,
    in_list: bool,
    /// Inside a table: the columns that speak of another time.
    skipped_columns: Option<Vec<bool>>,
    /// The first row of a table: its head, if a line of dashes follows.
    first_row: Option<(String, u32)>,
}

impl Blocks<'_> {
    fn line(&mut self, line: &str, bare: &str, number: u32) {
        if !bare.starts_with('|') {
            self.end_table();
        }
        if bare.is_empty() || bare.starts_with('>') {
            self.flush();
            return;
        }
        if bare.starts_with('|') {
            self.flush();
            self.row(bare, number);
            return;
        }
        let heading = bare.trim_start_matches('#');
        let marks = bare.len() - heading.len();
        if (1..=6).contains(&marks) && heading.starts_with(' ') {
            self.flush();
            self.heading = Section::Plain;
            self.lead = Section::Plain;
            let says = (self.classify)(&mask(heading).text, Place::Heading);
            self.emit(heading, number, true);
            self.heading = says;
            return;
        }
        if let Some(item) = list_item(bare) {
            self.flush();
            self.in_list = true;
            self.begin(item, number);
            return;
        }
        if self.paragraph.is_empty() || !goes_on(&self.paragraph, bare) {
            self.flush();
            self.in_list = self.in_list && line.starts_with([' ', '\t']);
            self.begin(bare, number);
        } else {
            self.paragraph.push('\n');
            self.paragraph.push_str(bare);
        }
    }

    fn begin(&mut self, text: &str, number: u32) {
        self.start = number;
        self.paragraph.push_str(text);
    }

    fn flush(&mut self) {
        if self.paragraph.is_empty() {
            return;
        }
        let paragraph = std::mem::take(&mut self.paragraph);
        let introduces = paragraph.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']);
        if !self.in_list {
            self.lead = Section::Plain;
        }
        // An open box is work that is still to be done.
        let open_box = paragraph.starts_with("[ ]");
        let words =
            ["[ ]", "[x]", "[X]"].iter().find_map(|b| paragraph.strip_prefix(b)).unwrap_or(&paragraph);
        if !open_box {
            self.emit(words, self.start, introduces);
        }
        if introduces {
            let says = (self.classify)(&mask(words).text, Place::Heading);
            if !self.in_list || says != Section::Plain {
                self.lead = says;
            }
        }
    }

    fn row(&mut self, bare: &str, number: u32) {
        let cells: Vec<&str> = bare.trim_matches('|').split('|').map(str::trim).collect();
        let dashes = cells.iter().all(|c| c.chars().all(|c| matches!(c, '-' | ':' | ' ')));
        if self.skipped_columns.is_none() {
            match self.first_row.take() {
                None => {
                    self.first_row = Some((bare.to_owned(), number));
                    return;
                }
                Some((head, _)) if dashes => self.read_head(&head),
                Some((first, its_number)) => {
                    self.skipped_columns = Some(Vec::new());
                    self.row(&first, its_number);
                }
            }
        }
        if dashes {
            return;
        }
        let skipped = self.skipped_columns.as_deref().unwrap_or_default();
        let kept: Vec<&str> = cells
            .iter()
            .enumerate()
            .filter(|(i, _)| !skipped.get(*i).copied().unwrap_or(false))
            .map(|(_, cell)| *cell)
            .collect();
        let row = kept.join(" | ");
        let masked = mask(&row);
        let section = self.section();
        if masked.text.len() <= LONGEST_SENTENCE && row.len() <= LONGEST_SENTENCE {
            self.out.push(Sentence {
                line: number,
                quote: bare.to_owned(),
                text: masked.text.trim().to_owned(),
                section,
                introduces: false,
                pasted: false,
            });
        }
    }

    fn read_head(&mut self, head: &str) {
        let cells = head.trim_matches('|').split('|').map(str::trim);
        let other_time = |cell: &str| (self.classify)(&mask(cell).text, Place::Column) == Section::Plan;
        self.skipped_columns = Some(cells.map(other_time).collect());
    }

    /// A row that no other follows is no head.
    fn end_table(&mut self) {
        if let Some((row, number)) = self.first_row.take() {
            self.skipped_columns = Some(Vec::new());
            self.row(&row, number);
        }
        self.skipped_columns = None;
    }

    /// The closing lines that a fence shows, unless the line before it says that they are no result of this work.
    fn fence(&mut self, fence: &Fence) {
        let introduced = self.out.last().filter(|s| s.line + 3 >= fence.first && !s.pasted);
        let lead = introduced.map_or(Section::Plain, |s| (self.classify)(&s.text, Place::Fence));
        if lead == Section::Plan || self.section() == Section::Plan {
            return;
        }
        let shown = pasted::read(&fence.lines);
        let narrow = shown.narrow || introduced.is_some_and(|s| s.text.contains(NARROW));
        for (at, quote, said) in shown.lines {
            let line = fence.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
            // The command speaks of its own part, as it does before a results line.
            let text = if narrow { format!("{NARROW}: {said}") } else { said };
            let section = self.section();
            self.out.push(Sentence { line, quote, text, section, introduces: false, pasted: true });
        }
    }

    fn section(&self) -> Section {
        if self.lead == Section::Plain { self.heading } else { self.lead }
    }

    fn emit(&mut self, paragraph: &str, first_line: u32, introduces: bool) {
        let masked = mask(paragraph);
        let section = self.section();
        let (mut line, mut counted) = (first_line, 0);
        for (start, end) in split(&masked) {
            let raw = as_written(paragraph, &masked, start, end);
            let breaks = paragraph[counted.min(raw.start)..raw.start].bytes().filter(|b| *b == b'\n').count();
            line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
            counted = counted.max(raw.start);
            if raw.len() <= LONGEST_SENTENCE {
                self.out.push(Sentence {
                    line,
                    quote: paragraph[raw].trim().to_owned(),
                    text: masked.text[start..end].trim().to_owned(),
                    section,
                    introduces: introduces && end == masked.text.len(),
                    pasted: false,
                });
            }
        }
    }
}

/// Where a piece of the masked text stands in the paragraph, with the marks around its first word.
fn as_written(paragraph: &str, masked: &Masked, start: usize, end: usize) -> Range<usize> {
    let opening = paragraph[..masked.raw_at[start]].trim_end_matches(['*', '_', '`', '[', '"']).len();
    let mut close = masked.raw_at[end];
    // One full-width mark became two characters: the piece holds the mark.
    if end > 0 && masked.raw_at[end - 1] == close {
        close += paragraph[close..].chars().next().map_or(0, char::len_utf8);
    }
    opening..close.max(opening)
}

/// Whether a line is the wrapped rest of the paragraph above it.
fn goes_on(paragraph: &str, next: &str) -> bool {
    let last = paragraph.rsplit('\n').next().unwrap_or(paragraph);
    let ended = last.trim_end().ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '：', '…', '✅', '|']);
    let lower = next.starts_with(|c: char| c.is_lowercase());
    !ended && ((lower && last.len() >= WRAPPED_LINE / 3) || (last.is_ascii() && last.len() >= WRAPPED_LINE))
}

/// Where sentences begin and end in a masked paragraph: no empty ones, leading space left out.
fn split(masked: &Masked) -> Vec<(usize, usize)> {
    let text = &masked.text;
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = at + c.len_utf8();
        let ends = match c {
            '。' | '\u{2026}' => true,
            '.' | '!' | '?' => {
                let rest = text[after..].trim_start_matches([')', '"', '\'', '!', '?', '.']);
                (rest.is_empty() || rest.starts_with(' ')) && !(c == '.' && abbreviation(&text[start..at]))
            }
            _ => false,
        };
        if !ends {
            continue;
        }
        let mut end = after;
        while let Some((i, c)) = chars.peek().copied()
            && matches!(c, ')' | '!' | '?' | '.' | '。')
        {
            end = i + c.len_utf8();
            chars.next();
        }
        push_piece(text, start, end, &mut out);
        start = end;
    }
    push_piece(text, start, text.len(), &mut out);
    out
}

fn push_piece(text: &str, start: usize, end: usize, out: &mut Vec<(usize, usize)>) {
    let start = start + (text[start..end].len() - text[start..end].trim_start().len());
    if start < end {
        out.push((start, end));
    }
}

fn abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or(before);
    matches!(
        word,
        "e.g" | "i.e" | "vs" | "approx" | "incl" | "resp" | "no" | "ca" | "cf" | "fig" | "dr" | "mr"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(u32, String)> {
        sentences(text, &|_, _| Section::Plain).into_iter().map(|s| (s.line, s.quote)).collect()
    }

    #[test]
    fn blocks_and_sentences_keep_their_lines() {
        let report = "# Done\n\nI fixed it. All 12 tests\npass now!\n\n```\n99 passed\n```\n> 98 passed\n- **Tests:** ok\n- [ ] later\n\n| Check | Result |\n|---|---|\n| Tests | 12 |\n一つ。二つ！三つ";
        let want = [
            (1, "Done"),
            (3, "I fixed it."),
            (3, "All 12 tests\npass now!"),
            (10, "**Tests:** ok"),
            (15, "| Tests | 12 |"),
            (16, "一つ。"),
            (16, "二つ！"),
            (16, "三つ"),
        ];
        let got = read(report);
        let got: Vec<(u32, &str)> = got.iter().map(|(l, q)| (*l, q.as_str())).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn wrapped_lines_are_one_sentence_and_result_lines_are_not() {
        assert_eq!(read("I could not verify that all\ntests pass").len(), 1);
        assert_eq!(read("Tests: 12 passed, 12 total\nTime: 3 s").len(), 2);
        assert_eq!(read("See v1.2.3 e.g. this one. Next").len(), 2);
    }
}
