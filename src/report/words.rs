//! Drift in plain words. Parts from outside are escaped here, so that what comes out may be printed as it is.

use crate::drift::DriftItem;
use crate::json::{Value, python_str};
use crate::lock::ToolEntry;
use crate::skeleton::{BoundChange, Change, ROOT_PATH, Record};
use crate::text::{Charset, escape, shorten};

/// One item in a sentence. `tool` is the entry as it is now, where the item is about a tool that exists now.
pub(super) fn item(item: &DriftItem, tool: Option<&ToolEntry>) -> String {
    if let (Some(change), Some(path)) = (&item.change, &item.path) {
        let side = if item.class.starts_with("schema-out-") { "in results, " } else { "" };
        let record =
            tool.and_then(|tool| tool.schema_skeleton.as_ref()).and_then(|skeleton| skeleton.records.get(path));
        let types = record.filter(|_| side.is_empty()).map_or_else(|| "any value".to_owned(), any_words);
        return format!("{side}{}", change_words(path, change, &types));
    }
    let words = match item.class.as_ref() {
        "server-identity" => "the launch differs from the pinned one",
        "tool-added" => return format!("new tool; {}", tool.map_or_else(String::new, tool_words)),
        "tool-removed" => "the tool is gone",
        "tool-annotations-modified" => "annotations (the behaviour hints) changed",
        "schema-out-added" => "an output schema was added",
        "schema-out-removed" => "the output schema was removed",
        "schema-modified" => "the input schema changed in a way that its skeleton cannot tell apart",
        "schema-out-modified" => "the output schema changed in a way that its skeleton cannot tell apart",
        "schema-cosmetic-modified" => {
            "the input schema changed, and the structure that skeletons keep did not: rewording, or keywords they do not see"
        }
        "schema-out-cosmetic-modified" => {
            "the output schema changed, and the structure that skeletons keep did not: rewording, or keywords they do not see"
        }
        "capability-added" => "the tool gained a capability flag",
        "capability-removed" => "the tool lost a capability flag",
        "inspection-policy-modified" => "the inspection block differs from the reviewed file",
        "description-modified" => "the description was reworded",
        "resource-added" => "new resource",
        "resource-removed" => "the resource is gone",
        "resource-modified" => "the resource changed",
        "prompt-added" => "new prompt",
        "prompt-removed" => "the prompt is gone",
        "prompt-modified" => "the prompt changed",
        "schema-version-migrated" => "the lock was written at another format level: review and pin again",
        "unapproved-change" => "the approval in the lock is for something else than what is there now",
        "digest-mismatch-unexplained" => "the overall digest differs and no single entry explains it",
        other => other,
    };
    words.to_owned()
}

/// What a tool takes and may do, short.
fn tool_words(tool: &ToolEntry) -> String {
    let parameters: Vec<String> = tool
        .schema_skeleton
        .iter()
        .flat_map(|skeleton| &skeleton.records)
        .filter(|(path, _)| !path.contains(['.', '[']) && path.as_str() != ROOT_PATH)
        .map(|(path, record)| {
            let required = if record.required { ", required" } else { "" };
            format!("{} ({}{required})", name(path), type_words(record))
        })
        .collect();
    let takes = match parameters.len() {
        // Names with dots and what stands behind references or anyOf are not told apart here.
        0 => "takes no parameter that stands on its own".to_owned(),
        1..=4 => format!("takes {}", parameters.join(", ")),
        more => format!("takes {} and {} more", parameters[..3].join(", "), more - 3),
    };
    match tool.capabilities.as_slice() {
        [] => takes,
        flags => format!("{takes}; {}", escape(&flags.join(", "), Charset::Unicode)),
    }
}

/// The types of a record as a table shows them. A node without a type may still be narrowed by keywords that
/// skeletons do not keep, so it is not called "any".
pub(super) fn type_names(record: &Record) -> String {
    match (&record.members, record.types.as_deref()) {
        (Some(members), _) => format!("one of {}", count(members)),
        (None, None | Some([])) => "untyped".to_owned(),
        (None, Some(words)) => types(words),
    }
}

/// The types of a record within a sentence.
fn type_words(record: &Record) -> String {
    let types = types(record.types.as_deref().unwrap_or_default());
    match &record.members {
        Some(members) => format!("one of {} values", members.len()),
        None if record.is_unconstrained() && types == "string" => "any string".to_owned(),
        None => types,
    }
}

fn types(words: &[String]) -> String {
    match words {
        [] => "any type".to_owned(),
        words => escape(&shorten(&words.join(" or "), 80), Charset::Unicode),
    }
}

