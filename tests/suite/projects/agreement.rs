//! What a configuration hands to a server besides its command, and what of it is stored.

use crate::support::cli::Run;
use crate::support::project::{Project, pairs, part, tool, verdicts};
use serde_json::{Value, json};

const CANARY: &str = "canary-4f7a91c2";

/// A project with one server that reports what it gets.
fn reporting(entry: Value) -> Project {
    let mut project = Project::of(&[]);
    let mut script = tool("ada");
    script["env_report"] = json!(["MODE", "SECRET", "EXTRA", "PATH", "(folder)"]);
    project.add("ada", &script);
    project.configure("ada", entry);
    project
}

fn run_with(project: &Project, words: &[&str], env: &[(&str, &str)]) -> Run {
    let mut command = project.sandbox.command(words);
    Run::of(command.envs(env.iter().copied()))
}

#[test]
fn references_are_replaced_for_the_server_and_stay_references_in_the_lock() {
    let project = reporting(json!({
        "command": "./server",
        "args": ["ada.json", "--token=${SECRET}", "${PLACE:-here}"],
        "env": {"MODE": "loud", "SECRET": "${SECRET}"},
    }));
    let secret = [("SECRET", CANARY)];
    let pinned = run_with(&project, &["pin", "--all", "--yes", "--json", "-v"], &secret).expect(0);
    let text = project.lock("ada");
    let lock: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(lock["server"]["args"], json!(["ada.json", "--token=${SECRET}", "${PLACE:-here}"]));
    let expected = json!({
        "env": {"MODE": "*", "SECRET": "${SECRET}"},
        "references": ["${SECRET}", "${PLACE:-here}"],
    });
    assert_eq!(lock["pin"]["warden"]["started_with"], expected);
    assert!(!text.contains(CANARY) && !pinned.all().contains(CANARY), "{pinned}");
    // Checked with another value of the same variable it is the same server.
    let clean = run_with(&project, &["check", "--all", "--json"], &secret).expect(0);
    assert!(!clean.all().contains(CANARY), "{clean}");
    // Unset is an error with the variable's name, and never an empty text.
    let unset = project.check(&[]).expect(2);
    assert!(part(&unset, "ada")["said"].as_str().unwrap().contains("SECRET is not set"), "{unset}");
    // Alone, the lock cannot be checked: nobody says what the references stand for.
    for words in [&["check", "--lock", ".warden/ada/warden.lock"][..], &["pin", "--lock", ".warden/ada/warden.lock"]] {
        let alone = run_with(&project, words, &secret).expect(2);
        assert!(alone.stderr.contains("${SECRET}"), "{alone}");
    }
}

#[test]
fn a_server_that_repeats_a_secret_is_not_shown_with_it() {
    let mut project = Project::of(&[]);
    let script = json!({"stderr": format!("got {CANARY}"), "methods": {"initialize": [{"exit": 1}]}});
    project.add("ada", &script);
    project.configure("ada", json!({"command": "./server", "args": ["ada.json", "${SECRET}"]}));
    let run = run_with(&project, &["pin", "--all", "--yes", "-v"], &[("SECRET", CANARY)]).expect(3);
    assert!(!run.all().contains(CANARY) && run.all().contains("[value of SECRET]"), "{run}");
}

