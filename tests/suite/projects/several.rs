//! Twelve servers and what can become of each: one report, one exit code, nobody's result hidden by another's.

use crate::support::project::{Project, pairs, part, tool, verdicts};
use serde_json::json;

const NAMES: [&str; 12] = ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "lou"];

fn all(verdict: &str) -> Vec<(String, String)> {
    NAMES.iter().map(|name| ((*name).to_owned(), verdict.to_owned())).collect()
}

#[test]
fn twelve_servers_are_pinned_and_checked() {
    let project = Project::of(&NAMES);
    let pinned = project.pin().expect(0);
    assert_eq!(verdicts(&pinned), all("pinned"));
    assert_eq!(verdicts(&project.pin().expect(0)), all("unchanged"));
    let clean = project.check(&[]).expect(0);
    assert_eq!((clean.document()["verdict"].clone(), verdicts(&clean)), (json!("clean"), all("clean")));
    // The order is that of the names, however they end, and whatever the number of workers.
    for jobs in ["1", "2", "12", "200"] {
        let again = project.check(&["--jobs", jobs]).expect(0);
        assert_eq!(again.stdout, clean.stdout, "{jobs}");
    }
    assert_eq!(verdicts(&project.sandbox.run(&["show", "--all", "--json"]).expect(0)), all("shown"));
}

#[test]
fn drifted_hanging_missing_and_skipped_servers_are_told_apart() {
    let mut project = Project::of(&NAMES);
    project.pin().expect(0);
    project.play("bob", &tool("mallory"));
    project.play("cyd", &json!({"methods": {"initialize": [{"hang": true}]}}));
    std::fs::remove_file(project.sandbox.path("dan.json")).unwrap();
    project.add("new", &tool("new"));
    project.remove("lou");
    project.sandbox.write(
        "warden.toml",
        "[servers.eve]\nskip = { reason = \"needs a display\", until = \"2999-12-31\" }\n[servers.cyd]\ntimeout = 1\n",
    );
    let run = project.check(&[]).expect(1);
    let mut expected = all("clean");
    for (name, verdict) in [
        ("bob", "drift"),
        ("cyd", "not-checked"),
        ("dan", "not-checked"),
        ("eve", "skipped"),
        ("lou", "not-configured"),
    ] {
        expected.iter_mut().find(|(known, _)| known == name).unwrap().1 = verdict.to_owned();
    }
    expected.push(("new".to_owned(), "not-locked".to_owned()));
    assert_eq!(verdicts(&run), expected);
    assert_eq!(run.document()["verdict"], "drift");
    assert_eq!(part(&run, "cyd")["failure"]["code"], "E-TIMEOUT");
    // Each of them alone, and the exit code that is its own.
    for (name, code) in [("bob", 1), ("cyd", 3), ("dan", 3), ("eve", 3), ("lou", 1), ("new", 1), ("ada", 0)] {
        let alone = project.check(&["--only", name]).expect(code);
        assert_eq!(verdicts(&alone).len(), 1, "{name}");
    }
    // The same in every format.
    for format in ["human", "jsonl", "sarif", "github", "markdown", "junit", "gitlab"] {
        let run = project.sandbox.run(&["check", "--all", "--format", format]).expect(1);
        assert!(run.stdout.contains("bob") && run.stdout.contains("new"), "{run}");
    }
    let human = project.sandbox.run(&["check", "--all"]).expect(1);
    for text in ["mallory", "needs a display", "2999-12-31", "checked of 13"] {
        assert!(human.stdout.contains(text), "{text}\n{human}");
    }
}

#[test]
fn one_beats_two_beats_three() {
    let mut project = Project::of(&["ada", "bob", "cyd"]);
    project.pin().expect(0);
    project.play("ada", &json!({"methods": {"initialize": [{"exit": 1}]}}));
    project.check(&[]).expect(3);
    project.sandbox.write(".warden/bob/warden.lock", "{");
    let run = project.check(&[]).expect(2);
    let expected = [("ada", "not-checked"), ("bob", "failed"), ("cyd", "clean")];
    assert_eq!(verdicts(&run), pairs(&expected));
    project.play("cyd", &tool("other"));
    project.check(&[]).expect(1);
    // A pin has the same order, and what could be pinned is.
    project.add("dan", &tool("dan"));
    let run = project.pin().expect(2);
    let expected = [("ada", "not-pinned"), ("bob", "failed"), ("cyd", "pinned"), ("dan", "pinned")];
    assert_eq!(verdicts(&run), pairs(&expected));
}

