//! A drawing of a machine's cables as SVG: which goes into which port, which way each motor goes, and where its part stands. All of it comes
//! from the calibration.

mod scene;
mod sheet;

use crate::app::{Cable, Device, Model, Socket};
use crate::brick::SensorPort;
use sheet::{Sheet, Words};

/// What every such drawing begins with, and nothing else does.
pub const BEGIN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cranecuber-cables\" ";

// Pixels.
/// A card that tells of one cable.
const CARD: f32 = 240.0;
/// From one card to the next.
const STEP: f32 = 258.0;
const MARGIN: f32 = 24.0;
/// The heading.
const TOP: f32 = 70.0;
/// A line of text in a card, and above the first.
const LINE: f32 = 18.0;
const ABOVE: f32 = 30.0;
/// From cards to a brick.
const WIRES: f32 = 80.0;
/// A brick.
const BRICK: (f32, f32) = (230.0, 130.0);
const PORT: f32 = 22.0;

/// Cables, so that neighbours differ.
const COLOURS: [&str; 8] = [
    "#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#117a65", "#a04000", "#515a5a",
];

/// A card with its place and its cable's colour.
struct Card<'a> {
    cable: &'a Cable,
    lines: Vec<Words>,
    at: (f32, f32),
    colour: &'static str,
}

/// The drawing.
pub fn drawing(model: &Model) -> String {
    sheet(model).end(BEGIN)
}

fn sheet(model: &Model) -> Sheet {
    let cables = model.cables();
    let (mut above, mut below): (Vec<&Cable>, Vec<&Cable>) = cables
        .iter()
        .partition(|cable| matches!(cable.socket, Socket::Motor(_)));
    // In the order of their ports, so that no two wires cross; those of the second brick behind those of the first.
    let port = |cable: &&Cable| match cable.socket {
        Socket::Motor(port) => (port.is_at_hands(), char::from(port)),
        Socket::Sensor(port) => (false, char::from(b'0' + u8::from(port))),
        Socket::Usb => (true, 'Z'),
    };
    crate::order::by_key(&mut above, port);
    crate::order::by_key(&mut below, port);
    let columns = above.len().max(below.len()).max(3) as f32;
    let width = 2.0 * MARGIN + columns * STEP - (STEP - CARD);
    let mut sheet = Sheet::new(width);
    sheet.text(
        (MARGIN, 36.0),
        &Words::title(&format!("{}: which cable goes where", model.name())),
    );
    let from = "Drawn from the calibration file. Numbers are degrees of the motors.";
    sheet.text((MARGIN, 58.0), &Words::plain(from));

    let mut above = cards(&above, TOP, 0);
    let tall = above.iter().map(Card::height).fold(0.0, f32::max);
    let bricks_at = TOP + tall + WIRES;
    let sensors_at = bricks_at + BRICK.1 + WIRES;
    let mut below = cards(&below, sensors_at, above.len());
    let lent = above.iter().filter(|card| is_at_hands(card.cable)).count();
    let own = above.len() - lent;
    // Each brick stands below its own cards.
    let middle = |from: usize, count: usize| {
        let first = MARGIN + from as f32 * STEP;
        first + (count as f32 * STEP - (STEP - CARD)) / 2.0 - BRICK.0 / 2.0
    };
    let mut bricks = vec![((middle(0, own.max(1)), bricks_at), false)];
    if lent > 0 {
        bricks.push(((middle(own, lent), bricks_at), true));
    }
    let shift = bricks[0].0.0 + BRICK.0 / 2.0 - (MARGIN + (below.len() as f32 * STEP - (STEP - CARD)) / 2.0);
    below.iter_mut().for_each(|card| card.at.0 += shift.max(0.0));
    for &(at, hands) in &bricks {
        brick(&mut sheet, at, hands, lent > 0);
    }
    for card in above.iter_mut().chain(&mut below) {
        let hands = is_at_hands(card.cable);
        let at = bricks
            .iter()
            .find(|(_, there)| *there == hands)
            .map_or((0.0, 0.0), |(at, _)| *at);
        wire(&mut sheet, card, at);
        card.draw(&mut sheet);
    }
    let deep = below.iter().map(Card::height).fold(0.0, f32::max);
    let end = scene::draw(&mut sheet, model, sensors_at + deep + 46.0, MARGIN);
    sheet.height(end + MARGIN);
    sheet
}

fn is_at_hands(cable: &Cable) -> bool {
    matches!(cable.socket, Socket::Motor(port) if port.is_at_hands())
}

