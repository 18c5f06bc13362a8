//! Random surfaces: the digests of files are those of the oracle, and files survive reading and writing.

use super::oracle::{canonical, digest, prefixed, sha256};
use super::{LATER, NOW, digests, entry, loaded, stdio};
use crate::properties::generators;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use warden::formats::{Dialect, Format, LockFile, NewEntry, Options, empty, empty_agentgate};
use warden::surface::Surface;

fn contract(tool: &Value) -> Value {
    let mut contract = Map::new();
    for name in ["name", "description", "inputSchema"] {
        contract.insert(name.to_owned(), tool[name].clone());
    }
    for name in ["outputSchema", "annotations"] {
        if !tool[name].is_null() {
            contract.insert(name.to_owned(), tool[name].clone());
        }
    }
    contract.into()
}

fn or(value: &Value, absent: Value) -> Value {
    if value.is_null() { absent } else { value.clone() }
}

/// The file of one server, written, read, and written once more.
fn written(new: &dyn LockFile, surface: &Surface) -> (String, Box<dyn LockFile>) {
    let launch = stdio(&["server"]);
    let entries = [NewEntry { name: "s", launch: &launch, env: &[], surface }];
    let text = new.with(&entries, NOW).expect("a file").text;
    let file = loaded(&text);
    assert_eq!(file.with(&entries, LATER).expect("a file").text, text, "not the same bytes");
    assert_eq!(file.compare("s", surface, Options::default()).expect("comparable"), []);
    (text, file)
}

proptest! {
    #![proptest_config(generators::config(96))]

    #[test]
    fn all_digests_agree_with_the_oracle(document in generators::surface()) {
        let surface = Surface::from_document(document.as_object().expect("an object")).expect("a surface");
        let document = serde_json::to_value(&document).expect("JSON");
        let tools = document["tools"].as_array().expect("tools");
        let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();

        let (_, file) = written(&*empty(Format::Contractpin), &surface);
        let by_name: Map<String, Value> =
            tools.iter().map(|tool| (name(tool), prefixed(&contract(tool)).into())).collect();
        for (tool, found) in digests(&*file, "s") {
            prop_assert_eq!(&by_name[&tool], &Value::from(found));
        }
        prop_assert_eq!(&entry(&*file, "s").digest, &prefixed(&by_name.clone().into()));

        let (text, file) = written(&empty_agentgate(Dialect::Published), &surface);
        let mut by_name: Vec<(Vec<u16>, Value)> = Vec::new();
        for tool in tools {
            let whole = json!({
                "name": tool["name"],
                "description": or(&tool["description"], "".into()),
                "inputSchema": or(&tool["inputSchema"], json!({})),
            });
            let found = super::parsed(&text)["servers"]["s"]["tools"][&name(tool)].clone();
            for (member, value) in [
                ("hash", &whole),
                ("nameHash", &whole["name"]),
                ("descriptionHash", &whole["description"]),
                ("inputSchemaHash", &whole["inputSchema"]),
            ] {
                prop_assert_eq!(&found[member], &Value::from(prefixed(value)));
            }
            by_name.push((name(tool).encode_utf16().collect(), prefixed(&whole).into()));
        }
        by_name.sort_by(|a, b| a.0.cmp(&b.0));
        let hashes: Value = by_name.into_iter().map(|(_, hash)| hash).collect();
        prop_assert_eq!(&entry(&*file, "s").digest, &prefixed(&hashes));

        let (text, file) = written(&*empty(Format::Agentgate), &surface);
        let stored = super::parsed(&text)["servers"]["s"]["tools"].clone();
        let mut triples = Vec::new();
        for found in stored.as_array().expect("tools") {
            let tool = tools.iter().find(|tool| tool["name"] == found["name"]).expect("a tool");
            let description = or(&tool["description"], "".into());
            let triple = [
                sha256(name(tool).as_bytes()),
                sha256(description.as_str().expect("a text").as_bytes()),
                digest(&or(&tool["inputSchema"], json!({}))),
            ];
            for (member, value) in ["nameHash", "descriptionHash", "inputSchemaHash"].into_iter().zip(&triple) {
                prop_assert_eq!(&found[member], &Value::from(value.as_str()));
            }
            triples.push(json!(triple));
        }
        prop_assert_eq!(triples.len(), tools.len());
        // The order is that of the file, which has a test of its own.
        prop_assert_eq!(&entry(&*file, "s").digest, &sha256(canonical(&triples.into()).as_bytes()));
    }

    #[test]
    fn the_oracle_writes_numbers_as_the_program_does(number in generators::number()) {
        let ours = warden::json::canonical_text(&number).expect("finite");
        prop_assert_eq!(canonical(&serde_json::to_value(&number).expect("JSON")), ours);
    }
}
