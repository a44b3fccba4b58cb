//! The page's words in the language of who looks at it.

use axum::extract::Request;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::response::Response;
use serde::Serialize;
use std::collections::HashMap;

use super::question::json;
use crate::lang::Language;

/// What the page is told.
#[derive(Serialize)]
struct Told {
    /// The language's letters.
    language: &'static str,
    /// Letters and names of all languages.
    languages: Vec<[&'static str; 2]>,
    /// Its texts, by the English ones.
    texts: HashMap<String, String>,
}

/// Answers in the language that is asked for, else in the first one of the browser's that there is, else in English.
pub(super) fn told(request: &Request) -> Response {
    let asked = request.uri().query().and_then(Language::named);
    let heads = request.headers().get(ACCEPT_LANGUAGE);
    let accepted = heads.and_then(|accepted| accepted.to_str().ok()).unwrap_or_default();
    let language = asked.unwrap_or_else(|| Language::accepted(accepted));
    json(&Told {
        language: language.code(),
        languages: Language::ALL.map(|one| [one.code(), one.name()]).to_vec(),
        texts: language.page(),
    })
}
