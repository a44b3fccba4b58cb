//! Which of six colours is called U: on odd N the fixed centres say it, on even N it is a matter of how the cube is held.

use crate::cube::{CORNERS, Face, Symmetry};

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

/// Renames the colours of an even cube, which can be held in any way, so that the corner at DBL is at home; odd cubes stay as they are.
pub fn bring_home(n: usize, colours: &mut [Face]) {
    if n % 2 == 1 {
        return;
    }
    let last = n * n - 1;
    let corner = [(Face::D, last + 1 - n), (Face::B, last), (Face::L, last + 1 - n)];
    let corner = corner.map(|(face, i)| colours[face as usize * n * n + i]);
    let home = Symmetry::rotations()
        .into_iter()
        .find(|r| corner.map(|c| r.face(c)) == CORNERS[6]);
    if let Some(home) = home {
        colours.iter_mut().for_each(|c| *c = home.face(*c));
    }
}

/// Renames the colours of an even cube so that they agree with `other` on as many squares as possible.
pub fn make_like(n: usize, other: &[Face], colours: &mut [Face]) {
    if n % 2 == 1 {
        return;
    }
    let differing = |r: &Symmetry| colours.iter().zip(other).filter(|&(&c, &o)| r.face(c) != o).count();
    if let Some(names) = Symmetry::rotations().into_iter().min_by_key(differing) {
        colours.iter_mut().for_each(|c| *c = names.face(*c));
    }
}
