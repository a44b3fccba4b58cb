//! The names of the six colours. By faces: on odd N the fixed centres tell which is U, on even N that depends on how the cube is held. And in
//! words, as people call them.

use super::{matching, space};
#[cfg(feature = "photos")]
use crate::cube::State;
use crate::cube::{CORNERS, Face, Symmetry};
use crate::net::USUAL;
use crate::sure::surely;

/// What people call the usual colours.
pub const NAMES: [&str; 6] = ["white", "red", "green", "yellow", "orange", "blue"];

/// Names for six sRGB colours, each usual name once, so that they are most like the usual colours, however bright they are.
pub fn in_words(palette: &[[u8; 3]; 6]) -> [&'static str; 6] {
    most_like(palette).map(|number| NAMES[number])
}

/// The usual stickers of the colours that six sRGB colours are most like.
pub fn usual(palette: &[[u8; 3]; 6]) -> [[u8; 3]; 6] {
    most_like(palette).map(|number| USUAL[number])
}

/// Which of the usual colours each of six is, by number, each once.
fn most_like(palette: &[[u8; 3]; 6]) -> [usize; 6] {
    let brightness = |colours: &mut dyn Iterator<Item = [u8; 3]>| colours.flatten().map(i32::from).sum::<i32>().max(1);
    let (usual, here) = (
        brightness(&mut USUAL.into_iter()),
        brightness(&mut palette.iter().copied()),
    );
    let row = |rgb: &[u8; 3]| {
        let level = space::level(*rgb).map(|v| v * usual / here);
        USUAL.map(|rgb| space::distance(level, space::level(rgb))).to_vec()
    };
    let found = matching::cheapest(&palette.iter().map(row).collect::<Vec<_>>());
    std::array::from_fn(|i| found[i])
}

/// The 30 ways to lay six numbered colours on the six faces (by [`Face::ALL`]) that no rotation turns into each other.
pub fn schemes() -> Vec<[usize; 6]> {
    let mut all = Vec::new();
    // Colour 0 is held up, and of the four at the sides the first one to the front.
    for down in 1..6 {
        let sides: Vec<usize> = (1..6).filter(|&k| k != down).collect();
        for (right, left, back) in [(1, 2, 3), (2, 1, 3), (1, 3, 2), (3, 1, 2), (2, 3, 1), (3, 2, 1)] {
            all.push([0, sides[right], sides[0], down, sides[left], sides[back]]);
        }
    }
    all
}

/// The renaming that brings the corner at DBL home on an even cube, which can be held in any way; odd cubes stay as they are.
pub fn home(n: usize, colours: &[Face]) -> Symmetry {
    if n % 2 == 1 {
        return Symmetry::IDENTITY;
    }
    let last = n * n - 1;
    let corner = [(Face::D, last + 1 - n), (Face::B, last), (Face::L, last + 1 - n)];
    let corner = corner.map(|(face, i)| colours[face as usize * n * n + i]);
    let home = Symmetry::rotations()
        .into_iter()
        .find(|r| corner.map(|c| r.face(c)) == CORNERS[6]);
    // The colours are those of a legal cube.
    surely(home)
}

/// A legal state when it is held in one certain way: the same for the same cube, however it is held.
#[cfg(feature = "photos")]
pub fn canonical(state: &State) -> State {
    let held = |by: Symmetry| {
        let held = state.held(by);
        held.renamed(home(held.size(), held.colours()))
    };
    let all = Symmetry::rotations().into_iter().map(held);
    surely(all.min_by_key(|held| held.colours().iter().map(|&colour| colour as u8).collect::<Vec<_>>()))
}

/// Whether six colours, by the faces that have them, are opposite each other, and follow each other, as on nearly all cubes.
#[cfg(feature = "photos")]
pub fn is_usual(palette: &[[u8; 3]; 6]) -> bool {
    let words = in_words(palette);
    let fits = |by: &Symmetry| {
        Face::ALL
            .into_iter()
            .all(|face| words[by.face(face) as usize] == NAMES[face as usize])
    };
    Symmetry::rotations().iter().any(fits)
}

/// Renames the colours of an even cube so that they agree with `other` on as many squares as possible, first of all on the known ones (by
/// index). This may change which colours are opposite each other.
pub fn make_like(n: usize, other: &[Face], known: &[usize], colours: &mut [Face]) {
    if n % 2 == 1 {
        return;
    }
    let mut costs = vec![vec![0; 6]; 6];
    for (i, (&colour, &other)) in colours.iter().zip(other).enumerate() {
        costs[colour as usize][other as usize] -= if known.contains(&i) { KNOWN } else { 1 };
    }
    let names = matching::cheapest(&costs);
    colours.iter_mut().for_each(|c| *c = Face::ALL[names[*c as usize]]);
}

