//! The `[[verify]]` commands of a check.

use kenshu_host::Error;
use kenshu_model::check::{CheckVerdict, VerifyResult};
use kenshu_model::words::{config as words, doing};
use kenshu_model::{Count, Note, Outcome, Reason};

use super::{Company, Setting};
use crate::measure::{last_lines, measure};
use crate::suites;

/// Runs the `[[verify]]` commands. Their status is theirs alone, so it decides where no runner's statement is read.
pub(super) fn verify(
    setting: &Setting<'_>,
    company: &mut dyn Company,
    verdict: &mut CheckVerdict,
) -> Result<(), Error> {
    for verify in &setting.config.verify {
        let plan = suites::verify_plan(verify, &setting.project.root, setting.config)
            .map_err(|error| Error::new(&doing::READ_COMMAND_OF, &verify.name, error, &words::CORRECT_IT))?;
        company.running(&plan, &verify.name);
        let run = measure(&plan, setting.environment, &mut |event| company.progress(event));
        let count = by_status(run.count);
        if verdict.reason.is_none() {
            verdict.reason = match count.outcome {
                Outcome::Passed => None,
                Outcome::Failed => Some(Reason::TestsFailed),
                Outcome::CouldNotRun => Some(Reason::CouldNotRun),
                Outcome::NothingRan => Some(Reason::NothingVerified),
                Outcome::Unknown => match count.reasons.first() {
                    Some(Reason::TimedOut | Reason::Killed) => Some(Reason::DidNotFinish),
                    _ => Some(Reason::NothingVerified),
                },
            };
            if verdict.reason.is_some() {
                let lines = last_lines(&run.output);
                let said = lines.last().map(|quote| quote.text.trim().to_owned());
                verdict.notes.push(Note::Verify { name: verify.name.clone(), outcome: count.outcome, said });
                verdict.quotes.extend(lines);
            }
        }
        verdict.verify.push(VerifyResult { name: verify.name.clone(), command: plan.argv, count });
    }
    Ok(())
}

/// A linter or type checker says by its status alone whether it found something.
fn by_status(count: Count) -> Count {
    let by_status = match (count.outcome, count.exit) {
        (Outcome::NothingRan | Outcome::Unknown, Some(exit)) if exit.is_success() => Outcome::Passed,
        (Outcome::NothingRan | Outcome::Unknown, Some(kenshu_model::Exit::Code(_))) => Outcome::Failed,
        (outcome, _) => return Count { outcome, ..count },
    };
    let reasons = if by_status == Outcome::Failed { vec![Reason::ExitDisagrees] } else { Vec::new() };
    Count { outcome: by_status, reasons, ..count }
}
