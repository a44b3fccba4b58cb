//! Numbers of 16 bits side by side, as the vector instructions of a PC take them.

use super::lanes::{HIDDEN, Lanes, SECOND, SUM_MOST};

/// Numbers of the first layer by cells, those of the second by what they add to.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    columns: Vec<[i16; HIDDEN]>,
    /// For each sum of the second layer, what those of the first add to it.
    second: [[i16; HIDDEN]; SECOND],
}

impl Lanes for Plain {
    type Sums = [i16; HIDDEN];

    fn new(columns: &[[i8; HIDDEN]], second: &[[i16; SECOND]; HIDDEN]) -> Plain {
        Plain {
            columns: columns.iter().map(|column| column.map(i16::from)).collect(),
            second: std::array::from_fn(|to| std::array::from_fn(|from| second[from][to])),
        }
    }

    fn sums(numbers: &[i16; HIDDEN]) -> [i16; HIDDEN] {
        *numbers
    }

    #[inline]
    fn after(&self, sums: &[i16; HIDDEN], come: &[u8], gone: &[u8]) -> [i16; HIDDEN] {
        let mut sums = *sums;
        for &cell in come {
            for (sum, add) in sums.iter_mut().zip(&self.columns[usize::from(cell)]) {
                *sum = sum.wrapping_add(*add);
            }
        }
        for &cell in gone {
            for (sum, add) in sums.iter_mut().zip(&self.columns[usize::from(cell)]) {
                *sum = sum.wrapping_sub(*add);
            }
        }
        sums
    }

    #[inline]
    fn second(&self, rows: &[[i16; HIDDEN]], begin: &[i32; SECOND]) -> [i32; SECOND] {
        const MOST: i16 = SUM_MOST as i16;
        let mut all = [0i16; HIDDEN];
        for sums in rows {
            for (all, sum) in all.iter_mut().zip(sums) {
                *all = all.saturating_add(*sum.max(&0)).min(MOST);
            }
        }
        let mut second = *begin;
        for (second, by) in second.iter_mut().zip(&self.second) {
            let products = all.iter().zip(by).map(|(&sum, &by)| i32::from(sum) * i32::from(by));
            *second += products.sum::<i32>();
        }
        second
    }

    #[cfg(test)]
    fn numbers(sums: &[i16; HIDDEN]) -> [i16; HIDDEN] {
        *sums
    }
}
