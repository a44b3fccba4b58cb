//! How far the nodes of the last two phases seem to be, by the distances that several tables tell. In eighths of a turn.

/// The estimate of a node that is not among those within `near` turns of the goal.
#[inline]
pub(super) fn far<const N: usize>(all: &[u32; N], near: u8) -> u32 {
    8 * greatest(all).max(u32::from(near) + 1) + 2 * all.iter().sum::<u32>()
}

/// The least estimate of a node that is at least so far by each table.
#[inline]
pub(super) fn least<const N: usize>(all: &[u32; N], near: u8) -> u32 {
    let most = greatest(all);
    if most > u32::from(near) {
        far(all, near)
    } else {
        8 * most
    }
}

/// The greatest distance.
#[inline]
pub(super) fn greatest<const N: usize>(all: &[u32; N]) -> u32 {
    all.iter().fold(0, |most, &distance| most.max(distance))
}

/// The least distances that a node is taken to have after a turn. A distance that a table tells of several nodes together may change by more; it seldom does, in
/// one of forty turns.
#[inline]
pub(super) fn after_a_turn<const N: usize>(all: [u32; N]) -> [u32; N] {
    all.map(|distance| distance.saturating_sub(1))
}
