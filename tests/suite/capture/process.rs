//! Real processes: what they get, how they fail, and that none of them stays.

use crate::support::scripted::{Scene, is_gone, is_soon_gone, write_program};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use warden::capture::transport::Ending;
use warden::capture::{CaptureError, Deadline, Stage};

fn soon(scene: Scene) -> Scene {
    scene.settings(|settings| settings.deadline = Deadline::after(Duration::from_millis(300)))
}

fn failed(argv: &[&str]) -> CaptureError {
    match Scene::new(json!({})).run_command(argv) {
        Ok(capture) => panic!("captured {:?}", capture.captured),
        Err(error) => error,
    }
}

#[test]
fn a_server_is_captured_and_leaves_when_its_input_ends() {
    let scene = Scene::new(json!({})).file("pid_file").file("record");
    let capture = scene.run().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(capture.captured.surface.tools[0].name(), "alpha");
    assert!(capture.captured.warnings.is_empty());
    assert_eq!(capture.closing.finish(), Some(Ending::Exited(0)));
    assert!(is_gone(scene.pid("pid_file")));
    let record = std::fs::read_to_string(scene.path("record")).expect("a record");
    assert_eq!(record.lines().count(), 5);
}

#[test]
fn nothing_but_the_named_variables_reaches_the_server() {
    let ambient = [("PATH", "/bin"), ("HOME", "/nowhere"), ("WARDEN_TEST_SECRET", "s"), ("LANG", "xx")];
    let seen = |inherit: bool| {
        let mut environment =
            warden::capture::Environment::new(ambient.map(|(name, value)| (name.into(), value.into())))
                .with("KEY", "its value")
                .with("HOME", "/home/else");
        if inherit {
            environment = environment.inherit_all();
        }
        let scene = Scene::new(json!({"env_report": true})).environment(|_| environment);
        let capture = scene.run().unwrap_or_else(|error| panic!("{error}"));
        capture.captured.surface.tools[1].description().unwrap_or_default().to_owned()
    };
    assert_eq!(seen(false), "HOME=/home/else\nKEY=its value\nPATH=/bin\n");
    assert_eq!(seen(true), "HOME=/home/else\nKEY=its value\nLANG=xx\nPATH=/bin\nWARDEN_TEST_SECRET=s\n");
}

