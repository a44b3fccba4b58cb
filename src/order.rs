//! Sorting of short lists. Knows nothing of what it sorts.
//!
//! The standard library's stable sort is made for millions of elements, and is another 6 kB of the brick's program for every type that
//! it sorts. Most lists here have a few dozen elements: those go by insertion, which is a hundred bytes a type.

/// Sorts a list of up to some hundred elements by a key; equal ones keep their order. The time grows with the square of the length.
pub fn by_key<T, K: PartialOrd>(list: &mut [T], key: impl Fn(&T) -> K) {
    by(list, |a, b| key(a) < key(b));
}

/// The same by a comparison: whether the first of two must come before the second.
pub fn by<T>(list: &mut [T], before: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_come_out_as_from_the_stable_sort_of_the_standard_library(list in proptest::collection::vec((0u8..20, any::<u16>()), 0..60)) {
            let mut sorted = list.clone();
            sorted.sort_by_key(|&(key, _)| key);
            let mut ours = list;
            by_key(&mut ours, |&(key, _)| key);
            prop_assert_eq!(ours, sorted);
        }
    }
}
