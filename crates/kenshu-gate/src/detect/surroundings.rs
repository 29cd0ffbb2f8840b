//! What stands beside the tests: further verifications, the start command, specs.

use super::ecosystem::suite;
use super::folder::Folder;
use super::tasks::{Tool, find};
use super::{Basis, Suite, npm};

/// Verifications that the project declares.
pub(super) fn verify(folder: &Folder<'_>) -> Vec<Suite> {
    let mut found = npm::verify(folder);
    let has = |name: &str| found.iter().any(|suite| suite.name == name);
    let tasks: Vec<(&str, &str)> =
        [("lint", "lint"), ("typecheck", "types")].into_iter().filter(|(_, name)| !has(name)).collect();
    for (task, name) in tasks {
        for (tool, front) in [
            (Tool::Just, &["just"][..]),
            (Tool::Task, &["task"]),
            (Tool::Mise, &["mise", "run"]),
            (Tool::Make, &["make"]),
            (Tool::Composer, &["composer"]),
        ] {
            if let Some(script) = find(folder, tool, task) {
                let mut argv = front.to_vec();
                argv.push(task);
                let file = script.file.rsplit('/').next().unwrap_or(&script.file).to_owned();
                let mut declared = suite(folder, &argv, format!("{file} {task}"), Basis::Declared);
                declared.name = name.to_owned();
                found.push(declared);
                break;
            }
        }
    }
    found
}

/// The start command: Procfile `web`, else the package's `start` script.
pub(super) fn start(folder: &Folder<'_>) -> Option<Suite> {
    procfile(folder).or_else(|| npm::start(folder))
}

fn procfile(folder: &Folder<'_>) -> Option<Suite> {
    let text = folder.read("Procfile")?;
    let command = text.lines().find_map(|line| line.trim().strip_prefix("web:"))?.trim();
    // The line is written for a shell: variables and lists need one.
    let needs_shell = command.contains(['$', '|', '&', ';', '>', '<', '*', '"', '\'', '`', '=']);
    let argv: Vec<String> = if needs_shell {
        ["sh", "-c", command].map(str::to_owned).to_vec()
    } else {
        command.split_whitespace().map(str::to_owned).collect()
    };
    (!argv.is_empty()).then(|| suite(folder, &argv, "Procfile web".to_owned(), Basis::Declared))
}

/// Whether a document's name says that it is a spec: `api`, `spec`, `api-spec`, `api_reference`, `api仕様`.
fn names_a_spec(stem: &str) -> bool {
    const KINDS: &[&str] =
        &["spec", "specification", "reference", "routes", "endpoints", "doc", "docs", "design"];
    // The word for "specification" in Japanese, Korean, and Chinese.
    const WORDS: &[&str] = &["仕様", "명세", "규격", "规范", "规格", "規格", "規範", "接口"];
    let mut words = stem.split(['-', '_', ' ', '.']);
    let first = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    match first {
        "api" => rest.is_empty() || rest.iter().all(|word| KINDS.contains(word)),
        "spec" | "specification" => rest.is_empty(),
        _ => WORDS.iter().any(|word| stem.contains(word)),
    }
}

/// Whether a document names at least one route: a method, and a path behind it in the same line. A page about a
/// library's API has none.
fn names_a_route(text: &str) -> bool {
    const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
    text.lines().any(|line| {
        line.split(|symbol: char| symbol.is_whitespace() || matches!(symbol, '|' | '`' | '*'))
            .skip_while(|word| !METHODS.contains(word))
            .any(|word| word.starts_with('/'))
    })
}

/// Documents that say what the thing has to do.
pub(super) fn specs(root: &Folder<'_>) -> Vec<String> {
    let routes = |path: &str| root.read(path).is_some_and(|text| names_a_route(&text));
    let is_spec = |path: &str| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let name = name.to_ascii_lowercase();
        let machine = name.strip_suffix(".yaml").or(name.strip_suffix(".yml")).or(name.strip_suffix(".json"));
        let usual = folder.is_empty()
            || matches!(
                folder.rsplit('/').next().unwrap_or(folder),
                "docs" | "doc" | "api" | "spec" | "openapi"
            );
        machine.is_some_and(|stem| matches!(stem, "openapi" | "swagger"))
            || (usual && name.strip_suffix(".md").is_some_and(names_a_spec) && routes(path))
    };
    let mut found: Vec<String> = root.files(3, &[]).into_iter().filter(|path| is_spec(path)).collect();
    found.sort_by_key(|path| (path.matches('/').count(), path.clone()));
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Detection, detect};

    fn found(files: &[(&str, &str)]) -> Detection {
        let tree: BTreeMap<String, String> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        detect(&tree)
    }

    #[test]
    fn declared_verifications_are_found() {
        let scripts = r#"{"scripts":{"lint":"eslint --fix .","lint:check":"eslint .","typecheck":"tsc --noEmit","build":"vite build"}}"#;
        let names: Vec<(String, String)> = found(&[("package.json", scripts), ("Makefile", "lint:\n\tx\n")])
            .verify
            .into_iter()
            .map(|suite| (suite.name, suite.argv.join(" ")))
            .collect();
        let expected =
            [("lint", "npm run lint:check"), ("types", "npm run typecheck"), ("build", "npm run build")];
        assert_eq!(names, expected.map(|(name, argv)| (name.to_owned(), argv.to_owned())));
    }

    #[test]
    fn the_start_command_and_its_order() {
        let package = ("package.json", r#"{"scripts":{"start":"node server.js"}}"#);
        let start =
            |files: &[(&str, &str)]| found(files).start.map(|suite| (suite.argv.join(" "), suite.source));
        let expected = |argv: &str, source: &str| Some((argv.to_owned(), source.to_owned()));
        assert_eq!(start(&[package]), expected("npm start", "package.json scripts.start"));
        assert_eq!(
            start(&[package, ("Procfile", "release: x\nweb: gunicorn app:app\n")]),
            expected("gunicorn app:app", "Procfile web")
        );
        assert_eq!(
            start(&[("Procfile", "web: run -p $PORT\n")]),
            expected("sh -c run -p $PORT", "Procfile web")
        );
        assert_eq!(start(&[]), None);
    }

    #[test]
    fn specs_are_found_outermost_first() {
        let files = [
            "docs/api.md",
            "openapi.yaml",
            "SPEC.md",
            "src/api.md",
            "web/openapi.json",
            "node_modules/openapi.json",
            "docs/api-keys.md",
            "docs/api仕様.md",
        ];
        let all = |text| files.iter().map(|path| (*path, text)).collect::<Vec<(&str, &str)>>();
        let documented = ["SPEC.md", "openapi.yaml", "docs/api.md", "docs/api仕様.md", "web/openapi.json"];
        for text in ["| GET | /api/tasks | 200 |", "### `POST /login`", "- **DELETE** `/tasks/:id`"] {
            assert_eq!(found(&all(text)).specs, documented, "{text}");
        }
        for text in ["", "# API\n\n.. autofunction:: get /x"] {
            assert_eq!(found(&all(text)).specs, ["openapi.yaml", "web/openapi.json"], "{text}");
        }
    }
}
