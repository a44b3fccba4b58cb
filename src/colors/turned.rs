//! Corners and midges: pieces that can be turned in their places, under the laws that bind them.

use super::matching;
use crate::sure::surely;

/// Larger than any sum of costs in one orbit.
const NEVER: i32 = 1 << 30;

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

/// The cheapest arrangement when nothing binds the pieces, and its parity; `None` if its turns do not add up to a multiple of K. Much
/// quicker than [`cheapest`], and mostly all that is needed.
pub fn unbound<const K: usize>(costs: &Costs<K>) -> Option<(Arrangement, usize)> {
    let least = |turns: &[i32; K]| surely((0..K).min_by_key(|&t| turns[t]));
    let matrix: Vec<Vec<i32>> = costs
        .iter()
        .map(|row| row.iter().map(|turns| turns[least(turns)]).collect())
        .collect();
    let found = matching::cheapest(&matrix);
    let pieces: Vec<(usize, usize)> = found
        .iter()
        .zip(costs)
        .map(|(&piece, row)| (piece, least(&row[piece])))
        .collect();
    let turned: usize = pieces.iter().map(|p| p.1).sum();
    let larger = |place: usize| found[..place].iter().filter(|&&p| p > found[place]).count();
    let inversions: usize = (0..found.len()).map(larger).sum();
    let cost = pieces
        .iter()
        .zip(costs)
        .map(|(&(piece, turn), row)| row[piece][turn])
        .sum();
    turned
        .is_multiple_of(K)
        .then_some((Arrangement { cost, pieces }, inversions % 2))
}

/// What the pieces cost at least: as if each could be turned by itself. Still quicker, as nothing is kept.
#[cfg(feature = "photos")]
pub fn at_least<const K: usize>(costs: &Costs<K>) -> i64 {
    let least = |turns: &[i32; K]| turns.iter().copied().min().unwrap_or(0);
    let matrix: Vec<Vec<i32>> = costs.iter().map(|row| row.iter().map(least).collect()).collect();
    let found = matching::cheapest(&matrix);
    found
        .iter()
        .zip(&matrix)
        .map(|(&piece, row)| i64::from(row[piece]))
        .sum()
}

/// The R cheapest arrangements whose turns add up to a multiple of K, for the even permutations and for the odd ones.
///
/// Exact, by dynamic programming over the set of pieces used so far, the sum of turns and the parity: 2⁸·6 states for corners, 2¹²·4 for
/// midges, each with its R cheapest ways to get there.
pub fn cheapest<const K: usize, const R: usize>(costs: &Costs<K>) -> [[Arrangement; R]; 2] {
    let n = costs.len();
    let index = |used: usize, turned: usize, odd: usize| (used * K + turned) * 2 + odd;
    let mut least = vec![[NEVER; R]; index(1 << n, 0, 0)];
    // The piece and turn that were placed last, as piece · K + turn, and the rank of the way before that.
    let mut last = vec![[(0u8, 0u8); R]; least.len()];
    least[0][0] = 0;
    for used in 0..1usize << n {
        let place = used.count_ones() as usize;
        for piece in (0..n).filter(|p| used >> p & 1 == 0) {
            let inversions = (used >> piece).count_ones() as usize;
            let now = used + (1 << piece);
            for turned in 0..K {
                for odd in 0..2 {
                    for (rank, before) in least[index(used, turned, odd)].into_iter().enumerate() {
                        if before >= NEVER {
                            break;
                        }
                        for (turn, &extra) in costs[place][piece].iter().enumerate() {
                            let to = index(now, (turned + turn) % K, (odd + inversions) % 2);
                            let cost = before + extra;
                            if cost < least[to][R - 1] {
                                let worse = least[to].iter().filter(|&&c| c <= cost).count();
                                least[to][worse..].rotate_right(1);
                                last[to][worse..].rotate_right(1);
                                least[to][worse] = cost;
                                last[to][worse] = ((piece * K + turn) as u8, rank as u8);
                            }
                        }
                    }
                }
            }
        }
    }
    [0, 1].map(|parity| {
        std::array::from_fn(|rank| {
            let (mut used, mut turned, mut odd, mut rank) = ((1usize << n) - 1, 0, parity, rank);
            let cost = least[index(used, turned, odd)][rank];
            let mut pieces = vec![(0, 0); n];
            for place in (0..n).rev() {
                let (code, before) = last[index(used, turned, odd)][rank];
                let (piece, turn) = (code as usize / K, code as usize % K);
                pieces[place] = (piece, turn);
                used &= !(1 << piece);
                turned = (turned + K - turn) % K;
                odd = (odd + (used >> piece).count_ones() as usize) % 2;
                rank = before as usize;
            }
            Arrangement { cost, pieces }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pieces and turns by place, cost, turns modulo K, parity.
    type Whole = (Vec<(usize, usize)>, i32, usize, usize);

    /// Every arrangement.
    fn all<const K: usize>(costs: &Costs<K>) -> Vec<Whole> {
        let mut all = vec![(Vec::new(), 0, 0, 0)];
        for place in costs {
            let extended = |(pieces, cost, turned, odd): &Whole| {
                let mut further = Vec::new();
                for (piece, turns) in place.iter().enumerate() {
                    if pieces.iter().any(|p| p.0 == piece) {
                        continue;
                    }
                    let larger = pieces.iter().filter(|p| p.0 > piece).count();
                    for (turn, extra) in turns.iter().enumerate() {
                        let pieces = [pieces.as_slice(), &[(piece, turn)]].concat();
                        further.push((pieces, cost + extra, (turned + turn) % K, (odd + larger) % 2));
                    }
                }
                further
            };
            all = all.iter().flat_map(extended).collect();
        }
        all
    }

    fn agrees<const K: usize>(costs: &Costs<K>) {
        let all = all(costs);
        let ranked = cheapest::<K, 2>(costs);
        for (parity, [best, other]) in ranked.iter().enumerate() {
            let legal = || all.iter().filter(|a| a.2 == 0 && a.3 == parity);
            for found in [best, other] {
                assert!(legal().any(|a| a.0 == found.pieces && a.1 == found.cost));
            }
            assert_ne!(other.pieces, best.pieces);
            assert_eq!(legal().map(|a| a.1).min(), Some(best.cost));
            assert_eq!(
                legal().filter(|a| a.0 != best.pieces).map(|a| a.1).min(),
                Some(other.cost)
            );
            assert_eq!(cheapest::<K, 1>(costs)[parity][0].cost, best.cost);
        }
        #[cfg(feature = "photos")]
        assert_eq!(all.iter().map(|a| i64::from(a.1)).min(), Some(at_least(costs)));
        if let Some((found, parity)) = unbound(costs) {
            assert!(all.contains(&(found.pieces, found.cost, 0, parity)));
            assert_eq!(all.iter().map(|a| a.1).min(), Some(found.cost));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn four_corners_are_arranged_as_cheaply_as_trying_everything(costs: [[[u8; 3]; 4]; 4]) {
            agrees(&costs.iter().map(|row| row.iter().map(|turns| turns.map(i32::from)).collect()).collect());
        }

        #[test]
        fn five_midges_are_arranged_as_cheaply_as_trying_everything(costs: [[[u8; 2]; 5]; 5]) {
            agrees(&costs.iter().map(|row| row.iter().map(|turns| turns.map(i32::from)).collect()).collect());
        }
    }
}
