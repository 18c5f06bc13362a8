//! LOCKFILE.md, "Fields": versions, required members and their types, structure, digests.

use super::*;

fn with(change: impl FnOnce(&mut Value)) -> Value {
    let mut file = file_of(1, full());
    change(&mut file);
    file
}

fn resealed(change: impl FnOnce(&mut Value)) -> Value {
    let mut entry = full();
    change(&mut entry);
    file_of(1, entry)
}

fn remove(value: &mut Value, name: &str) {
    value.as_object_mut().expect("an object").remove(name);
}

#[test]
fn fields_lockfile_version_is_1_or_2() {
    for version in [1, 2] {
        let file = loaded(&file_of(version, full()));
        assert_eq!(file.version(), format!("mcp.lock {version}"));
        assert_eq!(file.format(), Format::Mcp);
    }
    for (version, kind) in [
        (json!(0), "unknown"),
        (json!(3), "unknown"),
        (json!(-1), "unknown"),
        (json!(1.0), "invalid"),
        (json!("1"), "invalid"),
        (json!(null), "invalid"),
        (json!([1]), "invalid"),
        (json!(u64::MAX), "invalid"),
    ] {
        let (found, message) = refused(&with(|file| file["lockfileVersion"] = version.clone()));
        assert!(found == kind && message.contains("lockfileVersion"), "{version}: {found} {message}");
    }
    let (kind, message) = refused(&with(|file| remove(file, "lockfileVersion")));
    assert!(kind == "invalid" && message.contains("no lockfileVersion"), "{message}");
}

#[test]
fn fields_a_version_1_file_with_supported_versions_is_rejected() {
    let entry = |file: &mut Value| file["servers"]["t"]["supportedVersions"] = json!(["2025-11-25"]);
    let (kind, message) = refused(&with(entry));
    assert!(kind == "invalid" && message.contains("version 1"), "{message}");
    let null = |file: &mut Value| file["servers"]["t"]["supportedVersions"] = Value::Null;
    assert_eq!(refused(&with(null)).0, "invalid");
}

#[test]
fn fields_what_must_be_there_must_be_there() {
    for name in ["generator", "servers"] {
        let (kind, message) = refused(&with(|file| remove(file, name)));
        assert!(kind == "invalid" && message.contains(name) && message.contains("missing"), "{message}");
    }
    for name in ["command", "protocolVersion", "serverInfo", "capabilities", "digests"] {
        let (kind, message) = refused(&with(|file| remove(&mut file["servers"]["t"], name)));
        assert!(kind == "invalid" && message.contains(name) && message.contains("\"t\""), "{message}");
    }
    let (kind, message) = refused(&with(|file| remove(&mut file["servers"]["t"]["digests"], "surface")));
    assert!(kind == "invalid" && message.contains("digests.surface is missing"), "{message}");
}

#[test]
fn fields_what_may_be_absent_has_its_default() {
    let mut entry = json!({"command": [], "protocolVersion": "x", "serverInfo": {}, "capabilities": {}});
    let mut file = file_of(1, entry.clone());
    for name in ["tools", "prompts", "resources", "resourceTemplates", "instructions"] {
        remove(&mut file["servers"]["t"]["digests"], name);
    }
    let lock = loaded(&file);
    let found = &lock.entries()[0];
    assert_eq!((found.items.len(), found.env.len(), found.cwd.as_deref()), (0, 0, None));
    // Only a new entry needs a command.
    assert_eq!(found.start, warden::formats::EntryStart::Unknown);
    entry["command"] = json!(["a", "b"]);
    let lock = loaded(&file_of(1, entry));
    let launch = Launch::Stdio { command: "a".to_owned(), args: vec!["b".to_owned()] };
    assert_eq!(lock.entries()[0].start, warden::formats::EntryStart::Launch(launch));
    assert!(loaded(&json!({"lockfileVersion": 1, "generator": "", "servers": {}})).entries().is_empty());
}

