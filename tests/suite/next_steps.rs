//! What a report offers to do next, and what it says where something was left, can be copied, is true and is short.

use crate::support::cli::{Sandbox, fixture, serving};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn tools(words: [&str; 2]) -> Value {
    let tool = |(name, words): (&str, &str)| json!({"name": name, "description": words, "inputSchema": {}});
    serving(["a", "b c"].into_iter().zip(words).map(tool).collect())
}

/// Both tools changed.
fn drifted(options: &[&str]) -> Sandbox {
    let sandbox = Sandbox::pinned(&tools(["one", "two"]), options);
    sandbox.script(&tools(["ONE", "TWO"]));
    sandbox
}

/// Purposes and commands, in their order.
fn steps(document: &Value) -> Vec<(String, String)> {
    let text = |step: &Value, member: &str| step[member].as_str().expect("a text").to_owned();
    document["next"].as_array().expect("steps").iter().map(|s| (text(s, "purpose"), text(s, "command"))).collect()
}

#[track_caller]
fn step(document: &Value, purpose: &str) -> String {
    steps(document).into_iter().collect::<BTreeMap<_, _>>().remove(purpose).unwrap_or_else(|| panic!("{document:#}"))
}

/// Runs a command of a report as a shell would.
#[track_caller]
fn follow(sandbox: &Sandbox, command: &str, code: i32) -> Value {
    let words: Vec<&str> = command.split_once(' ').expect("words").1.split(' ').collect();
    let words: Vec<String> = words
        .join(" ")
        .replace("'--tool=b c'", "--tool=b\u{1}c")
        .split(' ')
        .map(|word| word.replace('\u{1}', " "))
        .collect();
    let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let args = [&words[..at], &["--json".to_owned()], &words[at..]].concat();
    sandbox.run(&args).expect(code).document()
}

#[test]
fn one_entry_is_accepted_by_its_real_name() {
    let sandbox = drifted(&[]);
    let check = sandbox.run(&["check", "--json"]).expect(1).document();
    assert_eq!(step(&check, "accept one entry"), "warden pin --tool=a");
    let pin = follow(&sandbox, "warden pin --tool=a", 0);
    assert_eq!(pin["remaining"][0]["target"], "tools/b c");
    // One is left: all of it is that one.
    let check = sandbox.run(&["check", "--json"]).expect(1).document();
    assert!(steps(&check).iter().all(|(purpose, _)| purpose != "accept one entry"), "{check:#}");
}

#[test]
fn a_look_at_one_entry_offers_to_accept_that_one_first() {
    let sandbox = drifted(&[]);
    let check = sandbox.run(&["check", "--entry", "b c", "--json"]).expect(1).document();
    let accepting: Vec<_> = steps(&check).into_iter().filter(|(purpose, _)| purpose.starts_with("accept")).collect();
    assert_eq!(accepting[0], ("accept this entry".to_owned(), "warden pin '--tool=b c'".to_owned()));
    assert_eq!(accepting[1].0, "accept all of it");
    follow(&sandbox, &accepting[0].1, 0);
    let left = sandbox.run(&["check", "--json"]).expect(1).document();
    assert_eq!(left["entries"][0]["target"], "tools/a");
    // An entry that is as pinned needs no acceptance, and a lock that does not hold takes none in part.
    let check = sandbox.run(&["check", "--entry", "b c", "--json"]).expect(1).document();
    assert!(steps(&check).iter().all(|(purpose, _)| purpose != "accept this entry"), "{check:#}");
    sandbox.edit_lock(|lock| lock["overall_digest"] = lock["tools"][0]["entry_digest"].clone());
    let check = sandbox.run(&["check", "--entry", "a", "--json"]).expect(1).document();
    assert!(steps(&check).iter().all(|(_, command)| !command.contains("--tool")), "{check:#}");
}

