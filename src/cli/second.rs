//! The second brick of a machine that has one: its motors, battery and touch sensor become the first one's.

use super::Failure;
use crate::app::Model;
use crate::brick::Brick;
#[cfg(feature = "hands")]
use crate::hands::{Options, Token};

/// The variable that has the token of a second brick.
pub(super) const TOKEN: &str = "CRANECUBER_TOKEN";

/// The token that an option names, else the one in the environment.
///
/// # Errors
/// If there is none, or it is no token.
#[cfg(feature = "hands")]
pub(super) fn token(named: Option<&str>, option: &str) -> Result<Token, Failure> {
    let found = named.map(str::to_string).or_else(|| std::env::var(TOKEN).ok());
    let found = found.ok_or_else(|| {
        Failure::Usage(format!(
            "no token: put the word that both bricks know into {TOKEN}, or behind {option}"
        ))
    })?;
    Token::new(&found).map_err(|why| Failure::Usage(why.to_string()))
}

/// Where the machine's second brick listens, if it has one.
pub(super) fn address(model: &Model) -> Option<&str> {
    match model {
        Model::Jaws(mechanism) => mechanism.hands.as_ref().map(|hands| hands.address.as_str()),
        Model::Crane(_) | Model::Tilter(_) | Model::Own(_) => None,
    }
}

/// Connects to the machine's second brick, if it has one. The token is the one that is `named`, else the one in the environment.
#[cfg(feature = "hands")]
pub(super) fn join(brick: &mut Brick, model: &Model, named: Option<&str>) -> Result<(), Failure> {
    let Some(address) = address(model) else { return Ok(()) };
    let hands = Options::new(address, token(named, "--hands-token")?).connect()?;
    brick.motors.extend(hands.motors());
    let (battery, touch) = (&mut brick.battery, &mut brick.touch);
    *battery = hands.battery(std::mem::replace(battery, Box::new(Nothing)));
    *touch = hands.touch(std::mem::replace(touch, Box::new(Nothing)));
    Ok(())
}

/// A program that knows no second bricks.
#[cfg(not(feature = "hands"))]
pub(super) fn join(_: &mut Brick, model: &Model, _: Option<&str>) -> Result<(), Failure> {
    match address(model) {
        None => Ok(()),
        Some(address) => Err(Failure::Failed(format!(
            "this program is built without second bricks, and {address} is one: build it with the feature hands"
        ))),
    }
}

/// What stands in a device's place while it is joined with that of the second brick.
#[cfg(feature = "hands")]
struct Nothing;

#[cfg(feature = "hands")]
impl crate::brick::Battery for Nothing {
    fn millivolts(&mut self) -> Result<u32, crate::brick::DeviceError> {
        Ok(0)
    }
}

#[cfg(feature = "hands")]
impl crate::brick::Touch for Nothing {
    fn pressed(&mut self) -> Result<bool, crate::brick::DeviceError> {
        Ok(false)
    }
}
