//! Splits a stream into pytest's runs: where each begins, what stands in it, and which line closes it.

use crate::text::{Line, Stream};

use super::entries::{self, Entry, Marks};
use super::lines::{Refusal, collected, echoes_command, is_header, refusal};
use super::summary::{self, Style, Words};

/// What is known of the command.
pub(super) struct Asked {
    /// The command, or `--runner`, names pytest.
    pub(super) named: bool,
    /// How many times the command line calls pytest; 0: not known.
    pub(super) runs: usize,
    /// `-qq`: no closing line is printed.
    pub(super) prints_no_summary: bool,
    /// A filter takes lines away.
    pub(super) cut: bool,
    /// `head`: what comes last is missing.
    pub(super) cut_at_end: bool,
    /// Whether a filter leaves out none of the numbers below `Results`, each on a line of its own.
    pub(super) keeps_results: bool,
}

/// A closing line of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing<'a> {
    pub(super) line: Line<'a>,
    pub(super) words: Words,
    /// Whether pytest's own marks or sections stand right before it.
    supported: bool,
    /// Between `=` signs: a run that is not quiet.
    framed: bool,
}

/// How many errors were shown of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Banners {
    pub(super) collecting: u64,
    pub(super) setup: u64,
    pub(super) teardown: u64,
}

/// One run of pytest, as far as it was printed.
#[derive(Clone, Debug)]
pub(super) struct Run<'a> {
    pub(super) first: Line<'a>,
    pub(super) last: u32,
    /// Whether `test session starts` was printed.
    pub(super) headed: bool,
    pub(super) closing: Option<Closing<'a>>,
    closings: Vec<Closing<'a>>,
    /// Marks or sections of the run stand behind what looks like its closing line.
    continued: bool,
    /// The numbers below `Results` are the last lines of the output.
    pub(super) ends_in_results: bool,
    /// Bare closing lines behind the framed one.
    loose: Vec<Closing<'a>>,
    /// Whether a line before the closing looks like one, and nothing tells which of the two pytest printed.
    pub(super) ambiguous: bool,
    pub(super) collected: Option<u64>,
    pub(super) marks: Marks,
    pub(super) at_100_percent: bool,
    pub(super) banners: Banners,
    pub(super) entries: Vec<Entry>,
    /// Names of verbose lines with `RERUN`.
    pub(super) reruns: Vec<&'a str>,
    /// The first line that shows a failure.
    pub(super) failure: Option<Line<'a>>,
    /// `!!!! KeyboardInterrupt !!!!`, `!!!! stopping after 1 failures !!!!`.
    pub(super) stopped: Option<Line<'a>>,
    /// A line with which pytest or a plugin fails the run as a whole.
    pub(super) failed_as_a_whole: Option<Line<'a>>,
    /// `INTERNALERROR>`.
    pub(super) internal: Option<Line<'a>>,
    /// A conftest, or the wrong way it was called.
    pub(super) refused: Option<Refusal<'a>>,
    /// Whether the `flaky` plugin repeated a test.
    pub(super) repeated: bool,
    /// The line before the end of the output.
    pub(super) last_text: &'a str,
}

impl<'a> Run<'a> {
    fn new(first: Line<'a>, headed: bool) -> Run<'a> {
        Run {
            first,
            last: first.number,
            headed,
            closing: None,
            closings: Vec::new(),
            loose: Vec::new(),
            continued: false,
            ends_in_results: false,
            ambiguous: false,
            collected: None,
            marks: Marks::default(),
            at_100_percent: false,
            banners: Banners::default(),
            entries: Vec::new(),
            reruns: Vec::new(),
            failure: None,
            stopped: None,
            failed_as_a_whole: None,
            internal: None,
            refused: None,
            repeated: false,
            last_text: first.text,
        }
    }
}

/// Where in a run the walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Between header and the first section: marks, verbose lines.
    Progress,
    /// In sections that show what tests printed.
    Details,
    /// In the short test summary.
    ShortSummary,
    /// In another section of pytest's own or of a plugin.
    Other,
    /// Below `Results (0.1s):`.
    Results,
}