/// Every member that the format names, with a value of every other type.
#[test]
fn fields_have_their_types() {
    let values =
        [json!(null), json!(true), json!(7), json!(1.5), json!("x"), json!([]), json!({}), json!([1]), json!([[]])];
    let named: [(&str, &[&str]); 19] = [
        ("/generator", &["string"]),
        ("/servers", &["object"]),
        ("/servers/t", &[]),
        ("/servers/t/command", &["array"]),
        ("/servers/t/envPassthrough", &["array"]),
        ("/servers/t/protocolVersion", &[]),
        ("/servers/t/serverInfo", &[]),
        ("/servers/t/instructions", &[]),
        ("/servers/t/capabilities", &[]),
        ("/servers/t/tools", &[]),
        ("/servers/t/prompts", &[]),
        ("/servers/t/resources", &[]),
        ("/servers/t/resourceTemplates", &[]),
        ("/servers/t/digests", &[]),
        ("/servers/t/digests/surface", &[]),
        ("/servers/t/digests/instructions", &[]),
        ("/servers/t/digests/tools", &[]),
        ("/servers/t/digests/prompts", &[]),
        ("/servers/t/tools/0", &[]),
    ];
    let mut tried = 0;
    for (pointer, accepted) in named {
        for value in &values {
            let kind = match value {
                Value::String(_) => "string",
                Value::Object(_) => "object",
                Value::Array(items) if items.is_empty() => "array",
                _ => "other",
            };
            let file = with(|file| *file.pointer_mut(pointer).expect("a member") = value.clone());
            if accepted.contains(&kind) {
                loaded(&file);
            } else {
                let (_, message) = refused(&file);
                assert!(!message.is_empty(), "{pointer} {value}");
                tried += 1;
            }
        }
    }
    assert!(tried > 150, "{tried}");
    let (kind, message) = refused(&with(|file| file["servers"]["t"]["tools"] = Value::Null));
    assert!(kind == "invalid" && message.contains("tools is null, not an array"), "{message}");
}

#[test]
fn fields_definitions_have_unique_keys_and_tools_a_schema() {
    for (list, key) in KINDS {
        let change = |value: Value| {
            resealed(|entry| {
                let item = &mut entry[list][0];
                item[key] = value;
            })
        };
        for (value, words) in [(json!(""), "empty"), (json!(7), "not a string"), (json!(null), "not a string")] {
            let (kind, message) = refused(&change(value));
            assert!(kind == "invalid" && message.contains(words) && message.contains(key), "{message}");
        }
        let absent = resealed(|entry| remove(&mut entry[list][0], key));
        assert!(refused(&absent).1.contains(&format!("has no {key}")));
        let twice = resealed(|entry| {
            let first = entry[list][0].clone();
            entry[list].as_array_mut().expect("a list").push(first);
        });
        assert!(refused(&twice).1.contains("twice"));
        let no_object = resealed(|entry| entry[list][0] = json!("x"));
        assert!(refused(&no_object).1.contains("not an object"));
    }
    for schema in [json!(null), json!(true), json!([]), json!("x")] {
        let (kind, message) = refused(&resealed(|entry| entry["tools"][0]["inputSchema"] = schema));
        assert!(kind == "invalid" && message.contains("\"add\"") && message.contains("inputSchema"), "{message}");
    }
    let none = resealed(|entry| remove(&mut entry["tools"][0], "inputSchema"));
    assert!(refused(&none).1.contains("has no inputSchema"));
}

#[test]
fn fields_a_kind_holds_at_most_1000_definitions() {
    let many = |count: usize| {
        let list: Vec<Value> = (0..count).map(|i| json!({"uri": format!("u{i:04}")})).collect();
        resealed(|entry| entry["resources"] = list.into())
    };
    assert_eq!(loaded(&many(1000)).entries()[0].items.len(), 1004);
    let (kind, message) = refused(&many(1001));
    assert!(kind == "invalid" && message.contains("resources holds more than 1000"), "{message}");
}

