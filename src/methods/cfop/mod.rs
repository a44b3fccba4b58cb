//! The way of most who solve a cube fast (after Fridrich): cross, four pairs, last layer turned, last layer placed.
//!
//! The cross is on D. For every case of a pair and of the last layer a table has the turns. Pairs come in any order, and the shortest
//! of many ways go on.

mod names;
mod table;

use super::ladder::{Doing, Ladder, corner, midge};
use super::lesson::{Algorithm, Lesson, Stage, Step};
use super::pieces::{corner_name, midge_name};
use super::ways::{Deed, Way, keep};
use crate::cube::{Cubies, Face, Symmetry, Turn, all_turns};
use crate::methods::words::ease;
use crate::progress::Progress;
use crate::search::Meter;
use crate::tables::{Store, Table, TableError};
pub(super) use table::CfopTable;
use table::{CROSS, Cases, PAIRS, order_number, single_turns, turned_number};

/// Ways that go on from a stage, and ways through the cross that are looked at. With one of each solutions take 49 turns, with 20, 40.
const WIDTH: usize = 20;

const COURSE: [Stage; 4] = [
    Stage {
        name: "cross",
        goal: "The four edges of D are in their places.",
        matters: |_, at| at.is_centre() || at.is_edge() && at.is_below(),
    },
    Stage {
        name: "four pairs",
        goal: "The corners of D and the edges above them are in their places: two layers are done.",
        matters: |_, at| !at.is_on_top() || at.is_centre(),
    },
    Stage {
        name: "last layer turned",
        goal: "All of U has one colour.",
        matters: |_, at| !at.is_on_top() || at.face == Face::U,
    },
    Stage {
        name: "last layer placed",
        goal: "Everything is in its place.",
        matters: |_, _| true,
    },
];

/// What a deed is.
#[derive(Debug, Clone)]
enum What {
    Cross,
    /// A pair, by its number in [`PAIRS`].
    Pair(usize),
    Turned,
    Placed,
}

/// A pair, seen as the one at the front and right.
struct View {
    pair: usize,
    /// How the cube is held, against that: turned by this.
    by: Symmetry,
    /// What each lie of its pieces is called there.
    corner: [u8; 24],
    midge: [u8; 24],
}

/// The method, with its table open.
pub(super) struct Cfop {
    table: Table,
    views: Vec<View>,
    single: Vec<Doing>,
}

impl Cfop {
    /// Opens the table, building it where that is allowed.
    pub(super) fn open(store: &Store, progress: &dyn Progress) -> Result<Cfop, TableError> {
        Ok(Cfop {
            table: store.open_or_build(&CfopTable, progress)?,
            views: (0..4).map(View::new).collect(),
            single: single_turns(),
        })
    }

    /// The algorithms of the last layer, case by case: of each the one that is learned most easily, however U is turned before and after.
    /// Those of pairs are too many to learn by heart.
    pub(super) fn algorithms(&self) -> Vec<Algorithm> {
        let known = Cases(self.table.payload());
        let by_u = Cubies::of_turn(Turn::outer(Face::U, 1, 1));
        let rounds: Vec<Cubies> = std::iter::successors(Some(Cubies::SOLVED), |now| Some(now.then(&by_u)))
            .take(4)
            .collect();
        let easiest = |words: &mut dyn Iterator<Item = Vec<Turn>>| {
            words.filter(|word| !word.is_empty()).min_by_key(|word| ease(word))
        };
        let [of_turned, of_placed] = names::cases();
        let turned = of_turned.into_iter().filter_map(|(name, cubies)| {
            let words = &mut rounds.iter().flat_map(|round| known.turned(&round.then(&cubies)));
            let does = "turns the last layer's pieces right";
            Some((name, does, COURSE[2].name, easiest(words)?))
        });
        let placed = of_placed.into_iter().filter_map(|(name, cubies)| {
            let both = rounds
                .iter()
                .flat_map(|before| rounds.iter().map(move |after| (before, after)));
            let words = &mut both.map(|(before, after)| known.placed(&before.then(&cubies).then(after)));
            let does = "brings the last layer's pieces to their places";
            Some((name, does, COURSE[3].name, easiest(words)?))
        });
        let all = turned.chain(placed);
        all.map(|(name, does, stage, turns)| Algorithm {
            name,
            does,
            stage,
            turns,
        })
        .collect()
    }

