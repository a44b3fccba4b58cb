//! The engine that every phase uses: coordinates, symmetry classes, pruning, budgets.
//!
//! Knows `cube` and `tables`; must not know which phases a size has (that is `solve`).
