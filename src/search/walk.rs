//! Small closures: all that can be reached from a value.

use crate::tables::NO_WAY;

/// Everything that can be reached from a value, in the order in which it is found; `next` gives what one step makes of
/// a value. For few values: each is compared with all.
pub fn closure<T: Copy + PartialEq, I: IntoIterator<Item = T>>(from: T, next: impl Fn(T) -> I) -> Vec<T> {
    let mut all = vec![from];
    let mut done = 0;
    while let Some(&value) = all.get(done) {
        for reached in next(value) {
            if !all.contains(&reached) {
                all.push(reached);
            }
        }
        done += 1;
    }
    all
}

/// No way has more turns than this: distances that are counted modulo 3 go no farther.
const FARTHEST: u8 = 32;

/// The distance of a node to the goal, where `mod3` tells distances modulo 3 only: the number of turns of a way down. An error
/// if there is no way of less than 32 turns, because then the table contradicts itself.
pub fn distance_by_walk<N: Copy>(
    node: N,
    turns: usize,
    child: impl Fn(&N, usize) -> N,
    mod3: impl Fn(&N) -> u8,
    goal: impl Fn(&N) -> bool,
) -> Result<u8, &'static str> {
    let mut at = node;
    for distance in 0..FARTHEST {
        if goal(&at) {
            return Ok(distance);
        }
        let below = [2, 0, 1, 3][mod3(&at) as usize & 3];
        let next = (0..turns).map(|t| child(&at, t)).find(|next| mod3(next) == below);
        at = next.ok_or(NO_WAY)?;
    }
    Err(NO_WAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_is_all_and_nothing_else_nearest_first() {
        assert_eq!(closure(0, |n| [(n + 4) % 10, (n + 6) % 10]), [0, 4, 6, 8, 2]);
        assert_eq!(closure(7, |_| []), [7]);
    }

    #[test]
    fn the_walk_along_a_line_is_its_length() {
        let child = |&n: &i32, t: usize| if t == 0 { n + 1 } else { (n - 1).max(0) };
        for n in 0..30 {
            let found = distance_by_walk(n, 2, child, |&n| (n % 3) as u8, |&n| n == 0);
            assert_eq!(found, Ok(n as u8));
        }
        assert_eq!(distance_by_walk(5, 2, child, |_| 0, |&n| n == 0), Err(NO_WAY));
        // A circle whose way down never ends.
        let around = |&n: &i32, t: usize| (n + 1 + 10 * t as i32) % 12;
        assert_eq!(
            distance_by_walk(5, 2, around, |n| (2 - n % 3) as u8, |_| false),
            Err(NO_WAY)
        );
    }
}
