//! MCP over HTTP: Streamable HTTP of every revision that has it, and HTTP+SSE by the documented fallback.
//!
//! The session sends and receives messages as over a pipe. Behind that, each message of ours is a request of its own, in
//! a task of its own, because a server may ask something (and wait for our answer, another request) before it answers;
//! what comes back flows into one channel. The tasks end with this value.
//!
//! Nothing is read ahead: the channel holds one message, so a server that never stops is stopped by its own socket.

mod address;
mod challenge;
mod client;
mod discovery;
mod event_stream;
mod exchange;
mod message;
mod oauth;
mod peer;
mod proxy;
mod redirect;
mod sse;
mod tls;

pub use address::parse as parse_url;
pub use tls::certificates;

use super::{Ending, Pace, Transport, TransportError};
use crate::capture::Deadline;
use crate::capture::error::ErrorKind;
use crate::capture::interrupt::{self, Running};
use crate::capture::limits::{Limit, Limits};
use crate::capture::redact::Quoter;
use crate::capture::remote::{HttpError, Remote};
use message::{Kind, Outgoing};
use peer::Peer;
use reqwest::Method;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Answers to the server that are under way at a time: one that asks without end would otherwise get a connection for
/// each.
const MOST_ANSWERS: usize = 8;

/// A server at a URL.
pub struct Http {
    peer: Arc<Peer>,
    limits: Limits,
    conversation: Conversation,
    /// Held until the server was told goodbye.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "held for its drop"))]
    running: Running,
}

/// What one session of the server needs; made anew when the server has forgotten it.
struct Conversation {
    outgoing: mpsc::UnboundedSender<Posted>,
    /// Bytes that the server has not taken yet.
    queued: Arc<AtomicUsize>,
    incoming: mpsc::Receiver<Incoming>,
    last_request: Option<i64>,
    tasks: JoinSet<()>,
}

/// A message of ours on its way, and the room that it takes.
struct Posted {
    message: Outgoing,
    room: Room,
}

/// Given back when the server has taken the message.
#[derive(Default)]
struct Room {
    bytes: usize,
    queued: Arc<AtomicUsize>,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.queued.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// What a task was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    Request,
    /// Others waited for it.
    Notification,
    Answer,
    Stream,
}

/// Something that came back.
enum Incoming {
    Message(Vec<u8>),
    /// The end of one request, or of everything.
    Failed {
        request: Option<i64>,
        error: HttpError,
    },
}

/// Where tasks put what came back.
#[derive(Clone)]
struct Inbox {
    peer: Arc<Peer>,
    sender: mpsc::Sender<Incoming>,
    /// Starts tasks that end with the conversation.
    spawner: mpsc::UnboundedSender<Task>,
}

type Task = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

impl Inbox {
    /// Hands a message on; waits until the session has room for it.
    async fn hand_on(&self, message: Vec<u8>) {
        // Nobody listens any more once the conversation is over.
        let _ = self.sender.send(Incoming::Message(message)).await;
    }

    async fn fail(&self, request: Option<i64>, error: HttpError) {
        let _ = self.sender.send(Incoming::Failed { request, error }).await;
    }

    /// Runs something beside the request that began it; its error ends the conversation.
    fn spawn<F>(&self, work: impl FnOnce(Arc<Peer>, Inbox) -> F + Send + 'static)
    where
        F: Future<Output = HttpError> + Send + 'static,
    {
        let inbox = self.clone();
        let task = async move {
            let error = work(Arc::clone(&inbox.peer), inbox.clone()).await;
            inbox.fail(None, error).await;
        };
        let _ = self.spawner.send(Box::pin(task));
    }
}

impl Http {
    /// Prepares a conversation; needs a runtime with I/O and time. Nothing is sent yet.
    ///
    /// # Errors
    /// The URL or a header cannot be used.
    pub(crate) fn open(
        url: &str,
        remote: &Remote,
        limits: &Limits,
        quoter: &Quoter,
        deadline: Deadline,
        running: Running,
    ) -> Result<Self, ErrorKind> {
        let address =
            parse_url(url).map_err(|problem| ErrorKind::UnsupportedTransport(format!("this URL: {problem}")))?;
        let peer = Arc::new(Peer::new(address, remote.clone(), *limits, quoter.clone(), deadline)?);
        let conversation = Conversation::begin(&peer);
        Ok(Self { peer, limits: *limits, conversation, running })
    }

    /// Begins anew, with nothing left of the session before.
    pub(crate) fn restart(&mut self) {
        self.peer.forget_session();
        self.peer.remark("the server forgot its session, so everything was asked once more in a new one".to_owned());
        self.conversation = Conversation::begin(&self.peer);
    }

    /// What was put up with on the way; quoted already.
    pub(crate) fn remarks(&self) -> Vec<String> {
        self.peer.remarks()
    }

