//! `scan --photos DIR`: prints the state that six photos show. A state that is not sure is not printed, so that `scan | solve -` does not
//! solve it.

use std::path::PathBuf;

use serde::Serialize;

use super::album::{Album, Keep};
use super::output::{print, print_json};
use super::{Failure, Global, OrderArg, Stop, photos};
use crate::app::Reading;
use crate::colors::{Arrangement, Correction, Placed, understood};
use crate::cube::{Face, Pieces};
#[cfg(feature = "photos")]
use crate::picture::Six;

/// Arguments of `scan`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A folder with a photo of each side, called U L F R B D (.jpg, .png, .webp, .ppm, or .yuyv as `--save` keeps them); U and D upright as seen
    /// from F
    #[arg(long, value_name = "DIR")]
    photos: PathBuf,
    /// Takes the six photos in the folder whatever they are called, in any order and turned in any way: which side each shows is found from
    /// what a cube can look like. Held so that most lie as they are called; where they are not called U L F R B D, the first by name is U
    #[cfg(feature = "photos")]
    #[arg(long)]
    any: bool,
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
    /// The state then.
    #[serde(skip_serializing_if = "Option::is_none")]
    perhaps_state: Option<String>,
    /// Where something was assumed: which side each photo shows, and by how many degrees clockwise it lies rotated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    photos: Vec<Photo>,
    placed: usize,
    palette: Vec<(char, [u8; 3])>,
    /// The measured colours by side, row by row, as `resolve` takes them.
    #[cfg(feature = "cubers")]
    rgb: std::collections::BTreeMap<char, Vec<[u8; 3]>>,
}

/// What a photo is taken for.
#[derive(Serialize)]
struct Photo {
    photo: String,
    side: char,
    rotated: u16,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    mirrored: bool,
}

impl Args {
    #[cfg(feature = "photos")]
    fn read(&self, album: &mut Album, stop: &Stop) -> Result<Reading, Failure> {
        if self.any {
            return photos::read_any(&self.photos, album, stop);
        }
        // Six photos with other names than those of sides.
        let are_others = || Six::of(&self.photos).is_ok_and(|six| !six.are_sides);
        photos::read(&self.photos, album, stop).map_err(|why| match why {
            Failure::Failed(why) if are_others() => Failure::Failed(format!(
                "{why}, or give --any, which takes photos whatever they are called"
            )),
            why => why,
        })
    }

    #[cfg(not(feature = "photos"))]
    fn read(&self, album: &mut Album, stop: &Stop) -> Result<Reading, Failure> {
        photos::read(&self.photos, album, stop)
    }
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
    let other = reading
        .rival
        .as_ref()
        .map(|rival| rival.state.format(args.order.into()));
    if let Some(other) = &other {
        log::info!("perhaps: {other}");
    }
    if global.json {
        answer(&reading, state, other)?;
    } else if doubt.is_none() {
        print(&state)?;
    }
    doubt.map_or(Ok(()), |why| Err(why.into()))
}

fn answer(reading: &Reading, state: String, other: Option<String>) -> Result<(), Failure> {
    let resolution = &reading.resolution;
    print_json(&Answer {
        size: reading.size,
        state,
        margin: resolution.margin,
        sure: reading.is_sure(),
        doubtful: resolution.doubtful().iter().map(ToString::to_string).collect(),
        assumed: is_assumed(reading).then(|| reading.in_words(&reading.arrangement)),
        perhaps: reading.rival.as_ref().map(|rival| reading.in_words(&rival.arrangement)),
        perhaps_state: other,
        photos: assumed(reading),
        placed: reading.placed,
        palette: Face::ALL
            .into_iter()
            .map(Face::letter)
            .zip(resolution.palette)
            .collect(),
        #[cfg(feature = "cubers")]
        rgb: Face::ALL
            .into_iter()
            .map(|face| (face.letter(), reading.squares(face).to_vec()))
            .collect(),
    })
}

/// Whether something is said of how the photos lie.
fn is_assumed(reading: &Reading) -> bool {
    reading.names.is_some() || reading.arrangement != Arrangement::NAMED
}

fn assumed(reading: &Reading) -> Vec<Photo> {
    let name = |picture: Face| match &reading.names {
        Some(names) => names[picture as usize].clone(),
        None => picture.to_string(),
    };
    let one = |(face, placed): (Face, Placed)| Photo {
        photo: name(placed.picture),
        side: face.letter(),
        rotated: 90 * u16::from(placed.lie.quarters),
        mirrored: placed.lie.mirrored,
    };
    let all = Face::ALL.into_iter().zip(reading.arrangement.sides);
    all.filter(|_| is_assumed(reading)).map(one).collect()
}

/// Reads the photos, with the user's corrections.
fn read_all(args: &Args, album: &mut Album, stop: &Stop) -> Result<Reading, Failure> {
    let mut reading = args.read(album, stop)?;
    if !args.set.is_empty() {
        corrected(&args.set, &mut reading)?;
    }
    Ok(reading)
}

/// Puts what the user sees into a reading.
pub(super) fn corrected(corrections: &[Correction], reading: &mut Reading) -> Result<(), Failure> {
    log::info!("colours: {}", reading.colours_in_words());
    let fixed = understood(corrections, &reading.resolution.palette)?;
    Ok(reading.correct(&fixed)?)
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
    if reading.names.is_some() {
        log::info!("{}", reading.in_words(&reading.arrangement));
    } else if reading.arrangement != Arrangement::NAMED {
        log::warn!("{}: taken so; give the photos their right names", reading.arrangement);
    }
}
