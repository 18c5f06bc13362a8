//! What can go wrong between warden and a server at a URL.
//!
//! Every text of the server, of its gateway or of a proxy in here is redacted, shortened and escaped already.

use super::Evidence;
use crate::capture::limits::Limit;
use std::fmt;

/// Why a request over HTTP gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    #[error("could not connect to {place}: {reason}")]
    Connect { place: String, reason: String },
    #[error("no secure connection to {place}: {reason}")]
    Tls { place: String, reason: String },
    #[error("{what}: the server redirects ({status}) to {target}, which is not followed: {why}")]
    Redirect { what: String, status: u16, target: String, why: &'static str },
    #[error("the server answered {what} with HTTP {status}{text}")]
    Status {
        what: String,
        status: u16,
        /// The beginning of its body, with what joins it to the sentence; empty where there was none.
        text: String,
        evidence: Evidence,
    },
    #[error("the server answered {what} with content type {content_type} instead of JSON or an event stream")]
    ContentType { what: String, content_type: String },
    #[error("the server answered {what} in the encoding {encoding}, which was not asked for")]
    Encoding { what: String, encoding: String },
    #[error("{what}: {how}")]
    NoAnswer { what: String, how: String },
    #[error("the answer to {what} could not be read: {reason}")]
    Broken { what: String, reason: String },
    #[error("the server forgot the session that it had opened (HTTP 404)")]
    SessionExpired,
    #[error("the server's session cannot be used: {problem}")]
    SessionId { problem: &'static str },
    #[error("the server's endpoint for messages cannot be used: {problem}")]
    Endpoint { problem: String },
    #[error("{0}")]
    Login(Box<Login>),
    #[error("no access token could be had: {step}: {problem}")]
    OAuth { step: String, problem: String },
    /// Reported as an ordinary limit.
    #[error("the limit {} was passed", .0.name())]
    Limit(Limit),
}

/// What a server asked for that answered 401 or 403.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Login {
    pub what: String,
    pub status: u16,
    /// Whether a credential was sent and refused.
    pub refused: bool,
    /// The scheme of the challenge, `Bearer` as a rule.
    pub scheme: Option<String>,
    pub realm: Option<String>,
    pub scope: Option<String>,
    /// The challenge's own `error` and `error_description`.
    pub error: Option<String>,
    /// Where the server's protected resource metadata stands (RFC 9728).
    pub metadata: Option<String>,
    pub authorization_servers: Vec<String>,
}

impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match (self.refused, self.status) {
            (true, 403) => "the server refused what these credentials may see",
            (true, _) => "the server refused the credentials",
            (false, _) => "the server asked for login",
        };
        write!(f, "{said} (HTTP {} to {})", self.status, self.what)?;
        let mut part = |name: &str, value: &Option<String>| match value {
            Some(value) => write!(f, "; {name}: {value}"),
            None => Ok(()),
        };
        part("scheme", &self.scheme)?;
        part("realm", &self.realm)?;
        part("scope", &self.scope)?;
        part("error", &self.error)?;
        part("its metadata", &self.metadata)?;
        let servers = match self.authorization_servers.is_empty() {
            true => None,
            false => Some(self.authorization_servers.join(", ")),
        };
        part("authorization server", &servers)
    }
}

impl HttpError {
    /// A stable name for documents and scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Connect { .. } => "E-CONNECT",
            Self::Tls { .. } => "E-TLS",
            Self::Redirect { .. } => "E-REDIRECT",
            Self::Status { .. } => "E-HTTP-STATUS",
            Self::ContentType { .. } | Self::Encoding { .. } => "E-CONTENT-TYPE",
            Self::NoAnswer { .. } => "E-NO-ANSWER",
            Self::Broken { .. } => "E-HTTP",
            Self::SessionExpired | Self::SessionId { .. } => "E-SESSION",
            Self::Endpoint { .. } => "E-ENDPOINT",
            Self::Login(_) => "E-LOGIN",
            Self::OAuth { .. } => "E-OAUTH",
            Self::Limit(_) => "E-LIMIT",
        }
    }

    /// One sentence that says what usually helps.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Connect { .. } => {
                "check host and port, and the proxy variables (HTTPS_PROXY, NO_PROXY) where the way leads through one."
            }
            Self::Tls { .. } => {
                "--cacert FILE also trusts an authority of your own (PEM); the check itself cannot be switched off."
            }
            Self::Redirect { .. } => "if you trust the target, pin it by its own URL: a lock names who answers.",
            Self::Status { status: 429, .. } => "the server asks for fewer requests; try again later.",
            Self::Status { status: 500..=599, .. } => {
                "the server, or a gateway before it, is broken at the moment; nothing is concluded from that. Try again."
            }
            Self::Status { .. } | Self::Endpoint { .. } => {
                "check that the URL is that of an MCP endpoint, to the last slash."
            }
            Self::ContentType { .. } => {
                "a page for people usually means a sign-in page, a portal or a wrong path; open the URL to see."
            }
            Self::Encoding { .. } | Self::NoAnswer { .. } | Self::SessionId { .. } => {
                "the server departs from the protocol; its author has to correct it."
            }
            Self::Broken { .. } => "a proxy or gateway that cuts long answers is usual; try again.",
            Self::SessionExpired => "it did so twice: sessions may be spread over machines that do not share them.",
            Self::Login(login) if login.refused => {
                "check that the credential is meant for this server, has not expired, and covers the scope."
            }
            Self::Login(_) => {
                "pass a token with --bearer-env NAME (or --header-env), or let warden fetch one: --oauth-client-id-env."
            }
            Self::OAuth { .. } => "check the client's id, secret and scope, or pass a token with --bearer-env NAME.",
            Self::Limit(_) => "no ordinary server comes near this limit.",
        }
    }

    /// What this failure says about the server's era. Most say nothing.
    pub fn evidence(&self) -> Evidence {
        match self {
            Self::Status { evidence, .. } => *evidence,
            Self::Login(_) => Evidence::Auth,
            _ => Evidence::Unusable,
        }
    }

    /// Whether the server said no more than that it does not do this: an answer to a request for a list that it never
    /// declared.
    pub fn is_plain_refusal(&self) -> bool {
        matches!(self, Self::Status { status: 400 | 404 | 405 | 501, .. })
    }
}
