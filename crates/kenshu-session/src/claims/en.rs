//! English: its patterns, the reasons against a claim, and examples of both.

use std::sync::LazyLock;

use regex::Regex;

use crate::claims::compile;
use crate::claims::language::{Lazy, Reject, Rule, Span};
use crate::claims::number::ENGLISH;

/// Nouns that mean tests, longest first.
const TEST: &str = r"(?:test suites?|testsuites?|test cases?|test files?|test runs?|(?:bats|spec|focused|focused test) files?|tests?|specs?|suites?|scenarios?|assertions?|checks|regressions?|cases?|pytest|jest|vitest|rspec|phpunit|ctest|[\x{e001}\x{e003}])";
/// What may stand between the subject and the verb. No negation, no future: those make no claim, and stand nowhere here.
const FILL: &str = r"(?:are|is|were|have|has|had|been|all|both|each|of (?:them|these|those|which)|now|still|also|again|currently|finally|successfully|cleanly|fully|completely|just|already|then|do|remain|stay|come back|came back|came out|ran and|run and|ran|run|reported?|continues? to|should|seems? to(?: be)?|appears? to(?: be)?|looks?|likely|probably|apparently|be|together|every time|locally|in total|total|overall|that ran|here)";
const PASS: &str =
    r"(?P<pass>passes|passed|passing|pass|succeeds|succeeded|succeed|successful|green|ok|clean)";
/// Other verifications that may share the verb: "tests and lint pass".
const OTHERS: &str = r"(?:the |a |production |full |static |pre-commit )*(?:lint(?:ing|er)?|builds?|type-?checks?|type checks?|type checking|typechecking|types|tsc|eslint|clippy|fmt|format(?:ting)?|prettier|compilation|compile|coverage|mypy|ruff|biome|checks?|docs|e2e(?: tests)?|smoke(?: tests)?|typescript)";

/// The shapes of a claim: name, words without which a sentence does not have it, pattern; `{…}` stand for the constants above.
const SHAPES: &[(&str, &[&str], &str)] = &[
    // "All 34 tests in parser.rs now pass": what stands left of the noun is read word by word.
    (
        "subject-verb",
        &[],
        r"(?P<test>{TEST})(?P<maker> (?:that |which )?(?:i|we)(?:'ve| have)? (?:just |also |newly )?(?:added|wrote|written|created))?(?P<pp> (?:in|for|of|under|from|on|across|within|covering|against) [^,;:()]{1,60}?)??(?: \((?:(?P<inner>[0-9][0-9,]*) tests?|[^()]{1,60})\))?(?P<fill>(?:,? {FILL}){0,5}) {PASS}\b",
    ),
    (
        "with-others",
        &[",", " and", "&", "+", "/", " plus"],
        r"(?P<test>{TEST})(?:(?:,| and| &| \+|/| plus|, and) ?{OTHERS}){1,4}(?P<fill>(?: {FILL}){0,4}) {PASS}\b",
    ),
    (
        "label",
        &[":", "|", "=", "—", "-"],
        r"(?P<test>{TEST})(?: results?| status)?\s?(?:\(all\) )?[:|=—-]+\s?(?:✅ ?)?(?P<fill>(?:{FILL} ){0,3})(?P<pass>passed|passing|pass|green|ok|✅)",
    ),
    (
        "brackets",
        &["(", ",", ":", "|"],
        r"\b(?P<test>{TEST})\s?(?:\(|,|:|\|)\s?(?:✅ ?)?(?P<fill>(?:all|everything) (?:{FILL} ){0,2}){PASS}\b",
    ),
    (
        "they",
        &["they", "all", "everything", "both"],
        r"\b(?P<test>{TEST})\b[^.;]{0,60}?(?:\band|,|;) (?:they|all of them|everything|both|all)(?P<fill>(?: {FILL}){0,3}) {PASS}\b",
    ),
    (
        "all-n",
        &["all", "both"],
        r"\b(?:all|both) (?:of )?(?:the )?(?P<n>{NUM})?(?P<fill>(?: {FILL}){0,3}) {PASS}\b",
    ),
    (
        "total",
        &["total", "overall", "altogether"],
        r"\b(?P<total>{NUM})(?: {TEST})? (?:in total|total|overall|altogether)(?P<fill>(?:,? {FILL}){0,3}),? {PASS}\b",
    ),
    (
        "everything",
        &["everything"],
        r"\b(?P<any>everything)(?P<fill>(?: {FILL}){0,3}) (?P<pass>passes|passed|passing|green)\b(?: \((?P<green>{NUM}) tests\))?",
    ),
    (
        "all-green",
        &["all"],
        r"^(?:✅ ?)?(?P<any>all)(?P<fill>(?: {FILL}){0,2}) (?P<pass>green|passing|passed|pass)(?:: (?P<green>{NUM}) tests)?\b",
    ),
    (
        "no-failures",
        &["no ", "zero ", "0 "],
        r"\b(?P<any>no|zero|0) (?:test failures|failing tests|tests fail(?:ed|ing)?)\b",
    ),
    (
        "tick",
        &["✅"],
        r"✅ (?:all )?(?:(?:unit|integration|e2e) )?(?P<test>{TEST})(?: pass(?:ed|ing)?)?(?:$| ?[.,;|)])",
    ),
    ("ticked", &["✅", " ok"], r"(?:^|[,;|] ?)(?P<test>(?:all )?tests?)(?P<pass> ✅| ok)(?:$| ?[.,;|)])"),
    (
        "n-of-n",
        &[" of "],
        r"\b(?P<passed>{NUM}) (?P<test>{TEST}) (?P<pass>pass(?:ed)?) (?:out of|of) (?P<of>{NUM})\b",
    ),
    (
        "passes-n",
        &["pass"],
        r"\b(?P<pass>pass(?:es|ed)) (?:all )?(?:of )?(?:the )?{NUM}(?: (?:out of|of) {NUM})? (?P<test>tests)(?:$|[.,;!)]| (?:in|with|and|on)\b)",
    ),
    (
        "none-failed",
        &["no ", "zero "],
        r"\b(?P<passed>{NUM}) (?P<test>{TEST}),? (?:with |and )?(?:no|zero) (?:failures|errors|failed|failing)\b",
    ),
    (
        "ran-with",
        &["verified", "validated", "tested"],
        r"\b(?:verified|validated|tested)(?: again| locally)?:? (?:with|by|using|via|by running)[^.;]{0,80}?(?P<any>[\x{e001}\x{e003}])",
    ),
    (
        "validation",
        &["validation", "verification"],
        r"\b(?:validation|verification)(?: {FILL}){0,2} passed[^.;]{0,80}?\b(?P<any>tests)\b",
    ),
];

