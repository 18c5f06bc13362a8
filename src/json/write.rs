//! The pretty text in which locks are written (SPEC.md §12), and a short one for people. Neither is ever hashed.

use super::python_text::{float_text, json_string_into};
use super::value::Value;

/// Two-space indent, `": "`, `[]` and `{}` for empties, non-ASCII literal; no final newline.
pub fn pretty(value: &Value) -> String {
    let mut out = String::new();
    pretty_into(&mut out, value, 0);
    out
}

/// One line without white space, for people: member order and the spelling class of numbers stay.
pub fn compact(value: &Value) -> String {
    let mut out = String::new();
    compact_into(&mut out, value);
    out
}

fn compact_into(out: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                compact_into(out, item);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (i, (name, member)) in object.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                json_string_into(out, name);
                out.push(':');
                compact_into(out, member);
            }
            out.push('}');
        }
        scalar => pretty_into(out, scalar, 0),
    }
}

fn pretty_into(out: &mut String, value: &Value, level: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(int) => out.push_str(&int.to_string()),
        Value::Float(float) => out.push_str(&float_text(*float)),
        Value::String(text) => json_string_into(out, text),
        Value::Array(items) if items.is_empty() => out.push_str("[]"),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                new_line(out, i, level + 1);
                pretty_into(out, item, level + 1);
            }
            new_line(out, 0, level);
            out.push(']');
        }
        Value::Object(object) if object.is_empty() => out.push_str("{}"),
        Value::Object(object) => {
            out.push('{');
            for (i, (name, member)) in object.iter().enumerate() {
                new_line(out, i, level + 1);
                json_string_into(out, name);
                out.push_str(": ");
                pretty_into(out, member, level + 1);
            }
            new_line(out, 0, level);
            out.push('}');
        }
    }
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
        let value = parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 10, max_depth: 9 }).unwrap();
        let want =
            "{\n  \"z\": [],\n  \"a\": {},\n  \"n\": [\n    1,\n    1.0,\n    1e+16\n  ],\n  \"s\": \"é\\u0001/\"\n}";
        assert_eq!(pretty(&value), want);
        assert_eq!(compact(&value), text);
    }
}
