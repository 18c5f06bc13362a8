//! Files that somebody made on purpose.

use super::{only, read_as, reason};
use proptest::prelude::*;
use std::sync::LazyLock;
use warden::clients::{Cause, MAX_SERVERS, RemarkKind, Shape, Source, read};

/// One file of each syntax.
const FILES: [&str; 9] = [
    ".mcp.json",
    ".gemini/settings.json",
    ".vscode/mcp.json",
    "mcphub/servers.json",
    ".codex/config.toml",
    ".continue/config.yaml",
    "goose/config.yaml",
    ".claude/agents/a.md",
    ".crushrc",
];

fn error(path: &str, text: impl AsRef<[u8]>) -> String {
    read_as(path, text).unwrap_err().to_string()
}

#[test]
fn depth_is_bounded_in_every_syntax() {
    let deep = 100_000;
    for (path, text) in [
        (".mcp.json", "[".repeat(deep)),
        (".mcp.json", "{\"a\":".repeat(deep)),
        (".mcp.json", format!("{}{}", "[".repeat(200), "]".repeat(200))),
        (".codex/config.toml", format!("a = {}", "[".repeat(deep))),
        (".codex/config.toml", format!("{}a = 1", "a.".repeat(deep))),
        (".continue/config.yaml", "[".repeat(deep)),
        (".continue/config.yaml", "- ".repeat(deep)),
        (".continue/config.yaml", format!("a: {}{}", "[".repeat(200), "]".repeat(200))),
        (".claude/agents/a.md", format!("---\n{}\n---\n", "[".repeat(deep))),
    ] {
        let error = read_as(path, &text).unwrap_err();
        assert!(matches!(error.cause, Cause::Syntax(_)) && error.at.is_some(), "{path} {error}");
    }
}

#[test]
fn aliases_cannot_multiply() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", below.trim_end_matches(", ")));
    }
    assert!(error(".continue/config.yaml", &bomb).contains("aliases repeat too many values"));
    // Deeper with every line instead of wider.
    let mut tower = "a0: &a0 [x]\n".to_owned();
    for level in 1..1000 {
        tower.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    let error = error(".continue/config.yaml", &tower);
    assert!(error.contains("too deeply") || error.contains("too many values"), "{error}");
    assert!(read_as(".continue/config.yaml", "a: &a [*a]").is_err());
    assert!(read_as(".continue/config.yaml", "a: *b").is_err());
    // The ordinary use works.
    let text = "env: &env {A: x}\nmcpServers:\n  - {name: a, command: x, env: *env}\n";
    let Shape::Stdio(stdio) = only(".continue/config.yaml", text).shape else { panic!() };
    assert_eq!(stdio.env[0].name, "A");
}

#[test]
fn long_files_without_an_end_are_read_in_one_go() {
    for text in ["/*".repeat(500_000), format!("{{{}", " // x".repeat(200_000)), "\"".repeat(999_999)] {
        assert!(read_as(".vscode/mcp.json", text).is_err());
    }
    // A long line, with everything on it: places must not cost a walk each.
    let members: Vec<String> = (0..900)
        .map(|at| format!("\"s{at}\": {{\"command\": \"x\", \"args\": [\"é\", \"{}\"]}}", "y".repeat(900)))
        .collect();
    let file = read_as(".mcp.json", format!("{{\"mcpServers\": {{{}}}}}", members.join(", "))).unwrap();
    assert_eq!(file.servers.len(), 900);
    assert_eq!((file.servers[0].at.line, file.servers[0].at.column), (1, 17));
    assert_eq!(file.servers[1].at.column - file.servers[0].at.column, 943);
}

#[test]
fn the_number_of_servers_is_bounded() {
    let file = |number: usize| {
        let entries: Vec<String> = (0..number).map(|at| format!("\"{at}\": 1")).collect();
        read_as(".mcp.json", format!("{{\"mcpServers\": {{{}}}}}", entries.join(",")))
    };
    assert_eq!(file(MAX_SERVERS).unwrap().servers.len(), MAX_SERVERS);
    assert_eq!(file(MAX_SERVERS + 1).unwrap_err().cause, Cause::TooManyServers(MAX_SERVERS));
}

