//! How every question is read, and refused.

use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::sure::surely;

/// Bytes of a question.
const QUESTION: usize = 64 * 1024;
/// How long the body of a question may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a question is not answered: the status, and what to do, in a line.
pub(super) struct Refused(pub(super) StatusCode, pub(super) String);

/// What a question is answered.
pub(super) type Answer = Result<Response, Refused>;

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Words {
            error: String,
        }
        let mut answer = json(&Words { error: self.1 });
        *answer.status_mut() = self.0;
        answer
    }
}

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> Response {
    // Numbers, texts and lists of them: that cannot fail.
    let text = surely(serde_json::to_vec(value).ok());
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

pub(super) fn refused<T>(why: impl ToString) -> Result<T, Refused> {
    Err(Refused(StatusCode::BAD_REQUEST, why.to_string()))
}

/// Reads a question. The media type must be JSON's, which a form of another site cannot have.
pub(super) async fn question<T: DeserializeOwned>(request: Request) -> Result<T, Refused> {
    question_up_to(QUESTION, request).await
}

/// Reads a question of at most so many bytes.
pub(super) async fn question_up_to<T: DeserializeOwned>(most: usize, request: Request) -> Result<T, Refused> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        let why = "questions are asked as application/json";
        return Err(Refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, why.to_string()));
    }
    let body = tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), most)).await;
    let Ok(body) = body else {
        let why = "the question took too long";
        return Err(Refused(StatusCode::REQUEST_TIMEOUT, why.to_string()));
    };
    let body = body.map_err(|_| {
        let why = format!("this question may have at most {most} bytes");
        Refused(StatusCode::PAYLOAD_TOO_LARGE, why)
    })?;
    serde_json::from_slice(&body).or_else(|why| refused(format!("this is no such question: {why}")))
}
