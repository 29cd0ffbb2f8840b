//! The environment: what a child gets of it, and what it says to us.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use kenshu_model::Lang;

mod agents;
mod runners;

pub use agents::{AGENT_VARIABLES, AgentVariable};
pub use runners::{RUNNER_VARIABLES, RunnerVariable};

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

    /// Every variable with its value, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// Sets a variable in this snapshot.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.variables.insert(name.into(), value.into());
    }

    /// What a child gets: the user's own environment without what a test runner leaves for its children
    /// ([`RUNNER_VARIABLES`]), so that a command behaves the same when Kenshu is called from within a test.
    pub fn for_child(&self) -> Environment {
        let is_set = |name: &str| self.variables.contains_key(OsStr::new(name));
        let kept = self.iter().filter(|(name, _)| {
            !name.to_str().is_some_and(|name| RUNNER_VARIABLES.iter().any(|row| row.removes(name, &is_set)))
        });
        kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// The language of messages: `flag` (`--lang`), else the first of `KENSHU_LANG`, `LC_ALL`, `LC_MESSAGES`, `LANG`
    /// that is set, else English. A language we do not speak is English.
    ///
    /// POSIX gives `LC_ALL` before the category before `LANG`. `KENSHU_LANG` with a word we do not know is passed over.
    pub fn lang(&self, flag: Option<Lang>) -> Lang {
        let own = self.text("KENSHU_LANG").and_then(Lang::parse);
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| self.text(name));
        flag.or(own).or_else(|| locale.and_then(Lang::parse)).unwrap_or(Lang::En)
    }

    /// Whether to colour a stream: the choice, else `NO_COLOR` (no-color.org: set and not empty), else
    /// `CLICOLOR_FORCE` (bixense.com/clicolors: set and not 0), else whether it is a terminal that can.
    pub fn color(&self, choice: ColorChoice, is_terminal: bool) -> bool {
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let forced = self.get("CLICOLOR_FORCE").is_some_and(|value| value != "0");
                let dumb = self.text("TERM") == Some("dumb");
                self.get("NO_COLOR").is_none() && (forced || (is_terminal && !dumb))
            }
        }
    }

    /// The width that `COLUMNS` gives.
    pub fn columns(&self) -> Option<u16> {
        self.text("COLUMNS")?.parse().ok().filter(|columns| *columns > 0)
    }

    /// The user's home folder.
    pub fn home(&self) -> Option<PathBuf> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.get(name).map(PathBuf::from)
    }

    /// The folder of Kenshu's own data: `KENSHU_HOME`, else `kenshu` in the platform's data folder
    /// (`XDG_DATA_HOME` if absolute, as its specification demands, else `~/.local/share`; `~/Library/Application Support`
    /// on macOS; `LOCALAPPDATA` on Windows). `None`: nothing says where.
    pub fn kenshu_home(&self) -> Option<PathBuf> {
        if let Some(own) = self.get("KENSHU_HOME") {
            return Some(PathBuf::from(own));
        }
        let data = if cfg!(windows) {
            self.get("LOCALAPPDATA").map(PathBuf::from)
        } else if cfg!(target_os = "macos") {
            self.home().map(|home| home.join("Library").join("Application Support"))
        } else {
            let xdg = self.get("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
            xdg.or_else(|| self.home().map(|home| home.join(".local").join("share")))
        };
        data.map(|folder| folder.join("kenshu"))
    }

    /// The agent whose variables are set, by its name in `kenshu install` where it has one, and the variable that tells.
    pub fn agent(&self) -> Option<(&'static str, &'static str)> {
        let found =
            AGENT_VARIABLES.iter().find(|row| self.get(row.name).is_some_and(|value| row.matches(value)));
        found.map(|row| (row.agent, row.name))
    }
}

impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<T: IntoIterator<Item = (OsString, OsString)>>(variables: T) -> Environment {
        Environment { variables: variables.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        pairs.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect()
    }

    fn kept(pairs: &[(&str, &str)]) -> Vec<String> {
        environment(pairs).for_child().iter().map(|(name, _)| name.to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn what_runners_leave_is_removed() {
        let left = [
            ("NODE_TEST_CONTEXT", "child-v8"),
            ("VITEST", "true"),
            ("VITEST_WORKER_ID", "1"),
            ("JEST_WORKER_ID", "1"),
            ("PYTEST_CURRENT_TEST", "a.py::b (call)"),
            ("PYTEST_XDIST_WORKER", "gw0"),
            ("NEXTEST", "1"),
            ("NEXTEST_RUN_ID", "x"),
            ("NEXTEST_PROFILE", "ci"),
            ("CARGO_PKG_NAME", "a"),
            ("CARGO_MANIFEST_DIR", "/a"),
            ("HARNESS_ACTIVE", "1"),
            ("BATS_TEST_FILENAME", "a.bats"),
            ("TEST_WORKER_INDEX", "0"),
        ];
        assert_eq!(kept(&left), Vec::<String>::new());
    }

    #[test]
    fn what_the_user_set_stays() {
        let own = [
            ("CARGO_HOME", "/c"),
            ("CARGO_TARGET_DIR", "/t"),
            ("GTEST_TOTAL_SHARDS", "2"),
            ("JEST_JUNIT_OUTPUT_DIR", "o"),
            ("NEXTEST_PROFILE", "ci"),
            ("NODE_OPTIONS", "--max-old-space-size=4096"),
            ("PYTEST_ADDOPTS", "-q"),
            ("PYTEST_XDIST_AUTO_NUM_WORKERS", "2"),
            ("TEST_TMPDIR", "/tmp"),
            ("VITEST_INTEGRATION", "1"),
            ("VITEST_MAX_FORKS", "2"),
        ];
        assert_eq!(kept(&own), own.map(|(name, _)| name.to_owned()));
    }

    #[test]
    fn the_first_locale_that_is_set_decides() {
        assert_eq!(environment(&[]).lang(None), Lang::En);
        assert_eq!(environment(&[("LANG", "ja_JP.UTF-8")]).lang(None), Lang::Ja);
        assert_eq!(environment(&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")]).lang(None), Lang::En);
        assert_eq!(environment(&[("LANG", "ko_KR"), ("LC_ALL", "")]).lang(None), Lang::Ko);
        assert_eq!(environment(&[("LC_MESSAGES", "de_DE"), ("LANG", "ko_KR")]).lang(None), Lang::En);
        assert_eq!(environment(&[("KENSHU_LANG", "zh-TW"), ("LC_ALL", "ja_JP")]).lang(None), Lang::ZhTw);
        assert_eq!(environment(&[("KENSHU_LANG", "ko")]).lang(Some(Lang::Ja)), Lang::Ja);
    }

    #[test]
    fn colour_follows_the_choice_then_the_conventions() {
        let none = environment(&[]);
        assert!(none.color(ColorChoice::Auto, true) && !none.color(ColorChoice::Auto, false));
        let no = environment(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]);
        assert!(!no.color(ColorChoice::Auto, true) && no.color(ColorChoice::Always, false));
        assert!(environment(&[("CLICOLOR_FORCE", "1")]).color(ColorChoice::Auto, false));
        assert!(!environment(&[("CLICOLOR_FORCE", "0")]).color(ColorChoice::Auto, false));
        assert!(environment(&[("NO_COLOR", "")]).color(ColorChoice::Auto, true));
        assert!(!environment(&[("TERM", "dumb")]).color(ColorChoice::Auto, true));
    }

    #[test]
    fn own_data_lies_where_the_user_says() {
        let own = environment(&[("KENSHU_HOME", "/k"), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")]);
        assert_eq!(own.kenshu_home(), Some(PathBuf::from("/k")));
        assert_eq!(environment(&[]).kenshu_home(), None);
        if cfg!(target_os = "linux") {
            let relative = environment(&[("XDG_DATA_HOME", "x"), ("HOME", "/h")]);
            assert_eq!(relative.kenshu_home(), Some(PathBuf::from("/h/.local/share/kenshu")));
        }
    }

    #[test]
    fn agents_are_told_by_what_they_set_not_by_what_users_set_for_them() {
        assert_eq!(environment(&[("CODEX_HOME", "/c"), ("CLAUDE_CONFIG_DIR", "/d")]).agent(), None);
        assert_eq!(environment(&[("CLAUDECODE", "1")]).agent(), Some(("claude-code", "CLAUDECODE")));
        assert_eq!(environment(&[("CODEX_THREAD_ID", "t")]).agent(), Some(("codex", "CODEX_THREAD_ID")));
        assert_eq!(environment(&[("CLAUDECODE", "")]).agent(), None);
    }

    #[test]
    fn columns_are_a_positive_number() {
        assert_eq!(environment(&[("COLUMNS", "120")]).columns(), Some(120));
        assert_eq!(environment(&[("COLUMNS", "0")]).columns(), None);
        assert_eq!(environment(&[("COLUMNS", "wide")]).columns(), None);
    }
}
