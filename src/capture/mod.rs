//! Talking to a server until it has told its whole surface, or failing.
//!
//! The one room, with `lock/file.rs` and the command line, that does I/O. Inside of it `limits`, `jsonrpc`, `locate`,
//! `redact` and `environment` are pure; `session`, `handshake` and `listing` know messages and lists but no pipes;
//! `transport` knows pipes but no messages. Nothing is interpreted here beyond the protocol's envelope: entries stay
//! raw JSON, and there is no partial result.
//!
//! [`start`] blocks until the lists are complete. The server is then ended by the thread that talked to it, while the
//! caller already hashes and reports; [`Closing::finish`] waits for that end. After an error the server is gone before
//! the error arrives.

#[cfg(target_os = "linux")]
mod adopted;
mod client;
mod connection;
mod environment;
mod error;
mod handshake;
pub mod interrupt;
mod jsonrpc;
mod limits;
mod listing;
mod locate;
mod redact;
mod remarks;
pub mod remote;
mod session;
mod stage;
pub mod transport;
mod variation;

pub use client::{Client, ClientError, EraChoice};
pub use environment::{DEFAULT_VARIABLES, Environment};
pub use error::{CaptureError, ErrorContext, ErrorKind};
pub use limits::{Limit, Limits};
pub use redact::{Quoter, Redactor};
pub use stage::{Observer, Stage, Unobserved};
pub use variation::Variation;

use crate::surface::{Era, Launch, RawSurface, Section, Surface};
use connection::Connection;
use interrupt::Running;
use remote::Remote;
use session::Session;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use transport::{Ending, Pace, Transport};

/// How long a server that ended at `initialize` may be silent on `server/discover` in its second process. Whatever a
/// first start takes long for is done by then, and the error is known: most such servers just lack something.
const AFRESH_PATIENCE: Duration = Duration::from_secs(10);

/// When the whole run has to be over.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    /// `limit` from now on.
    pub fn after(limit: Duration) -> Self {
        let now = Instant::now();
        // A time beyond what the clock can hold is no limit; a year is none either.
        let at = now.checked_add(limit).unwrap_or_else(|| now + Duration::from_secs(365 * 86_400));
        Self { at, limit }
    }

    /// The time that the whole run has, from its beginning.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// The time that has passed since the run began.
    pub fn elapsed(&self) -> Duration {
        self.limit.saturating_sub(self.at.saturating_duration_since(Instant::now()))
    }

    /// Whether the time is up.
    pub fn has_passed(&self) -> bool {
        Instant::now() >= self.at
    }

    /// The time that is left; zero once it is up.
    pub fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}

/// How a surface is captured, whatever the transport.
#[derive(Clone)]
pub struct Settings {
    pub deadline: Deadline,
    pub limits: Limits,
    /// Declared sections that may answer their first page with "method not found".
    pub allow_missing: BTreeSet<Section>,
    pub observer: Arc<dyn Observer>,
    /// In which era of the protocol to speak.
    pub era: EraChoice,
    /// Who the server is told that we are.
    pub client: Client,
    /// What a server at a URL needs besides; of no meaning for one that is started.
    pub remote: Remote,
}

impl Settings {
    /// Default limits, nothing let pass, nobody watching, `initialize` first, no credentials.
    pub fn new(deadline: Deadline) -> Self {
        Self {
            deadline,
            limits: Limits::default(),
            allow_missing: BTreeSet::new(),
            observer: Arc::new(Unobserved),
            era: EraChoice::default(),
            client: Client::default(),
            remote: Remote::default(),
        }
    }
}

/// Which server, and how.
#[derive(Clone)]
pub struct Spec {
    pub launch: Launch,
    pub environment: Environment,
    pub settings: Settings,
}

/// A complete surface.
#[derive(Debug, Clone)]
pub struct Captured {
    pub surface: Surface,
    /// The same as texts, page by page.
    pub raw: RawSurface,
    /// Sections that were declared and missing, and let pass by [`Settings::allow_missing`].
    pub missing: BTreeSet<Section>,
    /// What was put up with; texts of the server are redacted, shortened and escaped.
    pub warnings: Vec<String>,
}

/// A complete surface whose server is being ended meanwhile.
#[derive(Debug)]
pub struct Capture {
    pub captured: Captured,
    pub closing: Closing,
}

/// The end of a server, under way. Dropping it waits too.
#[derive(Debug)]
pub struct Closing(Option<JoinHandle<Option<Ending>>>);

impl Closing {
    /// Waits until the server and its whole process group are gone (about a second at most for a server that ignores
    /// both the end of its input and SIGTERM). Says how it ended, `None` where not even SIGKILL helped.
    pub fn finish(mut self) -> Option<Ending> {
        self.join()
    }

    fn join(&mut self) -> Option<Ending> {
        let thread = self.0.take()?;
        let ending = thread.join().ok().flatten();
        interrupt::wait_for_answer();
        ending
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.join();
    }
}

/// Starts a server, captures its surface, and begins to end it. Blocks until the surface is complete. A server that ends
/// without an answer is started once more and asked in the other era, where the settings leave that open.
///
/// # Errors
/// Anything that leaves the surface incomplete or in doubt; the server is gone by then. After a signal that
/// [`interrupt::listen`] caught, this returns (with `Interrupted`) only where the callback does.
pub fn start(spec: Spec) -> Result<Capture, CaptureError> {
    let (to_caller, from_thread) = sync_channel(1);
    let thread = std::thread::Builder::new().name("warden-io".into()).spawn(move || converse(&spec, &to_caller));
    let closing = match thread {
        Ok(thread) => Closing(Some(thread)),
        Err(error) => return Err(at_start(ErrorKind::Io(error.to_string()))),
    };
    match from_thread.recv() {
        Ok(Ok(captured)) => Ok(Capture { captured, closing }),
        Ok(Err(error)) => {
            closing.finish();
            Err(error)
        }
        Err(_) => Err(at_start(ErrorKind::Io("the thread that talks to the server ended".into()))),
    }
}

