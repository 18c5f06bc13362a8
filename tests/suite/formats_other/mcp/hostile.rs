//! Hostile files: one clear error each, never a panic, never a file that is believed.

use super::*;

fn valid() -> String {
    serde_json::to_string_pretty(&file_of(1, full())).expect("JSON")
}

#[test]
fn names_that_stand_there_twice_are_refused_wherever_they_stand() {
    for (what, with) in [
        ("{\n  \"lockfileVersion\"", "{\n  \"generator\": \"x\",\n  \"lockfileVersion\""),
        ("\"t\": {", "\"t\": {}, \"t\": {"),
        ("\"command\":", "\"command\": [], \"command\":"),
        ("\"description\": \"Add", "\"description\": \"\", \"descripti\\u006fn\": \"Add"),
        ("\"surface\":", "\"surface\": \"\", \"surface\":"),
        ("\"t\": {", "\"t\": {\"unknown\": 1, \"unknown\": 2,"),
    ] {
        let text = valid().replacen(what, with, 1);
        assert_ne!(text, valid());
        let (kind, message) = refused_text(&text);
        assert!(kind == "invalid" && message.contains("repeated"), "{message}");
    }
    let name = "\\u202e".to_owned() + &"x".repeat(5000);
    let (_, message) = refused_text(&format!("{{\"{name}\": 1, \"{name}\": 2}}"));
    assert!(message.contains("⟨U+202E⟩") && message.len() < 1000, "{message}");
}

#[test]
fn nesting_is_taken_as_far_as_its_own_tool_takes_it() {
    // In the file, `servers`, the entry and the member: the fourth level is the outermost of these.
    let with = |levels: usize| {
        let nested = "[".repeat(levels) + &"]".repeat(levels);
        valid().replace("\"t\": {", &format!("\"t\": {{\"unknown\": {nested},"))
    };
    assert!(load(&with(124)).is_ok());
    assert!(serde_json::from_str::<Value>(&with(124)).is_ok());
    let (kind, message) = refused_text(&with(125));
    assert!(kind == "invalid" && message.contains("127"), "{message}");
    assert!(serde_json::from_str::<Value>(&with(125)).is_err());
    assert_eq!(refused_text(&with(126)).0, "invalid");
    assert_eq!(refused_text(&"[".repeat(1 << 20)).0, "invalid");
    assert_eq!(refused_text(&"{\"servers\":".repeat(1 << 16)).0, "invalid");
}

#[test]
fn what_is_no_json_or_no_object_is_refused() {
    for text in ["", " ", "null", "[]", "7", "{", "{}", "\u{feff}{}", "{\"lockfileVersion\":1}", "{\"servers\":{}}"] {
        assert_eq!(refused_text(text).0, "invalid", "{text:?}");
    }
    for (what, with) in [
        ("\"Add two", "\"Add \\ud800 two"),
        ("\"minimum\": 1", "\"minimum\": 01"),
        ("\"minimum\": 1", "\"minimum\": 1e400"),
        ("\"minimum\": 1", "\"minimum\": NaN"),
    ] {
        let text = valid().replace(what, with);
        assert_ne!(text, valid());
        assert_eq!(refused_text(&text).0, "invalid", "{with}");
    }
    assert!(read(Format::Mcp, b"{\"lockfileVersion\": 1, \"generator\": \"\xff\"}").is_err());
    assert_eq!(refused_text(&format!("{}x", valid())).0, "invalid");
}

#[test]
fn no_cut_of_a_file_is_one() {
    let text = valid();
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        assert_eq!(refused_text(&text[..end]).0, "invalid", "{end}");
    }
}

#[test]
fn size_is_bounded_in_bytes_and_values() {
    let (kind, message) = refused_text(&" ".repeat((64 << 20) + 1));
    assert!(kind == "invalid" && message.contains("larger than"), "{message}");
    let many = format!("{{\"x\": [{}0]}}", "0,".repeat(5 << 20));
    let (kind, message) = refused_text(&many);
    assert!(kind == "invalid" && message.contains("values"), "{message}");
}

#[test]
fn names_are_data_and_no_paths() {
    for name in ["../../etc/passwd", "a/b", "", "\u{202e}x", "constructor", "__proto__"] {
        let mut file = file_of(1, full());
        let entry = file["servers"]["t"].take();
        let mut servers = Map::new();
        servers.insert(name.to_owned(), entry);
        file["servers"] = servers.into();
        let lock = loaded(&file);
        assert_eq!(lock.entries()[0].name, name);
        assert_eq!(lock.compare(name, &surface_of(&full()), Options::default()).expect("comparable"), []);
    }
}

/// An object that only looks like a number to some parsers.
#[test]
fn reserved_looking_members_are_members() {
    let mut entry = full();
    entry["tools"][0]["inputSchema"] = json!({"$serde_json::private::Number": "1"});
    let text = written(&entry);
    assert!(text.contains("private::Number") && load(&text).is_ok());
}
