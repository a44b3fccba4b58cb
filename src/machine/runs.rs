//! Turns about one axis commute, so a run of them is a set of *boundary turns*: for each boundary between layers, how far the layers on its
//! two sides turn against each other. The rest is a rotation of the whole cube, which costs nothing and is only kept in mind.

use crate::cube::{Face, Symmetry, Turn};

/// All turns of a run: the boundary, counted in layers from the positive face of the axis, and its quarter turns clockwise as seen there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Run {
    pub axis: usize,
    pub boundaries: Vec<(u8, u8)>,
}

/// The boundary and quarters of a turn of an outer block, counted as in a [`Run`]. A block of the negative face is the complement of one of
/// the positive face, which turns the same way against it; the whole cube then turns with the block.
pub(super) fn boundary(n: u8, turn: Turn) -> (u8, u8) {
    let last = turn.last.min(n);
    (if turn.face.sign() > 0 { last } else { n - last }, turn.quarters % 4)
}

/// The runs of boundary turns that the turns are made of, and the rotation of the whole cube that is left over: doing the turns is doing
/// the runs, in which the layers at the negative face stay, and then that rotation.
pub(super) fn runs(n: u8, turns: &[Turn]) -> (Vec<Run>, Symmetry) {
    let mut runs: Vec<Run> = Vec::new();
    let mut held = Symmetry::IDENTITY;
    for block in turns.iter().flat_map(|turn| turn.blocks()) {
        let block = block.moved(held.inverse());
        let (boundary, quarters) = boundary(n, block);
        if block.face.sign() < 0 || block.last >= n {
            held = Symmetry::turning(block.face, quarters).then(held);
        }
        if boundary == 0 || boundary >= n || quarters == 0 {
            continue;
        }
        add(&mut runs, block.face.axis(), (boundary, quarters));
    }
    (runs, held)
}

/// Adds a boundary turn at the end. Those that undo one another vanish.
fn add(runs: &mut Vec<Run>, axis: usize, (boundary, quarters): (u8, u8)) {
    if runs.last().is_none_or(|run| run.axis != axis) {
        runs.push(Run {
            axis,
            boundaries: Vec::new(),
        });
    }
    let Some(run) = runs.last_mut() else { return };
    match run.boundaries.iter().position(|&(b, _)| b == boundary) {
        None => run.boundaries.push((boundary, quarters)),
        Some(i) => {
            let sum = (run.boundaries[i].1 + quarters) % 4;
            if sum == 0 {
                run.boundaries.remove(i);
            } else {
                run.boundaries[i].1 = sum;
            }
            if run.boundaries.is_empty() {
                runs.pop();
            }
        }
    }
}

/// What a turn of an outer block in the world does to the frame of a run, which stays with the layers at the axis' negative face: nothing,
/// or a turn of the whole cube if these turn. `own` is the face of the block in the cube's frame, `world` where it is.
pub(super) fn taken_along(own: Face, world: Face, quarters: u8) -> Symmetry {
    match own.sign() > 0 {
        true => Symmetry::IDENTITY,
        false => Symmetry::turning(world, quarters),
    }
}
