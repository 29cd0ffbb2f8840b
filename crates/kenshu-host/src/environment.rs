//! The environment: what a child gets of it, and what it says to us.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use kenshu_model::Lang;

/// A snapshot of environment variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

/// When to colour, as `--color` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// Where the stream is a terminal and nothing forbids it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Environment {
    /// The variables of this process as they are now.
    pub fn of_this_process() -> Environment {
        Environment { variables: std::env::vars_os().collect() }
    }

    /// The value of a variable; an empty one counts as not set.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// The value as text; `None` also where it is not UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.to_str()
    }

    /// What a child gets.
    pub fn for_child(&self) -> Environment {
        todo!()
    }

    /// The language of messages: `flag` (`--lang`), else `KENSHU_LANG`, `LC_ALL`, `LC_MESSAGES`, `LANG`, else English.
    pub fn lang(&self, flag: Option<Lang>) -> Lang {
        let _ = flag;
        todo!()
    }

    /// Whether to colour a stream.
    pub fn color(&self, choice: ColorChoice, is_terminal: bool) -> bool {
        let _ = (choice, is_terminal);
        todo!()
    }

    /// The width that `COLUMNS` gives.
    pub fn columns(&self) -> Option<u16> {
        todo!()
    }

    /// The folder of Kenshu's own data: `KENSHU_HOME`, else the platform's data folder.
    pub fn kenshu_home(&self) -> Option<PathBuf> {
        todo!()
    }

    /// The agent whose variables are set, by the name of `kenshu install`, and the variable that tells.
    pub fn agent(&self) -> Option<(&'static str, String)> {
        todo!()
    }
}
