//! Cucumber JSON: features with elements (scenarios and backgrounds) with steps, as every Cucumber writes it.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus, Tally};

use super::ID;
use crate::json::{Items, Json};
use crate::reading::Reading;
use crate::text::Stream;

/// Every report of this shape in the stream.
pub(super) fn read(stream: &Stream) -> Vec<Reading> {
    let mut readings = Vec::new();
    for (document, value) in stream.json_documents("\"elements\"") {
        let Some(features) = value.as_array().filter(|features| is_report(*features)) else { continue };
        let cases = scenarios(features);
        let count = |wanted: CaseStatus| cases.iter().filter(|case| case.status == wanted).count() as u64;
        let tally = Tally {
            todo: Some(count(CaseStatus::Todo)),
            // Attempts before the last one are not all told apart from it.
            flaky: None,
            ..Tally::of(count(CaseStatus::Passed), count(CaseStatus::Failed), count(CaseStatus::Skipped))
        };
        let reading = Reading::from_tally(ID, tally, document.quote("elements"));
        let named = cases.into_iter().filter(|case| case.status != CaseStatus::Passed).collect();
        readings.push(reading.spanning(document.first, document.last).naming(named));
    }
    readings
}

fn is_report(mut features: Items<'_>) -> bool {
    features.all(|feature| {
        feature.at("uri").is_string()
            && feature.get("elements").is_none_or(Json::is_array)
            && feature.at("keyword").is_string()
    })
}

/// Each scenario once. A background's steps belong to the scenario behind it, and the last attempt counts.
fn scenarios(features: Items<'_>) -> Vec<Case> {
    let mut found: Vec<Case> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for feature in features {
        let uri = feature.text("uri");
        let mut background = CaseStatus::Passed;
        for element in feature.list("elements") {
            let own = status(element);
            if element.text("type") == "background" {
                background = own;
                continue;
            }
            let status = worse(std::mem::replace(&mut background, CaseStatus::Passed), own);
            let name = element.text("name").into_owned();
            let line = element.at("line").as_written();
            let key = format!("{uri}:{line}:{name}:{}", element.text("id"));
            let file = Some(uri.clone().into_owned());
            let case = Case { name, file, status, message: message(element), file_level: false };
            let place = *places.entry(key).or_insert(found.len());
            match found.get_mut(place) {
                Some(earlier) => *earlier = case,
                None => found.push(case),
            }
        }
    }
    found
}

/// Results of the hooks and steps of one element.
fn results(element: Json<'_>) -> impl Iterator<Item = Json<'_>> {
    ["before", "steps", "after"]
        .into_iter()
        .flat_map(move |member| element.list(member))
        .flat_map(|step| {
            let hooks = ["before", "after"].into_iter().flat_map(move |member| step.list(member));
            std::iter::once(step).chain(hooks)
        })
        .filter_map(|step| step.get("result"))
}

fn status(element: Json<'_>) -> CaseStatus {
    let word = |result: Json<'_>| match &*result.text("status") {
        "passed" => CaseStatus::Passed,
        "skipped" => CaseStatus::Skipped,
        "pending" => CaseStatus::Todo,
        // failed, undefined, ambiguous; and a word that is not known is no pass.
        _ => CaseStatus::Failed,
    };
    results(element).map(word).fold(CaseStatus::Passed, worse)
}

/// Of two steps, what they make of their scenario: a failure outweighs all, a pass nothing.
fn worse(a: CaseStatus, b: CaseStatus) -> CaseStatus {
    let weight = |status: CaseStatus| match status {
        CaseStatus::Failed => 3,
        CaseStatus::Todo => 2,
        CaseStatus::Skipped => 1,
        CaseStatus::Passed | CaseStatus::ExpectedFailure | CaseStatus::UnexpectedPass => 0,
    };
    if weight(a) >= weight(b) { a } else { b }
}

fn message(element: Json<'_>) -> Option<String> {
    let error = results(element).find_map(|result| result.get("error_message")?.as_str())?;
    error.lines().next().map(str::to_owned)
}
