//! Which files are looked at, and what becomes of those that cannot be read.

use super::{document, findings, write};
use crate::support::cli::{Run, Sandbox};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;

const UNPINNED: &str = "{\"mcpServers\": {\"own\": {\"command\": \"npx\", \"args\": [\"own\"]}}}";
const BROKEN: &str = "{\n \"mcpServers\": {\n  \"tide\": {\"command\": }\n }\n}";

/// A file in the home folder, which is removed again: a sandbox looks for what is left.
fn with_home(sandbox: &Sandbox, path: &str, text: &str, look: impl FnOnce()) {
    write(sandbox, &format!("../home/{path}"), text);
    look();
    let first = path.split('/').next().unwrap();
    let whole = sandbox.path(format!("../home/{first}"));
    if whole.is_dir() { std::fs::remove_dir_all(whole).unwrap() } else { std::fs::remove_file(whole).unwrap() }
}

#[test]
fn where_nothing_is_configured_nothing_is_clean() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["doctor"]).expect(2);
    assert!(run.stderr.contains("no configuration of any client was found"), "{run}");
    assert!(run.stderr.contains("docs/clients.md"), "{run}");
    sandbox.run(&["doctor", "--json"]).expect(2).document();
    let run = sandbox.run(&["doctor", "no.json"]).expect(2);
    assert!(run.stderr.contains("no.json"), "{run}");
    let run = sandbox.run(&["doctor", "no.txt"]).expect(2);
    assert!(run.stderr.contains("no.txt is of no kind that any client reads"), "{run}");
    sandbox.run(&["doctor", "--project", ".mcp.json"]).expect(2);
}

#[test]
fn a_file_that_cannot_be_read_is_never_clean() {
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", BROKEN);
    let run = sandbox.run(&["doctor", "--json"]).expect(2);
    let report = run.document();
    assert_eq!((&report["verdict"], &report["findings"]), (&Value::from("failed"), &serde_json::json!([])));
    let note = report["notes"][0].as_str().unwrap().to_owned();
    assert!(note.starts_with("a configuration file could not be read: .mcp.json:3:23: "), "{note}");
    // Findings beat it, and it is told all the same.
    write(&sandbox, ".cursor/mcp.json", UNPINNED);
    let run = sandbox.run(&["doctor", "--json"]).expect(1);
    assert_eq!(run.document()["notes"][0], note.as_str());
    assert!(run.document()["said"].as_str().unwrap().ends_with("1 more file could not be read"), "{run}");
    for format in ["human", "markdown", "github", "junit", "jsonl"] {
        let run = sandbox.run(&["doctor", "--format", format]).expect(1);
        assert!(run.stdout.contains(".mcp.json:3:23"), "{format}: {run}");
    }
    // Of files that are named, each is told.
    let run = sandbox.run(&["doctor", ".cursor/mcp.json", ".mcp.json"]).expect(1);
    assert!(run.stdout.contains(".mcp.json:3:23"), "{run}");
    let run = sandbox.run(&["doctor", ".mcp.json", "no.json"]).expect(2);
    assert!(run.stderr.contains(".mcp.json:3:23") && run.stderr.contains("no.json"), "{run}");
    // A link out of the project is one of them.
    std::fs::remove_file(sandbox.path(".mcp.json")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", sandbox.path(".mcp.json")).unwrap();
    let run = sandbox.run(&["doctor"]).expect(1);
    assert!(run.stdout.contains(".mcp.json: it is a link out of the project"), "{run}");
}

#[test]
fn the_users_files_count_unless_only_the_project_is_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.make_repository();
    write(&sandbox, ".mcp.json", UNPINNED);
    with_home(&sandbox, ".cursor/mcp.json", &UNPINNED.replace("own", "users"), || {
        let report = document(&sandbox, &[]);
        let paths: Vec<&str> = report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["place"]["path"].as_str().unwrap())
            .collect();
        assert_eq!(paths, [".mcp.json", "~/.cursor/mcp.json", ".mcp.json", "~/.cursor/mcp.json"], "{report}");
        // Machines are told where a file is in its repository.
        let gitlab: Value =
            serde_json::from_str(&sandbox.run(&["doctor", "--format", "gitlab"]).expect(1).stdout).unwrap();
        let uris: Vec<&str> =
            gitlab.as_array().unwrap().iter().map(|issue| issue["location"]["path"].as_str().unwrap()).collect();
        assert_eq!(uris[0], ".mcp.json");
        assert!(uris[1].starts_with('/') && uris[1].ends_with("/home/.cursor/mcp.json"), "{uris:?}");
        assert_eq!(
            findings(&sandbox, &["--project"]),
            (vec!["1 own SUP-NPX-UNPINNED".to_owned()], vec!["own".to_owned()])
        );
        // From a folder below, the project is the same.
        std::fs::create_dir_all(sandbox.path("a/b")).unwrap();
        let run = Run::of(sandbox.command(&["doctor", "--project", "--json"]).current_dir(sandbox.path("a/b")));
        let place = run.document()["findings"][0]["place"].clone();
        assert_eq!(place["path"], "../../.mcp.json");
    });
}

