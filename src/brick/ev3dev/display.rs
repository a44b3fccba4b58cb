//! The LCD, drawn into the kernel's framebuffer.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_6X10;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_graphics::text::{Baseline, Text};

use super::Place;
use crate::brick::{DeviceError, Display};

const DEVICE: &str = "/dev/fb0";
const ABOUT: &str = "/sys/class/graphics/fb0";

/// Pixels per line and lines of the LCD.
const WIDTH: usize = 178;
const HEIGHT: usize = 128;

/// The LCD and how its framebuffer is laid out.
pub(super) struct Lcd {
    place: Place,
    file: File,
    layout: Layout,
}

impl Lcd {
    pub(super) fn open() -> Result<Self, DeviceError> {
        let place = Place {
            what: "display",
            place: DEVICE.to_owned(),
            hint: "start the program on an EV3 under ev3dev",
        };
        let file = match OpenOptions::new().write(true).open(DEVICE) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(place.missing()),
            Err(error) => return Err(place.failed(error)),
        };
        let layout = Layout::read(Path::new(ABOUT)).map_err(|reason| place.failed(reason))?;
        Ok(Self { place, file, layout })
    }
}

impl Display for Lcd {
    fn show(&mut self, lines: &[String]) -> Result<(), DeviceError> {
        let bytes = self.layout.encode(&Page::of(lines));
        let write = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(&bytes));
        write.map_err(|error| self.place.failed(error))
    }
}

/// How a framebuffer holds its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    depth: Depth,
    /// Bytes from one line to the next.
    stride: usize,
    width: usize,
    height: usize,
}

/// The two kinds that the EV3 has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Before kernel 4.14: eight pixels a byte, the least significant bit leftmost, 1 is black.
    Bit,
    /// Since kernel 4.14: XRGB, 4 bytes a pixel, 0 is black.
    Xrgb,
}

impl Layout {
    /// Asks the kernel's graphics class, in a folder like `/sys/class/graphics/fb0`.
    fn read(folder: &Path) -> Result<Self, String> {
        let text = |name: &str| match fs::read_to_string(folder.join(name)) {
            Ok(text) => Ok(text.trim().to_owned()),
            Err(error) => Err(format!("{name}: {error}")),
        };
        let number = |name: &str, text: &str| text.parse::<usize>().map_err(|_| format!("{name} is {text:?}"));
        let depth = match text("bits_per_pixel")?.as_str() {
            "1" => Depth::Bit,
            "32" => Depth::Xrgb,
            other => return Err(format!("{other} bits a pixel, but only 1 and 32 are known")),
        };
        let size = text("virtual_size")?;
        let (width, height) = size
            .split_once(',')
            .ok_or_else(|| format!("virtual_size is {size:?}"))?;
        let layout = Self {
            depth,
            stride: number("stride", &text("stride")?)?,
            width: number("virtual_size", width)?,
            height: number("virtual_size", height)?,
        };
        let needed = match depth {
            Depth::Bit => layout.width.div_ceil(8),
            Depth::Xrgb => layout.width * 4,
        };
        if layout.stride < needed {
            return Err(format!(
                "{} bytes a line do not hold {} pixels",
                layout.stride, layout.width
            ));
        }
        Ok(layout)
    }

    /// The bytes of the whole framebuffer that show a page in its upper left corner.
    fn encode(&self, page: &Page) -> Vec<u8> {
        let mut bytes = vec![0; self.stride * self.height];
        for (y, line) in bytes.chunks_exact_mut(self.stride).enumerate() {
            for x in 0..self.width {
                match (self.depth, page.is_black(x, y)) {
                    (Depth::Bit, true) => line[x / 8] |= 1 << (x % 8),
                    (Depth::Xrgb, false) => line[4 * x..4 * x + 4].copy_from_slice(&[0xff; 4]),
                    (Depth::Bit, false) | (Depth::Xrgb, true) => {}
                }
            }
        }
        bytes
    }
}

/// A drawn picture in black and white.
struct Page {
    black: Vec<bool>,
}

impl Page {
    /// Lines of text from the top, broken between words where they are too long; what does not fit is cut off.
    fn of(lines: &[String]) -> Self {
        let mut page = Self {
            black: vec![false; WIDTH * HEIGHT],
        };
        let style = MonoTextStyle::new(&FONT_6X10, BinaryColor::On);
        let columns = WIDTH / FONT_6X10.character_size.width as usize;
        let lines = lines.iter().flat_map(|line| broken(line, columns));
        for (row, line) in (0..).step_by(FONT_6X10.character_size.height as usize).zip(lines) {
            // Drawing into memory cannot fail.
            let Ok(_) = Text::with_baseline(&line, Point::new(0, row), style, Baseline::Top).draw(&mut page);
        }
        page
    }

