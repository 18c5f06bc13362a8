//! The form of the published page.

use super::hash::{PARTS, fingerprint, published_surface};
use super::{NEWEST, TIME, entry, source};
use crate::formats::document::{Place, quoted};
use crate::formats::layout::sorted;
use crate::formats::tools::PinnedTool;
use crate::formats::{Entry, FormatError, Refusal};
use crate::json::{Object, Value, hash, pretty};
use crate::surface::Launch;

const SURFACE: &str = "toolSurfaceHash";

fn member(part: &str) -> String {
    format!("{part}Hash")
}

/// Its servers. Version 1 is all that the page describes.
pub(super) fn read(top: &Place<'_>, version: i64) -> Result<Vec<(Entry, Vec<PinnedTool>)>, FormatError> {
    if version != 1 {
        let problem = format!("the published form has version 1 only, and this file has version {version} of {NEWEST}");
        return Err(FormatError::Unknown(top.problem("lockfileVersion", &problem)));
    }
    top.text("agentgateVersion")?;
    top.text(TIME)?;
    let servers = top.object("servers")?;
    servers.object.iter().map(|(name, value)| read_server(name, &servers.child(name, value)?)).collect()
}

fn read_server(name: &str, place: &Place<'_>) -> Result<(Entry, Vec<PinnedTool>), FormatError> {
    let source = place.object("source")?;
    let kind = source.text("type")?;
    if !["npm", "pypi", "local", "remote"].contains(&kind) {
        return Err(source.invalid("type", "the types are npm, pypi, local and remote"));
    }
    source.optional_text("package")?;
    source.optional_text("version")?;
    if !["stdio", "sse", "http"].contains(&place.text("transport")?) {
        return Err(place.invalid("transport", "the transports are stdio, sse and http"));
    }
    let tools = place.object("tools")?;
    let mut pinned = Vec::new();
    for (name, value) in tools.object.iter() {
        pinned.push(read_tool(name, &tools.child(name, value)?)?);
    }
    pinned.sort_by(|a, b| a.name.cmp(&b.name));
    let digest = place.digest(SURFACE)?;
    if published_surface(&pinned).ok() != Some(digest) {
        return Err(place.corrupt(SURFACE, "the hashes of the tools do not give this one"));
    }
    let items = pinned.iter().map(|tool| tool.item(tool.digest.to_string())).collect();
    Ok((entry(name, items, digest.to_string()), pinned))
}

fn read_tool(name: &str, place: &Place<'_>) -> Result<PinnedTool, FormatError> {
    let digest = place.digest("hash")?;
    let mut parts = std::collections::BTreeMap::new();
    for part in PARTS {
        parts.insert(part.to_owned(), place.digest(&member(part))?);
    }
    if parts.get("name").copied() != hash(&Value::from(name)).ok() {
        return Err(place.corrupt("nameHash", "the name of the tool does not give this hash"));
    }
    let fingerprint = fingerprint(digest, &parts);
    Ok(PinnedTool { name: name.to_owned(), digest, parts, fingerprint })
}

/// A server pinned anew; what is not of the format stays.
pub(super) fn server(old: Option<&Object>, launch: &Launch, tools: &[PinnedTool]) -> Result<Object, Refusal> {
    let mut server = old.cloned().unwrap_or_default();
    let old_transport = old.and_then(|old| old.get("transport")?.as_str());
    server.insert("source", source::source(launch));
    server.insert("transport", source::transport(launch, old_transport));
    server.insert(SURFACE, published_surface(tools).map_err(|error| Refusal(error.to_string()))?);
    let mut members = Object::new();
    for tool in tools {
        let mut hashes = Object::new();
        hashes.insert("hash", tool.digest);
        for (part, digest) in &tool.parts {
            hashes.insert(member(part), *digest);
        }
        members.insert(tool.name.as_str(), hashes);
    }
    server.insert("tools", members);
    Ok(server)
}

/// The text: members sorted at every level.
pub(super) fn text(mut document: Object, now: &str) -> String {
    document.insert(TIME, now);
    document.insert("agentgateVersion", concat!("warden-", env!("CARGO_PKG_VERSION")));
    pretty(&sorted(&document.into())) + "\n"
}

/// What `source` and `transport` say that the launch does not: information, since only hashes of tools are pinned.
pub(super) fn start_notes(name: &str, server: &Object, launch: &Launch) -> Vec<String> {
    let mut notes = Vec::new();
    if server.get("source").and_then(Value::as_object) != Some(&source::source(launch)) {
        notes.push(format!("server {}: the source in the lock is not that of its launch", quoted(name)));
    }
    let transport = server.get("transport").and_then(Value::as_str);
    if transport != Some(source::transport(launch, transport)) {
        notes.push(format!("server {}: the transport in the lock is not that of its launch", quoted(name)));
    }
    notes
}
