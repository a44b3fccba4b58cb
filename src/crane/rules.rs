//! What the crane can do, as the planner of [`crate::machine`] takes it: its stations and steps.

use super::cost::{Costs, opens_in_yaws};
use super::mechanism::{Mechanism, Size, SquishBefore};
use super::pose::{FlipperEnd, Pose, Primitive, tipped, yawed};
use crate::cube::{Face, Turn};
use crate::machine::{self, Deed, Machine, Step};

/// The flipper's end and the elevator's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Station {
    flipper: FlipperEnd,
    rows: u8,
}

/// What the squisher has done since layers last turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Layers {
    /// Nothing.
    Loose,
    /// It has pressed them square.
    Square,
    /// It presses them: the cube must yaw.
    Pressed,
}

impl Layers {
    const ALL: [Layers; 3] = [Layers::Loose, Layers::Square, Layers::Pressed];
}

/// What limits the ways of one crane with one size of cube.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub n: u8,
    pub costs: Costs,
    pub overlap: bool,
    open_in_yaws: bool,
    squish_from: u8,
    before_lower: bool,
    before_yaw: bool,
    /// Whether layers must be squared before others turn.
    pub before_turn: bool,
}

impl Rules {
    pub fn new(mechanism: &Mechanism, size: &Size, costs: Costs) -> Rules {
        let needs = |what| size.squish_before.contains(&what);
        let n = size.n as u8;
        Rules {
            n,
            costs,
            overlap: mechanism.timing.overlap_empty_flips,
            open_in_yaws: opens_in_yaws(mechanism, size),
            squish_from: if mechanism.squisher.only_at_full_height { n } else { 1 },
            before_lower: needs(SquishBefore::Lower),
            before_yaw: needs(SquishBefore::Yaw),
            before_turn: needs(SquishBefore::Turn),
        }
    }

    /// The number of a station, with what the squisher has done there.
    fn number(&self, at: Station, layers: Layers) -> machine::Station {
        let station = at.flipper as usize * (self.n as usize + 1) + at.rows as usize;
        (station * Layers::ALL.len() + layers as usize) as machine::Station
    }

    fn station(&self, number: machine::Station) -> (Station, Layers) {
        let layers = Layers::ALL[number as usize % Layers::ALL.len()];
        let station = number as usize / Layers::ALL.len();
        let rows = station % (self.n as usize + 1);
        let flipper = [FlipperEnd::Home, FlipperEnd::Away][station / (self.n as usize + 1) % 2];
        let rows = rows as u8;
        (Station { flipper, rows }, layers)
    }

    /// A cube in a pose, pressed square.
    pub fn square(&self, pose: Pose) -> machine::Pose {
        let Pose {
            orientation,
            flipper,
            rows,
        } = pose;
        machine::Pose {
            orientation,
            station: self.number(Station { flipper, rows }, Layers::Square),
        }
    }

    /// What a pose is to the crane.
    pub fn pose(&self, pose: machine::Pose) -> Pose {
        let (Station { flipper, rows }, _) = self.station(pose.station);
        Pose {
            orientation: pose.orientation,
            flipper,
            rows,
        }
    }

    /// Whether the squisher has hold of the cube.
    pub fn is_pressed(&self, at: machine::Station) -> bool {
        self.station(at).1 == Layers::Pressed
    }

    /// Whether the turntable can turn layers, or the whole cube, while they are so.
    fn table_turns(&self, rows: u8, layers: Layers) -> bool {
        let square = layers != Layers::Loose;
        match rows {
            0 => false,
            rows if rows == self.n => square || !self.before_yaw,
            _ => square || !self.before_turn,
        }
    }

    /// What is possible with the turntable.
    fn add_turns(&self, at: Station, layers: Layers, add: &mut dyn FnMut(Primitive, Deed, Station, Layers)) {
        let Station { flipper, rows } = at;
        let turned = Station {
            flipper: flipper.other(),
            rows,
        };
        for quarters in 1..=3 {
            for (flip, to) in [(false, at), (true, turned)] {
                if flip && !self.overlap {
                    continue;
                }
                if rows == self.n {
                    let layers = if layers == Layers::Loose {
                        layers
                    } else {
                        Layers::Square
                    };
                    let whole = Deed::Whole(yawed(quarters));
                    add(Primitive::Yaw { quarters, flip }, whole, to, layers);
                } else {
                    let turns = Deed::Layers(vec![Turn::outer(Face::U, rows, quarters)]);
                    add(Primitive::Turn { quarters, flip }, turns, to, Layers::Loose);
                }
            }
        }
    }
}

impl Machine for Rules {
    type Motion = Primitive;

    fn size(&self) -> u8 {
        self.n
    }

    fn stations(&self) -> machine::Station {
        (2 * (self.n as usize + 1) * Layers::ALL.len()) as machine::Station
    }

    fn rests(&self, at: machine::Station) -> bool {
        let (station, layers) = self.station(at);
        station.rows == 0 && layers != Layers::Pressed
    }

