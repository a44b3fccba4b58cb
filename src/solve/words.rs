//! The words that people read for phases and tables: in messages and in `tables list`. `docs/how-it-solves.md` explains them.

use super::named::GOALS;

/// The phases of a reduction as searches see them. Some have the goal of a [named phase](super::named_phases()), others a part of one.
pub(super) const FIRST_AXIS: &str = GOALS[0].0;
pub(super) const ALL_AXES: &str = GOALS[1].0;
/// One wing of every edge in a high cell, one in a low cell.
pub(super) const HALVES: &str = "halves";
pub(super) const FOUR_EDGES: &str = "four edges";
pub(super) const CENTRES_AND_EDGES: &str = "centres and edges";
/// The four groups after Thistlethwaite: what is right at the end of each phase, and what is left to do.
pub const GROUPS: [&str; 4] = ["edges flipped", "corners twisted", "half turns left", "half turns"];
/// The end of a reduction: many 3x3x3s side by side.
pub(super) const LAST: &str = "last turns";
/// A 3x3x3 by both phases, and by what its turns cost a machine.
pub(super) const BOTH_PHASES: &str = "both phases";
pub(super) const BY_PRICE: &str = "by price";
#[cfg(feature = "optimal")]
pub(super) const PROOF: &str = "proof";
/// Cubes that few turns solve, and those whose every state is in a table.
pub(super) const NEAR: &str = "near";
pub(super) const EVERY_STATE: &str = "every state";
/// Centres agree where they turn as one piece.
pub(super) const BLOCKS: &str = "blocks";

/// What a table is good for, in a line: its phase, its kind, and what it looks at. `None` of a name that no table has.
///
/// ```
/// let about = cranecuber::solve::about_table("4x4x4-1-axis");
/// assert_eq!(about, Some("first axis, pruning table: where the eight centres of one axis are"));
/// ```
pub fn about_table(name: &str) -> Option<&'static str> {
    Some(match name {
        "2x2x2-states" => "permutation, whole table: every state of the cube",
        "3x3x3-1-twist-slice" => "orientation, pruning table: twists of corners, places of the four slice midges",
        "3x3x3-1-flip-slice" => "orientation, pruning table: flips of midges, places of the four slice midges",
        "3x3x3-1-twist-flip" => "orientation, pruning table: twists of corners, flips of midges, and what may be near",
        "3x3x3-2-corners-slice" => "permutation, pruning table: order of corners, order of the slice midges",
        "3x3x3-2-midges-slice" => {
            "permutation, pruning table: order of the other eight midges, order of the slice midges"
        }
        "3x3x3-g1-flip" => "edges flipped, whole table: flips of midges",
        "3x3x3-g2-twist-slice" => "corners twisted, whole table: twists of corners, places of the four slice midges",
        "3x3x3-g3-corners-midges" => "half turns left, whole table: what half turns can do with corners and midges",
        "3x3x3-g4-half-turns" => "half turns, whole table: every state that half turns make",
        "4x4x4-1-axis" => "first axis, pruning table: where the eight centres of one axis are",
        "4x4x4-2-centres" => {
            "all axes, pruning table: axes of all centres, half turns of the first axis, parity of wings"
        }
        "4x4x4-3-centres" => "centres and edges, pruning table: colours of all centres, parity of edges",
        "4x4x4-3-pairs" => "centres and edges, pruning table: which two wings belong together",
        "5x5x5-1-t-centres" => "first axis, pruning table: where the eight t-centres of one axis are",
        "5x5x5-1-x-centres" => "first axis, pruning table: where the eight x-centres of one axis are",
        "5x5x5-1-near" => "first axis, near set: both kinds of centres, up to six turns from the goal",
        "5x5x5-2-centres" => "all axes, whole table: axes of all centres, parity of wings",
        "5x5x5-3-wings" => "halves, pruning table: which twelve wings are high",
        "5x5x5-3-midges-centres" => "halves, pruning table: flips of midges, centres of the first axis",
        "5x5x5-3-near" => "halves, near set: wings and midges, up to seven turns from the goal",
        "5x5x5-4-edges" => "four edges, pruning table: midges and all wings of four edges",
        "5x5x5-4-wings-sides" => "four edges, pruning table: midges and low wings of four edges, centres of R and L",
        "5x5x5-4-wings-layers" => "four edges, pruning table: midges and low wings of four edges, centres of U and D",
        "5x5x5-4-centres" => "four edges, pruning table: centres of R, L, U and D",
        "5x5x5-4-near" => "four edges, near set: everything up to five turns from the goal",
        "5x5x5-5-wings-centres" => "centres and edges, pruning table: low wings of eight edges, centres of U and D",
        "5x5x5-5-centres" => "centres and edges, pruning table: all centres",
        "5x5x5-5-near" => "centres and edges, near set: everything up to seven turns from the goal",
        "6x6x6-1-guide" | "7x7x7-1-guide" => "first axis, guide: learned weights of patterns of centres",
        "6x6x6-2-guide" | "7x7x7-2-guide" => "all axes, guide: learned weights of patterns of centres, parity of wings",
        "6x6x6-3-guide" | "7x7x7-3-guide" => "blocks, guide: learned weights of patterns of centres",
        "8x8x8-1-guide" | "9x9x9-1-guide" | "10x10x10-1-guide" => {
            "first axis, guide: the same for several pairs of layers"
        }
        "8x8x8-2-guide" | "9x9x9-2-guide" | "10x10x10-2-guide" => {
            "all axes, guide: the same for several pairs of layers"
        }
        "8x8x8-3-guide" | "9x9x9-3-guide" => "blocks, guide: the same for several pairs of layers",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::tables;

    #[test]
    fn every_table_is_explained_by_its_phase_and_its_kind() {
        let searched = [FIRST_AXIS, ALL_AXES, HALVES, FOUR_EDGES, CENTRES_AND_EDGES, BLOCKS];
        let named = GOALS.map(|(name, ..)| name).into_iter().chain(GROUPS);
        let phases: Vec<&str> = searched.into_iter().chain(named).collect();
        let kinds = ["whole table", "pruning table", "near set", "guide"];
        for recipe in tables() {
            let name = recipe.spec().name;
            let about = about_table(name).unwrap_or_else(|| panic!("{name} is not explained"));
            let (phase, rest) = about.split_once(", ").unwrap();
            let (kind, what) = rest.split_once(": ").unwrap();
            assert!(phases.contains(&phase) && kinds.contains(&kind), "{about}");
            // A guide and a near set are named so, and a line is short.
            assert_eq!(
                (name.contains("guide"), name.contains("near")),
                (kind == "guide", kind == "near set"),
                "{about}"
            );
            assert!(!what.is_empty() && about.len() < 100, "{about}");
        }
        assert_eq!(about_table("a table of another program"), None);
    }

    #[test]
    fn the_document_explains_every_word() {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/how-it-solves.md")).unwrap();
        let words = [FIRST_AXIS, ALL_AXES, HALVES, FOUR_EDGES, CENTRES_AND_EDGES, BLOCKS];
        for word in words.into_iter().chain(GOALS.map(|(name, ..)| name)).chain(GROUPS) {
            assert!(text.contains(&format!("**{word}**")), "{word}");
        }
        for word in ["whole table", "pruning table", "near set", "guide"] {
            assert!(text.contains(&format!("**{word}**")), "{word}");
        }
        for recipe in tables() {
            let size = recipe.size();
            assert!(text.contains(&format!("{size}x{size}x{size}")), "{size}");
        }
    }
}
