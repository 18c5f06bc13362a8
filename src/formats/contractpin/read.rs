//! Bytes to a file (§5).

use super::digest::{fingerprint, server};
use super::{ALGORITHM, CANONICALIZATION, Contractpin, TIME, VERSION, path};
use crate::formats::document::{Place, document, quoted};
use crate::formats::tools::PinnedTool;
use crate::formats::{Entry, EntryStart, FormatError, credential};
use crate::json::{Digest, Value, hash};
use crate::surface::Launch;
use crate::text::shorten;
use std::collections::BTreeMap;

/// Reads a file and checks it against its own digests.
///
/// # Errors
/// It is no file of this format, of another version, or does not give its own digests and counts.
pub fn read(bytes: &[u8]) -> Result<Contractpin, FormatError> {
    let document = document(bytes)?;
    let top = Place::root(&document);
    for (member, known) in [("contractpin", VERSION), ("algorithm", ALGORITHM), ("canonicalization", CANONICALIZATION)]
    {
        let found = top.text(member)?;
        if found != known {
            let problem = format!("this warden knows \"{known}\", not {}", quoted(found));
            return Err(FormatError::Unknown(top.problem(member, &problem)));
        }
    }
    if !is_time(top.text(TIME)?) {
        return Err(top.invalid(TIME, "a time in UTC is required here, such as 2026-08-14T09:31:07Z"));
    }
    let servers = top.object("servers")?;
    let mut read = Vec::new();
    let mut notes = Vec::new();
    for (name, value) in servers.object.iter() {
        read.push(read_server(name, &servers.child(name, value)?, &mut notes)?);
    }
    read.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    let (entries, tools) = read.into_iter().unzip();
    // The parser has found it to be UTF-8.
    let text = std::str::from_utf8(bytes).unwrap_or_default().to_owned();
    Ok(Contractpin { text, document, entries, tools, notes })
}

fn read_server(
    name: &str,
    place: &Place<'_>,
    notes: &mut Vec<String>,
) -> Result<(Entry, Vec<PinnedTool>), FormatError> {
    let transport = place.text("transport")?;
    let start = match transport {
        "stdio" => {
            let mut words = words(place)?.into_iter();
            let command = words.next().unwrap_or_default();
            EntryStart::Launch(Launch::Stdio { command, args: words.collect() })
        }
        "http" => EntryStart::Launch(Launch::Url(place.some_text("url")?.to_owned())),
        "file" => {
            let path = place.text("path")?;
            path::check(path).map_err(|problem| place.invalid("path", problem))?;
            EntryStart::File(path.to_owned())
        }
        other => {
            let problem = format!("the transports are stdio, http and file, not {}", quoted(other));
            return Err(place.invalid("transport", &problem));
        }
    };
    let env = env(name, place, notes)?;
    let cwd = place.optional_text("cwd")?.map(str::to_owned);
    let problem = match &start {
        EntryStart::Launch(Launch::Url(url)) => credential::in_url(url),
        EntryStart::Launch(Launch::Stdio { command, args }) => {
            credential::in_command(&[std::slice::from_ref(command), args].concat())
        }
        _ => None,
    };
    if let Some(problem) = problem {
        notes.push(format!("server {}: {problem}; no such file is written", quoted(name)));
    }
    let tools = read_tools(&place.object("tools")?)?;
    let count = place.integer("tool_count")?;
    if usize::try_from(count).ok() != Some(tools.len()) {
        let problem = format!("it counts {count} tools, and {} are listed", tools.len());
        return Err(place.corrupt("tool_count", &problem));
    }
    let digest = place.digest("digest")?;
    if server(&tools).ok() != Some(digest) {
        return Err(place.corrupt("digest", "the digests of the tools do not give this one"));
    }
    let entry = Entry {
        name: name.to_owned(),
        start,
        env,
        cwd,
        protocol_version: None,
        items: tools.iter().map(|tool| tool.item(tool.digest.to_string())).collect(),
        digest: digest.to_string(),
    };
    Ok((entry, tools))
}

fn words(place: &Place<'_>) -> Result<Vec<String>, FormatError> {
    let words: Vec<String> = place
        .array("command")?
        .iter()
        .map(|word| match word {
            Value::String(word) => Ok(word.clone()),
            other => Err(place.invalid("command", &format!("only strings may stand here, not {}", other.kind()))),
        })
        .collect::<Result<_, _>>()?;
    match words.first().is_none_or(String::is_empty) {
        true => Err(place.invalid("command", "it names no program")),
        false => Ok(words),
    }
}

/// Names only: what stands beside them in a file is never given to a server.
fn env(server: &str, place: &Place<'_>, notes: &mut Vec<String>) -> Result<Vec<String>, FormatError> {
    if place.object.get_non_null("env").is_none() {
        return Ok(Vec::new());
    }
    let env = place.object("env")?;
    let mut names = Vec::new();
    let mut literal = Vec::new();
    for name in env.object.names() {
        let value = env.text(name)?;
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(env.invalid(name, "no variable has this name"));
        }
        names.push(name.to_owned());
        if !is_reference(value) {
            literal.push(quoted(name));
        }
    }
    if !literal.is_empty() {
        let names = shorten(&literal.join(", "), 300);
        notes.push(format!(
            "server {}: values of variables stand in the file and are not used ({names}); the environment decides",
            quoted(server)
        ));
    }
    names.sort();
    Ok(names)
}

/// `${NAME}` and nothing else.
pub(super) fn is_reference(value: &str) -> bool {
    value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).is_some_and(credential::is_variable)
}

fn read_tools(place: &Place<'_>) -> Result<Vec<PinnedTool>, FormatError> {
    let mut tools = Vec::new();
    for (name, value) in place.object.iter() {
        let tool = place.child(name, value)?;
        let digest = tool.digest("digest")?;
        let parts = read_parts(name, &tool)?;
        let fingerprint = fingerprint(digest, &parts);
        tools.push(PinnedTool { name: name.to_owned(), digest, parts, fingerprint });
    }
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tools)
}

/// §4.2: advisory, and they may be missing. Of all of them only the one over the name can be computed again.
fn read_parts(name: &str, tool: &Place<'_>) -> Result<BTreeMap<String, Digest>, FormatError> {
    if tool.object.get_non_null("fields").is_none() {
        return Ok(BTreeMap::new());
    }
    let fields = tool.object("fields")?;
    let mut parts = BTreeMap::new();
    for field in fields.object.names() {
        parts.insert(field.to_owned(), fields.digest(field)?);
    }
    let computed = hash(&Value::from(name)).ok();
    if parts.get("name").is_some_and(|stored| Some(*stored) != computed) {
        return Err(fields.corrupt("name", "the name of the tool does not give this digest"));
    }
    Ok(parts)
}

/// `YYYY-MM-DDTHH:MM:SSZ`.
fn is_time(text: &str) -> bool {
    let form = b"dddd-dd-ddTdd:dd:ddZ";
    text.len() == form.len()
        && text.bytes().zip(form).all(|(byte, form)| if *form == b'd' { byte.is_ascii_digit() } else { byte == *form })
}
