//! The cheapest legal colouring of a cube when the cost of each colour on each square is known, and the cheapest other one.

use super::counts::{self, Costs};
use super::matching;
use super::turned::{self, Arrangement};
use crate::cube::{CORNERS, Face, MIDGES, Orbit, OrbitKind, Square};

/// A colouring and its cost.
#[derive(Debug, Clone)]
pub struct Colouring {
    /// The sum of the costs of all squares.
    pub cost: i64,
    /// By square index.
    pub colours: Vec<Face>,
}

/// A cube of known size whose squares have costs.
#[derive(Clone, Copy)]
pub struct Puzzle<'a> {
    /// N.
    pub n: usize,
    /// Its orbits.
    pub orbits: &'a [Orbit],
    /// By square index and then colour, in the order of [`Face::ALL`]; each at most 2²³.
    pub costs: &'a [Costs],
}

/// What is in the places of an orbit, as the modules that solve each kind number it.
#[derive(Clone)]
enum Found {
    /// The colours at home.
    Fixed,
    Centres(Vec<usize>),
    Wings(Vec<usize>),
    /// The best even and the best odd arrangement.
    Corners([Arrangement; 2]),
    /// The same.
    Midges([Arrangement; 2]),
}

/// A legal cube: what each orbit holds, and which parity its corners and midges have.
#[derive(Clone)]
pub struct Solved<'a> {
    puzzle: Puzzle<'a>,
    found: Vec<Found>,
    parity: usize,
}

/// The 24 wings by their colours: every ordered pair of neighbouring faces once.
fn wings() -> Vec<[Face; 2]> {
    let pairs = Face::ALL.into_iter().flat_map(|a| Face::ALL.map(|b| [a, b]));
    pairs.filter(|[a, b]| a.axis() != b.axis()).collect()
}

/// The places of an orbit in the order of the pieces that are at home there.
fn in_order<'o, const K: usize>(orbit: &'o Orbit, named: &[[Face; K]]) -> Vec<&'o Vec<Square>> {
    let home = |piece: &[Face; K]| orbit.places.iter().find(|p| p.iter().all(|s| piece.contains(&s.face)));
    named.iter().filter_map(home).collect()
}

impl<'a> Puzzle<'a> {
    fn cost(&self, square: Square, colour: Face) -> i32 {
        self.costs[square.index(self.n)][colour as usize]
    }

    fn centre_costs(&self, orbit: &Orbit) -> Vec<Costs> {
        orbit.places.iter().map(|p| self.costs[p[0].index(self.n)]).collect()
    }

    fn wing_costs(&self, orbit: &Orbit) -> Vec<Vec<i32>> {
        let wings = wings();
        let cost = |place: &[Square], [a, b]: [Face; 2]| self.cost(place[0], a) + self.cost(place[1], b);
        let row = |place: &Vec<Square>| wings.iter().map(|&wing| cost(place, wing)).collect();
        orbit.places.iter().map(row).collect()
    }

    fn turned_costs<const K: usize>(&self, orbit: &Orbit, named: &[[Face; K]]) -> turned::Costs<K> {
        let cost = |place: &[Square], piece: &[Face; K], turn: usize| -> i32 {
            (0..K).map(|i| self.cost(place[(i + turn) % K], piece[i])).sum()
        };
        let turns = |place: &[Square], piece: &[Face; K]| std::array::from_fn(|turn| cost(place, piece, turn));
        let row = |place: &Vec<Square>| named.iter().map(|piece| turns(place, piece)).collect();
        in_order(orbit, named).into_iter().map(row).collect()
    }

    fn solve_orbit(&self, orbit: &Orbit) -> Found {
        match orbit.kind {
            OrbitKind::FixedCentre => Found::Fixed,
            OrbitKind::Corner => Found::Corners(turned::cheapest(&self.turned_costs(orbit, &CORNERS))),
            OrbitKind::Midge => Found::Midges(turned::cheapest(&self.turned_costs(orbit, &MIDGES))),
            OrbitKind::Wing { .. } => Found::Wings(matching::cheapest(&self.wing_costs(orbit))),
            _ => Found::Centres(counts::cheapest(&self.centre_costs(orbit))),
        }
    }

