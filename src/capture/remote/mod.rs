//! What a server at a URL needs besides its URL, and what can go wrong with it. Plain data: nothing here talks to
//! anybody, so it is there with and without the feature `http`.

mod error;
mod evidence;

pub use error::{HttpError, Login};
pub use evidence::{Evidence, classify};

use super::redact::Redactor;
use std::fmt;

/// A text that no message may show.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A header that goes with every request to the server, and to nobody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// A header token; names that the protocol sets itself are refused before ([`own_header`]).
    pub name: String,
    /// Visible ASCII, spaces and tabs.
    pub value: Secret,
}

/// Whether warden sets this header itself, or HTTP does. A user who sets it too would break the conversation.
pub fn own_header(name: &str) -> bool {
    const OWN: [&str; 16] = [
        "accept",
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie2",
        "expect",
        "host",
        "keep-alive",
        "last-event-id",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "via",
    ];
    let name = name.to_ascii_lowercase();
    name.starts_with("mcp-") || name.starts_with("proxy-") || OWN.contains(&name.as_str())
}

/// Whether a text can be the name of a header (a token of RFC 9110).
pub fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.len() <= 256 && name.bytes().all(is_token)
}

/// Whether a text can be the value of a header, without anything that a server could read as something else.
pub fn is_header_value(value: &str) -> bool {
    value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
}

/// The proxies that the environment names, as its variables spell them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    pub http: Option<String>,
    pub https: Option<String>,
    /// `NO_PROXY`: hosts that are reached directly.
    pub direct: Option<String>,
}

/// A proxy's URL may hold a password.
impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = |proxy: &Option<String>| proxy.is_some();
        f.debug_struct("Proxies").field("http", &set(&self.http)).field("https", &set(&self.https)).finish()
    }
}

impl Proxies {
    /// From environment variables: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, lower case first.
    /// An upper-case `HTTP_PROXY` counts for nothing in a CGI program, where whoever sends a request can set it.
    pub fn from_variables<'a>(variable: impl Fn(&str) -> Option<&'a str>) -> Self {
        let set = |name: &str| variable(name).map(str::trim).filter(|value| !value.is_empty());
        let either = |lower: &str, upper: &str| set(lower).or_else(|| set(upper));
        let all = either("all_proxy", "ALL_PROXY");
        let plain = match set("REQUEST_METHOD") {
            Some(_) => set("http_proxy"),
            None => either("http_proxy", "HTTP_PROXY"),
        };
        Self {
            http: plain.or(all).map(str::to_owned),
            https: either("https_proxy", "HTTPS_PROXY").or(all).map(str::to_owned),
            direct: either("no_proxy", "NO_PROXY").map(str::to_owned),
        }
    }
}

/// What an OAuth client proves itself with (grant type `client_credentials`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCredentials {
    pub id: Secret,
    pub secret: Secret,
    pub scope: Option<String>,
    /// The only authorization server that may see the secret. Without it, whom the server names gets it.
    pub issuer: Option<String>,
}

/// How a server at a URL is reached.
#[derive(Debug, Clone, Default)]
pub struct Remote {
    pub headers: Vec<Header>,
    /// PEM texts of certificate authorities that are trusted besides those of the operating system.
    pub authorities: Vec<Vec<u8>>,
    pub proxies: Proxies,
    pub client_credentials: Option<ClientCredentials>,
    /// Everything secret in here, and from the moment they are had, access tokens.
    pub secrets: Redactor,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_protocol_cannot_be_set() {
        for name in
            ["Mcp-Session-Id", "MCP-Protocol-Version", "mcp-method", "Host", "CONTENT-TYPE", "Proxy-Authorization"]
        {
            assert!(own_header(name), "{name}");
        }
        for name in ["Authorization", "X-Api-Key", "Cookie", "Origin", "User-Agent"] {
            assert!(!own_header(name) && is_header_name(name), "{name}");
        }
        for name in ["", "a b", "a:b", "ä", "a\n"] {
            assert!(!is_header_name(name), "{name}");
        }
        assert!(is_header_value("Bearer a\tb") && !is_header_value("a\r\nX: y") && !is_header_value("é"));
    }

    #[test]
    fn proxies_come_from_the_environment() {
        let from = |variables: &[(&str, &'static str)]| {
            let variables = variables.to_vec();
            Proxies::from_variables(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| *value))
        };
        let all = from(&[("ALL_PROXY", "http://a:1"), ("HTTPS_PROXY", "http://b:2"), ("NO_PROXY", "x.test")]);
        assert_eq!((all.http.as_deref(), all.https.as_deref()), (Some("http://a:1"), Some("http://b:2")));
        assert_eq!(all.direct.as_deref(), Some("x.test"));
        assert_eq!(from(&[("http_proxy", "http://l"), ("HTTP_PROXY", "http://u")]).http.as_deref(), Some("http://l"));
        assert_eq!(from(&[("HTTP_PROXY", "http://u"), ("REQUEST_METHOD", "GET")]).http, None);
        assert_eq!(from(&[("HTTP_PROXY", " ")]), Proxies::default());
        assert!(!format!("{:?}", from(&[("HTTP_PROXY", "http://u:pw@p")])).contains("pw"));
    }
}
