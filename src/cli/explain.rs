//! `solve --method` and `--explain`: how people solve a cube, stage by stage.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Writing;
use super::arguments::MethodArg;
use super::solution::Told;
use super::style::StyleArg;
use crate::cube::{Square, State};
use crate::methods::{Algorithm, At, Lesson, Stage};
use crate::net::{Look, Picture, in_terminal};

/// How to solve.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct Manner {
    /// How to solve: in the fewest turns, or as people do
    #[arg(long, value_enum, default_value_t)]
    pub(super) method: MethodArg,
    /// Tells after each stage what was done and why, and shows the cube, with what does not matter yet dimmed; the last line has all turns
    #[arg(long, conflicts_with_all = ["stream", "generator"])]
    pub(super) explain: bool,
    /// Prints the algorithms of --method layers, or those of the last layer of --method cfop
    #[arg(long, conflicts_with_all = ["state", "scramble", "explain"])]
    pub(super) list: bool,
    /// Colours or letters, for --explain
    #[arg(long, value_enum, default_value_t, requires = "explain")]
    style: StyleArg,
}

impl Manner {
    /// The solution of a state, told stage by stage. Each stage shows the cube when its own turns are done; the last line has all turns, put
    /// together where they can be.
    pub(super) fn told(&self, given: &State, taught: &Told, writing: Writing) -> String {
        let mut cube = given.clone();
        let mut text = String::new();
        let stages = taught.lesson.stages.iter().enumerate();
        for (number, stage) in stages.filter(|(number, _)| taught.lesson.of_stage(*number).next().is_some()) {
            let _ = writeln!(text, "{}\n", heading(stage, taught));
            for step in taught.lesson.of_stage(number) {
                let _ = match step.why.as_str() {
                    "" => writeln!(text, "  {}", writing.format(&step.turns)),
                    why => writeln!(text, "  {:<28} {}: {why}", writing.format(&step.turns), step.name),
                };
                cube.turn_all(&step.turns);
            }
            let looks = |square: Square| match (stage.matters)(cube.colour(square), At::new(cube.size(), square)) {
                true => Look::Plain,
                false => Look::Dimmed,
            };
            let picture = Picture {
                state: &cube,
                looks: &looks,
            };
            let _ = writeln!(text, "\n{}", in_terminal(&picture, self.style.depth()));
        }
        text + &writing.format(&taught.solution.turns)
    }
}

/// A stage's name, how many turns it has, and its goal.
fn heading(stage: &Stage, taught: &Told) -> String {
    let phase = taught.solution.phases.iter().find(|phase| phase.name == stage.name);
    let turns = match phase {
        Some(phase) if phase.shared => format!("{} turns, and one put together with those before", phase.turns),
        Some(phase) if phase.turns == 1 => "1 turn".to_string(),
        phase => format!("{} turns", phase.map_or(0, |phase| phase.turns)),
    };
    format!("{} ({turns}). {}", stage.name, stage.goal)
}

/// The steps, for programs.
pub(super) fn steps(lesson: &Lesson, writing: Writing) -> Value {
    let step = |step: &crate::methods::Step| {
        json!({
            "stage": lesson.stages[step.stage].name,
            "turns": writing.format(&step.turns),
            "name": step.name,
            "why": step.why,
        })
    };
    lesson.steps.iter().map(step).collect()
}

/// The algorithms of a method, a line each.
pub(super) fn listed(algorithms: &[Algorithm], writing: Writing) -> String {
    let words: Vec<String> = algorithms.iter().map(|one| writing.format(&one.turns)).collect();
    let widest = |widths: &mut dyn Iterator<Item = usize>| widths.fold(0, usize::max);
    let of_words = widest(&mut words.iter().map(String::len));
    let of_names = widest(&mut algorithms.iter().map(|one| one.name.len()));
    let line =
        |(one, words): (&Algorithm, &String)| format!("{words:<of_words$}  {:<of_names$}  {}", one.name, one.does);
    let lines: Vec<String> = algorithms.iter().zip(&words).map(line).collect();
    lines.join("\n")
}

/// The same for programs.
pub(super) fn listed_for_programs(algorithms: &[Algorithm], writing: Writing) -> Value {
    let one = |one: &Algorithm| {
        json!({
            "name": one.name,
            "stage": one.stage,
            "does": one.does,
            "turns": writing.format(&one.turns),
        })
    };
    algorithms.iter().map(one).collect()
}
