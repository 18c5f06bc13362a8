//! What the formats that pin only tools have in common: tools as digests, and how two lists of them differ.

use super::document::{quoted, shown};
use super::{Difference, Item, Refusal};
use crate::finding::{Severity, drift_rule};
use crate::json::{Digest, MAX_SAFE_INTEGER, Value, hash};
use crate::surface::{Section, Surface, Tool, entry_target};
use std::collections::{BTreeMap, BTreeSet};

/// A tool as a file pins it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PinnedTool {
    /// Raw.
    pub name: String,
    /// Decides whether two are the same.
    pub digest: Digest,
    /// Digests of its parts by name, where there are any: they only say what changed.
    pub parts: BTreeMap<String, Digest>,
    /// The fingerprint that formats share, where it is known for sure.
    pub fingerprint: Option<String>,
}

impl PinnedTool {
    pub fn item(&self, digest: String) -> Item {
        Item { target: target(&self.name), digest, fingerprint: self.fingerprint.clone() }
    }
}

fn target(name: &str) -> String {
    entry_target(Section::Tools, name)
}

/// The 64 digits of a digest.
pub(super) fn bare(digest: Digest) -> String {
    digest.to_string().trim_start_matches("sha256:").to_owned()
}

/// The digest of a part of a tool. `tool` and `part` are for the message.
///
/// # Errors
/// It is nested too deeply, or holds a number that a double cannot hold: each tool would round it in its own way.
pub(super) fn part_digest(tool: &Tool, part: &str, value: &Value) -> Result<Digest, Refusal> {
    let refused = |why: String| Refusal(format!("{part} of tool {} cannot be hashed: {why}", quoted(tool.name())));
    if let Some(int) = inexact(value) {
        return Err(refused(format!("the integer {int} is outside ±(2^53-1) and cannot be hashed exactly")));
    }
    hash(value).map_err(|error| refused(error.to_string()))
}

/// An integer in a value that no double holds. Nothing that was parsed here has one.
fn inexact(value: &Value) -> Option<i64> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Int(int) if int.unsigned_abs() > MAX_SAFE_INTEGER.unsigned_abs() => return Some(*int),
            Value::Array(items) => open.extend(items),
            Value::Object(object) => open.extend(object.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    None
}

/// The tools of a surface, pinned one by one, sorted by name.
///
/// # Errors
/// Two have one name, or one cannot be hashed.
pub(super) fn pinned(
    surface: &Surface,
    pin: impl Fn(&Tool) -> Result<PinnedTool, Refusal>,
) -> Result<Vec<PinnedTool>, Refusal> {
    let mut tools: Vec<PinnedTool> = surface.tools.iter().map(pin).collect::<Result<_, _>>()?;
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    match tools.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => Err(Refusal(format!("tool {} is declared twice", quoted(&pair[0].name)))),
        None => Ok(tools),
    }
}

/// How tools are not as they were pinned: removed, added, changed, each sorted by name. Both lists are sorted.
pub(super) fn differences(old: &[PinnedTool], new: &[PinnedTool], allow_new: bool) -> Vec<Difference> {
    let known: BTreeMap<&str, &PinnedTool> = old.iter().map(|tool| (tool.name.as_str(), tool)).collect();
    let now: BTreeMap<&str, &PinnedTool> = new.iter().map(|tool| (tool.name.as_str(), tool)).collect();
    let mut found = Vec::new();
    for tool in old.iter().filter(|tool| !now.contains_key(tool.name.as_str())) {
        found.push(difference("pinned-tool-removed", &tool.name, true, "the tool was pinned and is gone".to_owned()));
    }
    for tool in new.iter().filter(|tool| !known.contains_key(tool.name.as_str())) {
        let words = if allow_new {
            "the tool is not in the lock, which is allowed here"
        } else {
            "the tool is not in the lock"
        };
        found.push(difference("pinned-tool-added", &tool.name, !allow_new, words.to_owned()));
    }
    for tool in old {
        found.extend(now.get(tool.name.as_str()).and_then(|now| changed(tool, now)));
    }
    found
}

fn changed(old: &PinnedTool, new: &PinnedTool) -> Option<Difference> {
    let names: BTreeSet<&String> = old.parts.keys().chain(new.parts.keys()).collect();
    let has_parts = !old.parts.is_empty() && !new.parts.is_empty();
    let fields: Vec<String> = if has_parts {
        names.into_iter().filter(|name| old.parts.get(*name) != new.parts.get(*name)).cloned().collect()
    } else {
        Vec::new()
    };
    let list = fields.iter().map(|field| shown(field, 40)).collect::<Vec<_>>().join(", ");
    let difference = match (old.digest == new.digest, fields.is_empty()) {
        (true, true) => return None,
        (true, false) => {
            let words = format!(
                "the tool is as pinned, but what the lock records for {list} is not true; only its digest counts"
            );
            difference("pinned-informational", &old.name, false, words)
        }
        (false, true) if has_parts => {
            let words = "the tool changed; the lock records nothing that shows where".to_owned();
            difference("pinned-tool-changed", &old.name, true, words)
        }
        (false, true) => {
            let words = "the tool changed; the lock does not record its parts".to_owned();
            difference("pinned-tool-changed", &old.name, true, words)
        }
        (false, false) => difference("pinned-tool-changed", &old.name, true, format!("{list} changed")),
    };
    Some(Difference { fields, ..difference })
}

fn difference(class: &'static str, name: &str, fails: bool, words: String) -> Difference {
    let severity = drift_rule(class).map_or(Severity::High, |rule| rule.severity);
    Difference { class, severity, target: target(name), fields: Vec::new(), fails, words }
}
