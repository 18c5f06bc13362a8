//! How files are written: the order of everything, what is kept, and what is refused.

use super::*;

fn names(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn members_stand_in_the_order_of_the_format() {
    let mut entry = full();
    entry["tools"][0]["\u{10000}"] = json!(1);
    entry["tools"][0]["\u{fb33}"] = json!(2);
    let text = written(&entry);
    let file: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(names(&file), ["lockfileVersion", "generator", "servers"]);
    let found = &file["servers"]["t"];
    let lists = ["tools", "prompts", "resources", "resourceTemplates"];
    let about = ["command", "envPassthrough", "protocolVersion", "serverInfo", "instructions", "capabilities"];
    assert_eq!(names(found), [&about[..], &lists, &["digests"]].concat());
    assert_eq!(names(&found["digests"]), [&["surface", "instructions"][..], &lists].concat());
    // Inside definitions, and only there, by their UTF-8 bytes.
    assert_eq!(names(&found["tools"][0]), ["description", "inputSchema", "name", "\u{fb33}", "\u{10000}"]);
    assert_eq!(names(&found["capabilities"]), ["prompts", "tools"]);
    assert_eq!(found["command"], json!(["srv", "--flag"]));
    assert_eq!(found["envPassthrough"], json!(["HOME", "TOKEN"]));
    assert_eq!(serde_json::to_string_pretty(&file).expect("JSON") + "\n", text, "the layout of its own tool");
}

#[test]
fn definitions_and_servers_are_sorted_by_code_point() {
    let keys = ["b", "a", "B", "\u{10000}", "\u{fb33}", "a-b", "a_b"];
    let mut entry = full();
    entry["tools"] = keys.iter().map(|key| json!({"name": key, "inputSchema": {}})).collect();
    let (launch, surface) = (launch(), surface_of(&entry));
    let new: Vec<NewEntry<'_>> =
        keys.iter().map(|name| NewEntry { name, launch: &launch, env: &[], surface: &surface }).collect();
    let text = empty(Format::Mcp).with(&new, NOW).expect("a file").text;
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let sorted = ["B", "a", "a-b", "a_b", "b", "\u{fb33}", "\u{10000}"];
    assert_eq!(names(&file["servers"]), sorted);
    let tools = file["servers"]["a"]["tools"].as_array().expect("a list");
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect::<Vec<_>>(), sorted);
    assert_eq!(names(&file["servers"]["a"]["digests"]["tools"]), sorted);
    let lock = load(&text).expect("a file");
    assert_eq!(lock.entries().iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), sorted);
    assert_eq!(lock.with(&new, NOW).expect("a file").text, text);
}

#[test]
fn numbers_are_spelled_as_its_tool_spells_them() {
    let mut entry = full();
    let numbers = json!([1, 1.0, -0.0, 1e21, 1e-7, 0.1, 123456789.125, 5e-324, 1.7976931348623157e308, -3]);
    entry["tools"][0]["inputSchema"]["enum"] = numbers.clone();
    let text = written(&entry);
    // The sixth level: the list in the schema in the tool in the tools of the entry.
    let spelled = serde_json::to_string_pretty(&numbers).expect("JSON").replace('\n', &format!("\n{}", "  ".repeat(6)));
    assert!(text.contains(&format!("\"enum\": {spelled}")), "{text}");
    for spelling in [" 1.0,", " -0.0,", " 1e+21,", " 1e-7,"] {
        assert!(text.contains(spelling), "{spelling}");
    }
}

#[test]
fn env_names_are_sorted_and_stand_there_once() {
    let (launch, surface) = (launch(), surface_of(&full()));
    let env = ["B", "A", "B"].map(str::to_owned);
    let new = [NewEntry { name: "t", launch: &launch, env: &env, surface: &surface }];
    let text = empty(Format::Mcp).with(&new, NOW).expect("a file").text;
    let file: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(file["servers"]["t"]["envPassthrough"], json!(["A", "B"]));
    assert_eq!(load(&text).expect("a file").entries()[0].env, ["A", "B"]);
    for bad in ["", "A=B", "A\0"] {
        let env = [bad.to_owned()];
        let new = [NewEntry { name: "t", launch: &launch, env: &env, surface: &surface }];
        let refusal = empty(Format::Mcp).with(&new, NOW).expect_err("a refusal").to_string();
        assert!(refusal.contains("environment variable"), "{refusal}");
    }
}

#[test]
fn what_is_not_pinned_anew_keeps_its_bytes() {
    let mut file = file_of(1, full());
    file["servers"]["u"] = sealed(full());
    file["servers"]["v"] = sealed(full());
    // One server on one line, the others by hand in other ways.
    let text = file.to_string().replace("\"u\":{", "\"u\" :  {\n\t\"by\":\"hand\",");
    let lock = load(&text).expect("a file");
    let mut now = full();
    now["instructions"] = json!("x");
    let again = pinned(&*lock, &now).expect("a file").text;
    let (begin, end) = (text.find("{\n\t\"by\"").expect("u"), text.find(",\"v\":").expect("v"));
    assert!(again.contains(&text[begin..end]), "{again}");
    assert!(again.contains(&text[end + 5..text.len() - 2]), "{again}");
    // Nothing changed: not a byte does.
    assert_eq!(pinned(&*lock, &full()).expect("a file").text, text);
    assert_eq!(lock.with(&[], NOW).expect("a file").text, text);
}