/// A shape of a claim.
pub(crate) struct Shape {
    /// Its name.
    pub(crate) name: &'static str,
    /// A sentence that holds none of these does not have the shape; empty: any may have it.
    needs: &'static [&'static str],
    pattern: Lazy,
}

impl Shape {
    /// Its pattern, where the sentence may have the shape. To look for words is cheap, to compile a pattern is not.
    pub(crate) fn pattern_for(&self, text: &str) -> Option<&Regex> {
        self.may_have(text).then(|| self.pattern.get())
    }

    /// Whether the sentence holds a word without which it does not have the shape.
    pub(crate) fn may_have(&self, text: &str) -> bool {
        self.needs.is_empty() || self.needs.iter().any(|word| text.contains(word))
    }

    #[cfg(test)]
    pub(crate) fn is_found_in(&self, text: &str) -> bool {
        self.pattern.get().is_match(text)
    }
}

pub(crate) static COMPILED: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let fill = |pattern: &str| {
        pattern
            .replace("{OTHERS}", OTHERS)
            .replace("{TEST}", TEST)
            .replace("{FILL}", FILL)
            .replace("{PASS}", PASS)
            .replace("{NUM}", ENGLISH)
    };
    SHAPES
        .iter()
        .map(|&(name, needs, pattern)| Shape { name, needs, pattern: Lazy::new(fill(pattern)) })
        .collect()
});

/// What may follow the verb. Anything else makes it another verb: "the tests pass a mock to the constructor".
pub(crate) static FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"^(?:$|\s?[.,;:!?)|—✅🎉…+&*·]|\s?\(| -|\s\x{e000}|\s[^\x00-\x7f]| (?:now|again|too|also|locally|cleanly|successfully|consistently|reliably|deterministically|with|without|under|for|after|and|but|so|as|including|incl|when|across|at|both|here|since|while|because|except|apart|aside|other|if|unless|once|before|until|then|this|even|via|using|per|either|all|each|every|everywhere|first|fine|overall|total|out of|of|on|one|two|three|four|five|ten|[0-9][0-9,]*(?: ?/| of| out of| times)|along|out of the box|in (?:total|[0-9][0-9.,]*|the|my|our|both|all|each|every|ci|isolation|parallel|under|about|around|release|debug|a|an|\x{e000}|[a-z/_-]+\.[a-z]+|[a-z-]+ (?:mode|module|package|crate|suite|runs?)))\b)",
    )
});

