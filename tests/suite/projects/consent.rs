//! Nothing that a configuration names is started before somebody said so.

use crate::support::project::{Project, pairs, tool, verdicts};
use crate::support::terminal::run_at_terminal;
use serde_json::json;

/// A script that leaves a mark where it was started.
fn marking(project: &Project, name: &str) -> serde_json::Value {
    let mut script = tool(name);
    script["pid_file"] = json!(project.sandbox.path(format!("{name}.started")));
    script
}

fn marked() -> Project {
    let mut project = Project::of(&[]);
    for name in ["ada", "bob"] {
        let script = marking(&project, name);
        project.add(name, &script);
    }
    project
}

fn was_started(project: &Project, name: &str) -> bool {
    project.sandbox.exists(&format!("{name}.started"))
}

#[test]
fn a_pin_without_an_answer_starts_nothing() {
    let project = marked();
    let run = project.sandbox.run(&["pin", "--all"]).expect(2);
    for text in ["./server ada.json", "./server bob.json", ".mcp.json:", "--yes"] {
        assert!(run.stderr.contains(text), "{text}\n{run}");
    }
    assert!(!was_started(&project, "ada") && !project.sandbox.exists(".warden"));
}

#[test]
fn a_person_is_shown_the_commands_and_asked_once() {
    for (answer, code) in [("n\n", 2), ("\n", 2), ("yes please\n", 2), ("\u{4}", 2), ("y\n", 0), ("YES\n", 0)] {
        let project = marked();
        let run = run_at_terminal(&mut project.sandbox.command(&["pin", "--all"]), &[("Start?", answer)]).expect(code);
        assert!(run.stderr.contains("./server ada.json") && run.stderr.contains("./server bob.json"), "{run}");
        assert_eq!(run.stderr.matches("Start?").count(), 1, "{run}");
        assert_eq!(was_started(&project, "ada") && was_started(&project, "bob"), code == 0, "{run}");
    }
}

#[test]
fn what_a_lock_names_already_needs_no_new_answer() {
    let mut project = marked();
    project.pin().expect(0);
    project.play("ada", &tool("another"));
    // The same command, whatever the server declares now.
    let run = project.sandbox.run(&["pin", "--all", "--json"]).expect(0);
    assert_eq!(verdicts(&run), pairs(&[("ada", "pinned"), ("bob", "unchanged")]));
    project.configure("ada", json!({"command": "./server", "args": ["ada.json", "more"]}));
    let run = project.sandbox.run(&["pin", "--all"]).expect(2);
    assert!(run.stderr.contains("ada.json more") && !run.stderr.contains("bob.json"), "{run}");
    // Something around the command counts as well.
    project.configure("ada", json!({"command": "./server", "args": ["ada.json"], "env": {"LD_PRELOAD": "x.so"}}));
    let run = project.sandbox.run(&["pin", "--all"]).expect(2);
    assert!(run.stderr.contains("LD_PRELOAD=x.so"), "{run}");
    // The value of any other variable may be a secret.
    project.configure("ada", json!({"command": "./server", "args": ["ada.json"], "env": {"MODE": "hush-hush"}}));
    let run = project.sandbox.run(&["pin", "--all"]).expect(2);
    assert!(run.stderr.contains("with MODE") && !run.stderr.contains("hush"), "{run}");
}

#[test]
fn a_check_starts_what_the_lock_names_and_nothing_else() {
    let mut project = marked();
    project.pin().expect(0);
    let starts = |project: &Project| {
        for name in ["ada", "bob", "new"] {
            let _ = std::fs::remove_file(project.sandbox.path(format!("{name}.started")));
        }
    };
    starts(&project);
    let script = marking(&project, "new");
    project.add("new", &script);
    project.configure("ada", json!({"command": "./server", "args": ["ada.json", "--evil"]}));
    let run = project.check(&[]).expect(1);
    assert_eq!(verdicts(&run), pairs(&[("ada", "drift"), ("bob", "clean"), ("new", "not-locked")]));
    assert!(!was_started(&project, "ada") && was_started(&project, "bob") && !was_started(&project, "new"));
}

#[test]
fn names_and_commands_of_strangers_do_not_drive_the_terminal() {
    let mut project = Project::of(&[]);
    let name = "evil\u{1b}[2J\u{202e}\nStart? [y/N] y";
    project.configure(name, json!({"command": "x\u{1b}]0;t\u{7}", "args": ["\n  fake line"]}));
    let run = project.sandbox.run(&["pin", "--all"]).expect(2);
    assert!(!run.all().contains(['\u{1b}', '\u{202e}', '\u{7}']), "{run}");
    assert!(!run.all().lines().any(|line| line.starts_with("Start?") || line.trim() == "fake line"), "{run}");
}

#[test]
fn the_whole_command_is_shown_or_nobody_is_asked() {
    let mut project = Project::of(&[]);
    let words: Vec<String> = (0..200).map(|i| format!("--flag-{i}")).collect();
    let entry = |words: &[String], tail: &str| json!({"command": "./server", "args": ([words, &[tail.to_owned()]].concat()), "env": {"PATH": null}});
    project.configure("long", entry(&words, "EVILTAIL"));
    let run = project.sandbox.run(&["pin", "--all"]).expect(2);
    assert!(run.stderr.contains("EVILTAIL"), "{run}");
    project.configure("long", entry(&[" ".repeat(5000)], "EVILTAIL"));
    let run = run_at_terminal(&mut project.sandbox.command(&["pin", "--all"]), &[]).expect(2);
    assert!(run.stderr.contains("too long to be agreed to") && !run.stderr.contains("Start?"), "{run}");
}
