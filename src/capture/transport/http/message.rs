//! What HTTP has to know of the messages that it carries, and no more: which of ours want an answer, what they are
//! about, and whether something that came back is that answer. Pure.

use crate::capture::jsonrpc::{self, Line, Message, id_number};
use crate::json::{Object, ParseLimits, Value, parse, values_in};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The revisions whose requests carry `MCP-Protocol-Version` after the handshake.
const WITH_VERSION_HEADER: [&str; 2] = ["2025-06-18", "2025-11-25"];
const INITIALIZE: &str = "initialize";

/// A message of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outgoing {
    pub(super) bytes: Vec<u8>,
    pub(super) kind: Kind,
    /// The revision that the message itself names. Such a message stands for itself: no session, no resuming.
    pub(super) modern: Option<String>,
}

/// What a message of ours wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Request {
        id: i64,
        method: String,
    },
    Notification {
        method: String,
    },
    /// An answer to a request of the server.
    Answer,
}

#[derive(Deserialize)]
struct Head {
    id: Option<i64>,
    method: Option<String>,
    params: Option<Params>,
}

#[derive(Deserialize)]
struct Params {
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
}

impl Outgoing {
    /// Reads the head of a message that the session wrote. The headers of a modern request are made of this, so they
    /// cannot say something else than its body.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let head: Option<Head> = serde_json::from_slice(bytes).ok();
        let modern = head.as_ref().and_then(|head| head.params.as_ref()?.meta.as_ref()?.version.clone());
        let kind = match head {
            Some(Head { id: Some(id), method: Some(method), .. }) => Kind::Request { id, method },
            Some(Head { id: None, method: Some(method), .. }) => Kind::Notification { method },
            // Ids of the server's requests are its own and may be anything.
            _ => Kind::Answer,
        };
        Self { bytes: bytes.to_vec(), kind, modern }
    }

    pub(super) fn is_initialize(&self) -> bool {
        matches!(&self.kind, Kind::Request { method, .. } if method == INITIALIZE)
    }

    /// The method, for headers and messages.
    pub(super) fn method(&self) -> Option<&str> {
        match &self.kind {
            Kind::Request { method, .. } | Kind::Notification { method } => Some(method),
            Kind::Answer => None,
        }
    }

    /// What the message is, for people.
    pub(super) fn what(&self) -> String {
        self.method().unwrap_or("an answer").to_owned()
    }
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: AnswerId,
    method: Option<IgnoredAny>,
}

/// The number that an id spells; `None` for whatever else stands there, which is not kept: it may be large.
#[derive(Default)]
struct AnswerId(Option<i64>);

