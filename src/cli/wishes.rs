//! What is wished of solutions besides that they solve: how long they may be, how many there are, and where they lead.

use super::arguments::count;
use super::solution::{Answer, By, Finder, Form, Told};
use super::{Failure, Search, Written, state};
use crate::app::Metric;
use crate::cube::{Face, Move, Pieces, State, Symmetry, Turn, as_drawn, relative};
use crate::methods::{Lesson, Method, MethodError, Teacher};
use crate::progress::Progress;
use crate::solve::{Options, Solution, SolveError, Solver};
use crate::tables::Store;

/// Arguments of `solve` that choose solutions.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Wishes {
    /// Fails unless the best solution that is found has at most so many turns
    #[arg(long, value_name = "N", value_parser = most)]
    max_turns: Option<usize>,
    /// Prints so many different solutions, the shortest first, a line each; from 4x4x4 there is only the best
    #[arg(long, value_name = "K", value_parser = count::<1000>)]
    solutions: Option<u64>,
    /// Prints turns that bring the state to this one; as it is drawn, or, if no turns do that, turned as a whole
    #[arg(long, value_name = "STATE", conflicts_with = "generator")]
    goal: Option<String>,
}

fn most(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= 10_000);
    number.ok_or_else(|| "give a whole number from 0 to 10000".to_string())
}

/// Wishes as they were read.
#[derive(Debug)]
pub(super) struct Wanted {
    longest: Option<usize>,
    several: Option<usize>,
    /// Whether it is to be proved that nothing shorter exists.
    proves: bool,
    goal: Option<State>,
    method: Method,
}

/// A state, and the one that is solved for it.
#[derive(Debug)]
pub(super) struct Task {
    given: State,
    /// The goal is a solved cube for this one.
    pub(super) solved: State,
}

impl Task {
    /// N.
    pub(super) fn size(&self) -> usize {
        self.solved.size()
    }
}

impl Wishes {
    /// Reads the wishes, and refuses by name what does not go together.
    pub(super) fn read(
        &self,
        written: Written,
        search: &Search,
        stream: bool,
        method: Method,
    ) -> Result<Wanted, Failure> {
        let metric = search.metric();
        let named = [
            ("--max-turns", self.max_turns.is_some()),
            ("--solutions", self.solutions.is_some()),
            ("--goal", self.goal.is_some()),
            ("--effort optimal", search.proves()),
        ];
        for (name, _) in named.into_iter().filter(|(_, given)| *given) {
            let other = match (stream, metric) {
                _ if method != Method::Shortest && name != "--max-turns" => "a method has one way of its own",
                (true, _) if name != "--effort optimal" => "--stream prints turns before all are known",
                (false, Metric::Machine) if name != "--goal" => "--metric crane chooses by seconds, not by turns",
                _ => continue,
            };
            return Err(Failure::Usage(format!("{other}; leave out {name}")));
        }
        Ok(Wanted {
            longest: self.max_turns,
            proves: search.proves(),
            several: self.solutions.map(|count| count as usize),
            method,
            goal: self.goal.as_deref().map(|text| goal(text, written)).transpose()?,
        })
    }
}

/// Reads a goal, which must be a state that a cube can have.
fn goal(text: &str, written: Written) -> Result<State, Failure> {
    let wrong = |why: String| Failure::Usage(format!("--goal: {why}"));
    let goal = state(text, written).map_err(|why| wrong(why.to_string()))?;
    match Pieces::of(&goal) {
        Ok(_) => Ok(goal),
        Err(why) => Err(wrong(SolveError::Illegal(why).to_string())),
    }
}

impl Wanted {
    /// How many solutions are wanted, if that was asked.
    pub(super) fn several(&self) -> Option<usize> {
        self.several
    }

    /// Whether it is to be proved that nothing shorter exists.
    pub(super) fn proves(&self) -> bool {
        self.proves
    }

    /// What is solved for a legal state.
    pub(super) fn task(&self, given: &State) -> Result<Task, Failure> {
        let n = given.size();
        if self.proves && n > 3 {
            return Err(Failure::Usage(format!(
                "--effort optimal is for a 2x2x2 and a 3x3x3; take best for a {n}x{n}x{n}"
            )));
        }
        let solved = match &self.goal {
            None => given.clone(),
            Some(goal) if goal.size() == given.size() => relative(given, goal),
            Some(goal) => {
                let (n, m) = (given.size(), goal.size());
                return Err(Failure::Usage(format!(
                    "--goal is a {m}x{m}x{m}, but the state a {n}x{n}x{n}"
                )));
            }
        };
        Ok(Task {
            given: given.clone(),
            solved,
        })
    }

    /// The method.
    pub(super) fn method(&self) -> Method {
        self.method
    }

    /// Opens a solver with all that the wishes need, or what solves by the method.
    pub(super) fn open(&self, task: &Task, store: &Store, progress: &dyn Progress) -> Result<Finder, MethodError> {
        if self.method != Method::Shortest {
            let teacher = Teacher::open(self.method, task.size(), store, progress)?;
            return Ok(Finder::Teacher(Box::new(teacher)));
        }
        let solver = match self.several {
            // Without tables only few turns are found.
            Some(2..) if task.size() <= 3 => Solver::open(task.size(), store, progress)?,
            _ => Solver::open_for(&task.solved, store, progress)?,
        };
        let solver = if self.proves { solver.proving(progress)? } else { solver };
        Ok(Finder::Solver(Box::new(solver)))
    }

