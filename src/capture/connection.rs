//! An open connection to a server of either kind: one arm for each transport.

use super::Spec;
use super::error::ErrorKind;
use super::interrupt::{self, Running};
use super::redact::Quoter;
#[cfg(feature = "http")]
use super::remote::HttpError;
#[cfg(feature = "http")]
use super::transport::Http;
use super::transport::{Ending, Pace, StderrLines, Stdio, Transport, TransportError};
use crate::surface::Launch;

/// A server that was started, or one that is asked at its URL.
pub(super) enum Connection {
    Process(Box<Stdio>),
    #[cfg(feature = "http")]
    Remote(Box<Http>),
}

impl Connection {
    /// Starts a server, or prepares to ask one.
    pub(super) fn open(
        spec: &Spec,
        running: Running,
        #[cfg_attr(not(feature = "http"), expect(unused_variables, reason = "only servers at a URL are quoted here"))]
        quoter: &Quoter,
    ) -> Result<Self, ErrorKind> {
        if let Some(signal) = interrupt::received() {
            return Err(ErrorKind::Interrupted { signal });
        }
        let settings = &spec.settings;
        match &spec.launch {
            Launch::Stdio { command, args } => {
                let lines = StderrLines::wanted(&settings.observer, spec.environment.redactor(), &settings.limits);
                let server = Stdio::start(command, args, &spec.environment, &settings.limits, lines, running)?;
                Ok(Self::Process(Box::new(server)))
            }
            #[cfg(feature = "http")]
            Launch::Url(url) => {
                let server = Http::open(url, &settings.remote, &settings.limits, quoter, settings.deadline, running)?;
                Ok(Self::Remote(Box::new(server)))
            }
            #[cfg(not(feature = "http"))]
            Launch::Url(_) => {
                Err(ErrorKind::UnsupportedTransport("a server at a URL: it was built without the feature http".into()))
            }
        }
    }

    /// Whether another capture over this connection may succeed where the first ended with this error: the server has
    /// forgotten its session. What was listed before belongs to that session, so everything is asked anew, once.
    pub(super) fn begins_again_after(&mut self, error: &ErrorKind) -> bool {
        match (self, error) {
            #[cfg(feature = "http")]
            (Self::Remote(server), ErrorKind::Http(error)) if **error == HttpError::SessionExpired => {
                server.restart();
                true
            }
            _ => false,
        }
    }

    /// The end of the server's standard error so far, and whether it was cut.
    pub(super) async fn stderr_tail(&self) -> (Vec<u8>, bool) {
        match self {
            Self::Process(server) => server.stderr_tail().await,
            #[cfg(feature = "http")]
            Self::Remote(_) => (Vec::new(), false),
        }
    }

    /// What the transport put up with.
    pub(super) fn remarks(&self) -> Vec<String> {
        match self {
            Self::Process(_) => Vec::new(),
            #[cfg(feature = "http")]
            Self::Remote(server) => server.remarks(),
        }
    }

    /// Ends the server, or the session.
    pub(super) async fn close(self, pace: Pace) -> Option<Ending> {
        match self {
            Self::Process(server) => server.close(pace).await,
            #[cfg(feature = "http")]
            Self::Remote(server) => server.close(pace).await,
        }
    }
}

impl Transport for Connection {
    fn send(&mut self, message: &[u8]) -> Result<(), TransportError> {
        match self {
            Self::Process(server) => server.send(message),
            #[cfg(feature = "http")]
            Self::Remote(server) => server.send(message),
        }
    }

    async fn receive(&mut self) -> Result<Vec<u8>, TransportError> {
        match self {
            Self::Process(server) => server.receive().await,
            #[cfg(feature = "http")]
            Self::Remote(server) => server.receive().await,
        }
    }
}
