//! One message of ours and what comes back for it (Streamable HTTP): nothing, one JSON document, or a stream of events
//! that may break off and be taken up again.

use super::message::{Kind, Outgoing, answers, error_answer, negotiated};
use super::peer::{Peer, REFUSAL, content_type};
use super::sse::{EventParser, EventTooLong};
use super::{Inbox, Room, event_stream};
use crate::capture::limits::Limit;
use crate::capture::remote::{Evidence, HttpError, classify};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use std::time::Duration;

/// Servers refuse what does not name both.
const BOTH: &str = "application/json, text/event-stream";
pub(super) const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";
/// How often one answer's stream is taken up again.
const MOST_RESUMES: usize = 100;
/// How often in a row without anything new.
const MOST_EMPTY_RESUMES: usize = 3;
/// The pause before that where the server names none.
const PAUSE: Duration = Duration::from_millis(1000);
/// The shortest pause, whatever the server says.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);

/// Sends a message and hands on what comes back. An error is the end of the request, or of the conversation.
/// `room` is given back as soon as the server has taken the message.
pub(super) async fn exchange(peer: &Peer, message: &Outgoing, inbox: &Inbox, room: Room) -> Result<(), HttpError> {
    let what = message.what();
    let within_session = message.modern.is_none() && !message.is_initialize() && peer.has_session();
    if message.is_initialize() {
        peer.forget_session();
    }
    let mut response = peer.call(&what, Method::POST, headers(peer, message)?, Some(message.bytes.clone())).await?;
    drop(room);
    let status = response.status().as_u16();
    if !(200..300).contains(&status) {
        return refused(peer, message, response, within_session, inbox).await;
    }
    let Kind::Request { id, .. } = message.kind else {
        // Accepted. Anything that stands in the body belongs to nothing.
        return Ok(());
    };
    if peer.speaks_event_stream() {
        // The answer comes over the stream.
        return Ok(());
    }
    if message.is_initialize() {
        peer.open_session(response.headers())?;
    }
    let answer = Answer { peer, id, message, what: &what, inbox };
    match content_type(&response).as_deref() {
        Some(JSON) => {
            let body = peer.body(&what, &mut response).await?;
            match answer.hand_on(without_mark(body)).await {
                true => Ok(()),
                false => Err(no_answer(&what, "the server's reply is no answer to this request")),
            }
        }
        Some(EVENTS) => answer.follow(response).await,
        _ if matches!(status, 202 | 204) => {
            Err(no_answer(&what, &format!("the server accepted the request (HTTP {status}) and sent no answer")))
        }
        kind => {
            let kind = kind.map_or_else(|| "none".to_owned(), |kind| peer.quoter.quote(kind));
            Err(HttpError::ContentType { what, content_type: kind })
        }
    }
}

/// The headers of one message.
fn headers(peer: &Peer, message: &Outgoing) -> Result<HeaderMap, HttpError> {
    let mut headers = match (&message.modern, message.is_initialize()) {
        (None, false) => peer.session_headers(),
        // A handshake asks for a new session, and a modern request belongs to none.
        _ => HeaderMap::new(),
    };
    headers.insert(ACCEPT, HeaderValue::from_static(BOTH));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    if let Some(version) = &message.modern {
        // Servers compare both with the body (-32020), so both are taken from it.
        for (name, value) in [("mcp-protocol-version", Some(version.as_str())), ("mcp-method", message.method())] {
            let Some(value) = value else { continue };
            let value = HeaderValue::from_str(value).map_err(|_| HttpError::Broken {
                what: message.what(),
                reason: "its version or method cannot be sent in a header".to_owned(),
            })?;
            headers.insert(name, value);
        }
    }
    Ok(headers)
}

/// What a status that is no success means.
async fn refused(
    peer: &Peer,
    message: &Outgoing,
    mut response: Response,
    within_session: bool,
    inbox: &Inbox,
) -> Result<(), HttpError> {
    let status = response.status().as_u16();
    if status == 404 && within_session {
        return Err(HttpError::SessionExpired);
    }
    let Kind::Request { id, .. } = message.kind else {
        // Nothing is waited for, so nothing is lost; but it may explain what comes next.
        peer.remark(format!("the server answered {} with HTTP {status}", message.what()));
        return Ok(());
    };
    let kind = content_type(&response);
    let body = peer.beginning(&mut response).await;
    let evidence = classify(status, kind.as_deref(), &body);
    // Servers of the first revision know no POST there: they say so, and tell by GET where messages go.
    let first = message.is_initialize() && !peer.speaks_event_stream();
    let old = first && matches!(status, 400 | 404 | 405) && evidence != Evidence::Modern;
    if old && event_stream::open(peer, inbox).await? {
        return Box::pin(exchange(peer, message, inbox, Room::default())).await;
    }
    if let Some(answer) = error_answer(&body, id, REFUSAL) {
        inbox.hand_on(answer).await;
        return Ok(());
    }
    let readable = !matches!(kind.as_deref(), Some("text/html" | "application/xhtml+xml"));
    let text = String::from_utf8_lossy(&body);
    let text = match (text.trim(), readable) {
        ("", _) => String::new(),
        (_, false) => " and a page for people".to_owned(),
        (text, true) => format!(": {}", peer.quoter.quote(text)),
    };
    Err(HttpError::Status { what: message.what(), status, text, evidence })
}

