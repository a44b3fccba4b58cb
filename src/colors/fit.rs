//! Six colours that fit the squares: several starts, each improved by turns with the legal colouring that it leads to.

use super::counts::{self, Costs};
use super::legal::{Colouring, Puzzle};
use super::space::{Point, distance};
use crate::cube::{Orbit, OrbitKind};

/// How often colours and colouring may improve each other; most often three times are enough.
const ROUNDS: usize = 12;

/// The squares of one cube as points.
pub struct Squares<'a> {
    pub n: usize,
    pub orbits: &'a [Orbit],
    pub points: &'a [Point],
}

/// Six colours, in the order of [`Face::ALL`] once they are named.
pub type Six = [Point; 6];

/// The cheapest legal colouring and the next one.
pub struct Fit {
    pub best: Colouring,
    pub other: Colouring,
}

/// Fits.
pub fn fit(n: usize, orbits: &[Orbit], points: &[Point]) -> Fit {
    let squares = Squares { n, orbits, points };
    let six = squares.best()[0].1;
    let costs = squares.costs(&six);
    let solved = Puzzle {
        n,
        orbits,
        costs: &costs,
    }
    .cheapest();
    Fit {
        best: solved.colouring(),
        other: solved.runner_up(),
    }
}

fn median(values: &mut [i32]) -> i32 {
    values.sort_unstable();
    let m = values.len() / 2;
    match values.len() {
        0 => 0,
        len if len % 2 == 0 => (values[m - 1] + values[m]).div_euclid(2),
        _ => values[m],
    }
}

impl Squares<'_> {
    pub fn costs(&self, six: &Six) -> Vec<Costs> {
        self.points.iter().map(|&p| six.map(|c| distance(p, c))).collect()
    }

    /// The medians of the squares of each colour.
    pub fn medians(&self, colours: &[usize]) -> Six {
        std::array::from_fn(|k| {
            std::array::from_fn(|axis| {
                let of = self.points.iter().zip(colours).filter(|&(_, &c)| c == k);
                median(&mut of.map(|(p, _)| p[axis]).collect::<Vec<_>>())
            })
        })
    }

    /// Equal counts in every orbit, pieces left aside.
    fn by_counts(&self, costs: &[Costs]) -> Vec<usize> {
        let mut colours = vec![0; costs.len()];
        for orbit in self.orbits {
            let squares: Vec<usize> = orbit.places.iter().flatten().map(|s| s.index(self.n)).collect();
            let found = counts::cheapest(&squares.iter().map(|&i| costs[i]).collect::<Vec<_>>());
            for (&i, colour) in squares.iter().zip(found) {
                colours[i] = colour;
            }
        }
        colours
    }

    fn settle(&self, mut six: Six) -> Six {
        for _ in 0..ROUNDS {
            let next = self.medians(&self.by_counts(&self.costs(&six)));
            if next == six {
                break;
            }
            six = next;
        }
        six
    }

    /// Names the colours so that the legal colouring is cheapest.
    fn named(&self, six: Six) -> Six {
        let centres = self.orbits.iter().find(|o| o.kind == OrbitKind::FixedCentre);
        if let Some(orbit) = centres {
            let costs = self.costs(&six);
            let of = |place: &Vec<_>| -> Costs {
                let s: crate::cube::Square = place[0];
                costs[s.index(self.n)]
            };
            let found = counts::cheapest(&orbit.places.iter().map(of).collect::<Vec<_>>());
            let mut named = six;
            for (place, colour) in orbit.places.iter().zip(found) {
                named[place[0].face as usize] = six[colour];
            }
            return named;
        }
        let mut best = (i64::MAX, six);
        for scheme in schemes() {
            let named = scheme.map(|k| six[k]);
            let costs = self.costs(&named);
            let puzzle = Puzzle {
                n: self.n,
                orbits: self.orbits,
                costs: &costs,
            };
            if puzzle.corners_alone() < best.0 {
                let cost = puzzle.cheapest().colouring().cost;
                if cost < best.0 {
                    best = (cost, named);
                }
            }
        }
        best.1
    }

    fn improve(&self, mut six: Six) -> (i64, Six) {
        let mut best = (i64::MAX, six);
        for _ in 0..ROUNDS {
            let costs = self.costs(&six);
            let found = Puzzle {
                n: self.n,
                orbits: self.orbits,
                costs: &costs,
            }
            .cheapest()
            .colouring();
            if found.cost >= best.0 {
                break;
            }
            best = (found.cost, six);
            six = self.medians(&found.colours.iter().map(|&c| c as usize).collect::<Vec<_>>());
        }
        best
    }

    /// Starting colours.
    fn starts(&self) -> Vec<Six> {
        let mut starts = Vec::new();
        // Farthest-point
        let dirs: [[i32; 3]; 8] = [
            [1, 0, 0],
            [-1, 0, 0],
            [0, 1, 0],
            [0, -1, 0],
            [0, 0, 1],
            [0, 0, -1],
            [1, 1, 1],
            [0, 1, -1],
        ];
        for d in dirs {
            let first = self
                .points
                .iter()
                .copied()
                .max_by_key(|p| (0..3).map(|i| p[i] * d[i]).sum::<i32>())
                .unwrap_or_default();
            let mut six = [first; 6];
            for k in 1..6 {
                six[k] = self
                    .points
                    .iter()
                    .copied()
                    .max_by_key(|&p| six[..k].iter().map(|&q| distance(p, q)).min())
                    .unwrap_or_default();
            }
            starts.push(six);
        }
        let reference = [
            [255, 255, 255],
            [200, 20, 30],
            [0, 150, 70],
            [255, 220, 0],
            [255, 110, 0],
            [0, 70, 180],
        ];
        starts.push(reference.map(super::space::point));
        starts
    }

    pub fn best(&self) -> Vec<(i64, Six)> {
        let mut fits = Vec::new();
        let centres = self.orbits.iter().find(|o| o.kind == OrbitKind::FixedCentre);
        if let Some(orbit) = centres {
            let mut six = [[0; 3]; 6];
            for p in &orbit.places {
                six[p[0].face as usize] = self.points[p[0].index(self.n)];
            }
            fits.push(self.improve(six));
        }
        for start in self.starts() {
            fits.push(self.improve(self.named(self.settle(start))));
        }
        fits.sort_by_key(|f| f.0);
        fits
    }
}

/// The 30 ways to name six colours, up to rotations of the cube.
pub fn schemes() -> Vec<[usize; 6]> {
    let mut all = Vec::new();
    // Colour 0 is U; D any other; then F the first that is left, and the others in any order.
    for down in 1..6 {
        let rest: Vec<usize> = (1..6).filter(|&k| k != down).collect();
        let front = rest[0];
        for i in 1..4 {
            let back = rest[i];
            let sides: Vec<usize> = rest[1..].iter().copied().filter(|&k| k != back).collect();
            for (r, l) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                // U R F D L B
                all.push([0, r, front, down, l, back]);
            }
        }
    }
    all
}
