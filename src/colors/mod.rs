//! Six lattices of colours to one legal cube state, with a margin: global assignment over pieces.
//!
//! Knows `cube` and the lattices of `vision`; must not know cameras, solvers or the crane.
