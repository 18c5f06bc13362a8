//! Baseline lock x current surface to an ordered list of drift items (SPEC.md §16).
//!
//! Pure. The list is the conformance-tested one; what a lock says wrongly about itself is reported beside it
//! ([`Lock::inconsistencies`]), and which hashed fields moved is [`fields`]' business.

pub mod fields;
mod tool;

use crate::finding::Severity;
use crate::lock::{EntryRef, Lock, PinnedSurface};
use crate::skeleton::Change;
use crate::surface::Section;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Target of items about the launch.
pub const LAUNCH_TARGET: &str = "launch/command";
/// Target of items about approval and level.
pub const APPROVAL_TARGET: &str = "pin/approved_digest";
/// Target of the item that nothing else explains.
pub const DIGEST_TARGET: &str = "lock/overall_digest";
/// The target of what a lock records about its capture, which no digest covers.
pub const RECORD_TARGET: &str = "pin/warden";

/// One difference between a baseline and what is there now. The first four members are the format's; the rest is
/// what a report needs to say it in words.
#[derive(Debug, Clone, PartialEq)]
pub struct DriftItem {
    /// A class of SPEC.md §16.
    pub class: Cow<'static, str>,
    pub severity: Severity,
    /// Raw text: escape before showing.
    pub target: String,
    /// SPEC.md §17; raw text.
    pub detail: Option<String>,
    /// The changed path of a schema, for structural items; raw text.
    pub path: Option<String>,
    /// The structural change behind the item, with both sides.
    pub change: Option<Change>,
    /// The flag, for items about a capability; raw text.
    pub flag: Option<String>,
}

impl DriftItem {
    fn new(class: &'static str, severity: Severity, target: impl Into<String>) -> Self {
        Self {
            class: class.into(),
            severity,
            target: target.into(),
            detail: None,
            path: None,
            change: None,
            flag: None,
        }
    }

    /// The id of the rule behind this class (SPEC.md §16): `WRD-DRIFT-` and the class in upper case.
    pub fn rule_id(&self) -> String {
        format!("WRD-DRIFT-{}", self.class.to_uppercase())
    }
}

/// Every difference between a baseline and a current surface, sorted by target and class; empty means clean, provided
/// that the baseline is consistent.
pub fn compare(baseline: &Lock, current: &PinnedSurface) -> Vec<DriftItem> {
    let old = &baseline.surface;
    let digests_differ = old.overall_digest != current.overall_digest;
    let mut items = Vec::new();
    // The stored digest proves something only if the rest of the lock reproduces it (SPEC.md §16.1, step 1).
    if digests_differ || !baseline.inconsistencies().is_empty() {
        if old.command_digest != current.command_digest {
            items.push(DriftItem::new("server-identity", Severity::Critical, LAUNCH_TARGET));
        }
        compare_tools(old, current, &mut items);
        compare_simple(old, current, Section::Resources, &mut items);
        compare_simple(old, current, Section::Prompts, &mut items);
    }
    if old.level != current.level {
        items.push(DriftItem::new("schema-version-migrated", Severity::Low, APPROVAL_TARGET));
    }
    let approval = &baseline.pin.approval;
    if approval.approved && approval.approved_digest != Some(current.overall_digest) {
        items.push(DriftItem::new("unapproved-change", Severity::High, APPROVAL_TARGET));
    }
    if items.is_empty() && digests_differ {
        items.push(DriftItem::new("digest-mismatch-unexplained", Severity::High, DIGEST_TARGET));
    }
    items.sort_by(|a, b| (&a.target, &a.class).cmp(&(&b.target, &b.class)));
    items
}

/// The two sides of each identity, in code-point order. Of entries that share one the last counts (SPEC.md §16.3).
fn paired<'a, T>(
    old: &'a [T],
    current: &'a [T],
    identity: fn(&T) -> &str,
) -> BTreeMap<&'a str, (Option<&'a T>, Option<&'a T>)> {
    let mut pairs = BTreeMap::new();
    for entry in old {
        pairs.insert(identity(entry), (Some(entry), None));
    }
    for entry in current {
        pairs.entry(identity(entry)).or_insert((None, None)).1 = Some(entry);
    }
    pairs
}

fn compare_tools(old: &PinnedSurface, current: &PinnedSurface, items: &mut Vec<DriftItem>) {
    for (name, pair) in paired(&old.tools, &current.tools, |tool| &tool.name) {
        let target = crate::surface::entry_target(Section::Tools, name);
        match pair {
            (None, Some(_)) => items.push(DriftItem::new("tool-added", Severity::High, target)),
            (Some(_), None) => items.push(DriftItem::new("tool-removed", Severity::Medium, target)),
            (Some(before), Some(now)) => tool::compare(&target, before, now, items),
            (None, None) => {}
        }
    }
}

/// Resources and prompts: a changed entry digest is all that counts (SPEC.md §16.5).
fn compare_simple(old: &PinnedSurface, current: &PinnedSurface, section: Section, items: &mut Vec<DriftItem>) {
    let (added, removed, modified) = match section {
        Section::Resources => ("resource-added", "resource-removed", "resource-modified"),
        _ => ("prompt-added", "prompt-removed", "prompt-modified"),
    };
    let (old, current): (Vec<_>, Vec<_>) = (old.entries(section).collect(), current.entries(section).collect());
    for pair in paired(&old, &current, |entry: &EntryRef<'_>| entry.identity).into_values() {
        match pair {
            (None, Some(now)) => items.push(DriftItem::new(added, Severity::Medium, now.target())),
            (Some(before), None) => items.push(DriftItem::new(removed, Severity::Low, before.target())),
            (Some(before), Some(now)) if before.digest != now.digest => {
                items.push(DriftItem::new(modified, Severity::Low, now.target()));
            }
            _ => {}
        }
    }
}
