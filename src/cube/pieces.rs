//! A state of any size as pieces in places, and whether a cube can have it.

use super::{CORNERS, Cubies, Face, MIDGES, Orbit, OrbitKind, Square, State, StateError, Symmetry, Turn, orbits};
use crate::sure::surely;

/// A legal state as pieces in places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces {
    /// How the colours were renamed so that the fixed centres (odd N) or the corner at DBL (even N) are at home: the cube may be held in
    /// any way. All numbers below are about the renamed state.
    pub frame: Symmetry,
    /// Corners and midges; the midges are those of a solved cube for even N.
    pub cubies: Cubies,
}

impl Pieces {
    /// Takes a state apart, and checks everything that makes it a state of a real cube.
    pub fn of(state: &State) -> Result<Pieces, StateError> {
        let n = state.size();
        check_colours(state)?;
        let orbits = orbits(n);
        let frame = frame(state)?;
        let home = state.renamed(frame);
        let mut cubies = Cubies::SOLVED;
        for orbit in &orbits {
            match orbit.kind {
                OrbitKind::Corner => {
                    place_all(state, &home, orbit, &CORNERS, &mut cubies.corners, &mut cubies.twists)?;
                    check_twist(orbit, &cubies)?;
                }
                OrbitKind::Midge => {
                    place_all(state, &home, orbit, &MIDGES, &mut cubies.midges, &mut cubies.flips)?;
                    check_flip(orbit, &cubies)?;
                }
                OrbitKind::Wing { .. } => check_wings(state, &home, orbit)?,
                _ => check_centre_orbit(state, orbit)?,
            }
        }
        if n % 2 == 1 && is_odd(&cubies.corners) != is_odd(&cubies.midges) {
            return Err(parity_error(&orbits, &cubies));
        }
        Ok(Pieces { frame, cubies })
    }

    /// The corner in each place of a cube of any size, as it is held. Looks at nothing else.
    pub fn corners(state: &State) -> Result<[u8; 8], StateError> {
        let (mut corners, mut twists) = ([0; 8], [0; 8]);
        let orbit = super::orbit::corners(state.size());
        place_all(state, state, &orbit, &CORNERS, &mut corners, &mut twists)?;
        Ok(corners)
    }
}

impl Cubies {
    /// What a turn of one outer layer of a 3x3x3 does to the solved cube.
    pub fn of_turn(turn: Turn) -> Cubies {
        let mut state = State::solved(3);
        state.turn(turn);
        // A single face turn of a solved cube is a legal state with its centres at home.
        surely(Pieces::of(&state).ok()).cubies
    }
}

/// Whether a permutation of 0..n, n at most 32, is odd.
pub fn is_odd(permutation: &[u8]) -> bool {
    let (mut seen, mut odd) = (0u32, false);
    for first in 0..permutation.len() {
        let mut at = first;
        while seen >> at & 1 == 0 {
            seen |= 1 << at;
            at = permutation[at] as usize;
            // A cycle of k is k - 1 exchanges: one for each but the first.
            odd ^= at != first;
        }
    }
    odd
}

fn check_colours(state: &State) -> Result<(), StateError> {
    let n = state.size();
    let count = |colour| state.colours().iter().filter(|&&c| c == colour).count();
    // A colour that is there too often tells more than one that is missing.
    let found = Face::ALL
        .map(|colour| (count(colour), colour))
        .into_iter()
        .max_by_key(|&(found, _)| found);
    match found {
        Some((found, colour)) if found != n * n => Err(StateError::ColourCount { colour, found, n }),
        _ => Ok(()),
    }
}

/// The renaming of colours that brings the fixed centres, or on even N the corner at DBL, home.
fn frame(state: &State) -> Result<Symmetry, StateError> {
    let n = state.size();
    if n % 2 == 1 {
        let squares = Face::ALL.map(|f| Square::at(n, f, n / 2, n / 2));
        let colours = squares.map(|s| state.colour(s));
        let fits = |r: &Symmetry| Face::ALL.iter().zip(colours).all(|(&f, c)| r.face(c) == f);
        Symmetry::rotations()
            .into_iter()
            .find(fits)
            .ok_or_else(|| StateError::Centres {
                squares: squares.to_vec(),
                colours: colours.to_vec(),
            })
    } else {
        let squares = corner_squares(n, 6);
        let colours = squares.map(|s| state.colour(s));
        let fits = |r: &Symmetry| colours.map(|c| r.face(c)) == CORNERS[6];
        Symmetry::rotations()
            .into_iter()
            .find(fits)
            .ok_or_else(|| StateError::ImpossiblePiece {
                kind: OrbitKind::Corner,
                squares: squares.to_vec(),
                colours: colours.to_vec(),
            })
    }
}

