//! `serve`: one page in a browser, where a cube is seen in 3D, entered, photographed and solved, and a machine is watched.
//!
//! The page is a handful of files inside the program, and what it asks for is answered as JSON. Other computers' browsers come in with a
//! code alone. What a browser sends is not trusted: who asks, how much, how slowly and how often all have limits.
//!
//! Where there is a machine, the page shows it, and what browsers order goes to the thread that drives it: see [`Machine`].
//!
//! Knows `app` and what is below; must not know commands, nor where the machine comes from.

mod api;
mod code;
mod door;
mod files;
mod limits;
mod machine;
mod pages;
mod past;
#[cfg(feature = "photos")]
mod photos;
mod question;
mod words;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use tokio::net::TcpListener;

pub use code::Code;
pub use machine::{Machine, Order, OrderError, Status, Task, told};
pub use pages::Site;

use pages::Pages;

/// How often it is looked whether the program is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Answers browsers until `stop` becomes true; then the machine is stopped, too. `began` is told the address, where a port of 0 has become
/// one that was free.
///
/// # Errors
/// If the address cannot be had, or others than this computer reach it and no code is asked for.
pub fn serve(address: SocketAddr, site: Site, stop: &AtomicBool, began: impl FnOnce(SocketAddr)) -> io::Result<()> {
    if !address.ip().is_loopback() && site.code.is_none() {
        return Err(io::Error::other("other computers are only answered with a code"));
    }
    let machine = site.machine.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        began(address);
        let pages = Arc::new(Pages::new(address, site));
        tokio::select! {
            () = limits::answer(listener, pages) => {}
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

/// Asks what the first byte says with the bytes behind it, for [`crate::fuzzing`].
///
/// # Panics
/// If the answer is none that a page understands.
#[cfg(any(all(test, feature = "pc"), fuzzing))]
#[allow(clippy::unwrap_used)]
pub(crate) fn ask(data: &[u8]) {
    use axum::body::Body;
    use axum::http::Request;

    let Some((which, body)) = data.split_first() else {
        return;
    };
    let paths = [
        "check",
        "solve",
        "scramble",
        "enter",
        "machine",
        "machine/stop",
        "look",
        "photos",
    ];
    let path = paths[usize::from(*which) % paths.len()];
    let site = Site {
        store: crate::tables::Store::new("/nonexistent").building(false),
        machine: Some(Machine::new(Status::default()).0),
        model: None,
        code: None,
        name: None,
    };
    let pages = Pages::new(SocketAddr::from(([127, 0, 0, 1], 80)), site);
    let request = Request::post(format!("/api/{path}"))
        .header("Host", "localhost")
        .header("Content-Type", "application/json")
        .body(Body::from(body.to_vec()))
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let status = runtime.block_on(pages.answer(request)).status().as_u16();
    assert!([200, 400, 403, 404, 409, 413].contains(&status), "{path}: {status}");
}

#[cfg(test)]
mod tests;