/// Reasons why a sentence that looks like a claim is none.
const REJECTS: &[Reject] = &[
    Reject {
        what: "condition",
        span: Span::Sentence,
        pattern: r"\b(?:if|unless|once|whether|assuming|in case|provided|until|till|as soon as|as long as|whenever|wherever|when|suppose|only after)\b",
        unless: r"\bwhen (?:i |we )?(?:ran|re-?ran|run|rerun|running)\b",
    },
    Reject {
        what: "question",
        span: Span::Sentence,
        pattern: r"^\W*(?:did|do|does|are|is|have|has|should|will|can|could|would) (?:all|the|any|those|these|my|our|your|both|[0-9])\b",
        unless: "",
    },
    Reject {
        what: "plan",
        span: Span::Sentence,
        pattern: r"\b(?:let me|let's|let us|lets|i'll|we'll|i will|we will|will|i'd|would|going to|gonna|need to|needs to|have to|has to|must|want to|wants? (?:all|the)|plan(?:s|ned|ning)? to|planning|try(?:ing)? to|attempt(?:s|ing)? to|aim(?:s|ing)? (?:to|for)|hop(?:e|ing)|hopefully|waiting|wait for|expect(?:s|ed|ing)?|intend|please|remember to|don't forget|todo|next(?: step| up)?:|still (?:need|to do)|(?:i'm|i am|we're|now|currently|just) (?:re-?)?(?:running|checking|verifying|making|working|trying|doing)|should i|can you|could you|would you)\b|^(?:next|then|now),? (?:run|re-?run|check|verify|make|fix|get|update)\b|^(?:run|re-?run|check|verify|ensure|confirm|make|fix|get|update|keep|wait)\b|\b(?:and|then|or|to|please|should|also|,) (?:verify|ensure|confirm|check|make sure|see)\b",
        unless: r"\b(?:ran|re-?ran|executed)\b.*\bto (?:make sure|verify|confirm|check|ensure)\b.*(?:, and|, so|: |— )",
    },
    Reject {
        what: "purpose or requirement",
        span: Span::Clause,
        pattern: r"\b(?:make sure|makes sure|making sure|ensur(?:e|es|ing)|guarantees?|so that|so (?:the |all |our )?tests pass|in order|to (?:see|verify|confirm|check)|(?:make|makes|making|made|get|gets|getting|got|keep|keeps|keeping|kept|let|lets|letting|leave|leaves) (?:[{W}' -]{0,24} )?[{W}\x{e000}\x{e001}\x{e003}]+ (?:pass|passing|green)|requir(?:e|es|ed|ing)|why|how|what|where|which|verifies|checks (?:that|if)|confirms? (?:if|whether))\b",
        unless: r"\ball of which\b|\bso [^,]{0,40}\bnow\b|\b(?:got|made|kept) all (?:[0-9,]+ )?tests (?:passing|green)\b",
    },
    Reject {
        what: "rule or example",
        span: Span::Sentence,
        pattern: r"\b(?:goal|aim|target|objective|acceptance|criteri(?:a|on)|definition of done|requirements?|rule|policy|policies|guidelines?|options? [0-9a-z]\b|alternatives?|hypothe\w+|for example|e\.g|expected (?:result|output|outcome)|expectation|expected:|checklist|instructions?|template|means that|supposed to|ideally)\b",
        unless: "",
    },
    Reject {
        what: "time before",
        span: Span::Clause,
        pattern: r"^\W*(?:and )?(?:previously|originally|initially|earlier|before|at first|yesterday)\b|\b(?:last time|last week|used to|prior to|at that (?:time|point)|while|after|before)\b|\b(?:were|was)(?: all| still)? passing\b",
        unless: r"\bpreviously[- ](?:failing|broken|flaky|red|skipped|failed)|\b(?:after|before) (?:the|this|that|these|those|my|our|all|both|each|an?) [^,]{1,60}\ball\b|\bafter [a-z]+ing\b",
    },
    Reject {
        what: "reported speech",
        span: Span::Sentence,
        pattern: r"\b(?:user|you|they|he|she|team|colleague|readme|docs?|documentation|description|pr|issue|comment|commit|message|changelog|subagent|sub-agent|agent|reviewer|author|report|ci|hook|log|spec|contributor|maintainer)\b[^.;]{0,40}\b(?:said|says|say|claims?|claimed|reports?|reported|states?|stated|told|mentions?|mentioned|wrote|notes?|noted|asserts?|asserted|thinks?)\b|\baccording to\b|\b(?:claims?|claimed|claiming) (?:that )?\b",
        unless: "",
    },
    Reject {
        what: "negation",
        span: Span::Clause,
        pattern: r"\b(?:not|no|none|neither|nor|never|cannot|without|hardly|barely|unable|fail(?:s|ed)? to|instead of|rather than|lack(?:s|ing)?|doubt|unclear|unsure|unverified|unknown)\b|n't\b",
        unless: r"\b(?:no|zero) (?:test failures|failing tests|tests fail|failures|errors|failed|failing)|\bno regressions?\b|\bnot only\b|\bwithout (?:a single|any)? ?(?:errors?|failures?|issues?|problems?|changes?)\b",
    },
    Reject {
        what: "part",
        span: Span::Clause,
        pattern: r"\ball (?:but|except)\b|\b(?:some|most|many|several|few|half|partial|partially|remaining|rest of|nearly|almost|mostly|only|largely|majority|other than)\b|[0-9]+(?:\.[0-9]+)? ?%",
        unless: r"\b100 ?%",
    },
    Reject { what: "modal", span: Span::Clause, pattern: r"\b(?:can|could|may|might|ought)\b", unless: "" },
    Reject {
        what: "other work",
        span: Span::After,
        pattern: r"^ (?:now )?(?:on|against|in) (?:the )?(?:main|master|base|develop|trunk|upstream|head|their|your|his|her|another|other|origin)\b|^ (?:now )?(?:in|on) ci\b|\bbefore (?:my|the|this|these|any|our|that|those) (?:change|fix|edit|commit|refactor|patch|pr|rebase|merge)|^ (?:previously|originally|initially|earlier|before|yesterday|last time)\b",
        unless: r"\b(?:just )?(?:like|as) (?:they did )?before\b",
    },
    Reject {
        what: "description",
        span: Span::After,
        pattern: r"^ (?:while|even|regardless|silently|trivially|vacuously|by accident|for the wrong|whether|no matter)\b",
        unless: "",
    },
    Reject {
        what: "exception",
        span: Span::After,
        pattern: r"\b(?:except|apart from|other than|aside from|excluding|save for|with the exception|barring|besides|minus)\b|\bbut (?:not )?(?:[{W}'-]+ ){0,5}(?:fail|fails|failed|failing|failures?|red|broken|errors?|not)\b|\b(?:while|though|although|whereas) (?:[{W}'-]+ ){0,6}(?:fail|fails|failed|failing|red|broken)\b",
        unless: r"\bbut (?:the |there (?:is|are) )?(?:an? |some )?(?:lint|build|type|tsc|format|eslint|clippy|coverage|prettier)",
    },
    Reject {
        what: "condition after",
        span: Span::After,
        pattern: r"\b(?:if|unless|once|until|provided|assuming|as long as|only when)\b|^ when (?:you|the|it|they|there|i set|set|using)\b",
        unless: r"\b(?:let me know|tell me|ask) if\b",
    },
    Reject {
        what: "failure named",
        span: Span::After,
        pattern: r"^[^.;]{0,60}\b(?:[1-9][0-9]*|one|two|three|four|five|six|seven|eight|nine|ten|some|several|a few|a) (?:[{W}'-]+ ){0,3}(?:fail|fails|failed|failing|failures?|errors?|errored|broken|red)\b",
        unless: r"\b(?:previously|formerly|originally|once|fixed|including|used to)\b",
    },
    Reject {
        what: "failure before",
        span: Span::Part,
        pattern: r"\b(?:[1-9][0-9]*|one|two|three|four|five|six|seven|eight|nine|ten|some|several) (?:[{W}'-]+ ){0,2}(?:fail|fails|failed|failures?|errored|are (?:red|broken|failing))\b",
        unless: r"\b(?:previously|formerly|fixed|fixing|fix|resolved|the)\b",
    },
];

