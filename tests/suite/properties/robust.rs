//! Nothing that a server or a file holds makes the library panic, and what is shown of it is inert.

use super::generators::{LIMITS, built, config, input_schema, random, reworded, schema, surface, text, value};
use crate::support::replay::{declares, result};
use proptest::prelude::*;
use proptest::sample::Index;
use std::time::Duration;
use warden::capture::transport::{Ending, Replay, Reply};
use warden::capture::{Deadline, Redactor, Settings, over};
use warden::json::{ParseLimits, Value, parse, pretty};
use warden::lock::wire::{self, NewPin, render};
use warden::lock::{Lock, WardenPin};
use warden::skeleton::{Budget, References, Skeleton, compare, extract};
use warden::text::{Charset, ascii, escape, escape_hidden, is_hidden, shell_quote};

fn lock_text(document: &Value) -> String {
    let pin = NewPin {
        created_at: "2026-01-02T03:04:05Z",
        warden_version: "0.1.0",
        mcp_protocol_version: "2025-11-25",
        approver: None,
        actor: None,
        environment: None,
        warden: WardenPin::default(),
        previous: None,
    };
    render(&built(document), &[], &pin)
}

#[expect(dead_code, reason = "the hostile shapes are for benchmarks")]
#[path = "../../../benches/shapes/mod.rs"]
mod shapes;

#[test]
fn a_lock_of_ten_thousand_tools_is_read_and_a_dense_one_is_not() {
    let limits = ParseLimits { max_bytes: 64 << 20, max_depth: 64, max_values: usize::MAX };
    let tools = parse(shapes::ordinary(0..10_000, 0).as_bytes(), &limits).expect("JSON");
    assert_eq!(wire::read(lock_text(&tools).as_bytes()).expect("a lock").surface.tools.len(), 10_000);
    // A quarter of the bytes, and more memory than anybody wants to spend on it.
    let dense = format!("{{\"schema_version\":4,\"x\":[{}0]}}", "[],".repeat(wire::MAX_LOCK_VALUES));
    let error = wire::read(dense.as_bytes()).expect_err("too many values");
    assert!(error.to_string().contains("it holds more than 4194304 JSON values"), "{error}");
}

/// Everything that is done with a lock once it is read.
fn use_lock(lock: &Lock, document: &Value) {
    let now = built(document);
    let items = warden::drift::compare(lock, &now);
    let fields = warden::drift::fields::changed_fields(&lock.surface, &now);
    let blocks =
        warden::report::drift_blocks(&items, &lock.inconsistencies(), &fields, &lock.findings, &[], Some(&now));
    assert!(blocks.iter().all(|block| !block.target.is_empty()));
    let _ = warden::report::view(lock, None, warden::report::Lengths::BRIEF);
    let _ = warden::drift::compare(lock, &lock.surface);
}

