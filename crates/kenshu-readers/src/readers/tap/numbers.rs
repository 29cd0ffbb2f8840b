//! The numbers of a block's entries, in as little memory as their order allows: there can be millions.

/// Numbers in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(in crate::readers) struct Numbers {
    /// First and last number of each stretch in which every number is the one before plus one: mostly there is one.
    stretches: Vec<(u64, u64)>,
    count: u64,
    largest: Option<u64>,
    /// The smallest, 0 aside, with which no plan begins.
    smallest: Option<u64>,
}

impl Numbers {
    pub(super) fn add(&mut self, number: u64) {
        match self.stretches.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            Some(_) | None => self.stretches.push((number, number)),
        }
        self.count += 1;
        self.largest = self.largest.max(Some(number));
        if number > 0 {
            self.smallest = Some(self.smallest.map_or(number, |smallest| smallest.min(number)));
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The largest.
    pub(in crate::readers) fn largest(&self) -> Option<u64> {
        self.largest
    }

    /// Whether one of them is in `1..=count`.
    pub(super) fn any_up_to(&self, count: u64) -> bool {
        self.smallest.is_some_and(|smallest| smallest <= count)
    }

    /// Whether `number` is among them.
    pub(super) fn contains(&self, number: u64) -> bool {
        self.stretches.iter().any(|(first, last)| (*first..=*last).contains(&number))
    }

    /// Whether none of them stands twice.
    pub(in crate::readers) fn are_distinct(&self) -> bool {
        let apart = |pair: &[(u64, u64)]| pair[0].1 < pair[1].0;
        let mut stretches = self.stretches.clone();
        stretches.sort_unstable();
        stretches.windows(2).all(apart)
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[track_caller]
    fn check(numbers: &[u64], distinct: bool, largest: u64, any_up_to_two: bool) {
        let mut added = Numbers::default();
        numbers.iter().for_each(|number| added.add(*number));
        assert_eq!(
            (added.count(), added.are_distinct(), added.largest(), added.any_up_to(2)),
            (numbers.len() as u64, distinct, Some(largest), any_up_to_two),
            "{numbers:?}"
        );
        assert!(numbers.iter().all(|number| added.contains(*number)) && !added.contains(99), "{numbers:?}");
    }

    #[test]
    fn any_order_is_remembered() {
        check(&[1, 2, 3], true, 3, true);
        check(&[2, 3, 1], true, 3, true);
        check(&[4, 3], true, 4, false);
        check(&[0, 3], true, 3, false);
        check(&[1, 2, 2], false, 2, true);
        check(&[1, 2, 3, 2], false, 3, true);
        check(&[u64::MAX, 0], true, u64::MAX, false);
    }
}
