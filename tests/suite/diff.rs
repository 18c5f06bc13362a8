//! `warden diff`: the words and blocks of a check, from files alone, and a status that judges only on request.

use crate::support::cli::{Run, Sandbox, fixture, serving};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

fn tool(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

/// Locks and surface files `a` and `b` of one launch that was updated in between.
fn two() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, script) in [("a", "notes.json"), ("b", "notes-changed.json")] {
        sandbox.script(&fixture(script));
        let lock = format!("{name}.lock");
        sandbox.run(&["pin", "--lock", &lock, "--save-surface", "--", "./server", "s.json"]).expect(0);
    }
    sandbox
}

/// Target, items and changed fields of every block.
fn blocks(run: &Run) -> Value {
    let document = run.document();
    let blocks = document["entries"].as_array().expect("blocks").iter();
    blocks.map(|block| json!([block["target"], block["items"], block["changed_fields"], block["texts"]])).collect()
}

#[test]
fn a_difference_reads_as_in_a_check() {
    let sandbox = two();
    sandbox.run(&["check", "--lock", "b.lock"]).expect(0);
    let check = sandbox.run(&["check", "--lock", "a.lock", "--json"]).expect(1);
    for args in [["a.lock", "b.lock"], ["a.lock", "b.surface.json"], ["a.surface.json", "b.lock"]] {
        let run = sandbox.run(&["diff", args[0], args[1], "--json"]).expect(0);
        assert_eq!(blocks(&run), blocks(&check), "{args:?}");
        let document = run.document();
        assert_eq!((&document["command"], &document["verdict"]), (&json!("diff"), &json!("different")));
        assert_eq!((&document["lock_path"], &document["compared_with"]["path"]), (&json!(args[0]), &json!(args[1])));
        assert_eq!(document["lock"].is_null(), args[0].ends_with("json"));
        assert_eq!(document["compared_with"]["lock"].is_null(), args[1].ends_with("json"));
    }
    // Findings that are new on what drifted, as in a check.
    let findings = |run: &Run| -> Vec<Value> {
        run.document()["entries"].as_array().unwrap().iter().map(|block| block["new_findings"].clone()).collect()
    };
    assert_eq!(findings(&sandbox.run(&["diff", "a.lock", "b.lock", "--json"])), findings(&check));
    let run = sandbox.run(&["diff", "a.surface.json", "b.surface.json", "--json"]).expect(0);
    assert_eq!(blocks(&run), blocks(&check));
}

