//! Pruning tables on disk: the format, its checks, parallel breadth-first building, mapping and read-ahead.
//!
//! Knows nothing of cubes: a table is a name, a number of entries, and a space to search.
