//! What a brick's system is, below its devices.

/// The system of a brick: its kernel, its drivers, and how its ports are set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ground {
    /// The kernel's release, like `4.14.117-ev3dev-2.3.5-ev3`.
    pub kernel: String,
    /// What the board calls itself, if it does.
    pub board: Option<String>,
    /// The drivers that the program needs, by the folders in which they show their devices, and whether they are there.
    pub drivers: Vec<(&'static str, bool)>,
    /// Ports that do not look by themselves for what is plugged in: their name, like `outA`, and the mode in which they are.
    pub set_ports: Vec<(String, String)>,
}
