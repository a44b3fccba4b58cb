//! `calibrate`: asks on standard error, and takes answers from standard input.

use std::io::{BufRead, Write};
#[cfg(feature = "cubers")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::machine::{Machine, size_of_a_cube};
use super::output::{print, print_json};
use super::setup::{Devices, Setup};
use super::{Failure, Global, Stop};
use crate::app::CalibrationPart;
#[cfg(feature = "cubers")]
use crate::app::Model;
use crate::app::calibrate::{Answer, Builder, CalibrateError, File, Question};
use crate::brick::{Brick, Webcam};
use crate::cube::State;
#[cfg(feature = "cubers")]
use crate::files;
#[cfg(feature = "cubers")]
use crate::report::{CABLES_BEGIN, drawing};
use crate::sim::{Renderer, Scene};

/// Arguments of `calibrate`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to calibrate
    #[arg(value_enum)]
    #[cfg_attr(
        feature = "cubers",
        arg(required_unless_present = "drawing", conflicts_with = "drawing")
    )]
    #[cfg_attr(not(feature = "cubers"), arg(required = true))]
    part: Option<PartArg>,
    /// Draws into an SVG file which cable goes where, and which way each motor goes, by the calibration; moves nothing
    #[cfg(feature = "cubers")]
    #[arg(long, value_name = "FILE")]
    drawing: Option<PathBuf>,
    #[command(flatten)]
    machine: Machine,
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE", conflicts_with = "sim")]
    camera: Option<PathBuf>,
    /// The N of the cube for elevator and squisher
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
}

/// What can be calibrated.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum PartArg {
    /// Whether each is there and goes the right way
    Motors,
    /// How far it closes
    Squisher,
    /// The heights of the rows
    Elevator,
    /// What it sees
    Camera,
    /// What a tilter's colour sensor reads of white paper
    White,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    #[cfg(feature = "cubers")]
    if let Some(path) = &args.drawing {
        return draw(&args.machine.crane.model(true)?, path);
    }
    let part = match args.part {
        Some(PartArg::Motors) => CalibrationPart::Motors,
        Some(PartArg::Squisher) => CalibrationPart::Squisher,
        Some(PartArg::Elevator) => CalibrationPart::Elevator,
        Some(PartArg::Camera) => CalibrationPart::Camera,
        Some(PartArg::White) => CalibrationPart::White,
        // The arguments do not allow it.
        None => return Err(Failure::Usage("say what to calibrate".to_string())),
    };
    let Some((path, _)) = args.machine.crane.file() else {
        return Err(Failure::Usage("name the machine's file with --calibration".to_string()));
    };
    let model = File::open(&path)?.model().clone();
    let devices = match args.machine.sim {
        true => Devices::Simulated(State::solved(args.size), Box::new(Renderer::new(Scene::calm(), 0))),
        false => Devices::Real(Webcam::of(
            matches!(part, CalibrationPart::Camera),
            args.camera.as_deref(),
        )),
    };
    let mut setup = Setup::new(&args.machine, model, devices, global, stop)?;
    // Again: until the locks were taken another program may have written it.
    let mut file = File::open(&path)?;
    // A simulated machine says nothing about the real one, even if the user names its file.
    if args.machine.sim {
        match path.is_file() {
            true => log::info!("only tried, on a simulated machine: {} stays as it is", path.display()),
            false => log::info!("only tried, on a simulated machine: no file is written"),
        }
        file = file.only_tried();
    }
    let learnt = setup.calibrate(part, args.size, &mut file, Some(&mut Terminal::new(stop)))?;
    setup.answer(|| match global.json {
        true => print_json(&serde_json::json!({ "learnt": learnt.to_string() })),
        false => print(&learnt.to_string()),
    })
}

/// Draws a machine's cables. Another drawing of ours is replaced, no other file is.
#[cfg(feature = "cubers")]
fn draw(model: &Model, path: &Path) -> Result<(), Failure> {
    if let Model::Own(_) = model {
        return Err(Failure::Failed("nothing is known of this machine's cables".to_string()));
    }
    files::replace_own(path, (CABLES_BEGIN, "a drawing of cables"), &drawing(model))?;
    log::info!("wrote {}", path.display());
    Ok(())
}

impl From<CalibrateError> for Failure {
    fn from(error: CalibrateError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

/// The user at a terminal. Another thread reads, so that ctrl-C is heard while there is no answer.
struct Terminal<'a> {
    lines: Receiver<String>,
    stop: &'a Stop,
}

impl Terminal<'_> {
    fn new(stop: &Stop) -> Terminal<'_> {
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Terminal { lines, stop }
    }

    fn line(&self) -> Result<String, CalibrateError> {
        loop {
            if self.stop.requested() {
                return Err(CalibrateError::Stopped);
            }
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(CalibrateError::Stopped),
            }
        }
    }
}

impl Builder for Terminal<'_> {
    fn ask(&mut self, _: &mut Brick, text: &str, question: Question) -> Result<Answer, CalibrateError> {
        let how = match question {
            Question::YesNo => "y, n, or q to stop",
            Question::Level => "Enter: it is; u or u5: up so many degrees; d or d5: down; q: stop",
            Question::Ready => "Enter when ready, q to stop",
        };
        loop {
            // Where standard error is closed, answers may come all the same.
            let _ = write!(std::io::stderr(), "{text} [{how}] ");
            let line = self.line()?;
            if line.trim() == "q" {
                return Err(CalibrateError::Stopped);
            }
            if let Some(answer) = answer(line.trim(), question) {
                return Ok(answer);
            }
        }
    }
}

/// What a line means as an answer.
fn answer(line: &str, question: Question) -> Option<Answer> {
    let degrees = |rest: &str| match rest.trim() {
        "" => Some(3),
        number => number.parse::<i32>().ok().filter(|d| (1..=200).contains(d)),
    };
    match (line, question) {
        ("", Question::Level | Question::Ready) | ("y" | "yes", _) => Some(Answer::Yes),
        ("n" | "no", Question::YesNo) => Some(Answer::No),
        (line, Question::Level) => match (line.strip_prefix('u'), line.strip_prefix('d')) {
            (Some(rest), _) => degrees(rest).map(Answer::Move),
            (_, Some(rest)) => degrees(rest).map(|d| Answer::Move(-d)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_understood_only_where_they_fit() {
        use Question::{Level, Ready, YesNo};
        assert_eq!(answer("y", YesNo), Some(Answer::Yes));
        assert_eq!(answer("no", YesNo), Some(Answer::No));
        assert_eq!(answer("", YesNo), None);
        assert_eq!([answer("", Level), answer("", Ready)], [Some(Answer::Yes); 2]);
        assert_eq!(answer("u", Level), Some(Answer::Move(3)));
        assert_eq!(answer("d 12", Level), Some(Answer::Move(-12)));
        assert_eq!(
            [answer("u0", Level), answer("u-5", Level), answer("up", Level)],
            [None; 3]
        );
        assert_eq!(
            [answer("u5", Ready), answer("u5", YesNo), answer("n", Ready)],
            [None; 3]
        );
    }
}
