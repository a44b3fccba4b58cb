//! The machine's part of the answers: what happens as it happens, pictures, and orders.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State as Shared};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::super::question::{Refused, question};
use super::{Machine, Order, OrderError, SILENCE};
use crate::cube::Face;

type Here = Shared<Arc<Machine>>;

pub(in super::super) fn routes(machine: Arc<Machine>) -> Router {
    Router::new()
        .route("/api/machine", get(watch).post(order))
        .route("/api/machine/stop", post(stop))
        .route("/api/machine/picture/{face}", get(picture))
        .with_state(machine)
}

/// What happens, as it happens, as server-sent events: `status` with all there is to know, `turned` for each turn of layers, `display` with
/// the pixels of the display.
async fn watch(Shared(machine): Here) -> Response {
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

async fn order(Shared(machine): Here, request: Request) -> Result<Json<()>, Refused> {
    let order: Order = question(request).await?;
    machine.order(order).map_err(|why| {
        let status = match why {
            OrderError::Size(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::CONFLICT,
        };
        Refused(status, why.to_string())
    })?;
    Ok(Json(()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

async fn stop(Shared(machine): Here, request: Request) -> Result<Json<()>, Refused> {
    let Nothing {} = question(request).await?;
    machine.stop();
    Ok(Json(()))
}

async fn picture(Shared(machine): Here, Path(face): Path<String>) -> Response {
    let face = Face::ALL.into_iter().find(|one| one.to_string() == face);
    let Some(frame) = face.and_then(|face| machine.frame(face)) else {
        return (StatusCode::NOT_FOUND, "there is no such picture").into_response();
    };
    match frame.for_browsers() {
        Ok((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        Err(why) => (StatusCode::NOT_FOUND, why.to_string()).into_response(),
    }
}
