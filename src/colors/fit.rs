//! Six colours and the light on each side that fit the squares: several starts, each improved by turns with the legal colouring that it
//! leads to; the cheapest wins, and the cheapest other outcome is its rival.

use super::counts;
use super::legal::{Colouring, Puzzle};
use super::light::{Light, Measured, Six};
use super::names::{USUAL, home, schemes};
use super::space::{self, Curve, Level};
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

/// What a colour costs on a square that is known to have another one: more than all squares of corners and midges, or of an orbit of
/// wings, together when none of them costs more than [`MOST`].
const DEAR: i32 = 1 << 24;
const MOST: i32 = 1 << 18;
/// Where squares cost more than this on average they are no stickers: of drawn cubes in all kinds of light those that were read right had
/// half of it at most, and most of what was taken for a cube in the background more. Then only so many starts are improved: each takes a
/// brick up to a second.
const HOPELESS: i64 = 60_000;
const FEW: usize = 2;
/// How many ways to lay the colours on the faces are improved when squares are known.
const SCHEMES: usize = 3;

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
    /// What those squares cost on average in the answer that the rival has otherwise.
    pub disputed: i64,
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

/// A square index and the colour that is known to be there.
pub type Known = (usize, Face);

/// Fits colours to the squares of a cube (sRGB of six sides, each in one or more pictures). Known colours have the names that the fit
/// without them gives.
///
/// # Errors
/// The number of the first known square that no legal cube has together with the ones before it.
pub fn fit(n: usize, orbits: &[Orbit], sides: &[Vec<[u8; 3]>; 6], curve: Curve, known: &[Known]) -> Result<Fit, usize> {
    let mut cube = Cube {
        n,
        orbits,
        measured: Measured::new(n, sides, curve),
        known: Vec::new(),
    };
    let free = cube.cheapest(cube.starts());
    if known.is_empty() {
        return Ok(cube.fit(free));
    }
    if let Some(first) = (1..=known.len()).find(|&some| !possible(n, orbits, &known[..some])) {
        return Err(first - 1);
    }
    // From here on colours have the names of the free fit before it was brought home.
    let home = home(n, &free.best.colouring.colours);
    let before = |&(square, colour): &Known| {
        let face = Face::ALL.into_iter().find(|&face| home.face(face) == colour);
        (square, face.unwrap_or(colour))
    };
    let known: Vec<Known> = known.iter().map(before).collect();
    let (six, light) = (free.best.six, free.best.light);
    if n % 2 == 1 {
        cube.known = known;
        let mut starts = cube.starts();
        starts.push((six, light));
        let found = cube.cheapest(starts);
        return Ok(cube.fit(found));
    }
    // Which colours are opposite each other may be what was wrong.
    let mut ways: Vec<(i64, [usize; 6])> = Vec::new();
    for scheme in schemes() {
        cube.known = renamed(&known, &scheme);
        ways.push((cube.stand(scheme.map(|colour| six[colour]), light.clone()).cost, scheme));
    }
    ways.sort();
    let fits = ways.into_iter().take(SCHEMES).map(|(_, scheme)| {
        cube.known = renamed(&known, &scheme);
        cube.cheapest(vec![(scheme.map(|colour| six[colour]), light.clone())])
    });
    let mut fits: Vec<Found> = fits.collect();
    // There are three.
    let cheapest = (0..fits.len()).min_by_key(|&i| fits[i].best.cost).unwrap_or(0);
    let mut found = fits.swap_remove(cheapest);
    found.others.extend(fits.into_iter().map(|fit| fit.best));
    Ok(cube.fit(found))
}

/// Whether a legal cube has all these colours; those of an even cube may be laid on its faces in any way.
pub fn possible(n: usize, orbits: &[Orbit], known: &[Known]) -> bool {
    let fits = |known: &[Known]| {
        let mut costs = vec![[0; 6]; 6 * n * n];
        for &(square, colour) in known {
            for face in Face::ALL {
                costs[square][face as usize] += i32::from(face != colour);
            }
        }
        let costs = &costs;
        Puzzle { n, orbits, costs }.cheapest().colouring().cost == 0
    };
    if n % 2 == 1 {
        return fits(known);
    }
    schemes().iter().any(|scheme| fits(&renamed(known, scheme)))
}

