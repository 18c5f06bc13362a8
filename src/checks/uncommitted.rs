//! `WRD-UNCOMMITTED-*`: what the server declares and the digest does not commit to (SPEC.md §13.5).
//!
//! A clean check says nothing about these parts. One low advisory per kind for the whole server names them, and
//! [`not_covered`] gives digests that a caller may keep beside a pin and compare.

use super::Input;
use super::quote::show;
use super::sink::{Sink, Target};
use crate::json::{Object, Value, canonical_text, hash};
use crate::surface::Surface;
use std::collections::BTreeSet;

/// How many names a snippet lists.
const LISTED: usize = 6;

pub(super) fn check(input: &Input<'_>, sink: &mut Sink) {
    let surface = input.surface;
    if let Some(instructions) = surface.about.instructions().filter(|text| !text.is_empty()) {
        let length = instructions.chars().count();
        sink.add(
            Target::Server("instructions"),
            "WRD-UNCOMMITTED-INSTRUCTIONS",
            format!("{length} characters: \"{}\"", show(instructions)),
            || "The server sends instructions for the model, which the digest does not cover".to_owned(),
        );
    }
    let templates = surface.about.resource_templates.len();
    if templates > 0 {
        let s = if templates == 1 { "" } else { "s" };
        sink.add(
            Target::Server("resource_templates"),
            "WRD-UNCOMMITTED-RESOURCE-TEMPLATES",
            format!("{templates} template{s}"),
            || "The server offers resource templates, which the digest does not cover".to_owned(),
        );
    }
    for kind in KINDS {
        let entries = (kind.entries)(surface);
        let mut members = BTreeSet::new();
        let mut count = 0;
        for (_, raw) in &entries {
            let known = kind.uncommitted(raw).map(|name| members.insert(name)).count();
            count += usize::from(known > 0);
        }
        if count == 0 {
            continue;
        }
        let names: Vec<String> = members.iter().take(LISTED).map(|name| show(name)).collect();
        let more = if members.len() > LISTED { format!(" and {} more", members.len() - LISTED) } else { String::new() };
        sink.add(
            Target::Server(kind.name),
            kind.rule_id,
            format!("{}{more} on {count} of {}", names.join(", "), entries.len()),
            || format!("{} carry members that the digest does not cover", kind.noun),
        );
    }
}

/// One of the three lists and what the format commits to of its entries.
struct Kind {
    /// The member of [`not_covered`] and the part in the target.
    name: &'static str,
    rule_id: &'static str,
    noun: &'static str,
    committed: &'static [&'static str],
    entries: fn(&Surface) -> Vec<(&str, &Object)>,
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "tool_extras",
        rule_id: "WRD-UNCOMMITTED-TOOL-EXTRAS",
        noun: "Tools",
        committed: &["name", "description", "inputSchema", "annotations", "outputSchema"],
        entries: |surface| surface.tools.iter().map(|tool| (tool.name(), tool.raw())).collect(),
    },
    Kind {
        name: "resource_extras",
        rule_id: "WRD-UNCOMMITTED-RESOURCE-EXTRAS",
        noun: "Resources",
        committed: &["uri", "name", "description", "mimeType"],
        entries: |surface| surface.resources.iter().map(|resource| (resource.uri(), resource.raw())).collect(),
    },
    Kind {
        name: "prompt_extras",
        rule_id: "WRD-UNCOMMITTED-PROMPT-EXTRAS",
        noun: "Prompts",
        committed: &["name", "description", "arguments"],
        entries: |surface| surface.prompts.iter().map(|prompt| (prompt.name(), prompt.raw())).collect(),
    },
];

impl Kind {
    /// Names of an entry's members that the format does not commit to.
    fn uncommitted<'a>(&self, raw: &'a Object) -> impl Iterator<Item = &'a str> {
        raw.names().filter(|name| !self.committed.contains(name))
    }

    /// Identity of each entry that has such members, with them; `None` where no entry has any.
    fn extras(&self, surface: &Surface) -> Option<Value> {
        let extras = (self.entries)(surface).into_iter().filter_map(|(identity, raw)| {
            let extra: Object = self.uncommitted(raw).filter_map(|name| Some((name, raw.get(name)?.clone()))).collect();
            (!extra.is_empty()).then(|| (identity.to_owned(), extra))
        });
        let extras: Object = extras.collect();
        (!extras.is_empty()).then(|| extras.into())
    }
}

