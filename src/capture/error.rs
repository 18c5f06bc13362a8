//! What can go wrong in a capture: the stage, the kind, and what the server said meanwhile.
//!
//! Every text of the server in here is redacted, shortened and escaped already; messages are lower-case fragments.

use super::jsonrpc::{METHOD_NOT_FOUND, MISSING_CAPABILITY, UNSUPPORTED_VERSION};
use super::limits::Limit;
use super::remote::HttpError;
use super::stage::Stage;
use crate::surface::{Era, Section};
use std::time::Duration;

/// A capture that gave no surface. There is never a partial one.
#[derive(Debug, thiserror::Error)]
#[error("{stage}: {kind}")]
pub struct CaptureError {
    /// The step that failed.
    pub stage: Stage,
    pub kind: ErrorKind,
    /// What the server wrote beside the protocol.
    pub context: Box<ErrorContext>,
}

/// What the server wrote beside the protocol until it failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorContext {
    /// The last lines of the server's standard error, redacted, shortened and escaped.
    pub stderr_tail: Vec<String>,
    /// What was put up with before, lines of its output that were not MCP included.
    pub warnings: Vec<String>,
    /// Whether the server is at a URL: other things help then.
    pub remote: bool,
}

/// Why a capture gave no surface.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ErrorKind {
    #[error("the command {command} was not found")]
    NotFound { command: String },
    #[error("{command} exists, but the interpreter that its first line names does not")]
    NoInterpreter { command: String },
    #[error("{command} may not be executed: {reason}")]
    NotExecutable { command: String, reason: String },
    #[error("{command} could not be started: {reason}")]
    NotStarted { command: String, reason: String },
    #[error("this version of warden cannot talk to {0}")]
    UnsupportedTransport(String),
    #[error("the server exited with code {code} before answering")]
    Exited { code: i32 },
    #[error("the server was killed by signal {signal} before answering")]
    Killed { signal: i32 },
    #[error("the server closed its output before answering")]
    ClosedOutput,
    #[error("the server closed its input before answering")]
    ClosedInput,
    #[error("timed out after {} waiting for the server{}", seconds(limit), unattributed(stray))]
    TimedOut {
        /// The whole time the run had.
        limit: Duration,
        /// An error without an id that came meanwhile and may have been meant as the answer.
        stray: Option<String>,
    },
    #[error("what the server wrote is not MCP: {0}")]
    NotMcp(String),
    #[error("a line of the server's output is not MCP: \"{line}\"")]
    Noise { line: String },
    #[error("the server answered {method} with error {}: {message}", code_text(code))]
    Server { method: &'static str, code: Option<i64>, message: String },
    #[error("the server speaks protocol version {version}, which this version of warden does not know")]
    UnsupportedVersion { version: String },
    #[error("the server speaks {versions} only, and no revision of the {asked} era")]
    WrongEra {
        asked: Era,
        /// Quoted and listed.
        versions: String,
    },
    #[error("the resultType of the answer to {method} is {problem}")]
    ResultType { method: &'static str, problem: String },
    #[error("the answer to {method} cannot be used: {problem}")]
    Malformed { method: &'static str, problem: String },
    #[error("a message of the server is refused: {0}")]
    RefusedMessage(String),
    #[error("a message of the server is broken: {0}")]
    BrokenMessage(String),
    #[error("{method} gave the cursor {cursor} a second time, so its list can never be complete")]
    RepeatedCursor { method: &'static str, cursor: String },
    #[error("{method} gave an empty cursor, which says neither that the list ends nor where it goes on")]
    EmptyCursor { method: &'static str },
    #[error("{method} gave a cursor that is {kind}, not a string")]
    CursorNotText { method: &'static str, kind: &'static str },
    #[error("the server answered one request twice, with different answers (id {id})")]
    ConflictingAnswers { id: i64 },
    #[error("the server kept changing its {} while they were listed ({restarts} restarts)", section.key())]
    Unsettled { section: Section, restarts: usize },
    #[error("the limit {} ({value} {}) was passed", limit.name(), limit.measures())]
    Limit { limit: Limit, value: usize },
    #[error("the surface cannot be pinned: {0}")]
    Surface(String),
    #[error("interrupted by signal {signal}")]
    Interrupted { signal: i32 },
    #[error("input/output failed: {0}")]
    Io(String),
    #[error("{0}")]
    Http(Box<HttpError>),
}

impl From<HttpError> for ErrorKind {
    fn from(error: HttpError) -> Self {
        Self::Http(Box::new(error))
    }
}

fn seconds(limit: &Duration) -> String {
    format!("{} s", (limit.as_secs_f64() * 10.0).round() / 10.0)
}

fn unattributed(stray: &Option<String>) -> String {
    stray.as_ref().map_or(String::new(), |text| format!("; it sent an error that belongs to no request: {text}"))
}

fn code_text(code: &Option<i64>) -> String {
    code.map_or("without a code".to_owned(), |code| code.to_string())
}

impl ErrorKind {
    /// A stable name for documents and scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "E-NOT-FOUND",
            Self::NoInterpreter { .. } => "E-NO-INTERPRETER",
            Self::NotExecutable { .. } => "E-NOT-EXECUTABLE",
            Self::NotStarted { .. } => "E-NOT-STARTED",
            Self::UnsupportedTransport(_) => "E-TRANSPORT",
            Self::Exited { .. } => "E-EXITED",
            Self::Killed { .. } => "E-KILLED",
            Self::ClosedOutput | Self::ClosedInput => "E-CLOSED",
            Self::TimedOut { .. } => "E-TIMEOUT",
            Self::NotMcp(_) => "E-NOT-MCP",
            Self::Noise { .. } => "E-NOISE",
            Self::Server { .. } => "E-SERVER-ERROR",
            Self::UnsupportedVersion { .. } => "E-PROTOCOL-VERSION",
            Self::WrongEra { .. } => "E-ERA",
            Self::ResultType { .. } => "E-RESULT-TYPE",
            Self::Malformed { .. } => "E-MALFORMED",
            Self::BrokenMessage(_) => "E-BROKEN-MESSAGE",
            Self::RefusedMessage(_) => "E-REFUSED-MESSAGE",
            Self::RepeatedCursor { .. } | Self::EmptyCursor { .. } | Self::CursorNotText { .. } => "E-CURSOR",
            Self::ConflictingAnswers { .. } => "E-CONFLICT",
            Self::Unsettled { .. } => "E-UNSETTLED",
            Self::Limit { .. } => "E-LIMIT",
            Self::Surface(_) => "E-SURFACE",
            Self::Interrupted { .. } => "E-INTERRUPTED",
            Self::Io(_) => "E-IO",
            Self::Http(error) => error.code(),
        }
    }
}

const CHECK_COMMAND: &str = "check that the command starts an MCP server that speaks over standard input and output.";
const CHECK_URL: &str = "check that the URL is that of an MCP endpoint.";

impl CaptureError {
    /// A stable name for documents and scripts: see [`ErrorKind::code`].
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// One sentence that says what usually helps, where something does.
    pub fn hint(&self) -> Option<&'static str> {
        let listing = !matches!(self.stage, Stage::Start | Stage::Handshake);
        Some(match &self.kind {
            ErrorKind::NotFound { .. } => {
                "check the spelling, and that the program is on PATH; no shell reads the command."
            }
            ErrorKind::NoInterpreter { .. } => "install the interpreter, or put it in front of the command.",
            ErrorKind::NotExecutable { .. } => "make the file executable, or start it through its interpreter.",
            ErrorKind::NotStarted { .. } | ErrorKind::Io(_) | ErrorKind::Interrupted { .. } => return None,
            ErrorKind::UnsupportedTransport(_) => "give the command that starts the server.",
            ErrorKind::Http(error) => error.hint(),
            ErrorKind::TimedOut { .. } if self.context.remote => {
                "the server accepted the request and did not answer in time; --timeout gives it more."
            }
            ErrorKind::NotMcp(_) | ErrorKind::Limit { limit: Limit::NoiseLines, .. } if self.context.remote => {
                CHECK_URL
            }
            ErrorKind::Exited { .. } | ErrorKind::Killed { .. } | ErrorKind::ClosedOutput | ErrorKind::ClosedInput => {
                "start the command by hand to see why it ends; a missing argument or variable (--env) is usual."
            }
            ErrorKind::TimedOut { .. } if listing => {
                "the server stopped answering: its standard error may say why; --timeout gives it more time."
            }
            ErrorKind::TimedOut { .. } => {
                "a first start may download packages: start the command once by hand, or give more time (--timeout)."
            }
            ErrorKind::Noise { .. } => "without --strict-stdio such lines are skipped, counted and quoted in a note.",
            ErrorKind::NotMcp(_) | ErrorKind::Limit { limit: Limit::NoiseLines, .. } => CHECK_COMMAND,
            ErrorKind::Server { code: Some(MISSING_CAPABILITY), .. } => {
                "warden declares no capabilities, because servers change what they list for those that do."
            }
            ErrorKind::Server { code: Some(UNSUPPORTED_VERSION), .. } => {
                "the server speaks no revision of the protocol that it was asked in; --era auto tries both eras."
            }
            ErrorKind::Server { method, .. } if *method == Era::Modern.first_method() => {
                "the server does not speak the 2026-07-28 revision; --era auto also tries the older ones."
            }
            ErrorKind::WrongEra { .. } => "--era auto speaks to servers of both eras.",
            ErrorKind::ResultType { .. } => {
                "lists may not depend on further input; the server's author has to correct it."
            }
            ErrorKind::Server { code: Some(METHOD_NOT_FOUND), .. } if listing => {
                "the server declares this section but does not have it; --allow-missing lets that pass, on the record."
            }
            ErrorKind::Server { .. } if listing => {
                "an error is never read as an empty list, because that would hide the next change; try again."
            }
            ErrorKind::Server { .. } => "the server refused the handshake; its message says what it misses.",
            ErrorKind::UnsupportedVersion { .. } => "the server has to speak one of the released protocol versions.",
            ErrorKind::Malformed { .. } | ErrorKind::BrokenMessage(_) => {
                "the server departs from the protocol; its author has to correct it."
            }
            ErrorKind::RefusedMessage(_) => {
                "what cannot be hashed exactly cannot be pinned; the server has to change it."
            }
            ErrorKind::RepeatedCursor { .. } | ErrorKind::EmptyCursor { .. } | ErrorKind::CursorNotText { .. } => {
                "the server's paging is broken: other clients may see other entries than this list shows."
            }
            ErrorKind::ConflictingAnswers { .. } => {
                "two clients could see two different surfaces; do not trust this server."
            }
            ErrorKind::Unsettled { .. } => "try again once the server has finished loading.",
            ErrorKind::Limit { limit: Limit::Pages, .. } => "raise --max-pages if the list is really that long.",
            ErrorKind::Limit { limit: Limit::Items, .. } => "raise --max-items if the list is really that long.",
            ErrorKind::Limit { limit: Limit::LineBytes, .. } => {
                "raise --max-line-bytes if a message is really that long."
            }
            ErrorKind::Limit { limit: Limit::TotalBytes, .. } => {
                "raise --max-total-bytes if the surface is really that large; it has to fit into memory."
            }
            ErrorKind::Limit { .. } => "no ordinary server comes near this limit.",
            ErrorKind::Surface(_) => "the server has to correct the entry.",
        })
    }
}
