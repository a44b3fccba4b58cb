//! What the turns of a solution bring about, phase by phase.
//!
//! A phase ends where its goal is reached, by what the cube shows then: so it does not matter which search has found the turns, and turns
//! that belong to two phases count for the one in which they are made.

use crate::cube::{Face, Square, State, Turn};

/// A phase of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct NamedPhase {
    /// What it is called, in a word or two.
    pub name: &'static str,
    /// What holds when it has ended.
    pub goal: &'static str,
    /// The number of its first turn, from 0.
    pub from: usize,
    /// How many turns it has. None if the turns before have done it on the way.
    pub turns: usize,
    /// Whether its first turn is counted in the phase before, which needs one of the same layers: the two are done as one.
    pub shared: bool,
}

/// Whether a goal is reached.
type IsReached = fn(&State) -> bool;

/// The goals of a cube of more than three layers, and those of the 3x3x3 that it becomes.
pub(super) const GOALS: [(&str, &str, IsReached); 6] = [
    (
        "first axis",
        "The centres of two opposite sides lie on these two sides.",
        |cube| (0..3).any(|axis| has_its_centres(cube, axis)),
    ),
    (
        "all axes",
        "Every centre lies on its side or on the opposite one.",
        |cube| (0..3).all(|axis| has_its_centres(cube, axis)),
    ),
    ("centres", "The centres of each side have one colour.", |cube| {
        Face::ALL.into_iter().all(|face| is_plain(cube, face))
    }),
    (
        "edges",
        "The pieces of each edge belong together: the cube is like a 3x3x3.",
        are_paired,
    ),
    (
        "orientation",
        "Corners and edges are turned right: two sides, and half turns of the others, do the rest.",
        |cube| (0..3).any(|axis| is_turned_right(cube, axis)),
    ),
    ("permutation", "Everything is in its place.", State::is_solved),
];

/// What the turns that solve a cube bring about. A phase that needs no turn is left out. All turns of a 2x2x2 are one phase.
///
/// ```
/// use cranecuber::cube::{State, parse_moves, without_rotations};
/// use cranecuber::solve::named_phases;
///
/// let mut state = State::solved(3);
/// state.do_moves(&parse_moves(3, "R2 U F")?);
/// // After F' the sides U and D and half turns are enough.
/// let turns = without_rotations(&parse_moves(3, "F' U' R2")?).0;
/// let phases = named_phases(&state, &turns);
/// assert_eq!(phases.iter().map(|phase| (phase.name, phase.turns)).collect::<Vec<_>>(), [("orientation", 1), ("permutation", 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn named_phases(state: &State, turns: &[Turn]) -> Vec<NamedPhase> {
    let goals = match state.size() {
        2 => &GOALS[5..],
        3 => &GOALS[4..],
        _ => &GOALS[..],
    };
    let (mut cube, mut made) = (state.clone(), 0);
    let mut phases = Vec::new();
    for &(name, goal, is_reached) in goals {
        let began = made;
        while made < turns.len() && !is_reached(&cube) {
            cube.turn(turns[made]);
            made += 1;
        }
        phases.push(NamedPhase {
            name,
            goal,
            from: began,
            turns: made - began,
            shared: false,
        });
    }
    phases.retain(|phase| phase.turns > 0);
    phases
}

/// The colours of a side's centres.
fn centres(cube: &State, face: Face) -> impl Iterator<Item = Face> {
    let n = cube.size();
    let inside = move |i: usize| (1..n - 1).contains(&(i / n)) && (1..n - 1).contains(&(i % n));
    let squares = cube.face(face).iter().enumerate();
    squares.filter(move |(i, _)| inside(*i)).map(|(_, &colour)| colour)
}

/// Whether the centres of two opposite sides have the colours of two opposite sides.
fn has_its_centres(cube: &State, axis: usize) -> bool {
    let sides = Face::ALL.into_iter().filter(|&face| face.axis() == axis);
    let mut axes = sides.flat_map(|face| centres(cube, face)).map(Face::axis);
    let first = axes.next();
    axes.all(|axis| Some(axis) == first)
}

/// Whether the centres of a side have one colour.
fn is_plain(cube: &State, face: Face) -> bool {
    let mut colours = centres(cube, face);
    let first = colours.next();
    colours.all(|colour| Some(colour) == first)
}

