//! Six colours and the light on each side that fit the squares: several starts, each improved by turns with the legal colouring that it
//! leads to; the cheapest wins, and the cheapest other outcome is its rival.

use super::counts;
use super::legal::{Colouring, Puzzle};
use super::light::{Light, Measured, Six};
use super::names::{bring_home, schemes};
use super::space::{self, Level};
use crate::cube::{Face, Orbit};

/// How often colours and colouring may improve each other; most often four times are enough.
const ROUNDS: usize = 16;
/// How many rounds may bring nothing before the last ones.
const PATIENCE: usize = 2;
/// How many runners-up are compared by their own colours, and how often those are refitted.
const RIVALS: usize = 4;
const REFITS: usize = 4;
/// How often a rival that turns out to be cheaper may take the answer's place.
const CLIMBS: usize = 8;

/// White, red, green, yellow, orange and blue of the usual stickers: one start among others.
const USUAL: [[u8; 3]; 6] = [
    [240, 240, 240],
    [180, 25, 35],
    [20, 140, 70],
    [230, 210, 40],
    [240, 105, 30],
    [20, 70, 170],
];

/// The cheapest legal colouring, by square index, and its rival.
pub struct Fit {
    /// The answer.
    pub best: Vec<Face>,
    /// What its squares cost together.
    pub cost: i64,
    /// The cheapest other legal colouring that was found.
    pub rival: Option<Vec<Face>>,
    /// How much more that one costs, with the colours and the light that fit it best; 0 without rival.
    pub gap: i64,
}

/// Where a fit stands.
#[derive(Clone)]
struct Standing {
    /// Of the colouring and of the light.
    cost: i64,
    six: Six,
    light: Light,
    /// With the names that the six colours have.
    colouring: Colouring,
    /// The same, brought home: equal for equal cubes.
    home: Vec<Face>,
}

/// Fits colours to the squares of a cube (sRGB by square index).
pub fn fit(n: usize, orbits: &[Orbit], rgb: &[[u8; 3]]) -> Fit {
    let cube = Cube {
        n,
        orbits,
        measured: Measured::new(n, rgb),
    };
    let mut ends: Vec<Standing> = Vec::new();
    for (six, light) in cube.starts() {
        let start = cube.stand(six, light);
        // Most starts agree at once.
        if ends.iter().all(|end| end.home != start.home) {
            ends.push(cube.improve(start));
        }
    }
    // There is at least one start.
    let cheapest = (0..ends.len()).min_by_key(|&i| ends[i].cost).unwrap_or(0);
    let mut best = ends.swap_remove(cheapest);
    let mut rivals = cube.rivals(&best);
    for _ in 0..CLIMBS {
        let Some(cheaper) = rivals.iter().find(|rival| rival.cost < best.cost) else {
            break;
        };
        let next = cube.improve(cube.stand(cheaper.six, cheaper.light.clone()));
        ends.push(std::mem::replace(&mut best, next));
        rivals = cube.rivals(&best);
    }
    let all = rivals.into_iter().chain(ends);
    let others = all.filter(|other| other.home != best.home);
    let rival = others.min_by_key(|other| other.cost);
    Fit {
        gap: rival.as_ref().map_or(0, |rival| (rival.cost - best.cost).max(0)),
        rival: rival.map(|rival| rival.home),
        cost: best.colouring.cost,
        best: best.home,
    }
}

/// A cube to be coloured.
struct Cube<'a> {
    n: usize,
    orbits: &'a [Orbit],
    measured: Measured,
}

fn numbers(colours: &[Face]) -> Vec<usize> {
    colours.iter().map(|&c| c as usize).collect()
}

