//! `scan --photos DIR`: prints the state that six photos show. A state that is not sure is not printed, so that `scan | solve -` does not
//! solve it.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::album::{Album, Keep};
use super::output::{print, print_json};
use super::set::{Correction, corrected};
use super::{Failure, Global, OrderArg, Stop};
use crate::app::{Reader, Reading};
use crate::colors::Arrangement;
use crate::cube::{Face, Pieces};
use crate::picture::Frame;

/// Arguments of `scan`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A folder with a photo of each side, called U L F R B D (.jpg, .png, .ppm, or .yuyv as `--save` keeps them); U and D upright as seen
    /// from F
    #[arg(long, value_name = "DIR")]
    photos: PathBuf,
    /// What is really on some squares, as the state names squares (F3: the third of side F, row by row) and colours (letters of sides, or
    /// white red green yellow orange blue); all others are resolved anew around them
    #[arg(long, value_name = "F3=R,U1=R", value_delimiter = ',')]
    set: Vec<Correction>,
    #[command(flatten)]
    keep: Keep,
    /// In which order the faces are to be written
    #[arg(long, value_enum, default_value_t)]
    order: OrderArg,
}

#[derive(Serialize)]
struct Answer {
    size: usize,
    state: String,
    margin: f32,
    sure: bool,
    doubtful: Vec<String>,
    /// Which photos are read otherwise than they are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumed: Option<String>,
    /// Another reading that is about as likely.
    #[serde(skip_serializing_if = "Option::is_none")]
    perhaps: Option<String>,
    placed: usize,
    palette: Vec<(char, [u8; 3])>,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let same = |folder: &PathBuf| {
        folder
            .canonicalize()
            .ok()
            .is_some_and(|f| args.photos.canonicalize().ok() == Some(f))
    };
    if args.keep.save.as_ref().is_some_and(same) {
        return Err(Failure::Usage(
            "--save must be another folder than --photos".to_string(),
        ));
    }
    let mut album = Album::new(args.keep.clone());
    let reading = read_all(args, &mut album, stop).inspect_err(|why| album.end(Err(why.to_string())))?;
    tell(&reading);
    album.settle(&reading);
    let state = reading.resolution.state.format(args.order.into());
    let doubt = reading.doubt();
    if doubt.is_some() {
        log::info!("likeliest: {state}");
    }
    if global.json {
        answer(&reading, state)?;
    } else if doubt.is_none() {
        print(&state)?;
    }
    doubt.map_or(Ok(()), |why| Err(why.into()))
}

fn answer(reading: &Reading, state: String) -> Result<(), Failure> {
    let resolution = &reading.resolution;
    print_json(&Answer {
        size: reading.size,
        state,
        margin: resolution.margin,
        sure: reading.is_sure(),
        doubtful: resolution.doubtful().iter().map(ToString::to_string).collect(),
        assumed: (reading.arrangement != Arrangement::NAMED).then(|| reading.arrangement.to_string()),
        perhaps: reading.rival.as_ref().map(|rival| rival.arrangement.to_string()),
        placed: reading.placed,
        palette: Face::ALL
            .into_iter()
            .map(Face::letter)
            .zip(resolution.palette)
            .collect(),
    })
}

/// Reads the photos, with the user's corrections.
fn read_all(args: &Args, album: &mut Album, stop: &Stop) -> Result<Reading, Failure> {
    let mut reading = read(&args.photos, album, stop)?;
    if !args.set.is_empty() {
        corrected(&args.set, &mut reading)?;
    }
    Ok(reading)
}

/// Reads a folder of six photos. If they do not fit the way they are named, reads them in the arrangement that seems right.
pub(super) fn read(photos: &Path, album: &mut Album, stop: &Stop) -> Result<Reading, Failure> {
    stop.is_watched();
    let mut reader = Reader::new();
    let mut seen: Vec<(Face, u32)> = Vec::new();
    for face in Face::ALL {
        if stop.requested() {
            return Err(Failure::Failed("interrupted".to_string()));
        }
        let (frame, quarters) = Frame::load_side(photos, &face.to_string())?;
        album.add(face, quarters, &frame);
        let sum = crc32fast::hash(&frame.data);
        if let Some((other, _)) = seen.iter().find(|(_, known)| *known == sum) {
            return Err(Failure::Failed(format!(
                "the photos of {other} and {face} are the same: photograph both sides"
            )));
        }
        seen.push((face, sum));
        reader.add(face, quarters, &frame)?;
    }
    let reading = reader.finish()?;
    #[cfg(feature = "photos")]
    let reading = reading.arranged()?;
    Ok(reading)
}

/// Says what was seen.
pub(super) fn tell(reading: &Reading) {
    let resolution = &reading.resolution;
    let n = reading.size;
    log::info!(
        "{n}x{n}x{n}, {} of {} stickers placed from the lattice",
        reading.placed,
        6 * n * n
    );
    if let Err(why) = Pieces::of(&resolution.state) {
        log::warn!("the state is impossible, please report these photos: {why}");
    }
    if reading.arrangement != Arrangement::NAMED {
        log::warn!("{}: taken so; give the photos their right names", reading.arrangement);
    }
}
