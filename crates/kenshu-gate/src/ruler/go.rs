//! Go: a `TestMain` that ends the run by a status of its own.

use super::config::{Family, File};
use super::{Fact, Kind};

pub(super) const FAMILY: Family = Family { runners: &["go-test", "gotestsum"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    name.ends_with("_test.go")
}

fn read(file: &File<'_>) -> Vec<Fact> {
    let Some((_, rest)) = file.text.split_once("func TestMain(") else { return Vec::new() };
    let body = rest.split("\n}").next().unwrap_or(rest);
    let code: String = body
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| line.chars().filter(|symbol| !symbol.is_whitespace()))
        .collect();
    let fact = |value: &str| Fact {
        file: file.path.to_owned(),
        key: "TestMain".to_owned(),
        value: value.to_owned(),
        kind: Kind::Narrows,
    };
    let mut facts = Vec::new();
    // `if testing.Short() { os.Exit(0) }` skips the file's tests as well.
    if code.contains("os.Exit(0)") {
        facts.push(fact("os.Exit(0)"));
    }
    // The `testing` package ends by the status of `m.Run` when TestMain returns; without the call nothing runs.
    if !code.contains(".Run()") {
        facts.push(fact("no m.Run"));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[test]
    fn a_main_that_hides_the_status_narrows() {
        let main = |body: &str| format!("package a\nfunc TestMain(m *testing.M) {{\n\t{body}\n}}\n");
        let honest = main("setup()\n\tos.Exit(m.Run()) // os.Exit(0)");
        narrows(
            "go test ./...",
            &[("a_test.go", &honest)],
            &[("a_test.go", &main("m.Run()\n\tos.Exit( 0 )"))],
        );
        narrows("go test ./...", &[("a_test.go", &honest)], &[("a_test.go", &main("return"))]);
        widens("go test ./...", &[("a_test.go", "package a")], &[("a_test.go", &honest)]);
    }
}
