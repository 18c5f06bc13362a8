//! Bytes to lock: encoding and syntax, depth, shape, in this order (SPEC.md §19).

use super::fields::{Place, ReadError};
use super::pin::read_pin;
use crate::json::{MAX_DEPTH, Object, ParseLimits, Value, parse, values_in};
use crate::lock::{Level, Lock, PinnedSurface, PromptEntry, ResourceEntry, ToolEntry, ToolMetadata};
use crate::skeleton::{Record, Skeleton};
use crate::surface::{Launch, Section};
use std::collections::BTreeMap;

/// The largest lock that is read: some 20 000 ordinary tools.
pub const MAX_LOCK_BYTES: usize = 128 << 20;
/// JSON values in it. Locks are written with much white space: those of real servers have one in 35 bytes.
pub const MAX_LOCK_VALUES: usize = values_in(MAX_LOCK_BYTES) / 2;

/// Reads a lock of any level that this tool implements. It is not checked against its own digests here:
/// see [`Lock::inconsistencies`].
///
/// # Errors
/// Whatever SPEC.md §19 refuses; the first fault in document order of the checks.
pub fn read(text: &[u8]) -> Result<Lock, ReadError> {
    let limits = ParseLimits { max_bytes: MAX_LOCK_BYTES, max_depth: MAX_DEPTH, max_values: MAX_LOCK_VALUES };
    match parse(text, &limits).map_err(ReadError::Json)? {
        Value::Object(document) => read_document(document),
        other => Err(ReadError::NotAnObject(other.kind())),
    }
}

/// The large members are moved out of the document, not copied.
fn read_document(mut document: Object) -> Result<Lock, ReadError> {
    let top = Place::root(&document);
    let level = match top.require("schema_version")? {
        Value::Int(number) => Level::new(*number).ok_or_else(|| {
            let newest = Level::CURRENT.number();
            top.error("schema_version", format!("this warden reads levels 1 to {newest}, not {number}"))
        })?,
        _ => return Err(top.error("schema_version", "an integer is required here")),
    };
    let warden_version = top.text("warden_version")?.to_owned();
    let server = top.child("server", top.require("server")?)?;
    let (launch, stray_launch) = read_launch(&server)?;
    let command_digest = server.digest("command_digest")?;
    let tools = read_objects(&mut document, Section::Tools.key(), |tool| read_tool(tool, level))?;
    let resources = read_objects(&mut document, Section::Resources.key(), read_resource)?;
    let prompts = read_objects(&mut document, Section::Prompts.key(), read_prompt)?;
    let findings = read_objects(&mut document, "findings", read_finding)?;
    let top = Place::root(&document);
    let overall_digest = top.digest("overall_digest")?;
    let mut pin = read_pin(&top.child("pin", top.require("pin")?)?)?;
    if let Some(Value::Object(stored)) = document.remove("pin") {
        pin.stored = stored;
    }
    let surface = PinnedSurface { level, launch, command_digest, tools, resources, prompts, overall_digest };
    Ok(Lock { surface, warden_version, findings, pin, stray_launch })
}

/// `command`, `args` and `url` may be missing; only the URL may be null (SPEC.md §19). Also says whether a command
/// stands beside a URL.
fn read_launch(server: &Place<'_>) -> Result<(Launch, bool), ReadError> {
    let has = |member| server.object.contains(member);
    let command = if has("command") { server.text("command")?.to_owned() } else { String::new() };
    let args = if has("args") { server.texts("args")? } else { Vec::new() };
    let has_command = !command.is_empty() || !args.is_empty();
    let launch = Launch::from_parts(command, args, server.optional_text("url")?);
    let stray = has_command && matches!(launch, Launch::Url(_));
    Ok((launch, stray))
}

/// Takes an array of objects out of the document.
fn read_objects<T>(
    document: &mut Object,
    member: &str,
    read_one: impl Fn(Object) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    Place::root(document).array(member)?;
    let Some(Value::Array(list)) = document.remove(member) else { return Ok(Vec::new()) };
    let mut out = Vec::with_capacity(list.len());
    for (index, value) in list.into_iter().enumerate() {
        let object = match value {
            Value::Object(object) => object,
            other => {
                let problem = format!("element {index} is {}, not an object", other.kind());
                return Err(Place::root(document).error(member, problem));
            }
        };
        out.push(read_one(object).map_err(|error| below(&format!("{member}/{index}"), error))?);
    }
    Ok(out)
}

