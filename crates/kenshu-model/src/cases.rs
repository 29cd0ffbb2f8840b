//! The tests that an output names, as many as are worth their memory.

use std::ops::{Deref, DerefMut};

use crate::{Case, CaseStatus};

/// Bytes that the names of one run may take: some 200,000 tests as runners name them. What Kenshu reads of an output is
/// 64 MiB, and all of it together is to stay below 256 MiB.
const BYTES_MAX: usize = 24 << 20;

/// How many of those that a verdict speaks of are kept: they are printed, which takes several times their own memory, and
/// nobody reads more.
const SPOKEN_MAX: usize = 20_000;

/// What the allocator needs for a text beside its bytes.
const PER_TEXT: usize = 16;

/// Tests by name, in the order of the output.
///
/// Beyond a limit only those are kept that a verdict speaks of: failed ones, and whole files that passed as one test. Then
/// [`Cases::are_all`] is `false`, and whoever compares by name must not take a missing name for a missing test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    kept: Vec<Case>,
    bytes: usize,
    /// How many of `kept` a verdict speaks of.
    spoken: usize,
    dropped: bool,
}

impl Cases {
    /// Whether every test that was named is here.
    pub fn are_all(&self) -> bool {
        !self.dropped
    }

    /// The same tests, known to be only some of those that were named.
    pub fn as_some(mut self) -> Cases {
        self.drop_unspoken();
        self
    }

    /// Adds one, unless there are too many. Whether it is kept: else what is said of it further on is not the last one's.
    pub fn push(&mut self, case: Case) -> bool {
        let (bytes, is_spoken) = (size_of(&case), speaks(&case));
        if self.bytes + bytes > BYTES_MAX || (is_spoken && self.spoken == SPOKEN_MAX) {
            self.drop_unspoken();
        }
        let fits = self.bytes + bytes <= BYTES_MAX && self.spoken < SPOKEN_MAX;
        let is_kept = !self.dropped || (is_spoken && fits);
        if is_kept {
            self.bytes += bytes;
            self.spoken += usize::from(is_spoken);
            self.kept.push(case);
        }
        is_kept
    }

    /// Keeps from here on only those that a verdict speaks of.
    fn drop_unspoken(&mut self) {
        if !self.dropped {
            self.dropped = true;
            self.kept.retain(speaks);
            self.bytes = self.kept.iter().map(size_of).sum();
        }
    }
}

/// Whether a verdict speaks of the test by its name.
fn speaks(case: &Case) -> bool {
    case.status == CaseStatus::Failed || case.file_level
}

fn size_of(case: &Case) -> usize {
    let texts = [Some(&case.name), case.file.as_ref(), case.message.as_ref()];
    let texts = texts.into_iter().flatten().map(|text| text.capacity() + PER_TEXT);
    std::mem::size_of::<Case>() + texts.sum::<usize>()
}

impl Deref for Cases {
    type Target = [Case];

    fn deref(&self) -> &[Case] {
        &self.kept
    }
}

impl DerefMut for Cases {
    fn deref_mut(&mut self) -> &mut [Case] {
        &mut self.kept
    }
}

impl Extend<Case> for Cases {
    fn extend<T: IntoIterator<Item = Case>>(&mut self, cases: T) {
        for case in cases {
            self.push(case);
        }
    }
}

impl FromIterator<Case> for Cases {
    fn from_iter<T: IntoIterator<Item = Case>>(cases: T) -> Cases {
        let mut all = Cases::default();
        all.extend(cases);
        all
    }
}

impl From<Vec<Case>> for Cases {
    fn from(cases: Vec<Case>) -> Cases {
        cases.into_iter().collect()
    }
}

impl Cases {
    /// Adds those of another run or block.
    pub fn append(&mut self, other: Cases) {
        if other.dropped {
            self.drop_unspoken();
        }
        self.extend(other.kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, status: CaseStatus) -> Case {
        Case { name: name.to_owned(), file: None, status, message: None, file_level: false }
    }

    #[test]
    fn as_many_as_fit_are_all() {
        let cases: Cases = (0..1000).map(|_| case("a", CaseStatus::Passed)).collect();
        assert_eq!((cases.len(), cases.are_all()), (1000, true));
    }

    #[test]
    fn of_too_many_the_failed_ones_are_kept_and_it_is_known() {
        let name = "a".repeat(1 << 20);
        let mut cases = Cases::default();
        cases.push(case("first", CaseStatus::Failed));
        cases.extend((0..30).map(|_| case(&name, CaseStatus::Passed)));
        cases.push(case("last", CaseStatus::Failed));
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!((names, cases.are_all()), (vec!["first", "last"], false));
        cases.extend((0..30).map(|_| case(&name, CaseStatus::Failed)));
        assert!(cases.len() < 30, "failed ones have the same limit");
        let failed: Cases = (0..=SPOKEN_MAX).map(|_| case("a", CaseStatus::Failed)).collect();
        assert_eq!((failed.len(), failed.are_all()), (SPOKEN_MAX, false));
    }

    #[test]
    fn a_part_of_a_part_is_a_part() {
        let mut cases = Cases::from(vec![case("a", CaseStatus::Passed), case("b", CaseStatus::Failed)]);
        cases.append(Cases::default().as_some());
        assert_eq!((cases.len(), cases.are_all()), (1, false));
    }
}
