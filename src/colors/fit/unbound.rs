//! The cost of squares without the laws of a cube, and in the cheapest cube if the sides lie otherwise.

use super::super::counts;
use super::super::light::Six;
use super::super::names::schemes;
use super::{Cube, REFITS};

/// Squares coloured so that each colour is there equally often in each orbit, without the other laws of a cube. The result does not depend
/// on how the pictures lie.
pub struct Unbound {
    /// The least that they cost together.
    pub least: i64,
    /// The six colours.
    pub six: Six,
    /// What each of these costs on each square.
    pub costs: Vec<counts::Costs>,
    /// Which of these each square is taken for.
    pub colours: Vec<usize>,
}

impl Cube<'_> {
    /// The squares by themselves.
    pub fn unbound(&self) -> Unbound {
        let mut best = Unbound {
            least: i64::MAX,
            six: [[0.0; 3]; 6],
            costs: Vec::new(),
            colours: Vec::new(),
        };
        for start in [self.measured.even(), self.measured.equal_sides()] {
            for seed in self.seeds() {
                let mut light = start.clone();
                let mut six = self.group(seed, &light);
                for _ in 0..=REFITS {
                    let costs = self.measured.costs(&six, &light);
                    let colours = self.counted(&costs);
                    let sum = costs
                        .iter()
                        .zip(&colours)
                        .map(|(costs, &colour)| i64::from(costs[colour]))
                        .sum::<i64>();
                    if sum + light.penalty < best.least {
                        best = Unbound {
                            least: sum + light.penalty,
                            six,
                            costs,
                            colours: colours.clone(),
                        };
                    }
                    (six, light) = self.measured.refit(&colours, &six, &light);
                }
            }
        }
        best
    }

    /// What the squares cost in the cheapest legal cube, if that is below a limit, and which of the six colours is on each face then. The
    /// centres of an even cube are left out; they cost the same in each.
    pub fn legal_below(&self, costs: &[counts::Costs], limit: i64) -> Option<(i64, [usize; 6])> {
        let renamed = |names: [usize; 6]| -> Vec<counts::Costs> {
            costs.iter().map(|costs| names.map(|colour| costs[colour])).collect()
        };
        if let Some(centres) = self.centres() {
            let colours = counts::cheapest(&centres.map(|i| costs[i]));
            let scheme = std::array::from_fn(|face| colours[face]);
            let costs = renamed(scheme);
            self.puzzle(&costs).at_least_below(limit)?;
            let cost = self.puzzle(&costs).cheapest().colouring().cost;
            return (cost < limit).then_some((cost, scheme));
        }
        let mut best = None;
        for scheme in schemes() {
            let limit = best.map_or(limit, |(cost, _)| cost);
            let cheaper = self.puzzle(&renamed(scheme)).pieces_below(limit);
            best = cheaper.map(|cost| (cost, scheme)).or(best);
        }
        best
    }
}
