//! Commands that are known to run no test, and those that take lines away from what they are piped.

use crate::command::Invocation;

/// Programs that never run a test: shell words, linters, formatters, type checkers, compilers.
const NEVER: &[&str] = &[
    "true",
    ":",
    "false",
    "echo",
    "printf",
    "exit",
    "sleep",
    "ls",
    "cat",
    "bat",
    "head",
    "tail",
    "less",
    "more",
    "tac",
    "pwd",
    "test",
    "[",
    "which",
    "tsc",
    "vue-tsc",
    "eslint",
    "oxlint",
    "tslint",
    "stylelint",
    "prettier",
    "standard",
    "xo",
    "dprint",
    "ruff",
    "mypy",
    "pyright",
    "basedpyright",
    "black",
    "isort",
    "flake8",
    "pylint",
    "pyflakes",
    "bandit",
    "rubocop",
    "standardrb",
    "phpstan",
    "psalm",
    "phpcs",
    "php-cs-fixer",
    "pint",
    "golangci-lint",
    "gofmt",
    "goimports",
    "staticcheck",
    "rustfmt",
    "shellcheck",
    "shfmt",
    "yamllint",
    "markdownlint",
    "hadolint",
    "actionlint",
    "swiftlint",
    "swiftformat",
    "ktlint",
    "detekt",
    "clang-format",
    "clang-tidy",
    "gcc",
    "g++",
    "cc",
    "clang",
    "clang++",
    "javac",
    "rustc",
    "sqlfluff",
];

/// Program and words that must follow in this order.
const NEVER_WITH: &[&[&str]] = &[
    &["node", "--check"],
    &["node", "-c"],
    &["php", "-l"],
    &["ruby", "-c"],
    &["perl", "-c"],
    &["bash", "-n"],
    &["sh", "-n"],
    &["python", "-m", "compileall"],
    &["python", "-m", "py_compile"],
    &["python", "-m", "mypy"],
    &["python", "-m", "black"],
    &["python", "-m", "flake8"],
    &["python", "-m", "pylint"],
    &["python", "-m", "ruff"],
    &["cargo", "build"],
    &["cargo", "check"],
    &["cargo", "clippy"],
    &["cargo", "fmt"],
    &["cargo", "doc"],
    &["go", "build"],
    &["go", "vet"],
    &["go", "fmt"],
    &["dotnet", "build"],
    &["dotnet", "restore"],
    &["dotnet", "format"],
    &["biome", "check"],
    &["biome", "lint"],
    &["biome", "format"],
    &["deno", "check"],
    &["deno", "lint"],
    &["deno", "fmt"],
    &["npm", "install"],
    &["npm", "ci"],
    &["git"],
];

/// Whether this command is known to run no test.
pub fn runs_no_test(invocation: &Invocation) -> bool {
    NEVER.contains(&invocation.program.as_str()) || NEVER_WITH.iter().any(|words| invocation.matches(words))
}

/// Whether this command prints what its own arguments say, and nothing of any run.
pub fn only_prints(invocation: &Invocation) -> bool {
    const PRINTERS: &[&str] = &["echo", "printf", "true", "false", ":", "exit", "sleep", "test", "["];
    PRINTERS.contains(&invocation.program.as_str())
}

/// Whether this command shows files, or what it is piped, and nothing of a run of its own.
pub fn shows_files(invocation: &Invocation) -> bool {
    const SHOWERS: &[&str] = &["cat", "bat", "head", "tail", "less", "more", "tac"];
    SHOWERS.contains(&invocation.program.as_str())
}

/// Whether this command prints less than it is given.
pub fn takes_lines_away(invocation: &Invocation) -> bool {
    const FILTERS: &[&str] = &[
        "head",
        "tail",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "ag",
        "awk",
        "gawk",
        "sed",
        "cut",
        "uniq",
        "Select-String",
        "findstr",
        "less",
        "more",
        "wc",
    ];
    // sed and awk without -n mostly pass every line on; only printing by choice takes lines away.
    match invocation.program.as_str() {
        "sed" => invocation.has_option(&["-n", "--quiet", "--silent"]),
        program => FILTERS.contains(&program),
    }
}
