//! JSON-RPC 2.0 envelopes, pure: one line in, messages out, and the few messages that a client writes.
//!
//! Only the envelope is typed. What a message carries stays a raw [`Value`], because typed models drop what must be
//! pinned.

use crate::json::{MAX_DEPTH, Object, ParseError, ParseLimits, Value, element_spans, member_spans, parse_within};

/// "Method not found".
pub const METHOD_NOT_FOUND: i64 = -32601;
/// "Invalid params", which a modern server answers to a request without its envelope.
pub const INVALID_PARAMS: i64 = -32602;
/// The transport's headers contradict the message, or are missing (2026-07-28).
pub const HEADER_MISMATCH: i64 = -32020;
/// The server wants a capability that the client does not declare (2026-07-28).
pub const MISSING_CAPABILITY: i64 = -32021;
/// The server does not speak the revision it was asked in (2026-07-28).
pub const UNSUPPORTED_VERSION: i64 = -32022;

/// Levels of a line above a value that is hashed: message, `result`, list, entry.
const ENVELOPE_DEPTH: usize = 4;

/// One message of the server.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// Wants an answer.
    Request { id: Value, method: String },
    /// Wants none.
    Notification { method: String },
    /// Answers a request of ours, or claims to.
    Answer { id: Value, outcome: Outcome },
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Result(Value),
    Error(RpcError),
    /// Neither of the two, or more than one thing: clients would differ about what it means.
    Unclear(&'static str),
}

/// The error object of an answer, as loosely as servers write it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RpcError {
    /// Absent where it was not an integer.
    pub code: Option<i64>,
    pub message: String,
    /// The texts in `data.supported`: revisions that the server speaks.
    pub supported: Vec<String>,
}

/// What one line holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    Blank,
    /// Not JSON-RPC.
    Noise,
    One(Message),
    /// A JSON-RPC batch, each message with its place in it; `noise` counts elements that are no messages.
    Batch {
        messages: Vec<(usize, Message)>,
        noise: usize,
    },
}

/// Reads one line, without its line end. `values` is how many JSON values it may have, and afterwards how many are left.
///
/// # Errors
/// The line is, or could be read by somebody as, a JSON-RPC message, and the strict parse refuses it. To skip such a
/// line would let a server show this client something else than the next one.
pub fn read_line(line: &[u8], max_bytes: usize, values: &mut usize) -> Result<Line, ParseError> {
    let line = line.trim_ascii();
    let batch = match line.first() {
        None => return Ok(Line::Blank),
        Some(b'{') => false,
        Some(b'[') => true,
        Some(_) => return Ok(Line::Noise),
    };
    let max_depth = MAX_DEPTH + ENVELOPE_DEPTH + usize::from(batch);
    match parse_within(line, &ParseLimits { max_bytes, max_depth, max_values: *values }, values) {
        Ok(Value::Array(items)) => {
            let count = items.len();
            let read = |(place, item)| Some((place, read_message(item)?));
            let messages: Vec<(usize, Message)> = items.into_iter().enumerate().filter_map(read).collect();
            let noise = count - messages.len();
            Ok(if messages.is_empty() { Line::Noise } else { Line::Batch { messages, noise } })
        }
        Ok(value) => Ok(read_message(value).map_or(Line::Noise, Line::One)),
        Err(error) if could_be_message(line) => Err(error),
        Err(_) => Ok(Line::Noise),
    }
}

/// Whether some reader could see a member called `jsonrpc` in the line: the word stands there in double quotes (what
/// Python and JavaScript print for an object has none), or an escape that spells one of its letters. Nobody else
/// escapes those letters, so log records do not qualify.
fn could_be_message(line: &[u8]) -> bool {
    let word = br#""jsonrpc""#;
    if line.windows(word.len()).any(|window| window == word) {
        return true;
    }
    line.windows(6).any(|window| match window {
        [b'\\', b'u' | b'U', b'0', b'0', high, low] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16).unwrap_or(0);
            u8::try_from(digit(high) * 16 + digit(low)).is_ok_and(|code| b"jsonrpc".contains(&code))
        }
        _ => false,
    })
}

