//! Fits six colours and the light on each side to the squares. There are several starts. Each is improved in turns: colours and light fitted
//! to the cheapest legal colouring, then the colouring to them. The cheapest end wins; the cheapest other end is its rival.

mod starts;
#[cfg(feature = "photos")]
mod unbound;

#[cfg(feature = "photos")]
pub use unbound::Unbound;

use super::counts;
use super::legal::{Colouring, Puzzle};
use super::light::{Light, Measured, Six};
use super::names::{home, schemes};
use super::space::Curve;
use crate::cube::{Face, Orbit};
use crate::sure::{place_of, surely};

/// A margin below this is doubtful. Of 2,000 drawn cubes in hard light one in seven lies below and is photographed again; of those above
/// one was wrong. Real captures that are read right have 11 and more.
pub const SURE: f32 = 4.0;

/// The most rounds in which colours and colouring improve each other; four are mostly enough.
const ROUNDS: usize = 16;
/// How many rounds without improvement are allowed before a fit ends.
const PATIENCE: usize = 2;
/// How many runners-up are compared by their own colours, and how often those are refitted.
const RIVALS: usize = 4;
const REFITS: usize = 4;
/// How many times a rival that turns out to be cheaper may become the answer.
const CLIMBS: usize = 8;

/// The cost of a wrong colour on a known square: more than all squares of corners and midges together, or of an orbit of wings, when none
/// of them costs more than [`MOST`].
const DEAR: i32 = 1 << 24;
const MOST: i32 = 1 << 18;
/// Squares that cost more than this on average are no stickers. Drawn cubes that were read right, in all kinds of light, cost half of it at
/// most; most things in the background that were taken for a cube cost more.
const HOPELESS: i64 = 60_000;
/// How many starts are improved then: each takes a brick up to a second.
const FEW: usize = 2;
/// How many ways to lay the colours on the faces are improved when squares are known.
const SCHEMES: usize = 3;

/// How many times more doubtful squares are looked for.
const LISTED: usize = 24;
/// The factor by which these may be dearer, because they are compared by the answer's colours and not by their own.
const LIKE: i64 = 2;

/// The cheapest legal colouring, by square index, and its rival.
#[derive(Clone)]
pub struct Fit {
    /// The answer.
    pub best: Vec<Face>,
    /// The mean cost of the squares that are not known.
    pub mean: f32,
    /// How much the margin counts; less where shade is looked for, for shade explains much.
    trust: f32,
    /// The cost of all squares and of the light.
    pub total: i64,
    /// The cheapest other legal colouring that was found.
    pub rival: Option<Vec<Face>>,
    /// How much more the rival costs, with the colours and the light that fit it best; 0 without a rival.
    pub gap: i64,
    /// The mean cost, in the answer, of the squares where the rival differs.
    pub disputed: i64,
    /// If the answer is not sure: the squares, by index, where legal cubes differ that cost little more.
    pub doubted: Vec<usize>,
}

/// The part of a margin that counts where shade is looked for. Of 1,170 real sets in drawn light, most of them in shade, 16 were wrong
/// without a warning with the whole, and 5 with this part; 32 if no shade was looked for.
const TRUST: f32 = 0.5;

/// The weight of the disputed squares' mean cost in the margin, against that of all squares.
const DISPUTED: f32 = 0.4;

impl Fit {
    /// How much cheaper it is than its rival, in mean costs of a square.
    pub fn in_all_means(&self) -> f32 {
        self.gap as f32 / self.mean
    }

    /// The same, but where disputed squares hardly look like their colour, their own mean cost counts. A lamp may be reflected in them: then
    /// they may as well have the rival's colour, although all other squares fit well.
    pub fn in_means(&self) -> f32 {
        let own = (DISPUTED * self.disputed as f32).max(1.0);
        self.trust * self.in_all_means().min(self.gap as f32 / own)
    }

    /// The mean cost of a square and its light.
    pub fn cost(&self) -> f32 {
        self.total as f32 / self.best.len() as f32
    }
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
/// without them gives. Also begins with a colouring that was found before, if there is one.
///
/// # Errors
/// The number of the first known square that no legal cube has together with the ones before it.
pub fn fit(
    n: usize,
    orbits: &[Orbit],
    sides: &[Vec<[u8; 3]>; 6],
    curve: Curve,
    (known, before): (&[Known], Option<&[Face]>),
) -> Result<Fit, usize> {
    let mut cube = Cube::new(n, orbits, sides, curve);
    let mut starts = cube.starts();
    starts.extend(before.map(|colours| cube.fitted_to(&numbers(colours))));
    let free = cube.cheapest(starts);
    if known.is_empty() {
        return Ok(cube.fit(free));
    }
    if let Some(first) = (1..=known.len()).find(|&some| !possible(n, orbits, &known[..some])) {
        return Err(first - 1);
    }
    // From here on colours have the names of the free fit before it was brought home.
    let before = home(n, &free.best.colouring.colours).inverse();
    let before = |&(square, colour): &Known| (square, before.face(colour));
    let known: Vec<Known> = known.iter().map(before).collect();
    let (six, light) = (free.best.six, free.best.light);
    if n % 2 == 1 {
        cube.known = known;
        let mut starts = cube.starts();
        starts.push((six, light));
        let found = cube.cheapest(starts);
        return Ok(cube.fit(found));
    }
    // The free fit may have been wrong about which colours are opposite each other.
    let mut ways: Vec<(i64, [usize; 6])> = Vec::new();
    for scheme in schemes() {
        cube.known = renamed(&known, &scheme);
        ways.push((cube.stand(scheme.map(|colour| six[colour]), light.clone()).cost, scheme));
    }
    crate::order::by(&mut ways, PartialOrd::lt);
    let fits = ways.into_iter().take(SCHEMES).map(|(_, scheme)| {
        cube.known = renamed(&known, &scheme);
        cube.cheapest(vec![(scheme.map(|colour| six[colour]), light.clone())])
    });
    let mut fits: Vec<Found> = fits.collect();
    // There are three.
    let cheapest = surely((0..fits.len()).min_by_key(|&i| fits[i].best.cost));
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
    let face = |colour: Face| Face::ALL[place_of(scheme, &(colour as usize))];
    known.iter().map(|&(square, colour)| (square, face(colour))).collect()
}

/// The cheapest of several ends, and other places where one can stand.
struct Found {
    best: Standing,
    others: Vec<Standing>,
}

/// A cube to be coloured.
pub struct Cube<'a> {
    n: usize,
    orbits: &'a [Orbit],
    measured: Measured,
    /// How much a margin counts.
    trust: f32,
    /// Squares that have these colours, whatever they look like.
    known: Vec<Known>,
}

