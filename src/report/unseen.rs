//! What a change of a schema is about that its skeleton does not show: wording, or what stands behind `$ref`, `allOf` and
//! the like, which may change everything that the schema accepts.
//!
//! Nothing here says that names, types and limits are as they were: references may point anywhere, so that only a whole
//! validator could know.

use super::model::Block;
use super::places::places;
use crate::json::{Object, Value, enum_text};
use std::collections::BTreeSet;

/// Keywords that only describe; they limit no value.
const WORDING: [&str; 9] =
    ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema"];
/// Keywords that hold schemas by name.
const BY_NAME: [&str; 5] = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
/// Keywords that hold a schema, or a list of them.
const HOLDERS: [&str; 14] = [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "allOf",
    "anyOf",
    "oneOf",
    "prefixItems",
];
/// Keywords whose inside no skeleton keeps and which a sentence names.
const BEYOND: [&str; 20] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$defs",
    "definitions",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "dependentSchemas",
    "propertyNames",
    "unevaluatedProperties",
    "contains",
    "prefixItems",
    "dependentRequired",
    "const",
];
/// Changed places that are looked at.
const MAX_PLACES: usize = 1_000;
/// Schema nodes that are looked at.
const MAX_NODES: usize = 20_000;

/// Says of a change without a structural trace what it is about, as far as the texts of the entry tell. `before` is
/// `None` where the old text is unknown.
pub(super) fn say_what_is_unseen(block: &mut Block, before: Option<&Object>, now: &Object) {
    for (class, member, what) in [
        ("schema-cosmetic-modified", "inputSchema", "the input schema"),
        ("schema-out-cosmetic-modified", "outputSchema", "the output schema"),
    ] {
        for item in block.items.iter_mut().filter(|item| item.class == class) {
            let words = match before {
                Some(before) => changed_words(before, now, member, what),
                None => now.get(member).and_then(|schema| present_words(schema, what)),
            };
            if let Some(words) = words {
                item.words = words;
            }
        }
    }
}

/// Of both texts: the kinds of places that changed.
fn changed_words(before: &Object, now: &Object, member: &str, what: &str) -> Option<String> {
    let (found, more) = places(before, now, &[member], MAX_PLACES);
    if found.is_empty() {
        return None;
    }
    let mut keywords = BTreeSet::new();
    let mut others = more > 0;
    let mut wording = false;
    for place in &found {
        let inside = place.pointer.strip_prefix(&format!("/{member}")).unwrap_or_default();
        match kind_of(inside) {
            Kind::Wording => wording = true,
            Kind::Beyond(keyword) => {
                keywords.insert(keyword);
            }
            Kind::Other if is_reordered(place.before, place.now) => wording = true,
            Kind::Other => others = true,
        }
    }
    if keywords.is_empty() && !others {
        return Some(
            match [before, now].iter().filter_map(|side| side.get(member)).all(|side| present(side).is_empty()) {
                true => format!("only descriptions, defaults, examples or the order of lists changed in {what}"),
                // A reference may point into any of them.
                false => format!("{what} changed in descriptions, defaults, examples or the order of lists"),
            },
        );
    }
    let mut list: Vec<String> = keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
    if others {
        list.push("keywords that skeletons do not keep".to_owned());
    }
    let wording = if wording { ", and in its wording" } else { "" };
    Some(format!(
        "{what} changed where its skeleton does not look, so what it accepts may have changed: in {}{wording}",
        and(&list)
    ))
}

/// Of the new text alone: what it holds that may have changed.
fn present_words(schema: &Value, what: &str) -> Option<String> {
    let list: Vec<String> = present(schema).iter().map(|keyword| format!("`{keyword}`")).collect();
    (!list.is_empty()).then(|| {
        format!(
            "{what} changed in ways that its skeleton does not show. It has {}, where a skeleton does not look: what it \
             accepts may have changed",
            and(&list)
        )
    })
}

