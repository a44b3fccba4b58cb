//! Films of machines: draws shapes, writes what is done and when below them, and makes a GIF or a folder of pictures of that.
//!
//! Knows `cube`, its usual colours in `net`, and `files`; must not know which machines there are (they give their shapes) nor what happens
//! in a job (who tells the film its captions does).
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("cube.gif");
//! use cranecuber::cube::State;
//! use cranecuber::film::{Eye, Film, Place, Shape, Twist, Wish};
//!
//! let film = Film::open(&path, Wish::default())?;
//! for tenth in 0..10 {
//!     let turned = Place::turned(1, 9.0 * f64::from(tenth));
//!     film.see(u64::from(tenth as u32) * 100_000, || {
//!         let mut shape = Shape::new(Eye { from: [100.0, 120.0, 300.0], to: [0.0; 3], high: 120.0 });
//!         shape.cube(&turned, &State::solved(3), 57.0, &Twist::none());
//!         shape
//!     });
//! }
//! film.caption("turns the cube");
//! film.end()?;
//! assert!(std::fs::read(&path)?.starts_with(b"GIF89a"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canvas;
mod error;
mod painter;
mod place;
mod reel;
mod shape;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

use canvas::{Canvas, Colours};
pub use error::FilmError;
use painter::Painter;
pub use place::{Place, Point};
use reel::Reel;
pub use shape::{Eye, Paint, Shape, Twist};

/// Pictures that wait for their caption take at most so many pixels, of a byte each; more of them are not kept.
const WAITING: usize = 64 << 20;
/// A picture's height by its width, without the caption.
const HIGH: (usize, usize) = (4, 5);

/// What a film should be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// Pictures for a second of the machine's time, 1 to 50.
    pub rate: u32,
    /// The width of a picture in pixels.
    pub width: u32,
    /// The film ends after so many seconds of the machine's time.
    pub seconds: u32,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish {
            rate: 10,
            width: 480,
            seconds: 300,
        }
    }
}

/// A film under way. Its clones are the same film.
#[derive(Clone)]
pub struct Film {
    wish: Wish,
    /// The number of the next picture.
    next: Rc<Cell<u64>>,
    state: Rc<RefCell<Making>>,
}

/// What is made.
struct Making {
    /// None once it has ended.
    reel: Option<Reel>,
    error: Option<FilmError>,
    painter: Painter,
    colours: Colours,
    /// The shape that was drawn last, and its picture.
    drawn: Option<(Shape, Rc<Canvas>)>,
    /// Pictures by number that wait for their caption.
    waiting: Vec<(u64, Rc<Canvas>)>,
    /// What was done last.
    words: String,
}

impl Film {
    /// Begins a film: a GIF, a folder of numbered PNGs, or a PNG of what is seen last.
    ///
    /// # Errors
    /// If something else is there.
    pub fn open(path: &Path, wish: Wish) -> Result<Film, FilmError> {
        let width = wish.width as usize;
        let height = width * HIGH.0 / HIGH.1;
        Ok(Film {
            wish,
            next: Rc::default(),
            state: Rc::new(RefCell::new(Making {
                reel: Some(Reel::open(path)?),
                error: None,
                painter: Painter::new(width, height),
                colours: Colours::new(),
                drawn: None,
                waiting: Vec::new(),
                words: String::new(),
            })),
        })
    }

    /// When a picture begins, in microseconds.
    fn begins(&self, number: u64) -> u64 {
        number * 1_000_000 / u64::from(self.wish.rate)
    }

    /// Whether a picture should be taken at this time, in microseconds.
    pub fn is_due(&self, now: u64) -> bool {
        let next = self.begins(self.next.get());
        next <= now && next < u64::from(self.wish.seconds) * 1_000_000
    }

    /// Takes the pictures that are due at this time, in microseconds.
    pub fn see(&self, now: u64, shape: impl FnOnce() -> Shape) {
        if !self.is_due(now) {
            return;
        }
        let mut making = self.state.borrow_mut();
        let canvas = making.canvas(shape(), self.wish.width as usize);
        while self.is_due(now) {
            let number = self.next.replace(self.next.get() + 1);
            making.waiting.push((number, canvas.clone()));
            if (making.waiting.len() + 1) * canvas.pixels.len() > WAITING {
                let words = making.words.clone();
                self.write(&mut making, &words);
            }
        }
    }

    /// Says what was done in the pictures since the last caption.
    pub fn caption(&self, words: &str) {
        self.write(&mut self.state.borrow_mut(), words);
    }

    fn write(&self, making: &mut Making, words: &str) {
        making.words = words.to_string();
        for (number, canvas) in std::mem::take(&mut making.waiting) {
            let Making {
                reel: Some(reel),
                error: None,
                colours,
                ..
            } = making
            else {
                return;
            };
            let micros = self.begins(number);
            let time = format!("{}.{} s", micros / 1_000_000, micros % 1_000_000 / 100_000);
            let picture = canvas.captioned(words, &time, colours);
            if let Err(why) = reel.add(picture, number, micros / 10_000, colours) {
                log::warn!("the job goes on without a film: {why}");
                making.error = Some(why);
            }
        }
    }

    /// Ends the film and writes what is not written yet.
    ///
    /// # Errors
    /// The first that has befallen the film.
    pub fn end(&self) -> Result<(), FilmError> {
        let mut making = self.state.borrow_mut();
        let words = making.words.clone();
        self.write(&mut making, &words);
        let Some(reel) = making.reel.take() else { return Ok(()) };
        match making.error.take() {
            Some(why) => Err(why),
            None => reel.end(&making.colours),
        }
    }

    /// How many pictures were taken so far, and whether the film ended before the machine did.
    pub fn pictures(&self) -> (u64, bool) {
        let number = self.next.get();
        (number, self.begins(number) >= u64::from(self.wish.seconds) * 1_000_000)
    }
}

impl Making {
    fn canvas(&mut self, shape: Shape, width: usize) -> Rc<Canvas> {
        if let Some((drawn, canvas)) = &self.drawn
            && *drawn == shape
        {
            return canvas.clone();
        }
        let (picture, labels) = (self.painter.draw(&shape), self.painter.labels(&shape));
        for paint in self.painter.of_sides() {
            self.colours.side(paint);
        }
        let canvas = Rc::new(Canvas::new(width, &picture, &labels, &mut self.colours));
        self.drawn = Some((shape, canvas.clone()));
        canvas
    }
}

#[cfg(test)]
mod tests;