/// Puts an error's pointer below an element of a list.
fn below(step: &str, error: ReadError) -> ReadError {
    match error {
        ReadError::Shape { pointer, problem } => ReadError::Shape { pointer: format!("/{step}{pointer}"), problem },
        other => other,
    }
}

fn read_finding(object: Object) -> Result<Object, ReadError> {
    let finding = Place::root(&object);
    for member in ["rule_id", "severity", "target", "message", "snippet"] {
        finding.text(member)?;
    }
    Ok(object)
}

fn read_tool(object: Object, level: Level) -> Result<ToolEntry, ReadError> {
    let tool = Place::root(&object);
    let inspection = match tool.object.get_non_null("inspection") {
        None => None,
        Some(block) => Some(tool.child("inspection", block)?.object.clone()),
    };
    let entry = ToolEntry {
        name: tool.text("name")?.to_owned(),
        description_hash: tool.digest("description_hash")?,
        input_schema_hash: tool.digest("input_schema_hash")?,
        capabilities: tool.texts("capabilities")?,
        schema_skeleton: read_skeleton(&tool, "schema_skeleton")?,
        metadata: read_metadata(&tool, level)?,
        inspection,
        entry_digest: tool.digest("entry_digest")?,
        stored: Object::new(),
    };
    Ok(ToolEntry { stored: object, ..entry })
}

/// Required at level 4. Below it, all three may be missing or null, and a lone one is not a commitment.
fn read_metadata(tool: &Place<'_>, level: Level) -> Result<Option<ToolMetadata>, ReadError> {
    let has_hashes =
        ["annotations_hash", "output_schema_hash"].iter().all(|member| tool.object.get_non_null(member).is_some());
    if !level.has_metadata() && !has_hashes {
        return Ok(None);
    }
    if level.has_metadata() {
        tool.require("output_schema_skeleton")?;
    }
    Ok(Some(ToolMetadata {
        annotations_hash: tool.digest("annotations_hash")?,
        output_schema_hash: tool.digest("output_schema_hash")?,
        output_schema_skeleton: read_skeleton(tool, "output_schema_skeleton")?,
    }))
}

fn read_skeleton(tool: &Place<'_>, member: &str) -> Result<Option<Skeleton>, ReadError> {
    let Some(value) = tool.object.get_non_null(member) else { return Ok(None) };
    let skeleton = tool.child(member, value)?;
    let props = skeleton.child("props", skeleton.require("props")?)?;
    let mut records = BTreeMap::new();
    for (path, value) in props.object.iter() {
        records.insert(path.to_owned(), read_record(&props.child(path, value)?)?);
    }
    Ok(Some(Skeleton { records }))
}

fn read_record(record: &Place<'_>) -> Result<Record, ReadError> {
    let types = match record.object.get_non_null("type") {
        None => None,
        Some(_) => Some(record.texts("type")?),
    };
    let members = match record.object.get_non_null("enum") {
        None => None,
        Some(_) => Some(record.array("enum")?.to_vec()),
    };
    let constraints = match record.object.get("constraints") {
        None => Object::new(),
        Some(value) => record.child("constraints", value)?.object.clone(),
    };
    Ok(Record { types, required: record.flag("required", false)?, members, constraints })
}

fn read_resource(object: Object) -> Result<ResourceEntry, ReadError> {
    let resource = Place::root(&object);
    resource.require("name")?;
    resource.require("mime_type")?;
    let entry = ResourceEntry {
        uri: resource.text("uri")?.to_owned(),
        name: resource.optional_text("name")?,
        description_hash: resource.digest("description_hash")?,
        mime_type: resource.optional_text("mime_type")?,
        entry_digest: resource.digest("entry_digest")?,
        stored: Object::new(),
    };
    Ok(ResourceEntry { stored: object, ..entry })
}

fn read_prompt(object: Object) -> Result<PromptEntry, ReadError> {
    let prompt = Place::root(&object);
    let entry = PromptEntry {
        name: prompt.text("name")?.to_owned(),
        description_hash: prompt.digest("description_hash")?,
        arguments_hash: prompt.digest("arguments_hash")?,
        entry_digest: prompt.digest("entry_digest")?,
        stored: Object::new(),
    };
    Ok(PromptEntry { stored: object, ..entry })
}
