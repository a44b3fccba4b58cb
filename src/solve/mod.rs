//! Each cube size as a description of its phases, and [`solve()`] over all of them.
//!
//! Knows `search`, `tables` and `cube`; must not know pictures or the crane.
