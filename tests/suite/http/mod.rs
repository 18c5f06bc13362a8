//! Servers at a URL, over loopback: what they are asked, what they may answer, and what never leaves this machine.

mod cli;
mod conversation;
mod echo;
mod eras;
mod event_stream;
mod events;
mod login;
mod oauth;
mod redirects;
mod refusals;
mod tls;

use crate::support::web::{Reply, Request, Web};
use std::time::Duration;
use warden::capture::remote::{Header, Remote, Secret};
use warden::capture::{CaptureError, Captured, Deadline, Environment, Settings, Spec, start};
use warden::surface::Launch;

pub const HELLO: &str =
    r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#;
pub const ALPHA: &str = r#"{"tools":[{"name":"alpha"}]}"#;

/// What an ordinary server of the legacy revisions answers, in JSON, without sessions.
pub fn ordinary(request: &Request) -> Reply {
    match (request.method.as_str(), request.rpc().as_str()) {
        ("POST", "initialize") => request.result(HELLO),
        ("POST", "tools/list") => request.result(ALPHA),
        ("POST", method) if method.starts_with("notifications/") => Reply::status(202),
        ("POST", "") => Reply::status(202),
        ("POST", _) => request.error(200, -32601),
        _ => Reply::status(405),
    }
}

/// As [`ordinary`], save for one method.
pub fn answering(
    method: &'static str,
    reply: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> impl Fn(&Request) -> Reply + Send + Sync + 'static {
    move |request| if request.rpc() == method { reply(request) } else { ordinary(request) }
}

/// How a test asks.
pub struct Ask {
    pub url: String,
    pub settings: Settings,
}

impl Ask {
    pub fn new(url: String) -> Self {
        Self { url, settings: Settings::new(Deadline::after(Duration::from_secs(30))) }
    }

    pub fn at(web: &Web) -> Self {
        Self::new(web.url("/mcp"))
    }

    pub fn within(mut self, milliseconds: u64) -> Self {
        self.settings.deadline = Deadline::after(Duration::from_millis(milliseconds));
        self
    }

    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    pub fn remote(mut self, change: impl FnOnce(&mut Remote)) -> Self {
        change(&mut self.settings.remote);
        self
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        self.remote(|remote| {
            remote.headers.push(Header { name: name.to_owned(), value: Secret::new(value) });
            remote.secrets.learn([(name, value)]);
        })
    }

    pub fn run(&self) -> Result<Captured, CaptureError> {
        let spec = Spec {
            launch: Launch::Url(self.url.clone()),
            environment: Environment::default(),
            settings: self.settings.clone(),
        };
        start(spec).map(|capture| {
            capture.closing.finish();
            capture.captured
        })
    }

    pub fn captured(&self) -> Captured {
        self.run().unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn failed(&self) -> CaptureError {
        match self.run() {
            Ok(captured) => panic!("captured {captured:?}"),
            Err(error) => error,
        }
    }

    /// Captures, and says which tools there were.
    pub fn tools(&self) -> Vec<String> {
        self.captured().surface.tools.iter().map(|tool| tool.name().to_owned()).collect()
    }
}
