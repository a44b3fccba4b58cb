//! Arguments that several commands take, and how their values are read.

use std::io::Read;

use super::{Failure, Stop};
use crate::app::Metric;
#[cfg(not(feature = "cubers"))]
use crate::cube::format_turns;
use crate::cube::{Colours, Move, Order, State, Turn, is_like_moves, parse_moves};
#[cfg(feature = "cubers")]
use crate::cube::{Notation, read_state};
use crate::methods::Method;
use crate::search::Effort;
use crate::solve::Options;

/// How hard to search.
#[derive(Debug, clap::Args)]
pub(super) struct Search {
    /// How much to search: fixed budgets of nodes, so that results repeat exactly
    #[arg(long, value_enum, default_value_t)]
    pub(super) effort: EffortArg,
    /// What makes a solution better: fewer turns, or fewer seconds of the crane [default: crane where one turns them, else turns]
    #[arg(long, value_enum)]
    pub(super) metric: Option<MetricArg>,
    /// Returns the best solution found after so many seconds; solve and run count the building of missing tables. At --effort best, solve
    /// uses them all
    #[arg(long, value_name = "SECONDS", value_parser = number)]
    pub(super) time_limit: Option<f64>,
}

impl Search {
    /// For all but `solve`, which alone proves something.
    pub(super) fn options(&self, stop: &Stop) -> Result<Options, Failure> {
        if self.proves() {
            return Err(Failure::Usage(
                "--effort optimal is for solve; take best here".to_string(),
            ));
        }
        self.options_of_solve(stop)
    }

    /// What makes a solution better for people, if they do not say it.
    pub(super) fn metric(&self) -> Metric {
        self.metric.unwrap_or(MetricArg::Turns).into()
    }

    /// The same for a crane, which turns it.
    pub(super) fn metric_of_crane(&self) -> Metric {
        self.metric.unwrap_or(MetricArg::Crane).into()
    }

    /// Whether it is to be proved that nothing shorter exists.
    pub(super) fn proves(&self) -> bool {
        #[cfg(feature = "cubers")]
        let proves = matches!(self.effort, EffortArg::Optimal);
        #[cfg(not(feature = "cubers"))]
        let proves = false;
        proves
    }

    pub(super) fn options_of_solve(&self, stop: &Stop) -> Result<Options, Failure> {
        let time_limit = match self.time_limit.map(std::time::Duration::try_from_secs_f64) {
            None => None,
            Some(Ok(limit)) => Some(limit),
            Some(Err(_)) => {
                return Err(Failure::Usage(
                    "--time-limit takes a number of seconds, 0 or more".to_string(),
                ));
            }
        };
        Ok(Options {
            effort: self.effort.into(),
            time_limit,
            stop: Some(stop.requested.clone()),
            ..Options::default()
        })
    }
}

/// How much to search.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum EffortArg {
    /// The first solution, or what a small budget makes of it
    Quick,
    /// What a machine that turns for a minute is worth waiting for. A PC tries a 6x6x6 to a 10x10x10 several
    /// times as hard as a brick, and takes some ten seconds for a 7x7x7, a minute or two for a larger cube
    #[default]
    Normal,
    /// Shorter yet: takes a PC with two cores up to half a minute from the 3x3x3 to the 7x7x7, for some cubes a minute, and up to 0.6 GB; a
    /// brick does less, and takes four minutes for a 3x3x3
    Best,
    /// The shortest, and proved to be: solve, up to a 3x3x3; takes half a minute or minutes, and once a table of 373 MB
    #[cfg(feature = "cubers")]
    Optimal,
}

impl From<EffortArg> for Effort {
    fn from(effort: EffortArg) -> Effort {
        match effort {
            EffortArg::Quick => Effort::Quick,
            EffortArg::Normal => Effort::Normal,
            EffortArg::Best => Effort::Best,
            #[cfg(feature = "cubers")]
            EffortArg::Optimal => Effort::Optimal,
        }
    }
}

/// What makes one solution better than another.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum MetricArg {
    /// Fewer turns
    Turns,
    /// Fewer seconds of the crane, or the machine that is given: of several short solutions the one that it turns soonest; with --effort best
    /// a 3x3x3 is searched for that
    #[value(alias = "machine")]
    Crane,
}

impl From<MetricArg> for Metric {
    fn from(metric: MetricArg) -> Metric {
        match metric {
            MetricArg::Turns => Metric::Turns,
            MetricArg::Crane => Metric::Machine,
        }
    }
}

/// A way to solve a cube.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum MethodArg {
    /// In as few turns as a search finds
    #[default]
    Shortest,
    /// Layer by layer, by a few short algorithms that a child can learn (2x2x2 to 7x7x7)
    Layers,
    /// Cross, four pairs, last layer turned, last layer placed (3x3x3)
    Cfop,
    /// By four groups, after Thistlethwaite (3x3x3)
    Thistlethwaite,
    /// The first solution of two phases, after Kociemba (3x3x3)
    TwoPhase,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Method {
        match method {
            MethodArg::Shortest => Method::Shortest,
            MethodArg::Layers => Method::Layers,
            MethodArg::Cfop => Method::Cfop,
            MethodArg::Thistlethwaite => Method::Thistlethwaite,
            MethodArg::TwoPhase => Method::TwoPhase,
        }
    }
}