#[test]
fn another_launch_can_be_compared_or_accepted() {
    let sandbox = drifted(&[]);
    std::fs::copy(sandbox.path("s.json"), sandbox.path("t.json")).unwrap();
    let check = sandbox.run(&["check", "--json", "--", "./server", "t.json"]).expect(1).document();
    let compare = step(&check, "compare the rest");
    assert_eq!(compare, "warden check --allow-launch-change -- ./server t.json");
    let accept = step(&check, "accept it");
    assert_eq!(accept, "warden pin -- ./server t.json");
    let compared = follow(&sandbox, &compare, 1);
    assert_eq!(compared["entries"].as_array().map(Vec::len), Some(3), "{compared:#}");
    let pin = follow(&sandbox, &accept, 0);
    // Both launches stand there, as in a check.
    let text = &pin["entries"][0]["texts"][0];
    assert_eq!((&text["before"], &text["now"]), (&json!("./server s.json"), &json!("./server t.json")));
}

#[test]
fn a_pin_of_another_launch_shows_both_and_no_secret() {
    let sandbox = drifted(&[]);
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let run = sandbox.run(&["pin", "--", "./server", "s.json", "--token", &secret]).expect(0);
    assert!(run.stdout.contains("/server") && run.stdout.contains("--token"), "{run}");
    assert!(!run.all().contains(&secret), "{run}");
}

#[test]
fn a_lock_that_contradicts_itself_is_explained() {
    let sandbox = Sandbox::pinned(&tools(["one", "two"]), &[]);
    let lock = sandbox.read("warden.lock");
    for member in ["entry", "launch"] {
        sandbox.write("warden.lock", &lock);
        sandbox.edit_lock(|lock| match member {
            "entry" => lock["tools"][0]["entry_digest"] = lock["overall_digest"].clone(),
            _ => lock["server"]["args"] = json!(["other.json"]),
        });
        let check = sandbox.run(&["check", "--json"]).expect(1).document();
        assert_eq!(check["verdict"], "inconsistent");
        let command = step(&check, "what that means");
        follow(&sandbox, &command, 0);
    }
}

#[test]
fn a_failure_names_a_command_that_explains_it() {
    let sandbox = Sandbox::pinned(&tools(["one", "two"]), &[]);
    sandbox.script(&json!({"methods": {"initialize": [{"exit": 2}]}}));
    for command in [&["check"][..], &["pin"], &["capture", "-o", "now.json", "--", "./server", "s.json"]] {
        let run = sandbox.run(command).expect(3);
        assert!(run.stdout.contains("What that means: warden explain E-EXITED\n"), "{run}");
        assert!(!run.all().contains("docs/"), "{run}");
    }
    sandbox.run(&["explain", "E-EXITED"]).expect(0);
}

#[test]
fn a_server_that_was_too_slow_can_be_given_more_time() {
    let sandbox = Sandbox::pinned(&tools(["one", "two"]), &[]);
    sandbox.script(&json!({"methods": {"initialize": [{"hang": true}]}}));
    let next = |args: &[&str]| {
        let document = sandbox.run(&[args, &["--timeout", "0.3", "--json"]].concat()).expect(3).document();
        assert_eq!(document["failure"]["code"], "E-TIMEOUT");
        step(&document, "give it more time")
    };
    assert_eq!(next(&["check"]), "warden check --timeout 180");
    assert_eq!(next(&["check", "--require-approval"]), "warden check --timeout 180 --require-approval");
    assert_eq!(next(&["pin", "--tool", "a"]), "warden pin --tool=a --timeout 180");
}

#[test]
fn what_a_new_approval_leaves_out_is_not_the_approval() {
    let sandbox = drifted(&["--approve", "--approver", "ann"]);
    let pin = sandbox.run(&["pin", "--tool", "a", "--approve", "--approver", "bob", "--json"]).expect(0).document();
    let targets: Vec<&Value> = pin["remaining"].as_array().unwrap().iter().map(|block| &block["target"]).collect();
    assert_eq!(targets, ["tools/b c"]);
    // The next check says it: what the server declares was not approved.
    let check = sandbox.run(&["check"]).expect(1);
    assert!(check.stdout.contains("the lock was approved for another digest"), "{check}");
}

