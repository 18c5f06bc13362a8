//! Random surfaces: every digest is what another canonicalizer makes of the text, and files survive reading and writing.

use super::*;
use crate::properties::generators;
use proptest::prelude::*;

/// What a server may declare: the lists of a random surface, tools with a schema, and a random handshake.
fn declared() -> impl Strategy<Value = (Surface, Value)> {
    let texts = prop::option::of(generators::text());
    let templates = prop::collection::btree_map(generators::text(), generators::object(), 0..3);
    let parts = (generators::surface(), generators::object(), generators::object(), texts, templates, any::<bool>());
    parts.prop_filter_map("an empty key", |(document, info, capabilities, instructions, templates, is_modern)| {
        let mut entry = serde_json::to_value(&document).expect("JSON");
        for tool in entry["tools"].as_array_mut().expect("a list") {
            if !tool["inputSchema"].is_object() {
                tool["inputSchema"] = json!({});
            }
        }
        entry["serverInfo"] = serde_json::to_value(&info).expect("JSON");
        entry["capabilities"] = serde_json::to_value(&capabilities).expect("JSON");
        entry["instructions"] = instructions.into();
        let template = |(key, object): (String, Object)| {
            let mut template = serde_json::to_value(&object).expect("JSON");
            template["uriTemplate"] = key.into();
            template
        };
        entry["resourceTemplates"] = templates.into_iter().map(template).collect();
        entry["protocolVersion"] = if is_modern { "2026-07-28" } else { "2025-06-18" }.into();
        if is_modern {
            entry["supportedVersions"] = json!(["2026-07-28", "x"]);
        }
        let has_keys = KINDS.iter().all(|(list, key)| {
            entry[list]
                .as_array()
                .expect("a list")
                .iter()
                .all(|item| item[key].as_str().is_some_and(|key| !key.is_empty()))
        });
        has_keys.then(|| (surface_of(&entry), entry))
    })
}

/// The entry with its lists in the order of the format.
fn in_order(mut entry: Value) -> Value {
    for (list, key) in KINDS {
        let by_key = |item: &Value| item[key].as_str().expect("a key").to_owned();
        entry[list].as_array_mut().expect("a list").sort_by_key(by_key);
    }
    entry
}

proptest! {
    #![proptest_config(generators::config(96))]

    #[test]
    fn all_digests_agree_with_another_canonicalizer((surface, entry) in declared()) {
        let (launch, strict) = (launch(), Options { strict: true, ..Options::default() });
        let new = [NewEntry { name: "t", launch: &launch, env: &[], surface: &surface }];
        let text = empty(Format::Mcp).with(&new, NOW).expect("a file").text;
        let stored: Value = serde_json::from_str(&text).expect("JSON");
        let want = sealed(in_order(entry));
        prop_assert_eq!(&stored["servers"]["t"]["digests"], &want["digests"]);
        // The layout is that of the library that its own tool prints with.
        prop_assert_eq!(&(serde_json::to_string_pretty(&stored).expect("JSON") + "\n"), &text);

        let file = load(&text).expect("a file");
        prop_assert_eq!(&file.with(&new, NOW).expect("a file").text, &text);
        prop_assert_eq!(file.compare("t", &surface, strict).expect("comparable"), []);
        let back = file.surface("t").expect("a surface");
        prop_assert_eq!(file.compare("t", &back, strict).expect("comparable"), []);
    }

    #[test]
    fn no_text_makes_it_panic(text in generators::text(), at in any::<prop::sample::Index>(), with in generators::value()) {
        let _ = load(&text);
        let mut bytes = written(&full()).into_bytes();
        let place = at.index(bytes.len());
        bytes.splice(place..place, text.bytes());
        let _ = read(Format::Mcp, &bytes);
        let mut file = file_of(1, full());
        file["servers"]["t"]["policy"] = serde_json::to_value(&with).expect("JSON");
        let _ = load(&file.to_string());
    }
}
