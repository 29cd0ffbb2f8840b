//! Which keys `kenshu.toml` has, and what to say of one that it does not have.

use kenshu_model::Message;
use kenshu_model::words::config as words;
use toml::de::DeValue;

/// Every key, by section. `*` stands for keys of the human's own choosing.
const KEYS: &[(&str, &[&str])] = &[
    ("", &["test", "verify", "start", "spec", "gate", "audit"]),
    ("test", &["command", "shell", "timeout", "cwd", "env", "inject", "require_count"]),
    ("test.env", &["*"]),
    ("verify", &["name", "command", "shell", "timeout", "cwd", "env"]),
    ("verify.env", &["*"]),
    (
        "start",
        &[
            "command",
            "shell",
            "build",
            "build_timeout",
            "env",
            "port_env",
            "ready_within",
            "shutdown_within",
            "restore",
        ],
    ),
    ("start.env", &["*"]),
    ("spec", &["files", "base", "skip", "writes", "login"]),
    ("spec.login", &["path", "payload", "token"]),
    ("spec.login.payload", &["*"]),
    ("gate", &["stages", "max_pushbacks", "unsettled", "reading"]),
    ("audit", &["runners"]),
    ("audit.runners", &["match", "runs"]),
];

/// The first key that its section does not have: where it stands, and what to say.
pub(super) fn unknown(section: &str, value: &DeValue<'_>) -> Option<(usize, Message)> {
    match value {
        DeValue::Array(values) => values.iter().find_map(|value| unknown(section, value.get_ref())),
        DeValue::Table(table) => {
            let (_, keys) = KEYS.iter().find(|(name, _)| *name == section)?;
            if keys.contains(&"*") {
                return None;
            }
            table.iter().find_map(|(name, value)| {
                let key = name.get_ref();
                let path = if section.is_empty() { key.to_string() } else { format!("{section}.{key}") };
                if keys.contains(&key.as_ref()) {
                    unknown(&path, value.get_ref())
                } else {
                    let nearest = nearest(key, keys.iter().copied());
                    let (path, nearest) = (format!("{path:?}"), format!("{nearest:?}"));
                    Some((name.span().start, Message::new(&words::UNKNOWN_KEY, [&path, &nearest])))
                }
            })
        }
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => None,
    }
}

/// The word with the fewest changes from `word`.
pub(super) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known.min_by_key(|candidate| distance(word, candidate)).unwrap_or("")
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
