//! Requests out, responses in: connections, retries, redirects, and the rule that nobody but the server itself gets
//! what is meant for it.

use super::address::place;
use super::{proxy, redirect, tls};
use crate::capture::redact::Quoter;
use crate::capture::remote::{HttpError, Remote};
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, Response, Url};
use std::sync::OnceLock;
use std::time::Duration;

/// How long one attempt to connect may take. A host that swallows packets would use up the whole time otherwise.
const CONNECT: Duration = Duration::from_secs(10);
/// Pauses before a connection that failed is tried again.
const RETRIES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];
/// Header lines that a response may have.
const MOST_HEADERS: usize = 128;

/// Talks HTTP. The clients are made when they are first needed, because reading a trust store takes a while.
pub(super) struct Client {
    plain: OnceLock<Result<reqwest::Client, Unmade>>,
    secure: OnceLock<Result<reqwest::Client, Unmade>>,
    remote: Remote,
    quoter: Quoter,
}

/// Why there is no client.
enum Unmade {
    Trust(String),
    Proxy(String),
}

/// One request.
#[derive(Clone)]
pub(super) struct Call<'a> {
    /// What is asked, for messages: `tools/list`.
    pub(super) what: &'a str,
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    /// User and password of the Basic scheme.
    pub(super) basic: Option<(String, String)>,
    pub(super) body: Option<Vec<u8>>,
}

impl Client {
    pub(super) fn new(remote: Remote, quoter: Quoter) -> Self {
        Self { plain: OnceLock::new(), secure: OnceLock::new(), remote, quoter }
    }

    /// Sends a request and follows redirects that stay on the server. The headers of the call go along with each.
    /// Gives the response's head, its body unread, and where it came from.
    pub(super) async fn send(&self, call: &Call<'_>) -> Result<(Response, Url), HttpError> {
        let mut url = call.url.clone();
        for _ in 0..=redirect::MOST {
            let response = self.send_to(call, &url).await?;
            let status = response.status().as_u16();
            if !redirect::is_redirect(status) {
                return Ok((response, url));
            }
            let location = response.headers().get(LOCATION).map(|value| value.as_bytes().to_vec());
            let location = location.as_deref().map(String::from_utf8_lossy);
            url = redirect::decide(&url, status, location.as_deref()).map_err(|why| {
                let target = location.map_or_else(|| "nowhere".to_owned(), |target| self.quoter.quote(&target));
                HttpError::Redirect { what: call.what.to_owned(), status, target, why }
            })?;
        }
        let (what, target) = (call.what.to_owned(), self.quoter.quote(url.as_str()));
        Err(HttpError::Redirect { what, status: 307, target, why: "there were too many redirects before" })
    }

    /// One request to one URL, tried again where no connection came about.
    async fn send_to(&self, call: &Call<'_>, url: &Url) -> Result<Response, HttpError> {
        let client = self.client(url)?;
        let mut pauses = RETRIES.into_iter();
        loop {
            let mut request = client.request(call.method.clone(), url.clone()).headers(call.headers.clone());
            if let Some((user, password)) = &call.basic {
                request = request.basic_auth(user, Some(password));
            }
            if let Some(body) = &call.body {
                request = request.body(body.clone());
            }
            let error = match request.send().await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            if let Some(reason) = tls::reason(&error) {
                return Err(HttpError::Tls { place: place(url), reason: self.quoter.quote(&reason) });
            }
            if !error.is_connect() {
                return Err(self.broken(call.what, &error));
            }
            match pauses.next() {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(HttpError::Connect { place: place(url), reason: self.connect_reason(&error) }),
            }
        }
    }

    /// The error for an answer that broke off, or was no HTTP.
    pub(super) fn broken(&self, what: &str, error: &reqwest::Error) -> HttpError {
        HttpError::Broken { what: what.to_owned(), reason: self.innermost(error) }
    }

    fn connect_reason(&self, error: &reqwest::Error) -> String {
        if error.is_timeout() {
            return format!("no answer within {} s", CONNECT.as_secs());
        }
        self.innermost(error)
    }

    fn innermost(&self, error: &reqwest::Error) -> String {
        let causes = tls::causes(error);
        // The outer layers only repeat that something failed, and the URL.
        self.quoter.quote(&causes.last().map_or_else(|| error.to_string(), ToString::to_string))
    }

    fn client(&self, url: &Url) -> Result<&reqwest::Client, HttpError> {
        let secure = url.scheme() == "https";
        let slot = if secure { &self.secure } else { &self.plain };
        let made = slot.get_or_init(|| {
            let tls = if secure { tls::trusting(&self.remote.authorities) } else { tls::trusting_nobody() };
            self.build(tls.map_err(Unmade::Trust)?)
        });
        made.as_ref().map_err(|unmade| {
            let (Unmade::Trust(reason) | Unmade::Proxy(reason)) = unmade;
            let (place, reason) = (place(url), self.quoter.quote(reason));
            match unmade {
                Unmade::Trust(_) => HttpError::Tls { place, reason },
                Unmade::Proxy(_) => HttpError::Connect { place, reason },
            }
        })
    }

    fn build(&self, tls: rustls::ClientConfig) -> Result<reqwest::Client, Unmade> {
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("warden/", env!("CARGO_PKG_VERSION")))
            .tls_backend_preconfigured(tls)
            // Redirects are judged here, and the environment is handed in as data.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .http1_only()
            .http1_max_headers(MOST_HEADERS)
            .connect_timeout(CONNECT);
        for proxy in proxy::all(&self.remote.proxies).map_err(Unmade::Proxy)? {
            builder = builder.proxy(proxy);
        }
        let innermost = |error| tls::causes(&error).last().map_or_else(String::new, ToString::to_string);
        builder.build().map_err(|error| Unmade::Trust(innermost(error)))
    }
}
