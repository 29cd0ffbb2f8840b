//! A second look at failed tests: did they fail before this change, do they pass alone and in a second run.

use kenshu_model::check::SecondLook;
use kenshu_model::{Case, CaseStatus, Count, Note, Outcome};

use crate::judge::SecondLooks;

/// How many failed tests are looked at alone: more than these are no flakiness, and each costs a run.
const ALONE_MAX: usize = 5;

/// The failed tests that a second look can be taken at: all of them must be named.
pub fn named_failures(count: &Count) -> Option<Vec<&Case>> {
    let failed = count.tally.failed? + count.tally.errored?;
    let named: Vec<&Case> = count.cases.iter().filter(|case| case.status == CaseStatus::Failed).collect();
    let complete = named.len() as u64 == failed && count.tally.load_errors == Some(0) && failed > 0;
    (complete && count.outcome == Outcome::Failed).then_some(named)
}

/// Looks at each failed test: at the base, then alone, then in a second run of the whole command.
///
/// `alone` runs one test and says whether it passed; `None`: this runner cannot be asked for one test.
pub fn look(
    failed: &[&Case],
    base: Option<&Count>,
    alone: &mut dyn FnMut(&Case) -> Option<bool>,
    again: &mut dyn FnMut() -> Count,
) -> (SecondLooks, Vec<Note>) {
    let mut looks = SecondLooks::default();
    let mut notes = Vec::new();
    let mut rest = Vec::new();
    for case in failed {
        if base.is_some_and(|base| fails_alike(case, base)) {
            looks.failing_before.push(SecondLook { case: (*case).clone(), note: Note::FailedBefore });
        } else {
            rest.push(*case);
        }
    }
    if rest.is_empty() || rest.len() > ALONE_MAX {
        return (looks, notes);
    }
    let passing_alone: Vec<&Case> = rest.into_iter().filter(|case| alone(case) == Some(true)).collect();
    if passing_alone.is_empty() {
        return (looks, notes);
    }
    let second = again();
    for case in passing_alone {
        if passes_in(case, &second) {
            looks.flaky.push(SecondLook { case: case.clone(), note: Note::FailedOnce });
        } else {
            notes.push(Note::PassesAlone(case.name.clone()));
        }
    }
    (looks, notes)
}

/// The same test failing with the same line. Without a line on both sides it cannot be told.
fn fails_alike(case: &Case, base: &Count) -> bool {
    case.message.is_some()
        && base.cases.iter().any(|before| {
            before.status == CaseStatus::Failed
                && before.name == case.name
                && before.file == case.file
                && before.message == case.message
        })
}

/// In a run whose result was read, and in which the test is not among the failed ones.
fn passes_in(case: &Case, run: &Count) -> bool {
    let read = match run.outcome {
        Outcome::Passed => true,
        Outcome::Failed => named_failures(run).is_some(),
        Outcome::NothingRan | Outcome::CouldNotRun | Outcome::Unknown => false,
    };
    read && !run.cases.iter().any(|other| other.name == case.name && other.status == CaseStatus::Failed)
}