#[test]
fn nothing_checked_is_not_clean() {
    let project = Project::of(&[]);
    let run = project.check(&[]).expect(2);
    assert!(run.stderr.contains("no server is configured"), "{run}");
    let project = Project::of(&["ada"]);
    project.pin().expect(0);
    project.sandbox.write("warden.toml", "[servers.ada]\nskip = { reason = \"later\" }\n");
    assert_eq!(verdicts(&project.check(&[]).expect(3)), pairs(&[("ada", "skipped")]));
    // A day that is past ends a skip.
    project.sandbox.write("warden.toml", "[servers.ada]\nskip = { reason = \"later\", until = \"2020-01-01\" }\n");
    assert_eq!(verdicts(&project.check(&[]).expect(0)), pairs(&[("ada", "clean")]));
}

#[test]
fn tools_that_two_servers_offer_are_told() {
    let mut project = Project::of(&["ada", "bob"]);
    project.add("cyd", &tool("ada"));
    project.pin().expect(0);
    let run = project.check(&[]).expect(0);
    assert_eq!(
        run.document()["clashes"],
        json!([{"rule_id": "WRD-SERVER-TOOL-CLASH", "tool": "ada", "servers": ["ada", "cyd"]}])
    );
}

/// Two jobs of one pipeline, each for a part of the servers, do not replace each other's comment.
#[test]
fn a_choice_of_servers_has_a_marker_of_its_own() {
    let project = Project::of(&["ada", "bob"]);
    project.pin().expect(0);
    let marker = |options: &[&str]| {
        let run = project.sandbox.run(&[&["check", "--all", "--format", "markdown"], options].concat()).expect(0);
        run.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let (all, ada, bob) = (marker(&[]), marker(&["--only", "ada"]), marker(&["--only", "bob"]));
    assert!(all.starts_with("<!-- warden-report ") && all != ada && all != bob && ada != bob, "{all} {ada} {bob}");
    assert_eq!(marker(&["--only", "bob", "--only", "ada"]), marker(&["--only", "ada", "--only", "bob"]));
}

#[test]
fn what_one_server_is_given_cannot_be_given_to_all() {
    let project = Project::of(&["ada"]);
    for words in [
        &["pin", "--all", "--yes", "--", "./server", "ada.json"][..],
        &["pin", "--all", "--yes", "--lock", "x.lock"],
        &["pin", "--all", "--yes", "--tool", "ada"],
        &["pin", "--all", "--yes", "--env", "A=b"],
        &["pin", "--all", "--yes", "--save-surface", "x.json"],
        &["check", "--all", "--url", "http://127.0.0.1:1/"],
        &["check", "--all", "--entry", "ada"],
        &["check", "--all", "--only", "nobody"],
        &["check", "--only", "ada"],
        &["check", "--since", "HEAD"],
        &["show", "--all", "other.lock"],
    ] {
        project.sandbox.run(words).expect(2);
        assert!(!project.sandbox.exists(".warden"), "{words:?}");
    }
}

#[test]
fn texts_are_kept_beside_each_lock() {
    let project = Project::of(&["ada", "bob"]);
    project.sandbox.run(&["pin", "--all", "--yes", "--save-surface"]).expect(0);
    project.play(
        "bob",
        &json!({"methods": {"tools/list": [{"result": {"tools": [
            {"name": "bob", "description": "It was bob.", "inputSchema": {"type": "object"}}
        ]}}]}}),
    );
    let run = project.check(&[]).expect(1);
    let text = part(&run, "bob")["entries"][0]["texts"][0].clone();
    assert_eq!((text["before"].clone(), text["now"].clone()), (json!("It is bob."), json!("It was bob.")));
    project.sandbox.run(&["pin", "--all", "--yes", "--save-surface", "--only", "bob"]).expect(0);
    project.check(&[]).expect(0);
}