fn without_mark(mut body: Vec<u8>) -> Vec<u8> {
    if body.starts_with(b"\xef\xbb\xbf") {
        body.drain(..3);
    }
    body
}

fn no_answer(what: &str, how: &str) -> HttpError {
    HttpError::NoAnswer { what: what.to_owned(), how: how.to_owned() }
}

/// Where the answer to one request comes in.
struct Answer<'a> {
    peer: &'a Peer,
    id: i64,
    message: &'a Outgoing,
    what: &'a str,
    inbox: &'a Inbox,
}

impl Answer<'_> {
    /// Hands a message to the session. Says whether it was the answer.
    async fn hand_on(&self, body: Vec<u8>) -> bool {
        let answered = answers(&body, self.id, self.peer.limits.line_bytes);
        if answered && self.message.is_initialize() {
            self.peer.settle_version(negotiated(&body));
        }
        self.inbox.hand_on(body).await;
        answered
    }

    /// Reads a stream until it ends, and takes it up again where it broke off before the answer and said from where.
    async fn follow(&self, response: Response) -> Result<(), HttpError> {
        let mut last_id: Option<String> = None;
        let mut empty = 0;
        let mut response = response;
        for _ in 0..MOST_RESUMES {
            let mut parser = EventParser::new(self.peer.limits.line_bytes);
            let (answered, ended) = self.read(response, &mut parser).await;
            if answered {
                return Ok(());
            }
            // A limit is the end, a connection that broke is not.
            if let Err(error @ HttpError::Limit(_)) = ended {
                return Err(error);
            }
            empty = if parser.last_id().is_some_and(|id| last_id.as_deref() != Some(id)) { 0 } else { empty + 1 };
            last_id = parser.last_id().map(str::to_owned).or(last_id);
            let Some(id) = last_id.as_deref().filter(|_| self.message.modern.is_none()) else {
                ended?;
                return Err(no_answer(self.what, "the server ended the event stream before its answer"));
            };
            if empty >= MOST_EMPTY_RESUMES {
                return Err(no_answer(
                    self.what,
                    "the server ends its event stream again and again, without an answer",
                ));
            }
            let pause = parser.retry().unwrap_or(PAUSE).max(SHORTEST_PAUSE);
            if pause > self.peer.deadline.remaining() {
                let how = format!("the server asks to come back in {} s, after all the time there is", pause.as_secs());
                return Err(no_answer(self.what, &how));
            }
            tokio::time::sleep(pause).await;
            response = self.resume(id).await?;
        }
        Err(no_answer(self.what, "the server ended its event stream too often before its answer"))
    }

    /// Reads one stream to its end. Says whether the answer was in it, and how it ended.
    async fn read(&self, mut response: Response, parser: &mut EventParser) -> (bool, Result<(), HttpError>) {
        let mut answered = false;
        loop {
            let chunk = match self.peer.chunk(self.what, &mut response).await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return (answered, Ok(())),
                Err(error) => return (answered, Err(error)),
            };
            let pushed = parser.push(&chunk);
            while let Some(event) = parser.next_event() {
                // Other events are of some later standard, or keep the connection warm.
                if event.kind == "message" {
                    answered |= self.hand_on(event.data).await;
                }
            }
            if let Err(EventTooLong) = pushed {
                return (answered, Err(HttpError::Limit(Limit::LineBytes)));
            }
        }
    }

    async fn resume(&self, last_id: &str) -> Result<Response, HttpError> {
        let mut headers = self.peer.session_headers();
        headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
        let unusable = || no_answer(self.what, "the server ended the event stream before its answer");
        headers.insert("last-event-id", HeaderValue::from_str(last_id).map_err(|_| unusable())?);
        let response = self.peer.call(self.what, Method::GET, headers, None).await?;
        match (response.status().as_u16(), content_type(&response).as_deref()) {
            (200, Some(EVENTS)) => Ok(response),
            (404, _) if self.peer.has_session() => Err(HttpError::SessionExpired),
            (status, _) => Err(no_answer(
                self.what,
                &format!(
                    "the server ended the event stream before its answer, and did not take it up again (HTTP {status})"
                ),
            )),
        }
    }
}
