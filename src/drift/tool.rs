//! What changed in one tool that both sides have (SPEC.md §16.3).

use super::DriftItem;
use crate::finding::Severity;
use crate::json::{Digest, Value, hash};
use crate::lock::{ToolEntry, ToolMetadata};
use crate::skeleton::{Skeleton, compare as compare_skeletons};
use std::collections::BTreeSet;

/// Adds the items of one tool, in the order of the specification's steps.
pub(super) fn compare(target: &str, before: &ToolEntry, now: &ToolEntry, items: &mut Vec<DriftItem>) {
    let schema_changed = before.input_schema_hash != now.input_schema_hash;
    if schema_changed {
        let sides = (before.schema_skeleton.as_ref(), now.schema_skeleton.as_ref());
        compare_schema(target, Side::Input, sides, items);
    }
    // Commitments that either side lacks cannot be compared; the level advisory speaks for them.
    if let (Some(before), Some(now)) = (&before.metadata, &now.metadata) {
        compare_metadata(target, before, now, items);
    }
    let flags_changed = compare_capabilities(target, before, now, items);
    if before.inspection != now.inspection {
        items.push(DriftItem::new("inspection-policy-modified", Severity::Medium, target));
    }
    if before.description_hash != now.description_hash && !schema_changed && !flags_changed {
        items.push(DriftItem::new("description-modified", Severity::Low, target));
    }
}

/// Which of a tool's two schemas.
#[derive(Clone, Copy)]
enum Side {
    Input,
    Output,
}

impl Side {
    fn item(self, target: &str, input_class: &'static str, severity: Severity) -> DriftItem {
        let mut item = DriftItem::new(input_class, severity, target);
        if let (Self::Output, Some(rest)) = (self, input_class.strip_prefix("schema-")) {
            item.class = format!("schema-out-{rest}").into();
        }
        item
    }
}

fn compare_schema(
    target: &str,
    side: Side,
    skeletons: (Option<&Skeleton>, Option<&Skeleton>),
    items: &mut Vec<DriftItem>,
) {
    let (Some(before), Some(now)) = skeletons else {
        items.push(side.item(target, "schema-modified", Severity::High));
        return;
    };
    let facts = compare_skeletons(before, now);
    if facts.is_empty() {
        // "Cosmetic" is for identical skeletons alone: an unseen structural change must not pass as rewording.
        items.push(match before == now {
            true => side.item(target, "schema-cosmetic-modified", Severity::Low),
            false => side.item(target, "schema-modified", Severity::High),
        });
    }
    items.extend(facts.into_iter().map(|fact| {
        let mut item = side.item(target, fact.change.class(), fact.change.severity());
        item.detail = Some(fact.change.detail());
        item.path = Some(fact.path);
        item.change = Some(fact.change);
        item
    }));
}

fn compare_metadata(target: &str, before: &ToolMetadata, now: &ToolMetadata, items: &mut Vec<DriftItem>) {
    if before.annotations_hash != now.annotations_hash {
        items.push(DriftItem::new("tool-annotations-modified", Severity::High, target));
    }
    if before.output_schema_hash == now.output_schema_hash {
        return;
    }
    if is_null_digest(before.output_schema_hash) {
        items.push(DriftItem::new("schema-out-added", Severity::High, target));
    } else if is_null_digest(now.output_schema_hash) {
        items.push(DriftItem::new("schema-out-removed", Severity::High, target));
    } else {
        let sides = (before.output_schema_skeleton.as_ref(), now.output_schema_skeleton.as_ref());
        compare_schema(target, Side::Output, sides, items);
    }
}

/// What an absent output schema hashes to.
fn is_null_digest(digest: Digest) -> bool {
    hash(&Value::Null) == Ok(digest)
}

/// One item a flag; whether there was any.
fn compare_capabilities(target: &str, before: &ToolEntry, now: &ToolEntry, items: &mut Vec<DriftItem>) -> bool {
    let set = |tool: &ToolEntry| tool.capabilities.iter().cloned().collect::<BTreeSet<String>>();
    let (old, new) = (set(before), set(now));
    let item = |class, severity, flag: &String| DriftItem {
        flag: Some(flag.clone()),
        ..DriftItem::new(class, severity, target)
    };
    items.extend(new.difference(&old).map(|flag| item("capability-added", Severity::High, flag)));
    items.extend(old.difference(&new).map(|flag| item("capability-removed", Severity::Medium, flag)));
    old != new
}
