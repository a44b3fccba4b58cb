//! One picture to a lattice of colours: luma, edges, components, lattice, and the joint decision on N.
//!
//! Integer arithmetic per pixel, float only per sticker. Knows `picture`; must not know cubes, colours or cameras.
