//! The server as a capture sees it: where it is, what goes with every request to it, and what is known of it so far.

use super::address::{is_loopback, place, same_origin};
use super::challenge::Challenge;
use super::client::{Call, Client};
use super::discovery::{self, resource_addresses};
use super::oauth::{Surroundings, Token, Tokens};
use super::proxy;
use crate::capture::Deadline;
use crate::capture::limits::{Limit, Limits};
use crate::capture::redact::Quoter;
use crate::capture::remote::{HttpError, Login, Remote};
use reqwest::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, WWW_AUTHENTICATE,
};
use reqwest::{Method, Response, Url};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What explaining a refused login may cost.
const EXPLAINING: Duration = Duration::from_secs(3);
/// Bytes of a session's id; it goes into a header.
const LONGEST_SESSION: usize = 4096;
/// Bytes of the body of a refusal that are read.
pub(super) const REFUSAL: usize = 64 << 10;
/// Authorization servers that a message names.
const SHOWN_SERVERS: usize = 3;

/// One server, shared by everything that talks to it.
pub(super) struct Peer {
    pub(super) client: Client,
    pub(super) limits: Limits,
    pub(super) quoter: Quoter,
    pub(super) deadline: Deadline,
    /// The URL as it was given.
    address: Url,
    headers: HeaderMap,
    remote: Remote,
    tokens: Option<Tokens>,
    state: Mutex<State>,
    received: AtomicUsize,
    remarks: Mutex<Vec<String>>,
}

