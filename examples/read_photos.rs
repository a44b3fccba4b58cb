//! Reads six photos of a cube: `cargo run --release --example read_photos -- my-cube/`
//!
//! The folder has `U.jpg L.jpg F.jpg R.jpg B.jpg D.jpg`.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use cranecuber::app::Reader;
use cranecuber::cube::Face;
use cranecuber::picture::Frame;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = std::env::args().nth(1).ok_or("which folder of photos?")?.into();

    // One photo after the other: only what was found on it is kept.
    let mut reader = Reader::new();
    for face in Face::ALL {
        let (frame, quarters) = Frame::load_side(&folder, &face.to_string())?;
        reader.add(face, quarters, &frame)?;
    }
    let reading = reader.finish()?;
    println!("{}", reading.resolution.state);
    if !reading.is_sure() {
        let squares: Vec<String> = reading.resolution.doubtful().iter().map(ToString::to_string).collect();
        return Err(format!("not sure about {}", squares.join(" ")).into());
    }
    Ok(())
}
