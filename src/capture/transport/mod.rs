//! How messages reach a server and come back: the seam between the session and the outside world.
//!
//! A transport moves whole messages as bytes. It knows nothing of JSON-RPC, and the session knows nothing of pipes.
//! One file for each transport, and one arm in [`super::start`].

mod framing;
#[cfg(feature = "http")]
mod http;
mod process;
mod replay;
mod stderr;
mod stdio;

pub use framing::{LineSplitter, LineTooLong};
#[cfg(feature = "http")]
pub use http::{certificates, parse_url};
pub use process::Ending;
pub use replay::{Replay, Reply};

#[cfg(feature = "http")]
pub(super) use http::Http;
pub(super) use process::Pace;
pub(super) use stderr::StderrLines;
pub(super) use stdio::Stdio;

use super::limits::Limit;
use super::remote::HttpError;
use std::future::Future;

/// A way to exchange messages with one server.
pub trait Transport {
    /// Queues one message (JSON on one line, without the line end). Never waits: a server that does not read must not
    /// stop us from reading, or each would wait for the other.
    ///
    /// # Errors
    /// Too much is queued already. That the server is gone shows in [`Transport::receive`].
    fn send(&mut self, message: &[u8]) -> Result<(), TransportError>;

    /// The next line (or body, or event) that the server wrote, whatever it holds. May be dropped and called again
    /// without losing anything.
    ///
    /// # Errors
    /// Nothing more will come, or a limit was passed.
    fn receive(&mut self) -> impl Future<Output = Result<Vec<u8>, TransportError>>;
}

/// Why no message can be sent or received any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    #[error("{0}")]
    Ended(Ending),
    #[error("the limit {} was passed", .0.name())]
    Limit(Limit),
    #[error("{0}")]
    Io(String),
    #[error("{0}")]
    Http(Box<HttpError>),
}
