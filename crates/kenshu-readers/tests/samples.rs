//! Every reader against its own samples, and every other reader against them too.
//!
//! A sample is `src/readers/<reader>/<name>.<out|xml|json|ndjson|tap|trx>` with `<name>.toml` beside it.

#![expect(clippy::disallowed_methods, reason = "tests read their samples from disk")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its sample must fail")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kenshu_model::{Count, Exit, Outcome, Reason};
use kenshu_readers::decide::{self, Context};
use kenshu_readers::readers::READERS;
use kenshu_readers::{Reader, Samples, Specificity};

/// What a sample's `.toml` says. Counts that are left out are not compared.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    /// The runner's version, as it prints it.
    version: String,
    /// What was typed.
    command: String,
    /// Status of the command line; left out for a report file.
    exit: Option<i32>,
    /// `recorded` or `documented`.
    source: String,
    outcome: String,
    /// The first reason word.
    reason: Option<String>,
    passed: Option<u64>,
    failed: Option<u64>,
    errored: Option<u64>,
    load_errors: Option<u64>,
    skipped: Option<u64>,
    todo: Option<u64>,
    expected_failures: Option<u64>,
    unexpected_passes: Option<u64>,
    flaky: Option<u64>,
    cached: Option<u64>,
    file_level: Option<u64>,
    /// Names of tests that the reading must name as failed.
    failing: Option<Vec<String>>,
    /// What is special about it.
    #[expect(dead_code, reason = "for people")]
    note: Option<String>,
}

struct Sample {
    path: PathBuf,
    bytes: Vec<u8>,
    expected: Expectation,
}

fn folder(reader: &Reader) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/readers").join(reader.id.replace('-', "_"))
}

fn samples(reader: &Reader) -> Vec<Sample> {
    let Ok(entries) = std::fs::read_dir(folder(reader)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .filter(|path| {
            !matches!(path.extension().and_then(|name| name.to_str()), Some("toml" | "sh" | "md" | "rs"))
        })
        .map(|path| {
            let text = std::fs::read_to_string(path.with_extension("toml"))
                .unwrap_or_else(|error| panic!("{}: no expectation beside it: {error}", path.display()));
            let expected =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Sample { bytes: std::fs::read(&path).unwrap(), path, expected }
        })
        .collect()
}

/// What the count says otherwise than the sample's expectation, one line each.
fn complaints(sample: &Sample, count: &Count, with: &str) -> Vec<String> {
    let expected = &sample.expected;
    let mut complaints = Vec::new();
    let mut compare = |name: &str, actual: String, wanted: String| {
        if actual != wanted {
            complaints.push(format!("{} ({with}): {name} is {actual}, not {wanted}", sample.path.display()));
        }
    };
    compare("outcome", count.outcome.word().to_owned(), expected.outcome.clone());
    if let Some(reason) = &expected.reason {
        let first = count.reasons.first().map_or("none", |reason| reason.word());
        compare("reason", first.to_owned(), reason.clone());
    }
    let tally = &count.tally;
    for (name, actual, wanted) in [
        ("passed", tally.passed, expected.passed),
        ("failed", tally.failed, expected.failed),
        ("errored", tally.errored, expected.errored),
        ("load_errors", tally.load_errors, expected.load_errors),
        ("skipped", tally.skipped, expected.skipped),
        ("todo", tally.todo, expected.todo),
        ("expected_failures", tally.expected_failures, expected.expected_failures),
        ("unexpected_passes", tally.unexpected_passes, expected.unexpected_passes),
        ("flaky", tally.flaky, expected.flaky),
        ("cached", tally.cached, expected.cached),
        ("file_level", tally.file_level, expected.file_level),
    ] {
        if wanted.is_some() {
            compare(name, format!("{actual:?}"), format!("{wanted:?}"));
        }
    }
    let fails = |name: &str| {
        count.cases.iter().any(|case| case.name == name && case.status == kenshu_model::CaseStatus::Failed)
    };
    for name in expected.failing.iter().flatten().filter(|name| !fails(name)) {
        compare(&format!("failing test {name:?}"), "not named".to_owned(), "named".to_owned());
    }
    // A number is never shown without its line; "cannot tell" may have nothing to show.
    let said_otherwise = count.outcome == Outcome::Unknown
        || matches!(
            count.reasons.first(),
            Some(Reason::ExitDisagrees | Reason::ListOnly | Reason::NoTestCommand | Reason::CommandNotFound)
        );
    if !said_otherwise && count.quotes.is_empty() {
        compare("quotes", "none".to_owned(), "some".to_owned());
    }
    complaints
}

fn context(expected: &Expectation) -> Context<'_> {
    Context { command: Some(&expected.command), exit: expected.exit.map(Exit::Code), ..Context::default() }
}