/// The command that runs one test alone; `None`: this runner, or this command, cannot be asked for one.
pub fn alone_argv(argv: &[String], runner: &str, case: &Case) -> Option<Vec<String>> {
    let plain = !argv.iter().any(|word| word == "--" || word == "-c");
    let mut argv = argv.to_vec();
    let exact = |name: &str| {
        let mut pattern = String::from("^");
        for symbol in name.chars() {
            if !symbol.is_alphanumeric() && !symbol.is_whitespace() && symbol != '_' {
                pattern.push('\\');
            }
            pattern.push(symbol);
        }
        pattern + "$"
    };
    let selection: Vec<String> = match runner {
        "pytest" if plain => {
            let has_target = argv
                .iter()
                .skip_while(|word| !word.contains("pytest"))
                .skip(1)
                .any(|word| !word.starts_with('-'));
            if has_target {
                return None;
            }
            vec![case.name.clone()]
        }
        "cargo-test" if plain => vec![case.name.clone(), "--".to_owned(), "--exact".to_owned()],
        "go-test" => vec!["-run".to_owned(), case.name.split('/').map(exact).collect::<Vec<_>>().join("/")],
        "jest" | "vitest" if plain => {
            vec!["-t".to_owned(), exact(&case.name.replace(" > ", " ").replace(" › ", " "))]
        }
        "rspec" if plain => vec!["-e".to_owned(), case.name.clone()],
        _ => return None,
    };
    argv.extend(selection);
    Some(argv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenshu_model::Tally;

    fn case(name: &str, message: &str) -> Case {
        Case {
            name: name.to_owned(),
            file: None,
            status: CaseStatus::Failed,
            message: Some(message.to_owned()),
            file_level: false,
        }
    }

    fn run(outcome: Outcome, cases: &[Case]) -> Count {
        Count {
            outcome,
            runners: vec!["pytest"],
            tally: Tally::of(3, cases.len() as u64, 0),
            files: None,
            exit: None,
            reasons: Vec::new(),
            quotes: Vec::new(),
            cases: cases.to_vec().into(),
        }
    }

    fn names(looks: &[SecondLook]) -> Vec<&str> {
        looks.iter().map(|look| look.case.name.as_str()).collect()
    }

    #[test]
    fn the_same_failing_line_at_the_base_is_failing_before() {
        let (a, b) = (case("a", "1 == 2"), case("b", "3 == 4"));
        let base = run(Outcome::Failed, &[case("a", "1 == 2"), case("b", "other")]);
        let (looks, notes) =
            look(&[&a, &b], Some(&base), &mut |_| None, &mut || panic!("no test passed alone"));
        assert_eq!((names(&looks.failing_before), names(&looks.flaky), notes.len()), (vec!["a"], vec![], 0));
    }

    #[test]
    fn flaky_is_what_passes_alone_and_again() {
        let (a, b) = (case("a", "x"), case("b", "y"));
        let second = run(Outcome::Failed, &[case("b", "y")]);
        let (looks, notes) = look(&[&a, &b], None, &mut |_| Some(true), &mut || second.clone());
        assert_eq!(names(&looks.flaky), ["a"]);
        assert_eq!(notes, [Note::PassesAlone("b".to_owned())]);
    }

    #[test]
    fn a_second_run_that_was_not_read_explains_nothing() {
        let a = case("a", "x");
        let unread = run(Outcome::Unknown, &[]);
        let (looks, _) = look(&[&a], None, &mut |_| Some(true), &mut || unread.clone());
        assert!(looks.flaky.is_empty());
    }

    #[test]
    fn what_fails_alone_is_not_run_again() {
        let a = case("a", "x");
        let (looks, _) = look(&[&a], None, &mut |_| Some(false), &mut || panic!("needless second run"));
        assert!(looks.flaky.is_empty() && looks.failing_before.is_empty());
    }

    #[test]
    fn every_failure_must_be_named() {
        let mut count = run(Outcome::Failed, &[case("a", "x")]);
        assert_eq!(named_failures(&count).map(|cases| cases.len()), Some(1));
        count.tally.errored = Some(1);
        assert_eq!(named_failures(&count), None);
        count.tally = Tally { load_errors: Some(1), ..Tally::of(3, 1, 0) };
        assert_eq!(named_failures(&count), None);
        count.tally = Tally::UNKNOWN;
        assert_eq!(named_failures(&count), None);
    }

    #[test]
    fn errors_are_failures_and_no_failure_is_none() {
        let mut count = run(Outcome::Failed, &[case("a", "x"), case("b", "y")]);
        count.tally = Tally { errored: Some(1), ..Tally::of(3, 1, 0) };
        assert_eq!(named_failures(&count).map(|cases| cases.len()), Some(2));
        assert_eq!(named_failures(&run(Outcome::Failed, &[])), None);
    }

    #[test]
    fn many_failures_are_not_run_one_by_one() {
        let cases: Vec<Case> = (0..6).map(|number| case(&format!("t{number}"), "x")).collect();
        let failed: Vec<&Case> = cases.iter().collect();
        let (looks, _) = look(&failed, None, &mut |_| panic!("run alone"), &mut || panic!("run again"));
        assert!(looks.flaky.is_empty());
    }

    #[test]
    fn as_many_as_the_limit_are_looked_at() {
        let cases: Vec<Case> = (0..ALONE_MAX).map(|number| case(&format!("t{number}"), "x")).collect();
        let failed: Vec<&Case> = cases.iter().collect();
        let second = run(Outcome::Passed, &[]);
        let (looks, _) = look(&failed, None, &mut |_| Some(true), &mut || second.clone());
        assert_eq!(looks.flaky.len(), ALONE_MAX);
    }

    fn argv_of(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn one_test_is_asked_for_in_the_runners_own_way() {
        let argv = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let one = |line: &str, runner: &str, name: &str| alone_argv(&argv(line), runner, &case(name, ""));
        assert_eq!(
            one("python -m pytest -q", "pytest", "a.py::t"),
            Some(argv("python -m pytest -q a.py::t"))
        );
        assert_eq!(one("pytest tests", "pytest", "a.py::t"), None);
        assert_eq!(one("cargo test", "cargo-test", "m::t"), Some(argv("cargo test m::t -- --exact")));
        assert_eq!(
            one("go test ./...", "go-test", "TestA/b+c"),
            Some(argv("go test ./... -run ^TestA$/^b\\+c$"))
        );
        assert_eq!(one("npm test", "mocha", "a"), None);
        assert_eq!(
            one("jest --ci", "jest", "math › adds 1"),
            Some(argv_of(&["jest", "--ci", "-t", "^math adds 1$"]))
        );
        assert_eq!(
            one("vitest run", "vitest", "math > adds"),
            Some(argv_of(&["vitest", "run", "-t", "^math adds$"]))
        );
        assert_eq!(one("rspec", "rspec", "math adds"), Some(argv_of(&["rspec", "-e", "math adds"])));
        // What stands behind `--`, or in a shell's line, leaves no room for a selection.
        for (line, runner) in [
            ("pytest -- -x", "pytest"),
            ("sh -c pytest", "pytest"),
            ("cargo test -- --nocapture", "cargo-test"),
            ("jest -- a", "jest"),
            ("vitest -- a", "vitest"),
            ("rspec -- a", "rspec"),
        ] {
            assert_eq!(one(line, runner, "a"), None, "{line}");
        }
    }
}
