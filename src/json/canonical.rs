//! RFC 8785 bytes and the depth bound that stands before them (SPEC.md §3).
//!
//! Floats are printed by `serde_json_canonicalizer`, as the format's numbers are ECMAScript's and that is not something
//! to write again. The walk is our own, because the library's buffers every object once more inside each object around
//! it: a value of a few megabytes, nested as deep as the format allows, would be copied five hundred times. This one
//! goes straight into the hash. A test compares the two.

use super::digest::Digest;
use super::escape::{Sink, string_into};
use super::value::{MAX_SAFE_INTEGER, Value};
use sha2::{Digest as _, Sha256};
use std::cmp::Ordering;
use std::io::Write as _;

/// The deepest an element of a hashed value or of a lock document may stand, the root being 0 (SPEC.md §3.4).
pub const MAX_DEPTH: usize = 512;

/// A value that has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    #[error("nesting is deeper than {MAX_DEPTH} levels")]
    TooDeep,
    // Not reachable from a parsed value, whose numbers are finite; kept so that no caller needs to trust that.
    #[error("the value cannot be canonicalized: {0}")]
    Refused(String),
}

/// The canonical text of a value, in UTF-8.
///
/// # Errors
/// [`CanonicalError::TooDeep`] past [`MAX_DEPTH`]; [`CanonicalError::Refused`] for a number that is not finite.
pub fn canonical_bytes(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    let mut bytes = Vec::new();
    value_into(&mut bytes, value, 0)?;
    Ok(bytes)
}

/// [`canonical_bytes`] as text.
///
/// # Errors
/// As [`canonical_bytes`].
pub fn canonical_text(value: &Value) -> Result<String, CanonicalError> {
    let mut text = String::new();
    value_into(&mut text, value, 0)?;
    Ok(text)
}

/// `sha256:` of the canonical bytes: the one hash primitive of the format (SPEC.md §4).
///
/// # Errors
/// As [`canonical_bytes`].
pub fn hash(value: &Value) -> Result<Digest, CanonicalError> {
    let mut hasher = Hasher::default();
    value_into(&mut hasher, value, 0)?;
    Ok(hasher.finish())
}

/// [`hash`] of the object that has these members. Names must not repeat.
///
/// # Errors
/// As [`canonical_bytes`].
pub fn hash_members<'v>(members: impl Iterator<Item = (&'v str, &'v Value)>) -> Result<Digest, CanonicalError> {
    let mut hasher = Hasher::default();
    members_into(&mut hasher, members.collect(), 0)?;
    Ok(hasher.finish())
}

/// Feeds a hash in pieces that are worth the call.
#[derive(Default)]
struct Hasher {
    state: Sha256,
    waiting: Vec<u8>,
}

impl Hasher {
    const PIECE: usize = 4 << 10;

    fn finish(mut self) -> Digest {
        self.state.update(&self.waiting);
        Digest::of_hasher(self.state)
    }
}

impl Sink for Hasher {
    fn put(&mut self, text: &str) {
        if self.waiting.len() + text.len() > Self::PIECE {
            self.state.update(&self.waiting);
            self.waiting.clear();
        }
        if text.len() > Self::PIECE {
            self.state.update(text);
        } else {
            self.waiting.extend_from_slice(text.as_bytes());
        }
    }
}

/// Recursion is bounded: it ends with an error one level below [`MAX_DEPTH`].
fn value_into(sink: &mut impl Sink, value: &Value, at: usize) -> Result<(), CanonicalError> {
    if at > MAX_DEPTH {
        return Err(CanonicalError::TooDeep);
    }
    match value {
        Value::Null => sink.put("null"),
        Value::Bool(true) => sink.put("true"),
        Value::Bool(false) => sink.put("false"),
        // Up to 2^53 the double prints as the integer does.
        Value::Int(int) if (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(int) => integer_into(sink, *int),
        Value::Int(int) => double_into(sink, *int as f64)?,
        Value::Float(float) => double_into(sink, *float)?,
        Value::String(text) => string_into(sink, text),
        Value::Array(items) => {
            sink.put("[");
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    sink.put(",");
                }
                value_into(sink, item, at + 1)?;
            }
            sink.put("]");
        }
        Value::Object(object) => members_into(sink, object.iter().collect(), at)?,
    }
    Ok(())
}

fn members_into(sink: &mut impl Sink, mut members: Vec<(&str, &Value)>, at: usize) -> Result<(), CanonicalError> {
    members.sort_unstable_by(|a, b| utf16_order(a.0, b.0));
    sink.put("{");
    for (i, (name, value)) in members.into_iter().enumerate() {
        if i > 0 {
            sink.put(",");
        }
        string_into(sink, name);
        sink.put(":");
        value_into(sink, value, at + 1)?;
    }
    sink.put("}");
    Ok(())
}

fn integer_into(sink: &mut impl Sink, int: i64) {
    let mut digits = [0; 20];
    let mut rest = &mut digits[..];
    // Twenty bytes hold every 64-bit integer, and what was written is ASCII.
    let _ = write!(rest, "{int}");
    let length = 20 - rest.len();
    sink.put(std::str::from_utf8(&digits[..length]).unwrap_or_default());
}

