//! How the guides learn: from walks and rivals, see [`crate::search::teach`]. This takes hours, is done on a PC, and what comes of it
//! is shipped.

use std::io::Write;

use flate2::{Compression, GzBuilder};

use super::centre_stage::CentrePhase;
use super::centres::Unguided;
use super::learned;
use super::tables::{Guide, PAIRS};
use crate::progress::Progress;
use crate::search::{Begin, Blank, Corrections, Exam, Net, Notes, Plan, Round, Walks, correct, teach};
use crate::tables::Recipe;

/// What a guide begins to learn with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    /// Nothing but its recipe.
    Nothing,
    /// What a guide with the same patterns has learned. A net that corrected other weights, or led with fewer pairs of layers, begins anew.
    Other(&'a [u8]),
    /// What it has learned itself.
    Own(&'a [u8]),
    /// Its notes from when it was ended.
    Notes(&'a Notes),
}

/// How a guide leads a narrow beam through its stage, cube by cube.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Marks {
    /// The turns of each cube of the exam; none where the beam was stuck.
    turns: Vec<Option<usize>>,
}

impl Marks {
    /// Cubes that were tried.
    pub fn cubes(&self) -> usize {
        self.turns.len()
    }

    /// Where the beam was stuck.
    pub fn stuck(&self) -> usize {
        self.turns.iter().filter(|turns| turns.is_none()).count()
    }

    /// Turns of the others, on average, and the standard error of that.
    pub fn mean(&self) -> (f64, f64) {
        let solved: Vec<f64> = self.turns.iter().flatten().map(|&turns| turns as f64).collect();
        let count = solved.len().max(1) as f64;
        let mean = solved.iter().sum::<f64>() / count;
        let spread = solved.iter().map(|one| (one - mean).powi(2)).sum::<f64>();
        (mean, (spread / (count - 1.0).max(1.0) / count).sqrt())
    }

    /// Turns that are saved since an exam with the same cubes. Turns are compared where both solve a cube, as who solves harder ones too
    /// takes more on average; a cube that only one of them solves counts as what commutators take.
    pub fn saves(&self, before: &Marks) -> i64 {
        let cubes = self.turns.iter().zip(&before.turns);
        let saved = cubes.map(|cube| match cube {
            (Some(now), Some(before)) => *before as i64 - *now as i64,
            (Some(_), None) => STUCK,
            (None, Some(_)) => -STUCK,
            (None, None) => 0,
        });
        saved.sum()
    }
}

/// Turns that commutators take where a beam is stuck.
const STUCK: i64 = 20;

/// How fast weights change at first. Of 0.001 to 0.03 the fast ones make a guide worse at once.
const RATE: f32 = 0.001;

/// How fast a net changes at first.
const NET_RATE: f32 = 0.002;

/// Seconds that one core takes to learn from a cube that is solved by a beam one node wide: of a 6x6x6 to a 10x10x10.
const NET_SECONDS: [f64; 5] = [0.0003, 0.0006, 0.0012, 0.0012, 0.002];

/// The beam of the exam.
const WIDTH: usize = 1000;

/// What a guide learns from, after its walks.
#[derive(Debug, Clone)]
pub(crate) struct Lessons {
    /// Rivals for the weights.
    pub rounds: Vec<Round>,
    /// Rivals for the net.
    pub net_rounds: Vec<Round>,
}

impl Guide {
    /// Its lessons by its recipe, or some rounds more: of the net if it has one, as the weights have learned all that they can.
    pub fn lessons(self, more: &[Round]) -> Lessons {
        let (rounds, net_rounds) = match more {
            [] => (self.rounds(), self.net_rounds()),
            more if self.has_net() => (Vec::new(), more.to_vec()),
            more => (more.to_vec(), Vec::new()),
        };
        Lessons { rounds, net_rounds }
    }

    /// The guide whose weights this one begins to learn with.
    pub fn begins_with(self) -> Option<Guide> {
        (self.size > 7).then(|| Guide {
            size: self.size - 2,
            ..self
        })
    }

    /// The random walks that it learns from first. Chosen by trial: walks that are too short or saturate too early leave beams
    /// stuck.
    pub fn walks(self) -> Walks {
        let (longest, saturation) = match (self.size, self.phase) {
            (6, CentrePhase::Axis) => (30, 10.0),
            (6, CentrePhase::Axes) => (24, 9.0),
            (6, CentrePhase::Blocks) => (24, 12.0),
            (_, CentrePhase::Axis) => (48, 16.0),
            (_, CentrePhase::Axes) => (32, 13.0),
            (_, CentrePhase::Blocks) => (30, 12.0),
        };
        Walks {
            turns: 20_000_000,
            longest,
            saturation,
            rate: 0.12,
        }
    }

    /// The rounds of learning from rivals, by trial: cubes to solve, width of the beam. More rounds gain less and less.
    pub fn rounds(self) -> Vec<Round> {
        let rounds: &[(usize, usize)] = match (self.size, self.phase) {
            (6, CentrePhase::Blocks) => &[(640, 300), (800, 600), (400, 1000)],
            (6, _) => &[(1600, 300), (800, 600), (400, 1000)],
            (7, CentrePhase::Axis) => &[(320, 300), (800, 600), (800, 1000)],
            (7, CentrePhase::Axes) => &[(800, 300), (800, 600), (800, 1000)],
            (7, CentrePhase::Blocks) => &[(640, 300), (800, 600), (800, 1000)],
            // Its weights stay the 8x8x8's.
            (10, _) => &[],
            (_, _) => &[(960, 300), (480, 800)],
        };
        rounds
            .iter()
            .map(|&(solved, width)| Round {
                solved,
                width,
                rate: RATE,
            })
            .collect()
    }

    /// The rounds of its net, by trial: the first is led by the weights alone, and a net that learns from that alone misleads.
    pub fn net_rounds(self) -> Vec<Round> {
        let rounds: &[(usize, usize)] = match self.has_net() {
            true => &[(480, 500), (480, 500), (480, 1000)],
            false => &[],
        };
        let round = |&(solved, width): &(usize, usize)| Round {
            solved,
            width,
            rate: NET_RATE,
        };
        rounds.iter().map(round).collect()
    }

    /// A round of so many cubes, with beams of this width: of the net if there is one.
    pub fn round(self, solved: usize, width: usize) -> Round {
        let rate = if self.has_net() { NET_RATE } else { RATE };
        Round { solved, width, rate }
    }

    /// About how long it learns on this computer, by its recipe or for some rounds more; seconds. As [`Cost`](crate::tables::Cost).
    pub fn lesson_seconds(self, more: &[Round]) -> f64 {
        let lessons = self.lessons(more);
        // Each cube takes as long as the beam is wide.
        let work = |rounds: &[Round]| {
            rounds
                .iter()
                .map(|round| (round.solved * round.width) as f64)
                .sum::<f64>()
        };
        let walks = if self.size > 7 || !more.is_empty() { 0.0 } else { 40.0 };
        let own = work(&self.rounds());
        let shared = match (self.size, self.phase) {
            (6, CentrePhase::Axis) => 115.0,
            (6, CentrePhase::Axes) => 146.0,
            (6, CentrePhase::Blocks) => 33.0,
            (8, _) => 300.0,
            (9.., _) => 500.0,
            _ => 320.0,
        };
        let a_net = NET_SECONDS[self.size - 6];
        let shared = shared * work(&lessons.rounds) / own.max(1.0) + a_net * work(&lessons.net_rounds);
        walks + shared / rayon::current_num_threads() as f64
    }

    /// Learns: the weights, then the net. `note` is shown what weights are learned so far, from time to time. `None` if stopped.
    pub fn learn(
        self,
        start: Start,
        lessons: &Lessons,
        seed: u64,
        note: &mut dyn FnMut(&Notes),
        progress: &dyn Progress,
    ) -> Option<Vec<u8>> {
        let (unguided, blank) = self.laid(progress)?;
        let (begin, net) = match start {
            Start::Nothing => (Begin::Walks(self.walks()), None),
            Start::Other(known) => (Begin::Known(&known[..self.weights()]), None),
            Start::Own(known) => {
                let (weights, net) = known.split_at(self.weights());
                (Begin::Known(weights), Some(net))
            }
            Start::Notes(notes) => (Begin::Noted(notes), None),
        };
        let rounds = &lessons.rounds;
        let mut learned = teach(&unguided, &blank, Plan { begin, rounds, seed }, note, progress)?;
        if self.has_net() {
            let plan = Corrections {
                weights: &learned,
                known: net,
                rounds: &lessons.net_rounds,
                seed,
            };
            let net = correct(&unguided, &blank, plan, progress)?;
            learned.extend(net);
        }
        Some(learned)
    }

    /// How well it leads with what it has learned, by so many cubes. `None` if stopped.
    pub fn examined(self, learned: &[u8], cubes: usize, progress: &dyn Progress) -> Option<Marks> {
        let (unguided, blank) = self.laid(progress)?;
        let exam = Exam { cubes, width: WIDTH };
        let (weights, net) = learned.split_at(self.weights());
        let turns = exam.take(&unguided, &blank, weights, Net::of_bytes(net).as_ref(), progress)?;
        Some(Marks { turns })
    }

    fn laid(self, progress: &dyn Progress) -> Option<(Unguided<PAIRS>, Blank)> {
        let unguided = self.unguided();
        let blank = unguided.laid().blank(&|| !progress.stopped())?;
        Some((unguided, blank))
    }

    /// What it has learned and is shipped.
    pub fn shipped(self) -> Vec<u8> {
        learned::numbers(&self.spec())
    }

    /// What was learned as the bytes of a file that is shipped, the same for the same numbers.
    pub fn packed(learned: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut file = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        file.write_all(learned)?;
        file.finish()
    }

    /// The inverse of [`Guide::packed`].
    pub fn unpacked(self, file: &[u8]) -> std::io::Result<Vec<u8>> {
        learned::unpacked(file, self.spec().entries)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn who_solves_more_or_in_fewer_turns_is_better_whatever_the_mean(
            exam in proptest::collection::vec((proptest::option::of(10usize..40), proptest::option::of(10usize..40)), 2..50),
            hard in 41usize..90,
        ) {
            let (one, other): (Vec<_>, Vec<_>) = exam.iter().copied().unzip();
            let (mut one, other) = (Marks { turns: one }, Marks { turns: other });
            prop_assert_eq!(one.saves(&other), -other.saves(&one));
            prop_assert_eq!(one.saves(&one), 0);
            let mut before = one.clone();
            if let Some(turns) = one.turns.iter_mut().flatten().next() {
                *turns -= 1;
                prop_assert_eq!(one.saves(&before), 1);
                before.clone_from(&one);
            }
            let Some(stuck) = one.turns.iter_mut().find(|turns| turns.is_none()) else {
                return Ok(());
            };
            *stuck = Some(hard);
            prop_assert_eq!(one.saves(&before), STUCK);
            prop_assert_eq!(one.stuck() + 1, before.stuck());
            prop_assert!(one.mean().0 > before.mean().0);
        }
    }
}