    /// Tells the server that its session is over. Whether it listens makes no difference.
    pub(crate) async fn close(mut self, pace: Pace) -> Option<Ending> {
        self.conversation.tasks.abort_all();
        if self.peer.has_session() && interrupt::received().is_none() {
            let patience = match pace {
                Pace::Polite => Duration::from_secs(2),
                Pace::Prompt => Duration::from_millis(500),
            };
            let headers = self.peer.session_headers();
            let goodbye = self.peer.call("the end of the session", Method::DELETE, headers, None);
            tokio::select! {
                _ = tokio::time::timeout(patience, goodbye) => {}
                _ = interrupt::raised() => {}
            }
        }
        // Of servers that were started beside this one, and ended before.
        #[cfg(target_os = "linux")]
        self.running.end_adopted().await;
        Some(Ending::ClosedOutput)
    }
}

impl Conversation {
    fn begin(peer: &Arc<Peer>) -> Self {
        let (outgoing, to_send) = mpsc::unbounded_channel();
        let (sender, incoming) = mpsc::channel(1);
        let mut tasks = JoinSet::new();
        tasks.spawn(dispatch(Arc::clone(peer), to_send, sender));
        Self { outgoing, queued: Arc::default(), incoming, last_request: None, tasks }
    }
}

/// Sends what is queued: requests and notifications in their order, each after the notifications before it were
/// accepted; answers to the server beside them, because it may wait for one with everything else.
async fn dispatch(peer: Arc<Peer>, mut to_send: mpsc::UnboundedReceiver<Posted>, sender: mpsc::Sender<Incoming>) {
    let (spawner, mut to_spawn) = mpsc::unbounded_channel::<Task>();
    let inbox = Inbox { peer, sender, spawner };
    // Aborted with this task.
    let mut tasks: JoinSet<Done> = JoinSet::new();
    let (mut held, mut answers) = (VecDeque::new(), VecDeque::new());
    let (mut blocked, mut answering) = (false, 0);
    loop {
        while !blocked && let Some(posted) = held.pop_front() {
            let posted: Posted = posted;
            blocked = matches!(posted.message.kind, Kind::Notification { .. });
            tasks.spawn(deliver(posted, inbox.clone()));
        }
        while answering < MOST_ANSWERS
            && let Some(posted) = answers.pop_front()
        {
            answering += 1;
            tasks.spawn(deliver(posted, inbox.clone()));
        }
        tokio::select! {
            posted = to_send.recv() => match posted {
                Some(posted) if posted.message.kind == Kind::Answer => answers.push_back(posted),
                Some(posted) => held.push_back(posted),
                None => return,
            },
            Some(task) = to_spawn.recv() => {
                tasks.spawn(async move {
                    task.await;
                    Done::Stream
                });
            }
            Some(done) = tasks.join_next() => match done {
                Ok(Done::Notification) => blocked = false,
                Ok(Done::Answer) => answering -= 1,
                _ => {}
            },
        }
    }
}

/// Sends one message and reads everything that comes back for it.
async fn deliver(Posted { message, room }: Posted, inbox: Inbox) -> Done {
    let peer = Arc::clone(&inbox.peer);
    let outcome = exchange::exchange(&peer, &message, &inbox, room).await;
    let (done, request) = match message.kind {
        Kind::Request { id, .. } => (Done::Request, Some(id)),
        Kind::Notification { .. } => (Done::Notification, None),
        Kind::Answer => (Done::Answer, None),
    };
    if let Err(error) = outcome {
        inbox.fail(request, error).await;
    }
    done
}

impl Transport for Http {
    fn send(&mut self, message: &[u8]) -> Result<(), TransportError> {
        let conversation = &mut self.conversation;
        let before = conversation.queued.fetch_add(message.len(), Ordering::Relaxed);
        let room = Room { bytes: message.len(), queued: Arc::clone(&conversation.queued) };
        if before.saturating_add(message.len()) >= self.limits.outgoing_bytes {
            return Err(TransportError::Limit(Limit::OutgoingBytes));
        }
        let message = Outgoing::new(message);
        if let Kind::Request { id, .. } = message.kind {
            conversation.last_request = Some(id);
        }
        conversation.outgoing.send(Posted { message, room }).map_err(|_| TransportError::Ended(Ending::ClosedInput))
    }

    async fn receive(&mut self) -> Result<Vec<u8>, TransportError> {
        loop {
            match self.conversation.incoming.recv().await {
                Some(Incoming::Message(message)) => return Ok(message),
                // The end of a request that nobody waits for any more.
                Some(Incoming::Failed { request: Some(id), .. }) if self.conversation.last_request != Some(id) => {}
                Some(Incoming::Failed { error: HttpError::Limit(limit), .. }) => {
                    return Err(TransportError::Limit(limit));
                }
                Some(Incoming::Failed { error, .. }) => return Err(TransportError::Http(Box::new(error))),
                None => return Err(TransportError::Ended(Ending::ClosedOutput)),
            }
        }
    }
}

#[cfg(test)]
mod transport_tests;
