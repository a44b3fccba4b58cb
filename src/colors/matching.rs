//! Giving each of n places another of n pieces, at the least total cost.

use crate::sure::surely;

/// Larger than any sum of costs in one orbit.
const NEVER: i32 = 1 << 30;

/// The cheapest matching, the piece of each place: the Hungarian method with potentials and shortest augmenting paths (Kuhn, Munkres; in
/// the O(n³) form of Jonker and Volgenant).
pub fn cheapest(costs: &[Vec<i32>]) -> Vec<usize> {
    let n = costs.len();
    let (mut place_price, mut piece_price) = (vec![0; n], vec![0; n + 1]);
    // The place that has each piece; piece n is a stand-in that holds the place which is looking for one.
    let mut owner: Vec<Option<usize>> = vec![None; n + 1];
    for newcomer in 0..n {
        owner[n] = Some(newcomer);
        let mut piece = n;
        let mut slack = vec![NEVER; n];
        let mut came_from = vec![n; n];
        let mut reached = vec![false; n + 1];
        while let Some(place) = owner[piece] {
            reached[piece] = true;
            let (mut step, mut next) = (NEVER, n);
            for j in (0..n).filter(|&j| !reached[j]) {
                let reduced = costs[place][j] - place_price[place] - piece_price[j];
                if reduced < slack[j] {
                    slack[j] = reduced;
                    came_from[j] = piece;
                }
                if slack[j] < step {
                    step = slack[j];
                    next = j;
                }
            }
            for j in 0..=n {
                match owner[j] {
                    Some(i) if reached[j] => {
                        place_price[i] += step;
                        piece_price[j] -= step;
                    }
                    // Never the stand-in, which is reached first.
                    _ => slack[j] -= step,
                }
            }
            piece = next;
        }
        while piece != n {
            owner[piece] = owner[came_from[piece]];
            piece = came_from[piece];
        }
    }
    let mut pieces = vec![0; n];
    for (piece, place) in owner[..n].iter().enumerate() {
        if let Some(place) = *place {
            pieces[place] = piece;
        }
    }
    pieces
}

/// The cheapest other matching: the cheapest cycle of places that pass their pieces on.
pub fn runner_up(costs: &[Vec<i32>], best: &[usize]) -> Vec<usize> {
    let n = costs.len();
    // What it costs when place a takes the piece of place b; then chains of that (Floyd and Warshall).
    let mut cost: Vec<Vec<i32>> = (0..n)
        .map(|a| {
            (0..n)
                .map(|b| {
                    if a == b {
                        NEVER
                    } else {
                        costs[a][best[b]] - costs[a][best[a]]
                    }
                })
                .collect()
        })
        .collect();
    let mut step: Vec<Vec<usize>> = vec![(0..n).collect(); n];
    for via in 0..n {
        for a in (0..n).filter(|&a| a != via) {
            for b in (0..n).filter(|&b| b != via) {
                let sum = cost[a][via] + cost[via][b];
                if sum < cost[a][b] {
                    cost[a][b] = sum;
                    step[a][b] = step[a][via];
                }
            }
        }
    }
    let start = surely((0..n).min_by_key(|&a| cost[a][a]));
    let mut pieces = best.to_vec();
    let mut a = start;
    loop {
        let b = step[a][start];
        pieces[a] = best[b];
        if b == start {
            return pieces;
        }
        a = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn permutations(n: usize) -> Vec<Vec<usize>> {
        let mut all = vec![vec![]];
        for _ in 0..n {
            let longer = |p: &Vec<usize>| -> Vec<Vec<usize>> {
                (0..n)
                    .filter(|i| !p.contains(i))
                    .map(|i| [p.as_slice(), &[i]].concat())
                    .collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    fn total(costs: &[Vec<i32>], pieces: &[usize]) -> i32 {
        costs.iter().zip(pieces).map(|(row, &piece)| row[piece]).sum()
    }

    proptest! {
        // Few different costs, so that there are ties.
        #[test]
        fn matchings_are_as_cheap_as_trying_everything(costs: [[u8; 5]; 5], levels in 1u8..=255) {
            let costs: Vec<Vec<i32>> = costs.iter().map(|row| row.iter().map(|&c| i32::from(c % levels)).collect()).collect();
            let all = permutations(5);
            let best = cheapest(&costs);
            prop_assert!(all.contains(&best));
            prop_assert_eq!(Some(total(&costs, &best)), all.iter().map(|p| total(&costs, p)).min());
            let other = runner_up(&costs, &best);
            prop_assert!(all.contains(&other) && other != best);
            let others = all.iter().filter(|&p| *p != best);
            prop_assert_eq!(Some(total(&costs, &other)), others.map(|p| total(&costs, p)).min());
        }
    }
}
