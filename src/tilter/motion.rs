//! What a tilter can do, as the planner takes it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::mechanism::{KIND, Mechanism};
use crate::calibration::{Pace, travel_ms};
use crate::cube::{Face, Symmetry, Turn};
use crate::machine::{Code, Deed, Logic, Machine, Pose, Station, Step};
use crate::sure::place_of;

/// One motion of a tilter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Motion {
    /// The arm pulls the cube over: what is F comes up. It falls back into the cradle when the arm goes back, to hold or away.
    Flip,
    /// The table turns the whole cube, clockwise as seen from above.
    Rotate {
        /// Quarter turns, 1 to 3.
        quarters: u8,
    },
    /// The table turns the lowest layer, clockwise as seen from above, while the arm holds the others.
    Turn {
        /// Quarter turns, 1 to 3.
        quarters: u8,
    },
    /// The arm goes to hold the two upper layers.
    Hold,
    /// The arm goes away.
    Away,
    /// The colour sensor reads the upper side while the table turns once. Nothing plans it.
    Look,
}

impl fmt::Display for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = |quarters: u8| ["0", "90", "180", "-90"][quarters as usize % 4];
        match *self {
            Motion::Flip => write!(f, "flip"),
            Motion::Rotate { quarters } => write!(f, "rotate {}", way(quarters)),
            Motion::Turn { quarters } => write!(f, "turn {}", way(quarters)),
            Motion::Hold => write!(f, "hold"),
            Motion::Away => write!(f, "away"),
            Motion::Look => write!(f, "look"),
        }
    }
}

impl Motion {
    /// All of them.
    pub const ALL: [Motion; 10] = [
        Motion::Flip,
        Motion::Hold,
        Motion::Away,
        Motion::Rotate { quarters: 1 },
        Motion::Rotate { quarters: 2 },
        Motion::Rotate { quarters: 3 },
        Motion::Turn { quarters: 1 },
        Motion::Turn { quarters: 2 },
        Motion::Turn { quarters: 3 },
        Motion::Look,
    ];

    /// Its number, which journals have: its place among all.
    pub fn code(self) -> Code {
        Code(place_of(&Motion::ALL, &self) as u8)
    }

    /// The motion with a number; none if no motion has it.
    pub fn of(Code(code): Code) -> Option<Motion> {
        Motion::ALL.get(usize::from(code)).copied()
    }

    /// What it does to the cube with the arm at a station, and where the arm is then; none if it is not possible there.
    pub fn does(self, at: Station) -> Option<(Deed, Station)> {
        Some(match (self, at) {
            (Motion::Flip, AWAY | HOLDING) => (Deed::Whole(Symmetry::turning(Face::R, 1)), OVER),
            (Motion::Rotate { quarters }, AWAY) => (Deed::Whole(Symmetry::turning(Face::U, quarters)), AWAY),
            // Clockwise as seen from above is the other way as seen from below.
            (Motion::Turn { quarters }, HOLDING) => {
                (Deed::Layers(vec![Turn::outer(Face::D, 1, 4 - quarters)]), HOLDING)
            }
            (Motion::Hold, AWAY | OVER) => (Deed::Nothing, HOLDING),
            (Motion::Away, HOLDING | OVER) => (Deed::Nothing, AWAY),
            (Motion::Look, AWAY) => (Deed::Nothing, AWAY),
            _ => return None,
        })
    }
}

/// What the tilter's motions do.
#[derive(Debug, Clone, Copy)]
pub struct TilterLogic;

impl Logic for TilterLogic {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn start(&self) -> Station {
        AWAY
    }

    fn after(&self, _: usize, at: Station, motion: Code) -> Option<(Deed, Station)> {
        Motion::of(motion)?.does(at)
    }

    fn words(&self, motion: Code) -> String {
        Motion::of(motion).map_or("nothing".to_string(), |motion| motion.to_string())
    }
}

/// The arm is away from the cube.
pub(super) const AWAY: Station = 0;
/// The arm holds the two upper layers.
pub(super) const HOLDING: Station = 1;
/// The arm has pulled the cube over and leans it.
pub(super) const OVER: Station = 2;

/// A tilter with a 3x3x3 in it: what its motions do and cost.
#[derive(Debug, Clone)]
pub struct Tilter {
    /// Milliseconds of a flip with the arm away, and with the arm holding.
    flip: [u32; 2],
    /// To hold, or away.
    reach: u32,
    /// Away after a flip, and to hold.
    back: [u32; 2],
    /// Turning the whole cube by one quarter, and by two.
    rotate: [u32; 2],
    /// Turning the lowest layer likewise.
    turn: [u32; 2],
}

