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
    /// By square index and then colour, in the order of [`Face::ALL`]; each at most 2²⁴.
    pub costs: &'a [Costs],
}

/// What is in the places of an orbit, as the modules that solve each kind number it.
#[derive(Clone)]
enum Found {
    /// The colours at home.
    Fixed,
    Centres(Vec<usize>),
    Wings(Vec<usize>),
    Corners(Arrangement),
    Midges(Arrangement),
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

    fn corner_costs(&self, orbit: &Orbit) -> turned::Costs<3> {
        self.turned_costs(orbit, &CORNERS)
    }

    fn midge_costs(&self, orbit: &Orbit) -> turned::Costs<2> {
        self.turned_costs(orbit, &MIDGES)
    }

    fn orbit(&self, kind: OrbitKind) -> Option<&'a Orbit> {
        self.orbits.iter().find(|orbit| orbit.kind == kind)
    }

    /// The cheapest corners and midges whose parities agree, and that parity. An even cube has no midges, and either parity will do.
    fn corners_and_midges(&self) -> (Option<Arrangement>, Option<Arrangement>, usize) {
        let Some(corners) = self.orbit(OrbitKind::Corner) else {
            return (None, None, 0);
        };
        let [[even], [odd]] = turned::cheapest(&self.corner_costs(corners));
        let corners = [even, odd];
        let better = usize::from(corners[1].cost < corners[0].cost);
        let [even, odd] = corners;
        let pick = |parity: usize| Some(if parity == 0 { even.clone() } else { odd.clone() });
        let Some(midges) = self.orbit(OrbitKind::Midge) else {
            return (pick(better), None, better);
        };
        let costs = self.midge_costs(midges);
        match turned::unbound(&costs) {
            Some((midges, parity)) if parity == better => (pick(parity), Some(midges), parity),
            _ => {
                let [[even_midges], [odd_midges]] = turned::cheapest(&costs);
                if odd.cost + odd_midges.cost < even.cost + even_midges.cost {
                    (pick(1), Some(odd_midges), 1)
                } else {
                    (pick(0), Some(even_midges), 0)
                }
            }
        }
    }

    /// What the pieces cost at least: as if corners and midges were not bound by any law but that each is there once. None from a limit
    /// on. Quick where pieces are there twice.
    #[cfg(feature = "photos")]
    pub fn at_least_below(self, limit: i64) -> Option<i64> {
        let mut sum = 0;
        for orbit in self.orbits {
            sum += match orbit.kind {
                OrbitKind::Corner => turned::at_least(&self.corner_costs(orbit)),
                OrbitKind::Midge => turned::at_least(&self.midge_costs(orbit)),
                OrbitKind::Wing { .. } => self.cheapest_wings(orbit),
                _ => 0,
            };
            if sum >= limit {
                return None;
            }
        }
        Some(sum)
    }

    /// What the wings of an orbit cost at least.
    fn cheapest_wings(&self, orbit: &Orbit) -> i64 {
        let costs = self.wing_costs(orbit);
        let found = matching::cheapest(&costs);
        costs.iter().zip(found).map(|(row, wing)| i64::from(row[wing])).sum()
    }

    /// The cheapest legal cube; exact, since orbits bind each other only by the parity of corners and midges.
    pub fn cheapest(self) -> Solved<'a> {
        let (corners, midges, parity) = self.corners_and_midges();
        let in_orbit = |orbit: &Orbit| match orbit.kind {
            OrbitKind::FixedCentre => Found::Fixed,
            OrbitKind::Corner => corners.clone().map_or(Found::Fixed, Found::Corners),
            OrbitKind::Midge => midges.clone().map_or(Found::Fixed, Found::Midges),
            OrbitKind::Wing { .. } => Found::Wings(matching::cheapest(&self.wing_costs(orbit))),
            _ => Found::Centres(counts::cheapest(&self.centre_costs(orbit))),
        };
        Solved {
            found: self.orbits.iter().map(in_orbit).collect(),
            puzzle: self,
            parity,
        }
    }

    /// The cost of corners and wings together, if it is below a limit. An even cube's centres are left out: they cost the same whatever the
    /// colours are called, because each colour is there equally often.
    pub fn pieces_below(self, limit: i64) -> Option<i64> {
        let mut sum = 0;
        for orbit in self.orbits {
            sum += match orbit.kind {
                OrbitKind::Corner => {
                    let costs = self.corner_costs(orbit);
                    let least = |place: &Vec<[i32; 3]>| place.iter().flatten().copied().min().map_or(0, i64::from);
                    if costs.iter().map(least).sum::<i64>() >= limit {
                        return None;
                    }
                    let [[even], [odd]] = turned::cheapest(&costs);
                    i64::from(even.cost.min(odd.cost))
                }
                OrbitKind::Wing { .. } => self.cheapest_wings(orbit),
                _ => 0,
            };
            if sum >= limit {
                return None;
            }
        }
        Some(sum)
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
                Found::Corners(found) => paint(n, orbit, &CORNERS, found, &mut colours),
                Found::Midges(found) => paint(n, orbit, &MIDGES, found, &mut colours),
            }
        }
        let cost = costs
            .iter()
            .zip(&colours)
            .map(|(c, &colour)| i64::from(c[colour as usize]))
            .sum();
        Colouring { cost, colours }
    }

    /// For each orbit the cheapest legal cube that differs from this one in that orbit alone, and the cheapest cube of the other parity. The
    /// cheapest of all comes first; no other legal cube is cheaper than it.
    pub fn runners_up(&self) -> Vec<Colouring> {
        let puzzle = self.puzzle;
        let mut all = Vec::new();
        let mut other_parity = self.clone();
        for (i, orbit) in puzzle.orbits.iter().enumerate() {
            let found = match &self.found[i] {
                Found::Fixed => continue,
                Found::Centres(best) => Found::Centres(counts::runner_up(&puzzle.centre_costs(orbit), best)),
                Found::Wings(best) => Found::Wings(matching::runner_up(&puzzle.wing_costs(orbit), best)),
                Found::Corners(best) => {
                    let (second, other) = self.other_arrangements(&puzzle.corner_costs(orbit), best);
                    other_parity.found[i] = Found::Corners(other);
                    Found::Corners(second)
                }
                Found::Midges(best) => {
                    let (second, other) = self.other_arrangements(&puzzle.midge_costs(orbit), best);
                    other_parity.found[i] = Found::Midges(other);
                    Found::Midges(second)
                }
            };
            let mut other = self.clone();
            other.found[i] = found;
            all.push(other.colouring());
        }
        all.push(other_parity.colouring());
        crate::order::by_key(&mut all, |c| c.cost);
        all
    }

    /// The second best arrangement of the same parity, and the best one of the other.
    fn other_arrangements<const K: usize>(
        &self,
        costs: &turned::Costs<K>,
        best: &Arrangement,
    ) -> (Arrangement, Arrangement) {
        let [even, odd] = turned::cheapest(costs);
        let ([first, second], [other, _]) = if self.parity == 0 { (even, odd) } else { (odd, even) };
        // With equal costs this one may be either of the two.
        (if first.pieces == best.pieces { second } else { first }, other)
    }
}