/// A path in backticks, escaped.
fn name(path: &str) -> String {
    format!("`{}`", escape(&shorten(path, 80), Charset::Unicode))
}

/// A value as people read it, escaped; redacted and cut as in details.
fn value(value: &Value) -> String {
    escape(&shorten(&python_str(value), 60), Charset::Unicode)
}

fn values(members: &[Value]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = members.iter().take(SHOWN).map(value).collect();
    match members.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn without(members: &[Value], others: &[Value]) -> Vec<Value> {
    let known: std::collections::HashSet<String> = others.iter().map(crate::json::enum_text).collect();
    members.iter().filter(|member| !known.contains(&crate::json::enum_text(member))).cloned().collect()
}

/// `any string` for a string, and so on.
fn any_words(record: &Record) -> String {
    match record.types.as_deref() {
        Some([word]) => format!("any {}", types(std::slice::from_ref(word))),
        _ => "any value".to_owned(),
    }
}

/// `any` is what the path takes now without its enum.
fn change_words(path: &str, change: &Change, any: &str) -> String {
    let subject = if path == ROOT_PATH { "the arguments as a whole".to_owned() } else { name(path) };
    match change {
        Change::PathAdded { required, unconstrained } => format!(
            "{subject} is new: {}, {}",
            if *required { "required" } else { "optional" },
            if *unconstrained { "unconstrained" } else { "constrained" }
        ),
        Change::PathRemoved { required: true } => format!("{subject} is gone; it was required"),
        Change::PathRemoved { required: false } => format!("{subject} is gone; it was optional"),
        Change::MadeOptional => format!("{subject} may be left out now"),
        Change::MadeRequired { unconstrained: true } => format!("{subject} must be given now, and may be anything"),
        Change::MadeRequired { unconstrained: false } => format!("{subject} must be given now"),
        Change::Types { before, now, .. } => {
            format!("{subject} takes {} now; it took {}", types(now), types(before))
        }
        Change::EnumRemoved { before } => format!("{subject} accepts {any} now; it was one of {}", count(before)),
        Change::EnumAdded { now } => format!("{subject} is limited to {} now", count(now)),
        Change::EnumNarrowed { before, now } => {
            format!("{subject} no longer accepts {}", values(&without(before, now)))
        }
        Change::EnumWidened { before, now } => match without(now, before) {
            gained if gained.is_empty() => format!("{subject} lists its {} differently now", count(now)),
            gained => match without(before, now) {
                lost if lost.is_empty() => format!("{subject} accepts {} now as well", values(&gained)),
                lost => format!("{subject} accepts {} now, and no longer {}", values(&gained), values(&lost)),
            },
        },
        Change::Marker { name: "$ref", before: Value::Null, now } => {
            format!("{subject} points to {} now, which is not followed", value(now))
        }
        Change::Marker { name: "$ref", now: Value::Null, .. } => {
            format!("{subject} is described in place now; it pointed elsewhere")
        }
        Change::Marker { name: "$ref", before, now } => {
            format!("{subject} points to {} now; it pointed to {}", value(now), value(before))
        }
        Change::Marker { now: Value::Null, .. } => format!("{subject} is no longer part of a cycle"),
        Change::Marker { .. } => {
            format!("{subject} is part of a cycle or nested too deep now, and not described further")
        }
        Change::AdditionalPropertiesOpened { .. } => format!("{subject} may carry members of any name now"),
        Change::AdditionalPropertiesClosed { .. } => format!("{subject} no longer takes members of other names"),
        Change::Bound { name, change, before, now } => {
            let direction = match change {
                BoundChange::Relaxed => "looser",
                BoundChange::Tightened => "tighter",
            };
            match (before, now) {
                (Some(before), Some(now)) => {
                    format!("{subject}: {name} is {} now, {direction}; it was {}", value(now), value(before))
                }
                (None, Some(now)) => format!("{subject}: {name} {} was added", value(now)),
                (Some(before), None) => format!("{subject}: {name} {} was removed", value(before)),
                (None, None) => format!("{subject}: {name}"),
            }
        }
        Change::Text { name, before, now } => match (before, now) {
            (Some(_), Some(_)) => format!("{subject}: the {name} changed; looser or tighter cannot be told"),
            (None, _) => format!("{subject}: a {name} was added"),
            (Some(_), None) => format!("{subject}: the {name} was removed"),
        },
    }
}

fn count(members: &[Value]) -> String {
    match members.len() {
        1 => "1 value".to_owned(),
        n => format!("{n} values"),
    }
}
