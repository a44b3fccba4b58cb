//! The job from start to finish: scan, resolve, solve, plan, turn, check; and the events that tell how it goes.
//!
//! Knows every layer below; must not know how anything is shown (that is `cli`) or which brick it runs on (a trait).