    /// Solves a 3x3x3. `None` if the meter ends it, or if the table is wrong.
    pub(super) fn lesson(&self, cubies: &Cubies, meter: &mut Meter) -> Option<Lesson> {
        let cases = Cases(self.table.payload());
        let mut ways = self.crosses(&cases, cubies);
        for stage in [pairs, pairs, pairs, pairs, turned, placed] {
            let mut next = Vec::new();
            for way in &ways {
                if !meter.spend() {
                    return None;
                }
                stage(self, &cases, way, &mut next);
            }
            keep(&mut next, WIDTH);
            ways = next;
        }
        let way = ways.into_iter().next()?;
        Some(Lesson {
            stages: COURSE.to_vec(),
            steps: self.told(cubies, way.deeds),
        })
    }

    /// All short ways to make a cross.
    fn crosses(&self, cases: &Cases, cubies: &Cubies) -> Vec<Way<What>> {
        let ladder = Ladder::new(CROSS, &self.single, cases.costs());
        let paths = ladder.ways(cubies, WIDTH);
        let turn = |&number: &u16| self.single[usize::from(number)].turns[0];
        let ways = paths
            .iter()
            .map(|path| done(&Way::new(cubies), 0, path.iter().map(turn).collect(), What::Cross));
        ways.collect()
    }

    /// The deeds in words.
    fn told(&self, given: &Cubies, deeds: Vec<Deed<What>>) -> Vec<Step> {
        let mut cubies = *given;
        let mut steps = Vec::with_capacity(deeds.len());
        for Deed { stage, turns, what } in deeds {
            if turns.is_empty() {
                continue;
            }
            let (name, why) = match what {
                What::Cross => ("cross".to_string(), "brings the four edges of D home".to_string()),
                What::Pair(pair) => self.pair_told(pair, &cubies),
                What::Turned => {
                    let name = names::turned(&cubies).unwrap_or_else(|| "OLL".to_string());
                    (name, "turns the pieces of the last layer right".to_string())
                }
                What::Placed => match names::placed(&cubies) {
                    Some(name) => (name, "brings the pieces of the last layer to their places".to_string()),
                    None => ("U".to_string(), "turns the last layer home".to_string()),
                },
            };
            cubies = cubies.then(&Doing::new(None, turns.clone()).effect);
            steps.push(Step {
                stage,
                turns,
                name,
                why,
            });
        }
        steps
    }

    /// Where the pieces of a pair lie, and what is done with them.
    fn pair_told(&self, pair: usize, cubies: &Cubies) -> (String, String) {
        let (own_corner, own_midge) = PAIRS[pair];
        let at = |lie: u8, orientations: u8, places: std::ops::Range<u8>| places.contains(&(lie / orientations));
        let (corner, midge) = (corner(cubies, own_corner), midge(cubies, own_midge));
        let of_corner = match () {
            () if at(corner, 3, 0..4) => ["on top, facing up", "on top", "on top"][usize::from(corner % 3)],
            () if corner / 3 == own_corner => {
                ["in its slot", "in its slot, twisted", "in its slot, twisted"][usize::from(corner % 3)]
            }
            () => "in another slot",
        };
        let of_midge = match () {
            () if at(midge, 2, 0..4) => "on top",
            () if midge / 2 == own_midge => ["in its slot", "in its slot, flipped"][usize::from(midge % 2)],
            () => "in another slot",
        };
        let name = format!("corner {of_corner}; edge {of_midge}");
        let why = format!(
            "brings {} and {} home together",
            corner_name(own_corner),
            midge_name(own_midge)
        );
        (name, why)
    }
}

fn done(way: &Way<What>, stage: usize, turns: Vec<Turn>, what: What) -> Way<What> {
    let doing = Doing::new(None, turns);
    let deed = Deed {
        stage,
        turns: doing.turns,
        what,
    };
    way.then(deed, &doing.effect)
}

/// One more pair, each that is not home in turn. A cube whose pairs are all home goes on as it is.
fn pairs(cfop: &Cfop, cases: &Cases, way: &Way<What>, next: &mut Vec<Way<What>>) {
    let home = |pair: usize| {
        let (own_corner, own_midge) = PAIRS[pair];
        corner(&way.cubies, own_corner) == own_corner * 3 && midge(&way.cubies, own_midge) == own_midge * 2
    };
    if (0..4).all(home) {
        next.push(way.clone());
    }
    for view in cfop.views.iter().filter(|view| !home(view.pair)) {
        let (own_corner, own_midge) = PAIRS[view.pair];
        let there = (0..3)
            .filter(|i| home((view.pair + 1 + i) % 4))
            .fold(0, |there, i| there | 1 << i);
        let lies = [
            view.corner[usize::from(corner(&way.cubies, own_corner))],
            view.midge[usize::from(midge(&way.cubies, own_midge))],
        ];
        let word = cases.pair(there, lies[0], lies[1]);
        if !word.is_empty() {
            let turns = word.iter().map(|turn| turn.moved(view.by)).collect();
            next.push(done(way, 1, turns, What::Pair(view.pair)));
        }
    }
}

