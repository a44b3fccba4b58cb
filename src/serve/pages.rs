//! What there is at each path.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::api::{self, Service};
use super::code::{Code, Denied};
use super::door::{Door, guarded};
use super::machine::{self, Machine};
#[cfg(feature = "photos")]
use super::photos::{self, Looking};
use super::question::{Answer, Refused, json, question, refused};
use super::{files, past, words};
use crate::app::Model;
use crate::tables::Store;

/// What there is to serve.
pub struct Site {
    /// The tables that cubes are solved with.
    pub store: Store,
    /// The machine, if there is one.
    pub machine: Option<Arc<Machine>>,
    /// Its calibration, by which it is said how many seconds turns take.
    pub model: Option<Model>,
    /// What browsers must be told before anything else is answered; other computers' browsers come in with it alone.
    pub code: Option<Code>,
    /// What this computer is called in its network.
    pub name: Option<String>,
}

/// All that is answered.
pub(super) struct Pages {
    door: Door,
    store: Store,
    service: Arc<Service>,
    machine: Option<Arc<Machine>>,
    #[cfg(feature = "photos")]
    looking: Looking,
}

/// What a page must know before anything else.
#[derive(Serialize)]
struct About {
    /// Whether there is a machine.
    machine: bool,
    /// Whether the code is to be told first.
    locked: bool,
    /// Whether photos can be read.
    photos: bool,
}

impl Pages {
    pub(super) fn new(here: SocketAddr, site: Site) -> Pages {
        Pages {
            door: Door {
                here,
                name: site.name,
                code: site.code.map(Arc::new),
            },
            service: Arc::new(Service::new(site.store.clone(), site.model)),
            store: site.store,
            machine: site.machine,
            #[cfg(feature = "photos")]
            looking: Looking::new(),
        }
    }

    pub(super) async fn answer(&self, request: Request) -> Response {
        let answer = match self.door.check(&request) {
            Ok(()) => self.find(request).await,
            Err(why) => Err(why),
        };
        guarded(answer.unwrap_or_else(IntoResponse::into_response))
    }

    async fn find(&self, request: Request) -> Answer {
        let path = request.uri().path().to_string();
        let (get, post) = match *request.method() {
            Method::GET | Method::HEAD => (true, false),
            Method::POST => (false, true),
            _ => (false, false),
        };
        match (path.as_str(), &self.machine) {
            ("/api/site", _) if get => Ok(self.about(&request)),
            ("/api/words", _) if get => Ok(words::told(&request)),
            ("/api/stats", _) if get => past::drawn(&self.store).await,
            ("/api/enter", _) if post => self.enter(request).await,
            ("/api/check", _) if post => api::check(request).await,
            ("/api/solve", _) if post => api::solve(&self.service, request).await,
            ("/api/scramble", _) if post => api::scrambled(request).await,
            #[cfg(feature = "photos")]
            ("/api/look", _) if post => photos::looked(&self.looking, request).await,
            #[cfg(feature = "photos")]
            ("/api/photos", _) if post => photos::read(&self.looking, request).await,
            ("/api/machine", Some(machine)) if get => Ok(machine::watch(machine.clone())),
            ("/api/machine", Some(machine)) if post => machine::order(machine, request).await,
            ("/api/machine/stop", Some(machine)) if post => machine::stop(machine, request).await,
            (path, Some(machine)) if get && path.starts_with(PICTURE) => {
                Ok(machine::picture(machine, &path[PICTURE.len()..]))
            }
            (path, _) if !post && ASKED.contains(&path) || !get && files::file(path).is_ok() => {
                let why = "this is asked in another way".to_string();
                Err(Refused(StatusCode::METHOD_NOT_ALLOWED, why))
            }
            (path, _) => files::file(path),
        }
    }

    fn about(&self, request: &Request) -> Response {
        let code = self.door.code.as_ref();
        json(&About {
            machine: self.machine.is_some(),
            locked: code.is_some_and(|code| !code.knows(request.headers())),
            photos: cfg!(feature = "photos"),
        })
    }

    /// Lets a browser in that was told the code.
    async fn enter(&self, request: Request) -> Answer {
        #[derive(Deserialize)]
        struct Told {
            code: String,
        }
        let Told { code: told } = question(request).await?;
        let Some(code): Option<&Arc<Code>> = self.door.code.as_ref() else {
            return refused("no code is needed");
        };
        match code.hear(&told, Instant::now()) {
            Ok(cookie) => Ok(([(header::SET_COOKIE, cookie)], json(&())).into_response()),
            Err(why @ Denied::Wrong) => Err(Refused(StatusCode::FORBIDDEN, why.to_string())),
            Err(why) => Err(Refused(StatusCode::TOO_MANY_REQUESTS, why.to_string())),
        }
    }
}

/// A picture's path begins so, and ends with the letter of the side.
const PICTURE: &str = "/api/machine/picture/";

/// Paths of questions, which are asked by POST.
const ASKED: [&str; 7] = [
    "/api/enter",
    "/api/check",
    "/api/solve",
    "/api/scramble",
    "/api/look",
    "/api/photos",
    "/api/machine/stop",
];
