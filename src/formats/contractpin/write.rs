//! Servers pinned anew, and the text of a file (§5).

use super::read::is_reference;
use super::{Contractpin, TIME, digest};
use crate::formats::document::quoted;
use crate::formats::layout::{same_but_for, sorted};
use crate::formats::{Refusal, Written, credential};
use crate::json::{Object, Value, pretty};
use crate::surface::{Launch, Surface};
use std::collections::BTreeSet;

/// How a server is reached.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// With the names of the variables that it gets.
    Launch(&'a Launch, &'a [String]),
    File(&'a str),
}

/// Members of a server that are written anew. Others stay.
const OURS: [&str; 8] = ["transport", "command", "env", "url", "path", "tool_count", "digest", "tools"];

/// The file with these servers.
pub(super) fn with<'a>(
    file: &Contractpin,
    new: impl Iterator<Item = (&'a str, Start<'a>, &'a Surface)>,
    now: &str,
) -> Result<Written, Refusal> {
    let mut document = file.document.clone();
    let mut servers = document.get("servers").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut seen = BTreeSet::new();
    for (name, start, surface) in new {
        if !seen.insert(name) {
            return Err(Refusal(format!("server {} is given twice", quoted(name))));
        }
        let old = servers.get(name).and_then(Value::as_object);
        let server = server(name, old, start, surface)?;
        servers.insert(name, server);
    }
    document.insert("servers", servers);
    if !file.text.is_empty() && same_but_for(TIME, &document, &file.document) {
        return Ok(Written { text: file.text.clone(), notes: Vec::new() });
    }
    let notes = without_secrets(&mut document)?;
    document.insert(TIME, now);
    let text = pretty(&sorted(&document.into())) + "\n";
    Ok(Written { text, notes })
}

fn server(name: &str, old: Option<&Object>, start: Start<'_>, surface: &Surface) -> Result<Object, Refusal> {
    let mut server = old.cloned().unwrap_or_default();
    for member in OURS {
        server.remove(member);
    }
    match start {
        Start::Launch(Launch::Stdio { command, args }, env) => {
            server.insert("transport", "stdio");
            if command.is_empty() {
                return Err(Refusal(format!("server {} has no command", quoted(name))));
            }
            let words = std::iter::once(command).chain(args).map(|word| Value::from(word.as_str()));
            server.insert("command", Value::Array(words.collect()));
            if !env.is_empty() {
                let old = old.and_then(|old| old.get("env"));
                server.insert("env", references(old, env));
            }
        }
        Start::Launch(Launch::Url(url), _) => {
            server.insert("transport", "http");
            server.insert("url", url.as_str());
            server.remove("cwd");
        }
        Start::File(path) => {
            server.insert("transport", "file");
            server.insert("path", path);
            server.remove("cwd");
        }
    }
    let tools = digest::tools(surface)?;
    let count = i64::try_from(tools.len()).unwrap_or(i64::MAX);
    let digest = digest::server(&tools).map_err(|error| Refusal(error.to_string()))?;
    let old_tools = old.and_then(|old| old.get("tools"));
    let mut members = Object::new();
    for tool in tools {
        let mut member = old_tools.and_then(|old| old.get(&tool.name)?.as_object()).cloned().unwrap_or_default();
        member.insert("digest", tool.digest);
        member.insert("fields", tool.parts.into_iter().collect::<Object>());
        members.insert(tool.name, member);
    }
    server.insert("tool_count", count);
    server.insert("digest", digest);
    server.insert("tools", members);
    Ok(server)
}

/// The variables as references. One that the file has already may take its value from a variable of another name.
fn references(old: Option<&Value>, names: &[String]) -> Object {
    let reference = |name: &String| {
        let known = old.and_then(|old| old.get(name)?.as_str()).filter(|value| is_reference(value));
        known.map_or_else(|| format!("${{{name}}}"), str::to_owned)
    };
    names.iter().map(|name| (name.as_str(), reference(name))).collect()
}

/// §5: no credential is written, whoever put it there. Values of variables become references and headers go, which
/// changes nothing of what is pinned; a launch is refused, as another one would be another server.
fn without_secrets(document: &mut Object) -> Result<Vec<String>, Refusal> {
    let mut notes = Vec::new();
    let Some(Value::Object(servers)) = document.get("servers").cloned() else { return Ok(notes) };
    let mut clean = Object::new();
    for (name, server) in servers.iter() {
        let mut server = server.as_object().cloned().unwrap_or_default();
        refuse_credentials(name, &server)?;
        if let Some(env) = server.get("env").and_then(Value::as_object).cloned() {
            let names: Vec<String> = env.names().map(str::to_owned).collect();
            let written = references(server.get("env"), &names);
            if written != env {
                notes.push(format!("server {}: values of variables were replaced by references", quoted(name)));
                server.insert("env", written);
            }
        }
        let headers: Vec<String> = server.names().filter(|name| is_header(name)).map(str::to_owned).collect();
        for header in headers {
            server.remove(&header);
            notes.push(format!("server {}: {} was dropped, as it holds credentials", quoted(name), quoted(&header)));
        }
        clean.insert(name, server);
    }
    document.insert("servers", clean);
    Ok(notes)
}

fn refuse_credentials(name: &str, server: &Object) -> Result<(), Refusal> {
    let words: Vec<String> = server
        .get("command")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|word| word.as_str().map(str::to_owned))
        .collect();
    let url = server.get("url").and_then(Value::as_str);
    match url.and_then(credential::in_url).or_else(|| credential::in_command(&words)) {
        Some(problem) => {
            let problem = format!("server {}: {problem}, and this format must not hold credentials", quoted(name));
            Err(Refusal(problem))
        }
        None => Ok(()),
    }
}

fn is_header(name: &str) -> bool {
    ["header", "headers", "authorization", "token", "api_key"].iter().any(|header| name.eq_ignore_ascii_case(header))
}