/// The envelope of a value, or `None` where it is no JSON-RPC 2.0 message at all.
fn read_message(value: Value) -> Option<Message> {
    let Value::Object(mut object) = value else { return None };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return None;
    }
    let id = object.remove("id").unwrap_or_default();
    let error = object.remove("error").filter(|error| !error.is_null());
    let result = object.remove("result");
    // The ids of the two directions are independent: `method` decides, not the id.
    let outcome = match (object.remove("method"), result, error) {
        (Some(Value::String(method)), None | Some(Value::Null), None) => {
            return Some(match id {
                Value::String(_) | Value::Int(_) | Value::Float(_) => Message::Request { id, method },
                _ => Message::Notification { method },
            });
        }
        (Some(Value::String(_)), ..) => Outcome::Unclear("it is a request and an answer at once"),
        (Some(_), ..) => Outcome::Unclear("its method is not a string"),
        (None, Some(result), None) => Outcome::Result(result),
        (None, None | Some(Value::Null), Some(error)) => Outcome::Error(read_error(&error)),
        (None, Some(_), Some(_)) => Outcome::Unclear("it has both a result and an error"),
        (None, None, None) => Outcome::Unclear("it has neither a result nor an error"),
    };
    Some(Message::Answer { id, outcome })
}

fn read_error(error: &Value) -> RpcError {
    RpcError {
        code: error.get("code").and_then(integer),
        message: error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        supported: error.get("data").and_then(|data| data.get("supported")).map(texts).unwrap_or_default(),
    }
}

/// The texts in an array; none where it is something else.
pub fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The value that an answer carries, verbatim: of `result`, or of `error`. `place` is where the answer stands in a
/// batch. The line is one that [`read_line`] read.
pub fn carried_text(line: &[u8], place: Option<usize>, outcome: &Outcome) -> String {
    let member = if matches!(outcome, Outcome::Error(_)) { "error" } else { "result" };
    let message = std::str::from_utf8(line).ok().and_then(|line| match place {
        Some(place) => element_spans(line).get(place).copied(),
        None => Some(line),
    });
    let members = message.map(member_spans).unwrap_or_default();
    members.into_iter().find(|(name, _)| name == member).map(|(_, text)| text.to_owned()).unwrap_or_default()
}

/// The number that an id means: an integer, or a text that spells one, as some servers return it.
pub fn id_number(id: &Value) -> Option<i64> {
    match id {
        Value::String(text) => text.parse().ok().filter(|number: &i64| number.to_string() == *text),
        other => integer(other),
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Int(int) => Some(*int),
        // Servers whose numbers are all doubles write 1.0.
        #[expect(clippy::cast_possible_truncation, reason = "exact for whole numbers within ±2^53")]
        Value::Float(float) if float.fract() == 0.0 && float.abs() < 9e15 => Some(*float as i64),
        _ => None,
    }
}

/// A request of ours.
pub fn request(id: i64, method: &str, params: Object) -> Vec<u8> {
    envelope([("id", Value::from(id)), ("method", method.into()), ("params", params.into())])
}

/// A notification of ours.
pub fn notification(method: &str) -> Vec<u8> {
    envelope([("method", method.into())])
}

/// The answer to a request of the server.
pub fn result(id: Value, result: Object) -> Vec<u8> {
    envelope([("id", id), ("result", result.into())])
}

/// The refusal of a request of the server.
pub fn error(id: Value, code: i64, message: &str) -> Vec<u8> {
    let error: Object = [("code", Value::from(code)), ("message", message.into())].into_iter().collect();
    envelope([("id", id), ("error", error.into())])
}

