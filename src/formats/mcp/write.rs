//! The text of a file, byte for byte as the format's own tool lays it out: two-space indent, members of definitions in
//! the order of their UTF-8 bytes, numbers and strings as `serde_json` prints them, which is what that tool prints with.

use super::declared::{Declared, Digests};
use super::kind::Kind;
use crate::formats::Refusal;
use crate::json::{Object, Value, compact};

/// A member of an object: its name and its text, which is laid out for its place already.
pub(super) type Member = (String, String);

/// An object at a level of nesting (the root's members stand at level 1).
pub(super) fn object_text(level: usize, members: &[Member]) -> String {
    let mut out = String::from("{");
    for (i, (name, text)) in members.iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        indent(&mut out, level + 1);
        out.push_str(&compact(&Value::from(name.as_str())));
        out.push_str(": ");
        out.push_str(text);
    }
    if !members.is_empty() {
        out.push('\n');
        indent(&mut out, level);
    }
    out.push('}');
    out
}

/// A value at a level of nesting, its members in the order that they have.
///
/// # Errors
/// None in practice: whatever was parsed can be printed.
pub(super) fn value_text(level: usize, value: &Value) -> Result<String, Refusal> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Refusal(format!("the file cannot be written: {e}")))?;
    if level == 0 {
        return Ok(text);
    }
    // No string holds a raw line feed, so each one is layout.
    let mut out = String::with_capacity(text.len());
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
            indent(&mut out, level);
        }
        out.push_str(line);
    }
    Ok(out)
}

fn indent(out: &mut String, level: usize) {
    out.extend(std::iter::repeat_n("  ", level));
}

/// The same value with the members of every object in the order of their UTF-8 bytes. Nesting is bounded by the caller.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(object) => {
            let mut members: Vec<(&str, &Value)> = object.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            members.into_iter().map(|(name, value)| (name, sorted(value))).collect::<Object>().into()
        }
        scalar => scalar.clone(),
    }
}

/// What an entry consists of.
pub(super) struct EntryParts<'a> {
    pub command: Vec<String>,
    /// Sorted, no name twice.
    pub env: Vec<String>,
    pub declared: &'a Declared,
    pub digests: &'a Digests,
    /// Members of `digests` that the format does not know, as they stood.
    pub more_digests: &'a [Member],
    /// As it stood.
    pub policy: Option<String>,
    /// Members of the entry that the format does not know, as they stood.
    pub more: &'a [Member],
}

/// The level of an entry: in `servers`, in the root.
const ENTRY: usize = 2;

/// The text of an entry, without its name.
///
/// # Errors
/// As [`value_text`].
pub(super) fn entry_text(parts: EntryParts<'_>) -> Result<String, Refusal> {
    let mut members: Vec<Member> = Vec::new();
    let mut add = |name: &str, value: &Value| -> Result<(), Refusal> {
        members.push((name.to_owned(), value_text(ENTRY + 1, value)?));
        Ok(())
    };
    add("command", &parts.command.into())?;
    add("envPassthrough", &parts.env.into())?;
    // Where a modern entry has its versions is not settled; readers take them anywhere.
    let about = ["protocolVersion", "supportedVersions", "serverInfo", "instructions", "capabilities"];
    for name in about.into_iter().chain(Kind::ALL.map(Kind::member)) {
        if let Some(value) = parts.declared.0.get(name) {
            add(name, &sorted(value))?;
        }
    }
    members.push(("digests".to_owned(), digests_text(parts.digests, parts.more_digests)?));
    members.extend(parts.policy.map(|policy| ("policy".to_owned(), policy)));
    members.extend_from_slice(parts.more);
    Ok(object_text(ENTRY, &members))
}

fn digests_text(digests: &Digests, more: &[Member]) -> Result<String, Refusal> {
    let level = ENTRY + 1;
    let instructions: Value = digests.instructions.clone().into();
    let mut members = vec![
        ("surface".to_owned(), value_text(level + 1, &digests.surface.as_str().into())?),
        ("instructions".to_owned(), value_text(level + 1, &instructions)?),
    ];
    for (kind, digests) in Kind::ALL.into_iter().zip(&digests.items) {
        let map: Object = digests.iter().map(|(key, digest)| (key.as_str(), digest.as_str())).collect();
        members.push((kind.member().to_owned(), value_text(level + 1, &map.into())?));
    }
    members.extend_from_slice(more);
    Ok(object_text(level, &members))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_laid_out_as_the_tool_of_the_format_does() {
        let value: Value = vec![
            Value::Float(1.0),
            Value::Float(-0.0),
            Value::Float(1e21),
            Value::Float(1e-7),
            Value::Float(0.1),
            Value::Float(1.844_674_407_370_955_2e19),
            Value::Int(-7),
            Value::Array(vec![]),
            Object::new().into(),
            "\u{1b}\u{7f}\u{2028}é/\"\\\n".into(),
        ]
        .into();
        let want = "[\n    1.0,\n    -0.0,\n    1e+21,\n    1e-7,\n    0.1,\n    1.8446744073709552e+19,\n    -7,\n    [],\n    {},\n    \"\\u001b\u{7f}\u{2028}é/\\\"\\\\\\n\"\n  ]";
        assert_eq!(value_text(1, &value).unwrap(), want);
        let names: Object = [("\u{10000}", 1), ("\u{fb33}", 2), ("b", 3), ("B", 4)].into_iter().collect();
        let Value::Object(names) = sorted(&names.into()) else { panic!("an object") };
        assert_eq!(names.names().collect::<Vec<_>>(), ["B", "b", "\u{fb33}", "\u{10000}"]);
        assert_eq!(object_text(1, &[]), "{}");
    }
}
