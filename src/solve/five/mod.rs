//! The 5x5x5, reduced to a 3x3x3 in five phases (after the phases of cs0x7f's cube555).

mod centres;
mod edges;
mod phase1;
mod phase2;
mod phase3;
mod phase4;
mod phase5;
mod ring;
mod tables;

use crate::cube::{Face, Turn};
pub(crate) use tables::Table5;

/// The turns of outer blocks of one and two layers that `holds` holds for.
fn turns(holds: impl Fn(&Turn) -> bool) -> Vec<Turn> {
    let all = Face::ALL.into_iter().flat_map(|face| {
        (1..=2).flat_map(move |width| (1..=3).map(move |quarters| Turn::outer(face, width, quarters)))
    });
    all.filter(holds).collect()
}

#[cfg(test)]
mod tests;