fn envelope<const N: usize>(members: [(&str, Value); N]) -> Vec<u8> {
    let message: Object = [("jsonrpc", Value::from("2.0"))].into_iter().chain(members).collect();
    // Writing texts and finite numbers into memory cannot fail.
    serde_json::to_vec(&message).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Line, ParseError> {
        read_line(line.as_bytes(), 1 << 20, &mut 1000)
    }

    #[test]
    fn messages_are_told_apart_by_their_method() {
        let one = |line| match read(line) {
            Ok(Line::One(message)) => message,
            other => panic!("{line}: {other:?}"),
        };
        let id = || Value::from(1);
        assert_eq!(
            one(r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":null}"#),
            Message::Request { id: id(), method: "ping".into() }
        );
        assert_eq!(one(r#" {"method":"x","jsonrpc":"2.0","id":null}"#), Message::Notification { method: "x".into() });
        let answer = |outcome| Message::Answer { id: id(), outcome };
        assert_eq!(
            one(r#"{"result":{},"error":null,"jsonrpc":"2.0","id":1}"#),
            answer(Outcome::Result(Object::new().into()))
        );
        let error = RpcError { code: Some(-32601), message: "no".into(), supported: vec!["x".into()] };
        assert_eq!(
            one(
                r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32601.0,"message":"no","data":{"supported":["x",1]}}}"#
            ),
            answer(Outcome::Error(error))
        );
        for unclear in [
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","error":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        ] {
            assert!(matches!(one(unclear), Message::Answer { outcome: Outcome::Unclear(_), .. }), "{unclear}");
        }
    }

    #[test]
    fn what_is_not_a_message_is_noise() {
        for line in [
            "hello",
            "{",
            "[info] ready",
            "{\"level\":30,\"time\":1764446400000000000}",
            "{a: '\\u001b'}",
            "{'jsonrpc': '2.0', 'id': 1}",
            "{ jsonrpc: '2.0', id: 1 }",
            "{\"jsonrp\":\"2.0\",\"id\":1}",
            "{\"id\":1,\"result\":{}}",
            "[]",
            "[1,{\"a\":1}]",
            "\"jsonrpc\"",
            "{\"jsonrpc\":2.0,\"id\":1}",
        ] {
            assert_eq!(read(line), Ok(Line::Noise), "{line}");
        }
        assert_eq!(read_line(b"caf\xe9 \xff", 100, &mut 100), Ok(Line::Noise));
        assert_eq!(read(" \t"), Ok(Line::Blank));
    }

    #[test]
    fn a_refused_message_is_never_skipped() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"result":9007199254740993}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":NaN}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"#,
            r#"{"jsonrpc":"2.0","id":1}{"jsonrpc":"2.0","id":1}"#,
            // The same member, spelled so that a search for the word does not find it.
            r#"{"json\u0072pc":"2.0","id":1,"result":9007199254740993}"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":"\ud800"}]"#,
        ] {
            assert!(read(line).is_err(), "{line}");
        }
        assert!(read_line(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}", 100, &mut 100).is_err());
    }

    #[test]
    fn what_an_answer_carries_is_kept_to_the_byte() {
        let result = r#"{ "a":1.00,"b":"\/\u00e9" }"#;
        let line = format!("\t{{\"res\\u0075lt\" : {result} ,\"id\":1,\"jsonrpc\":\"2.0\"}}\r");
        let outcome = Outcome::Result(Value::Null);
        assert_eq!(carried_text(line.as_bytes(), None, &outcome), result);
        let batch = format!("[7,{line}]");
        assert_eq!(carried_text(batch.as_bytes(), Some(1), &outcome), result);
        assert_eq!(carried_text(b"\xff", None, &outcome), "");
    }

    #[test]
    fn payloads_may_be_as_deep_as_the_format_allows() {
        let line = |depth: usize, open: &str, close: &str| {
            let schema = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
            format!(r#"{open}{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{{"inputSchema":{schema}}}]}}}}{close}"#)
        };
        assert!(read(&line(512, "", "")).is_ok());
        assert!(read(&line(513, "", "")).is_err());
        assert!(read(&line(512, "[", "]")).is_ok());
        assert!(read(&line(513, "[", "]")).is_err());
    }

    #[test]
    fn ids_match_by_the_number_they_spell() {
        let spelled = |text: &str| id_number(&Value::from(text));
        assert_eq!(spelled("12"), Some(12));
        assert_eq!(spelled("012"), None);
        assert_eq!(spelled("+12"), None);
        assert_eq!(id_number(&Value::Float(3.0)), Some(3));
        assert_eq!(id_number(&Value::Float(3.5)), None);
        assert_eq!(id_number(&Value::Null), None);
    }

    #[test]
    fn our_messages_are_one_line_each() {
        let params = [("cursor", "a\nb")].into_iter().collect();
        assert_eq!(
            String::from_utf8(request(7, "tools/list", params)).unwrap(),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"a\nb"}}"#
        );
        assert_eq!(error("x".into(), -32601, "no").first(), Some(&b'{'));
    }
}
