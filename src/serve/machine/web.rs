//! The machine's part of the answers: what happens as it happens, pictures, and orders.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::super::question::{Answer, Refused, json, question};
use super::{Machine, Order, OrderError, SILENCE};
use crate::cube::Face;

/// What happens, as it happens, as server-sent events: `status` with all there is to know, `turned` for each turn of layers, `display` with
/// the pixels of the display.
pub(in super::super) fn watch(machine: Arc<Machine>) -> Response {
    let (now, told) = machine.follow();
    // A browser whose connection breaks tries again after so many milliseconds.
    let first = Bytes::from_static(b"retry: 1000\n\n");
    let begin = (Some([first, now].concat().into()), told);
    let messages = stream::unfold((machine, begin), |(machine, (first, mut told))| async move {
        let message: Bytes = match first {
            Some(first) => first,
            None => match timeout(SILENCE, told.recv()).await {
                Ok(Ok(message)) => message,
                Err(_) => Bytes::from_static(b": nothing new\n\n"),
                Ok(Err(RecvError::Closed)) => return None,
                Ok(Err(RecvError::Lagged(_))) => {
                    let (now, later) = machine.follow();
                    told = later;
                    now
                }
            },
        };
        Some((Ok::<_, std::convert::Infallible>(message), (machine, (None, told))))
    });
    (
        [(header::CONTENT_TYPE, "text/event-stream")],
        Body::from_stream(messages),
    )
        .into_response()
}

pub(in super::super) async fn order(machine: &Machine, request: Request) -> Answer {
    let order: Order = question(request).await?;
    machine.order(order).map_err(|why| {
        let status = match why {
            OrderError::Size(_) | OrderError::NoCube(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::CONFLICT,
        };
        Refused(status, why.to_string())
    })?;
    Ok(json(&()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

pub(in super::super) async fn stop(machine: &Machine, request: Request) -> Answer {
    let Nothing {} = question(request).await?;
    machine.stop();
    Ok(json(&()))
}

/// The last picture of a side, by its letter.
pub(in super::super) fn picture(machine: &Machine, face: &str) -> Response {
    let face = Face::ALL.into_iter().find(|one| one.to_string() == face);
    let Some(frame) = face.and_then(|face| machine.frame(face)) else {
        return (StatusCode::NOT_FOUND, "there is no such picture").into_response();
    };
    match frame.for_browsers() {
        Ok((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        Err(why) => (StatusCode::NOT_FOUND, why.to_string()).into_response(),
    }
}
