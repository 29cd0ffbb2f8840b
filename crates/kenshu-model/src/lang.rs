//! The five languages Kenshu speaks.

/// A language of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// English.
    En,
    /// Japanese.
    Ja,
    /// Korean.
    Ko,
    /// Traditional Chinese.
    ZhTw,
    /// Simplified Chinese.
    ZhCn,
}

impl Lang {
    /// All languages, in the order of every message table.
    pub const ALL: [Lang; 5] = [Lang::En, Lang::Ja, Lang::Ko, Lang::ZhTw, Lang::ZhCn];

    /// The language's tag, as `--lang` takes it.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Ja => "ja",
            Lang::Ko => "ko",
            Lang::ZhTw => "zh-TW",
            Lang::ZhCn => "zh-CN",
        }
    }

    /// Reads a tag or a POSIX locale name (`ja`, `ja_JP.UTF-8`, `zh-Hant`, `zh_HK`); `None` for any other language.
    pub fn parse(name: &str) -> Option<Lang> {
        let name = name.split(['.', '@']).next().unwrap_or(name).to_ascii_lowercase().replace('_', "-");
        let mut parts = name.split('-');
        match parts.next()? {
            "en" | "c" | "posix" => Some(Lang::En),
            "ja" => Some(Lang::Ja),
            "ko" => Some(Lang::Ko),
            "zh" => Some(match parts.next() {
                Some("tw" | "hk" | "mo" | "hant") => Lang::ZhTw,
                Some(_) | None => Lang::ZhCn,
            }),
            _ => None,
        }
    }

    /// This language's entry of a message table ordered as [`Lang::ALL`].
    pub fn pick<'a>(self, table: &[&'a str; 5]) -> &'a str {
        let index = match self {
            Lang::En => 0,
            Lang::Ja => 1,
            Lang::Ko => 2,
            Lang::ZhTw => 3,
            Lang::ZhCn => 4,
        };
        table[index]
    }
}
