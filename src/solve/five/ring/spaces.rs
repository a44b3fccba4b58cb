//! The tables of the fourth phase: the spaces that they are built over, and the distances in these.

use super::super::centres::{AXIS, HALVES, Halves, SOLVED, Shown, axis_value, listed, reached};
use super::super::phase5::turns5;
use super::{
    Coordinates4, INJECTIONS, Map, NEAR, Node4, decoded, held5, injection_rank, injection_unrank, map_of, turns4,
};
use crate::cube::{Symmetry, Turn};
use crate::search::{Around, Group, Pair, Plain, Reduced};
use crate::solve::phase_table::{PhaseTable, where_built};
use crate::tables::{Task, Width};

/// Slots of the table of what is near.
const SLOTS: usize = 1 << 18;
/// Its bytes.
const NEAR_BYTES: usize = 2 * SLOTS;

/// Min-compression of the table of wings and the centres of R and L: 29,616 · 432 entries of half a byte are 118 KB.
///
/// This and [`LAYERS_K`] were chosen for the brick: the phase's five tables are open at once, and so they take 14.5 MB
/// of its 64, 12.4 of them for the table of edges.
pub(in crate::solve::five) const SIDES_K: usize = 54;
/// Min-compression of the table of wings and the centres of U and D: 29,616 · 4900 entries of half a byte are 370 KB.
pub(in crate::solve::five) const LAYERS_K: usize = 196;

/// Classes of midges and low wings.
const CLASSES: usize = 29_616;
/// Looks of the centres of R and L.
const SIDES: usize = 432;

/// Distances of midges and both kinds of wings.
pub(in crate::solve::five) static EDGES: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates4::new().edges(task)),
    ..PhaseTable::new(5, "5x5x5-4-edges", Width::Mod3, CLASSES * INJECTIONS, [0.1, 7.4])
};

/// Distances of midges and low wings together with the centres of R and L.
pub(in crate::solve::five) static WINGS_SIDES: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates4::new().wings_sides(task)),
    ..PhaseTable::new(5, "5x5x5-4-wings-sides", Width::Nibble, CLASSES * SIDES, [0.2, 1.6]).compressed(SIDES_K)
};

/// Distances of midges and low wings together with the centres of U and D.
pub(in crate::solve::five) static WINGS_LAYERS: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates4::new().wings_layers(task)),
    ..PhaseTable::new(5, "5x5x5-4-wings-layers", Width::Nibble, CLASSES * AXIS, [0.3, 22.0]).compressed(LAYERS_K)
};

/// Distances of the centres of R, L, U and D.
pub(in crate::solve::five) static ALL_CENTRES: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates4::new().all_centres(task)),
    ..PhaseTable::new(5, "5x5x5-4-centres", Width::Nibble, SIDES * AXIS, [0.01, 0.2])
};

/// Everything near the goal.
pub(in crate::solve::five) static NEARBY: PhaseTable = PhaseTable {
    near: Some(NEAR),
    explore: where_built(|task| Coordinates4::new().near(task)),
    ..PhaseTable::new(5, "5x5x5-4-near", Width::Byte, NEAR_BYTES, [0.1, 0.0])
};

/// The spaces of the tables: midges and low wings, whose labels may be exchanged, together with another coordinate.
struct Labelled {
    /// The symmetries, each with each exchange of labels.
    group: Group,
    /// Midges and low wings.
    wings: Reduced<u32>,
    /// The value of the goal.
    ring: usize,
}

impl Labelled {
    fn new(coordinates: &Coordinates4) -> Labelled {
        let symmetries = coordinates.group.symmetries().to_vec();
        let group = Group::labelled(turns4(), |s| symmetries.contains(&s));
        let to = |map: Map, places: [u8; 4]| places.map(|place| (map >> (4 * place) & 7) as u8);
        let midges: Vec<Map> = group
            .turns()
            .iter()
            .map(|&t| map_of(&coordinates.edges.turned(t).midges))
            .collect();
        let value = |midges: [u8; 4], low: [u8; 4]| injection_rank(midges) * INJECTIONS + injection_rank(low);
        let wings = Reduced::new(
            &group,
            INJECTIONS * INJECTIONS,
            |value| {
                [
                    injection_unrank(value / INJECTIONS),
                    injection_unrank(value % INJECTIONS),
                ]
            },
            |&[m, l], t| value(to(midges[t], m), to(coordinates.turned_low[t], l)),
            |&[m, l], e| {
                let (s, labels) = group.parts(e);
                let [m, l] = [m, l].map(|places| exchanged(to(coordinates.moved[s], places), labels));
                value(m, l)
            },
        );
        let ring = decoded(coordinates.ring().low);
        Labelled {
            wings,
            ring: value(ring, ring),
            group,
        }
    }