fn and(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

enum Kind {
    Wording,
    /// Within this keyword.
    Beyond(&'static str),
    Other,
}

/// What a JSON pointer within a schema is about.
fn kind_of(pointer: &str) -> Kind {
    let mut steps = pointer.split('/').skip(1);
    let mut within = None;
    while let Some(step) = steps.next() {
        if WORDING.contains(&step) {
            return Kind::Wording;
        }
        if let Some(keyword) = BEYOND.iter().find(|known| **known == step) {
            within = within.or(Some(*keyword));
        }
        if BY_NAME.contains(&step) {
            steps.next();
        } else if !HOLDERS.contains(&step) && step.parse::<usize>().is_err() {
            break;
        }
    }
    within.map_or(Kind::Other, Kind::Beyond)
}

/// Whether two lists have the same members.
fn is_reordered(before: Option<&Value>, now: Option<&Value>) -> bool {
    let sorted = |side: Option<&Value>| {
        let mut texts: Vec<String> = side?.as_array()?.iter().map(enum_text).collect();
        texts.sort_unstable();
        Some(texts)
    };
    sorted(before).is_some_and(|before| sorted(now) == Some(before))
}

/// The keywords of a schema that no skeleton looks into. A reference that stands alone and stays in the document is
/// followed, so what it points to is looked at instead.
fn present(schema: &Value) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut open = vec![schema];
    let mut left = MAX_NODES;
    while let Some(value) = open.pop() {
        if left == 0 {
            break;
        }
        left -= 1;
        if let Some(list) = value.as_array() {
            open.extend(list.iter().take(MAX_NODES));
            continue;
        }
        let Some(node) = value.as_object() else { continue };
        for (name, value) in node.iter() {
            if BY_NAME.contains(&name) {
                open.extend(value.as_object().into_iter().flat_map(Object::iter).map(|(_, schema)| schema));
            } else if HOLDERS.contains(&name) {
                open.push(value);
            }
            let is_followed =
                name == "$ref" && node.len() == 1 && value.as_str().is_some_and(|text| text.starts_with("#/"));
            let is_shelf = matches!(name, "$defs" | "definitions");
            found.extend(BEYOND.iter().filter(|known| **known == name && !is_followed && !is_shelf));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;
    use crate::json::{ParseLimits, parse};
    use crate::report::BlockItem;

    fn words(before: Option<&str>, now: &str) -> String {
        let tool = |schema: &str| {
            parse(
                format!("{{\"inputSchema\":{schema}}}").as_bytes(),
                &ParseLimits { max_bytes: 1 << 20, max_depth: 64, max_values: usize::MAX },
            )
            .expect("JSON")
        };
        let (before, now) = (before.map(tool), tool(now));
        let mut block = Block::new("tools/t");
        block.items.push(BlockItem {
            severity: Severity::Low,
            class: "schema-cosmetic-modified".to_owned(),
            rule_id: String::new(),
            detail: None,
            path: None,
            words: "as it was".to_owned(),
            change: None,
        });
        say_what_is_unseen(&mut block, before.as_ref().and_then(Value::as_object), now.as_object().expect("an object"));
        block.items.remove(0).words
    }

    #[test]
    fn a_change_behind_a_reference_is_not_called_wording() {
        let old = r##"{"type":"object","$ref":"#/$defs/I","$defs":{"I":{"properties":{"path":{"enum":["a"]}}}}}"##;
        let new =
            r##"{"type":"object","$ref":"#/$defs/I","$defs":{"I":{"properties":{"command":{"type":"string"}}}}}"##;
        assert_eq!(
            words(Some(old), new),
            "the input schema changed where its skeleton does not look, so what it accepts may have changed: in `$defs`"
        );
        assert_eq!(
            words(None, new),
            "the input schema changed in ways that its skeleton does not show. It has `$ref`, where a skeleton does not \
             look: what it accepts may have changed"
        );
    }

    #[test]
    fn subschemas_are_named_and_plain_wording_is_called_so() {
        let all_of = |limit: u8| format!(r#"{{"description":"{limit}","allOf":[{{"maxProperties":{limit}}}]}}"#);
        assert_eq!(
            words(Some(&all_of(1)), &all_of(2)),
            "the input schema changed where its skeleton does not look, so what it accepts may have changed: in `allOf`, and in its wording"
        );
        let plain = |text: &str| format!(r#"{{"properties":{{"a":{{"title":"{text}"}}}}}}"#);
        assert_eq!(
            words(Some(&plain("x")), &plain("y")),
            "only descriptions, defaults, examples or the order of lists changed in the input schema"
        );
        let behind = |text: &str| format!(r#"{{"$defs":{{"a":{{"allOf":[{{"title":"{text}"}}]}}}}}}"#);
        assert_eq!(
            words(Some(&behind("x")), &behind("y")),
            "the input schema changed in descriptions, defaults, examples or the order of lists"
        );
        // A property that is called like a keyword is none.
        assert_eq!(words(None, r#"{"properties":{"allOf":{"type":"string"}}}"#), "as it was");
        // A keyword that nobody knows may mean anything.
        assert!(words(Some(r#"{"minProperties":1}"#), "{}").contains("keywords that skeletons do not keep"));
    }
}
