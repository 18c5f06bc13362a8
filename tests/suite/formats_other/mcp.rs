//! mcp.lock: worked digests, each rule of its specification by section, drift, writing, edits, hostile files. The
//! expected files and digests here are built over `serde_json` values with another canonicalizer.

mod digests;
mod drift;
mod edits;
mod era;
mod fields;
mod hostile;
mod numbers;
mod policy;
mod random;
mod writing;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use warden::formats::{
    Difference, Format, FormatError, LockFile, McpLock, NewEntry, Options, Refusal, Written, empty, read,
};
use warden::json::{Object, ParseLimits, parse};
use warden::surface::{Launch, SERVER_INFO, Surface};

pub const NOW: &str = "2026-08-14T09:31:07Z";

pub const KINDS: [(&str, &str); 4] =
    [("tools", "name"), ("prompts", "name"), ("resources", "uri"), ("resourceTemplates", "uriTemplate")];

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of the format, by other code.
pub fn digest(value: &Value) -> String {
    format!("sha256:{}", sha256(&serde_json_canonicalizer::to_vec(value).expect("canonical")))
}

/// An entry with the digests that belong to it; lists and `instructions` may be left out.
pub fn sealed(mut entry: Value) -> Value {
    let members = ["protocolVersion", "supportedVersions", "serverInfo", "instructions", "capabilities"];
    let mut surface = Map::new();
    for name in members.into_iter().chain(KINDS.map(|(list, _)| list)) {
        let default = if name == "instructions" { Value::Null } else { json!([]) };
        match entry.get(name) {
            Some(value) => surface.insert(name.to_owned(), value.clone()),
            None if name == "supportedVersions" => None,
            None => surface.insert(name.to_owned(), default),
        };
    }
    let mut digests = Map::new();
    let instructions =
        if surface["instructions"].is_null() { Value::Null } else { digest(&surface["instructions"]).into() };
    digests.insert("instructions".to_owned(), instructions);
    for (list, key) in KINDS {
        let items = surface[list].as_array().cloned().unwrap_or_default();
        let by_key = items.iter().filter_map(|item| Some((item[key].as_str()?.to_owned(), digest(item).into())));
        digests.insert(list.to_owned(), by_key.collect::<Map<_, _>>().into());
    }
    digests.insert("surface".to_owned(), digest(&surface.into()).into());
    entry["digests"] = digests.into();
    entry
}

/// A file with one server `t`, sealed.
pub fn file_of(version: u64, entry: Value) -> Value {
    json!({"lockfileVersion": version, "generator": "mcpsum 0.1.1", "servers": {"t": sealed(entry)}})
}

