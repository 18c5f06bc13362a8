//! `warden.toml` and `doctor`: servers of its own, and findings that it accepts.

use super::{document, findings, write};
use crate::support::cli::Sandbox;
use serde_json::{Value, json};

const UNPINNED: &str = "{\"mcpServers\": {\"tide\": {\"command\": \"npx\", \"args\": [\"tide\"]}}}";

fn accepting(rule: &str, target: &str, more: &str) -> String {
    format!("[[ignore]]\nrule = \"{rule}\"\ntarget = \"{target}\"\nreason = \"looked at it\"\n{more}\n")
}

#[test]
fn a_table_of_its_own_is_looked_at_like_an_entry() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "warden.toml",
        "[servers.notes]\ncommand = [\"npx\", \"notes\"]\n\n[servers.far]\nurl = \"http://a.test/mcp\"\n",
    );
    let (found, missing) = findings(&sandbox, &[]);
    assert_eq!(found, ["1 notes SUP-NPX-UNPINNED", "4 far CONF-NO-AUTH", "4 far CONF-PLAIN-HTTP"]);
    assert_eq!(missing, ["notes", "far"]);
    sandbox.write("warden.toml", "[servers.notes]\nfrom = \".mcp.json\"\n");
    assert_eq!(findings(&sandbox, &[]).0, ["1 notes CONF-UNUSABLE"]);
}

#[test]
fn a_finding_can_be_accepted_and_fails_again_when_its_day_is_past() {
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", UNPINNED);
    let accepted = |more: &str| {
        accepting("WRD-SUP-NPX-UNPINNED", "servers/tide", more)
            + &accepting("WRD-CONF-LOCK-MISSING", "servers/tide", "")
    };
    sandbox.write("warden.toml", accepted(""));
    let report = document(&sandbox, &[]);
    assert_eq!((&report["verdict"], &report["exit_code"]), (&json!("clean"), &json!(0)), "{report}");
    assert_eq!(report["accepted"].as_array().unwrap().len(), 2);
    sandbox.write("warden.toml", accepted("expires = \"2020-01-31\""));
    let report = document(&sandbox, &[]);
    assert_eq!((&report["verdict"], &report["exit_code"]), (&json!("findings"), &json!(1)), "{report}");
    // Also where there is no such finding any more.
    write(&sandbox, ".mcp.json", &UNPINNED.replace("[\"tide\"]", "[\"tide@1.0.0\"]"));
    assert_eq!(document(&sandbox, &[])["verdict"], "expired");
}

#[test]
fn each_command_speaks_of_its_own_entries_only() {
    let sandbox = Sandbox::pinned(&crate::support::cli::fixture("notes.json"), &[]);
    write(&sandbox, ".mcp.json", "{\"mcpServers\": {\"n\": {\"command\": \"./server\", \"args\": [\"s.json\"]}}}");
    let config = accepting("WRD-CONF-SHELL", "servers/n", "") + &accepting("WRD-CAP-SHELL", "tools/none", "");
    sandbox.write("warden.toml", config);
    let unused = |report: &Value| -> Vec<String> {
        let notes = report["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().to_owned());
        notes.filter(|note| note.contains("WRD-IGNORE-UNUSED")).collect()
    };
    let check = unused(&sandbox.run(&["check", "--json"]).expect(0).document());
    assert!(check.len() == 1 && check[0].contains("WRD-CAP-SHELL"), "{check:?}");
    let doctor = unused(&document(&sandbox, &[]));
    assert!(doctor.len() == 1 && doctor[0].contains("WRD-CONF-SHELL"), "{doctor:?}");
}

#[test]
fn a_project_accepts_nothing_in_the_users_own_files() {
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", "{\"mcpServers\": {}}");
    write(&sandbox, "../home/.cursor/mcp.json", UNPINNED);
    sandbox.write("warden.toml", accepting("WRD-SUP-NPX-UNPINNED", "servers/tide", ""));
    let (found, _) = findings(&sandbox, &[]);
    std::fs::remove_dir_all(sandbox.path("../home/.cursor")).unwrap();
    assert_eq!(found, ["1 tide SUP-NPX-UNPINNED"]);
}

#[test]
fn lock_rules_cannot_be_accepted() {
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", UNPINNED);
    sandbox.write("warden.toml", accepting("WRD-LOCK-INCONSISTENT", "servers/tide", ""));
    let run = sandbox.run(&["doctor"]).expect(2);
    assert!(run.stderr.contains("WRD-LOCK-INCONSISTENT cannot be ignored"), "{run}");
}
