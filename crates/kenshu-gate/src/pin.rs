//! The pin: the ruler that a human trusted, as it is kept on disk.

use kenshu_model::check::RulerChange;
use serde::{Deserialize, Serialize};

use crate::ruler::{Fact, Kind, Ruler, RulerCommand, ScriptName, compare};

/// What `trust` writes. The wire form has a version of its own; [`Ruler`] may change without it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinV1 {
    /// `kenshu/trust/1`.
    pub schema: String,
    /// When, as RFC 3339 UTC.
    pub time: String,
    /// Who, as far as the machine knows.
    pub who: String,
    commands: Vec<CommandV1>,
    scripts: Vec<ScriptV1>,
    kenshu_toml: Option<String>,
    facts: Vec<FactV1>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CommandV1 {
    suite: String,
    cwd: String,
    argv: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ScriptV1 {
    file: String,
    name: String,
    body: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FactV1 {
    file: String,
    key: String,
    value: String,
    kind: String,
}

/// The schema's name.
const SCHEMA: &str = "kenshu/trust/1";

const KINDS: [(Kind, &str); 6] = [
    (Kind::Narrows, "narrows"),
    (Kind::Includes, "includes"),
    (Kind::Strict, "strict"),
    (Kind::AtLeast, "at_least"),
    (Kind::AtMost, "at_most"),
    (Kind::Unread, "unread"),
];

impl PinV1 {
    /// A pin of `ruler`.
    pub fn new(ruler: &Ruler, time: &str, who: &str) -> PinV1 {
        let word =
            |kind: Kind| KINDS.iter().find(|(known, _)| *known == kind).map_or("unread", |(_, word)| word);
        PinV1 {
            schema: SCHEMA.to_owned(),
            time: time.to_owned(),
            who: who.to_owned(),
            commands: ruler
                .commands
                .iter()
                .map(|command| CommandV1 {
                    suite: command.suite.clone(),
                    cwd: command.cwd.clone(),
                    argv: command.argv.clone(),
                })
                .collect(),
            scripts: ruler
                .scripts
                .iter()
                .map(|(script, body)| ScriptV1 {
                    file: script.file.clone(),
                    name: script.name.clone(),
                    body: body.clone(),
                })
                .collect(),
            kenshu_toml: ruler.kenshu_toml.clone(),
            facts: ruler
                .facts
                .iter()
                .map(|fact| FactV1 {
                    file: fact.file.clone(),
                    key: fact.key.clone(),
                    value: fact.value.clone(),
                    kind: word(fact.kind).to_owned(),
                })
                .collect(),
        }
    }

    /// Reads a pin. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<PinV1, String> {
        let pin: PinV1 = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if pin.schema == SCHEMA {
            Ok(pin)
        } else {
            Err(format!("its schema is {}, not {SCHEMA}", pin.schema))
        }
    }

    /// The text to write.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The ruler that was pinned.
    pub fn ruler(&self) -> Ruler {
        let kind = |word: &str| {
            KINDS.iter().find(|(_, known)| *known == word).map_or(Kind::Unread, |(kind, _)| *kind)
        };
        Ruler::kept(
            self.commands
                .iter()
                .map(|command| RulerCommand {
                    suite: command.suite.clone(),
                    cwd: command.cwd.clone(),
                    argv: command.argv.clone(),
                })
                .collect(),
            self.scripts
                .iter()
                .map(|script| {
                    (ScriptName { file: script.file.clone(), name: script.name.clone() }, script.body.clone())
                })
                .collect(),
            self.kenshu_toml.clone(),
            self.facts
                .iter()
                .map(|fact| Fact {
                    file: fact.file.clone(),
                    key: fact.key.clone(),
                    value: fact.value.clone(),
                    kind: kind(&fact.kind),
                })
                .collect(),
        )
    }

    /// How `now` differs from what was pinned.
    pub fn changes(&self, now: &Ruler) -> Vec<RulerChange> {
        compare(&self.ruler(), now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_gives_back_the_ruler() {
        let fact = |kind| Fact { file: "a".to_owned(), key: "k".to_owned(), value: "v".to_owned(), kind };
        let ruler = Ruler::kept(
            vec![RulerCommand {
                suite: "test".to_owned(),
                cwd: ".".to_owned(),
                argv: vec!["npm".to_owned(), "test".to_owned()],
            }],
            [(
                ScriptName { file: "package.json".to_owned(), name: "test".to_owned() },
                "vitest run".to_owned(),
            )]
            .into(),
            Some("x".to_owned()),
            KINDS.iter().map(|(kind, _)| fact(*kind)).collect(),
        );
        let text = PinV1::new(&ruler, "2026-01-02T03:04:05Z", "someone").to_text();
        assert_eq!(PinV1::parse(&text).unwrap().ruler(), ruler);
    }

    #[test]
    fn another_schema_is_refused() {
        let text = PinV1::new(&Ruler::default(), "", "").to_text().replace("trust/1", "trust/2");
        assert_eq!(PinV1::parse(&text).unwrap_err(), "its schema is kenshu/trust/2, not kenshu/trust/1");
    }
}
