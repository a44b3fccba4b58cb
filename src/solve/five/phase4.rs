//! The fourth phase: four edges come to stand whole in a ring around the axis of F and B, and the centres that the fifth
//! phase cannot repair come right.

use super::centres::{AXIS, HALVES, halves};
use super::ranking::{after_a_turn, far, greatest, least};
use super::ring::{
    ALL_CENTRES, Code, Coordinates4, EDGES, Four, LAYERS_K, NEAR, NEARBY, Node4, SIDES_K, WINGS_LAYERS, WINGS_SIDES,
    moved,
};
use crate::cube::{Face, State, Symmetry, Turn};
use crate::progress::Progress;
use crate::search::{NearTable, Phase, Ranked, Screen, Within, distance_by_walk};
use crate::solve::reduction::Stage;
use crate::solve::words;
use crate::tables::{Contradiction, Store, Table, TableError};

/// The fourth phase with its tables.
pub(crate) struct Phase4 {
    coordinates: Coordinates4,
    /// How the centres of R and L, and of U and D, may look at the goal, by number.
    goals: [Vec<usize>; 2],
    edges: Table,
    wings_sides: Table,
    wings_layers: Table,
    all_centres: Table,
    near: Table,
}

impl Phase4 {
    /// Opens the tables.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Phase4, TableError> {
        let coordinates = Coordinates4::new();
        Ok(Phase4 {
            goals: [coordinates.side_goals(), coordinates.layer_goals()],
            coordinates,
            edges: store.open_or_build(&EDGES, progress)?,
            wings_sides: store.open_or_build(&WINGS_SIDES, progress)?,
            wings_layers: store.open_or_build(&WINGS_LAYERS, progress)?,
            all_centres: store.open_or_build(&ALL_CENTRES, progress)?,
            near: store.open_or_build(&NEARBY, progress)?,
        })
    }

    fn nodes(&self, state: &State) -> Result<Vec<Node4>, Contradiction> {
        let coordinates = &self.coordinates;
        let Some(owners) = coordinates.edges.owners(state) else {
            return Ok(Vec::new());
        };
        let [Some(side), Some(layers)] = [0, 1].map(|axis| coordinates.centres.shown(state, axis)) else {
            return Ok(Vec::new());
        };
        let Ok(side) = coordinates.sides.binary_search(&side) else {
            return Ok(Vec::new());
        };
        let [t, x] = halves(layers);
        let choices = coordinates.choices(&owners).into_iter();
        choices
            .map(|edges| {
                let distance = self.edges_distance(edges)?;
                Ok(Node4 {
                    edges,
                    side: side as u16,
                    t,
                    x,
                    distance,
                })
            })
            .collect()
    }

    fn edges_distance(&self, edges: Four) -> Result<u8, Contradiction> {
        let (coordinates, ring) = (&self.coordinates, self.coordinates.ring());
        let found = distance_by_walk(
            edges,
            coordinates.group.turns().len(),
            |&edges, t| coordinates.turn_edges(edges, t),
            |&edges| Table::mod3(self.edges.payload(), coordinates.edges_entry(edges)),
            |&edges| edges == ring,
        );
        found.map_err(|what| Contradiction {
            table: EDGES.name(),
            what,
        })
    }

    /// The distance of a node to the goal, if it is near; none otherwise. `most` is the greatest distance in any table.
    fn near_distance(&self, node: &Node4, most: u32) -> Option<u32> {
        // Where edges and centres are at distance 0, the node is the goal.
        if most == 0 || most > NEAR as u32 {
            return (most == 0).then_some(0);
        }
        let near = NearTable::new(self.near.payload()).distance(self.coordinates.hash(node));
        near.map(|near| most.max(near as u32))
    }

    #[inline]
    fn centres(&self, node: &Node4) -> u32 {
        let centres = node.side as usize * AXIS + node.t as usize * HALVES + node.x as usize;
        Table::nibble(self.all_centres.payload(), centres) as u32
    }

    /// Distances of midges and wings of one kind together with the centres of U and D, and with those of R and L.
    #[inline]
    fn wings(&self, midges: u8, wings: Code, side: u16, t: u8, x: u8) -> [u32; 2] {
        let coordinates = &self.coordinates;
        let (class, s) = coordinates.class(midges, wings);
        let layers = coordinates.halves.t.moved(t as usize, s) * HALVES + coordinates.halves.x.moved(x as usize, s);
        let sides = coordinates.side.moved(side as usize, s);
        [
            Table::nibble(self.wings_layers.payload(), (class * AXIS + layers) / LAYERS_K) as u32,
            Table::nibble(
                self.wings_sides.payload(),
                (class * coordinates.sides.len() + sides) / SIDES_K,
            ) as u32,
        ]
    }

    #[inline]
    fn low(&self, node: &Node4) -> [u32; 2] {
        self.wings(node.edges.midges, node.edges.low, node.side, node.t, node.x)
    }

    #[inline]
    fn high(&self, node: &Node4) -> [u32; 2] {
        let coordinates = &self.coordinates;
        let to = coordinates.mirrored_midges[node.edges.midges as usize];
        let [t, x] = &coordinates.mirrored_halves;
        let wings = moved(node.edges.high, to.from, coordinates.mirrored);
        let side = coordinates.mirrored_sides[node.side as usize];
        self.wings(to.set, wings, side, t[node.t as usize], x[node.x as usize])
    }

    /// The distances in all tables.
    fn distances(&self, node: &Node4) -> [u32; 6] {
        let [a, b] = self.low(node);
        let [c, d] = self.high(node);
        [node.distance as u32, a, b, c, d, self.centres(node)]
    }

    /// The estimate of a node whose distances are known.
    fn ranked(&self, node: &Node4, all: &[u32; 6]) -> u32 {
        let near = self.near_distance(node, greatest(all));
        near.map_or_else(|| far(all, NEAR), |near| 8 * near)
    }

    /// The estimate of a node after a turn, unless it is above `most`. After the turn, no distance is taken to be
    /// below that in `all`.
    fn estimate_after(&self, node: &Node4, all: &[u32; 6], turn: usize, most: u32) -> Option<u32> {
        let Coordinates4 { halves, side, .. } = &self.coordinates;
        let edges = self.coordinates.turn_edges(node.edges, turn);
        let entry = self.coordinates.edges_entry(edges);
        let distance = Table::beside(self.edges.payload(), entry, node.distance);
        let mut all = *all;
        all[0] = distance as u32;
        if least(&all, NEAR) > most {
            return None;
        }
        let child = Node4 {
            edges,
            side: side.turn(node.side as usize, turn) as u16,
            t: halves.t.turn(node.t as usize, turn) as u8,
            x: halves.x.turn(node.x as usize, turn) as u8,
            distance,
        };
        for ask in 0..3 {
            match ask {
                0 => [all[1], all[2]] = self.low(&child),
                1 => [all[3], all[4]] = self.high(&child),
                _ => all[5] = self.centres(&child),
            }
            if least(&all, NEAR) > most {
                return None;
            }
        }
        Some(self.ranked(&child, &all)).filter(|&estimate| estimate <= most)
    }
}