    /// Midges and low wings together with another coordinate.
    fn explore(&self, plain: &Plain, goals: &[usize], task: &mut Task) {
        let pair = Pair {
            group: &self.group,
            reduced: &self.wings,
            plain,
            goals: goals.iter().map(|&goal| (self.ring, goal)).collect(),
        };
        task.explore(&pair);
    }
}

/// What has label i gets label `labels[i]`.
fn exchanged(places: [u8; 4], labels: [u8; 4]) -> [u8; 4] {
    let mut after = [0; 4];
    (0..4).for_each(|i| after[labels[i] as usize] = places[i]);
    after
}

impl Coordinates4 {
    /// How the centres of R and L, and of U and D, may look at the goal.
    fn centre_goals(&self) -> [Vec<Shown>; 2] {
        let back = held5().inverse();
        let turns: Vec<Turn> = turns5().into_iter().map(|t| t.moved(back)).collect();
        let turned = self.centres.turned(&turns);
        [0, 1].map(|axis| reached(SOLVED, axis, &turned))
    }

    /// The looks of R and L, by number.
    pub fn side_goals(&self) -> Vec<usize> {
        let [sides, _] = self.centre_goals();
        sides
            .iter()
            .filter_map(|side| self.sides.binary_search(side).ok())
            .collect()
    }

    /// The looks of U and D, by number.
    pub fn layer_goals(&self) -> Vec<usize> {
        let [_, layers] = self.centre_goals();
        layers.iter().map(|&shown| axis_value(shown)).collect()
    }

    /// Distances of the four edges.
    pub fn edges(&self, task: &mut Task) {
        let labelled = Labelled::new(self);
        let group = &labelled.group;
        let to = |map: Map, places: [u8; 4]| places.map(|place| (map >> (4 * place) & 7) as u8);
        let high = Plain::new(
            group,
            INJECTIONS,
            injection_unrank,
            |&places, t| injection_rank(to(self.turned_high[t], places)),
            |&places, e| {
                let (s, labels) = group.parts(e);
                injection_rank(exchanged(to(self.moved[s], places), labels))
            },
        );
        labelled.explore(&high, &[injection_rank(decoded(self.ring().high))], task);
    }

    /// Distances of midges and low wings together with the centres of R and L.
    pub fn wings_sides(&self, task: &mut Task) {
        let labelled = Labelled::new(self);
        let sides = listed(&self.centres, &labelled.group, 0, &self.sides);
        labelled.explore(&sides, &self.side_goals(), task);
    }

    /// Distances of midges and low wings together with the centres of U and D.
    pub fn wings_layers(&self, task: &mut Task) {
        let labelled = Labelled::new(self);
        let layers = Halves::new(&self.centres, &labelled.group, 1).joint(&labelled.group);
        labelled.explore(&layers, &self.layer_goals(), task);
    }

    /// Distances of the centres of R, L, U and D.
    pub fn all_centres(&self, task: &mut Task) {
        let still = Group::new(turns4(), |s| s == Symmetry::IDENTITY);
        let side = |&side: &usize, t: usize| self.side.turn(side, t);
        let reduced = Reduced::<u16>::new(&still, self.sides.len(), |value| value, side, |&side, _| side);
        let (sides, layers) = (self.side_goals(), self.layer_goals());
        let pair = Pair {
            group: &still,
            reduced: &reduced,
            plain: &Halves::new(&self.centres, &still, 1).joint(&still),
            goals: sides
                .iter()
                .flat_map(|&s| layers.iter().map(move |&l| (s, l)))
                .collect(),
        };
        task.explore(&pair);
    }

    /// Finds all nodes near the goal, as the bytes of a [`crate::search::NearTable`].
    pub fn near(&self, task: &mut Task) {
        let (sides, layers) = (self.side_goals(), self.layer_goals());
        let goal = |side: usize, layer: usize| Node4 {
            edges: self.ring(),
            side: side as u16,
            t: (layer / HALVES) as u8,
            x: (layer % HALVES) as u8,
            distance: 0,
        };
        let around = Around {
            goals: sides
                .iter()
                .flat_map(|&s| layers.iter().map(move |&l| goal(s, l)))
                .collect(),
            turns: self.group.turns().len(),
            child: &|node, turn| self.turned(node, turn),
            images: &|node, see| {
                for s in 0..self.group.order() {
                    let image = self.moved(node, s);
                    see(&image);
                    see(&self.mirrored(&image));
                }
            },
            hash: &|node| self.hash(node),
        };
        around.explore(NEAR, SLOTS, task);
    }
}
