//! Entries of one name in a report: attempts at one test, of which the last one counts.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What an entry is among the entries of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The only one.
    Only,
    /// A later one counts.
    Superseded,
    /// The last of several.
    Last,
}

/// The names of the entries of a list, in its order. A name takes 16 bytes, however long it is: of a hash of 64 bits, two
/// names among a million have the same with a chance of one in thirty million.
#[derive(Debug, Default)]
pub struct Names(Vec<(u64, u32)>);

impl Names {
    /// Adds the next entry's name.
    pub fn push(&mut self, name: &impl Hash) {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        self.0.push((hasher.finish(), u32::try_from(self.0.len()).unwrap_or(u32::MAX)));
    }

    /// How many different names there are, and what each entry is.
    pub fn attempts(mut self) -> (u64, Vec<Attempt>) {
        self.0.sort_unstable();
        let mut attempts = vec![Attempt::Only; self.0.len()];
        let mut names = 0;
        for same in self.0.chunk_by(|(a, _), (b, _)| a == b) {
            names += 1;
            if let [earlier @ .., (_, last)] = same
                && !earlier.is_empty()
            {
                earlier.iter().for_each(|(_, index)| attempts[*index as usize] = Attempt::Superseded);
                attempts[*last as usize] = Attempt::Last;
            }
        }
        (names, attempts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_name_counts() {
        let mut names = Names::default();
        ["a", "b", "a", "c", "a"].iter().for_each(|name| names.push(name));
        let (different, attempts) = names.attempts();
        use Attempt::{Last, Only, Superseded};
        assert_eq!((different, attempts), (3, vec![Superseded, Only, Superseded, Only, Last]));
    }
}
