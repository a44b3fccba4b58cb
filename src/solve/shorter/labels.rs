//! How many turns lead to a position, and which comes last: a hash table with 64 bits for each position.
//!
//! It keeps parts of hashes instead of positions, so that two positions may be taken for one: of a million, less than one in ten thousand
//! times. Who follows the turns back sees it.

/// A position's place in the table.
pub(super) type Slot = u32;

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label {
    /// How many turns lead here, or [`UNKNOWN`].
    pub length: u32,
    /// The number of the last of them.
    pub turn: u16,
}

/// The length where no way is known.
pub(super) const UNKNOWN: u32 = (1 << LENGTH_BITS) - 2;
/// More turns than these cannot be told from each other.
pub(super) const TURNS: usize = 1 << TURN_BITS;

const LENGTH_BITS: u32 = 14;
const TURN_BITS: u32 = 10;
const LABEL_BITS: u32 = LENGTH_BITS + TURN_BITS;

/// The table. A slot has, from above, 40 bits of the hash, the length plus 1, and the turn; 0 is an empty slot.
#[derive(Debug)]
pub(super) struct Labels(Vec<u64>);

impl Labels {
    /// Room for so many positions.
    pub fn new(positions: usize) -> Labels {
        Labels(vec![0; (positions * 3 / 2).next_power_of_two().max(64)])
    }

    /// Where the position with a hash is; it is there from now on.
    #[inline]
    pub fn slot(&mut self, hash: u64) -> Slot {
        let mask = self.0.len() - 1;
        let mut slot = hash as usize & mask;
        let part = hash >> LABEL_BITS << LABEL_BITS;
        loop {
            match self.0[slot] {
                0 => {
                    self.0[slot] = part
                        | Self::word(Label {
                            length: UNKNOWN,
                            turn: 0,
                        });
                    break;
                }
                entry if entry >> LABEL_BITS == part >> LABEL_BITS => break,
                _ => slot = (slot + 1) & mask,
            }
        }
        slot as Slot
    }

    /// What is known of the position in a slot.
    #[inline]
    pub fn get(&self, slot: Slot) -> Label {
        let entry = self.0[slot as usize];
        Label {
            length: (entry >> TURN_BITS) as u32 % (1 << LENGTH_BITS) - 1,
            turn: (entry % (1 << TURN_BITS)) as u16,
        }
    }

    /// Sets what is known of it.
    #[inline]
    pub fn set(&mut self, slot: Slot, label: Label) {
        let entry = &mut self.0[slot as usize];
        *entry = *entry >> LABEL_BITS << LABEL_BITS | Self::word(label);
    }

    fn word(label: Label) -> u64 {
        u64::from(label.length + 1) << TURN_BITS | u64::from(label.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mixed;

    #[test]
    fn every_position_keeps_its_own_label() {
        let mut labels = Labels::new(5000);
        let label = |i: u64| Label {
            length: (i % u64::from(UNKNOWN)) as u32,
            turn: (i % TURNS as u64) as u16,
        };
        for i in 0..5000 {
            let slot = labels.slot(mixed(i, 1));
            assert_eq!(labels.get(slot).length, UNKNOWN);
            labels.set(slot, label(i));
        }
        for i in 0..5000 {
            let slot = labels.slot(mixed(i, 1));
            assert_eq!(labels.get(slot), label(i));
        }
    }
}