/// Whether two colourings are of the same cube, whatever the colours of an even one are called.
pub fn are_alike(n: usize, one: &[Face], other: &[Face]) -> bool {
    let mut other = other.to_vec();
    make_like(n, one, &[], &mut other);
    other == one
}

/// A known square counts as much as so many others.
const KNOWN: i32 = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_usual_colours_have_their_names_in_any_order_and_light(
            order in Just([0usize, 1, 2, 3, 4, 5]).prop_shuffle(), light in 25u16..=106,
        ) {
            let palette = order.map(|i| USUAL[i].map(|v| (u16::from(v) * light / 100).min(255) as u8));
            prop_assert_eq!(in_words(&palette), order.map(|i| NAMES[i]));
        }
    }

    #[test]
    fn schemes_and_rotations_are_all_namings_once() {
        let mut all = Vec::new();
        for scheme in schemes() {
            for r in Symmetry::rotations() {
                all.push(Face::ALL.map(|face| scheme[r.face(face) as usize]));
            }
        }
        all.sort();
        all.dedup();
        assert_eq!((schemes().len(), all.len()), (30, 720));
    }

    /// A mixed cube.
    #[cfg(feature = "photos")]
    fn mixed(n: usize) -> State {
        let mut cube = State::solved(n);
        cube.do_moves(&crate::cube::parse_moves(n, "R U2 F' L D B2 R' U F").unwrap());
        cube
    }

    #[cfg(feature = "photos")]
    #[test]
    fn a_cube_is_the_same_however_it_is_held_and_its_mirror_image_is_another() {
        for n in [2, 3, 4] {
            let cube = mixed(n);
            let one = canonical(&cube);
            for by in Symmetry::rotations() {
                assert_eq!(canonical(&cube.held(by)), one);
                if n % 2 == 0 {
                    assert_eq!(canonical(&cube.renamed(by)), one);
                    assert_eq!(canonical(&cube.renamed(home(n, cube.colours()))), one);
                }
            }
            assert_ne!(canonical(&cube.held(Symmetry::mirror())), one);
        }
    }

    #[cfg(feature = "photos")]
    #[test]
    fn the_usual_colours_are_usual_in_every_way_to_hold_them_and_no_others_are() {
        let mut usual = 0;
        for scheme in schemes() {
            let known = is_usual(&scheme.map(|colour| USUAL[colour]));
            usual += usize::from(known);
            for by in Symmetry::rotations() {
                assert_eq!(
                    is_usual(&Face::ALL.map(|face| USUAL[scheme[by.face(face) as usize]])),
                    known
                );
            }
        }
        assert_eq!(usual, 1);
        assert!(is_usual(&USUAL));
        assert_eq!(super::usual(&USUAL.map(|rgb| rgb.map(|v| v / 2))), USUAL);
    }

    #[cfg(feature = "photos")]
    #[test]
    fn renamed_colours_of_an_even_cube_are_named_back_and_known_squares_decide() {
        for n in [2, 3, 4] {
            let cube = mixed(n);
            for by in Symmetry::all() {
                let renamed = cube.renamed(by);
                let is_alike = are_alike(n, cube.colours(), renamed.colours());
                assert_eq!(is_alike, n % 2 == 0 || renamed == cube);
                if n % 2 == 0 && renamed != cube {
                    // One square of another colour is known: its name stays, whatever all others say.
                    let square = (0..6 * n * n)
                        .find(|&i| renamed.colours()[i] != cube.colours()[i])
                        .unwrap();
                    let mut like = cube.colours().to_vec();
                    like[square] = renamed.colours()[square];
                    let mut colours = renamed.colours().to_vec();
                    make_like(n, &like, &[square], &mut colours);
                    assert_eq!(colours[square], like[square]);
                    let mut colours = renamed.colours().to_vec();
                    make_like(n, &like, &[], &mut colours);
                    assert_ne!(colours[square], like[square]);
                }
            }
        }
        let mut other = mixed(4).colours().to_vec();
        other[0] = if other[0] == Face::U { Face::D } else { Face::U };
        assert!(!are_alike(4, mixed(4).colours(), &other));
    }
}
