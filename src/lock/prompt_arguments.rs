//! Which form of a prompt's arguments is hashed (SPEC.md §15.8).

use crate::json::{Object, Value};

/// As sent, which is what the format says, or as the reference implementation rewrites them before it hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PromptArguments {
    #[default]
    AsSent,
    Normalized,
}

impl PromptArguments {
    /// The arguments array in this form.
    pub fn apply(self, arguments: &Value) -> Value {
        match (self, arguments) {
            (Self::Normalized, Value::Array(items)) => Value::Array(items.iter().map(normalize).collect()),
            _ => arguments.clone(),
        }
    }
}

/// `name`, `description` and `required` always, null where the server left them out; `title` where it is not null;
/// nothing else. A `required` text that reads as a truth value becomes one.
fn normalize(argument: &Value) -> Value {
    let member = |name: &str| argument.get(name).cloned().unwrap_or_default();
    let mut out = Object::new();
    out.insert("name", member("name"));
    if !member("title").is_null() {
        out.insert("title", member("title"));
    }
    out.insert("description", member("description"));
    out.insert("required", as_truth_value(member("required")));
    out.into()
}

/// The coercions of the reference's model: words in any case, 0 and 1 in either spelling.
fn as_truth_value(value: Value) -> Value {
    let number = value.as_f64();
    match value.as_str().map(str::to_lowercase).as_deref() {
        Some("yes" | "y" | "true" | "t" | "on" | "1") => true.into(),
        Some("no" | "n" | "false" | "f" | "off" | "0") => false.into(),
        None if number == Some(1.0) => true.into(),
        None if number == Some(0.0) => false.into(),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, canonical_text, parse};

    #[test]
    fn the_rewritten_form_is_the_reference_implementations() {
        for (wire, want) in [
            (r#"[{"name":"a"}]"#, r#"[{"description":null,"name":"a","required":null}]"#),
            (r#"[{"name":"a","title":"T"}]"#, r#"[{"description":null,"name":"a","required":null,"title":"T"}]"#),
            (
                r#"[{"name":"a","title":null,"evil":"x","_meta":{}}]"#,
                r#"[{"description":null,"name":"a","required":null}]"#,
            ),
            (r#"[{"name":"a","required":"yes"}]"#, r#"[{"description":null,"name":"a","required":true}]"#),
            ("[]", "[]"),
        ] {
            let value =
                parse(wire.as_bytes(), &ParseLimits { max_bytes: 999, max_depth: 9, max_values: usize::MAX }).unwrap();
            assert_eq!(canonical_text(&PromptArguments::Normalized.apply(&value)).unwrap(), want);
            assert_eq!(PromptArguments::AsSent.apply(&value), value);
        }
    }
}
