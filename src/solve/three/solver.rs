//! The coordinates and tables of both phases, and the bounds that they give for a cube.

use super::compass::{Compass, turns_of};
use super::coordinates::{At1, At2, Phase1, Phase2};
use super::near::Said;
use super::path::{NO_FACE, may_follow};
use super::start::{Held, Start};
use super::tables::Table3;
use crate::cube::{Cubies, Turn};
use crate::progress::Progress;
use crate::sure::surely;
use crate::tables::{Contradiction, FALSE_GOAL, Store, Table, TableError};

/// The greatest distance from phase 1's goal, in turns.
pub(super) const PHASE1_LONGEST: usize = 20;

/// The coordinates and tables of a 3x3x3, ready to search.
pub(crate) struct Solver3 {
    pub(super) one: Phase1,
    pub(super) two: Phase2,
    pub(super) compass: Compass,
    twist_flip: Table,
    corners_slice: Table,
    midges_slice: Table,
    /// The 18 turns by number, in the order of [`Phase1::group`].
    pub(super) turns: Vec<(Turn, Cubies)>,
    /// The numbers of phase 2's turns among the 18.
    pub(super) turns2: Vec<u8>,
    /// The numbers of the other turns. With a premove that is a turn of phase 2, the same solutions would be searched again.
    pub(super) premoves: Vec<u8>,
    pub(super) held: Vec<Held>,
    /// [face turned last]: the turns that may follow, as a set of the compass.
    pub(super) follow: [u32; NO_FACE + 1],
}

impl Solver3 {
    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Solver3, TableError> {
        let table = |recipe: Table3| store.open_or_build(&recipe, progress);
        let (one, two) = (Phase1::new(false), Phase2::new());
        let turns: Vec<(Turn, Cubies)> = one.group.turns().iter().map(|&t| (t, Cubies::of_turn(t))).collect();
        let follow = |last: usize| {
            let may = (0..6).filter(|&face| may_follow(last, face));
            may.fold(0, |all, face| all | turns_of(face))
        };
        let number = |turn: &Turn| surely(turns.iter().position(|(t, _)| t == turn)) as u8;
        let turns2: Vec<u8> = two.group.turns().iter().map(number).collect();
        Ok(Solver3 {
            compass: Compass::new([table(Table3::TwistSlice)?, table(Table3::FlipSlice)?], &one.group),
            twist_flip: table(Table3::TwistFlip)?,
            corners_slice: table(Table3::CornersSlice)?,
            midges_slice: table(Table3::MidgesSlice)?,
            one,
            two,
            held: Held::all(),
            follow: std::array::from_fn(follow),
            premoves: (0..turns.len() as u8).filter(|t| !turns2.contains(t)).collect(),
            turns,
            turns2,
        })
    }

    /// The cube seen along each axis, itself and inverted. Views that are equal by symmetry are there once.
    pub(in crate::solve) fn views(&self, cubies: &Cubies) -> Vec<Start> {
        let mut views: Vec<Start> = Vec::with_capacity(2 * self.held.len());
        for held in &self.held {
            let seen = held.see(cubies);
            for (inverted, cubies) in [(false, seen), (true, seen.inverse())] {
                if views.iter().all(|view| view.cubies != cubies) {
                    views.push(Start {
                        at: self.one.of(&cubies),
                        cubies,
                        held: held.by,
                        inverted,
                        premove: None,
                    });
                }
            }
        }
        views
    }

    /// A view with a premove, which is given by its number among the 18.
    pub(super) fn with_premove(&self, view: &Start, premove: u8) -> Start {
        let cubies = self.turns[premove as usize].1.then(&view.cubies);
        Start {
            at: self.one.of(&cubies),
            cubies,
            premove: Some(premove),
            ..*view
        }
    }

    /// All views of the cube, without premove and with each premove. Starts that are equal by symmetry are there once.
    pub(super) fn starts(&self, cubies: &Cubies) -> Vec<Start> {
        let mut starts: Vec<Start> = Vec::new();
        for view in self.views(cubies) {
            let with = self.premoves.iter().map(|&t| self.with_premove(&view, t));
            for start in std::iter::once(view).chain(with) {
                if starts.iter().all(|s| s.cubies != start.cubies) {
                    starts.push(start);
                }
            }
        }
        starts
    }

    /// The coordinates after a turn, and what is said of their twists and flips.
    #[inline]
    pub(super) fn turned1(&self, at: At1, t: usize) -> (At1, Said) {
        let next = self.one.turned(at, t);
        (next, self.said(next))
    }

    /// The lower bound of phase 1: the largest of three distances.
    #[inline]
    pub(in crate::solve) fn bound1(&self, at: At1) -> usize {
        self.compass.distance(&self.one, at).max(self.said(at).distance())
    }

    #[inline]
    fn said(&self, at: At1) -> Said {
        Said::of(self.twist_flip.payload(), &self.one, at)
    }

    /// For a cube that tables take for phase 1's goal: the table that is wrong, if the cube is not at the goal.
    #[inline]
    pub(super) fn denied1(&self, at: At1) -> Option<Contradiction> {
        denied(self.one.is_home(at), [Table3::TwistSlice, Table3::FlipSlice])
    }

    /// The same for phase 2.
    #[inline]
    pub(super) fn denied2(&self, at: At2) -> Option<Contradiction> {
        denied(self.two.is_home(at), [Table3::CornersSlice, Table3::MidgesSlice])
    }

    /// The lower bound of phase 2: the larger of two distances.
    #[inline]
    pub(super) fn bound2(&self, at: At2) -> usize {
        self.corners_bound(at.corners, at.slice)
            .max(self.midges_bound(at.midges, at.slice))
    }

    /// The coordinates after a turn of phase 2; none if its lower bound is then `far` or more. Corners and slice often tell, and the
    /// midges are turned only if they do not.
    #[inline]
    pub(super) fn turned2(&self, at: At2, turn: usize, far: usize) -> Option<At2> {
        let (corners, slice) = (self.two.turned_corners(at, turn), self.two.turned_slice(at, turn));
        if self.corners_bound(corners, slice) >= far {
            return None;
        }
        let midges = self.two.turned_midges(at, turn);
        let next = At2 { corners, midges, slice };
        (self.midges_bound(midges, slice) < far).then_some(next)
    }

    #[inline]
    fn corners_bound(&self, corners: u16, slice: u16) -> usize {
        let (class, by) = self.two.corners.split(corners.into());
        self.slice_bound(&self.corners_slice, class, slice, by)
    }

    #[inline]
    fn midges_bound(&self, midges: u16, slice: u16) -> usize {
        let (class, by) = self.two.midges.split(midges.into());
        self.slice_bound(&self.midges_slice, class, slice, by)
    }

    /// The distance of a class and of the slice as its representative sees it.
    #[inline]
    fn slice_bound(&self, table: &Table, class: usize, slice: u16, by: usize) -> usize {
        let slice = self.two.slice.moved(slice.into(), self.two.group.inverse(by));
        Table::nibble(table.payload(), class * 24 + slice) as usize
    }
}

/// `home` tells of two parts of a goal whether they are at home, and each of the `tables` has said so of one. Gives the table that is wrong.
fn denied(home: [bool; 2], tables: [Table3; 2]) -> Option<Contradiction> {
    let wrong = home.iter().position(|home| !home)?;
    Some(Contradiction {
        table: tables[wrong].name(),
        what: FALSE_GOAL,
    })
}
