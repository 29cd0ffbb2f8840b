//! Development tasks: `cargo xtask docs [--check]`, `cargo xtask bench`. Nothing depends on this crate.

#![expect(clippy::disallowed_methods, reason = "development tasks read and write the repository")]
#![expect(clippy::print_stdout, reason = "development tasks talk to the developer")]

mod bench;
mod docs;

use std::path::{Path, PathBuf};

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["docs"] => docs::write(&root()),
        ["docs", "--check"] => docs::check(&root()),
        ["bench"] => bench::run(&root()),
        _ => anyhow::bail!("write cargo xtask docs, cargo xtask docs --check, or cargo xtask bench"),
    }
}

/// The repository's top level.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}
