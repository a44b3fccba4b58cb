//! Fewer turns that do the same: turns about one axis that follow each other are put together.

use super::{Face, Move, Symmetry, Turn, without_rotations};

/// A sequence that does the same as moves of a cube of size `n`, in as few outer block turns as each run of turns about one axis can be
/// done in. Whole-cube rotations are left out and the turns after them renamed, so the cube may be held another way in the end.
///
/// About one axis turns only add up, layer by layer. An outer block turn makes a difference at one border between two layers. So a run
/// takes one for each border whose layers turn differently, and no fewer can do it. Where a run has gone, those beside it are one.
///
/// ```
/// use cranecuber::cube::{format_turns, parse_moves, simplified};
///
/// let fewer = |n, moves| parse_moves(n, moves).map(|moves| format_turns(&simplified(n, &moves)));
/// assert_eq!(fewer(3, "R U D' U' D R2")?, "R'");
/// // The same as turning the whole cube by L, after which F is called D.
/// assert_eq!(fewer(3, "Rw U")?, "L F");
/// assert_eq!(fewer(4, "R 2R")?, "Rw");
/// # Ok::<(), cranecuber::cube::NotationError>(())
/// ```
pub fn simplified(n: usize, moves: &[Move]) -> Vec<Turn> {
    let (mut turns, _) = without_rotations(moves);
    loop {
        let fewer = put_together(n, &turns);
        if fewer == turns {
            return turns;
        }
        turns = fewer;
    }
}

/// Puts the turns of each run together, whatever the runs beside it are.
fn put_together(n: usize, turns: &[Turn]) -> Vec<Turn> {
    let mut fewer = Vec::with_capacity(turns.len());
    // How the cube is held against how it was held by the turns as they are given.
    let mut held = Symmetry::IDENTITY;
    for run in turns.chunk_by(|a, b| a.face.axis() == b.face.axis()) {
        let run: Vec<Turn> = run.iter().map(|turn| turn.moved(held.inverse())).collect();
        let face = Face::at(run[0].face.axis(), 1);
        let layers = by_layer(n, face, &run);
        // What is left for the whole cube when the first layer is as it shall be.
        let mut rest = layers[0];
        for border in 1..n {
            let more = (layers[border - 1] + 4 - layers[border]) % 4;
            if more == 0 {
                continue;
            }
            if 2 * border <= n {
                fewer.push(Turn::outer(face, border as u8, more));
                rest += 4 - more;
            } else {
                fewer.push(Turn::outer(face.opposite(), (n - border) as u8, more));
            }
        }
        held = Symmetry::turning(face, rest).then(held);
    }
    fewer
}

/// By how many quarters each layer is turned, clockwise as seen from the face at which the first one is.
fn by_layer(n: usize, face: Face, run: &[Turn]) -> Vec<u8> {
    let mut layers = vec![0; n];
    for turn in run {
        for layer in usize::from(turn.first)..=usize::from(turn.last) {
            let (at, quarters) = match turn.face == face {
                true => (layer - 1, turn.quarters),
                false => (n - layer, 4 - turn.quarters),
            };
            layers[at] = (layers[at] + quarters) % 4;
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{count_obtm, format_turns, parse_moves};
    use proptest::prelude::*;

    /// Any turn of layers, or of the whole cube.
    fn any_move(n: usize) -> impl Strategy<Value = Move> {
        let face = prop::sample::select(Face::ALL.to_vec());
        let turn = (face.clone(), 1..=n as u8, 1..=n as u8, 1u8..4).prop_map(move |(face, a, b, quarters)| {
            let (first, last) = (a.min(b), a.max(b));
            Move::Turn(Turn {
                face,
                first,
                last,
                quarters,
            })
        });
        prop_oneof![9 => turn, 1 => (face, 1u8..4).prop_map(|(face, quarters)| Move::Rotation(face, quarters))]
    }

    fn sequence() -> impl Strategy<Value = (usize, Vec<Move>)> {
        (2usize..8).prop_flat_map(|n| (Just(n), prop::collection::vec(any_move(n), 0..40)))
    }

    proptest! {
        #[test]
        fn it_does_the_same_in_no_more_turns_and_cannot_be_done_again((n, moves) in sequence()) {
            let fewer = simplified(n, &moves);
            prop_assert!(fewer.iter().all(|turn| turn.first == 1 && 2 * usize::from(turn.last) <= n));
            prop_assert!(fewer.len() <= count_obtm(&moves));
            // Every square has a colour of its own here: where do all of them go?
            let names: Vec<usize> = (0..6 * n * n).collect();
            let mut after = names.clone();
            let permute = |squares: &mut Vec<usize>, to: &[usize]| {
                let before = squares.clone();
                to.iter().zip(before).for_each(|(&to, square)| squares[to] = square);
            };
            for turn in &fewer {
                permute(&mut after, &turn.permutation(n));
            }
            let mut wanted = names;
            for &one in &moves {
                let turn = match one {
                    Move::Turn(turn) => turn,
                    Move::Rotation(face, quarters) => Turn::outer(face, n as u8, quarters),
                };
                permute(&mut wanted, &turn.permutation(n));
            }
            let is_same = Symmetry::rotations().into_iter().any(|by| {
                let mut held = after.clone();
                let to: Vec<usize> = crate::cube::Square::all(n).map(|square| square.moved(n, by).index(n)).collect();
                permute(&mut held, &to);
                held == wanted
            });
            prop_assert!(is_same, "{}", format_turns(&fewer));
            let again: Vec<Move> = fewer.iter().copied().map(Move::Turn).collect();
            prop_assert_eq!(simplified(n, &again), fewer);
        }
    }

    #[test]
    fn what_undoes_itself_goes_and_what_is_beside_it_meets() {
        for (n, moves, fewer) in [
            (3, "", ""),
            (3, "x y2 z'", ""),
            (3, "R U D F F' U' D' R'", ""),
            (3, "R L R", "R2 L"),
            (3, "Rw L'", ""),
            (2, "R L'", ""),
            (5, "M", "Rw Lw'"),
            (3, "R x U", "R F"),
        ] {
            let moves = parse_moves(n, moves).unwrap();
            assert_eq!(format_turns(&simplified(n, &moves)), fewer);
        }
    }
}