impl Tilter {
    /// A cube put in with F to the front and U up; the arm is away.
    pub const START: Pose = Pose {
        orientation: Symmetry::IDENTITY,
        station: AWAY,
    };

    /// What motions cost by the law of the motors, at the reference voltage.
    pub fn new(mechanism: &Mechanism) -> Tilter {
        let (arm, table) = (&mechanism.arm, &mechanism.turntable);
        let command = mechanism.timing.command_ms;
        let go = |motor, degrees: i32, pace: &Pace| command + travel_ms(motor, degrees, pace, 1.0);
        let pulled = |from: i32| go(&arm.motor, arm.pulled - from, &arm.pull) + arm.rest_ms;
        let back = |to: i32| go(&arm.motor, arm.pulled - to, &arm.back);
        let rotate = |quarters: i32| go(&table.motor, quarters * table.quarter, &table.rotate);
        let turn = |quarters: i32| {
            let there = quarters * table.quarter.abs() + table.past;
            let back = if table.past == 0 {
                0
            } else {
                go(&table.motor, table.past, &table.back)
            };
            go(&table.motor, there, &table.turn) + back
        };
        Tilter {
            flip: [pulled(arm.away), pulled(arm.hold)],
            reach: go(&arm.motor, arm.hold - arm.away, &arm.reach),
            back: [back(arm.away), back(arm.hold) + arm.rest_ms],
            rotate: [1, 2].map(rotate),
            turn: [1, 2].map(turn),
        }
    }
}

impl Machine for Tilter {
    type Motion = Motion;

    fn size(&self) -> u8 {
        3
    }

    fn stations(&self) -> Station {
        3
    }

    /// The table carries the cube whatever the arm does, unless the cube leans.
    fn rests(&self, at: Station) -> bool {
        at != OVER
    }

    fn steps(&self, at: Station) -> Vec<Step<Motion>> {
        let step = |motion: Motion| {
            let (deed, to) = motion.does(at)?;
            // Three quarters are one the other way.
            let by = |quarters: u8| usize::from(quarters == 2);
            let milliseconds = match motion {
                Motion::Flip => self.flip[at as usize],
                Motion::Rotate { quarters } => self.rotate[by(quarters)],
                Motion::Turn { quarters } => self.turn[by(quarters)],
                Motion::Away if at == OVER => self.back[0],
                Motion::Hold if at == OVER => self.back[1],
                Motion::Hold | Motion::Away => self.reach,
                Motion::Look => return None,
            };
            Some(Step {
                motion,
                milliseconds,
                deed,
                to,
            })
        };
        Motion::ALL.into_iter().filter_map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{State, random_turns};
    use crate::machine::testing::{are_several_runs, by_brute_force, cuts_go_on, performed, sums_follow_plans};
    use crate::machine::{Grain, Planner};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn planner() -> Planner<Tilter> {
        Planner::new(Tilter::new(&Mechanism::builtin()))
    }

    #[test]
    fn a_flip_takes_the_sides_where_the_machine_does() {
        let steps = planner().machine().steps(AWAY);
        let flip = steps.iter().find(|step| step.motion == Motion::Flip).unwrap();
        let after = flip.deed.after(Symmetry::IDENTITY).inverse();
        // In the order U D F L B R, what is there then.
        let sides = [Face::U, Face::D, Face::F, Face::L, Face::B, Face::R].map(|place| after.face(place));
        assert_eq!(sides, [Face::F, Face::B, Face::D, Face::L, Face::U, Face::R]);
    }

    #[test]
    fn motions_cost_what_the_calibration_says() {
        let tilter = Tilter::new(&Mechanism::builtin());
        // 270 degrees at 500 a second, 18 more, and back at 200 a second; and what starting, stopping and the commands cost.
        assert!((576 + 90..650 + 130).contains(&tilter.turn[0]), "{tilter:?}");
        assert!((1116 + 90..1190 + 130).contains(&tilter.turn[1]), "{tilter:?}");
        assert!(tilter.rotate[0] < tilter.turn[0] - 225, "{tilter:?}");
        assert!(tilter.flip[0] > tilter.flip[1] + 200, "{tilter:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_plan_does_what_the_turns_say_and_nothing_is_cheaper(count in 0usize..7, seed: u64, way in 0usize..24, station in 0u16..3) {
            let planner = planner();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
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

    #[test]
    fn sums_of_an_automaton_follow_the_milliseconds_of_plans() {
        let grain = Grain {
            round_ms: 50,
            too_much_ms: 6000,
        };
        sums_follow_plans(&planner(), Tilter::START, grain, 50.0);
    }
}
