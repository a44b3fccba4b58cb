//! How a beam narrows on its way.
//!
//! Far from the goal estimates tell little, so what leads to the shortest ways is more often among nodes that seem worse. Near the goal
//! they tell most. So for the same nodes in all a beam that is wide at first and narrow at the end finds more.

/// The widths of a beam's layers, in percent of the width that it is given: at first, half way, and at the goal. Chosen by trial, see
/// `solve/big/README.md`.
const PERCENT: [usize; 3] = [250, 100, 15];

/// Tells how wide each layer is.
#[derive(Debug)]
pub(super) struct Taper {
    width: usize,
    /// Whether it narrows; else all layers are as wide.
    narrows: bool,
    /// How far the goal seemed to be at first, once that is known.
    first: Option<u16>,
}

impl Taper {
    /// For a beam of this width.
    pub fn new(width: usize, narrows: bool) -> Taper {
        Taper {
            width,
            narrows,
            first: None,
        }
    }

    /// The most nodes of a layer.
    pub fn widest(&self) -> usize {
        match self.narrows {
            true => self.width * PERCENT[0] / 100,
            false => self.width,
        }
    }

    /// The width of the next layer, if the goal seems to be so far from the nearest node; `None` before there is one.
    pub fn next(&mut self, nearest: Option<u16>) -> usize {
        if self.first.is_none() {
            self.first = nearest;
        }
        match (self.narrows, self.first, nearest) {
            (false, ..) => self.width,
            (true, Some(first @ 1..), Some(nearest)) => self.after(usize::from(first), usize::from(nearest.min(first))),
            (true, ..) => self.widest(),
        }
    }

    /// The width where `left` of the `whole` distance is left: between two of [`PERCENT`] in proportion.
    fn after(&self, whole: usize, left: usize) -> usize {
        let [begin, middle, end] = PERCENT;
        // So many halves of the whole, 0 to 2, in units of `whole`.
        let halves = 2 * (whole - left);
        let percent = match halves.checked_sub(whole) {
            None => begin * whole - (begin - middle) * halves,
            Some(past) => middle * whole - (middle - end) * past,
        };
        (self.width * percent / (100 * whole)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_never_widens_as_the_goal_comes_nearer_and_passes_its_three_widths(
            width in 1usize..1_000_000,
            half in 1u16..2000,
        ) {
            let at = |left: u16| Taper { first: Some(2 * half), ..Taper::new(width, true) }.next(Some(left));
            let wide = |percent: usize| (width * percent / 100).max(1);
            prop_assert_eq!([at(2 * half), at(half), at(0)], PERCENT.map(wide));
            prop_assert!((1..=2 * half).all(|left| at(left - 1) <= at(left)));
            // Farther than at first it is no wider.
            prop_assert_eq!(at(2 * half + 1), at(2 * half));
            prop_assert_eq!(Taper::new(width, true).widest(), width * PERCENT[0] / 100);
        }

        #[test]
        fn a_beam_that_does_not_narrow_keeps_its_width(width in 1usize..1_000_000, far: u16, near: u16) {
            let mut taper = Taper::new(width, false);
            prop_assert_eq!(taper.widest(), width);
            prop_assert_eq!([None, Some(far), Some(near)].map(|nearest| taper.next(nearest)), [width; 3]);
        }
    }

    #[test]
    fn it_measures_from_the_first_node_that_it_is_shown() {
        let mut taper = Taper::new(100, true);
        let widths = [None, None, Some(80), Some(40), Some(20), Some(0)].map(|nearest| taper.next(nearest));
        assert_eq!(widths, [250, 250, 250, 100, 57, 15]);
        // A start that is a goal.
        assert_eq!(Taper::new(100, true).next(Some(0)), 250);
    }
}
