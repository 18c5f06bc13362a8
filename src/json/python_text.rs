//! Two text renderings that the format borrows from Python: of values in `detail` strings (SPEC.md §10) and of enum
//! members for their order (SPEC.md §9.6).

use super::escape::string_into;
use super::nonprintable::is_nonprintable;
use super::value::Value;
use std::fmt::Write as _;

/// A value as `detail` strings show it: a string verbatim, anything else as [`python_repr`].
pub fn python_str(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => python_repr(other),
    }
}

/// A value as it is shown inside a list or an object: strings quoted and escaped.
pub fn python_repr(value: &Value) -> String {
    let mut out = String::new();
    repr_into(&mut out, value);
    out
}

fn repr_into(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Int(int) => out.push_str(&int.to_string()),
        Value::Float(float) => out.push_str(&float_text(*float)),
        Value::String(text) => quote_into(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                repr_into(out, item);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (i, (name, member)) in object.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                quote_into(out, name);
                out.push_str(": ");
                repr_into(out, member);
            }
            out.push('}');
        }
    }
}

fn quote_into(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        let code = u32::from(c);
        // Writing to a String cannot fail.
        let _ = match c {
            '\\' => write!(out, "\\\\"),
            '\n' => write!(out, "\\n"),
            '\r' => write!(out, "\\r"),
            '\t' => write!(out, "\\t"),
            c if c == quote => write!(out, "\\{c}"),
            c if !is_nonprintable(c) => write!(out, "{c}"),
            _ if code < 0x100 => write!(out, "\\x{code:02x}"),
            _ if code < 0x1_0000 => write!(out, "\\u{code:04x}"),
            _ => write!(out, "\\U{code:08x}"),
        };
    }
    out.push(quote);
}

/// Shortest digits that read back as the same double: positional for decimal exponents -4 to 15, with an exponent
/// of at least two digits elsewhere; always recognisable as a float. Also valid JSON, and how locks spell floats.
pub(super) fn float_text(float: f64) -> String {
    let scientific = format!("{float:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        // Rust's plain display never uses an exponent and prints the same shortest digits.
        let plain = format!("{float}");
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{mantissa}e{exponent_sign}{:02}", exponent.abs())
}

/// The text by which enum members are ordered and compared as sets: JSON with `", "` and `": "` between parts,
/// names sorted by code point at every level, nothing escaped but `"`, `\` and controls below U+0020.
pub fn enum_text(value: &Value) -> String {
    let mut out = String::new();
    enum_text_into(&mut out, value);
    out
}

fn enum_text_into(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(int) => out.push_str(&int.to_string()),
        Value::Float(float) => out.push_str(&float_text(*float)),
        Value::String(text) => string_into(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                enum_text_into(out, item);
            }
            out.push(']');
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (i, (name, member)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                string_into(out, name);
                out.push_str(": ");
                enum_text_into(out, member);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    fn value(text: &str) -> Value {
        parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 16, max_depth: 512, max_values: usize::MAX }).unwrap()
    }

    #[test]
    fn floats_print_as_the_format_prints_them() {
        let cases = [
            ("100.0", "100.0"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1000000000000000.0", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("1.2345678901234568e17", "1.2345678901234568e+17"),
            ("5e-324", "5e-324"),
            ("-0.0", "-0.0"),
            ("-1.5e300", "-1.5e+300"),
            ("1e-7", "1e-07"),
            ("2.50", "2.5"),
            ("9007199254740992.0", "9007199254740992.0"),
        ];
        for (token, want) in cases {
            assert_eq!(python_str(&value(token)), want);
        }
    }

    #[test]
    fn containers_quote_strings_and_keep_member_order() {
        assert_eq!(python_str(&value(r#"[1,"a",null,true]"#)), "[1, 'a', None, True]");
        assert_eq!(python_str(&value(r#"{"b":{},"a":[false]}"#)), "{'b': {}, 'a': [False]}");
        assert_eq!(python_str(&value(r#""it's""#)), "it's");
        assert_eq!(python_repr(&value(r#""it's""#)), "\"it's\"");
        assert_eq!(python_repr(&value(r#""it's \"so\"""#)), r#"'it\'s "so"'"#);
        assert_eq!(
            python_repr(&value("\"\\n\\t\\u0007\\u00a0\\u200b😀é\\u2028\"")),
            "'\\n\\t\\x07\\xa0\\u200b😀é\\u2028'"
        );
        assert_eq!(python_repr(&Value::from("\u{10ffff}")), "'\\U0010ffff'");
    }

    #[test]
    fn enum_text_sorts_names_at_every_level() {
        assert_eq!(
            enum_text(&value(r#"{"b":1,"a":{"d":1.0,"c":"\u007f\u0001"}}"#)),
            "{\"a\": {\"c\": \"\u{7f}\\u0001\", \"d\": 1.0}, \"b\": 1}"
        );
        assert_eq!(enum_text(&value("[1, [ ], {}]")), "[1, [], {}]");
    }
}
