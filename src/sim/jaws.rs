//! Three jaws with a cube between them: what the motors' positions do to the cube, and what they must not do.

#[cfg(feature = "film")]
mod drawn;

use super::body::Body;
use super::eye::View;
use super::fault::WorldFault;
use super::geometry::{jawed, jawed_layer, seen};
use crate::calibration::MotorSpec;
use crate::cube::{Face, State, Symmetry};
use crate::jaws::{Jaw, Mechanism, Set};

/// The sides of the jaws, in the order of the motors: left, right, centre.
const SIDES: [Face; 3] = [Face::L, Face::R, Face::B];
const LEFT: usize = 0;
const RIGHT: usize = 1;
const CENTRE: usize = 2;

/// How far a jaw or a layer may be off square to count as square, in degrees of the cube.
const SQUARE_SLACK: f64 = 6.0;
/// How far two jaws that turn the whole cube may be apart, in degrees of the cube.
const TWIST_SLACK: f64 = 10.0;
/// From this share of its way on, a jaw has hold of the cube; up to the other one it has not.
const CLOSED: f64 = 0.75;
const OPEN: f64 = 0.5;
/// How far a cube lets itself be pressed, as a share of the way.
const GIVES: f64 = 1.03;
/// A jaw within so many degrees of lying touches another one that lies.
const TOUCHES: f64 = 25.0;
/// Motions of at most so many degrees do not jam.
const JAM_WAY: f64 = 40.0;

/// How a jaw's fingers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grip {
    Open,
    Between,
    Closed,
}

/// The jaws and the cube between them.
pub(super) struct Jaws {
    mechanism: Mechanism,
    /// Where the parts are: the three grips, and then what turns the three jaws.
    at: [f64; 6],
    cube: State,
    /// The rotation from the frame in which the cube was put in to the world.
    orientation: Symmetry,
    /// By jaw: degrees that its layer has turned against the rest of the cube and that are not in `cube` yet, clockwise from outside.
    layers: [f64; 3],
    /// By jaw: degrees that it has turned the whole cube and that are not in `cube` yet.
    whole: [f64; 3],
}

impl Jaws {
    /// A cube that all three jaws hold, upright, with the state's F to the front.
    pub fn new(mechanism: &Mechanism, cube: State) -> Jaws {
        Jaws {
            mechanism: mechanism.clone(),
            at: [0.0; 6],
            cube,
            orientation: Symmetry::IDENTITY,
            layers: [0.0; 3],
            whole: [0.0; 3],
        }
    }

    /// The motors; the jaws are closed and upright.
    pub fn motors(mechanism: &Mechanism) -> Vec<(MotorSpec, f64)> {
        let closed = f64::from(mechanism.grip.close);
        let grips = Jaw::ALL.map(|jaw| (mechanism.grip.motor.of(jaw).clone(), closed));
        let turns = Jaw::ALL.map(|jaw| (mechanism.turn.motor.of(jaw).clone(), 0.0));
        grips.into_iter().chain(turns).collect()
    }

    fn grip_at(&self, place: f64) -> Grip {
        let share = place / f64::from(self.mechanism.grip.close);
        if share >= CLOSED {
            Grip::Closed
        } else if share <= OPEN {
            Grip::Open
        } else {
            Grip::Between
        }
    }

    fn grips(&self) -> [Grip; 3] {
        [LEFT, RIGHT, CENTRE].map(|jaw| self.grip_at(self.at[jaw]))
    }

    /// Degrees of a jaw from upright, clockwise as seen from outside on it.
    fn angle(&self, wrist: f64) -> f64 {
        wrist * 90.0 / f64::from(self.mechanism.turn.quarter)
    }

    fn closed(&self) -> Set {
        let closed = |&jaw: &Jaw| self.grips()[jaw as usize] == Grip::Closed;
        Jaw::ALL.into_iter().filter(closed).collect::<Vec<_>>().into()
    }