/// What the conversation has settled so far.
#[derive(Default, Clone)]
struct State {
    /// Where messages go, once a redirect or an `endpoint` event said so.
    endpoint: Option<Url>,
    /// Whether the server speaks HTTP+SSE (2024-11-05).
    event_stream: bool,
    session: Option<HeaderValue>,
    version: Option<&'static str>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The values are plain data: a panic elsewhere leaves none of them half-changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Peer {
    /// Nothing is sent yet.
    ///
    /// # Errors
    /// A header that HTTP cannot carry; it is refused earlier as a rule.
    pub(super) fn new(
        address: Url,
        remote: Remote,
        limits: Limits,
        quoter: Quoter,
        deadline: Deadline,
    ) -> Result<Self, HttpError> {
        let passwords = proxy::passwords(&remote.proxies);
        remote.secrets.learn(passwords.iter().map(|(name, password)| (*name, password.as_str())));
        let mut headers = HeaderMap::new();
        for header in &remote.headers {
            let name = HeaderName::from_bytes(header.name.as_bytes()).ok();
            let value = HeaderValue::from_str(header.value.reveal()).ok();
            let (Some(name), Some(mut value)) = (name, value) else {
                let (what, reason) = ("a header".to_owned(), "it cannot be sent".to_owned());
                return Err(HttpError::Broken { what, reason });
            };
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        let peer = Self {
            client: Client::new(remote.clone(), quoter.clone()),
            limits,
            quoter,
            deadline,
            address,
            headers,
            tokens: remote.client_credentials.clone().map(Tokens::new),
            remote,
            state: Mutex::default(),
            received: AtomicUsize::new(0),
            remarks: Mutex::default(),
        };
        peer.warn_of_listeners();
        Ok(peer)
    }

    fn warn_of_listeners(&self) {
        let secrets = !self.headers.is_empty() || self.tokens.is_some();
        if secrets && self.address.scheme() == "http" && !is_loopback(&self.address) {
            self.remark(format!(
                "credentials go to {} over http: everybody on the way can read them",
                self.quoter.quote(&place(&self.address))
            ));
        }
    }

    pub(super) fn remark(&self, text: String) {
        let mut remarks = locked(&self.remarks);
        if !remarks.contains(&text) && remarks.len() < self.limits.warnings {
            remarks.push(text);
        }
    }

    pub(super) fn remarks(&self) -> Vec<String> {
        locked(&self.remarks).clone()
    }

    /// Where messages go at the moment.
    pub(super) fn endpoint(&self) -> Url {
        locked(&self.state).endpoint.clone().unwrap_or_else(|| self.address.clone())
    }

    /// Says that messages go to the endpoint of an event stream from now on.
    pub(super) fn use_event_stream(&self, endpoint: Url) {
        let mut state = locked(&self.state);
        (state.endpoint, state.event_stream) = (Some(endpoint), true);
    }

    pub(super) fn speaks_event_stream(&self) -> bool {
        locked(&self.state).event_stream
    }

    /// Forgets session and version: before an `initialize`, and when a session has ended.
    pub(super) fn forget_session(&self) {
        let mut state = locked(&self.state);
        (state.session, state.version) = (None, None);
    }

    pub(super) fn settle_version(&self, version: Option<&'static str>) {
        locked(&self.state).version = version;
    }

    pub(super) fn has_session(&self) -> bool {
        locked(&self.state).session.is_some()
    }

    /// Takes the session that a reply to `initialize` opened.
    pub(super) fn open_session(&self, reply: &HeaderMap) -> Result<(), HttpError> {
        let Some(session) = reply.get("mcp-session-id") else { return Ok(()) };
        let problem = match session.as_bytes() {
            [] => "its id is empty",
            id if id.len() > LONGEST_SESSION => "its id is too long",
            id if !id.iter().all(u8::is_ascii_graphic) => "its id is not visible ASCII",
            _ => {
                let mut session = session.clone();
                session.set_sensitive(true);
                locked(&self.state).session = Some(session);
                return Ok(());
            }
        };
        Err(HttpError::SessionId { problem })
    }

    /// The headers that belong to the session: its id and the revision that was agreed on.
    pub(super) fn session_headers(&self) -> HeaderMap {
        let state = locked(&self.state);
        let mut headers = HeaderMap::new();
        if let Some(session) = &state.session {
            headers.insert("mcp-session-id", session.clone());
        }
        if let Some(version) = state.version {
            headers.insert("mcp-protocol-version", HeaderValue::from_static(version));
        }
        headers
    }

    /// One request to the server itself, with the user's headers, and a new token where one was refused.
    pub(super) async fn call(
        &self,
        what: &str,
        method: Method,
        headers: HeaderMap,
        body: Option<Vec<u8>>,
    ) -> Result<Response, HttpError> {
        let mut renewed = false;
        loop {
            let token = self.token().await;
            let url = self.endpoint();
            let mut call = Call {
                what,
                method: method.clone(),
                url,
                headers: self.headers.clone(),
                basic: None,
                body: body.clone(),
            };
            call.headers.extend(headers.clone());
            call.headers.extend(token.header.clone().map(|header| (AUTHORIZATION, header)));
            let (response, answered) = self.client.send(&call).await?;
            if answered != call.url {
                self.moved(&call.url, answered);
            }
            let encoding = response.headers().get(CONTENT_ENCODING).filter(|value| value.as_bytes() != b"identity");
            if let Some(encoding) = encoding {
                let encoding = self.quoter.quote_bytes(encoding.as_bytes());
                return Err(HttpError::Encoding { what: what.to_owned(), encoding });
            }
            let status = response.status().as_u16();
            if let (401, Some(tokens), false) = (status, &self.tokens, renewed) {
                renewed = true;
                let challenge = challenge(&response);
                let at = Surroundings {
                    client: &self.client,
                    server: &self.address,
                    quoter: &self.quoter,
                    secrets: &self.remote.secrets,
                };
                let remark = tokens.renew(token.generation, challenge.as_ref(), &at).await?;
                remark.into_iter().for_each(|remark| self.remark(remark));
                continue;
            }
            if matches!(status, 401 | 403) {
                return Err(self.explain(what, status, response).await);
            }
            return Ok(response);
        }
    }

    async fn token(&self) -> Token {
        match &self.tokens {
            Some(tokens) => tokens.current().await,
            None => Token { header: None, generation: 0 },
        }
    }

    /// The same server at another place, by a redirect: asked there directly from now on.
    fn moved(&self, from: &Url, to: Url) {
        let mut state = locked(&self.state);
        if state.endpoint.as_ref().is_none_or(|endpoint| endpoint == from) {
            state.endpoint = Some(to);
        }
    }

    /// What a server asks for that wants a login, as far as that can be had cheaply.
    async fn explain(&self, what: &str, status: u16, mut response: Response) -> HttpError {
        let challenge = challenge(&response);
        let given = |name: &str| {
            challenge.as_ref().and_then(|challenge| challenge.get(name)).map(|text| self.quoter.quote(text))
        };
        let telling = |name: &HeaderName| {
            ["auth", "key", "token", "secret", "cookie"].iter().any(|word| name.as_str().contains(word))
        };
        let mut error = given("error");
        if let (Some(error), Some(description)) = (&mut error, given("error_description")) {
            *error = format!("{error} ({description})");
        }
        let patience = EXPLAINING.min(self.deadline.remaining() / 2);
        if challenge.is_none() {
            // A gateway, or a guard against foreign hosts, says it in its own words.
            error = tokio::time::timeout(patience / 2, self.words(&mut response)).await.ok().flatten();
        }
        let metadata = discovery::resource(&self.client, &self.address, challenge.as_ref());
        let found = tokio::time::timeout(patience, metadata).await.ok().flatten();
        let (metadata, servers) = match found {
            Some((url, resource)) => (Some(url), resource.authorization_servers),
            // What the challenge names is worth telling even where it was not fetched.
            None => {
                let named = challenge.as_ref().is_some_and(|challenge| challenge.get("resource_metadata").is_some());
                let first = resource_addresses(&self.address, challenge.as_ref()).into_iter().next();
                (first.filter(|_| named), Vec::new())
            }
        };
        HttpError::Login(Box::new(Login {
            what: what.to_owned(),
            status,
            refused: self.headers.keys().any(telling) || self.tokens.is_some(),
            scheme: challenge.as_ref().map(|challenge| self.quoter.quote(&challenge.scheme)),
            realm: given("realm"),
            scope: given("scope"),
            error,
            metadata: metadata.map(|url| self.quoter.quote(url.as_str())),
            authorization_servers: servers.iter().take(SHOWN_SERVERS).map(|name| self.quoter.quote(name)).collect(),
        }))
    }

    /// What a refusal says for people, unless it is a whole page.
    async fn words(&self, response: &mut Response) -> Option<String> {
        if content_type(response).is_some_and(|kind| kind.contains("html")) {
            return None;
        }
        let body = self.beginning(response).await;
        let text = String::from_utf8_lossy(&body);
        Some(self.quoter.quote(text.trim())).filter(|text| !text.is_empty())
    }

    /// As much of the body of a refusal as is of any use.
    pub(super) async fn beginning(&self, response: &mut Response) -> Vec<u8> {
        let mut body = Vec::new();
        // Why it breaks off is of no interest any more.
        while let Ok(Some(chunk)) = self.chunk("", response).await {
            let room = REFUSAL - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() >= room {
                break;
            }
        }
        body
    }

    /// Counts what the server sends, noise and comments included.
    ///
    /// # Errors
    /// It was too much.
    pub(super) fn count(&self, bytes: usize) -> Result<(), HttpError> {
        let before = self.received.fetch_add(bytes, Ordering::Relaxed);
        match before.saturating_add(bytes) > self.limits.total_bytes {
            true => Err(HttpError::Limit(Limit::TotalBytes)),
            false => Ok(()),
        }
    }

    /// The next piece of a body.
    pub(super) async fn chunk(&self, what: &str, response: &mut Response) -> Result<Option<Vec<u8>>, HttpError> {
        let chunk = response.chunk().await.map_err(|error| self.client.broken(what, &error))?;
        let Some(chunk) = chunk else { return Ok(None) };
        self.count(chunk.len())?;
        Ok(Some(chunk.into()))
    }

    /// A whole body.
    ///
    /// # Errors
    /// It is longer than one message may be, or broke off.
    pub(super) async fn body(&self, what: &str, response: &mut Response) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(what, response).await? {
            if body.len() + chunk.len() > self.limits.line_bytes {
                return Err(HttpError::Limit(Limit::LineBytes));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Resolves the endpoint that an event stream names.
    ///
    /// # Errors
    /// It is none, or lies elsewhere: whatever is sent there would reach somebody else.
    pub(super) fn resolve_endpoint(&self, stream: &Url, text: &[u8]) -> Result<Url, HttpError> {
        let shown = || self.quoter.quote_bytes(text);
        let target = std::str::from_utf8(text).ok().and_then(|text| stream.join(text.trim()).ok());
        let problem = match target {
            None => format!("{} is no URL", shown()),
            Some(target) if !same_origin(&target, stream) => format!("{} is on another server", shown()),
            Some(target) if !target.username().is_empty() || target.password().is_some() => {
                "it holds credentials".to_owned()
            }
            Some(target) => return Ok(target),
        };
        Err(HttpError::Endpoint { problem })
    }
}

fn challenge(response: &Response) -> Option<Challenge> {
    Challenge::best(response.headers().get_all(WWW_AUTHENTICATE).iter().map(HeaderValue::as_bytes))
}

/// The content type without its parameters, in lower case.
pub(super) fn content_type(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?;
    let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
    text.split(';').next().map(|kind| kind.trim().to_owned()).filter(|kind| !kind.is_empty())
}
