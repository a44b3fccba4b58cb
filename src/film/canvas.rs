//! A picture whose pixels are numbers of colours, and the colours of a film.

use std::collections::HashMap;
use std::convert::Infallible;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::{FONT_6X10, FONT_7X13_BOLD};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::text::{Baseline, Text};
use embedded_graphics::{Drawable, Pixel};

use super::painter::PAPER;
use super::shape::Paint;

/// The number that stands for a pixel that stays as it is.
pub(super) const SAME: u8 = 255;
/// Colours that are nearer than this, in squares of levels, are taken for the same.
const ALIKE: i32 = 75;
/// The ink of words, and of the words of labels.
const INK: Paint = [20, 20, 24];
const PALE_INK: Paint = [62, 70, 84];
/// The strip with the caption, and where its words begin.
const STRIP: Paint = [252, 252, 252];
pub(super) const STRIP_HIGH: usize = 19;
const WORDS_AT: i32 = 3;
const LETTER: usize = 7;

/// So many colours may come from smooth edges; the others are kept for sides.
const OF_EDGES: usize = 170;

/// The colours of a film, in the order in which they came: the first 255 that are not alike.
pub(super) struct Colours {
    paints: Vec<Paint>,
    numbers: HashMap<Paint, u8>,
}

impl Colours {
    pub fn new() -> Colours {
        let mut colours = Colours {
            paints: Vec::new(),
            numbers: HashMap::new(),
        };
        for paint in [STRIP, INK, PALE_INK, PAPER] {
            colours.side(paint);
        }
        colours
    }

    /// The number of a side's colour.
    pub fn side(&mut self, paint: Paint) -> u8 {
        self.number(paint, SAME as usize)
    }

    /// The number of any colour, or of the one that is most like it. Adds it while there are fewer than so many.
    fn number(&mut self, paint: Paint, most: usize) -> u8 {
        if let Some(&number) = self.numbers.get(&paint) {
            return number;
        }
        let far = |other: &Paint| -> i32 { (0..3).map(|c| (i32::from(paint[c]) - i32::from(other[c])).pow(2)).sum() };
        let nearest = self.paints.iter().enumerate().min_by_key(|(_, other)| far(other));
        let number = match nearest {
            Some((number, other)) if self.paints.len() >= most || far(other) < ALIKE => number,
            _ => {
                self.paints.push(paint);
                self.paints.len() - 1
            }
        };
        self.numbers.insert(paint, number as u8);
        number as u8
    }

    /// All 256 in sRGB, one after the other; those that are not used are black.
    pub fn table(&self) -> Vec<u8> {
        let mut table = self.paints.concat();
        table.resize(3 * 256, 0);
        table
    }
}

/// A picture of numbers of colours, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u8>,
}

/// Words on a canvas, in one colour.
struct Writing<'a> {
    canvas: &'a mut Canvas,
    ink: u8,
}

impl OriginDimensions for Writing<'_> {
    fn size(&self) -> Size {
        Size::new(self.canvas.width as u32, self.canvas.height as u32)
    }
}

impl DrawTarget for Writing<'_> {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        let (wide, high) = (self.canvas.width as i32, self.canvas.height as i32);
        for Pixel(Point { x, y }, colour) in pixels {
            if colour.is_on() && (0..wide).contains(&x) && (0..high).contains(&y) {
                self.canvas.pixels[(y * wide + x) as usize] = self.ink;
            }
        }
        Ok(())
    }
}

impl Canvas {
    /// A picture in the colours of a film, with a strip below for its caption.
    pub fn new(width: usize, picture: &[Paint], labels: &[(&str, [i32; 2])], colours: &mut Colours) -> Canvas {
        let mut pixels: Vec<u8> = picture.iter().map(|&paint| colours.number(paint, OF_EDGES)).collect();
        let strip = colours.side(STRIP);
        pixels.resize(pixels.len() + width * STRIP_HIGH, strip);
        let mut canvas = Canvas {
            width,
            height: pixels.len() / width,
            pixels,
        };
        let (ink, paper) = (colours.side(PALE_INK), colours.side(PAPER));
        let style = MonoTextStyle::new(&FONT_6X10, BinaryColor::On);
        // Around each letter there is paper, whatever is behind it.
        let around = (0..9).map(|i| ([i % 3 - 1, i / 3 - 1], paper)).chain([([0, 0], ink)]);
        for &(words, [x, y]) in labels {
            for ([right, down], ink) in around.clone() {
                let mut writing = Writing {
                    canvas: &mut canvas,
                    ink,
                };
                let at = Point::new(x + right, y + down);
                let Ok(_) = Text::with_baseline(words, at, style, Baseline::Middle).draw(&mut writing);
            }
        }
        canvas
    }

