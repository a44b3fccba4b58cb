//! Puts six pictures together, in any order and turned in any way, so that a cube can look so.
//!
//! There are 122,880 ways to put six squares of paper on the faces of a cube, and 30 ways to lay six colours on its faces. Faces are
//! covered one after the other. Wherever two or three meet, the squares there cost at least what the cheapest piece would that a cube has
//! at all, whether elsewhere or not; a way that costs too much already is not followed. For the few that are left the cheapest legal cube
//! is found as everywhere else ([`Puzzle`]).

use super::arrangement::{Arrangement, Placed};
use super::counts;
use super::fit::Unbound;
use super::legal::Puzzle;
use super::names::{canonical, is_usual, schemes};
use crate::cube::{CORNERS, Face, Lie, Orbit, OrbitKind, Square, State};

/// A cube that six pictures may show.
#[derive(Debug, Clone)]
pub struct Way {
    /// How its pictures lie, however the cube is held.
    pub arrangement: Arrangement,
    /// How much more its squares cost than each by itself.
    pub cost: i64,
    /// The same for equal cubes.
    cube: State,
}

/// What was found.
#[derive(Debug)]
pub struct Ways {
    /// Different cubes, the cheapest first; none that costs much more.
    pub ways: Vec<Way>,
    /// Whether no others were left out.
    pub is_whole: bool,
    /// By picture and square in it: how much more each colour costs than the cheapest one.
    pub extra: Vec<counts::Costs>,
}

/// In which order faces are covered: early ones meet each other.
const ORDER: [Face; 6] = [Face::U, Face::F, Face::R, Face::L, Face::D, Face::B];
/// The first limit, in mean costs of a square, and the factor by which it grows while nothing is found.
const FIRST: f32 = 16.0;
const GROWS: i64 = 8;
/// How many pictures are laid down, and how many legal cubes are looked for, before the search ends: a second's work.
const STEPS: usize = 3_000_000;
const LEGAL: usize = 3000;
/// With so many different cubes that are about as cheap, looking for more is of no use.
const MANY: usize = 24;

/// A picture in its place: its number, and by how many quarter turns it lies.
type Laid = (usize, u8);

/// The pieces of a scheme: colours by number that follow each other.
struct Laws {
    /// The colour on each face.
    scheme: [usize; 6],
    /// What is added to all costs.
    dearer: i64,
    /// The corners, each beginning with each of its colours.
    corners: Vec<[usize; 3]>,
    /// Which four colours lie beside each.
    beside: [[usize; 4]; 6],
}

impl Laws {
    fn of(scheme: [usize; 6], dearer: i64) -> Laws {
        let turned =
            |corner: [Face; 3]| [0, 1, 2].map(|turn| [0, 1, 2].map(|i| scheme[corner[(i + turn) % 3] as usize]));
        let mut beside = [[0; 4]; 6];
        for face in Face::ALL {
            let others = Face::ALL.into_iter().filter(|other| other.axis() != face.axis());
            for (to, other) in beside[scheme[face as usize]].iter_mut().zip(others) {
                *to = scheme[other as usize];
            }
        }
        Laws {
            scheme,
            dearer,
            corners: CORNERS.into_iter().flat_map(turned).collect(),
            beside,
        }
    }

    /// The least that a piece can cost on squares with these costs.
    fn least(&self, squares: &[&counts::Costs]) -> i64 {
        let least = match squares {
            [a, b, c] => self.corners.iter().map(|&[x, y, z]| a[x] + b[y] + c[z]).min(),
            [a, b] => {
                let with = |(x, beside): (usize, &[usize; 4])| Some(a[x] + beside.iter().map(|&y| b[y]).min()?);
                self.beside.iter().enumerate().filter_map(with).min()
            }
            _ => None,
        };
        i64::from(least.unwrap_or(0))
    }
}

/// The search.
pub struct Placing<'a> {
    n: usize,
    orbits: &'a [Orbit],
    /// By picture and square in it: how much more each colour costs than the cheapest one.
    extra: Vec<counts::Costs>,
    /// Which square of a picture comes to lie on each square of a face, by quarter turns.
    turned: [Vec<usize>; 4],
    /// The places of the pieces that are whole when the face in the order is covered.
    whole: [Vec<&'a [Square]>; 6],
    /// Turns that make a picture look otherwise.
    turns: [Vec<u8>; 6],
    /// What moving centres cost at least, wherever their pictures lie.
    centres: i64,
    /// What is cheaper than this is still looked for.
    limit: i64,
    /// What may be dearer than the cheapest way.
    slack: i64,
    found: Vec<Way>,
    steps: usize,
    legal: usize,
}

