//! Numbers for permutations and subsets.

/// The number of a permutation of 0..N among all in lexicographic order, below N!. N is at most 12.
pub fn permutation_rank(permutation: &[u8]) -> usize {
    let n = permutation.len();
    if n <= 8 {
        return rank_of_few(permutation);
    }
    let mut rank = 0;
    for (i, &p) in permutation.iter().enumerate() {
        let smaller = permutation[i + 1..].iter().filter(|&&q| q < p).count();
        rank = rank * (n - i) + smaller;
    }
    rank
}

/// The same for at most eight: a search asks for it at every goal of a phase.
#[inline]
fn rank_of_few(permutation: &[u8]) -> usize {
    // Four bits for each number: how many smaller ones are still to come.
    let mut smaller = 0x7654_3210u32;
    let mut rank = 0;
    for (&p, left) in permutation.iter().zip((1..=permutation.len()).rev()) {
        let shift = 4 * (p & 7);
        rank = rank * left + (smaller >> shift & 0xf) as usize;
        smaller = smaller.wrapping_sub(0x1111_1110 << shift);
    }
    rank
}

/// The permutation with a number; the inverse of [`permutation_rank`].
pub fn permutation_unrank<const N: usize>(mut rank: usize) -> [u8; N] {
    let mut permutation = [0u8; N];
    for i in (0..N).rev() {
        let digit = (rank % (N - i)) as u8;
        rank /= N - i;
        permutation[i] = digit;
        for later in &mut permutation[i + 1..] {
            *later += u8::from(*later >= digit);
        }
    }
    permutation
}

/// The number of a subset of at most 12 of the low 24 bits, among all with as many bits, by the colex order.
pub fn subset_rank(bits: u32) -> usize {
    let mut rank = 0;
    let mut chosen = 0;
    let mut rest = bits;
    while rest != 0 {
        chosen += 1;
        rank += BINOMIAL[rest.trailing_zeros() as usize][chosen] as usize;
        rest &= rest - 1;
    }
    rank
}

/// The subset with `size` bits, at most 12, that has a number; the inverse of [`subset_rank`].
pub fn subset_unrank(mut rank: usize, size: usize) -> u32 {
    let mut bits = 0;
    for chosen in (1..=size).rev() {
        let mut bit = chosen - 1;
        while BINOMIAL[bit + 1][chosen] as usize <= rank {
            bit += 1;
        }
        rank -= BINOMIAL[bit][chosen] as usize;
        bits |= 1 << bit;
    }
    bits
}

/// Binomial coefficients up to 24 of 12, because a CPU without division ranks many subsets.
const BINOMIAL: [[u32; 13]; 25] = {
    let mut table = [[0; 13]; 25];
    let mut n = 0;
    while n < 25 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 13 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Ranks of subsets with a fixed number of bits, by [`subset_rank`]'s order, from two small tables: one lookup for each
/// half of the word.
#[derive(Debug, Clone)]
pub struct Subsets {
    size: usize,
    count: usize,
    half: u32,
    low: Vec<u16>,
    high: Vec<u32>,
}

impl Subsets {
    /// For subsets of `size` of the low `cells` bits; `cells` is even and at most 24, `size` at most 12.
    pub fn new(cells: u32, size: usize) -> Subsets {
        let half = cells / 2;
        let part = |bits: u32, below: usize| {
            let mut rest = bits;
            let (mut rank, mut chosen) = (0, below);
            while rest != 0 {
                chosen += 1;
                if chosen > size {
                    return 0;
                }
                rank += BINOMIAL[rest.trailing_zeros() as usize][chosen];
                rest &= rest - 1;
            }
            rank
        };
        let high = |bits: u32| part(bits << half, size.saturating_sub(bits.count_ones() as usize));
        Subsets {
            size,
            count: BINOMIAL[cells as usize][size] as usize,
            half,
            low: (0..1 << half).map(|bits| part(bits, 0) as u16).collect(),
            high: (0..1 << half).map(high).collect(),
        }
    }

    /// How many subsets there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a subset.
    #[inline]
    pub fn rank(&self, bits: u32) -> usize {
        let low = bits & ((1 << self.half) - 1);
        self.high[(bits >> self.half) as usize] as usize + self.low[low as usize] as usize
    }

    /// The subset with a number.
    pub fn unrank(&self, rank: usize) -> u32 {
        subset_unrank(rank, self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_are_numbered_one_after_the_other() {
        fn one_after_the_other<const N: usize>(count: usize) {
            let mut before = [0; N];
            for rank in 0..count {
                let p = permutation_unrank::<N>(rank);
                assert_eq!(permutation_rank(&p), rank);
                assert!(rank == 0 || p > before);
                before = p;
            }
        }
        one_after_the_other::<4>(24);
        one_after_the_other::<8>(40_320);
        one_after_the_other::<9>(362_880);
    }

    #[test]
    fn subsets_are_numbered_one_after_the_other() {
        let all: Vec<u32> = (0u32..1 << 12).filter(|b| b.count_ones() == 4).collect();
        assert_eq!(all.len(), 495);
        for (rank, bits) in all.into_iter().enumerate() {
            assert_eq!(subset_rank(bits), rank);
            assert_eq!(subset_unrank(rank, 4), bits);
        }
    }

    #[test]
    fn two_lookups_give_the_same_number() {
        for (cells, size, count) in [(24, 8, 735_471), (24, 12, 2_704_156), (16, 8, 12_870), (8, 4, 70)] {
            let subsets = Subsets::new(cells, size);
            assert_eq!(subsets.count(), count);
            for rank in (0..count).step_by(1 + count / 5000).chain([count - 1]) {
                let bits = subsets.unrank(rank);
                assert_eq!((subsets.rank(bits), subset_rank(bits)), (rank, rank));
                assert!(bits < 1 << cells && bits.count_ones() as usize == size);
            }
        }
    }
}
