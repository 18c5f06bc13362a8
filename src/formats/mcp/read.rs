//! From bytes to a checked file: size, nesting, version, types, keys, digests, policies.

use super::declared::{Declared, Digests, check_keys, key_of, quoted};
use super::kind::Kind;
use super::lock::{McpLock, Pinned, RoundedPlace};
use super::policy;
use super::write::Member;
use crate::formats::FormatError;
use crate::json::{Object, ParseLimits, Value, element_spans, member_spans, parse_rounding};
use crate::surface::Era;
use crate::text::{Charset, escape, shorten};
use std::collections::BTreeMap;

/// The largest file that is read. The format has no bound of its own.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// How many containers may be open at once: what the parser of the format's tool takes, so that a file that is read here
/// is one that is read there.
pub(super) const MAX_OPEN: usize = 127;

/// Definitions of one kind in an entry.
pub(super) const MAX_ITEMS: usize = 1_000;

const LIMITS: ParseLimits =
    ParseLimits { max_bytes: MAX_BYTES, max_depth: MAX_OPEN, max_values: crate::json::values_in(MAX_BYTES) };

/// Reads a file whole, and believes nothing of it that its digests do not bear out.
///
/// # Errors
/// See [`FormatError`]; one bad entry refuses the file.
pub(super) fn read(bytes: &[u8]) -> Result<McpLock, FormatError> {
    let parsed =
        parse_rounding(bytes, &LIMITS).map_err(|e| invalid(escape(&shorten(&e.to_string(), 400), Charset::Unicode)))?;
    if containers(&parsed.value) > MAX_OPEN {
        return Err(invalid(format!("nesting is deeper than {MAX_OPEN} containers")));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| invalid(e.to_string()))?;
    let root = parsed.value.as_object().ok_or_else(|| invalid("the file is not a JSON object".to_owned()))?;
    let version = match root.get("lockfileVersion") {
        None => return Err(invalid("the file has no lockfileVersion".to_owned())),
        Some(Value::Int(version @ (1 | 2))) => *version,
        Some(Value::Int(other)) => {
            return Err(FormatError::Unknown(format!("lockfileVersion {other} is not known: 1 and 2 are")));
        }
        Some(Value::Float(_)) => return Err(invalid("lockfileVersion is not the integer 1 or 2".to_owned())),
        Some(other) => return Err(invalid(format!("lockfileVersion is {}, not an integer", other.kind()))),
    };
    let top = Members { object: root, place: String::new() };
    top.text("generator")?;
    let servers = top.object("servers")?;
    let mut lock = McpLock::new(version, text);
    let in_text = |span: &str| policy::place_in(text, span);
    for (name, span) in member_spans(text) {
        if name == "servers" {
            for (name, span) in member_spans(span) {
                let entry = servers.get(&name).unwrap_or(&Value::Null);
                let mut pinned = entry_of(&name, entry, span, version)?;
                pinned.at = in_text(span)..in_text(span) + span.len();
                pinned.rounded = rounded_in(text, span, &parsed.at);
                lock.pinned.insert(name, pinned);
            }
        } else if !["lockfileVersion", "generator"].contains(&name.as_str()) {
            if holds_any(text, span, &parsed.at) {
                lock.rounded.push(RoundedPlace { name: format!("the member {}", quoted(&name)), is_pinned: false });
            }
            lock.unknown.push((name, span.to_owned()));
        }
    }
    lock.list_entries();
    Ok(lock)
}

fn invalid(message: String) -> FormatError {
    FormatError::Invalid(message)
}

