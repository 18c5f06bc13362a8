//! The contract object of a tool and the digests over it (§2, §4).

use crate::formats::Refusal;
use crate::formats::document::quoted;
use crate::formats::tools::{self, PinnedTool, bare, part_digest};
use crate::json::{CanonicalError, Digest, Object, Value, hash, hash_members};
use crate::surface::{Surface, Tool};
use std::collections::BTreeMap;

/// Members that a contract always has: absent and null are the same (§2).
const REQUIRED: [&str; 3] = ["name", "description", "inputSchema"];
/// Members that it has where the tool gives them a value other than null.
const OPTIONAL: [&str; 2] = ["outputSchema", "annotations"];

static NULL: Value = Value::Null;

/// The members of the contract, exactly as they were served.
fn contract(tool: &Tool) -> Vec<(&'static str, &Value)> {
    let required = REQUIRED.into_iter().map(|name| (name, tool.raw().get(name).unwrap_or(&NULL)));
    let optional = OPTIONAL.into_iter().filter_map(|name| Some((name, tool.raw().get_non_null(name)?)));
    required.chain(optional).collect()
}

/// The tools of a surface with their digests, sorted by name.
///
/// # Errors
/// Two tools have one name (§4.4), or something cannot be hashed (§3.8).
pub(super) fn tools(surface: &Surface) -> Result<Vec<PinnedTool>, Refusal> {
    tools::pinned(surface, tool)
}

fn tool(tool: &Tool) -> Result<PinnedTool, Refusal> {
    let contract = contract(tool);
    let mut parts = BTreeMap::new();
    for (name, value) in &contract {
        parts.insert((*name).to_owned(), part_digest(tool, name, value)?);
    }
    let digest = hash_members(contract.into_iter())
        .map_err(|error| Refusal(format!("tool {} cannot be hashed: {error}", quoted(tool.name()))))?;
    let fingerprint = fingerprint(digest, &parts);
    Ok(PinnedTool { name: tool.name().to_owned(), digest, parts, fingerprint })
}

/// The fingerprint that formats share: this format's own digest, where the contract has the three required members and
/// none is null. Other formats write what is absent in other ways.
pub(super) fn fingerprint(digest: Digest, parts: &BTreeMap<String, Digest>) -> Option<String> {
    let null = hash(&Value::Null).ok();
    let has = |name: &str| parts.get(name).is_some_and(|part| Some(*part) != null);
    let is_plain = parts.len() == REQUIRED.len() && REQUIRED.into_iter().all(has);
    is_plain.then(|| bare(digest))
}

/// §4.3: over the object of tool digests by name.
///
/// # Errors
/// None in practice.
pub(super) fn server(tools: &[PinnedTool]) -> Result<Digest, CanonicalError> {
    let digests: Object = tools.iter().map(|tool| (tool.name.as_str(), Value::from(tool.digest))).collect();
    hash(&digests.into())
}
