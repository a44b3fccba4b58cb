//! The 24 rotations by number, and their products.

use crate::cube::Symmetry;
use crate::sure::place_of;

/// The 24 rotations by number, the identity first.
#[derive(Debug, Clone)]
pub(super) struct Rotations {
    all: [Symmetry; 24],
    /// `then[a][b]`: first a, then b.
    pub then: Vec<[u8; 24]>,
    /// `between[a][b]`: the rotation from a to b.
    pub between: Vec<[u8; 24]>,
}

impl Rotations {
    pub fn new() -> Rotations {
        let all = Symmetry::rotations();
        let number = |s: Symmetry| place_of(&all, &s) as u8;
        let table = |product: &dyn Fn(Symmetry, Symmetry) -> Symmetry| {
            all.iter()
                .map(|&a| std::array::from_fn(|b| number(product(a, all[b]))))
                .collect()
        };
        Rotations {
            then: table(&|a, b| a.then(b)),
            between: table(&|a, b| a.inverse().then(b)),
            all,
        }
    }

    /// The number of a rotation.
    pub fn number(&self, rotation: Symmetry) -> u8 {
        place_of(&self.all, &rotation) as u8
    }

    /// The rotation with a number.
    pub fn get(&self, number: u8) -> Symmetry {
        self.all[number as usize]
    }
}
