//! Where pictures go: into a GIF, into a folder of PNGs, or only the last one into a PNG. What is there and is no film of this program is left
//! alone.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, ExtensionData, Frame, Repeat};

use super::canvas::{Canvas, Colours, SAME};
use super::error::FilmError;
use crate::files::{self, FileError};

/// What is written into every file, so that it is known again.
const MARK: &str = "cranecuber film";
/// A file of ours has the mark among so many bytes.
const MARKED_WITHIN: u64 = 1200;
/// What begins files of each kind.
const GIF: &[u8] = b"GIF89a";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// A GIF's table of colours begins here.
const TABLE_AT: usize = 13;
/// No GIF becomes larger, in bytes.
const LARGEST: usize = 64 << 20;
/// How long the last picture of a GIF stays before it begins again, in hundredths of a second.
const LAST: u64 = 200;

/// Where the pictures of a film go.
pub(super) enum Reel {
    Gif(Box<GifReel>),
    Folder { path: PathBuf, begun: bool },
    Last { path: PathBuf, picture: Option<Canvas> },
}

/// A GIF under way.
pub(super) struct GifReel {
    path: PathBuf,
    encoder: Option<Encoder<Vec<u8>>>,
    /// What is shown, what of it is still to be written, and since which hundredth of a second.
    shown: Option<(Canvas, Frame<'static>, u64)>,
}

impl Reel {
    /// Looks at what is there, before anything moves.
    pub fn open(path: &Path) -> Result<Reel, FilmError> {
        let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        let path = path.to_path_buf();
        match extension.as_deref() {
            Some(end @ ("gif" | "png")) => {
                is_ours(&path)?;
                let folder = files::folder(&path);
                if !folder.is_dir() {
                    return Err(FilmError::NoFolder(folder.to_path_buf()));
                }
                Ok(if end == "gif" {
                    let (encoder, shown) = (None, None);
                    Reel::Gif(Box::new(GifReel { path, encoder, shown }))
                } else {
                    Reel::Last { path, picture: None }
                })
            }
            Some(other) if !path.is_dir() => Err(FilmError::Kind(other.to_string())),
            _ => {
                our_pictures(&path)?;
                std::fs::create_dir_all(&path).map_err(|why| FilmError::Folder {
                    path: path.clone(),
                    why: why.kind(),
                })?;
                Ok(Reel::Folder { path, begun: false })
            }
        }
    }

    /// Adds a picture: its number, and since which hundredth of a second it is seen.
    pub fn add(&mut self, picture: Canvas, number: u64, since: u64, colours: &Colours) -> Result<(), FilmError> {
        match self {
            Reel::Gif(reel) => reel.add(picture, since, colours),
            Reel::Last { picture: last, .. } => {
                *last = Some(picture);
                Ok(())
            }
            Reel::Folder { path, begun } => {
                if !std::mem::replace(begun, true) {
                    // Those of an earlier film.
                    for old in our_pictures(path)? {
                        files::remove(&old)?;
                    }
                }
                let name = format!("frame-{:05}.png", number + 1);
                Ok(files::replace(&path.join(name), &[&png(&picture, colours)?]).map(drop)?)
            }
        }
    }

    /// Writes what is not written yet.
    pub fn end(self, colours: &Colours) -> Result<(), FilmError> {
        match self {
            Reel::Gif(reel) => reel.end(colours),
            Reel::Last { path, picture } => {
                let Some(picture) = picture else { return Ok(()) };
                is_ours(&path)?;
                Ok(files::replace(&path, &[&png(&picture, colours)?]).map(drop)?)
            }
            Reel::Folder { .. } => Ok(()),
        }
    }
}

impl GifReel {
    fn add(&mut self, picture: Canvas, since: u64, colours: &Colours) -> Result<(), FilmError> {
        if self.encoder.is_none() {
            self.encoder = Some(encoder(&picture, colours)?);
        }
        let place = match &self.shown {
            None => [0, 0, picture.width, picture.height],
            Some((before, ..)) => match picture.differs(before) {
                None => return Ok(()),
                Some(place) => place,
            },
        };
        let [left, top, width, height] = place.map(|pixels| pixels as u16);
        let pixels = match &self.shown {
            None => picture.pixels.clone(),
            Some((before, ..)) => picture.changes(before, place),
        };
        self.write(since)?;
        let frame = Frame {
            left,
            top,
            width,
            height,
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            buffer: Cow::Owned(pixels),
            ..Frame::default()
        };
        self.shown = Some((picture, frame, since));
        Ok(())
    }

