//! One conversation with a server: requests out, answers in, and everything else that comes between them.
//!
//! Knows messages, not lists: what is asked and in which order stands in `handshake.rs` and `listing.rs`. Requests go
//! out one at a time, save at the beginning, where a server that is silent is asked in the other era too.

use super::Settings;
use super::client::EraChoice;
use super::error::{ErrorContext, ErrorKind};
use super::jsonrpc::{self, Line, METHOD_NOT_FOUND, Message, Outcome};
use super::limits::Limit;
use super::locate;
use super::redact::Quoter;
use super::stage::Stage;
use super::transport::{Ending, Transport, TransportError};
use crate::json::{Object, ParseError, ParseErrorKind, Value};
use crate::surface::{Era, Section};
use std::collections::hash_map::RandomState;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::BuildHasher;
use std::task::Poll;
use std::time::Duration;

/// The one revision that has JSON-RPC batches.
const VERSION_WITH_BATCHES: &str = "2025-03-26";
/// How [`ParseErrorKind::Syntax`] names the end of a text.
const END_OF_TEXT: &str = "the end of the text";
/// How long the end of a connection may lag behind the half of a message.
const AFTER_HALF_A_MESSAGE: Duration = Duration::from_millis(250);

/// What an answer says, and the text that says it.
#[derive(Debug)]
pub(super) struct Reply {
    pub outcome: Outcome,
    /// The value of `result` or `error`, verbatim.
    pub text: String,
}

/// The era and revision that a conversation is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agreement {
    pub era: Era,
    pub version: &'static str,
}

/// The state of a conversation.
pub(super) struct Session<'a, T> {
    transport: &'a mut T,
    pub(super) settings: &'a Settings,
    pub(super) quoter: &'a Quoter,
    pub(super) stage: Stage,
    /// Sections whose change was announced since the flag was last cleared.
    pub(super) changed: BTreeSet<Section>,
    /// `None` until the handshake is over.
    pub(super) agreement: Option<Agreement>,
    /// Whether the server ended by itself, or its output did.
    pub(super) ended: bool,
    /// How long the handshake may take, where that is less than all the time there is.
    pub(super) handshake_patience: Option<Duration>,
    /// The eras that this process was asked in.
    pub(super) asked_in: BTreeSet<Era>,
    /// Whether a refused message was recognised as a list of resource templates.
    pub(super) refused_in_templates: bool,
    last_id: i64,
    /// Requests whose answers are waited for.
    pending: Vec<i64>,
    /// Their answers that nobody has taken yet.
    replies: VecDeque<(i64, Reply)>,
    /// Answered ids, each with a fingerprint of the line that answered it (none within a batch).
    answered: HashMap<i64, Option<u64>>,
    /// Requests that nobody waits for any more.
    abandoned: HashSet<i64>,
    /// Answers to requests that were not made yet, with their fingerprints.
    premature: HashMap<i64, Option<u64>>,
    fingerprint: RandomState,
    messages: usize,
    bytes: usize,
    /// JSON values that it may still send.
    values: usize,
    noise_lines: usize,
    noise: Vec<String>,
    warnings: Vec<String>,
    unshown_warnings: usize,
    /// The last error without an id.
    stray: Option<String>,
}

impl<'a, T: Transport> Session<'a, T> {
    pub(super) fn new(transport: &'a mut T, settings: &'a Settings, quoter: &'a Quoter) -> Self {
        Self {
            transport,
            settings,
            quoter,
            stage: Stage::Start,
            changed: BTreeSet::new(),
            agreement: None,
            ended: false,
            handshake_patience: None,
            asked_in: BTreeSet::new(),
            refused_in_templates: false,
            last_id: 0,
            pending: Vec::new(),
            replies: VecDeque::new(),
            answered: HashMap::new(),
            abandoned: HashSet::new(),
            premature: HashMap::new(),
            fingerprint: RandomState::new(),
            messages: 0,
            bytes: 0,
            values: settings.limits.values,
            noise_lines: 0,
            noise: Vec::new(),
            warnings: Vec::new(),
            unshown_warnings: 0,
            stray: None,
        }
    }