/// The squares of a corner's place, as [`CORNERS`] names them.
pub(super) fn corner_squares(n: usize, place: usize) -> [Square; 3] {
    let mut p = [0; 3];
    for face in CORNERS[place] {
        p[face.axis()] = face.sign() * (n as i32 - 1);
    }
    CORNERS[place].map(|face| Square::of(n, face, p))
}

/// Finds the piece in every place of an orbit whose pieces are named by their colours `K` at a time.
fn place_all<const K: usize>(
    state: &State,
    home: &State,
    orbit: &Orbit,
    named: &[[Face; K]],
    pieces: &mut [u8],
    turned: &mut [u8],
) -> Result<(), StateError> {
    let mut seen: Vec<Option<&Vec<Square>>> = vec![None; named.len()];
    for squares in &orbit.places {
        let place = number_of(named, squares);
        let found = (0..named.len()).find_map(|piece| {
            (0..K)
                .find(|&t| (0..K).all(|i| home.colour(squares[(i + t) % K]) == named[piece][i]))
                .map(|t| (piece, t))
        });
        let colours: Vec<Face> = squares.iter().map(|&s| state.colour(s)).collect();
        let Some((piece, turn)) = found else {
            return Err(StateError::ImpossiblePiece {
                kind: orbit.kind,
                squares: squares.clone(),
                colours,
            });
        };
        if let Some(first) = seen[piece] {
            return Err(StateError::DoubledPiece {
                kind: orbit.kind,
                colours,
                first: first.clone(),
                second: squares.clone(),
            });
        }
        seen[piece] = Some(squares);
        pieces[place] = piece as u8;
        turned[place] = turn as u8;
    }
    Ok(())
}

/// The number of the place with these squares.
fn number_of<const K: usize>(named: &[[Face; K]], squares: &[Square]) -> usize {
    let is_there = |faces: &[Face; K]| squares.iter().all(|s| faces.contains(&s.face));
    surely(named.iter().position(is_there))
}

/// The first squares of the places that `wrong` picks.
fn first_squares<const K: usize>(orbit: &Orbit, named: &[[Face; K]], wrong: impl Fn(usize) -> bool) -> Vec<Square> {
    orbit
        .places
        .iter()
        .filter(|p| wrong(number_of(named, p)))
        .map(|p| p[0])
        .collect()
}

fn check_twist(orbit: &Orbit, cubies: &Cubies) -> Result<(), StateError> {
    match cubies.twists.iter().sum::<u8>() % 3 {
        0 => Ok(()),
        sum => Err(StateError::CornerTwist {
            sum,
            squares: first_squares(orbit, &CORNERS, |place| cubies.twists[place] != 0),
        }),
    }
}

fn check_flip(orbit: &Orbit, cubies: &Cubies) -> Result<(), StateError> {
    if cubies.flips.iter().sum::<u8>() % 2 == 0 {
        return Ok(());
    }
    Err(StateError::EdgeFlip {
        squares: first_squares(orbit, &MIDGES, |place| cubies.flips[place] != 0),
    })
}

/// Every ordered pair of neighbouring colours is there once: a wing cannot be flipped, so its mirror image is another piece.
fn check_wings(state: &State, home: &State, orbit: &Orbit) -> Result<(), StateError> {
    let mut seen: Vec<([Face; 2], &Vec<Square>)> = Vec::new();
    for squares in &orbit.places {
        let pair = [home.colour(squares[0]), home.colour(squares[1])];
        let colours: Vec<Face> = squares.iter().map(|&s| state.colour(s)).collect();
        if pair[0].axis() == pair[1].axis() {
            return Err(StateError::ImpossiblePiece {
                kind: orbit.kind,
                squares: squares.clone(),
                colours,
            });
        }
        if let Some((_, first)) = seen.iter().find(|(p, _)| *p == pair) {
            return Err(StateError::DoubledPiece {
                kind: orbit.kind,
                colours,
                first: first.to_vec(),
                second: squares.clone(),
            });
        }
        seen.push((pair, squares));
    }
    Ok(())
}

