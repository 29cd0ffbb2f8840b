//! RSpec: the options in `.rspec`.

use super::Fact;
use super::config::{Family, File};
use super::line::arguments;
use super::options::table;
use super::settings::words;

pub(super) const FAMILY: Family = Family { runners: &["rspec"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    matches!(name, ".rspec" | ".rspec-local")
}

fn read(file: &File<'_>) -> Vec<Fact> {
    let text: String =
        file.text.lines().map(|line| line.split(" #").next().unwrap_or(line)).collect::<Vec<_>>().join("\n");
    table("rspec").map(|known| arguments(file.path, "rspec", known, &words(&text))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[test]
    fn each_option_narrows() {
        for option in [
            "--tag ~slow",
            "--tag fast",
            "--exclude-pattern 'spec/slow/**'",
            "--pattern 'spec/unit/**'",
            "--fail-fast",
            "--failure-exit-code 0",
            "--only-failures",
        ] {
            let after = format!("--require spec_helper\n{option}\n");
            let before = "--require spec_helper\n";
            narrows("rspec", &[(".rspec", before)], &[(".rspec", &after)]);
            widens("rspec", &[(".rspec", &after)], &[(".rspec", before)]);
        }
    }
}
