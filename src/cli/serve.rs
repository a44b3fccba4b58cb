//! `serve`: a page in a browser, and the machine on it.

mod driving;
mod server;

pub(super) use server::Args;

use super::{Failure, Global, Stop, board};
use server::Server;

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    if args.machine.sim || board::is_there() {
        return driving::run(args, global, stop);
    }
    let server = Server::begin(args, global, stop, None)?;
    server.ends()
}
