//! Who may come in, and what a browser is told about that.
//!
//! A page of another site can make a browser send requests here, also under a name that the site has pointed here. Such a request bears
//! the site's name as its host or its origin, and is turned away.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::code::Code;
use super::question::Refused;

/// Scripts, styles and questions from here alone; no frame around the page, no form to anywhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Whom to let in.
#[derive(Clone)]
pub(super) struct Door {
    /// The address that is listened to.
    pub here: SocketAddr,
    /// What this computer is called in its network, if other computers may come in.
    pub name: Option<String>,
    /// What they must know.
    pub code: Option<Arc<Code>>,
}

/// What needs no code: the page itself, its words, and the question that gives the code.
fn is_open(path: &str) -> bool {
    !path.starts_with("/api/") || ["/api/site", "/api/words", "/api/enter"].contains(&path)
}

impl Door {
    /// Why a request is not answered: it is not meant for this page, or does not come from it, or from a browser that knows the code.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refused> {
        if let Some(why) = self.refusal(request.headers()) {
            return Err(Refused(StatusCode::FORBIDDEN, why.to_string()));
        }
        let known = self.code.as_ref().is_none_or(|code| code.knows(request.headers()));
        if !known && !is_open(request.uri().path()) {
            let why = "enter the code that the program shows";
            return Err(Refused(StatusCode::UNAUTHORIZED, why.to_string()));
        }
        Ok(())
    }

    /// Whether a host is this computer under a name that no other site can have given it. An address of digits has no name at all.
    fn is_here(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            // Browsers leave out the usual port.
            _ => (host, Some(80)),
        };
        let is_own = match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(address) if self.code.is_none() => address == self.here.ip(),
            Ok(_) => true,
            Err(_) => {
                let mut names = ["localhost"].into_iter().chain(self.name.as_deref());
                names.any(|own| name.eq_ignore_ascii_case(own) || name.eq_ignore_ascii_case(&format!("{own}.local")))
            }
        };
        is_own && port == Some(self.here.port())
    }

    /// Why a request is turned away.
    fn refusal(&self, heads: &HeaderMap) -> Option<&'static str> {
        let mut hosts = heads.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        if hosts.next().is_some() || !host.is_some_and(|host| self.is_here(host)) {
            return Some("this page is known by the address that the program has printed");
        }
        let from_here = |origin: &HeaderValue| {
            let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            origin == host
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
}

/// Adds to an answer what a browser is told of what it may do with it.
pub(super) fn guarded(mut answer: Response) -> Response {
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
