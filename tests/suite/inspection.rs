//! Inspection blocks: from a reviewed file only, the same one for pin and check, and never from a server.

use crate::support::cli::{Run, Sandbox, fixture};
use serde_json::{Value, json};

fn blocks() -> Value {
    json!({
        "fetch_feed": {"expected_output_charset": "extended", "may_return_urls": true},
        "ping": {},
        "save_note": {"secret_echo_applies": false}
    })
}

/// Pinned with these blocks in the file beside the lock.
fn pinned(blocks: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture("notes.json"));
    sandbox.write("warden.inspection.json", blocks.to_string());
    sandbox.run(&["pin", "--", "./server", "s.json"]).expect(0);
    sandbox
}

/// The tools whose block is said to differ; nothing else may be said.
fn modified(run: &Run) -> Vec<String> {
    let document = run.document();
    let blocks = document["entries"].as_array().expect("blocks");
    let targets = blocks.iter().map(|block| {
        let items = block["items"].as_array().expect("items");
        assert_eq!(items.len(), 1, "{run}");
        assert_eq!(items[0]["class"], "inspection-policy-modified", "{run}");
        assert_eq!(block["changed_fields"], json!(["inspection"]), "{run}");
        block["target"].as_str().expect("a text").to_owned()
    });
    targets.collect()
}

#[test]
fn blocks_are_stored_as_reviewed_and_check_clean_with_the_same_file() {
    let sandbox = pinned(&blocks());
    let lock = sandbox.lock();
    for tool in lock["tools"].as_array().unwrap() {
        let expected = blocks()[tool["name"].as_str().unwrap()].clone();
        assert_eq!(tool.get("inspection").cloned().unwrap_or_default(), expected);
    }
    sandbox.run(&["check"]).expect(0);
    sandbox.run(&["show", "--verify"]).expect(0);
    // Spelling and order of the file are nobody's business.
    let text = r#"{ "save_note": {"secret_echo_applies" : false}, "ping": { },
        "fetch_feed": {"may_return_urls":true,"expected_output_charset":"extended"} }"#;
    sandbox.write("warden.inspection.json", text);
    sandbox.run(&["check"]).expect(0);
    let run = sandbox.run(&["pin", "--json"]).expect(0);
    assert_eq!(run.document()["verdict"], "unchanged");
    // A named file is as good as the default one.
    std::fs::rename(sandbox.path("warden.inspection.json"), sandbox.path("reviewed.json")).unwrap();
    sandbox.run(&["check", "--inspection", "reviewed.json"]).expect(0);
    sandbox.run(&["check"]).expect(1);
}

#[test]
fn the_default_file_stands_beside_the_lock() {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture("notes.json"));
    std::fs::create_dir(sandbox.path("locks")).unwrap();
    sandbox.write("locks/warden.inspection.json", json!({"ping": {"may_return_urls": true}}).to_string());
    // This one is beside no lock.
    sandbox.write("warden.inspection.json", "not JSON");
    sandbox.run(&["pin", "--lock", "locks/a.lock", "--", "./server", "s.json"]).expect(0);
    assert!(sandbox.read("locks/a.lock").contains("may_return_urls"));
    sandbox.run(&["check", "--lock", "locks/a.lock"]).expect(0);
}

#[test]
fn any_difference_to_the_file_is_named() {
    type Edit = fn(&mut Value);
    let edits: [(Edit, &[&str]); 9] = [
        (|file| file["fetch_feed"]["may_return_urls"] = json!(false), &["tools/fetch_feed"]),
        (|file| file["fetch_feed"]["expected_output_charset"] = json!("text"), &["tools/fetch_feed"]),
        // A default that is spelled out is another block: what is hashed is what stands there.
        (|file| file["fetch_feed"]["secret_echo_applies"] = json!(true), &["tools/fetch_feed"]),
        (|file| file["save_note"] = json!({}), &["tools/save_note"]),
        (|file| file["ping"]["secret_echo_applies"] = json!(true), &["tools/ping"]),
        (|file| *file = json!({"fetch_feed": file["fetch_feed"]}), &["tools/ping", "tools/save_note"]),
        (|file| file["outline"] = json!({}), &["tools/outline"]),
        (|file| *file = json!({}), &["tools/fetch_feed", "tools/ping", "tools/save_note"]),
        (|file| file["outline"] = file["ping"].clone(), &["tools/outline"]),
    ];
    for (edit, targets) in edits {
        let sandbox = pinned(&blocks());
        let mut file = blocks();
        edit(&mut file);
        sandbox.write("warden.inspection.json", file.to_string());
        let run = sandbox.run(&["check", "--json"]).expect(1);
        assert_eq!(modified(&run), targets, "{run}");
        // Pinning it is how it is accepted.
        sandbox.run(&["pin"]).expect(0);
        sandbox.run(&["check"]).expect(0);
    }
    // The file gone altogether.
    let sandbox = pinned(&blocks());
    std::fs::remove_file(sandbox.path("warden.inspection.json")).unwrap();
    assert_eq!(modified(&sandbox.run(&["check", "--json"]).expect(1)).len(), 3);
}

