//! `serve`: a page in a browser, and the machine on it.

mod driving;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::{io, thread};

use super::machine::{Machine, size_of_a_cube};
use super::output::print;
use super::{Failure, Global, Search, Stop, board, seed};
use crate::serve::{self, Site};

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "NUMBER", default_value_t = 8765)]
    port: u16,
    #[command(flatten)]
    machine: Machine,
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE", conflicts_with = "sim")]
    camera: Option<PathBuf>,
    /// The simulated cube's N
    #[arg(long, value_name = "N", requires = "sim", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// Mixes the simulated cube by this number [default: another way every time]
    #[arg(long, value_name = "NUMBER", requires = "sim", value_parser = seed)]
    seed: Option<u64>,
    /// How many times as fast as real time the simulated crane works
    #[arg(long, value_name = "FACTOR", requires = "sim", default_value_t = 1.0, value_parser = factor)]
    speed: f64,
    #[command(flatten)]
    search: Search,
}

/// Reads a speed.
fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor| (0.1..=1000.0).contains(factor));
    factor.ok_or_else(|| "give a number from 0.1 to 1000".to_string())
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    if args.machine.sim || board::is_there() {
        return driving::run(args, global, stop);
    }
    let server = Server::begin(args, global, stop, None)?;
    server.ends()
}

/// The thread that answers browsers.
struct Server {
    thread: JoinHandle<io::Result<()>>,
    /// What the page is called: another one if the port was free to choose.
    name: String,
}

impl Server {
    /// Starts it, and prints the page's address.
    fn begin(
        args: &Args,
        global: &Global,
        stop: &Stop,
        machine: Option<Arc<serve::Machine>>,
    ) -> Result<Server, Failure> {
        stop.is_watched();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
        let site = Site {
            store: global.store(),
            machine,
        };
        let (tell, told) = channel();
        let wish = stop.requested.clone();
        let thread = thread::spawn(move || {
            serve::serve(address, site, &wish, |address| {
                // The one who waits for it is below.
                let _ = tell.send(address);
            })
        });
        let server = Server {
            thread,
            name: address.to_string(),
        };
        server.began(&told)
    }

    fn began(mut self, told: &Receiver<SocketAddr>) -> Result<Server, Failure> {
        match told.recv() {
            Ok(address) => {
                self.name = address.to_string();
                print(&format!("http://{address}/"))?;
                log::info!("open it in a browser; ctrl-C ends it");
                Ok(self)
            }
            Err(_) => {
                self.ends()?;
                Err(Failure::Failed("the page's server has ended".to_string()))
            }
        }
    }

    /// Waits until it has ended.
    fn ends(self) -> Result<(), Failure> {
        let name = self.name;
        let ended = self.thread.join().map_err(|_| io::Error::other("it broke down"));
        ended
            .flatten()
            .map_err(|why| Failure::Failed(format!("{name}: {why}; --port names another port")))
    }
}