#[test]
fn the_status_judges_only_on_request() {
    let sandbox = two();
    for (args, verdict, code) in [
        (&["a.lock", "b.lock"][..], "DIFFERENT", 0),
        (&["a.lock", "b.lock", "--exit-code"], "DRIFT", 1),
        (&["a.lock", "a.lock", "--exit-code"], "SAME", 0),
        (&["a.lock", "a.surface.json", "--exit-code"], "SAME", 0),
        (&["b.surface.json", "b.lock", "--exit-code"], "SAME", 0),
        (&["a.surface.json", "b.surface.json", "--exit-code"], "DRIFT", 1),
    ] {
        for quiet in [&[][..], &["-q"]] {
            let run = sandbox.run(&[&["diff"], args, quiet].concat()).expect(code);
            assert!(run.stdout.lines().any(|line| line.starts_with(verdict)), "{run}");
            assert_eq!(run.stderr, "");
        }
    }
    // A lock that contradicts itself is never the same as anything, on either side.
    for edit in ["digest", "entry"] {
        sandbox.write("warden.lock", sandbox.read("a.lock"));
        sandbox.edit_lock(|lock| match edit {
            "digest" => lock["server"]["args"] = json!(["x"]),
            _ => lock["tools"][0]["capabilities"] = json!(["shell-exec"]),
        });
        for args in [["warden.lock", "a.lock"], ["a.lock", "warden.lock"], ["warden.lock", "warden.lock"]] {
            let run = sandbox.run(&["diff", args[0], args[1], "--json"]).expect(0);
            assert_eq!(run.document()["verdict"], "different", "{edit} {args:?}\n{run}");
            let run = sandbox.run(&["diff", "--exit-code", args[0], args[1]]).expect(1);
            let which = if args[0] == "warden.lock" { "(in A)" } else { "(in B)" };
            assert!(run.stdout.contains(which) && run.stdout.contains("contradicts itself"), "{run}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let sandbox = two();
    let text = sandbox.read("a.lock");
    sandbox.write("cut.lock", &text[..text.len() / 2]);
    sandbox.write("other.json", "{\"tools\": 7}");
    sandbox.write("level.lock", text.replacen("\"schema_version\": 4", "\"schema_version\": 9", 1));
    sandbox.write("twice.json", serving(json!([tool("x", ""), tool("x", "")]))["methods"]["tools/list"][0].to_string());
    for bad in ["missing.lock", "cut.lock", "other.json", "level.lock", "twice.json", ".", "/dev/null"] {
        for args in [["a.lock", bad], [bad, "a.lock"]] {
            let run = sandbox.run(&["diff", args[0], args[1], "--exit-code"]).expect(2);
            assert!(run.stdout.is_empty() && run.stderr.contains(bad), "{run}");
        }
    }
    assert!(sandbox.run(&["diff", "a.lock", "level.lock"]).stderr.contains("levels 1 to 4"));
    sandbox.run(&["diff", "-", "-"]).expect(2);
    sandbox.run(&["diff", "a.lock"]).expect(2);
}

#[test]
fn a_lock_may_come_through_a_pipe() {
    let sandbox = two();
    let mut command = sandbox.command(&["diff", "-", "b.lock", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(sandbox.read("a.lock").as_bytes()).unwrap();
    let piped = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let named = sandbox.run(&["diff", "a.lock", "b.lock", "--json"]).expect(0).stdout;
    assert!(piped.contains("\"lock_path\": \"-\""), "{piped}");
    let items = |text: &str| serde_json::from_str::<Value>(text).unwrap()["severities"].clone();
    assert_eq!(items(&piped), items(&named));
    // A named pipe, as a shell makes one of `<(command)`.
    let pipe = sandbox.path("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    let text = sandbox.read("a.lock");
    let writer = std::thread::spawn(move || std::fs::write(pipe, text).unwrap());
    let run = sandbox.run(&["diff", "pipe", "b.lock", "--json"]).expect(0);
    writer.join().unwrap();
    assert_eq!(items(&run.stdout), items(&named));
}

#[test]
fn commands_are_shown_on_request_only_and_secrets_never() {
    let sandbox = Sandbox::new();
    sandbox.script(&serving(json!([tool("x", "")])));
    sandbox.write("t.json", serving(json!([tool("x", "")])).to_string());
    sandbox.run(&["pin", "--lock", "a.lock", "--", "./server", "s.json"]).expect(0);
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    sandbox.run(&["pin", "--lock", "b.lock", "--", "./server", "t.json", "--token", secret]).expect(0);
    let run = sandbox.run(&["diff", "a.lock", "b.lock", "--exit-code"]).expect(1);
    assert!(run.stdout.contains("server-identity") && run.stdout.contains("--show-command"), "{run}");
    for format in [&[][..], &["--json"]] {
        let run = sandbox.run(&[&["diff", "a.lock", "b.lock"], format].concat()).expect(0);
        for word in ["./server", "s.json", "t.json", "--token", secret] {
            assert!(!run.all().contains(word), "{word}\n{run}");
        }
        let run = sandbox.run(&[&["diff", "a.lock", "b.lock", "--show-command"], format].concat()).expect(0);
        assert!(run.stdout.contains("before: ./server s.json; now: ./server t.json --token"), "{run}");
        assert!(!run.all().contains(secret), "{run}");
    }
}

#[test]
fn both_texts_are_shown_where_somebody_kept_them() {
    let sandbox = Sandbox::new();
    for (name, words) in [("a", "reads the notes"), ("b", "reads all the notes"), ("c", "reads no notes")] {
        sandbox.script(&serving(json!([tool("x", words)])));
        let (lock, file) = (format!("{name}.lock"), format!("{name}.json"));
        let save = format!("--save-surface={file}");
        sandbox.run(&["pin", "--lock", &lock, &save, "--", "./server", "s.json"]).expect(0);
    }
    let texts = |args: &[&str]| {
        let run = sandbox.run(&[&["diff", "--json"], args].concat()).expect(0);
        let text = &run.document()["entries"][0]["texts"][0];
        [&text["before"], &text["now"]].map(|side| side.as_str().map(str::to_owned))
    };
    let (a, b) = (Some("reads the notes".to_owned()), Some("reads all the notes".to_owned()));
    assert_eq!(texts(&["a.lock", "b.lock"]), [None, None]);
    assert_eq!(texts(&["a.json", "b.lock"]), [a.clone(), None]);
    assert_eq!(texts(&["a.lock", "b.json"]), [None, b.clone()]);
    assert_eq!(texts(&["a.lock", "b.lock", "--texts", "b.json"]), [None, b.clone()]);
    assert_eq!(texts(&["a.lock", "b.lock", "--texts", "a.json"]), [a.clone(), None]);
    assert_eq!(texts(&["a.lock", "b.lock", "--texts", "b.json", "--texts", "a.json"]), [a.clone(), b.clone()]);
    // One that fits neither is not believed, and that is said.
    assert_eq!(texts(&["a.lock", "b.lock", "--texts", "c.json"]), [None, None]);
    let run = sandbox.run(&["diff", "a.lock", "b.lock", "--texts", "c.json"]).expect(0);
    assert!(run.stdout.contains("c.json was not used") && run.stdout.contains("of either are unknown"), "{run}");
    // Beside either of them.
    sandbox.write("warden.surface.json", sandbox.read("b.json"));
    assert_eq!(texts(&["a.lock", "b.lock"]), [None, b.clone()]);
    sandbox.write("a.surface.json", sandbox.read("a.json"));
    assert_eq!(texts(&["a.lock", "b.lock"]), [a, b]);
}

/// A pipe gives its bytes once, so the file is read once and looked at for both sides.
#[test]
fn texts_may_come_through_a_pipe() {
    let sandbox = two();
    for file in ["a.surface.json", "b.surface.json"] {
        std::fs::rename(sandbox.path(file), sandbox.path(file.replace("surface.", ""))).unwrap();
    }
    let named = sandbox.run(&["diff", "a.lock", "b.lock", "--texts", "b.json", "--json"]).expect(0);
    assert!(named.stdout.contains("\"now\": "), "{named}");
    let pipe = sandbox.path("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    let text = sandbox.read("b.json");
    let writer = std::thread::spawn(move || std::fs::write(pipe, text).unwrap());
    let piped = sandbox.run(&["diff", "a.lock", "b.lock", "--texts", "pipe", "--json"]).expect(0);
    writer.join().unwrap();
    assert_eq!(blocks(&piped), blocks(&named));
    let mut command = sandbox.command(&["diff", "a.lock", "b.lock", "--texts", "-", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(sandbox.read("b.json").as_bytes()).unwrap();
    let input = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(input, named.stdout);
    // Standard input is there once, and what cannot be used is refused for its own reason.
    sandbox.write("no.json", "{\"tools\": 7}");
    for (args, why) in [
        (&["-", "b.lock", "--texts", "-"][..], "read once only"),
        (&["a.lock", "b.lock", "--texts", "-", "--texts", "-"], "read once only"),
        (&["a.lock", "b.lock", "--texts", "none.json"], "there is no such file"),
        (&["a.lock", "b.lock", "--texts", "."], "not a regular file"),
        (&["a.lock", "b.lock", "--texts", "no.json"], "not a surface that can be used"),
    ] {
        let run = sandbox.run(&[&["diff"], args].concat()).expect(2);
        assert!(run.stderr.contains(why), "{why}\n{run}");
    }
    let run = sandbox.run(&["diff", "a.json", "b.json", "--texts", "b.json"]).expect(0);
    assert!(run.stdout.contains("b.json was not used: what it says is known already"), "{run}");
}

#[test]
fn locks_of_different_levels_are_compared_as_far_as_they_go() {
    let sandbox = Sandbox::new();
    let level = |n: u8| format!("{}/tests/fixtures/levels/level-{n}.lock", env!("CARGO_MANIFEST_DIR"));
    for (old, new) in [(1, 4), (2, 4), (3, 4), (4, 3), (1, 2)] {
        let run = sandbox.run(&["diff", &level(old), &level(new), "--exit-code", "--json"]).expect(1);
        let document = run.document();
        let classes: Vec<&Value> = document["entries"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|block| block["items"].as_array().unwrap())
            .map(|item| &item["class"])
            .collect();
        assert_eq!(document["entries"].as_array().unwrap().len(), 1, "{run}");
        assert_eq!(classes, ["schema-version-migrated"], "{old} to {new}\n{run}");
        let note = document["notes"][0].as_str().unwrap();
        assert!(note.contains(&format!("A is of level {old} and B of level {new}")), "{note}");
        assert!(note.contains("output schemas"), "{note}");
    }
}

#[test]
fn an_approval_is_told_and_is_no_drift() {
    let sandbox = two();
    sandbox.write("c.lock", sandbox.read("a.lock"));
    sandbox.run(&["approve", "--yes", "--approver", "ann\u{301}", "c.lock"]).expect(0);
    let run = sandbox.run(&["diff", "--exit-code", "a.lock", "c.lock"]).expect(0);
    assert!(run.stdout.contains("A is not approved; B by ann\u{301}, for its own digest"), "{run}");
    // The approval of A is for something else than B, as a check says.
    let run = sandbox.run(&["diff", "--exit-code", "c.lock", "b.lock"]).expect(1);
    assert!(run.stdout.contains("unapproved-change"), "{run}");
}

#[test]
fn reviewed_blocks_and_recorded_forms_are_no_difference_to_a_surface() {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture("notes.json"));
    sandbox.write("warden.inspection.json", json!({"fetch_feed": {"may_return_urls": true}}).to_string());
    let pin = ["pin", "--normalize-prompt-arguments", "--save-surface", "--", "./server", "s.json"];
    sandbox.run(&pin).expect(0);
    sandbox.run(&["diff", "--exit-code", "warden.lock", "warden.surface.json"]).expect(0);
    sandbox.run(&["diff", "--exit-code", "warden.surface.json", "warden.lock"]).expect(0);
    // A plain list of tools says nothing else, and that is told.
    let list = json!({"tools": [tool("x", "")]}).to_string();
    sandbox.write("list.json", list);
    let run = sandbox.run(&["diff", "warden.lock", "list.json", "--exit-code"]).expect(1);
    assert!(run.stdout.contains("resource-removed") && run.stdout.contains("count as empty"), "{run}");
    assert!(!run.stdout.contains("server-identity") && run.stdout.contains("how the server was started"), "{run}");
}

#[test]
fn names_and_paths_do_not_drive_the_terminal() {
    let sandbox = Sandbox::new();
    let evil = "\u{1b}[2J\u{202e}\u{7}x";
    for (name, words) in [("a", "one"), ("b", "two \u{1b}[31m")] {
        sandbox.script(&serving(json!([tool(evil, words), tool(&format!("{evil}{name}"), words)])));
        let lock = format!("{name}{evil}.lock");
        sandbox.run(&["pin", "--lock", &lock, "--save-surface", "--", "./server", "s.json"]).expect(0);
    }
    let (a, b) = (format!("a{evil}.lock"), format!("b{evil}.lock"));
    for args in
        [&["diff", &a, &b][..], &["diff", &a, &b, "--json"], &["diff", &a, evil], &["diff", &a, &b, "--texts", evil]]
    {
        let run = sandbox.run(args);
        assert!(run.all().chars().all(|c| c == '\n' || !warden::text::is_hidden(c)), "{run}");
    }
}

#[test]
fn nothing_is_written_and_nothing_started() {
    let sandbox = two();
    let started = sandbox.path("started");
    sandbox.script(&json!({"pid_file": started, "methods": {}}));
    let before: Vec<String> = ["a.lock", "b.lock"].map(|name| sandbox.read(name)).to_vec();
    sandbox.run(&["diff", "a.lock", "b.lock"]).expect(0);
    assert_eq!(["a.lock", "b.lock"].map(|name| sandbox.read(name)).to_vec(), before);
    assert!(!started.exists());
}
