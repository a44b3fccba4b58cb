//! Where fitting begins: groups of squares that look alike, whatever cube they belong to.

use super::super::counts;
use super::super::light::{Light, Six};
use super::super::names::schemes;
use super::super::space::{self, Level};
use super::{Cube, ROUNDS};
use crate::net::USUAL;

impl Cube<'_> {
    /// Colours and lights to start from, at least one: groups of equally many squares under two kinds of light, and the fixed centres.
    pub(super) fn starts(&self) -> Vec<(Six, Light)> {
        let mut starts = Vec::new();
        for light in self.measured.first_lights() {
            let mut groups: Vec<Six> = Vec::new();
            // What is far from all others may only be dark.
            let few = if self.measured.is_shaded() { 1 } else { usize::MAX };
            for seed in self.seeds().into_iter().take(few) {
                let mut six = self.group(seed, &light);
                crate::order::by(&mut six, |a, b| a[0].total_cmp(&b[0]).is_lt());
                if !groups.contains(&six) {
                    groups.push(six);
                }
            }
            let mut named: Vec<Six> = groups.into_iter().map(|six| self.named(six, &light)).collect();
            named.extend(
                self.centres()
                    .map(|centres| centres.map(|i| self.measured.level(i).map(|v| v as f32))),
            );
            starts.extend(named.into_iter().map(|six| (six, light.clone())));
        }
        starts
    }

    /// The indices of the fixed centres by face, on odd N.
    pub(super) fn centres(&self) -> Option<[usize; 6]> {
        let area = self.n * self.n;
        (self.n % 2 == 1).then(|| std::array::from_fn(|face| face * area + area / 2))
    }

    /// Six different colours to group squares around, several times: squares that are far from each other, beginning with one that is
    /// extreme in some way, and the usual colours.
    pub(super) fn seeds(&self) -> Vec<Six> {
        let levels = self.measured.levels();
        let colour = |level: Level| level.map(|v| v as f32);
        let mut seeds = vec![USUAL.map(|rgb| colour(space::level(rgb)))];
        for [red, green, blue] in [[1, 1, 1], [-1, -1, -1], [1, -1, 0], [-1, 1, 0], [0, -1, 1], [1, 0, -1]] {
            let extreme = |l: &Level| red * l[0] + green * l[1] + blue * l[2];
            let mut chosen: Vec<Level> = levels.iter().copied().max_by_key(extreme).into_iter().collect();
            for _ in 1..6 {
                let nearest = |l: &Level| chosen.iter().map(|&c| space::distance(*l, c)).min();
                chosen.extend(levels.iter().copied().max_by_key(nearest));
            }
            seeds.push(std::array::from_fn(|i| colour(chosen[i])));
        }
        seeds
    }

    /// The cheapest colours that are equally often in every orbit; pieces are left aside.
    pub(super) fn counted(&self, costs: &[counts::Costs]) -> Vec<usize> {
        let mut colours = vec![0; costs.len()];
        for orbit in self.orbits {
            let squares: Vec<usize> = orbit.places.iter().flatten().map(|s| s.index(self.n)).collect();
            let of_squares: Vec<_> = squares.iter().map(|&i| costs[i]).collect();
            for (i, colour) in squares.into_iter().zip(counts::cheapest(&of_squares)) {
                colours[i] = colour;
            }
        }
        colours
    }

    /// Six groups with equally many squares in every orbit, as compact as they get from these colours; pieces are left aside.
    pub(super) fn group(&self, mut six: Six, light: &Light) -> Six {
        let mut before = Vec::new();
        for _ in 0..ROUNDS {
            let costs = self.measured.costs(&six, light);
            let colours = self.counted(&costs);
            six = self.measured.colours(&colours, light);
            if colours == before {
                break;
            }
            before = colours;
        }
        six
    }

    /// The colours in the order of [`Face::ALL`]: by the fixed centres, else so that the legal colouring is cheapest.
    fn named(&self, six: Six, light: &Light) -> Six {
        let costs = self.measured.costs(&six, light);
        if let Some(centres) = self.centres() {
            let colours = counts::cheapest(&centres.map(|i| costs[i]));
            return std::array::from_fn(|face| six[colours[face]]);
        }
        let mut best = (i64::MAX, six);
        for scheme in schemes() {
            let named: Vec<counts::Costs> = costs.iter().map(|costs| scheme.map(|colour| costs[colour])).collect();
            if let Some(cost) = self.puzzle(&named).pieces_below(best.0) {
                best = (cost, scheme.map(|colour| six[colour]));
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::answers::lights::Dice;
    use super::super::super::answers::lights::{LIGHTS, mixed, painted};
    use super::*;
    use crate::colors::space::Curve;
    use crate::cube::orbits;

    #[test]
    fn seeds_are_the_usual_colours_and_squares_far_from_each_other_from_each_extreme_on() {
        let orbits = orbits(3);
        for (number, (_, light)) in LIGHTS.iter().enumerate() {
            let sides = light(3, &painted(&mixed(3)), &mut Dice::new(number));
            let cube = Cube::new(3, &orbits, &sides, Curve::Clipped);
            let whole = |six: Six| six.map(|colour| colour.map(|v| v as i32));
            let mut seeds = cube.seeds().into_iter().map(whole);
            assert_eq!(seeds.next(), Some(USUAL.map(space::level)));
            let seeds: Vec<[Level; 6]> = seeds.collect();
            // The brightest and the darkest; most red and most green, without the other; most blue without green, and most red without blue.
            let extremes: [fn(&Level) -> i32; 6] = [
                |l| l.iter().sum(),
                |l| -l.iter().sum::<i32>(),
                |l| l[0] - l[1],
                |l| l[1] - l[0],
                |l| l[2] - l[1],
                |l| l[0] - l[2],
            ];
            assert_eq!(seeds.len(), extremes.len());
            for (seed, extreme) in seeds.iter().zip(extremes) {
                let levels = cube.measured.levels();
                assert_eq!(levels.iter().map(extreme).max(), Some(extreme(&seed[0])));
                for some in 1..6 {
                    let nearest = |l: &Level| seed[..some].iter().map(|&other| space::distance(*l, other)).min();
                    assert_eq!(levels.iter().map(nearest).max(), Some(nearest(&seed[some])));
                }
            }
        }
    }
}
