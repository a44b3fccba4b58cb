//! How the cube stands in the crane, and what each primitive motion does to that and to the cube.
//!
//! The directions of the world have the names of faces: south, where the camera stands, is F; north B, east R, west L, up U, down D.

use serde::{Deserialize, Serialize};

use crate::cube::{Face, State, Symmetry, Turn};
use crate::drive::MachineError;
use crate::machine::{self, Code, Station};

/// An end of the flipper's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum FlipperEnd {
    /// Where it starts, out of the camera's sight.
    #[default]
    Home,
    /// Towards the camera, whose view it blocks.
    Away,
}

impl FlipperEnd {
    /// The other end.
    pub const fn other(self) -> FlipperEnd {
        match self {
            FlipperEnd::Home => FlipperEnd::Away,
            FlipperEnd::Away => FlipperEnd::Home,
        }
    }
}

/// One motion of the crane, of one or a few motor commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Primitive {
    /// Lifts or lowers the cube until so many of its rows are in the turntable; 0 is at rest in the flipper's holder.
    Elevate {
        /// 0 to N.
        rows: u8,
    },
    /// The flipper goes to its other end. It tips a cube that is at rest; it passes below one that is lifted.
    Flip,
    /// Lifts a cube at rest just over the flipper, takes the flipper to its other end, lowers the cube. Needs no N.
    Clear,
    /// The turntable turns the rows that are in it, some but not all, clockwise as seen from above.
    Turn {
        /// Quarter turns, 1 to 3.
        quarters: u8,
        /// Whether the flipper goes to its other end meanwhile.
        flip: bool,
    },
    /// The turntable turns the whole cube, clockwise as seen from above.
    Yaw {
        /// Quarter turns, 1 to 3.
        quarters: u8,
        /// Whether the flipper goes to its other end meanwhile.
        flip: bool,
    },
    /// Presses the cube in the turntable square: the squisher closes and opens.
    Squish,
    /// Presses the cube that is wholly in the turntable; the squisher opens while the yaw that follows begins.
    Press,
}

impl Primitive {
    /// Its number, which journals have.
    pub fn code(self) -> Code {
        Code(match self {
            Primitive::Elevate { rows } => rows & 0x7F,
            Primitive::Flip => 0x80,
            Primitive::Clear => 0x81,
            Primitive::Squish => 0x82,
            Primitive::Press => 0x83,
            Primitive::Turn { quarters, flip } => 0x90 + (quarters & 3) + 4 * u8::from(flip),
            Primitive::Yaw { quarters, flip } => 0xA0 + (quarters & 3) + 4 * u8::from(flip),
        })
    }

    /// The motion with a number; none if no motion has it.
    pub fn of(Code(code): Code) -> Option<Primitive> {
        let (quarters, flip) = (code & 3, code & 4 != 0);
        Some(match code {
            0..=0x7F => Primitive::Elevate { rows: code },
            0x80 => Primitive::Flip,
            0x81 => Primitive::Clear,
            0x82 => Primitive::Squish,
            0x83 => Primitive::Press,
            0x90..=0x97 => Primitive::Turn { quarters, flip },
            0xA0..=0xA7 => Primitive::Yaw { quarters, flip },
            _ => return None,
        })
    }
}

impl std::fmt::Display for Primitive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let way = |quarters: u8| ["0", "90", "180", "-90"][quarters as usize % 4];
        let flipping = |flip: bool| if flip { ", flip meanwhile" } else { "" };
        match *self {
            Primitive::Elevate { rows } => write!(f, "elevate {rows}"),
            Primitive::Flip => write!(f, "flip"),
            Primitive::Clear => write!(f, "clear"),
            Primitive::Turn { quarters, flip } => write!(f, "turn {}{}", way(quarters), flipping(flip)),
            Primitive::Yaw { quarters, flip } => write!(f, "yaw {}{}", way(quarters), flipping(flip)),
            Primitive::Squish => write!(f, "squish"),
            Primitive::Press => write!(f, "press"),
        }
    }
}