fn entry_of(name: &str, entry: &Value, span: &str, version: i64) -> Result<Pinned, FormatError> {
    let server = format!("server {}", quoted(name));
    let in_server = |message: String| invalid(format!("{server}: {message}"));
    let object = entry.as_object().ok_or_else(|| in_server(format!("it is {}, not an object", entry.kind())))?;
    let members = Members { object, place: format!("{server}: ") };
    let declared = declared_in(&members, version)?;
    for kind in Kind::ALL {
        let items = declared.items(kind);
        if items.len() > MAX_ITEMS {
            return Err(in_server(format!("{} holds more than {MAX_ITEMS} definitions", kind.member())));
        }
        check_keys(kind, items).map_err(in_server)?;
    }
    require_schemas(&declared).map_err(in_server)?;
    let digests = members.object("digests")?;
    let stored = stored_digests(&Members { object: digests, place: format!("{server}: digests.") })?;
    let mut wanted = declared.digests().map_err(|e| in_server(e.to_string()))?;
    let mut without_versions = false;
    if wanted.surface != stored.surface && declared.era() == Era::Modern {
        // Whether the list of versions is in the digest is not settled, so either form will do.
        let other = declared.digest_without_versions().map_err(|e| in_server(e.to_string()))?;
        without_versions = other == stored.surface;
        if without_versions {
            wanted.surface = other;
        }
    }
    if let Some(wrong) = first_wrong(&stored, &wanted) {
        return Err(FormatError::Corrupt(format!("{server}: {wrong}")));
    }
    if let Some(policy) = object.get("policy") {
        let tools = &wanted.items[0];
        policy::check(policy, |tool| tools.contains_key(tool)).map_err(in_server)?;
    }
    let spans = member_spans(span);
    let text_of = |wanted: &str| spans.iter().find(|(name, _)| name == wanted).map(|(_, span)| *span);
    const KNOWN: [&str; 9] = [
        "command",
        "envPassthrough",
        "protocolVersion",
        "supportedVersions",
        "serverInfo",
        "instructions",
        "capabilities",
        "digests",
        "policy",
    ];
    let is_kind = |name: &str| Kind::ALL.iter().any(|kind| kind.member() == name);
    let more = unknown(&spans, |name| KNOWN.contains(&name) || is_kind(name));
    let more_digests = unknown(&text_of("digests").map(member_spans).unwrap_or_default(), |name| {
        ["surface", "instructions"].contains(&name) || is_kind(name)
    });
    let mut env = members.texts("envPassthrough", false)?;
    env.sort();
    env.dedup();
    Ok(Pinned {
        command: members.texts("command", true)?,
        env,
        policy: text_of("policy").map(str::to_owned),
        has_sandbox: object.get("policy").is_some_and(|policy| policy.get("sandbox").is_some()),
        declared,
        digests: wanted,
        without_versions,
        more,
        more_digests,
        ..Pinned::default()
    })
}

/// The members of the surface digest, checked for their types.
fn declared_in(members: &Members<'_>, version: i64) -> Result<Declared, FormatError> {
    let mut out = Object::new();
    let protocol_version = members.text("protocolVersion")?;
    out.insert("protocolVersion", protocol_version);
    if members.object.contains("supportedVersions") {
        if version < 2 {
            return Err(members.fault("it has supportedVersions, which a file of version 1 cannot have".to_owned()));
        }
        let versions = members.texts("supportedVersions", true)?;
        if !versions.iter().any(|version| version == protocol_version) {
            return Err(members.fault("supportedVersions does not list its protocolVersion".to_owned()));
        }
        out.insert("supportedVersions", versions);
    }
    out.insert("serverInfo", members.object("serverInfo")?.clone());
    out.insert(
        "instructions",
        match members.object.get("instructions") {
            None | Some(Value::Null) => Value::Null,
            Some(text @ Value::String(_)) => text.clone(),
            Some(other) => return Err(members.wrong("instructions", other, "a string or null")),
        },
    );
    out.insert("capabilities", members.object("capabilities")?.clone());
    for kind in Kind::ALL {
        let list = match members.object.get(kind.member()) {
            None => Value::Array(Vec::new()),
            Some(list @ Value::Array(_)) => list.clone(),
            Some(other) => return Err(members.wrong(kind.member(), other, "an array")),
        };
        out.insert(kind.member(), list);
    }
    Ok(Declared(out))
}

/// Refuses a tool without an object `inputSchema`. In our words, escaped.
pub(super) fn require_schemas(declared: &Declared) -> Result<(), String> {
    let has_schema = |tool: &&Value| matches!(tool.get("inputSchema"), Some(Value::Object(_)));
    match declared.items(Kind::Tools).iter().find(|tool| !has_schema(tool)) {
        None => Ok(()),
        Some(tool) => {
            let name = quoted(key_of(Kind::Tools, tool));
            Err(match tool.get("inputSchema") {
                None => format!("tool {name} has no inputSchema"),
                Some(other) => format!("tool {name}: inputSchema is {}, not an object", other.kind()),
            })
        }
    }
}

fn stored_digests(members: &Members<'_>) -> Result<Digests, FormatError> {
    let mut digests = Digests { surface: members.text("surface")?.to_owned(), ..Digests::default() };
    digests.instructions = match members.object.get("instructions") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(other) => return Err(members.wrong("instructions", other, "a string or null")),
    };
    for (kind, into) in Kind::ALL.into_iter().zip(&mut digests.items) {
        let map = match members.object.get(kind.member()) {
            None => continue,
            Some(Value::Object(map)) => map,
            Some(other) => return Err(members.wrong(kind.member(), other, "an object")),
        };
        for (key, digest) in map.iter() {
            let Value::String(digest) = digest else {
                return Err(members.fault(format!("{}: the digest of {} is no text", kind.member(), quoted(key))));
            };
            into.insert(key.to_owned(), digest.clone());
        }
    }
    Ok(digests)
}

