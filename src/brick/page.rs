//! A picture for people, and the few ways to draw on it.

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_graphics::text::{Baseline, Text};

/// Bytes of a row, of eight pixels each: a page is often copied and compared.
const STRIDE: usize = Page::WIDTH.div_ceil(8);

/// A page of the display: 178 x 128 pixels, black on white. The program lays everything out for this size; a display of another size fits it
/// in. What is drawn beyond the edges is lost.
#[derive(Clone, PartialEq, Eq)]
pub struct Page {
    rows: Vec<u8>,
}

impl Page {
    /// Pixels in a row.
    pub const WIDTH: usize = 178;
    /// Rows.
    pub const HEIGHT: usize = 128;
    /// Width of a letter at scale 1, with the gap to the next.
    pub const LETTER: usize = 6;
    /// Height of a line of text at scale 1.
    pub const LINE: usize = 10;

    /// A white page.
    pub fn new() -> Page {
        Page {
            rows: vec![0; STRIDE * Page::HEIGHT],
        }
    }

    /// Whether a row is the same as that of another page. Rows below the last one are.
    pub fn is_same_row(&self, other: &Page, y: usize) -> bool {
        self.row(y) == other.row(y)
    }

    /// The pixels, as they go over a wire: row by row, each row from a byte of its own, eight pixels in a byte, the left one in its lowest
    /// bit, 1 for black.
    pub fn bytes(&self) -> &[u8] {
        &self.rows
    }

    fn row(&self, y: usize) -> &[u8] {
        self.rows.get(y * STRIDE..(y + 1) * STRIDE).unwrap_or(&[])
    }

    /// Whether a pixel is black; everything beyond the edges is white.
    pub fn is_black(&self, x: usize, y: usize) -> bool {
        x < Page::WIDTH && self.row(y).get(x / 8).is_some_and(|byte| byte >> (x % 8) & 1 == 1)
    }

    /// Makes a pixel black or white.
    pub fn set(&mut self, x: usize, y: usize, black: bool) {
        if x < Page::WIDTH
            && let Some(byte) = self.rows.get_mut(y * STRIDE + x / 8)
        {
            let bit = 1 << (x % 8);
            *byte = if black { *byte | bit } else { *byte & !bit };
        }
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), black: bool) {
        for y in y..y + height {
            for x in x..x + width {
                self.set(x, y, black);
            }
        }
    }

    /// Makes what is black in a rectangle white, and what is white black.
    pub fn invert(&mut self, (x, y): (usize, usize), (width, height): (usize, usize)) {
        for (x, y) in (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y))) {
            self.set(x, y, !self.is_black(x, y));
        }
    }

    /// Draws the one pixel wide edge of a rectangle.
    pub fn frame(&mut self, (x, y): (usize, usize), (width, height): (usize, usize)) {
        self.fill((x, y), (width, 1), true);
        self.fill((x, y + height.saturating_sub(1)), (width, 1), true);
        self.fill((x, y), (1, height), true);
        self.fill((x + width.saturating_sub(1), y), (1, height), true);
    }

    /// Writes a line of text, so many times as large as the font is.
    pub fn text(&mut self, at: (usize, usize), scale: usize, text: &str) {
        self.write(at, scale, text, true);
    }

    /// Writes a line of text, white on a black bar that reaches over so many pixels.
    pub fn bar_text(&mut self, (x, y): (usize, usize), width: usize, text: &str) {
        self.fill((x, y), (width, Page::LINE + 2), true);
        self.write((x + 2, y + 1), 1, text, false);
    }

    fn write(&mut self, (x, y): (usize, usize), scale: usize, text: &str, black: bool) {
        let style = MonoTextStyle::new(&FONT_6X10, BinaryColor::On);
        let mut pen = Pen {
            page: self,
            x,
            y,
            scale,
            black,
        };
        // Drawing into memory cannot fail.
        let Ok(_) = Text::with_baseline(text, Point::zero(), style, Baseline::Top).draw(&mut pen);
    }

    /// Where a line of text is, black on white or white on black, if it is there. For tests and tools that read a simulated display.
    pub fn find(&self, text: &str, scale: usize) -> Option<(usize, usize)> {
        let (width, height) = (text.chars().count() * Page::LETTER * scale, Page::LINE * scale);
        let mut wanted = Page::new();
        wanted.text((0, 0), scale, text);
        let is_at = |(x, y): (usize, usize)| {
            let differs = |black: bool| {
                (0..height).any(|j| (0..width).any(|i| self.is_black(x + i, y + j) != (wanted.is_black(i, j) == black)))
            };
            !differs(true) || !differs(false)
        };
        (0..=Page::HEIGHT.checked_sub(height)?)
            .flat_map(|y| (0..=Page::WIDTH.saturating_sub(width)).map(move |x| (x, y)))
            .find(|&at| is_at(at))
    }
}

