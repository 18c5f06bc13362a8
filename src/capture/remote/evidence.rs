//! What one HTTP reply says about the era of a server, pure.
//!
//! Eras belong to servers, not to requests: a reply is evidence, the decision is the session's. The rules are those of
//! the 2026-07-28 transport (a 400 with a modern error, a 404 with "method not found"), sharpened by what servers of
//! earlier revisions were seen to answer: they decide on code and shape, never on the message. What a login, a
//! broken server or a network answers is no evidence at all.

use crate::surface::Era;
use serde::Deserialize;
use serde::de::IgnoredAny;

const METHOD_NOT_FOUND: i64 = -32601;
const HEADER_MISMATCH: i64 = -32020;
const MISSING_CAPABILITY: i64 = -32021;
const UNSUPPORTED_VERSION: i64 = -32022;

/// What a reply says about the server's era.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Requests carry their version: 2026-07-28 and later.
    Modern,
    /// A conversation begins with `initialize`; or the server knows only HTTP+SSE.
    Legacy,
    /// The server wants a login first, and says nothing about its era.
    Auth,
    /// Nothing can be told: a broken server, a gateway, a page for people.
    Unusable,
}

#[derive(Deserialize)]
struct Envelope {
    result: Option<ResultShape>,
    error: Option<ErrorShape>,
}

#[derive(Deserialize)]
struct ResultShape {
    #[serde(rename = "protocolVersion")]
    protocol_version: Option<String>,
    #[serde(rename = "supportedVersions")]
    supported_versions: Option<Vec<String>>,
    #[serde(rename = "resultType")]
    result_type: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct ErrorShape {
    code: i64,
    data: Option<serde_json::Value>,
}

/// Reads a reply to a POST. `body` is the JSON text: of the whole reply, or of the event that answered.
pub fn classify(status: u16, content_type: Option<&str>, body: &[u8]) -> Evidence {
    match status {
        401 | 403 => Evidence::Auth,
        200..=299 => of_answer(content_type, body),
        // A page for people proves nothing, whatever its status.
        400 | 404 | 405 => match envelope(body).and_then(|envelope| envelope.error) {
            Some(error) if is_modern(&error) => Evidence::Modern,
            Some(error) if status == 404 && error.code == METHOD_NOT_FOUND => Evidence::Modern,
            _ => Evidence::Legacy,
        },
        _ => Evidence::Unusable,
    }
}

fn of_answer(content_type: Option<&str>, body: &[u8]) -> Evidence {
    if !matches!(content_type, Some("application/json" | "text/event-stream")) {
        return Evidence::Unusable;
    }
    match envelope(body) {
        Some(Envelope { error: Some(error), .. }) if is_modern(&error) => Evidence::Modern,
        Some(Envelope { error: Some(_), .. }) => Evidence::Legacy,
        Some(Envelope { result: Some(result), .. }) => match result {
            ResultShape { protocol_version: Some(_), .. } => Evidence::Legacy,
            // A server may say by the new method that it only speaks the old way.
            ResultShape { supported_versions: Some(versions), .. } if !any_modern(&versions) => Evidence::Legacy,
            ResultShape { supported_versions: Some(_), .. } | ResultShape { result_type: Some(_), .. } => {
                Evidence::Modern
            }
            _ => Evidence::Legacy,
        },
        _ => Evidence::Unusable,
    }
}

fn envelope(body: &[u8]) -> Option<Envelope> {
    serde_json::from_slice(body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)).ok()
}

/// The codes of the 2026 range, with the doubt that old servers cast on one of them: they use it in the old handshake.
fn is_modern(error: &ErrorShape) -> bool {
    match error.code {
        HEADER_MISMATCH | MISSING_CAPABILITY => true,
        UNSUPPORTED_VERSION => {
            let supported = error.data.as_ref().and_then(|data| data.get("supported")).and_then(|list| list.as_array());
            supported.is_some_and(|list| {
                list.iter()
                    .filter_map(|version| version.as_str())
                    .any(|version| Era::of_version(version) == Some(Era::Modern))
            })
        }
        _ => false,
    }
}

/// A revision that is not known is a later one: no step back.
fn any_modern(versions: &[String]) -> bool {
    versions.iter().any(|version| Era::of_version(version) != Some(Era::Legacy))
}

#[cfg(test)]
mod tests {
    use super::Evidence::{Auth, Legacy, Modern, Unusable};
    use super::*;

    const JSON: Option<&str> = Some("application/json");

    fn error(id: &str, code: i64, data: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"Unsupported protocol version","data":{data}}}}}"#
        )
    }

    #[test]
    fn replies_of_known_servers_to_a_modern_request() {
        for (status, content_type, body, want) in [
            // Python SDK 1.30 with sessions, and stateless.
            (400, JSON, error("\"server-error\"", -32600, "null"), Legacy),
            (400, JSON, error("null", -32600, "null"), Legacy),
            // TypeScript SDK 1.32, both ways.
            (400, JSON, error("null", -32000, "null"), Legacy),
            // Python SDK 1.30, HTTP+SSE.
            (405, Some("text/plain"), "Method Not Allowed".into(), Legacy),
            (404, Some("text/html"), "<html>".into(), Legacy),
            (400, None, String::new(), Legacy),
            // Python SDK 2.3: a missing header, an unknown method, an unknown version.
            (400, JSON, error("1", -32020, "null"), Modern),
            (404, JSON, error("1", -32601, "null"), Modern),
            (400, JSON, error("1", -32021, r#"{"requiredCapabilities":{}}"#), Modern),
            (400, JSON, error("1", -32022, r#"{"supported":["2026-07-28"],"requested":"x"}"#), Modern),
            // The new code in the old handshake.
            (400, JSON, error("1", -32022, r#"{"supported":["2025-11-25"]}"#), Legacy),
            (400, JSON, error("1", -32022, "null"), Legacy),
            // Codes of drafts prove nothing.
            (400, JSON, error("1", -32001, "null"), Legacy),
            (400, JSON, error("1", -32601, "null"), Legacy),
        ] {
            assert_eq!(classify(status, content_type, body.as_bytes()), want, "{status} {body}");
        }
    }

    #[test]
    fn answers_show_their_era() {
        let result = |members: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{{members}}}}}"#);
        for (content_type, body, want) in [
            (JSON, result(r#""resultType":"complete","supportedVersions":["2026-07-28"]"#), Modern),
            (Some("text/event-stream"), result(r#""resultType":"complete","tools":[]"#), Modern),
            (JSON, result(r#""supportedVersions":["2025-11-25","2025-06-18"]"#), Legacy),
            (JSON, result(r#""protocolVersion":"2025-11-25","capabilities":{}"#), Legacy),
            (JSON, error("1", -32601, "null"), Legacy),
            (JSON, error("1", -32022, r#"{"supported":["2026-07-28"]}"#), Modern),
            (Some("text/html"), "<html>sign in</html>".into(), Unusable),
            (JSON, "{".into(), Unusable),
            (None, String::new(), Unusable),
        ] {
            assert_eq!(classify(200, content_type, body.as_bytes()), want, "{body}");
        }
    }

    #[test]
    fn logins_and_failures_are_no_evidence() {
        for (status, want) in
            [(401, Auth), (403, Auth), (500, Unusable), (502, Unusable), (429, Unusable), (302, Unusable)]
        {
            assert_eq!(classify(status, JSON, error("1", -32020, "null").as_bytes()), want, "{status}");
        }
    }
}
