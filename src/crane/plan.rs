//! The crane's plans: what the planner of [`crate::machine`] makes of what the crane can do.

use super::cost::Costs;
use super::mechanism::Mechanism;
use super::pose::{Pose, Primitive};
use super::rules::Rules;
use crate::calibration::CalibrationError;
use crate::cube::Turn;
use crate::machine::{self, Automaton, Cut, Grain, Landing};
use crate::sure::surely;

/// So there are some dozens of states, and the sum over a 3x3x3's solution differs from a plan's milliseconds by about a tenth of a second.
const GRAIN: Grain = Grain {
    round_ms: 400,
    too_much_ms: 2000,
};

/// What the crane has to do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The motions.
    pub primitives: Vec<Primitive>,
    /// What they cost by the calibration.
    pub milliseconds: u32,
    /// How the cube stands afterwards: at rest, turned as the turns say.
    pub end: Pose,
}

/// Plans for one crane and one size of cube.
#[derive(Debug, Clone)]
pub struct Planner(machine::Planner<Rules>);

impl Planner {
    /// A planner for cubes of size `n`.
    pub fn new(mechanism: &Mechanism, n: usize) -> Result<Planner, CalibrationError> {
        let rules = Rules::new(mechanism, mechanism.size(n)?, Costs::new(mechanism, n)?);
        Ok(Planner(machine::Planner::new(rules)))
    }

    /// The cheapest primitives that make these turns on a cube in the pose `start`, and put it down again.
    ///
    /// Turns may be outer blocks or inner slices, any number of layers; they name sides of the cube in its own frame, which is where
    /// `start.orientation` says.
    pub fn plan(&self, start: Pose, turns: &[Turn]) -> Plan {
        self.own(self.0.plan(self.rules().square(start), turns))
    }

    /// As [`Planner::plan`], from where another plan has ended or was cut.
    pub fn go_on(&self, from: Landing, turns: &[Turn]) -> Plan {
        self.own(self.0.plan(own(from), turns))
    }

    /// A cube in a pose, pressed square.
    pub fn landing(&self, pose: Pose) -> Landing {
        self.told(self.rules().square(pose))
    }

    /// Where a plan from a landing ends.
    pub fn end(&self, from: Landing, plan: &Plan) -> Landing {
        // A plan is possible from where it was made for.
        let station = surely(self.0.station_after(from.station, &plan.primitives));
        Landing {
            pose: plan.end.into(),
            station,
        }
    }

    /// The first place after so many milliseconds where the primitives of a plan can be cut, as [`machine::Planner::cut`]. No place is where the
    /// cube is pressed.
    pub fn cut(&self, from: Landing, turns: &[Turn], primitives: &[Primitive], least_ms: u32) -> Option<Cut> {
        let is = |one, other: &Primitive| one == *other;
        let cut = self.0.cut(own(from), turns, (primitives, is), |cut| {
            cut.milliseconds >= least_ms && !self.rules().is_pressed(cut.landing.station)
        })?;
        let landing = self.told(cut.landing.pose);
        Some(Cut { landing, ..cut })
    }

    /// What runs of turns cost, each of one face of a 3x3x3 or of two opposite ones. The cube rests in the pose.
    pub fn automaton(&self, start: Pose, runs: &[Vec<Turn>]) -> Automaton {
        self.0.automaton(self.rules().square(start), runs, GRAIN)
    }

    fn rules(&self) -> &Rules {
        self.0.machine()
    }

    fn told(&self, own: machine::Pose) -> Landing {
        Landing {
            pose: self.rules().pose(own).into(),
            station: own.station,
        }
    }

    fn own(&self, plan: machine::Plan<Primitive>) -> Plan {
        Plan {
            primitives: plan.motions,
            milliseconds: plan.milliseconds,
            end: self.rules().pose(plan.end),
        }
    }
}