impl Default for Page {
    fn default() -> Page {
        Page::new()
    }
}

impl std::fmt::Debug for Page {
    /// Draws the page with letters.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for y in 0..Page::HEIGHT {
            let row: String = (0..Page::WIDTH)
                .map(|x| if self.is_black(x, y) { '#' } else { '.' })
                .collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

/// Draws letters on a page, larger and in black or white.
struct Pen<'a> {
    page: &'a mut Page,
    x: usize,
    y: usize,
    scale: usize,
    black: bool,
}

impl OriginDimensions for Pen<'_> {
    fn size(&self) -> Size {
        Size::new(Page::WIDTH as u32, Page::HEIGHT as u32)
    }
}

impl DrawTarget for Pen<'_> {
    type Color = BinaryColor;
    type Error = std::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Self::Error> {
        let scale = self.scale;
        for Pixel(point, color) in pixels {
            if let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y))
                && color.is_on()
            {
                self.page
                    .fill((self.x + scale * x, self.y + scale * y), (scale, scale), self.black);
            }
        }
        Ok(())
    }
}

/// Breaks a text between words into lines of at most so many letters. A longer word is broken where the line ends.
pub fn broken(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > columns {
            lines.push(String::new());
            length = 0;
        } else if length > 0 {
            if let Some(line) = lines.last_mut() {
                line.push(' ');
            }
            length += 1;
        }
        for letter in word.chars() {
            if length == columns {
                lines.push(String::new());
                length = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(letter);
            }
            length += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_stays_in_its_box_and_grows_with_the_scale() {
        let inked = |scale: usize| {
            let mut page = Page::new();
            page.text((30, 20), scale, "W");
            let black = |&(x, y): &(usize, usize)| page.is_black(x, y);
            let all = (0..Page::WIDTH).flat_map(|x| (0..Page::HEIGHT).map(move |y| (x, y)));
            let inked: Vec<_> = all.filter(black).collect();
            let inside = |&(x, y): &(usize, usize)| {
                (30..30 + Page::LETTER * scale).contains(&x) && (20..20 + Page::LINE * scale).contains(&y)
            };
            assert!(inked.iter().all(inside), "{page:?}");
            inked.len()
        };
        assert!(inked(1) > 10);
        assert_eq!(inked(2), 4 * inked(1));
    }

    #[test]
    fn a_text_is_found_where_it_was_written_and_no_other() {
        let mut page = Page::new();
        page.text((11, 35), 2, "3x3x3");
        page.bar_text((0, 90), Page::WIDTH, "Start");
        assert_eq!(page.find("3x3x3", 2), Some((11, 35)));
        assert_eq!(page.find("Start", 1), Some((2, 91)));
        assert_eq!(page.find("3x3x3", 1), None);
        assert_eq!(page.find("4x4x4", 2), None);
    }

    #[test]
    fn what_lies_beyond_the_edges_is_lost_and_nothing_else() {
        let mut page = Page::new();
        page.fill((170, 120), (50, 50), true);
        page.text((175, 125), 3, "W");
        assert!(page.is_black(177, 127) && !page.is_black(169, 127) && !page.is_black(178, 127));
        assert!(!page.is_black(0, 121) && page.row(128).is_empty());
    }

    #[test]
    fn a_letter_that_the_font_has_not_got_shows_as_a_question_mark() {
        let mut page = Page::new();
        page.text((0, 0), 1, "W▦rfel");
        assert_eq!(page.find("W?rfel", 1), Some((0, 0)));
    }

    #[test]
    fn long_lines_are_broken_between_words_and_longer_words_within() {
        let text = "no motor at outA: plug a large motor into port A";
        assert_eq!(
            broken(text, 20),
            ["no motor at outA:", "plug a large motor", "into port A"]
        );
        assert_eq!(broken("short", 20), ["short"]);
        assert_eq!(broken("", 20), [""]);
        assert_eq!(broken(text, 20).join(" "), text);
        assert_eq!(
            broken("a /home/robot/tables b", 8),
            ["a", "/home/ro", "bot/tabl", "es b"]
        );
    }
}
