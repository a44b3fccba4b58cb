//! What the history of all jobs says, as a picture.

use axum::Router;
use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::history::{History, Statistics, svg};
use crate::tables::Store;

pub(super) fn routes(store: &Store) -> Router {
    Router::new()
        .route("/api/stats", get(drawn))
        .with_state(store.folder().to_path_buf())
}

async fn drawn(Shared(folder): Shared<std::path::PathBuf>) -> Response {
    // Up to ten megabytes are read: others are answered meanwhile.
    let read = tokio::task::spawn_blocking(move || History::of(&folder).read()).await;
    match read {
        Ok(Ok(told)) => {
            let statistics = Statistics::of(&told.entries, None, false);
            ([(header::CONTENT_TYPE, "image/svg+xml")], svg(&statistics)).into_response()
        }
        Ok(Err(why)) => (StatusCode::NOT_FOUND, why.to_string()).into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()).into_response(),
    }
}
