//! Connections: how many there may be, and how slow.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::pages::Pages;

/// Connections at one time; the next ones wait until one ends.
const CONNECTIONS: usize = 16;
/// A client has so long to send the head of a request, and to take in each piece of an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
const HEAD: usize = 16 * 1024;

/// Takes connections in for ever.
pub(super) async fn answer(listener: TcpListener, pages: Arc<Pages>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let pages = pages.clone();
                tokio::spawn(async move {
                    talk(stream, pages).await;
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

async fn talk(stream: TcpStream, pages: Arc<Pages>) {
    let _ = stream.set_nodelay(true);
    let mut stream = tokio_io_timeout::TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let answer = service_fn(move |request: Request<Incoming>| {
        let pages = pages.clone();
        async move { Ok::<_, Infallible>(pages.answer(request.map(Body::new)).await) }
    });
    let talk = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), answer);
    if let Err(why) = talk.await {
        log::debug!("a connection: {why}");
    }
}