/// In which order a state's faces are written.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum OrderArg {
    /// U R F D L B
    #[default]
    #[value(name = "URFDLB")]
    Urfdlb,
    /// U L F R B D
    #[value(name = "ULFRBD")]
    Ulfrbd,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Order {
        match order {
            OrderArg::Urfdlb => Order::Urfdlb,
            OrderArg::Ulfrbd => Order::Ulfrbd,
        }
    }
}

/// How states are written.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct Written {
    /// In which order the faces are written
    #[arg(long, value_enum, default_value_t)]
    pub(super) order: OrderArg,
    #[cfg(feature = "cubers")]
    #[command(flatten)]
    pub(super) named: Named,
}

/// What the colours are called in states that people write.
#[cfg(feature = "cubers")]
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct Named {
    /// The letters of the colours of the sides U R F D L B, in this order, for states in such letters: WRGYOB where U is white, R red and so
    /// on [default: U R F D L B; any six others as centres, or the corners of even cubes, tell]
    #[arg(long, value_name = "LETTERS")]
    pub(super) colors: Option<Colours>,
}

/// How turns are written.
#[cfg(feature = "cubers")]
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum NotationArg {
    /// U2 R' Rw 3Rw2 2R, as in competitions
    #[default]
    Wca,
    /// U2 R' r 3r2 2R: SiGN, small letters for blocks
    Sign,
    /// U2 R3 Rw1 3Rw2 2R1: every turn with its number of quarters
    Kociemba,
}

#[cfg(feature = "cubers")]
impl From<NotationArg> for Notation {
    fn from(notation: NotationArg) -> Notation {
        match notation {
            NotationArg::Wca => Notation::Wca,
            NotationArg::Sign => Notation::Sign,
            NotationArg::Kociemba => Notation::Kociemba,
        }
    }
}

/// How the answer's turns are written.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct Writing {
    /// How turns are written; all are read everywhere
    #[cfg(feature = "cubers")]
    #[arg(long, value_enum, default_value_t)]
    notation: NotationArg,
}

impl Writing {
    /// Turns as text.
    pub(super) fn format(self, turns: &[Turn]) -> String {
        #[cfg(feature = "cubers")]
        let text = Notation::from(self.notation).format(turns);
        #[cfg(not(feature = "cubers"))]
        let text = format_turns(turns);
        text
    }
}

/// A whole number from 1 to the most.
#[cfg(any(feature = "cubers", feature = "benches"))]
pub(super) fn count<const MOST: u64>(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| format!("give a whole number from 1 to {MOST}"))
}

/// A number that others are drawn by.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("give a whole number from 0 to {}", u64::MAX))
}

/// Any number.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "give a number".to_string())
}

/// More than this is no list of states, but a mistake.
pub(super) const MOST_INPUT: u64 = 64 << 20;

/// Reads a text argument: itself, or standard input for `-`.
pub(super) fn text_or_stdin(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_string());
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MOST_INPUT).read_to_string(&mut text);
    read.map_err(|e| Failure::Usage(format!("cannot read standard input: {e}")))?;
    Ok(text)
}

/// Reads moves for a cube of size `n`.
pub(super) fn moves(n: usize, text: &str) -> Result<Vec<Move>, Failure> {
    parse_moves(n, text).map_err(|why| match is_state(text, Written::default()) {
        true => Failure::Usage("this is a state, but moves are needed; solve finds those that solve it".to_string()),
        false => Failure::Usage(why.to_string()),
    })
}

/// Reads a state argument.
pub(super) fn state(text: &str, written: Written) -> Result<State, Failure> {
    let (state, colours) = understood(text, written)?;
    // Whatever is said of the state names colours by sides.
    if colours != Colours::FACES {
        log::debug!("the colours of U R F D L B are {colours}");
    }
    Ok(state)
}

/// Whether a text is a state.
pub(super) fn is_state(text: &str, written: Written) -> bool {
    understood(text, written).is_ok()
}

/// A state, and what its colours are called.
fn understood(text: &str, written: Written) -> Result<(State, Colours), Failure> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(Failure::Usage(
            "there is no state: six faces of NxN letters are needed".to_string(),
        ));
    }
    #[cfg(feature = "cubers")]
    let text = &super::object::state_of(text)?;
    #[cfg(not(feature = "cubers"))]
    if text.starts_with('{') {
        return Err(Failure::Usage(
            "this is JSON: give the letters of its \"state\" alone, and only where \"sure\" is true".to_string(),
        ));
    }
    read(text, written).map_err(|why| match is_like_moves(text) {
        true => Failure::Usage(
            "these are moves, but a state is needed: six faces of NxN letters, as scan prints it".to_string(),
        ),
        false => why,
    })
}

/// Reads a state in the letters of the sides.
#[cfg(not(feature = "cubers"))]
fn read(text: &str, written: Written) -> Result<(State, Colours), Failure> {
    Ok((State::parse(text, written.order.into())?, Colours::FACES))
}

/// Reads a state as people write it.
#[cfg(feature = "cubers")]
fn read(text: &str, written: Written) -> Result<(State, Colours), Failure> {
    read_state(text, written.order.into(), written.named.colors).map_err(|why| {
        Failure::Usage(match why.wants_colours() {
            true => format!("{why}: correct it, or name the colours of U R F D L B, for example --colors WRGYOB"),
            false => why.to_string(),
        })
    })
}
