//! References of a schema into itself.

use crate::json::{Object, Value};

/// The object that `#/a/b` names in a schema: an RFC 6901 pointer, percent-decoded before `~1` and `~0` are. `None` for
/// any other reference, and where the target is no object.
pub(super) fn follow<'a>(root: &'a Object, reference: &str) -> Option<&'a Object> {
    let pointer = percent_decode(reference.strip_prefix('#')?);
    let mut pieces = pointer.strip_prefix('/')?.split('/').map(|piece| piece.replace("~1", "/").replace("~0", "~"));
    let mut at = root.get(&pieces.next()?)?;
    for piece in pieces {
        at = match at {
            Value::Object(object) => object.get(&piece)?,
            Value::Array(items) => items.get(piece.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    at.as_object()
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let decoded = tail.get(..2).filter(|_| byte == b'%').and_then(|digits| hex::decode(digits).ok());
        match decoded.as_deref() {
            Some(&[decoded]) => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    #[test]
    fn only_pointers_to_objects_are_followed() {
        let text = r#"{"$defs":{"a/b":{"x":1},"l":[{"y":1}],"é":{"z":1},"t":true}}"#;
        let value =
            parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 10, max_depth: 9, max_values: usize::MAX }).unwrap();
        let root = value.as_object().unwrap();
        let member = |reference| follow(root, reference).and_then(|object| object.names().next());
        for (reference, want) in
            [("#/$defs/a~1b", "x"), ("#/$defs/l/0", "y"), ("#/$defs/%C3%A9", "z"), ("#/%24defs/a~1b", "x")]
        {
            assert_eq!(member(reference), Some(want), "{reference}");
        }
        for reference in
            ["", "#", "#/", "#a", "other#/$defs/a", "#/$defs/t", "#/$defs/l/1", "#/$defs/none", "#/$defs/%zz"]
        {
            assert_eq!(member(reference), None, "{reference}");
        }
    }
}
