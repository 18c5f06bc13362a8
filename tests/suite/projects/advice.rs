//! What a report about several servers suggests does just what it says, and nothing suggests what would do harm.

use crate::support::cli::Run;
use crate::support::project::{Project, pairs, part, tool, verdicts};
use serde_json::{Value, json};

fn commands(run: &Run) -> Vec<String> {
    let document = run.document();
    let steps = document["next"].as_array().expect("steps").iter();
    steps.map(|step| step["command"].as_str().expect("a command").to_owned()).collect()
}

/// Runs a suggested command; `--yes` stands for an answer.
fn follow(project: &Project, command: &str) -> Run {
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    project.sandbox.run(&words)
}

#[test]
fn accepting_what_one_server_declares_accepts_nothing_else() {
    let project = Project::of(&["ada", "bob", "cyd"]);
    project.pin().expect(0);
    for name in ["ada", "bob"] {
        project.play(name, &tool("mallory"));
    }
    let run = project.check(&["--only", "ada"]).expect(1);
    let accept = commands(&run).into_iter().find(|command| command.starts_with("warden pin")).expect("a pin");
    assert_eq!(accept, "warden pin --all --only=ada");
    follow(&project, &accept).expect(0);
    assert_eq!(verdicts(&project.check(&[]).expect(1)), pairs(&[("ada", "clean"), ("bob", "drift"), ("cyd", "clean")]));
}

#[test]
fn texts_that_somebody_keeps_are_kept_by_the_suggested_pin() {
    let project = Project::of(&["ada", "bob"]);
    project.sandbox.run(&["pin", "--all", "--yes", "--save-surface"]).expect(0);
    project.play("ada", &tool("mallory"));
    let accept = commands(&project.check(&[]).expect(1)).into_iter().find(|command| command.contains("pin")).unwrap();
    assert_eq!(accept, "warden pin --all --only=ada --save-surface");
    follow(&project, &accept).expect(0);
    assert!(project.sandbox.read(".warden/ada/warden.surface.json").contains("mallory"));
}

#[test]
fn a_typing_error_in_a_file_does_not_lead_to_the_removal_of_a_lock() {
    let project = Project::of(&["ada", "bob"]);
    project.pin().expect(0);
    project.sandbox.write("warden.toml", "[servers.ada]\nfrom = \".mcp.json\"\n");
    project.sandbox.write(".mcp.json", "{\"mcpServers\": {,}}");
    let run = project.check(&[]).expect(2);
    assert_eq!(verdicts(&run), pairs(&[(".mcp.json", "failed"), ("ada", "failed")]));
    assert!(!run.stdout.contains("rm ."), "{run}");
}

#[test]
fn what_surrounds_a_server_is_not_lost_by_a_pin_of_its_lock_alone() {
    let mut project = Project::of(&["ada"]);
    project.configure("ada", json!({"command": "./server", "args": ["ada.json"], "env": {"MODE": "loud-and-clear"}}));
    project.pin().expect(0);
    let lock = ".warden/ada/warden.lock";
    let before = project.lock("ada");
    let refused = project.sandbox.run(&["pin", "--lock", lock]).expect(2);
    assert!(refused.stderr.contains("warden pin --all --only NAME"), "{refused}");
    assert_eq!(project.lock("ada"), before);
    // A check of it alone works, and says what it did not do.
    let run = project.sandbox.run(&["check", "--lock", lock, "--json"]).expect(0);
    assert!(run.document()["notes"].to_string().contains("belongs to a project"), "{run}");
    project.play("ada", &tool("mallory"));
    let run = project.sandbox.run(&["check", "--lock", lock, "--json"]).expect(1);
    assert!(commands(&run).contains(&"warden pin --all --only=ada".to_owned()), "{run}");
}

#[test]
fn a_value_that_a_client_asks_for_can_come_from_a_variable() {
    let mut project = Project::of(&[]);
    project.play("ada", &tool("ada"));
    std::fs::create_dir(project.sandbox.path(".vscode")).unwrap();
    let entry =
        json!({"type": "stdio", "command": "./server", "args": ["ada.json"], "env": {"TOKEN": "${input:token}"}});
    let inputs = json!([{"id": "token", "type": "promptString"}]);
    project.sandbox.write(".vscode/mcp.json", json!({"servers": {"ada": entry}, "inputs": inputs}).to_string());
    project.remove("none");
    let run = project.pin().expect(2);
    assert!(part(&run, "ada")["said"].as_str().unwrap().contains("asks its user"), "{run}");
    project.sandbox.write("warden.toml", "[servers.ada]\nenv = [\"TOKEN\"]\n");
    let with_token = |words: &[&str]| {
        let mut command = project.sandbox.command(words);
        Run::of(command.env("TOKEN", "a-token-of-some-length"))
    };
    with_token(&["pin", "--all", "--yes"]).expect(0);
    with_token(&["check", "--all"]).expect(0);
    let lock: Value = serde_json::from_str(&project.lock("ada")).unwrap();
    assert_eq!(lock["pin"]["warden"]["started_with"], json!({"env": {"TOKEN": "${TOKEN}"}}));
}

#[test]
fn a_skip_that_ended_is_told() {
    let project = Project::of(&["ada"]);
    project.pin().expect(0);
    project.sandbox.write("warden.toml", "[servers.ada]\nskip = { reason = \"later\", until = \"2020-01-01\" }\n");
    let run = project.check(&[]).expect(0);
    assert!(run.document()["notes"].to_string().contains("2020-01-01"), "{run}");
}