    /// Writes what is shown, now that it is known until when.
    fn write(&mut self, until: u64) -> Result<(), FilmError> {
        let (Some((_, frame, since)), Some(encoder)) = (&mut self.shown, &mut self.encoder) else {
            return Ok(());
        };
        frame.delay = u16::try_from(until - *since).unwrap_or(u16::MAX);
        encoder
            .write_frame(frame)
            .map_err(|why| FilmError::Made(why.to_string()))?;
        if encoder.get_ref().len() > LARGEST {
            return Err(FilmError::TooLarge(LARGEST >> 20));
        }
        Ok(())
    }

    fn end(mut self, colours: &Colours) -> Result<(), FilmError> {
        let last = self.shown.as_ref().map_or(0, |(.., since)| since + LAST);
        self.write(last)?;
        let Some(encoder) = self.encoder else { return Ok(()) };
        let mut bytes = encoder.into_inner().map_err(|why| FilmError::Made(why.to_string()))?;
        // Only now all colours are known.
        let table = colours.table();
        if let Some(place) = bytes.get_mut(TABLE_AT..TABLE_AT + table.len()) {
            place.copy_from_slice(&table);
        }
        is_ours(&self.path)?;
        Ok(files::replace(&self.path, &[&bytes]).map(drop)?)
    }
}

fn encoder(picture: &Canvas, colours: &Colours) -> Result<Encoder<Vec<u8>>, FilmError> {
    let made = |why: gif::EncodingError| FilmError::Made(why.to_string());
    let [width, height] = [picture.width, picture.height].map(|pixels| pixels as u16);
    let mut encoder = Encoder::new(Vec::new(), width, height, &colours.table()).map_err(made)?;
    // A comment: its kind, then its text as one block.
    let mark: &[u8] = MARK.as_bytes();
    encoder
        .write_raw_extension(gif::AnyExtension(0xFE), &[mark])
        .map_err(|why| FilmError::Made(why.to_string()))?;
    let repeat = ExtensionData::Repetitions(Repeat::Infinite);
    encoder.write_extension(repeat).map_err(made)?;
    Ok(encoder)
}

fn png(picture: &Canvas, colours: &Colours) -> Result<Vec<u8>, FilmError> {
    let mut bytes = Vec::new();
    let made = |why: png::EncodingError| FilmError::Made(why.to_string());
    let mut encoder = png::Encoder::new(&mut bytes, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(colours.table());
    encoder.set_compression(png::Compression::High);
    encoder
        .add_text_chunk("Software".to_string(), MARK.to_string())
        .map_err(made)?;
    let mut writer = encoder.write_header().map_err(made)?;
    writer.write_image_data(&picture.pixels).map_err(made)?;
    writer.finish().map_err(made)?;
    Ok(bytes)
}

/// Fails if there is a file that is no film of this program.
fn is_ours(path: &Path) -> Result<(), FilmError> {
    if files::find(path)?.is_none_or(|found| found.len() == 0) {
        return Ok(());
    }
    let begin = files::read_begin(path, MARKED_WITHIN)?;
    let is_film = [GIF, PNG].iter().any(|kind| begin.starts_with(kind));
    let has_mark = begin.windows(MARK.len()).any(|bytes| bytes == MARK.as_bytes());
    match is_film && has_mark {
        true => Ok(()),
        false => Err(FileError::foreign(path, "a film").into()),
    }
}

/// The pictures of an earlier film in a folder, which may be missing.
///
/// # Errors
/// If anything else is in it.
fn our_pictures(folder: &Path) -> Result<Vec<PathBuf>, FilmError> {
    let trouble = |why: std::io::Error| FilmError::Folder {
        path: folder.to_path_buf(),
        why: why.kind(),
    };
    let entries = match folder.read_dir() {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(trouble)?,
    };
    let mut pictures = Vec::new();
    for entry in entries {
        let entry = entry.map_err(trouble)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix("frame-").and_then(|rest| rest.strip_suffix(".png"));
        let is_named = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_named || is_ours(&entry.path()).is_err() {
            return Err(FilmError::Others {
                path: folder.to_path_buf(),
                name,
            });
        }
        pictures.push(entry.path());
    }
    Ok(pictures)
}
