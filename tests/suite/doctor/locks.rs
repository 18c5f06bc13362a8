//! What `doctor` says of locks, and that its fixes mend.

use super::{document, findings, write};
use crate::support::cli::Sandbox;
use crate::support::project::Project;
use serde_json::{Value, json};

/// Rules and servers, in the order of the report.
fn rules(sandbox: &Sandbox) -> Vec<String> {
    let report = document(sandbox, &[]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |finding: &Value| format!("{} {}", text(&finding["rule_id"]), text(&finding["target"]));
    report["findings"].as_array().unwrap().iter().map(row).collect()
}

/// Runs the fix of the first finding, with the answer yes where it would ask.
fn mend(sandbox: &Sandbox) {
    let report = document(sandbox, &[]);
    let fix = report["findings"][0]["fix"].as_str().unwrap();
    let words: Vec<&str> = fix.split(' ').collect();
    assert_eq!(words[0], "warden", "{fix}");
    sandbox.run(&[&words[1..], &["--yes"]].concat()).expect(0);
}

fn approve(sandbox: &Sandbox, name: &str) {
    let lock = format!(".warden/{name}/warden.lock");
    sandbox.run(&["approve", "--yes", "--approver", "a@example.com", &lock]).expect(0);
}

#[test]
fn a_lock_is_missing_then_unapproved_then_good() {
    let project = Project::of(&["notes"]);
    assert_eq!(rules(&project.sandbox), ["WRD-CONF-LOCK-MISSING servers/notes"]);
    mend(&project.sandbox);
    assert_eq!(rules(&project.sandbox), ["WRD-CONF-LOCK-UNAPPROVED servers/notes"]);
    approve(&project.sandbox, "notes");
    let run = project.sandbox.run(&["doctor"]).expect(0);
    assert!(run.stdout.contains("1 server in 1 file: nothing to mend"), "{run}");
    assert_eq!(document(&project.sandbox, &[])["verdict"], "clean");
    for format in ["sarif", "github", "markdown", "junit", "gitlab"] {
        let run = project.sandbox.run(&["doctor", "--format", format]).expect(0);
        assert!(!run.stdout.contains("tools"), "{format}: {run}");
    }
}

#[test]
fn one_lock_covers_the_same_server_of_every_client() {
    let project = Project::of(&["notes"]);
    project.pin().expect(0);
    approve(&project.sandbox, "notes");
    let shapes = [
        (".vscode/mcp.json", "{\"servers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}"),
        (".cursor/mcp.json", "{\"mcpServers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}"),
        (
            ".gemini/settings.json",
            "{\"mcpServers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}",
        ),
        (".codex/config.toml", "[mcp_servers.notes]\ncommand = \"./server\"\nargs = [\"notes.json\"]\n"),
        (
            ".zed/settings.json",
            "{\"context_servers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}",
        ),
        (".roo/mcp.json", "{\"mcpServers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}"),
        (
            ".junie/mcp/mcp.json",
            "{\"mcpServers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}",
        ),
        (".factory/mcp.json", "{\"mcpServers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}"),
        (
            ".amp/settings.json",
            "{\"amp.mcpServers\": {\"notes\": {\"command\": \"./server\", \"args\": [\"notes.json\"]}}}",
        ),
        ("opencode.json", "{\"mcp\": {\"notes\": {\"type\": \"local\", \"command\": [\"./server\", \"notes.json\"]}}}"),
        (
            ".crush.json",
            "{\"mcp\": {\"notes\": {\"type\": \"stdio\", \"command\": \"./server\", \"args\": [\"notes.json\"]}}}",
        ),
        (
            ".vibe/config.toml",
            "[[mcp_servers]]\nname = \"notes\"\ntransport = \"stdio\"\ncommand = [\"./server\", \"notes.json\"]\n",
        ),
    ];
    for (path, text) in shapes {
        write(&project.sandbox, path, text);
    }
    let run = project.sandbox.run(&["doctor"]).expect(0);
    assert!(run.stdout.contains("13 servers in 13 files: nothing to mend"), "{run}");
}

#[test]
fn another_launch_or_other_settings_than_the_pinned_ones_are_found() {
    let mut project = Project::of(&["notes"]);
    project.pin().expect(0);
    approve(&project.sandbox, "notes");
    project.configure("notes", json!({"command": "./server", "args": ["notes.json", "--more"]}));
    assert_eq!(rules(&project.sandbox), ["WRD-CONF-LOCK-STALE servers/notes"]);
    project.configure("notes", json!({"command": "./server", "args": ["notes.json"], "env": {"MODE": "x"}}));
    assert_eq!(rules(&project.sandbox), ["WRD-LOCK-SETTINGS servers/notes"]);
    mend_all(&project.sandbox, "notes");
    project.configure("notes", json!({"command": "./server", "args": ["notes.json"], "env": {"MODE": "${HOME}"}}));
    assert_eq!(rules(&project.sandbox), ["WRD-LOCK-SETTINGS servers/notes"]);
    mend_all(&project.sandbox, "notes");
}

/// Mends what a pin mends, and approves.
fn mend_all(sandbox: &Sandbox, name: &str) {
    mend(sandbox);
    approve(sandbox, name);
    assert_eq!(rules(sandbox), [""; 0]);
}

#[test]
fn locks_that_do_not_hold_are_found_and_the_fix_mends_them() {
    let project = Project::of(&["notes"]);
    project.pin().expect(0);
    approve(&project.sandbox, "notes");
    let lock = project.lock("notes");
    let path = ".warden/notes/warden.lock";
    let digest = lock.split("\"approved_digest\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let other = format!("sha256:{}", "0".repeat(64));
    let with_other =
        lock.replace(&format!("\"approved_digest\": \"{digest}\""), &format!("\"approved_digest\": \"{other}\""));
    for (text, rule) in [
        (with_other, "WRD-DRIFT-UNAPPROVED-CHANGE"),
        (lock.replace("\"name\": \"notes\"", "\"name\": \"other\""), "WRD-LOCK-INCONSISTENT"),
        ("<<<<<<< not a lock".to_owned(), "WRD-CONF-LOCK-UNREADABLE"),
    ] {
        project.sandbox.write(path, text);
        assert_eq!(rules(&project.sandbox), [format!("{rule} servers/notes")]);
        assert_eq!(document(&project.sandbox, &[])["findings"][0]["place"]["path"], path);
        mend_all(&project.sandbox, "notes");
    }
}

#[test]
fn a_lock_without_a_server_is_a_stray() {
    let mut project = Project::of(&["notes", "tide"]);
    project.pin().expect(0);
    approve(&project.sandbox, "notes");
    project.remove("tide");
    let report = document(&project.sandbox, &[]);
    assert_eq!(rules(&project.sandbox), ["WRD-CONF-LOCK-STRAY servers/tide"]);
    assert_eq!(report["findings"][0]["fix"], "rm -- .warden/tide/warden.lock");
    // Of a file that is named, nothing else is said.
    assert_eq!(findings(&project.sandbox, &[".mcp.json"]), (Vec::new(), Vec::new()));
}

#[test]
fn what_is_skipped_or_switched_off_needs_no_lock() {
    let project = Project::of(&["notes"]);
    project
        .sandbox
        .write("warden.toml", "[servers.notes]\nskip = { reason = \"moves next week\", until = \"2999-01-31\" }\n");
    assert_eq!(rules(&project.sandbox), [""; 0]);
    write(
        &project.sandbox,
        ".roo/mcp.json",
        "{\"mcpServers\": {\"off\": {\"command\": \"tide\", \"disabled\": true}}}",
    );
    assert_eq!(rules(&project.sandbox), [""; 0]);
}
