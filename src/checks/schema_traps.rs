//! `WRD-SCHEMA-*` but for the malformed one: places where the skeleton of a schema says less than the schema.
//!
//! The digest covers every byte of a schema, so nothing here can hide a change. But how a change is classed, and what
//! a reviewer sees of it, comes from the skeleton, and that has blind spots (SPEC.md §9, §21.7). One finding per tool and
//! kind, whatever the number of places.

use super::Input;
use super::quote::show;
use super::schema_paths;
use super::sink::{Sink, Target};
use crate::json::{Object, Value};
use crate::surface::Section;
use std::collections::BTreeSet;

/// Keywords that decide what is admitted and that the skeleton records nowhere. Counts of items and members are left
/// out: they bound sizes, not meanings, and stand in many honest schemas.
const UNSEEN: &[&str] = &[
    "$dynamicRef",
    "allOf",
    "anyOf",
    "const",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "if",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// How many names a snippet lists.
const LISTED: usize = 6;

pub(super) fn check(input: &Input<'_>, sink: &mut Sink) {
    for (at, tool) in input.surface.tools.iter().enumerate() {
        let target = Target::Entry(Section::Tools, at);
        let mut traps = Traps::default();
        for (which, schema) in [("inputSchema", tool.input_schema()), ("outputSchema", tool.output_schema())] {
            let Some(Value::Object(schema)) = schema else { continue };
            traps.look(schema);
            for (path, names) in schema_paths::collisions(schema) {
                let shown = if path == schema_paths::ROOT { "the schema itself".to_owned() } else { show(&path) };
                let names: Vec<String> = names.iter().map(|name| format!("'{}'", show(name))).collect();
                sink.add(
                    target,
                    "WRD-SCHEMA-PATH-COLLISION",
                    format!("{which}: {shown}: {}", names.join(", ")),
                    || "A parameter's name makes its path in the skeleton the same as another's".to_owned(),
                );
            }
        }
        traps.report(target, sink);
    }
}

/// What was seen in the schemas of one tool.
#[derive(Default)]
struct Traps<'a> {
    odd: BTreeSet<&'a str>,
    unseen: BTreeSet<&'static str>,
    unknown: BTreeSet<&'a str>,
}

impl<'a> Traps<'a> {
    /// Walks the places where schemas stand, without recursion. Values that are data (`default`, `enum`, `const`,
    /// `examples`) are not schemas, whatever they look like.
    fn look(&mut self, root: &'a Object) {
        let mut open = vec![root];
        while let Some(schema) = open.pop() {
            self.look_at(schema);
            for (keyword, value) in schema.iter() {
                match (keyword, value) {
                    ("default" | "enum" | "const" | "examples" | "required" | "$ref", _) => {}
                    (
                        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                        Value::Object(named),
                    ) => open.extend(named.iter().filter_map(|(_, value)| value.as_object())),
                    (_, Value::Object(schema)) => open.push(schema),
                    (_, Value::Array(items)) => open.extend(items.iter().filter_map(Value::as_object)),
                    _ => {}
                }
            }
        }
    }

    fn look_at(&mut self, schema: &'a Object) {
        self.unseen.extend(UNSEEN.iter().filter(|keyword| schema.contains(keyword)));
        let properties = schema.get("properties").and_then(Value::as_object);
        if let Some(properties) = properties {
            self.odd.extend(properties.iter().filter(|(_, value)| value.as_object().is_none()).map(|(name, _)| name));
        }
        if matches!(schema.get("items"), Some(Value::Array(_) | Value::Bool(_))) {
            self.odd.insert("items");
        }
        // Alternatives often require what their parent describes: only a schema that describes members can forget one.
        if let (Some(properties), Some(required)) = (properties, schema.get("required").and_then(Value::as_array)) {
            self.unknown.extend(required.iter().filter_map(Value::as_str).filter(|name| !properties.contains(name)));
        }
    }

    fn report(&self, target: Target, sink: &mut Sink) {
        let mut report = |rule_id, names: Vec<String>, message: &str| {
            if !names.is_empty() {
                sink.add(target, rule_id, names.join(", "), || message.to_owned());
            }
        };
        report(
            "WRD-SCHEMA-ODD-PROPERTY",
            list(&self.odd),
            "Parameters or items are described by something else than an object, which the skeleton cannot tell apart",
        );
        report(
            "WRD-SCHEMA-UNSEEN",
            self.unseen.iter().map(|keyword| (*keyword).to_owned()).collect(),
            "The schemas use keywords that the skeleton does not record, so a change in them shows as cosmetic",
        );
        report(
            "WRD-SCHEMA-REQUIRED-UNKNOWN",
            list(&self.unknown),
            "The schemas require members that they do not describe",
        );
    }
}

/// The first names, quoted, and how many more there are.
fn list(names: &BTreeSet<&str>) -> Vec<String> {
    let mut out: Vec<String> = names.iter().take(LISTED).map(|name| format!("'{}'", show(name))).collect();
    if names.len() > LISTED {
        out.push(format!("{} more", names.len() - LISTED));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    fn traps(text: &str) -> [String; 3] {
        let value =
            parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 12, max_depth: 64, max_values: usize::MAX }).unwrap();
        let mut traps = Traps::default();
        traps.look(value.as_object().unwrap());
        let unseen: Vec<&str> = traps.unseen.iter().copied().collect();
        [list(&traps.odd).join(", "), unseen.join(", "), list(&traps.unknown).join(", ")]
    }

    #[test]
    fn each_trap_is_seen_and_plain_schemas_have_none() {
        for (text, want) in [
            (r#"{"properties":{"a":true,"b":{},"c":null}}"#, ["'a', 'c'", "", ""]),
            (r#"{"properties":{"a":{"items":[{}]}}}"#, ["'items'", "", ""]),
            (r#"{"anyOf":[{"exclusiveMinimum":1}]}"#, ["", "anyOf, exclusiveMinimum", ""]),
            (r#"{"properties":{"a":{"const":1}}}"#, ["", "const", ""]),
            (r#"{"properties":{"a":{}},"required":["a","b"]}"#, ["", "", "'b'"]),
            (r#"{"anyOf":[{"required":["a"]}],"properties":{"a":{}}}"#, ["", "anyOf", ""]),
            (
                r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}},"required":["a"]}"#,
                ["", "", ""],
            ),
            (r#"{"properties":{"not":{},"const":{},"items":{}}}"#, ["", "", ""]),
            (r#"{"default":{"anyOf":[]},"enum":[{"properties":{"x":1}}],"examples":[{"not":1}]}"#, ["", "", ""]),
        ] {
            assert_eq!(traps(text), want, "{text}");
        }
    }
}
