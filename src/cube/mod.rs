//! The puzzle and nothing else: facelets, orbits, turns, notation, states, validity, for any N of at least 2.
//!
//! Knows no other layer.
