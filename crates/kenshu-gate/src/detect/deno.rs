//! Deno: the `test` task, else `deno test` where test files are there.

use super::ecosystem::{Ecosystem, suite};
use super::folder::Folder;
use super::tasks::{Tool, find};
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem =
    Ecosystem { id: "deno", looked_for: "a deno.json `test` task, Deno tests", look, sweeps };

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let Some(config) = folder.first_of(&["deno.json", "deno.jsonc"]) else { return Vec::new() };
    if find(folder, Tool::Deno, "test").is_some() {
        let source = format!("{config} tasks.test");
        return vec![suite(folder, &["deno", "task", "test"], source, Basis::Declared)];
    }
    let is_tested = folder.files(4, &[]).iter().any(|file| {
        let name = file.rsplit('/').next().unwrap_or(file);
        name.rsplit_once('.').is_some_and(|(stem, ending)| {
            matches!(ending, "ts" | "tsx" | "js" | "jsx" | "mts" | "mjs")
                && (stem == "test" || stem.ends_with("_test") || stem.ends_with(".test"))
        })
    });
    if !is_tested {
        return Vec::new();
    }
    vec![suite(folder, &["deno", "test"], config.to_owned(), Basis::Tests)]
}

fn sweeps(_outer: &Folder<'_>, inner: &Folder<'_>) -> bool {
    find(inner, Tool::Deno, "test").is_none()
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn the_task_comes_before_the_files() {
        check(
            &[("deno.json", r#"{"tasks":{"test":"deno test -A"}}"#)],
            &[(".", "deno task test", Some("deno-test"))],
        );
        check(&[("deno.jsonc", "{}"), ("a_test.ts", "")], &[(".", "deno test", Some("deno-test"))]);
        check(&[("deno.json", "{}"), ("main.ts", "")], &[]);
    }
}
