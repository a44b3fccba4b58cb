//! The arguments of `serve`, and the thread that answers browsers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::{io, thread};

use crate::app::Model;
use crate::cli::machine::{Machine, size_of_a_cube};
use crate::cli::output::print;
use crate::cli::{Failure, Global, Search, Stop, seed};
use crate::report::CODE;
use crate::serve::{self, Code, Site};

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "NUMBER", default_value_t = 8765)]
    pub(super) port: u16,
    /// Lets browsers of other computers in that know the code, which is shown: the address to listen to, 0.0.0.0 for all of this
    /// computer's own [default: only this computer's browsers, without a code]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    #[command(flatten)]
    pub(super) machine: Machine,
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE", conflicts_with = "sim")]
    pub(super) camera: Option<PathBuf>,
    /// The simulated cube's N
    #[arg(long, value_name = "N", requires = "sim", default_value_t = 3, value_parser = size_of_a_cube)]
    pub(super) size: usize,
    /// Mixes the simulated cube by this number [default: another way every time]
    #[arg(long, value_name = "NUMBER", requires = "sim", value_parser = seed)]
    pub(super) seed: Option<u64>,
    /// How many times as fast as real time the simulated crane works
    #[arg(long, value_name = "FACTOR", requires = "sim", default_value_t = 1.0, value_parser = factor)]
    pub(super) speed: f64,
    #[command(flatten)]
    pub(super) search: Search,
}

/// Reads a speed.
fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor| (0.1..=1000.0).contains(factor));
    factor.ok_or_else(|| "give a number from 0.1 to 1000".to_string())
}

/// Where browsers find a server that listens to all addresses of this computer: the one that leads outside.
fn reached_at(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Nothing is sent, and without a network this computer alone finds the page; the address is one that is never given to anyone (RFC 5737).
    let outside = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    SocketAddr::new(
        outside.map_or(Ipv4Addr::LOCALHOST.into(), |own| own.ip()),
        address.port(),
    )
}

/// What to do where the page cannot be opened.
fn advice(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::AddrNotAvailable => "--listen 0.0.0.0 takes every address of this computer",
        _ => "--port names another port",
    }
}

/// The thread that answers browsers.
pub(super) struct Server {
    thread: JoinHandle<io::Result<()>>,
    /// What the page is called: another one if the port was free to choose.
    name: String,
    /// What other computers' browsers must know.
    code: Option<String>,
}

impl Server {
    /// Starts it, and prints the page's address.
    pub(super) fn begin(
        args: &Args,
        global: &Global,
        stop: &Stop,
        machine: Option<(Arc<serve::Machine>, Model)>,
    ) -> Result<Server, Failure> {
        stop.is_watched();
        let address = SocketAddr::from((args.listen.unwrap_or(Ipv4Addr::LOCALHOST.into()), args.port));
        let no_code = |why| Failure::Failed(format!("no code for other computers: {why}"));
        let code = args.listen.map(|_| Code::new()).transpose().map_err(no_code)?;
        let digits = code.as_ref().map(|code| code.digits().to_string());
        let (machine, model) = machine.unzip();
        let site = Site {
            store: global.store(),
            model,
            machine,
            code,
            name: rustix::system::uname().nodename().to_str().ok().map(str::to_string),
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
            code: digits,
        };
        server.began(&told)
    }

    fn began(mut self, told: &Receiver<SocketAddr>) -> Result<Server, Failure> {
        match told.recv() {
            Ok(address) => {
                self.name = reached_at(address).to_string();
                print(&format!("http://{}/", self.name))?;
                if let Some(code) = &self.code {
                    log::warn!("{CODE}{code}");
                }
                log::info!("open it in a browser; ctrl-C ends it");
                Ok(self)
            }
            Err(_) => {
                self.ends()?;
                Err(Failure::Failed("the page's server has ended".to_string()))
            }
        }
    }

    /// Where other computers find the page, and the code, as short as the display needs it.
    pub(super) fn shown(&self) -> Option<String> {
        self.code.as_ref().map(|code| format!("{} {code}", self.name))
    }

    /// Waits until it has ended.
    pub(super) fn ends(self) -> Result<(), Failure> {
        let name = self.name;
        let ended = self.thread.join().map_err(|_| io::Error::other("it broke down"));
        ended
            .flatten()
            .map_err(|why| Failure::Failed(format!("{name}: {why}; {}", advice(why.kind()))))
    }
}
