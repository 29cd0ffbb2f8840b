//! Variables by which coding agents mark the commands they run.

use std::ffi::OsStr;

/// A variable that an agent sets for its commands.
#[derive(Clone, Copy, Debug)]
pub struct AgentVariable {
    /// Its name.
    pub name: &'static str,
    /// The agent, by its name in `kenshu install` where it has one.
    pub agent: &'static str,
    /// The only value that tells; `None`: any that is not empty.
    value: Option<&'static str>,
}

impl AgentVariable {
    /// Whether the value is one that tells.
    pub(super) fn matches(&self, value: &OsStr) -> bool {
        self.value.is_none_or(|wanted| value == wanted)
    }
}

const fn set(name: &'static str, agent: &'static str) -> AgentVariable {
    AgentVariable { name, agent, value: None }
}

/// Variables that agents set. What a user sets for an agent (`CODEX_HOME`, `CLAUDE_CONFIG_DIR`, `GEMINI_CLI_HOME`, keys,
/// limits such as `CLAUDE_CODE_STOP_HOOK_BLOCK_CAP`) tells nothing, and neither does an editor's terminal
/// (`TERM_PROGRAM`, `VSCODE_PID`), in which people type.
pub static AGENT_VARIABLES: &[AgentVariable] = &[
    set("CLAUDECODE", "claude-code"),
    set("CLAUDE_CODE_CHILD_SESSION", "claude-code"),
    set("CLAUDE_CODE_ENTRYPOINT", "claude-code"),
    set("CLAUDE_CODE_REMOTE", "claude-code"),
    set("CODEX_SANDBOX", "codex"),
    set("CODEX_SANDBOX_NETWORK_DISABLED", "codex"),
    set("CODEX_THREAD_ID", "codex"),
    set("CODEX_CI", "codex"),
    set("CURSOR_AGENT", "cursor"),
    set("GEMINI_CLI", "gemini"),
    set("GEMINI_SESSION_ID", "gemini"),
    set("QWEN_CODE", "qwen"),
    set("OPENCODE", "opencode"),
    set("OPENCODE_CALLER", "opencode"),
    set("OPENHANDS_SESSION_ID", "openhands"),
    AgentVariable { name: "AGENT", agent: "amp", value: Some("amp") },
    AgentVariable { name: "AGENT", agent: "goose", value: Some("goose") },
    set("GOOSE_TERMINAL", "goose"),
    set("COPILOT_CLI", "copilot"),
    set("COPILOT_AGENT_SESSION_ID", "copilot"),
    set("FACTORY_PROJECT_DIR", "factory"),
    set("CLINE_ACTIVE", "cline"),
    set("AUGMENT_AGENT", "augment"),
    set("TRAE_AI_SHELL_ID", "trae"),
    set("AI_AGENT", "unnamed"),
];