#[test]
fn every_format_tells_what_was_not_chosen() {
    let formats = ["json", "jsonl", "sarif", "github", "gitlab", "markdown", "junit"];
    for format in formats {
        let sandbox = drifted(&[]);
        let run = sandbox.run(&["pin", "--tool", "a", "--format", format]).expect(0);
        let lines: Vec<&str> = run.stdout.lines().filter(|line| line.contains("b c")).collect();
        assert!(!lines.is_empty(), "{format}\n{run}");
        let says = if format == "json" { "\"remaining\": [\n" } else { "chosen" };
        assert!(run.stdout.to_lowercase().contains(says), "{format}\n{run}");
    }
    let run = drifted(&[]).run(&["pin", "--tool", "a", "--format", "jsonl"]).expect(0);
    let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&last["items"], &last["remaining"]), (&json!(1), &json!(1)));
    let run = drifted(&[]).run(&["pin", "--tool", "a", "--format", "junit"]).expect(0);
    assert!(run.stdout.contains("failures=\"0\"") && run.stdout.contains("skipped=\"1\""), "{run}");
}

#[test]
fn an_entry_that_is_past_is_told_with_its_finding() {
    let sandbox = Sandbox::pinned(&fixture("notes.json"), &[]);
    let ignore = |target: &str| {
        format!(
            "[[ignore]]\nrule = \"WRD-UNCOMMITTED-INSTRUCTIONS\"\ntarget = \"{target}\"\nreason = \"read\"\nexpires = \"2020-02-29\"\n"
        )
    };
    sandbox.write("warden.toml", ignore("server/instructions"));
    let run = sandbox.run(&["check"]).expect(1);
    assert!(run.stdout.starts_with("EXPIRED    1 entry of warden.toml "), "{run}");
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("The finding counts again: "), "{run}");
    sandbox.write("warden.toml", ignore("server/instructions") + &ignore("server/other"));
    let run = sandbox.run(&["check"]).expect(1);
    assert!(run.stdout.starts_with("EXPIRED    2 entries of warden.toml "), "{run}");
    assert!(run.stdout.contains("no such finding"), "{run}");
}

#[test]
fn a_file_gets_the_full_report_whatever_the_terminal_gets() {
    let sandbox = drifted(&[]);
    let full = sandbox.run(&["check", "--output", "human=full.txt"]).expect(1);
    let quiet = sandbox.run(&["check", "-q", "--output", "human=quiet.txt"]).expect(1);
    assert!(quiet.stdout.len() < full.stdout.len() / 4, "{quiet}");
    let without_time =
        |text: String| text.lines().filter(|line| !line.starts_with("captured")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without_time(sandbox.read("quiet.txt")), without_time(sandbox.read("full.txt")));
    assert!(sandbox.read("quiet.txt").contains("next"));
}

#[test]
fn a_quiet_verdict_is_one_line() {
    let long = "x".repeat(300);
    let sandbox = Sandbox::new();
    sandbox.script(&tools(["one", "two"]));
    sandbox.run(&["pin", "--", "./server", "s.json", "中文", &long]).expect(0);
    for width in ["60", "80", "100", "200"] {
        for (script, code) in [(tools(["one", "two"]), 0), (json!({"methods": {"initialize": [{"exit": 2}]}}), 3)] {
            sandbox.script(&script);
            let run =
                crate::support::cli::Run::of(sandbox.command(&["check", "-q"]).env("COLUMNS", width)).expect(code);
            let width: usize = width.parse().unwrap();
            assert_eq!(run.stdout.lines().count(), 1, "{run}");
            assert!(unicode_width::UnicodeWidthStr::width(run.stdout.trim_end()) <= width, "{run}");
            assert!(run.stdout.contains("./server"), "{run}");
        }
    }
}
