//! A sheet to draw on, and words that know about how wide they are.

use std::fmt::Write;

use crate::net::escaped;

/// The width of a letter, as a part of its height: wide ones are less frequent.
const WIDE: f32 = 0.56;

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Words {
    text: String,
    size: f32,
    bold: bool,
    colour: &'static str,
}

impl Words {
    pub fn plain(text: &str) -> Words {
        Words {
            text: text.to_string(),
            size: 14.0,
            bold: false,
            colour: "#222222",
        }
    }

    pub fn bold(text: &str) -> Words {
        Words {
            size: 15.0,
            bold: true,
            ..Words::plain(text)
        }
    }

    pub fn title(text: &str) -> Words {
        Words {
            size: 22.0,
            ..Words::bold(text)
        }
    }

    pub fn faint(self) -> Words {
        Words {
            size: 13.0,
            colour: "#555555",
            ..self
        }
    }

    /// A text in as many lines as it needs.
    pub fn broken(text: &str, width: f32) -> Vec<Words> {
        let letters = (width / (14.0 * WIDE)) as usize;
        crate::brick::broken(text, letters)
            .iter()
            .map(|line| Words::plain(line))
            .collect()
    }

    fn width(&self) -> f32 {
        let wide = if self.bold { 1.08 } else { 1.0 };
        self.text.chars().count() as f32 * self.size * WIDE * wide
    }
}

/// A place taken by a text: left, top, right, bottom.
pub(super) type Taken = (f32, f32, f32, f32);

/// The drawing as far as it is done.
pub(super) struct Sheet {
    width: f32,
    height: f32,
    body: String,
    /// Where texts stand, for a test that none covers another.
    pub taken: Vec<(Taken, String)>,
}

impl Sheet {
    pub fn new(width: f32) -> Sheet {
        Sheet {
            width,
            height: 0.0,
            body: String::new(),
            taken: Vec::new(),
        }
    }

    pub fn height(&mut self, height: f32) {
        self.height = height;
    }

    pub fn width(&self) -> f32 {
        self.width
    }

    fn add(&mut self, what: std::fmt::Arguments) {
        // A text takes everything.
        let _ = self.body.write_fmt(what);
    }

    /// A text that begins at a place on its base line.
    pub fn text(&mut self, at: (f32, f32), words: &Words) {
        self.words(at, words, "start");
    }

    /// A text around a place on its base line.
    pub fn middle(&mut self, at: (f32, f32), words: &Words) {
        self.words(at, words, "middle");
    }

    fn words(&mut self, (x, y): (f32, f32), words: &Words, anchor: &str) {
        let left = if anchor == "middle" { x - words.width() / 2.0 } else { x };
        let box_of = (left, y - words.size * 0.8, left + words.width(), y + words.size * 0.25);
        self.taken.push((box_of, words.text.clone()));
        let weight = if words.bold { " font-weight=\"bold\"" } else { "" };
        let (size, colour, text) = (words.size, words.colour, escaped(&words.text));
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{weight}>{text}</text>\n"
        ));
    }

    pub fn rect(&mut self, (x, y): (f32, f32), (w, h): (f32, f32), round: f32, fill: &str, line: &str) {
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\"/>\n"
        ));
    }

    pub fn circle(&mut self, (x, y): (f32, f32), r: f32, fill: &str, line: &str) {
        self.add(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\"/>\n"
        ));
    }

    /// Any line, in SVG's letters.
    pub fn path(&mut self, way: &str, width: f32, colour: &str) {
        self.add(format_args!(
            "<path d=\"{way}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>\n"
        ));
    }

    /// A cable from a port, straight out of it, to a card.
    pub fn wire(&mut self, (x, y): (f32, f32), (to, end): (f32, f32), colour: &str) {
        let half = (y + end) / 2.0;
        self.path(&format!("M{x} {y}C{x} {half} {to} {half} {to} {end}"), 4.0, colour);
    }

    /// A cable that leaves to the right and comes from above.
    pub fn round(&mut self, ((x, y), (to, end)): ((f32, f32), (f32, f32)), colour: &str) {
        self.path(&format!("M{x} {y}C{to} {y} {to} {y} {to} {end}"), 4.0, colour);
    }

    /// An arrow from a place to another.
    pub fn arrow(&mut self, (x, y): (f32, f32), (to, end): (f32, f32), colour: &str) {
        self.path(&format!("M{x} {y}L{to} {end}"), 3.0, colour);
        let (dx, dy) = (to - x, end - y);
        self.head((to, end), (dx, dy), colour);
    }

    /// An arrow around a middle, three quarters of a circle.
    pub fn turning(&mut self, (x, y): (f32, f32), r: f32, clockwise: bool, colour: &str) {
        // From the left over the top to below, or mirrored.
        let side = if clockwise { -1.0 } else { 1.0 };
        let (from, sweep) = (x + side * r, u8::from(clockwise));
        let way = format!("M{from} {y}A{r} {r} 0 1 {sweep} {x} {}", y + r);
        self.path(&way, 3.0, colour);
        self.head((x, y + r), (side, 0.0), colour);
    }

    /// The head of an arrow that goes this way.
    fn head(&mut self, (x, y): (f32, f32), (dx, dy): (f32, f32), colour: &str) {
        let length = dx.hypot(dy).max(1e-3);
        let (dx, dy) = (dx / length * 7.0, dy / length * 7.0);
        self.add(format_args!(
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{colour}\"/>\n",
            x + dx,
            y + dy,
            x - dx * 0.6 - dy,
            y - dy * 0.6 + dx,
            x - dx * 0.6 + dy,
            y - dy * 0.6 - dx,
        ));
    }

    /// The whole text.
    pub fn end(self, begin: &str) -> String {
        let (width, height) = (self.width, self.height);
        format!(
            "{begin}viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fafafa\"/>\n{}</svg>\n",
            self.body
        )
    }
}
