//! Pages generated from the code: `docs/generated/`.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use kenshu_model::{Lang, REASONS};
use kenshu_readers::Samples;
use kenshu_readers::readers::READERS;

const COMMANDS: [&str; 10] =
    ["count", "check", "run", "attach", "init", "trust", "ledger", "explain", "doctor", "completions"];

/// Writes every page.
pub(crate) fn write(root: &Path) -> anyhow::Result<()> {
    for (name, text) in pages(root)? {
        let path = root.join("docs/generated").join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(root))?;
        std::fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    }
    Ok(())
}

/// Fails if a page is not what would be written.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    for (name, text) in pages(root)? {
        let path = root.join("docs/generated").join(name);
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        if there != text {
            bail!("{} is out of date; write it: cargo xtask docs", path.display());
        }
    }
    Ok(())
}

fn pages(root: &Path) -> anyhow::Result<Vec<(&'static str, String)>> {
    Ok(vec![("readers.md", readers()), ("reasons.md", reasons()), ("cli.md", cli(root)?)])
}

fn readers() -> String {
    let mut text = String::from("# Readers\n\nGenerated from the readers by `cargo xtask docs`.\n");
    for reader in READERS {
        let samples = match reader.samples {
            Samples::Recorded => "recorded from the real runner",
            Samples::Documented => "written from documentation; not tried on real output",
        };
        let commands: Vec<String> =
            reader.commands.iter().map(|words| format!("`{}`", words.join(" "))).collect();
        let _ = write!(
            text,
            "\n## {}\n\n{}\n\n| | |\n| --- | --- |\n| versions | {} |\n| formats | {} |\n| commands | {} |\n| no tests | {} |\n| samples | {} |\n",
            reader.id,
            reader.name,
            cell(reader.versions),
            cell(reader.formats),
            cell(&commands.join(", ")),
            cell(reader.zero),
            samples
        );
    }
    text
}

fn reasons() -> String {
    let mut text = String::from(
        "# Reason words\n\nGenerated from the reason table by `cargo xtask docs`.\n\n| word | given by | outcome | exit | meaning |\n| --- | --- | --- | --- | --- |\n",
    );
    for entry in REASONS {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} |",
            entry.word, entry.commands, entry.outcome, entry.exit, entry.meaning[0]
        );
    }
    text.push_str("\n## Messages\n\n| word |");
    for lang in Lang::ALL {
        let _ = write!(text, " {} |", lang.tag());
    }
    text.push_str("\n| --- | --- | --- | --- | --- | --- |\n");
    for entry in REASONS {
        let _ = writeln!(text, "| `{}` | {} |", entry.word, entry.messages.join(" | "));
    }
    text
}

/// The help texts of the binary itself.
fn cli(root: &Path) -> anyhow::Result<String> {
    let mut text =
        String::from("# Command line\n\nGenerated from the binary's own help by `cargo xtask docs`.\n");
    for command in std::iter::once(None).chain(COMMANDS.map(Some)) {
        let arguments: Vec<&str> = command.into_iter().chain(["--help"]).collect();
        let output = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--package", "kenshu", "--"])
            .args(&arguments)
            .env("COLUMNS", "100")
            .current_dir(root)
            .output()
            .context("run kenshu")?;
        let name = command.map_or("kenshu".to_owned(), |command| format!("kenshu {command}"));
        let help = String::from_utf8(output.stdout)?;
        let _ = write!(text, "\n## `{name}`\n\n```text\n{}\n```\n", help.trim_end());
    }
    Ok(text)
}

fn cell(text: &str) -> String {
    if text.is_empty() { "—".to_owned() } else { text.replace('|', "\\|") }
}