struct Walk<'a, 'b> {
    asked: &'b Asked,
    done: Vec<Run<'a>>,
    run: Option<Run<'a>>,
    place: Place,
    /// How many runs inside a test's captured output are open.
    depth: u32,
    /// Whether the last line that is not blank is pytest's own.
    own_line: bool,
    named: bool,
    refused: Option<Refusal<'a>>,
}

/// The runs of a stream in their order.
pub(super) fn split<'a>(stream: &'a Stream, asked: &Asked) -> Vec<Run<'a>> {
    let mut walk = Walk {
        asked,
        done: Vec::new(),
        run: None,
        place: Place::Progress,
        depth: 0,
        own_line: false,
        named: asked.named,
        refused: None,
    };
    for line in stream.lines() {
        if !line.text.trim().is_empty() {
            walk.line(line);
        }
    }
    walk.finish()
}

impl<'a> Walk<'a, '_> {
    fn line(&mut self, line: Line<'a>) {
        if is_header(line.text) {
            self.header(line);
            return;
        }
        if self.depth > 0 {
            if matches!(summary::closing(line.text), Some((Style::Framed, _))) {
                self.depth -= 1;
            }
            return;
        }
        if let Some(run) = self.run.as_mut().filter(|run| run.headed && run.closings.is_empty()) {
            run.last = line.number;
            run.last_text = line.text;
        }
        let own = self.own(line);
        let closed = self.run.as_ref().and_then(|run| run.closings.last().or(run.loose.last()));
        self.own_line = (own || matches!(self.place, Place::ShortSummary | Place::Other))
            && closed.is_none_or(|closing| closing.line.number != line.number);
    }

    fn header(&mut self, line: Line<'a>) {
        let open = self.run.as_ref().is_some_and(|run| run.closings.is_empty());
        if open && self.place == Place::Details {
            self.depth += 1;
            return;
        }
        self.begin(line, true);
    }

    fn begin(&mut self, line: Line<'a>, headed: bool) {
        self.done.extend(self.run.take());
        let mut run = Run::new(line, headed);
        run.refused = self.refused.take();
        self.run = Some(run);
        self.place = Place::Progress;
        self.depth = 0;
    }

    /// The run that this line of pytest's belongs to; begins one where none is open.
    fn current(&mut self, line: Line<'a>, begins: bool) -> &mut Run<'a> {
        let closed = self.run.as_ref().is_none_or(|run| begins && !run.closings.is_empty());
        if closed {
            self.begin(line, false);
        }
        let run = self.run.get_or_insert_with(|| Run::new(line, false));
        run.last = run.last.max(line.number);
        run
    }

    /// Takes a line if it is pytest's own.
    fn own(&mut self, line: Line<'a>) -> bool {
        match line.text.as_bytes()[0] {
            b'=' => self.framed(line),
            b'!' => self.stop(line),
            b'_' if self.place == Place::Details => self.banner(line),
            _ if self.place == Place::Results && self.result(line) => true,
            b'R' if line.text.starts_with("Results (") => self.results(line),
            _ if self.place == Place::Details && self.run.as_ref().is_some_and(|run| run.headed) => false,
            _ => self.entry(line) || self.bare(line) || self.progress(line) || self.other(line),
        }
    }

    fn framed(&mut self, line: Line<'a>) -> bool {
        if let Some((Style::Framed, words)) = summary::closing(line.text) {
            self.close(line, words, true);
            return true;
        }
        if line.text == "===Flaky Test Report===" {
            self.place = Place::Other;
            return true;
        }
        let Some(title) = summary::framed(line.text, '=') else { return false };
        self.section(line, title)
    }

    fn section(&mut self, line: Line<'a>, title: &str) -> bool {
        let place = match title {
            "FAILURES" | "ERRORS" | "PASSES" | "XPASSES" | "XFAILURES" => Place::Details,
            "short test summary info" | "rerun test summary info" => Place::ShortSummary,
            "warnings summary" | "warnings summary (final)" => Place::Other,
            // Sections of plugins, of which none begins a run.
            _ if self.run.as_ref().is_some_and(|run| run.closings.is_empty())
                && self.place != Place::Details =>
            {
                Place::Other
            }
            _ => return false,
        };
        let run = self.current(line, false);
        run.continued |= !run.closings.is_empty();
        if matches!(title, "FAILURES" | "ERRORS") {
            run.failure.get_or_insert(line);
        }
        self.place = place;
        true
    }

    fn close(&mut self, line: Line<'a>, words: Words, framed: bool) {
        let supported = self.own_line;
        let run = self.current(line, false);
        // A frame behind a bare line: a test printed the bare one.
        run.loose.clear();
        run.continued = false;
        run.closings.push(Closing { line, words, supported, framed });
        run.last_text = line.text;
        self.place = Place::Progress;
    }

    /// A closing line without a frame.
    fn bare(&mut self, line: Line<'a>) -> bool {
        let Some((Style::Bare, words)) = summary::closing(line.text) else { return false };
        let own_format = words.collected_only || line.text.starts_with("no tests ran in ");
        let known = self.named || own_format || (self.run.is_some() && self.own_line);
        if !known || self.run.as_ref().is_some_and(|run| run.headed && run.closings.is_empty()) {
            return false;
        }
        match self.run.as_mut().filter(|run| run.headed) {
            Some(run) => run.loose.push(Closing { line, words, supported: false, framed: false }),
            None => self.close(line, words, false),
        }
        true
    }

    /// `Results (2.19s):` of pytest-sugar and pytest-pretty; the numbers stand below it.
    fn results(&mut self, line: Line<'a>) -> bool {
        if !line.text.trim_end().ends_with("s):") || (self.run.is_none() && !self.named) {
            return false;
        }
        self.close(line, Words::default(), true);
        self.place = Place::Results;
        true
    }

    fn result(&mut self, line: Line<'a>) -> bool {
        let text = line.text.trim();
        if text.starts_with("- ") {
            return true;
        }
        let read = line.text.starts_with("   ").then(|| crate::numbers::number_and_word(text)).flatten();
        let Some((number, word)) = read else {
            self.place = Place::Progress;
            return false;
        };
        let run = self.current(line, false);
        if let Some(closing) = run.closings.last_mut() {
            closing.words.add(number, word);
        }
        true
    }

    fn stop(&mut self, line: Line<'a>) -> bool {
        if summary::framed(line.text, '!').is_none() {
            return false;
        }
        let Some(run) = self.run.as_mut() else { return false };
        run.stopped.get_or_insert(line);
        run.last = run.last.max(line.number);
        self.place = Place::Other;
        true
    }

    fn banner(&mut self, line: Line<'a>) -> bool {
        let Some(title) = summary::framed(line.text, '_') else { return false };
        let run = self.current(line, false);
        if title.starts_with("ERROR collecting ") {
            run.banners.collecting += 1;
        } else if title.starts_with("ERROR at setup of ") {
            run.banners.setup += 1;
        } else if title.starts_with("ERROR at teardown of ") {
            run.banners.teardown += 1;
        }
        true
    }

    fn entry(&mut self, line: Line<'a>) -> bool {
        let listed = self.place == Place::ShortSummary || (self.run.is_none() && self.named);
        if let Some(entry) = listed.then(|| entries::entry(line.text)).flatten() {
            let failed = matches!(entry.word, "FAILED" | "ERROR");
            if self.place != Place::ShortSummary && !entry.name.contains(".py") {
                return false;
            }
            self.place = Place::ShortSummary;
            let run = self.current(line, false);
            if failed {
                run.failure.get_or_insert(line);
            }
            run.entries.push(entry);
            return true;
        }
        let Some((word, name)) = entries::verbose(line.text).filter(|_| self.place == Place::Progress) else {
            return false;
        };
        if self.run.is_none() && !self.named && !line.text.ends_with("%]") {
            return false;
        }
        let run = self.current(line, true);
        match word {
            "FAILED" | "ERROR" => _ = run.failure.get_or_insert(line),
            "RERUN" => run.reruns.push(name),
            _ => {}
        }
        true
    }

    fn progress(&mut self, line: Line<'a>) -> bool {
        if self.place != Place::Progress {
            return false;
        }
        let Some((marks, percent)) = entries::progress(line.text) else { return false };
        let headed = self.run.as_ref().is_some_and(|run| run.headed && run.closings.is_empty());
        if percent.is_none() && !headed && !(self.named || self.run.is_some()) {
            return false;
        }
        let run = self.current(line, percent.is_some());
        run.continued |= !run.closings.is_empty();
        run.marks.add(marks);
        run.at_100_percent |= percent == Some(100);
        if marks.failed + marks.errors > 0 {
            run.failure.get_or_insert(line);
        }
        true
    }

    /// Lines that say something of the run as a whole, and those by which the command is known.
    fn other(&mut self, line: Line<'a>) -> bool {
        let text = line.text;
        self.named |= echoes_command(text);
        if let Some(refusal) = refusal(line, self.named) {
            match self
                .run
                .as_mut()
                .filter(|run| run.closings.last().is_some_and(|closing| closing.words.is_empty()))
            {
                Some(run) => run.refused = Some(refusal),
                None => self.refused = Some(refusal),
            }
            return true;
        }
        if text.starts_with("FAIL Required test coverage of ")
            || text.starts_with("ERROR: Coverage failure: ")
        {
            self.current(line, false).failed_as_a_whole = Some(line);
            return true;
        }
        let Some(run) = self.run.as_mut() else { return false };
        if text.starts_with("INTERNALERROR> ") {
            run.internal = Some(line);
        } else if text.contains("Fatal Python error: ") && run.closings.is_empty() {
            run.failure.get_or_insert(line);
        } else if text.ends_with(" item")
            || text.ends_with(" items")
            || text.contains(" items / ")
            || text.contains(" item / ")
            || text.ends_with(" items]")
            || text.ends_with(" item]")
        {
            run.collected = collected(text).or(run.collected);
            // `collected 3 items / 1 error`: a file that was not collected has no mark.
            run.marks.other |= text.contains(" error");
        } else if text.contains(" runs remaining out of ") || text.contains(" run remaining out of ") {
            run.repeated = true;
        } else {
            return false;
        }
        true
    }

    fn finish(mut self) -> Vec<Run<'a>> {
        if let Some(run) = self.run.as_mut() {
            run.ends_in_results = self.place == Place::Results;
        }
        self.done.extend(self.run.take());
        let mut runs = Vec::new();
        let mut unclosed = 0;
        let mut refused = self.refused.take();
        for run in self.done {
            if run.headed && run.closings.is_empty() {
                unclosed += 1;
            }
            runs.extend(settle(run, self.asked, &mut unclosed));
        }
        if let Some(refusal) = refused.take()
            && runs.is_empty()
        {
            let (Refusal::Conftest(line) | Refusal::Usage(line) | Refusal::NotInstalled(line)) = refusal;
            let mut run = Run::new(line, false);
            run.refused = Some(refusal);
            runs.push(run);
        }
        runs
    }
}