/// Every other colour is dear.
fn make_certain(costs: &mut counts::Costs, colour: Face) {
    for face in Face::ALL.into_iter().filter(|&face| face != colour) {
        costs[face as usize] = DEAR;
    }
}

fn numbers(colours: &[Face]) -> Vec<usize> {
    colours.iter().map(|&c| c as usize).collect()
}

impl<'a> Cube<'a> {
    /// Measured in the given curve; no square is known.
    pub fn new(n: usize, orbits: &'a [Orbit], sides: &[Vec<[u8; 3]>; 6], curve: Curve) -> Cube<'a> {
        Cube {
            n,
            orbits,
            measured: Measured::new(n, sides, curve),
            trust: if curve == Curve::Shaded { TRUST } else { 1.0 },
            known: Vec::new(),
        }
    }

    fn puzzle<'c>(&'c self, costs: &'c [counts::Costs]) -> Puzzle<'c> {
        Puzzle {
            n: self.n,
            orbits: self.orbits,
            costs,
        }
    }

    /// The costs; on known squares every other colour is dear.
    fn costs(&self, six: &Six, light: &Light) -> Vec<counts::Costs> {
        let mut costs = self.measured.costs(six, light);
        if !self.known.is_empty() {
            costs.iter_mut().flatten().for_each(|cost| *cost = (*cost).min(MOST));
        }
        for &(square, colour) in &self.known {
            make_certain(&mut costs[square], colour);
        }
        costs
    }

    /// The colours and the light that fit a colouring best.
    fn fitted_to(&self, colours: &[usize]) -> (Six, Light) {
        let light = self.measured.even();
        let mut found = (self.measured.colours(colours, &light), light);
        for _ in 0..REFITS {
            found = self.measured.refit(colours, &found.0, &found.1);
        }
        found
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
        let cheapest = surely((0..ends.len()).min_by_key(|&i| ends[i].cost));
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
        let others: Vec<Standing> = others.into_iter().filter(|other| other.home != best.home).collect();
        let rival = others.iter().min_by_key(|other| other.cost);
        let costs = self.measured.costs(&best.six, &best.light);
        let cost = |&i: &usize| i64::from(costs[i][best.colouring.colours[i] as usize]);
        let mean_of = |squares: &[usize]| squares.iter().map(cost).sum::<i64>() / squares.len().max(1) as i64;
        let differing =
            |other: &Standing| -> Vec<usize> { (0..costs.len()).filter(|&i| other.home[i] != best.home[i]).collect() };
        let unknown: Vec<usize> = (0..costs.len())
            .filter(|i| self.known.iter().all(|k| k.0 != *i))
            .collect();
        let sum: i64 = unknown.iter().map(cost).sum();
        let mut fit = Fit {
            trust: self.trust,
            mean: (sum as f32 / unknown.len().max(1) as f32).max(1.0),
            total: best.cost,
            gap: rival.map_or(0, |rival| (rival.cost - best.cost).max(0)),
            disputed: rival.map_or(0, |rival| mean_of(&differing(rival))),
            rival: rival.map(|rival| rival.home.clone()),
            best: best.home.clone(),
            doubted: Vec::new(),
        };
        if fit.in_means() < SURE {
            let near = (SURE / self.trust * fit.mean.max(DISPUTED * fit.disputed as f32)) as i64;
            fit.doubted = self.doubted(&best, LIKE * near);
            for other in others.iter().filter(|other| other.cost - best.cost < near) {
                fit.doubted.extend(differing(other));
            }
        }
        fit
    }

    /// The squares that have another colour in a legal cube that costs less than `more` above the best. Finds those of the cheapest such
    /// cubes, then takes these squares for certain and looks for the cheapest cubes that are left, and so on.
    fn doubted(&self, best: &Standing, more: i64) -> Vec<usize> {
        let mut costs = self.costs(&best.six, &best.light);
        let colours = &best.colouring.colours;
        let mut found: Vec<usize> = Vec::new();
        for _ in 0..LISTED {
            let cheapest = self.puzzle(&costs).cheapest();
            let limit = cheapest.colouring().cost + more;
            let others = cheapest.runners_up().into_iter().filter(|other| other.cost < limit);
            let mut next: Vec<usize> = others
                .flat_map(|other| {
                    (0..colours.len())
                        .filter(move |&i| other.colours[i] != colours[i])
                        .collect::<Vec<_>>()
                })
                .filter(|i| !found.contains(i))
                .collect();
            if next.is_empty() {
                break;
            }
            next.iter().for_each(|&i| make_certain(&mut costs[i], colours[i]));
            found.append(&mut next);
        }
        found
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

    /// The cheapest runners-up, each with the colours and the light that fit it best: with these it may be nearly as good as the answer,
    /// although it looks much dearer with the answer's colours.
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
}

#[cfg(test)]
mod tests;
