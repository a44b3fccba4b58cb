//! Two lines of time, one beside the other: the search hands out turns, the crane makes them.

use crate::cube::Turn;

/// Turns that the search hands out together.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// When, in milliseconds after the search has begun.
    pub(super) at: u64,
    /// None where the search only ends.
    pub(super) turns: Vec<Turn>,
}

/// Where the time goes from the beginning of the search until the cube is solved, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Course {
    /// Before the first turn.
    pub(super) think: u64,
    /// While the crane turns.
    pub(super) turn: u64,
    /// While it stands still after that, because no turn is certain.
    pub(super) idle: u64,
    /// The longest piece of that.
    pub(super) longest_idle: u64,
}

impl Course {
    /// All of it.
    pub(super) fn all(&self) -> u64 {
        self.think + self.turn + self.idle
    }

    fn wait(&mut self, until: u64) {
        let time = until.saturating_sub(self.all());
        if self.turn == 0 {
            self.think += time;
        } else {
            self.idle += time;
            self.longest_idle = self.longest_idle.max(time);
        }
    }
}

/// Lets the crane make all parts, which are in the order of their times. Whenever it has nothing to do, it has all that was handed out
/// meanwhile, and what it had left of that before. `make` is told these turns, and whether no more will come; it gives how many of them the
/// crane makes now, and the milliseconds that this takes.
pub(super) fn course(parts: &[Part], mut make: impl FnMut(&[Turn], bool) -> (usize, u64)) -> Course {
    let mut course = Course::default();
    let (mut later, mut turns) = (parts, Vec::new());
    while let Some(next) = later.first() {
        course.wait(next.at);
        loop {
            let now = course.all();
            let handed;
            (handed, later) = later.split_at(later.iter().take_while(|part| part.at <= now).count());
            turns.extend(handed.iter().flat_map(|part| &part.turns));
            if turns.is_empty() {
                break;
            }
            let (made, ms) = make(&turns, later.is_empty());
            course.turn += ms;
            turns.drain(..made);
        }
    }
    course
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Face;

    /// Parts of so many turns, at their times.
    fn parts(parts: &[(u64, usize)]) -> Vec<Part> {
        let part = |&(at, turns)| Part {
            at,
            turns: vec![Turn::outer(Face::U, 1, 1); turns],
        };
        parts.iter().map(part).collect()
    }

    /// A turn takes ten milliseconds, and every plan one to put the cube down. While more may come, of five turns or more it makes three.
    fn played(of: &[(u64, usize)]) -> (Course, Vec<usize>) {
        let mut plans = Vec::new();
        let course = course(&parts(of), |turns, is_all| {
            let piece = !is_all && turns.len() >= 5;
            let made = if piece { 3 } else { turns.len() };
            plans.push(made);
            (made, 10 * made as u64 + u64::from(!piece))
        });
        (course, plans)
    }

    #[test]
    fn the_crane_waits_where_the_search_takes_longer() {
        // It turns from 5 to 26 and from 100 to 111, and waits again until 150.
        let (course, plans) = played(&[(5, 2), (100, 1), (150, 3)]);
        assert_eq!(plans, [2, 1, 3]);
        let expected = Course {
            think: 5,
            turn: 21 + 11 + 31,
            idle: 74 + 39,
            longest_idle: 74,
        };
        assert_eq!((course, course.all()), (expected, 150 + 31));
    }

    #[test]
    fn what_comes_while_the_crane_turns_is_planned_together() {
        // It turns from 5 to 46; then both other parts are there.
        let (course, plans) = played(&[(5, 4), (20, 2), (46, 1), (47, 4)]);
        assert_eq!(plans, [4, 3, 4]);
        let expected = Course {
            think: 5,
            turn: 41 + 31 + 41,
            idle: 0,
            longest_idle: 0,
        };
        assert_eq!(course, expected);
    }

    #[test]
    fn what_a_piece_leaves_is_planned_with_what_comes_meanwhile() {
        // Three from 5 to 35, then the other three and the two that came; of these three to 65. When the search is over, all that is left.
        let (course, plans) = played(&[(5, 6), (30, 2), (70, 1), (80, 0)]);
        assert_eq!(plans, [3, 3, 2, 1]);
        let expected = Course {
            think: 5,
            turn: 30 + 30 + 21 + 11,
            idle: 0,
            longest_idle: 0,
        };
        assert_eq!(course, expected);
    }

    #[test]
    fn a_search_that_goes_on_after_the_last_turn_is_waited_for() {
        let (course, plans) = played(&[(5, 1), (40, 0)]);
        assert_eq!((plans, course.idle, course.all()), (vec![1], 24, 40));
        // And if there is nothing to turn, all is thinking.
        let (course, plans) = played(&[(7, 0)]);
        assert_eq!((plans.len(), course.think, course.all()), (0, 7, 7));
        assert_eq!(played(&[]).0, Course::default());
    }
}
