//! Sensors of the lego-sensor class that are read in one mode: one for colours, two that notice a cube.

use ev3dev_lang_rust::sensors::SensorPort as InPort;
use ev3dev_lang_rust::{Attribute, Port};

use super::place::Place;
use crate::brick::{COLOR_MOST, ColorSensor, DeviceError, Presence, PresenceKind, SensorPort};

/// The ports by their numbers, from 1.
const PORTS: [InPort; 4] = [InPort::In1, InPort::In2, InPort::In3, InPort::In4];

/// Millimetres of the ultrasonic sensor that are taken for a percent. The infrared one has 100 percent at about 70 cm, so a calibration's
/// values are about right for either.
const A_PERCENT: i32 = 7;

/// A kind of sensor, and how it is read.
#[derive(Debug)]
struct Kind {
    what: &'static str,
    driver: &'static str,
    mode: &'static str,
    hint: &'static str,
}

static COLOR: Kind = Kind {
    what: "colour sensor",
    driver: "lego-ev3-color",
    mode: "RGB-RAW",
    hint: "plug the colour sensor in there, push its cable in at both ends, or correct [color_sensor] in the calibration",
};

static INFRARED: Kind = Kind {
    what: "infrared sensor",
    driver: "lego-ev3-ir",
    mode: "IR-PROX",
    hint: "plug the infrared sensor in there, push its cable in at both ends, or correct [presence] in the calibration",
};

static ULTRASONIC: Kind = Kind {
    what: "ultrasonic sensor",
    driver: "lego-ev3-us",
    mode: "US-DIST-CM",
    hint: "plug the ultrasonic sensor in there, push its cable in at both ends, or correct [presence] in the calibration",
};

/// A sensor at a port. After its cable was out it is another device of the kernel, in its first mode again, so it is looked for anew.
struct PortSensor<const VALUES: usize> {
    kind: &'static Kind,
    place: Place,
    /// In the right mode.
    values: Option<[Attribute; VALUES]>,
}

impl<const VALUES: usize> PortSensor<VALUES> {
    fn open(port: SensorPort, kind: &'static Kind) -> Result<Self, DeviceError> {
        let mut sensor = Self {
            kind,
            place: Place {
                what: kind.what,
                place: format!("in{port}"),
                hint: kind.hint,
            },
            values: None,
        };
        sensor.values = Some(sensor.find()?);
        Ok(sensor)
    }

    /// Finds it, and puts it into its mode.
    fn find(&self) -> Result<[Attribute; VALUES], DeviceError> {
        let own = |port: &&InPort| port.address() == self.place.place;
        let (mut ports, others): (Vec<&InPort>, Vec<&InPort>) = PORTS.iter().partition(own);
        ports.extend(others);
        let ports: Vec<&dyn Port> = ports.into_iter().map(|port| port as &dyn Port).collect();
        let (folder, _) = self.place.find("lego-sensor", &ports, &[self.kind.driver])?;
        let mode = self.place.attribute(&folder, "mode")?;
        let refused = |error: DeviceError| match error {
            DeviceError::Failed { reason, .. } => self
                .place
                .failed(format!("it does not take the mode {}: {reason}", self.kind.mode)),
            other => other,
        };
        let set = mode.set_str_slice(self.kind.mode);
        self.place.check(set).map_err(refused)?;
        let now: String = self.place.check(mode.get())?;
        if now != self.kind.mode {
            let reason = format!("it stays in the mode {now} and does not take {}", self.kind.mode);
            return Err(self.place.failed(reason));
        }
        let mut values = Vec::with_capacity(VALUES);
        for number in 0..VALUES {
            values.push(self.place.attribute(&folder, &format!("value{number}"))?);
        }
        values.try_into().map_err(|_| self.place.missing())
    }

    /// The values of one measurement.
    fn read(&mut self) -> Result<[i32; VALUES], DeviceError> {
        let values = match self.values.take() {
            Some(values) => values,
            None => self.find()?,
        };
        let read = self.all(&values);
        if !matches!(read, Err(DeviceError::Missing { .. })) {
            self.values = Some(values);
        }
        read
    }

    fn all(&self, values: &[Attribute; VALUES]) -> Result<[i32; VALUES], DeviceError> {
        let mut read = [0; VALUES];
        for (read, value) in read.iter_mut().zip(values) {
            *read = self.place.check(value.get())?;
        }
        Ok(read)
    }
}

/// The colour sensor.
pub(super) struct Color(PortSensor<3>);

impl Color {
    pub(super) fn open(port: SensorPort) -> Result<Self, DeviceError> {
        Ok(Self(PortSensor::open(port, &COLOR)?))
    }
}

impl ColorSensor for Color {
    fn rgb(&mut self) -> Result<[u16; 3], DeviceError> {
        Ok(self.0.read()?.map(|value| value.clamp(0, i32::from(COLOR_MOST)) as u16))
    }
}

/// A sensor that notices a cube.
pub(super) struct Notices {
    sensor: PortSensor<1>,
    /// What a percent is of its values.
    a_percent: i32,
}

impl Notices {
    pub(super) fn open(port: SensorPort, kind: PresenceKind) -> Result<Self, DeviceError> {
        let (kind, a_percent) = match kind {
            PresenceKind::Infrared => (&INFRARED, 1),
            PresenceKind::Ultrasonic => (&ULTRASONIC, A_PERCENT),
        };
        let sensor = PortSensor::open(port, kind)?;
        Ok(Self { sensor, a_percent })
    }
}

impl Presence for Notices {
    fn proximity(&mut self) -> Result<u8, DeviceError> {
        let [value] = self.sensor.read()?;
        Ok((value / self.a_percent).clamp(0, 100) as u8)
    }
}