fn skeleton(schema: &Value, references: References) -> Option<Skeleton> {
    extract(schema, references, &mut Budget::default()).ok()
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn any_bytes_may_be_parsed_and_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes, &LIMITS);
        prop_assert!(wire::read(&bytes).is_err());
    }

    #[test]
    fn any_text_may_be_read_as_a_configuration(
        bytes in prop::collection::vec(any::<u8>(), 0..120),
        piece in ".{0,40}",
        place: Index,
    ) {
        let good = "locks = \"l\"\ndiscover = true\n[servers.a]\ncommand = [\"x\", \"${Y}\"]\ncwd = \"c\"\ntimeout = 1.5\nenv = [\"E\"]\n\
            lock = \"k.lock\"\nskip = { reason = \"r\" }\n[servers.b]\nurl = \"https://h\"\nheader-env = { X = \"Y\" }\n\
            [[ignore]]\nrule = \"WRD-CAP-SHELL\"\ntarget = \"tools/a\"\nreason = \"b\"\nexpires = \"2027-01-31\"\n";
        let at = place.index(good.len());
        let broken = format!("{}{piece}{}", &good[..at], &good[at..]);
        for text in [&bytes[..], broken.as_bytes()] {
            match warden::config::parse(text) {
                Ok(read) => {
                    prop_assert!(read.ignores.len() <= 1 && read.ignores.iter().all(|i| !i.reason.trim().is_empty()));
                    prop_assert!(read.servers.iter().all(|server| !server.name.is_empty()));
                }
                Err(error) => {
                    prop_assert!(error.line >= 1 && error.column >= 1);
                    prop_assert!(!error.to_string().chars().any(is_hidden) && error.to_string().chars().count() < 500);
                }
            }
        }
    }

    #[test]
    fn any_value_may_be_read_as_a_lock(value in value(), document in surface(), place: Index, piece in value()) {
        let _ = wire::read(pretty(&value).as_bytes());
        // A lock with any value in any place: mostly refused, sometimes read and used.
        let text = lock_text(&document);
        let mut lock: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut pointers = Vec::new();
        pointers_of(&lock, String::new(), &mut pointers);
        *lock.pointer_mut(&pointers[place.index(pointers.len())]).unwrap() = serde_json::from_str(&pretty(&piece)).unwrap();
        if let Ok(lock) = wire::read(lock.to_string().as_bytes()) {
            use_lock(&lock, &document);
        }
    }

    #[test]
    fn any_byte_of_a_lock_may_be_another(document in surface(), edits in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4)) {
        let mut bytes = lock_text(&document).into_bytes();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(lock) = wire::read(&bytes) {
            use_lock(&lock, &document);
        }
    }

    #[test]
    fn any_schema_has_a_skeleton_and_any_two_compare(one in schema(), other in prop_oneof![schema(), value()]) {
        for references in [References::Follow, References::Opaque] {
            let (Some(a), Some(b)) = (skeleton(&one, references), skeleton(&other, references)) else { continue };
            prop_assert_eq!(compare(&a, &a), []);
            let (there, back) = (compare(&a, &b), compare(&b, &a));
            // What differs one way differs the other way.
            prop_assert_eq!(there.is_empty(), back.is_empty());
            prop_assert!(!there.is_empty() || Value::from(&a) == Value::from(&b) || coarse(&a, &b));
            for fact in there {
                prop_assert!(!fact.change.class().is_empty() && !fact.change.detail().is_empty());
            }
        }
    }

    #[test]
    fn any_name_has_tokens(name in any::<String>(), other in text(), schema in input_schema()) {
        for name in [&name, &other, &format!("{name}_{other}")] {
            let tokens = warden::capability::tokens(name);
            prop_assert!(tokens.iter().all(|token| !token.is_empty() && !token.contains(['_', '-', '.', ' '])), "{:?}", tokens);
            let flags = warden::capability::derive(name, Some(&schema));
            prop_assert!(flags.is_sorted());
        }
    }

    #[test]
    fn any_lines_may_come_from_a_server(lines in prop::collection::vec(line(), 0..8), end in any::<Option<u8>>()) {
        let mut lines = lines.into_iter();
        let mut server = Replay::new(|message: &[u8]| {
            let message: serde_json::Value = serde_json::from_slice(message).expect("what is sent is JSON");
            let Some(id) = message.get("id") else { return Vec::new() };
            let mut replies: Vec<Reply> = lines.by_ref().take(2).map(|line| with_id(line, &id.to_string())).collect();
            if replies.is_empty() {
                replies.push(Reply::End(Ending::Exited(end.unwrap_or_default().into())));
            }
            replies
        });
        let settings = Settings::new(Deadline::after(Duration::from_millis(30)));
        // Hardly ever a surface; whatever the error quotes is inert.
        if let Err(error) = over(&mut server, &settings, Redactor::default()) {
            let quoted = [&error.context.stderr_tail, &error.context.warnings].into_iter().flatten();
            for text in quoted.chain([&error.to_string()]) {
                prop_assert!(!text.chars().any(is_hidden), "{:?}", text);
            }
        }
    }

    #[test]
    fn what_is_escaped_is_inert(text in prop_oneof![text(), any::<String>()]) {
        for shown in [escape(&text, Charset::Unicode), escape_hidden(&text), shell_quote(&text)] {
            prop_assert!(!shown.chars().any(is_hidden), "{:?}", shown);
            prop_assert!(ascii(&shown).is_ascii());
        }
        let shown = escape(&text, Charset::Ascii);
        prop_assert!(shown.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{:?}", shown);
    }
}

/// Skeletons that differ in what the format does not compare: "malformed" bounds, or open values of
/// `additionalProperties` (SPEC.md §16.4).
fn coarse(a: &Skeleton, b: &Skeleton) -> bool {
    a.records.keys().eq(b.records.keys())
}

fn pointers_of(value: &serde_json::Value, at: String, out: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| pointers_of(item, format!("{at}/{i}"), out));
        }
        serde_json::Value::Object(members) => members.iter().for_each(|(name, item)| {
            pointers_of(item, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), out);
        }),
        _ => {}
    }
    out.push(at);
}

/// Something that may stand on a server's output.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let answers = (value(), any::<u64>())
        .prop_map(|(value, seed)| result(&reworded(&value, &mut random(seed)).replace(['\n', '\r'], " ")).into_bytes());
    let lists = (surface(), any::<u64>())
        .prop_map(|(value, seed)| result(&reworded(&value, &mut random(seed)).replace(['\n', '\r'], " ")).into_bytes());
    prop_oneof![
        3 => Just(declares(&["tools", "prompts"]).into_bytes()),
        2 => lists,
        2 => answers,
        1 => value().prop_map(|value| pretty(&value).replace('\n', " ").into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
    ]
}

fn with_id(line: Vec<u8>, id: &str) -> Reply {
    match String::from_utf8(line) {
        Ok(text) => Reply::Line(text.replace("$ID", id).into_bytes()),
        Err(error) => Reply::Line(error.into_bytes()),
    }
}