    fn is_held(&self) -> bool {
        let closed = self.closed();
        self.mechanism.rules.hold.iter().any(|&set| closed.contains(set))
    }

    /// Whether jaws lie that would touch.
    fn touch(&self) -> bool {
        let lies = |&jaw: &Jaw| {
            let angle = self.angle(self.at[3 + jaw as usize]).rem_euclid(180.0);
            (angle - 90.0).abs() < TOUCHES
        };
        let lying: Set = Jaw::ALL.into_iter().filter(lies).collect::<Vec<_>>().into();
        let apart = &self.mechanism.rules.apart_when_lying;
        apart.iter().any(|&set| lying.contains(set))
    }

    /// A jaw begins to let go, or has got hold: then it stands along the cube's edges, and no layer is half turned.
    fn gripped(&self, jaw: usize) -> Result<(), WorldFault> {
        if (self.whole[LEFT] + self.whole[RIGHT]).abs() > TWIST_SLACK {
            return Err(WorldFault::Twisted);
        }
        let off = |degrees: f64| degrees - (degrees / 90.0).round() * 90.0;
        let all = self.layers.iter().chain(&self.whole).copied();
        let worst = all
            .chain([self.angle(self.at[3 + jaw])])
            .map(off)
            .max_by(|a, b| a.abs().total_cmp(&b.abs()));
        match worst.filter(|off| off.abs() > SQUARE_SLACK) {
            Some(off) => Err(WorldFault::GrippedOffSquare(off.round() as i32)),
            None => Ok(()),
        }
    }

    /// The jaws have turned by so many degrees.
    fn turned(&mut self, by: [f64; 3]) -> Result<(), WorldFault> {
        let grips = self.grips();
        let half = |degrees: f64| (degrees - (degrees / 90.0).round() * 90.0).abs() > SQUARE_SLACK;
        for jaw in [LEFT, RIGHT, CENTRE] {
            if by[jaw] == 0.0 || grips[jaw] == Grip::Open {
                continue;
            }
            if grips[jaw] == Grip::Between {
                return Err(WorldFault::Twisted);
            }
            let others: Vec<usize> = [LEFT, RIGHT, CENTRE]
                .into_iter()
                .filter(|&other| other != jaw)
                .collect();
            let alone = others.iter().all(|&other| grips[other] == Grip::Open);
            let pair = jaw != CENTRE && grips[CENTRE] == Grip::Open;
            if alone || pair {
                self.whole[jaw] += by[jaw];
                continue;
            }
            let across = if jaw == CENTRE { &[LEFT, RIGHT][..] } else { &[CENTRE] };
            if across.iter().any(|&other| half(self.layers[other])) {
                return Err(WorldFault::TurnedAcross);
            }
            self.layers[jaw] += by[jaw];
        }
        self.settle();
        Ok(())
    }

    /// What has come near to a square is so from now on; what is left is pushed straight, or turned further.
    fn settle(&mut self) {
        let quarters = |degrees: f64| {
            let quarters = (degrees / 90.0).round();
            let is_square = (degrees - quarters * 90.0).abs() <= SQUARE_SLACK && quarters != 0.0;
            is_square.then_some(((quarters as i64).rem_euclid(4) as u8, quarters * 90.0))
        };
        for jaw in [LEFT, RIGHT, CENTRE] {
            if let Some((quarters, degrees)) = quarters(self.layers[jaw]) {
                self.cube.permute(&jawed_layer(SIDES[jaw], quarters));
                self.layers[jaw] -= degrees;
            }
        }
        // A pair turns the cube together: it has turned when both have. They see each other's clockwise the other way.
        let [left, right] = [-self.whole[LEFT], self.whole[RIGHT]];
        let both = quarters(right).filter(|(_, degrees)| (left - degrees).abs() <= SQUARE_SLACK);
        if let Some((turned, degrees)) = both {
            self.turn_whole(jawed(SIDES[RIGHT], turned));
            self.whole[RIGHT] -= degrees;
            self.whole[LEFT] += degrees;
        }
        if let Some((turned, degrees)) = quarters(self.whole[CENTRE]) {
            self.turn_whole(jawed(SIDES[CENTRE], turned));
            self.whole[CENTRE] -= degrees;
        }
    }