impl<'de> Deserialize<'de> for AnswerId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Spelled;
        impl<'de> Visitor<'de> for Spelled {
            type Value = AnswerId;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an id")
            }

            fn visit_str<E>(self, text: &str) -> Result<AnswerId, E> {
                Ok(AnswerId(id_number(&Value::from(text))))
            }

            fn visit_i64<E>(self, number: i64) -> Result<AnswerId, E> {
                Ok(AnswerId(Some(number)))
            }

            fn visit_u64<E>(self, number: u64) -> Result<AnswerId, E> {
                Ok(AnswerId(i64::try_from(number).ok()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<AnswerId, E> {
                Ok(AnswerId(id_number(&Value::Float(number))))
            }

            fn visit_bool<E>(self, _: bool) -> Result<AnswerId, E> {
                Ok(AnswerId(None))
            }

            fn visit_unit<E>(self) -> Result<AnswerId, E> {
                Ok(AnswerId(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<AnswerId, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(AnswerId(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<AnswerId, A::Error> {
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(AnswerId(None))
            }
        }
        deserializer.deserialize_any(Spelled)
    }
}

/// Whether the session can take this for the answer to request `id`, or will refuse it: then no other is to be waited
/// for.
pub(super) fn answers(body: &[u8], id: i64, max_bytes: usize) -> bool {
    let body = body.trim_ascii();
    if body.first() == Some(&b'{')
        && let Ok(envelope) = serde_json::from_slice::<Envelope>(body)
    {
        return envelope.method.is_none() && envelope.id.0 == Some(id);
    }
    // The unusual cases, judged as the session will.
    let is_answer = |message: &Message| match message {
        Message::Answer { id: answered, .. } => id_number(answered) == Some(id),
        _ => false,
    };
    match jsonrpc::read_line(body, max_bytes, &mut values_in(max_bytes)) {
        Err(_) => true,
        Ok(Line::Blank | Line::Noise) => false,
        Ok(Line::One(message)) => is_answer(&message),
        Ok(Line::Batch { messages, .. }) => messages.iter().any(|(_, message)| is_answer(message)),
    }
}

/// The revision that an answer to `initialize` settles on, where the version header goes with it.
pub(super) fn negotiated(body: &[u8]) -> Option<&'static str> {
    #[derive(Deserialize)]
    struct Answer {
        result: Option<Settled>,
    }
    #[derive(Deserialize)]
    struct Settled {
        #[serde(rename = "protocolVersion")]
        version: Option<String>,
    }
    let version = serde_json::from_slice::<Answer>(body).ok()?.result?.version?;
    WITH_VERSION_HEADER.into_iter().find(|known| *known == version)
}

/// The error that stands in the body of a reply whose status says that something went wrong, as the answer to request
/// `id`: it is one whatever its own id says, because it came in reply to it.
pub(super) fn error_answer(body: &[u8], id: i64, max_bytes: usize) -> Option<Vec<u8>> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let Ok(Value::Object(mut message)) =
        parse(body, &ParseLimits { max_bytes, max_depth: 128, max_values: values_in(max_bytes) })
    else {
        return None;
    };
    let error = message.remove("error").filter(|error| error.as_object().is_some())?;
    let answer: Object = [("jsonrpc", Value::from("2.0")), ("id", id.into()), ("error", error)].into_iter().collect();
    serde_json::to_vec(&answer).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_ours_say_what_they_want() {
        let request = Outgoing::new(&jsonrpc::request(3, "tools/list", Object::new()));
        assert_eq!(request.kind, Kind::Request { id: 3, method: "tools/list".into() });
        assert_eq!((request.modern.as_deref(), request.is_initialize()), (None, false));
        let notification = Outgoing::new(&jsonrpc::notification("notifications/initialized"));
        assert_eq!(notification.kind, Kind::Notification { method: "notifications/initialized".into() });
        for id in [Value::from(3), Value::from("x"), Value::Float(1.5)] {
            assert_eq!(Outgoing::new(&jsonrpc::result(id.clone(), Object::new())).kind, Kind::Answer);
            assert_eq!(Outgoing::new(&jsonrpc::error(id, -32601, "no")).kind, Kind::Answer);
        }
        let meta: Object = [("io.modelcontextprotocol/protocolVersion", "2026-07-28")].into_iter().collect();
        let params: Object = [("_meta", meta)].into_iter().collect();
        let modern = Outgoing::new(&jsonrpc::request(1, "server/discover", params));
        assert_eq!((modern.modern.as_deref(), modern.method()), (Some("2026-07-28"), Some("server/discover")));
    }

    #[test]
    fn answers_are_recognised_as_the_session_does() {
        for (body, want) in [
            (r#"{"jsonrpc":"2.0","id":2,"result":{}}"#, true),
            (" {\"id\":\"2\",\"jsonrpc\":\"2.0\",\"error\":{}} ", true),
            (r#"{"jsonrpc":"2.0","id":2.0,"result":{}}"#, true),
            (r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, false),
            (r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#, false),
            (r#"{"jsonrpc":"2.0","method":"notifications/x"}"#, false),
            (r#"{"jsonrpc":"2.0","id":null,"error":{}}"#, false),
            (r#"[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"result":{}}]"#, true),
            (r#"[{"jsonrpc":"2.0","method":"x"}]"#, false),
            // Refused by the session, which says why.
            (r#"{"jsonrpc":"2.0","id":2,"id":3,"result":{}}"#, true),
            (r#"{"jsonrpc":"2.0","id":2,"result":"#, true),
            ("<html>", false),
            ("{}", false),
            ("", false),
        ] {
            assert_eq!(answers(body.as_bytes(), 2, 1000), want, "{body}");
        }
    }

    #[test]
    fn errors_in_replies_get_the_id_of_what_was_asked() {
        let body = br#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}"#;
        let want = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"no"}}"#;
        assert_eq!(error_answer(body, 7, 1000).as_deref(), Some(want.as_bytes()));
        for body in ["", "<html>", "{}", r#"{"error":"unauthorized"}"#, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#] {
            assert_eq!(error_answer(body.as_bytes(), 7, 1000), None, "{body}");
        }
    }

    #[test]
    fn only_revisions_with_the_header_are_kept() {
        let answer = |version: &str| format!(r#"{{"id":1,"result":{{"protocolVersion":"{version}"}}}}"#);
        assert_eq!(negotiated(answer("2025-11-25").as_bytes()), Some("2025-11-25"));
        assert_eq!(negotiated(answer("2025-03-26").as_bytes()), None);
        assert_eq!(negotiated(answer("2025-11-25\\r\\nX: y").as_bytes()), None);
        assert_eq!(negotiated(b"{}"), None);
    }
}