fn cards<'a>(cables: &[&'a Cable], y: f32, before: usize) -> Vec<Card<'a>> {
    let one = |(i, cable): (usize, &&'a Cable)| Card {
        cable,
        lines: lines(cable),
        at: (MARGIN + i as f32 * STEP, y),
        colour: COLOURS[(before + i) % COLOURS.len()],
    };
    cables.iter().enumerate().map(one).collect()
}

fn lines(cable: &Cable) -> Vec<Words> {
    let what = match cable.device {
        Device::Motor(_) => format!("{}, {}", cable.socket, cable.device),
        _ => cable.socket.to_string(),
    };
    let mut lines = vec![Words::bold(&capital(cable.part)), Words::plain(&what)];
    lines.extend(Words::broken(&cable.does, CARD - 24.0));
    for place in &cable.places {
        lines.extend(Words::broken(place, CARD - 24.0).into_iter().map(Words::faint));
    }
    lines
}

/// The same with a large first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

impl Card<'_> {
    fn height(&self) -> f32 {
        ABOVE + LINE * self.lines.len() as f32
    }

    fn draw(&self, sheet: &mut Sheet) {
        let (x, y) = self.at;
        sheet.rect(self.at, (CARD, self.height()), 8.0, "#ffffff", self.colour);
        for (i, words) in self.lines.iter().enumerate() {
            sheet.text((x + 12.0, y + 26.0 + LINE * i as f32), words);
        }
        if let Some(clockwise) = self.cable.clockwise {
            sheet.turning((x + CARD - 28.0, y + 28.0), 14.0, clockwise, self.colour);
        }
    }
}

/// A brick with its ports, those for motors above and those for sensors below, as they are on it.
fn brick(sheet: &mut Sheet, (x, y): (f32, f32), hands: bool, is_one_of_two: bool) {
    sheet.rect((x, y), BRICK, 10.0, "#e8e8e8", "#555555");
    sheet.rect((x + 65.0, y + 32.0), (100.0, 46.0), 4.0, "#cfd8c6", "#777777");
    let name = match (hands, is_one_of_two) {
        (true, _) => "second brick",
        (false, true) => "first brick",
        (false, false) => "EV3 brick",
    };
    sheet.middle((x + BRICK.0 / 2.0, y + 60.0), &Words::plain(name));
    for (dx, size) in [(89.0, 14.0), (108.0, 14.0), (127.0, 14.0)] {
        sheet.rect((x + dx, y + 83.0), (size, 10.0), 3.0, "#9e9e9e", "#777777");
    }
    for letter in 'A'..='D' {
        let (px, _) = motor_port((x, y), letter);
        sheet.rect((px - PORT / 2.0, y), (PORT, 10.0), 2.0, "#333333", "#333333");
        sheet.middle((px, y + 26.0), &Words::bold(&letter.to_string()));
    }
    for port in SensorPort::ALL {
        let (px, py) = sensor_port((x, y), port);
        sheet.rect((px - PORT / 2.0, py - 10.0), (PORT, 10.0), 2.0, "#333333", "#333333");
        sheet.middle((px, py - 15.0), &Words::bold(&port.to_string()));
    }
    if !hands {
        sheet.rect((x + BRICK.0 - 10.0, y + 50.0), (10.0, 18.0), 2.0, "#333333", "#333333");
        sheet.middle((x + BRICK.0 - 30.0, y + 63.0), &Words::faint(Words::plain("USB")));
    }
}

/// Where a cable leaves a brick. A letter that no EV3 has is beside the last one.
fn motor_port((x, y): (f32, f32), letter: char) -> (f32, f32) {
    let at = f32::from((letter as u8).saturating_sub(b'A').min(4));
    (x + 40.0 + 50.0 * at, y)
}

fn sensor_port((x, y): (f32, f32), port: SensorPort) -> (f32, f32) {
    (x + 40.0 + 50.0 * f32::from(u8::from(port) - 1), y + BRICK.1)
}

fn wire(sheet: &mut Sheet, card: &Card, brick: (f32, f32)) {
    let middle = card.at.0 + CARD / 2.0;
    match card.cable.socket {
        Socket::Motor(port) => {
            let from = motor_port(brick, char::from(port));
            sheet.wire(from, (middle, card.at.1 + card.height()), card.colour);
        }
        Socket::Sensor(port) => sheet.wire(sensor_port(brick, port), (middle, card.at.1), card.colour),
        Socket::Usb => {
            let from = (brick.0 + BRICK.0, brick.1 + 59.0);
            // It leaves to the side, and goes round the brick's corner.
            sheet.round((from, (middle.max(from.0 + 40.0), card.at.1)), card.colour);
        }
    }
}

#[cfg(test)]
mod tests;
