//! Makefiles as far as a test target needs them: targets, what they need, their recipes, plain variables.

use std::collections::BTreeMap;

/// A target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Target {
    /// What has to be made before.
    pub(crate) needs: Vec<String>,
    /// The lines of its recipe, as written, continued lines joined.
    pub(crate) recipe: Vec<String>,
}

/// A makefile taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Makefile {
    variables: BTreeMap<String, String>,
    targets: BTreeMap<String, Target>,
    first: Option<String>,
}

impl Makefile {
    /// The names under which make finds its file, in its order.
    pub(crate) const NAMES: &'static [&'static str] = &["GNUmakefile", "makefile", "Makefile"];

    /// Reads a makefile. Conditionals are read as if all their branches stood there.
    pub(crate) fn parse(text: &str) -> Makefile {
        let mut makefile = Makefile::default();
        let mut open: Vec<String> = Vec::new();
        for line in joined(text) {
            if let Some(recipe) = line.strip_prefix('\t') {
                for name in &open {
                    makefile.targets.entry(name.clone()).or_default().recipe.push(recipe.trim().to_owned());
                }
                continue;
            }
            let bare = line.split('#').next().unwrap_or_default().trim();
            if bare.is_empty() {
                continue;
            }
            if let Some((name, value)) = assignment(bare) {
                makefile.variables.insert(name.to_owned(), value.to_owned());
                open.clear();
                continue;
            }
            // A conditional inside a recipe leaves the rule open.
            if ["ifeq", "ifneq", "ifdef", "ifndef", "else", "endif"].iter().any(|word| bare.starts_with(word))
            {
                continue;
            }
            open.clear();
            if let Some((names, needs)) = bare.split_once(':') {
                let (needs, inline) = needs.split_once(';').unwrap_or((needs, ""));
                open = names.split_whitespace().map(str::to_owned).collect();
                for name in &open {
                    if !name.starts_with('.') && !name.contains('%') {
                        makefile.first.get_or_insert_with(|| name.clone());
                    }
                    let target = makefile.targets.entry(name.clone()).or_default();
                    target.needs.extend(
                        needs
                            .trim_start_matches(':')
                            .split_whitespace()
                            .filter(|need| *need != "|")
                            .map(str::to_owned),
                    );
                    if !inline.trim().is_empty() {
                        target.recipe.push(inline.trim().to_owned());
                    }
                }
            }
        }
        makefile.targets.remove(".PHONY");
        makefile
    }

    /// The target of this name.
    pub(crate) fn target(&self, name: &str) -> Option<&Target> {
        self.targets.get(name)
    }

    /// The target that plain `make` makes.
    pub(crate) fn first(&self) -> Option<&str> {
        self.variables.get(".DEFAULT_GOAL").or(self.first.as_ref()).map(String::as_str)
    }

    /// Puts the values of plain variables in; what isn't known stays as it is.
    pub(crate) fn expand(&self, text: &str) -> String {
        let mut text = text.to_owned();
        // Variables name variables; a loop among them ends by the count.
        for _ in 0..5 {
            let before = text.clone();
            text = text.replace("$(MAKE)", "make").replace("${MAKE}", "make").replace("$(CURDIR)", ".");
            for (name, value) in &self.variables {
                text = text.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value);
            }
            if text == before || text.len() > 10_000 {
                break;
            }
        }
        // `$$` is make's way to write the shell's `$`.
        text.replace("$$", "$")
    }
}

/// Lines with `\` at their end joined to the next.
fn joined(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut continued = false;
    for line in text.lines() {
        let (line, goes_on) = match line.trim_end().strip_suffix('\\') {
            Some(line) => (line.to_owned(), true),
            None => (line.trim_end().to_owned(), false),
        };
        match lines.last_mut().filter(|_| continued) {
            Some(last) => {
                last.push(' ');
                last.push_str(line.trim());
            }
            None => lines.push(line),
        }
        continued = goes_on;
    }
    lines
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("export ").or_else(|| line.strip_prefix("override ")).unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']).trim();
    let plain = |symbol: char| symbol.is_ascii_alphanumeric() || matches!(symbol, '_' | '.' | '-');
    (!name.is_empty() && name.chars().all(plain)).then_some((name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_needs_and_recipes_are_read() {
        let makefile = Makefile::parse(
            "PY ?= python3\n.PHONY: test\nall: build\n\ntest unit: build lint # all\n\t@$(PY) -m pytest \\\n\t  -q\n\t-rm x\nlint: ; ruff .\n",
        );
        let target = makefile.target("unit").unwrap();
        assert_eq!(target.needs, ["build", "lint"]);
        assert_eq!(makefile.expand(&target.recipe[0]), "@python3 -m pytest  -q");
        assert_eq!(target.recipe[1], "-rm x");
        assert_eq!(makefile.target("lint").unwrap().recipe, ["ruff ."]);
        assert_eq!(makefile.first(), Some("all"));
        assert!(makefile.target(".PHONY").is_none());
    }

    #[test]
    fn variables_that_name_each_other_end() {
        let makefile = Makefile::parse("A = $(B)\nB = $(A)\n");
        assert!(!makefile.expand("$(A)").is_empty());
        assert_eq!(makefile.expand("echo $$?"), "echo $?");
    }
}