    pub(super) fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.settings.observer.on_stage(&stage);
    }

    /// Notes something that was put up with. The text is quoted already where it is the server's.
    pub(super) fn warn(&mut self, text: String) {
        if self.warnings.contains(&text) {
            return;
        }
        if self.warnings.len() < self.settings.limits.warnings {
            self.warnings.push(text);
        } else {
            self.unshown_warnings += 1;
        }
    }

    /// Everything that was put up with.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        if self.unshown_warnings > 0 {
            warnings.push(format!("{} more warnings are not shown", self.unshown_warnings));
        }
        if self.noise_lines > 0 {
            let lines = match self.noise_lines {
                1 => "1 line of the server's output was not MCP and was skipped".to_owned(),
                count => format!("{count} lines of the server's output were not MCP and were skipped"),
            };
            let quotes = self.noise.iter().map(|line| format!("\"{line}\"")).collect::<Vec<_>>().join(", ");
            let more = if self.noise_lines > self.noise.len() { ", …" } else { "" };
            warnings.push(format!("{lines}: {quotes}{more}"));
        }
        warnings
    }

    pub(super) fn context(&self) -> ErrorContext {
        ErrorContext { warnings: self.warnings(), ..ErrorContext::default() }
    }

    pub(super) fn timed_out(&self) -> ErrorKind {
        ErrorKind::TimedOut { limit: self.settings.deadline.limit(), stray: self.stray.clone() }
    }

    /// Asks, and waits for the answer to this very question.
    pub(super) async fn request(&mut self, method: &'static str, params: Object) -> Result<Reply, ErrorKind> {
        let asked = self.ask(method, params)?;
        loop {
            let (id, reply) = self.next_reply().await?;
            if id == asked {
                return Ok(reply);
            }
        }
    }

    /// Asks without waiting.
    pub(super) fn ask(&mut self, method: &'static str, params: Object) -> Result<i64, ErrorKind> {
        self.last_id += 1;
        self.pending.push(self.last_id);
        self.send(&jsonrpc::request(self.last_id, method, params))?;
        Ok(self.last_id)
    }

    /// The next answer to a question that is still open.
    pub(super) async fn next_reply(&mut self) -> Result<(i64, Reply), ErrorKind> {
        loop {
            if let Some(reply) = self.replies.pop_front() {
                return Ok(reply);
            }
            self.step().await?;
        }
    }

    /// Whether an answer is still to come, or to be taken.
    pub(super) fn is_waiting(&self) -> bool {
        !(self.pending.is_empty() && self.replies.is_empty())
    }

    pub(super) fn notify(&mut self, method: &str) -> Result<(), ErrorKind> {
        self.send(&jsonrpc::notification(method))
    }

    /// Waits no longer for the answers that are missing; should they come, they are ignored.
    pub(super) fn abandon(&mut self) {
        self.abandoned.extend(self.pending.drain(..));
        self.replies.clear();
    }

    /// Reads what has arrived already, without waiting for more. That the connection ended meanwhile is no fault here.
    pub(super) async fn read_arrived(&mut self) -> Result<(), ErrorKind> {
        // Lets the runtime look at the pipes once.
        tokio::task::yield_now().await;
        loop {
            let mut step = std::pin::pin!(self.step());
            let arrived = std::future::poll_fn(|context| match step.as_mut().poll(context) {
                Poll::Ready(step) => Poll::Ready(Some(step)),
                Poll::Pending => Poll::Ready(None),
            });
            match arrived.await {
                None | Some(Err(ErrorKind::Exited { .. } | ErrorKind::Killed { .. })) => return Ok(()),
                Some(Err(ErrorKind::ClosedOutput | ErrorKind::ClosedInput)) => return Ok(()),
                Some(step) => step?,
            }
        }
    }

    fn send(&mut self, message: &[u8]) -> Result<(), ErrorKind> {
        self.transport.send(message).map_err(|error| self.transport_error(error))
    }

    /// Takes one line.
    async fn step(&mut self) -> Result<(), ErrorKind> {
        let line = self.transport.receive().await.map_err(|error| self.transport_error(error))?;
        self.bytes = self.bytes.saturating_add(line.len()).saturating_add(1);
        self.within(Limit::TotalBytes, self.bytes, self.settings.limits.total_bytes)?;
        match jsonrpc::read_line(&line, self.settings.limits.line_bytes, &mut self.values) {
            Err(ParseError { kind: ParseErrorKind::TooManyValues { .. }, .. }) => {
                Err(ErrorKind::Limit { limit: Limit::Values, value: self.settings.limits.values })
            }
            Err(error) => Err(self.refuse(&line, &error).await),
            Ok(Line::Blank) => Ok(()),
            Ok(Line::Noise) => self.note_noise(&line),
            Ok(Line::One(message)) => self.take(message, &line, None),
            Ok(Line::Batch { messages, noise }) => {
                if self.agreement.is_none_or(|agreement| agreement.version != VERSION_WITH_BATCHES) {
                    self.warn("the server sent a JSON-RPC batch, which its protocol version does not have".into());
                }
                if noise > 0 {
                    self.note_noise(&line)?;
                }
                messages.into_iter().try_for_each(|(place, message)| self.take(message, &line, Some(place)))
            }
        }
    }

    /// Takes one message of a line; `place` is where it stands in a batch.
    fn take(&mut self, message: Message, line: &[u8], place: Option<usize>) -> Result<(), ErrorKind> {
        self.messages += 1;
        match message {
            Message::Request { id, method } => self.answer(id, &method),
            Message::Notification { method } => {
                let section = match method.as_str() {
                    "notifications/tools/list_changed" => Some(Section::Tools),
                    "notifications/resources/list_changed" => Some(Section::Resources),
                    "notifications/prompts/list_changed" => Some(Section::Prompts),
                    _ => None,
                };
                self.changed.extend(section);
                Ok(())
            }
            Message::Answer { id, outcome } => {
                let fingerprint = place.is_none().then(|| self.fingerprint.hash_one(line));
                if let Some((id, outcome)) = self.match_answer(&id, outcome, fingerprint)? {
                    let text = jsonrpc::carried_text(line, place, &outcome);
                    self.replies.push_back((id, Reply { outcome, text }));
                }
                Ok(())
            }
        }
    }

    /// The answer and the number of its question, where that is still open.
    fn match_answer(
        &mut self,
        id: &Value,
        outcome: Outcome,
        fingerprint: Option<u64>,
    ) -> Result<Option<(i64, Outcome)>, ErrorKind> {
        let number = jsonrpc::id_number(id);
        if let Some(number) = number {
            if let Some(at) = self.pending.iter().position(|&pending| pending == number) {
                self.pending.swap_remove(at);
                if self.premature.get(&number).is_some_and(|first| first.is_none() || *first != fingerprint) {
                    return Err(ErrorKind::ConflictingAnswers { id: number });
                }
                self.answered.insert(number, fingerprint);
                return Ok(Some((number, outcome)));
            }
            if let Some(first) = self.answered.get(&number) {
                if first.is_none() || *first != fingerprint {
                    return Err(ErrorKind::ConflictingAnswers { id: number });
                }
                self.warn(format!("the server repeated its answer to request {number}"));
                return Ok(None);
            }
            if self.abandoned.contains(&number) {
                return Ok(None);
            }
            // Another client may take it for the answer to what it asks next.
            self.premature.insert(number, fingerprint);
        }
        match outcome {
            // Perhaps the answer that is waited for, perhaps a complaint about a notification: nobody can tell.
            Outcome::Error(error) if id.is_null() => {
                let text = self.quoter.quote(&error.message);
                let text = error.code.map_or(text.clone(), |code| format!("{code} {text}"));
                self.warn(format!("the server sent an error that belongs to no request: {text}"));
                self.stray = Some(text);
            }
            _ => {
                let id = match id {
                    Value::String(text) => format!("\"{}\"", self.quoter.quote(text)),
                    other => number.map_or_else(|| other.kind().to_owned(), |number| number.to_string()),
                };
                self.warn(format!("the server answered a request that was never made (id {id})"));
            }
        }
        Ok(None)
    }

    /// Answers a request of the server at once: some withhold their lists until everything is answered. In the modern
    /// era neither side may do so.
    fn answer(&mut self, id: Value, method: &str) -> Result<(), ErrorKind> {
        match method {
            _ if method == Era::Legacy.first_method() || method == Era::Modern.first_method() => {
                Err(ErrorKind::NotMcp("it sends back what it is sent".into()))
            }
            _ if self.is_modern() => {
                let method = self.quoter.quote(method);
                self.warn(format!("the server sent a request, which its protocol version does not have: {method}"));
                Ok(())
            }
            "ping" => self.send(&jsonrpc::result(id, Object::new())),
            // No capability was declared, so none of these should come.
            _ => self.send(&jsonrpc::error(id, METHOD_NOT_FOUND, "method not found")),
        }
    }

    fn is_modern(&self) -> bool {
        let agreed = self.agreement.map(|agreement| agreement.era);
        agreed == Some(Era::Modern) || self.settings.era == EraChoice::Only(Era::Modern)
    }

    fn note_noise(&mut self, line: &[u8]) -> Result<(), ErrorKind> {
        if self.settings.limits.noise_lines == 0 {
            return Err(ErrorKind::Noise { line: self.quoter.quote_bytes(line.trim_ascii()) });
        }
        self.noise_lines += 1;
        if self.noise.len() < self.settings.limits.noise_quotes {
            self.noise.push(self.quoter.quote_bytes(line.trim_ascii()));
        }
        self.within(Limit::NoiseLines, self.noise_lines, self.settings.limits.noise_lines)
    }

    pub(super) fn within(&self, limit: Limit, count: usize, value: usize) -> Result<(), ErrorKind> {
        if count > value { Err(ErrorKind::Limit { limit, value }) } else { Ok(()) }
    }

    fn transport_error(&mut self, error: TransportError) -> ErrorKind {
        self.ended = matches!(&error, TransportError::Ended(Ending::Exited(_) | Ending::ClosedOutput));
        let only_noise = self.messages == 0 && self.noise_lines > 0;
        match error {
            TransportError::Ended(Ending::Exited(0) | Ending::ClosedOutput) if only_noise => {
                let first = self.noise.first().map_or(String::new(), |line| format!(", beginning with \"{line}\""));
                let lines = if self.noise_lines == 1 {
                    "1 other line".into()
                } else {
                    format!("{} other lines", self.noise_lines)
                };
                ErrorKind::NotMcp(format!("it wrote {lines} and ended{first}"))
            }
            TransportError::Ended(Ending::Exited(code)) => ErrorKind::Exited { code },
            TransportError::Ended(Ending::Killed(signal)) => ErrorKind::Killed { signal },
            TransportError::Ended(Ending::ClosedOutput) => ErrorKind::ClosedOutput,
            TransportError::Ended(Ending::ClosedInput) => ErrorKind::ClosedInput,
            TransportError::Limit(limit) => {
                let value = match limit {
                    Limit::OutgoingBytes => self.settings.limits.outgoing_bytes,
                    Limit::TotalBytes => self.settings.limits.total_bytes,
                    _ => self.settings.limits.line_bytes,
                };
                ErrorKind::Limit { limit, value }
            }
            TransportError::Io(text) => ErrorKind::Io(self.quoter.quote(&text)),
            TransportError::Http(error) => ErrorKind::Http(error),
        }
    }

    /// The error for a line that the strict parse refused.
    async fn refuse(&mut self, line: &[u8], error: &ParseError) -> ErrorKind {
        self.refused_in_templates = error.pointer.starts_with("/result/resourceTemplates");
        let cut_off = matches!(&error.kind, ParseErrorKind::Syntax { found, .. } if found == END_OF_TEXT);
        if cut_off {
            // A server that ends while it writes leaves half a message. That it ended is what matters.
            let next = tokio::time::timeout(AFTER_HALF_A_MESSAGE, self.transport.receive());
            if let Ok(Err(end @ TransportError::Ended(_))) = next.await {
                self.warn("the server's last message is cut off".into());
                return self.transport_error(end);
            }
        }
        let text = self.describe(line, error);
        match error.kind.is_well_formed_but_refused() {
            true => ErrorKind::RefusedMessage(text),
            false => ErrorKind::BrokenMessage(text),
        }
    }

    /// Says what the strict parse refused, with the entry's name where the fault lies in an entry.
    fn describe(&self, line: &[u8], error: &ParseError) -> String {
        let reason = self.quoter.quote(&error.kind.to_string());
        match locate::entry_at(line, &error.pointer) {
            Some(place) => {
                let entry = match &place.identity {
                    Some(identity) => format!("{} \"{}\"", place.section.singular(), self.quoter.quote(identity)),
                    None => format!("{}/{}", place.section.key(), place.index),
                };
                let pointer = self.quoter.quote(&place.pointer);
                let pointer = if pointer.is_empty() { String::new() } else { format!(" at {pointer}") };
                format!("{entry}{pointer}: {reason}")
            }
            None if error.pointer.is_empty() => format!("{reason} (column {} of the line)", error.column),
            None => format!("at {}: {reason}", self.quoter.quote(&error.pointer)),
        }
    }
}