    /// The same with what is done at the left of the strip, and the time at its right.
    pub fn captioned(&self, words: &str, time: &str, colours: &mut Colours) -> Canvas {
        let mut canvas = self.clone();
        let ink = colours.side(INK);
        let room = (self.width / LETTER).saturating_sub(time.len() + 2);
        let words: String = words.chars().take(room).collect();
        let right = self.width as i32 - (time.len() * LETTER) as i32 - WORDS_AT;
        let style = MonoTextStyle::new(&FONT_7X13_BOLD, BinaryColor::On);
        for (words, x) in [(words.as_str(), WORDS_AT), (time, right)] {
            let at = Point::new(x, (self.height - STRIP_HIGH) as i32 + WORDS_AT);
            let mut writing = Writing {
                canvas: &mut canvas,
                ink,
            };
            let Ok(_) = Text::with_baseline(words, at, style, Baseline::Top).draw(&mut writing);
        }
        canvas
    }

    /// The smallest rectangle around what differs: its left, top, width and height.
    pub fn differs(&self, before: &Canvas) -> Option<[usize; 4]> {
        let mut corners: Option<[usize; 4]> = None;
        for (i, (a, b)) in self.pixels.iter().zip(&before.pixels).enumerate() {
            if a != b {
                let (x, y) = (i % self.width, i / self.width);
                let [l, t, r, d] = corners.unwrap_or([x, y, x, y]);
                corners = Some([l.min(x), t.min(y), r.max(x), d.max(y)]);
            }
        }
        corners.map(|[l, t, r, d]| [l, t, r - l + 1, d - t + 1])
    }

    /// A rectangle of it, in which what is as before is left out.
    pub fn changes(&self, before: &Canvas, [left, top, width, height]: [usize; 4]) -> Vec<u8> {
        let places = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        let change = |(x, y): (usize, usize)| {
            let i = y * self.width + x;
            if self.pixels[i] == before.pixels[i] {
                SAME
            } else {
                self.pixels[i]
            }
        };
        places.map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_has_at_most_as_many_colours_as_a_picture_can_and_takes_the_nearest_then() {
        let mut colours = Colours::new();
        for r in 0..16 {
            for g in 0..16 {
                colours.number([r * 16, g * 16, 40], OF_EDGES);
            }
        }
        assert_eq!(colours.paints.len(), OF_EDGES);
        for r in 0..16 {
            for g in 0..16 {
                colours.side([r * 16, g * 16, 120]);
            }
        }
        assert_eq!(colours.paints.len(), 255);
        let full = colours.paints.len();
        let number = colours.side([2, 250, 41]);
        assert_eq!((colours.paints.len(), number < SAME), (full, true));
        let there = colours.paints[number as usize];
        assert!(there[0] < 40 && there[1] > 220, "{there:?}");
        assert_eq!(colours.table().len(), 768);
    }

    #[test]
    fn what_has_changed_makes_the_new_picture_of_the_old_one() {
        let mut colours = Colours::new();
        let before = Canvas::new(40, &[[9, 200, 9]; 40 * 30], &[], &mut colours);
        let mut after = before.captioned("hi", "1.0 s", &mut colours);
        after.pixels[3 * 40 + 7] = 2;
        let place = after.differs(&before).unwrap();
        assert_eq!(place[1], 3);
        let [left, top, width, _] = place;
        let mut made = before.clone();
        for (i, &pixel) in after.changes(&before, place).iter().enumerate() {
            if pixel != SAME {
                made.pixels[(top + i / width) * 40 + left + i % width] = pixel;
            }
        }
        assert_eq!(made, after);
        assert_eq!(before.differs(&before), None);
    }
}
