//! What a waiting machine gets, and when: how many turns of each phase are handed out while the next one is searched. Each size is
//! described here.
//!
//! Each turn that is handed out early makes a solution longer, and a machine that has none stands still. So what is held back here is as much
//! as lets a brick find more before the machine, at three seconds a turn, has done what it was given. `README.md` tells what was tried.

/// A quick look at the first stage.
pub(super) struct Scout {
    /// Width of its beam.
    pub width: usize,
    /// How many turns it looks ahead.
    pub ahead: usize,
    /// How many turns the machine has had after it.
    pub given: usize,
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
            width: 700,
            ahead: 12,
            given,
        },
    ]
}

const SIX: Waiting = Waiting {
    scouts: scouts(9),
    axes: 16,
    finish: 30_000_000,
};

const SEVEN: Waiting = Waiting {
    scouts: scouts(13),
    axes: 4,
    finish: 30_000_000,
};

/// Of these no brick's seconds are known: no more nodes than the step's.
const LARGER: Waiting = Waiting {
    scouts: scouts(13),
    axes: 4,
    finish: 0,
};

/// What a machine that waits for a cube of size `n` gets.
pub(super) fn waiting(n: usize) -> &'static Waiting {
    match n {
        6 => &SIX,
        7 => &SEVEN,
        _ => &LARGER,
    }
}