#[test]
fn values_that_were_handed_over_show_in_no_message() {
    let secret = "hunter2-hunter2";
    let told = |script| {
        let scene = Scene::new(script).environment(|environment| environment.with("TOKEN", secret).with("N", "7"));
        match scene.run() {
            Ok(capture) => format!("{:?}", capture.captured.warnings),
            Err(error) => format!("{error}\n{:?}", error.context),
        }
    };
    let everywhere = told(json!({
        "opening": [format!("using {secret} 7")],
        "stderr": format!("bad key {secret}\u{1b}[0m (7)\n"),
        "methods": {"tools/list": [{"error": {"code": 1, "message": format!("no {secret}x")}}]},
    }));
    assert!(!everywhere.contains(secret), "{everywhere}");
    for text in [
        "bad key [value of TOKEN]⟨ESC⟩[0m ([value of N])",
        "no [value of TOKEN]x",
        "using [value of TOKEN] [value of N]",
    ] {
        assert!(everywhere.contains(text), "{everywhere}");
    }
    let refused =
        told(json!({"methods": {"tools/list": [{"result": {"tools": [{"name": secret}, {"name": secret}]}}]}}));
    assert!(refused.contains("tool \"[value of TOKEN]\" is declared twice"), "{refused}");
    let surface = told(json!({"env_report": ["TOKEN"]}));
    assert_eq!(surface, r#"["tool \"environment\" repeats the value of TOKEN: a lock of it may hold that value"]"#);
}

#[test]
fn a_command_that_cannot_be_started_says_why() {
    let scene = Scene::new(json!({}));
    let (plain, orphan) = (scene.path("plain"), scene.path("orphan"));
    std::fs::write(&plain, "#!/bin/sh\n").expect("a file");
    write_program(Path::new(&orphan), "#!/no/such/interpreter\n");
    for (command, code, text) in [
        ("no-such-command".to_owned(), "E-NOT-FOUND", "start: the command no-such-command was not found"),
        (String::new(), "E-NOT-FOUND", "the command '' was not found"),
        ("./no such\u{1b}".to_owned(), "E-NOT-FOUND", r"$'./no such\x1b'"),
        (scene.path("."), "E-NOT-EXECUTABLE", "it is a folder"),
        (plain, "E-NOT-EXECUTABLE", "permission denied"),
        (orphan, "E-NO-INTERPRETER", "the interpreter"),
        ("a\0b".to_owned(), "E-NOT-STARTED", "could not be started"),
    ] {
        let error = failed(&[&command]);
        assert_eq!((error.code(), error.stage), (code, Stage::Start), "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn a_server_that_ends_too_early_is_quoted() {
    let scene = Scene::new(json!({
        "opening": ["usage: server [--port N]"],
        "methods": {"initialize": [{"stderr": "one\n\nfatal: DEMO_KEY is not set\n", "exit": 2}]},
    }));
    let error = scene.failed();
    assert_eq!((error.code(), error.stage), ("E-EXITED", Stage::Handshake));
    assert_eq!(error.to_string(), "handshake: the server exited with code 2 before answering");
    assert_eq!(error.context.stderr_tail, ["one", "fatal: DEMO_KEY is not set"]);
    assert!(error.context.warnings[0].contains("usage: server"));

    assert_eq!(
        failed(&["sh", "-c", "kill -9 $$"]).to_string(),
        "handshake: the server was killed by signal 9 before answering"
    );
    assert_eq!(failed(&["sh", "-c", "exec >&-; sleep 60"]).code(), "E-CLOSED");
    // Shows when something is to be written: here, the answer to a ping.
    let ping = r#"exec <&-; sleep 0.2; echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'; sleep 60"#;
    assert_eq!(failed(&["sh", "-c", ping]).to_string(), "handshake: the server closed its input before answering");
    let other = failed(&["echo", "hello\u{1b}"]);
    assert_eq!(other.code(), "E-NOT-MCP");
    assert!(other.to_string().contains("beginning with \"hello⟨ESC⟩\""), "{other}");
    let later = Scene::new(json!({"methods": {"tools/list": [{"close_output": true}]}})).failed();
    assert_eq!((later.code(), later.stage.to_string().as_str()), ("E-CLOSED", "tools/list page 1"));
}

#[test]
fn a_server_that_is_gone_is_noticed_though_its_child_holds_the_pipes() {
    let scene = Scene::new(json!({"methods": {"tools/list": [{"stderr": "bye\n", "exit": 3}]}})).file("fork_child");
    let begin = Instant::now();
    let error = scene.failed();
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(error.to_string(), "tools/list page 1: the server exited with code 3 before answering");
    assert_eq!(error.context.stderr_tail, ["bye"]);
    assert!(is_gone(scene.pid("fork_child")));
}

#[test]
fn the_deadline_ends_everything_and_names_the_stage() {
    for (script, stage) in [
        (json!({"startup_delay_ms": 60000}), "handshake"),
        (json!({"methods": {"tools/list": [{"hang": true}]}, "stderr": "waiting for a lock\n"}), "tools/list page 1"),
        (
            json!({"methods": {"prompts/list": [{"hang": true}]}, "ignore_eof": true, "ignore_sigterm": true}),
            "prompts/list page 1",
        ),
    ] {
        let scene = soon(Scene::new(script)).file("pid_file");
        let begin = Instant::now();
        let error = scene.failed();
        assert!(begin.elapsed() < Duration::from_secs(20));
        assert_eq!((error.code(), error.stage.to_string().as_str()), ("E-TIMEOUT", stage));
        assert!(error.to_string().contains("timed out after 0.3 s"));
        assert!(stage != "tools/list page 1" || error.context.stderr_tail == ["waiting for a lock"]);
        assert!(is_gone(scene.pid("pid_file")));
    }
}

#[test]
fn noise_on_standard_error_blocks_nobody_and_only_its_end_is_kept() {
    let reply = json!([{"stderr": 1 << 20, "result": {"tools": [{"name": "alpha"}]}}]);
    let scene = Scene::new(json!({"stderr": 1 << 20, "methods": {"tools/list": reply}}));
    assert_eq!(scene.run().unwrap_or_else(|error| panic!("{error}")).captured.surface.tools.len(), 1);

    let flood = format!("{}\nlast words\n", "w".repeat(1 << 20));
    let error = Scene::new(json!({"methods": {"initialize": [{"stderr": flood, "exit": 1}]}})).failed();
    assert_eq!(error.context.stderr_tail, ["last words"]);
}

#[test]
fn lines_may_be_long_and_oddly_ended() {
    let long = "ä".repeat(1_500_000);
    let scene =
        Scene::new(json!({"methods": {"tools/list": [{"result": {"tools": [{"name": "a", "description": long}]}}]}}));
    let capture = scene.run().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(capture.captured.surface.tools[0].description().map(str::len), Some(3_000_000));

    let error = scene.settings(|settings| settings.limits.line_bytes = 1 << 20).failed();
    assert_eq!(error.code(), "E-LIMIT");
    assert!(error.to_string().contains("max-line-bytes (1048576 bytes in one line of output)"), "{error}");

    let answer = |value: &str, end: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{value}}}{end}");
    let hello = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}"#;
    let bytes: Vec<u8> = [b"caf\xe9 \xff\xfe\n".as_slice(), b"\n\r\n \n"].concat();
    let capture = Scene::new(json!({
        "methods": {
            "initialize": [{"raw": format!("\u{feff}{}", answer(hello, "\r"))}],
            "tools/list": [{"raw_bytes": bytes, "after": [answer(r#"{"tools":[{"name":"a"}]}"#, "\r")]}],
            // The last line has no end, and then there is nobody to write one.
            "prompts/list": [{"raw": answer(r#"{"prompts":[]}"#, "$NONL"), "exit": 0}],
        },
    }))
    .run()
    .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(capture.captured.surface.tools.len(), 1);
    assert_eq!(capture.captured.warnings.len(), 1, "{:?}", capture.captured.warnings);
}

#[test]
fn values_are_bounded_over_the_whole_output() {
    // Each page is within the limit, and each is small.
    let page = |cursor: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"tools\":[],\"x\":[{}0],\"nextCursor\":\"{cursor}\"}}}}",
            "[],".repeat(400)
        )
    };
    let pages: Vec<_> = (0..9).map(|number| json!({"raw": page(&number.to_string())})).collect();
    let scene = Scene::new(json!({"methods": {"tools/list": pages}}));
    let error = scene.settings(|settings| settings.limits.values = 2000).failed();
    assert_eq!(error.code(), "E-LIMIT");
    assert_eq!(
        error.to_string(),
        "tools/list page 5: the limit max-values (2000 JSON values in the output) was passed"
    );
    // Nor does a line help that is no message.
    let noise = json!({"opening": [format!("[{}0]", "[],".repeat(3000))]});
    let error = Scene::new(noise).settings(|settings| settings.limits.values = 2000).failed();
    assert_eq!(error.code(), "E-LIMIT");
}

#[test]
fn a_server_that_only_writes_meets_a_limit() {
    let begin = Instant::now();
    let error = failed(&["yes", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#]);
    assert!(error.to_string().contains("max-outgoing-bytes"), "{error}");
    let scene = Scene::new(json!({})).settings(|settings| settings.limits.total_bytes = 2 << 20);
    let notifications = scene.run_command(&["yes", r#"{"jsonrpc":"2.0","method":"notifications/x"}"#]);
    let error = notifications.expect_err("no end of notifications");
    assert!(error.to_string().contains("max-total-bytes"), "{error}");
    let error = failed(&["yes", "no"]);
    assert!(error.to_string().contains("max-noise-lines"), "{error}");
    let error = failed(&["sh", "-c", "tr '\\0' x < /dev/zero"]);
    assert!(error.to_string().contains("max-line-bytes"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(120));
}

#[test]
fn no_process_stays_whatever_the_server_does() {
    for stubborn in [
        json!({"ignore_eof": true}),
        json!({"ignore_sigterm": true}),
        json!({"ignore_eof": true, "ignore_sigterm": true}),
        json!({"methods": {"tools/list": [{"error": {"code": 1, "message": "x"}}]}, "ignore_eof": true, "ignore_sigterm": true}),
    ] {
        let scene = Scene::new(stubborn).file("pid_file").file("fork_child");
        let begin = Instant::now();
        if let Ok(capture) = scene.run() {
            // The surface is there before the server is gone.
            capture.closing.finish();
        }
        assert!(begin.elapsed() < Duration::from_secs(20));
        assert!(is_gone(scene.pid("pid_file")));
        assert!(is_soon_gone(scene.pid("fork_child")));
    }
}

#[test]
fn forgetting_to_finish_leaves_no_process_either() {
    let scene = Scene::new(json!({"ignore_eof": true})).file("pid_file");
    drop(scene.run().unwrap_or_else(|error| panic!("{error}")).closing);
    assert!(is_gone(scene.pid("pid_file")));
}
