//! What a language file holds: patterns as data, the reasons not to read a claim, and examples of both.

use std::ops::Range;
use std::sync::OnceLock;

use kenshu_model::{ClaimScope, ClaimSubject, ClaimUnit};
use regex::Regex;

/// How far from the claim a reason against it is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// Anywhere in the sentence before the claim's end, up to a semicolon.
    Sentence,
    /// Before the claim's end, after the last colon, dash, bracket or semicolon.
    Part,
    /// Before the claim's end, after the last comma too.
    Clause,
    /// After the claim, up to the next part that stands for itself.
    After,
}

/// One reason why a sentence is no claim.
#[derive(Debug)]
pub(crate) struct Reject {
    /// What such a sentence is: "plan", "condition". Named in test failures.
    pub(crate) what: &'static str,
    /// Where to look.
    pub(crate) span: Span,
    /// What to look for.
    pub(crate) pattern: &'static str,
    /// Where this is found in the same span too, the reason does not hold; empty: nothing lifts it.
    pub(crate) unless: &'static str,
}

/// What a word is made of, `{W}` in patterns: letters of any script that uses them, digits, `_`. As ranges: a bounded
/// repetition of `\w`, whose classes have thousands of ranges, takes milliseconds to compile.
const WORD: &str = r"0-9a-z_\x{c0}-\x{1fff}\x{3040}-\x{d7ff}";

/// A [`Reject`] whose patterns are compiled when they are first asked: for one sentence most never are.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) what: &'static str,
    pub(crate) span: Span,
    pattern: Lazy,
    unless: Option<Lazy>,
}

impl Rule {
    pub(crate) fn new(reject: &Reject) -> Self {
        Rule {
            what: reject.what,
            span: reject.span,
            pattern: Lazy::new(reject.pattern.replace("{W}", WORD)),
            unless: (!reject.unless.is_empty()).then(|| Lazy::new(reject.unless)),
        }
    }

    /// Whether it would hold where there is no text; compiles both patterns.
    #[cfg(test)]
    pub(crate) fn finds_in_nothing(&self) -> bool {
        let lifted = self.unless.as_ref().is_some_and(|unless| unless.get().is_match(""));
        self.pattern.get().is_match("") || lifted
    }

    pub(crate) fn holds(&self, text: &str) -> bool {
        // No reason is found in nothing; a test says so of every pattern.
        !text.is_empty()
            && self.pattern.get().is_match(text)
            && !self.unless.as_ref().is_some_and(|unless| unless.get().is_match(text))
    }
}

/// A pattern that is compiled when it is first used.
#[derive(Debug)]
pub(crate) struct Lazy {
    pattern: std::borrow::Cow<'static, str>,
    compiled: OnceLock<Regex>,
}

impl Lazy {
    pub(crate) fn new(pattern: impl Into<std::borrow::Cow<'static, str>>) -> Lazy {
        Lazy { pattern: pattern.into(), compiled: OnceLock::new() }
    }

    pub(crate) fn get(&self) -> &Regex {
        self.compiled.get_or_init(|| super::compile(&self.pattern))
    }
}

/// A claim found in a masked sentence, before it is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where it stands in the masked sentence, the subject included.
    pub(crate) range: Range<usize>,
    pub(crate) count: Option<u64>,
    pub(crate) of: Option<u64>,
    pub(crate) failed: Option<u64>,
    pub(crate) skipped: Option<u64>,
    pub(crate) unit: ClaimUnit,
    pub(crate) subject: ClaimSubject,
    pub(crate) scope: ClaimScope,
    pub(crate) hedged: bool,
    /// What the kinds of tests that stand beside it add up to, itself included.
    pub(crate) together: Option<u64>,
}

impl Found {
    /// A claim without a number at this place.
    pub(crate) fn at(range: Range<usize>) -> Self {
        Found {
            range,
            count: None,
            of: None,
            failed: None,
            skipped: None,
            unit: ClaimUnit::Tests,
            subject: ClaimSubject::Tests,
            scope: ClaimScope::Unspecified,
            hedged: false,
            together: None,
        }
    }
}

/// What is known of the sentences around one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Around {
    /// The sentence before, or the heading above, speaks of tests.
    pub(crate) about_tests: bool,
    /// The sentence before names a command that runs only some tests.
    pub(crate) narrow: bool,
    /// The sentence was given as the claim: it speaks of tests, also where it admits failures.
    pub(crate) given: bool,
}

/// What a sentence of an example is expected to say.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Want {
    pub(crate) count: Option<u64>,
    pub(crate) of: Option<u64>,
    pub(crate) failed: Option<u64>,
    pub(crate) skipped: Option<u64>,
    pub(crate) unit: ClaimUnit,
    pub(crate) scope: ClaimScope,
    pub(crate) hedged: bool,
}

/// A claim without number, scope or doubt: the base of every [`Want`].
#[cfg(test)]
pub(crate) const PLAIN: Want = Want {
    count: None,
    of: None,
    failed: None,
    skipped: None,
    unit: ClaimUnit::Tests,
    scope: ClaimScope::Unspecified,
    hedged: false,
};

#[cfg(test)]
impl Want {
    pub(crate) const fn all(self) -> Want {
        Want { scope: ClaimScope::All, ..self }
    }
    pub(crate) const fn subset(self) -> Want {
        Want { scope: ClaimScope::Subset, ..self }
    }
    pub(crate) const fn n(self, count: u64) -> Want {
        Want { count: Some(count), ..self }
    }
    pub(crate) const fn of(self, of: u64) -> Want {
        Want { of: Some(of), ..self }
    }
    pub(crate) const fn failed(self, failed: u64) -> Want {
        Want { failed: Some(failed), ..self }
    }
    pub(crate) const fn skipped(self, skipped: u64) -> Want {
        Want { skipped: Some(skipped), ..self }
    }
    pub(crate) const fn unit(self, unit: ClaimUnit) -> Want {
        Want { unit, ..self }
    }
    pub(crate) const fn hedged(self) -> Want {
        Want { hedged: true, ..self }
    }
}

/// A language's examples: sentences with what they claim, and sentences that claim nothing.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Examples {
    pub(crate) name: &'static str,
    pub(crate) claims: &'static [(&'static str, &'static [Want])],
    pub(crate) not_claims: &'static [&'static str],
}
