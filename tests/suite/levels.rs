//! Locks that another tool wrote, of every level that there ever was: read, classified, never taken for more than they
//! prove. The files and how they came about: `tests/fixtures/levels/make.py`.

use crate::support::cli::{Run, Sandbox, fixture};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/levels").join(name)
}

/// The server that all of them pin, and one of them beside it. Prompt arguments are hashed as their writer did.
fn with(script: &str, lock: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.script(&fixture(script));
    std::fs::copy(committed(lock), sandbox.path("warden.lock")).expect("a copy");
    sandbox
}

/// Target and classes of every block of a report.
fn blocks(run: &Run) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let document = run.document();
    let blocks = document["entries"].as_array().expect("blocks").iter().map(|block| {
        let mut classes: Vec<String> =
            block["items"].as_array().expect("items").iter().map(|item| text(&item["class"])).collect();
        classes.dedup();
        (text(&block["target"]), classes)
    });
    blocks.collect()
}

fn block<'b>(blocks: &'b [(String, Vec<String>)], target: &str) -> Vec<&'b str> {
    let found = blocks.iter().find(|(name, _)| name == target).map(|(_, classes)| classes.as_slice());
    found.unwrap_or_default().iter().map(String::as_str).collect()
}

#[test]
fn an_old_lock_of_an_unchanged_server_says_what_it_still_proves() {
    for level in 1..=3 {
        for (lock, classes) in [
            (format!("level-{level}.lock"), &["schema-version-migrated"][..]),
            (format!("approved-level-{level}.lock"), &["unapproved-change", "schema-version-migrated"]),
        ] {
            let sandbox = with("notes.json", &lock);
            let run = sandbox.run(&["check", "--json", "--normalize-prompt-arguments"]).expect(1);
            let found = blocks(&run);
            assert_eq!(found.len(), 1, "{run}");
            assert_eq!(block(&found, "pin/approved_digest"), classes, "{run}");
            let document = run.document();
            assert_eq!(document["lock"]["schema_version"], level);
            let note = format!("the digest of level {level} is reproduced");
            assert!(document["notes"].to_string().contains(&note), "{run}");
            // It is in order as far as it goes.
            sandbox.run(&["show", "--verify"]).expect(0);
        }
    }
}

#[test]
fn a_lock_of_another_tool_is_clean_at_the_level_of_today() {
    let sandbox = with("notes.json", "level-4.lock");
    sandbox.run(&["check", "--normalize-prompt-arguments"]).expect(0);
    sandbox.run(&["check", "--require-approval", "--normalize-prompt-arguments"]).expect(1);
    // Its writer hashes prompt arguments in a form of its own. That is never guessed, but it is said.
    let run = sandbox.run(&["check", "--json"]).expect(1);
    assert_eq!(blocks(&run), [("prompts/daily".to_owned(), vec!["prompt-modified".to_owned()])]);
    assert!(run.document()["notes"].to_string().contains("--normalize-prompt-arguments"), "{run}");
    let sandbox = with("notes.json", "approved-level-4.lock");
    sandbox.run(&["check", "--require-approval", "--normalize-prompt-arguments"]).expect(0);
    sandbox.run(&["show", "--verify"]).expect(0);
    // The same surface gives the same digest, whoever pins it.
    let ours = Sandbox::pinned(&fixture("notes.json"), &["--normalize-prompt-arguments"]);
    let theirs: Value = serde_json::from_slice(&std::fs::read(committed("level-4.lock")).unwrap()).unwrap();
    assert_eq!(ours.lock()["overall_digest"], theirs["overall_digest"]);
    assert_eq!(ours.lock()["tools"], theirs["tools"]);
}

