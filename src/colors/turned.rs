//! Corners and midges: pieces that can be turned in their places, under the laws that bind them.

/// Larger than any sum of costs in one orbit.
const NEVER: i32 = 1 << 28;

/// What a piece costs in a place, by how it is turned there: `costs[place][piece][turn]`.
pub type Costs<const K: usize> = Vec<Vec<[i32; K]>>;

/// Which piece is in each place, and how it is turned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    /// The sum of its costs.
    pub cost: i32,
    /// (piece, turn) of each place.
    pub pieces: Vec<(usize, usize)>,
}

/// The cheapest arrangements whose turns add up to a multiple of K: one for the even permutations, one for the odd ones.
///
/// Exact, by dynamic programming over the set of pieces used so far, the sum of turns and the parity: 2⁸·6 states for corners, 2¹²·4 for
/// midges.
pub fn cheapest<const K: usize>(costs: &Costs<K>) -> [Arrangement; 2] {
    let n = costs.len();
    let index = |used: usize, turned: usize, odd: usize| (used * K + turned) * 2 + odd;
    let mut least = vec![NEVER; index(1 << n, 0, 0)];
    // The piece and turn that were placed last, as piece · K + turn.
    let mut last = vec![0u8; least.len()];
    least[0] = 0;
    for used in 0..(1usize << n) - 1 {
        let place = used.count_ones() as usize;
        for piece in (0..n).filter(|p| used >> p & 1 == 0) {
            let inversions = (used >> piece).count_ones() as usize;
            let now = used | 1 << piece;
            for turned in 0..K {
                for odd in 0..2 {
                    let before = least[index(used, turned, odd)];
                    if before >= NEVER {
                        continue;
                    }
                    for turn in 0..K {
                        let to = index(now, (turned + turn) % K, (odd + inversions) % 2);
                        let cost = before + costs[place][piece][turn];
                        if cost < least[to] {
                            least[to] = cost;
                            last[to] = (piece * K + turn) as u8;
                        }
                    }
                }
            }
        }
    }
    [0, 1].map(|parity| {
        let (mut used, mut turned, mut odd) = ((1usize << n) - 1, 0, parity);
        let cost = least[index(used, turned, odd)];
        let mut pieces = vec![(0, 0); n];
        for place in (0..n).rev() {
            let code = last[index(used, turned, odd)] as usize;
            let (piece, turn) = (code / K, code % K);
            pieces[place] = (piece, turn);
            used &= !(1 << piece);
            turned = (turned + K - turn) % K;
            odd = (odd + (used >> piece).count_ones() as usize) % 2;
        }
        Arrangement { cost, pieces }
    })
}

/// The cheapest arrangement of the same parity that is not this one.
pub fn runner_up<const K: usize>(costs: &Costs<K>, best: &Arrangement, parity: usize) -> Arrangement {
    let mut costs = costs.clone();
    let mut runner_up = Arrangement {
        cost: NEVER,
        pieces: best.pieces.clone(),
    };
    // Another arrangement differs in some place: forbid what is there, one place after the other.
    for (place, &(piece, turn)) in best.pieces.iter().enumerate() {
        let kept = std::mem::replace(&mut costs[place][piece][turn], NEVER / 2);
        let [even, odd] = cheapest(&costs);
        let other = if parity == 0 { even } else { odd };
        if other.cost < runner_up.cost {
            runner_up = other;
        }
        costs[place][piece][turn] = kept;
    }
    runner_up
}
