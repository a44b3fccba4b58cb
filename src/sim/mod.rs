//! The simulated brick: the same traits on virtual time, with a coordinate cube in a crane and a renderer as its camera.
//!
//! Knows `brick`, `crane` and `cube`; shares no code with the recogniser in `vision`, so that it cannot cheat.

pub mod render;
