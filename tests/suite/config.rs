//! `warden.toml`: accepted findings, which file is used, and what it can never do.

mod accepted;
mod search;
mod servers;

use crate::support::cli::{Sandbox, serving};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use warden::config::{IGNORE_KEYS, Key, MAX_SERVERS, SERVER_KEYS, SKIP_KEYS, TOP_KEYS, parse};
use warden::finding::{RULES, RuleKind};

/// An entry; `more` is a further line.
pub fn ignore(rule: &str, target: &str, more: &str) -> String {
    format!("[[ignore]]\nrule = \"{rule}\"\ntarget = \"{target}\"\nreason = \"reviewed by Ann\"\n{more}\n")
}

/// A tool that runs commands, which is a finding.
pub fn hook() -> Value {
    json!({
        "name": "run_hook",
        "description": "Runs a hook.",
        "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}},
    })
}

/// A pinned server with one tool, and this `warden.toml`.
pub fn pinned(config: &str) -> Sandbox {
    let sandbox = Sandbox::pinned(&serving(json!([hook()])), &[]);
    sandbox.write("warden.toml", config);
    sandbox
}

/// Ids of the findings in a list of a document.
pub fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|finding| finding["rule_id"].as_str().unwrap()).collect()
}

/// A text with its line breaks and indents forgotten.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn schema() -> Value {
    serde_json::from_str(&std::fs::read_to_string(SCHEMA).unwrap()).unwrap()
}

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/warden-toml.schema.json");

#[test]
fn the_schema_and_the_reader_know_the_same_members_and_rules() {
    let mut schema = schema();
    let rules: Vec<&str> = RULES
        .iter()
        .filter(|rule| matches!(rule.kind(), RuleKind::Finding | RuleKind::Posture))
        .map(|rule| rule.id)
        .collect();
    if std::env::var_os("WARDEN_UPDATE_DOCS").is_some() {
        schema["properties"]["ignore"]["items"]["properties"]["rule"]["enum"] = json!(rules);
        std::fs::write(SCHEMA, format!("{}\n", serde_json::to_string_pretty(&schema).unwrap())).unwrap();
    }
    let keys = |keys: &[Key], table: &Value| {
        let names: BTreeSet<&str> = keys.iter().map(|key| key.name).collect();
        let required: BTreeSet<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
        let found: BTreeSet<&str> = table["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let found_required: BTreeSet<&str> =
            table["required"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap()).collect();
        assert_eq!((found, found_required), (names, required));
        assert_eq!(table["additionalProperties"], false);
    };
    keys(&TOP_KEYS, &schema);
    let entry = &schema["properties"]["ignore"]["items"];
    keys(&IGNORE_KEYS, entry);
    let servers = &schema["properties"]["servers"];
    keys(&SERVER_KEYS, &servers["additionalProperties"]);
    keys(&SKIP_KEYS, &servers["additionalProperties"]["properties"]["skip"]);
    assert_eq!(servers["maxProperties"], MAX_SERVERS);
    assert_eq!(entry["properties"]["rule"]["enum"], json!(rules), "run the tests once with WARDEN_UPDATE_DOCS=1");
}

fn fits(value: &Value) -> bool {
    jsonschema::draft202012::new(&schema()).unwrap().is_valid(value)
}

/// A TOML text as the JSON that editors validate.
fn as_json(text: &str) -> Value {
    table_as_json(toml::de::DeTable::parse(text).unwrap().get_ref())
}

fn table_as_json(table: &toml::de::DeTable<'_>) -> Value {
    table.iter().map(|(name, item)| (name.get_ref().to_string(), value_as_json(item.get_ref()))).collect()
}

fn value_as_json(value: &toml::de::DeValue<'_>) -> Value {
    match value {
        toml::de::DeValue::Table(table) => table_as_json(table),
        toml::de::DeValue::Array(items) => items.iter().map(|item| value_as_json(item.get_ref())).collect(),
        toml::de::DeValue::String(text) => Value::from(text.as_ref()),
        toml::de::DeValue::Boolean(value) => Value::from(*value),
        toml::de::DeValue::Integer(number) => Value::from(number.as_str().parse::<i64>().unwrap()),
        toml::de::DeValue::Float(number) => Value::from(number.as_str().parse::<f64>().unwrap()),
        other @ toml::de::DeValue::Datetime(_) => json!({ "type": other.type_str() }),
    }
}

#[test]
fn the_documented_examples_are_good_for_the_reader_and_for_the_schema() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/config.md")).unwrap();
    let examples: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let mut members = BTreeSet::new();
    for example in &examples {
        parse(example.as_bytes()).expect(example);
        let value = as_json(example);
        assert!(fits(&value), "{example}");
        let servers = value["servers"].as_object().into_iter().flat_map(|servers| servers.values().cloned());
        members.extend(servers.flat_map(|server| server.as_object().unwrap().keys().cloned().collect::<Vec<_>>()));
    }
    let read = |at: usize| parse(examples[at].as_bytes()).unwrap();
    assert_eq!((examples.len(), read(0).ignores.len(), read(1).servers.len(), read(2).ignores.len()), (3, 2, 4, 1));
    let all: BTreeSet<String> = SERVER_KEYS.iter().map(|key| key.name.to_owned()).collect();
    assert_eq!(members, all, "the examples have every member of a server");
    for key in SERVER_KEYS.iter().chain(&TOP_KEYS).chain(&IGNORE_KEYS).chain(&SKIP_KEYS) {
        assert!(page.contains(&format!("`{}`", key.name)), "{} is not explained", key.name);
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let good = ignore("WRD-CAP-SHELL", "tools/run_hook", "expires = \"2027-01-31\"");
    assert!(parse(good.as_bytes()).is_ok() && fits(&as_json(&good)));
    for (from, to) in [
        ("reason", "raeson"),
        ("[[ignore]]", "[[ignores]]"),
        ("WRD-CAP-SHELL", "WRD-DRIFT-TOOL-ADDED"),
        ("WRD-CAP-SHELL", "WRD-LOCK-NOT-APPROVED"),
        ("WRD-CAP-SHELL", "wrd-cap-shell"),
        ("tools/run_hook", "run_hook"),
        ("tools/run_hook", "tools/"),
        ("reviewed by Ann", "  "),
        ("\"2027-01-31\"", "2027-01-31"),
        ("2027-01-31", "31.1.2027"),
        ("rule = \"WRD-CAP-SHELL\"\n", ""),
        ("[[ignore]]", "server = {}\n[[ignore]]"),
        ("reason = ", "server = \" \"\nreason = "),
        ("reason = ", "server = [\"a\"]\nreason = "),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(good, bad, "{from}");
        assert!(parse(bad.as_bytes()).is_err(), "{bad}");
        assert!(!fits(&as_json(&bad)), "{bad}");
    }
}
