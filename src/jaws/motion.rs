//! What jaws can do, as the planner takes it: the rules of the calibration, applied to every motion.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::jaw::{Jaw, Set};
use super::mechanism::{KIND, Mechanism, Rules};
use crate::calibration::travel_ms;
use crate::cube::{Face, Symmetry, Turn};
use crate::machine::{Code, Deed, Logic, Machine, Pose, Station, Step};

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

impl Motion {
    /// Its number, which journals have: the set, the quarters above it, and what is done above these.
    pub fn code(self) -> Code {
        Code(match self {
            Motion::Open(jaws) => jaws.number(),
            Motion::Close(jaws) => 0x20 | jaws.number(),
            Motion::Turn(jaws, quarters) => 0x40 | (quarters & 3) << 3 | jaws.number(),
        })
    }

    /// The motion with a number; none if no motion has it.
    pub fn of(Code(code): Code) -> Option<Motion> {
        let (jaws, quarters) = (Set::from_number(code), code >> 3 & 3);
        match (code >> 5, quarters) {
            _ if jaws == Set::NONE => None,
            (0, 0) => Some(Motion::Open(jaws)),
            (1, 0) => Some(Motion::Close(jaws)),
            (2, 1..) => Some(Motion::Turn(jaws, quarters)),
            _ => None,
        }
    }
}

/// What the jaws' motions do. Whether they may is for the rules of a calibration.
#[derive(Debug, Clone, Copy)]
pub struct JawsLogic;

impl Logic for JawsLogic {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn start(&self) -> Station {
        Jaws::START.station
    }

    fn after(&self, _: usize, at: Station, motion: Code) -> Option<(Deed, Station)> {
        let (motion, stand) = (Motion::of(motion)?, Stand::from_number(at));
        let (deed, after) = stand.after(motion)?;
        Some((deed, after.number()))
    }

    fn words(&self, motion: Code) -> String {
        Motion::of(motion).map_or("nothing".to_string(), |motion| motion.to_string())
    }
}

/// How the jaws stand: which are closed, and which lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stand {
    pub closed: Set,
    pub lying: Set,
}

impl Stand {
    /// What a motion does to the cube, and how the jaws stand after it; none if it is not possible, whatever the rules say.
    pub fn after(self, motion: Motion) -> Option<(Deed, Stand)> {
        let Stand { closed, lying } = self;
        let (jaws, moved) = match motion {
            Motion::Open(jaws) | Motion::Close(jaws) => {
                let possible = match motion {
                    Motion::Open(_) => closed.contains(jaws),
                    _ => closed.avoids(jaws),
                };
                let closed = closed.either(jaws);
                return possible.then_some((Deed::Nothing, Stand { closed, lying }));
            }
            Motion::Turn(jaws, 2) => (jaws, Set::NONE),
            Motion::Turn(jaws, _) => (jaws, jaws),
        };
        let Motion::Turn(_, quarters) = motion else { return None };
        let lying = lying.either(moved);
        Some((turning(closed, jaws, quarters)?, Stand { closed, lying }))
    }

    pub const fn number(self) -> Station {
        self.closed.number() as Station + 8 * self.lying.number() as Station
    }

    pub const fn from_number(number: Station) -> Stand {
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

    /// Whether the rules let jaws turn by so many quarters from where they stand.
    fn may_turn(&self, stand: Stand, jaws: Set, quarters: u8) -> bool {
        let Stand { closed, lying } = stand;
        if closed.avoids(jaws) && quarters != 1 {
            // By a half they stand as before, and the other way they stand as this way.
            return false;
        }
        let lying = lying.either(jaws);
        let moves_layers = !closed.avoids(jaws) && closed != jaws;
        // A half passes through where a quarter ends.
        self.may_stand(Stand { closed, lying }) && (!moves_layers || closed.contains(self.rules.turn))
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
        let mut steps = Vec::new();
        if !self.may_stand(stand) {
            return steps;
        }
        let mut add = |motion: Motion, milliseconds: u32| {
            let Some((deed, to)) = stand.after(motion).filter(|(_, to)| self.may_stand(*to)) else {
                return;
            };
            steps.push(Step {
                motion,
                milliseconds,
                deed,
                to: to.number(),
            });
        };
        for jaws in Set::some() {
            let grip = Self::slowest(jaws, self.grip);
            add(Motion::Open(jaws), grip);
            add(Motion::Close(jaws), grip);
            for quarters in 1..=3 {
                if self.may_turn(stand, jaws, quarters) {
                    let ms = Self::slowest(jaws, self.turn[usize::from(quarters == 2)]);
                    add(Motion::Turn(jaws, quarters), ms);
                }
            }
        }
        steps
    }
}

/// What turning some jaws does to the cube; none if that would twist it.
fn turning(closed: Set, jaws: Set, quarters: u8) -> Option<Deed> {
    let sides = jaws == Set::SIDES;
    let one = jaws.jaws().next().filter(|_| jaws.jaws().count() == 1);
    if closed.avoids(jaws) {
        return Some(Deed::Nothing);
    }
    if closed == jaws && sides {
        return Some(Deed::Whole(Symmetry::turning(Face::R, quarters)));
    }
    if closed == jaws && one == Some(Jaw::Centre) {
        return Some(Deed::Whole(Symmetry::turning(Face::B, quarters)));
    }
    if closed == jaws || !closed.contains(jaws) {
        return None;
    }
    if sides {
        let turns = [(Face::R, quarters), (Face::L, 4 - quarters)];
        return Some(Deed::Layers(turns.map(|(face, by)| Turn::outer(face, 1, by)).to_vec()));
    }
    one.map(|jaw| Deed::Layers(vec![Turn::outer(jaw.side(), 1, quarters)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{State, random_turns};
    use crate::machine::Planner;
    use crate::machine::testing::{are_several_runs, by_brute_force, cuts_go_on, performed};
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
            let cuts = cuts_go_on(&planner, start, &turns, &cube);
            // A run of which nothing is left may lie between turns about one axis, where nothing can be cut.
            prop_assert!(cuts == 0 || are_several_runs(3, &turns));
            cube.turn_all(&turns);
            prop_assert_eq!(done, cube);
            prop_assert_eq!(plan.milliseconds, by_brute_force(planner.machine(), start, &turns));
        }
    }
}