/// Captures over a transport that is open already. Blocks, so it is not for asynchronous code.
///
/// # Errors
/// As [`start`], save what concerns a process.
pub fn over<T: Transport>(
    transport: &mut T,
    settings: &Settings,
    redactor: Redactor,
) -> Result<Captured, CaptureError> {
    let quoter = Quoter::new(redactor, settings.limits.quote_chars);
    let runtime = runtime().map_err(|error| at_start(ErrorKind::Io(error.to_string())))?;
    runtime.block_on(capture(transport, settings, &quoter, None)).map_err(|failed| failed.error)
}

/// A capture that failed, and what may do better.
struct Failed {
    error: CaptureError,
    /// The era that a fresh process should be asked in.
    afresh: Option<Era>,
}

/// What the thread does: the conversation, then the end of the server.
fn converse(spec: &Spec, to_caller: &SyncSender<Result<Captured, CaptureError>>) -> Option<Ending> {
    let running = Running::begin();
    // The caller waits for exactly one message; it cannot be gone.
    let tell = |outcome| to_caller.send(outcome).unwrap_or_default();
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(error) => {
            tell(Err(at_start(ErrorKind::Io(error.to_string()))));
            return None;
        }
    };
    let ending = runtime.block_on(async {
        let outcome = match attempt(spec, spec.settings.era, None, running).await {
            Err((Failed { error, afresh: Some(era) }, _)) if !spec.settings.deadline.has_passed() => {
                let patience = (era == Era::Modern).then_some(AFRESH_PATIENCE);
                let second = attempt(spec, EraChoice::Only(era), patience, Running::begin()).await;
                second.map_err(|(failed, ending)| (more_telling(error, failed, era), ending))
            }
            outcome => outcome,
        };
        match outcome {
            Ok((captured, server)) => {
                tell(Ok(captured));
                spec.settings.observer.on_stage(&Stage::Shutdown);
                server.close(Pace::Polite).await
            }
            Err((failed, ending)) => {
                tell(Err(failed.error));
                ending
            }
        }
    });
    // A read that left-over processes keep open must not be waited for.
    runtime.shutdown_background();
    ending
}

/// One process or connection, asked in this order, with so much patience for its first answer. After a failure it is
/// gone.
async fn attempt(
    spec: &Spec,
    era: EraChoice,
    patience: Option<Duration>,
    running: Running,
) -> Result<(Captured, Connection), (Failed, Option<Ending>)> {
    let settings = Settings { era, ..spec.settings.clone() };
    let secrets = match &spec.launch {
        Launch::Stdio { .. } => spec.environment.redactor(),
        Launch::Url(_) => settings.remote.secrets.clone(),
    };
    let quoter = Quoter::new(secrets, settings.limits.quote_chars);
    settings.observer.on_stage(&Stage::Start);
    let opened = Connection::open(spec, running, &quoter);
    let mut server = opened.map_err(|kind| (Failed { error: at_start(kind), afresh: None }, None))?;
    let mut outcome = capture(&mut server, &settings, &quoter, patience).await;
    if outcome.as_ref().is_err_and(|failed| server.begins_again_after(&failed.error.kind)) {
        outcome = capture(&mut server, &settings, &quoter, patience).await;
    }
    match outcome {
        Ok(mut captured) => {
            captured.warnings.extend(server.remarks());
            Ok((captured, server))
        }
        Err(mut failed) => {
            let (tail, cut) = server.stderr_tail().await;
            let context = &mut failed.error.context;
            context.stderr_tail = quoter.quote_tail(&tail, cut, settings.limits.stderr_tail_lines);
            context.warnings.extend(server.remarks());
            context.remote = matches!(spec.launch, Launch::Url(_));
            settings.observer.on_stage(&Stage::Shutdown);
            let ending = server.close(Pace::Prompt).await;
            Err((failed, ending))
        }
    }
}

/// Of two failures in two processes the one to report: what a server makes of `initialize`, which its author will have
/// tried, unless the process that was asked in the modern era came further, or somebody ended it.
fn more_telling(first: CaptureError, second: Failed, second_era: Era) -> Failed {
    let beyond = !matches!(second.error.stage, Stage::Start | Stage::Handshake);
    match second_era == Era::Legacy || beyond || matches!(second.error.kind, ErrorKind::Interrupted { .. }) {
        true => second,
        false => Failed { error: first, afresh: None },
    }
}

async fn capture<T: Transport>(
    transport: &mut T,
    settings: &Settings,
    quoter: &Quoter,
    handshake_patience: Option<Duration>,
) -> Result<Captured, Failed> {
    let mut session = Session::new(transport, settings, quoter);
    session.handshake_patience = handshake_patience;
    let outcome = tokio::select! {
        biased;
        signal = interrupt::raised() => Err(ErrorKind::Interrupted { signal }),
        outcome = tokio::time::timeout_at(settings.deadline.at.into(), session.capture()) => match outcome {
            Ok(outcome) => outcome,
            Err(_) => Err(session.timed_out()),
        },
    };
    outcome.map_err(|kind| Failed {
        afresh: session.try_afresh(&kind),
        error: CaptureError { stage: session.stage, kind, context: Box::new(session.context()) },
    })
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()
}

fn at_start(kind: ErrorKind) -> CaptureError {
    CaptureError { stage: Stage::Start, kind, context: Box::default() }
}
