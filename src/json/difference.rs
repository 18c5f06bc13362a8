//! Where two values differ, by JSON pointer.

use super::value::Value;

/// One place where two values differ. At least one side is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference<'a> {
    /// RFC 6901, from the root of the two values; raw.
    pub pointer: String,
    /// `None` where the first value has nothing there.
    pub before: Option<&'a Value>,
    /// `None` where the second value has nothing there.
    pub now: Option<&'a Value>,
}

/// The places where two values differ, in the order of the second one's text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Differences<'a> {
    pub found: Vec<Difference<'a>>,
    /// How many more there are than were asked for.
    pub more: usize,
}

/// Compares two values (JSON equality: `1` equals `1.0`, member order does not matter) and names at most `limit` places.
///
/// The places are as deep as they can be told: members of objects, and elements of arrays that have the same length.
/// Arrays of another length, and arrays of scalars (an enum, a list of required names), are one place: the place of
/// an element says nothing once something was inserted before it.
pub fn differences<'a>(before: &'a Value, now: &'a Value, limit: usize) -> Differences<'a> {
    let mut out = Differences::default();
    // A work list instead of recursion, and no comparison of whole subtrees: linear for any nesting. Pointers are only
    // written for what is found, since names may be long.
    let mut open = vec![Pair { depth: 0, step: None, before: Some(before), now: Some(now) }];
    let mut path: Vec<Step<'a>> = Vec::new();
    while let Some(Pair { depth, step, before, now }) = open.pop() {
        path.truncate(depth);
        path.extend(step);
        let below = |step, before, now| Pair { depth: path.len(), step: Some(step), before, now };
        let begin = open.len();
        match (before, now) {
            (Some(Value::Object(old)), Some(Value::Object(new))) => {
                open.extend(new.iter().map(|(name, value)| below(Step::Member(name), old.get(name), Some(value))));
                let gone = old.iter().filter(|(name, _)| !new.contains(name));
                open.extend(gone.map(|(name, value)| below(Step::Member(name), Some(value), None)));
            }
            (Some(Value::Array(old)), Some(Value::Array(new))) if old.len() == new.len() && !is_flat(old, new) => {
                let pairs = old.iter().zip(new).enumerate();
                open.extend(pairs.map(|(i, (old, new))| below(Step::Element(i), Some(old), Some(new))));
            }
            (Some(old), Some(new)) if is_same(old, new) => {}
            _ if out.found.len() < limit => out.found.push(Difference { pointer: pointer(&path), before, now }),
            _ => out.more += 1,
        }
        // The last one in is the next one out.
        open[begin..].reverse();
    }
    out
}

/// Two values in the same place that are still to be compared.
struct Pair<'a> {
    /// Length of the path to their parent.
    depth: usize,
    step: Option<Step<'a>>,
    before: Option<&'a Value>,
    now: Option<&'a Value>,
}

enum Step<'a> {
    Member(&'a str),
    Element(usize),
}

fn pointer(path: &[Step<'_>]) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            Step::Member(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
            Step::Element(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

fn is_flat(old: &[Value], new: &[Value]) -> bool {
    old.iter().chain(new).all(is_scalar)
}

/// Equality where it is cheap: what is left here are scalars, flat arrays, arrays of different lengths, and values of
/// different kinds.
fn is_same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Array(old), Value::Array(new)) => old.len() == new.len() && old == new,
        _ => old == new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Object, ParseLimits, parse};

    fn value(text: &str) -> Value {
        parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 20, max_depth: 600, max_values: usize::MAX }).unwrap()
    }

    fn pointers(before: &str, now: &str) -> Vec<String> {
        let (before, now) = (value(before), value(now));
        differences(&before, &now, 99).found.into_iter().map(|found| found.pointer).collect()
    }

    #[test]
    fn places_are_as_deep_as_they_can_be_told() {
        assert_eq!(pointers(r#"{"a":1,"b":{"c":[1.0]}}"#, r#"{"b":{"c":[1]},"a":1.0}"#), [""; 0]);
        assert_eq!(
            pointers(r#"{"a/~":{"x":1},"gone":2}"#, r#"{"new":0,"a/~":{"x":2}}"#),
            ["/new", "/a~1~0/x", "/gone"]
        );
        assert_eq!(pointers(r#"{"e":["a","b"]}"#, r#"{"e":["b","a"]}"#), ["/e"]);
        assert_eq!(pointers(r#"[{"a":1},{"b":1}]"#, r#"[{"a":1},{"b":2}]"#), ["/1/b"]);
        assert_eq!(pointers(r#"[{"a":1},{"b":1}]"#, r#"[{"b":2}]"#), [""]);
        assert_eq!(pointers("null", "false"), [""]);
        assert_eq!(pointers(r#"{"a":null}"#, "{}"), ["/a"]);
    }

    #[test]
    fn more_than_asked_for_is_counted() {
        let (before, now) = (value(r#"{"a":1,"b":1,"c":1}"#), value("{}"));
        let found = differences(&before, &now, 2);
        assert_eq!((found.found.len(), found.more), (2, 1));
        assert_eq!((found.found[0].pointer.as_str(), found.found[0].now), ("/a", None));
    }

    #[test]
    fn nesting_and_long_names_cost_little() {
        let nest = |inner: Value| (0..2_000).fold(inner, |inner, _| Value::Array(vec![inner, Value::Array(vec![])]));
        let (before, now) = (nest(1.into()), nest(2.into()));
        assert_eq!(differences(&before, &now, 9).found.len(), 1);
        let name = "n".repeat(10_000);
        let leaves = |n: i64| Value::Array((0..10_000).map(|i| Value::Array(vec![(n + i).into()])).collect());
        let nest = |inner: Value| {
            (0..400).fold(inner, |inner, _| [(name.as_str(), inner)].into_iter().collect::<Object>().into())
        };
        let (before, now) = (nest(leaves(0)), nest(leaves(1)));
        let found = differences(&before, &now, 2);
        assert_eq!((found.found.len(), found.more), (2, 9_998));
    }
}