#[test]
fn a_changed_server_is_told_as_far_as_the_level_reaches() {
    let found: Vec<_> = (1..=4)
        .map(|level| {
            let sandbox = with("notes-changed.json", &format!("level-{level}.lock"));
            let run = sandbox.run(&["check", "--json", "--normalize-prompt-arguments"]).expect(1);
            if level < 4 {
                let note = format!("also differs from what level {level} commits to");
                assert!(run.document()["notes"].to_string().contains(&note), "{run}");
            }
            blocks(&run)
        })
        .collect();
    for (level, found) in (1..).zip(&found) {
        assert_eq!(block(found, "tools/run_hook"), ["tool-added"]);
        assert_eq!(block(found, "tools/ping"), ["tool-removed"]);
        assert_eq!(block(found, "prompts/daily"), ["prompt-modified"]);
        assert_eq!(block(found, "resources/notes://index"), ["resource-modified"]);
        let migrated = block(found, "pin/approved_digest");
        assert_eq!(migrated, if level < 4 { &["schema-version-migrated"][..] } else { &[] });
        // Annotations and output schemas: recorded at level 4, and nothing made up below.
        let told = found
            .iter()
            .flat_map(|(_, classes)| classes)
            .any(|class| class.contains("-out-") || class.contains("annotations"));
        assert_eq!(told, level == 4, "{found:?}");
    }
    let search = |level: usize| block(&found[level - 1], "tools/search_notes");
    let outline = |level: usize| block(&found[level - 1], "tools/outline");
    // Without a skeleton one coarse item; with one, a fact for each change.
    assert_eq!(search(1), ["schema-modified"]);
    assert!(search(2).contains(&"schema-enum-removed") && search(2).contains(&"schema-additional-props-opened"));
    assert_eq!(search(2), search(3));
    assert!(search(4).contains(&"tool-annotations-modified") && search(4).contains(&"schema-out-type-changed"));
    // What stands behind a reference is unknown at level 2: its paths look new.
    assert_eq!(outline(1), ["schema-modified"]);
    assert!(outline(2).contains(&"schema-property-added"), "{found:?}");
    assert!(!outline(3).contains(&"schema-property-added"), "{found:?}");
    assert_eq!(outline(3), outline(4));
    assert_eq!(block(&found[3], "tools/fetch_feed"), ["schema-out-removed"]);
}

#[test]
fn a_lock_does_not_become_another_level_by_editing_its_number() {
    for (from, to) in [(4, 3), (4, 2), (4, 1), (3, 2), (3, 1), (2, 1), (2, 3)] {
        let sandbox = with("notes.json", &format!("level-{from}.lock"));
        sandbox.edit_lock(|lock| lock["schema_version"] = json!(to));
        let run = sandbox.run(&["check", "--json", "--normalize-prompt-arguments"]).expect(1);
        assert!(block(&blocks(&run), "lock/overall_digest").contains(&"lock-inconsistent"), "{from} to {to}: {run}");
        sandbox.run(&["show", "--verify"]).expect(1);
    }
    for (from, to) in [(3, 4), (1, 4), (4, 5), (4, 0), (4, -1)] {
        let sandbox = with("notes.json", &format!("level-{from}.lock"));
        sandbox.edit_lock(|lock| lock["schema_version"] = json!(to));
        sandbox.run(&["check"]).expect(2);
    }
}

#[test]
fn an_old_lock_is_replaced_by_one_of_today() {
    for level in 1..=3 {
        let sandbox = with("notes.json", &format!("level-{level}.lock"));
        sandbox.edit_lock(|lock| lock["pin"]["theirs"] = json!([1, 2]));
        let run = sandbox.run(&["pin", "--json"]).expect(0);
        assert_eq!(run.document()["verdict"], "pinned");
        let lock = sandbox.lock();
        assert_eq!((&lock["schema_version"], &lock["pin"]["theirs"]), (&json!(4), &json!([1, 2])));
        sandbox.run(&["check"]).expect(0);
        // An approval was for the old one.
        let sandbox = with("notes.json", &format!("approved-level-{level}.lock"));
        sandbox.run(&["pin"]).expect(2);
        sandbox.run(&["pin", "--approve", "--approver", "bob@example.com"]).expect(0);
        sandbox.run(&["check", "--require-approval"]).expect(0);
    }
}

#[test]
fn every_level_is_shown() {
    for level in 1..=4 {
        let sandbox = with("notes.json", &format!("level-{level}.lock"));
        let document = sandbox.run(&["show", "--json"]).expect(0).document();
        let tools = document["view"]["tools"].as_array().expect("tools");
        assert_eq!(tools.len(), 5);
        assert!(tools.iter().all(|tool| tool["parameters"].is_null() == (level == 1)), "level {level}");
        assert!(tools.iter().all(|tool| tool["annotated"].is_null() == (level < 4)), "level {level}");
    }
}

/// The other direction: the other tool checks a lock that warden wrote.
#[test]
fn another_tool_takes_our_lock_where_it_is_at_hand() {
    let Some(python) = std::env::var_os("WARDEN_PEER_PYTHON") else {
        eprintln!("WARDEN_PEER_PYTHON is not set: our lock was not shown to mcp-warden-cli, only its locks to warden");
        return;
    };
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &["--normalize-prompt-arguments"]);
    let check = || {
        let mut peer = sandbox.command(&[""; 0]);
        let mut command = std::process::Command::new(&python);
        command.args([
            "-c",
            "from mcp_warden.cli import app; app()",
            "check",
            "--lock",
            "warden.lock",
            "--",
            "./server",
            "s.json",
        ]);
        command
            .current_dir(sandbox.path(""))
            .env_clear()
            .envs(peer.get_envs().filter_map(|(name, value)| Some((name, value?))));
        peer.stdin(std::process::Stdio::null());
        Run::of(&mut command)
    };
    check().expect(0);
    sandbox.script(&fixture("notes-changed.json"));
    check().expect(1);
}
