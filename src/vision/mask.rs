//! A bit for every pixel, so that growing edges and finding runs work on 32 pixels at once.

/// Pixels per word.
pub const WORD: usize = u32::BITS as usize;

/// Lines of 32-bit words, the lowest bit leftmost; 1 is an edge. Columns beyond the picture are edges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mask {
    /// Words per line.
    words: usize,
    /// Columns of the last word of a line that lie beyond the picture.
    beyond: u32,
    bits: Vec<u32>,
}

impl Mask {
    /// Pixels from one line to the next of a picture that wide, in this and in every array that shares its indices.
    pub fn stride_for(width: usize) -> usize {
        width.div_ceil(WORD) * WORD
    }

    /// Makes it an empty mask of that size.
    pub fn reset(&mut self, width: usize, height: usize) {
        self.words = width.div_ceil(WORD);
        self.beyond = match width % WORD {
            0 => 0,
            part => !0 << part,
        };
        self.bits.clear();
        self.bits.resize(self.words * height, 0);
    }

    /// Whether pixel `at` (line times stride plus column) is an edge.
    #[cfg(test)]
    pub fn get(&self, at: usize) -> bool {
        self.bits[at / WORD] >> (at % WORD) & 1 == 1
    }

    /// Makes pixel `at` (line times stride plus column) an edge.
    pub fn set(&mut self, at: usize) {
        self.bits[at / WORD] |= 1 << (at % WORD);
    }

    /// Its lines.
    pub fn lines(&self) -> impl Iterator<Item = &[u32]> {
        self.bits.chunks_exact(self.words.max(1))
    }

    /// Becomes `other` with every edge grown by one pixel to all four sides.
    pub fn grow_from(&mut self, other: &Mask) {
        let words = other.words;
        self.clone_from(other);
        for (y, line) in other.lines().enumerate() {
            let out = &mut self.bits[y * words..(y + 1) * words];
            for i in 0..words {
                let left = if i > 0 { line[i - 1] >> (WORD - 1) } else { 0 };
                let right = if i + 1 < words { line[i + 1] << (WORD - 1) } else { 0 };
                out[i] |= line[i] << 1 | line[i] >> 1 | left | right;
            }
        }
        if self.bits.len() > words {
            let last = self.bits.len() - words;
            for (out, above) in self.bits[words..].iter_mut().zip(&other.bits) {
                *out |= above;
            }
            for (out, below) in self.bits[..last].iter_mut().zip(&other.bits[words..]) {
                *out |= below;
            }
        }
    }

    /// Makes the first and last line and column, and everything beyond the picture, edges.
    pub fn close_border(&mut self) {
        let words = self.words;
        if words == 0 || self.bits.is_empty() {
            return;
        }
        // The last column of the picture: the bit below those beyond it.
        let last = self.beyond | (1 << (WORD - 1)) >> self.beyond.count_ones();
        for line in self.bits.chunks_exact_mut(words) {
            line[0] |= 1;
            line[words - 1] |= last;
        }
        self.bits[..words].fill(!0);
        let end = self.bits.len() - words;
        self.bits[end..].fill(!0);
    }

    /// Calls `run` with the first column and the one after the last of every stretch without edges in a line.
    pub fn runs(line: &[u32], mut run: impl FnMut(u32, u32)) {
        let mut open = None;
        let mut base = 0;
        for &word in line {
            // The bits below `done` are dealt with.
            let mut done = 0;
            while done < WORD as u32 {
                let rest = (if open.is_some() { word } else { !word }) >> done;
                if rest == 0 {
                    break;
                }
                done += rest.trailing_zeros();
                match open.take() {
                    Some(from) => run(from, base + done),
                    None => open = Some(base + done),
                }
            }
            base += WORD as u32;
        }
        if let Some(from) = open {
            run(from, base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mask(width: usize, height: usize, edges: &[usize]) -> Mask {
        let mut mask = Mask::default();
        mask.reset(width, height);
        for &edge in edges {
            let (x, y) = (edge % width, edge / width % height);
            mask.set(y * Mask::stride_for(width) + x);
        }
        mask
    }

    proptest! {
        #[test]
        fn runs_are_the_stretches_between_edges(line in prop::collection::vec(prop::sample::select(vec![0, !0, 5, 1 << 31, 0x00FF_0F00]), 0..4)) {
            let edge = |x: usize| line[x / WORD] >> (x % WORD) & 1 == 1;
            let mut free = vec![false; line.len() * WORD];
            let mut previous = None;
            Mask::runs(&line, |from, to| {
                assert!(from < to && previous.is_none_or(|end| end < from));
                previous = Some(to);
                free[from as usize..to as usize].fill(true);
            });
            for (x, &free) in free.iter().enumerate() {
                prop_assert_eq!(free, !edge(x), "column {}", x);
            }
        }

        #[test]
        fn growing_adds_the_four_neighbours(width in 1usize..80, height in 1usize..6, edges in prop::collection::vec(0usize..480, 0..12)) {
            let before = mask(width, height, &edges);
            let mut after = Mask::default();
            after.grow_from(&before);
            let stride = Mask::stride_for(width);
            for y in 0..height {
                for x in 0..width {
                    let at = y * stride + x;
                    let expected = before.get(at)
                        || (x > 0 && before.get(at - 1))
                        || (x + 1 < width && before.get(at + 1))
                        || (y > 0 && before.get(at - stride))
                        || (y + 1 < height && before.get(at + stride));
                    prop_assert_eq!(after.get(at), expected, "{} {}", x, y);
                }
            }
        }

        #[test]
        fn a_closed_border_leaves_the_inside_alone(width in 1usize..80, height in 1usize..6) {
            let mut mask = mask(width, height, &[]);
            mask.close_border();
            let stride = Mask::stride_for(width);
            for y in 0..height {
                for x in 0..stride {
                    let inside = x > 0 && x + 1 < width && y > 0 && y + 1 < height;
                    prop_assert_eq!(mask.get(y * stride + x), !inside, "{} {}", x, y);
                }
            }
        }
    }
}
