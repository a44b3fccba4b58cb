//! Which layers have an odd permutation of wings. Inside, the last phases make only half turns, which keep this.

use crate::cube::{OrbitKind, State, is_odd};
use crate::search::Cells;

/// The wings of some layers of a cube. A layer's sign is bit `layer - 2`.
pub(super) struct Wings {
    layers: Vec<(u8, Cells)>,
}

impl Wings {
    /// The wings of the layers for which `looked_at` is true.
    pub fn new(n: usize, looked_at: impl Fn(u8) -> bool) -> Wings {
        let layers = (2..=n as u8 / 2).filter(|&layer| looked_at(layer));
        Wings {
            layers: layers
                .map(|layer| (layer, Cells::new(n, OrbitKind::Wing { layer })))
                .collect(),
        }
    }

    /// The bits of all these layers.
    pub fn mask(&self) -> u32 {
        self.layers.iter().fold(0, |mask, (layer, _)| mask | 1 << (layer - 2))
    }

    /// The layers with an odd permutation of wings, as bits.
    pub fn odd(&self, state: &State) -> u32 {
        let odd = self.layers.iter().filter(|(_, wings)| is_odd(&wings.pieces(state)));
        odd.fold(0, |odd, (layer, _)| odd | 1 << (layer - 2))
    }
}
