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