impl Stage for Phase4 {
    fn name(&self) -> &'static str {
        words::FOUR_EDGES
    }

    /// The nodes of a state that the third phase has brought to its goal: two ways to hold it, each with all choices of
    /// four edges.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node4, ())) -> Result<(), Contradiction> {
        for held in [Symmetry::IDENTITY, Symmetry::turning(Face::R, 1)] {
            let seen = state.held(held);
            for node in self.nodes(&seen)? {
                push(held, node, ());
            }
        }
        Ok(())
    }
}

impl Phase for Phase4 {
    type Node = Node4;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.coordinates.group.turns()
    }

    fn child(&self, node: &Node4, turn: usize) -> Node4 {
        let child = self.coordinates.turned(node, turn);
        let entry = self.coordinates.edges_entry(child.edges);
        Node4 {
            distance: Table::beside(self.edges.payload(), entry, node.distance),
            ..child
        }
    }

    fn bound(&self, node: &Node4) -> u32 {
        let most = greatest(&self.distances(node));
        self.near_distance(node, most).unwrap_or(most.max(NEAR as u32 + 1))
    }

    fn denied(&self, goal: &Node4) -> Option<&'static str> {
        if goal.edges != self.coordinates.ring() {
            return Some(EDGES.name());
        }
        let [sides, layers] = &self.goals;
        let layer = usize::from(goal.t) * HALVES + usize::from(goal.x);
        let is_goal = sides.contains(&usize::from(goal.side)) && layers.contains(&layer);
        (!is_goal).then(|| ALL_CENTRES.name())
    }

    #[inline]
    fn within(&self, node: &Node4, turn: usize, remaining: u32) -> Within<Node4> {
        let child = self.child(node, turn);
        let mut most = 0;
        for ask in 0..5 {
            most = most.max(match ask {
                0 => child.distance as u32,
                1 => self.centres(&child),
                2 => self.low(&child).into_iter().fold(0, u32::max),
                3 => self.high(&child).into_iter().fold(0, u32::max),
                _ if remaining > NEAR as u32 => 0,
                _ => self.near_distance(&child, most).unwrap_or(NEAR as u32 + 1),
            });
            if let Some(far) = Within::beyond(most, remaining) {
                return far;
            }
        }
        Within::Yes(child)
    }
}

impl Ranked for Phase4 {
    fn estimate(&self, node: &Node4) -> u32 {
        self.ranked(node, &self.distances(node))
    }

    fn estimates(&self, node: &Node4, turns: &[u8], screen: &mut Screen, mut show: impl FnMut(u8, u32)) {
        let least = after_a_turn(self.distances(node));
        for &turn in turns {
            if let Some(estimate) = self.estimate_after(node, &least, usize::from(turn), screen.most()) {
                show(turn, estimate);
            }
        }
    }

    fn key(&self, node: &Node4) -> u64 {
        let Four { midges, low, high } = node.edges;
        low as u64
            | (high as u64) << 12
            | (midges as u64) << 24
            | (node.side as u64) << 32
            | (node.t as u64) << 48
            | (node.x as u64) << 56
    }
}