/// A motion that the crane cannot do from where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoseError {
    /// More rows than the cube has.
    #[error("cannot lift {rows} rows of a {n}x{n}x{n}")]
    Rows {
        /// The rows wanted.
        rows: u8,
        /// The cube's size.
        n: usize,
    },
    /// A layer turn without layers in the turntable, or with all of them.
    #[error("cannot turn layers of a {n}x{n}x{n} with {rows} rows in the turntable: 1 to {} can turn", n - 1)]
    Turn {
        /// The rows in the turntable.
        rows: u8,
        /// The cube's size.
        n: usize,
    },
    /// A whole-cube turn without the whole cube in the turntable.
    #[error("cannot yaw a {n}x{n}x{n} with {rows} rows in the turntable: all must be in")]
    Yaw {
        /// The rows in the turntable.
        rows: u8,
        /// The cube's size.
        n: usize,
    },
    /// Keeping the squisher closed on some layers: it would keep them from turning.
    #[error("cannot press a {n}x{n}x{n} with {rows} rows in the turntable for a yaw: all must be in")]
    Press {
        /// The rows in the turntable.
        rows: u8,
        /// The cube's size.
        n: usize,
    },
    /// Squishing a cube at rest.
    #[error("cannot squish a cube that is not in the turntable")]
    Squish,
    /// Clearing a cube that is up already.
    #[error("cannot clear the flipper from below a cube that is lifted already: a flip does that")]
    Clear,
    /// Not 1 to 3 quarter turns.
    #[error("cannot turn by {0} quarters: 1 to 3 are turns")]
    Quarters(u8),
}

/// How the cube stands in the crane, and where the crane's parts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pose {
    /// From the cube's own frame to the world: `orientation.face(F)` is where the cube's side F is.
    pub orientation: Symmetry,
    /// The flipper's end.
    pub flipper: FlipperEnd,
    /// Rows in the turntable.
    pub rows: u8,
}

impl From<PoseError> for MachineError {
    fn from(why: PoseError) -> MachineError {
        MachineError::Impossible(why.to_string())
    }
}

impl From<Pose> for machine::Pose {
    fn from(pose: Pose) -> machine::Pose {
        machine::Pose {
            orientation: pose.orientation,
            station: pose.station(),
        }
    }
}

impl From<machine::Pose> for Pose {
    fn from(pose: machine::Pose) -> Pose {
        Pose {
            orientation: pose.orientation,
            ..Pose::standing(pose.station)
        }
    }
}

impl Pose {
    /// How the parts stand, as a number: rows and the flipper's end. (The planner numbers more: whether layers are square.)
    pub const fn station(self) -> Station {
        self.rows as Station * 2 + self.flipper as Station
    }

    /// A cube put in with F to the camera and U up, and parts that stand so.
    pub fn standing(at: Station) -> Pose {
        Pose {
            orientation: Symmetry::IDENTITY,
            flipper: [FlipperEnd::Home, FlipperEnd::Away][at as usize % 2],
            rows: (at / 2) as u8,
        }
    }

    /// A cube put in with F to the camera and U up, all parts at home.
    pub const START: Pose = Pose {
        orientation: Symmetry::IDENTITY,
        flipper: FlipperEnd::Home,
        rows: 0,
    };

    /// The side of the cube that is at a side of the world.
    pub fn side_at(self, world: Face) -> Face {
        self.orientation.inverse().face(world)
    }

