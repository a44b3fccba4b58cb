//! Chooses the nodes of a layer that are worth an exact estimate.

/// All estimates are below this, in eighths of a turn: no phase needs 512 turns.
pub const FARTHEST: u32 = 4096;

/// Lets about as many nodes of a layer pass as are wanted: the best by a first guess, and of these the best by a second one. It decides
/// for each node at once, by the guesses of the nodes so far.
#[derive(Debug, Clone)]
pub struct Screen {
    first: Sieve,
    second: Sieve,
    /// See [`Screen::most`].
    most: u32,
}

/// One of the guesses.
#[derive(Debug, Clone)]
struct Sieve {
    /// How many nodes had each guess, of this layer.
    counts: Vec<u32>,
    seen: u64,
    /// Nodes with a greater guess do not pass.
    limit: usize,
    /// Nodes of this layer that were within the limit.
    within: u64,
    /// The share of all that is to pass, in 65,536ths.
    share: u64,
}

/// From so many nodes on, a layer's own guesses set the limit; until then the limit of the layer before holds.
const ENOUGH: u64 = 1000;

impl Default for Screen {
    fn default() -> Screen {
        Screen {
            first: Sieve::new(),
            second: Sieve::new(),
            most: u32::MAX,
        }
    }
}

impl Screen {
    /// Begins a layer of `all` nodes; `wanted` of these are to pass the first guess, and `closely` of those the second.
    pub fn begin(&mut self, [wanted, closely]: [usize; 2], all: usize) {
        self.first.begin(wanted, all);
        self.second.begin(closely, wanted.min(all));
    }

    /// In eighths of a turn: nodes whose estimate is above this are hardly kept. A phase leaves such a node out as soon as it knows, and need not ask all its
    /// tables of it.
    #[inline]
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Sets that estimate for this layer.
    pub fn set_most(&mut self, most: u32) {
        self.most = most;
    }

    /// Whether a node is worth a closer look.
    #[inline]
    pub fn passes(&mut self, guess: u32) -> bool {
        self.first.passes(guess)
    }

    /// Whether a node that was worth a closer look is worth the closest one, by what that told.
    #[inline(never)]
    pub fn passes_again(&mut self, guess: u32) -> bool {
        self.second.passes(guess)
    }
}

impl Sieve {
    fn new() -> Sieve {
        Sieve {
            counts: vec![0; FARTHEST as usize],
            seen: 0,
            limit: FARTHEST as usize - 1,
            within: 0,
            share: 1 << 16,
        }
    }

    fn begin(&mut self, wanted: usize, all: usize) {
        self.counts.fill(0);
        (self.seen, self.within) = (0, 0);
        self.share = ((wanted as u64) << 16) / (all as u64).max(1);
        self.share = self.share.min(1 << 16);
    }

    #[inline]
    fn passes(&mut self, guess: u32) -> bool {
        let guess = (guess as usize).min(self.counts.len() - 1);
        self.counts[guess] += 1;
        self.seen += 1;
        self.within += u64::from(guess <= self.limit);
        if self.seen > ENOUGH {
            let wanted = (self.seen * self.share) >> 16;
            while self.within < wanted && self.limit + 1 < self.counts.len() {
                self.limit += 1;
                self.within += u64::from(self.counts[self.limit]);
            }
            while self.limit > 0 && self.within - u64::from(self.counts[self.limit]) >= wanted {
                self.within -= u64::from(self.counts[self.limit]);
                self.limit -= 1;
            }
        }
        guess <= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn about_as_many_pass_as_are_wanted_and_these_are_the_best(
            seed: u64,
            share in 5usize..100,
            layers in 1usize..4,
        ) {
            const ALL: usize = 20_000;
            let mut screen = Screen::default();
            let mut random = seed | 1;
            for layer in 0..layers {
                screen.begin([ALL * share / 100, ALL], ALL);
                let (mut passed, mut worst, mut best_left) = (0, 0, u32::MAX);
                for i in 0..ALL {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    let guess = 300 - 40 * layer as u32 + (random % 200) as u32;
                    let passes = screen.passes(guess);
                    passed += usize::from(passes);
                    // The first nodes of a layer say nothing about its last ones.
                    if i > ALL / 2 && passes {
                        worst = worst.max(guess);
                    } else if i > ALL / 2 {
                        best_left = best_left.min(guess);
                    }
                }
                let wanted = ALL * share / 100;
                prop_assert!(passed + ALL / 20 >= wanted && passed <= wanted + ALL / 10, "{passed} of {wanted}");
                prop_assert!(worst < best_left.saturating_add(20), "{worst} passed, {best_left} did not");
            }
        }
    }

    #[test]
    fn small_layers_pass_as_a_whole() {
        let mut screen = Screen::default();
        for _ in 0..5 {
            screen.begin([2000, 2000], 1500);
            assert!((0..1500).all(|i| screen.passes(i)));
        }
    }
}
