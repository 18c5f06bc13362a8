//! The form that the tool writes.

use super::hash::{PARTS, of_parts, shipped_surface, shipped_surface_by_unit};
use super::order::{member_order, tool_order};
use super::{TIME, entry};
use crate::formats::document::{Place, quoted};
use crate::formats::layout::{document_of, one_level_in};
use crate::formats::tools::{PinnedTool, bare};
use crate::formats::{Entry, FormatError, Refusal};
use crate::json::{Digest, Object, Value, member_spans};
use crate::text::shorten;

const SURFACE: &str = "surfaceHash";
/// Members of the document in the order in which they are written. Others follow.
const ORDER: [&str; 5] = ["lockfileVersion", "generatedBy", TIME, "servers", "skills"];
const SERVER: [&str; 2] = [SURFACE, "tools"];

fn member(part: &str) -> String {
    format!("{part}Hash")
}

/// Its servers.
pub(super) fn read(
    top: &Place<'_>,
    version: i64,
    notes: &mut Vec<String>,
) -> Result<Vec<(Entry, Vec<PinnedTool>)>, FormatError> {
    top.text("generatedBy")?;
    top.text(TIME)?;
    if top.object.contains("skills") {
        if version == 1 {
            return Err(top.invalid("skills", "version 1 has no skills"));
        }
        top.object("skills")?;
        notes.push("its skills are kept as they stand; warden does not check them".to_owned());
    }
    note_unknown(top.object, &ORDER, "the file", notes);
    let servers = top.object("servers")?;
    let mut read = Vec::new();
    for (name, value) in servers.object.iter() {
        let place = servers.child(name, value)?;
        note_unknown(place.object, &SERVER, &format!("server {}", quoted(name)), notes);
        read.push(read_server(name, &place, notes)?);
    }
    Ok(read)
}

/// The schema of the project allows no other members, and its tool drops them when it writes.
fn note_unknown(object: &Object, known: &[&str], what: &str, notes: &mut Vec<String>) {
    let unknown: Vec<String> = object.names().filter(|name| !known.contains(name)).map(quoted).collect();
    if !unknown.is_empty() {
        let names = shorten(&unknown.join(", "), 300);
        notes.push(format!(
            "{what} has members that are not of this format ({names}); warden keeps them, mcp-agentgate does not"
        ));
    }
}

fn read_server(
    name: &str,
    place: &Place<'_>,
    notes: &mut Vec<String>,
) -> Result<(Entry, Vec<PinnedTool>), FormatError> {
    let mut tools = Vec::new();
    for tool in place.elements("tools")? {
        tools.push(read_tool(&tool)?);
    }
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(pair) = tools.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(place.invalid("tools", &format!("tool {} stands there twice", quoted(&pair[0].name))));
    }
    let digest = place.bare_digest(SURFACE)?;
    let given: [Option<Digest>; 2] = [shipped_surface(&tools).ok(), shipped_surface_by_unit(&tools).ok()];
    // The tool itself falls back to the single tools, as the order of names in the hash depends on its language.
    if !given.contains(&Some(digest)) {
        notes.push(format!(
            "server {}: surfaceHash does not come out of its tools; the tools alone are compared",
            quoted(name)
        ));
    }
    let items = tools.iter().map(|tool| tool.item(bare(tool.digest))).collect();
    Ok((entry(name, items, bare(digest)), tools))
}

fn read_tool(place: &Place<'_>) -> Result<PinnedTool, FormatError> {
    let name = place.text("name")?;
    let mut parts = std::collections::BTreeMap::new();
    for part in PARTS {
        parts.insert(part.to_owned(), place.bare_digest(&member(part))?);
    }
    if parts.get("name") != Some(&Digest::of_bytes(name.as_bytes())) {
        return Err(place.corrupt("nameHash", "the name of the tool does not give this hash"));
    }
    Ok(of_parts(name, parts))
}

/// A server pinned anew; what is not of the format stays behind the rest.
pub(super) fn server(old: Option<&Object>, tools: &[PinnedTool]) -> Result<Object, Refusal> {
    let mut server = Object::new();
    server.insert(SURFACE, bare(shipped_surface(tools).map_err(|error| Refusal(error.to_string()))?));
    let mut sorted: Vec<&PinnedTool> = tools.iter().collect();
    let order = tool_order(&sorted);
    sorted.sort_by(order);
    let members = |tool: &PinnedTool| {
        let hashes = PARTS.iter().filter_map(|part| Some((member(part), bare(*tool.parts.get(*part)?))));
        std::iter::once(("name".to_owned(), tool.name.clone())).chain(hashes).collect::<Object>()
    };
    server.insert("tools", Value::Array(sorted.into_iter().map(|tool| members(tool).into()).collect()));
    for (name, value) in old.into_iter().flat_map(Object::iter).filter(|(name, _)| !SERVER.contains(name)) {
        server.insert(name, value.clone());
    }
    Ok(server)
}

/// The text, in the tool's own order. What is not written anew keeps its bytes.
pub(super) fn text(document: &Object, old: &str, now: &str) -> String {
    let mut servers: Vec<(&str, &Value)> =
        document.get("servers").and_then(Value::as_object).into_iter().flat_map(Object::iter).collect();
    servers.sort_by(|a, b| member_order(a.0, b.0));
    let servers: Object = servers.into_iter().map(|(name, server)| (name, server.clone())).collect();
    let version = document.get("lockfileVersion").cloned().unwrap_or(Value::Int(1));
    let mut members = vec![
        ("lockfileVersion".to_owned(), one_level_in(&version)),
        ("generatedBy".to_owned(), one_level_in(&concat!("warden@", env!("CARGO_PKG_VERSION")).into())),
        (TIME.to_owned(), one_level_in(&with_milliseconds(now).into())),
        ("servers".to_owned(), one_level_in(&servers.into())),
    ];
    let mut kept: Vec<(String, &str)> =
        member_spans(old).into_iter().filter(|(name, _)| !ORDER[..4].contains(&name.as_str())).collect();
    kept.sort_by_key(|(name, _)| name != "skills");
    members.extend(kept.into_iter().map(|(name, text)| (name, text.to_owned())));
    document_of(&members)
}

/// Whole seconds as the tool writes them.
fn with_milliseconds(now: &str) -> String {
    match now.strip_suffix('Z') {
        Some(seconds) if !seconds.contains('.') => format!("{seconds}.000Z"),
        _ => now.to_owned(),
    }
}
