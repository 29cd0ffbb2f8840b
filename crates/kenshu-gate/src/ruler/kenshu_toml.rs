//! `kenshu.toml` as part of the ruler: its canonical text, and what of a change to it narrows.

use super::settings::{Setting, of_toml};
use super::{Fact, Kind};
use crate::tree::Tree;

/// Every stage of the gate, in its order.
const STAGES: &[&str] = &["reading", "tests", "start", "routes", "verification"];

/// The file with its keys in a fixed order and without comments; what can't be parsed stands as it is.
pub(super) fn normalised(tree: &dyn Tree) -> Option<String> {
    let text = tree.read("kenshu.toml")?;
    let parsed = text.parse::<toml::Table>().ok();
    Some(parsed.and_then(|table| toml::to_string(&table).ok()).unwrap_or_else(|| text.trim().to_owned()))
}

/// The facts of a canonical text. Commands are no part of it: they are compared as commands.
pub(super) fn facts(text: &str) -> Vec<Fact> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let fact = |key: &str, value: &str, kind: Kind| Fact {
        file: "kenshu.toml".to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        kind,
    };
    let settings: Vec<Setting> = of_toml(&toml::Value::Table(table), &[]);
    let mut facts = Vec::new();
    for setting in &settings {
        let key = setting.path.join(".");
        let each =
            |kind: Kind| setting.values.iter().map(|value| fact(&key, value, kind)).collect::<Vec<_>>();
        match key.as_str() {
            "verify.name" | "spec.files" | "gate.reading" => facts.extend(each(Kind::Strict)),
            "spec.skip" => facts.extend(each(Kind::Narrows)),
            "test.require_count" if setting.values.first().is_some_and(|value| value == "true") => {
                facts.extend(each(Kind::Strict));
            }
            "gate.unsettled" if setting.values.first().is_some_and(|value| value == "open") => {
                facts.extend(each(Kind::Narrows));
            }
            "gate.unsettled" if setting.values.first().is_some_and(|value| value == "close") => {
                facts.extend(each(Kind::Strict));
            }
            "gate.stages" => facts.extend(
                STAGES
                    .iter()
                    .filter(|stage| !setting.values.iter().any(|value| value == *stage))
                    .map(|stage| fact("gate.stages without", stage, Kind::Narrows)),
            ),
            key if key.starts_with("test.env.") => facts.extend(each(Kind::Narrows)),
            _ => {}
        }
    }
    facts
}