fn turned(_: &Cfop, cases: &Cases, way: &Way<What>, next: &mut Vec<Way<What>>) {
    if turned_number(&way.cubies) == 0 {
        next.push(way.clone());
    }
    let words = cases.turned(&way.cubies).into_iter();
    next.extend(words.map(|turns| done(way, 2, turns, What::Turned)));
}

fn placed(_: &Cfop, cases: &Cases, way: &Way<What>, next: &mut Vec<Way<What>>) {
    let after = match order_number(&way.cubies) {
        0 => way.clone(),
        _ => done(way, 3, cases.placed(&way.cubies), What::Placed),
    };
    // Nothing else than a solved cube is told.
    if after.cubies == Cubies::SOLVED {
        next.push(after);
    }
}

impl View {
    fn new(pair: usize) -> View {
        let (own_corner, own_midge) = PAIRS[pair];
        // Pairs follow one another as U turns.
        let by = Symmetry::turning(Face::U, pair as u8);
        let mut view = View {
            pair,
            by,
            corner: [0; 24],
            midge: [0; 24],
        };
        let turns: Vec<[Cubies; 2]> = all_turns(3)
            .into_iter()
            .map(|turn| [turn, turn.moved(by)].map(Cubies::of_turn))
            .collect();
        // Three turns bring a piece to lie in any way.
        let mut cubes = vec![[Cubies::SOLVED; 2]];
        for depth in 0..=3 {
            for [there, here] in &cubes {
                view.corner[usize::from(corner(here, own_corner))] = corner(there, PAIRS[0].0);
                view.midge[usize::from(midge(here, own_midge))] = midge(there, PAIRS[0].1);
            }
            if depth < 3 {
                let after = |cube: &[Cubies; 2]| {
                    turns
                        .iter()
                        .map(|by| [cube[0].then(&by[0]), cube[1].then(&by[1])])
                        .collect::<Vec<_>>()
                };
                cubes = cubes.iter().flat_map(after).collect();
            }
        }
        view
    }
}

// Only programs that build tables can try them.
#[cfg(all(test, feature = "build-tables"))]
mod tests {
    use super::*;
    use crate::cube::{State, random_turns};
    use crate::progress::Quiet;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn every_cube_is_solved_stage_by_stage() {
        let folder = tempfile::tempdir().unwrap();
        let cfop = Cfop::open(&Store::new(folder.path()), &Quiet).unwrap();
        let cases = Cases(cfop.table.payload());
        // With all other pairs home, a corner can lie in five places and a midge in five: 15 times 10 ways, one of them home.
        let known = (0..24).flat_map(|corner| (0..24).map(move |midge| (corner, midge)));
        assert_eq!(
            known
                .filter(|&(corner, midge)| !cases.pair(7, corner, midge).is_empty())
                .count(),
            149
        );
        for seed in 0..100 {
            let turns = random_turns(3, 50, &mut ChaCha8Rng::seed_from_u64(seed));
            let cubies = Doing::new(None, turns).effect;
            let mut cube = State::from_cubies(&cubies);
            let lesson = cfop.lesson(&cubies, &mut Meter::new(u64::MAX, None, None)).unwrap();
            let mut now = cubies;
            for stage in 0..COURSE.len() {
                for step in lesson.of_stage(stage) {
                    now = now.then(&Doing::new(None, step.turns.clone()).effect);
                    assert!(!step.name.is_empty() && !step.why.is_empty());
                }
                assert_eq!(CROSS.on(&now), CROSS.on(&Cubies::SOLVED));
                assert!(stage < 1 || now.corners[4..] == [4, 5, 6, 7] && now.midges[8..] == [8, 9, 10, 11]);
                assert!(stage < 2 || now.twists == [0; 8] && now.flips == [0; 12]);
            }
            let (turns, _) = lesson.solution();
            cube.turn_all(&turns);
            assert!(cube.is_solved() && turns.len() <= 65, "{seed}: {turns:?}");
        }
    }
}