    fn turn_whole(&mut self, by: Symmetry) {
        self.cube.rotate(by);
        self.orientation = self.orientation.then(by);
    }
}

impl Body for Jaws {
    fn be_at(&mut self, at: &[f64]) {
        self.at.copy_from_slice(at);
    }

    fn limits(&self) -> Vec<(f64, f64)> {
        let pressed = f64::from(self.mechanism.grip.close) * GIVES;
        let grip = (pressed.min(0.0), pressed.max(0.0));
        let everything = (f64::NEG_INFINITY, f64::INFINITY);
        vec![grip, grip, grip, everything, everything, everything]
    }

    fn moved(&mut self, before: &[f64]) -> Result<(), WorldFault> {
        for (jaw, &was) in before[..3].iter().enumerate() {
            let (was, is) = (self.grip_at(was), self.grips()[jaw]);
            if was != is && (was == Grip::Closed || is == Grip::Closed) {
                self.gripped(jaw)?;
            }
            // What is left of a turn is pushed straight by the fingers.
            if was != is && is == Grip::Open {
                (self.layers[jaw], self.whole[jaw]) = (0.0, 0.0);
            }
        }
        if !self.is_held() {
            return Err(WorldFault::CubeFell);
        }
        let by = [LEFT, RIGHT, CENTRE].map(|jaw| self.angle(self.at[3 + jaw] - before[3 + jaw]));
        if by != [0.0; 3] {
            if self.touch() {
                return Err(WorldFault::JawsTouched);
            }
            self.turned(by)?;
        }
        Ok(())
    }

    fn can_jam(&self, motor: usize, way: f64) -> bool {
        // An opening jaw has nothing in its way.
        way.abs() > JAM_WAY && (motor >= 3 || way * f64::from(self.mechanism.grip.close) > 0.0)
    }

    fn cube(&self) -> State {
        self.cube.clone()
    }

    fn put(&mut self, mut cube: State) {
        cube.rotate(self.orientation);
        self.cube = cube;
    }

    /// All jaws hold the cube, upright, and its layers are straight.
    fn is_safe(&self) -> bool {
        let upright = |jaw: usize| {
            let angle = self.angle(self.at[3 + jaw]);
            (angle - (angle / 180.0).round() * 180.0).abs() <= SQUARE_SLACK
        };
        let straight = self
            .layers
            .iter()
            .chain(&self.whole)
            .all(|left| left.abs() <= SQUARE_SLACK);
        self.closed() == Set::ALL && straight && [LEFT, RIGHT, CENTRE].into_iter().all(upright)
    }

    fn is_cube_down(&self) -> bool {
        self.is_safe()
    }

    #[cfg(feature = "film")]
    fn shape(&self) -> crate::film::Shape {
        self.drawn()
    }

    fn view(&self) -> View {
        let (face, quarters) = seen(self.orientation);
        View {
            size: 3,
            colours: self.cube.face(Face::F).to_vec(),
            face,
            quarters,
            blocked: false,
        }
    }

    #[cfg(feature = "benches")]
    fn put_right(&mut self) -> Vec<f64> {
        let round = |degrees: f64| {
            if (degrees / 90.0).round() == 0.0 {
                0.0
            } else {
                (degrees / 90.0).round() * 90.0
            }
        };
        (self.layers, self.whole) = (self.layers.map(round), self.whole.map(round));
        self.settle();
        (self.layers, self.whole) = ([0.0; 3], [0.0; 3]);
        let closed = f64::from(self.mechanism.grip.close);
        vec![closed, closed, closed, 0.0, 0.0, 0.0]
    }
}