    /// The pose after a primitive, for a cube of size `n`. The frame stays with the rows that do not turn.
    pub fn after(self, n: usize, primitive: Primitive) -> Result<Pose, PoseError> {
        let turned = |quarters: u8, flip: bool| {
            if !(1..=3).contains(&quarters) {
                return Err(PoseError::Quarters(quarters));
            }
            Ok(if flip { self.flipper.other() } else { self.flipper })
        };
        let rows = self.rows;
        Ok(match primitive {
            Primitive::Elevate { rows } if rows as usize > n => return Err(PoseError::Rows { rows, n }),
            Primitive::Elevate { rows } => Pose { rows, ..self },
            Primitive::Flip => Pose {
                orientation: if rows == 0 {
                    self.orientation.then(tipped(self.flipper))
                } else {
                    self.orientation
                },
                flipper: self.flipper.other(),
                rows,
            },
            Primitive::Clear if rows != 0 => return Err(PoseError::Clear),
            Primitive::Clear => Pose {
                flipper: self.flipper.other(),
                ..self
            },
            Primitive::Turn { .. } if rows == 0 || rows as usize >= n => return Err(PoseError::Turn { rows, n }),
            Primitive::Turn { quarters, flip } => Pose {
                flipper: turned(quarters, flip)?,
                ..self
            },
            Primitive::Yaw { .. } if rows as usize != n => return Err(PoseError::Yaw { rows, n }),
            Primitive::Yaw { quarters, flip } => Pose {
                orientation: self.orientation.then(yawed(quarters)),
                flipper: turned(quarters, flip)?,
                rows,
            },
            Primitive::Squish if rows == 0 => return Err(PoseError::Squish),
            Primitive::Press if rows as usize != n => return Err(PoseError::Press { rows, n }),
            Primitive::Squish | Primitive::Press => self,
        })
    }

    /// The turn of layers that a primitive makes in this pose, in the cube's own frame; none if it turns no layers.
    pub fn turned(self, primitive: Primitive) -> Option<Turn> {
        match primitive {
            Primitive::Turn { quarters, .. } => Some(Turn::outer(self.side_at(Face::U), self.rows, quarters)),
            _ => None,
        }
    }

    /// Does a primitive to a cube in this pose. `world` is the cube as it stands: its face F is the south side.
    pub fn act(self, primitive: Primitive, world: &mut State) -> Result<Pose, PoseError> {
        let after = self.after(world.size(), primitive)?;
        match primitive {
            Primitive::Flip if self.rows == 0 => world.rotate(tipped(self.flipper)),
            Primitive::Yaw { quarters, .. } => world.rotate(yawed(quarters)),
            Primitive::Turn { quarters, .. } => world.turn(Turn::outer(Face::U, self.rows, quarters)),
            _ => {}
        }
        Ok(after)
    }
}

/// The rotation of a cube at rest by a flip that starts at this end: from home the south side goes up, from away the north side.
pub fn tipped(from: FlipperEnd) -> Symmetry {
    Symmetry::turning(Face::R, if from == FlipperEnd::Home { 1 } else { 3 })
}