#[test]
fn a_file_that_was_written_is_read_and_written_the_same() {
    for entry in [full(), super::era::modern()] {
        let text = written(&entry);
        let lock = load(&text).expect("a file");
        assert_eq!(pinned(&*lock, &entry).expect("a file").text, text);
        assert_eq!(told(&*lock, &entry, Options { strict: true, ..Options::default() }), [""; 0]);
        // Through another server and back it is the same, too.
        let surface = surface_of(&entry);
        let new = [NewEntry { name: "z", launch: &launch(), env: &[], surface: &surface }];
        let more = lock.with(&new, NOW).expect("a file").text;
        assert!(more.starts_with(&text[..text.len() - "\n  }\n}\n".len()]), "{more}");
    }
}

#[test]
fn a_surface_comes_back_whole_for_other_formats() {
    for entry in [full(), super::era::modern()] {
        let text = written(&entry);
        let lock = load(&text).expect("a file");
        let surface = lock.surface("t").expect("a surface");
        let launch = launch();
        let env = ["TOKEN".to_owned(), "HOME".to_owned()];
        let new = [NewEntry { name: "t", launch: &launch, env: &env, surface: &surface }];
        assert_eq!(empty(Format::Mcp).with(&new, NOW).expect("a file").text, text);
        assert_eq!(surface.about.server_name_and_version(), (Some("demo"), Some("1.0.0")));
        assert_eq!(surface.about.instructions(), Some("Use these tools."));
        assert!(lock.surface("other").is_none());
    }
    let mut odd = full();
    odd["tools"][0]["description"] = json!(7);
    assert!(loaded(&file_of(1, odd)).surface("t").is_none(), "no surface holds such a tool");
}

#[test]
fn what_a_file_cannot_hold_is_refused_with_its_name() {
    let refusal = |name: &str, launch: &Launch, entry: &Value| {
        let surface = surface_of(entry);
        let new = [NewEntry { name, launch, env: &[], surface: &surface }];
        empty(Format::Mcp).with(&new, NOW).expect_err("a refusal").to_string()
    };
    let url = Launch::Url("https://example.com/mcp".to_owned());
    assert!(refusal("t", &url, &full()).contains("at a URL"));
    let secret = "sesame-open-7731";
    let argument = Launch::Stdio { command: "srv".to_owned(), args: vec![format!("--token={secret}")] };
    let refused = refusal("t", &argument, &full());
    assert!(refused.contains("credential") && !refused.contains(secret), "{refused}");
    let none = Launch::Stdio { command: String::new(), args: vec![] };
    assert!(refusal("t", &none, &full()).contains("no command"));
    for name in ["", "a\nb", "a\u{7f}"] {
        assert!(refusal(name, &launch(), &full()).contains("control characters"));
    }
    let mut entry = full();
    entry["tools"][1].as_object_mut().expect("an object").remove("inputSchema");
    assert!(refusal("t", &launch(), &entry).contains("tool \"fetch\" has no inputSchema"));
    entry["tools"] = json!([{"name": "", "inputSchema": {}}]);
    assert!(refusal("t", &launch(), &entry).contains("empty name"));
    entry["tools"] = (0..1001).map(|i| json!({"name": format!("t{i}"), "inputSchema": {}})).collect();
    assert!(refusal("t", &launch(), &entry).contains("1001 tools"));
    let mut wide = surface_of(&full());
    let value = [("uriTemplate", warden::json::Value::from("x")), ("n", (1_i64 << 53).into())];
    wide.about.resource_templates = vec![value.into_iter().collect::<Object>().into()];
    let new = [NewEntry { name: "t", launch: &launch(), env: &[], surface: &wide }];
    let refusal = empty(Format::Mcp).with(&new, NOW).expect_err("a refusal").to_string();
    assert!(refusal.contains("resource template \"x\" holds 9007199254740992"), "{refusal}");
}

/// Containers of a value, one in the other.
fn nested(levels: usize) -> Value {
    (1..levels).fold(json!([]), |inner, _| json!([inner]))
}

#[test]
fn a_tool_is_nested_as_deep_as_a_file_can_hold_and_no_deeper() {
    let with = |levels: usize| {
        let mut entry = full();
        // The tool itself is one level, its schema the second.
        entry["tools"][0]["inputSchema"] = json!({"x": nested(levels - 2)});
        entry
    };
    let text = written(&with(123));
    assert!(load(&text).is_ok());
    // Other parsers read it as well: its own tool's is this one.
    assert!(serde_json::from_str::<Value>(&text).is_ok());
    let refusal = pinned(&*empty(Format::Mcp), &with(124)).expect_err("a refusal").to_string();
    assert!(refusal.contains("tool \"add\" is nested deeper") && refusal.contains("123"), "{refusal}");
    let mut entry = full();
    entry["capabilities"] = json!({"x": nested(123)});
    written(&entry);
    entry["capabilities"] = json!({"x": nested(124)});
    assert!(pinned(&*empty(Format::Mcp), &entry).expect_err("a refusal").to_string().contains("capabilities"));
}