/// What is wrong with the digests of a file, by the first definition whose digest it is; escaped.
fn first_wrong(stored: &Digests, wanted: &Digests) -> Option<String> {
    for (kind, (stored, wanted)) in Kind::ALL.into_iter().zip(stored.items.iter().zip(&wanted.items)) {
        let name = |key: &str| format!("{} {}", kind.singular(), quoted(key));
        for (key, digest) in wanted {
            match stored.get(key) {
                Some(stored) if stored == digest => {}
                Some(_) => return Some(format!("{} and its digest do not belong together", name(key))),
                None => return Some(format!("{} has no digest", name(key))),
            }
        }
        if let Some(extra) = stored.keys().find(|key| !wanted.contains_key(*key)) {
            return Some(format!("there is a digest of {}, which the entry does not hold", name(extra)));
        }
    }
    if stored.instructions != wanted.instructions {
        return Some("the instructions and their digest do not belong together".to_owned());
    }
    (stored.surface != wanted.surface).then(|| {
        "the surface digest does not come out of the entry: its serverInfo, capabilities, protocolVersion or the order \
         of a list was changed"
            .to_owned()
    })
}

/// The members of an object of the file, and what to call it in front of a message.
struct Members<'a> {
    object: &'a Object,
    place: String,
}

impl<'a> Members<'a> {
    fn fault(&self, message: String) -> FormatError {
        invalid(format!("{}{message}", self.place))
    }

    fn wrong(&self, name: &str, value: &Value, expected: &str) -> FormatError {
        self.fault(format!("{name} is {}, not {expected}", value.kind()))
    }

    fn required(&self, name: &str) -> Result<&'a Value, FormatError> {
        self.object.get(name).ok_or_else(|| self.fault(format!("{name} is missing")))
    }

    fn text(&self, name: &str) -> Result<&'a str, FormatError> {
        let value = self.required(name)?;
        value.as_str().ok_or_else(|| self.wrong(name, value, "a string"))
    }

    fn object(&self, name: &str) -> Result<&'a Object, FormatError> {
        let value = self.required(name)?;
        value.as_object().ok_or_else(|| self.wrong(name, value, "an object"))
    }

    /// An array of strings; empty where it may be absent and is.
    fn texts(&self, name: &str, required: bool) -> Result<Vec<String>, FormatError> {
        if !required && !self.object.contains(name) {
            return Ok(Vec::new());
        }
        let value = self.required(name)?;
        let list = value.as_array().ok_or_else(|| self.wrong(name, value, "an array"))?;
        let text = |item: &Value| match item {
            Value::String(text) => Ok(text.clone()),
            other => Err(self.fault(format!("{name} holds {}, not only strings", other.kind()))),
        };
        list.iter().map(text).collect()
    }
}

fn unknown(spans: &[(String, &str)], is_known: impl Fn(&str) -> bool) -> Vec<Member> {
    spans.iter().filter(|(name, _)| !is_known(name)).map(|(name, span)| (name.clone(), (*span).to_owned())).collect()
}

/// How many containers are open at once, at most.
pub(super) fn containers(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 1)];
    while let Some((value, at)) = open.pop() {
        match value {
            Value::Array(items) => {
                deepest = deepest.max(at);
                open.extend(items.iter().map(|item| (item, at + 1)));
            }
            Value::Object(object) => {
                deepest = deepest.max(at);
                open.extend(object.iter().map(|(_, item)| (item, at + 1)));
            }
            _ => {}
        }
    }
    deepest
}

/// Whether one of these sorted places lies in a part of a text.
fn holds_any(text: &str, part: &str, places: &[usize]) -> bool {
    let begin = policy::place_in(text, part);
    let first = places.partition_point(|&place| place < begin);
    places.get(first).is_some_and(|&place| place < begin + part.len())
}

/// What of an entry holds integers that were rounded, by definition where it is one.
fn rounded_in(text: &str, entry: &str, places: &[usize]) -> Vec<RoundedPlace> {
    let mut found = Vec::new();
    if !holds_any(text, entry, places) {
        return found;
    }
    for (name, span) in member_spans(entry).into_iter().filter(|(_, span)| holds_any(text, span, places)) {
        match Kind::ALL.into_iter().find(|kind| kind.member() == name) {
            None => found.push(RoundedPlace {
                name: format!("the member {}", quoted(&name)),
                is_pinned: ["serverInfo", "capabilities"].contains(&name.as_str()),
            }),
            Some(kind) => {
                let items = element_spans(span).into_iter().filter(|item| holds_any(text, item, places));
                let name = |item| format!("{} {}", kind.singular(), quoted(&key_in(kind, item)));
                found.extend(items.map(|item| RoundedPlace { name: name(item), is_pinned: true }));
            }
        }
    }
    found
}

/// The key of a definition that was checked, from its text.
fn key_in(kind: Kind, item: &str) -> String {
    let keys: BTreeMap<String, &str> = member_spans(item).into_iter().collect();
    let limits = ParseLimits { max_bytes: MAX_BYTES, max_depth: 0, max_values: 1 };
    let key = keys.get(kind.key()).and_then(|key| crate::json::parse(key.as_bytes(), &limits).ok());
    key.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
}
