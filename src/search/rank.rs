//! Numbers for permutations and subsets.

/// The number of a permutation of 0..N among all in lexicographic order, below N!. N is at most 12.
pub fn permutation_rank(permutation: &[u8]) -> usize {
    let n = permutation.len();
    let mut rank = 0;
    for (i, &p) in permutation.iter().enumerate() {
        let smaller = permutation[i + 1..].iter().filter(|&&q| q < p).count();
        rank = rank * (n - i) + smaller;
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

/// The number of a subset of at most 8 of the low 24 bits, among all with as many bits, by the colex order.
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

/// The subset with `size` bits, at most 8, that has a number; the inverse of [`subset_rank`].
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

/// Binomial coefficients up to 24 of 8, because a CPU without division ranks many subsets.
const BINOMIAL: [[u32; 9]; 25] = {
    let mut table = [[0; 9]; 25];
    let mut n = 0;
    while n < 25 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 9 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_are_numbered_one_after_the_other() {
        let mut before = [0; 6];
        for rank in 0..720 {
            let p = permutation_unrank::<6>(rank);
            assert_eq!(permutation_rank(&p), rank);
            assert!(rank == 0 || p > before);
            before = p;
        }
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
}
