//! The worked digests. Each was computed by two implementations that share no code with this program.

use super::*;

/// Surface digest of a new file with this entry, and its digests of definitions by target.
fn digests_of(entry: &Value) -> (String, Vec<(String, String)>) {
    let text = written(entry);
    let file = load(&text).expect("a file");
    let found = &file.entries()[0];
    let stored: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(stored["servers"]["t"]["digests"]["surface"], Value::from(found.digest.as_str()));
    (found.digest.clone(), found.items.iter().map(|item| (item.target.clone(), item.digest.clone())).collect())
}

fn schema() -> Value {
    json!({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]})
}

fn example_a() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "serverInfo": {"name": "evil-demo", "version": "1.0.0"},
        "instructions": "Arithmetic helper.",
        "capabilities": {"tools": {"listChanged": true}, "logging": {}},
        "tools": [
            {"name": "echo_env", "description": "Return the value of SUPER_SECRET (test only).", "inputSchema": {"type": "object", "properties": {}}},
            {"name": "add", "description": "Add two numbers.", "inputSchema": schema()}
        ]
    })
}

fn instructions_digest(entry: &Value) -> Value {
    serde_json::from_str::<Value>(&written(entry)).expect("JSON")["servers"]["t"]["digests"]["instructions"].clone()
}

#[test]
fn example_a_with_and_without_instructions() {
    let mut entry = example_a();
    let (surface, items) = digests_of(&entry);
    assert_eq!(surface, "sha256:b73977c589f6589a7225fd1d085d16d34569c24d4a44ddb14f9f37da1c9f1bad");
    let want = [
        ("tools/add", "sha256:87bd32a494824b097c7789e80e0def674ab871a453c3d6ecb8d0a7c297b19206"),
        ("tools/echo_env", "sha256:d25bf7b5b61705cbf7659d91206a95f7fbce293a6530ccf2d4853753392277f8"),
    ];
    assert_eq!(items, want.map(|(target, digest)| (target.to_owned(), digest.to_owned())));
    let of_instructions = "sha256:3ea166fa54ddfca86e872b427968ff7edc74067da89712eca96a02e893a12ecb";
    assert_eq!(instructions_digest(&entry), of_instructions);
    for none in [Value::Null, json!(7), json!({"a": 1})] {
        entry["instructions"] = none;
        assert_eq!(digests_of(&entry).0, "sha256:5da67e06438b42609ac446cb20282923ca9fb0eaff9daf5bdae8f703559d61bf");
        assert_eq!(instructions_digest(&entry), Value::Null);
    }
}

#[test]
fn example_b() {
    let entry = json!({
        "protocolVersion": "2025-06-18",
        "serverInfo": {"name": "demo", "version": "1.0.0"},
        "instructions": "Use these tools for arithmetic.",
        "capabilities": {"tools": {"listChanged": true}},
        "tools": [
            {"name": "add", "description": "Add two numbers", "inputSchema": schema()},
            {"name": "sub", "description": "Subtract", "inputSchema": schema()}
        ]
    });
    let (surface, items) = digests_of(&entry);
    assert_eq!(surface, "sha256:261ce6ff2741903adc54fb1f5b3c6e92e0ee449724da6e687261129afe4e8789");
    assert_eq!(items[0].1, "sha256:e84e846a57adc93ec18b5c7478abe5fab4f691e3fc226d46302c326ac6e5bc84");
    assert_eq!(items[1].1, "sha256:ae4dd74c270174b3ad61bec9b3eca28f7559eb3d0ad2b21375dc6fe66216d251");
    let of_instructions = "sha256:6268bad61e135612136f12bb59c1ff00b39befa45da61759972d3c9b4ac6b2dd";
    assert_eq!(instructions_digest(&entry), of_instructions);
}

#[test]
fn example_c_all_four_kinds_and_awkward_numbers() {
    let entry = json!({
        "protocolVersion": "2025-06-18",
        "serverInfo": {"name": "demo", "version": "1.0.0"},
        "instructions": "Arithmetic helper.",
        "capabilities": {"tools": {"listChanged": true}, "prompts": {}, "resources": {"subscribe": true}, "logging": {}},
        "tools": [{"name": "n", "description": "caf\u{e9} \u{200b}\u{1f600}", "inputSchema": {"type": "object", "properties":
            {"x": {"type": "number", "minimum": 0.10, "maximum": 1e21, "default": -0.0, "multipleOf": 1e-7}}}}],
        "prompts": [{"name": "greet", "arguments": [{"name": "who", "required": true}]}],
        "resources": [{"uri": "file:///readme.md", "name": "readme"}],
        "resourceTemplates": [{"uriTemplate": "notes://{id}", "name": "note"}]
    });
    let (surface, items) = digests_of(&entry);
    assert_eq!(surface, "sha256:87bd70feb9ed87425db78d869ea57d77c6b62260dae9c4f48acf972ccafe2d01");
    let want = [
        ("prompts/greet", "sha256:bcf2c717dffb4647d07b5a0f37ec7ba3193c494ae4cda5bc139f8ccaab3adcff"),
        ("resource-templates/notes://{id}", "sha256:bd66dab17fcc8639647a6e2cf344331db59f5e0d91f77e29dd82238b66164610"),
        ("resources/file:///readme.md", "sha256:443a212a13a4d2686315c78b983e8b56828758cf4dc02b05431df83cdce56dbb"),
        ("tools/n", "sha256:4e98c2578c5ff26260d2a607c1f0b8851f9a046b322494614fa21b7791c1f53f"),
    ];
    assert_eq!(items, want.map(|(target, digest)| (target.to_owned(), digest.to_owned())));
}