    fn steps(&self, at: machine::Station) -> Vec<Step<Primitive>> {
        let (at, layers) = self.station(at);
        let Station { flipper, rows } = at;
        let turned = Station {
            flipper: flipper.other(),
            rows,
        };
        let mut steps = Vec::with_capacity(16);
        let mut add = |motion, deed, to, layers| {
            steps.push(Step {
                motion,
                milliseconds: self.costs.of(rows, motion),
                deed,
                to: self.number(to, layers),
            });
        };
        let square = layers != Layers::Loose;
        if self.table_turns(rows, layers) && (layers != Layers::Pressed || rows == self.n) {
            self.add_turns(at, layers, &mut add);
        }
        if layers == Layers::Pressed {
            return steps;
        }
        for to in 0..=self.n {
            if to != rows && (to != 0 || square || !self.before_lower) {
                let primitive = Primitive::Elevate { rows: to };
                add(primitive, Deed::Nothing, Station { flipper, rows: to }, layers);
            }
        }
        let tips = match rows {
            0 => Deed::Whole(tipped(flipper)),
            _ => Deed::Nothing,
        };
        add(Primitive::Flip, tips, turned, layers);
        if rows == 0 {
            add(Primitive::Clear, Deed::Nothing, turned, layers);
        }
        if rows >= self.squish_from && !square {
            add(Primitive::Squish, Deed::Nothing, at, Layers::Square);
        }
        if rows == self.n && !square && self.open_in_yaws {
            add(Primitive::Press, Deed::Nothing, at, Layers::Pressed);
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cranes of every kind: what needs layers that were pressed square, and whether only a whole cube can be pressed.
    fn cranes() -> Vec<Mechanism> {
        let kind = |bits: u8| {
            let mut mechanism = Mechanism::builtin();
            let all = [SquishBefore::Lower, SquishBefore::Yaw, SquishBefore::Turn];
            for size in &mut mechanism.sizes {
                let needed = all.iter().zip(0..).filter(|(_, bit)| bits >> bit & 1 == 1);
                size.squish_before = needed.map(|(what, _)| *what).collect();
            }
            mechanism.squisher.only_at_full_height = bits & 8 != 0;
            mechanism.timing.overlap_opening = bits & 16 != 0;
            mechanism.timing.overlap_empty_flips = bits & 32 != 0;
            mechanism
        };
        (0..64).map(kind).collect()
    }

    /// All that a pose of the crane allows, however the layers are.
    fn possible(n: u8, pose: Pose) -> Vec<Primitive> {
        let mut all = vec![Primitive::Flip, Primitive::Clear, Primitive::Squish, Primitive::Press];
        all.extend(
            (0..=n)
                .filter(|&rows| rows != pose.rows)
                .map(|rows| Primitive::Elevate { rows }),
        );
        for (quarters, flip) in (1..=3).flat_map(|quarters| [(quarters, false), (quarters, true)]) {
            all.extend([Primitive::Turn { quarters, flip }, Primitive::Yaw { quarters, flip }]);
        }
        all.retain(|&primitive| pose.after(n.into(), primitive).is_ok());
        all
    }

    #[test]
    fn the_steps_are_what_the_pose_allows_but_for_layers_that_must_be_square_or_are_pressed() {
        for (mechanism, n) in cranes().iter().flat_map(|mechanism| [(mechanism, 2), (mechanism, 4)]) {
            let size = mechanism.size(n).unwrap();
            let rules = Rules::new(mechanism, size, Costs::new(mechanism, n).unwrap());
            let needs = |what| size.squish_before.contains(&what);
            for number in 0..rules.stations() {
                let pose = rules.pose(machine::Pose {
                    orientation: crate::cube::Symmetry::IDENTITY,
                    station: number,
                });
                let layers = rules.station(number).1;
                let (loose, pressed) = (layers == Layers::Loose, layers == Layers::Pressed);
                let mut expected = possible(n as u8, pose);
                expected.retain(|primitive| match *primitive {
                    Primitive::Turn { flip: true, .. } | Primitive::Yaw { flip: true, .. } if !rules.overlap => false,
                    Primitive::Yaw { .. } => !(loose && needs(SquishBefore::Yaw)),
                    // A pressed cube can only yaw.
                    _ if pressed => false,
                    Primitive::Turn { .. } => !(loose && needs(SquishBefore::Turn)),
                    Primitive::Elevate { rows: 0 } => !(loose && needs(SquishBefore::Lower)),
                    Primitive::Squish => loose && (pose.rows == rules.n || !mechanism.squisher.only_at_full_height),
                    Primitive::Press => loose && rules.open_in_yaws,
                    _ => true,
                });
                let steps = rules.steps(number);
                let mut found: Vec<Primitive> = steps.iter().map(|step| step.motion).collect();
                for all in [&mut found, &mut expected] {
                    all.sort_by_key(|primitive| primitive.code().0);
                }
                assert_eq!(found, expected, "{n} {pose:?} {layers:?}");
                for step in steps {
                    let after = pose.after(n, step.motion).unwrap();
                    let to = machine::Pose {
                        orientation: after.orientation,
                        station: step.to,
                    };
                    assert_eq!(rules.pose(to), after, "{pose:?} {}", step.motion);
                    // Only what presses makes layers square, and only turned layers become loose.
                    let to = rules.station(step.to).1;
                    match step.motion {
                        Primitive::Turn { .. } => assert_eq!(to, Layers::Loose),
                        Primitive::Squish => assert_eq!(to, Layers::Square),
                        Primitive::Press => assert_eq!(to, Layers::Pressed),
                        _ if pressed => assert_eq!(to, Layers::Square),
                        _ => assert_eq!(to, layers),
                    }
                }
            }
        }
    }
}
