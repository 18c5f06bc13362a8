//! Skeleton x skeleton to facts (SPEC.md §16.4).

use super::change::{BoundChange, Change, Fact, TypeChange};
use super::{Record, Skeleton};
use crate::json::{Object, Value, enum_text};
use std::collections::BTreeSet;

/// Bounds that loosen when they grow, and bounds that loosen when they shrink; in the order of reporting.
const BOUNDS: [(&str, bool); 4] = [("maxLength", true), ("maximum", true), ("minLength", false), ("minimum", false)];

/// Every changed fact, sorted by path and class; facts of one path and class keep the order of SPEC.md §16.4.
pub fn compare(before: &Skeleton, now: &Skeleton) -> Vec<Fact> {
    let paths: BTreeSet<&String> = before.records.keys().chain(now.records.keys()).collect();
    let mut facts = Vec::new();
    for path in paths {
        let mut changes = Vec::new();
        match (before.records.get(path), now.records.get(path)) {
            (None, Some(now)) => {
                changes.push(Change::PathAdded { required: now.required, unconstrained: now.is_unconstrained() });
            }
            (Some(before), None) => changes.push(Change::PathRemoved { required: before.required }),
            (Some(before), Some(now)) => compare_records(before, now, &mut changes),
            (None, None) => {}
        }
        changes.sort_by_key(Change::class);
        facts.extend(changes.into_iter().map(|change| Fact { path: path.clone(), change }));
    }
    facts
}

fn compare_records(before: &Record, now: &Record, changes: &mut Vec<Change>) {
    match (before.required, now.required) {
        (true, false) => changes.push(Change::MadeOptional),
        (false, true) => changes.push(Change::MadeRequired { unconstrained: now.is_unconstrained() }),
        _ => {}
    }
    changes.extend(types(before, now));
    changes.extend(enums(before, now));
    for name in ["$ref", "_truncated"] {
        let side = |record: &Record| record.constraints.get(name).cloned().unwrap_or_default();
        let (before, now) = (side(before), side(now));
        if before != now {
            changes.push(Change::Marker { name, before, now });
        }
    }
    changes.extend(additional_properties(before, now));
    changes
        .extend(BOUNDS.iter().filter_map(|(name, looser_when_larger)| bound(name, *looser_when_larger, before, now)));
    for name in ["pattern", "format"] {
        let (before, now) = (before.constraint(name).cloned(), now.constraint(name).cloned());
        if before != now {
            changes.push(Change::Text { name, before, now });
        }
    }
}

fn types(before: &Record, now: &Record) -> Option<Change> {
    let set = |record: &Record| record.types.iter().flatten().cloned().collect::<BTreeSet<_>>();
    let (old, new) = (set(before), set(now));
    if old == new {
        return None;
    }
    // No type named means any type, so the empty set is the widest one.
    let change = if new.is_empty() || (!old.is_empty() && new.is_superset(&old)) {
        TypeChange::Broadened
    } else if old.is_empty() || new.is_subset(&old) {
        TypeChange::Narrowed
    } else {
        TypeChange::Changed
    };
    Some(Change::Types { change, before: old.into_iter().collect(), now: new.into_iter().collect() })
}

fn enums(before: &Record, now: &Record) -> Option<Change> {
    match (before.members.clone(), now.members.clone()) {
        (None, None) => None,
        (Some(before), None) => Some(Change::EnumRemoved { before }),
        (None, Some(now)) => Some(Change::EnumAdded { now }),
        (Some(before), Some(now)) if before == now => None,
        (Some(before), Some(now)) => {
            let texts = |members: &[Value]| members.iter().map(enum_text).collect::<BTreeSet<_>>();
            let (old, new) = (texts(&before), texts(&now));
            if new.is_subset(&old) && new != old {
                Some(Change::EnumNarrowed { before, now })
            } else {
                Some(Change::EnumWidened { before, now })
            }
        }
    }
}

fn additional_properties(before: &Record, now: &Record) -> Option<Change> {
    let side = |record: &Record| record.constraints.get("additionalProperties").cloned().unwrap_or(Value::Bool(true));
    let closed = |value: &Value| matches!(value, Value::Bool(false));
    let (before, now) = (side(before), side(now));
    match (closed(&before), closed(&now)) {
        (true, false) => Some(Change::AdditionalPropertiesOpened { now }),
        (false, true) => Some(Change::AdditionalPropertiesClosed { before }),
        _ => None,
    }
}

fn bound(name: &'static str, looser_when_larger: bool, before: &Record, now: &Record) -> Option<Change> {
    // Only numbers bound anything; whatever else stands there counts as absent.
    let side = |constraints: &Object| constraints.get(name).and_then(|value| Some((value.as_f64()?, value.clone())));
    let (old, new) = (side(&before.constraints), side(&now.constraints));
    let change = match (&old, &new) {
        (None, None) => return None,
        (None, Some(_)) => BoundChange::Tightened,
        (Some(_), None) => BoundChange::Relaxed,
        (Some((old, _)), Some((new, _))) if old == new => return None,
        (Some((old, _)), Some((new, _))) if (new > old) == looser_when_larger => BoundChange::Relaxed,
        _ => BoundChange::Tightened,
    };
    Some(Change::Bound { name, change, before: old.map(|side| side.1), now: new.map(|side| side.1) })
}
