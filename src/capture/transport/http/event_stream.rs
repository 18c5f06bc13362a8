//! HTTP+SSE, the transport of 2024-11-05: one stream by GET that brings every message, and an endpoint that it names
//! for ours.

use super::Inbox;
use super::exchange::EVENTS;
use super::peer::{Peer, content_type};
use super::sse::{EventParser, EventTooLong};
use crate::capture::limits::Limit;
use crate::capture::remote::HttpError;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use std::time::Duration;

/// How long to wait for the first event. A server of a later revision opens such a stream too, and says nothing.
const FIRST_EVENT: Duration = Duration::from_secs(5);
const WHAT: &str = "the event stream";

/// Tries to open the stream. `false` means that the server does not speak this transport; nothing is settled then.
///
/// # Errors
/// It does, but not in a way that can be used; or it wants a login.
pub(super) async fn open(peer: &Peer, inbox: &Inbox) -> Result<bool, HttpError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
    let response = match peer.call(WHAT, Method::GET, headers, None).await {
        Ok(response) => response,
        Err(error @ (HttpError::Login(_) | HttpError::OAuth { .. })) => return Err(error),
        // What the server said to the POST tells more.
        Err(_) => return Ok(false),
    };
    if response.status().as_u16() != 200 || content_type(&response).as_deref() != Some(EVENTS) {
        return Ok(false);
    }
    let stream = response.url().clone();
    let mut events = Events { response, parser: EventParser::new(peer.limits.line_bytes) };
    let patience = FIRST_EVENT.min(peer.deadline.remaining() / 2);
    let first = match tokio::time::timeout(patience, events.next(peer)).await {
        Ok(Ok(Some(first))) if first.kind == "endpoint" => first,
        Ok(Err(error @ HttpError::Limit(_))) => return Err(error),
        _ => return Ok(false),
    };
    let endpoint = peer.resolve_endpoint(&stream, &first.data)?;
    peer.use_event_stream(endpoint);
    inbox.spawn(|peer, inbox| async move { events.hand_on(&peer, &inbox).await });
    Ok(true)
}

struct Events {
    response: Response,
    parser: EventParser,
}

impl Events {
    async fn next(&mut self, peer: &Peer) -> Result<Option<super::sse::Event>, HttpError> {
        loop {
            if let Some(event) = self.parser.next_event() {
                return Ok(Some(event));
            }
            let Some(chunk) = peer.chunk(WHAT, &mut self.response).await? else { return Ok(None) };
            self.parser.push(&chunk).map_err(|EventTooLong| HttpError::Limit(Limit::LineBytes))?;
        }
    }

    /// Everything that comes, until the stream ends: with it, the conversation does.
    async fn hand_on(&mut self, peer: &Peer, inbox: &Inbox) -> HttpError {
        loop {
            match self.next(peer).await {
                Ok(Some(event)) if event.kind == "message" => inbox.hand_on(event.data).await,
                Ok(Some(_)) => {}
                Ok(None) => {
                    let how = "it ended before the server had answered everything".to_owned();
                    return HttpError::NoAnswer { what: WHAT.to_owned(), how };
                }
                Err(error) => return error,
            }
        }
    }
}
