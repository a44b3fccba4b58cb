//! Questions of the page, and their answers as JSON.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::question::{Answer, Refused, json, question, refused};
use crate::app::Model;
use crate::cube::{Order, Pieces, State, StateError, Turn, format_turns, scramble};
use crate::progress::{Planned, Progress};
use crate::solve::{Effort, NamedPhase, Options, SIZES, SolveError, Solver};
use crate::tables::Store;

/// Searches that may wait for the one that goes on.
const WAITING: usize = 8;
/// A search ends then, with the best that was found; and tables that take longer are not built.
const LONGEST: Duration = Duration::from_secs(120);

/// Solves cubes for browsers.
pub(super) struct Service {
    store: Store,
    /// The machine, if there is one.
    model: Option<Model>,
    /// One search at a time.
    turn: Semaphore,
    /// Places in the queue, the search at work among them.
    places: Semaphore,
    /// The solver that was used last, with its tables open.
    solver: Mutex<Option<Arc<Solver>>>,
}

impl Service {
    pub(super) fn new(store: Store, model: Option<Model>) -> Service {
        Service {
            store,
            model,
            turn: Semaphore::new(1),
            places: Semaphore::new(1 + WAITING),
            solver: Mutex::new(None),
        }
    }
}

#[derive(Deserialize)]
struct Cube {
    state: String,
}

/// What is known of a state.
#[derive(Serialize)]
struct Known {
    size: usize,
    /// Whether a cube can have it.
    legal: bool,
    /// Whether it is solved.
    solved: bool,
    /// Why no cube can have it.
    why: Option<String>,
    /// The squares that this is about, counted as in the state.
    squares: Vec<usize>,
}

pub(super) async fn check(request: Request) -> Answer {
    let Cube { state } = question(request).await?;
    let state = parse(&state)?;
    let broken = Pieces::of(&state).err();
    Ok(json(&Known {
        size: state.size(),
        legal: broken.is_none(),
        solved: state.is_solved(),
        squares: broken.as_ref().map_or(Vec::new(), |why| concerned(&state, why)),
        why: broken.map(|why| why.to_string()),
    }))
}

fn parse(text: &str) -> Result<State, Refused> {
    State::parse(text, Order::default()).or_else(refused)
}

/// The squares that an error is about.
fn concerned(state: &State, why: &StateError) -> Vec<usize> {
    let squares = match why {
        StateError::ColourCount { colour, .. } => {
            let all = state.colours().iter().enumerate();
            return all.filter(|(_, face)| *face == colour).map(|(i, _)| i).collect();
        }
        StateError::DoubledPiece { first, second, .. } => first.iter().chain(second).collect::<Vec<_>>(),
        StateError::Centres { squares, .. }
        | StateError::ImpossiblePiece { squares, .. }
        | StateError::CentreCount { squares, .. }
        | StateError::CornerTwist { squares, .. }
        | StateError::EdgeFlip { squares }
        | StateError::Parity { squares } => squares.iter().collect(),
    };
    squares.into_iter().map(|square| square.index(state.size())).collect()
}

#[derive(Deserialize)]
struct Draw {
    size: usize,
    /// Decides which turns.
    seed: u64,
}

#[derive(Serialize)]
struct Turns {
    turns: String,
}

/// Random turns, as many as are usual.
pub(super) async fn scrambled(request: Request) -> Answer {
    let Draw { size, seed } = question(request).await?;
    if !SIZES.contains(&size) {
        return refused(SolveError::Size(size));
    }
    Ok(json(&Turns {
        turns: format_turns(&scramble(size, &mut ChaCha8Rng::seed_from_u64(seed))),
    }))
}

#[derive(Deserialize)]
struct Ask {
    state: String,
    #[serde(default)]
    effort: Wish,
}

/// How thoroughly to search.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Wish {
    Quick,
    #[default]
    Normal,
    Best,
}

#[derive(Serialize)]
struct Solved {
    size: usize,
    turns: String,
    count: usize,
    /// What the turns bring about, one after the other.
    phases: Vec<NamedPhase>,
    nodes: u64,
    seconds: f64,
    /// Whether nothing shorter exists.
    optimal: bool,
    /// How many seconds the machine takes for the turns, if there is one that turns this cube.
    crane_seconds: Option<f64>,
}