    /// The cheapest legal cube; exact, since orbits bind each other only by the parity of corners and midges.
    pub fn cheapest(self) -> Solved<'a> {
        let found: Vec<Found> = self.orbits.iter().map(|orbit| self.solve_orbit(orbit)).collect();
        let cost = |parity: usize| -> i32 {
            let of = |f: &Found| match f {
                Found::Corners(both) | Found::Midges(both) => both[parity].cost,
                _ => 0,
            };
            found.iter().map(of).sum()
        };
        let parity = usize::from(cost(1) < cost(0));
        Solved {
            puzzle: self,
            found,
            parity,
        }
    }

    /// The cost of the corners alone: no legal cube is cheaper.
    pub fn corners_alone(self) -> i64 {
        let corners = self.orbits.iter().find(|o| o.kind == OrbitKind::Corner);
        let both = corners.map(|orbit| turned::cheapest(&self.turned_costs(orbit, &CORNERS)));
        both.map_or(0, |both| both.iter().map(|a| i64::from(a.cost)).min().unwrap_or(0))
    }
}

impl Solved<'_> {
    /// Its colours.
    pub fn colouring(&self) -> Colouring {
        let Puzzle { n, orbits, costs } = self.puzzle;
        let mut colours: Vec<Face> = Square::all(n).map(|s| s.face).collect();
        for (orbit, found) in orbits.iter().zip(&self.found) {
            match found {
                Found::Fixed => {}
                Found::Centres(found) => {
                    for (place, &colour) in orbit.places.iter().zip(found) {
                        colours[place[0].index(n)] = Face::ALL[colour];
                    }
                }
                Found::Wings(found) => {
                    let wings = wings();
                    for (place, &wing) in orbit.places.iter().zip(found) {
                        for (square, colour) in place.iter().zip(wings[wing]) {
                            colours[square.index(n)] = colour;
                        }
                    }
                }
                Found::Corners(both) => paint(n, orbit, &CORNERS, &both[self.parity], &mut colours),
                Found::Midges(both) => paint(n, orbit, &MIDGES, &both[self.parity], &mut colours),
            }
        }
        let cost = costs
            .iter()
            .zip(&colours)
            .map(|(c, &colour)| i64::from(c[colour as usize]))
            .sum();
        Colouring { cost, colours }
    }

    /// The colours of the cheapest legal cube that is not this one.
    pub fn runner_up(&self) -> Colouring {
        let other_parity = Solved {
            parity: 1 - self.parity,
            ..self.clone()
        };
        let mut best = other_parity.colouring();
        for (i, orbit) in self.puzzle.orbits.iter().enumerate() {
            let Some(found) = self.other_in(orbit, &self.found[i]) else {
                continue;
            };
            let mut other = self.clone();
            other.found[i] = found;
            let other = other.colouring();
            if other.cost < best.cost {
                best = other;
            }
        }
        best
    }

    /// The second best in one orbit, of the same parity.
    fn other_in(&self, orbit: &Orbit, found: &Found) -> Option<Found> {
        let (puzzle, p) = (self.puzzle, self.parity);
        Some(match found {
            Found::Fixed => return None,
            Found::Centres(best) => Found::Centres(counts::runner_up(&puzzle.centre_costs(orbit), best)),
            Found::Wings(best) => Found::Wings(matching::runner_up(&puzzle.wing_costs(orbit), best)),
            Found::Corners(both) => {
                let other = turned::runner_up(&puzzle.turned_costs(orbit, &CORNERS), &both[p], p);
                Found::Corners([other.clone(), other])
            }
            Found::Midges(both) => {
                let other = turned::runner_up(&puzzle.turned_costs(orbit, &MIDGES), &both[p], p);
                Found::Midges([other.clone(), other])
            }
        })
    }
}

fn paint<const K: usize>(n: usize, orbit: &Orbit, named: &[[Face; K]], arrangement: &Arrangement, to: &mut [Face]) {
    for (place, &(piece, turn)) in in_order(orbit, named).into_iter().zip(&arrangement.pieces) {
        for (i, &colour) in named[piece].iter().enumerate() {
            to[place[(i + turn) % K].index(n)] = colour;
        }
    }
}
