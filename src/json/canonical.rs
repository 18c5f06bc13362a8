//! RFC 8785 bytes and the depth bound that stands before them (SPEC.md §3).

use super::digest::Digest;
use super::value::Value;

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
    if depth(value) > MAX_DEPTH {
        return Err(CanonicalError::TooDeep);
    }
    serde_json_canonicalizer::to_vec(value).map_err(|e| CanonicalError::Refused(e.to_string()))
}

/// [`canonical_bytes`] as text.
///
/// # Errors
/// As [`canonical_bytes`].
pub fn canonical_text(value: &Value) -> Result<String, CanonicalError> {
    String::from_utf8(canonical_bytes(value)?).map_err(|e| CanonicalError::Refused(e.to_string()))
}

/// `sha256:` of the canonical bytes: the one hash primitive of the format (SPEC.md §4).
///
/// # Errors
/// As [`canonical_bytes`].
pub fn hash(value: &Value) -> Result<Digest, CanonicalError> {
    Ok(Digest::of_bytes(&canonical_bytes(value)?))
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
    use crate::json::{ParseLimits, parse};

    fn canonical(text: &str) -> String {
        canonical_text(&parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 20, max_depth: 600 }).unwrap()).unwrap()
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
            hash(&parse(text.as_bytes(), &ParseLimits { max_bytes: 9, max_depth: 9 }).unwrap()).unwrap().to_string()
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
}