/// Chooses the closing line of a run, or takes apart runs that were printed without a beginning.
fn settle<'a>(mut run: Run<'a>, asked: &Asked, unclosed: &mut usize) -> Vec<Run<'a>> {
    let closings = std::mem::take(&mut run.closings);
    let Some((last, before)) = closings.split_last() else { return vec![run] };
    if run.continued {
        // A test printed it, and the run went on.
        return vec![run];
    }
    run.closing = Some(*last);
    run.last = run.last.max(last.line.number);
    let mut runs = Vec::new();
    let mut of_other_runs = |closing: &Closing<'a>, ambiguous: bool| {
        let mut other = Run::new(closing.line, false);
        other.closing = Some(*closing);
        other.ambiguous = ambiguous;
        runs.push(other);
    };
    if run.headed {
        for closing in before {
            // Two runs at the same time: both begin before one of them ends. Only the command can say that it is so.
            let interleaved = asked.runs > 1 && *unclosed > 0;
            if asked.runs != 1 && (closing.supported || interleaved) {
                of_other_runs(closing, asked.runs == 0);
                *unclosed -= usize::from(interleaved);
            }
        }
        if asked.runs != 1 {
            run.loose.iter().for_each(|closing| of_other_runs(closing, false));
        }
    } else {
        let some_supported = closings.iter().any(|closing| closing.supported);
        for closing in before {
            let may_be_printed = closing.framed && some_supported && !asked.cut;
            if closing.supported || !some_supported || (asked.runs > 1 && !may_be_printed) {
                // A second run with a frame would have a header: this one was shown by a test, or its header is cut off.
                of_other_runs(closing, closing.framed && closing.supported && asked.runs <= 1);
            } else if asked.runs == 0 {
                of_other_runs(closing, true);
            }
        }
    }
    runs.push(run);
    runs
}
