//! `serve`: one page in a browser, where a cube is seen in 3D, entered, and solved.
//!
//! The page is a handful of files inside the program, and what it asks for is answered as JSON. Only this computer's own browsers reach
//! it. What a browser sends is not trusted: who asks, how much, how slowly and how often all have limits.
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
mod past;
#[cfg(feature = "photos")]
mod photos;
mod question;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

pub use code::Code;
pub use machine::{Machine, Order, OrderError, Status, Task};

use code::Denied;
use door::Door;
use question::{Refused, question, refused};

use crate::tables::Store;

/// How often it is looked whether the program is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// What there is to serve.
pub struct Site {
    /// The tables that cubes are solved with.
    pub store: Store,
    /// The machine, if there is one.
    pub machine: Option<Arc<Machine>>,
    /// What browsers must be told before anything else is answered; other computers' browsers come in with it alone.
    pub code: Option<Code>,
    /// What this computer is called in its network.
    pub name: Option<String>,
}

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
    /// Whether the code is to be told first.
    locked: bool,
    /// Whether photos can be read.
    photos: bool,
}

/// All that is answered.
fn app(address: SocketAddr, site: Site) -> Router {
    let code = site.code.map(Arc::new);
    let machine = site.machine.is_some();
    let about = move |Shared(code): Shared<Option<Arc<Code>>>, heads: HeaderMap| async move {
        let locked = code.is_some_and(|code| !code.knows(&heads));
        let photos = cfg!(feature = "photos");
        Json(About {
            machine,
            locked,
            photos,
        })
    };
    let door = Door {
        here: address,
        name: site.name,
        code: code.clone(),
    };
    #[cfg(feature = "photos")]
    let photos = photos::routes();
    #[cfg(not(feature = "photos"))]
    let photos = Router::new();
    Router::new()
        .route("/api/site", get(about))
        .route("/api/enter", post(enter))
        .with_state(code)
        .merge(photos)
        .merge(past::routes(&site.store))
        .merge(api::routes(site.store))
        .merge(site.machine.map_or_else(Router::new, machine::routes))
        .fallback(files::file)
        .layer(from_fn_with_state(door, door::keep))
}

#[derive(Deserialize)]
struct Told {
    code: String,
}

/// Lets a browser in that was told the code.
async fn enter(Shared(code): Shared<Option<Arc<Code>>>, request: Request) -> Result<Response, Refused> {
    let Told { code: told } = question(request).await?;
    let Some(code) = code else {
        return refused("no code is needed");
    };
    match code.hear(&told, Instant::now()) {
        Ok(cookie) => Ok(([(header::SET_COOKIE, cookie)], Json(())).into_response()),
        Err(why @ Denied::Wrong) => Err(Refused(StatusCode::FORBIDDEN, why.to_string())),
        Err(why) => Err(Refused(StatusCode::TOO_MANY_REQUESTS, why.to_string())),
    }
}

#[cfg(test)]
mod tests;
