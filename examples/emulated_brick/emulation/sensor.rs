//! The kernel's lego-sensor class: attributes as its drivers show and refuse them.

use fuser::Errno;

/// How many sensors a brick has room for.
pub const PORTS: usize = 4;

/// All attributes of a sensor, and whether they can be written. Values that its mode has not got are there as well.
pub const ATTRIBUTES: [(&str, bool); 12] = [
    ("address", false),
    ("driver_name", false),
    ("modes", false),
    ("mode", true),
    ("num_values", false),
    ("decimals", false),
    ("units", false),
    ("value0", false),
    ("value1", false),
    ("value2", false),
    ("value3", false),
    ("command", true),
];

/// A mode: its name, how many values it has, how many of their digits stand behind the point, their unit.
type Mode = (&'static str, usize, usize, &'static str);

/// A sensor's driver: its name, and its modes; the first is the one that it begins with.
pub struct Driver {
    name: &'static str,
    modes: &'static [Mode],
    /// The mode that has the values which the emulation knows; all others read 0.
    measures: &'static str,
}

/// The touch sensor, at port 1 as the crane has it.
pub fn of_crane() -> Vec<LegoSensor> {
    vec![LegoSensor::at(1, &TOUCH, [0; 3])]
}

/// The touch sensor.
pub static TOUCH: Driver = Driver {
    name: "lego-ev3-touch",
    modes: &[("TOUCH", 1, 0, "")],
    measures: "TOUCH",
};

/// The colour sensor.
#[allow(dead_code)] // Only the test has one.
pub static COLOR: Driver = Driver {
    name: "lego-ev3-color",
    modes: &[
        ("COL-REFLECT", 1, 0, "pct"),
        ("COL-AMBIENT", 1, 0, "pct"),
        ("COL-COLOR", 1, 0, "col"),
        ("REF-RAW", 2, 0, ""),
        ("RGB-RAW", 3, 0, ""),
        ("COL-CAL", 4, 0, ""),
    ],
    measures: "RGB-RAW",
};

/// The infrared sensor.
#[allow(dead_code)] // Only the test has one.
pub static INFRARED: Driver = Driver {
    name: "lego-ev3-ir",
    modes: &[
        ("IR-PROX", 1, 0, "pct"),
        ("IR-SEEK", 8, 0, "pct"),
        ("IR-REMOTE", 4, 0, "btn"),
        ("IR-REM-A", 1, 0, ""),
        ("IR-CAL", 2, 0, ""),
    ],
    measures: "IR-PROX",
};

/// The ultrasonic sensor.
#[allow(dead_code)] // Only the test has one.
pub static ULTRASONIC: Driver = Driver {
    name: "lego-ev3-us",
    modes: &[
        ("US-DIST-CM", 1, 1, "cm"),
        ("US-DIST-IN", 1, 1, "in"),
        ("US-LISTEN", 1, 0, ""),
        ("US-SI-CM", 1, 1, "cm"),
        ("US-SI-IN", 1, 1, "in"),
    ],
    measures: "US-DIST-CM",
};

/// What a sensor does when it is told a mode that its driver knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)] // Only the test has sensors that do not obey.
pub enum Temper {
    /// Takes it.
    Obeys,
    /// Refuses it.
    Refuses,
    /// Says nothing, and stays as it was.
    Ignores,
}

/// A sensor, as its driver knows it.
#[derive(Clone)]
pub struct LegoSensor {
    /// The number of its port, from 1.
    pub port: usize,
    driver: &'static Driver,
    /// What it does with a mode.
    pub temper: Temper,
    /// What it measures.
    pub values: [i32; 3],
    mode: &'static Mode,
    plugged_in: bool,
}

impl LegoSensor {
    /// At a port, in the mode that it begins with.
    pub fn at(port: usize, driver: &'static Driver, values: [i32; 3]) -> LegoSensor {
        LegoSensor {
            port,
            driver,
            temper: Temper::Obeys,
            values,
            mode: &driver.modes[0],
            plugged_in: true,
        }
    }

    /// Whether it is of this kind.
    pub fn is(&self, driver: &Driver) -> bool {
        self.driver.name == driver.name
    }

    /// Whether its cable is in.
    pub fn is_there(&self) -> bool {
        self.plugged_in
    }

    /// Pulls its cable out, or plugs it in again: then it begins anew.
    #[allow(dead_code)] // Only the test does.
    pub fn plug(&mut self, plugged_in: bool) {
        *self = LegoSensor {
            plugged_in,
            temper: self.temper,
            ..LegoSensor::at(self.port, self.driver, self.values)
        };
    }

    /// The text of an attribute.
    pub fn read(&self, name: &str) -> Result<String, Errno> {
        let &(mode, count, decimals, units) = self.mode;
        Ok(match name {
            "address" => format!("ev3-ports:in{}", self.port),
            "driver_name" => self.driver.name.to_string(),
            "modes" => {
                let names: Vec<&str> = self.driver.modes.iter().map(|mode| mode.0).collect();
                names.join(" ")
            }
            "mode" => mode.to_string(),
            "num_values" => count.to_string(),
            "decimals" => decimals.to_string(),
            "units" => units.to_string(),
            _ => {
                let number: usize = name
                    .strip_prefix("value")
                    .and_then(|number| number.parse().ok())
                    .ok_or(Errno::EACCES)?;
                if number >= count {
                    return Err(Errno::ENXIO);
                }
                let measures = mode == self.driver.measures;
                let value = self.values.get(number).filter(|_| measures);
                value.copied().unwrap_or(0).to_string()
            }
        })
    }

    /// Takes what was written to an attribute, or refuses it as the driver does.
    pub fn write(&mut self, name: &str, text: &str) -> Result<(), Errno> {
        if name != "mode" {
            // None of them takes a command.
            return Err(Errno::EOPNOTSUPP);
        }
        let known = self.driver.modes.iter().find(|mode| mode.0 == text);
        let mode = known.ok_or(Errno::EINVAL)?;
        match self.temper {
            Temper::Obeys => self.mode = mode,
            Temper::Refuses => return Err(Errno::EIO),
            Temper::Ignores => {}
        }
        Ok(())
    }
}
