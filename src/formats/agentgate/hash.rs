//! What each form hashes (§Hashing rules, and what the tool does instead).

use super::Dialect;
use super::order::tool_order;
use crate::formats::Refusal;
use crate::formats::layout::utf16_order;
use crate::formats::tools::{self, PinnedTool, bare, part_digest};
use crate::json::{CanonicalError, Digest, Object, Value, hash};
use crate::surface::{Surface, Tool};
use std::collections::BTreeMap;

/// The parts of a tool, in the order of the tool's own files.
pub(super) const PARTS: [&str; 3] = ["name", "description", "inputSchema"];

/// The tools of a surface with their digests, sorted by name.
///
/// # Errors
/// Two tools have one name, or something cannot be hashed.
pub(super) fn tools(surface: &Surface, dialect: Dialect) -> Result<Vec<PinnedTool>, Refusal> {
    tools::pinned(surface, |raw| match dialect {
        Dialect::Published => published(raw),
        Dialect::Shipped => shipped(raw),
    })
}

/// What is absent or null is the empty text or the empty object, in both forms.
fn values(tool: &Tool) -> [(&'static str, Value); 3] {
    let schema = tool.input_schema().cloned().unwrap_or_else(|| Object::new().into());
    let [name, description, input_schema] = PARTS;
    [(name, tool.name().into()), (description, tool.description().unwrap_or_default().into()), (input_schema, schema)]
}

/// Every digest is over canonical JSON: a text is hashed with its quotes.
fn published(tool: &Tool) -> Result<PinnedTool, Refusal> {
    let values = values(tool);
    let mut parts = BTreeMap::new();
    for (name, value) in &values {
        parts.insert((*name).to_owned(), part_digest(tool, name, value)?);
    }
    let digest = part_digest(tool, "the whole", &values.into_iter().collect::<Object>().into())?;
    let fingerprint = fingerprint(digest, &parts);
    Ok(PinnedTool { name: tool.name().to_owned(), digest, parts, fingerprint })
}

/// The shared fingerprint: the digest of this form, unless one of the parts is what absence is written as. Other
/// formats write absence in other ways.
pub(super) fn fingerprint(digest: Digest, parts: &BTreeMap<String, Digest>) -> Option<String> {
    let absent = [("description", Value::from("")), ("inputSchema", Object::new().into())];
    let is = |(part, value): &(&str, Value)| parts.get(*part).copied() == hash(value).ok();
    (!absent.iter().any(is)).then(|| bare(digest))
}

/// Texts are hashed as they are, without quotes.
fn shipped(tool: &Tool) -> Result<PinnedTool, Refusal> {
    let [(name, _), (description, _), (input_schema, schema)] = values(tool);
    let parts = [
        (name, Digest::of_bytes(tool.name().as_bytes())),
        (description, Digest::of_bytes(tool.description().unwrap_or_default().as_bytes())),
        (input_schema, part_digest(tool, input_schema, &schema)?),
    ];
    let parts = parts.into_iter().map(|(part, digest)| (part.to_owned(), digest)).collect();
    Ok(of_parts(tool.name(), parts))
}

/// A tool of the form without a digest over the whole: it is made of the three.
pub(super) fn of_parts(name: &str, parts: BTreeMap<String, Digest>) -> PinnedTool {
    let digest = Digest::of_bytes(parts.values().copied().map(bare).collect::<Vec<_>>().join(" ").as_bytes());
    PinnedTool { name: name.to_owned(), digest, parts, fingerprint: None }
}

/// `toolSurfaceHash`: over the array of the tools' digests, sorted by name.
///
/// # Errors
/// None in practice.
pub(super) fn published_surface(tools: &[PinnedTool]) -> Result<Digest, CanonicalError> {
    let mut tools: Vec<&PinnedTool> = tools.iter().collect();
    tools.sort_by(|a, b| utf16_order(&a.name, &b.name));
    hash(&Value::Array(tools.iter().map(|tool| tool.digest.into()).collect()))
}

/// `surfaceHash`: over the array of triples of digests, sorted as the tool sorts.
///
/// # Errors
/// None in practice.
pub(super) fn shipped_surface(tools: &[PinnedTool]) -> Result<Digest, CanonicalError> {
    let mut tools: Vec<&PinnedTool> = tools.iter().collect();
    let order = tool_order(&tools);
    tools.sort_by(order);
    triples(&tools)
}

/// The same in the order of code units, which the page of the project allows too.
///
/// # Errors
/// None in practice.
pub(super) fn shipped_surface_by_unit(tools: &[PinnedTool]) -> Result<Digest, CanonicalError> {
    let mut tools: Vec<&PinnedTool> = tools.iter().collect();
    tools.sort_by(|a, b| utf16_order(&a.name, &b.name));
    triples(&tools)
}

fn triples(tools: &[&PinnedTool]) -> Result<Digest, CanonicalError> {
    let triple = |tool: &&PinnedTool| {
        let part = |part: &&str| Value::from(tool.parts.get(*part).copied().map(bare).unwrap_or_default());
        Value::Array(PARTS.iter().map(part).collect())
    };
    hash(&Value::Array(tools.iter().map(triple).collect()))
}