#[test]
fn encodings() {
    let text = "{\"mcpServers\": {\"tide\": {\"command\": \"x\"}}}";
    let marked = read_as(".mcp.json", format!("\u{feff}{text}")).unwrap();
    assert_eq!(marked.servers.len(), 1);
    assert_eq!(marked.remarks[0].kind, RemarkKind::ByteOrderMark);
    assert_eq!(marked.servers[0].at.column, 17);
    for mark in [[0xff, 0xfe], [0xfe, 0xff]] {
        let wide: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(read_as(".mcp.json", wide).unwrap_err().cause, Cause::Utf16);
    }
    let broken = read_as(".mcp.json", b"{\n  \"\xff\"}").unwrap_err();
    assert_eq!((broken.cause, broken.at.map(|at| (at.line, at.column))), (Cause::NotUtf8, Some((2, 4))));
    for path in FILES.iter().filter(|path| **path != ".crushrc") {
        assert_eq!(read_as(path, b"\xc3").unwrap_err().cause, Cause::NotUtf8, "{path}");
        assert!(read_as(path, b"").unwrap().servers.is_empty(), "{path}");
    }
    let windows = only(".codex/config.toml", "a = 1\r\n[mcp_servers.a]\r\ncommand = \"x\"\r\n");
    assert_eq!((windows.at.line, windows.at.column), (2, 14));
    let windows = only(
        ".claude/agents/a.md",
        "---\r\nmcpServers:\r\n  - a:\r\n      command: x\r\n---\r\nmcpServers: {b: 1}\r\n",
    );
    assert_eq!((windows.at.line, windows.at.column), (3, 5));
}

#[test]
fn a_faulty_file_is_one_error_with_its_place() {
    assert_eq!(error(".mcp.json", "{\n  \"mcpServers\": {\n"), ".mcp.json:2:17: Unterminated object");
    assert!(error(".codex/config.toml", "a = 1\nb = = 2").starts_with(".codex/config.toml:2:5: "));
    assert!(error(".codex/config.toml", "[a]\nb = 1\nb = 2").starts_with(".codex/config.toml:3:"));
    assert!(error(".continue/config.yaml", "a: 1\nb: [\n").starts_with(".continue/config.yaml:"));
    assert!(error(".continue/config.yaml", "a: 1\n---\nb: 2\n").contains("more than one document"));
    assert!(error(".claude/agents/a.md", "---\na: 1\n").contains("no end"));
    let shown = error("a\u{1b}[31m\u{202e}.json", "{");
    assert!(shown.starts_with("a⟨ESC⟩[31m⟨U+202E⟩.json:1:1: "), "{shown}");
    for text in ["[]", "7", "\"x\"", "null"] {
        assert!(read_as(".mcp.json", text).unwrap().servers.is_empty(), "{text}");
    }
}

