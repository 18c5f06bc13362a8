//! `warden servers`: what was found, where, and whether a lock covers it.

use crate::support::cli::{Run, Sandbox};
use crate::support::project::Project;
use serde_json::{Value, json};

fn schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(include_str!("../../docs/schema/servers.schema.json")).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

#[track_caller]
fn listed(sandbox: &Sandbox, args: &[&str], code: i32) -> Value {
    let run = sandbox.run(&[&["servers", "--json"], args].concat()).expect(code);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["exit_code"], code);
    let schema = schema();
    let faults: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(faults, [""; 0], "{run}");
    document
}

fn write(sandbox: &Sandbox, name: &str, text: &str) {
    std::fs::create_dir_all(sandbox.path(name).parent().unwrap()).unwrap();
    sandbox.write(name, text);
}

/// Name and lock of each server of a file.
fn locks(document: &Value, file: usize) -> Vec<String> {
    let servers = document["files"][file]["servers"].as_array().unwrap();
    servers
        .iter()
        .map(|server| format!("{} {}", server["name"].as_str().unwrap(), server["lock"].as_str().unwrap()))
        .collect()
}

/// One server in each state.
fn project() -> Project {
    let mut project = Project::of(&["good", "moved", "torn"]);
    project.pin().expect(0);
    project.configure("moved", json!({"command": "./server", "args": ["other.json"]}));
    project.configure(
        "open",
        json!({"command": "npx", "args": ["tide", "--token", "q7x2k9v4m1z8"], "env": {"A_KEY": "${A_KEY}", "B": "1"}}),
    );
    project.configure("later", json!({"type": "http", "url": ""}));
    project.sandbox.write(".warden/torn/warden.lock", "no lock");
    project
}

#[test]
fn every_server_has_its_place_and_the_state_of_its_lock() {
    let project = project();
    let sandbox = &project.sandbox;
    let document = listed(sandbox, &[], 0);
    assert_eq!(document["files"][0]["path"], ".mcp.json");
    assert_eq!(locks(&document, 0), ["good locked", "moved stale", "torn unreadable", "open missing", "later unknown"]);
    let open = &document["files"][0]["servers"][3];
    assert_eq!(open["launch"], "npx tide --token '<redacted>'");
    assert_eq!(open["env"], json!(["A_KEY", "B"]));
    assert!(open["clients"].as_array().unwrap().contains(&json!("Claude Code")), "{open}");
    assert_eq!(document["files"][0]["servers"][0]["lock_path"], ".warden/good/warden.lock");
    let later = &document["files"][0]["servers"][4];
    assert_eq!(later["not_readable"], "its url is empty: it is not configured yet");
    for (name, more) in [("servers", &[][..]), ("servers-40", &["COLUMNS"])] {
        let mut command = sandbox.command(&["servers"]);
        more.iter().for_each(|variable| {
            command.env(variable, "40");
        });
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, Run::of(&mut command).expect(0).stdout));
    }
    let narrow = sandbox.run(&["servers", "-q"]).expect(0).stdout;
    assert_eq!(narrow.lines().count(), 1, "{narrow}");
}

#[test]
fn both_bodies_of_a_name_are_listed() {
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", "{\"mcpServers\": {\"tide\": {\"command\": \"one\"}}}");
    write(&sandbox, ".cursor/mcp.json", "{\"mcpServers\": {\"tide\": {\"command\": \"two\"}}}");
    let document = listed(&sandbox, &["--project"], 0);
    for (file, launch, other) in [(0, "one", ".cursor/mcp.json:1:17"), (1, "two", ".mcp.json:1:17")] {
        let server = &document["files"][file]["servers"][0];
        assert_eq!(server["launch"], launch);
        assert!(server["same_name"].as_str().unwrap().starts_with(other), "{server}");
    }
}

#[test]
fn settings_strays_and_switches_are_told() {
    let mut project = Project::of(&["good", "gone"]);
    project.pin().expect(0);
    project.remove("gone");
    let sandbox = &project.sandbox;
    sandbox.write(
        "warden.toml",
        "[servers.own]\ncommand = [\"./own\"]\nenv = [\"A\"]\n\n[servers.good]\nskip = { reason = \"it moves\" }\n",
    );
    write(sandbox, ".roo/mcp.json", "{\"mcpServers\": {\"off\": {\"command\": \"x\", \"disabled\": true}}}");
    let document = listed(sandbox, &[], 0);
    assert_eq!(document["files"][0]["path"], "warden.toml");
    assert_eq!(locks(&document, 0), ["own missing"]);
    assert_eq!(document["files"][1]["servers"][0]["skipped"], "it moves");
    assert_eq!(document["files"][2]["servers"][0]["enabled"], false);
    assert_eq!(document["strays"], json!([{"name": "gone", "lock_path": ".warden/gone/warden.lock"}]));
    let human = sandbox.run(&["servers"]).expect(0).stdout;
    for words in ["skipped: it moves", "switched off", "Locks that no server has", "gone  .warden/gone/warden.lock"] {
        assert!(human.contains(words), "{words}: {human}");
    }
}

#[test]
fn a_file_that_cannot_be_read_fails_the_list_and_hides_nothing() {
    let sandbox = Sandbox::new();
    write(&sandbox, ".mcp.json", "{\"mcpServers\": {\"tide\": {\"command\": \"one\"}}}");
    write(&sandbox, ".cursor/mcp.json", "{\n  oops");
    let document = listed(&sandbox, &[], 2);
    assert_eq!(locks(&document, 0), ["tide missing"]);
    let unread = &document["unread"][0];
    assert_eq!(
        (&unread["path"], &unread["line"], &unread["column"]),
        (&json!(".cursor/mcp.json"), &json!(2), &json!(7))
    );
    let human = sandbox.run(&["servers"]).expect(2).stdout;
    assert!(human.contains("could not be read: .cursor/mcp.json:2:7: "), "{human}");
    assert!(human.contains("1 server in 1 file: 1 without a lock; 1 more file could not be read"), "{human}");
}

#[test]
fn it_is_text_or_one_document() {
    let sandbox = Sandbox::new();
    sandbox.run(&["servers"]).expect(2);
    write(&sandbox, ".mcp.json", "{\"mcpServers\": {}}");
    for format in ["jsonl", "sarif", "github", "markdown", "junit", "gitlab"] {
        let run = sandbox.run(&["servers", "--format", format]).expect(2);
        assert!(run.stderr.contains("--format human or json"), "{run}");
    }
    sandbox.run(&["servers", "--output", "json=x.json"]).expect(2);
}
