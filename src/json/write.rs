//! The pretty text in which locks are written (SPEC.md §12), and a short one for people. Neither is ever hashed.

use super::escape::string_into;
use super::python_text::float_text;
use super::value::{Object, Value};

/// Two-space indent, `": "`, `[]` and `{}` for empties, non-ASCII literal; no final newline.
pub fn pretty(value: &Value) -> String {
    let mut out = String::new();
    value_into(&mut out, value, 0);
    out
}

/// One line without white space, for people: member order and the spelling class of numbers stay.
pub fn compact(value: &Value) -> String {
    let mut out = String::new();
    line_into(&mut out, value, "");
    out
}

/// [`compact`] with a space behind commas and colons, where a reader's line may be broken.
pub fn spaced(value: &Value) -> String {
    let mut out = String::new();
    line_into(&mut out, value, " ");
    out
}

fn line_into(out: &mut String, value: &Value, gap: &str) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                    out.push_str(gap);
                }
                line_into(out, item, gap);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (i, (name, member)) in object.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                    out.push_str(gap);
                }
                string_into(out, name);
                out.push(':');
                out.push_str(gap);
                line_into(out, member, gap);
            }
            out.push('}');
        }
        scalar => value_into(out, scalar, 0),
    }
}

/// [`pretty`] of an object that is put together from members, of which some are arrays of objects that stand
/// elsewhere: a lock's entries are not copied to be written. Names must not repeat.
#[derive(Default)]
pub struct PrettyObject {
    out: String,
    members: usize,
}

impl PrettyObject {
    /// Adds a member.
    pub fn member(&mut self, name: &str, value: impl Into<Value>) {
        self.name(name);
        value_into(&mut self.out, &value.into(), 1);
    }

    /// Adds a member that is an array of these objects.
    pub fn objects<'o>(&mut self, name: &str, objects: impl Iterator<Item = &'o Object>) {
        self.name(name);
        array_into(&mut self.out, objects, 1, object_into);
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        if self.members == 0 {
            return "{}".to_owned();
        }
        new_line(&mut self.out, 0, 0);
        self.out.push('}');
        self.out
    }

    fn name(&mut self, name: &str) {
        if self.members == 0 {
            self.out.push('{');
        }
        new_line(&mut self.out, self.members, 1);
        self.members += 1;
        string_into(&mut self.out, name);
        self.out.push_str(": ");
    }
}

fn value_into(out: &mut String, value: &Value, level: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(int) => out.push_str(&int.to_string()),
        Value::Float(float) => out.push_str(&float_text(*float)),
        Value::String(text) => string_into(out, text),
        Value::Array(items) => array_into(out, items.iter(), level, value_into),
        Value::Object(object) => object_into(out, object, level),
    }
}

fn array_into<T>(out: &mut String, items: impl Iterator<Item = T>, level: usize, item_into: fn(&mut String, T, usize)) {
    let mut count = 0;
    out.push('[');
    for item in items {
        new_line(out, count, level + 1);
        item_into(out, item, level + 1);
        count += 1;
    }
    if count > 0 {
        new_line(out, 0, level);
    }
    out.push(']');
}

fn object_into(out: &mut String, object: &Object, level: usize) {
    out.push('{');
    for (i, (name, member)) in object.iter().enumerate() {
        new_line(out, i, level + 1);
        string_into(out, name);
        out.push_str(": ");
        value_into(out, member, level + 1);
    }
    if !object.is_empty() {
        new_line(out, 0, level);
    }
    out.push('}');
}

fn new_line(out: &mut String, index: usize, level: usize) {
    if index > 0 {
        out.push(',');
    }
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    #[test]
    fn layout_and_number_spelling() {
        let text = r#"{"z":[],"a":{},"n":[1,1.0,1e+16],"s":"é\u0001/"}"#;
        let value =
            parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 10, max_depth: 9, max_values: usize::MAX }).unwrap();
        let want =
            "{\n  \"z\": [],\n  \"a\": {},\n  \"n\": [\n    1,\n    1.0,\n    1e+16\n  ],\n  \"s\": \"é\\u0001/\"\n}";
        assert_eq!(pretty(&value), want);
        assert_eq!(compact(&value), text);
    }

    #[test]
    fn an_object_written_in_parts_reads_like_one_written_whole() {
        let inner: Object = [("a", 1), ("b", 2)].into_iter().collect();
        let mut parts = PrettyObject::default();
        parts.member("x", 1);
        parts.objects("full", [&inner, &inner].into_iter());
        parts.objects("empty", [].into_iter());
        parts.member("y", vec![1, 2]);
        let mut whole = Object::new();
        whole.insert("x", 1);
        whole.insert("full", vec![inner.clone(), inner]);
        whole.insert("empty", Value::Array(Vec::new()));
        whole.insert("y", vec![1, 2]);
        assert_eq!(parts.finish(), pretty(&whole.into()));
        assert_eq!(PrettyObject::default().finish(), "{}");
    }
}
