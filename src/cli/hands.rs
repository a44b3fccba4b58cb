//! `hands`: this brick lends its motors to another one.

use std::path::PathBuf;

use super::hold::{Hold, this_crane};
use super::output::print;
use super::{Failure, Global, Stop, board, home};
use crate::hands::{Lent, Server, Token};
use crate::jaws::Mechanism;
use crate::sim;

/// The variable that has the token, where no option has.
const VARIABLE: &str = "CRANECUBER_TOKEN";

/// Arguments of `hands`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// The address to listen to; 0.0.0.0 stands for all of this brick's own, and port 0 for one that is free
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:8733")]
    listen: String,
    /// A word that both bricks know, the longer the better; it is never sent. Other users of this brick see options, so better
    /// put it into the variable CRANECUBER_TOKEN
    #[arg(long, value_name = "WORD")]
    token: Option<String>,
    /// Where the last command is written down, so that none is done twice [default: cranecuber.hands beside the program or in
    /// your data folder, as the tables]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Lends simulated motors with nothing on their axles, on any computer
    #[arg(long)]
    sim: bool,
    /// Lends the motors of a simulated crane in another process
    #[cfg(all(unix, feature = "benches"))]
    #[arg(long, value_name = "SOCKET", hide = true, conflicts_with = "sim")]
    machine: Option<PathBuf>,
}

const HELP: &str = "A machine with more motors than one brick has ports takes a second one. It runs this command and \
does what the first brick says; the calibration file on the first brick names the motors there A@hands to D@hands, and under [hands] \
the address where it listens.

Every command is done once, however bad the network is and whichever program is killed. Half a second after the first brick was \
heard last, and when this command ends, motors that run are stopped and hold.

Examples:
  CRANECUBER_TOKEN=a-long-word cranecuber hands     on the second brick; ctrl-C ends it
  cranecuber hands --sim --listen 127.0.0.1:0 --token try     on a PC, to try it";

/// The token that an option names, else the one in the environment.
///
/// # Errors
/// If there is none, or it is no token.
pub(super) fn token(named: Option<&str>, option: &str) -> Result<Token, Failure> {
    let found = named.map(str::to_string).or_else(|| std::env::var(VARIABLE).ok());
    let found = found.ok_or_else(|| {
        Failure::Usage(format!(
            "no token: put the word that both bricks know into {VARIABLE}, or behind {option}"
        ))
    })?;
    Token::new(&found).map_err(|why| Failure::Usage(why.to_string()))
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let token = token(args.token.as_deref(), "--token")?;
    let address = address(&args.listen)?;
    // Held until the motors have stopped.
    let _hold = match args.is_simulated() {
        true => Hold::default(),
        false => Hold::take(this_crane().as_deref(), None, stop)?,
    };
    let lent = args.lent()?;
    let record = args.record.clone().unwrap_or_else(|| home().join("cranecuber.hands"));
    let server = Server::listen(address, &record)?;
    let address = server.address()?;
    stop.is_watched();
    if global.json {
        super::output::print_fields(&[("listening", address.to_string().into())])?;
    } else {
        print(&format!("listening at {address}"))?;
    }
    log::info!("ctrl-C ends it");
    Ok(server.lend(lent, token, &stop.requested)?)
}

/// A name or number, and a port.
fn address(text: &str) -> Result<&str, Failure> {
    let port = text.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(text),
        _ => Err(Failure::Usage(format!(
            "{text:?} is no address: give a name or a number and a port, like 0.0.0.0:8733"
        ))),
    }
}

impl Args {
    fn is_simulated(&self) -> bool {
        #[cfg(all(unix, feature = "benches"))]
        if self.machine.is_some() {
            return true;
        }
        self.sim
    }

    fn lent(&self) -> Result<Lent, Failure> {
        #[cfg(all(unix, feature = "benches"))]
        if let Some(socket) = &self.machine {
            let brick = sim::connect(socket).map_err(|why| Failure::Failed(format!("{}: {why}", socket.display())))?;
            return Ok(brick.into());
        }
        if self.sim {
            return Ok(Lent {
                motors: sim::loose(&Mechanism::builtin().grip.motor.left),
                touch: Box::new(sim::Untouched),
                battery: Box::new(sim::Untouched),
                boot: None,
            });
        }
        let brick = board::lendable().map_err(|why| Failure::Failed(format!("{why} (without a brick, try --sim)")))?;
        Ok(brick.into())
    }
}
