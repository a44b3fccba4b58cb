//! `serve`: a page in a browser.

use std::net::{Ipv4Addr, SocketAddr};

use super::output::print;
use super::{Failure, Global, Stop};

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "NUMBER", default_value_t = 8765)]
    port: u16,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let mut printed = Ok(());
    crate::serve::serve(address, global.store(), &stop.requested, |address| {
        printed = print(&format!("http://{address}/"));
        log::info!("open it in a browser; ctrl-C ends it");
    })
    .map_err(|why| Failure::Failed(format!("{address}: {why}; --port names another one")))?;
    printed
}