impl<'a> Placing<'a> {
    /// For pictures whose squares cost so much by themselves.
    pub fn new(n: usize, orbits: &'a [Orbit], unbound: &Unbound) -> Placing<'a> {
        let extra = |costs: &counts::Costs| {
            let least = costs.iter().copied().min().unwrap_or(0);
            costs.map(|cost| cost - least)
        };
        let extra: Vec<counts::Costs> = unbound.costs.iter().map(extra).collect();
        let turned = [0, 1, 2, 3].map(|turn| Lie::turned(turn).upright(n, &(0..n * n).collect::<Vec<_>>()));
        let depth = |square: &Square| ORDER.iter().position(|face| *face == square.face);
        let mut whole: [Vec<&[Square]>; 6] = std::array::from_fn(|_| Vec::new());
        let mut centres = 0;
        for orbit in orbits {
            match orbit.kind {
                OrbitKind::Corner | OrbitKind::Midge | OrbitKind::Wing { .. } => {
                    for place in &orbit.places {
                        whole[place.iter().filter_map(depth).max().unwrap_or(0)].push(place);
                    }
                }
                OrbitKind::FixedCentre => {}
                _ => {
                    let costs: Vec<_> = orbit.places.iter().map(|place| extra[place[0].index(n)]).collect();
                    let colours = counts::cheapest(&costs);
                    centres += costs.iter().zip(colours).map(|(c, k)| i64::from(c[k])).sum::<i64>();
                }
            }
        }
        // Three squares rule out more than two.
        for places in &mut whole {
            crate::order::by_key(places, |place| std::cmp::Reverse(place.len()));
        }
        let turns = std::array::from_fn(|picture| {
            let look = |turn: u8| -> Vec<usize> {
                let squares = turned[usize::from(turn)].iter();
                squares.map(|&i| unbound.colours[picture * n * n + i]).collect()
            };
            (0..4)
                .filter(|&turn| (0..turn).all(|other| look(other) != look(turn)))
                .collect()
        });
        Placing {
            n,
            orbits,
            extra,
            turned,
            whole,
            turns,
            centres,
            limit: 0,
            slack: 0,
            found: Vec::new(),
            steps: 0,
            legal: 0,
        }
    }

    /// Finds the cheapest ways, and those that are dearer by at most so many `mean` costs of a square. Schemes that are not those of nearly
    /// all cubes, judged by these sRGB colours, are dearer by `unusual`.
    pub fn ways(mut self, palette: &[[u8; 3]; 6], mean: f32, slack: f32, unusual: f32) -> Ways {
        let is_whole = self.search(palette, mean, slack, unusual);
        crate::order::by_key(&mut self.found, |way| way.cost);
        Ways {
            ways: self.found,
            is_whole,
            extra: self.extra,
        }
    }

    /// Finds them in any order, and says whether none was left out.
    fn search(&mut self, palette: &[[u8; 3]; 6], mean: f32, slack: f32, unusual: f32) -> bool {
        let fixed = self.fixed();
        let mut schemes: Vec<(i64, [usize; 6])> = schemes()
            .into_iter()
            .map(|scheme| {
                let is_usual = is_usual(&scheme.map(|colour| palette[colour]));
                (if is_usual { 0 } else { (unusual * mean) as i64 }, scheme)
            })
            .collect();
        crate::order::by_key(&mut schemes, |scheme| scheme.0);
        self.slack = (slack * mean) as i64 + 1;
        let mut limit = self.centres + (FIRST * mean) as i64 + 1;
        loop {
            self.limit = limit;
            for (owners, cost) in &fixed {
                for &(dearer, scheme) in &schemes {
                    let domain = |face: Face| owners.map(|owners| owners[scheme[face as usize]]);
                    let laws = Laws::of(scheme, dearer);
                    let least = self.centres + cost + dearer;
                    self.cover(&laws, &Face::ALL.map(domain), least, &mut [None; 6], 0);
                }
            }
            let is_whole = !self.is_over();
            let cheapest = self.found.iter().map(|way| way.cost).min();
            let next = cheapest.map_or(limit.saturating_mul(GROWS), |cost| cost + self.slack);
            if !is_whole || next <= limit {
                return is_whole;
            }
            limit = next;
        }
    }

    /// By colour which picture has it in its fixed centre, and what that costs; the cheapest first. On even N no picture is tied to a
    /// colour.
    fn fixed(&self) -> Vec<(Option<[usize; 6]>, i64)> {
        if self.n.is_multiple_of(2) {
            return vec![(None, 0)];
        }
        let area = self.n * self.n;
        let cost = |picture: usize, colour: usize| i64::from(self.extra[picture * area + area / 2][colour]);
        let mut all: Vec<(Vec<usize>, i64)> = vec![(Vec::new(), 0)];
        for colour in 0..6 {
            let longer = |(owners, before): &(Vec<usize>, i64)| -> Vec<(Vec<usize>, i64)> {
                (0..6)
                    .filter(|picture| !owners.contains(picture))
                    .map(|picture| ([&owners[..], &[picture]].concat(), before + cost(picture, colour)))
                    .collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        crate::order::by_key(&mut all, |owners| owners.1);
        all.into_iter()
            .map(|(owners, cost)| (Some(std::array::from_fn(|i| owners[i])), cost))
            .collect()
    }

    fn is_over(&self) -> bool {
        self.steps >= STEPS || self.legal >= LEGAL || self.found.len() >= MANY
    }

    /// Covers the next face, which may have one picture only or any, where all so far cost so much at least.
    fn cover(
        &mut self,
        laws: &Laws,
        domain: &[Option<usize>; 6],
        cost: i64,
        laid: &mut [Option<Laid>; 6],
        depth: usize,
    ) {
        if cost >= self.limit || self.is_over() {
            return;
        }
        let Some(&face) = ORDER.get(depth) else {
            return self.settle(laws, laid);
        };
        for picture in 0..6 {
            let is_free = laid.iter().flatten().all(|(other, _)| *other != picture);
            // Where no centre says how the cube is held, the first picture does.
            let fits = match domain[face as usize] {
                Some(only) => only == picture,
                None => depth > 0 || picture == 0,
            };
            if !is_free || !fits {
                continue;
            }
            let is_held = depth == 0 && domain[face as usize].is_none();
            let turns = if is_held { 1 } else { self.turns[picture].len() };
            for number in 0..turns {
                let turn = self.turns[picture][number];
                self.steps += 1;
                laid[face as usize] = Some((picture, turn));
                let cost = self.joined(laws, laid, depth, cost);
                self.cover(laws, domain, cost, laid, depth + 1);
                laid[face as usize] = None;
            }
        }
    }

    /// What all so far cost at least with the pieces that became whole, given what they cost without these. Not counted on from the limit.
    fn joined(&self, laws: &Laws, laid: &[Option<Laid>; 6], depth: usize, before: i64) -> i64 {
        let mut sum = before;
        for place in &self.whole[depth] {
            let none = &[0; 6];
            let cost = |square: &Square| self.square(laid, *square).map_or(none, |i| &self.extra[i]);
            sum += match place {
                [a, b] => laws.least(&[cost(a), cost(b)]),
                [a, b, c] => laws.least(&[cost(a), cost(b), cost(c)]),
                _ => 0,
            };
            if sum >= self.limit {
                break;
            }
        }
        sum
    }

    /// The square of a picture that lies on a square of the cube.
    fn square(&self, laid: &[Option<Laid>; 6], square: Square) -> Option<usize> {
        let (picture, turn) = laid[square.face as usize]?;
        let at = self.turned[usize::from(turn)][usize::from(square.number) - 1];
        Some(picture * self.n * self.n + at)
    }

    /// All faces are covered: finds the cheapest legal cube.
    fn settle(&mut self, laws: &Laws, laid: &[Option<Laid>; 6]) {
        self.legal += 1;
        let n = self.n;
        let costs: Vec<counts::Costs> = Square::all(n)
            .filter_map(|square| self.square(laid, square))
            .map(|i| laws.scheme.map(|colour| self.extra[i][colour]))
            .collect();
        let puzzle = Puzzle {
            n,
            orbits: self.orbits,
            costs: &costs,
        };
        if puzzle.at_least_below(self.limit - laws.dearer - self.centres).is_none() {
            return;
        }
        let colouring = puzzle.cheapest().colouring();
        let cost = colouring.cost + laws.dearer;
        if cost >= self.limit {
            return;
        }
        self.limit = self.limit.min(cost + self.slack);
        let place = |laid: Option<Laid>| {
            let (picture, turn) = laid.unwrap_or((0, 0));
            Placed {
                picture: Face::ALL[picture],
                lie: Lie::turned(turn),
            }
        };
        let way = Way {
            arrangement: Arrangement { sides: laid.map(place) },
            cost,
            cube: canonical(&State::from_fn(n, |square| colouring.colours[square.index(n)])),
        };
        match self.found.iter_mut().find(|other| other.cube == way.cube) {
            Some(other) if other.cost <= cost => {}
            Some(other) => *other = way,
            None => self.found.push(way),
        }
        let limit = self.limit;
        self.found.retain(|way| way.cost < limit);
    }
}

#[cfg(test)]
mod tests;