/// A landing as the planner counts it.
fn own(Landing { pose, station }: Landing) -> machine::Pose {
    machine::Pose {
        orientation: pose.orientation,
        station,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::FlipperEnd;
    use crate::cube::{Face, State, Symmetry, parse_moves, random_turns, without_rotations};
    use crate::machine::testing::{by_brute_force, cuts_go_on, sums_follow_plans};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Does a plan to a cube that stands as `start` says, and gives it back in its own frame.
    fn performed(plan: &Plan, costs: &Costs, start: Pose, cube: &State) -> State {
        let mut world = cube.clone();
        world.rotate(start.orientation);
        let mut pose = start;
        let mut ms = 0;
        for &primitive in &plan.primitives {
            ms += costs.of(pose.rows, primitive);
            pose = pose.act(primitive, &mut world).unwrap();
        }
        assert_eq!(ms, plan.milliseconds);
        assert_eq!([pose.rows, plan.end.rows], [0, 0]);
        assert_eq!(pose.flipper, plan.end.flipper);
        world.rotate(plan.end.orientation.inverse());
        world
    }

    fn any_start(rng: &mut ChaCha8Rng) -> Pose {
        Pose {
            orientation: Symmetry::rotations()[rng.random_range(0..24)],
            flipper: [FlipperEnd::Home, FlipperEnd::Away][rng.random_range(0..2)],
            rows: 0,
        }
    }

    /// Any turn that the notation can write, inner slices and complements of blocks among them.
    fn any_turn(n: u8, rng: &mut ChaCha8Rng) -> Turn {
        let first = rng.random_range(1..=n);
        Turn {
            face: Face::ALL[rng.random_range(0..6)],
            first,
            last: rng.random_range(first..=n),
            quarters: rng.random_range(1..=3),
        }
    }

    /// A start, so many turns, and a mixed cube.
    fn any_task(n: usize, count: usize, seed: u64) -> (Pose, Vec<Turn>, State) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let start = any_start(&mut rng);
        let turns = (0..count).map(|_| any_turn(n as u8, &mut rng)).collect();
        let mut cube = State::solved(n);
        cube.turn_all(&random_turns(n, 30, &mut rng));
        (start, turns, cube)
    }

    fn mechanisms() -> Vec<Mechanism> {
        use super::super::mechanism::SquishBefore::{Lower, Turn, Yaw};
        let mut all = Vec::new();
        for (overlap, opening, before, full, empty_speed) in [
            (true, true, vec![], true, 1020),
            (false, true, vec![Yaw], true, 1020),
            (true, true, vec![Lower], false, 1020),
            (true, false, vec![Lower, Yaw, Turn], true, 1020),
            // Flips so slow that turning the cube meanwhile, to and fro, costs less.
            (true, false, vec![Yaw], true, 20),
            (true, true, vec![Lower, Yaw, Turn], true, 1020),
        ] {
            let mut mechanism = Mechanism::builtin();
            mechanism.timing.overlap_empty_flips = overlap;
            mechanism.timing.overlap_opening = opening;
            mechanism.squisher.only_at_full_height = full;
            mechanism.flipper.empty.speed = empty_speed;
            mechanism
                .sizes
                .iter_mut()
                .for_each(|size| size.squish_before = before.clone());
            all.push(mechanism);
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_plan_does_to_the_cube_what_the_turns_say(n in 2usize..8, count in 0usize..25, seed: u64, mechanism in 0usize..6) {
            let planner = Planner::new(&mechanisms()[mechanism], n).unwrap();
            let (start, turns, mut cube) = any_task(n, count, seed);
            let plan = planner.plan(start, &turns);
            let done = performed(&plan, &planner.rules().costs, start, &cube);
            cube.turn_all(&turns);
            prop_assert_eq!(done, cube);
        }

        #[test]
        fn plans_go_on_where_others_were_cut(n in 2usize..8, count in 2usize..16, seed: u64, mechanism in 0usize..6) {
            let planner = Planner::new(&mechanisms()[mechanism], n).unwrap();
            let (start, turns, cube) = any_task(n, count, seed);
            let cuts = cuts_go_on(&planner.0, planner.rules().square(start), &turns, &cube);
            let (from, plan) = (planner.landing(start), planner.plan(start, &turns));
            prop_assert_eq!(&planner.go_on(from, &turns), &plan);
            let end = planner.end(from, &plan);
            prop_assert_eq!(Pose::from(end.pose), plan.end);
            let cut = planner.cut(from, &turns, &plan.primitives, plan.milliseconds / 2);
            prop_assert!(cut.is_none() || cuts > 0);
            if let Some(cut) = cut {
                prop_assert!(cut.milliseconds >= plan.milliseconds / 2);
                let rest = planner.go_on(cut.landing, &turns[cut.turns..]);
                // What else costs as much may leave it otherwise.
                prop_assert_eq!(cut.milliseconds + rest.milliseconds, plan.milliseconds);
                prop_assert_ne!(plan.primitives.get(cut.motions - 1), Some(&Primitive::Press));
            }
        }

        #[test]
        fn a_plan_is_as_cheap_as_a_search_of_all_that_the_crane_can_do(n in 2usize..6, count in 0usize..4, seed: u64, mechanism in 0usize..6) {
            let planner = Planner::new(&mechanisms()[mechanism], n).unwrap();
            let (start, turns, _) = any_task(n, count, seed);
            prop_assert_eq!(planner.plan(start, &turns).milliseconds, by_brute_force(planner.rules(), planner.rules().square(start), &turns));
        }
    }

    #[test]
    fn sums_of_an_automaton_follow_the_milliseconds_of_plans() {
        let planner = Planner::new(&Mechanism::builtin(), 3).unwrap();
        for (orientation, flipper) in [(0, FlipperEnd::Home), (13, FlipperEnd::Away)] {
            let pose = Pose {
                orientation: Symmetry::rotations()[orientation],
                flipper,
                ..Pose::START
            };
            sums_follow_plans(&planner.0, planner.rules().square(pose), GRAIN, 200.0);
        }
    }

    #[test]
    fn opposite_turns_that_only_rotate_the_cube_cost_nothing() {
        let planner = Planner::new(&Mechanism::builtin(), 2).unwrap();
        let (turns, _) = without_rotations(&parse_moves(2, "R L'").unwrap());
        let plan = planner.plan(Pose::START, &turns);
        assert_eq!((plan.primitives.len(), plan.milliseconds), (0, 0));
        assert_eq!(plan.end.orientation, Symmetry::turning(Face::R, 3));
    }

    #[test]
    fn the_same_turns_in_another_order_within_a_run_cost_the_same() {
        let planner = Planner::new(&Mechanism::builtin(), 7).unwrap();
        let ms = |text| {
            let (turns, _) = without_rotations(&parse_moves(7, text).unwrap());
            planner.plan(Pose::START, &turns).milliseconds
        };
        assert_eq!(ms("U 3Dw Uw2 3Uw' D' R"), ms("3Uw' D' U Uw2 3Dw R"));
        // A slice is two boundaries, and a turn and its inverse are none.
        assert_eq!(ms("R 2U L L'"), ms("R Uw U'"));
    }

    #[test]
    fn random_turns_take_no_longer_than_the_known_optimum() {
        for (n, count, seconds) in [(3, 20, 66.0), (4, 45, 130.0), (5, 90, 251.0), (7, 267, 655.0)] {
            let planner = Planner::new(&Mechanism::builtin(), n).unwrap();
            let cubes = 100;
            let total: u32 = (0..cubes)
                .map(|seed| {
                    let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed));
                    planner.plan(Pose::START, &turns).milliseconds
                })
                .sum();
            let average = f64::from(total) / 1000.0 / cubes as f64;
            println!("{n}x{n}x{n}, {count} turns: {average:.1} s");
            assert!(average <= seconds && average > 0.9 * seconds, "size {n}: {average} s");
        }
    }
}
