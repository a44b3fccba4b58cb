//! What jaws can do, as the planner takes it: the rules of the calibration, applied to every motion.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::jaw::{Jaw, Set};
use super::mechanism::{Mechanism, Rules};
use crate::calibration::travel_ms;
use crate::cube::{Face, Symmetry, Turn};
use crate::machine::{Deed, Machine, Pose, Station, Step};

/// One step of jaws; all its motors run at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Motion {
    /// Jaws open.
    Open(Set),
    /// Jaws close.
    Close(Set),
    /// Jaws turn by 1 to 3 quarters, clockwise as seen from outside on each; left and right together as seen from the right.
    Turn(Set, u8),
}

impl fmt::Display for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Motion::Open(jaws) => write!(f, "open {jaws}"),
            Motion::Close(jaws) => write!(f, "close {jaws}"),
            Motion::Turn(jaws, quarters) => {
                let way = ["0", "90", "180", "-90"][*quarters as usize % 4];
                write!(f, "turn {jaws} {way}")
            }
        }
    }
}

/// How the jaws stand: which are closed, and which lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stand {
    closed: Set,
    lying: Set,
}

impl Stand {
    const fn number(self) -> Station {
        self.closed.number() as Station + 8 * self.lying.number() as Station
    }

    const fn from_number(number: Station) -> Stand {
        Stand {
            closed: Set::from_number((number % 8) as u8),
            lying: Set::from_number((number / 8) as u8),
        }
    }
}

/// Three jaws with a 3x3x3 in them: what their motions do and cost.
#[derive(Debug, Clone)]
pub struct Jaws {
    rules: Rules,
    /// Milliseconds to open or close each jaw.
    grip: [u32; 3],
    /// Milliseconds to turn each by one quarter, and by two.
    turn: [[u32; 3]; 2],
}

impl Jaws {
    /// A cube put in with F to the front and U up; all jaws are closed and upright.
    pub const START: Pose = Pose {
        orientation: Symmetry::IDENTITY,
        station: Stand {
            closed: Set::ALL,
            lying: Set::NONE,
        }
        .number(),
    };

    /// What motions cost by the law of the motors, at the reference voltage.
    pub fn new(mechanism: &Mechanism) -> Jaws {
        let (grip, turn) = (&mechanism.grip, &mechanism.turn);
        let command = mechanism.timing.command_ms;
        let of = |jaws: &super::Jawful<_>, degrees: i32, pace| {
            [&jaws.left, &jaws.right, &jaws.centre].map(|motor| command + travel_ms(motor, degrees, pace, 1.0))
        };
        Jaws {
            rules: mechanism.rules.clone(),
            grip: of(&grip.motor, grip.close, &grip.pace),
            turn: [1, 2].map(|quarters| of(&turn.motor, quarters * turn.quarter, &turn.pace)),
        }
    }

    /// Whether jaws may stand so.
    fn may_stand(&self, stand: Stand) -> bool {
        let holds = |&set: &Set| stand.closed.contains(set);
        let touch = |&set: &Set| stand.lying.contains(set);
        self.rules.hold.iter().any(holds) && !self.rules.apart_when_lying.iter().any(touch)
    }

    /// What turning some jaws does to the cube; none if they must not turn so.
    fn deed(&self, closed: Set, jaws: Set, quarters: u8) -> Option<Deed> {
        let sides = jaws == Set::SIDES;
        let one = jaws.jaws().next().filter(|_| jaws.jaws().count() == 1);
        if closed.avoids(jaws) {
            // By a half they stand as before, and the other way they stand as this way.
            return (quarters == 1).then_some(Deed::Nothing);
        }
        if closed == jaws && sides {
            return Some(Deed::Whole(Symmetry::turning(Face::R, quarters)));
        }
        if closed == jaws && one == Some(Jaw::Centre) {
            return Some(Deed::Whole(Symmetry::turning(Face::B, quarters)));
        }
        if !closed.contains(self.rules.turn) || !closed.contains(jaws) {
            return None;
        }
        if sides {
            let turns = [(Face::R, quarters), (Face::L, 4 - quarters)];
            return Some(Deed::Layers(turns.map(|(face, by)| Turn::outer(face, 1, by)).to_vec()));
        }
        one.map(|jaw| Deed::Layers(vec![Turn::outer(jaw.side(), 1, quarters)]))
    }

    /// The time of the slowest.
    fn slowest(jaws: Set, each: [u32; 3]) -> u32 {
        jaws.jaws().map(|jaw| each[jaw as usize]).fold(0, u32::max)
    }
}

