//! Names of pieces, by the sides at which they are at home.

use crate::cube::{CORNERS, Face, MIDGES};

fn name(kind: &str, faces: &[Face]) -> String {
    let letters: String = faces.iter().map(|face| face.letter()).collect();
    format!("{kind} {letters}")
}

/// A corner's, as "corner URF".
pub(super) fn corner_name(piece: u8) -> String {
    name("corner", &CORNERS[usize::from(piece)])
}

/// A midge's, as "edge UF".
pub(super) fn midge_name(piece: u8) -> String {
    name("edge", &MIDGES[usize::from(piece)])
}
