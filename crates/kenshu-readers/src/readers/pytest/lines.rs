//! Single lines of pytest's: its header, how many tests it collected, why it refused to begin, its command echoed.

use crate::text::Line;

use super::summary;

/// Why pytest did not begin.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refusal<'a> {
    /// `ImportError while loading conftest`.
    Conftest(Line<'a>),
    /// Unknown options, a path that is not there.
    Usage(Line<'a>),
    /// `No module named pytest`.
    NotInstalled(Line<'a>),
}

/// `=== test session starts ===`, and pytest-sugar's.
pub(super) fn is_header(text: &str) -> bool {
    summary::framed(text, '=') == Some("test session starts")
        || text.starts_with("Test session starts (platform: ")
}

/// `collected 6 items / 2 deselected / 4 selected`, `4 workers [6 items]`: how many are to be run.
pub(super) fn collected(text: &str) -> Option<u64> {
    let number = |text: &str| text.trim().parse().ok();
    if let Some(rest) = text.split_once("collected ").map(|(_, rest)| rest) {
        let mut parts = rest.split(" / ");
        let all = parts.next()?.split_once(' ')?.0;
        let selected = parts.find_map(|part| part.trim().strip_suffix(" selected"));
        return number(selected.unwrap_or(all));
    }
    number(text.rsplit_once('[')?.1.split_once(' ')?.0)
}

/// A line with which pytest refuses to begin.
pub(super) fn refusal(line: Line<'_>, named: bool) -> Option<Refusal<'_>> {
    let text = line.text;
    if text.starts_with("ImportError while loading conftest ") || text.starts_with("ConftestImportFailure: ")
    {
        return Some(Refusal::Conftest(line));
    }
    let usage = text.starts_with("ERROR: file or directory not found: ")
        || text.starts_with("ERROR: not found: ")
        || (text.contains("usage: ") && text.contains("[options] [file_or_dir]"))
        || (named
            && (text.starts_with("pytest: error: ")
                || text.starts_with("ERROR: ") && is_configuration(text)));
    if usage {
        return Some(Refusal::Usage(line));
    }
    let missing = text.ends_with(": No module named pytest") || text.ends_with(": No module named 'pytest'");
    (missing && text.contains("python")).then_some(Refusal::NotInstalled(line))
}

/// `ERROR: Unknown config option: x`, `ERROR: /p/pytest.ini:1: unexpected line`, `ERROR: Missing required plugins: x`.
fn is_configuration(text: &str) -> bool {
    [
        "Unknown config option",
        "Missing required plugins",
        "pytest.ini:",
        "setup.cfg:",
        "tox.ini:",
        "pyproject.toml",
    ]
    .iter()
    .any(|part| text.contains(part))
}

/// A command that make, npm, CI or `set -x` prints before it runs it.
pub(super) fn echoes_command(text: &str) -> bool {
    let text = text.trim_start_matches(['+', '$', '>', ' ']);
    let command = crate::command::CommandLine::parse(text);
    matches!(command.invocations.first(), Some(first) if super::READER.is_run_by(first))
}
