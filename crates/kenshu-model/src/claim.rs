//! What an agent said of its work, as far as numbers can be compared with it.

/// What a number in a claim counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimUnit {
    /// Test cases: the unit of `passed`.
    Tests,
    /// Test files.
    Files,
    /// Suites (Jest's "test suites", classes, describe blocks).
    Suites,
    /// Assertions, checks, expectations.
    Assertions,
}

impl ClaimUnit {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            ClaimUnit::Tests => "tests",
            ClaimUnit::Files => "files",
            ClaimUnit::Suites => "suites",
            ClaimUnit::Assertions => "assertions",
        }
    }
}

/// Which tests a claim speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimScope {
    /// "all 142 tests", "the full suite".
    All,
    /// "the 7 new tests", "the parser tests".
    Subset,
    /// Not said.
    Unspecified,
}

impl ClaimScope {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            ClaimScope::All => "all",
            ClaimScope::Subset => "subset",
            ClaimScope::Unspecified => "unspecified",
        }
    }
}

/// What is said to have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimSubject {
    /// Tests are named: "tests", "the suite", "specs".
    Tests,
    /// Tests are meant among others, but not named: "everything passes", "all checks are green". Wide enough for an
    /// acceptance check; an audit that accuses should leave it alone.
    Everything,
}

/// How firmly it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A plain statement.
    Plain,
    /// "should pass", "seems to pass".
    Hedged,
}

impl Strength {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Strength::Plain => "plain",
            Strength::Hedged => "hedged",
        }
    }
}

/// One sentence that says tests passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The sentence, verbatim.
    pub quote: String,
    /// 1-based line of the text it stands in.
    pub line: u32,
    /// The number that is said to have passed; `None`: no number is said.
    pub count: Option<u64>,
    /// The number said to exist in all, where the sentence has two ("141 of 142", "12/12"); in a subset, of its tests.
    pub of: Option<u64>,
    /// The number said to have failed, where the sentence has one ("0 failed").
    pub failed: Option<u64>,
    /// The number said to be skipped, where the sentence has one.
    pub skipped: Option<u64>,
    /// What this number and those of the other kinds of tests beside it add up to, where no test is of two of these
    /// kinds ("9 unit and 3 integration tests pass": 12).
    pub together: Option<u64>,
    /// What is said to have passed.
    pub subject: ClaimSubject,
    /// What the number counts.
    pub unit: ClaimUnit,
    /// Which tests it speaks of.
    pub scope: ClaimScope,
    /// Whether the number counts tests that the change adds: "the 7 new tests", "I added 7 tests".
    pub added: bool,
    /// How firmly it was said.
    pub strength: Strength,
}

impl Claim {
    /// A plain claim of the first line, with nothing said beside its number.
    pub fn plain(quote: impl Into<String>, count: Option<u64>, scope: ClaimScope, unit: ClaimUnit) -> Claim {
        Claim {
            quote: quote.into(),
            line: 1,
            count,
            of: None,
            failed: None,
            skipped: None,
            together: None,
            subject: ClaimSubject::Tests,
            unit,
            scope,
            added: false,
            strength: Strength::Plain,
        }
    }

    /// Whether the sentence itself leaves room for tests that did not pass: "33 of 34 tests pass".
    pub fn leaves_some_out(&self) -> bool {
        let named = self.count.unwrap_or(0).saturating_add(self.skipped.unwrap_or(0));
        self.failed.is_some_and(|f| f > 0) || (self.count.is_some() && self.of.is_some_and(|of| of > named))
    }
}
