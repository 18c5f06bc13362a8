//! A lock as a reviewer reads it: every entry, parameters as a tree.

use crate::formats::fingerprint;
use crate::json::{Digest, Object, Value, hash};
use crate::lock::{Lock, ToolEntry};
use crate::skeleton::{ROOT_PATH, Record, Skeleton};
use crate::surface::{Section, Surface, entry_target};
use crate::text::shorten;
use std::collections::BTreeMap;

use super::schema_words::{self, kind, one_of, type_names};
use super::texts::entries_by_target;
use super::told::nodes_by_path;

/// All entries of a lock.
#[derive(Debug, Clone, PartialEq)]
pub struct LockView {
    /// Whether the texts behind the hashes are known.
    pub has_texts: bool,
    pub tools: Vec<ToolView>,
    pub resources: Vec<EntryView>,
    pub prompts: Vec<EntryView>,
}

/// A tool. Texts are raw.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolView {
    pub name: String,
    /// Where the texts of the lock are known: `Some("")` where there is none.
    pub description: Option<String>,
    pub capabilities: Vec<String>,
    /// `None` where the lock holds no skeleton.
    pub parameters: Option<Vec<ParameterView>>,
    /// `None` where there is no output schema, or the lock's level does not know.
    pub returns: Option<Vec<ParameterView>>,
    /// Whether the tool has annotations; `None` below level 4.
    pub annotated: Option<bool>,
    /// The annotations, where the texts of the lock are known; raw.
    pub annotations: Option<Value>,
    pub inspection: Option<Object>,
    pub description_hash: Digest,
    pub input_schema_hash: Digest,
    pub entry_digest: Digest,
    /// The digest that other tools' locks hold for it, where the texts of the lock are known and there is one.
    pub fingerprint: Option<String>,
}

/// A resource or a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryView {
    pub identity: String,
    /// Name and media type of a resource, where it has them.
    pub details: Vec<String>,
    /// As in [`ToolView`].
    pub description: Option<String>,
    /// The arguments of a prompt, where the texts of the lock are known; raw.
    pub arguments: Option<Value>,
    pub entry_digest: Digest,
}

/// One node of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterView {
    /// The whole path; raw.
    pub path: String,
    /// The part that the parents do not show; raw.
    pub label: String,
    /// 0 for a top-level property.
    pub level: usize,
    pub required: bool,
    /// Types in words, escaped.
    pub types: String,
    /// `unconstrained`, bounds, `pattern` and the like; raw texts from the schema are not among them.
    pub facts: Vec<String>,
    /// Types without regard to an enum, escaped.
    pub kind: String,
    /// The facts for people, with values and patterns in them; escaped.
    pub limits: Vec<String>,
    /// What the schema says about it, where the texts of the lock are known; raw.
    pub description: Option<String>,
}

/// How long texts in a view may be.
#[derive(Clone, Copy)]
pub struct Lengths {
    /// Code points of an entry's description.
    description: usize,
    /// Code points of a parameter's description.
    parameter: usize,
}

impl Lengths {
    /// For a look at a whole lock.
    pub const BRIEF: Self = Self { description: 4_000, parameter: 160 };
    /// For a look at one entry: nothing is shortened.
    pub const WHOLE: Self = Self { description: usize::MAX, parameter: usize::MAX };
}

/// Prepares a lock for showing. `texts` is the surface that it was made of, where that is known.
pub fn view(lock: &Lock, texts: Option<&Surface>, lengths: Lengths) -> LockView {
    let surface = &lock.surface;
    let entries = texts.map(entries_by_target);
    let entry = |section, identity: &str| entries.as_ref()?.get(&entry_target(section, identity)).copied();
    let description = |entry: Option<&Object>| {
        let text = entry?.get("description").and_then(Value::as_str).unwrap_or_default();
        Some(shorten(text, lengths.description))
    };
    let resources = surface.resources.iter().map(|resource| EntryView {
        identity: resource.uri.clone(),
        details: [&resource.name, &resource.mime_type].into_iter().flatten().cloned().collect(),
        description: description(entry(Section::Resources, &resource.uri)),
        arguments: None,
        entry_digest: resource.entry_digest,
    });
    let prompts = surface.prompts.iter().map(|prompt| {
        let entry = entry(Section::Prompts, &prompt.name);
        EntryView {
            identity: prompt.name.clone(),
            details: Vec::new(),
            description: description(entry),
            arguments: entry.and_then(|entry| entry.get_non_null("arguments")).cloned(),
            entry_digest: prompt.entry_digest,
        }
    });
    let tools = surface.tools.iter().map(|tool| {
        let entry = entry(Section::Tools, &tool.name);
        let mut view = tool_view(tool);
        view.description = description(entry);
        if let Some(entry) = entry {
            view.fingerprint = fingerprint(entry);
            view.annotations = entry.get_non_null("annotations").cloned();
            describe(view.parameters.as_mut(), entry.get("inputSchema"), lengths.parameter);
            describe(view.returns.as_mut(), entry.get("outputSchema"), lengths.parameter);
        }
        view
    });
    LockView {
        has_texts: texts.is_some(),
        tools: tools.collect(),
        resources: resources.collect(),
        prompts: prompts.collect(),
    }
}

/// Adds to parameters what their schema says about them.
fn describe(parameters: Option<&mut Vec<ParameterView>>, schema: Option<&Value>, most: usize) {
    let (Some(parameters), Some(schema)) = (parameters, schema) else { return };
    let nodes = nodes_by_path(schema);
    for parameter in parameters {
        let node = nodes.get(&parameter.path).copied().flatten();
        let text = node.and_then(|node| node.get("description")).and_then(Value::as_str);
        parameter.description = text.filter(|text| !text.is_empty()).map(|text| shorten(text, most));
    }
}