/// The names of known colours when the colours are laid on the faces in another way: by face the number of the colour there.
fn renamed(known: &[Known], scheme: &[usize; 6]) -> Vec<Known> {
    let face = |colour: Face| {
        Face::ALL
            .into_iter()
            .find(|&face| scheme[face as usize] == colour as usize)
    };
    known
        .iter()
        .map(|&(square, colour)| (square, face(colour).unwrap_or(colour)))
        .collect()
}

/// The cheapest of several ends, and other places where one can stand.
struct Found {
    best: Standing,
    others: Vec<Standing>,
}

/// A cube to be coloured.
struct Cube<'a> {
    n: usize,
    orbits: &'a [Orbit],
    measured: Measured,
    /// Squares that have these colours, whatever they look like.
    known: Vec<Known>,
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

    /// The costs with known squares: what they do not have is dear.
    fn costs(&self, six: &Six, light: &Light) -> Vec<counts::Costs> {
        let mut costs = self.measured.costs(six, light);
        if !self.known.is_empty() {
            costs.iter_mut().flatten().for_each(|cost| *cost = (*cost).min(MOST));
        }
        for &(square, colour) in &self.known {
            for face in Face::ALL.into_iter().filter(|&face| face != colour) {
                costs[square][face as usize] = DEAR;
            }
        }
        costs
    }

    /// The best end from several starts, at least one.
    fn cheapest(&self, starts: Vec<(Six, Light)>) -> Found {
        let mut ends: Vec<Standing> = Vec::new();
        for (six, light) in starts {
            let start = self.stand(six, light);
            // Most starts agree at once.
            if ends.iter().all(|end| end.home != start.home) {
                ends.push(self.improve(start));
            }
            if ends.len() == FEW && ends.iter().all(|end| self.is_hopeless(end)) {
                break;
            }
        }
        let cheapest = (0..ends.len()).min_by_key(|&i| ends[i].cost).unwrap_or(0);
        let mut best = ends.swap_remove(cheapest);
        let mut rivals = self.rivals(&best);
        for _ in 0..CLIMBS {
            let Some(cheaper) = rivals.iter().find(|rival| rival.cost < best.cost) else {
                break;
            };
            let next = self.improve(self.stand(cheaper.six, cheaper.light.clone()));
            ends.push(std::mem::replace(&mut best, next));
            rivals = self.rivals(&best);
        }
        rivals.append(&mut ends);
        Found { best, others: rivals }
    }

    /// The best end and its cheapest rival.
    fn fit(&self, Found { best, others }: Found) -> Fit {
        let others = others.into_iter().filter(|other| other.home != best.home);
        let rival = others.min_by_key(|other| other.cost);
        let costs = self.measured.costs(&best.six, &best.light);
        let differs = |i: &usize| rival.as_ref().is_some_and(|rival| rival.home[*i] != best.home[*i]);
        let disputed: Vec<usize> = (0..costs.len()).filter(differs).collect();
        let cost = |&i: &usize| i64::from(costs[i][best.colouring.colours[i] as usize]);
        Fit {
            gap: rival.as_ref().map_or(0, |rival| (rival.cost - best.cost).max(0)),
            disputed: disputed.iter().map(cost).sum::<i64>() / disputed.len().max(1) as i64,
            rival: rival.map(|rival| rival.home),
            cost: best.colouring.cost,
            best: best.home,
        }
    }

    fn is_hopeless(&self, end: &Standing) -> bool {
        end.colouring.cost > HOPELESS * end.home.len() as i64
    }

    fn stand(&self, six: Six, light: Light) -> Standing {
        let costs = self.costs(&six, &light);
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
        let home = home(self.n, &colouring.colours);
        colouring.colours.iter().map(|&colour| home.face(colour)).collect()
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
        let costs = self.costs(&best.six, &best.light);
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
            let costs = self.costs(&six, &light);
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
        for light in [self.measured.even(), self.measured.equal_sides()] {
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
                    .map(|centres| centres.map(|i| self.measured.level(i).map(|v| v as f32))),
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