/// Digests of what the digest of a surface leaves out, by name: `instructions` (the text), `resource_templates` (the
/// list, sorted by canonical text, so that the order of a server's answer does not matter), `tool_extras`,
/// `resource_extras` and `prompt_extras` (an object from an entry's identity to its members that the format does not
/// commit to). A name is absent where there is nothing, and where a value has no canonical form.
pub fn not_covered(surface: &Surface) -> Object {
    let mut out = Object::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(Ok(digest)) = value.as_ref().map(hash) {
            out.insert(name, digest);
        }
    };
    put("instructions", surface.about.instructions().map(Value::from));
    put("resource_templates", sorted_templates(&surface.about.resource_templates));
    for kind in &KINDS {
        put(kind.name, kind.extras(surface));
    }
    out
}

fn sorted_templates(templates: &[Value]) -> Option<Value> {
    let mut keyed: Vec<(String, &Value)> =
        templates.iter().map(|template| Some((canonical_text(template).ok()?, template))).collect::<Option<_>>()?;
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    let sorted: Vec<Value> = keyed.into_iter().map(|(_, template)| template.clone()).collect();
    (!sorted.is_empty()).then(|| sorted.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{ParseLimits, parse};

    fn surface(text: &str, templates: &str) -> Surface {
        let limits = ParseLimits { max_bytes: 1 << 12, max_depth: 64, max_values: usize::MAX };
        let document = parse(text.as_bytes(), &limits).unwrap();
        let mut surface = Surface::from_document(document.as_object().unwrap()).unwrap();
        surface.about.resource_templates = parse(templates.as_bytes(), &limits).unwrap().as_array().unwrap().to_vec();
        surface
    }

    #[test]
    fn only_what_the_format_leaves_out_is_digested() {
        let bare = surface(
            r#"{"tools":[{"name":"t","description":"d","inputSchema":{},"annotations":{},"outputSchema":{}}],
                "resources":[{"uri":"u","name":"n","description":"d","mimeType":"m"}],
                "prompts":[{"name":"p","description":"d","arguments":[]}]}"#,
            "[]",
        );
        assert!(not_covered(&bare).is_empty());
        let mut full = surface(
            r#"{"tools":[{"name":"t","title":"T"},{"name":"u"}],"resources":[{"uri":"u","size":1}],
                "prompts":[{"name":"p","_meta":{}}]}"#,
            r#"[{"b":1},{"a":1}]"#,
        );
        full.about.declaration.insert("instructions", "Be kind.");
        let digests = not_covered(&full);
        let names: Vec<&str> = digests.names().collect();
        assert_eq!(names, ["instructions", "resource_templates", "tool_extras", "resource_extras", "prompt_extras"]);
        let of = |text: &str| {
            let value =
                parse(text.as_bytes(), &ParseLimits { max_bytes: 1 << 10, max_depth: 9, max_values: usize::MAX })
                    .unwrap();
            Value::from(hash(&value).unwrap())
        };
        assert_eq!(digests.get("tool_extras"), Some(&of(r#"{"t":{"title":"T"}}"#)));
        assert_eq!(digests.get("resource_templates"), Some(&of(r#"[{"a":1},{"b":1}]"#)));
        assert_eq!(digests.get("instructions"), Some(&of(r#""Be kind.""#)));
    }

    #[test]
    fn a_value_too_deep_to_hash_is_left_out() {
        let deep = format!("[{}0{}]", "[".repeat(511), "]".repeat(511));
        let limits = ParseLimits { max_bytes: 1 << 12, max_depth: 512, max_values: usize::MAX };
        let mut surface = surface(r#"{"tools":[{"name":"t","title":"T"}]}"#, "[]");
        surface.about.resource_templates = vec![parse(deep.as_bytes(), &limits).unwrap()];
        let digests = not_covered(&surface);
        assert_eq!(digests.names().collect::<Vec<_>>(), ["tool_extras"]);
    }
}
