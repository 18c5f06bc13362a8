//! How files are laid out: two spaces, a final line feed, and members in an order that the format names.

use crate::json::{Object, Value, pretty};
use std::cmp::Ordering;

/// The order of UTF-16 code units, which RFC 8785 and JavaScript sort by.
pub(super) fn utf16_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// The value with the members of every object sorted by UTF-16 code units.
pub(super) fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(object) => {
            let mut members: Vec<(&str, Value)> = object.iter().map(|(name, value)| (name, sorted(value))).collect();
            members.sort_by(|a, b| utf16_order(a.0, b.0));
            members.into_iter().collect::<Object>().into()
        }
        scalar => scalar.clone(),
    }
}

/// A document from the texts of its members: `(name, text)`, laid out for a place one level in.
pub(super) fn document_of(members: &[(String, String)]) -> String {
    let member = |(name, text): &(String, String)| format!("\n  {}: {text}", pretty(&name.as_str().into()));
    format!("{{{}\n}}\n", members.iter().map(member).collect::<Vec<_>>().join(","))
}

/// A value as it stands one level in.
pub(super) fn one_level_in(value: &Value) -> String {
    // Line feeds are layout: strings hold none.
    pretty(value).replace('\n', "\n  ")
}

/// Whether two documents say the same, the member with the time aside.
pub(super) fn same_but_for(time: &str, a: &Object, b: &Object) -> bool {
    let without = |object: &Object| {
        let mut object = object.clone();
        object.remove(time);
        object
    };
    without(a) == without(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_sort_by_code_unit_at_every_level() {
        let inner: Object = [("\u{ffff}", 1), ("\u{1f600}", 2), ("a", 3)].into_iter().collect();
        let outer: Object = [("z", Value::Array(vec![inner.into()])), ("b", Value::Null)].into_iter().collect();
        let text = crate::json::compact(&sorted(&outer.into()));
        assert_eq!(text, "{\"b\":null,\"z\":[{\"a\":3,\"\u{1f600}\":2,\"\u{ffff}\":1}]}");
    }
}