    /// Everything beyond the edges is white.
    fn is_black(&self, x: usize, y: usize) -> bool {
        x < WIDTH && self.black.get(y * WIDTH + x).is_some_and(|&black| black)
    }
}

/// A line broken between words into lines of at most so many characters; a longer word stays whole.
fn broken(line: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + 1 + word.chars().count() > columns {
            lines.push(word.to_owned());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}

impl OriginDimensions for Page {
    fn size(&self) -> Size {
        Size::new(WIDTH as u32, HEIGHT as u32)
    }
}

impl DrawTarget for Page {
    type Color = BinaryColor;
    type Error = std::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Self::Error> {
        for Pixel(point, color) in pixels {
            if let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y))
                && x < WIDTH
                && y < HEIGHT
            {
                self.black[y * WIDTH + x] = color.is_on();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIT: Layout = Layout {
        depth: Depth::Bit,
        stride: 24,
        width: WIDTH,
        height: HEIGHT,
    };
    const XRGB: Layout = Layout {
        depth: Depth::Xrgb,
        stride: 4 * WIDTH,
        width: WIDTH,
        height: HEIGHT,
    };

    fn layout(bits: &str, size: &str, stride: &str) -> Result<Layout, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, value) in [("bits_per_pixel", bits), ("virtual_size", size), ("stride", stride)] {
            fs::write(folder.path().join(name), format!("{value}\n")).unwrap();
        }
        Layout::read(folder.path())
    }

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn both_framebuffers_of_the_ev3_are_understood_and_others_refused() {
        assert_eq!(layout("1", "178,128", "24"), Ok(BIT));
        assert_eq!(layout("32", "178,128", "712"), Ok(XRGB));
        assert_eq!(
            layout("16", "178,128", "356"),
            Err("16 bits a pixel, but only 1 and 32 are known".to_owned())
        );
        assert_eq!(
            layout("32", "178,128", "100"),
            Err("100 bytes a line do not hold 178 pixels".to_owned())
        );
        assert_eq!(layout("1", "178", "24"), Err("virtual_size is \"178\"".to_owned()));
    }

    #[test]
    fn both_framebuffers_show_the_same_pixels() {
        let page = Page::of(&lines("Solving 3x3x3\nR U2 F'"));
        let (bit, xrgb) = (BIT.encode(&page), XRGB.encode(&page));
        let mut black = 0;
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let in_bit = bit[y * 24 + x / 8] >> (x % 8) & 1 == 1;
                let in_xrgb = xrgb[y * 712 + 4 * x..][..4] == [0; 4];
                assert_eq!(in_bit, in_xrgb, "at {x},{y}");
                black += usize::from(in_bit);
            }
        }
        assert!((100..1000).contains(&black), "{black} black pixels");
    }

    #[test]
    fn each_line_of_text_has_its_own_rows() {
        let rows = |text: &str| {
            let page = Page::of(&lines(text));
            (0..HEIGHT)
                .filter(|&y| (0..WIDTH).any(|x| page.is_black(x, y)))
                .collect::<Vec<_>>()
        };
        let (first, second) = (rows("EEE"), rows("\nEEE"));
        assert!(first.iter().all(|&y| y < 10) && !first.is_empty());
        assert_eq!(second, first.iter().map(|y| y + 10).collect::<Vec<_>>());
    }

    #[test]
    fn what_does_not_fit_is_cut_off() {
        let long = vec!["R".repeat(300); 60];
        let fitting = vec!["R".repeat(30); 13];
        assert!(Page::of(&long).black == Page::of(&fitting).black);
    }

    #[test]
    fn a_letter_that_the_font_has_not_got_shows_as_a_question_mark() {
        assert_eq!(Page::of(&lines("W▦rfel")).black, Page::of(&lines("W?rfel")).black);
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        let text = "no motor at outA: plug a large motor into port A";
        assert_eq!(
            broken(text, 20),
            ["no motor at outA:", "plug a large motor", "into port A"]
        );
        assert_eq!(broken("short", 20), ["short"]);
        assert_eq!(broken("", 20), [""]);
        assert_eq!(broken(text, 20).join(" "), text);
    }
}