#[test]
fn other_settings_than_the_lock_records_are_drift_before_anything_starts() {
    let base = json!({"command": "./server", "args": ["ada.json"], "env": {"MODE": "loud", "SECRET": "${HOME}"}});
    for (changed, word) in [
        (json!({"env": {"MODE": "loud", "SECRET": "${UNSET}"}}), "${UNSET}"),
        (json!({"env": {"MODE": "loud", "SECRET": "${HOME}", "NODE_OPTIONS": "--require ./evil.js"}}), "NODE_OPTIONS"),
        (json!({"env": {"MODE": "loud"}}), "MODE"),
        (json!({"cwd": "home"}), "cwd"),
    ] {
        let mut project = reporting(base.clone());
        // The client of this file knows a working directory.
        project.sandbox.write("warden.toml", "");
        project.pin().expect(0);
        assert_eq!(verdicts(&project.check(&[]).expect(0)), pairs(&[("ada", "clean")]));
        let mut entry = base.clone();
        for (name, value) in changed.as_object().unwrap() {
            match name.as_str() {
                "cwd" => project.sandbox.write("warden.toml", "[servers.ada]\ncwd = \"tools\"\n"),
                _ => entry[name] = value.clone(),
            }
        }
        project.configure("ada", entry);
        let run = project.check(&[]).expect(1);
        let block = &part(&run, "ada")["entries"][0];
        assert_eq!(block["items"][0]["rule_id"], "WRD-LOCK-SETTINGS", "{run}");
        assert!(block["texts"].to_string().contains(word), "{word}\n{run}");
        assert_eq!(part(&run, "ada")["server"], Value::Null);
    }
}

#[test]
fn a_literal_value_may_change_without_a_new_pin() {
    let mut project = reporting(json!({"command": "./server", "args": ["ada.json"], "env": {"EXTRA": "one-and-only"}}));
    let mut script = tool("ada");
    script["stderr"] = json!("hello");
    project.play("ada", &script);
    project.pin().expect(0);
    assert!(!project.lock("ada").contains("one-and-only"));
    project.configure("ada", json!({"command": "./server", "args": ["ada.json"], "env": {"EXTRA": "another-one"}}));
    project.check(&[]).expect(0);
}

#[test]
fn warden_toml_hands_over_variables_by_name() {
    let project = reporting(json!({"command": "./server", "args": ["ada.json"], "env": {"SECRET": "from-the-file"}}));
    project.sandbox.write("warden.toml", "[servers.ada]\nenv = [\"SECRET\"]\n");
    let run = run_with(&project, &["pin", "--all", "--yes", "--json"], &[("SECRET", CANARY)]);
    // The server repeats it in a description, which is only hashed.
    let run = run.expect(0);
    assert!(!run.all().contains(CANARY) && !project.lock("ada").contains(CANARY));
    let lock: Value = serde_json::from_str(&project.lock("ada")).unwrap();
    assert_eq!(lock["pin"]["warden"]["started_with"], json!({"env": {"SECRET": "${SECRET}"}}));
    let unset = project.check(&[]).expect(2);
    assert!(part(&unset, "ada")["said"].as_str().unwrap().contains("SECRET"), "{unset}");
}

#[test]
fn servers_start_in_the_projects_folder_wherever_the_command_runs() {
    let mut project = Project::of(&["ada"]);
    std::fs::create_dir_all(project.sandbox.path("deep/down")).unwrap();
    project.pin().expect(0);
    let mut command = project.sandbox.command(&["check", "--all", "--json"]);
    let run = Run::of(command.current_dir(project.sandbox.path("deep/down"))).expect(0);
    assert_eq!(part(&run, "ada")["lock_path"], "../../.warden/ada/warden.lock");
    // A folder of its own.
    std::fs::create_dir(project.sandbox.path("tools")).unwrap();
    std::fs::rename(project.sandbox.path("ada.json"), project.sandbox.path("tools/ada.json")).unwrap();
    project.sandbox.write("warden.toml", "[servers.ada]\ncwd = \"tools\"\n");
    project.configure("ada", json!({"command": "../server", "args": ["ada.json"]}));
    project.pin().expect(0);
    project.check(&[]).expect(0);
}

