//! Look-ups that cannot fail. Knows nothing of what is looked up.
//!
//! The program often looks up what its own lists have by construction: a rotation among the 24, the place of a piece among
//! twelve. If such a look-up finds nothing, the program is wrong, and everything after it would be wrong too. So it must stop
//! there, not go on with the first of the list. What may be missing in the world, such as a file or a cube, is an error.

/// What is there by construction.
///
/// # Panics
/// If it is not there, which only a mistake in this program can cause.
#[inline]
// The place in the source would make the brick's program larger. What fails there also fails on a PC, which tells the place.
#[cfg_attr(feature = "places", track_caller)]
pub(crate) fn surely<T>(found: Option<T>) -> T {
    match found {
        Some(found) => found,
        None => missing(),
    }
}

/// The place of what a list has by construction.
///
/// # Panics
/// As [`surely`].
// Not inlined, to keep the program small: no look-up needs to be fast.
#[inline(never)]
#[cfg_attr(feature = "places", track_caller)]
pub(crate) fn place_of<T: PartialEq>(list: &[T], wanted: &T) -> usize {
    surely(list.iter().position(|one| one == wanted))
}

#[cold]
#[inline(never)]
#[cfg_attr(feature = "places", track_caller)]
#[allow(clippy::panic)] // The one place where the program says that it is wrong itself.
fn missing() -> ! {
    panic!("a list lacks what it is made of: please report this")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_at_its_place() {
        assert_eq!((place_of(&[5, 7, 9], &9), surely(Some("x"))), (2, "x"));
    }

    #[test]
    #[should_panic(expected = "please report this")]
    fn what_is_missing_is_not_taken_for_the_first() {
        place_of(&[5, 7, 9], &8);
    }
}
