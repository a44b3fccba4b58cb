//! The crane: its mechanism as data, its primitives, what they cost in seconds, the planner and the driver.
//!
//! Knows `cube` (turns, rotations) and the device traits of `brick`; must not know pictures, solvers, or which devices it drives.
