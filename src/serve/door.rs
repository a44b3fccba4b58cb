//! Who may come in, and what a browser is told about that.
//!
//! A page of another site can make a browser send requests here, also under a name that the site has pointed here. Such a request bears
//! the site's name as its host or its origin, and is turned away.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Scripts, styles and questions from here alone; no frame around the page, no form to anywhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets a request through if it is meant for this page and comes from it, or from no page.
pub(super) async fn keep(State(here): State<SocketAddr>, request: Request, next: Next) -> Response {
    let mut answer = match refusal(request.headers(), here) {
        Some(why) => (StatusCode::FORBIDDEN, why).into_response(),
        None => next.run(request).await,
    };
    let heads = answer.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        heads.insert(name, HeaderValue::from_static(value));
    }
    heads
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    answer
}

/// Why a request is turned away.
pub(super) fn refusal(heads: &HeaderMap, here: SocketAddr) -> Option<&'static str> {
    let mut names = vec![here.to_string(), format!("localhost:{}", here.port())];
    // Browsers leave out the usual port.
    if here.port() == 80 {
        names.extend([here.ip().to_string(), "localhost".to_string()]);
    }
    let mut hosts = heads.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    if hosts.next().is_some() || !host.is_some_and(|host| names.iter().any(|name| name.eq_ignore_ascii_case(host))) {
        return Some("this page is known by the address that the program has printed");
    }
    let from_here = |origin: &HeaderValue| {
        let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        origin.is_some_and(|origin| names.iter().any(|name| name.eq_ignore_ascii_case(origin)))
    };
    if !heads.get_all(header::ORIGIN).iter().all(from_here) {
        return Some("pages of other sites may not ask here");
    }
    let site = heads.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return Some("pages of other sites may not ask here");
    }
    None
}
