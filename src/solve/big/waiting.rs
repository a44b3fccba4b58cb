//! What a waiting machine gets, and when: how many turns of each phase are handed out while the next one is searched. Each size is
//! described here.
//!
//! Each turn that is handed out early makes a solution longer, and a machine that has none stands still. So what is held back here is as much
//! as lets a brick find more before the machine, at three seconds a turn, has done what it was given. `README.md` tells what was tried.

use crate::solve::five::Pairing;

/// A quick look at the first stage.
pub(super) struct Scout {
    /// Width of its beam.
    pub width: usize,
    /// How many turns it looks ahead.
    pub ahead: usize,
    /// How many turns the machine has had after it.
    pub given: usize,
}

/// How hard the phases of the normal step try while a machine turns what it was given.
#[derive(Clone, Copy)]
pub(super) struct Budgets {
    /// Widths of the centre phases' beams, by `CentrePhase`.
    pub widths: [usize; 3],
    /// For the innermost layers of an even cube: ways that are kept through phase 2 and 3 of the 4x4x4, and nodes for each. An odd cube does
    /// not look at it.
    pub inner: ([usize; 2], u64),
    /// For the other rings of wings, and for the last one: by then the machine has turns for a minute more than a search takes.
    pub rings: [Pairing; 2],
}

/// For one size.
pub(super) struct Waiting {
    /// The first look is short, so that the machine begins at once. While it makes these turns there is time for a better look, which finds
    /// as many as the search of the whole stage takes.
    pub scouts: [Scout; 2],
    /// So many of the last turns after a stage of the axes are handed out after the next one, so that this can choose among several.
    pub axes: usize,
    /// At least so many nodes for the 3x3x3s, but in a quick search: by then the machine has turns for minutes.
    pub finish: u64,
    /// Instead of the normal step's own.
    pub budgets: Option<Budgets>,
}

/// So many of the last turns after later phases are handed out after the next one.
pub(super) const HELD_BACK: usize = 16;

/// Both looks; the machine has had four turns after the first one, and so many after the second.
const fn scouts(given: usize) -> [Scout; 2] {
    [
        Scout {
            width: 100,
            ahead: 10,
            given: 4,
        },
        Scout {
            width: 500,
            ahead: 12,
            given,
        },
    ]
}

/// A third wider than the normal step's.
const INNER_RING: Pairing = Pairing {
    three: [4000, 600],
    four: [12_000, 3000],
    five: [10_000, 600],
    deepen: 0,
    samples: true,
    ..Pairing::QUICK
};
/// Twice as wide as the normal step's, but for phase 4, whose beam takes the most of a brick's memory.
const LAST_RING: Pairing = Pairing {
    three: [6000, 900],
    five: [15_000, 900],
    ..INNER_RING
};

const SIX: Waiting = Waiting {
    scouts: scouts(9),
    axes: 16,
    finish: 40_000_000,
    budgets: Some(Budgets {
        widths: [2800, 2000, 12_500],
        inner: ([600, 800], 1_000_000),
        rings: [INNER_RING, LAST_RING],
    }),
};

/// A 7x7x7's first axis must not take longer than the turns that were found for it before.
const SEVEN: Waiting = Waiting {
    scouts: scouts(11),
    axes: 6,
    finish: 60_000_000,
    budgets: Some(Budgets {
        widths: [2600, 2200, 6500],
        inner: ([300, 400], 500_000),
        rings: [INNER_RING, LAST_RING],
    }),
};

/// Of these no brick's seconds are known: no more nodes than the step's.
const LARGER: Waiting = Waiting {
    scouts: scouts(13),
    axes: 4,
    finish: 0,
    budgets: None,
};

/// What a machine that waits for a cube of size `n` gets.
pub(super) fn waiting(n: usize) -> &'static Waiting {
    match n {
        6 => &SIX,
        7 => &SEVEN,
        _ => &LARGER,
    }
}