fn check_centre_orbit(state: &State, orbit: &Orbit) -> Result<(), StateError> {
    for colour in Face::ALL {
        let squares: Vec<Square> = orbit
            .places
            .iter()
            .map(|p| p[0])
            .filter(|&s| state.colour(s) == colour)
            .collect();
        if squares.len() > 4 {
            return Err(StateError::CentreCount {
                kind: orbit.kind,
                colour,
                found: squares.len(),
                squares,
            });
        }
    }
    Ok(())
}

fn parity_error(orbits: &[Orbit], cubies: &Cubies) -> StateError {
    let mut squares = Vec::new();
    for orbit in orbits {
        match orbit.kind {
            OrbitKind::Corner => {
                squares.extend(first_squares(orbit, &CORNERS, |p| cubies.corners[p] as usize != p));
            }
            OrbitKind::Midge => {
                squares.extend(first_squares(orbit, &MIDGES, |p| cubies.midges[p] as usize != p));
            }
            _ => {}
        }
    }
    StateError::Parity { squares }
}

#[cfg(test)]
mod tests {
    use super::super::{Order, random_turns};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_chacha::ChaCha8Rng;

    fn with(n: usize, changes: &[(&str, char)]) -> Result<Pieces, StateError> {
        let mut colours = State::solved(n).colours().to_vec();
        for &(square, colour) in changes {
            let face = Face::from_letter(square.chars().next().unwrap()).unwrap();
            let square = Square {
                face,
                number: square[1..].parse().unwrap(),
            };
            colours[square.index(n)] = Face::from_letter(colour).unwrap();
        }
        Pieces::of(&State::from_colours(colours).unwrap())
    }

    fn message(n: usize, changes: &[(&str, char)]) -> String {
        with(n, changes).unwrap_err().to_string()
    }

    #[test]
    fn odd_permutations_have_an_odd_number_of_inversions() {
        let inversions = |p: &[u8]| {
            let before = |i: usize| p[..i].iter().filter(|&&q| q > p[i]).count();
            (0..p.len()).map(before).sum::<usize>()
        };
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        for n in (0..=32).cycle().take(300) {
            let mut permutation: Vec<u8> = (0..n).collect();
            permutation.shuffle(&mut rng);
            assert_eq!(
                is_odd(&permutation),
                inversions(&permutation) % 2 == 1,
                "{permutation:?}"
            );
        }
    }

    #[test]
    fn a_wrong_number_of_a_colour_is_named() {
        assert_eq!(
            message(3, &[("U1", 'R')]),
            "colour R is on 10 squares, but a 3x3x3 has 9 of each colour"
        );
        assert_eq!(
            message(2, &[("F1", 'B'), ("F2", 'B')]),
            "colour B is on 6 squares, but a 2x2x2 has 4 of each colour"
        );
    }

    #[test]
    fn centres_that_no_cube_has_are_named() {
        let text = message(3, &[("U5", 'R'), ("R5", 'U')]);
        assert_eq!(
            text,
            "the fixed centres U5=R R5=U F5=F D5=D L5=L B5=B do not lie as on a cube"
        );
        // A mirror image is no cube either.
        assert!(matches!(
            with(5, &[("L13", 'R'), ("R13", 'L')]),
            Err(StateError::Centres { .. })
        ));
    }

    #[test]
    fn an_impossible_piece_is_named_with_its_squares() {
        assert_eq!(
            message(3, &[("U9", 'D'), ("D3", 'U')]),
            "no corner has the colours of U9=D R1=R F3=F"
        );
        assert_eq!(
            message(3, &[("U8", 'F'), ("F4", 'U')]),
            "no midge has the colours of U8=F F2=F"
        );
        // The colours of a corner in the wrong sense.
        assert!(matches!(
            with(2, &[("U4", 'R'), ("R1", 'U')]),
            Err(StateError::ImpossiblePiece {
                kind: OrbitKind::Corner,
                ..
            })
        ));
        assert!(matches!(
            with(4, &[("U14", 'F'), ("F6", 'U')]),
            Err(StateError::ImpossiblePiece {
                kind: OrbitKind::Wing { layer: 2 },
                ..
            })
        ));
    }

