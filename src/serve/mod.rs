//! `serve`: one page in a browser, where a cube is seen in 3D, entered, and solved.
//!
//! The page is a handful of files inside the program, and what it asks for is answered as JSON. Only this computer's own browsers reach
//! it. What a browser sends is not trusted: who asks, how much, how slowly and how often all have limits.
//!
//! Knows `cube`, `search`, `solve` and `tables`; must not know commands.

mod api;
mod door;
mod files;
mod limits;

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;

use crate::tables::Store;

/// How often it is looked whether the program is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Answers browsers until `stop` becomes true. `began` is told the address, where a port of 0 has become one that was free.
///
/// # Errors
/// If the address is not one of this computer's own, or cannot be had.
pub fn serve(address: SocketAddr, store: Store, stop: &AtomicBool, began: impl FnOnce(SocketAddr)) -> io::Result<()> {
    if !address.ip().is_loopback() {
        return Err(io::Error::other("only this computer's own browsers are answered"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        began(address);
        let app = app(address, store);
        tokio::select! {
            () = limits::answer(listener, app) => {}
            () = stopped(stop) => {}
        }
        Ok(())
    });
    // Questions are dropped first, which ends their searches.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

/// All that is answered.
fn app(address: SocketAddr, store: Store) -> Router {
    Router::new()
        .merge(api::routes(store))
        .fallback(files::file)
        .layer(from_fn_with_state(address, door::keep))
}

#[cfg(test)]
mod tests;