pub(crate) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| REJECTS.iter().map(Rule::new).collect());

/// Words that make a claim a weak one, in the clause before its end.
pub(crate) static HEDGES: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:should|seems?|appears?|likely|probably|presumably|apparently|i think|i believe|i guess|looks? like|looks|as far as i can (?:tell|see)|in theory|perhaps|maybe)\b",
    )
});

/// Words by which a number counts tests that the change adds.
pub(crate) const ADDED: &str = r"\b(?:new|newly|added|adds?|adding|wrote|written)\b";
/// Headings and lines before a list under which nothing is a claim.
pub(crate) const PLANS: &str = r"^\W*(?:the |my |suggested |recommended |possible |manual )?(?:test(?:ing)? plan|plan\b|next\b|todos?\b|to do|to-do|acceptance|criteria|requirements?|definition of done|how to|steps to|instructions?|remaining|future|follow-?ups?|rules?\b|guidelines?|checklist|options?\b|alternatives?|proposal|example|before\b|baseline|expected|goals?\b|known (?:issues|failures)|not (?:yet |done|verified|tested)|open (?:points|issues|questions)|still)";
/// Table columns that speak of another time or tree.
pub(crate) const COLUMNS: &str = r"^\W*(?:before|base|baseline|main|master|expected|target|goal|previous(?:ly)?|old|original|planned|plan|was|prior)\b";
/// Lines before a list whose commands are said to have passed.
pub(crate) const VERIFIED: &str = r"\b(?:verified|validated|tested)(?: \w+)? ?(?:with|by|using|via)?:?\**$|^(?:verification|validation)(?: i ran| run)?:?\**$";