/// The two squares of every piece of every edge; pieces of one edge follow each other.
fn edges(n: usize) -> Vec<[Square; 2]> {
    let outer = n as i32 - 1;
    let is_edge = |square: &Square| square.position(n).iter().filter(|at| at.abs() == outer).count() == 2;
    let all: Vec<Square> = Square::all(n).filter(is_edge).collect();
    let other = |square: &Square| {
        all.iter()
            .find(|one| one.face != square.face && one.position(n) == square.position(n))
    };
    let mut pairs: Vec<[Square; 2]> = all
        .iter()
        .filter_map(|square| Some([*square, *other(square)?]))
        .filter(|[one, other]| (one.face as usize) < other.face as usize)
        .collect();
    pairs.sort_by_key(|[one, other]| (one.face as usize, other.face as usize));
    pairs
}

/// Whether the pieces of each edge show the same colours.
fn are_paired(cube: &State) -> bool {
    let sides = |[one, other]: &[Square; 2]| (one.face, other.face);
    let colours = |pair: &[Square; 2]| pair.map(|square| cube.colour(square));
    edges(cube.size())
        .windows(2)
        .all(|two| sides(&two[0]) != sides(&two[1]) || colours(&two[0]) == colours(&two[1]))
}

/// Whether turns of an axis's two sides, and half turns of the others, can do the rest.
fn is_turned_right(cube: &State, axis: usize) -> bool {
    let n = cube.size();
    // What colours the centres of each axis's sides have, as an axis of colours.
    let colours = [0, 1, 2].map(|axis| centres(cube, Face::at(axis, 1)).next().map(Face::axis));
    let here = |square: Square| Some(cube.colour(square).axis()) == colours[square.face.axis()];
    let is_ours = |square: Square| Some(cube.colour(square).axis()) == colours[axis];
    let outer = n as i32 - 1;
    let is_corner = |square: &Square| square.position(n).iter().all(|at| at.abs() == outer);
    let mut corners = Square::all(n).filter(is_corner);
    let corners_are = corners.all(|square| is_ours(square) == (square.face.axis() == axis));
    corners_are
        && edges(n).into_iter().all(|pair| {
            let is_outer = pair.iter().any(|square| square.face.axis() == axis);
            pair.into_iter().all(|square| match square.face.axis() == axis {
                true => is_ours(square),
                false => !is_ours(square) && (is_outer || here(square)),
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{random_turns, scramble};
    use crate::progress::Quiet;
    use crate::solve::{Options, Solver};
    use crate::testing::tables;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn an_edge_has_as_many_pieces_as_layers_without_the_outer_ones() {
        for n in 2..=7 {
            assert_eq!(edges(n).len(), 12 * (n - 2));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn half_turns_and_two_sides_leave_a_cube_turned_right_and_a_quarter_of_another_does_not(seed: u64, axis in 0usize..3) {
            let all = random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(seed));
            let mut cube = State::solved(3);
            for turn in all {
                if turn.face.axis() == axis || turn.quarters == 2 {
                    cube.turn(turn);
                }
            }
            prop_assert!(is_turned_right(&cube, axis));
            let side = Face::at((axis + 1) % 3, 1);
            cube.turn(Turn::outer(side, 1, 1));
            prop_assert!(!is_turned_right(&cube, axis));
        }

        #[test]
        fn turns_of_outer_layers_leave_centres_and_edges_together(n in 4usize..8, seed: u64) {
            let mut cube = State::solved(n);
            for turn in random_turns(n, 30, &mut ChaCha8Rng::seed_from_u64(seed)) {
                cube.turn(Turn::outer(turn.face, 1, turn.quarters));
            }
            prop_assert!(GOALS[..4].iter().all(|(.., is_reached)| is_reached(&cube)));
            cube.turn(Turn::outer(Face::R, 2, 1));
            prop_assert!(!GOALS[3].2(&cube));
        }
    }

    #[test]
    fn a_solution_has_the_phases_that_it_was_found_by() {
        // Only these tables can be built by every program.
        let most = if cfg!(feature = "build-tables") { 4 } else { 3 };
        let stores = [tables(2), tables(3), tables(most)];
        for (n, names) in [
            (2, &["permutation"][..]),
            (3, &["orientation", "permutation"]),
            (
                4,
                &[
                    "first axis",
                    "all axes",
                    "centres",
                    "edges",
                    "orientation",
                    "permutation",
                ],
            ),
        ] {
            if n > most {
                continue;
            }
            let solver = Solver::open(n, &stores[n - 2], &Quiet).unwrap();
            for seed in 0..4 {
                let mut state = State::solved(n);
                state.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(seed)));
                let turns = solver.solve(&state, &Options::default()).unwrap().turns;
                let phases = named_phases(&state, &turns);
                assert_eq!(phases.iter().map(|phase| phase.turns).sum::<usize>(), turns.len());
                assert!(phases.iter().all(|phase| names.contains(&phase.name)), "{phases:?}");
                // The axes and the last phase are never done by chance.
                assert!(phases.len() + 3 >= names.len() && phases.last().unwrap().name == "permutation");
            }
        }
    }
}
