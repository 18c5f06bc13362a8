//! Which hashed fields of an entry moved, also where the format gives the move no item of its own: a description that
//! changes together with its schema has none (SPEC.md §16.3 f), and a reviewer must still learn of it.

use crate::json::Value;
use crate::lock::{EntryRef, PinnedSurface};
use crate::surface::Section;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The fields that differ in one entry that both sides have.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldChanges {
    /// `tools/<name>` and the like; raw text.
    pub target: String,
    /// Names of members as a lock stores them, in stored order; never `entry_digest`, which follows from the others.
    /// Raw text where a lock holds unknown members.
    pub fields: Vec<String>,
    /// Both sides of those that a lock stores as they are (a resource's name and media type), by member; raw text.
    pub plain: Vec<(String, Value, Value)>,
}

/// Members of a resource that a lock stores as they are.
const PLAIN: [&str; 2] = ["name", "mime_type"];

/// Field changes of every entry that both sides have and that differs, in order of section and identity.
pub fn changed_fields(baseline: &PinnedSurface, current: &PinnedSurface) -> Vec<FieldChanges> {
    let mut changes = Vec::new();
    for section in Section::ALL {
        let old: BTreeMap<&str, EntryRef<'_>> =
            baseline.entries(section).map(|entry| (entry.identity, entry)).collect();
        for now in current.entries(section) {
            let Some(&before) = old.get(now.identity) else { continue };
            let fields = differing(&before, &now, baseline.level.cmp(&current.level));
            if !fields.is_empty() {
                let side = |entry: &EntryRef<'_>, name: &str| entry.stored.get(name).cloned().unwrap_or(Value::Null);
                let is_plain = |name: &&String| section == Section::Resources && PLAIN.contains(&name.as_str());
                let plain = fields.iter().filter(is_plain);
                let plain = plain.map(|name| (name.clone(), side(&before, name), side(&now, name))).collect();
                changes.push(FieldChanges { target: now.target(), fields, plain });
            }
        }
    }
    changes
}

/// Members that are missing on the side of the lower level because it does not have them are no change of the surface,
/// and neither is another skeleton of the very same schema.
fn differing(before: &EntryRef<'_>, now: &EntryRef<'_>, levels: Ordering) -> Vec<String> {
    let across_levels = levels.is_ne();
    let lower = if levels.is_gt() { now } else { before };
    let is_gap = |name: &str| {
        across_levels
            && lower.stored.get_non_null(name).is_none()
            && matches!(name, "schema_skeleton" | "annotations_hash" | "output_schema_hash" | "output_schema_skeleton")
    };
    let value = |entry: &EntryRef<'_>, name: &str| entry.stored.get(name).cloned().unwrap_or(Value::Null);
    let rederived = |name: &str| {
        let same_schema = |hash| value(before, hash) == value(now, hash);
        across_levels && name == "schema_skeleton" && same_schema("input_schema_hash")
    };
    let names = now.stored.names().chain(before.stored.names().filter(|name| !now.stored.contains(name)));
    names
        .filter(|name| {
            *name != "entry_digest" && !is_gap(name) && !rederived(name) && value(before, name) != value(now, name)
        })
        .map(str::to_owned)
        .collect()
}