#[test]
fn a_secret_that_reaches_a_server_by_its_arguments_is_guarded_like_any_other() {
    let mut project = Project::of(&[]);
    let named = |name: &str| json!([{"name": name, "description": "d", "inputSchema": {"type": "object"}}]);
    // Where it would be stored as it is, the server is refused.
    project.add("ada", &crate::support::cli::serving(named(&format!("t_{CANARY}"))));
    project.configure("ada", json!({"command": "./server", "args": ["ada.json", "${SECRET}"]}));
    let secret = [("SECRET", CANARY)];
    let run = run_with(&project, &["pin", "--all", "--yes", "--json"], &secret).expect(3);
    assert_eq!(part(&run, "ada")["failure"]["code"], "E-SECRET", "{run}");
    assert!(!run.all().contains(CANARY), "{run}");
    // Where it is only hashed, findings that quote it do not hold it.
    let hidden = format!("It says {CANARY}\u{200b} to everybody.");
    let mut script = crate::support::cli::serving(json!([{"name": "t", "description": hidden, "inputSchema": {}}]));
    script["methods"]["initialize"] = json!([{"result": {
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"},
        "instructions": format!("Use {CANARY}."),
    }}]);
    project.play("ada", &script);
    let run = run_with(&project, &["pin", "--all", "--yes", "--json", "-v"], &secret).expect(0);
    assert!(!run.all().contains(CANARY) && !project.lock("ada").contains(CANARY), "{run}");
    run_with(&project, &["pin", "--all", "--yes", "--save-surface"], &secret).expect(3);
}

#[test]
fn an_approval_is_for_the_surroundings_too() {
    let mut project = reporting(json!({"command": "./server", "args": ["ada.json"], "env": {"MODE": "loud"}}));
    project.pin().expect(0);
    let lock = ".warden/ada/warden.lock";
    project.sandbox.run(&["approve", "--yes", "--approver", "ann", lock]).expect(0);
    project.check(&["--require-approval"]).expect(0);
    project.sandbox.run(&["show", "--verify", lock]).expect(0);
    // Somebody edits both files so that they agree.
    let mut edited: Value = serde_json::from_str(&project.lock("ada")).unwrap();
    edited["pin"]["warden"]["started_with"] = json!({"env": {"LD_PRELOAD": "./e.so"}});
    project.sandbox.write(lock, edited.to_string());
    project.configure("ada", json!({"command": "./server", "args": ["ada.json"], "env": {"LD_PRELOAD": "./e.so"}}));
    let run = project.check(&[]).expect(1);
    assert!(part(&run, "ada")["server"].is_null() && run.stdout.contains("approved with other settings"), "{run}");
    project.sandbox.run(&["show", "--verify", lock]).expect(1);
    let run = project.sandbox.run(&["pin", "--all"]).expect(2);
    assert!(run.stderr.contains("LD_PRELOAD=./e.so"), "{run}");
    // Pinned with an approval, it is approved with what is there.
    let pin = ["pin", "--all", "--yes", "--approve", "--approver", "ann"];
    project.sandbox.run(&pin).expect(0);
    project.check(&["--require-approval"]).expect(0);
}

#[test]
fn a_record_that_is_none_is_not_read_as_nothing() {
    for record in [json!([]), json!(null), json!("x"), json!(1)] {
        let project = Project::of(&["ada"]);
        project.pin().expect(0);
        let mut edited: Value = serde_json::from_str(&project.lock("ada")).unwrap();
        edited["pin"]["warden"]["started_with"] = record;
        project.sandbox.write(".warden/ada/warden.lock", edited.to_string());
        project.check(&[]).expect(1);
    }
}

#[test]
fn a_variable_that_decides_what_code_runs_is_recorded_with_its_value() {
    let entry = |path: &str| json!({"command": "./server", "args": ["ada.json"], "env": {"PYTHONPATH": path, "MODE": "one-of-two"}});
    let mut project = reporting(entry("lib"));
    project.pin().expect(0);
    let lock: Value = serde_json::from_str(&project.lock("ada")).unwrap();
    assert_eq!(lock["pin"]["warden"]["started_with"], json!({"env": {"MODE": "*", "PYTHONPATH": "lib"}}));
    project.configure("ada", entry("evil"));
    assert_eq!(verdicts(&project.check(&[]).expect(1)), pairs(&[("ada", "drift")]));
}