#[test]
fn example_d_both_forms_of_version_2_are_read_and_the_longer_one_is_written() {
    let mut entry = example_a();
    entry["protocolVersion"] = "2026-07-28".into();
    entry["supportedVersions"] = json!(["2026-07-28"]);
    let text = written(&entry);
    let longer = "sha256:2c8cc1b7c15d7560b424aeb9b6429d663ae76c89ee8980ea4123baca54293203";
    let shorter = "sha256:1c13b71d1ecd3464ccd444c90400800f696732dfb78628c83eb94ced64337d88";
    assert!(text.contains(longer) && text.starts_with("{\n  \"lockfileVersion\": 2,\n"), "{text}");
    assert_eq!(load(&text).expect("a file").notes(), [""; 0]);

    let other = text.replace(longer, shorter);
    let file = load(&other).expect("the other form");
    assert_eq!(file.entries()[0].digest, shorter);
    assert!(file.notes()[0].contains("leaves out supportedVersions"), "{:?}", file.notes());
    assert_eq!(told(&*file, &entry, Options::default()), [""; 0]);
    assert_eq!(pinned(&*file, &entry).expect("a file").text, other, "nothing changed, so nothing is written");
}

#[test]
fn the_vector_of_the_single_tool_and_its_portable_fingerprint() {
    let read_file = json!({"name": "read_file", "description": "Read a file from disk", "inputSchema":
        {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}});
    let mut entry = json!({
        "protocolVersion": "2025-06-18",
        "serverInfo": {"name": "demo", "version": "1.0.0"},
        "capabilities": {"tools": {}},
        "tools": [read_file]
    });
    let of_tool = "ec3d9d36dff46ea919f752177ca15373a1eb5f72793f13b2565b5de40872676c";
    let (surface, items) = digests_of(&entry);
    assert_eq!(surface, "sha256:5b772dcfaa0adcd9314819e5c80f1f62a8b0c4f1327c0207d1b7324ea316f2ba");
    assert_eq!(items, [("tools/read_file".to_owned(), format!("sha256:{of_tool}"))]);
    entry["instructions"] = "Use it.".into();
    assert_eq!(digests_of(&entry).0, "sha256:2e2f126003467a3404263dd3e731b48bd6662859c9fb9b4c4b179ad25587bab0");
    let of_instructions = "sha256:a2618e0844fb6ad939e99d17450af651c2fe00d27610235e0d3b25c06263d627";
    assert_eq!(instructions_digest(&entry), of_instructions);

    // Only a tool with exactly these three members has the digest that other formats give it too.
    let fingerprint = |tool: Value| {
        let mut entry = entry.clone();
        entry["tools"] = json!([tool]);
        load(&written(&entry)).expect("a file").entries()[0].items[0].fingerprint.clone()
    };
    assert_eq!(fingerprint(entry["tools"][0].clone()).as_deref(), Some(of_tool));
    for (name, value) in [("title", json!("x")), ("annotations", json!({})), ("description", Value::Null)] {
        let mut tool = entry["tools"][0].clone();
        tool[name] = value;
        assert_eq!(fingerprint(tool), None, "{name}");
    }
    assert_eq!(fingerprint(json!({"name": "n", "inputSchema": {}})), None);
}

/// The complete file of the facts: what its tool writes for a server with one tool, 974 bytes.
#[test]
fn the_minimal_file_byte_for_byte() {
    let surface = surface_of(&json!({
        "protocolVersion": "2025-11-25",
        "serverInfo": {"name": "s", "version": "1"},
        "capabilities": {"tools": {}},
        "tools": [{"name": "ping", "description": "caf\u{e9} \u{200b}x\u{7f}\u{1b}", "inputSchema": {"type": "object"}}]
    }));
    let launch = Launch::Stdio { command: "srv".to_owned(), args: vec![] };
    let new = [NewEntry { name: "t", launch: &launch, env: &[], surface: &surface }];
    let file = empty(Format::Mcp);
    let text = mcp(&*file).written_by("mcpsum 0.1.1", &new).expect("a file").text;
    assert!(text.contains("sha256:e1e3683dfb56e8d62a10e4a6b059d90845779320b874b125807f70aded024177"), "{text}");
    assert!(text.contains("sha256:953331ca8a4e95005e308b404fe536ca4d9568b79c822894ea17c22dda6edea6"), "{text}");
    assert_eq!(text.len(), 974, "{text}");
    assert_eq!(sha256(text.as_bytes()), "1c4a4543c995cde56a3bd4cf9e2feda0cc3828cfa61ff10420707cd1fcf15d53");
    let ours = file.with(&new, NOW).expect("a file").text;
    assert_eq!(ours, text.replace("mcpsum 0.1.1", concat!("warden ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn small_values() {
    assert_eq!(digest(&json!({})), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    let two = digest(&json!({"a": 1, "b": 2}));
    assert_eq!(two, "sha256:43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777");
    let wide = "sha256:c681da39d7273a6a24c15c9cac3a75526ff2ecf8ba4ee60346a0c70c8163bdb2";
    for token in ["9007199254740992", "9007199254740993"] {
        let limits = ParseLimits { max_bytes: 99, max_depth: 1, max_values: 1 };
        let rounded = warden::json::parse_rounding(token.as_bytes(), &limits).expect("a number");
        assert_eq!(warden::json::hash(&rounded.value).expect("a digest").to_string(), wide, "{token}");
    }
}
