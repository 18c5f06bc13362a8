//! Eras with real processes: a fresh one where it takes one, and what the commands make of the two.

use crate::support::cli::{Run, Sandbox, serving};
use crate::support::scripted::Scene;
use serde_json::{Value, json};
use std::time::Duration;
use warden::capture::{Deadline, EraChoice};
use warden::surface::Era;

const MODERN_FIRST: EraChoice = EraChoice::Auto { first: Era::Modern };

/// What a server was asked, over all its processes.
fn asked(record: &str) -> Vec<String> {
    let method = |line: &str| {
        let message: Value = serde_json::from_str(line).expect("JSON");
        message["method"].as_str().unwrap_or("(an answer)").to_owned()
    };
    record.lines().map(method).collect()
}

/// The version that a capture ends up with, and the requests before the lists.
fn captured(script: Value, era: EraChoice) -> (String, Vec<String>) {
    let scene = Scene::new(script).file("record").settings(|settings| {
        settings.era = era;
        settings.deadline = Deadline::after(Duration::from_secs(20));
    });
    let capture = scene.run().unwrap_or_else(|error| panic!("{error}"));
    let version = capture.captured.surface.about.protocol_version;
    capture.closing.finish();
    let record = asked(&std::fs::read_to_string(scene.path("record")).expect("a record"));
    (version, record.into_iter().take_while(|method| method != "tools/list").collect())
}

#[test]
fn a_process_that_does_not_survive_discover_is_started_again() {
    let legacy = "2025-11-25".to_owned();
    let afresh = ["server/discover", "initialize", "notifications/initialized"].map(str::to_owned).to_vec();
    let exits = json!({"methods": {"server/discover": [{"exit": 1}]}});
    assert_eq!(captured(exits, MODERN_FIRST), (legacy.clone(), afresh.clone()));
    let chatty = json!({"opening": ["hello"], "methods": {"server/discover": [{"exit": 0}]}});
    assert_eq!(captured(chatty, MODERN_FIRST), (legacy.clone(), afresh));
    // No answer, and the process dies at the next message; or the other way round.
    let twice =
        ["server/discover", "initialize", "initialize", "notifications/initialized"].map(str::to_owned).to_vec();
    let dies = json!({"methods": {"server/discover": [{"hang": true}]}, "exit_after": "server/discover"});
    assert_eq!(captured(dies, MODERN_FIRST), (legacy.clone(), twice.clone()));
    let answers = json!({"exit_after": "server/discover"});
    assert_eq!(captured(answers, MODERN_FIRST), (legacy.clone(), twice.clone()));
    // Bound to the era of its first request, though it then says that it speaks the other one only.
    let bound = json!({"era": "both", "modern_methods": {
        "server/discover": [{"result": {"supportedVersions": ["2025-11-25"], "capabilities": {}}}],
    }});
    assert_eq!(captured(bound, MODERN_FIRST), (legacy, twice));
}

#[test]
fn a_process_that_does_not_survive_initialize_is_started_again_and_discovered() {
    let script = json!({"era": "modern", "methods": {"initialize": [{"exit": 1}]}});
    let order = ["initialize", "server/discover"].map(str::to_owned).to_vec();
    assert_eq!(captured(script, EraChoice::default()), ("2026-07-28".to_owned(), order));
}

#[test]
fn a_second_failure_is_reported_only_where_it_came_further() {
    let failed = |script: Value, era| {
        let scene = Scene::new(script).file("record").file("pid_file").settings(|settings| settings.era = era);
        let error = scene.failed();
        let record = asked(&std::fs::read_to_string(scene.path("record")).expect("a record"));
        (error, record)
    };
    let both = json!({"methods": {
        "initialize": [{"stderr": "first\n", "exit": 2}], "server/discover": [{"stderr": "second\n", "exit": 3}],
    }});
    let (error, record) = failed(both.clone(), EraChoice::default());
    assert_eq!(error.to_string(), "handshake: the server exited with code 2 before answering");
    assert_eq!(error.context.stderr_tail, ["first"]);
    assert_eq!(record, ["initialize", "server/discover"]);
    // The other way round it is the second process that was asked for what every author tries.
    let (error, record) = failed(both.clone(), MODERN_FIRST);
    assert_eq!(error.to_string(), "handshake: the server exited with code 2 before answering");
    assert_eq!(record, ["server/discover", "initialize"]);
    // Who wants one era is not asked twice, and a crash says nothing about eras.
    assert_eq!(failed(both, EraChoice::Only(Era::Legacy)).1, ["initialize"]);
    let later = json!({"methods": {"server/discover": [{"exit": 1}], "tools/list": [{"exit": 4}]}});
    let (error, record) = failed(later, MODERN_FIRST);
    assert_eq!(error.to_string(), "tools/list page 1: the server exited with code 4 before answering");
    assert_eq!(record.iter().filter(|method| *method == "tools/list").count(), 1);
}

