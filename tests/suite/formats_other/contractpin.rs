//! contractpin.lock: a test for each rule, named after its section.

use super::oracle::prefixed;
use super::{
    LATER, NOW, compared, digests, entry, four, loaded, parsed, pinned, refused, reversed, stdio, surface, told,
};
use serde_json::{Value, json};
use warden::formats::{EntryStart, Format, NewEntry, Options, empty};
use warden::surface::Launch;

const FORMAT: Format = Format::Contractpin;

fn lock(tools: &Value) -> String {
    pinned(&*empty(FORMAT), "s", &stdio(&["npx", "-y", "@acme/mcp-search"]), tools, NOW).text
}

fn digest_of(tool: Value) -> String {
    let text = lock(&json!([tool]));
    digests(&*loaded(&text), "s")[0].1.clone()
}

/// A file with one change; the digests stay as they were.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut document = parsed(&lock(&four()));
    change(&mut document);
    document.to_string()
}

#[test]
fn worked_digests_of_four_tools() {
    // Worked out by hand with two other programs.
    let text = lock(&four());
    let file = loaded(&text);
    let want = [
        ("Zeta", "baf167edad3cfaed8c2b3ed04632cde2ad216bcd42a7e521e43bbc95a8dffe4d"),
        ("noschema", "e26d8615ddc8e5032aed1426cb18a88d97abb407f7aa0c1bd34eb33ddd2924a3"),
        ("ping", "d9ebf44ed6e03ec73279c456bc401115110d071fa6ad45c160025241b49053bb"),
        ("read_file", "ec3d9d36dff46ea919f752177ca15373a1eb5f72793f13b2565b5de40872676c"),
    ];
    let want = want.map(|(name, digits)| (name.to_owned(), format!("sha256:{digits}")));
    assert_eq!(digests(&*file, "s"), want);
    let server = "sha256:c6718634171a525ee1ce34ffcd3058c9ee071765d4789511908f8868fcd2c715";
    assert_eq!(entry(&*file, "s").digest, server);
    let fields = &parsed(&text)["servers"]["s"]["tools"]["Zeta"]["fields"];
    let null = "sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b";
    assert_eq!(fields["description"], null);
    let hints = "sha256:8803fb4b4971327e527bfc007f694c25d5553baffc4acd00784c86ae97dfd056";
    assert_eq!(fields["annotations"], hints);
    let nothing = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    assert_eq!(entry(&*loaded(&lock(&json!([]))), "s").digest, nothing);
}

#[test]
fn worked_digest_of_key_order_above_the_bmp() {
    // Worked out by hand: the schema is the object with U+FFFF and U+1F600.
    let text = lock(&json!([{"name": "t", "inputSchema": {"\u{ffff}": 1, "\u{1f600}": 2}}]));
    let want = "sha256:48c5d098713870a7b88be7fc0ffc0a79e912d20f80ea8a4a5604426f49add103";
    assert_eq!(parsed(&text)["servers"]["s"]["tools"]["t"]["fields"]["inputSchema"], want);
}

#[test]
fn fingerprints_are_told_only_where_formats_agree() {
    let file = loaded(&lock(&four()));
    let fingerprints: Vec<_> = entry(&*file, "s").items.iter().map(|item| item.fingerprint.as_deref()).collect();
    let shared = "ec3d9d36dff46ea919f752177ca15373a1eb5f72793f13b2565b5de40872676c";
    assert_eq!(fingerprints, [None, None, None, Some(shared)]);
}

#[test]
fn section_2_required_members_are_there_in_every_case_and_absent_is_null() {
    let absent = digest_of(json!({"name": "t"}));
    let null =
        json!({"name": "t", "description": null, "inputSchema": null, "outputSchema": null, "annotations": null});
    assert_eq!(digest_of(null), absent);
    assert_eq!(absent, prefixed(&json!({"name": "t", "description": null, "inputSchema": null})));
    assert_ne!(digest_of(json!({"name": "t", "description": ""})), absent);
    assert_ne!(digest_of(json!({"name": "t", "inputSchema": {}})), absent);
}