#[test]
fn a_block_that_a_pin_would_lose_is_named() {
    let sandbox = pinned(&blocks());
    std::fs::remove_file(sandbox.path("warden.inspection.json")).unwrap();
    let run = sandbox.run(&["pin", "--json"]).expect(0);
    let notes = run.document()["notes"].to_string();
    assert!(["fetch_feed", "ping", "save_note"].iter().all(|name| notes.contains(name)), "{run}");
}

#[test]
fn a_server_cannot_declare_a_block() {
    let mut script = fixture("notes.json");
    let sandbox = Sandbox::pinned(&script, &[]);
    let before = sandbox.lock();
    for tool in script["methods"]["tools/list"][0]["result"]["tools"].as_array_mut().unwrap() {
        tool["inspection"] = json!({"may_return_urls": true});
    }
    sandbox.script(&script);
    sandbox.run(&["check"]).expect(0);
    sandbox.run(&["pin", "--force"]).expect(0);
    assert_eq!(sandbox.lock()["tools"], before["tools"]);
}

#[test]
fn a_file_that_breaks_the_rules_is_refused_before_anything_starts() {
    for file in [
        json!([]).to_string(),
        json!("ping").to_string(),
        json!({"ping": null}).to_string(),
        json!({"ping": true}).to_string(),
        json!({"ping": ["may_return_urls"]}).to_string(),
        json!({"ping": {"expected_output_charset": "utf-8"}}).to_string(),
        json!({"ping": {"expected_output_charset": "Text"}}).to_string(),
        json!({"ping": {"expected_output_charset": null}}).to_string(),
        json!({"ping": {"may_return_urls": 1}}).to_string(),
        json!({"ping": {"may_return_urls": "true"}}).to_string(),
        json!({"ping": {"secret_echo_applies": null}}).to_string(),
        json!({"ping": {"may_return_url": true}}).to_string(),
        json!({"ping": {"note": "reviewed"}}).to_string(),
        r#"{"ping": {"may_return_urls": true, "may_return_urls": false}}"#.to_owned(),
        r#"{"ping": {}, "ping": {}}"#.to_owned(),
        "{\"ping\": {}}}".to_owned(),
        String::new(),
    ] {
        let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
        sandbox.write("s.json", json!({"pid_file": sandbox.path("started")}).to_string());
        sandbox.write("warden.inspection.json", &file);
        let before = sandbox.read("warden.lock");
        for args in [&["check"][..], &["pin"], &["pin", "--force", "--", "./server", "s.json"]] {
            let run = sandbox.run(args).expect(2);
            assert!(run.stderr.contains("warden.inspection.json is not a valid inspection file"), "{run}");
        }
        assert!(!sandbox.exists("started"), "{file}");
        assert_eq!(sandbox.read("warden.lock"), before);
    }
}

#[test]
fn a_block_for_a_tool_that_is_not_there_is_refused_when_pinning() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let before = sandbox.read("warden.lock");
    sandbox.write("warden.inspection.json", json!({"pings": {}}).to_string());
    let run = sandbox.run(&["pin"]).expect(2);
    assert!(run.stderr.contains("pings"), "{run}");
    assert_eq!(sandbox.read("warden.lock"), before);
    // A check has nothing to compare it with, and says so.
    let run = sandbox.run(&["check", "--json"]).expect(0);
    assert!(run.document()["notes"].to_string().contains("pings"), "{run}");
    let run = sandbox.run(&["check", "--inspection", "none.json"]).expect(2);
    assert!(run.stderr.contains("none.json could not be read"), "{run}");
}