#[test]
fn every_sample_is_read_by_the_whole_list() {
    let mut all = Vec::new();
    for reader in READERS {
        for sample in samples(reader) {
            let count = decide::count(&sample.bytes, &context(&sample.expected));
            all.extend(complaints(&sample, &count, "all readers"));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn every_sample_is_read_by_its_own_reader() {
    let mut all = Vec::new();
    for reader in READERS {
        for sample in samples(reader) {
            let alone = std::slice::from_ref(reader);
            let count = decide::count_with(alone, &sample.bytes, &context(&sample.expected));
            all.extend(complaints(&sample, &count, "its own reader alone"));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The matrix: whichever other reader accepts a sample gives no number that contradicts it.
#[test]
fn no_other_reader_contradicts() {
    for owner in READERS {
        for sample in samples(owner) {
            let truth = decide::count(&sample.bytes, &context(&sample.expected));
            for other in
                READERS.iter().filter(|other| other.id != owner.id && !owner.covers.contains(&other.id))
            {
                let alone = std::slice::from_ref(other);
                let count = decide::count_with(alone, &sample.bytes, &context(&sample.expected));
                if count.runners.is_empty() || count.outcome == Outcome::Unknown {
                    continue;
                }
                assert!(
                    count.tally.agrees_with(&truth.tally),
                    "{} read as {}: {:#?}\nbut its own reader: {:#?}",
                    sample.path.display(),
                    other.id,
                    count,
                    truth
                );
            }
        }
    }
}

#[test]
fn the_order_of_the_list_decides_nothing() {
    let reversed: Vec<Reader> = READERS.iter().rev().map(copy).collect();
    let reversed: &'static [Reader] = Vec::leak(reversed);
    for reader in READERS {
        for sample in samples(reader) {
            let context = context(&sample.expected);
            let one = decide::count(&sample.bytes, &context);
            let other = decide::count_with(reversed, &sample.bytes, &context);
            assert_eq!(one, other, "{}", sample.path.display());
        }
    }
}

fn copy(reader: &Reader) -> Reader {
    Reader { ..*reader }
}

#[test]
fn every_reader_has_the_samples_it_needs() {
    let mut missing = Vec::new();
    for reader in READERS {
        let samples = samples(reader);
        let outcomes: BTreeSet<&str> =
            samples.iter().map(|sample| sample.expected.outcome.as_str()).collect();
        // Wrappers state a status, not a pass.
        let needed: &[&str] = if reader.specificity == Specificity::Wrapper {
            &["failed"]
        } else {
            &["passed", "failed", "nothing_ran"]
        };
        missing.extend(
            needed
                .iter()
                .filter(|outcome| !outcomes.contains(**outcome))
                .map(|outcome| format!("{}: {outcome}", reader.id)),
        );
        for sample in &samples {
            assert!(!sample.expected.version.is_empty(), "{}: no version", sample.path.display());
            let documented = sample.expected.source == "documented";
            assert!(documented || sample.expected.source == "recorded", "{}: source", sample.path.display());
            assert_eq!(
                documented,
                reader.samples == Samples::Documented,
                "{}: source",
                sample.path.display()
            );
        }
    }
    assert!(missing.is_empty(), "readers without a sample of these outcomes:\n{}", missing.join("\n"));
}

#[test]
fn every_file_in_the_folder_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/readers");
    let mut on_disk: BTreeSet<String> = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            on_disk.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
    }
    on_disk.remove("mod");
    on_disk.remove("no_test");
    let listed: BTreeSet<String> = READERS.iter().map(|reader| reader.id.replace('-', "_")).collect();
    assert_eq!(on_disk, listed);
    assert_eq!(listed.len(), READERS.len(), "an id stands twice");
}