#[test]
fn section_2_optional_members_count_when_they_are_not_null_even_if_empty() {
    let plain = digest_of(json!({"name": "t"}));
    let empty_hints = digest_of(json!({"name": "t", "annotations": {}}));
    assert_eq!(
        empty_hints,
        prefixed(&json!({"name": "t", "description": null, "inputSchema": null, "annotations": {}}))
    );
    let empty_output = digest_of(json!({"name": "t", "outputSchema": {}}));
    assert!(plain != empty_hints && plain != empty_output && empty_hints != empty_output);
}

#[test]
fn section_2_every_other_member_is_ignored() {
    let plain = digest_of(json!({"name": "t", "description": "d"}));
    let more = json!({"name": "t", "description": "d", "title": "T", "_meta": {"a": 1}, "icons": [], "x-vendor": true});
    assert_eq!(digest_of(more), plain);
}

#[test]
fn section_2_contents_are_pinned_exactly_as_served() {
    let of = |schema: Value| digest_of(json!({"name": "t", "inputSchema": schema}));
    let contents = [
        json!({"required": ["a", "b"]}),
        json!({"required": ["b", "a"]}),
        json!({"required": ["a", "b"], "x": null}),
        json!({"required": ["a", "b"], "default": {}}),
        json!({"required": ["a", "b"], "description": " "}),
        json!([]),
        json!("text"),
        json!(false),
    ];
    let found: std::collections::BTreeSet<String> = contents.iter().map(|schema| of(schema.clone())).collect();
    assert_eq!(found.len(), contents.len(), "two contents with one digest");
    for schema in contents {
        assert_eq!(of(schema.clone()), prefixed(&json!({"name": "t", "description": null, "inputSchema": schema})));
    }
}

