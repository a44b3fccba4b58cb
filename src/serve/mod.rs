//! `serve`: one page in a browser, where a cube is seen in 3D, entered, and solved.
//!
//! The page is a handful of files inside the program, and what it asks for is answered as JSON. Only this computer's own browsers reach
//! it. What a browser sends is not trusted: who asks, how much, how slowly and how often all have limits.
//!
//! Where there is a machine, the page shows it, and what browsers order goes to the thread that drives it: see [`Machine`].
//!
//! Knows `app` and what is below; must not know commands, nor where the machine comes from.

mod api;
mod door;
mod files;
mod limits;
mod machine;
mod question;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::middleware::from_fn_with_state;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use tokio::net::TcpListener;

pub use machine::{Machine, Order, OrderError, Status, Task};

use crate::tables::Store;

/// How often it is looked whether the program is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// What there is to serve.
pub struct Site {
    /// The tables that cubes are solved with.
    pub store: Store,
    /// The machine, if there is one.
    pub machine: Option<Arc<Machine>>,
}

/// Answers browsers until `stop` becomes true; then the machine is stopped, too. `began` is told the address, where a port of 0 has become one that was free.
///
/// # Errors
/// If the address is not one of this computer's own, or cannot be had.
pub fn serve(address: SocketAddr, site: Site, stop: &AtomicBool, began: impl FnOnce(SocketAddr)) -> io::Result<()> {
    if !address.ip().is_loopback() {
        return Err(io::Error::other("only this computer's own browsers are answered"));
    }
    let machine = site.machine.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        began(address);
        let app = app(address, site);
        tokio::select! {
            () = limits::answer(listener, app) => {}
            () = stopped(stop) => {}
        }
        Ok(())
    });
    if let Some(machine) = machine {
        machine.stop();
    }
    // Questions are dropped first, which ends their searches.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

/// What a page must know before anything else.
#[derive(Clone, Copy, Serialize)]
struct About {
    /// Whether there is a machine.
    machine: bool,
}

/// All that is answered.
fn app(address: SocketAddr, site: Site) -> Router {
    let about = About {
        machine: site.machine.is_some(),
    };
    Router::new()
        .merge(api::routes(site.store))
        .route("/api/site", get(move || async move { Json(about) }))
        .merge(site.machine.map_or_else(Router::new, machine::routes))
        .fallback(files::file)
        .layer(from_fn_with_state(address, door::keep))
}

#[cfg(test)]
mod tests;
