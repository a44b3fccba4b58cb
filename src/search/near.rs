//! Everything near a goal, as a set of fingerprints.

/// Which nodes are how near to a goal: a hash table without the nodes, 16 bits each. What is not in it is farther than what is, but one in
/// some ten thousand is taken for something else.
///
/// As bytes: slots of 16 bits, little endian; 0 is empty, otherwise the upper 13 bits are a fingerprint and the lower three the distance
/// plus 1. The low bits of a hash say where to begin to look, the upper 13 of 45 are the fingerprint.
#[derive(Debug)]
pub struct Near<'a>(&'a [u8]);

/// Where the fingerprint is in a hash.
const FINGERPRINT: u32 = 32;

impl<'a> Near<'a> {
    /// From the bytes of a table; their number must be a power of two.
    pub fn new(bytes: &'a [u8]) -> Near<'a> {
        Near(bytes)
    }

    /// The bytes of a table of `slots`, a power of two and well more than there are nodes, with hashes and distances of at most 6.
    pub fn build(slots: usize, nodes: impl IntoIterator<Item = (u64, u8)>) -> Vec<u8> {
        let mut bytes = vec![0; 2 * slots];
        for (hash, distance) in nodes {
            let mut slot = hash as usize & (slots - 1);
            while bytes[2 * slot] != 0 || bytes[2 * slot + 1] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            let entry = ((hash >> FINGERPRINT) as u16) << 3 | (distance as u16 + 1);
            bytes[2 * slot..][..2].copy_from_slice(&entry.to_le_bytes());
        }
        bytes
    }

    /// The distance of the node with a hash, if it is near.
    #[inline]
    pub fn distance(&self, hash: u64) -> Option<u8> {
        let mask = self.0.len() / 2 - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = u16::from_le_bytes([self.0[2 * slot], self.0[2 * slot + 1]]);
            if entry == 0 {
                return None;
            }
            if entry >> 3 == (hash >> FINGERPRINT) as u16 & 0x1fff {
                return Some((entry as u8 & 7) - 1);
            }
            slot = (slot + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_found_and_hardly_anything_else() {
        let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        let bytes = Near::build(1 << 12, (0..2000).map(|n| (hash(n), (n % 7) as u8)));
        let near = Near::new(&bytes);
        // Two with one fingerprint side by side are taken for each other.
        let wrong = (0..2000)
            .filter(|&n| near.distance(hash(n)) != Some((n % 7) as u8))
            .count();
        let more = (2000..22_000).filter(|&n| near.distance(hash(n)).is_some()).count();
        assert!(wrong <= 2 && more <= 10, "{wrong} {more}");
    }
}
