//! What is said, and what is made of everything that a server says in between.

use crate::support::replay::{Table, declares, result, tools};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};
use warden::capture::{Limit, Stage};
use warden::surface::Era;

fn sent(table: Table) -> Vec<String> {
    let (outcome, sent) = table.run();
    outcome.unwrap_or_else(|error| panic!("{error}"));
    sent
}

#[test]
fn the_conversation_is_the_handshake_and_then_the_lists() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        sent(Table::new().on("initialize", &[&declares(&["tools", "resources"])]).on("resources/list", &[&result(r#"{"resources":[]}"#)])),
        [
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"warden","version":"{version}"}}}}}}"#
            )
            .as_str(),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"resources/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"prompts/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":5,"method":"resources/templates/list","params":{}}"#,
        ]
    );
}

#[test]
fn what_was_declared_stays_raw() {
    let entry = r#"{"name":"a","x-new":[1,1.0,1e2,-0],"annotations":{"odd":null},"inputSchema":null}"#;
    let captured = Table::new().on("tools/list", &[&result(&format!(r#"{{"tools":[{entry}]}}"#))]).captured();
    let raw = serde_json::to_string(captured.surface.tools[0].raw()).expect("JSON");
    assert_eq!(raw, entry.replace("1e2", "100.0").replace("-0]", "0]"));
    let about = &captured.surface.about;
    assert_eq!(about.protocol_version, "2025-11-25");
    assert_eq!(about.server_name_and_version(), (Some("s"), Some("1")));
}

#[test]
fn four_versions_are_understood_and_no_other() {
    let answer =
        |version: &str| result(&format!(r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}}}}"#));
    for version in Era::Legacy.versions() {
        let captured = Table::new().on("initialize", &[&answer(version)]).captured();
        assert_eq!(captured.surface.about.protocol_version, *version);
    }
    for version in ["2024-10-07", "2026-07-28", "2025-11-25 ", "2099-01-01", "", "\\u001b[1m"] {
        let error = Table::new().on("initialize", &[&answer(version)]).failed();
        assert_eq!((error.code(), error.stage), ("E-PROTOCOL-VERSION", Stage::Handshake), "{version}");
        assert!(!error.to_string().contains('\u{1b}'));
    }
}

#[test]
fn a_handshake_that_is_none_is_said_to_be_none() {
    let refused = Table::new()
        .on("initialize", &[r#"{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"a\u001bb"}}"#])
        .failed();
    assert_eq!(refused.code(), "E-SERVER-ERROR");
    assert_eq!(refused.to_string(), "handshake: the server answered initialize with error without a code: a⟨ESC⟩b");
    for answer in [
        result("[]"),
        result("{}"),
        result(r#"{"protocolVersion":1}"#),
        result(r#"{"protocolVersion":"2025-11-25","capabilities":[]}"#),
        r#"{"jsonrpc":"2.0","id":$ID}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":$ID,"result":{},"error":{}}"#.to_owned(),
        // What `cat` does.
        r#"{"jsonrpc":"2.0","id":$ID,"method":"initialize","params":{}}"#.to_owned(),
    ] {
        assert_eq!(Table::new().on("initialize", &[&answer]).failed().code(), "E-NOT-MCP", "{answer}");
    }
}

#[test]
fn requests_of_the_server_are_answered_and_notifications_are_not() {
    // Ids of the two directions are independent: 2 is also ours.
    let asks = [
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"r","method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"sampling/createMessage","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"odd"}"#,
    ]
    .join("\n");
    let sent = sent(Table::new().on("tools/list", &[&format!("{asks}\n{}", tools(&["alpha"]))]));
    assert_eq!(
        sent[3..6],
        [
            r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"r","error":{"code":-32601,"message":"method not found"}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"error":{"code":-32601,"message":"method not found"}}"#,
        ]
    );
    assert_eq!(sent.len(), 8);
}

#[test]
fn ids_may_come_back_as_texts_and_foreign_answers_are_ignored() {
    let reply = format!(
        "{}\n{}\n{}\n{}",
        r#"{"jsonrpc":"2.0","id":77,"result":{"tools":[]}}"#,
        r#"{"jsonrpc":"2.0","id":"x\u001b","result":{"tools":[]}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"who?"}}"#,
        tools(&["alpha"]).replace("$ID", "\"$ID\""),
    );
    let captured = Table::new().on("tools/list", &[&reply]).captured();
    assert_eq!(captured.surface.tools[0].name(), "alpha");
    assert_eq!(
        captured.warnings,
        [
            "the server answered a request that was never made (id 77)",
            "the server answered a request that was never made (id \"x⟨ESC⟩\")",
            "the server sent an error that belongs to no request: -32600 who?",
        ]
    );
}

#[test]
fn an_error_without_an_id_is_quoted_when_nothing_else_comes() {
    let error = Table::new()
        .on("tools/list", &[r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error"}}"#])
        .settings(|settings| {
            settings.deadline = warden::capture::Deadline::after(std::time::Duration::from_millis(200))
        })
        .failed();
    assert_eq!(error.code(), "E-TIMEOUT");
    let want = "tools/list page 1: timed out after 0.2 s waiting for the server; it sent an error that belongs to no request: -32700 parse error";
    assert_eq!(error.to_string(), want);
}

#[test]
fn lines_that_are_not_mcp_are_skipped_counted_and_quoted() {
    let captured = Table::new()
        .opening(b"Server v1 \x1b[31mready\x1b[0m")
        .opening(b"  ")
        .opening(b"caf\xe9 \xff")
        .opening(br#"{"level":30,"time":1764446400000000000,"id":1}"#)
        .opening(br#"{"id":1,"result":{}}"#)
        .captured();
    assert_eq!(
        captured.warnings,
        [
            "4 lines of the server's output were not MCP and were skipped: \"Server v1 ⟨ESC⟩[31mready⟨ESC⟩[0m\", \"caf\u{fffd} \u{fffd}\", \"{\"level\":30,\"time\":1764446400000000000,\"id\":1}\", …"
        ]
    );
    let strict = Table::new().opening(b"one").settings(|settings| settings.limits.noise_lines = 0).failed();
    assert_eq!((strict.code(), strict.context.warnings.len()), ("E-NOISE", 0));
    assert_eq!(strict.kind.to_string(), "a line of the server's output is not MCP: \"one\"");
    let limited = Table::new().opening(b"one").opening(b"two").settings(|settings| settings.limits.noise_lines = 1);
    let limited = limited.failed();
    assert_eq!(limited.code(), "E-LIMIT");
    assert!(limited.to_string().contains(Limit::NoiseLines.name()), "{limited}");
    assert_eq!(limited.context.warnings.len(), 1);
}

#[test]
fn batches_are_accepted() {
    let batch = format!(r#"[{{"jsonrpc":"2.0","id":9,"method":"ping"}},{},7]"#, tools(&["alpha"]));
    let answer =
        |version: &str| result(&format!(r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}}}}"#));
    for (version, warnings) in [("2025-03-26", 1), ("2025-06-18", 2)] {
        let captured = Table::new().on("initialize", &[&answer(version)]).on("tools/list", &[&batch]).captured();
        assert_eq!(captured.surface.tools.len(), 1);
        assert_eq!(captured.warnings.len(), warnings, "{:?}", captured.warnings);
    }
}

#[test]
fn an_observer_sees_every_stage() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    Table::new()
        .settings(|settings| {
            settings.observer = Arc::new(move |stage: &Stage| record.lock().expect("a lock").push(stage.to_string()));
        })
        .captured();
    let want = ["handshake", "tools/list page 1", "resources/list page 1", "prompts/list page 1", "surface"];
    assert_eq!(*seen.lock().expect("a lock"), want);
}

proptest! {
    #[test]
    fn no_line_makes_it_panic(line in proptest::collection::vec(any::<u8>(), 0..200), cut in 0usize..200) {
        let mut message = tools(&["alpha"]).replace("$ID", "2").into_bytes();
        message.truncate(cut);
        message.extend(&line);
        let _ = Table::new().opening(&line).opening(&message).run();
    }

    #[test]
    fn no_message_makes_it_panic(text in r#"(\{|\[|\}|\]|,|:|"|jsonrpc|2\.0|id|method|result|error|tools|nextCursor|null|1|-|\\u0000| ){0,40}"#) {
        let reply = format!("{{\"jsonrpc\":\"2.0\",{text}\n!exit 1");
        for method in ["initialize", "tools/list", "resources/templates/list"] {
            let _ = Table::new().on(method, &[&reply]).run();
        }
    }
}