/// The rotation of a cube that is wholly in the turntable: clockwise as seen from above, so that west goes to the north.
pub fn yawed(quarters: u8) -> Symmetry {
    Symmetry::turning(Face::U, quarters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{parse_moves, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn flips_and_yaws_take_the_sides_where_the_machine_does() {
        let away = Pose::START.after(3, Primitive::Flip).unwrap();
        // South to the top, down to the south.
        assert_eq!([away.side_at(Face::U), away.side_at(Face::F)], [Face::F, Face::D]);
        assert_eq!(away.after(3, Primitive::Flip).unwrap(), Pose::START);
        let up = Pose { rows: 3, ..Pose::START };
        let yawed = up
            .after(
                3,
                Primitive::Yaw {
                    quarters: 1,
                    flip: false,
                },
            )
            .unwrap();
        // West to the north, east to the south.
        assert_eq!([yawed.side_at(Face::B), yawed.side_at(Face::F)], [Face::L, Face::R]);
        // A flip below a lifted cube only moves the flipper.
        assert_eq!(
            up.after(3, Primitive::Flip).unwrap(),
            Pose {
                flipper: FlipperEnd::Away,
                ..up
            }
        );
    }

    #[test]
    fn one_row_in_the_turntable_is_the_turn_of_the_upper_face() {
        let mut cube = State::solved(4);
        let pose = Pose { rows: 2, ..Pose::START };
        pose.act(
            Primitive::Turn {
                quarters: 1,
                flip: false,
            },
            &mut cube,
        )
        .unwrap();
        let mut expected = State::solved(4);
        expected.do_moves(&parse_moves(4, "Uw").unwrap());
        assert_eq!(cube, expected);
    }

    #[test]
    fn what_the_crane_cannot_do_is_refused_by_name() {
        let rows = |rows| Pose { rows, ..Pose::START };
        let turn = Primitive::Turn {
            quarters: 1,
            flip: false,
        };
        let yaw = Primitive::Yaw {
            quarters: 1,
            flip: false,
        };
        assert_eq!(rows(0).after(3, turn), Err(PoseError::Turn { rows: 0, n: 3 }));
        assert_eq!(rows(3).after(3, turn), Err(PoseError::Turn { rows: 3, n: 3 }));
        assert_eq!(rows(2).after(3, yaw), Err(PoseError::Yaw { rows: 2, n: 3 }));
        assert_eq!(rows(0).after(3, Primitive::Squish), Err(PoseError::Squish));
        assert_eq!(
            rows(2).after(3, Primitive::Press),
            Err(PoseError::Press { rows: 2, n: 3 })
        );
        assert_eq!(rows(1).after(3, Primitive::Clear), Err(PoseError::Clear));
        assert_eq!(
            rows(0).after(3, Primitive::Elevate { rows: 4 }),
            Err(PoseError::Rows { rows: 4, n: 3 })
        );
        assert_eq!(
            rows(1).after(
                3,
                Primitive::Turn {
                    quarters: 4,
                    flip: true
                }
            ),
            Err(PoseError::Quarters(4))
        );
    }

    #[test]
    fn every_motion_has_a_number_and_words_of_its_own() {
        let known: Vec<(u8, Primitive)> = (0..=u8::MAX)
            .filter_map(|code| Some((code, Primitive::of(Code(code))?)))
            .collect();
        let words: std::collections::BTreeSet<String> = known.iter().map(|(_, one)| one.to_string()).collect();
        assert_eq!(words.len(), known.len());
        for &(code, primitive) in &known {
            assert_eq!(primitive.code(), Code(code), "{primitive}");
        }
        let back = Primitive::Turn {
            quarters: 3,
            flip: true,
        };
        for primitive in [
            Primitive::Squish,
            Primitive::Press,
            Primitive::Elevate { rows: 7 },
            back,
        ] {
            assert_eq!(Primitive::of(primitive.code()), Some(primitive));
        }
        assert_eq!(back.to_string(), "turn -90, flip meanwhile");
    }

    #[test]
    fn a_station_tells_how_the_parts_stand() {
        for rows in 0..20 {
            for flipper in [FlipperEnd::Home, FlipperEnd::Away] {
                let pose = Pose {
                    flipper,
                    rows,
                    ..Pose::START
                };
                assert_eq!(Pose::standing(pose.station()), pose);
            }
        }
    }

    proptest! {
        #[test]
        fn the_pose_follows_the_cube(n in 2usize..6, seed: u64, steps in proptest::collection::vec(0usize..8, 1..30)) {
            let mut own = State::solved(n);
            own.turn_all(&random_turns(n, 20, &mut ChaCha8Rng::seed_from_u64(seed)));
            let mut world = own.clone();
            let mut pose = Pose::START;
            for step in steps {
                let primitive = [
                    Primitive::Flip,
                    Primitive::Clear,
                    Primitive::Elevate { rows: if pose.rows == 0 { n as u8 } else { 0 } },
                    Primitive::Yaw { quarters: 3, flip: true },
                    Primitive::Squish,
                    Primitive::Press,
                    Primitive::Elevate { rows: 1 },
                    Primitive::Turn { quarters: 1 + (seed % 3) as u8, flip: true },
                ][step];
                let turned = pose.turned(primitive);
                if let Ok(next) = pose.act(primitive, &mut world) {
                    pose = next;
                    own.turn_all(turned.as_slice());
                }
            }
            own.rotate(pose.orientation);
            prop_assert_eq!(own, world);
        }
    }
}