    #[test]
    fn a_doubled_piece_is_named_with_both_places() {
        let text = message(3, &[("F2", 'R'), ("R4", 'F')]);
        assert_eq!(text, "the same midge UR is in two places: U6 R2 and U8 F2");
        let text = message(4, &[("F2", 'R'), ("R5", 'F')]);
        assert_eq!(text, "the same wing (layer 2) RU is in two places: R2 U12 and F2 U14");
        let text = message(3, &[("R1", 'F'), ("F3", 'L'), ("L9", 'R')]);
        assert_eq!(text, "the same corner UFL is in two places: U7 F1 L3 and U9 R1 F3");
    }

    #[test]
    fn a_twisted_corner_is_named() {
        let text = message(3, &[("U9", 'R'), ("R1", 'F'), ("F3", 'U')]);
        assert!(text.starts_with("one corner is twisted in its place"), "{text}");
        assert!(text.ends_with("add up to 2 thirds; twisted are U9"), "{text}");
        assert!(matches!(
            with(2, &[("U4", 'F'), ("R1", 'U'), ("F2", 'R')]),
            Err(StateError::CornerTwist { sum: 1, .. })
        ));
    }

    #[test]
    fn a_flipped_edge_is_named() {
        let text = message(3, &[("U8", 'F'), ("F2", 'U')]);
        assert!(
            text.starts_with("one edge is flipped in its place") && text.ends_with("flipped: U8"),
            "{text}"
        );
    }

    #[test]
    fn two_exchanged_pieces_are_named() {
        let text = message(3, &[("F2", 'R'), ("R2", 'F')]);
        assert_eq!(
            text,
            "two pieces are exchanged: corners and midges differ in permutation parity; out of place are U6 U8"
        );
    }

    #[test]
    fn two_exchanged_corners_are_named_with_their_places() {
        for (one, other) in (0..8).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let mut cubies = Cubies::SOLVED;
            cubies.corners.swap(one, other);
            let places = [one, other].map(|place| corner_squares(3, place)[0]);
            match Pieces::of(&State::from_cubies(&cubies)) {
                Err(StateError::Parity { squares }) => {
                    assert!(squares.len() == 2 && places.iter().all(|place| squares.contains(place)));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn too_many_centres_of_a_colour_are_named() {
        let text = message(5, &[("U7", 'F'), ("F8", 'U')]);
        let expected = "colour F is on 5 of the x-centre (layer 2) squares instead of 4: U7 F7 F9 F17 F19";
        assert_eq!(text, expected);
    }

    proptest! {
        #[test]
        fn every_state_that_turns_reach_is_legal_however_it_is_held(n in 2usize..8, seed: u64, way in 0usize..24) {
            let mut state = State::solved(n);
            state.turn_all(&random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
            let pieces = Pieces::of(&state).unwrap();
            prop_assert_eq!(Pieces::corners(&state.renamed(pieces.frame)).unwrap(), pieces.cubies.corners);
            state.rotate(Symmetry::rotations()[way]);
            let turned = Pieces::of(&state).unwrap();
            prop_assert_eq!(pieces.cubies.twists.iter().sum::<u8>() % 3, 0);
            prop_assert_eq!(turned.cubies.flips.iter().sum::<u8>() % 2, 0);
        }

        #[test]
        fn solved_cubes_have_every_piece_at_home_however_they_are_held(n in 2usize..8, way in 0usize..24) {
            let mut state = State::solved(n);
            state.rotate(Symmetry::rotations()[way]);
            let pieces = Pieces::of(&state).unwrap();
            prop_assert_eq!(pieces.frame, Symmetry::rotations()[way]);
            prop_assert_eq!(pieces.cubies, Cubies::SOLVED);
        }

        #[test]
        fn no_colouring_makes_it_panic(n in 2usize..6, seed: u64) {
            let mut colours = State::solved(n).colours().to_vec();
            colours.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            let state = State::from_colours(colours).unwrap();
            prop_assert!(Pieces::of(&state).is_err());
            let _ = State::parse(&state.to_string(), Order::Ulfrbd);
        }
    }
}
