//! What the history of the newest jobs says, as a picture.

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use super::question::{Answer, Refused};
use crate::history::{History, Statistics, svg};
use crate::tables::Store;

/// So many bytes, the newest, of the history are counted: some two thousand jobs, for which a brick has the memory.
const NEWEST: u64 = 500_000;

pub(super) async fn drawn(store: &Store) -> Answer {
    let folder = store.folder().to_path_buf();
    // Others are answered meanwhile.
    let read = tokio::task::spawn_blocking(move || History::of(&folder).read_newest(NEWEST)).await;
    match read {
        Ok(Ok(told)) => {
            let statistics = Statistics::of(&told.entries, None, false);
            Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg(&statistics)).into_response())
        }
        Ok(Err(why)) => Err(Refused(StatusCode::NOT_FOUND, why.to_string())),
        Err(why) => Err(Refused(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())),
    }
}