/// An entry with something of everything.
pub fn full() -> Value {
    json!({
        "command": ["srv", "--flag"],
        "envPassthrough": ["HOME", "TOKEN"],
        "protocolVersion": "2025-11-25",
        "serverInfo": {"name": "demo", "version": "1.0.0"},
        "instructions": "Use these tools.",
        "capabilities": {"tools": {"listChanged": true}, "prompts": {}},
        "tools": [
            {"name": "add", "description": "Add two numbers.", "inputSchema": {"type": "object", "properties": {"a": {"type": "number", "minimum": 1}}}},
            {"name": "fetch", "description": "Fetch a page.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}
        ],
        "prompts": [{"name": "greet", "arguments": [{"name": "who", "required": true}]}],
        "resources": [{"uri": "file:///readme.md", "name": "readme"}],
        "resourceTemplates": [{"uriTemplate": "notes://{id}", "name": "note"}]
    })
}

pub fn load(text: &str) -> Result<Box<dyn LockFile>, FormatError> {
    read(Format::Mcp, text.as_bytes())
}

pub fn loaded(file: &Value) -> Box<dyn LockFile> {
    let text = serde_json::to_string_pretty(file).expect("JSON") + "\n";
    load(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Kind and message of the error about this file.
pub fn refused(file: &Value) -> (&'static str, String) {
    refused_text(&file.to_string())
}

pub fn refused_text(text: &str) -> (&'static str, String) {
    match load(text) {
        Ok(_) => panic!("accepted: {}", text.chars().take(500).collect::<String>()),
        Err(FormatError::Invalid(message)) => ("invalid", message),
        Err(FormatError::Corrupt(message)) => ("corrupt", message),
        Err(FormatError::Unknown(message)) => ("unknown", message),
    }
}

/// What a server declares that is exactly as an entry says, by the parser that a capture uses.
pub fn surface_of(entry: &Value) -> Surface {
    let parsed = |value: &Value| {
        let limits = ParseLimits { max_bytes: 1 << 26, max_depth: 512, max_values: usize::MAX };
        parse(value.to_string().as_bytes(), &limits).expect("JSON")
    };
    let list = |name: &str| parsed(entry.get(name).unwrap_or(&json!([]))).as_array().expect("a list").to_vec();
    let mut surface = Surface::from_entries(list("tools"), list("resources"), list("prompts")).expect("a surface");
    surface.about.protocol_version = entry["protocolVersion"].as_str().expect("a version").to_owned();
    surface.about.resource_templates = list("resourceTemplates");
    let mut declaration = Object::new();
    for name in ["capabilities", "instructions", "supportedVersions", "resultType"] {
        if let Some(value) = entry.get(name) {
            declaration.insert(name, parsed(value));
        }
    }
    if let Some(info) = entry.get("serverInfo") {
        if surface.about.protocol_version == "2026-07-28" {
            declaration.insert("_meta", [(SERVER_INFO, parsed(info))].into_iter().collect::<Object>());
        } else {
            declaration.insert("serverInfo", parsed(info));
        }
    }
    surface.about.declaration = declaration;
    surface
}

pub fn launch() -> Launch {
    Launch::Stdio { command: "srv".to_owned(), args: vec!["--flag".to_owned()] }
}

/// The file with server `t` pinned as this entry says, in the name of this program.
pub fn pinned(file: &dyn LockFile, entry: &Value) -> Result<Written, Refusal> {
    let (launch, env, surface) = (launch(), ["TOKEN".to_owned(), "HOME".to_owned()], surface_of(entry));
    file.with(&[NewEntry { name: "t", launch: &launch, env: &env, surface: &surface }], NOW)
}

/// The text of a new file with this entry.
pub fn written(entry: &Value) -> String {
    pinned(&*empty(Format::Mcp), entry).unwrap_or_else(|refusal| panic!("{refusal}")).text
}

pub fn mcp(file: &dyn LockFile) -> &McpLock {
    file.as_any().downcast_ref().expect("a mcp.lock")
}

/// How server `t` differs from this entry; `+` where it fails a check.
pub fn told(file: &dyn LockFile, entry: &Value, options: Options) -> Vec<String> {
    lines(&file.compare("t", &surface_of(entry), options).unwrap_or_else(|refusal| panic!("{refusal}")))
}

pub fn lines(differences: &[Difference]) -> Vec<String> {
    let line = |difference: &Difference| {
        assert!(!difference.words.is_empty() && !difference.words.contains('\n'), "{difference:?}");
        let sign = if difference.fails { "+" } else { "-" };
        format!("{sign} {} {} {}", difference.class, difference.target, difference.fields.join(",")).trim().to_owned()
    };
    differences.iter().map(line).collect()
}

/// The section of docs/formats.md, and the sources of these tests.
#[test]
fn every_test_that_the_documents_name_exists() {
    let document = include_str!("../../../docs/formats.md");
    let section = document.split("\n## ").find(|section| section.starts_with("mcp.lock")).expect("a section");
    let sources = [
        include_str!("mcp/digests.rs"),
        include_str!("mcp/drift.rs"),
        include_str!("mcp/edits.rs"),
        include_str!("mcp/era.rs"),
        include_str!("mcp/fields.rs"),
        include_str!("mcp/hostile.rs"),
        include_str!("mcp/numbers.rs"),
        include_str!("mcp/policy.rs"),
        include_str!("mcp/random.rs"),
        include_str!("mcp/writing.rs"),
        include_str!("../../../src/formats/mcp/policy.rs"),
        include_str!("../../../src/formats/mcp/sandbox.rs"),
        include_str!("../../../src/formats/mcp/write.rs"),
        include_str!("../../../src/json/parse_tests.rs"),
    ]
    .concat();
    let mut named = 0;
    let rows = section.lines().filter(|line| line.starts_with('|') && line.matches('|').count() == 4);
    for row in rows {
        let tests = row.rsplit('|').nth(1).expect("a cell").split('`').skip(1).step_by(2);
        for test in tests.filter(|test| !test.contains('.')) {
            assert!(sources.contains(&format!("fn {test}(")), "no test {test}");
            named += 1;
        }
    }
    assert!(named > 40, "{named}");
}