    /// Solves as it is wished. Gives also what is printed.
    pub(super) fn solve(
        &self,
        finder: &Finder,
        task: &Task,
        options: &Options,
        (by, form): (By, Form),
    ) -> Result<(Told, Answer), Failure> {
        let mut options = options.clone();
        // Those of a larger cube differ so little that they are no choice for people.
        if let Some(several) = self.several.filter(|_| task.size() <= 3) {
            (options.keep, options.slack) = (several, LONGER);
        }
        let mut told = finder.find(&task.solved, &options, by)?;
        if told.solution.turns.is_empty() {
            // Turns that do nothing are no other solutions.
            told.solution.others.clear();
        }
        let rest = self.aim(&mut told.solution, task)?;
        if self.goal.is_some() {
            // What its turns bring about is told of the cube that is solved, and that is not the one that is shown.
            told.solution.phases.clear();
            told.lesson = Lesson::of_solution(&told.solution);
        }
        self.keep(&mut told.solution)?;
        let rotation = rotation(rest);
        if !rotation.is_empty() {
            log::info!("turn the whole cube by {rotation} at the end to see the goal as it is drawn");
        }
        let answer = Answer::new(&told.solution, form).with(&told.solution, self.several.is_some(), &rotation);
        Ok((told, answer))
    }

    /// Makes the turns lead to the goal.
    fn aim(&self, solution: &mut Solution, task: &Task) -> Result<Symmetry, Failure> {
        let Some(goal) = &self.goal else {
            return Ok(Symmetry::IDENTITY);
        };
        let aimed = |turns: &[Turn]| {
            let (turns, rest) = as_drawn(&task.given, turns, goal)?;
            let mut end = task.given.clone();
            end.turn_all(&turns);
            end.rotate(rest);
            (end == *goal).then_some((turns, rest))
        };
        let lost =
            || Failure::Failed("turns were found that do not lead to the goal; please report this state".to_string());
        let rest;
        (solution.turns, rest) = aimed(&solution.turns).ok_or_else(lost)?;
        for turns in &mut solution.others {
            // One that would end turned otherwise is left as an empty one, and those are dropped.
            *turns = aimed(turns)
                .filter(|(_, other)| *other == rest)
                .map_or_else(Vec::new, |(turns, _)| turns);
        }
        solution.others.retain(|turns| !turns.is_empty());
        Ok(rest)
    }

    /// Keeps the solutions that are short enough, as many as are wanted.
    fn keep(&self, solution: &mut Solution) -> Result<(), Failure> {
        let found = solution.turns.len();
        if let Some(longest) = self.longest {
            if found > longest {
                let more = match solution.optimal {
                    true => "nothing shorter exists",
                    false => "a greater --effort or --time-limit may find a shorter one",
                };
                return Err(Failure::Failed(format!(
                    "no solution of at most {longest} turns was found: the shortest has {found}; {more}"
                )));
            }
            solution.others.retain(|turns| turns.len() <= longest);
        }
        let Some(several) = self.several else {
            return Ok(());
        };
        solution.others.truncate(several.saturating_sub(1));
        let (n, found) = (solution.size, 1 + solution.others.len());
        if found < several && n > 3 {
            log::info!("one solution: of a {n}x{n}x{n} only the best is kept");
        } else if found < several {
            log::info!("{found} of {several} solutions: others are longer, or were not found");
        }
        Ok(())
    }
}

/// How many turns longer than the shortest one of several solutions may be.
const LONGER: usize = 11;

/// A rotation of the whole cube as moves; nothing if there is none.
fn rotation(by: Symmetry) -> String {
    let one = [Face::R, Face::U, Face::F]
        .into_iter()
        .flat_map(|face| (1..4).map(move |q| (face, q)));
    let one: Vec<(Face, u8)> = one.collect();
    let two = one.iter().flat_map(|&a| one.iter().map(move |&b| vec![a, b]));
    let all = std::iter::once(Vec::new())
        .chain(one.iter().map(|&a| vec![a]))
        .chain(two);
    let product = |moves: &Vec<(Face, u8)>| {
        let turnings = moves.iter().map(|&(face, quarters)| Symmetry::turning(face, quarters));
        turnings.fold(Symmetry::IDENTITY, Symmetry::then) == by
    };
    let found = all.into_iter().find(product).unwrap_or_default();
    let moves = found
        .iter()
        .map(|&(face, quarters)| Move::Rotation(face, quarters).to_string());
    moves.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::parse_moves;

    #[test]
    fn every_rotation_is_said_in_at_most_two_moves() {
        for by in Symmetry::rotations() {
            let text = rotation(by);
            let mut cube = State::solved(2);
            cube.do_moves(&parse_moves(2, &text).unwrap());
            let mut rotated = State::solved(2);
            rotated.rotate(by);
            assert_eq!(cube, rotated, "{text}");
            assert!(text.split_whitespace().count() <= 2, "{text}");
        }
    }
}