impl Cube<'_> {
    fn puzzle<'c>(&'c self, costs: &'c [counts::Costs]) -> Puzzle<'c> {
        Puzzle {
            n: self.n,
            orbits: self.orbits,
            costs,
        }
    }

    fn stand(&self, six: Six, light: Light) -> Standing {
        let costs = self.measured.costs(&six, &light);
        let colouring = self.puzzle(&costs).cheapest().colouring();
        Standing {
            cost: colouring.cost + light.penalty,
            six,
            light,
            home: self.home(&colouring),
            colouring,
        }
    }

    fn home(&self, colouring: &Colouring) -> Vec<Face> {
        let mut colours = colouring.colours.clone();
        bring_home(self.n, &mut colours);
        colours
    }

    /// Improves colours, light and colouring by turns until nothing gets cheaper.
    fn improve(&self, mut now: Standing) -> Standing {
        let mut best = now.clone();
        let mut patience = PATIENCE;
        for _ in 0..ROUNDS {
            let (six, light) = self
                .measured
                .refit(&numbers(&now.colouring.colours), &now.six, &now.light);
            now = self.stand(six, light);
            if now.cost < best.cost {
                best = now.clone();
            } else if patience == 0 {
                break;
            } else {
                patience -= 1;
            }
        }
        best
    }

    /// The cheapest runners-up, each with the colours and the light that fit it best: what looks much dearer with the colours of the
    /// answer may be nearly as good with its own.
    fn rivals(&self, best: &Standing) -> Vec<Standing> {
        let costs = self.measured.costs(&best.six, &best.light);
        let runners_up = self.puzzle(&costs).cheapest().runners_up();
        runners_up
            .into_iter()
            .take(RIVALS)
            .map(|colouring| self.with_its_own(colouring, best))
            .collect()
    }

    /// A colouring with colours and light refitted to it.
    fn with_its_own(&self, colouring: Colouring, from: &Standing) -> Standing {
        let colours = numbers(&colouring.colours);
        let cost = colouring.cost + from.light.penalty;
        let mut best = Standing {
            cost,
            home: self.home(&colouring),
            colouring,
            ..from.clone()
        };
        let (mut six, mut light) = (best.six, best.light.clone());
        for _ in 0..REFITS {
            (six, light) = self.measured.refit(&colours, &six, &light);
            let costs = self.measured.costs(&six, &light);
            let squares: i64 = costs
                .iter()
                .zip(&colours)
                .map(|(costs, &colour)| i64::from(costs[colour]))
                .sum();
            if squares + light.penalty < best.cost {
                best.cost = squares + light.penalty;
                best.colouring.cost = squares;
                best.six = six;
                best.light = light.clone();
            }
        }
        best
    }

    /// Colours and lights to start from, at least one: groups of equally many squares under two kinds of light, and the fixed centres.
    fn starts(&self) -> Vec<(Six, Light)> {
        let mut starts = Vec::new();
        for light in [Light::even(), self.measured.equal_sides()] {
            let mut groups: Vec<Six> = Vec::new();
            for seed in self.seeds() {
                let mut six = self.group(seed, &light);
                six.sort_by(|a, b| a[0].total_cmp(&b[0]));
                if !groups.contains(&six) {
                    groups.push(six);
                }
            }
            let mut named: Vec<Six> = groups.into_iter().map(|six| self.named(six, &light)).collect();
            named.extend(
                self.centres()
                    .map(|centres| centres.map(|i| self.measured.levels()[i].map(|v| v as f32))),
            );
            starts.extend(named.into_iter().map(|six| (six, light.clone())));
        }
        starts
    }

    /// The indices of the fixed centres by face, on odd N.
    fn centres(&self) -> Option<[usize; 6]> {
        let area = self.n * self.n;
        (self.n % 2 == 1).then(|| std::array::from_fn(|face| face * area + area / 2))
    }

    /// Six different colours to group squares around, several times: squares that are far from each other, beginning with one that is
    /// extreme in some way, and the usual colours.
    fn seeds(&self) -> Vec<Six> {
        let levels = self.measured.levels();
        let colour = |level: Level| level.map(|v| v as f32);
        let mut seeds = vec![USUAL.map(|rgb| colour(space::level(rgb)))];
        for [red, green, blue] in [[1, 1, 1], [-1, -1, -1], [1, -1, 0], [-1, 1, 0], [0, -1, 1], [1, 0, -1]] {
            let extreme = |l: &Level| red * l[0] + green * l[1] + blue * l[2];
            let mut chosen: Vec<Level> = levels.iter().copied().max_by_key(extreme).into_iter().collect();
            while chosen.len() < 6 {
                let nearest = |l: &Level| chosen.iter().map(|&c| space::distance(*l, c)).min();
                chosen.extend(levels.iter().copied().max_by_key(nearest));
            }
            seeds.push(std::array::from_fn(|i| colour(chosen[i])));
        }
        seeds
    }

    /// Six groups with equally many squares in every orbit, as compact as they get from these colours; pieces are left aside.
    fn group(&self, mut six: Six, light: &Light) -> Six {
        let mut before = Vec::new();
        for _ in 0..ROUNDS {
            let costs = self.measured.costs(&six, light);
            let mut colours = vec![0; costs.len()];
            for orbit in self.orbits {
                let squares: Vec<usize> = orbit.places.iter().flatten().map(|s| s.index(self.n)).collect();
                let of_squares: Vec<_> = squares.iter().map(|&i| costs[i]).collect();
                for (i, colour) in squares.into_iter().zip(counts::cheapest(&of_squares)) {
                    colours[i] = colour;
                }
            }
            six = self.measured.colours(&colours, light);
            if colours == before {
                break;
            }
            before = colours;
        }
        six
    }

    /// The colours in the order of [`Face::ALL`]: as the fixed centres say, else so that the legal colouring is cheapest.
    fn named(&self, six: Six, light: &Light) -> Six {
        if let Some(centres) = self.centres() {
            let costs = self.measured.costs(&six, light);
            let colours = counts::cheapest(&centres.map(|i| costs[i]));
            return std::array::from_fn(|face| six[colours[face]]);
        }
        let mut best = (i64::MAX, six);
        for scheme in schemes() {
            let named = scheme.map(|colour| six[colour]);
            let costs = self.measured.costs(&named, light);
            let puzzle = self.puzzle(&costs);
            if puzzle.corners_alone() < best.0 {
                let cost = puzzle.cheapest().colouring().cost;
                if cost < best.0 {
                    best = (cost, named);
                }
            }
        }
        best.1
    }
}
