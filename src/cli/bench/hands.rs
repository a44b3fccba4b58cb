//! `bench hands`: what the link to a second brick adds to a motion, on this computer.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::brick::{DeviceError, Motor, Profile, StopAction};
use crate::cli::arguments::count;
use crate::cli::output::{print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Stop};
use crate::hands::{Lent, Server, Token, connect};
use crate::jaws::Mechanism;
use crate::sim::{Untouched, loose};

/// The milliseconds that a motion may take longer.
const BAR: f64 = 10.0;

/// Arguments of `bench hands`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How many motions
    #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = count::<100_000>)]
    motions: u64,
}

/// Milliseconds that a motion takes besides moving: until its command is taken and its state was told.
#[derive(Serialize)]
struct Figures {
    motions: usize,
    /// For a motor of this computer.
    own_ms: f64,
    /// By the link.
    link_ms: f64,
    added_ms: f64,
    /// The standard error of what is added.
    standard_error: f64,
    median_ms: f64,
    p95_ms: f64,
    max_ms: f64,
    /// The milliseconds that may be added.
    bar_ms: f64,
}

fn lent() -> Lent {
    Lent {
        motors: loose(&Mechanism::builtin().grip.motor.left),
        touch: Box::new(Untouched),
        battery: Box::new(Untouched),
        boot: None,
    }
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let failed = |why: &dyn std::fmt::Display| Failure::Failed(why.to_string());
    let folder = tempfile::tempdir().map_err(|why| failed(&why))?;
    let server = Server::listen("127.0.0.1:0", &folder.path().join("record"))?;
    let address = server.address()?.to_string();
    let token = Token::new("bench").map_err(|why| failed(&why))?;
    let (theirs, has_ended) = (token.clone(), AtomicBool::new(false));
    let link = std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.lend(lent(), theirs, &has_ended));
        let measured = connect(&address, &token).map_err(Failure::from).and_then(|hands| {
            let mut motors = hands.motors();
            let (_, motor) = motors.first_mut().ok_or_else(|| failed(&"no motor"))?;
            times(motor.as_mut(), args, stop).map_err(|why| failed(&why))
        });
        has_ended.store(true, Relaxed);
        let served = serving
            .join()
            .map_err(|_| failed(&"the second brick's thread broke down"))?;
        served?;
        measured
    })?;
    let mut own = lent().motors;
    let (_, motor) = own.first_mut().ok_or_else(|| failed(&"no motor"))?;
    let own = times(motor.as_mut(), args, stop).map_err(|why| failed(&why))?;
    if link.is_empty() || own.is_empty() {
        return to_its_end(stop);
    }
    let figures = Figures::of(&link, &own);
    match global.json {
        true => print_json(&figures)?,
        false => print(&figures.to_string())?,
    }
    to_its_end(stop)
}

/// The times of all motions.
fn times(motor: &mut dyn Motor, args: &Args, stop: &Stop) -> Result<Vec<Duration>, DeviceError> {
    let profile = Profile {
        speed: 600,
        ramp_up_ms: 0,
        ramp_down_ms: 100,
        stop: StopAction::Hold,
    };
    let mut times = Vec::new();
    for i in 0..args.motions {
        if stop.requested() {
            break;
        }
        let began = Instant::now();
        motor.run_to(i32::try_from(i % 100).unwrap_or(0), &profile)?;
        motor.state()?;
        times.push(began.elapsed());
    }
    Ok(times)
}

impl Figures {
    fn of(link: &[Duration], own: &[Duration]) -> Figures {
        let in_ms = |times: &[Duration]| times.iter().map(|time| time.as_secs_f64() * 1000.0).collect::<Vec<_>>();
        let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
        let (mut link, own) = (in_ms(link), in_ms(own));
        let (link_ms, own_ms) = (mean(&link), mean(&own));
        let variance = |times: &[f64], mean: f64| {
            let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
            squares / (times.len().max(2) - 1) as f64
        };
        let error = variance(&link, link_ms) / link.len() as f64 + variance(&own, own_ms) / own.len() as f64;
        link.sort_by(f64::total_cmp);
        let at = |part: f64| link[((link.len() - 1) as f64 * part).round() as usize] - own_ms;
        Figures {
            motions: link.len(),
            own_ms,
            link_ms,
            added_ms: link_ms - own_ms,
            standard_error: error.sqrt(),
            median_ms: at(0.5),
            p95_ms: at(0.95),
            max_ms: at(1.0),
            bar_ms: BAR,
        }
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Figures {
            motions,
            added_ms,
            standard_error,
            median_ms,
            p95_ms,
            max_ms,
            bar_ms,
            ..
        } = self;
        writeln!(
            f,
            "{motions} motions, a command and a question each; added to a motion, in milliseconds:"
        )?;
        write!(
            f,
            "  average {added_ms:.3} +- {standard_error:.3}  median {median_ms:.3}  95 % {p95_ms:.3}  max {max_ms:.3}  bar <= {bar_ms}"
        )
    }
}