/// Becomes true when its question is not waited for any longer.
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

pub(super) async fn solve(service: &Arc<Service>, request: Request) -> Answer {
    let Ask { state, effort } = question(request).await?;
    let state = parse(&state)?;
    if let Err(why) = Pieces::of(&state) {
        return refused(SolveError::Illegal(why));
    }
    let Ok(_place) = service.places.try_acquire() else {
        let why = "too many cubes wait to be solved: try again soon";
        return Err(Refused(StatusCode::SERVICE_UNAVAILABLE, why.to_string()));
    };
    let Ok(_turn) = service.turn.acquire().await else {
        return refused("the program ends");
    };
    let given_up = Arc::new(AtomicBool::new(false));
    // A browser that goes away drops this, and the search ends.
    let _wanted = Wanted(given_up.clone());
    let searching = service.clone();
    let found = tokio::task::spawn_blocking(move || searching.search(&state, effort, given_up)).await;
    match found {
        Ok(found) => found.map(|found| json(&found)).or_else(refused),
        Err(why) => Err(Refused(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())),
    }
}

/// Ends what is read or built for a search that is not wanted any more.
struct Ending<'a>(&'a AtomicBool);

impl Progress for Ending<'_> {
    fn update(&self, _done: u64, _total: u64) {}

    fn stopped(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Who looks at a page does not wait for what takes many minutes, once: the refusal says how to build it beforehand.
    fn plan(&self, tables: &[Planned], _kept: Option<&Path>) -> bool {
        tables.iter().map(|table| table.seconds).sum::<f64>() <= LONGEST.as_secs_f64()
    }
}

impl Service {
    fn search(&self, state: &State, effort: Wish, given_up: Arc<AtomicBool>) -> Result<Solved, SolveError> {
        let solver = self.solver(state, &Ending(&given_up))?;
        let options = Options {
            effort: match effort {
                Wish::Quick => Effort::Quick,
                Wish::Normal => Effort::Normal,
                Wish::Best => Effort::Best,
            },
            time_limit: Some(LONGEST),
            // Who asks a page for the usual effort waits for a second or two.
            as_brick: matches!(effort, Wish::Quick | Wish::Normal),
            stop: Some(given_up.clone()),
            ..Options::default()
        };
        // All at once: nobody waits for the first turns.
        let found = solver.solve(state, &options)?;
        Ok(Solved {
            size: found.size,
            turns: format_turns(&found.turns),
            count: found.turns.len(),
            phases: found.phases,
            nodes: found.nodes,
            seconds: found.seconds,
            optimal: found.optimal,
            crane_seconds: self.crane_seconds(found.size, &found.turns),
        })
    }

    fn crane_seconds(&self, n: usize, turns: &[Turn]) -> Option<f64> {
        let model = self.model.as_ref()?;
        let plans = model.plans(n).ok()?;
        Some(f64::from(plans.milliseconds(model.start(), turns)) / 1000.0)
    }

    /// The solver for a state: the last one, if it is of that size. A cube that few turns solve needs none.
    fn solver(&self, state: &State, ending: &Ending) -> Result<Arc<Solver>, SolveError> {
        if !crate::solve::needs_tables(state) {
            return Solver::open_for(state, &self.store, ending).map(Arc::new);
        }
        let mut last = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(solver) = last.as_ref().filter(|solver| solver.size() == state.size()) {
            return Ok(solver.clone());
        }
        // Its tables are let go before others are mapped.
        *last = None;
        let solver = Arc::new(Solver::open(state.size(), &self.store, ending)?);
        *last = Some(solver.clone());
        Ok(solver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_take_many_minutes_are_not_built_for_a_page() {
        let never = AtomicBool::new(false);
        let begins = |seconds: &[f64]| {
            let plan: Vec<Planned> = seconds
                .iter()
                .map(|&seconds| Planned { name: "some", seconds })
                .collect();
            Ending(&never).plan(&plan, None)
        };
        assert!(begins(&[60.0, 59.0]) && !begins(&[60.0, 61.0]));
    }
}
