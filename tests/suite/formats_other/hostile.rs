//! Files that nobody wrote in good faith: one error each, on one line, and never a panic.

use super::{NOW, four, kind, parsed, pinned, stdio};
use serde_json::{Value, json};
use warden::formats::{Dialect, Format, MAX_FORMAT_BYTES, detect, empty, empty_agentgate, read};

fn texts() -> [(Format, String); 3] {
    let launch = stdio(&["npx", "a@1.0.0"]);
    let mut contractpin = parsed(&pinned(&*empty(Format::Contractpin), "s", &launch, &four(), NOW).text);
    contractpin["servers"]["s"]["env"] = json!({"A": "${A}"});
    contractpin["servers"]["s"]["cwd"] = "x".into();
    [
        (Format::Contractpin, contractpin.to_string()),
        (Format::Agentgate, pinned(&*empty(Format::Agentgate), "s", &launch, &four(), NOW).text),
        (Format::Agentgate, pinned(&empty_agentgate(Dialect::Published), "s", &launch, &four(), NOW).text),
    ]
}

fn error(format: Format, bytes: &[u8]) -> String {
    let error = read(format, bytes).expect_err("an error");
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() < 800 && !message.contains(['\n', '\u{1b}', '\u{202e}']), "{message}");
    assert!(["invalid", "corrupt", "unknown"].contains(&kind(&error)));
    message
}

#[test]
fn repeated_names_depth_numbers_and_surrogates_are_refused() {
    for (format, text) in texts() {
        let with = |member: &str| text.replacen('{', &format!("{{{member},"), 1);
        for (member, word) in [
            ("\"x\": 1, \"x\": 1", "repeated"),
            ("\"x\": {\"y\": 1, \"\\u0079\": 1}", "repeated"),
            (&format!("\"x\": {}{}", "[".repeat(10_000), "]".repeat(10_000)), "deeper"),
            (&format!("\"x\": {}", "{\"x\":".repeat(10_000)), "deeper"),
            (&format!("\"x\": {}", "9".repeat(10_000)), "2^53"),
            ("\"x\": 9007199254740993", "2^53"),
            ("\"x\": 1e999", "infinity"),
            ("\"x\": \"\\ud800\"", "surrogate"),
            ("\"x\": NaN", "not valid JSON"),
            ("\"\\u001b[2J\\u202e\": 1, \"\\u001b[2J\\u202e\": 1", "repeated"),
        ] {
            let broken = with(member);
            let message = error(format, broken.as_bytes());
            assert!(message.contains(word), "{word}: {message}");
        }
        for cut in (0..text.len()).step_by(7) {
            error(format, &text.as_bytes()[..cut]);
        }
        error(format, &[text.as_bytes(), b"x"].concat());
        error(format, &[b"\xff", text.as_bytes()].concat());
    }
}

#[test]
fn every_value_of_a_wrong_type_is_one_error_or_nothing() {
    let others = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(1.5),
        json!(""),
        json!("\u{1b}[31m\u{202e}x"),
        json!([]),
        json!([[], {}]),
        json!({}),
        json!({"": {}, "\u{1b}": 1}),
    ];
    for (format, text) in texts() {
        let document = parsed(&text);
        let mut places = vec![String::new()];
        let mut at = 0;
        while let Some(place) = places.get(at).cloned() {
            match document.pointer(&place).expect("a value") {
                Value::Object(members) => places.extend(members.keys().map(|name| format!("{place}/{name}"))),
                Value::Array(items) => places.extend((0..items.len()).map(|index| format!("{place}/{index}"))),
                _ => {}
            }
            at += 1;
        }
        for place in places {
            for other in &others {
                let mut edited = document.clone();
                *edited.pointer_mut(&place).expect("a value") = other.clone();
                let edited = edited.to_string();
                detect(edited.as_bytes());
                match read(format, edited.as_bytes()) {
                    Err(_) => drop(error(format, edited.as_bytes())),
                    Ok(file) => {
                        let notes = file.notes().join(" ");
                        assert!(!notes.contains(['\u{1b}', '\u{202e}']), "{notes}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_hundred_megabytes_are_refused_before_they_are_read() {
    for (format, text) in texts() {
        let mut large = text.replacen('{', "{\"x\": \"", 1).into_bytes();
        large.resize(100 << 20, b'a');
        assert!(error(format, &large).contains(&MAX_FORMAT_BYTES.to_string()));
        let mut just = text.into_bytes();
        just.resize(MAX_FORMAT_BYTES, b' ');
        assert!(read(format, &just).is_ok());
        just.push(b' ');
        error(format, &just);
        assert_eq!(detect(&just), Some(format));
    }
}

#[test]
fn many_small_values_are_refused() {
    let text = format!("{{\"contractpin\": \"1\", \"x\": [{}0]}}", "0,".repeat(2 << 20));
    assert!(error(Format::Contractpin, text.as_bytes()).contains("values"));
}

#[test]
fn names_of_servers_and_tools_are_shown_escaped() {
    let name = "\u{1b}[2J\u{202e}";
    for (format, text) in texts() {
        let mut document = parsed(&text);
        let mut server = document["servers"]["s"].take();
        server["tools"] = json!(7);
        document["servers"] = json!({name: server});
        let message = error(format, document.to_string().as_bytes());
        assert!(message.contains("⟨ESC⟩"), "{message}");
    }
}
