//! Runs a program on a brick that is not there: see [`emulation`]. As root, on Linux with `/dev/fuse`:
//!
//! ```sh
//! cargo run --example emulated_brick -- --scramble "R U2 F'" -- target/debug/cranecuber turn "F U2 R'"
//! ```
//!
//! With `--camera /dev/videoN`, a v4l2loopback device, also a webcam shows the cube as it stands in the crane. At the end it says whether
//! the virtual cube is solved and the machine parked; the exit code is 0 only then.

#[cfg(target_os = "linux")]
mod camera;
#[cfg(target_os = "linux")]
mod emulation;

#[cfg(target_os = "linux")]
mod run {
    use std::error::Error;
    use std::ffi::OsString;
    use std::path::PathBuf;
    use std::time::Duration;

    use clap::Parser;
    use cranecuber::brick::MotorPort;
    use cranecuber::cube::{State, parse_moves, scramble};
    use cranecuber::sim::Faults;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::camera::Webcam;
    use super::emulation::{Emulation, Robot, Setup, sensor};

    /// Runs a program on an emulated brick with a crane.
    #[derive(Parser)]
    struct Args {
        /// The cube's N
        #[arg(long, default_value_t = 3)]
        size: usize,
        /// Scrambles the cube by these moves
        #[arg(long, conflicts_with = "seed")]
        scramble: Option<String>,
        /// Scrambles the cube, and draws its pictures, by this number
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// How much faster than real time the crane runs
        #[arg(long, default_value_t = 1.0)]
        speed: f64,
        /// A v4l2loopback device that shows the cube
        #[arg(long)]
        camera: Option<PathBuf>,
        /// Pixels per line of its pictures
        #[arg(long, default_value_t = 320)]
        width: u32,
        /// Lines of its pictures
        #[arg(long, default_value_t = 240)]
        height: u32,
        /// Presses the touch sensor after so many seconds of the crane's time
        #[arg(long)]
        press: Option<f64>,
        /// Unplugs a motor after so many seconds of the crane's time, for example B@30
        #[arg(long, value_parser = unplugging)]
        unplug: Option<(MotorPort, Duration)>,
        /// Motions that something stops, percent
        #[arg(long, default_value_t = 0.0)]
        stall: f64,
        /// Motions that end a few degrees off, percent
        #[arg(long, default_value_t = 0.0)]
        slip: f64,
        /// The program and its arguments
        #[arg(last = true, required = true)]
        command: Vec<OsString>,
    }

    fn unplugging(text: &str) -> Result<(MotorPort, Duration), String> {
        let (port, seconds) = text.split_once('@').ok_or("a port and seconds, for example B@30")?;
        let port = match port {
            "A" => MotorPort::A,
            "B" => MotorPort::B,
            "C" => MotorPort::C,
            "D" => MotorPort::D,
            _ => return Err("a port is one of A, B, C, D".to_string()),
        };
        Ok((port, Duration::from_secs(seconds.parse().map_err(|_| "whole seconds")?)))
    }

    /// Gives whether all went well.
    pub fn run() -> Result<bool, Box<dyn Error>> {
        let args = Args::parse();
        let mut cube = State::solved(args.size);
        match &args.scramble {
            Some(moves) => cube.do_moves(&parse_moves(args.size, moves)?),
            None => cube.turn_all(&scramble(args.size, &mut ChaCha8Rng::seed_from_u64(args.seed))),
        }
        let emulation = Emulation::start(Setup {
            robot: Robot::Crane,
            cube,
            speed: args.speed,
            press: args.press.map(Duration::try_from_secs_f64).transpose()?,
            unplug: args.unplug,
            faults: Faults {
                seed: args.seed,
                stall: args.stall,
                slip: args.slip,
                ..Faults::NONE
            },
            sensors: sensor::of_crane(),
        })?;
        if let Some(device) = &args.camera {
            let webcam = Webcam::open(device, [args.width, args.height], args.seed)?;
            webcam.show(emulation.crane().clone())?;
        }
        let (program, arguments) = args.command.split_first().ok_or("no program")?;
        let ended = emulation.command(program).args(arguments).status()?;
        let end = emulation.end()?;
        println!("{end}; the program ended with {ended}");
        Ok(ended.success() && end.is_good())
    }
}

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    match run::run() {
        Ok(true) => std::process::ExitCode::SUCCESS,
        Ok(false) => std::process::ExitCode::FAILURE,
        Err(why) => {
            eprintln!("emulated_brick: {why}");
            std::process::ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("emulated_brick: this needs Linux");
}