impl Machine for Jaws {
    type Motion = Motion;

    fn size(&self) -> u8 {
        3
    }

    fn stations(&self) -> Station {
        64
    }

    /// The cube is held wherever the jaws may stand.
    fn rests(&self, at: Station) -> bool {
        self.may_stand(Stand::from_number(at))
    }

    fn steps(&self, at: Station) -> Vec<Step<Motion>> {
        let stand = Stand::from_number(at);
        let Stand { closed, lying } = stand;
        let mut steps = Vec::new();
        if !self.may_stand(stand) {
            return steps;
        }
        let mut add = |motion, milliseconds, deed, to: Stand| {
            if self.may_stand(to) {
                let to = to.number();
                steps.push(Step {
                    motion,
                    milliseconds,
                    deed,
                    to,
                });
            }
        };
        for jaws in Set::some() {
            let moved = Stand {
                closed: closed.either(jaws),
                lying,
            };
            if closed.contains(jaws) {
                add(Motion::Open(jaws), Self::slowest(jaws, self.grip), Deed::Nothing, moved);
            } else if closed.avoids(jaws) {
                add(
                    Motion::Close(jaws),
                    Self::slowest(jaws, self.grip),
                    Deed::Nothing,
                    moved,
                );
            }
            let turned = Stand {
                closed,
                lying: lying.either(jaws),
            };
            // A half passes through where a quarter ends.
            if !self.may_stand(turned) {
                continue;
            }
            for (quarters, to) in [(1, turned), (2, stand), (3, turned)] {
                let ms = Self::slowest(jaws, self.turn[usize::from(quarters == 2)]);
                if let Some(deed) = self.deed(closed, jaws, quarters) {
                    add(Motion::Turn(jaws, quarters), ms, deed, to);
                }
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{State, random_turns};
    use crate::machine::Planner;
    use crate::machine::testing::{by_brute_force, performed};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn jaws() -> Jaws {
        Jaws::new(&Mechanism::builtin())
    }

    fn possible(closed: &[Jaw], lying: &[Jaw]) -> Vec<String> {
        let stand = Stand {
            closed: closed.to_vec().into(),
            lying: lying.to_vec().into(),
        };
        let steps = jaws().steps(stand.number());
        steps.iter().map(|step| step.motion.to_string()).collect()
    }

    #[test]
    fn the_cube_is_always_held_and_no_jaws_touch() {
        let all = possible(&Jaw::ALL, &[]);
        for wanted in [
            "open centre",
            "open left right",
            "turn left 90",
            "turn left right 180",
            "turn centre -90",
        ] {
            assert!(all.iter().any(|text| text == wanted), "{wanted}: {all:?}");
        }
        for not in [
            "open left centre",
            "open left right centre",
            "turn left centre 90",
            "close left",
        ] {
            assert!(all.iter().all(|text| text != not), "{not}: {all:?}");
        }
        // Beside a centre that lies, the sides cannot pass through lying.
        let all = possible(&Jaw::ALL, &[Jaw::Centre]);
        assert!(
            all.iter()
                .all(|text| !text.contains("left") || text.starts_with("open")),
            "{all:?}"
        );
        assert!(all.contains(&"turn centre 180".to_string()), "{all:?}");
        // The centre alone turns the whole cube; one side alone turns nothing.
        assert!(possible(&[Jaw::Centre], &[]).contains(&"turn centre 90".to_string()));
        let sides = possible(&[Jaw::Left, Jaw::Right], &[]);
        assert!(sides.contains(&"turn left right 90".to_string()) && !sides.contains(&"turn left 90".to_string()));
        assert_eq!(possible(&[Jaw::Left], &[]), [""; 0]);
        assert_eq!(possible(&Jaw::ALL, &[Jaw::Left, Jaw::Centre]), [""; 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn a_plan_does_what_the_turns_say_and_nothing_is_cheaper(count in 0usize..6, seed: u64, way in 0usize..24, at in 0u16..64) {
            let planner = Planner::new(jaws());
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let station = if planner.machine().rests(at) { at } else { Jaws::START.station };
            let start = Pose { orientation: Symmetry::rotations()[way], station };
            let turns = random_turns(3, count, &mut rng);
            let mut cube = State::solved(3);
            cube.turn_all(&random_turns(3, 30, &mut rng));
            let plan = planner.plan(start, &turns);
            let done = performed(planner.machine(), &plan, start, &cube);
            cube.turn_all(&turns);
            prop_assert_eq!(done, cube);
            prop_assert_eq!(plan.milliseconds, by_brute_force(planner.machine(), start, &turns));
        }
    }
}