/// A server that speaks both eras; what it lists in the modern one, if that is something else.
fn dual(modern_tools: Option<Value>) -> Value {
    let mut script =
        serving(json!([{"name": "alpha", "description": "x", "inputSchema": {"type": "object", "title": "t"}}]));
    script["era"] = "both".into();
    script["record"] = "record".into();
    let tools = modern_tools.unwrap_or_else(
        || json!([{"name": "alpha", "inputSchema": {"title": "t", "type": "object"}, "description": "x"}]),
    );
    let list = json!([{"result": {"resultType": "complete", "ttlMs": 5, "cacheScope": "public", "tools": tools}}]);
    script["modern_methods"] = json!({"tools/list": list});
    script
}

fn notes(run: &Run) -> String {
    run.document()["notes"].to_string()
}

#[test]
fn a_lock_is_checked_in_its_own_era_first() {
    let sandbox = Sandbox::pinned(&dual(None), &["--era", "modern"]);
    let lock = sandbox.lock();
    assert_eq!(lock["pin"]["mcp_protocol_version"], "2026-07-28");
    std::fs::remove_file(sandbox.path("record")).expect("a record");
    let run = sandbox.run(&["check", "--json"]).expect(0);
    assert_eq!(run.document()["server"]["protocol_version"], "2026-07-28");
    assert_eq!(run.document()["server"]["name"], "scripted");
    assert!(!notes(&run).contains("era"), "{run}");
    assert_eq!(asked(&sandbox.read("record"))[0], "server/discover");
    // Without a command it is also pinned anew in that era, and with the same one.
    for args in [vec!["pin", "--json"], vec!["pin", "--json", "--", "./server", "s.json"]] {
        assert_eq!(sandbox.run(&args).expect(0).document()["verdict"], "unchanged");
    }
    // The other era is a note, not drift: the digest does not cover it.
    let run = sandbox.run(&["check", "--json", "--era", "legacy"]).expect(0);
    let changed = "the era of the protocol changed: the server was captured through initialize (MCP 2025-11-25) now, \
                   and pinned through server/discover (MCP 2026-07-28)";
    assert!(notes(&run).contains(changed), "{run}");
    // A server that has gone back to the old era is found there, in a fresh process where it must be.
    let mut legacy = dual(None);
    legacy["era"] = "legacy".into();
    sandbox.script(&legacy);
    assert!(notes(&sandbox.run(&["check", "--json"]).expect(0)).contains(changed));
    legacy["methods"]["server/discover"] = json!([{"exit": 1}]);
    sandbox.script(&legacy);
    assert!(notes(&sandbox.run(&["check", "--json"]).expect(0)).contains(changed));
}

#[test]
fn a_server_that_left_the_old_era_is_still_compared() {
    let sandbox = Sandbox::pinned(&dual(None), &[]);
    assert_eq!(sandbox.lock()["pin"]["mcp_protocol_version"], "2025-11-25");
    let mut modern = dual(Some(json!([{"name": "alpha", "description": "y"}])));
    modern["era"] = "modern".into();
    sandbox.script(&modern);
    let run = sandbox.run(&["check", "--json"]).expect(1);
    assert_eq!(run.document()["verdict"], "drift");
    assert!(notes(&run).contains("server/discover (MCP 2026-07-28) now"), "{run}");
    let run = sandbox.run(&["pin", "--json"]).expect(0);
    assert!(notes(&run).contains("the era of the protocol changed"), "{run}");
    assert_eq!(sandbox.lock()["pin"]["mcp_protocol_version"], "2026-07-28");
}

#[test]
fn both_eras_have_to_declare_the_same() {
    let sandbox = Sandbox::pinned(&dual(None), &["--era", "both"]);
    assert_eq!(sandbox.lock()["pin"]["mcp_protocol_version"], "2025-11-25");
    let first = asked(&sandbox.read("record"));
    assert_eq!(first.iter().filter(|method| *method == "tools/list").count(), 2);
    let run = sandbox.run(&["check", "--json", "--era", "both"]).expect(0);
    assert!(notes(&run).contains("both eras of the protocol were captured (MCP 2025-11-25 and 2026-07-28)"), "{run}");

    let before = sandbox.read("warden.lock");
    let other =
        json!([{"name": "alpha", "description": "x", "inputSchema": {"type": "object"}}, {"name": "beta\u{1b}"}]);
    sandbox.script(&dual(Some(other)));
    for command in ["pin", "check"] {
        let run = sandbox.run(&[command, "--json", "--era", "both"]).expect(3);
        let failure = &run.document()["failure"];
        assert_eq!(failure["code"], "E-ERAS-DIFFER");
        let message = failure["message"].as_str().expect("a message");
        assert!(message.ends_with(": tool \"beta⟨ESC⟩\" only in the modern era; tools/alpha differs in input schema"));
    }
    assert_eq!(sandbox.read("warden.lock"), before);
    // The lock itself is still true in its own era.
    sandbox.run(&["check"]).expect(0);
    // Both means both.
    let mut legacy = dual(None);
    legacy["era"] = "legacy".into();
    sandbox.script(&legacy);
    let run = sandbox.run(&["check", "--json", "--era", "both"]).expect(3);
    assert_eq!(run.document()["failure"]["code"], "E-SERVER-ERROR");
}
