//! The LCD, drawn into the kernel's framebuffer.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use super::place::Place;
use crate::brick::{DeviceError, Display, Page};

const DEVICE: &str = "/dev/fb0";
const ABOUT: &str = "/sys/class/graphics/fb0";

/// The LCD and how its framebuffer is laid out.
pub(super) struct Lcd {
    place: Place,
    file: File,
    layout: Layout,
    /// What was written last.
    shown: Option<Page>,
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
        Ok(Self {
            place,
            file,
            layout,
            shown: None,
        })
    }
}

impl Display for Lcd {
    fn show(&mut self, page: &Page) -> Result<(), DeviceError> {
        let rows = self.layout.changed(self.shown.as_ref(), page);
        let bytes = self.layout.encode(page, rows.clone());
        // After a failure it is not known what is there.
        self.shown = None;
        let write = self
            .file
            .seek(SeekFrom::Start((rows.start * self.layout.stride) as u64))
            .and_then(|_| self.file.write_all(&bytes));
        write.map_err(|error| self.place.failed(error))?;
        self.shown = Some(page.clone());
        Ok(())
    }
}

/// The most pixels and bytes of a line, and the most lines, of any display.
const LARGEST: usize = 1 << 14;

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
        Self::parse(&text("bits_per_pixel")?, &text("virtual_size")?, &text("stride")?)
    }

    fn parse(bits: &str, size: &str, stride: &str) -> Result<Self, String> {
        let number = |name: &str, text: &str| match text.parse::<usize>() {
            Ok(number) if (1..=LARGEST).contains(&number) => Ok(number),
            _ => Err(format!("{name} is {text:?}")),
        };
        let depth = match bits {
            "1" => Depth::Bit,
            "32" => Depth::Xrgb,
            other => return Err(format!("{other} bits a pixel, but only 1 and 32 are known")),
        };
        let (width, height) = size
            .split_once(',')
            .ok_or_else(|| format!("virtual_size is {size:?}"))?;
        let layout = Self {
            depth,
            stride: number("stride", stride)?,
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

    /// The rows to write to show a page in place of another one: from the first that differs to the last.
    fn changed(&self, before: Option<&Page>, page: &Page) -> Range<usize> {
        let Some(before) = before else { return 0..self.height };
        let mut differing = (0..self.height).filter(|&y| !before.is_same_row(page, y));
        match differing.next() {
            Some(first) => first..differing.next_back().unwrap_or(first) + 1,
            None => 0..0,
        }
    }

    /// The bytes of some rows of the framebuffer, with a page in its upper left corner.
    fn encode(&self, page: &Page, rows: Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; self.stride * rows.len()];
        for (y, line) in rows.zip(bytes.chunks_exact_mut(self.stride)) {
            match self.depth {
                Depth::Bit => {
                    for (i, byte) in line.iter_mut().enumerate() {
                        *byte = (0..8).map(|x| u8::from(page.is_black(8 * i + x, y)) << x).sum();
                    }
                }
                Depth::Xrgb => {
                    for (x, pixel) in line.chunks_exact_mut(4).take(self.width).enumerate() {
                        pixel.fill(if page.is_black(x, y) { 0 } else { 0xff });
                    }
                }
            }
        }
        bytes
    }
}

#[cfg(any(all(test, feature = "pc"), fuzzing))]
pub(super) fn read_attributes(text: &str) {
    let mut lines = text.lines();
    let [bits, size, stride] = [(); 3].map(|()| lines.next().unwrap_or_default());
    if let Ok(layout) = Layout::parse(bits, size, stride) {
        let rows = layout.changed(Some(&Page::new()), &Page::new());
        assert!(layout.encode(&Page::new(), rows).is_empty());
        layout.encode(&Page::new(), 0..layout.height.min(200));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = Page::WIDTH;
    const HEIGHT: usize = Page::HEIGHT;
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
        assert_eq!(layout("1", "0,128", "0"), Err("stride is \"0\"".to_owned()));
        // A framebuffer of such lines would not fit into memory.
        let endless = layout("1", "178,128", "99999999999");
        assert_eq!(endless, Err("stride is \"99999999999\"".to_owned()));
    }

    fn page(text: &str) -> Page {
        let mut page = Page::new();
        page.text((3, 40), 1, text);
        page
    }

    #[test]
    fn both_framebuffers_show_the_same_pixels() {
        let page = page("Solving 3x3x3");
        let (bit, xrgb) = (BIT.encode(&page, 0..HEIGHT), XRGB.encode(&page, 0..HEIGHT));
        let mut black = 0;
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let in_bit = bit[y * 24 + x / 8] >> (x % 8) & 1 == 1;
                let in_xrgb = xrgb[y * 712 + 4 * x..][..4] == [0; 4];
                assert_eq!(
                    (in_bit, in_xrgb),
                    (page.is_black(x, y), page.is_black(x, y)),
                    "at {x},{y}"
                );
                black += usize::from(in_bit);
            }
        }
        assert!((100..1000).contains(&black), "{black} black pixels");
    }

    #[test]
    fn a_larger_framebuffer_is_white_around_the_page() {
        let mut black = Page::new();
        black.fill((0, 0), (WIDTH, HEIGHT), true);
        let larger = Layout {
            depth: Depth::Xrgb,
            stride: 800,
            width: 190,
            height: 140,
        };
        let bytes = larger.encode(&black, 0..140);
        let is_black = |x: usize, y: usize| bytes[y * 800 + 4 * x] == 0;
        assert!(is_black(177, 127) && !is_black(178, 127) && !is_black(189, 0) && !is_black(0, 128));
    }

    #[test]
    fn only_the_rows_that_differ_are_written() {
        let (before, after) = (page("Thinking"), page("Turning"));
        assert_eq!(XRGB.changed(None, &after), 0..HEIGHT);
        assert_eq!(XRGB.changed(Some(&after), &after), 0..0);
        let rows = XRGB.changed(Some(&before), &after);
        assert!(
            (40..50).contains(&rows.start) && rows.end <= 50 && rows.len() > 5,
            "{rows:?}"
        );
        let mut shown = XRGB.encode(&before, 0..HEIGHT);
        shown[rows.start * 712..rows.end * 712].copy_from_slice(&XRGB.encode(&after, rows));
        assert!(shown == XRGB.encode(&after, 0..HEIGHT));
    }
}