impl LockView {
    /// Leaves one entry and drops the others; `target` is raw.
    pub fn retain(&mut self, target: &str) {
        self.tools.retain(|tool| entry_target(Section::Tools, &tool.name) == target);
        self.resources.retain(|entry| entry_target(Section::Resources, &entry.identity) == target);
        self.prompts.retain(|entry| entry_target(Section::Prompts, &entry.identity) == target);
    }
}

fn tool_view(tool: &ToolEntry) -> ToolView {
    let null_digest = hash(&Value::Null).ok();
    let metadata = tool.metadata.as_ref();
    ToolView {
        name: tool.name.clone(),
        description: None,
        capabilities: tool.capabilities.clone(),
        parameters: tool.schema_skeleton.as_ref().map(parameters),
        returns: metadata.and_then(|metadata| metadata.output_schema_skeleton.as_ref()).map(parameters),
        annotated: metadata.map(|metadata| Some(metadata.annotations_hash) != null_digest),
        annotations: None,
        inspection: tool.inspection.clone(),
        description_hash: tool.description_hash,
        input_schema_hash: tool.input_schema_hash,
        entry_digest: tool.entry_digest,
        fingerprint: None,
    }
}

/// The records below the root in tree order. The root itself is shown only where it says more than "object".
fn parameters(skeleton: &Skeleton) -> Vec<ParameterView> {
    let mut children: BTreeMap<&str, Vec<(&str, &Record)>> = BTreeMap::new();
    let mut out = Vec::new();
    for (path, record) in &skeleton.records {
        if path == ROOT_PATH {
            let view = parameter(path, "(as a whole)", 0, record);
            if view.types != "object" || !view.facts.iter().all(|fact| fact == "unconstrained") {
                out.push(view);
            }
        } else {
            children.entry(parent(path, skeleton)).or_default().push((path, record));
        }
    }
    // Depth first without recursion: a lock may nest as deep as it likes.
    let mut pending: Vec<(&str, &str, usize, &Record)> = Vec::new();
    let mut parent_and_level = Some(("", 0));
    while let Some((parent, level)) = parent_and_level {
        for (path, record) in children.remove(parent).unwrap_or_default().into_iter().rev() {
            let label = path.strip_prefix(parent).map_or(path, |rest| rest.strip_prefix('.').unwrap_or(rest));
            pending.push((path, label, level, record));
        }
        parent_and_level = pending.pop().map(|(path, label, level, record)| {
            out.push(parameter(path, label, level, record));
            (path, level + 1)
        });
    }
    out
}

/// The properties of the root, with their paths; raw.
pub(super) fn top_level(skeleton: &Skeleton) -> Vec<(&str, &Record)> {
    let records = skeleton.records.iter().map(|(path, record)| (path.as_str(), record));
    records.filter(|(path, _)| *path != ROOT_PATH && parent(path, skeleton).is_empty()).collect()
}

/// The longest proper prefix that is a record and ends where a step begins; names may hold dots themselves.
fn parent<'p>(path: &'p str, skeleton: &Skeleton) -> &'p str {
    // Paths longer than this come from nobody's schema; looking for their parents would cost quadratic time.
    const MAX_PATH: usize = 4096;
    if path.len() > MAX_PATH {
        return "";
    }
    let steps = path.rmatch_indices(['.', '[']).map(|(at, _)| &path[..at]);
    steps.into_iter().find(|prefix| !prefix.is_empty() && skeleton.records.contains_key(*prefix)).unwrap_or("")
}

fn parameter(path: &str, label: &str, level: usize, record: &Record) -> ParameterView {
    let mut facts = Vec::new();
    let opaque = record.constraints.contains("$ref");
    if opaque {
        facts.push("a reference that is not followed".to_owned());
    } else if record.constraints.contains("_truncated") {
        facts.push("a cycle or too deep".to_owned());
    } else if record.is_unconstrained() {
        facts.push("unconstrained".to_owned());
    }
    for (low, high, unit) in [("minLength", "maxLength", "length "), ("minimum", "maximum", "")] {
        let bound = |name: &str| record.constraint(name).and_then(Value::as_f64);
        match (bound(low), bound(high)) {
            (Some(low), Some(high)) => facts.push(format!("{unit}{low} to {high}")),
            (Some(low), None) => facts.push(format!("{unit}at least {low}")),
            (None, Some(high)) => facts.push(format!("{unit}at most {high}")),
            (None, None) => {}
        }
    }
    for name in ["pattern", "format"] {
        if record.constraint(name).is_some() {
            facts.push(name.to_owned());
        }
    }
    if record.is_closed() {
        facts.push("closed".to_owned());
    }
    ParameterView {
        kind: if record.types.is_none() && opaque { "?".to_owned() } else { kind(record) },
        limits: limits(record, &facts),
        description: None,
        path: path.to_owned(),
        label: label.to_owned(),
        level,
        required: record.required,
        types: if record.types.is_none() && opaque { "?".to_owned() } else { type_names(record) },
        facts,
    }
}

/// The facts, with the values and patterns that they are about in them.
fn limits(record: &Record, facts: &[String]) -> Vec<String> {
    let mut limits: Vec<String> = record.members.iter().map(|members| one_of(members)).collect();
    limits.extend(facts.iter().map(|fact| match record.constraint(fact).filter(|_| fact != "closed") {
        Some(value) => format!("{fact} {}", schema_words::value(value)),
        None => fact.clone(),
    }));
    limits
}
