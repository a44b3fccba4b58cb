//! Which files there are, and what reading and writing them does to the machine.

use cranecuber::brick::MotorPort;
use fuser::Errno;

use super::crane::{Machine, SCREEN, STRIDE};
use super::{motor, sensor};

/// What is behind a file.
#[derive(Debug, Clone)]
pub enum File {
    /// An attribute of a motor.
    Motor(MotorPort, &'static str),
    /// An attribute of the sensor of this number.
    Sensor(usize, &'static str),
    /// The battery's voltage.
    Battery,
    /// The brightness of one LED.
    Led(usize),
    /// The mode of a port.
    Port(usize),
    /// A text that does not change.
    Fixed(String),
    /// The LCD's framebuffer.
    Screen,
    /// The keys, which are never pressed.
    Keys,
    /// Where a device of the system is put.
    Spot,
}

/// The motors' numbers in the class say nothing about their ports.
const NUMBERS: [(MotorPort, u32); 4] = [
    (MotorPort::A, 6),
    (MotorPort::B, 4),
    (MotorPort::C, 7),
    (MotorPort::D, 5),
];

/// The LEDs in the order of [`super::End::leds`].
const LEDS: [&str; 4] = ["led0:red", "led0:green", "led1:red", "led1:green"];

/// The ports in the order of [`Machine::ports`].
const PORTS: [&str; 8] = ["outA", "outB", "outC", "outD", "in1", "in2", "in3", "in4"];

/// All files: path, permissions, what is behind them.
pub fn all() -> Vec<(String, u16, File)> {
    let mut files = Vec::new();
    for (port, number) in NUMBERS {
        for (name, may) in motor::ATTRIBUTES {
            let mode = match may {
                "r" => 0o444,
                "w" => 0o220,
                _ => 0o664,
            };
            let path = format!("class/tacho-motor/motor{number}/{name}");
            files.push((path, mode, File::Motor(port, name)));
        }
    }
    for number in 0..sensor::PORTS {
        for (name, writable) in sensor::ATTRIBUTES {
            let mode = if writable { 0o664 } else { 0o444 };
            files.push((
                format!("class/lego-sensor/sensor{number}/{name}"),
                mode,
                File::Sensor(number, name),
            ));
        }
    }
    for (number, led) in LEDS.iter().enumerate() {
        let folder = format!("class/leds/{led}:brick-status");
        files.push((format!("{folder}/brightness"), 0o664, File::Led(number)));
        files.push((format!("{folder}/max_brightness"), 0o444, fixed("255")));
    }
    for (number, port) in PORTS.iter().enumerate() {
        let folder = format!("class/lego-port/port{number}");
        files.push((format!("{folder}/address"), 0o444, fixed(&format!("ev3-ports:{port}"))));
        files.push((format!("{folder}/mode"), 0o644, File::Port(number)));
    }
    let fixed_files = [
        ("graphics/fb0/bits_per_pixel", "32"),
        ("graphics/fb0/virtual_size", "178,128"),
        ("power_supply/lego-ev3-battery/type", "Battery"),
    ];
    files.extend(fixed_files.map(|(path, text)| (format!("class/{path}"), 0o444, fixed(text))));
    files.push((
        "class/graphics/fb0/stride".to_string(),
        0o444,
        fixed(&STRIDE.to_string()),
    ));
    let voltage = "class/power_supply/lego-ev3-battery/voltage_now";
    files.push((voltage.to_string(), 0o444, File::Battery));
    files.push(("dev/fb0".to_string(), 0o660, File::Screen));
    let keys = "dev/input/by-path/platform-gpio_keys-event";
    files.push((keys.to_string(), 0o660, File::Keys));
    for device in ["null", "zero", "urandom", "tty", "video0"] {
        files.push((format!("dev/{device}"), 0o600, File::Spot));
    }
    files
}

fn fixed(text: &str) -> File {
    File::Fixed(text.to_string())
}

/// What is read from the beginning of a file.
pub fn read(machine: &mut Machine, file: &File) -> Result<Vec<u8>, Errno> {
    machine.pass(false);
    let text = match file {
        File::Motor(port, name) => {
            let (driver, motor) = machine.motor(*port).ok_or(Errno::ENODEV)?;
            if !driver.plugged_in {
                return Err(Errno::ENODEV);
            }
            driver.read(motor, name)?
        }
        File::Sensor(number, name) => machine.sensor(*number).ok_or(Errno::ENODEV)?.read(name)?,
        File::Battery => (u64::from(machine.millivolts()) * 1000).to_string(),
        File::Led(number) => machine.leds.get(*number).ok_or(Errno::ENODEV)?.to_string(),
        File::Port(number) => machine.ports.get(*number).ok_or(Errno::ENODEV)?.clone(),
        File::Fixed(text) => text.clone(),
        File::Screen => return Ok(machine.screen.clone()),
        File::Keys => return Err(Errno::EAGAIN),
        File::Spot => return Err(Errno::ENODEV),
    };
    Ok(format!("{text}\n").into_bytes())
}

/// What writing to a file does. Every write to an attribute is a whole value, wherever it begins.
pub fn write(machine: &mut Machine, file: &File, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
    machine.pass(true);
    let text = || std::str::from_utf8(bytes).map(str::trim_end).map_err(|_| Errno::EINVAL);
    match file {
        File::Motor(port, name) => {
            let (driver, motor) = machine.motor(*port).ok_or(Errno::ENODEV)?;
            if !driver.plugged_in {
                return Err(Errno::ENODEV);
            }
            driver.write(motor, name, text()?)
        }
        File::Led(number) => {
            let led = machine.leds.get_mut(*number).ok_or(Errno::ENODEV)?;
            *led = text()?.parse().map_err(|_| Errno::EINVAL)?;
            Ok(())
        }
        File::Port(number) => {
            *machine.ports.get_mut(*number).ok_or(Errno::ENODEV)? = text()?.to_string();
            Ok(())
        }
        File::Screen => {
            let start = usize::try_from(offset).map_err(|_| Errno::EFBIG)?;
            let end = start + bytes.len();
            if end > SCREEN {
                return Err(Errno::EFBIG);
            }
            machine.screen[start..end].copy_from_slice(bytes);
            Ok(())
        }
        File::Sensor(number, name) => machine.sensor(*number).ok_or(Errno::ENODEV)?.write(name, text()?),
        File::Battery | File::Fixed(_) | File::Keys | File::Spot => Err(Errno::EACCES),
    }
}

/// Whether a file is still there.
pub fn is_there(machine: &mut Machine, file: &File) -> bool {
    match file {
        File::Motor(port, _) => machine.motor(*port).is_some_and(|(driver, _)| driver.plugged_in),
        File::Sensor(number, _) => machine.sensor(*number).is_some(),
        _ => true,
    }
}