#[test]
fn section_3_3_and_3_4_members_are_sorted_and_elements_are_not() {
    let of = |schema: &str| digest_of(json!({"name": "t", "inputSchema": parsed(schema)}));
    assert_eq!(of(r#"{"a": 1, "b": [1, 2]}"#), of(r#"{"b": [1, 2], "a": 1}"#));
    assert_ne!(of(r#"{"a": [1, 2]}"#), of(r#"{"a": [2, 1]}"#));
}

#[test]
fn section_3_6_numbers_are_what_they_mean() {
    let of = |number: &str| {
        let text = format!(r#"{{"tools": [{{"name": "t", "inputSchema": {{"n": {number}}}}}]}}"#);
        let limits = warden::json::ParseLimits { max_bytes: 1 << 20, max_depth: 99, max_values: 99 };
        let document = warden::json::parse(text.as_bytes(), &limits)?;
        let surface = warden::surface::Surface::from_document(document.as_object().unwrap()).unwrap();
        let launch = stdio(&["s"]);
        let new = NewEntry { name: "s", launch: &launch, env: &[], surface: &surface };
        let text = empty(FORMAT).with(&[new], NOW).unwrap().text;
        Ok::<_, warden::json::ParseError>(digests(&*loaded(&text), "s")[0].1.clone())
    };
    assert_eq!(of("1.0").unwrap(), of("1").unwrap());
    assert_eq!(of("-0.0").unwrap(), of("0").unwrap());
    assert_eq!(of("1E2").unwrap(), of("100").unwrap());
    assert_ne!(of("1e21").unwrap(), of("1e20").unwrap());
    for refused in ["1e999", "NaN", "Infinity", "9007199254740993", "123456789012345678901234567890"] {
        assert!(of(refused).is_err(), "{refused}");
    }
}

#[test]
fn section_3_8_what_cannot_be_hashed_is_refused_loudly() {
    use warden::json::{Object, Value};
    let number = |int: i64| {
        let schema: Object = [("n", Value::Int(int))].into_iter().collect();
        let tool: Object = [("name", Value::from("t\u{1b}")), ("inputSchema", schema.into())].into_iter().collect();
        warden::surface::Surface::from_entries(vec![tool.into()], Vec::new(), Vec::new()).unwrap()
    };
    let launch = stdio(&["s"]);
    let with = |surface: &warden::surface::Surface| {
        empty(FORMAT).with(&[NewEntry { name: "s", launch: &launch, env: &[], surface }], NOW)
    };
    assert!(with(&number(9_007_199_254_740_991)).is_ok());
    let refusal = with(&number(9_007_199_254_740_993)).unwrap_err().to_string();
    assert!(refusal.contains("9007199254740993") && refusal.contains("t⟨ESC⟩"), "{refusal}");
    let deep = (0..600).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let tool: Object = [("name", Value::from("t")), ("inputSchema", deep)].into_iter().collect();
    let surface = warden::surface::Surface::from_entries(vec![tool.into()], Vec::new(), Vec::new()).unwrap();
    assert!(with(&surface).unwrap_err().to_string().contains("deeper"));
}

#[test]
fn section_4_1_a_digest_is_71_characters() {
    let good = digest_of(json!({"name": "t"}));
    assert!(good.len() == 71 && good.starts_with("sha256:"));
    for bad in [&good[7..], &good.to_uppercase(), &good[..70], &format!("{good}0"), "", "sha512:00"] {
        let text = changed(|document| document["servers"]["s"]["tools"]["ping"]["digest"] = bad.into());
        assert_eq!(refused(FORMAT, &text).0, "invalid", "{bad}");
    }
}

#[test]
fn section_4_2_field_digests_are_advice_and_may_be_missing() {
    let text = changed(|document| {
        for (_, tool) in document["servers"]["s"]["tools"].as_object_mut().unwrap() {
            tool.as_object_mut().unwrap().remove("fields");
        }
    });
    let file = loaded(&text);
    assert_eq!(compared(&*file, "s", &four()), []);
    let mut tools = four();
    tools[0]["description"] = "other".into();
    assert_eq!(told(&compared(&*file, "s", &tools)), ["+ pinned-tool-changed tools/read_file"]);
    // One that is wrong changes no verdict, but is told.
    let null = json!("sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b");
    let text = changed(|document| document["servers"]["s"]["tools"]["ping"]["fields"]["inputSchema"] = null.clone());
    let found = compared(&*loaded(&text), "s", &four());
    assert_eq!(told(&found), ["- pinned-informational tools/ping inputSchema"]);
    // That of the name can be computed again.
    let text = changed(|document| document["servers"]["s"]["tools"]["ping"]["fields"]["name"] = null);
    assert_eq!(refused(FORMAT, &text).0, "corrupt");
}

#[test]
fn section_4_3_the_server_digest_follows_from_the_tools() {
    let file = loaded(&lock(&four()));
    let by_name: Value = digests(&*file, "s")
        .into_iter()
        .map(|(name, digest)| (name, Value::from(digest)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    assert_eq!(entry(&*file, "s").digest, prefixed(&by_name));
    for edit in ["digest", "tool"] {
        let text = changed(|document| {
            let server = &mut document["servers"]["s"];
            let other = server["tools"]["ping"]["digest"].clone();
            if edit == "tool" { server["tools"]["Zeta"]["digest"] = other } else { server["digest"] = other }
        });
        assert_eq!(refused(FORMAT, &text).0, "corrupt", "{edit}");
    }
}

#[test]
fn section_4_4_two_tools_of_one_name_are_refused() {
    let mut surface = surface(&json!([{"name": "a"}, {"name": "b"}]));
    let again = surface.tools[0].clone();
    surface.tools.push(again);
    let refusal = loaded(&lock(&four())).compare("s", &surface, Options::default()).unwrap_err().to_string();
    assert!(refusal.contains("\"a\" is declared twice"), "{refusal}");
    let launch = stdio(&["s"]);
    let new = NewEntry { name: "s", launch: &launch, env: &[], surface: &surface };
    assert!(empty(FORMAT).with(&[new], NOW).is_err());
    let good = lock(&four());
    let twice = good.replacen("\"Zeta\": {", "\"ping\": {", 1);
    assert!(refused(FORMAT, &twice).1.contains("repeated"));
}

#[test]
fn section_5_what_is_required_is_required() {
    for member in ["contractpin", "algorithm", "canonicalization", "generated_at", "servers"] {
        let text = changed(|document| {
            document.as_object_mut().unwrap().remove(member);
        });
        if member == "contractpin" {
            assert_eq!(warden::formats::detect(text.as_bytes()), None);
        }
        let (kind, message) = refused(FORMAT, &text);
        assert!(kind == "invalid" && message.contains(member), "{message}");
    }
    for member in ["transport", "command", "tool_count", "digest", "tools"] {
        let text = changed(|document| {
            document["servers"]["s"].as_object_mut().unwrap().remove(member);
        });
        let (kind, message) = refused(FORMAT, &text);
        assert!(kind == "invalid" && message.contains(&format!("/servers/s/{member}")), "{message}");
    }
    for (transport, member) in [("http", "url"), ("file", "path")] {
        let text = changed(|document| document["servers"]["s"]["transport"] = transport.into());
        assert!(refused(FORMAT, &text).1.contains(member));
        let text = changed(|document| {
            document["servers"]["s"]["transport"] = transport.into();
            document["servers"]["s"][member] = "".into();
        });
        assert!(refused(FORMAT, &text).1.contains(member));
    }
    for command in [json!([]), json!([""]), json!("npx"), json!([1])] {
        let text = changed(|document| document["servers"]["s"]["command"] = command);
        assert!(refused(FORMAT, &text).1.contains("/command"));
    }
    for time in ["", "yesterday", "2026-08-14", "2026-08-14T09:31:07+00:00", "2026-08-14T09:31:07.000Z"] {
        let text = changed(|document| document["generated_at"] = time.into());
        assert!(refused(FORMAT, &text).1.contains("generated_at"), "{time}");
    }
}

#[test]
fn section_5_a_wrong_count_is_a_corrupt_file() {
    for count in [json!(3), json!(5), json!(-4)] {
        let text = changed(|document| document["servers"]["s"]["tool_count"] = count);
        assert_eq!(refused(FORMAT, &text).0, "corrupt");
    }
    for count in [json!(4.0), json!("4"), Value::Null] {
        let text = changed(|document| document["servers"]["s"]["tool_count"] = count);
        assert_eq!(refused(FORMAT, &text).0, "invalid");
    }
}

#[test]
fn section_5_and_8_unknown_versions_are_refused() {
    for (member, value) in [
        ("contractpin", "2"),
        ("contractpin", "1.0"),
        ("contractpin", ""),
        ("algorithm", "sha512"),
        ("canonicalization", "contractpin-canonical-json/2"),
        ("canonicalization", "\u{1b}[31m"),
    ] {
        let (kind, message) = refused(FORMAT, &changed(|document| document[member] = value.into()));
        assert!(kind == "unknown" && message.contains(member) && !message.contains('\u{1b}'), "{message}");
    }
    assert_eq!(refused(FORMAT, &changed(|document| document["contractpin"] = 1.into())).0, "invalid");
}

#[test]
fn section_5_the_three_transports_are_read() {
    let text = changed(|document| {
        let stdio = document["servers"]["s"].clone();
        let mut http = stdio.clone();
        http["transport"] = "http".into();
        http["url"] = "https://a.test/mcp".into();
        let mut file = stdio;
        file["transport"] = "file".into();
        file["path"] = "dumps/tools.json".into();
        document["servers"]["h"] = http;
        document["servers"]["f"] = file;
        document["servers"]["s"]["cwd"] = "server".into();
        document["servers"]["s"]["env"] = json!({"TOKEN": "${TOKEN}", "MODE": null});
        document["servers"]["s"]["env"]["MODE"] = "prod-2f".into();
    });
    let file = loaded(&text);
    let names: Vec<&str> = file.entries().iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["f", "h", "s"]);
    assert_eq!(entry(&*file, "f").start, EntryStart::File("dumps/tools.json".to_owned()));
    assert_eq!(entry(&*file, "h").start, EntryStart::Launch(Launch::Url("https://a.test/mcp".to_owned())));
    let server = entry(&*file, "s");
    assert_eq!(server.start, EntryStart::Launch(stdio(&["npx", "-y", "@acme/mcp-search"])));
    assert_eq!((server.env.join(","), server.cwd.as_deref()), ("MODE,TOKEN".to_owned(), Some("server")));
    // A value that stands in the file is told, used by nobody, and never printed.
    let notes = file.notes().join("\n");
    assert!(notes.contains("MODE") && !notes.contains("TOKEN\"") && !notes.contains("prod-2f"), "{notes}");
    let again = pinned(&*file, "new", &stdio(&["x"]), &four(), NOW);
    assert!(again.text.contains("\"MODE\": \"${MODE}\"") && !again.text.contains("prod-2f"));
    assert!(again.notes.join("\n").contains("references"));
    assert!(file.surface("s").is_none() && server.protocol_version.is_none());
}

#[test]
fn section_5_no_credential_is_written() {
    let surface = surface(&four());
    let refused = |launch: &Launch| {
        let new = NewEntry { name: "s", launch, env: &[], surface: &surface };
        let refusal = empty(FORMAT).with(&[new], NOW).unwrap_err().to_string();
        assert!(!refusal.contains("hunter2"), "{refusal}");
    };
    for url in ["https://ann:hunter2@a.test/mcp", "https://a.test/mcp?api_key=hunter2", "https://hunter2@a.test"] {
        refused(&Launch::Url(url.to_owned()));
        refused(&stdio(&["npx", "mcp-remote", url]));
    }
    refused(&stdio(&["npx", "mcp-remote", "https://a.test", "--header", "Authorization: Bearer hunter2"]));
    refused(&stdio(&["srv", "--token=hunter2"]));
    // One that somebody else wrote is told, and the file is not written on.
    let text = changed(|document| document["servers"]["s"]["command"] = json!(["srv", "--token", "hunter2"]));
    let file = loaded(&text);
    assert!(file.notes().join("\n").contains("credential"));
    let launch = stdio(&["x"]);
    let refusal = file.with(&[NewEntry { name: "n", launch: &launch, env: &[], surface: &surface }], NOW).unwrap_err();
    assert!(!refusal.to_string().contains("hunter2"));
    // Headers go, variables become names.
    let text = changed(|document| document["servers"]["s"]["headers"] = json!({"Authorization": "Bearer hunter2"}));
    let file = loaded(&text);
    let env = ["TOKEN".to_owned()];
    let written = file.with(&[NewEntry { name: "n", launch: &launch, env: &env, surface: &surface }], NOW).unwrap();
    assert!(!written.text.contains("hunter2") && written.text.contains("\"TOKEN\": \"${TOKEN}\""), "{}", written.text);
    assert!(written.notes.join("\n").contains("headers"));
}

#[test]
fn section_5_the_file_is_sorted_and_indented_and_ends_with_a_line_feed() {
    let text = lock(&four());
    let sorted = |value: &Value| {
        let text = serde_json::to_string_pretty(value).unwrap();
        text + "\n"
    };
    fn sort(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let members: std::collections::BTreeMap<String, Value> =
                    members.iter().map(|(name, value)| (name.clone(), sort(value))).collect();
                members.into_iter().collect::<serde_json::Map<_, _>>().into()
            }
            Value::Array(items) => items.iter().map(sort).collect(),
            scalar => scalar.clone(),
        }
    }
    assert_eq!(text, sorted(&sort(&parsed(&text))));
    assert!(!text.contains('\r') && text.ends_with("}\n") && !text.ends_with("\n\n"));
}

#[test]
fn section_5_layout_is_no_part_of_a_digest() {
    let text = lock(&four());
    let other = reversed(&parsed(&text)).to_string();
    let file = loaded(&other);
    assert_eq!(compared(&*file, "s", &four()), []);
    assert_eq!(digests(&*file, "s"), digests(&*loaded(&text), "s"));
    assert_eq!(file.compare_files("s", &*loaded(&text), Options::default()), Some(Vec::new()));
    // Nothing changed but the time, so the text stays as somebody laid it out.
    let launch = stdio(&["npx", "-y", "@acme/mcp-search"]);
    assert_eq!(pinned(&*file, "s", &launch, &four(), LATER).text, other);
    assert_eq!(pinned(&*loaded(&text), "s", &launch, &four(), LATER).text, text);
}

#[test]
fn what_this_version_does_not_know_survives() {
    let text = changed(|document| {
        document["aaa"] = json!({"z": 1, "a": [1.5, null]});
        document["servers"]["s"]["note"] = "reviewed by Ann".into();
        document["servers"]["s"]["tools"]["ping"]["risk"] = 3.into();
    });
    let written = pinned(&*loaded(&text), "s", &stdio(&["other"]), &four(), LATER).text;
    let document = parsed(&written);
    assert_eq!(document["aaa"], json!({"z": 1, "a": [1.5, null]}));
    assert_eq!(document["servers"]["s"]["note"], "reviewed by Ann");
    assert_eq!(document["servers"]["s"]["tools"]["ping"]["risk"], 3);
    assert_eq!(document["servers"]["s"]["command"], json!(["other"]));
    assert_eq!(document["generated_at"], LATER);
    assert!(written.starts_with("{\n  \"aaa\": {\n    \"a\": ["));
}

#[test]
fn section_6_order_and_pages_are_not_data() {
    let mut tools = four();
    tools.as_array_mut().unwrap().reverse();
    assert_eq!(lock(&tools), lock(&four()));
    assert_eq!(compared(&*loaded(&lock(&four())), "s", &tools), []);
}

#[test]
fn section_6_tools_are_removed_added_drifted_or_unchanged() {
    let file = loaded(&lock(&four()));
    let mut tools = four();
    tools[1]["name"] = "ping2".into();
    tools[0]["description"] = "Read any file".into();
    tools[0]["outputSchema"] = json!({});
    tools[2]["title"] = "not covered".into();
    let want = [
        "+ pinned-tool-removed tools/ping",
        "+ pinned-tool-added tools/ping2",
        "+ pinned-tool-changed tools/read_file description,outputSchema",
    ];
    assert_eq!(told(&compared(&*file, "s", &tools)), want);
    let allowed = file.compare("s", &surface(&tools), Options { allow_new: true, strict: false }).unwrap();
    assert_eq!(told(&allowed)[1], "- pinned-tool-added tools/ping2");
    assert!(allowed[0].fails && allowed[2].fails);
    // Two files tell the same.
    let other = loaded(&lock(&tools));
    let between = file.compare_files("s", &*other, Options::default()).unwrap();
    assert_eq!(told(&between), want);
    assert_eq!(file.compare_files("t", &*other, Options::default()), None);
    assert_eq!(file.compare_files("s", &*empty(Format::Agentgate), Options::default()), None);
    assert!(file.compare("t", &surface(&tools), Options::default()).is_err());
}

#[test]
fn a_dump_is_pinned_with_its_path_and_no_path_leads_out() {
    let surface = surface(&four());
    let written = empty(FORMAT).with_dump("f", "dumps/tools.json", &surface, NOW).unwrap();
    let file = loaded(&written.text);
    assert_eq!(entry(&*file, "f").start, EntryStart::File("dumps/tools.json".to_owned()));
    assert_eq!(file.with_dump("f", "dumps/tools.json", &surface, LATER).unwrap(), written);
    for path in ["/etc/passwd", "../x", "a/../../x", "C:\\x", "c:/x", "a\\..\\b", "", "x\n", "."] {
        assert!(file.with_dump("f", path, &surface, NOW).is_err(), "{path}");
        let mut document = parsed(&written.text);
        document["servers"]["f"]["path"] = path.into();
        let (kind, message) = refused(FORMAT, &document.to_string());
        assert!(kind == "invalid" && message.contains("/servers/f/path"), "{message}");
    }
}

#[test]
fn a_server_that_is_started_another_way_loses_what_belonged_to_the_old_one() {
    let mut document = parsed(&lock(&four()));
    document["servers"]["s"]["env"] = json!({"A": "${B}", "C": "${C}"});
    document["servers"]["s"]["cwd"] = "x".into();
    let file = loaded(&document.to_string());
    let surface = surface(&four());
    let launch = stdio(&["npx"]);
    let env = ["A".to_owned(), "D".to_owned()];
    let new = NewEntry { name: "s", launch: &launch, env: &env, surface: &surface };
    let server = parsed(&file.with(&[new], NOW).unwrap().text)["servers"]["s"].clone();
    assert_eq!(server["env"], json!({"A": "${B}", "D": "${D}"}));
    assert_eq!(server["cwd"], "x");
    let url = Launch::Url("https://a.test".to_owned());
    let server = parsed(&pinned(&*file, "s", &url, &four(), NOW).text)["servers"]["s"].clone();
    let names: Vec<&String> = server.as_object().unwrap().keys().collect();
    assert_eq!(names, ["digest", "tool_count", "tools", "transport", "url"]);
}
