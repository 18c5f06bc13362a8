//! Same-document references: percent-decoding and JSON pointers (SPEC.md §9.5).

use crate::json::Value;

/// A pointer that is malformed or leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PointerError;

/// Resolves a reference text that begins with `#` against the root of its schema.
pub(super) fn resolve<'v>(root: &'v Value, reference: &str) -> Result<&'v Value, PointerError> {
    // Decoding comes before splitting: an encoded slash separates pieces like any other.
    let decoded = percent_decode(reference.strip_prefix('#').ok_or(PointerError)?);
    let mut pieces = decoded.split('/');
    if pieces.next() != Some("") {
        return Err(PointerError);
    }
    pieces.try_fold(root, |node, piece| {
        let name = piece.replace("~1", "/").replace("~0", "~");
        match node {
            Value::Object(object) => object.get(&name).ok_or(PointerError),
            Value::Array(items) => items.get(array_index(&name)?).ok_or(PointerError),
            _ => Err(PointerError),
        }
    })
}

fn array_index(text: &str) -> Result<usize, PointerError> {
    let canonical = text == "0" || !text.starts_with('0');
    if !canonical || text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PointerError);
    }
    text.parse().map_err(|_| PointerError)
}

/// Each maximal run of `%XX` becomes bytes, decoded as UTF-8 with U+FFFD for ill-formed parts; the rest is literal.
fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut plain = 0;
    let mut at = 0;
    while at < bytes.len() {
        let mut run = Vec::new();
        let mut end = at;
        while let Some(byte) = encoded_byte(bytes.get(end..end + 3)) {
            run.push(byte);
            end += 3;
        }
        if run.is_empty() {
            at += 1;
            continue;
        }
        // `%` is ASCII, so both ends are character boundaries.
        out.push_str(&text[plain..at]);
        out.push_str(&String::from_utf8_lossy(&run));
        (plain, at) = (end, end);
    }
    out.push_str(&text[plain..]);
    out
}

fn encoded_byte(group: Option<&[u8]>) -> Option<u8> {
    let [b'%', high, low] = group? else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    #[test]
    fn runs_decode_as_utf8_and_stray_percents_stay() {
        for (text, want) in [
            ("a%20b", "a b"),
            ("%C3%A9%c3%a9", "éé"),
            ("%C3x%A9", "\u{fffd}x\u{fffd}"),
            ("%E2%82", "\u{fffd}"),
            ("%", "%"),
            ("%2", "%2"),
            ("%zz%41", "%zzA"),
            ("é%41", "éA"),
            ("%%41", "%A"),
        ] {
            assert_eq!(percent_decode(text), want, "{text}");
        }
    }

    #[test]
    fn pointers_follow_rfc_6901_after_decoding() {
        let text = r#"{"":{"a":1},"a/b":2,"~":3,"%":4,"l":[5,6],"x":{"y":7}}"#;
        let root =
            parse(text.as_bytes(), &ParseLimits { max_bytes: 999, max_depth: 9, max_values: usize::MAX }).unwrap();
        let at = |reference| resolve(&root, reference).map(|value| value.as_f64());
        assert_eq!(at("#/a~1b"), Ok(Some(2.0)));
        assert_eq!(at("#/~0"), Ok(Some(3.0)));
        assert_eq!(at("#/~"), Ok(Some(3.0)));
        assert_eq!(at("#/%25"), Ok(Some(4.0)));
        assert_eq!(at("#/l/1"), Ok(Some(6.0)));
        assert_eq!(at("#%2Fx%2fy"), Ok(Some(7.0)));
        assert_eq!(at("#/"), Ok(None));
        assert_eq!(at("#//a"), Ok(Some(1.0)));
        for bad in
            ["#x", "#/nope", "#/l/01", "#/l/2", "#/l/-1", "#/l/", "#/l/1/0", "#/l/+1", "#/l/99999999999999999999"]
        {
            assert_eq!(at(bad), Err(PointerError), "{bad}");
        }
    }
}