fn paint<const K: usize>(n: usize, orbit: &Orbit, named: &[[Face; K]], arrangement: &Arrangement, to: &mut [Face]) {
    for (place, &(piece, turn)) in in_order(orbit, named).into_iter().zip(&arrangement.pieces) {
        for (i, &colour) in named[piece].iter().enumerate() {
            to[place[(i + turn) % K].index(n)] = colour;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Pieces, State, all_turns, orbits};
    use proptest::prelude::*;

    /// A cube after turns with these numbers.
    fn turned(n: usize, numbers: &[u8]) -> State {
        let (turns, mut cube) = (all_turns(n), State::solved(n));
        numbers
            .iter()
            .for_each(|&number| cube.turn(turns[usize::from(number) % turns.len()]));
        cube
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn pieces_cost_what_they_do_in_the_cheapest_cube(n in 1usize..4, costs in prop::collection::vec(any::<[u8; 6]>(), 6 * 36)) {
            let n = 2 * n;
            let costs: Vec<Costs> = costs.into_iter().map(|costs| costs.map(i32::from)).collect();
            let orbits = orbits(n);
            let puzzle = Puzzle { n, orbits: &orbits, costs: &costs[..6 * n * n] };
            let found = puzzle.cheapest().colouring().colours;
            let pieces = orbits.iter().filter(|orbit| matches!(orbit.kind, OrbitKind::Corner | OrbitKind::Wing { .. }));
            let squares = pieces.flat_map(|orbit| orbit.places.iter().flatten());
            let cost: i64 = squares.map(|s| i64::from(costs[s.index(n)][found[s.index(n)] as usize])).sum();
            #[cfg(feature = "photos")]
            prop_assert!(puzzle.at_least_below(i64::MAX).is_some_and(|least| least <= cost));
            prop_assert_eq!(puzzle.pieces_below(i64::MAX), Some(cost));
            prop_assert_eq!(puzzle.pieces_below(cost + 1), Some(cost));
            prop_assert_eq!(puzzle.pieces_below(cost), None);
        }

        #[test]
        fn the_cheaper_parity_is_taken_and_of_equals_the_even_one(
            n in 2usize..4, costs in prop::collection::vec(any::<[u8; 6]>(), 54), levels in prop::sample::select(vec![1u8, 2, 3, 255]),
        ) {
            let costs: Vec<Costs> = costs.into_iter().map(|costs| costs.map(|cost| i32::from(cost % levels))).collect();
            let orbits = orbits(n);
            let puzzle = Puzzle { n, orbits: &orbits, costs: &costs[..6 * n * n] };
            let solved = puzzle.cheapest();
            let Colouring { cost, colours } = solved.colouring();
            let corners = turned::cheapest::<3, 1>(&puzzle.corner_costs(puzzle.orbit(OrbitKind::Corner).unwrap())).map(|[found]| found.cost);
            let midges = puzzle.orbit(OrbitKind::Midge).map_or([0; 2], |orbit| {
                turned::cheapest::<2, 1>(&puzzle.midge_costs(orbit)).map(|[found]| found.cost)
            });
            let both = [corners[0] + midges[0], corners[1] + midges[1]];
            let fixed: i32 = orbits.iter().filter(|orbit| orbit.kind == OrbitKind::FixedCentre).flat_map(|orbit| orbit.places.iter().flatten())
                .map(|square| puzzle.cost(*square, square.face)).sum();
            prop_assert_eq!(solved.parity, usize::from(both[1] < both[0]));
            prop_assert_eq!(cost, i64::from(both[solved.parity] + fixed));
            prop_assert!(Pieces::of(&State::from_colours(colours).unwrap()).is_ok());
        }

        #[test]
        fn a_cube_whose_colours_cost_least_is_found_and_all_next_ones_are_legal(
            n in 2usize..6, turns in prop::collection::vec(any::<u8>(), 0..30), more in prop::collection::vec(1i32..100, 900), held in 0usize..24,
        ) {
            let mut cube = turned(n, &turns);
            cube.rotate(crate::cube::Symmetry::rotations()[if n % 2 == 0 { held } else { 0 }]);
            let least: i64 = 7 * (6 * n * n) as i64;
            let cost = |(i, &colour): (usize, &Face)| -> Costs {
                std::array::from_fn(|c| if c == colour as usize { 7 } else { 7 + more[i * 6 + c] })
            };
            let costs: Vec<Costs> = cube.colours().iter().enumerate().map(cost).collect();
            let orbits = orbits(n);
            let puzzle = Puzzle { n, orbits: &orbits, costs: &costs };
            let solved = puzzle.cheapest();
            prop_assert_eq!(&solved.colouring().colours[..], cube.colours());
            prop_assert_eq!(solved.colouring().cost, least);
            let next = solved.runners_up();
            // One for each orbit that can change, and one for the other parity.
            let moving = orbits.iter().filter(|orbit| orbit.kind != OrbitKind::FixedCentre).count();
            prop_assert_eq!(next.len(), moving + 1);
            prop_assert!(next.is_sorted_by_key(|next| next.cost) && next[0].cost > least);
            for Colouring { cost, colours } in &next {
                prop_assert!(Pieces::of(&State::from_colours(colours.clone()).unwrap()).is_ok());
                prop_assert!(colours != cube.colours());
                let sum: i64 = colours.iter().zip(&costs).map(|(&colour, costs)| i64::from(costs[colour as usize])).sum();
                prop_assert_eq!(sum, *cost);
            }
            // No cube that is a turn away is cheaper than the first of them.
            for turn in all_turns(n) {
                let mut other = cube.clone();
                other.turn(turn);
                let sum: i64 = other.colours().iter().zip(&costs).map(|(&colour, costs)| i64::from(costs[colour as usize])).sum();
                prop_assert!(other == cube || sum >= next[0].cost);
            }
            #[cfg(feature = "photos")]
            {
                let fixed: i64 = 7 * orbits.iter().filter(|o| !matches!(o.kind, OrbitKind::Corner | OrbitKind::Midge | OrbitKind::Wing { .. })).map(|o| o.places.len() as i64).sum::<i64>();
                prop_assert_eq!(puzzle.at_least_below(i64::MAX), Some(least - fixed));
                prop_assert_eq!(puzzle.at_least_below(least - fixed + 1), Some(least - fixed));
                prop_assert_eq!(puzzle.at_least_below(least - fixed), None);
            }
        }
    }
}
