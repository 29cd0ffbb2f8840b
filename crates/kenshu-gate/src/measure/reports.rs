//! What the reporters of one run left, read and laid beside the text.

use kenshu_model::words::doing;
use std::path::{Path, PathBuf};

use kenshu_host::{files, find};
use kenshu_model::{Count, Note, Outcome, Reason, Tally};
use kenshu_readers::command::CommandLine;
use kenshu_readers::reporters::{Piece, Report, Reported, Reporter};
use kenshu_readers::{Specificity, decide, readers};

use super::{Plan, combine};

/// A reporter's files and folders in the temporary folder.
pub(super) fn lay_out(reporter: &Reporter, folder: &Path) -> Result<(), kenshu_host::Error> {
    if let Some(Report::Folder { name, made }) = reporter.report {
        files::create_dirs(&folder.join(name).join(made), &doing::MAKE_REPORT_FOLDER)?;
    }
    for (name, content) in reporter.files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            files::create_dirs(parent, &doing::MAKE_REPORTER_FOLDER)?;
        }
        files::write_for_now(&path, content.as_bytes(), &doing::WRITE_REPORTER)?;
    }
    Ok(())
}

/// The reporters whose runner the command names or the text shows: another one's report is that of a run which a test or
/// a script made for purposes of its own, its output unseen.
pub(super) fn told(reporters: &[&'static Reporter], plan: &Plan, text: &Count) -> Vec<&'static Reporter> {
    let line = CommandLine::from_argv(&plan.argv);
    let is_told = |id: &'static str| {
        text.runners.contains(&id)
            || plan.runners.contains(&id)
            || line.invocations.iter().filter_map(readers::of_invocation).any(|reader| reader.id == id)
    };
    reporters.iter().copied().filter(|reporter| is_told(reporter.reader)).collect()
}

/// The text's count with what the reporters left.
pub(super) fn laid_beside(
    text: Count,
    reporters: &[&'static Reporter],
    folder: Option<&Path>,
    started: find::Mark,
    notes: &mut Vec<Note>,
) -> Count {
    let mut finished = Vec::new();
    let mut unfinished = false;
    for reporter in reporters {
        let Some((report, folder)) = reporter.report.zip(folder) else { continue };
        let pieces = pieces(report, folder, started);
        match (reporter.read)(&pieces, &text) {
            Reported::Never if text.outcome == Outcome::Passed && text.runners.contains(&reporter.reader) => {
                notes.push(Note::ReporterNotLoaded);
            }
            Reported::Never | Reported::Nothing => {}
            Reported::Unfinished => unfinished = true,
            Reported::Finished(count) => finished.push(*count),
        }
    }
    let may_be_doubted = matches!(text.outcome, Outcome::Passed | Outcome::Unknown | Outcome::NothingRan)
        && !matches!(text.reasons.first(), Some(Reason::TimedOut | Reason::Killed));
    if unfinished && may_be_doubted {
        return Count { outcome: Outcome::Unknown, reasons: vec![Reason::ReportUnfinished], ..text };
    }
    compared(text, finished)
}

/// The text and the reports as one. Where another runner's numbers are in the text too, a report of one part says
/// nothing about their sum; what it says against a pass still stands.
fn compared(text: Count, reports: Vec<Count>) -> Count {
    let is_reported = |runner: &&'static str| {
        let is_runner = readers::by_id(runner).is_some_and(|reader| reader.specificity == Specificity::Own);
        !is_runner || reports.iter().any(|report| report.runners.contains(runner))
    };
    if text.runners.iter().all(is_reported) {
        return match combine(reports) {
            Some(report) => decide::merge(text, report),
            None => text,
        };
    }
    reports.into_iter().fold(text, |text, report| match report.outcome {
        Outcome::Failed | Outcome::Unknown => decide::merge(text, Count { tally: Tally::UNKNOWN, ..report }),
        Outcome::Passed | Outcome::NothingRan | Outcome::CouldNotRun => text,
    })
}

/// The files of a report. One that cannot be read, or not as a whole, is no report.
fn pieces(report: Report, folder: &Path, started: find::Mark) -> Vec<Piece> {
    let (root, paths) = match report {
        Report::File(name) => (folder.to_owned(), vec![folder.join(name)]),
        Report::Folder { name, .. } => {
            let root = folder.join(name);
            let paths = find::written_since(&root, &["**/*"], started);
            (root, paths)
        }
    };
    let piece = |path: &PathBuf| {
        let stored = files::read(path, &doing::READ_REPORTERS_FILE).ok()?;
        let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().into_owned();
        stored.dropped.is_none().then_some(Piece { name, bytes: stored.bytes })
    };
    paths.iter().map(piece).collect::<Option<Vec<Piece>>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(runners: Vec<&'static str>, outcome: Outcome, tally: Tally) -> Count {
        Count {
            outcome,
            runners,
            tally,
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: Vec::new(),
            cases: kenshu_model::Cases::default(),
        }
    }

    #[test]
    fn reports_of_several_runners_are_compared_as_their_sum() {
        let text = of(vec!["make", "rspec", "minitest"], Outcome::Passed, Tally::of(5, 0, 0));
        let rspec = of(vec!["rspec"], Outcome::Passed, Tally::of(3, 0, 0));
        let minitest = of(vec!["minitest"], Outcome::Passed, Tally::of(2, 0, 0));
        let both = compared(text.clone(), vec![rspec.clone(), minitest.clone()]);
        assert_eq!((both.outcome, both.tally.passed), (Outcome::Passed, Some(5)));
        let other = compared(text, vec![rspec]);
        assert_eq!(
            (other.outcome, other.tally.passed),
            (Outcome::Passed, Some(5)),
            "one part alone says nothing"
        );
        let alone = of(vec!["minitest"], Outcome::Passed, Tally::of(5, 0, 0));
        assert_eq!(compared(alone, vec![minitest]).reasons, [Reason::Ambiguous]);
    }

    #[test]
    fn a_failure_in_one_part_stands_though_the_text_holds_others() {
        let text = of(vec!["rspec", "jest"], Outcome::Passed, Tally::of(9, 0, 0));
        let failed = of(vec!["rspec"], Outcome::Failed, Tally::of(3, 1, 0));
        let count = compared(text, vec![failed]);
        assert_eq!((count.outcome, count.tally), (Outcome::Failed, Tally::UNKNOWN));
    }

    #[test]
    fn a_report_of_a_runner_that_nobody_named_is_left_alone() {
        let rspec = kenshu_readers::reporters::of("rspec").expect("a reporter of that name");
        let plan = |line: &str| Plan {
            argv: line.split(' ').map(str::to_owned).collect(),
            cwd: PathBuf::new(),
            env: Vec::new(),
            time_limit: std::time::Duration::ZERO,
            inject: true,
            needs_ci: false,
            runners: Vec::new(),
            fresh: false,
        };
        let text = of(vec![], Outcome::Unknown, Tally::UNKNOWN);
        assert_eq!(told(&[rspec], &plan("./ci.sh"), &text).len(), 0);
        assert_eq!(told(&[rspec], &plan("rspec spec"), &text).len(), 1);
        let text = Count { runners: vec!["rspec"], ..text };
        assert_eq!(told(&[rspec], &plan("./ci.sh"), &text).len(), 1);
    }
}
