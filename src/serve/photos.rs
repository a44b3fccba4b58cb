//! Photos of the six sides: where the stickers are, and which cube it is.
//!
//! A browser sends pictures as JPEG, already upright and small. Nothing is kept: to correct a square, a browser sends them again.

use axum::extract::Request;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::question::{Answer, Refused, json, question_up_to, refused};
use crate::app::{JobError, Reader, Reading, look};
use crate::colors::{Arrangement, Hold};
use crate::cube::{Face, Square};
use crate::picture::Frame;
use crate::vision::Lattice;

/// Bytes of six pictures.
const PICTURES: usize = 16 << 20;
/// Bytes of one picture.
const PICTURE: usize = 3 << 20;
/// Pictures are looked at for so many browsers at a time.
const AT_A_TIME: usize = 2;

/// Reads pictures for browsers.
pub(super) struct Looking(Semaphore);

impl Looking {
    pub(super) fn new() -> Looking {
        Looking(Semaphore::new(AT_A_TIME))
    }
}

/// A JPEG picture in base64.
#[derive(Deserialize)]
#[serde(transparent)]
struct Jpeg(String);

impl Jpeg {
    fn frame(&self) -> Result<Frame, Refused> {
        let data = STANDARD
            .decode(&self.0)
            .or_else(|why| refused(format!("a picture is not base64: {why}")))?;
        Frame::from_jpeg(data).or_else(refused)
    }
}

/// Does work that takes long for the one who asks, and lets the others be answered meanwhile.
async fn aside<T: Serialize + Send + 'static>(
    looking: &Looking,
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Answer {
    let Ok(_place) = looking.0.acquire().await else {
        return refused("the program ends");
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map(|done| json(&done)),
        Err(why) => Err(Refused(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())),
    }
}

#[derive(Deserialize)]
struct One {
    jpeg: Jpeg,
}

/// What one picture shows.
#[derive(Serialize)]
struct Seen {
    /// N, if a side is seen.
    size: Option<usize>,
    /// Why none is.
    why: Option<String>,
    stickers: Vec<Sticker>,
}

/// A sticker in a picture.
#[derive(Serialize)]
struct Sticker {
    /// Column and line of its middle, in pixels.
    at: [f32; 2],
    /// Half of its width, in pixels.
    half: f32,
    /// Whether it was seen; else the others tell where it is.
    found: bool,
    /// Its mean colour.
    rgb: [u8; 3],
    /// Its number in the state; none before that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
}

/// Half of a sticker's width, as a part of the distance of two.
const HALF: f32 = 0.38;

fn sticker(lattice: &Lattice, cell: usize, index: Option<usize>) -> Sticker {
    Sticker {
        at: lattice.centres[cell],
        half: lattice.pitch * HALF,
        found: lattice.found[cell],
        rgb: lattice.rgb[cell],
        index,
    }
}

pub(super) async fn looked(looking: &Looking, request: Request) -> Answer {
    let One { jpeg } = question_up_to(PICTURE, request).await?;
    aside(looking, move || {
        let lattice = look(&jpeg.frame()?);
        Ok(match lattice {
            Ok(lattice) => Seen {
                size: Some(lattice.size),
                why: None,
                stickers: (0..lattice.centres.len())
                    .map(|cell| sticker(&lattice, cell, None))
                    .collect(),
            },
            Err(why) => Seen {
                size: None,
                why: Some(why.to_string()),
                stickers: Vec::new(),
            },
        })
    })
    .await
}

/// Six pictures.
#[derive(Deserialize)]
struct Six {
    /// In the order U R F D L B.
    pictures: [Jpeg; 6],
    /// What they are called, where that does not say which side each shows; then any order is as likely.
    names: Option<[String; 6]>,
    /// What a person sees on some squares: their numbers in the state, and the sides that have these colours.
    #[serde(default)]
    set: Vec<(usize, char)>,
}

/// The cube that six pictures show.
#[derive(Serialize)]
struct Read {
    size: usize,
    state: String,
    /// Whether it can be believed.
    sure: bool,
    /// What was assumed of how the pictures lie; empty if nothing was.
    assumed: String,
    /// Why it cannot be believed.
    doubt: Option<String>,
    /// Squares that may have another colour, and which, if that is known.
    doubtful: Vec<(usize, Option<char>)>,
    /// Which side each picture shows, and its stickers, in the order of the question.
    pictures: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    face: char,
    stickers: Vec<Sticker>,
}

pub(super) async fn read(looking: &Looking, request: Request) -> Answer {
    let six: Six = question_up_to(PICTURES, request).await?;
    aside(looking, move || read_six(&six)).await
}

fn read_six(six: &Six) -> Result<Read, Refused> {
    let mut reader = match six.names {
        None => Reader::new(),
        Some(_) => Reader::in_any_order(Hold::First),
    };
    for (face, picture) in Face::ALL.into_iter().zip(&six.pictures) {
        reader.add(face, 0, &picture.frame()?).or_else(refused)?;
    }
    let reading = reader.finish().and_then(|reading| match six.names {
        None => reading.arranged(),
        Some(_) => Ok(reading),
    });
    let mut reading = reading.or_else(refused)?;
    reading.names.clone_from(&six.names);
    let fixed = six.set.iter().map(|&said| fixed(reading.size, said));
    let fixed = fixed.collect::<Option<Vec<_>>>();
    let Some(fixed) = fixed else {
        return refused(format!("a {0}x{0}x{0} has no such square or colour", reading.size));
    };
    if !fixed.is_empty() {
        reading.correct(&fixed).or_else(refused)?;
    }
    Ok(answer(&reading))
}

/// A square and its colour as they are told.
fn fixed(n: usize, (number, colour): (usize, char)) -> Option<(Square, Face)> {
    Some((Square::all(n).nth(number)?, Face::from_letter(colour)?))
}

fn answer(reading: &Reading) -> Read {
    let n = reading.size;
    let placed = &reading.arrangement.sides;
    let mut pictures: Vec<(Face, Shown)> = Face::ALL
        .into_iter()
        .map(|face| {
            let lattice = &reading.lattices[face as usize];
            let cells: Vec<usize> = (0..n * n).collect();
            let cells = reading.pictures[face as usize].lie.upright(n, &cells);
            let stickers = cells.into_iter().enumerate();
            let shown = Shown {
                face: face.letter(),
                stickers: stickers
                    .map(|(i, cell)| sticker(lattice, cell, Some(face as usize * n * n + i)))
                    .collect(),
            };
            (placed[face as usize].picture, shown)
        })
        .collect();
    pictures.sort_by_key(|(picture, _)| *picture as usize);
    let assumed = match reading.names.is_none() && reading.arrangement == Arrangement::NAMED {
        true => String::new(),
        false => reading.in_words(&reading.arrangement),
    };
    Read {
        size: n,
        state: reading.resolution.state.to_string(),
        sure: reading.is_sure(),
        assumed,
        doubt: reading.doubt().map(|why| match why {
            // What helps is on the page: a click, or another picture.
            JobError::Doubtful { what, .. } => format!("Not sure which cube this is: {what}"),
            why => why.to_string(),
        }),
        doubtful: reading
            .doubtful_squares()
            .into_iter()
            .map(|(square, other)| (square.index(n), other.map(Face::letter)))
            .collect(),
        pictures: pictures.into_iter().map(|(_, shown)| shown).collect(),
    }
}
