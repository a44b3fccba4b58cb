//! What is found on one side.

/// The stickers of one side as its picture shows them; every list runs row by row from the top left and has `size`² entries.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Lattice {
    /// Stickers per row and per column, 2 to 7, the same on all six sides.
    pub size: usize,
    /// Mean red, green and blue of each sticker.
    pub rgb: Vec<[u8; 3]>,
    /// Column and line of each sticker's centre in the picture; (0, 0) is the centre of the pixel at the top left.
    pub centres: Vec<[f32; 2]>,
    /// Whether the sticker was seen as a square; the others were placed from the lattice.
    pub found: Vec<bool>,
    /// Mean distance of neighbouring centres in pixels.
    pub pitch: f32,
}