#[test]
fn values_of_the_wrong_kind_spoil_only_their_entry() {
    for (entry, want) in [
        ("7", "the entry is not an object"),
        ("[]", "the entry is not an object"),
        ("null", "the entry is not an object"),
        ("{}", "it has neither a command nor a url"),
        (r#"{"command": 7}"#, "command is not a text"),
        (r#"{"command": null}"#, "it has neither a command nor a url"),
        (r#"{"command": ["x"]}"#, "command is not a text"),
        (r#"{"command": {"path": "x"}}"#, "command is not a text"),
        (r#"{"command": ""}"#, "its command is empty"),
        (r#"{"command": "x", "args": "y"}"#, "args is not a list"),
        (r#"{"command": "x", "args": ["y", 8080]}"#, "args[1] is not a text"),
        (r#"{"command": "x", "args": [null]}"#, "args[0] is not a text"),
        (r#"{"command": "x\u0000y"}"#, "command holds a character NUL, which no program can be given"),
        (r#"{"command": "x", "args": ["\u0000"]}"#, "args[0] holds a character NUL, which no program can be given"),
        (
            r#"{"command": "x", "env": {"A\u0000": "b"}}"#,
            "env.A⟨NUL⟩ holds a character NUL, which no program can be given",
        ),
        (r#"{"command": "x", "env": []}"#, "env is not an object"),
        (r#"{"command": "x", "env": {"A": {}}}"#, "env.A is not a text"),
        (
            r#"{"command": "x", "env": {"A": "1", "A": "2"}}"#,
            "env.A stands there twice; which of the two counts is anybody's guess",
        ),
        (
            r#"{"command": "x", "command": "y"}"#,
            "command stands there twice; which of the two counts is anybody's guess",
        ),
        (r#"{"command": "x", "cwd": 1}"#, "cwd is not a text"),
        (r#"{"type": 1, "command": "x"}"#, "type is not a text"),
        (r#"{"type": "http", "command": "x"}"#, "its type asks for a url, and it has none"),
        (r#"{"type": "stdio", "url": "https://x.example.test"}"#, "its type asks for a command, and it has none"),
        (r#"{"type": "http", "url": " "}"#, "its url is empty: it is not configured yet"),
        (r#"{"type": "http", "url": "https://x.example.test", "headers": {"A": []}}"#, "headers.A is not a text"),
    ] {
        assert_eq!(reason(entry), want, "{entry}");
    }
    let merged = only("goose/config.yaml", "extensions:\n  a:\n    <<: {type: stdio}\n    cmd: x\n");
    assert!(matches!(merged.shape, Shape::NotReadable(reason) if reason.to_string().contains("<<")));
    for line in ["x 'y", "x # y"] {
        let text = format!("[[mcp_servers]]\nname = \"a\"\ntransport = \"stdio\"\ncommand = \"{line}\"");
        assert!(matches!(only(".vibe/config.toml", &text).shape, Shape::NotReadable(_)), "{line}");
    }
}

#[test]
fn names_are_kept_exactly_and_shown_safely() {
    let text = r#"{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "x"},
        "a\n\u001b[31m\u202e": {"command": "x", "args": ["y"], "env": {"B\u001b": []}}, "": {"command": "x"}}}"#;
    let file = read_as(".mcp.json", text).unwrap();
    let names: Vec<&str> = file.servers.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["__proto__", "constructor", "a\n\u{1b}[31m\u{202e}", ""]);
    let Shape::NotReadable(reason) = &file.servers[2].shape else { panic!() };
    assert_eq!(reason.to_string(), "env.B⟨ESC⟩ is not a text");
}

#[test]
fn secrets_stay_out_of_messages_and_of_debug_output() {
    let text = r#"{"mcpServers": {"a": {"command": "hush1", "args": ["hush2", "${X:-hush3}"], "env": {"K": "hush4"}},
        "b": {"type": "http", "url": "https://hush5.example.test", "headers": {"A": "hush6 ${B:-hush7}"}}}}"#;
    let shown = format!("{:?}", read_as(".mcp.json", text).unwrap());
    assert!(!shown.contains("hush"), "{shown}");
    for (path, text) in [
        (".mcp.json", "{\"a\": hush1}"),
        (".mcp.json", "{\"a\": \"hush2\\q\"}"),
        (".mcp.json", "{\"a\": \"hush3"),
        (".codex/config.toml", "a = hush4"),
        (".codex/config.toml", "a = \"hush5"),
        (".codex/config.toml", "hush6 = 1\nhush6 = 2"),
        (".continue/config.yaml", "a: \"hush7"),
        (".continue/config.yaml", "a: hush8: b"),
        (".continue/config.yaml", "a: !hush9 [\n"),
    ] {
        match read_as(path, text) {
            Ok(file) => assert!(!format!("{file:?}").contains("hush"), "{path} {text}"),
            Err(error) => assert!(!error.to_string().contains("hush"), "{error}"),
        }
    }
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| FILES.iter().map(|path| super::source(path)).collect());

const TOKENS: &[&str] = &[
    "mcpServers",
    "\"mcpServers\"",
    "command",
    "\"command\"",
    ": ",
    ":",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "'",
    "\n",
    "\n  ",
    "- ",
    "---\n",
    "&a ",
    "*a",
    "!!str ",
    "!x ",
    "| ",
    ">-\n",
    "? ",
    "# ",
    "// ",
    "/*",
    "*/",
    "=",
    "[[",
    "]]",
    ".",
    "mcp_servers",
    "extensions",
    "null",
    "1e9",
    "\\u00",
    "\\",
    "%YAML 1.2\n",
    "%TAG ! x:\n",
    "\u{feff}",
    "é",
    "\t",
    "\r\n",
    "\u{85}",
    "$",
    "${",
    "<<",
    "...\n",
    "\0",
];

/// Bytes that look a little like each language.
fn likely() -> impl Strategy<Value = Vec<u8>> {
    let token = proptest::sample::select(TOKENS);
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..300),
        proptest::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat().into_bytes()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn no_bytes_make_any_reader_fall_over(bytes in likely()) {
        for source in SOURCES.iter() {
            match read(&bytes, source) {
                Ok(file) => for entry in &file.servers {
                    assert!(entry.at.line >= 1 && entry.at.column >= 1);
                },
                Err(error) => assert!(!error.to_string().chars().any(char::is_control), "{error:?}"),
            }
        }
    }
}
