//! Go: `go test ./...` for every module; a `go.work` lists them.

use super::ecosystem::{Ecosystem, reaches_none, suite};
use super::folder::Folder;
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem =
    Ecosystem { id: "go", looked_for: "go.mod", look, sweeps: reaches_none };

// `./...` ends at every further go.mod, in a workspace as well: each module is asked in its own folder.
fn look(folder: &Folder<'_>) -> Vec<Suite> {
    if !folder.has("go.mod") {
        return Vec::new();
    }
    let is_tested = folder.files(6, &["go.mod"]).iter().any(|file| file.ends_with("_test.go"));
    let basis = if is_tested { Basis::Tests } else { Basis::Convention };
    vec![suite(folder, &["go", "test", "./..."], "go.mod".to_owned(), basis)]
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn every_module_is_a_suite() {
        let run = "go test ./...";
        check(&[("go.mod", ""), ("a_test.go", "")], &[(".", run, Some("go-test"))]);
        check(
            &[("go.work", "use (\n./a\n./b\n)"), ("a/go.mod", ""), ("b/go.mod", "")],
            &[("a", run, Some("go-test")), ("b", run, Some("go-test"))],
        );
    }
}
