//! Which parameters of a schema share a path in the skeleton.
//!
//! Paths are joined without escaping (SPEC.md §9), so only a name that is empty, is `$root`, or holds `.` or `[]` can
//! meet another. Schemas without such a name, which is nearly all, cost one look at their names.

use super::local_ref::follow;
use crate::json::{Object, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The path of a schema's own record.
pub(super) const ROOT: &str = "$root";

/// What the walk may cost. A schema beyond it is refused where skeletons are built, so giving up here hides nothing.
const MAX_RECORDS: usize = 20_000;
const MAX_PATH_BYTES: usize = 8 << 20;

/// Depth at which the skeleton stops too.
const MAX_DEPTH: usize = 64;

/// Paths that more than one place of the schema writes, with the names that make them meet.
pub(super) fn collisions(schema: &Object) -> BTreeMap<String, BTreeSet<String>> {
    if !has_telling_name(schema) {
        return BTreeMap::new();
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // Path to the place that wrote it: its way in the schema, names escaped, and the telling names on that way.
    let mut written: HashMap<String, Place> = HashMap::new();
    let mut open = vec![Node {
        schema: Some(schema),
        path: String::new(),
        place: Place::default(),
        depth: 0,
        followed: Vec::new(),
        open: Vec::new(),
    }];
    let (mut records, mut bytes) = (0, 0);
    while let Some(node) = open.pop() {
        records += 1;
        bytes += node.path.len() + node.place.way.len();
        if records > MAX_RECORDS || bytes > MAX_PATH_BYTES {
            break;
        }
        let key = if node.path.is_empty() { ROOT.to_owned() } else { node.path.clone() };
        match written.get(&key) {
            Some(other) if other.way != node.place.way => {
                let names = found.entry(key).or_default();
                names.extend(other.telling.iter().chain(&node.place.telling).cloned());
            }
            Some(_) => {}
            None => _ = written.insert(key, node.place.clone()),
        }
        node.open_children(schema, &mut open);
    }
    found
}

/// Where a record comes from.
#[derive(Clone, Default)]
struct Place {
    way: String,
    telling: Vec<String>,
}

/// A schema on the walk.
struct Node<'a> {
    /// `None` for what is not an object: a record without children.
    schema: Option<&'a Object>,
    path: String,
    place: Place,
    depth: usize,
    followed: Vec<&'a str>,
    /// The described places on the way here, by address.
    open: Vec<&'a Object>,
}

impl<'a> Node<'a> {
    fn open_children(self, root: &'a Object, open: &mut Vec<Self>) {
        let Some(schema) = self.schema.filter(|_| self.depth < MAX_DEPTH) else { return };
        // A place that is open already is a circle, under whatever spelling it was reached; the skeleton stops there too.
        if self.open.iter().any(|open| std::ptr::eq(*open, schema)) {
            return;
        }
        if schema.contains("$ref") {
            // Followed at the same path; what cannot be followed has no children. Keys beside a reference make it
            // opaque.
            let text = schema.get("$ref").and_then(Value::as_str).filter(|text| !self.followed.contains(text));
            if let Some((text, target)) = text.and_then(|text| Some((text, follow(root, text)?)))
                && schema.len() == 1
            {
                let mut followed = self.followed;
                followed.push(text);
                open.push(Node { schema: Some(target), depth: self.depth + 1, followed, ..self });
            }
            return;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, value) in properties.into_iter().flat_map(Object::iter) {
            let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
            let mut place = self.place.clone();
            place.way.push_str(&format!("/p:{}", name.replace('~', "~0").replace('/', "~1")));
            if is_telling(name) {
                place.telling.push(name.to_owned());
            }
            // What is not an object has a record too, save where the path is empty.
            if value.as_object().is_some() || !path.is_empty() {
                open.push(self.child(value.as_object(), path, place));
            }
        }
        if let Some(items) = schema.get("items").and_then(Value::as_object) {
            let mut place = self.place.clone();
            place.way.push_str("/i");
            open.push(self.child(Some(items), format!("{}[]", self.path), place));
        }
    }

    fn child(&self, schema: Option<&'a Object>, path: String, place: Place) -> Self {
        let open = self.open.iter().copied().chain(self.schema).collect();
        Node { schema, path, place, depth: self.depth + 1, followed: self.followed.clone(), open }
    }
}

/// Whether a name can make two paths meet.
fn is_telling(name: &str) -> bool {
    name.is_empty() || name == ROOT || name.contains('.') || name.contains("[]")
}

/// Whether any parameter of the schema, its definitions included, has such a name.
fn has_telling_name(schema: &Object) -> bool {
    let mut open: Vec<&Object> = vec![schema];
    while let Some(object) = open.pop() {
        if object.get("properties").and_then(Value::as_object).is_some_and(|named| named.names().any(is_telling)) {
            return true;
        }
        for (_, value) in object.iter() {
            match value {
                Value::Object(object) => open.push(object),
                // Items that are lists of lists hold no schema.
                Value::Array(items) => open.extend(items.iter().filter_map(Value::as_object)),
                _ => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    fn found(text: &str) -> Vec<String> {
        let value =
            parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 12, max_depth: 64, max_values: usize::MAX }).unwrap();
        let found = collisions(value.as_object().unwrap());
        found.into_iter().map(|(path, names)| format!("{path} {}", Vec::from_iter(names).join("|"))).collect()
    }

    #[test]
    fn every_kind_of_collision_is_found() {
        for (schema, want) in [
            (r#"{"properties":{"":{}}}"#, "$root "),
            (r#"{"properties":{"$root":{}}}"#, "$root $root"),
            (r#"{"properties":{"a":{"properties":{"b":{}}},"a.b":true}}"#, "a.b a.b"),
            (r#"{"properties":{"[]":{}},"items":{}}"#, "[] []"),
            (r#"{"properties":{"a[]":{},"a":{"items":{}}}}"#, "a[] a[]"),
            (
                r##"{"properties":{"a":{"$ref":"#/$defs/d"},"a.b":{}},"$defs":{"d":{"properties":{"b":{}}}}}"##,
                "a.b a.b",
            ),
            (r#"{"properties":{"x":{},"":{"properties":{"x":{}}}}}"#, "$root |x "),
        ] {
            assert_eq!(found(schema).join("|"), want, "{schema}");
        }
    }

    #[test]
    fn telling_names_that_meet_nothing_are_silent() {
        for schema in [
            r#"{"properties":{"a.b":{},"a":{"properties":{"c":{}}}}}"#,
            r#"{"properties":{"":true}}"#,
            r#"{"properties":{"[]":{}}}"#,
            r#"{"properties":{"a":{"properties":{"":{}}}}}"#,
            r#"{"properties":{"a":{},"b":{"items":{"properties":{"a":{}}}}}}"#,
        ] {
            assert_eq!(found(schema), [] as [&str; 0], "{schema}");
        }
    }

    #[test]
    fn doubling_and_circling_references_end() {
        let definitions: Vec<String> = (0..40)
            .map(|i| {
                let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", i + 1);
                format!("\"d{i}\":{{\"properties\":{{\"a\":{next},\"b.c\":{next}}}}}")
            })
            .collect();
        let schema =
            format!("{{\"properties\":{{\"x\":{{\"$ref\":\"#/$defs/d0\"}}}},\"$defs\":{{{}}}}}", definitions.join(","));
        assert_eq!(found(&schema), [] as [&str; 0]);
        let circle = r##"{"properties":{"a.b":{"$ref":"#/properties/a.b"},"x":{"properties":{"y":{"$ref":"#/properties/x"}}}}}"##;
        assert_eq!(found(circle), [] as [&str; 0]);
    }
}
