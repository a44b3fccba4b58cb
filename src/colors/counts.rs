//! Colouring squares so that each of the six colours is there equally often, at the least cost.
//!
//! A transportation problem with only six sinks: every square first takes its cheapest colour, then surplus flows along the cheapest
//! chains of recolourings to the colours that lack squares. Chains live in a graph of six nodes, so this is quick.

use crate::sure::surely;

/// What it costs to give a square each of the six colours.
pub type Costs = [i32; 6];

/// The chain graph: what it costs to recolour one square from a to b, and which square that is.
struct Graph {
    /// Least cost of a chain from a to b.
    cost: [[i32; 6]; 6],
    /// The first step of that chain: the square and its new colour.
    step: [[(usize, usize); 6]; 6],
}

/// Larger than any sum of costs in one orbit.
const NEVER: i32 = 1 << 30;

impl Graph {
    fn of(costs: &[Costs], colours: &[usize]) -> Graph {
        let mut graph = Graph {
            cost: [[NEVER; 6]; 6],
            step: [[(0, 0); 6]; 6],
        };
        for (square, &a) in colours.iter().enumerate() {
            for b in (0..6).filter(|&b| b != a) {
                let change = costs[square][b] - costs[square][a];
                if change < graph.cost[a][b] {
                    graph.cost[a][b] = change;
                    graph.step[a][b] = (square, b);
                }
            }
        }
        // Floyd and Warshall; a chain back to where it began is a cycle, and there are no negative ones.
        for via in 0..6 {
            for a in 0..6 {
                for b in 0..6 {
                    let sum = graph.cost[a][via].saturating_add(graph.cost[via][b]);
                    if sum < graph.cost[a][b] {
                        graph.cost[a][b] = sum;
                        graph.step[a][b] = graph.step[a][via];
                    }
                }
            }
        }
        graph
    }

    /// Recolours along the cheapest chain from a to b.
    fn push(&self, mut a: usize, b: usize, colours: &mut [usize]) {
        loop {
            let (square, next) = self.step[a][b];
            colours[square] = next;
            if next == b {
                return;
            }
            a = next;
        }
    }
}

/// The cheapest colouring with equal counts; the number of squares is a multiple of six.
pub fn cheapest(costs: &[Costs]) -> Vec<usize> {
    let least = |c: &Costs| surely((0..6).min_by_key(|&k| c[k]));
    let mut colours: Vec<usize> = costs.iter().map(least).collect();
    let share = costs.len() / 6;
    loop {
        let mut counts = [0; 6];
        colours.iter().for_each(|&c| counts[c] += 1);
        let graph = Graph::of(costs, &colours);
        let pairs = (0..6).flat_map(|a| (0..6).map(move |b| (a, b)));
        let chain = pairs
            .filter(|&(a, b)| counts[a] > share && counts[b] < share)
            .min_by_key(|&(a, b)| graph.cost[a][b]);
        match chain {
            Some((a, b)) => graph.push(a, b, &mut colours),
            None => return colours,
        }
    }
}

/// The cheapest other colouring with equal counts.
pub fn runner_up(costs: &[Costs], best: &[usize]) -> Vec<usize> {
    let graph = Graph::of(costs, best);
    let start = surely((0..6).min_by_key(|&a| graph.cost[a][a]));
    let mut colours = best.to_vec();
    graph.push(start, start, &mut colours);
    colours
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every colouring of six squares in which every colour is there once.
    fn all() -> Vec<Vec<usize>> {
        let mut all = vec![vec![]];
        for _ in 0..6 {
            let longer = |p: &Vec<usize>| -> Vec<Vec<usize>> {
                (0..6)
                    .filter(|i| !p.contains(i))
                    .map(|i| [p.as_slice(), &[i]].concat())
                    .collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    fn total(costs: &[Costs], colours: &[usize]) -> i32 {
        costs.iter().zip(colours).map(|(c, &colour)| c[colour]).sum()
    }

    fn counts(colours: &[usize]) -> [usize; 6] {
        std::array::from_fn(|c| colours.iter().filter(|&&k| k == c).count())
    }

    proptest! {
        #[test]
        fn six_squares_are_coloured_as_cheaply_as_trying_everything(costs: [[u8; 6]; 6], levels in 1u8..=255) {
            let costs = costs.map(|c| c.map(|c| i32::from(c % levels)));
            let best = cheapest(&costs);
            let all = all();
            prop_assert!(all.contains(&best));
            prop_assert_eq!(Some(total(&costs, &best)), all.iter().map(|p| total(&costs, p)).min());
            let other = runner_up(&costs, &best);
            prop_assert!(all.contains(&other) && other != best);
            let others = all.iter().filter(|&p| *p != best);
            prop_assert_eq!(Some(total(&costs, &other)), others.map(|p| total(&costs, p)).min());
        }

        #[test]
        fn no_exchange_of_two_or_three_squares_makes_a_colouring_cheaper(costs: [[u8; 6]; 24]) {
            let costs = costs.map(|c| c.map(i32::from));
            let best = cheapest(&costs);
            prop_assert_eq!(counts(&best), [4; 6]);
            let other = runner_up(&costs, &best);
            prop_assert_eq!(counts(&other), [4; 6]);
            let gap = total(&costs, &other) - total(&costs, &best);
            prop_assert!(other != best && gap >= 0);
            for a in 0..24 {
                for b in 0..24 {
                    for c in 0..24 {
                        // a takes the colour of b, b that of c, c that of a; with b = c only two are exchanged.
                        let mut colours = best.clone();
                        (colours[a], colours[b], colours[c]) = (best[b], best[c], best[a]);
                        if counts(&colours) == [4; 6] && colours != best {
                            prop_assert!(total(&costs, &colours) - total(&costs, &best) >= gap);
                        }
                    }
                }
            }
        }
    }
}
