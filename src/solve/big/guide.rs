//! x
use super::centres::Part;
pub(super) struct Guide {
    goal: u32,
}
impl Guide {
    pub fn new(_n: usize, part: Part) -> Guide {
        Guide { goal: part.goal() }
    }
    pub fn value(&self, sets: &[u32]) -> u32 {
        sets.iter().map(|s| 4 * (s ^ self.goal).count_ones()).sum()
    }
}