#[test]
fn fields_digests_that_do_not_match_are_refused_by_name() {
    let corrupt = |pointer: &str, value: Value, words: &str| {
        let (kind, message) = refused(&with(|file| *file.pointer_mut(pointer).expect("a member") = value));
        assert!(kind == "corrupt" && message.contains("server \"t\"") && message.contains(words), "{message}");
    };
    corrupt("/servers/t/tools/0/description", json!("Other"), "tool \"add\"");
    corrupt("/servers/t/prompts/0/arguments", json!([]), "prompt \"greet\"");
    corrupt("/servers/t/resources/0/name", json!("x"), "resource \"file:///readme.md\"");
    corrupt("/servers/t/resourceTemplates/0/name", json!("x"), "resource template \"notes://{id}\"");
    corrupt("/servers/t/instructions", json!("Use these tools"), "instructions");
    corrupt("/servers/t/instructions", json!(null), "instructions");
    corrupt("/servers/t/serverInfo/version", json!("1.0.1"), "serverInfo");
    corrupt("/servers/t/digests/tools", json!({}), "has no digest");
    corrupt("/servers/t/digests/surface", json!(digest(&json!({}))), "surface digest");
    let upper = |file: &mut Value| {
        let digest = file["servers"]["t"]["digests"]["tools"]["add"].as_str().expect("a digest").to_uppercase();
        file["servers"]["t"]["digests"]["tools"]["add"] = digest.replace("SHA256", "sha256").into();
    };
    assert_eq!(refused(&with(upper)).0, "corrupt");
    let extra = |file: &mut Value| file["servers"]["t"]["digests"]["prompts"]["other"] = json!(digest(&json!({})));
    let (kind, message) = refused(&with(extra));
    assert!(
        kind == "corrupt" && message.contains("prompt \"other\"") && message.contains("does not hold"),
        "{message}"
    );
}

#[test]
fn fields_the_order_of_a_list_is_hashed_and_that_of_members_is_not() {
    let (kind, message) =
        refused(&with(|file| file["servers"]["t"]["tools"].as_array_mut().expect("a list").reverse()));
    assert!(kind == "corrupt" && message.contains("order of a list"), "{message}");

    fn reversed(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                members.iter().rev().map(|(name, value)| (name.clone(), reversed(value))).collect::<Map<_, _>>().into()
            }
            Value::Array(items) => items.iter().map(reversed).collect(),
            scalar => scalar.clone(),
        }
    }
    let (file, other) = (file_of(1, full()), reversed(&file_of(1, full())));
    assert_ne!(file.to_string(), other.to_string());
    assert_eq!(loaded(&file).entries(), loaded(&other).entries());
    assert_eq!(told(&*loaded(&other), &full(), Options { strict: true, ..Options::default() }), [""; 0]);
}

#[test]
fn fields_unknown_members_are_tolerated_told_and_kept() {
    let mut file = file_of(1, full());
    file["note"] = json!({"by": "me"});
    file["servers"]["t"]["owner"] = json!("team-a");
    file["servers"]["t"]["digests"]["sri"] = json!([1, 2]);
    let lock = loaded(&file);
    let notes = lock.notes();
    assert!(notes.len() == 2 && notes[0].contains("\"note\"") && notes[1].contains("\"owner\", \"sri\""), "{notes:?}");
    let mut entry = full();
    entry["instructions"] = json!("New.");
    let text = pinned(&*lock, &entry).expect("a file").text;
    let again: Value = serde_json::from_str(&text).expect("JSON");
    for pointer in ["/note", "/servers/t/owner", "/servers/t/digests/sri"] {
        assert_eq!(again.pointer(pointer), file.pointer(pointer), "{pointer}");
    }
    assert_eq!(load(&text).expect("a file").notes(), notes);
}

#[test]
fn fields_one_bad_entry_refuses_the_file_and_names_its_server() {
    let mut file = file_of(1, full());
    let mut bad = file["servers"]["t"].clone();
    bad["tools"][0]["description"] = json!("x");
    file["servers"]["a\u{202e}b"] = bad;
    let (kind, message) = refused(&file);
    assert!(kind == "corrupt" && message.contains("a⟨U+202E⟩b"), "{message}");
}
