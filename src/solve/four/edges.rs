//! The edges of a 4x4x4, and where their two wings are at home.

use crate::cube::Face;
use crate::search::Cells;
use crate::sure::surely;

/// The two places of every edge, one in each half.
pub(super) struct Edges {
    /// For each edge, its cell in the high half.
    pub high: [u8; 12],
    /// For each edge, its cell in the low half.
    pub low: [u8; 12],
    /// For each cell, its edge.
    of: [u8; 24],
}

impl Edges {
    /// Numbers the edges. Those that lie along the x axis come first.
    pub fn new(wings: &Cells, half: u32) -> Edges {
        let along_x = |cell: usize| wings.place(cell).iter().all(|s| s.face.axis() != 0);
        let mut high: Vec<usize> = (0..24).filter(|cell| half >> cell & 1 == 1).collect();
        crate::order::by_key(&mut high, |&cell| !along_x(cell));
        let faces = |cell: usize| {
            let mut faces: Vec<Face> = wings.place(cell).iter().map(|s| s.face).collect();
            crate::order::by(&mut faces, PartialOrd::lt);
            faces
        };
        let other = |cell: usize| surely((0..24).find(|&c| c != cell && faces(c) == faces(cell)));
        let high: [u8; 12] = std::array::from_fn(|e| high[e] as u8);
        let low: [u8; 12] = std::array::from_fn(|e| other(high[e] as usize) as u8);
        let mut of = [0; 24];
        for edge in 0..12 {
            of[high[edge] as usize] = edge as u8;
            of[low[edge] as usize] = edge as u8;
        }
        Edges { high, low, of }
    }

    /// The edge of a place.
    pub fn of(&self, cell: u8) -> u8 {
        self.of[cell as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::halves::{WINGS, half};
    use super::*;

    #[test]
    fn the_two_wings_of_an_edge_are_in_different_halves() {
        let cells = Cells::new(4, WINGS);
        let half = half(&cells);
        assert_eq!(half.count_ones(), 12);
        let edges = Edges::new(&cells, half);
        for edge in 0..12 {
            let [high, low] = [edges.high[edge], edges.low[edge]];
            assert!(half >> high & 1 == 1 && half >> low & 1 == 0);
            assert_eq!([edges.of(high), edges.of(low)], [edge as u8; 2]);
        }
    }
}
