//! Connections: how many there may be, and how slow.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Connections at one time; the next ones wait until one ends.
const CONNECTIONS: usize = 16;
/// A client has so long to send the head of a request, and to take in each piece of an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
const HEAD: usize = 16 * 1024;

/// Takes connections in for ever.
pub(super) async fn answer(listener: TcpListener, app: Router) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let app = app.clone();
                tokio::spawn(async move {
                    talk(stream, app).await;
                    drop(place);
                });
            }
            Err(why) => {
                log::debug!("no connection: {why}");
                // As when there are no more file descriptors: others end.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn talk(stream: TcpStream, app: Router) {
    let _ = stream.set_nodelay(true);
    let mut stream = tokio_io_timeout::TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let talk = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(app));
    if let Err(why) = talk.await {
        log::debug!("a connection: {why}");
    }
}