/// Words before the noun that leave "which tests" as it was.
pub(crate) const NEUTRAL: &[&str] = &[
    "of",
    "the",
    "my",
    "our",
    "your",
    "project",
    "project's",
    "local",
    "repo",
    "repository",
    "automated",
    "cargo",
    "jest",
    "pytest",
    "vitest",
    "mocha",
    "npm",
    "node",
    "go",
    "phpunit",
    "rspec",
    "bun",
    "deno",
    "dotnet",
    "test",
    "required",
    "available",
    "defined",
    "repo's",
    "package's",
];
/// Words before the noun that name the whole.
pub(crate) const WHOLE: &[&str] = &["full", "whole", "entire", "complete"];
/// Words where the subject begins: nothing left of them belongs to it.
pub(crate) const STOPS: &[&str] = &[
    "and",
    "that",
    "so",
    "but",
    "with",
    "now",
    "then",
    "i",
    "we",
    "ran",
    "run",
    "confirm",
    "confirmed",
    "confirms",
    "verified",
    "verify",
    "shows",
    "show",
    "showed",
    "see",
    "saw",
    "report",
    "is",
    "are",
    "was",
    "done",
    "because",
    "since",
    "also",
    "or",
    "as",
    "which",
    "fixed",
    "added",
    "finally",
    "passed",
    "pass",
    "plus",
    "means",
    "got",
    "made",
    "to",
    "after",
    "when",
    "where",
    "result",
    "results",
    "good",
    "great",
    "yes",
    "ok",
    "output",
    "in",
    "on",
    "keeps",
    "keep",
    "make",
    "get",
    "still",
];
/// Words that may stand before a number that counts; after any other word ("phase 2 tests") it names something.
pub(crate) const BEFORE_COUNT: &[&str] = &[
    "all",
    "the",
    "these",
    "those",
    "both",
    "my",
    "our",
    "its",
    "of",
    "now",
    "and",
    "with",
    "that",
    "ran",
    "run",
    "confirm",
    "confirmed",
    "verified",
    "exactly",
    "full",
    "still",
    "so",
    "total",
    "then",
    "have",
    "has",
    "are",
    "is",
    "to",
    "were",
    "shows",
    "showed",
    "reports",
    "a",
    "at",
    "other",
    "pass",
    "passed",
    "see",
    "saw",
    "but",
    "also",
    "executed",
    "result",
    "results",
    "added",
    "wrote",
    "pytest",
    "jest",
    "vitest",
    "mocha",
    "rspec",
    "tests",
    "fixed",
];

/// Whether a number after these words counts something rather than names it.
pub(crate) fn count_may_follow(before: &str) -> bool {
    let before = before.trim_end();
    let word =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '|' | '✅')).next().unwrap_or("");
    word.is_empty() || word.ends_with(|c: char| !c.is_ascii_alphanumeric()) || BEFORE_COUNT.contains(&word)
}

#[cfg(test)]
#[path = "en_examples.rs"]
mod examples;
#[cfg(test)]
pub(crate) use examples::EXAMPLES;