#[test]
fn a_lock_for_a_server_of_the_users_own_is_found_where_the_fix_puts_it() {
    let sandbox = Sandbox::pinned(&crate::support::project::tool("notes"), &[]);
    let text = "{\"mcpServers\": {\"Own one\": {\"command\": \"./server\", \"args\": [\"s.json\"]}}}";
    with_home(&sandbox, ".cursor/mcp.json", text, || {
        let report = document(&sandbox, &[]);
        let fix = report["findings"][0]["fix"].as_str().unwrap().to_owned();
        assert_eq!(report["findings"][0]["rule_id"], "WRD-CONF-LOCK-MISSING");
        assert!(fix.starts_with("mkdir -p -- ") && fix.ends_with(" -- ./server s.json"), "{fix}");
        let warden = std::path::Path::new(env!("CARGO_BIN_EXE_warden")).parent().unwrap();
        let path = format!("{}:/usr/bin:/bin", warden.display());
        let run = Run::of(
            std::process::Command::new("sh")
                .args(["-c", &fix])
                .current_dir(sandbox.path(""))
                .env_clear()
                .env("PATH", path)
                .env("HOME", sandbox.path("../home")),
        );
        assert_eq!(run.code, Some(0), "{run}");
        sandbox.run(&["doctor"]).expect(0);
        std::fs::remove_dir_all(sandbox.path("../home/.warden")).unwrap();
    });
}

#[test]
fn a_file_that_everybody_can_change_is_found() {
    let sandbox = Sandbox::new();
    let rules = |sandbox: &Sandbox| findings(sandbox, &[]).0;
    let file = write(&sandbox, ".cursor/mcp.json", UNPINNED);
    let mode =
        |path: &std::path::Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let folder = sandbox.path(".cursor");
    mode(&folder, 0o755);
    mode(&file, 0o664);
    assert_eq!(rules(&sandbox), ["1 own SUP-NPX-UNPINNED"]);
    mode(&file, 0o666);
    assert_eq!(rules(&sandbox), ["1 files/.cursor/mcp.json CONF-WRITABLE", "1 own SUP-NPX-UNPINNED"]);
    let report = document(&sandbox, &[]);
    let fix = report["findings"].as_array().unwrap().iter().find(|finding| finding["rule_id"] == "WRD-CONF-WRITABLE");
    assert_eq!(fix.unwrap()["fix"], "chmod o-w -- .cursor/mcp.json");
    mode(&file, 0o644);
    mode(&folder, 0o777);
    assert_eq!(rules(&sandbox), ["1 files/.cursor/mcp.json CONF-WRITABLE", "1 own SUP-NPX-UNPINNED"]);
    // Files of others stay in such a folder.
    mode(&folder, 0o1777);
    assert_eq!(rules(&sandbox), ["1 own SUP-NPX-UNPINNED"]);
}

#[test]
fn nothing_is_started_written_or_asked() {
    let sandbox = Sandbox::new();
    sandbox.executable("trap", "#!/bin/sh\ntouch started\n");
    write(
        &sandbox,
        ".mcp.json",
        "{\"mcpServers\": {\"t\": {\"command\": \"./trap\"}, \"h\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\", \"headersHelper\": \"./trap\"}}}",
    );
    write(&sandbox, ".crush.json", "{\"mcp\": {\"c\": {\"type\": \"stdio\", \"command\": \"$(./trap)\"}}}");
    write(&sandbox, ".crushrc", "./trap\n");
    for command in ["doctor", "servers"] {
        let run = sandbox.run(&[command]);
        assert!(run.stdout.contains("from the file alone") || run.stdout.contains("not readable statically"), "{run}");
        assert!(!sandbox.exists("started") && !sandbox.exists(".warden"), "{run}");
    }
}