fn double_into(sink: &mut impl Sink, double: f64) -> Result<(), CanonicalError> {
    let text = serde_json_canonicalizer::to_string(&double).map_err(|e| CanonicalError::Refused(e.to_string()))?;
    sink.put(&text);
    Ok(())
}

/// The order of the UTF-16 code units of two texts. It is that of their UTF-8 bytes, save that U+E000 to U+FFFF (first
/// byte EE or EF) come after everything above U+FFFF (first byte F0 to F4), whose first unit is a surrogate.
fn utf16_order(a: &str, b: &str) -> Ordering {
    let weight = |byte: u8| if matches!(byte, 0xee | 0xef) { byte + 0x10 } else { byte };
    match a.bytes().zip(b.bytes()).find(|(a, b)| a != b) {
        Some((a, b)) => weight(a).cmp(&weight(b)),
        None => a.len().cmp(&b.len()),
    }
}

/// Depth of the deepest element: 0 for a scalar or an empty container, one more for each enclosing container.
pub fn depth(value: &Value) -> usize {
    // A work list instead of recursion: a value built in memory has no depth bound of its own.
    let mut deepest = 0;
    let mut open = vec![(value, 0)];
    while let Some((value, at)) = open.pop() {
        deepest = deepest.max(at);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, at + 1))),
            Value::Object(object) => open.extend(object.iter().map(|(_, item)| (item, at + 1))),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Object, ParseLimits, parse};
    use proptest::prelude::*;

    fn canonical(text: &str) -> String {
        canonical_text(
            &parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 20, max_depth: 600, max_values: usize::MAX })
                .unwrap(),
        )
        .unwrap()
    }

    #[test]
    fn keys_sort_by_utf16_and_numbers_print_as_es6() {
        assert_eq!(canonical(r#"{"\uFB33":1,"😀":2,"a":3,"":4}"#), "{\"\":4,\"a\":3,\"😀\":2,\"\u{fb33}\":1}");
        let numbers =
            "[-0, -0.0, 1.0, 1E2, 9007199254740991, 9007199254740992.0, 1e20, 1e21, 1e-6, 1e-7, 2e-324, 2.5e-324]";
        let want = "[0,0,1,100,9007199254740991,9007199254740992,100000000000000000000,1e+21,0.000001,1e-7,0,5e-324]";
        assert_eq!(canonical(numbers), want);
        assert_eq!(
            canonical(r#""\u007f\u0080\u2028\/\b\t\n\f\r\u0001\"\\""#),
            "\"\u{7f}\u{80}\u{2028}/\\b\\t\\n\\f\\r\\u0001\\\"\\\\\""
        );
    }

    #[test]
    fn digests_of_the_empty_values_are_the_published_ones() {
        let digest = |text: &str| {
            hash(&parse(text.as_bytes(), &ParseLimits { max_bytes: 9, max_depth: 9, max_values: usize::MAX }).unwrap())
                .unwrap()
                .to_string()
        };
        assert_eq!(digest("null"), "sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b");
        assert_eq!(digest("\"\""), "sha256:12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126");
        assert_eq!(digest("{}"), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        assert_eq!(digest("[]"), "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
    }

    #[test]
    fn the_bound_holds_for_values_built_in_memory_too() {
        let nest = |n: usize| (0..n).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        assert!(hash(&nest(512)).is_ok());
        assert_eq!(hash(&nest(513)), Err(CanonicalError::TooDeep));
    }
    /// Texts that stress escapes and the order of names.
    fn text() -> impl Strategy<Value = String> {
        let char = prop_oneof![
            any::<char>(),
            (0..0x100_u32).prop_filter_map("no character", char::from_u32),
            prop::sample::select(vec!['a', '"', '\\', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{10ffff}']),
        ];
        prop::collection::vec(char, 0..5).prop_map(String::from_iter)
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let scalar = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1000_i64..1000).prop_map(Value::from),
            any::<f64>().prop_map(Value::Float),
            text().prop_map(Value::from),
        ];
        scalar.prop_recursive(5, 60, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::vec((text(), inner), 0..20).prop_map(|members| Object::from_iter(members).into()),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_walk_writes_what_the_library_writes(value in any_value()) {
            let theirs = serde_json_canonicalizer::to_string(&value).ok();
            prop_assert_eq!(&canonical_text(&value).ok(), &theirs);
            prop_assert_eq!(hash(&value).ok(), theirs.map(|text| Digest::of_bytes(text.as_bytes())));
            if let Value::Object(object) = &value {
                prop_assert_eq!(hash_members(object.iter()).ok(), hash(&value).ok());
            }
        }

        #[test]
        fn names_sort_by_code_unit(a in text(), b in text()) {
            prop_assert_eq!(utf16_order(&a, &b), a.encode_utf16().cmp(b.encode_utf16()));
        }
    }

    #[test]
    fn long_texts_reach_the_hash_whole() {
        let long = "é\n".repeat(5_000);
        let value = Value::from(vec![Value::from("a"), long.as_str().into(), "b".into(), long.as_str().into()]);
        assert_eq!(hash(&value).unwrap(), Digest::of_bytes(&canonical_bytes(&value).unwrap()));
    }
}
