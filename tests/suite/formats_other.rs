//! Lock files of other tools: worked digests, the rules of their documents, what an edit of a file can do, and hostile
//! files. The oracle below computes every digest with another JSON library and a canonical form of its own.

mod agentgate;
mod contractpin;
mod detect;
mod edits;
mod hostile;
mod mcp;
mod oracle;
mod random;

use serde_json::{Value, json};
use warden::formats::{Difference, Entry, Format, LockFile, NewEntry, Options, Written, detect, read};
use warden::json::{ParseLimits, parse};
use warden::surface::{Launch, Surface};

pub const NOW: &str = "2026-08-14T09:31:07Z";
pub const LATER: &str = "2026-09-01T00:00:00Z";

/// The tools that the worked digests are about.
pub fn four() -> Value {
    json!([
        {
            "name": "read_file",
            "description": "Read a file from disk",
            "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
        },
        {"name": "ping", "inputSchema": {"type": "object"}},
        {
            "name": "Zeta",
            "description": null,
            "inputSchema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 1.0, "maximum": 1e21}}},
            "annotations": {"readOnlyHint": true},
            "title": "Zed",
        },
        {"name": "noschema", "description": "\u{e9}\u{0}\u{1f}\"\\ /"},
    ])
}

/// The surface with these tools, through the parser that a capture uses.
pub fn surface(tools: &Value) -> Surface {
    let text = json!({"tools": tools}).to_string();
    let limits = ParseLimits { max_bytes: 1 << 24, max_depth: 512, max_values: usize::MAX };
    let document = parse(text.as_bytes(), &limits).expect("JSON");
    Surface::from_document(document.as_object().expect("an object")).expect("a surface")
}

pub fn stdio(words: &[&str]) -> Launch {
    Launch::Stdio { command: words[0].to_owned(), args: words[1..].iter().map(|&word| word.to_owned()).collect() }
}

pub fn loaded(text: &str) -> Box<dyn LockFile> {
    let format = detect(text.as_bytes()).expect("a format");
    read(format, text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Why a text is refused: kind of the error and its message.
pub fn refused(format: Format, text: &str) -> (&'static str, String) {
    match read(format, text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => (kind(&error), error.to_string()),
    }
}

pub fn kind(error: &warden::formats::FormatError) -> &'static str {
    use warden::formats::FormatError::{Corrupt, Invalid, Unknown};
    match error {
        Invalid(_) => "invalid",
        Corrupt(_) => "corrupt",
        Unknown(_) => "unknown",
    }
}

/// The file with one server more, or one pinned anew.
pub fn pinned(file: &dyn LockFile, name: &str, launch: &Launch, tools: &Value, now: &str) -> Written {
    let surface = surface(tools);
    let new = NewEntry { name, launch, env: &[], surface: &surface };
    file.with(&[new], now).unwrap_or_else(|refusal| panic!("{refusal}"))
}

pub fn entry<'f>(file: &'f dyn LockFile, name: &str) -> &'f Entry {
    file.entries().iter().find(|entry| entry.name == name).unwrap_or_else(|| panic!("no server {name}"))
}

/// Digests of the tools of a server, by name.
pub fn digests(file: &dyn LockFile, name: &str) -> Vec<(String, String)> {
    let name_of = |target: &str| target.strip_prefix("tools/").expect("a tool").to_owned();
    entry(file, name).items.iter().map(|item| (name_of(&item.target), item.digest.clone())).collect()
}

pub fn compared(file: &dyn LockFile, name: &str, tools: &Value) -> Vec<Difference> {
    file.compare(name, &surface(tools), Options::default()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// Class, target and fields of each difference, on a line; `+` where it fails a check.
pub fn told(differences: &[Difference]) -> Vec<String> {
    let line = |difference: &Difference| {
        let sign = if difference.fails { "+" } else { "-" };
        format!("{sign} {} {} {}", difference.class, difference.target, difference.fields.join(",")).trim().to_owned()
    };
    differences.iter().map(line).collect()
}

pub fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The same document in one line, with the members of every object the other way round.
pub fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .rev()
            .map(|(name, value)| (name.clone(), reversed(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(reversed).collect(),
        scalar => scalar.clone(),
    }
}
